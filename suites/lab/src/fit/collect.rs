//! Draws positions, interior nodes of a real search ([`AnySearch::draw`]), each as likely, and searches them: one iterative
//! deepening run gives the value at every depth.
//!
//! The value of an iteration is the exact value of that depth, because the table answers for one depth only
//! and there is no aspiration window; so all depth pairs come from one run. Positions are independent jobs
//! whose results are put in order of their numbers, whatever the number of threads.

use crate::train::shared_out;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use secateur_core::prune::Methods;
use secateur_core::search::{AnySearch, Budget, Options, Searcher};
use secateur_core::{Depth, Game, Meter, Moves, Window};
use secateur_record::table::of_cells;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Mutex;

/// Hears draws done and draws wanted.
pub type Progress<'a> = &'a mut (dyn FnMut(usize, usize) + Send);

/// The values of one drawn position, side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Index of the position of the set that it was drawn from.
    pub source: usize,
    /// The position as the game writes it.
    pub position: String,
    /// Index into the game's stages.
    pub stage: usize,
    /// Base of futility margins ([`secateur_core::Evaluation::balance`]).
    pub balance: i32,
    /// Value by depth, 0 (the horizon function) and up, of each baseline. Ends before the depth that
    /// reaches the end of the game: from there on values are exact, and no estimate is asked for.
    pub values: Vec<Vec<i32>>,
}

/// Depths that cost too much to be searched everywhere. Which draws are searched does not depend on what is found
/// there, so the values are as good a sample, only a smaller one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Deeper {
    /// The depth, plies.
    pub(crate) depth: i32,
    /// One draw in this many.
    pub(crate) share: usize,
}

/// What every thread needs to know.
pub(crate) struct Job<'a, G: Game> {
    /// At least one if there are draws.
    pub(crate) positions: &'a [G::Position],
    /// Draws in all; they go round the positions.
    pub(crate) draws: usize,
    /// Plies between a position and the node drawn below it; at 0 it is the position itself.
    pub(crate) walk: RangeInclusive<u32>,
    pub(crate) seed: u64,
    pub(crate) threads: usize,
    /// The methods and the depth of each baseline.
    pub(crate) baselines: &'a [(Methods, i32)],
    /// The first baseline goes deeper at some of the draws.
    pub(crate) deeper: Option<Deeper>,
    pub(crate) options: &'a Options,
    /// Whether the rows are of the position before the throw that a drawn node is an outcome of.
    pub(crate) unthrown: bool,
}

/// One row for every draw that gave a position, in the order of the draws. `progress` hears draws done and
/// draws wanted.
pub(crate) fn collect<G: Game>(game: &G, job: &Job<'_, G>, progress: Progress<'_>) -> Vec<Row> {
    let threads = job.threads.clamp(1, job.draws.max(1));
    // Neighbours cost about the same, so each thread has every so manieth of them.
    let order: Vec<usize> = (0..threads).flat_map(|first| (first..job.draws).step_by(threads)).collect();
    let done = Mutex::new((0, progress));
    let worker = || Worker::new(game.clone(), job);
    let rows = shared_out(&order, threads, worker, |worker, &item| {
        let row = worker.row(job, item);
        let (done, progress) = &mut *done.lock().expect("a search panicked");
        *done += 1;
        progress(*done, job.draws);
        (item, row)
    });
    let rows: BTreeMap<usize, Option<Row>> = rows.into_iter().collect();
    rows.into_values().flatten().collect()
}

struct Worker<'a, G: Game> {
    game: G,
    searches: Vec<(Searcher<'a, G>, i32)>,
}

