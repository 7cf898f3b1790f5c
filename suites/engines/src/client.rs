//! The seam between what all programs share and what is said in one protocol.
//!
//! [`Engine`](super::Engine) starts and ends processes, waits, measures and judges; a client knows the words. Whatever a
//! program does instead of answering is met in one place, so a client has nothing to do with it: its waits come back with
//! an error, which it hands on. Rules of games are left out here too.
//!
//! What stands on the board of a program that keeps one is known here for all of them ([`Board`]), so that a game is sent as any board
//! program sends it: the position once, then the moves. Some programs keep a list of all moves since their last new game, and end when it is
//! full. No moves are taken back; a question that does not go on from the board has its position set up.

use crate::error::Done;
use crate::observed::{Act, Observed};
use crate::options::Advertised;
use crate::process::Process;
use crate::{Abilities, Ask, Go};
use std::fmt;

pub(super) use crate::options::Wishes;

/// The words of one protocol, and what one program said of itself in it.
pub(super) trait Client: fmt::Debug + Send {
    /// Arguments that the program gets after those of its user.
    ///
    /// # Errors
    /// A wish that cannot be granted.
    fn arguments(&self, wishes: &Wishes<'_>) -> Done<Vec<String>> {
        let _ = wishes;
        Ok(Vec::new())
    }

    /// Brings a program that was just started to where it can be asked, with its options set. What it calls itself, if it says so.
    ///
    /// # Errors
    /// A wish that cannot be granted, before any is; what the program did instead of answering.
    fn greet(&mut self, process: &mut Process, wishes: &Wishes<'_>) -> Done<Option<String>>;

    /// What it can be asked, once it was greeted.
    fn abilities(&self) -> Abilities;

    /// Its options.
    fn options(&self) -> Option<&Advertised> {
        None
    }

    /// Has it forget what it searched.
    ///
    /// # Errors
    /// What the program did instead of answering.
    fn new_game(&mut self, process: &mut Process) -> Done;

    /// Brings it to the position of a question and to its budget, so that [`Client::go`] is all that is left to say. `missing` are the
    /// moves that its board still lacks, if the question goes on from there; without them the position has to be set up. What it
    /// still had to say of an earlier question is observed here, as far as the protocol allows.
    ///
    /// # Errors
    /// A position or a budget that it refuses; what it did instead of answering.
    fn prepare(&mut self, process: &mut Process, ask: &Ask<'_>, missing: Option<&[String]>) -> Done;

    /// The line at which the search begins. The time is counted from here.
    fn go(&self, ask: &Ask<'_>) -> String;

    /// What a line of a search means: something of the search, for `observed`, or its end.
    fn observe(&mut self, line: &str, observed: &mut Observed) -> Option<Said>;

    /// Whether it has made a move that it names on its board too, and in the caller's letters; nothing if its board stays as it was.
    fn plays(&self, mv: &str) -> Option<bool> {
        let _ = mv;
        None
    }

    /// Whether it has given the game up since its last move, on the time of the other player.
    fn gave_up(&self) -> bool {
        false
    }

    /// After a search: whatever it takes that the program waits.
    ///
    /// # Errors
    /// The process cannot be talked to.
    fn decide(&mut self, process: &mut Process) -> Done {
        let _ = process;
        Ok(())
    }

    /// The deepest iteration that such a question allows, plies.
    fn deepest(&self, ask: &Ask<'_>) -> Option<u32> {
        if let Go::Depth(plies) = ask.go { Some(plies) } else { None }
    }

    /// What the end of a search is called, a move as it should look, and the line that ends a search early.
    fn words(&self) -> (&'static str, &'static str, Option<&'static str>);
}

/// How a search ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// With this move.
    Move(String),
    /// Without a move, with this in place of one.
    Instead(Act),
    /// Without a move, and without a word for why.
    Nothing,
    /// With this, which is no move.
    Nonsense(String),
    /// With these words against the question.
    Refused(String),
}

impl Said {
    /// What `text` means where a move was asked for: `mv`, if it is one, else what is said in place of a move. The words are the
    /// same in every protocol, because programs carry them from one to the next.
    pub(super) fn of(text: &str, mv: Option<String>) -> Said {
        let text = text.trim();
        match (mv, text.to_ascii_lowercase().as_str()) {
            (Some(mv), _) => Said::Move(mv),
            (None, "resign" | "resigns") => Said::Instead(Act::Resigns),
            (None, "win") => Said::Instead(Act::ClaimsWin),
            (None, "" | "(none)" | "0000" | "null") => Said::Nothing,
            (None, _) => Said::Nonsense(text.to_owned()),
        }
    }
}

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

    /// Hears how a search ended; of a move, whether it [stands](Client::plays) on the board.
    pub(super) fn hear(&mut self, end: &Said, plays: Option<bool>) {
        match end {
            Said::Move(mv) => self.moves.extend(plays.map(|same_letters| same_letters.then(|| mv.clone()))),
            // A move may follow.
            Said::Instead(Act::ClaimsWin | Act::ClaimsDraw) => {}
            _ => self.forget(),
        }
    }

    /// What stands there is no longer known.
    pub(super) fn forget(&mut self) {
        self.position = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Go;

    #[test]
    fn a_game_that_goes_on_is_told_its_new_moves_only() {
        let moves = ["a", "b", "c", "d", "e"].map(str::to_owned);
        let ask = |position, moves| Ask::new(position, Go::Own).after(moves);
        let mut board = Board::default();
        let moved = |mv: &str| Said::Move(mv.to_owned());
        assert_eq!(board.goes_on(&ask("start", &moves[..1])), None);
        board.hear(&moved("b"), Some(true));
        assert_eq!(board.goes_on(&ask("start", &moves[..3])), Some(&moves[2..3]));
        board.hear(&moved("Dd"), Some(false));
        assert_eq!(board.goes_on(&ask("start", &moves[..4])), Some(&[][..]));
        // Another move than the one that it made, another position, and a board that is not known.
        board.hear(&moved("x"), Some(true));
        assert_eq!(board.goes_on(&ask("start", &moves)), None);
        assert_eq!(board.goes_on(&ask("other", &moves)), None);
        board.hear(&Said::Nothing, Some(true));
        assert_eq!(board.goes_on(&ask("other", &moves)), None);
        assert_eq!(board.goes_on(&ask("other", &moves)), Some(&[][..]), "the same question again");
    }
}
