//! One damage in one file of a record. Nobody may take what is left for the record: `report` must print the same
//! numbers or say what is wrong, and going on must mend it or refuse.

use super::program::{Ended, Exact, Of, Program};
use super::subject::{RUN, Subject};
use super::{Dice, Judgement, Ledger};
use std::path::{Path, PathBuf};
use std::{fs, io};

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
    base: &Path,
    ledger: Ledger<'_>,
) -> io::Result<()> {
    let patients = [patient(program, subject, base, true)?, patient(program, subject, base, false)?];
    ledger.each(base, |number, dir, dice| {
        let patient = &patients[dice.below(2)];
        let file = *dice.pick(subject.files);
        let bytes = fs::read(patient.dir.join(RUN).join(file))?;
        let Some(damage) = Damage::draw(number as usize % KINDS, dice, &bytes) else { return Ok(None) };
        let mut verdict = damaged(program, subject, patient, dir, file, &damage)?;
        let state = if patient.complete { "complete" } else { "interrupted" };
        verdict.wrong =
            verdict.wrong.map(|what| format!("{file} of a {state} record, {}: {what}", damage.what));
        Ok(Some(verdict))
    })
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
        let mut child = program.start(&dir, &subject.begin())?;
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
    let copied = base.join("again");
    copy(subject, &dir, &copied)?;
    let report = program.run(&copied, &["report", RUN], false)?;
    let ended = subject.go_on(program, &copied, true)?;
    if ended.code != Some(0) {
        return Err(io::Error::other(format!("undamaged {}: {}", subject.name, ended.ending())));
    }
    let whole = subject.record(&copied, Of::Same);
    fs::remove_dir_all(&copied)?;
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

fn damaged(
    program: &Program,
    subject: Subject,
    patient: &Patient,
    dir: &Path,
    file: &str,
    damage: &Damage,
) -> io::Result<Judgement> {
    copy(subject, &patient.dir, dir)?;
    damage.put(&dir.join(RUN).join(file))?;
    // Finished rows that are gone from an interrupted run are rows that were never written: no reader could tell.
    let as_if_killed = !patient.complete && file == subject.main_file() && damage.only_removes;
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
        if let Some(message) = ended.unclean() {
            verdict.wrong = Some(format!("no clean refusal to go on: {message}"));
        }
        let gone = before.iter().zip(files(subject, dir)).filter(|(old, new)| **old != *new).count();
        if gone > 0 {
            verdict.lost = gone as u64;
            verdict.wrong = Some(format!("refused to go on, and {gone} files changed: {}", ended.ending()));
        }
    }
    Ok(verdict)
}

