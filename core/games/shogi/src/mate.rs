//! Proofs of mate by checks alone, as problems of shogi (tsume) ask for.
//!
//! An AND/OR search over all checks and all answers, to a number of plies: what it finds is proved, and a mate that takes moves
//! without check is not looked for. No search of positions asks for it: it makes sets with exact answers.

use super::{Position, Shogi};
use haitaka::Move;
use secateur_core::game::{Moves, Rules};
use std::collections::BTreeMap;

/// A mate by checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mate {
    /// Plies to the mate, odd: the fewest that checks take.
    pub plies: u32,
    /// The first moves that mate in so many.
    pub keys: Vec<Move>,
}

/// The shortest mate by checks in at most `most` plies; `None` if there is none, or if it took more than `nodes` positions to say.
pub fn shortest(game: &Shogi, pos: &Position, most: u32, nodes: u64) -> Option<Mate> {
    let mut prover = Prover { game, proven: BTreeMap::new(), nodes };
    for plies in (1..=most).step_by(2) {
        let mut keys = Vec::new();
        for mv in checks(game, pos) {
            if prover.mated(&game.play(pos, mv), plies - 1)? {
                keys.push(mv);
            }
        }
        if !keys.is_empty() {
            return Some(Mate { plies, keys });
        }
    }
    None
}

struct Prover<'a> {
    game: &'a Shogi,
    /// What is known of positions by plies left.
    proven: BTreeMap<(u64, u32), bool>,
    nodes: u64,
}

impl Prover<'_> {
    /// Whether the side to move, in check, is mated in at most so many plies, an even number. `None` where nodes run out.
    fn mated(&mut self, pos: &Position, plies: u32) -> Option<bool> {
        let at = (self.game.key(pos), plies);
        if let Some(&proven) = self.proven.get(&at) {
            return Some(proven);
        }
        self.nodes = self.nodes.checked_sub(1)?;
        let mut moves = Moves::<Shogi>::new();
        self.game.moves(pos, &mut moves);
        let mut mated = moves.is_empty() || plies > 0;
        for scored in &moves {
            mated = mated && self.mates(&self.game.play(pos, scored.mv), plies.saturating_sub(1))?;
            if !mated {
                break;
            }
        }
        self.proven.insert(at, mated);
        Some(mated)
    }

    /// Whether the side to move mates by checks in at most so many plies, an odd number.
    fn mates(&mut self, pos: &Position, plies: u32) -> Option<bool> {
        for mv in checks(self.game, pos) {
            if self.mated(&self.game.play(pos, mv), plies - 1)? {
                return Some(true);
            }
        }
        Some(false)
    }
}

/// All moves that give check.
fn checks(game: &Shogi, pos: &Position) -> Vec<Move> {
    let mut moves = Moves::<Shogi>::new();
    game.moves(pos, &mut moves);
    moves.iter().map(|scored| scored.mv).filter(|&mv| game.gives_check(pos, mv)).collect()
}
