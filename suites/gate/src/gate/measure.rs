//! What the gate measures: every method set on every position, alone and with a method that never speaks, and `none` against
//! minimax.

use super::Measured;
use crate::instructions::pool::each;
use secateur_core::prune::Methods;
use secateur_core::search::{AnySearch, Budget, Options, Outcome};
use secateur_core::{AnyPosition, Depth, Game, Moves};
use secateur_positions::Fnv;
use secateur_suites::Error;
use secateur_suites::instruments::pv;
use secateur_suites::matrix::{GamePlan, HostArm, Plan};
use secateur_suites::setups::methods::names;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Leaves of the trees in which `none` is compared with minimax, about: what minimax can search in a second or two.
const MINIMAX_LEAVES: f64 = 2e5;
/// Depth at which `none` is compared with minimax, where there are no more leaves than that.
const MINIMAX_DEPTH: i32 = 3;

/// What one method set did on the positions of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Name of the game.
    pub game: String,
    /// The method set.
    pub methods: String,
    /// One search a position and budget.
    pub cells: Vec<FoundCell>,
    /// Cuts of each method of [`names`], all searches together.
    pub cuts: Vec<u64>,
    /// Searches that one more method changed, which is asked at every moment and never speaks.
    pub silent_differs: Vec<String>,
}

/// What one search gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundCell {
    /// Index in the order of [`Plan::keys`].
    pub cell: usize,
    /// Position and budget in words.
    pub name: String,
    /// All nodes.
    pub nodes: u64,
    /// Value, in the game's unit.
    pub score: i32,
    /// Best move.
    pub best_move: String,
    /// Hash of all iterations and counts, 16 hex digits.
    pub signature: String,
    /// [`pv::sanity`].
    pub pv: &'static str,
}

/// A position to be searched: cell, name, position, depth in plies.
pub type Task<P> = (usize, String, P, i32);

/// Measures one method set, whatever it is made of.
pub fn measure_arm<G: Game>(
    search: &mut dyn AnySearch<G>,
    tasks: &[Task<G::Position>],
) -> (Vec<FoundCell>, Vec<u64>) {
    let names = names();
    let mut cuts = vec![0; names.len()];
    let mut cells = Vec::new();
    for (cell, name, root, depth) in tasks {
        let outcome = search.run(root, &Budget::Depth(*depth));
        for (index, cuts) in cuts.iter_mut().enumerate() {
            let total = outcome.tally.total(names[index]);
            *cuts += total.cuts_high + total.cuts_low;
        }
        let game = search.game();
        let last = outcome.last();
        cells.push(FoundCell {
            cell: *cell,
            name: name.clone(),
            nodes: outcome.tally.nodes,
            score: last.score.0,
            best_move: last.best_move().map_or_else(String::new, |mv| game.format_move(root, mv)),
            signature: signature(game, root, &outcome),
            pv: pv::sanity(game, root, last, search.options(), search.asks()).name(),
        });
    }
    (cells, cuts)
}

/// Everything exact that a search says, in one number.
fn signature<G: Game>(game: &G, root: &G::Position, outcome: &Outcome<G::Move>) -> String {
    let mut fnv = Fnv::default();
    let mut number = |value: u64| {
        fnv.bytes(&value.to_le_bytes());
    };
    for iteration in &outcome.iterations {
        number(iteration.depth as u64);
        number(iteration.nodes);
        number(iteration.qnodes);
        number(iteration.score.0 as u64);
    }
    for value in [outcome.tally.nodes, outcome.tally.probe_nodes, outcome.tally.tt_hits] {
        number(value);
    }
    for (method, stage, depth, counter) in outcome.tally.active() {
        fnv.field(method);
        for value in [stage as u64, depth as u64, counter.tries, counter.cuts_high, counter.cuts_low] {
            fnv.bytes(&value.to_le_bytes());
        }
    }
    let best = outcome.last().best_move();
    fnv.field(&best.map_or_else(String::new, |mv| game.format_move(root, mv)));
    fnv.hex()
}

