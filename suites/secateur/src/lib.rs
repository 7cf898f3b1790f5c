//! What is each pruning method worth in *your* engine?
//!
//! secateur searches the same positions with a method switched on and off, alone and with the others on, and says what that saves,
//! what it costs in accuracy and how methods interact, with paired statistics. As a library it is used like a benchmark
//! harness: give it your search, your method or your game, and run it from `cargo bench`, from a test or from a program.
//!
//! Three levels for the author of a search ([`Subject`]):
//!
//! 1. Say nodes, depth, value and move of each iteration: Table 2, factorial, comparisons, a gate.
//! 2. Count what methods do ([`Found::count`]): tries, cuts and their cost by depth.
//! 3. Write a method for the host here ([`Method`], [`Prune`]): audits of every promise, guards, calibration.
//!
//! ```
//! use secateur::{Experiment, Found, Subject, Task, report};
//!
//! /// A search that always plays the first move that it finds.
//! struct First;
//!
//! impl Subject for First {
//!     fn search(&mut self, task: &Task<'_>) -> Result<Found, String> {
//!         let mut result = task.begin();
//!         while let Some(depth) = task.next(&result) {
//!             result.push(depth, 1, 0, "d3");
//!         }
//!         Ok(result)
//!     }
//! }
//!
//! let start = "---------------------------OX------XO--------------------------- X;\n";
//! let file = std::env::temp_dir().join(format!("start-{}.obf", std::process::id()));
//! std::fs::write(&file, start)?;
//! let experiment = Experiment::of("othello").positions(&file.to_string_lossy()).depth(4);
//! let runs = experiment.arm("none").subject("first", "1", || First).run()?;
//! println!("{}", report::table2(&runs));
//! # std::fs::remove_file(&file)?;
//! # assert!(report::full(&runs).contains("first"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What has to do with the format of records, suites and reports follows semantic versioning from 1.0 on; until then a minor
//! version may change any of it, and says so in its notes.

use secateur_lab::fit::{FitError, FitSettings};
use secateur_record::fitted::Fitted;
use secateur_suites::setups::games::{find, fitted as fitted_game};
use secateur_suites::setups::setup::Setup;

pub mod check;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
/// The program, with every game and method that was registered before: its commands take them like those that come along.
#[cfg(feature = "cli")]
pub use cli::main;
pub use secateur_gate::exact as gate;

/// Runs an experiment and counts the instructions of its searches; see its documentation.
pub use secateur_gate::instructions::counted;
pub mod report;

pub use secateur_core::game::{
    AnyGame, AnyMove, AnyPosition, Chance, Evaluation, Game, Hints, Meter, Moves, Notation, Outcomes,
    ParseError, Rules, Scored, Unit, thrown,
};
pub use secateur_core::prune::{
    Asks, Calibration, Depths, Guards, METHODS, Method, Methods, Place, Prune, SetupError, SkipPlan, Verdict,
    pick_in_order,
};
pub use secateur_core::score::{Depth, Score, Window};
pub use secateur_core::search::{Claim, Kind, Node, Options, Path, Search, Searcher, minimax, searcher};
pub use secateur_positions::builtin::{Listing, register as register_positions};
pub use secateur_positions::{Provenance, Reading};
pub use secateur_suites::allowance::Allowance;
pub use secateur_suites::matrix::{ArmPlan, Plan};
pub use secateur_suites::program::{Others, Program, ProgramArms};
pub use secateur_suites::setups::games::{Data, Entry};
pub use secateur_suites::setups::methods::Registration;
pub use secateur_suites::subject::{EngineSubject, Found, Step, Subject, Task};
pub use secateur_suites::{Error, Experiment, Runs};

/// Fits the evaluation of a game on a set of positions (a name or a file), with searches of up to `depth` plies, and gives
/// the game what was found. No experiment may use these positions afterwards.
///
/// ProbCut, MPC and fitted margins need to know how well a shallow search of a game predicts a deep one. `cargo xtask fit`
/// measures that with settings that a file keeps; here are the usual ones, for a game that brings no file of its own. Left out: another
/// baseline than `none`.
///
/// # Errors
/// A game or a set that is not there, a depth below 1, too few positions.
pub fn fit(game: &str, positions: &str, depth: i32) -> Result<Fitted, FitError> {
    let standard = FitSettings::standard(game)?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let settings = FitSettings {
        positions: positions.to_owned(),
        depth_none: depth,
        depth_deeper: 0,
        depth_null_move: 0,
        threads,
        command: format!("secateur::fit({game:?}, {positions:?}, {depth})"),
        ..standard
    };
    let (game, setup) = (find(game)?, Setup::embedded(game)?);
    let set = secateur_positions::resolve(&game, positions)?;
    let (fitted, _) = secateur_lab::fit::fit(&game, &setup, &set, &settings, &mut |_, _| {})?;
    fitted_game(game.name(), fitted.text(game.stages()))?;
    Ok(fitted)
}

/// Games that come with secateur.
pub mod games {
    pub use secateur_games::chess::Chess;
    pub use secateur_games::draughts::Draughts;
    pub use secateur_games::einstein::Einstein;
    pub use secateur_games::othello::Othello;
    pub use secateur_games::shogi::Shogi;
}

/// Everything that a game, a method or a search of another crate usually names.
pub mod prelude {
    pub use crate::games::{Chess, Othello};
    pub use crate::{
        Asks, Calibration, Claim, Depth, Depths, Entry, Evaluation, Experiment, Found, Game, Guards, Hints,
        Kind, METHODS, Meter, Method, Moves, Node, Notation, ParseError, Place, Prune, Registration, Rules,
        Runs, Score, Scored, Search, SetupError, SkipPlan, Subject, Task, Unit, Verdict, Window, gate,
        report,
    };
}
