//! An experiment as a value: what is searched by whom, under which budget, judged by what.
//!
//! It is the one thing that plans are made of: a suite file becomes an experiment, a lineup of programs does, and whoever
//! writes Rust begins with one. It is a list of blocks, each of which crosses positions of one game with arms and budgets. An
//! arm is a method set of our own search or a [`Subject`] of any crate. What comes out are the rows of the record, as
//! `bench` writes them.

mod block;
mod ready;

pub use ready::{Look, same_trees};

use block::{Crossed, Wanted};

use crate::allowance::Allowance;
use crate::error::Error;
use crate::instruments::clock::wall_time;
use crate::instruments::machine::{cores, current};
use crate::manifest::of_plan;
use crate::matrix::{ArmPlan, Manner, Plan};
use crate::oracle::Book;
use crate::program::ProgramArms;
use crate::run::{Ended, run};
use crate::setups::arm::{Arm, subsets};
use crate::setups::games::{self, Entry};
use crate::subject::Subject;
use crate::suite::Suite;
use secateur_core::Game;
use secateur_positions::{Fnv, Reading};
use secateur_record::manifest::Manifest;
use secateur_record::store::{RunRows, Store};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// An experiment, block by block: what is said of positions, arms, budgets and judges is said of the last block. What is wrong
/// with it is said when it is planned.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Name, parameters, audit and reading; its own blocks are those of the file that it was read from, if it was.
    suite: Suite,
    /// What the manifest keeps, enough to make the plan again; without it a summary.
    document: Option<toml::Table>,
    manner: Manner,
    table_mib: Option<usize>,
    /// Never empty, unless it was made of a suite without blocks.
    blocks: Vec<Crossed>,
    book: Option<PathBuf>,
    jobs: usize,
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
    /// Nodes of all searches of an arm, as far as they are told.
    pub fn nodes(&self, arm: &str) -> u64 {
        self.rows.records.iter().filter(|row| row.methods == arm).filter_map(|row| row.nodes).sum()
    }

    /// Every iteration of an arm. Two arms for which these are equal searched the same trees.
    pub fn trees(&self, arm: &str) -> Vec<Iterated<'_>> {
        let of_arm = self.rows.iterations.iter().filter(|row| row.methods == arm);
        of_arm.map(|row| (&*row.position, row.depth, row.nodes, row.score, &*row.best_move)).collect()
    }
}

impl Experiment {
    /// An experiment on a game of this crate or another. A game that is not known by its name is registered
    /// ([`Entry::register`]), with the usual parameters.
    pub fn new<G: Game>(game: G) -> Experiment {
        if games::find(G::NAME).is_err() {
            Entry::new(game).register();
        }
        Experiment::of(G::NAME)
    }

    /// An experiment on the game of this name.
    pub fn of(game: &str) -> Experiment {
        let suite = Suite { name: "experiment".to_owned(), ..Suite::default() };
        Experiment { blocks: vec![Crossed::of(game)], ..Experiment::from(suite) }
    }

    /// Begins the next block, on the game of this name.
    pub fn then(mut self, game: &str) -> Experiment {
        self.blocks.push(Crossed::of(game));
        self
    }

    /// The block that is spoken of.
    fn last(&mut self) -> &mut Crossed {
        if self.blocks.is_empty() {
            self.blocks.push(Crossed::default());
        }
        self.blocks.last_mut().expect("there is one now")
    }

    /// The name of the experiment, the column `suite` of its rows: letters, digits, `-`, `_` and `.`.
    pub fn named(mut self, name: &str) -> Experiment {
        self.suite.name = name.to_owned();
        self
    }

    /// Positions: a built-in set by name, or a file. Several calls add up.
    pub fn positions(mut self, name_or_path: &str) -> Experiment {
        self.last().block.positions.push(name_or_path.to_owned());
        self
    }

    /// At most so many positions of each stage of each set.
    pub fn limit(mut self, positions: usize) -> Experiment {
        self.last().block.limit = Some(positions);
        self
    }

    /// Exactly these positions, at most so many of each stage of each set if that is said.
    pub(crate) fn over(mut self, positions: Vec<String>, limit: Option<usize>) -> Experiment {
        let block = &mut self.last().block;
        (block.positions, block.limit) = (positions, limit);
        self
    }

    /// How position files are read.
    pub fn reading(mut self, reading: Reading) -> Experiment {
        self.suite.reading = reading;
        self
    }