/// Measures every game of the plan, with `jobs` threads.
pub(super) fn games(plan: &Plan, jobs: usize) -> Result<Measured, Error> {
    let games: Vec<Measure<'_>> = plan
        .games
        .iter()
        .enumerate()
        .map(|(index, game)| Measure { game, tasks: tasks(plan, index) })
        .collect();
    let minimax = games.iter().map(|game| (game, None));
    let arms = games.iter().flat_map(|game| (0..game.tasks.len()).map(move |arm| (game, Some(arm))));
    let parts: Vec<(&Measure<'_>, Option<usize>)> = minimax.chain(arms).collect();
    let mut measured = Measured::default();
    let mut found = BTreeMap::new();
    let work = |(game, arm): &(&Measure<'_>, Option<usize>)| match *arm {
        Some(arm) => Part::Arm(game.arm(arm)),
        None => {
            Part::Minimax(none_against_minimax(&game.game.game, &game.game.setup.options, &game.tasks[0]))
        }
    };
    each(&parts, jobs, &AtomicBool::new(false), work, |at, part| {
        match part {
            Part::Arm(arm) => found.extend(arm.map(|arm| (at, arm))),
            Part::Minimax(differences) => {
                measured.minimax.insert(parts[at].0.game.name.clone(), differences);
            }
        }
        Ok(())
    })?;
    measured.found = found.into_values().collect();
    Ok(measured)
}

/// What one thread measures at a time.
enum Part {
    /// A method set on all positions of its game; nothing of one that is not of our own search.
    Arm(Option<Found>),
    /// `none` against minimax on all positions of a game.
    Minimax(Differences),
}

struct Measure<'a> {
    game: &'a GamePlan,
    /// The tasks of each method set.
    tasks: Vec<Vec<Task<AnyPosition>>>,
}

/// Positions compared, and the names of those that differ.
type Differences = (usize, Vec<String>);

impl Measure<'_> {
    fn arm(&self, index: usize) -> Option<Found> {
        let HostArm { ready, .. } = self.game.arms[index].own()?;
        let tasks = &self.tasks[index];
        let searcher = |methods| self.game.game.clone().searcher(methods, self.game.setup.options.clone());
        let (cells, cuts) = measure_arm(searcher(ready).as_mut(), tasks);
        let accompanied = ready.with_silent();
        let (both, _) = measure_arm(searcher(&accompanied).as_mut(), tasks);
        // A replay of a line knows of both what the search was asked, which a method that says nothing changes.
        let alike = |one: &FoundCell, two: &FoundCell| *one == FoundCell { pv: one.pv, ..two.clone() };
        let pairs = cells.iter().zip(&both).filter(|(one, two)| !alike(one, two));
        let silent_differs = pairs.map(|(one, _)| one.name.clone()).collect();
        let (game, methods) = (self.game.name.clone(), self.game.arms[index].name.clone());
        Some(Found { game, methods, cells, cuts, silent_differs })
    }
}

/// The tasks of each method set of a game.
fn tasks(plan: &Plan, index: usize) -> Vec<Vec<Task<AnyPosition>>> {
    let mut tasks = vec![Vec::new(); plan.games[index].arms.len()];
    let mut cell = 0;
    for unit in &plan.units {
        let game = &plan.games[unit.game];
        let entry = &game.entries[unit.entry];
        for (methods, _) in unit.cells() {
            // Other programs have budgets that our own search has not.
            if let (true, Some(budget)) = (unit.game == index, unit.allowance.budget(|| Duration::ZERO)) {
                let root = game.roots[unit.entry].clone();
                let name = format!("{}, {}", entry.id, unit.allowance);
                tasks[methods].push((cell, name, root, budget.max_depth()));
            }
            cell += 1;
        }
    }
    tasks
}

/// Compares the value of `none` with that of minimax, iteration by iteration, at every position.
fn none_against_minimax<G: Game>(game: &G, options: &Options, tasks: &[Task<G::Position>]) -> Differences {
    let mut search = game.clone().searcher(Methods::NONE, options.clone());
    let mut seen: Vec<&G::Position> = Vec::new();
    let mut different = Vec::new();
    for (_, name, root, _) in tasks {
        if seen.contains(&root) {
            continue;
        }
        seen.push(root);
        let mut moves = Moves::<G>::new();
        game.moves(root, &mut moves);
        let outcome = search.run(root, &Budget::Depth(minimax_depth(moves.len())));
        let wrong = |depth: i32| search.minimax(root, Depth(depth));
        if outcome.iterations.iter().any(|iteration| iteration.score != wrong(iteration.depth)) {
            different.push(name.clone());
        }
    }
    (seen.len(), different)
}

/// The depth to which minimax searches a position with so many moves: drops make it one or two less.
fn minimax_depth(moves: usize) -> i32 {
    let leaves = |depth: &i32| (moves as f64).powi(*depth);
    (2..=MINIMAX_DEPTH).rev().find(|depth| leaves(depth) <= MINIMAX_LEAVES).unwrap_or(1)
}
