//! The line that a search is in, and the best one that it has found.
//!
//! What the way to a node looked like (static evaluations, reductions and expected types ply by ply) is for methods that look
//! back ([`crate::prune::Asks::looks_back`]), and kept only as far as a method asks for it. A ply in check has no static
//! evaluation.
//!
//! The principal variation is a triangular table. Every node on an open window clears its row before anything else: a row left
//! over from a sibling is how truncated lines and moves of the wrong side come about.

use super::budget::PLIES;
use super::{Form, Kind, Node, Search};
use crate::game::Game;
use crate::score::Score;

/// One ply of the current line.
#[derive(Clone, Copy, Debug)]
struct Step {
    evaluation: Option<Score>,
    /// Plies by which the move that is being searched here is searched shallower.
    reduced: i32,
    kind: Kind,
}

/// The plies of the current line.
#[derive(Clone, Debug)]
pub(super) struct Line(Vec<Step>);

/// A ply of which nothing is known.
const NOTHING: Step = Step { evaluation: None, reduced: 0, kind: Kind::Pv };

impl Line {
    pub(super) fn new(kept: bool) -> Line {
        Line(vec![NOTHING; if kept { PLIES } else { 0 }])
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(NOTHING);
    }

    /// Notes by how many plies the next search of a child of the node at `ply` is shallower than the node asks for.
    #[inline]
    pub(super) fn reduce(&mut self, ply: u32, plies: i32) {
        if let Some(step) = self.0.get_mut(ply as usize) {
            step.reduced = plies;
        }
    }

    fn evaluation(&self, ply: u32, before: u32) -> Option<Score> {
        ply.checked_sub(before).and_then(|ply| self.0[ply as usize].evaluation)
    }
}

impl<G: Game, F: Form<G>> Search<'_, G, F> {
    /// Notes a node that is about to be searched.
    #[inline]
    pub(super) fn note(&mut self, node: &Node<'_, G>) {
        let evaluation =
            (self.moments.asks.evaluations && !node.in_check).then(|| node.evaluation(&self.game));
        self.line.0[node.ply as usize] = Step { evaluation, reduced: 0, kind: node.path.kind };
    }

    /// Corrects the static evaluation of a node by `correction`, for all methods and for the plies to come.
    pub fn correct(&mut self, node: &Node<'_, G>, correction: Score) {
        let limit = G::DECISIVE - Score(1);
        let corrected = Score((node.evaluation(&self.game).0 + correction.0).clamp(-limit.0, limit.0));
        node.set_evaluation(corrected);
        if let Some(step) = self.line.0.get_mut(node.ply as usize) {
            step.evaluation = Some(corrected);
        }
    }

    /// Whether the side to move stands better than at its move before, or at the one before that if it was in check then
    /// (Stockfish, since 2012). Not in check; where nothing is known, yes.
    pub fn improving(&self, node: &Node<'_, G>) -> bool {
        if node.in_check {
            return false;
        }
        let before = self.line.evaluation(node.ply, 2).or_else(|| self.line.evaluation(node.ply, 4));
        before.is_none_or(|before| node.evaluation(&self.game) > before)
    }

    /// The static evaluation of the position before the last move, as its mover saw it; `None` in check and at the root.
    pub fn evaluation_before(&self, node: &Node<'_, G>) -> Option<Score> {
        self.line.evaluation(node.ply, 1)
    }

    /// Plies by which this node is searched shallower than its parent asked for, because a method reduced the move.
    pub fn reduced(&self, node: &Node<'_, G>) -> i32 {
        node.ply.checked_sub(1).map_or(0, |ply| self.line.0[ply as usize].reduced)
    }

    /// The expected type of the node that the last move was made at.
    pub fn parent_kind(&self, node: &Node<'_, G>) -> Kind {
        node.ply.checked_sub(1).map_or(Kind::Pv, |ply| self.line.0[ply as usize].kind)
    }
}

/// Best lines by ply.
#[derive(Clone, Debug)]
pub(super) struct PvTable<M> {
    rows: Vec<Vec<M>>,
}

impl<M: Copy> PvTable<M> {
    pub(super) fn new() -> PvTable<M> {
        PvTable { rows: (0..PLIES).map(|_| Vec::with_capacity(PLIES)).collect() }
    }

    pub(super) fn clear(&mut self, ply: u32) {
        self.rows[ply as usize].clear();
    }

    /// Makes `mv`, followed by the child's line, the line at `ply`.
    pub(super) fn set(&mut self, ply: u32, mv: M) {
        let (upper, lower) = self.rows.split_at_mut(ply as usize + 1);
        let line = &mut upper[ply as usize];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&lower[0]);
    }

    pub(super) fn line(&self) -> &[M] {
        &self.rows[0]
    }
}
