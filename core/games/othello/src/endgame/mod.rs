//! Exact results of Othello endgames.
//!
//! A search of its own next to the host, because to the end of the game everything is different: values are
//! discs, results never age, and the last few empty squares take most of the time. No clock and no random
//! number: a result, its node count included, is a pure function of the position, the window and the table
//! size. Selective searches go before the exact one, for the moves that they leave in the table and for a first
//! estimate around which its window opens; no result rests on them.

mod last;
mod order;
mod probcut;
mod search;
mod stability;
mod table;

use super::{Board, Othello, Position, Square};
use probcut::Errors;
use secateur_core::search::{Drafts, Table};
use stability::Edges;
use table::Tables;

/// An open window (`alpha`, `beta`) of final disc differences, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Discs {
    /// A result at or below is only known to be at most what is returned.
    pub alpha: i32,
    /// A result at or above is only known to be at least what is returned.
    pub beta: i32,
}

impl Discs {
    /// The window in which every result is exact.
    pub const FULL: Discs = Discs { alpha: -65, beta: 65 };
    /// Win, loss or draw.
    pub const OUTCOME: Discs = Discs { alpha: -1, beta: 1 };
}

/// What the solver found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved {
    /// Final disc difference for the side to move under best play, empty squares going to the winner; a
    /// bound if it lies at or outside a bound of the window.
    pub score_discs: i32,
    /// The best move; the pass if there is no other or the game is over.
    pub best: Square,
    /// Nodes searched: positions whose moves were looked at, and evaluations of searches by the evaluation.
    /// The last disc of a game is counted, not played, and no node.
    pub nodes: u64,
    /// Best play to the end of the game, passes included; only the first move where the score is a bound.
    pub pv: Vec<Square>,
}

/// A solver with its tables. Every solution starts from cleared ones.
pub struct Solver {
    game: Othello,
    /// Exact results.
    tables: Tables,
    /// Results of the search before the exact one, for their moves.
    guess: Table,
    edges: &'static Edges,
    /// How sure the search under way is: a number of [`probcut::CONFIDENCES`], or [`table::EXACT`].
    confidence: u8,
    /// Whether selective searches go before the exact one.
    presearched: bool,
    /// The errors that these reckon with.
    errors: Errors,
    /// How often a result was believed that is not exact.
    beliefs: u64,
    nodes: u64,
}

impl Solver {
    /// A solver with a transposition table of `table_mib` MiB and the evaluation of `game` for ordering.
    pub fn new(game: Othello, table_mib: usize) -> Solver {
        Solver {
            game,
            tables: Tables::new(table_mib),
            guess: Table::new(table_mib.div_ceil(8), Drafts::Exact),
            edges: Edges::get(),
            confidence: table::EXACT,
            presearched: true,
            errors: Errors::measured(),
            beliefs: 0,
            nodes: 0,
        }
    }

    /// The same without the selective searches before the exact one.
    pub fn without_presearch(mut self) -> Solver {
        self.presearched = false;
        self
    }

    /// The exact result of a board for the side to move, without the best move: quick for the many small
    /// endgames that training labels its positions with.
    pub fn exact(&mut self, board: Board) -> i32 {
        self.solve(&Position::new(board, true), Discs::FULL).score_discs
    }
}

/// The solver's results are those of minimax, on boards of random games and whatever was solved before.
#[cfg(test)]
mod tests {
    use super::super::board::squares;
    use super::super::board::{Random, random_boards};
    use super::*;
    use secateur_core::game::Rules;

    fn solver() -> Solver {
        Solver::new(Othello::default(), 8)
    }

    fn minimax(board: Board) -> i32 {
        match board.moves() {
            0 if board.replies() == 0 => board.result(),
            0 => -minimax(board.passed()),
            moves => squares(moves).map(|square| -minimax(board.play(square))).max().unwrap_or(0),
        }
    }

