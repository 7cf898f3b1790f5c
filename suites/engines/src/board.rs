//! What stands on the board of a program that keeps one, so that a game is told as any client tells it: the position once, then
//! the moves.
//!
//! Some programs keep a list of all moves since they were last told of a new game, and end when it is full. Left out: taking
//! moves back; a question that does not go on from the board has its position set up.

use super::Ask;
use super::client::Said;
use super::info::Act;

/// A position and the moves since.
#[derive(Debug, Default)]
pub(super) struct Board {
    /// Nothing if the board is not known: at the start of a game, and after a search that did not end with a move.
    position: Option<String>,
    /// Nothing in place of a move that the program made and named in letters of its own.
    moves: Vec<Option<String>>,
}

impl Board {
    /// The moves of a question that are still to be told, if it goes on from what stands there; nothing if its position has to be
    /// set up. Afterwards the board is that of the question.
    pub(super) fn goes_on<'a>(&mut self, ask: &Ask<'a>) -> Option<&'a [String]> {
        let is_same =
            |(played, asked): (&Option<String>, &String)| played.as_ref().is_none_or(|mv| mv == asked);
        let goes_on = self.position.as_deref() == Some(ask.position)
            && self.moves.len() <= ask.moves.len()
            && self.moves.iter().zip(ask.moves).all(is_same);
        let missing = goes_on.then(|| &ask.moves[self.moves.len()..]);
        self.position = Some(ask.position.to_owned());
        self.moves = ask.moves.iter().cloned().map(Some).collect();
        missing
    }

    /// Hears how a search ended: a program that moves does so on its board. `same_letters` says whether the caller writes the move
    /// as it does.
    pub(super) fn hear(&mut self, end: &Said, same_letters: bool) {
        match end {
            Said::Move(mv) => self.moves.push(same_letters.then(|| mv.clone())),
            // A move may follow.
            Said::Instead(Act::ClaimsWin | Act::ClaimsDraw) => {}
            _ => self.forget(),
        }
    }

    /// Nobody knows any longer what stands there.
    pub(super) fn forget(&mut self) {
        self.position = None;
    }
}

#[cfg(test)]
mod tests {
    use super::super::Go;
    use super::*;

    #[test]
    fn a_game_that_goes_on_is_told_its_new_moves_only() {
        let moves = ["a", "b", "c", "d", "e"].map(str::to_owned);
        let ask = |position, moves| Ask::new(position, Go::Own).after(moves);
        let mut board = Board::default();
        let moved = |mv: &str| Said::Move(mv.to_owned());
        assert_eq!(board.goes_on(&ask("start", &moves[..1])), None);
        board.hear(&moved("b"), true);
        assert_eq!(board.goes_on(&ask("start", &moves[..3])), Some(&moves[2..3]));
        board.hear(&moved("Dd"), false);
        assert_eq!(board.goes_on(&ask("start", &moves[..4])), Some(&[][..]));
        // Another move than the one that it made, another position, and a board that nobody knows.
        board.hear(&moved("x"), true);
        assert_eq!(board.goes_on(&ask("start", &moves)), None);
        assert_eq!(board.goes_on(&ask("other", &moves)), None);
        board.hear(&Said::Nothing, true);
        assert_eq!(board.goes_on(&ask("other", &moves)), None);
        assert_eq!(board.goes_on(&ask("other", &moves)), Some(&[][..]), "the same question again");
    }
}
