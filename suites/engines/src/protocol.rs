//! Which languages are spoken, what can be said in each, and what a program is asked: a position, the moves since, and when to answer.
//!
//! What a protocol has words for is a fact of the protocol and of what the program advertises, known before anything is
//! searched. Whether a program keeps to it is another question, which [`Probe`](super::Probe) asks.

use secateur_record::play::Limit;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The language that a program is spoken to in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// Universal Chess Interface; positions are FEN.
    #[default]
    Uci,
    /// Universal Shogi Interface; positions are SFEN.
    Usi,
    /// Chess Engine Communication Protocol, of xboard and WinBoard; positions are FEN.
    Cecp,
    /// Go Text Protocol, version 2, as programs for boards of discs speak it; positions are 64 squares and a side.
    Gtp,
    /// The protocol of NBoard; positions are 64 squares and a side.
    #[serde(rename = "nboard")]
    NBoard,
    /// What Edax understands when it speaks no other; positions are 64 squares and a side.
    Edax,
}

impl Protocol {
    /// All of them.
    pub const ALL: [Protocol; 6] =
        [Protocol::Uci, Protocol::Usi, Protocol::Cecp, Protocol::Gtp, Protocol::NBoard, Protocol::Edax];

    /// The names of all of them, for messages.
    pub fn names() -> String {
        Protocol::ALL.map(Protocol::name).join(", ")
    }

    /// Its name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::Uci => "uci",
            Protocol::Usi => "usi",
            Protocol::Cecp => "cecp",
            Protocol::Gtp => "gtp",
            Protocol::NBoard => "nboard",
            Protocol::Edax => "edax",
        }
    }

    /// How a position is written for it.
    pub fn notation(self) -> Notation {
        match self {
            Protocol::Uci | Protocol::Cecp => Notation::Fen,
            Protocol::Usi => Notation::Sfen,
            Protocol::Gtp | Protocol::NBoard | Protocol::Edax => Notation::Discs,
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Protocol {
    type Err = String;

    /// # Errors
    /// What was found and what is expected, in words.
    fn from_str(text: &str) -> Result<Protocol, String> {
        let protocol =
            Protocol::ALL.into_iter().find(|protocol| protocol.name().eq_ignore_ascii_case(text.trim()));
        protocol.ok_or_else(|| format!("found protocol `{text}`, expected one of {}", Protocol::names()))
    }
}

/// How the position of an [`Ask`](super::Ask) is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// Forsyth-Edwards notation.
    Fen,
    /// The same for shogi, with the pieces in hand.
    Sfen,
    /// 64 squares from a1 to h8 row by row (`X`, `O`, `-`), a blank, and the side to move (`X` or `O`).
    Discs,
}

/// What a program can be asked, and what it can say of its search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Abilities {
    /// A budget in plies.
    pub depth: bool,
    /// A budget in nodes.
    pub nodes: bool,
    /// A budget of time.
    pub time: bool,
    /// Budgets of time are whole multiples of this.
    pub time_step: Duration,
    /// No budget of time is shorter than this: a shorter one would be taken for it.
    pub least_time: Duration,
    /// A clock for the game.
    pub clock: bool,
    /// To search as its own arguments say ([`Go::Own`](super::Go::Own)).
    pub own_limits: bool,
    /// To forget what it searched before.
    pub forgets: bool,
    /// To search some of the moves only.
    pub root_moves: bool,
    /// What it can say of a search.
    pub says: Says,
}

/// Parts of an answer besides the move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Says {
    /// Depths, plies.
    pub depth: bool,
    /// Nodes.
    pub nodes: bool,
    /// Values.
    pub score: bool,
    /// Lines of more than one move.
    pub line: bool,
}

impl Says {
    /// All of it.
    pub const ALL: Says = Says { depth: true, nodes: true, score: true, line: true };
}

/// What one search is asked.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// Position at which the moves begin, as its game writes it ([`Notation`](crate::Notation)).
    pub position: &'a str,
    /// Moves played since, as the game writes them: `e2e4`, `e7e8q`; `d3`, `pass`.
    pub moves: &'a [String],
    /// The moves that may be answered; any if there are none here.
    pub only: &'a [String],
    /// When to answer.
    pub go: Go,
    /// Whether the answer is to say how much processor time it took. To look costs more than a search of a few thousand nodes: it
    /// reads something of every process of the system.
    pub is_timed: bool,
}

impl<'a> Ask<'a> {
    /// A search of all moves of a position.
    pub fn new(position: &'a str, go: Go) -> Ask<'a> {
        Ask { position, moves: &[], only: &[], go, is_timed: true }
    }

    /// The same after these moves.
    pub fn after(self, moves: &'a [String]) -> Ask<'a> {
        Ask { moves, ..self }
    }

    /// The same where only the wall clock counts, as in games.
    pub fn untimed(self) -> Ask<'a> {
        Ask { is_timed: false, ..self }
    }

    /// The same of these moves only.
    pub fn only(self, moves: &'a [String]) -> Ask<'a> {
        Ask { only: moves, ..self }
    }
}

/// When a search is to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Go {
    /// After this many plies.
    Depth(u32),
    /// After about this many nodes, as the engine counts them.
    Nodes(u64),
    /// After this time.
    MoveTime(Duration),
    /// In time for a clock.
    Clock {
        /// What the first and the second player have left.
        time: [Duration; 2],
        /// What they get for each move.
        increment: [Duration; 2],
        /// Moves to the next time control; absent if the time is for the whole game.
        moves_to_go: Option<u32>,
    },
    /// As its own arguments and options say: for programs that know levels and no budget.
    Own,
}

impl From<Limit> for Go {
    /// What a player of a match is asked first: of a clock, with all of its time.
    fn from(limit: Limit) -> Go {
        match limit {
            Limit::Depth(plies) => Go::Depth(plies),
            Limit::Nodes(nodes) => Go::Nodes(nodes),
            Limit::MoveTime(time) => Go::MoveTime(time),
            Limit::Clock { base, increment } => {
                Go::Clock { time: [base; 2], increment: [increment; 2], moves_to_go: None }
            }
        }
    }
}

impl Go {
    /// The budget in words, as messages name it.
    pub fn in_words(&self) -> &'static str {
        match self {
            Go::Depth(_) => "a depth",
            Go::Nodes(_) => "a number of nodes",
            Go::MoveTime(_) => "a time for a move",
            Go::Clock { .. } => "a clock",
            Go::Own => "a search without a budget",
        }
    }
}

/// Whole milliseconds, at least one: an engine may take a time of 0 for no limit at all.
pub(super) fn millis(time: Duration) -> u128 {
    time.as_millis().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_protocol_is_read_as_it_is_written() {
        #[derive(Serialize, Deserialize)]
        struct Holder {
            protocol: Protocol,
        }
        for protocol in Protocol::ALL {
            assert_eq!(protocol.to_string().parse(), Ok(protocol));
            let text = toml::to_string(&Holder { protocol }).unwrap();
            assert_eq!(text.trim(), format!("protocol = \"{protocol}\""));
            assert_eq!(toml::from_str::<Holder>(&text).unwrap().protocol, protocol);
        }
        let error = "xboard".parse::<Protocol>().unwrap_err();
        assert!(error.contains("`xboard`") && error.contains("uci, usi, cecp, gtp, nboard, edax"), "{error}");
    }
}
