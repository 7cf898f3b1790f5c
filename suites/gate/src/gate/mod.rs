//! The gate: exact quantities of every method, compared with the baseline.
//!
//! Node counts, values, moves and callgrind's instructions repeat exactly, so a difference is a change of the program
//! and never the weather. In order: `none` is minimax; a method switched off is a method absent; every method fires; principal
//! variations are sane; and what [`crate::exact`] holds: the trees are those of the baseline, instructions are within
//! its tolerance, same move, same value and error are no worse. Wall time is no part of it.

mod measure;

use crate::exact::{self, Accuracy, Baseline, BaselineArm, Cost, Counted, TOLERANCE, Toolchain, name};
use crate::instructions::{Count, Source, callgrind, cell};
use measure::all;
use secateur_base::number::plural;
use secateur_core::prune::METHODS;
use secateur_positions::Fnv;
use secateur_record::arm::{self, split};
use secateur_record::record::CellKey;
use secateur_suites::Error;
use secateur_suites::instruments::machine::compilation;
use secateur_suites::matrix::Plan;
use secateur_suites::setups::arm::Arm;
use secateur_suites::suite::Suite;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

pub use measure::{MeasuredArm, MeasuredCell, Task, measure_arm};
pub use secateur_record::gate::{Answer, Question};

/// Processes under callgrind that the counted cells of a game are shared among: each takes a second to begin.
const SHARES: usize = 2;

/// Everything that the gate compares, as measured or as in the baseline.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// What each method set of each game did.
    pub arms: Vec<MeasuredArm>,
    /// Positions at which `none` was compared with minimax, and those where it differed, by game.
    pub minimax: BTreeMap<String, (usize, Vec<String>)>,
    /// Methods that need not cut, as (game, method).
    pub silent: Vec<(String, String)>,
    /// Instructions by `game methods`, or nothing where they could not be counted.
    pub instructions: Option<BTreeMap<String, Cost>>,
    /// Why instructions were not counted.
    pub uncounted: Option<String>,
}

impl Measured {
    /// What would be the baseline: instructions belong to the compiler of this build, with any version of valgrind.
    pub fn exact(&self) -> Baseline {
        let arms = self.arms.iter().map(|arm| {
            let is_full_width = |other: &&MeasuredArm| other.game == arm.game && other.methods == "none";
            let full_width = self.arms.iter().find(is_full_width).filter(|_| arm.methods != "none");
            (name(&arm.game, &arm.methods), arm.for_baseline(full_width))
        });
        let counted = self.instructions.iter().map(|instructions| Counted {
            toolchain: Toolchain::compiled(&compilation()),
            instructions: instructions.clone(),
            ..Counted::default()
        });
        Baseline { arm: arms.collect(), counted: counted.collect() }
    }
}

impl MeasuredArm {
    /// Its part of such a baseline, next to the same searches at full width.
    fn for_baseline(&self, full_width: Option<&MeasuredArm>) -> BaselineArm {
        let mut fnv = Fnv::default();
        for cell in &self.cells {
            fnv.field(&cell.name).field(&cell.signature);
        }
        let accuracy = full_width.map(|full_width| {
            let pairs = || self.cells.iter().zip(&full_width.cells);
            Accuracy {
                same_move: pairs().filter(|(arm, none)| arm.best_move == none.best_move).count() as u64,
                same_value: pairs().filter(|(arm, none)| arm.score == none.score).count() as u64,
                error: pairs().map(|(arm, none)| u64::from(arm.score.abs_diff(none.score))).sum(),
            }
        });
        BaselineArm {
            cells: self.cells.len() as u64,
            nodes: self.cells.iter().map(|cell| cell.nodes).sum(),
            signature: fnv.hex(),
            accuracy,
            ..BaselineArm::default()
        }
    }
}

/// The suite `gate` with every method in it.
///
/// # Errors
/// Only if the build's own suite is broken.
pub fn suite() -> Result<Suite, Error> {
    let mut suite = Suite::load("gate")?;
    for block in &mut suite.blocks {
        for name in METHODS {
            let arm = Arm::parse(name).map_err(|error| Error::Usage(error.to_string()))?;
            if !block.methods.contains(&arm) {
                block.methods.push(arm);
            }
        }
    }
    Ok(suite)
}

/// Measures everything, with `jobs` threads, of which each searches or waits for a process under callgrind.
///
/// # Errors
/// A setup that is broken, the file system, or a search that could not be counted.
pub fn measure(jobs: usize) -> Result<Measured, Error> {
    let suite = suite()?;
    let plan = Plan::new(suite.clone())?;
    let folder = tempfile::tempdir().map_err(Error::io(&std::env::temp_dir()))?;
    let uncounted = Source::Callgrind.check().err();
    let shares = if uncounted.is_none() { shares(&plan, &suite, folder.path())? } else { Vec::new() };
    let (mut measured, counts) = all(&plan, &shares, jobs)?;
    for game in &plan.games {
        let name = |&index: &usize| (game.name.clone(), METHODS[index].to_owned());
        measured.silent.extend(game.silent.iter().map(name));
    }
    if uncounted.is_none() {
        measured.instructions = Some(sums(&counts, &plan, &measured.arms)?);
    }
    Ok(Measured { uncounted, ..measured })
}

/// Cells that one process counts.
struct Share {
    /// The program that counts.
    program: PathBuf,
    /// The suite of what is counted of their game alone: the program reads it from this file.
    suite: PathBuf,
    /// Their indices in the plan of that suite, and in that of all.
    cells: Vec<(usize, usize)>,
}