    /// Other numbers than the usual for our own search in this game: a variant by name, or a file.
    pub fn params(mut self, name_or_path: &str) -> Experiment {
        let game = self.last().block.game.clone();
        self.suite.params.insert(game, name_or_path.to_owned());
        self
    }

    /// Another size than the usual for the transposition table of our own search, MiB.
    pub fn table(mut self, mib: usize) -> Experiment {
        self.table_mib = Some(mib);
        self
    }

    /// An arm of our own search: `none`, `null-move[verified]+mpc`. The first arm of a game is its baseline.
    pub fn arm(mut self, methods: &str) -> Experiment {
        self.last().arms.push(Wanted::Methods(methods.to_owned()));
        self
    }

    /// Several arms of our own search, in this order.
    pub fn arms<M: AsRef<str>>(self, methods: impl IntoIterator<Item = M>) -> Experiment {
        methods.into_iter().fold(self, |experiment, methods| experiment.arm(methods.as_ref()))
    }

    /// A method set of our own search under another name.
    pub fn arm_as(mut self, arm: Arm, name: &str) -> Experiment {
        self.last().arms.push(Wanted::Host(arm, Some(name.to_owned())));
        self
    }

    /// An arm that is ready: of a program that was ready ([`crate::program::Program::ready`]), or anybody's.
    pub fn ready(mut self, arm: ArmPlan) -> Experiment {
        self.last().arms.push(Wanted::Other(arm));
        self
    }

    /// All arms in turns, position by position, so many rounds, by the CPU time of whoever searches: whatever else the machine does falls
    /// on all of them alike.
    pub fn in_turns(mut self, rounds: u32) -> Experiment {
        self.manner = Manner { turns: true, ..Manner::default() };
        let block = self.last();
        (block.block.repeats, block.all) = (rounds.max(1) - 1, true);
        self
    }

    /// The same by wall time, which is all that can be known of any program.
    pub(crate) fn by_wall_time(mut self) -> Experiment {
        self.manner.clock = wall_time;
        self
    }

    /// Every combination of methods of our own search, `none` first: `null-move,mpc,futility`.
    pub fn factorial(mut self, methods: &str) -> Experiment {
        self.last().arms.push(Wanted::Factorial(methods.to_owned()));
        self
    }

