//! What a search says below its horizon, where the game searches by itself.
//!
//! A quiescence search is the game's ([`Evaluation::quiesce`](super::Evaluation::quiesce)); which of its moves are left out is a
//! matter of the host's options and of pruning methods, which speak through [`Below`]. Left out: nodes in check and standing
//! pat, which stay the game's.

use super::evaluation::Evaluation;
use super::rules::Rules;
use crate::score::Score;
use std::cell::Cell;

/// A node of a quiescence search whose side to move is not in check and did not reach beta by standing pat.
#[derive(Debug)]
pub struct QuietNode<'a, G: Rules> {
    /// The position.
    pub pos: &'a G::Position,
    /// Plies from the root.
    pub ply: u32,
    /// Plies beyond the horizon, from 0.
    pub beyond: u32,
    /// The static evaluation: what not moving is worth.
    pub stand: Score,
    /// Moves of this node that were searched so far.
    pub tried: usize,
    stage: Cell<Option<u8>>,
}

impl<'a, G: Rules> QuietNode<'a, G> {
    /// A node of which no move was searched yet.
    #[inline]
    pub fn new(pos: &'a G::Position, ply: u32, beyond: u32, stand: Score) -> QuietNode<'a, G> {
        QuietNode { pos, ply, beyond, stand, tried: 0, stage: Cell::new(None) }
    }

    /// The position's stage, computed once a node: methods count each move by it.
    #[inline]
    pub fn stage(&self, game: &G) -> usize
    where
        G: Evaluation,
    {
        let stage = self.stage.get().unwrap_or_else(|| {
            let stage = game.stage(self.pos) as u8;
            self.stage.set(Some(stage));
            stage
        });
        usize::from(stage)
    }
}

/// Who is asked before each capture or promotion of a quiescence search.
pub trait Below<G: Rules> {
    /// Whether captures that lose by exchange are tried at all ([`crate::search::Options::losing_captures`]).
    fn losing(&self) -> bool;

    /// An upper bound (<= `alpha`, the best value so far) that is claimed for the move, which is then not searched.
    fn skip(&mut self, game: &G, node: &QuietNode<'_, G>, alpha: Score, mv: G::Move) -> Option<Score>;
}

/// Nobody: the game's usual quiescence search.
impl<G: Rules> Below<G> for () {
    #[inline(always)]
    fn losing(&self) -> bool {
        false
    }

    #[inline(always)]
    fn skip(&mut self, _: &G, _: &QuietNode<'_, G>, _: Score, _: G::Move) -> Option<Score> {
        None
    }
}
