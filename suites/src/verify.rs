//! May this program go on with a run that another one began?
//!
//! Only if both search the same trees. What the run itself holds is asked: of every arm that the other program searched, one
//! cell is searched again to a depth that it reached, and every iteration must have the same nodes, value and move. That is
//! a node signature over the run's own arms, numbers and positions; one over the gate's would say less about them.

use crate::allowance::Allowance;
use crate::cell::{Cell, run_cell};
use crate::error::Error;
use crate::instruments::clock::thread_time;
use crate::matrix::{GamePlan, Plan, Unit};
use crate::store::Store;
use crate::subject::{Host, Subject, Task};
use secateur_core::{AnyGame, AnyPosition};
use secateur_positions::Entry;
use secateur_record::record::{CellKey, IterationRow, Record};
use std::collections::{BTreeMap, BTreeSet};

/// Nodes that the search of an arm may take: a tenth of a second.
const NODES: u64 = 200_000;

/// What is searched again: a cell, and its iterations up to a depth.
struct Sample<'s> {
    unit: &'s Unit,
    methods: usize,
    recorded: Vec<&'s IterationRow>,
}

/// Compares what other programs recorded with what this one searches.
///
/// # Errors
/// [`Error::OtherTrees`] at the first search that comes out differently.
pub(crate) fn verify(plan: &Plan, store: &Store) -> Result<(), Error> {
    let foreign = store.foreign();
    let Some(build) = foreign.first() else { return Ok(()) };
    let ids: BTreeSet<&str> = foreign.iter().map(|build| build.id.as_str()).collect();
    for sample in samples(plan, store.finished(), store.iterations(), &ids) {
        let game = &plan.games[sample.unit.game];
        if let Some(what) = again(plan, game, &sample) {
            return Err(Error::OtherTrees { dir: store.dir().to_owned(), build: build.program(), what });
        }
    }
    Ok(())
}

/// For every arm the cell with the largest tree that is small enough.
fn samples<'s>(
    plan: &'s Plan,
    finished: &BTreeMap<CellKey, Record>,
    iterations: &'s [IterationRow],
    builds: &BTreeSet<&str>,
) -> Vec<Sample<'s>> {
    let mut by_cell: BTreeMap<CellKey, Vec<&IterationRow>> = BTreeMap::new();
    for row in iterations.iter().filter(|row| row.nodes <= NODES) {
        by_cell.entry(row.key()).or_default().push(row);
    }
    let mut best: BTreeMap<(usize, usize), Sample<'_>> = BTreeMap::new();
    for (unit, cell) in plan.units.iter().flat_map(|unit| unit.cells().map(move |cell| (unit, cell))) {
        let key = plan.key(unit, cell);
        if plan.games[unit.game].arms[cell.0].own().is_none() {
            // Who searches by himself does so whoever asks him.
            continue;
        }
        let theirs = |row: &&Record| row.error.is_none() && builds.contains(row.build.as_str());
        let Some(recorded) = finished.get(&key).filter(theirs).and_then(|_| by_cell.get(&key)) else {
            continue;
        };
        let nodes = |rows: &[&IterationRow]| rows.last().map_or(0, |row| row.nodes);
        let most_nodes = best.get(&(unit.game, cell.0)).map_or(0, |sample| nodes(&sample.recorded));
        if nodes(recorded) > most_nodes {
            best.insert((unit.game, cell.0), Sample { unit, methods: cell.0, recorded: recorded.clone() });
        }
    }
    best.into_values().collect()
}

/// Searches a sample again; words on the first difference come out.
fn again(plan: &Plan, game: &GamePlan, sample: &Sample<'_>) -> Option<String> {
    let arm = game.arms[sample.methods].own()?;
    let none = BTreeMap::new();
    let mut search = Host::new((&game.game, &game.setup.options), &arm.ready, 0, &none, &arm.promised);
    let key = plan.key(sample.unit, (sample.methods, 0));
    let (entry, root) = (&game.entries[sample.unit.entry], &game.roots[sample.unit.entry]);
    difference(&mut search, &game.game, &key, (entry, root), &sample.recorded)
}

/// Words on the first of some recorded iterations that this program's search of the cell does not give.
fn difference(
    search: &mut dyn Subject,
    game: &AnyGame,
    key: &CellKey,
    (entry, root): (&Entry, &AnyPosition),
    recorded: &[&IterationRow],
) -> Option<String> {
    let allowance = Allowance::Depth(recorded.last()?.depth);
    let task = Task { position: &entry.position, root, allowance, clock: thread_time, stop: None };
    let rows = run_cell(search, game, &Cell { run: "", key, entry, allowance }, &task);
    let again: BTreeMap<u32, &IterationRow> = rows.iterations.iter().map(|row| (row.depth, row)).collect();
    let exact = |row: &IterationRow| (row.nodes, row.qnodes, row.score, row.best_move);
    let differs = |row: &&&IterationRow| again.get(&row.depth).is_none_or(|other| exact(other) != exact(row));
    let row = recorded.iter().find(differs)?;
    let here = again.get(&row.depth).map_or("no such iteration".to_owned(), |other| said(other));
    Some(format!("{} {}: {} plies gave {}, here {here}", row.position, row.methods, row.depth, said(row)))
}

fn said(row: &IterationRow) -> String {
    format!("{} nodes, value {}, move {}", row.nodes, row.score, row.best_move)
}
