//! What a game of another crate must keep for the search host to be right about it.
//!
//! To be called from a test of that crate. Left out: whether the rules are those of the game, which only their author can
//! know (count the nodes of its tree), and whether its evaluation is any good.

use secateur_core::search::{Budget, Methods, Options, minimax};
use secateur_core::{AnyGame, Depth, Game, Moves};
use std::collections::BTreeMap;

/// The first promise that a game breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken(pub String);

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Broken {}

/// Holds a game to its promises at positions, one a line of `texts`, and at all that follow within two plies: texts and
/// packed moves are read back, keys tell positions apart, a mirrored position is worth the same, the evaluation stays below
/// what is decisive, no move takes longer than [`Game::remaining`] says, and a full-width search of `depth` plies is minimax.
///
/// # Errors
/// The first promise that is broken, and where.
pub fn game<G: Game>(game: &G, texts: &str, depth: i32) -> Result<(), Broken> {
    let mut keys = BTreeMap::new();
    // Through the door by which a game comes into an experiment.
    let any = AnyGame::of(game.clone());
    let mut search = any.clone().searcher(Methods::None, Options { table_mib: 1, ..Options::default() });
    for text in texts.lines().filter(|line| !line.trim().is_empty()) {
        let root = game.parse(text).map_err(|error| Broken(format!("{text}: {error}")))?;
        follow(game, &root, 2, &mut keys)?;
        let erased = any.parse(text).map_err(|error| Broken(format!("{text}: {error}")))?;
        for iteration in search.run(&erased, &Budget::Depth(depth)).iterations {
            let expected = minimax(game, &root, Depth(iteration.depth));
            holds(iteration.score == expected, || {
                format!(
                    "{text}: {} plies are worth {}, minimax says {}",
                    iteration.depth, iteration.score.0, expected.0
                )
            })?;
        }
    }
    Ok(())
}

fn holds(promise: bool, otherwise: impl Fn() -> String) -> Result<(), Broken> {
    if promise { Ok(()) } else { Err(Broken(otherwise())) }
}

/// The promises of one position, and of those that follow.
fn follow<G: Game>(
    game: &G,
    pos: &G::Position,
    plies: u32,
    keys: &mut BTreeMap<u64, String>,
) -> Result<(), Broken> {
    let text = game.format(pos);
    let broken = |what: &str| format!("{text}: {what}");
    // Counters of moves stand in texts and not in keys.
    let canonical = game.canonical(pos);
    let known = keys.entry(game.key(pos)).or_insert_with(|| canonical.clone());
    holds(*known == canonical, || broken(&format!("has the key of {known}")))?;
    let (stage, stages) = (game.stage(pos), game.stages().len());
    holds(stage < stages, || broken(&format!("stage {stage} of {stages}")))?;
    let mut moves = Moves::<G>::new();
    game.moves(pos, &mut moves);
    if moves.is_empty() {
        return Ok(());
    }
    let (worth, other) = (game.evaluate(pos), game.evaluate(&game.mirror(pos)));
    holds(worth.abs() < game.decisive(), || broken(&format!("an evaluation of {} is decisive", worth.0)))?;
    holds(worth == other, || broken(&format!("worth {}, mirrored {}", worth.0, other.0)))?;
    holds(game.canonical(pos) == game.canonical(&game.mirror(pos)), || {
        broken("its mirror has another canonical text")
    })?;
    let read = game.parse(&text).map_err(|error| Broken(broken(&format!("not read back: {error}"))))?;
    holds(read == *pos, || broken("read back as another position"))?;
    for scored in &moves {
        let (mv, bits) = (scored.mv, game.pack(scored.mv));
        let name = game.format_move(pos, mv);
        holds(bits != 0 && game.unpack(bits) == mv, || broken(&format!("{name} is not unpacked as packed")))?;
        holds(game.parse_move(pos, &name).as_ref() == Ok(&mv), || {
            broken(&format!("{name} is not read back"))
        })?;
        holds(game.history_index(pos, mv) < G::HISTORY, || {
            broken(&format!("{name} has no place in the history"))
        })?;
        let child = game.play(pos, mv);
        let left = game.remaining(pos).zip(game.remaining(&child));
        holds(left.is_none_or(|(before, after)| after < before || game.plies(mv) == 0), || {
            broken(&format!("after {name} no fewer moves remain"))
        })?;
        if plies > 0 {
            follow(game, &child, plies - 1, keys)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Chess, Othello};

    #[test]
    fn the_games_of_the_house_keep_their_promises() {
        let start = "---------------------------OX------XO--------------------------- X";
        game(&Othello::default(), start, 3).unwrap();
        game(&Chess::default(), "8/8/8/3k4/8/3K4/3P4/8 w - - 0 1", 3).unwrap();
    }

    #[test]
    fn a_position_that_is_none_is_named() {
        let broken = game(&Othello::default(), "nothing", 1).unwrap_err();
        assert!(broken.to_string().starts_with("nothing: "), "{broken}");
    }
}
