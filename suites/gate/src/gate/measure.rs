//! What the gate measures: every method set on every position, alone and with a method that never speaks, and `none` against
//! minimax.

use super::{Measured, Share};
use crate::instructions::Count;
use secateur_core::prune::Methods;
use secateur_core::search::{AnySearch, Budget, Outcome, Table};
use secateur_core::{AnyGame, AnyPosition, Depth, Game, Moves, Rules};
use secateur_positions::Fnv;
use secateur_suites::Error;
use secateur_suites::instruments::pv;
use secateur_suites::matrix::{GamePlan, HostArm, Plan};
use secateur_suites::pool::each;
use secateur_suites::setups::methods::names;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Leaves of the trees in which `none` is compared with minimax, about: what minimax can search in a second or two.
const MINIMAX_LEAVES: f64 = 2e5;
/// Depth at which `none` is compared with minimax, where there are no more leaves than that.
const MINIMAX_DEPTH: i32 = 3;

/// What one method set did on the positions of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeasuredArm {
    /// Name of the game.
    pub game: String,
    /// The method set.
    pub methods: String,
    /// One search a position and budget.
    pub cells: Vec<MeasuredCell>,
    /// Cuts of each method of [`names`], all searches together.
    pub cuts: Vec<u64>,
    /// Searches that one more method changed, which is asked at every moment and never speaks.
    pub silent_differs: Vec<String>,
}

/// What one search gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeasuredCell {
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
) -> (Vec<MeasuredCell>, Vec<u64>) {
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
        cells.push(MeasuredCell {
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

/// Measures every game of the plan and has the shares counted, in one queue, so that no thread waits for another before the end: what
/// takes longest begins first.
pub(super) fn all(plan: &Plan, shares: &[Share], threads: usize) -> Piece {
    let tables = Mutex::new(Vec::new());
    let games = plan.games.iter().enumerate();
    let games: Vec<Measure<'_>> =
        games.map(|(index, game)| Measure { game, tasks: tasks(plan, index), tables: &tables }).collect();
    let counting =
        shares.iter().map(|share| -> Job<'_> { Box::new(move || Ok((Measured::default(), share.count()?))) });
    let minimax = games.iter().map(|game| -> Job<'_> { Box::new(move || Ok((game.minimax(), Vec::new()))) });
    let arms = games.iter().flat_map(|game| (0..game.tasks.len()).map(move |arm| (game, arm)));
    let arms = arms.map(|(game, arm)| -> Job<'_> { Box::new(move || Ok((game.arm(arm), Vec::new()))) });
    let all: Vec<Job<'_>> = counting.chain(minimax).chain(arms).collect();
    let (mut measured, mut counts, mut arms) = (Measured::default(), Vec::new(), BTreeMap::new());
    let run = |job: &Job<'_>| job();
    each(&all, threads, &AtomicBool::new(false), run, |at, part| {
        let (part, counted) = part?;
        arms.extend(part.arms.into_iter().map(|arm| (at, arm)));
        measured.minimax.extend(part.minimax);
        counts.extend(counted);
        Ok(())
    })?;
    measured.arms = arms.into_values().collect();
    Ok((measured, counts))
}

/// What was measured, and what was counted.
type Piece = Result<(Measured, Vec<Count>), Error>;
/// What one thread does at a time.
type Job<'a> = Box<dyn Fn() -> Piece + Sync + 'a>;

struct Measure<'a> {
    game: &'a GamePlan,
    /// The searches of each method set.
    tasks: Vec<Vec<Task<AnyPosition>>>,
    /// Tables that no search uses just now: the system takes longer to give memory than most searches need.
    tables: &'a Mutex<Vec<(&'static str, Table)>>,
}

impl Measure<'_> {
    /// Compares the value of `none` with that of minimax, iteration by iteration, at every position.
    fn minimax(&self) -> Measured {
        let GamePlan { game, setup, entries, roots, .. } = self.game;
        let mut search = game.clone().searcher(Methods::NONE, setup.options.clone());
        let mut differs = |root: &AnyPosition| {
            let mut moves = Moves::<AnyGame>::new();
            game.moves(root, &mut moves);
            let outcome = search.run(root, &Budget::Depth(minimax_depth(moves.len())));
            let wrong = |depth: i32| search.minimax(root, Depth(depth));
            outcome.iterations.iter().any(|iteration| iteration.score != wrong(iteration.depth))
        };
        let different = entries.iter().zip(roots).filter(|(_, root)| differs(root));
        let different = different.map(|(entry, _)| entry.id.clone()).collect();
        let minimax = BTreeMap::from([(self.game.name.clone(), (roots.len(), different))]);
        Measured { minimax, ..Measured::default() }
    }

    /// Measures a method set; nothing of one that is not of our own search.
    fn arm(&self, index: usize) -> Measured {
        let Some(HostArm { ready, .. }) = self.game.arms[index].host_arm() else {
            return Measured::default();
        };
        let tasks = &self.tasks[index];
        let (game, options) = (&self.game.game, &self.game.setup.options);
        let tables = || self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let free = tables().pop().filter(|(of, _)| *of == game.name());
        let mut table =
            free.map_or_else(|| Table::new(options.table_mib, options.drafts), |(_, table)| table);
        let mut measured = |methods: &Methods| {
            let mut search = game.clone().searcher(methods, options.clone());
            search.swap_table(&mut table);
            let searches = measure_arm(search.as_mut(), tasks);
            search.swap_table(&mut table);
            searches
        };
        let (cells, cuts) = measured(ready);
        let accompanied = ready.with_silent();
        let (both, _) = measured(&accompanied);
        tables().push((game.name(), table));
        // A replay of a line knows of both what the search was asked, which a method that says nothing changes.
        let alike =
            |one: &MeasuredCell, two: &MeasuredCell| *one == MeasuredCell { pv: one.pv, ..two.clone() };
        let pairs = cells.iter().zip(&both).filter(|(one, two)| !alike(one, two));
        let silent_differs = pairs.map(|(one, _)| one.name.clone()).collect();
        let (game, methods) = (self.game.name.clone(), self.game.arms[index].name.clone());
        let arms = vec![MeasuredArm { game, methods, cells, cuts, silent_differs }];
        Measured { arms, ..Measured::default() }
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

/// The depth to which minimax searches a position with so many moves: drops make it one or two less.
fn minimax_depth(moves: usize) -> i32 {
    let leaves = |depth: &i32| (moves as f64).powi(*depth);
    (2..=MINIMAX_DEPTH).rev().find(|depth| leaves(depth) <= MINIMAX_LEAVES).unwrap_or(1)
}
