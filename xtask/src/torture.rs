//! `torture`: kills, damages, full disks and concurrent runs, done to this very program.
//!
//! What is wanted is a table whose columns `accepted` and `lost` are zero. The numbers of a trial follow from seed, kind
//! and number; when exactly a kill comes, of course, also from the machine. What mutated texts do to readers is tested in
//! `xtask/tests/readers`.

mod damages;
mod kept;
mod kills;
mod program;
mod subject;

use self::program::Program;
use self::subject::{BATCHES, BENCH, BENCH_OF, COUNT, Engine, JUDGED, PLAY, Subject, WORTH_OF};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use secateur::cli::failure::{Failure, Outcome};
use secateur::cli::report::width;
use secateur::cli::say::{message, say};
use secateur_gate::instructions::Source;
use secateur_positions::Fnv;
use secateur_reports::render;
use secateur_reports::table::Report;
use std::io;
use std::path::{Path, PathBuf};

/// Arguments of `torture`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  cargo xtask torture --short\n  cargo xtask torture --kills 200 --damages 500 --seed 7\n  \
                  cargo xtask torture --seed 7 --only damage-bench:12\n\n\
                  Wanted are zeros under `accepted` (other numbers were taken for good) and `lost`."
)]
pub(crate) struct Flags {
    /// A handful of each, as continuous integration does
    #[arg(long)]
    short: bool,
    /// Seed of all trials
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Kills of bench, of play and, where valgrind is, of a run that counts instructions [default: 200]
    #[arg(long)]
    kills: Option<u64>,
    /// Kills of bench and worth with each of gnuchess, stockfish and, unless `--short`, stockfish-11, which is built from its
    /// source: a quarter of each, in one process for all searches and in one for each, of which `--short` takes one in turn
    /// [default: 40]
    #[arg(long)]
    engine_kills: Option<u64>,
    /// Damages, half of them in matches, and as many again in courses, histories, solved positions and searches of `worth`
    /// [default: 500]
    #[arg(long)]
    damages: Option<u64>,
    /// Only one kind of trial, as the table names it (kill-bench), or one trial of it (kill-bench:3)
    #[arg(long, value_name = "KIND[:NUMBER]")]
    only: Option<String>,
}

impl Flags {
    pub(crate) fn run(self) -> Outcome {
        let only = self.only.as_deref().map(|text| match text.split_once(':') {
            None => Ok((text.to_owned(), None)),
            Some((kind, number)) => match number.parse() {
                Ok(number) => Ok((kind.to_owned(), Some(number))),
                Err(_) => Err(Failure::input(format!("--only {text}: expected KIND or KIND:NUMBER"))),
            },
        });
        let many = |short, long| if self.short { short } else { long };
        let settings = Campaign {
            program: std::env::current_exe()
                .map_err(|error| Failure::system(format!("where am I: {error}")))?,
            seed: self.seed,
            kills: self.kills.unwrap_or(many(6, 200)),
            engine_kills: self.engine_kills.unwrap_or(many(4, 40)),
            engines_built: !self.short,
            damages: self.damages.unwrap_or(many(40, 500)),
            others: many(2, 40),
            counted: Source::Callgrind.check().is_ok(),
            only: only.transpose()?,
        };
        let trials = torture(&settings, &mut |kind| message(&format!("{kind}\n")))
            .map_err(|error| Failure::system(format!("torture: {error}")))?;
        if trials.tallies.is_empty() {
            return Err(Failure::input("--only: no such kind of trial; the table names them: kill-bench"));
        }
        say(&render::terminal(&report(&trials.tallies, self.seed), width()));
        trials.left_out.iter().for_each(|what| message(&format!("not tried: {what}\n")));
        trials.failures.iter().for_each(|failure| message(failure));
        match trials.failures.len() {
            0 => Ok(()),
            count => Err(Failure::gate(format!("{count} trials went wrong"))),
        }
    }
}