    /// The first `count` boards of random games with `empties` empty squares and a legal move.
    fn boards(empties: u32, count: usize) -> Vec<Board> {
        let mut all = random_boards(60 * (count + count / 4 + 4));
        all.retain(|board| 64 - board.discs() == empties && board.moves() != 0);
        all.truncate(count);
        assert_eq!(all.len(), count);
        all
    }

    fn child_values(solver: &mut Solver, position: &Position) -> Vec<(Square, i32)> {
        let play = |square| (square, -solver.solve(&position.play(square), Discs::FULL).score_discs);
        squares(position.board().moves()).map(play).collect()
    }

    #[test]
    fn exact_results_are_minimax_results() {
        let mut solver = solver();
        for (empties, count) in
            [(1, 20), (2, 20), (3, 20), (4, 20), (5, 30), (6, 40), (7, 40), (8, 40), (9, 20)]
        {
            for board in boards(empties, count) {
                let exact = minimax(board);
                let position = Position::new(board, true);
                let solved = solver.solve(&position, Discs::FULL);
                assert_eq!(solved.score_discs, exact, "{board:?}");
                assert_eq!(solver.exact(board), exact);
                assert_eq!(-minimax(board.play(solved.best)), exact);
                for (alpha, beta) in
                    [(exact - 2, exact), (exact - 1, exact), (exact, exact + 1), (exact - 3, exact + 3)]
                        .into_iter()
                        .chain([(-1, 1), (0, 1), (-1, 0), (-20, 10)])
                {
                    let solved = solver.solve(&position, Discs { alpha, beta });
                    let (value, reply) = (solved.score_discs, -minimax(board.play(solved.best)));
                    if value <= alpha {
                        assert!(exact <= value, "{board:?} ({alpha}, {beta})");
                    } else if value >= beta {
                        assert!(exact >= value && reply >= beta, "{board:?} ({alpha}, {beta})");
                    } else {
                        assert_eq!((value, reply), (exact, exact), "{board:?} ({alpha}, {beta})");
                    }
                }
            }
        }
    }

    /// Solves `count` boards of random games for each number of empty squares, and asks plain minimax.
    fn ask_minimax(counts: &[(u32, usize)]) {
        let mut solver = solver();
        for &(empties, count) in counts {
            for board in boards(empties, count) {
                assert_eq!(solver.exact(board), minimax(board), "{board:?}");
            }
        }
    }

    #[test]
    fn thousands_of_results_are_minimax_results() {
        ask_minimax(&[(1, 500), (2, 500), (3, 500), (4, 500), (5, 500), (6, 400), (7, 100)]);
    }

    /// `cargo test --release -p secateur-othello hundreds_of_thousands -- --ignored`
    #[test]
    #[ignore = "plain minimax takes minutes"]
    fn hundreds_of_thousands_of_results_are_minimax_results() {
        ask_minimax(&[
            (1, 100_000),
            (2, 100_000),
            (3, 100_000),
            (4, 100_000),
            (5, 100_000),
            (6, 50_000),
            (7, 20_000),
            (8, 5_000),
            (9, 1_000),
            (10, 200),
            (11, 30),
            (12, 5),
        ]);
    }

    /// What selective searches leave in the table is no result: with and without them every window has the same.
    #[test]
    fn results_do_not_rest_on_selective_searches() {
        let (mut with, mut without) = (solver(), solver().without_presearch());
        let mut differ = 0;
        for (empties, count) in [(15, 3), (16, 5), (17, 4), (18, 2)] {
            for board in boards(empties, count) {
                let position = Position::new(board, true);
                let exact = without.solve(&position, Discs::FULL);
                let solved = with.solve(&position, Discs::FULL);
                assert_eq!(solved.score_discs, exact.score_discs, "{board:?}");
                differ += usize::from(solved.nodes != exact.nodes);
                let score = exact.score_discs;
                for (alpha, beta) in
                    [(score - 1, score + 1), (score - 2, score), (score, score + 1), (-1, 1), (-65, 0)]
                {
                    for solver in [&mut with, &mut without] {
                        let value = solver.solve(&position, Discs { alpha, beta }).score_discs;
                        if score <= alpha {
                            assert!((score..=alpha).contains(&value), "{board:?} ({alpha}, {beta}) {value}");
                        } else if score >= beta {
                            assert!((beta..=score).contains(&value), "{board:?} ({alpha}, {beta}) {value}");
                        } else {
                            assert_eq!(value, score, "{board:?} ({alpha}, {beta})");
                        }
                    }
                }
            }
        }
        assert!(differ > 5, "there must be selective searches: {differ}");
    }

