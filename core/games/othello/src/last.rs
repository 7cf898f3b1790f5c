//! The last two plies before the horizon, which are nine nodes in ten: searched without positions or lists of moves.
//!
//! What the host would do there, node for node ([`Evaluation::last_plies`]): the same moves in the same order, the same
//! values. A node is a board and the numbers of its patterns in registers. What the ordering of a node two plies
//! from the horizon finds out about its children, the discs that turn and the replies, is what the children begin with.
//!
//! [`Evaluation::last_plies`]: secateur_core::game::Evaluation::last_plies

use super::board::Board;
use super::gather::sum;
use super::order::{TABLE_MOVE, by_looks, by_replies};
use super::pattern::{VECTORS, WINDOW, both, change};
use super::position::Position;
use super::square::Square;
use super::{LARGEST, Othello};
use arrayvec::ArrayVec;
use secateur_core::Score;
use secateur_core::game::{Last, Meter};
use wide::i16x16;

/// Plies that are searched here.
pub(super) const PLIES: i32 = 2;
/// More moves than any position has.
const MOST: usize = 34;
/// Below every value.
const LEAST: Score = Score(-Score::INFINITE.0);

/// Pattern numbers.
type Numbers = [i16x16; VECTORS];
/// A value, and the move that is better than alpha.
type Found = (Score, Option<Square>);

/// What is the same for all nodes of a search.
struct Search<'a> {
    /// Weights at the horizon.
    table: &'a [i16; WINDOW],
    nodes: u64,
    seldepth: u32,
}

/// A move two plies from the horizon.
struct Child {
    square: Square,
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
    let numbers = pos.numbers();
    let found = if last.depth == 1 {
        let node = Node { board, moves, seen: other(numbers) };
        search.one(&node, last.alpha, last.ply)
    } else {
        search.two(board, moves, numbers, &last)
    };
    *nodes = search.nodes;
    meter.seldepth = search.seldepth;
    Some(found)
}

/// The numbers that the other side sees.
#[inline(always)]
fn other(numbers: Numbers) -> Numbers {
    std::array::from_fn(|vector| both(vector) - numbers[vector])
}

/// A node one ply from the horizon.
struct Node {
    board: Board,
    moves: u64,
    /// The numbers that the other side sees.
    seen: Numbers,
}

impl Search<'_> {
    /// Two plies from the horizon.
    #[inline(always)]
    fn two(&mut self, board: Board, moves: u64, numbers: Numbers, last: &Last<Square>) -> Found {
        let mut children = ArrayVec::<Child, MOST>::new();
        let mut ranks = ArrayVec::<i64, MOST>::new();
        let mut rest = moves;
        while rest != 0 {
            let square = Square::new(rest.trailing_zeros() as usize & 63);
            rest &= rest - 1;
            let turned = board.flips(square);
            let child = board.after(square, turned);
            let replies = child.moves();
            let value =
                if last.table == Some(square) { TABLE_MOVE } else { by_replies(square, child, replies) };
            // Among equals the first goes first, and the rank says which child it is of.
            ranks.push((i64::from(value) << 8) + (MOST - children.len()) as i64);
            children.push(Child { square, turned, replies });
        }
        let mut best = LEAST;
        for _ in 0..children.len() {
            let (at, rank) = first(&ranks);
            ranks[at] = i64::MIN;
            let Child { square, turned, replies } = children[MOST - (rank & 0xFF) as usize];
            let change = change(square, turned);
            let seen = std::array::from_fn(|vector| numbers[vector] + change[vector]);
            let node = Node { board: board.after(square, turned), moves: replies, seen };
            self.nodes += 1;
            let (value, _) = if replies != 0 {
                self.one(&node, Score(-last.alpha.0 - 1), last.ply + 1)
            } else {
                (self.immobile(&node, Score(-last.alpha.0 - 1), last.ply + 1), None)
            };
            best = best.max(-value);
            if best > last.alpha {
                return (best, Some(square));
            }
        }
        (best, None)
    }

    /// One ply from the horizon, with a legal move.
    #[inline(always)]
    fn one(&mut self, node: &Node, alpha: Score, ply: u32) -> Found {
        let mut best = LEAST;
        self.seldepth = self.seldepth.max(ply + 1);
        for square in by_looks(node.moves) {
            let turned = node.board.flips(square);
            let child = node.board.after(square, turned);
            let change = change(square, turned);
            let numbers = std::array::from_fn(|vector| node.seen[vector] - change[vector]);
            self.nodes += 1;
            let value = if child.is_mobile() { self.evaluation(numbers) } else { self.stuck(child, numbers) };
            best = best.max(-value);
            if best > alpha {
                return (best, Some(square));
            }
        }
        (best, None)
    }

    /// One ply from the horizon, where the side to move must pass or the game is over.
    #[cold]
    #[inline(never)]
    fn immobile(&mut self, node: &Node, alpha: Score, ply: u32) -> Score {
        let moves = node.board.replies();
        if moves == 0 {
            return Score(100 * node.board.result());
        }
        self.nodes += 1;
        let passed = Node { board: node.board.passed(), moves, seen: other(node.seen) };
        -self.one(&passed, Score(-alpha.0 - 1), ply + 1).0
    }

    /// At the horizon, with a legal move.
    #[inline(always)]
    fn evaluation(&self, numbers: Numbers) -> Score {
        Score(sum(self.table, numbers).clamp(-LARGEST, LARGEST))
    }

    /// At the horizon, without one.
    #[cold]
    #[inline(never)]
    fn stuck(&self, board: Board, numbers: Numbers) -> Score {
        if board.replies() == 0 { Score(100 * board.result()) } else { -self.evaluation(other(numbers)) }
    }
}

/// The place of the largest of the ranks, and it.
#[inline(always)]
fn first(ranks: &[i64]) -> (usize, i64) {
    let mut best = (0, i64::MIN);
    for (at, &rank) in ranks.iter().enumerate() {
        best = if rank > best.1 { (at, rank) } else { best };
    }
    best
}

#[cfg(test)]
mod tests {
    use super::super::board::tests::random_boards;
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
        let said = iterations.into_iter().map(|found| (found.score, found.pv, found.nodes)).collect();
        (said, tally.nodes, tally.tt_hits, meter.seldepth)
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
                let said = run(&mut ours, board, &budget);
                assert_eq!(said, run(&mut hosts, board, &budget), "{board:?}");
                deepest = deepest.max(said.3);
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
