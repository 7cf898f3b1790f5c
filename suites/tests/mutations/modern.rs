//! Copies of methods of today with a place for a fault in each, as `methods` has them of the older ones.

use super::methods::{Fault, barred, seen, stands_for};
use secateur_core::Score;
use secateur_core::game::{Game, Moves};
use secateur_core::prune::{Calibration, Method, Prune, SetupError, Verdict};
use secateur_core::search::{Kind, Node, Search};

/// Reverse futility.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReverseFutility {
    pub(super) depth: i32,
    pub(super) margin: i32,
    pub(super) fault: Fault,
}
stands_for!(ReverseFutility, "reverse-futility", 0);

impl<G: Game> Prune<G> for ReverseFutility {
    fn enter<P: Prune<G>>(&self, search: &mut Search<'_, G, P>, node: &Node<'_, G>) -> Verdict {
        let (fault, game) = (self.fault, &search.game);
        if node.depth.0 > self.depth || self.margin >= Score::INFINITE.0 || barred(fault, node, game) {
            return Verdict::Go;
        }
        let claim = Score(seen(fault, node.evaluation(game), node, game).0 - self.margin * node.depth.0);
        if claim < node.window.beta { Verdict::Go } else { Verdict::Cut(claim) }
    }
}

/// Late-move pruning with one count a depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lmp {
    pub(super) depth: i32,
    pub(super) count: usize,
    pub(super) fault: Fault,
}
stands_for!(Lmp, "lmp", 0);

impl Lmp {
    fn drops<G: Game>(&self, game: &G, node: &Node<'_, G>, alpha: Score, mv: G::Move, index: usize) -> bool {
        let fault = self.fault;
        node.depth.0 <= self.depth
            && index >= self.count
            && (node.path.kind != Kind::Pv || fault == Fault::OpenWindow)
            && (!node.in_check || fault == Fault::InCheck)
            && (alpha.abs() < G::DECISIVE || fault == Fault::UnprovenMate)
            && !node.is_solved_by_depth(game)
            && !game.tactical(node.pos, mv)
            && (!game.gives_check(node.pos, mv) || fault == Fault::NoChecksSpared)
    }
}

impl<G: Game> Prune<G> for Lmp {
    fn branch<P: Prune<G>>(
        &self,
        search: &mut Search<'_, G, P>,
        node: &Node<'_, G>,
        moves: &mut Moves<G>,
    ) -> Verdict {
        if self.fault == Fault::NoFirstMove && node.path.kind != Kind::Pv {
            let (game, alpha) = (&search.game, node.window.alpha);
            moves.retain(|scored| !self.drops(game, node, alpha, scored.mv, self.count));
        }
        Verdict::Go
    }

    fn skip<P: Prune<G>>(
        &self,
        search: &mut Search<'_, G, P>,
        node: &Node<'_, G>,
        alpha: Score,
        mv: G::Move,
        index: usize,
    ) -> Option<Score> {
        self.drops(&search.game, node, alpha, mv, index).then_some(alpha)
    }
}
