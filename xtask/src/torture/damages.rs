//! One damage in one file of a record. Nobody may take what is left for the record: `report` must print the same
//! numbers or say what is wrong, and going on must mend it or refuse.

use super::program::{Ended, Exact, Of, Program};
use super::subject::{RUN, Subject};
use super::{Dice, Judgement, Ledger};
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

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
        let mut verdict = damaged(program, subject, patient, dir, file, damage, &bytes)?;
        let state = if patient.complete { "complete" } else { "interrupted" };
        verdict.wrong = verdict.wrong.map(|what| format!("{file} of a {state} record, {damage}: {what}"));
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
    damage: Damage,
    bytes: &[u8],
) -> io::Result<Judgement> {
    copy(subject, &patient.dir, dir)?;
    let path = dir.join(RUN).join(file);
    match damage.apply(bytes) {
        Some(bytes) => fs::write(&path, bytes)?,
        None => fs::remove_file(&path)?,
    }
    // Finished rows that are gone from an interrupted run are rows that were never written: no reader could tell.
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

/// One damage, of those that disks, editors and half-finished copies do to a file. Places are byte offsets or line numbers from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Damage {
    Missing,
    Emptied,
    CutAt(usize),
    BitFlipped(usize, u8),
    ByteEdited(usize, u8),
    RowGone(usize),
    RowDoubled(usize),
    RowsSwapped(usize, usize),
    /// One digit of a row became another.
    DigitChanged(usize, u8),
}

/// How many kinds there are.
pub(super) const KINDS: usize = 9;

impl Damage {
    /// A damage of this kind that changes these bytes; `None` if the bytes offer no place for it.
    pub(super) fn draw(kind: usize, dice: &mut Dice, bytes: &[u8]) -> Option<Damage> {
        if bytes.is_empty() {
            return (kind == 0).then_some(Damage::Missing);
        }
        let rows = lines(bytes).len();
        let damage = match kind {
            0 => Damage::Missing,
            1 => Damage::Emptied,
            2 => Damage::CutAt(dice.below(bytes.len())),
            3 => Damage::BitFlipped(dice.below(bytes.len()), dice.below(8) as u8),
            4 => Damage::ByteEdited(dice.below(bytes.len()), *dice.pick(b"0129aeX,.;-\" \n")),
            5 => Damage::RowGone(dice.below(rows)),
            6 => Damage::RowDoubled(dice.below(rows)),
            7 => Damage::RowsSwapped(dice.below(rows), dice.below(rows)),
            _ => {
                let head = lines(bytes)[0].len();
                let digits: Vec<usize> =
                    (head..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()).collect();
                if digits.is_empty() {
                    return None;
                }
                let at = *dice.pick(&digits);
                Damage::DigitChanged(at, b'0' + (bytes[at] - b'0' + 1 + dice.below(9) as u8) % 10)
            }
        };
        Some(damage).filter(|damage| damage.apply(bytes).as_deref() != Some(bytes))
    }

    /// What is left of the bytes; `None` if the file is gone.
    pub(super) fn apply(self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut rows = lines(bytes);
        let mut edited = bytes.to_vec();
        match self {
            Damage::Missing => return None,
            Damage::Emptied => return Some(Vec::new()),
            Damage::CutAt(at) => edited.truncate(at),
            Damage::BitFlipped(at, bit) => edited[at] ^= 1 << bit,
            Damage::ByteEdited(at, byte) | Damage::DigitChanged(at, byte) => edited[at] = byte,
            Damage::RowGone(row) => {
                rows.remove(row);
                return Some(rows.concat());
            }
            Damage::RowDoubled(row) => {
                rows.insert(row, rows[row]);
                return Some(rows.concat());
            }
            Damage::RowsSwapped(one, two) => {
                rows.swap(one, two);
                return Some(rows.concat());
            }
        }
        Some(edited)
    }

    /// Whether all that it does is to take rows away, as a kill before they were written would have.
    pub(super) fn only_removes(self) -> bool {
        matches!(self, Damage::Missing | Damage::Emptied | Damage::CutAt(_) | Damage::RowGone(_))
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Damage::Missing => f.write_str("missing"),
            Damage::Emptied => f.write_str("emptied"),
            Damage::CutAt(at) => write!(f, "cut at byte {at}"),
            Damage::BitFlipped(at, bit) => write!(f, "bit {bit} of byte {at} flipped"),
            Damage::ByteEdited(at, byte) => write!(f, "byte {at} made {:?}", char::from(*byte)),
            Damage::RowGone(row) => write!(f, "line {} gone", row + 1),
            Damage::RowDoubled(row) => write!(f, "line {} doubled", row + 1),
            Damage::RowsSwapped(one, two) => write!(f, "lines {} and {} swapped", one + 1, two + 1),
            Damage::DigitChanged(at, digit) => write!(f, "digit at byte {at} made {}", char::from(*digit)),
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
            assert_ne!(damage.apply(FILE).as_deref(), Some(FILE), "{damage}");
            names.insert(damage.to_string().split(' ').next().map(str::to_owned));
        }
        assert!(names.len() >= 7, "{names:?}");
    }

    #[test]
    fn damages_do_what_they_say() {
        let text = |damage: Damage| damage.apply(FILE).map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!(text(Damage::Missing), None);
        assert_eq!(text(Damage::RowGone(1)).unwrap(), "a,b\n3,4\n5,6\n");
        assert_eq!(text(Damage::RowDoubled(3)).unwrap(), "a,b\n1,2\n3,4\n5,6\n5,6\n");
        assert_eq!(text(Damage::RowsSwapped(1, 3)).unwrap(), "a,b\n5,6\n3,4\n1,2\n");
        assert_eq!(text(Damage::CutAt(5)).unwrap(), "a,b\n1");
        assert_eq!(text(Damage::DigitChanged(4, b'7')).unwrap(), "a,b\n7,2\n3,4\n5,6\n");
    }

    #[test]
    fn an_empty_file_can_only_be_lost() {
        let drawn = |kind| Damage::draw(kind, &mut Dice::new(1, "x", 0), b"");
        assert_eq!(drawn(0), Some(Damage::Missing));
        assert!((1..KINDS).all(|kind| drawn(kind).is_none()));
    }
}