fn report(tallies: &[Tally], seed: u64) -> Report {
    let row = |tally: &Tally| {
        [
            ("<what", tally.kind.clone()),
            ("tried", tally.tried.to_string()),
            ("found", tally.found.to_string()),
            ("repaired", tally.repaired.to_string()),
            ("refused", tally.refused.to_string()),
            ("accepted", tally.accepted.to_string()),
            ("lost", tally.lost.to_string()),
        ]
    };
    Report::of_table(&format!("Torture, seed {seed}"), Vec::new(), tallies.iter().map(row).collect())
}

/// How much is to be done.
#[derive(Clone, Debug)]
struct Campaign {
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

/// What is done to a subject, in a folder.
type Trial = fn(&Program, Subject, &Path, Ledger<'_>) -> io::Result<()>;

/// Does it all; `say` hears what begins.
///
/// # Errors
/// The file system, a program that cannot be started, or an undisturbed run that fails.
fn torture(settings: &Campaign, say: &mut dyn FnMut(&str)) -> io::Result<Trials> {
    let home = tempfile::tempdir()?;
    let program = Program(settings.program.clone());
    let mut outcome = Trials::default();
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
        trial(&base, Ledger::new(kind, trials, settings.seed, only, &mut outcome))
    };
    // Callgrind makes counting slow: a short campaign can afford few kills of it.
    let few = if settings.kills < 100 { settings.kills.div_ceil(4) } else { settings.kills };
    let counted: &[Subject] = if settings.counted { &[COUNT] } else { &[] };
    let cases: [(&str, &[Subject], u64, Trial); 5] = [
        ("kill", &[BENCH, BATCHES, PLAY], settings.kills, kills::kills),
        ("kill", counted, few, kills::kills),
        ("damage", &[BENCH, PLAY], settings.damages / 2, damages::damages),
        ("full disk", &[BENCH, BATCHES, JUDGED, PLAY], settings.others, kills::full_disks),
        ("two at once", &[BENCH, PLAY], settings.others.div_ceil(2), kills::two_at_once),
    ];
    for (what, subjects, trials, trial) in cases {
        for &subject in subjects {
            each(&format!("{what} {}", subject.name), trials, &mut |base, ledger| {
                trial(&program, subject, base, ledger)
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
                kills::kills(&program, subject.searched_by(engine), base, ledger)
            })?;
        }
    }
    for kept in kept::ALL {
        each(&format!("damage {}", kept.name), settings.damages / 4, &mut |base, ledger| {
            kept::damages(&program, kept, base, ledger)
        })?;
    }
    each("one book", settings.others.div_ceil(2), &mut |base, ledger| {
        kills::one_book(&program, base, ledger)
    })?;
    Ok(outcome)
}

/// Counts of one kind of trial.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Tally {
    /// What was done to what: `kill bench`, `damage play`.
    pub kind: String,
    /// Trials.
    pub tried: u64,
    /// Trials in which the fault struck (a kill came in time, the disk did fill up) or the damage was noticed.
    pub found: u64,
    /// Trials after which the record is the one of an undisturbed run.
    pub repaired: u64,
    /// Trials after which the program would not go on.
    pub refused: u64,
    /// Trials after which other numbers were taken for good ones.
    pub accepted: u64,
    /// Finished cells or games that had to be done again or are gone.
    pub lost: u64,
}

/// What one trial came to: what [`Tally`] counts of it, and what went wrong, in words.
#[derive(Debug, Default)]
struct Judgement {
    found: bool,
    repaired: bool,
    refused: bool,
    accepted: bool,
    lost: u64,
    wrong: Option<String>,
}

/// Everything that was tried.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Trials {
    /// One for each kind.
    pub tallies: Vec<Tally>,
    /// What was done, what happened, and the command that does it again, in the order of the trials; empty if all is well.
    pub failures: Vec<String>,
    /// Programs of somebody else that are not tried, each with why: they are not here, or do not repeat themselves.
    pub left_out: Vec<String>,
}

/// The trials of one kind under way.
struct Ledger<'a> {
    tally: Tally,
    /// How many are to be tried.
    trials: u64,
    outcome: &'a mut Trials,
    seed: u64,
    /// The one trial that was asked for.
    only: Option<u64>,
}

