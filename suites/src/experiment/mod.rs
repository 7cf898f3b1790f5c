//! An experiment as a value: what is searched by whom, under which budget, judged by what.
//!
//! It is what a suite file says, for those who write Rust: positions of one game crossed with arms and budgets. An arm is a
//! method set of our own search or a [`Subject`] of any crate. What comes out are the rows of the record, as `bench` writes
//! them. Left out: several games in one experiment, which is what suite files are for.

use crate::arm::Arm;
use crate::error::Error;
use crate::games::{self, Entry};
use crate::machine::cores;
use crate::maker::current;
use crate::manifest::{Manifest, of_plan};
use crate::matrix::{ArmPlan, Plan, Unit};
use crate::oracle::{Book, Oracle};
use crate::run::{Ended, run};
use crate::setup::Setup;
use crate::store::{RunRows, Store};
use crate::subject::Subject;
use crate::suite::{Allowance, Suite, factorial};
use secateur_core::Game;
use secateur_positions::{Fnv, Reading};
use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// An experiment on positions of one game. What is wrong with it is said when it is planned.
#[derive(Clone, Debug)]
pub struct Experiment {
    game: String,
    suite: Suite,
    params: Option<String>,
    positions: Vec<String>,
    limit: Option<usize>,
    arms: Vec<Wanted>,
    budgets: Vec<Result<Allowance, String>>,
    repeats: u32,
    oracle: Option<Result<Oracle, String>>,
    book: Option<PathBuf>,
    instructions: bool,
    jobs: usize,
}

/// An arm that is asked for.
#[derive(Clone, Debug)]
enum Wanted {
    Methods(String),
    Factorial(String),
    Other(ArmPlan),
}

/// The rows of a finished experiment, and what they are rows of.
#[derive(Clone, Debug)]
pub struct Runs {
    /// What was searched, by whom and on what.
    pub manifest: Manifest,
    /// The rows, in the order of the matrix.
    pub rows: RunRows,
}

/// A completed iteration without its times: position, depth, nodes so far, value, best move.
pub type Iterated<'a> = (&'a str, u32, u64, i32, &'a str);

impl Runs {
    /// Nodes of all searches of an arm.
    #[must_use]
    pub fn nodes(&self, arm: &str) -> u64 {
        self.rows.records.iter().filter(|row| row.methods == arm).map(|row| row.nodes).sum()
    }

    /// Every iteration of an arm. Two arms for which these are equal searched the same trees.
    #[must_use]
    pub fn trees(&self, arm: &str) -> Vec<Iterated<'_>> {
        let of_arm = self.rows.iterations.iter().filter(|row| row.methods == arm);
        of_arm.map(|row| (&*row.position, row.depth, row.nodes, row.score, &*row.best_move)).collect()
    }
}

impl Experiment {
    /// An experiment on a game of this crate or another. A game that is not known by its name is registered
    /// ([`Entry::register`]), with the usual parameters.
    #[must_use]
    pub fn new<G: Game>(game: G) -> Experiment {
        if games::find(G::NAME).is_err() {
            Entry::new(game).register();
        }
        Experiment::of(G::NAME)
    }

    /// An experiment on the game of this name.
    #[must_use]
    pub fn of(game: &str) -> Experiment {
        Experiment {
            game: game.to_owned(),
            suite: Suite::named("experiment"),
            params: None,
            positions: Vec::new(),
            limit: None,
            arms: Vec::new(),
            budgets: Vec::new(),
            repeats: 0,
            oracle: None,
            book: None,
            instructions: false,
            jobs: cores(),
        }
    }

    /// The name of the experiment, the column `suite` of its rows: letters, digits, `-`, `_` and `.`.
    #[must_use]
    pub fn named(mut self, name: &str) -> Experiment {
        self.suite.name = name.to_owned();
        self
    }

    /// Positions: a built-in set by name, or a file. Several calls add up.
    #[must_use]
    pub fn positions(mut self, name_or_path: &str) -> Experiment {
        self.positions.push(name_or_path.to_owned());
        self
    }

    /// At most so many positions of each stage of each set.
    #[must_use]
    pub fn limit(mut self, positions: usize) -> Experiment {
        self.limit = Some(positions);
        self
    }

    /// How position files are read.
    #[must_use]
    pub fn reading(mut self, reading: Reading) -> Experiment {
        self.suite.reading = reading;
        self
    }

    /// Other numbers than the usual for our own search: a variant by name, or a file.
    #[must_use]
    pub fn params(mut self, name_or_path: &str) -> Experiment {
        self.params = Some(name_or_path.to_owned());
        self
    }

