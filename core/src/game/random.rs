//! Positions of games of random moves, the same on every machine: for tests of games and of methods.

use super::{Game, Moves, thrown};
use secateur_base::random::SplitMix;

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
