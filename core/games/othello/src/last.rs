//! The last two plies before the horizon, which are nine nodes in ten: searched without positions or lists of moves.
//!
//! What the host would do there, node for node ([`Evaluation::last_plies`]): the same moves in the same order, the same
//! values. A node is a board and the numbers of its patterns in registers. What the ordering of a node two plies
//! from the horizon finds out about its children, the discs that turn and the replies, is what the children begin with.
//!
//! [`Evaluation::last_plies`]: secateur_core::game::Evaluation::last_plies

use super::board::Board;
use super::flips::{bit, turned};
use super::four::{Four, fourfold};
use super::order::{by_looks, rank};
use super::pattern::{Numbers, WINDOW, added, other, taken};
use super::position::Position;
use super::{LARGEST, Othello, scaled};
use crate::board::Square;
use crate::flips::{Looked, can_move};
use crate::weights::sum;
use secateur_core::Score;
use secateur_core::game::{Last, Meter};
use std::mem::MaybeUninit;
use wide::i32x8;

/// Plies that are searched here.
pub(super) const PLIES: i32 = 2;
/// The rank of the table's move, less its lowest bits: above that of any other.
const TABLE_RANK: i32 = 1 << 24;
/// Below every value.
const LEAST: Score = Score(-Score::INFINITE.0);

/// A value, and the move that is better than alpha.
type Found = (Score, Option<Square>);

/// What is the same for all nodes of a search, and what it has counted.
struct Search<'a> {
    /// Weights at the horizon.
    table: &'a [i16; WINDOW],
    nodes: u64,
    seldepth: u32,
}

/// What a move two plies from the horizon leads to.
#[derive(Clone, Copy)]
struct Child {
    turned: u64,
    replies: u64,
}

/// Searches a node one or two plies from the horizon; none where the side to move must pass or the game is over.
#[inline(never)]
pub(super) fn search(
    game: &Othello,
    pos: &Position,
    last: Last<Square>,
    nodes: &mut u64,
    meter: &mut Meter,
) -> Option<Found> {
    let board = pos.board();
    let moves = board.moves();
    if moves == 0 {
        return None;
    }
    let table = game.weights.table(board.discs() + last.depth as u32);
    let mut search = Search { table, nodes: *nodes, seldepth: meter.seldepth };
    let result = if last.depth == 1 {
        let node = Node::new(board, moves, other(pos.numbers()));
        search.one(node, -reachable(last.alpha), last.ply, |square| stuck(table, pos, &[square]))
    } else {
        search.two(pos, moves, &last)
    };
    *nodes = search.nodes;
    meter.seldepth = search.seldepth;
    Some(result)
}

/// A bound that sums beyond the scale exceed, or not, as the ends of the scale do: it need then not be asked of every sum whether
/// it is beyond.
#[inline(always)]
fn reachable(alpha: Score) -> i32 {
    match alpha.0 {
        alpha if alpha >= LARGEST => i32::MAX - 1,
        alpha if alpha < -LARGEST => -i32::MAX,
        alpha => alpha,
    }
}

/// A node one ply from the horizon, its discs and empty squares in vector registers.
struct Node {
    ours: Four,
    theirs: Four,
    empty: Four,
    moves: u64,
    /// The numbers that the other side sees.
    seen: Numbers,
}

impl Node {
    #[inline(always)]
    fn new(board: Board, moves: u64, seen: Numbers) -> Node {
        let [ours, theirs, empty] = [board.player, board.opponent, board.empty()].map(Four::splat);
        Node { ours, theirs, empty, moves, seen }
    }
}

