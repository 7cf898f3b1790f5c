//! Scores, depths and windows: the three numbers that every search routine passes on.
//!
//! They are separate types because a search mixes up signs and units so easily. The negamax convention
//! holds everywhere: a score is from the side to move, and crossing a move negates score and window.

use std::ops::{Add, Neg, Sub};

/// A value from the point of view of the side to move.
///
/// Othello: hundredths of a disc, within ±6,400. Chess: centipawns, with mate in `n` plies as
/// `MATE - n`. Always within ±[`Score::INFINITE`], so that it fits 16 bits in the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(pub i32);

impl Score {
    /// Larger than every reachable value; the open end of a window.
    pub const INFINITE: Score = Score(32_000);
    /// A draw, and the middle of every evaluation.
    pub const ZERO: Score = Score(0);

    /// The score limited to what a window can hold.
    pub fn clamped(self) -> Score {
        Score(self.0.clamp(-Self::INFINITE.0, Self::INFINITE.0))
    }

    /// Distance from zero.
    pub fn abs(self) -> Score {
        Score(self.0.abs())
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add for Score {
    type Output = Score;
    #[inline]
    fn add(self, other: Score) -> Score {
        Score(self.0 + other.0)
    }
}

impl Sub for Score {
    type Output = Score;
    #[inline]
    fn sub(self, other: Score) -> Score {
        Score(self.0 - other.0)
    }
}

/// Plies left to the horizon (the *height* of Buro 1995). Zero or less means: at the horizon.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Depth(pub i32);

impl Add<i32> for Depth {
    type Output = Depth;
    #[inline]
    fn add(self, plies: i32) -> Depth {
        Depth(self.0 + plies)
    }
}

impl Sub<i32> for Depth {
    type Output = Depth;
    #[inline]
    fn sub(self, plies: i32) -> Depth {
        Depth(self.0 - plies)
    }
}

/// An open interval (alpha, beta) of interesting values, alpha < beta.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Values at or below are as good as this one: the side to move has better elsewhere.
    pub alpha: Score,
    /// Values at or above are as good as this one: the opponent has better elsewhere.
    pub beta: Score,
}

impl Window {
    /// The window that excludes nothing.
    pub const FULL: Window = Window { alpha: Score(-Score::INFINITE.0), beta: Score::INFINITE };

    /// What a node `ply` moves from the root can be worth where a mate there is worth `mate`: from being mated there to mating with
    /// the next move.
    #[inline]
    pub fn between_mates(mate: i32, ply: u32) -> Window {
        Window { alpha: Score(ply as i32 - mate), beta: Score(mate - 1 - ply as i32) }
    }

    /// The null window (bound - 1, bound), which asks: is the value at least `bound`?
    #[inline]
    pub fn at_least(bound: Score) -> Window {
        Window { alpha: Score(bound.0 - 1), beta: bound }
    }

    /// The null window (bound, bound + 1), which asks: is the value at most `bound`?
    #[inline]
    pub fn at_most(bound: Score) -> Window {
        Window { alpha: bound, beta: Score(bound.0 + 1) }
    }

    /// Whether no integer lies strictly inside.
    #[inline]
    pub fn is_null(self) -> bool {
        self.beta.0 - self.alpha.0 == 1
    }
}

impl Neg for Window {
    type Output = Window;
    /// The same window seen by the opponent.
    #[inline]
    fn neg(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_turned_twice_is_itself() {
        for (alpha, beta) in [(-7, 12), (0, 1), (-32_000, 32_000)] {
            let window = Window { alpha: Score(alpha), beta: Score(beta) };
            assert_eq!(-(-window), window);
            assert_eq!(window.is_null(), (-window).is_null());
        }
    }

    #[test]
    fn null_windows_ask_dual_questions() {
        // "at least b" for one side is "at most -b" for the other.
        assert_eq!(-Window::at_least(Score(40)), Window::at_most(Score(-40)));
        assert!(Window::at_least(Score(-3)).is_null());
    }
}