fn judge_report(verdict: &mut Judgement, good: &str, ended: &Ended, as_if_killed: bool) {
    let warned =
        WARNINGS.iter().any(|warning| ended.said.matches(warning).count() > good.matches(warning).count());
    if ended.code != Some(0) {
        verdict.found = true;
        verdict.wrong = ended.unclean().map(|message| format!("no clean refusal to report: {message}"));
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

/// One damage, of those that disks, editors and half-finished copies do to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Damage {
    /// In words; bytes count from 0, lines from 1.
    pub(super) what: String,
    /// What is left of the bytes; `None` if the file is gone.
    pub(super) left: Option<Vec<u8>>,
    /// Whether all that it does is to take rows away, as a kill before they were written would have.
    only_removes: bool,
}

/// How many kinds there are.
pub(super) const KINDS: usize = 9;

impl Damage {
    /// A damage of this kind that changes these bytes; `None` if the bytes offer no place for it.
    pub(super) fn draw(kind: usize, dice: &mut Dice, bytes: &[u8]) -> Option<Damage> {
        if bytes.is_empty() && kind > 0 {
            return None;
        }
        let mut rows = lines(bytes);
        let count = rows.len();
        let edited = |at: usize, byte: u8| [&bytes[..at], &[byte], &bytes[at + 1..]].concat();
        let (what, left) = match kind {
            0 => ("missing".to_owned(), None),
            1 => ("emptied".to_owned(), Some(Vec::new())),
            2 => {
                let at = dice.below(bytes.len());
                (format!("cut at byte {at}"), Some(bytes[..at].to_vec()))
            }
            3 => {
                let (at, bit) = (dice.below(bytes.len()), dice.below(8));
                (format!("bit {bit} of byte {at} flipped"), Some(edited(at, bytes[at] ^ 1 << bit)))
            }
            4 => {
                let (at, byte) = (dice.below(bytes.len()), *dice.pick(b"0129aeX,.;-\" \n"));
                (format!("byte {at} made {:?}", char::from(byte)), Some(edited(at, byte)))
            }
            5 => {
                let row = dice.below(count);
                rows.remove(row);
                (format!("line {} gone", row + 1), Some(rows.concat()))
            }
            6 => {
                let row = dice.below(count);
                rows.insert(row, rows[row]);
                (format!("line {} doubled", row + 1), Some(rows.concat()))
            }
            7 => {
                let (one, two) = (dice.below(count), dice.below(count));
                rows.swap(one, two);
                (format!("lines {} and {} swapped", one + 1, two + 1), Some(rows.concat()))
            }
            // One digit of a row becomes another.
            _ => {
                let digits = (rows[0].len()..bytes.len()).filter(|&at| bytes[at].is_ascii_digit());
                let digits: Vec<usize> = digits.collect();
                let at = *digits.get(dice.below(digits.len()))?;
                let digit = b'0' + (bytes[at] - b'0' + 1 + dice.below(9) as u8) % 10;
                (format!("digit at byte {at} made {}", char::from(digit)), Some(edited(at, digit)))
            }
        };
        let only_removes = matches!(kind, 0 | 1 | 2 | 5);
        (left.as_deref() != Some(bytes)).then_some(Damage { what, left, only_removes })
    }

    /// Damages the file.
    pub(super) fn put(&self, path: &Path) -> io::Result<()> {
        match &self.left {
            Some(bytes) => fs::write(path, bytes),
            None => fs::remove_file(path),
        }
    }
}

/// The lines with their ends.
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|&byte| byte == b'\n').collect()
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

    const FILE: &[u8] = b"a,b\n1,2\n3,4\n5,6\n";

    #[test]
    fn every_kind_of_damage_changes_the_file() {
        let mut names = std::collections::BTreeSet::new();
        for number in 0..900 {
            let mut dice = Dice::new(1, "damage", number);
            let Some(damage) = Damage::draw(number as usize % KINDS, &mut dice, FILE) else { continue };
            assert_ne!(damage.left.as_deref(), Some(FILE), "{}", damage.what);
            names.insert(damage.what.split(' ').next().map(str::to_owned));
        }
        assert!(names.len() >= 7, "{names:?}");
    }

    #[test]
    fn damages_do_what_they_say() {
        let drawn = |kind, number| Damage::draw(kind, &mut Dice::new(1, "damage", number), FILE);
        let text = |kind: usize, what: &str| {
            let mut all = (0..9_000).filter_map(|number| drawn(kind, number));
            let damage = all.find(|damage| damage.what == what).expect(what);
            damage.left.map(|bytes| String::from_utf8(bytes).unwrap())
        };
        assert_eq!(text(0, "missing"), None);
        assert_eq!(text(5, "line 2 gone").unwrap(), "a,b\n3,4\n5,6\n");
        assert_eq!(text(6, "line 4 doubled").unwrap(), "a,b\n1,2\n3,4\n5,6\n5,6\n");
        assert_eq!(text(7, "lines 2 and 4 swapped").unwrap(), "a,b\n5,6\n3,4\n1,2\n");
        assert_eq!(text(2, "cut at byte 5").unwrap(), "a,b\n1");
        assert_eq!(text(8, "digit at byte 4 made 7").unwrap(), "a,b\n7,2\n3,4\n5,6\n");
    }

    #[test]
    fn an_empty_file_can_only_be_lost() {
        let drawn = |kind| Damage::draw(kind, &mut Dice::new(1, "x", 0), b"");
        assert_eq!(drawn(0).unwrap().left, None);
        assert!((1..KINDS).all(|kind| drawn(kind).is_none()));
    }
}