impl Search<'_> {
    /// Two plies from the horizon.
    #[inline(always)]
    fn two(&mut self, pos: &Position, moves: u64, last: &Last<Square>) -> Found {
        let (board, numbers) = (pos.board(), pos.numbers());
        let [ours, theirs, empty] = [board.player, board.opponent, board.empty()].map(Four::splat);
        let looked = Looked::new(board.player, board.opponent);
        // By square; there are ranks where there is a move.
        let mut children = [MaybeUninit::<Child>::uninit(); 64];
        let mut ranks = [[i32::MIN; 8]; 8];
        let mut unranked = moves;
        while unranked != 0 {
            let square = unranked.trailing_zeros() as usize & 63;
            unranked &= unranked - 1;
            let (turned, replies) = looked.after(square);
            ranks.as_flattened_mut()[square] = rank(square, turned, replies);
            children[square].write(Child { turned, replies });
        }
        if let Some(table) = last.table.filter(|table| moves & table.bit() != 0) {
            ranks.as_flattened_mut()[table.index() & 63] = TABLE_RANK + 63 - table.index() as i32;
        }
        let bound = reachable(last.alpha) + 1;
        let mut best = LEAST;
        for _ in 0..moves.count_ones() {
            // The lowest bits of a rank say of which square it is.
            let square = (!largest(&ranks) & 63) as usize;
            ranks.as_flattened_mut()[square] = i32::MIN;
            // SAFETY: the largest rank is that of a move that is left, since there are as many as rounds; what it leads to was
            // written with its rank.
            let Child { turned, replies } = unsafe { children[square].assume_init() };
            self.nodes += 1;
            let value = if replies != 0 {
                let [all, placed] = [turned, bit(square)].map(Four::splat);
                let node = Node {
                    ours: theirs ^ all,
                    theirs: ours | all | placed,
                    empty: empty & !placed,
                    moves: replies,
                    seen: added(numbers, square, turned),
                };
                let table = self.table;
                let stuck = |next| stuck(table, pos, &[Square::new(square), next]);
                self.one(node, bound, last.ply + 1, stuck).0
            } else {
                let after = Search::immobile(self.table, &pos.play(Square::new(square)), bound, last.ply + 1);
                self.nodes += after.1;
                self.seldepth = self.seldepth.max(after.2);
                after.0
            };
            best = best.max(-value);
            if best > last.alpha {
                return (best, Some(Square::new(square)));
            }
        }
        (best, None)
    }

    /// One ply from the horizon, with a legal move. The first move ends it after which the other side's value is below `bound`.
    /// `stuck` knows the value after a move that leaves the other side without one.
    #[inline(always)]
    fn one(&mut self, node: Node, bound: i32, ply: u32, stuck: impl Fn(Square) -> i32) -> Found {
        let Node { ours, theirs, empty, moves, seen } = node;
        self.seldepth = self.seldepth.max(ply + 1);
        let mut least = i32::MAX;
        for square in by_looks(moves) {
            let word = turned(square, ours, theirs);
            let (all, placed) = (fourfold(word), Four::splat(bit(square)));
            let numbers = taken(seen, square, word.bits());
            self.nodes += 1;
            let value = if can_move(theirs ^ all, ours | all | placed, empty & !placed) {
                sum(self.table, numbers)
            } else {
                stuck(Square::new(square))
            };
            if value < bound {
                return (scaled(-value), Some(Square::new(square)));
            }
            least = least.min(value);
        }
        (scaled(-least), None)
    }

    /// One ply from the horizon, where the side to move must pass or the game is over: the value, more nodes, and how deep they are.
    #[cold]
    #[inline(never)]
    fn immobile(table: &[i16; WINDOW], pos: &Position, bound: i32, ply: u32) -> (Score, u64, u32) {
        let moves = pos.board().replies();
        if moves == 0 {
            return (Score(100 * pos.board().result()), 0, 0);
        }
        let mut search = Search { table, nodes: 1, seldepth: 0 };
        let passed = Node::new(pos.board().passed(), moves, pos.numbers());
        let stuck = |square| stuck(table, pos, &[Square::PASS, square]);
        let (value, _) = search.one(passed, -bound + 1, ply + 1, stuck);
        (-value, search.nodes, search.seldepth)
    }
}