    /// An arm of any other search, made once for each thread. `version` stands for everything that decides what it
    /// searches: rows of two versions are not rows of one thing.
    pub fn subject<S: Subject + 'static>(
        mut self,
        name: &str,
        version: &str,
        make: impl Fn() -> S + Send + Sync + 'static,
    ) -> Experiment {
        let params = Fnv::default().field(name).field(version).hex();
        self.last().arms.push(Wanted::Other(ArmPlan::other(name, &params, move || Box::new(make()))));
        self
    }

    /// A search with switches: an arm for every combination of them, `none` first. `make` gets those that are on.
    pub fn switches<S: Subject + 'static>(
        mut self,
        switches: &[&str],
        version: &str,
        make: impl Fn(&[&str]) -> S + Clone + Send + Sync + 'static,
    ) -> Experiment {
        for set in subsets(switches.len()) {
            let on = set.into_iter().map(|at| switches[at].to_owned());
            let (on, make) = (on.collect::<Vec<String>>(), make.clone());
            let name = if on.is_empty() { "none".to_owned() } else { on.join("+") };
            self = self
                .subject(&name, version, move || make(&on.iter().map(String::as_str).collect::<Vec<&str>>()));
        }
        self
    }

    /// The arms of another program; those of a game are all of one program, or none is.
    pub fn program(mut self, arms: ProgramArms) -> Experiment {
        self.last().arms.push(Wanted::Program(Box::new(arms)));
        self
    }

    /// A budget, or why it is none.
    pub(crate) fn budget(mut self, budget: Result<Allowance, String>) -> Experiment {
        let crossed = self.last();
        let budget = crossed.kept(budget);
        crossed.block.budgets.extend(budget);
        self
    }

    /// A budget in plies.
    pub fn depth(self, plies: u32) -> Experiment {
        self.budget(Allowance::depth(i64::from(plies)))
    }

    /// A budget in nodes.
    pub fn nodes(self, nodes: u64) -> Experiment {
        self.budget(Allowance::nodes(i64::try_from(nodes).unwrap_or(i64::MAX)))
    }

    /// A budget of CPU time: `500ms`, `2s`.
    pub fn time(self, text: &str) -> Experiment {
        self.budget(Allowance::time(text))
    }

    /// A level of a program that has levels.
    pub fn level(self, level: u32) -> Experiment {
        self.budget(Allowance::level(i64::from(level)))
    }

    /// How often the baseline is searched again: the A/A rows.
    pub fn repeats(mut self, times: u32) -> Experiment {
        self.last().block.repeats = times;
        self
    }

    /// A deeper search judges the moves: our own at full width, plies deeper (`+2`) or at a depth (`12`); the program of the block
    /// with all of its methods (`full+2`, `full@12`, `full@nodes=200000`); any other subject (`toga2@12`, `toga2:none@10`).
    pub fn oracle(mut self, text: &str) -> Experiment {
        let crossed = self.last();
        crossed.block.oracle = crossed.kept(text.parse());
        self
    }

    /// The file in which the oracle keeps what it found, for experiments to come.
    pub fn book(mut self, path: &Path) -> Experiment {
        self.book = Some(path.to_owned());
        self
    }

    /// Has instructions counted, where the experiment is run by something that counts: the gate's `counted`.
    pub fn instructions(mut self) -> Experiment {
        self.last().block.instructions = true;
        self
    }

    /// One cut of our own methods in so many is audited.
    pub fn audit(mut self, every: u64) -> Experiment {
        self.suite.audit = every;
        self
    }

    /// Threads; all cores by default. No row depends on it.
    pub fn jobs(mut self, jobs: usize) -> Experiment {
        self.jobs = jobs.max(1);
        self
    }

    /// Everything that would be searched, to be looked at: other programs are taken at the word of their files, and nothing is
    /// built, fetched or started. The plan cannot be run.
    ///
    /// # Errors
    /// Those of [`Experiment::plan`], without what only a program can say.
    pub fn shown(mut self) -> Result<Plan, Error> {
        self.manner.shown_only = true;
        self.plan()
    }

    /// Everything that is searched, checked.
    ///
    /// # Errors
    /// The first thing that is wrong: a name that nothing has, a position, a budget, an arm twice, nothing to search.
    pub fn plan(&self) -> Result<Plan, Error> {
        // Of an experiment that no file describes it is a summary: its program makes it again.
        let summary = || block::summary(&self.suite, &self.blocks);
        let document = self.document.clone().unwrap_or_else(summary);
        let mut plan = Plan::default();
        (plan.suite, plan.document, plan.manner) = (self.suite.clone(), document, self.manner);
        for block in &self.blocks {
            block.add(&mut plan, self.table_mib)?;
        }
        Ok(plan)
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
        self.run_plan(&self.plan()?, dir)
    }

    /// The same for those who have made its plan already.
    ///
    /// # Errors
    /// The file system; a folder with a run of something else.
    pub fn run_plan(&self, plan: &Plan, dir: &Path) -> Result<Runs, Error> {
        let argv: Vec<String> = std::env::args().collect();
        let name = dir.file_name().map_or("run".to_owned(), |name| name.to_string_lossy().into_owned());
        let store = Store::open(dir, of_plan(&name, plan, argv, self.jobs), current())?;
        let scratch = tempfile::tempdir().map_err(Error::io(&std::env::temp_dir()))?;
        let path = self.book.clone().unwrap_or_else(|| scratch.path().join("oracle.csv"));
        let book = plan.is_judged().then(|| Book::open(&path));
        let stop = Arc::new(AtomicBool::new(false));
        match run(plan, store, self.jobs, book.as_ref(), &stop, &mut |_| {})? {
            Ended::Complete(rows) => Ok(Runs { manifest: Manifest::read(dir)?, rows }),
            // `stop` is never set.
            Ended::Stopped { finished } => Err(Error::Usage(format!("stopped after {finished} cells"))),
        }
    }
}

impl From<Suite> for Experiment {
    /// What a suite file describes, with the baseline `none` of our own search before its arms.
    fn from(suite: Suite) -> Experiment {
        let is_file = !suite.blocks.is_empty();
        // A suite is made of names, numbers and lists of them.
        let document = is_file.then(|| toml::Table::try_from(&suite).expect("a suite has a TOML form"));
        Experiment {
            blocks: suite.blocks.iter().map(Crossed::from).collect(),
            suite,
            document,
            manner: Manner::default(),
            table_mib: None,
            book: None,
            jobs: cores(),
        }
    }
}

impl Plan {
    /// Reads and checks everything that the suite names.
    ///
    /// # Errors
    /// The first position set, parameter file or method that is not fit for use.
    pub fn new(suite: Suite) -> Result<Plan, Error> {
        Experiment::from(suite).plan()
    }
}