/// The cells whose block asks for their instructions, in [`SHARES`] of each game: on any number of cores the same, because a count may
/// depend by a few instructions on what was searched before.
fn shares(plan: &Plan, suite: &Suite, folder: &Path) -> Result<Vec<Share>, Error> {
    let program = cell()?;
    let units: Vec<_> = plan.units.iter().flat_map(|unit| unit.cells().map(move |_| unit)).collect();
    let mut all = Vec::new();
    for (at, game) in plan.games.iter().enumerate() {
        let is_counted = |index: &usize| units[*index].game == at && units[*index].instructions;
        let cells: Vec<(usize, usize)> = (0..units.len()).filter(is_counted).enumerate().collect();
        let mut counted_suite = suite.clone();
        counted_suite.blocks.retain(|block| block.instructions && block.game == game.name);
        let file = folder.join(&game.name).with_extension("toml");
        let text = toml::to_string(&counted_suite).expect("a suite has a TOML form");
        std::fs::write(&file, text).map_err(Error::io(&file))?;
        let cells_of = |share: usize| cells.iter().copied().skip(share).step_by(SHARES).collect();
        let share = |at| Share { program: program.clone(), suite: file.clone(), cells: cells_of(at) };
        all.extend((0..SHARES.min(cells.len())).map(share));
    }
    Ok(all)
}

impl Share {
    /// Counts the cells, which it names by their indices in the plan of all.
    fn count(&self) -> Result<Vec<Count>, Error> {
        let cells: Vec<usize> = self.cells.iter().map(|(own, _)| *own).collect();
        let suite = self.suite.display().to_string();
        let counts = callgrind::count(&self.program, &suite, &cells).map_err(Error::Count)?;
        Ok(self.cells.iter().zip(counts).map(|(&(_, cell), count)| Count { cell, ..count }).collect())
    }
}

/// Instructions by `game methods` of cells, each of which must have been searched as it was when it was measured.
fn sums(counts: &[Count], plan: &Plan, arms: &[MeasuredArm]) -> Result<BTreeMap<String, Cost>, Error> {
    let searched = arms.iter().flat_map(|arm| &arm.cells).map(|cell| (cell.cell, cell.nodes));
    let searched: HashMap<usize, u64> = searched.collect();
    let keys: Vec<CellKey> = plan.keys().collect();
    let mut sums: BTreeMap<String, Cost> = BTreeMap::new();
    for count in counts {
        let CellKey { game, position, methods, .. } = &keys[count.cell];
        let nodes = searched.get(&count.cell).copied().unwrap_or(0);
        if count.nodes != nodes {
            return Err(Error::Count(format!(
                "{game} {position} {methods}: the counted search visited {} nodes, the measured one {nodes}",
                count.nodes
            )));
        }
        let cost = sums.entry(name(game, methods)).or_default();
        (cost.cells, cost.instructions) = (cost.cells + 1, cost.instructions + count.instructions);
    }
    Ok(sums)
}

/// Asks every question, in the order in which an answer explains the ones after it.
pub fn judge(measured: &Measured, baseline: &Baseline) -> Vec<Question> {
    let mut checks = Vec::new();
    for (game, (positions, different)) in &measured.minimax {
        let listed_positions = listed(different, "all equal");
        checks.push(Question::new(
            "none = minimax",
            game,
            plural(*positions, "position"),
            listed_positions,
            different.is_empty(),
        ));
    }
    for arm in &measured.arms {
        let differs = &arm.silent_differs;
        let expected = format!("{} alike", plural(arm.cells.len(), "search"));
        checks.push(Question::new(
            "off = absent",
            &subject(arm),
            expected,
            listed(differs, "alike"),
            differs.is_empty(),
        ));
    }
    checks.extend(firing(measured));
    checks.extend(measured.arms.iter().map(sane));
    checks.extend(exact::judge(&measured.exact(), baseline, TOLERANCE, measured.uncounted.as_deref()));
    checks
}

fn subject(arm: &MeasuredArm) -> String {
    format!("{} {}", arm.game, arm.methods)
}

/// The first of what is wrong, with how many there are.
fn listed(wrong: &[String], fine: &str) -> String {
    match wrong {
        [] => fine.to_owned(),
        [one] => one.clone(),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
    }
}

/// Every method that a method set names must cut somewhere in its game, unless the suite expects silence.
fn firing(measured: &Measured) -> Vec<Question> {
    let mut checks = Vec::new();
    for game in measured.minimax.keys() {
        for (index, method) in METHODS.iter().enumerate() {
            let arms = measured.arms.iter().filter(|arm| arm.game == *game);
            let alone: Vec<&MeasuredArm> = arms.filter(|arm| names(&arm.methods).eq([*method])).collect();
            let cuts: u64 = alone.iter().filter_map(|arm| arm.cuts.get(index)).sum();
            let silent = measured.silent.iter().any(|(in_game, name)| in_game == game && name == method);
            let expected = if silent { "may be silent" } else { "at least 1 cut" };
            let found = if alone.is_empty() { "not measured".to_owned() } else { format!("{cuts} cuts") };
            let subject = format!("{game} {method}");
            checks.push(Question::new("fires", &subject, expected.to_owned(), found, cuts > 0 || silent));
        }
    }
    checks
}

/// Names of the methods of a set, without what stands in brackets behind them.
fn names(methods: &str) -> impl Iterator<Item = &str> {
    split(methods, '+').into_iter().map(arm::name)
}

fn sane(arm: &MeasuredArm) -> Question {
    let insane = arm.cells.iter().filter(|cell| !cell.pv.starts_with("ok"));
    let insane: Vec<String> = insane.map(|cell| format!("{}: {}", cell.name, cell.pv)).collect();
    let expected = format!("{} sane", plural(arm.cells.len(), "line"));
    Question::new("pv", &subject(arm), expected, listed(&insane, "all sane"), insane.is_empty())
}

#[cfg(test)]
mod tests;