    /// An arm of our own search: `none`, `null-move[verified]+mpc`. The first arm of an experiment is its baseline.
    #[must_use]
    pub fn arm(mut self, methods: &str) -> Experiment {
        self.arms.push(Wanted::Methods(methods.to_owned()));
        self
    }

    /// Several arms of our own search, in this order.
    #[must_use]
    pub fn arms<M: AsRef<str>>(self, methods: impl IntoIterator<Item = M>) -> Experiment {
        methods.into_iter().fold(self, |experiment, methods| experiment.arm(methods.as_ref()))
    }

    /// Every combination of methods of our own search, `none` first: `null-move,mpc,futility`.
    #[must_use]
    pub fn factorial(mut self, methods: &str) -> Experiment {
        self.arms.push(Wanted::Factorial(methods.to_owned()));
        self
    }

    /// An arm of any other search, made once for each thread. `version` stands for everything that decides what it
    /// searches: rows of two versions are not rows of one thing.
    #[must_use]
    pub fn subject<S: Subject + 'static>(
        mut self,
        name: &str,
        version: &str,
        make: impl Fn() -> S + Send + Sync + 'static,
    ) -> Experiment {
        let params = Fnv::default().field(name).field(version).hex();
        self.arms.push(Wanted::Other(ArmPlan::other(name, &params, move || Box::new(make()))));
        self
    }

    /// A search with switches: an arm for every combination of them, `none` first. `make` is told which are on.
    #[must_use]
    pub fn switches<S: Subject + 'static>(
        mut self,
        switches: &[&str],
        version: &str,
        make: impl Fn(&[&str]) -> S + Clone + Send + Sync + 'static,
    ) -> Experiment {
        let mut sets: Vec<usize> = (0..1 << switches.len()).collect();
        sets.sort_by_key(|bits| (bits.count_ones(), Reverse(bits.reverse_bits())));
        for bits in sets {
            let on = (0..switches.len()).filter(|at| bits >> at & 1 == 1).map(|at| switches[at].to_owned());
            let (on, make) = (on.collect::<Vec<String>>(), make.clone());
            let name = if on.is_empty() { "none".to_owned() } else { on.join("+") };
            self = self
                .subject(&name, version, move || make(&on.iter().map(String::as_str).collect::<Vec<&str>>()));
        }
        self
    }

    /// A budget in plies.
    #[must_use]
    pub fn depth(mut self, plies: u32) -> Experiment {
        self.budgets.push(Allowance::depth(i64::from(plies)));
        self
    }

    /// A budget in nodes.
    #[must_use]
    pub fn nodes(mut self, nodes: u64) -> Experiment {
        self.budgets.push(Allowance::nodes(i64::try_from(nodes).unwrap_or(i64::MAX)));
        self
    }

    /// A budget of CPU time: `500ms`, `2s`.
    #[must_use]
    pub fn time(mut self, text: &str) -> Experiment {
        self.budgets.push(Allowance::time(text));
        self
    }

    /// How often the baseline is searched again: the A/A rows.
    #[must_use]
    pub fn repeats(mut self, times: u32) -> Experiment {
        self.repeats = times;
        self
    }

    /// A deeper full-width search of ours judges the moves: plies deeper (`+2`), or a depth (`12`).
    #[must_use]
    pub fn oracle(mut self, text: &str) -> Experiment {
        self.oracle = Some(text.parse());
        self
    }

    /// The file in which the oracle keeps what it found, for experiments to come.
    #[must_use]
    pub fn book(mut self, path: &Path) -> Experiment {
        self.book = Some(path.to_owned());
        self
    }

    /// One cut of our own methods in so many is audited.
    #[must_use]
    pub fn audit(mut self, every: u64) -> Experiment {
        self.suite.audit = every;
        self
    }

    /// Threads; all cores by default. No row depends on it.
    #[must_use]
    pub fn jobs(mut self, jobs: usize) -> Experiment {
        self.jobs = jobs.max(1);
        self
    }

    /// Everything that is searched, checked.
    ///
    /// # Errors
    /// The first thing that is wrong: a name that nothing has, a position, a budget, an arm twice, nothing to search.
    pub fn plan(&self) -> Result<Plan, Error> {
        let usage = |message: &str| Err(Error::Usage(message.to_owned()));
        if self.positions.is_empty() {
            return usage("an experiment without positions");
        }
        if self.budgets.is_empty() {
            return usage("an experiment without a budget: expected a depth, nodes or a time");
        }
        let mut plan = Plan::empty(self.suite.clone(), self.document());
        let game = plan.add_game(Setup::chosen(&self.game, self.params.as_deref())?)?;
        let of_game = &mut plan.games[game];
        for arm in self.arms_of(&of_game.setup)? {
            if of_game.arms.iter().any(|known| known.name == arm.name) {
                return Err(Error::Usage(format!("two arms are `{}`: expected each arm once", arm.name)));
            }
            of_game.arms.push(arm);
        }
        let judged = of_game.arms.iter().any(|arm| arm.own().is_some());
        let reading = self.suite.reading;
        let entries = of_game.add_positions(&self.positions, self.limit, reading, judged)?;
        let arms: Vec<usize> = (0..of_game.arms.len()).collect();
        let oracle = self.oracle.clone().transpose().map_err(Error::Usage)?;
        for entry in entries {
            for allowance in &self.budgets {
                let allowance = allowance.clone().map_err(Error::Usage)?;
                let depth = oracle.map(|oracle| oracle.depth(allowance).ok_or(oracle)).transpose();
                let oracle = depth.map_err(|oracle| {
                    Error::Usage(format!("oracle {oracle}: a budget of {} has no depth", allowance.kind()))
                })?;
                let unit = Unit::new(game, entry, allowance, arms.clone());
                let (repeats, instructions) = (self.repeats, self.instructions);
                plan.units.push(Unit { repeats, oracle, instructions, ..unit });
            }
        }
        Ok(plan)
    }

    /// The arms in order; `none` of our own search where nothing else was asked for.
    fn arms_of(&self, setup: &Setup) -> Result<Vec<ArmPlan>, Error> {
        let audited = self.suite.audit > 0;
        let own = |arm: &Arm| {
            ArmPlan::host(setup, arm, audited)
                .map_err(|source| Error::Method { game: setup.game.clone(), source })
        };
        let mut arms = Vec::new();
        for wanted in &self.arms {
            match wanted {
                Wanted::Methods(text) => arms.push(own(&Arm::parse(text)?)?),
                Wanted::Factorial(list) => {
                    for arm in factorial(list)? {
                        arms.push(own(&arm)?);
                    }
                }
                Wanted::Other(arm) => arms.push(arm.clone()),
            }
        }
        if arms.is_empty() {
            arms.push(own(&Arm::default())?);
        }
        Ok(arms)
    }

    /// What the manifest keeps. It does not make the experiment again: that is what the program is for.
    fn document(&self) -> toml::Table {
        let mut table = toml::Table::new();
        table.insert("name".to_owned(), self.suite.name.clone().into());
        table.insert("game".to_owned(), self.game.clone().into());
        let positions: Vec<toml::Value> = self.positions.iter().map(|name| name.clone().into()).collect();
        table.insert("positions".to_owned(), positions.into());
        if self.suite.audit > 0 {
            table.insert("audit".to_owned(), (self.suite.audit as i64).into());
        }
        if let Some(Ok(oracle)) = &self.oracle {
            table.insert("oracle".to_owned(), oracle.to_string().into());
        }
        table
    }

    /// Searches everything and keeps nothing but what it gives back.
    ///
    /// # Errors
    /// Those of [`Experiment::plan`]; the file system.
    pub fn run(&self) -> Result<Runs, Error> {
        let folder = tempfile::tempdir().map_err(Error::io(&std::env::temp_dir()))?;
        // The last folder is the name of the run.
        self.run_in(&folder.path().join(&self.suite.name))
    }

    /// Searches everything into a run folder, as `bench` does: what an earlier call left unfinished there goes on.
    ///
    /// # Errors
    /// Those of [`Experiment::plan`]; the file system; a folder with a run of something else.
    pub fn run_in(&self, dir: &Path) -> Result<Runs, Error> {
        let plan = self.plan()?;
        let argv: Vec<String> = std::env::args().collect();
        let name = dir.file_name().map_or("run".to_owned(), |name| name.to_string_lossy().into_owned());
        let store = Store::open(dir, of_plan(&name, &plan, argv, self.jobs), current())?;
        let scratch = tempfile::tempdir().map_err(Error::io(&std::env::temp_dir()))?;
        let path = self.book.clone().unwrap_or_else(|| scratch.path().join("oracle.csv"));
        let book = plan.is_judged().then(|| Book::open(&path));
        let stop = Arc::new(AtomicBool::new(false));
        match run(&plan, store, self.jobs, book.as_ref(), &stop, &mut |_| {})? {
            Ended::Complete(rows) => Ok(Runs { manifest: Manifest::read(dir)?, rows }),
            // Nobody can have said so.
            Ended::Stopped { finished } => Err(Error::Usage(format!("stopped after {finished} cells"))),
        }
    }
}
