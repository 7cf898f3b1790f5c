//! How games end: by the rules of the game ([`secateur_core::Rules::ending`]), or by what a player did.

use secateur_core::Game;

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

    /// The end of a game by its rules, if `pos`, which has occurred `seen` times, is it.
    ///
    /// # Panics
    /// For a game that gives a reason which no record knows.
    #[must_use]
    pub fn by_rules<G: Game>(game: &G, pos: &G::Position, seen: usize) -> Option<End> {
        let ending = game.ending(pos, seen)?;
        let reason = ending.why.parse().unwrap_or_else(|unknown| panic!("{}: {unknown}", game.name()));
        Some(End::new(ending.winner, reason))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_core::{Notation, Rules};
    use secateur_games::chess::Chess;
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
                End::by_rules(&game, &pos, *seen).map(|end| end.reason)
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
