//! What an engine says while it searches, depth by depth.

use super::{Count, Says};
use std::time::Duration;

pub use secateur_record::record::Bound;

/// The value of a search in the engine's own scale, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineScore {
    /// Hundredths of a pawn or of a disc, or what the engine takes for them.
    Cp(i32),
    /// Mate in this many moves; negative if the side to move is mated.
    Mate(i32),
}

/// The last that an engine said of one depth. Numbers it did not say are 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Depth of the iteration, plies; 0 if it names none.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Nodes since the start of the search.
    pub nodes: u64,
    /// Time since the start of the search on the engine's own clock, whole milliseconds.
    pub time: Duration,
    /// The value; absent if it named none for this depth.
    pub score: Option<EngineScore>,
    /// What `score` is.
    pub bound: Bound,
    /// Principal variation as the program writes moves: in UCI form, in SAN, as squares.
    pub pv: Vec<String>,
}

/// What a program did when it was to move. All of it is its right by the protocol; whether a claim holds, the rules say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Act {
    /// It moved.
    #[default]
    Moves,
    /// It gave the game up.
    Resigns,
    /// It says that the rules give it the game.
    ClaimsWin,
    /// It says that the rules make the game a draw.
    ClaimsDraw,
}

/// A finished search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether it moved, or what it did instead.
    pub act: Act,
    /// The move, as the program writes moves. It looks like a move; whether it is legal was not checked. Of a program that
    /// did not move, the first move of its last line, or nothing.
    pub best_move: String,
    /// One for each depth that was named, in order of depth. The last may be of an iteration that was not
    /// finished, and may have no score.
    pub infos: Vec<Info>,
    /// All nodes, as the engine counts them: the largest count it named.
    pub nodes: u64,
    /// From the question to the answer, on our clock.
    pub wall: Duration,
    /// Processor time of the program and of what it started, in the same span; absent where it cannot be known (not on
    /// Linux, or the process ended). To 10 ms where threads or processes ended meanwhile.
    pub cpu: Option<Duration>,
    /// What its methods did, if it counts that.
    pub counts: Vec<Count>,
}

impl Answer {
    /// The deepest iteration with a value.
    #[must_use]
    pub fn last(&self) -> Option<&Info> {
        self.infos.iter().rev().find(|info| info.score.is_some())
    }

    /// What it says of the search besides the move.
    #[must_use]
    pub fn says(&self) -> Says {
        Says {
            depth: self.infos.iter().any(|info| info.depth > 0),
            nodes: self.nodes > 0,
            score: self.last().is_some(),
            line: self.infos.iter().any(|info| info.pv.len() > 1),
        }
    }
}

/// Whether this is how UCI writes a move: two squares, and what a pawn becomes.
#[must_use]
pub fn is_move_text(text: &str) -> bool {
    let square = |file: u8, rank: u8| matches!((file, rank), (b'a'..=b'h', b'1'..=b'8'));
    match *text.as_bytes() {
        [a, b, c, d] => square(a, b) && square(c, d),
        [a, b, c, d, piece] => square(a, b) && square(c, d) && b"qrbn".contains(&piece),
        _ => false,
    }
}

/// A move in the form of UCI, with the letter of what a pawn becomes in either case, as programs of the time before UCI write it.
pub(super) fn move_text(text: &str) -> Option<String> {
    let form = match text.as_bytes() {
        [_, _, _, _, b'Q' | b'R' | b'B' | b'N'] => text.to_ascii_lowercase(),
        _ => text.to_owned(),
    };
    is_move_text(&form).then_some(form)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_look_like_moves() {
        for text in ["e2e4", "a7a8q", "h1h8"] {
            assert!(is_move_text(text), "{text}");
        }
        for text in ["", "e2", "e2e9", "i2e4", "e7e8k", "e2-e4", "O-O", "(none)", "e2e4qq", "\u{e9}2e4"] {
            assert!(!is_move_text(text), "{text}");
        }
    }
}
