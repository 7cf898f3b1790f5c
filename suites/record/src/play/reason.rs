//! Why a game ended, as records write it.

use std::fmt;
use std::str::FromStr;

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// The same position for the third time.
    Repetition,
    /// Fifty moves of each side without capture or pawn move.
    FiftyMoves,
    /// Nobody can mate.
    Material,
    /// Nobody can move: the discs are counted.
    Discs,
    /// A stone has reached the corner that it wanted to.
    Corner,
    /// A side has no stones left.
    Stones,
    /// The side to move has no move, in a game that has no other name for it.
    NoMoves,
    /// A draw by another rule of the game.
    Drawn,
    /// The side to move declared a win by a rule of the game.
    Declared,
    /// A player gave up.
    Resigned,
    /// Both players saw a decisive score for long enough.
    Resign,
    /// Both players saw an even score for long enough.
    DrawAgreed,
    /// The longest game allowed.
    MaxMoves,
    /// A move that the rules do not have.
    IllegalMove,
    /// The clock ran out.
    Time,
    /// The player ended or could not be started.
    Crash,
    /// The player did not answer.
    Hang,
    /// The player said of its search what cannot be.
    Claim,
}

impl Reason {
    /// Whether a player's fault ended the game, rather than its moves.
    #[must_use]
    pub fn is_fault(self) -> bool {
        use Reason::{Claim, Crash, Hang, IllegalMove, Time};
        matches!(self, IllegalMove | Time | Crash | Hang | Claim)
    }
}

/// All reasons with their names in records.
const REASONS: &[(Reason, &str)] = &[
    (Reason::Checkmate, "checkmate"),
    (Reason::Stalemate, "stalemate"),
    (Reason::Repetition, "repetition"),
    (Reason::FiftyMoves, "fifty-moves"),
    (Reason::Material, "material"),
    (Reason::Discs, "discs"),
    (Reason::Corner, "corner"),
    (Reason::Stones, "stones"),
    (Reason::NoMoves, "no-moves"),
    (Reason::Drawn, "drawn"),
    (Reason::Declared, "declared"),
    (Reason::Resigned, "resigned"),
    (Reason::Resign, "adjudicated-win"),
    (Reason::DrawAgreed, "adjudicated-draw"),
    (Reason::MaxMoves, "max-moves"),
    (Reason::IllegalMove, "illegal-move"),
    (Reason::Time, "time"),
    (Reason::Crash, "crash"),
    (Reason::Hang, "hang"),
    (Reason::Claim, "claim"),
];

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = REASONS.iter().find(|(reason, _)| reason == self).map_or("", |(_, name)| name);
        f.write_str(name)
    }
}

impl FromStr for Reason {
    type Err = String;

    fn from_str(text: &str) -> Result<Reason, String> {
        let found = REASONS.iter().find(|(_, name)| *name == text);
        found.map(|(reason, _)| *reason).ok_or_else(|| format!("unknown reason `{text}`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_read_what_they_print() {
        for (reason, name) in REASONS {
            assert_eq!((reason.to_string().as_str(), name.parse()), (*name, Ok(*reason)));
        }
    }
}