impl<'a> Ledger<'a> {
    fn new(kind: &str, trials: u64, seed: u64, only: Option<u64>, outcome: &'a mut Trials) -> Self {
        Ledger { tally: Tally { kind: kind.to_owned(), ..Tally::default() }, trials, outcome, seed, only }
    }

    /// Does every trial, by its number, in a folder of its own below `base` and with its random numbers, and enters what came of it;
    /// `None` of one that finds nothing to do.
    fn each(
        mut self,
        base: &Path,
        mut trial: impl FnMut(u64, &Path, &mut Dice) -> io::Result<Option<Judgement>>,
    ) -> io::Result<()> {
        let (first, end) = self.only.map_or((0, self.trials), |number| (number, number + 1));
        for number in first..end {
            let (dir, tally) = (base.join(number.to_string()), &mut self.tally);
            let mut dice = Dice::new(self.seed, &tally.kind, number);
            let Some(judged) = trial(number, &dir, &mut dice)? else { continue };
            tally.tried += 1;
            tally.found += u64::from(judged.found);
            tally.repaired += u64::from(judged.repaired);
            tally.refused += u64::from(judged.refused);
            tally.accepted += u64::from(judged.accepted);
            tally.lost += judged.lost;
            if let Some(what) = judged.wrong {
                let (kind, seed) = (&tally.kind, self.seed);
                let only = format!("{}:{number}", kind.replace(' ', "-"));
                self.outcome.failures.push(format!(
                    "{kind}: {what}\n  again: cargo xtask torture --seed {seed} --only {only}\n"
                ));
            }
            std::fs::remove_dir_all(&dir)?;
        }
        self.outcome.tallies.push(self.tally);
        Ok(())
    }

    /// Says why nothing is tried, once.
    fn skip(self, what: String) {
        if !self.outcome.left_out.contains(&what) {
            self.outcome.left_out.push(what);
        }
        self.outcome.tallies.push(self.tally);
    }
}

/// The random numbers of one trial, which can be drawn again: a stream for each, so that one can be repeated alone.
#[derive(Clone, Debug)]
struct Dice(ChaCha8Rng);

impl Dice {
    /// The numbers of trial `number` of a kind of trials under a seed.
    #[must_use]
    fn new(seed: u64, kind: &str, number: u64) -> Dice {
        let kind = Fnv::default().bytes(kind.as_bytes()).value();
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ kind);
        rng.set_stream(number);
        Dice(rng)
    }

    /// A number below `sides`; 0 of no sides.
    fn below(&mut self, sides: usize) -> usize {
        ((u128::from(self.0.next_u64()) * sides as u128) >> 64) as usize
    }

    /// Whether something that happens once in `times` happens.
    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of the items, each as likely; there must be one.
    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// A number of `low..=high`, every order of magnitude as likely as another. Both are positive.
    fn log_uniform(&mut self, low: f64, high: f64) -> f64 {
        let share = self.0.next_u64() as f64 / u64::MAX as f64;
        low * (high.max(low) / low).powf(share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trials_repeat_and_differ() {
        let draw = |seed, kind, number| {
            let mut dice = Dice::new(seed, kind, number);
            [dice.below(1 << 40), dice.below(1 << 40)]
        };
        assert_eq!(draw(1, "a", 2), draw(1, "a", 2));
        for (seed, kind, number) in [(2, "a", 2), (1, "b", 2), (1, "a", 3)] {
            assert_ne!(draw(seed, kind, number), draw(1, "a", 2));
        }
    }

    #[test]
    fn log_uniform_numbers_spread_over_the_orders() {
        let mut dice = Dice::new(1, "x", 0);
        let drawn: Vec<f64> = (0..300).map(|_| dice.log_uniform(1.0, 1000.0)).collect();
        assert!(drawn.iter().all(|number| (1.0..=1000.0).contains(number)));
        for decade in [1.0, 10.0, 100.0] {
            let share = drawn.iter().filter(|n| (decade..decade * 10.0).contains(*n)).count();
            assert!((60..140).contains(&share), "{decade}: {share}");
        }
    }
}
