//! Chance: what a throw is worth, throwing, and positions of games of random moves for tests of games and of methods.
//!
//! A position that [`Rules::awaits`] chance is worth the mean of its outcomes. Values are integers, so the mean is rounded,
//! once and in one way, wherever it is formed: in the host, in plain expectiminimax and in the exact tables of a game. That
//! makes "the same value" a matter of equality. Random games are the same on every machine. Left out: who throws, and with
//! which dice; that is the caller's.

use super::rules::{Outcomes, Rules};
use super::{Game, Moves};
use crate::score::Score;
use secateur_base::hash::SplitMix;

/// All moves of a position.
fn moves<G: Game>(game: &G, pos: &G::Position) -> Moves<G> {
    let mut moves = Moves::<G>::new();
    game.moves(pos, &mut moves);
    moves
}

/// The position with what chance decides next decided.
fn settled<G: Game>(game: &G, pos: &G::Position, random: &mut SplitMix) -> G::Position {
    thrown(game, pos, |sides| random.below(sides as usize) as u32)
}

/// The position after a random move; `None` if there is no move.
fn next<G: Game>(game: &G, pos: &G::Position, random: &mut SplitMix) -> Option<G::Position> {
    let moves = moves(game, pos);
    let number = (!moves.is_empty()).then(|| random.below(moves.len()))?;
    Some(settled(game, &game.play(pos, moves[number].mv), random))
}

/// All positions of one game after the other, finished ones included; games begin at `starts` in turn and end with the rules or after
/// `longest` positions. Without end.
///
/// # Panics
/// If a start is no position of the game.
pub fn random_games<'g, G: Game>(
    game: &'g G,
    starts: &'g [&'g str],
    longest: usize,
    seed: u64,
) -> impl Iterator<Item = G::Position> + 'g {
    let mut random = SplitMix(seed);
    starts.iter().cycle().flat_map(move |start| {
        let start = settled(game, &game.parse(start).expect("a start is a position"), &mut random);
        let played = std::iter::successors(Some(start), |pos| next(game, pos, &mut random));
        played.take(longest).collect::<Vec<_>>()
    })
}

/// `count` unfinished positions, each after `least` random moves from `start` and fewer than `span` more.
///
/// # Panics
/// If the start is no position of the game.
pub fn random_positions<G: Game>(
    game: &G,
    start: &str,
    (least, span): (usize, usize),
    count: usize,
    seed: u64,
) -> Vec<G::Position> {
    let mut random = SplitMix(seed);
    let start = game.parse(start).expect("a start is a position");
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut pos = Some(settled(game, &start, &mut random));
        for _ in 0..least + random.below(span) {
            pos = pos.and_then(|pos| next(game, &pos, &mut random));
        }
        positions.extend(pos.filter(|pos| !moves(game, pos).is_empty()));
    }
    positions
}

/// The value of a throw: the sum of weight times value over the sum of weights, rounded towards zero.
///
/// Towards zero because that is the same for both sides, and because a mean then never reaches a bound of the values that
/// not every outcome reaches: what is proven by an average is proven.
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
