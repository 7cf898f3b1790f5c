//! Exact results of Othello endgames.
//!
//! A search of its own next to the host, because to the end of the game everything is different: values are
//! discs, results never age, and the last few empty squares take most of the time. No clock and no random
//! number: a result, its node count included, is a pure function of the position, the window and the table
//! size. Selective searches go before the exact one, for the moves that they leave in the table and for a first
//! estimate around which its window opens; no result rests on them.

mod count;
mod guess;
mod last;
mod order;
mod parity;
mod probcut;
mod root;
mod search;
mod stability;
mod table;

use super::{Board, Othello, Position, Square};
use probcut::Errors;
use search::Search;
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
    search: Search,
}

impl Solver {
    /// A solver with a transposition table of `table_mib` MiB and the evaluation of `game` for ordering.
    #[must_use]
    pub fn new(game: Othello, table_mib: usize) -> Solver {
        Solver {
            search: Search {
                game,
                tables: Tables::new(table_mib),
                guess: secateur_core::search::Table::new(
                    table_mib.div_ceil(8),
                    secateur_core::search::Drafts::Exact,
                ),
                edges: Edges::get(),
                confidence: table::EXACT,
                beliefs: 0,
                presearched: true,
                errors: Errors::measured(),
                nodes: 0,
            },
        }
    }

    /// The same without the selective searches before the exact one.
    #[must_use]
    pub fn without_presearch(mut self) -> Solver {
        self.search.presearched = false;
        self
    }

    /// The result of a position within `window`.
    pub fn solve(&mut self, position: &Position, window: Discs) -> Solved {
        self.search.forget();
        self.search.root(position, window)
    }

    /// The exact result of a board for the side to move, without the best move: quick for the many small
    /// endgames that training labels its positions with.
    pub fn exact(&mut self, board: Board) -> i32 {
        self.solve(&Position::new(board, true), Discs::FULL).score_discs
    }
}

#[cfg(test)]
mod tests;
