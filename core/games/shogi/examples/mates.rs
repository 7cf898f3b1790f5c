//! Draws positions of self-play games in which checks mate in 3, 5 or 7 plies: the set `shogi-mates`.
//!
//! `cargo run --release -p secateur-shogi --example mates -- 8 1995 > positions/data/shogi-mates.pos`
//!
//! The games are played by searches of two plies, one move in four by lot. Kept is one position a game, as many of each length as are
//! asked for, with all moves that mate by checks in the fewest plies. A test of the position sets proves each again by a search that
//! shares nothing with the one here but the rules. Moves that give no check may mate as well.

use secateur_base::hash::SplitMix;
use secateur_core::game::{Evaluation, Game, Moves, Notation, Rules};
use secateur_core::prune::Methods;
use secateur_core::search::{Budget, Options, Searcher};
use secateur_shogi::{Position, Shogi, mate};
use std::collections::BTreeSet;
use std::error::Error;
use std::io::Write;

/// Depth of the searches that play, plies.
const DEPTH: i32 = 2;
/// One move in so many is drawn.
const DRAWN: usize = 4;
/// Plies after which a game is given up.
const LONGEST: usize = 200;
/// Lengths that are kept, plies.
const LENGTHS: [u32; 3] = [3, 5, 7];
/// Positions that a proof may look at: few enough for the test, which remembers none.
const NODES: u64 = 3_000;

/// Plays one game up to its first position that has a mate of a length of which there is room.
fn drawn(
    player: &mut Searcher<'_, Shogi>,
    random: &mut SplitMix,
    left: &[u64; LENGTHS.len()],
) -> Option<(Position, mate::Mate)> {
    let game = player.game().clone();
    let mut pos = game.parse(&game.start()?).ok()?;
    for _ in 0..LONGEST {
        let mut moves = Moves::<Shogi>::new();
        game.moves(&pos, &mut moves);
        if moves.is_empty() {
            return None;
        }
        if game.is_reserved(&pos)
            && let Some(mate) = mate::shortest(&game, &pos, LENGTHS[2], NODES)
            && LENGTHS.iter().zip(left).any(|(&length, &left)| length == mate.plies && left > 0)
        {
            return Some((pos, mate));
        }
        let mv = match random.below(DRAWN) {
            0 => moves[random.below(moves.len())].mv,
            _ => player.run(&pos, &Budget::Depth(DEPTH)).last().best_move()?,
        };
        pos = game.play(&pos, mv);
    }
    None
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |name: &str| -> Result<u64, Box<dyn Error>> {
        let text = arguments.next().ok_or_else(|| format!("expected {name}"))?;
        text.parse().map_err(|_| format!("found {text:?}, expected {name}").into())
    };
    let (count, mut random) = (number("how many positions of each length")?, SplitMix(number("a seed")?));
    let game = Shogi::default();
    let mut player = game.clone().searcher(Methods::NONE, Options { table_mib: 1, ..Options::default() });
    let (mut taken, mut left) = (BTreeSet::new(), [count; LENGTHS.len()]);
    let mut mates = Vec::new();
    while left != [0; LENGTHS.len()] {
        let Some((pos, mate)) = drawn(&mut player, &mut random, &left) else { continue };
        if taken.insert(game.canonical(&pos)) {
            left[(mate.plies as usize - 3) / 2] -= 1;
            mates.push((mate.plies, game.format(&pos), mate.keys));
        }
    }
    mates.sort_by_key(|(plies, ..)| *plies);
    let mut stdout = std::io::stdout().lock();
    writeln!(
        stdout,
        "# Positions of games in which checks mate in 3, 5 or 7 plies. Provenance: sets.toml, \"shogi-mates\"."
    )?;
    for (number, (plies, position, keys)) in mates.iter().enumerate() {
        let keys: Vec<String> = keys.iter().map(ToString::to_string).collect();
        writeln!(
            stdout,
            "{position}; cluster \"mates/{number:04}\"; bm {}; c0 \"mate in {plies} plies\";",
            keys.join(" ")
        )?;
    }
    Ok(())
}
