//! One damage in one file of a record. Nobody may take what is left for the record: `report` must print the same
//! numbers or say what is wrong, and going on must mend it or refuse.

use super::damage::{Damage, KINDS};
use super::program::{Ended, Program};
use super::record::{Exact, Of};
use super::subject::{RUN, Subject};
use super::tally::Ledger;
use crate::stress::dice::Dice;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Words by which a report says that something is wrong with its record.
const WARNINGS: &[&str] =
    &["left out", "cut off", "not complete", "damaged", "not as it was written", "missing"];

/// A record to be damaged, and what becomes of it undamaged.
struct Patient {
    dir: PathBuf,
    complete: bool,
    /// What `report` prints of it; nothing where it prints none.
    report: Option<String>,
    /// Its record when it has gone on to the end.
    whole: Exact,
}

/// Damages records of `subject` as often as the ledger says: every file, complete and interrupted ones.
pub(super) fn damages(
    program: &Program,
    subject: Subject,
    seed: u64,
    base: &Path,
    mut ledger: Ledger<'_>,
) -> io::Result<()> {
    let patients = [patient(program, subject, base, true)?, patient(program, subject, base, false)?];
    for number in ledger.numbers() {
        let mut dice = Dice::new(seed, &ledger.tally.kind, number);
        let patient = &patients[dice.below(2)];
        let file = *dice.pick(subject.files);
        let bytes = fs::read(patient.dir.join(RUN).join(file))?;
        let Some(damage) = Damage::draw(number as usize % KINDS, &mut dice, &bytes) else { continue };
        let dir = base.join(number.to_string());
        let verdict = damaged(program, subject, patient, &dir, file, damage, &bytes)?;
        let tally = &mut ledger.tally;
        tally.tried += 1;
        tally.found += u64::from(verdict.found);
        tally.repaired += u64::from(verdict.repaired);
        tally.refused += u64::from(verdict.refused);
        tally.accepted += u64::from(verdict.accepted);
        tally.lost += verdict.lost;
        if let Some(what) = verdict.wrong {
            let state = if patient.complete { "complete" } else { "interrupted" };
            ledger.fail(number, &format!("{file} of a {state} record, {damage}: {what}"));
        }
        fs::remove_dir_all(&dir)?;
    }
    ledger.close();
    Ok(())
}

/// A record of a run that ended, or that was killed in the middle.
fn patient(program: &Program, subject: Subject, base: &Path, complete: bool) -> io::Result<Patient> {
    let dir = base.join(if complete { "complete" } else { "interrupted" });
    let (_, length) = subject.reference(program, &dir)?;
    let main = dir.join(RUN).join(subject.main_file());
    let rows = || fs::read_to_string(&main).map_or(0, |text| text.lines().count());
    let all = rows();
    for attempt in 0.. {
        if complete {
            break;
        }
        fs::remove_dir_all(dir.join(RUN))?;
        let mut child = program.start(&dir, subject.begin)?;
        while child.try_wait()?.is_none() && rows() < 2 + all / 4 {
            std::thread::sleep(length / 500);
        }
        child.kill()?;
        child.wait()?;
        if (2..all).contains(&rows()) {
            break;
        }
        if attempt > 50 {
            return Err(io::Error::other(format!("{} cannot be killed in the middle", subject.name)));
        }
    }
    let again = base.join("again");
    copy(subject, &dir, &again)?;
    let report = program.run(&again, &["report", RUN], false)?;
    let ended = subject.go_on(program, &again, true)?;
    if ended.code != Some(0) {
        return Err(io::Error::other(format!("undamaged {}: {}", subject.name, ended.words())));
    }
    let whole = subject.record(&again, Of::Same);
    fs::remove_dir_all(&again)?;
    Ok(Patient { dir, complete, report: (report.code == Some(0)).then_some(report.said), whole })
}

/// Copies the record alone: what a report left is not part of it.
fn copy(subject: Subject, from: &Path, to: &Path) -> io::Result<()> {
    subject.prepare(to)?;
    fs::create_dir_all(to.join(RUN))?;
    for file in subject.files {
        fs::copy(from.join(RUN).join(file), to.join(RUN).join(file))?;
    }
    Ok(())
}

