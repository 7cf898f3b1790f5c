//! Full disks, and several runs in one place.
//!
//! A full disk is played by a limit on the size of files, which any user may set: a write beyond it fails.

use super::program::{Program, finished};
use super::record::{Exact, Of, clocks};
use super::subject::{JUDGED, RUN, Subject};
use super::tally::Ledger;
use crate::stress::dice::Dice;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

/// Runs out of space, then goes on with enough.
pub(super) fn full_disks(
    program: &Program,
    subject: Subject,
    seed: u64,
    base: &Path,
    mut ledger: Ledger<'_>,
) -> io::Result<()> {
    let whole_dir = base.join("whole");
    let (whole, _) = subject.reference(program, &whole_dir)?;
    let sizes =
        subject.files.iter().map(|name| fs::metadata(whole_dir.join(RUN).join(name)).map_or(0, |m| m.len()));
    let most = sizes.max().unwrap_or(1).div_ceil(512);
    for number in ledger.numbers() {
        let dir = base.join(number.to_string());
        subject.prepare(&dir)?;
        let mut dice = Dice::new(seed, &ledger.tally.kind, number);
        // A limit of nothing at all, too.
        let blocks = dice.log_uniform(1.0, most as f64 + 1.0) as u64 - u64::from(dice.once_in(8));
        let cramped = program.run_cramped(&dir, subject.begin, blocks)?;
        let before = clocks(&dir.join(RUN).join(subject.main_file()));
        let ended = subject.go_on(program, &dir, dice.once_in(2))?;
        let after = clocks(&dir.join(RUN).join(subject.main_file()));
        let differs = whole.differs(&subject.record(&dir, Of::Equals));
        let struck = cramped.code != Some(0);
        let tally = &mut ledger.tally;
        tally.tried += 1;
        tally.found += u64::from(struck);
        tally.refused += u64::from(ended.code != Some(0));
        tally.accepted += u64::from(ended.code == Some(0) && differs.is_some());
        tally.repaired += u64::from(struck && ended.code == Some(0) && differs.is_none());
        let lost = before.iter().filter(|(key, clock)| after.get(*key) != Some(clock)).count() as u64;
        tally.lost += lost;
        let clean = !struck || cramped.code == Some(1) && cramped.unclean().is_none();
        let wrong = if !clean {
            Some(format!("not exit 1 with a message, but {}", cramped.words()))
        } else if ended.code != Some(0) {
            Some(format!("did not resume with enough space: {}", ended.words()))
        } else {
            differs.or_else(|| (lost > 0).then(|| format!("{lost} finished cells or games were done again")))
        };
        if let Some(what) = wrong {
            ledger.fail(number, &format!("files of at most {blocks} blocks: {what}"));
        }
        fs::remove_dir_all(&dir)?;
    }
    ledger.close();
    Ok(())
}

/// Two at once in one folder: one does the work, the other is told so or comes when all is done.
pub(super) fn two_at_once(
    program: &Program,
    subject: Subject,
    seed: u64,
    base: &Path,
    mut ledger: Ledger<'_>,
) -> io::Result<()> {
    let (whole, length) = subject.reference(program, &base.join("whole"))?;
    for number in ledger.numbers() {
        let dir = base.join(number.to_string());
        subject.prepare(&dir)?;
        let mut dice = Dice::new(seed, &ledger.tally.kind, number);
        let first = program.start(&dir, subject.begin)?;
        std::thread::sleep(Duration::from_secs_f64(dice.log_uniform(0.0005, length.as_secs_f64())));
        let second = finished(program.start(&dir, subject.begin)?)?;
        let ends = [finished(first)?, second];
        let refused = ends.iter().find(|ended| ended.code == Some(4));
        let worked = ends.iter().filter(|ended| ended.code == Some(0)).count();
        let differs = whole.differs(&subject.record(&dir, Of::Equals));
        let tally = &mut ledger.tally;
        tally.tried += 1;
        tally.found += u64::from(refused.is_some());
        tally.refused += u64::from(refused.is_some());
        tally.repaired += u64::from(differs.is_none());
        tally.accepted += u64::from(differs.is_some());
        let told = refused.is_none_or(|ended| ended.complained.contains("writing here"));
        if worked + usize::from(refused.is_some()) != 2 || worked == 0 || !told {
            ledger.fail(number, &format!("ended with {} and with {}", ends[0].words(), ends[1].words()));
        } else if let Some(difference) = differs {
            ledger.fail(number, &difference);
        }
        fs::remove_dir_all(&dir)?;
    }
    ledger.close();
    Ok(())
}

/// Four runs begin together and share a book of oracle values.
pub(super) fn one_book(program: &Program, base: &Path, mut ledger: Ledger<'_>) -> io::Result<()> {
    let (whole, _) = JUDGED.reference(program, &base.join("whole"))?;
    for number in ledger.numbers() {
        let dir = base.join(number.to_string());
        let rooms = ["a", "b", "c", "d"].map(|name| dir.join(name));
        let book = JUDGED.begin.iter().map(|word| if *word == "book.csv" { "../book.csv" } else { word });
        let arguments: Vec<&str> = book.collect();
        rooms.iter().try_for_each(|room| JUDGED.prepare(room))?;
        let runs: Vec<_> =
            rooms.iter().map(|room| program.start(room, &arguments)).collect::<io::Result<_>>()?;
        let ends: Vec<_> = runs.into_iter().map(finished).collect::<io::Result<_>>()?;
        let records: Vec<Exact> = rooms.iter().map(|room| JUDGED.record(room, Of::Equals)).collect();
        let died =
            ends.iter().find(|ended| ended.code != Some(0)).map(|ended| format!("one {}", ended.words()));
        let differs = records.iter().find_map(|record| whole.differs(record));
        let tally = &mut ledger.tally;
        tally.tried += 1;
        tally.refused += u64::from(died.is_some());
        tally.accepted += u64::from(died.is_none() && differs.is_some());
        tally.repaired += u64::from(died.is_none() && differs.is_none());
        if let Some(what) = died.or(differs) {
            ledger.fail(number, &what);
        }
        fs::remove_dir_all(&dir)?;
    }
    ledger.close();
    Ok(())
}
