//! Which methods either side of a pair of games lacks: drawn, and the same again whenever it is asked.

use super::Lacking;
use crate::inference::random::SplitMix;
use secateur_base::random::mixed;

/// Methods that a side lacks on average, before pairs in which nobody lacks anything are drawn again.
pub const ABSENT: f64 = 1.0;
/// The largest share of pairs in which a side lacks a method: where few methods are undecided, games without one of them say more than games
/// without several.
const MOST: f64 = 1.0 / 6.0;

/// Pairs of shared games before the first look at what they decide.
pub const FIRST_LOOK: usize = 400;

/// Pairs of shared games at which one looks again: a fifth more, so looks are few and a decided method soon leaves the draw. What is
/// drawn between two looks does not depend on when its games end.
#[must_use]
pub fn next_look(pairs: usize) -> usize {
    if pairs < FIRST_LOOK { FIRST_LOOK } else { pairs + pairs / 5 }
}

/// What both sides of a pair of games lack: each of `undecided` methods is lacked by the first side, by the second or by neither,
/// [`ABSENT`] on either side on average if they are at least six. Nobody draws how many, so the numbers of both sides are as they fall; a pair in which
/// nobody lacks anything is drawn again. Two sides never lack the same method, which would say nothing about it. `pair` counts
/// from any number; `seed` is that of the match.
#[must_use]
pub fn draw(seed: u64, pair: u64, undecided: Lacking) -> [Lacking; 2] {
    let mut random = SplitMix(mixed(seed) ^ mixed(pair.wrapping_add(1)));
    let share = (ABSENT / undecided.len().max(1) as f64).min(MOST);
    loop {
        let mut sides = [Lacking::default(); 2];
        for method in undecided.methods() {
            match random.uniform() {
                point if point < share => sides[0].insert(method),
                point if point < 2.0 * share => sides[1].insert(method),
                _ => {}
            }
        }
        if undecided.is_empty() || sides.iter().any(|side| !side.is_empty()) {
            return sides;
        }
    }
}