/// The value at the horizon, where the moves of `line` lead and the side to move has none.
#[cold]
#[inline(never)]
fn stuck(table: &[i16; WINDOW], pos: &Position, line: &[Square]) -> i32 {
    let pos = line.iter().fold(*pos, |pos, square| pos.play(*square));
    if pos.board().replies() == 0 { 100 * pos.board().result() } else { -sum(table, pos.passed().numbers()) }
}

/// The largest of the ranks.
#[inline(always)]
fn largest(ranks: &[[i32; 8]; 8]) -> i32 {
    let vectors = ranks.map(i32x8::new);
    let [a, b, c, d, e, f, g, h] = vectors;
    let (left, right) = (a.max(b).max(c.max(d)), e.max(f).max(g.max(h)));
    left.max(right).reduce_max()
}

#[cfg(test)]
mod tests {
    use super::super::board::random_boards;
    use super::*;
    use secateur_core::prune::{Asks, Depths, Prune};
    use secateur_core::search::{Budget, Form, Options, Outcome, Search};

    /// A method that never says anything, but might: the host keeps all nodes to itself.
    struct Silent;
    impl Prune<Othello> for Silent {
        fn asks(&self) -> Asks {
            Asks { enter: Depths::ALL, ..Asks::default() }
        }
    }

    fn run(search: &mut Search<'_, Othello, impl Form<Othello>>, board: Board, budget: &Budget) -> Said {
        let Outcome { iterations, tally, meter, .. } = search.run(&Position::new(board, true), budget);
        let iterations = iterations.into_iter().map(|one| (one.score, one.pv, one.nodes)).collect();
        (iterations, tally.nodes, tally.tt_hits, meter.seldepth)
    }
    type Said = (Vec<(Score, Vec<Square>, u64)>, u64, u64, u32);

    /// Boards of all disc counts, most with few empty squares, where sides must pass and games end.
    fn boards() -> Vec<Board> {
        let mut boards = random_boards(9_000);
        let mut turn = 0;
        boards.retain(|board| {
            turn += 1;
            board.moves() | board.replies() != 0 && turn % (if board.discs() > 52 { 7 } else { 97 }) == 0
        });
        boards
    }

    #[test]
    fn the_tree_is_the_one_that_the_host_searches() {
        use secateur_core::search::Ordering::{Looking, Static};
        for (table_min_depth, etc_min_depth, ordering) in
            [(1, 0, Looking), (2, 0, Looking), (2, 2, Looking), (3, 5, Looking), (2, 0, Static)]
        {
            let options = Options { table_min_depth, etc_min_depth, ordering, ..Options::default() };
            let options = Options { table_mib: 1, ..options };
            let mut ours = Search::full_width(Othello::default(), options.clone());
            let mut hosts = Search::new(Othello::default(), &[&Silent], options);
            let mut deepest = 0;
            for board in boards() {
                let budget = Budget::Depth(if board.discs() > 52 { 8 } else { 6 });
                let searched = run(&mut ours, board, &budget);
                assert_eq!(searched, run(&mut hosts, board, &budget), "{board:?}");
                deepest = deepest.max(searched.3);
            }
            assert!(deepest > 9, "some line must have a pass: {deepest}");
        }
    }

    #[test]
    fn a_budget_of_nodes_ends_at_the_same_node() {
        let options = Options { table_mib: 1, ..Options::default() };
        let mut ours = Search::full_width(Othello::default(), options.clone());
        let mut hosts = Search::new(Othello::default(), &[&Silent], options);
        for (index, board) in boards().into_iter().enumerate().step_by(9) {
            let budget = Budget::Nodes(3_000 + 37 * index as u64);
            assert_eq!(run(&mut ours, board, &budget), run(&mut hosts, board, &budget), "{board:?}");
        }
    }
}
