//! How positions, moves and values are written and read, by people and in records.
//!
//! Left out: files of positions, which are made of these texts (the package of position sets reads them).

use super::rules::Rules;

/// What the numbers of scores mean to people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// What people read values in: `disc`, `pawn`.
    pub name: &'static str,
    /// Score of one.
    pub scale: i32,
    /// What a score of 1 is called: `1/100 disc`, `centipawns`.
    pub score: &'static str,
}

/// What the transcript of a game has of the notation that other programs read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transcript {
    /// The tag with the first position.
    pub position: &'static str,
    /// Further tags, the same in all transcripts.
    pub tags: &'static [(&'static str, &'static str)],
}

/// Why a text is not a position or a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ParseError {
    /// Byte offset of the offending text in the input.
    pub offset: usize,
    /// What was found and what was expected.
    pub message: String,
}

impl ParseError {
    /// An error at a byte offset of the input.
    pub fn new(offset: usize, message: impl Into<String>) -> ParseError {
        ParseError { offset, message: message.into() }
    }

    /// The same error in a longer text, where the input begins so many bytes later.
    pub fn behind(self, offset: usize) -> ParseError {
        ParseError { offset: offset + self.offset, ..self }
    }
}

/// Refuses a text for what is wrong at a byte offset of it.
///
/// # Errors
/// Always.
pub fn refuse<T>(offset: usize, message: impl Into<String>) -> Result<T, ParseError> {
    Err(ParseError::new(offset, message))
}

/// The texts of a game.
#[expect(unused_variables, reason = "what has a body here is for games that look at nothing")]
pub trait Notation: Rules {
    /// What scores mean to people.
    const UNIT: Unit = Unit { name: "point", scale: 1, score: "points" };

    /// [`Notation::UNIT`], also of a game whose type is not known ([`super::AnyGame`]).
    fn unit(&self) -> Unit {
        Self::UNIT
    }
    /// Names of side 0 and side 1.
    fn sides(&self) -> [&'static str; 2] {
        ["first", "second"]
    }
    /// Tags by which other programs read a transcript of the game (PGN, PDN).
    fn transcript(&self) -> Transcript {
        Transcript { position: "Position", tags: &[] }
    }
    /// The position that games begin from, as [`Notation::parse`] reads it; `None` where there is no such position, and then positions
    /// cannot be sampled.
    fn start(&self) -> Option<String> {
        None
    }
    /// A position that games may begin from, drawn by lot where the players or a lot set it up: `below(n)` is to give a number
    /// below n. `None` in a game that has nothing to set up.
    fn layout(&self, below: &mut dyn FnMut(u32) -> u32) -> Option<String> {
        None
    }
    /// What was thrown in a position with dice, as a transcript says it; `None` before the throw and in games without.
    fn dice(&self, pos: &Self::Position) -> Option<String> {
        None
    }

    /// Reads a position (FEN; 64 squares and a side), refusing illegal ones.
    fn parse(&self, text: &str) -> Result<Self::Position, ParseError>;
    /// Writes a position so that [`Notation::parse`] reads it back.
    fn format(&self, pos: &Self::Position) -> String;
    /// The same text for all positions that symmetry makes equal (Othello: 8 symmetries; chess: colour
    /// mirror, counters left out): what deduplication compares.
    fn canonical(&self, pos: &Self::Position) -> String {
        self.format(pos)
    }
    /// Text by which the rules of a played game call two positions the same.
    fn identity(&self, pos: &Self::Position) -> String {
        self.format(pos)
    }

    /// Reads a legal move in the game's usual notation (UCI or SAN; `d3`, `pass`).
    fn parse_move(&self, pos: &Self::Position, text: &str) -> Result<Self::Move, ParseError>;
    /// Writes a move (UCI; `d3`, `pass`).
    fn format_move(&self, pos: &Self::Position, mv: Self::Move) -> String;
    /// A move as people write it (SAN); as records do, unless there is another way.
    fn shown(&self, pos: &Self::Position, mv: Self::Move) -> String {
        self.format_move(pos, mv)
    }
}
