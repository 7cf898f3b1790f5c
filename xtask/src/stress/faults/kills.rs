//! Kills at random times: whatever is left must go on to the record of an undisturbed run, and no finished cell or
//! game may be done again.

use super::program::{Program, end_after, end_orphans, finished};
use super::record::{Exact, Of, clocks};
use super::subject::{RUN, Subject};
use super::tally::Ledger;
use crate::stress::dice::Dice;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::time::Duration;

/// What one trial has to show.
struct Trial {
    struck: bool,
    /// Why going on was refused.
    refused: Option<String>,
    /// How the record differs from that of an undisturbed run.
    differs: Option<String>,
    lost: u64,
}

/// Kills `subject` as often as the ledger says.
pub(super) fn kills(
    program: &Program,
    subject: Subject,
    seed: u64,
    base: &Path,
    mut ledger: Ledger<'_>,
) -> io::Result<()> {
    if let Some(engine) = subject.engine
        && let Err(why) = engine.ready()
    {
        ledger.skip(format!("{}: {why}", engine.name));
        return Ok(());
    }
    let (whole, length, differs) = subject.repeated(program, &base.join("whole"))?;
    if let (Some(engine), Some(what)) = (subject.engine, differs) {
        // What it searches is no question of kills.
        ledger.skip(format!("{} does not repeat itself, undisturbed: {what}", engine.name));
        return Ok(());
    }
    for number in ledger.numbers() {
        let dir = base.join(number.to_string());
        let mut dice = Dice::new(seed, &ledger.tally.kind, number);
        let trial = kill(program, subject, &whole, length, &dir, &mut dice)?;
        let tally = &mut ledger.tally;
        tally.tried += 1;
        tally.found += u64::from(trial.struck);
        tally.refused += u64::from(trial.refused.is_some());
        tally.accepted += u64::from(trial.refused.is_none() && trial.differs.is_some());
        tally.repaired += u64::from(trial.struck && trial.refused.is_none() && trial.differs.is_none());
        tally.lost += trial.lost;
        if let Some(what) = trial.refused.or(trial.differs) {
            ledger.fail(number, &what);
        } else if trial.lost > 0 {
            ledger.fail(number, &format!("{} finished cells or games were done again", trial.lost));
        }
        std::fs::remove_dir_all(&dir)?;
    }
    ledger.close();
    Ok(())
}

fn kill(
    program: &Program,
    subject: Subject,
    whole: &Exact,
    length: Duration,
    dir: &Path,
    dice: &mut Dice,
) -> io::Result<Trial> {
    subject.prepare(dir)?;
    let main = dir.join(RUN).join(subject.main_file());
    let (mut struck, mut finished_before) = (false, BTreeMap::new());
    // Some are killed again while they go on.
    for _ in 0..1 + usize::from(dice.once_in(3)) + usize::from(dice.once_in(6)) {
        let by_folder = dice.once_in(2) && subject.has_begun(dir);
        let mut child = program.start(dir, if by_folder { subject.resume } else { subject.begin })?;
        let time = Duration::from_secs_f64(dice.log_uniform(0.001, length.as_secs_f64() * 1.1));
        let at_once = !dice.once_in(4);
        let alive = end_after(&mut child, time, at_once)?.is_none();
        let ended = finished(child)?;
        end_orphans(dir);
        struck |= alive;
        // Ctrl-C is answered with 4, or by the signal itself before anybody listens; one that comes too late, with 0.
        let heard = matches!(ended.code, None | Some(0 | 4));
        if !heard {
            let refused = Some(format!("ended with {}", ended.words()));
            return Ok(Trial { struck, refused, differs: None, lost: 0 });
        }
        finished_before.extend(clocks(&main));
    }
    let ended = subject.go_on(program, dir, dice.once_in(2))?;
    let refused = (ended.code != Some(0)).then(|| format!("would not go on: {}", ended.words()));
    let after = clocks(&main);
    let lost = finished_before.iter().filter(|(key, clock)| after.get(*key) != Some(clock)).count() as u64;
    Ok(Trial { struck, refused, differs: whole.differs(&subject.record(dir, Of::Equals)), lost })
}