#[derive(Default)]
struct Judgement {
    found: bool,
    repaired: bool,
    refused: bool,
    accepted: bool,
    lost: u64,
    wrong: Option<String>,
}

fn damaged(
    program: &Program,
    subject: Subject,
    patient: &Patient,
    dir: &Path,
    file: &str,
    damage: Damage,
    bytes: &[u8],
) -> io::Result<Judgement> {
    copy(subject, &patient.dir, dir)?;
    let path = dir.join(RUN).join(file);
    match damage.apply(bytes) {
        Some(bytes) => fs::write(&path, bytes)?,
        None => fs::remove_file(&path)?,
    }
    // Finished rows that are gone from an interrupted run are rows that were never written: nobody could tell.
    let as_if_killed = !patient.complete && file == subject.main_file() && damage.only_removes();
    let mut verdict = Judgement::default();
    if let Some(report) = &patient.report {
        let ended = program.run(dir, &["report", RUN], false)?;
        judge_report(&mut verdict, report, &ended, as_if_killed);
    }
    let before = files(subject, dir);
    let ended = subject.go_on(program, dir, true)?;
    if ended.code == Some(0) {
        match patient.whole.differs(&subject.record(dir, Of::Same)) {
            None => (verdict.repaired, verdict.found) = (true, true),
            Some(difference) => {
                verdict.accepted = true;
                verdict.wrong = Some(format!("went on and left {difference}"));
            }
        }
    } else {
        (verdict.refused, verdict.found) = (true, true);
        if let Some(words) = ended.unclean() {
            verdict.wrong = Some(format!("no clean refusal to go on: {words}"));
        }
        let gone = before.iter().zip(files(subject, dir)).filter(|(old, new)| **old != *new).count();
        if gone > 0 {
            verdict.lost = gone as u64;
            verdict.wrong = Some(format!("refused to go on, and {gone} files changed: {}", ended.words()));
        }
    }
    Ok(verdict)
}

fn judge_report(verdict: &mut Judgement, good: &str, ended: &Ended, as_if_killed: bool) {
    let warned = WARNINGS.iter().any(|words| ended.said.matches(words).count() > good.matches(words).count());
    if ended.code != Some(0) {
        verdict.found = true;
        verdict.wrong = ended.unclean().map(|words| format!("no clean refusal to report: {words}"));
    } else if warned {
        verdict.found = true;
    } else if ended.said != good && !as_if_killed {
        verdict.accepted = true;
        let lines = good.lines().zip(ended.said.lines()).find(|(one, two)| one != two);
        let (one, two) = lines.unwrap_or_default();
        verdict.wrong = Some(format!("reported silently: `{}` instead of `{}`", two.trim(), one.trim()));
    }
}

/// The rows that must not be lost: all but the file that says what the run is, which gets a session more.
fn files(subject: Subject, dir: &Path) -> Vec<Option<Vec<u8>>> {
    subject.files[1..].iter().map(|file| fs::read(dir.join(RUN).join(file)).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(said: &str, code: i32, as_if_killed: bool) -> Judgement {
        let ended = Ended { code: Some(code), said: said.to_owned(), complained: "error: x\n".to_owned() };
        let mut verdict = Judgement::default();
        judge_report(&mut verdict, "nodes 12\n", &ended, as_if_killed);
        verdict
    }

    #[test]
    fn other_numbers_without_a_word_are_accepted_damages() {
        assert!(judged("nodes 13\n", 0, false).accepted);
        for good in [judged("nodes 12\n", 0, false), judged("nodes 13\n", 0, true)] {
            assert!(!good.accepted && good.wrong.is_none());
        }
        for found in [judged("nodes 13; a row was left out\n", 0, false), judged("", 2, false)] {
            assert!(found.found && !found.accepted && found.wrong.is_none());
        }
        assert!(judged("", 101, false).wrong.is_some(), "a panic is no refusal");
    }
}