impl<'a, G: Game> Worker<'a, G> {
    fn new(game: G, job: &Job<'a, G>) -> Worker<'a, G> {
        // The rows need the value at every depth.
        let options = Options { iteration_step: 1, ..job.options.clone() };
        let search =
            |(ready, depth): &'a (Methods, i32)| (game.clone().searcher(ready, options.clone()), *depth);
        let searches = job.baselines.iter().map(search).collect();
        Worker { game, searches }
    }

    fn row(&mut self, job: &Job<'a, G>, item: usize) -> Option<Row> {
        let Job { positions, walk, seed, .. } = job;
        let game = &self.game;
        let source = item % positions.len();
        let pos = draw(self.searches[0].0.as_ref(), &positions[source], walk, *seed, item)?;
        let pos = if job.unthrown { game.unthrown(&pos)? } else { pos };
        let mut moves = Moves::<G>::new();
        game.moves(&pos, &mut moves);
        if moves.is_empty() && !game.awaits(&pos) {
            return None;
        }
        let horizon = game.horizon(&pos, Window::FULL, 0, &mut Meter::default()).0;
        let open = |depth: i32| game.remaining(&pos).is_none_or(|plies| depth < plies);
        let mut values = Vec::new();
        for (index, (search, depth)) in self.searches.iter_mut().enumerate() {
            let deeper = job.deeper.filter(|deeper| index == 0 && item.is_multiple_of(deeper.share));
            let depth = deeper.map_or(*depth, |deeper| deeper.depth.max(*depth));
            let iterations = search.run(&pos, &Budget::Depth(depth)).iterations;
            let searched = iterations.iter().take_while(|it| open(it.depth)).map(|it| it.score.0);
            values.push(std::iter::once(horizon).chain(searched).collect());
        }
        Some(Row {
            source,
            position: game.format(&pos),
            stage: game.stage(&pos),
            balance: game.balance(&pos).0,
            values,
        })
    }
}

/// Height of the nodes that are drawn. Above 1, so that the search knows good moves at every ply above.
const HEIGHT: Depth = Depth(2);

/// A position as many plies below `from` as one of `walk`, each as likely (0 plies below it is `from`); none where
/// the game ends too soon. A function of position, seed and item number.
pub(super) fn draw<G: Game>(
    search: &dyn AnySearch<G>,
    from: &G::Position,
    walk: &RangeInclusive<u32>,
    seed: u64,
    item: usize,
) -> Option<G::Position> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(item as u64);
    let (least, most) = (*walk.start(), *walk.end());
    let ply = least + below(&mut rng, u64::from(most.saturating_sub(least)) + 1) as u32;
    if ply == 0 {
        return Some(from.clone());
    }
    // Reservoir sampling with one slot.
    search.draw(from, ply, HEIGHT, &mut |seen| below(&mut rng, seen) == 0)
}

/// A number below `bound`, which is at least 1, each as likely but for 1 in 2^64 / `bound`.
fn below(rng: &mut ChaCha8Rng, bound: u64) -> u64 {
    ((u128::from(rng.next_u64()) * u128::from(bound)) >> 64) as u64
}

/// The rows as CSV, one line a position and baseline: where it comes from, and its value at every depth. Depths that
/// were not searched, or that reach the end of the game, are empty. A position of Othello, which begins with squares that are
/// empty (`-`), has an apostrophe before it, as any cell that a spreadsheet would take for a formula.
pub(super) fn csv(rows: &[Row], baselines: &[&str], stages: &[&str]) -> String {
    let deepest = rows.iter().flat_map(|row| &row.values).map(Vec::len).max().unwrap_or(0);
    let fixed = ["baseline", "source", "stage", "position", "balance"].map(str::to_owned);
    let header: Vec<String> =
        fixed.into_iter().chain((0..deepest).map(|depth| format!("v{depth}"))).collect();
    let line = |row: &Row, values: &[i32], baseline: &str| -> Vec<String> {
        let fixed = [
            baseline.to_owned(),
            row.source.to_string(),
            stages[row.stage].to_owned(),
            row.position.clone(),
            row.balance.to_string(),
        ];
        let value = |depth| values.get(depth).map_or(String::new(), i32::to_string);
        fixed.into_iter().chain((0..deepest).map(value)).collect()
    };
    let lines = rows.iter().flat_map(|row| {
        row.values.iter().zip(baselines).map(move |(values, baseline)| line(row, values, baseline))
    });
    of_cells(header, lines)
}
