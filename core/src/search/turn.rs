//! One move of a node: its search with the node's window or a null window, and the searches again where that was too narrow or
//! too shallow.

use super::node::{Kind, Parent, Path};
use super::{Form, Node, Search, moments};
use crate::game::{Game, Moves};
use crate::score::{Depth, Score, Window};

impl<G: Game, F: Form<G>> Search<'_, G, F> {
    /// Value of the move `mv` at `index` of the order, as the node's side sees it. The first is searched with `window`, the
    /// others with a null window at its lower bound first.
    #[inline(always)]
    pub(super) fn turn(
        &mut self,
        node: &Node<'_, G>,
        parent: Parent<'_, G>,
        mv: G::Move,
        index: usize,
        window: Window,
    ) -> Score {
        let child = self.game.play(node.pos, mv);
        let mut depth = node.depth - self.game.plies(mv);
        let mut extra = 0;
        if F::ANY && node.ply > 0 && self.moments.spoken(node.depth, moments::EXTEND) {
            extra = self.extra(node, mv, index);
            depth = depth + extra;
        }
        let Window { alpha, beta } = window;
        let (asked, kind) = match node.path.kind {
            Kind::Pv if index == 0 => (window, Kind::Pv),
            kind if index == 0 => (window, kind.child()),
            kind => (Window::at_most(alpha), kind.child()),
        };
        let mut score = self.below(parent, Some(mv), &child, depth, -asked, node.path.child(kind));
        if F::ANY && extra < 0 && index > 0 && score > alpha && !self.stopped {
            depth = depth - extra;
            self.line.reduce(node.ply, 0);
            score = self.search_again(parent, mv, &child, depth, -asked, node.path.child(kind));
        }
        if index > 0 && score > alpha && !self.stopped {
            let doubtful = F::ANY && self.doubts && score == beta && node.path.kind == Kind::Pv;
            if score < beta || doubtful {
                // Behind a throw windows are open everywhere, and an open one is no sign of the principal variation.
                let kind = if G::CHANCE && self.throws > 0 { kind } else { Kind::Pv };
                score = self.search_again(parent, mv, &child, depth, -window, node.path.child(kind));
            }
        }
        score
    }

    /// The search of a child that turned out better than a null window allows.
    #[inline(never)]
    fn search_again(
        &mut self,
        parent: Parent<'_, G>,
        mv: G::Move,
        child: &G::Position,
        depth: Depth,
        window: Window,
        path: Path,
    ) -> Score {
        self.below(parent, Some(mv), child, depth, window, path)
    }

    /// Searches a child position, which `mv` led to (`None`: a null move), with its own `window` and `path`, negated
    /// for the node's side.
    #[inline(always)]
    pub(super) fn below(
        &mut self,
        parent: Parent<'_, G>,
        mv: Option<G::Move>,
        child: &G::Position,
        depth: Depth,
        window: Window,
        path: Path,
    ) -> Score {
        if G::REPETITION {
            self.keys.push(parent.key);
        }
        if G::COUNTERS {
            self.memory.made(parent.ply, mv.map(|mv| self.game.history_index(parent.pos, mv)));
        }
        let score = -self.value(child, depth, window, parent.ply + 1, path);
        if G::REPETITION {
            self.keys.pop();
        }
        score
    }

    /// Remembers a quiet refutation, and that the quiet moves before it in the order were none: those that methods left out
    /// unsearched too, which were expected to refute nothing.
    #[inline(always)]
    pub(super) fn reward(&mut self, pos: &G::Position, depth: Depth, ply: u32, moves: &Moves<G>, cut: usize) {
        let mv = moves[cut].mv;
        if depth <= self.unremembered || self.game.tactical(pos, mv) {
            return;
        }
        self.memory.killed(ply, mv);
        let side = self.game.side(pos);
        if G::COUNTERS {
            self.memory.countered(side, ply, mv);
        }
        let bonus = (depth.0 * depth.0).min(400);
        for (index, earlier) in moves[..=cut].iter().enumerate() {
            if !self.game.tactical(pos, earlier.mv) {
                let slot = self.game.history_index(pos, earlier.mv);
                let bonus = if index == cut { bonus } else { -bonus };
                self.memory.credit(side, slot, bonus);
                if F::ANY && G::COUNTERS && self.moments.asks.pairs > 0 {
                    self.memory.credit_pairs(side, ply, slot, bonus);
                }
            }
        }
    }
}
