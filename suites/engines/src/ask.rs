//! What a program is asked: a position, the moves since, and when to answer.

use secateur_record::play::Limit;
use std::time::Duration;

/// What one search is asked.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// Position at which the moves begin, as its game writes it ([`Notation`](super::Notation)).
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
    #[must_use]
    pub fn new(position: &'a str, go: Go) -> Ask<'a> {
        Ask { position, moves: &[], only: &[], go, is_timed: true }
    }

    /// The same after these moves.
    #[must_use]
    pub fn after(self, moves: &'a [String]) -> Ask<'a> {
        Ask { moves, ..self }
    }

    /// The same where only the wall clock counts, as in games.
    #[must_use]
    pub fn untimed(self) -> Ask<'a> {
        Ask { is_timed: false, ..self }
    }

    /// The same of these moves only.
    #[must_use]
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
    #[must_use]
    pub fn words(&self) -> &'static str {
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
