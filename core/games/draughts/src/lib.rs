//! English draughts (checkers) on the board of eight by eight: rules, notation, an evaluation by patterns, and exact ends.
//!
//! [`Draughts`] ties the parts to the [`Game`] seam. A score is in 1/100 man; a lost game is [`MATE`](secateur_base::MATE) from its end, as a mate in
//! chess. Captures are forced: whoever must take has no other move, and the search goes on below its horizon until there is nothing to
//! take. Left out: flying kings and boards of ten by ten, which are other games. Whole games are read and written by the packages of
//! positions and of matches.

mod board;
pub mod endgame;
mod order;
mod position;
mod rules;
mod text;
mod weights;

#[cfg(test)]
mod judged;
#[cfg(test)]
mod testing;

pub use board::{Board, Move};
pub use position::{NO_PROGRESS, Position};
pub use weights::{CROWNED, LARGEST, Learnt, MEN, WEIGHTS, Weights, terms};

use endgame::Database;
use secateur_core::game::{AnyGame, Game};
use secateur_core::prune::Methods;
use secateur_core::search::{Options, Searcher, searcher};
use std::sync::Arc;

/// What a man counts in the balance: the unit of all scores.
pub(crate) const MAN: i32 = 100;
/// What a king counts in the balance.
pub(crate) const KING: i32 = 130;

/// English draughts with one set of weights and, perhaps, an endgame database.
#[derive(Clone, Debug)]
pub struct Draughts {
    weights: Arc<Weights>,
    database: Option<Arc<Database>>,
}

impl Draughts {
    /// Draughts with the given weights.
    pub fn new(weights: Arc<Weights>) -> Draughts {
        Draughts { weights, database: None }
    }

    /// The same with more exact values of endgames, which [`solved`](secateur_core::game::Evaluation::solved) gives, than those of [`Database::usual`]. No
    /// search asks for them.
    pub fn with_database(self, database: Arc<Database>) -> Draughts {
        Draughts { database: Some(database), ..self }
    }

    /// The weights in use.
    pub fn weights(&self) -> &Arc<Weights> {
        &self.weights
    }

    /// The start position, black to move.
    pub fn start(&self) -> Position {
        Position::new(Board::START, true, 0)
    }
}

impl Default for Draughts {
    /// Draughts with the embedded weights and the usual database.
    fn default() -> Draughts {
        Draughts::new(Weights::embedded())
    }
}

impl Game for Draughts {
    const NAME: &'static str = "draughts";

    #[inline(never)]
    fn searcher(self, methods: &Methods, options: Options) -> Searcher<'_, Self> {
        searcher(self, methods, options)
    }
}

impl From<Draughts> for AnyGame {
    #[inline(never)]
    fn from(game: Draughts) -> AnyGame {
        AnyGame::of(game)
    }
}

/// The seam as a whole: balance and gain, the search beyond the horizon, ends.
#[cfg(test)]
mod tests {
    use super::*;
    use secateur_base::MATE;
    use secateur_core::game::{Evaluation, Meter, Notation, Rules};
    use secateur_core::{Score, Window};

    fn positions(count: usize) -> impl Iterator<Item = Position> {
        testing::boards(count).into_iter().map(|board| Position::new(board, true, 0))
    }

    #[test]
    fn balance_changes_by_the_gain_of_each_move() {
        let game = Draughts::default();
        let mut gains = std::collections::BTreeSet::new();
        for pos in positions(3_000) {
            for mv in testing::moves(&pos.board) {
                let gain = game.gain(&pos, mv);
                assert_eq!(game.balance(&game.play(&pos, mv)), -(game.balance(&pos) + gain));
                assert_eq!(gain.0 != 0, game.tactical(&pos, mv));
                gains.insert(gain);
            }
        }
        assert!(gains.len() > 5, "{gains:?}");
    }

    /// Negamax without windows over the tree of forced captures, from its definition.
    fn plain(game: &Draughts, pos: &Position, ply: u32) -> Score {
        let moves = testing::moves(&pos.board);
        if moves.is_empty() {
            return game.outcome(pos, ply);
        }
        if !moves[0].is_capture() {
            return game.evaluate(pos);
        }
        moves.iter().map(|&mv| -plain(game, &game.play(pos, mv), ply + 1)).max().expect("a move")
    }

    #[test]
    fn any_window_bounds_the_minimax_value_of_the_captures() {
        let game = Draughts::default();
        let mut beyond = 0;
        for pos in positions(3_000) {
            let exact = plain(&game, &pos, 3);
            let quiet = |window| game.horizon(&pos, window, 3, &mut Meter::default());
            assert_eq!(quiet(Window::FULL), exact);
            for bound in [exact.0 - 40, exact.0, exact.0 + 1, exact.0 + 40] {
                let score = quiet(Window::at_least(Score(bound)));
                assert!(if score.0 >= bound { score <= exact } else { score >= exact });
            }
            beyond += u32::from(pos.board.must_take());
        }
        assert!(beyond > 300, "{beyond}");
    }

    #[test]
    fn who_cannot_move_has_lost() {
        let game = Draughts::default();
        // 5 is blocked by 9, which 14 guards.
        let stuck = game.parse("B:W9,14:B5").expect("a position");
        assert_eq!(game.horizon(&stuck, Window::FULL, 4, &mut Meter::default()), Score(4 - MATE));
        let ending = game.ending(&stuck, 1).expect("the end");
        assert_eq!((ending.winner, ending.why), (Some(1), "no-moves"));
        let none = game.parse("W:W:B5").expect("a position");
        assert_eq!(game.ending(&none, 1).and_then(|ending| ending.winner), Some(0));
    }

    #[test]
    fn passing_is_meant_seriously_where_nothing_must_be_taken() {
        let game = Draughts::default();
        for (fen, plausible) in [("B:W18:B14", false), ("B:W22:B14", true)] {
            let pos = game.parse(fen).expect("a position");
            assert_eq!(game.null_plausible(&pos), plausible, "{fen}");
            assert!(game.null(&pos).is_some());
        }
    }

    #[test]
    fn canonical_forms_leave_out_colour_and_clock() {
        let game = Draughts::default();
        let pos = game.parse("W:W32,K20:B1,2:H7").expect("a position");
        let image = game.mirror(&pos);
        assert_ne!(game.format(&pos), game.format(&image));
        assert_eq!(game.canonical(&pos), game.canonical(&image));
        assert_eq!(game.format(&image), "B:W31,32:B1,K13:H7");
    }
}