    /// Above the reach of plain minimax: a result is the best of its children's, by every path of the search.
    #[test]
    fn results_are_the_best_of_the_childrens() {
        let mut solver = solver();
        for (empties, count) in [(12, 5), (13, 4), (14, 3), (16, 2), (17, 1)] {
            for board in boards(empties, count) {
                let position = Position::new(board, true);
                let solved = solver.solve(&position, Discs::FULL);
                let values = child_values(&mut solver, &position);
                assert_eq!(
                    values.iter().map(|&(_, value)| value).max(),
                    Some(solved.score_discs),
                    "{board:?}"
                );
                assert!(values.contains(&(solved.best, solved.score_discs)));
                let outcome = solver.solve(&position, Discs::OUTCOME).score_discs;
                assert_eq!(outcome.signum(), solved.score_discs.signum());
            }
        }
    }

    #[test]
    fn symmetry_and_colour_leave_results_alone() {
        let (mut solver, game) = (solver(), Othello::default());
        for board in boards(13, 4) {
            let position = Position::new(board, true);
            let exact = solver.exact(board);
            let mirrored = solver.solve(&game.mirror(&position), Discs::FULL);
            assert_eq!(mirrored, solver.solve(&position, Discs::FULL), "colours change nothing at all");
            for symmetry in 1..8 {
                let turned = game.transformed(&position, symmetry);
                assert_eq!(solver.solve(&turned, Discs::FULL).score_discs, exact);
            }
        }
    }

    #[test]
    fn the_line_leads_to_the_result() {
        let mut solver = solver();
        for empties in [3, 9, 15] {
            for board in boards(empties, 6) {
                let solved = solver.solve(&Position::new(board, false), Discs::FULL);
                assert_eq!(solved.pv[0], solved.best);
                let mut end = board;
                for &square in &solved.pv {
                    assert_eq!(square == Square::PASS, end.moves() == 0);
                    assert!(square == Square::PASS || end.moves() & square.bit() != 0);
                    end = end.play(square);
                }
                assert_eq!(end.moves() | end.replies(), 0);
                let sign = if solved.pv.len().is_multiple_of(2) { 1 } else { -1 };
                assert_eq!(sign * end.result(), solved.score_discs);
            }
        }
    }

    #[test]
    fn a_solution_does_not_depend_on_earlier_ones() {
        let (mut used, mut random) = (solver(), Random(5));
        for board in boards(15, 3) {
            let position = Position::new(board, true);
            let fresh = solver().solve(&position, Discs::FULL);
            for _ in 0..random.below(3) {
                used.exact(board.play(fresh.best));
            }
            assert_eq!(used.solve(&position, Discs::FULL), fresh);
        }
    }

    #[test]
    fn forced_passes_and_finished_games_are_solved() {
        let mut solver = solver();
        let (mut passes, mut ends) = (0, 0);
        for board in random_boards(12_000) {
            let empties = 64 - board.discs();
            if board.moves() != 0 || empties > 9 {
                continue;
            }
            let solved = solver.solve(&Position::new(board, true), Discs::FULL);
            assert_eq!((solved.best, solved.score_discs), (Square::PASS, minimax(board)));
            if board.replies() == 0 {
                ends += 1;
                assert!(solved.pv.is_empty());
            } else {
                passes += 1;
                assert_eq!(solved.pv[0], Square::PASS);
            }
        }
        assert!(passes > 50 && ends > 50, "{passes} {ends}");
    }
}
