//! Kills, damages, full disks and concurrent runs, done to the real program.
//!
//! What is wanted is a table whose columns `accepted` and `lost` are zero. The numbers of a trial follow from seed, kind
//! and number; when exactly a kill comes, of course, also from the machine.

mod damage;
mod damages;
mod kept;
mod kills;
mod program;
mod record;
mod shared;
mod subject;
mod tally;

pub(crate) use tally::{Outcome, Tally};

use program::Program;
use std::io;
use std::path::{Path, PathBuf};
use subject::{BATCHES, BENCH, BENCH_OF, COUNT, Engine, JUDGED, PLAY, Subject, WORTH_OF};
use tally::Ledger;

/// How much is to be done.
#[derive(Clone, Debug)]
pub(crate) struct Campaign {
    /// The program on trial.
    pub program: PathBuf,
    /// Seed of all trials.
    pub seed: u64,
    /// Kills of each subject.
    pub kills: u64,
    /// Kills of `bench` and `worth` with each program of other people, as many in a process for all searches as in one for each.
    pub engine_kills: u64,
    /// Whether those that are built from their source take part.
    pub engines_built: bool,
    /// Damages, half of them in matches; and as many again in courses, histories, solved positions and what is worth.
    pub damages: u64,
    /// Full disks of each subject, and concurrent runs of each kind.
    pub others: u64,
    /// Whether runs that count instructions are killed, too: valgrind must be there.
    pub counted: bool,
    /// One kind of trial (`kill-bench`), or one trial of it.
    pub only: Option<(String, Option<u64>)>,
}

/// What is done to a subject, from a seed, in a folder.
type Trial = fn(&Program, Subject, u64, &Path, Ledger<'_>) -> io::Result<()>;

/// Does it all; `say` hears what begins.
///
/// # Errors
/// The file system, a program that cannot be started, or an undisturbed run that fails.
pub(crate) fn run(settings: &Campaign, say: &mut dyn FnMut(&str)) -> io::Result<Outcome> {
    let home = tempfile::tempdir()?;
    let program = Program(settings.program.clone());
    let seed = settings.seed;
    let mut outcome = Outcome::default();
    let mut each = |kind: &str, trials: u64, trial: &mut dyn FnMut(&Path, Ledger<'_>) -> io::Result<()>| {
        let word = kind.replace(' ', "-");
        let only = match &settings.only {
            Some((wanted, _)) if *wanted != word => return Ok(()),
            Some((_, number)) => *number,
            None => None,
        };
        if trials == 0 && only.is_none() {
            return Ok(());
        }
        say(&format!("{kind}: {trials}"));
        let base = home.path().join(&word);
        trial(&base, Ledger::new(kind, trials, seed, only, &mut outcome))
    };
    // Callgrind makes counting slow: a short campaign can afford few kills of it.
    let few = if settings.kills < 100 { settings.kills.div_ceil(4) } else { settings.kills };
    let counted: &[Subject] = if settings.counted { &[COUNT] } else { &[] };
    let cases: [(&str, &[Subject], u64, Trial); 5] = [
        ("kill", &[BENCH, BATCHES, PLAY], settings.kills, kills::kills),
        ("kill", counted, few, kills::kills),
        ("damage", &[BENCH, PLAY], settings.damages / 2, damages::damages),
        ("full disk", &[BENCH, BATCHES, JUDGED, PLAY], settings.others, shared::full_disks),
        ("two at once", &[BENCH, PLAY], settings.others.div_ceil(2), shared::two_at_once),
    ];
    for (what, subjects, trials, trial) in cases {
        for &subject in subjects {
            each(&format!("{what} {}", subject.name), trials, &mut |base, ledger| {
                trial(&program, subject, seed, base, ledger)
            })?;
        }
    }
    for (number, engine) in Engine::all(settings.engines_built).enumerate() {
        for (other, subject) in [BENCH_OF, WORTH_OF].into_iter().enumerate() {
            // A short campaign has each program and each verb with both isolations, but not every three of them.
            if !settings.engines_built && settings.only.is_none() && (number / 2 + number + other) % 2 == 1 {
                continue;
            }
            let kind = format!("kill {} {} {}", subject.name, engine.name, engine.isolation);
            each(&kind, settings.engine_kills.div_ceil(4), &mut |base, ledger| {
                kills::kills(&program, subject.of(engine), seed, base, ledger)
            })?;
        }
    }
    for kept in kept::ALL {
        each(&format!("damage {}", kept.name), settings.damages / 4, &mut |base, ledger| {
            kept::damages(&program, kept, seed, base, ledger)
        })?;
    }
    each("one book", settings.others.div_ceil(2), &mut |base, ledger| {
        shared::one_book(&program, base, ledger)
    })?;
    Ok(outcome)
}
