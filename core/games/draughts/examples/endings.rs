//! Draws endgame positions at random in which a move can throw the result away: the set `draughts-endings`.
//!
//! `cargo run --release -p secateur-draughts --example endings -- 240 1995 > positions/data/draughts-endings.pos`
//!
//! Four pieces on any squares that a game allows, of any kind and side, either side to move; kept where neither side must take, the
//! mover has a won or a drawn game, and some move of his loses that. As many wins as draws are kept, so that both are counted; how
//! often either comes up in games this does not say. The values are those of the endgame database, which is all that the judge of
//! moves goes by here, so that what a search throws away is exact.

use secateur_base::hash::SplitMix;
use secateur_core::Score;
use secateur_core::game::{Evaluation, Moves, Notation, Rules};
use secateur_draughts::{Draughts, Position};
use std::collections::BTreeSet;
use std::error::Error;
use std::io::Write;

/// Pieces of a position.
const PIECES: usize = 4;
/// Squares of the board.
const SQUARES: usize = 32;

/// A position as text; many are none that a game can reach, and are refused where they are read.
fn drawn(random: &mut SplitMix) -> String {
    let mut squares = BTreeSet::new();
    while squares.len() < PIECES {
        squares.insert(random.below(SQUARES) + 1);
    }
    let mut sides = [Vec::new(), Vec::new()];
    for square in squares {
        let king = if random.below(2) == 0 { "K" } else { "" };
        sides[random.below(2)].push(format!("{king}{square}"));
    }
    let [white, black] = sides.map(|side| side.join(","));
    format!("{}:W{white}:B{black}", if random.below(2) == 0 { 'B' } else { 'W' })
}

/// What the position is worth, if some move of it is worth less than the best and the best is no loss.
fn at_stake(game: &Draughts, pos: &Position) -> Option<Score> {
    if pos.board().must_take() || !game.is_solvable(pos) {
        return None;
    }
    let best = game.solved(pos).filter(|best| *best >= Score::ZERO)?;
    let mut moves = Moves::<Draughts>::new();
    game.moves(pos, &mut moves);
    // A move that takes the last piece leaves nothing to look up, and wins.
    let worth = |next: Position| game.solved(&next).map_or(best, |value| -value);
    moves.iter().any(|scored| worth(game.play(pos, scored.mv)) < best).then_some(best)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |name: &str| -> Result<u64, Box<dyn Error>> {
        let text = arguments.next().ok_or_else(|| format!("expected {name}"))?;
        text.parse().map_err(|_| format!("found {text:?}, expected {name}").into())
    };
    let (count, seed) = (number("how many positions")?, number("a seed")?);
    let (game, mut random) = (Draughts::default(), SplitMix(seed));
    let (mut taken, mut left) = (BTreeSet::new(), [count / 2, count - count / 2]);
    let mut stdout = std::io::stdout().lock();
    writeln!(
        stdout,
        "# Endings of {PIECES} pieces in which some move throws a win or a draw away. Provenance: sets.toml, \"draughts-endings\"."
    )?;
    let mut written = 0;
    while left != [0, 0] {
        let Ok(pos) = game.parse(&drawn(&mut random)) else { continue };
        let Some(best) = at_stake(&game, &pos) else { continue };
        let room = &mut left[usize::from(best == Score::ZERO)];
        if *room == 0 || !game.is_reserved(&pos) || !taken.insert(game.canonical(&pos)) {
            continue;
        }
        *room -= 1;
        writeln!(stdout, "{}; cluster \"endings/{written:04}\";", game.format(&pos))?;
        written += 1;
    }
    Ok(())
}
