//! One training game: random opening, play at fixed nodes to an end by the rules or until the search finds it won.
//!
//! A game is a function of the seed, its generation and its number alone, so that threads may share the games out as they like. The
//! positions that teach are quiet: not in check, nothing to win by captures and promotions, none played.

use crate::train::kept::Sample;
use crate::train::self_play::{NodesPlayer, below, quiet};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::RngCore;
use secateur_core::{Evaluation, Moves, Notation, Rules, Score};
use secateur_games::shogi::{Move, Position, Shogi};
use std::collections::BTreeMap;

/// Pruning methods of the players.
pub(super) const METHODS: &str = "null-move+lmr";
/// Fewest and most random plies of an opening.
pub(super) const RANDOM: (u64, u64) = (2, 16);
/// A game starts from a position that the search finds no further from even than this, 1/100 pawn.
pub(super) const EVEN: i32 = 400;
/// A game worth this for one side at [`DECIDED_PLIES`] plies in a row is won, 1/100 pawn.
pub(super) const DECIDED: i32 = 2_500;
/// See [`DECIDED`].
pub(super) const DECIDED_PLIES: u32 = 6;
/// One move in so many is drawn from those that lose nothing where they go: players that know pieces alone would repeat positions
/// for want of anything to do.
pub(super) const DRAWN: u64 = 20;
/// Plies after which a game is drawn.
pub(super) const LONGEST: usize = 256;
/// Positions that teach are so many plies apart at least, as neighbours teach the same.
pub(super) const APART: usize = 2;

/// Plays one game and returns its teaching positions.
pub(super) fn play(player: &mut NodesPlayer<'_, Shogi>, rng: &mut ChaCha8Rng) -> Vec<Sample> {
    let mut position = opening(player, rng);
    let (mut keys, mut times) = (Vec::new(), BTreeMap::<u64, usize>::new());
    let (mut quiet_ones, mut next, mut decided) = (Vec::<(Position, i32)>::new(), 0, 0);
    let mut winner = None;
    for ply in 0..LONGEST {
        let key = player.game().key(&position);
        let seen = times.entry(key).or_default();
        *seen += 1;
        if let Some(ending) = player.game().ending(&position, *seen) {
            winner = ending.winner;
            break;
        }
        let (mut mv, value) = player.best(&position, &keys).expect("a position with moves");
        let game = player.game();
        decided = if value.abs().0 >= DECIDED { decided + 1 } else { 0 };
        if decided >= DECIDED_PLIES || value.abs() >= Shogi::DECISIVE {
            let side = game.side(&position);
            winner = Some(if value > Score::ZERO { side } else { 1 - side });
            break;
        }
        if ply >= next && !game.tactical(&position, mv) && quiet(game, &position) {
            quiet_ones.push((position.clone(), value.0));
            next = ply + APART;
        }
        if rng.next_u64().is_multiple_of(DRAWN) {
            mv = any(game, &position, rng, |mv| game.exchange(&position, mv) >= Score::ZERO).unwrap_or(mv);
        }
        keys.push(key);
        position = game.play(&position, mv);
    }
    let game = player.game();
    let sample = |(position, value): (Position, i32)| Sample {
        position: game.format(&position),
        result: winner.map_or(0, |winner| if winner == game.side(&position) { 1 } else { -1 }),
        value: value as i16,
    };
    quiet_ones.into_iter().map(sample).collect()
}

/// A position after random moves in which neither side has won yet.
fn opening(player: &mut NodesPlayer<'_, Shogi>, rng: &mut ChaCha8Rng) -> Position {
    let plies = RANDOM.0 + below(rng, RANDOM.1 - RANDOM.0 + 1);
    loop {
        let game = player.game();
        let start = game.start().expect("a game with a start");
        let mut position = game.parse(&start).expect("a start is a position");
        for _ in 0..plies {
            let Some(mv) = any(game, &position, rng, |_| true) else { break };
            position = game.play(&position, mv);
        }
        player.forget();
        if player.best(&position, &[]).is_some_and(|(_, value)| value.abs().0 <= EVEN) {
            return position;
        }
    }
}

/// Any of the legal moves that will do, if there is one.
fn any(game: &Shogi, position: &Position, rng: &mut ChaCha8Rng, does: impl Fn(Move) -> bool) -> Option<Move> {
    let mut moves = Moves::<Shogi>::new();
    game.moves(position, &mut moves);
    let moves: Vec<Move> = moves.iter().map(|scored| scored.mv).filter(|&mv| does(mv)).collect();
    // The bias of the remainder is below 2^-50 for so few moves.
    let nth = rng.next_u64().checked_rem(moves.len() as u64)?;
    Some(moves[nth as usize])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::self_play::{Players, stream};
    use crate::train::shogi::TrainSettings;
    use secateur_games::shogi::Weights;
    use std::collections::BTreeSet;
    use std::sync::Arc;

    #[test]
    fn a_game_depends_on_its_number_alone_and_has_one_result() {
        let settings = TrainSettings { nodes: 100, ..TrainSettings::default() };
        let game = Shogi::new(Arc::new(Weights::material()));
        let players = Players::of::<Shogi>(METHODS).expect("embedded parameters");
        let play = |generation, number| {
            play(
                &mut players.player(&game, settings.nodes),
                &mut stream(settings.play.seed, generation, number),
            )
        };
        let mut results = BTreeSet::new();
        for number in 0..6 {
            let samples = play(0, number);
            assert_eq!(samples, play(0, number));
            assert_ne!(samples, play(1, number));
            let black_wins: BTreeSet<i8> = samples
                .iter()
                .map(|sample| {
                    let position = game.parse(&sample.position).expect("a position");
                    assert!(quiet(&game, &position), "{}", sample.position);
                    assert!(i32::from(sample.value).abs() < 29_000);
                    if game.side(&position) == 0 { sample.result } else { -sample.result }
                })
                .collect();
            assert!(black_wins.len() <= 1, "one result, seen from either side");
            results.extend(black_wins);
        }
        assert!(results.len() > 1, "some games are won");
    }
}
