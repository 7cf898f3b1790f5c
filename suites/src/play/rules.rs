//! What a game that is really played needs besides the search's view of it: how it ends, and how it is written.
//!
//! Inside a search one repetition is a draw; in a game it takes the third occurrence. So the referee counts by
//! itself, with keys that leave the fifty-move clock out.

use secateur_core::game::{chess::Chess, othello::Othello};
use secateur_core::{Game, Moves};

pub use secateur_record::play::Reason;

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// Side that won; `None` for a draw.
    pub winner: Option<usize>,
    /// Why.
    pub reason: Reason,
    /// What a player said or did, where that is the reason.
    pub detail: String,
}

impl End {
    /// An end that needs no further words.
    #[must_use]
    pub fn new(winner: Option<usize>, reason: Reason) -> End {
        End { winner, reason, detail: String::new() }
    }
}

/// A game that can be played out.
pub trait Rules: Game {
    /// Names of side 0 and side 1.
    const SIDES: [&'static str; 2];
    /// Built-in position set that games start from; `None` if openings are drawn from known lines.
    const OPENINGS: Option<&'static str>;
    /// Whether players other than this program can play it.
    const ENGINES: bool;

    /// Text by which the rules call two positions the same.
    fn identity(&self, pos: &Self::Position) -> String;
    /// The end of the game by the rules, if this is it. `seen` counts how often the position has occurred, now
    /// included.
    fn end(&self, pos: &Self::Position, seen: usize) -> Option<End>;
    /// Points of side 0 minus those of side 1 in a finished game, where the game counts points.
    fn margin(&self, pos: &Self::Position) -> Option<i32>;
    /// A move as people write it (SAN; `d3`).
    fn shown(&self, pos: &Self::Position, mv: Self::Move) -> String;
    /// The move if it is the only one and no choice: a forced pass.
    fn forced(&self, pos: &Self::Position) -> Option<Self::Move>;
}

impl Rules for Chess {
    const SIDES: [&'static str; 2] = ["white", "black"];
    const OPENINGS: Option<&'static str> = None;
    const ENGINES: bool = true;

    fn identity(&self, pos: &Self::Position) -> String {
        format!("{:016x}", self.repetition_key(pos))
    }

    fn end(&self, pos: &Self::Position, seen: usize) -> Option<End> {
        if no_moves(self, pos) {
            let (winner, reason) = if self.in_check(pos) {
                (Some(1 - self.side(pos)), Reason::Checkmate)
            } else {
                (None, Reason::Stalemate)
            };
            return Some(End::new(winner, reason));
        }
        if self.drawn(pos, &[]) {
            let fifty = pos.board().halfmove_clock() >= 100;
            return Some(End::new(None, if fifty { Reason::FiftyMoves } else { Reason::Material }));
        }
        (seen >= 3).then(|| End::new(None, Reason::Repetition))
    }

    fn margin(&self, _: &Self::Position) -> Option<i32> {
        None
    }

    fn shown(&self, pos: &Self::Position, mv: Self::Move) -> String {
        cozy_chess::util::display_san_move(pos.board(), mv).to_string()
    }

    fn forced(&self, _: &Self::Position) -> Option<Self::Move> {
        None
    }
}

impl Rules for Othello {
    const SIDES: [&'static str; 2] = ["x", "o"];
    const OPENINGS: Option<&'static str> = Some("othello-12");
    const ENGINES: bool = false;

    fn identity(&self, pos: &Self::Position) -> String {
        self.format(pos)
    }

    fn end(&self, pos: &Self::Position, _: usize) -> Option<End> {
        if !no_moves(self, pos) {
            return None;
        }
        let winner = match self.margin(pos)? {
            0 => None,
            discs => Some(usize::from(discs < 0)),
        };
        Some(End::new(winner, Reason::Discs))
    }

    fn margin(&self, pos: &Self::Position) -> Option<i32> {
        let own = self.outcome(pos, 0).0 / 100;
        no_moves(self, pos).then_some(if self.side(pos) == 0 { own } else { -own })
    }

    fn shown(&self, pos: &Self::Position, mv: Self::Move) -> String {
        self.format_move(pos, mv)
    }

    fn forced(&self, pos: &Self::Position) -> Option<Self::Move> {
        let mut moves = Moves::<Othello>::new();
        self.moves(pos, &mut moves);
        moves.first().map(|scored| scored.mv).filter(|&mv| self.plies(mv) == 0)
    }
}

fn no_moves<G: Game>(game: &G, pos: &G::Position) -> bool {
    let mut moves = Moves::<G>::new();
    game.moves(pos, &mut moves);
    moves.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Plays moves and gives the end of the game after each.
    fn line(fen: &str, moves: &str) -> Vec<Option<Reason>> {
        let game = Chess::default();
        let mut pos = game.parse(fen).unwrap();
        let mut seen = BTreeMap::from([(game.identity(&pos), 1)]);
        moves
            .split(' ')
            .map(|text| {
                pos = game.play(&pos, game.parse_move(&pos, text).unwrap());
                let seen = seen.entry(game.identity(&pos)).or_default();
                *seen += 1;
                game.end(&pos, *seen).map(|end| end.reason)
            })
            .collect()
    }

    #[test]
    fn the_third_occurrence_ends_a_game_and_the_second_does_not() {
        for clock in [0, 70, 79, 85] {
            let fen = format!("6k1/8/8/8/8/8/4R3/6K1 w - - {clock} 90");
            let ends = line(&fen, "e2e3 g8f8 e3e2 f8g8 e2e3 g8f8 e3e2 f8g8");
            assert_eq!(ends.iter().position(Option::is_some), Some(7), "{clock}");
            assert_eq!(ends[7], Some(Reason::Repetition));
        }
    }

    #[test]
    fn every_end_of_a_chess_game_has_its_name() {
        let at = |fen: &str, moves: &str| line(fen, moves).pop().unwrap();
        assert_eq!(at("6k1/5ppp/8/8/8/8/4R3/6K1 w - - 99 90", "e2e8"), Some(Reason::Checkmate));
        assert_eq!(at("7k/8/8/6Q1/8/8/8/K7 w - - 0 1", "g5g6"), Some(Reason::Stalemate));
        assert_eq!(at("6k1/8/8/8/8/8/4R3/6K1 w - - 99 90", "e2e3"), Some(Reason::FiftyMoves));
        assert_eq!(at("6k1/8/8/8/8/8/4r3/5K2 w - - 3 90", "f1e2"), Some(Reason::Material));
        assert_eq!(at("6k1/8/8/8/8/8/4R3/6K1 w - - 3 90", "e2e3"), None);
    }
}
