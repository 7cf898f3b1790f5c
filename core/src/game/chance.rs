//! Chance in a game: what a throw is worth, and throwing.
//!
//! A position that [`Rules::awaits`] chance is worth the mean of its outcomes. Values are integers, so the mean is rounded, once
//! and in one way, wherever it is formed: in the host, in plain expectiminimax and in the exact tables of a game. That makes
//! "the same value" a matter of equality. Left out: who throws, and with which dice; that is the caller's.

use super::rules::{Outcomes, Rules};
use crate::score::Score;

/// The value of a throw: the sum of weight times value over the sum of weights, rounded towards zero.
///
/// Towards zero because that is the same for both sides, and because a mean then never reaches a bound of the values that
/// not every outcome reaches: what is proven by an average is proven.
#[must_use]
#[inline]
pub fn expectation(sum: i64, weights: i64) -> Score {
    Score((sum / weights) as i32)
}

/// The position with all that chance decides before the next move decided: `below(n)` is to give a number below n.
pub fn thrown<G: Rules>(game: &G, pos: &G::Position, mut below: impl FnMut(u32) -> u32) -> G::Position {
    let mut pos = pos.clone();
    while game.awaits(&pos) {
        let mut outcomes = Outcomes::<G>::new();
        game.outcomes(&pos, &mut outcomes);
        let mut left = below(outcomes.iter().map(|outcome| outcome.weight).sum());
        let mut chosen = outcomes.into_iter().filter(|outcome| {
            let taken = left < outcome.weight;
            left = left.saturating_sub(if taken { 0 } else { outcome.weight });
            taken
        });
        pos = chosen.next().expect("a number below the sum of the weights").pos;
    }
    pos
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_rounded_alike_for_both_sides() {
        for sum in -50..=50 {
            assert_eq!(expectation(sum, 6), -expectation(-sum, 6));
        }
        assert_eq!(expectation(5 * 9 + 8, 6), Score(8), "not every outcome is worth 9");
        assert_eq!(expectation(6 * 9, 6), Score(9));
    }
}
