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
use secateur::cli::this_program;
use secateur_gate::instructions::Source;
use secateur_positions::Fnv;
use secateur_reports::render;
use secateur_reports::table::Report;
use std::io;
use std::path::Path;

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
        let only = self.only.as_deref().map(chosen).transpose()?;
        let trials = self
            .torture(&Program(this_program()?), only)
            .map_err(|error| Failure::system(format!("torture: {error}")))?;
        if trials.tallies.is_empty() {
            return Err(Failure::input("--only: no such kind of trial; the table names them: kill-bench"));
        }
        let table = trials.tallies.iter().map(Tally::row).collect();
        let report = Report::of_table(&format!("Torture, seed {}", self.seed), Vec::new(), table);
        say(&render::terminal(&report, width()));
        trials.left_out.iter().for_each(|what| message(&format!("not tried: {what}\n")));
        let failures: Vec<String> =
            trials.tallies.iter().flat_map(|tally| tally.failures(self.seed)).collect();
        failures.iter().for_each(|failure| message(failure));
        match failures.len() {
            0 => Ok(()),
            count => Err(Failure::gate(format!("{count} trials went wrong"))),
        }
    }

    /// Does it all, or only one kind of trial, or one trial of it; says what begins.
    ///
    /// # Errors
    /// The file system, a program that cannot be started, or an undisturbed run that fails.
    fn torture(&self, program: &Program, only: Option<(&str, Option<u64>)>) -> io::Result<Trials> {
        let many = |asked: Option<u64>, short, long| asked.unwrap_or(if self.short { short } else { long });
        let (kills, engine_kills) = (many(self.kills, 6, 200), many(self.engine_kills, 4, 40));
        let (damages, others) = (many(self.damages, 40, 500), many(None, 2, 40));
        let home = tempfile::tempdir()?;
        let mut outcome = Trials::default();
        let mut each =
            |kind: &str, trials: u64, trial: &mut dyn FnMut(&Path, Ledger<'_>) -> io::Result<()>| {
                let word = kind.replace(' ', "-");
                if only.is_some_and(|(wanted, _)| wanted != word) || trials == 0 && only.is_none() {
                    return Ok(());
                }
                message(&format!("{kind}: {trials}\n"));
                let only = only.and_then(|(_, number)| number);
                let tally = Tally { kind: kind.to_owned(), trials: Vec::new() };
                let ledger = Ledger { tally, trials, outcome: &mut outcome, seed: self.seed, only };
                trial(&home.path().join(&word), ledger)
            };
        // Callgrind makes counting slow: a short campaign can afford few kills of it.
        let few = if kills < 100 { kills.div_ceil(4) } else { kills };
        let counted: &[Subject] = if Source::Callgrind.check().is_ok() { &[COUNT] } else { &[] };
        let cases: [(&str, &[Subject], u64, Trial); 5] = [
            ("kill", &[BENCH, BATCHES, PLAY], kills, kills::kills),
            ("kill", counted, few, kills::kills),
            ("damage", &[BENCH, PLAY], damages / 2, damages::damages),
            ("full disk", &[BENCH, BATCHES, JUDGED, PLAY], others, kills::full_disks),
            ("two at once", &[BENCH, PLAY], others.div_ceil(2), kills::two_at_once),
        ];
        for (what, subjects, trials, trial) in cases {
            for &subject in subjects {
                each(&format!("{what} {}", subject.name), trials, &mut |base, ledger| {
                    trial(program, subject, base, ledger)
                })?;
            }
        }
        for (number, engine) in Engine::all(!self.short).enumerate() {
            for (other, subject) in [BENCH_OF, WORTH_OF].into_iter().enumerate() {
                // A short campaign has each program and each verb with both isolations, but not every three of them.
                if self.short && only.is_none() && (number / 2 + number + other) % 2 == 1 {
                    continue;
                }
                let kind = format!("kill {} {} {}", subject.name, engine.name, engine.isolation);
                each(&kind, engine_kills.div_ceil(4), &mut |base, ledger| {
                    kills::kills(program, subject.searched_by(engine), base, ledger)
                })?;
            }
        }
        for kept in kept::ALL {
            each(&format!("damage {}", kept.name), damages / 4, &mut |base, ledger| {
                kept::damages(program, kept, base, ledger)
            })?;
        }
        each("one book", others.div_ceil(2), &mut |base, ledger| kills::one_book(program, base, ledger))?;
        Ok(outcome)
    }
}

