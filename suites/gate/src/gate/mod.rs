//! The gate: exact quantities of every method, compared with what was blessed.
//!
//! Node counts, values, moves and callgrind's instructions repeat exactly, so a difference is a change of the program
//! and never the weather. In order: the trees are those that were blessed; `none` is minimax; a method switched off
//! is a method absent; every method fires; principal variations are sane; instructions are within [`TOLERANCE`]; same
//! move, same value and error are no worse than blessed. Wall time is no part of it.

mod baseline;
mod judge;
mod measure;
#[cfg(test)]
mod tests;

pub use baseline::{Baseline, Blessed, ByArm, Compiler, Instructions};
pub use judge::{Answer, Question, judge};
pub use measure::{Found, FoundCell, Task, measure_arm};

use crate::instructions::pool::each;
use crate::instructions::{Source, count};
use measure::games;
use secateur_core::prune::METHODS;
use secateur_suites::Error;
use secateur_suites::matrix::Plan;
use secateur_suites::setups::arm::Arm;
use secateur_suites::suite::Suite;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// By how much instructions may differ from the blessed count, as a part of it.
pub const TOLERANCE: f64 = 0.005;

/// Nodes of one process under callgrind, at least: each takes two seconds to begin.
const CHUNK: u64 = 4_000_000;

/// Everything that the gate compares, as measured or as blessed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// What each method set of each game did.
    pub found: Vec<Found>,
    /// Positions at which `none` was compared with minimax, and those where it differed, by game.
    pub minimax: BTreeMap<String, (usize, Vec<String>)>,
    /// Methods that need not cut, as (game, method).
    pub silent: Vec<(String, String)>,
    /// Instructions by game and method set, or why there are none.
    pub instructions: Option<ByArm<u64>>,
    /// Why instructions were not counted.
    pub uncounted: Option<String>,
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

/// Measures everything, with `jobs` threads or processes under callgrind.
///
/// # Errors
/// A setup that is broken, the file system, or a search that could not be counted.
pub fn measure(jobs: usize) -> Result<Measured, Error> {
    let suite = suite()?;
    let plan = Plan::new(suite.clone())?;
    let mut measured = games(&plan, jobs)?;
    for game in &plan.games {
        let name = |&index: &usize| (game.name.clone(), METHODS[index].to_owned());
        measured.silent.extend(game.silent.iter().map(name));
    }
    match Source::Callgrind.check() {
        Err(reason) => measured.uncounted = Some(reason),
        Ok(()) => measured.instructions = Some(instructions(&plan, &suite, &measured.found, jobs)?),
    }
    Ok(measured)
}

/// Instructions of the cells whose block asks for them, summed by game and method set.
fn instructions(plan: &Plan, suite: &Suite, found: &[Found], jobs: usize) -> Result<ByArm<u64>, Error> {
    // The program reads the suite from a file: the gate's has more methods than the built-in one.
    let file = std::env::temp_dir().join(format!("secateur-gate-{}.toml", std::process::id()));
    let text = toml::to_string(suite).expect("a suite has a TOML form");
    std::fs::write(&file, text).map_err(Error::io(&file))?;
    let counted = counted(plan, &file, found, jobs);
    // Nothing is lost with a file that cannot be removed.
    let _ = std::fs::remove_file(&file);
    let mut sums: ByArm<u64> = BTreeMap::new();
    for (index, instructions) in counted? {
        let key = &plan.keys().nth(index).ok_or_else(|| Error::Count(format!("no cell {index}")))?;
        *sums.entry(key.game.to_string()).or_default().entry(key.methods.to_string()).or_default() +=
            instructions;
    }
    Ok(sums)
}

/// (cell, instructions) of every cell that is counted, each chunk in a process of its own.
fn counted(plan: &Plan, suite: &Path, found: &[Found], jobs: usize) -> Result<Vec<(usize, u64)>, Error> {
    let keys: Vec<_> = plan.keys().collect();
    let asked = plan.units.iter().flat_map(|unit| unit.cells().map(|_| unit.instructions));
    let mut chunks: Vec<Vec<usize>> = vec![Vec::new()];
    let mut nodes = 0;
    let expected: BTreeMap<usize, u64> = (0..keys.len())
        .zip(asked)
        .filter(|(_, asked)| *asked)
        .map(|(index, _)| (index, nodes_of(found, &keys[index].game, &keys[index].methods, index)))
        .collect();
    for (&index, &cost) in &expected {
        if nodes >= CHUNK {
            chunks.push(Vec::new());
            nodes = 0;
        }
        nodes += cost;
        chunks.last_mut().expect("never empty").push(index);
    }
    let suite = suite.display().to_string();
    let mut all = Vec::new();
    let count = |cells: &Vec<usize>| count(&suite, cells, Source::Callgrind);
    each(&chunks, jobs, &AtomicBool::new(false), count, |_, counts| {
        for count in counts? {
            if expected[&count.cell] != count.nodes {
                let key = &keys[count.cell];
                return Err(Error::Count(format!(
                    "{} {} {}: the counted search visited {} nodes, the measured one {}",
                    key.game, key.position, key.methods, count.nodes, expected[&count.cell]
                )));
            }
            all.push((count.cell, count.instructions));
        }
        Ok(())
    })?;
    Ok(all)
}

fn nodes_of(found: &[Found], game: &str, methods: &str, cell: usize) -> u64 {
    let arm = found.iter().find(|found| found.game == game && found.methods == methods);
    arm.and_then(|found| found.cells.iter().find(|of| of.cell == cell)).map_or(0, |of| of.nodes)
}