/// A kind of trial (`kill-bench`), or one trial of it (`kill-bench:3`).
fn chosen(text: &str) -> Result<(&str, Option<u64>), Failure> {
    let Some((kind, number)) = text.split_once(':') else { return Ok((text, None)) };
    let wrong = |_| Failure::input(format!("--only {text}: expected KIND or KIND:NUMBER"));
    Ok((kind, Some(number.parse().map_err(wrong)?)))
}

/// What is done to a subject, in a folder.
type Trial = fn(&Program, Subject, &Path, Ledger<'_>) -> io::Result<()>;

/// What one trial came to.
#[derive(Debug, Default)]
struct Judgement {
    /// Whether the fault struck (a kill came in time, the disk did fill up) or the damage was noticed.
    found: bool,
    /// Whether the record then is the one of an undisturbed run.
    repaired: bool,
    /// Whether the program would not go on.
    refused: bool,
    /// Whether other numbers were taken for good ones.
    accepted: bool,
    /// Finished cells or games that had to be done again or are gone.
    lost: u64,
    /// What went wrong, in words.
    wrong: Option<String>,
}

impl Judgement {
    /// Of a trial after which the program refused to go on, or went on to a record that differs from the undisturbed one, or to the same.
    fn of(refused: Option<String>, differs: Option<String>) -> Judgement {
        Judgement {
            repaired: refused.is_none() && differs.is_none(),
            refused: refused.is_some(),
            accepted: refused.is_none() && differs.is_some(),
            wrong: refused.or(differs),
            ..Judgement::default()
        }
    }
}

/// The trials of one kind, by their numbers.
#[derive(Debug)]
struct Tally {
    /// What was done to what: `kill bench`, `damage play`.
    kind: String,
    trials: Vec<(u64, Judgement)>,
}

impl Tally {
    fn row(&self) -> [(&'static str, String); 7] {
        let sum = |of_trial: fn(&Judgement) -> u64| {
            self.trials.iter().map(|(_, judgement)| of_trial(judgement)).sum::<u64>().to_string()
        };
        [
            ("<what", self.kind.clone()),
            ("tried", sum(|_| 1)),
            ("found", sum(|trial| trial.found.into())),
            ("repaired", sum(|trial| trial.repaired.into())),
            ("refused", sum(|trial| trial.refused.into())),
            ("accepted", sum(|trial| trial.accepted.into())),
            ("lost", sum(|trial| trial.lost)),
        ]
    }

    /// What was done, what happened, and the command that does it again, in the order of the trials; empty if all is well.
    fn failures(&self, seed: u64) -> impl Iterator<Item = String> {
        let wrong = self.trials.iter().filter_map(|(number, trial)| Some((number, trial.wrong.as_ref()?)));
        wrong.map(move |(number, what)| {
            let only = format!("{}:{number}", self.kind.replace(' ', "-"));
            format!("{}: {what}\n  again: cargo xtask torture --seed {seed} --only {only}\n", self.kind)
        })
    }
}

/// Everything that was tried.
#[derive(Debug, Default)]
struct Trials {
    /// One for each kind.
    tallies: Vec<Tally>,
    /// Programs of somebody else that are not tried, each with why: they are not here, or do not repeat themselves.
    left_out: Vec<String>,
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

impl Ledger<'_> {
    /// Does every trial, by its number, in a folder of its own below `base` and with its random numbers, and enters what came of it;
    /// `None` of one that finds nothing to do.
    fn each(
        mut self,
        base: &Path,
        mut trial: impl FnMut(u64, &Path, &mut Dice) -> io::Result<Option<Judgement>>,
    ) -> io::Result<()> {
        let (first, end) = self.only.map_or((0, self.trials), |number| (number, number + 1));
        for number in first..end {
            let dir = base.join(number.to_string());
            let mut dice = Dice::new(self.seed, &self.tally.kind, number);
            if let Some(judgement) = trial(number, &dir, &mut dice)? {
                self.tally.trials.push((number, judgement));
                std::fs::remove_dir_all(&dir)?;
            }
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
