//! Copies of modern methods with a place for a fault in each, as `methods` has them of the older ones.

use super::methods::{Fault, barred, seen, stands_for};
use secateur_core::game::{Game, Moves};
use secateur_core::prune::{
    Asks, Calibration, Depths, Guards, Method, Place, Prune, SetupError, Verdict, pick_in_order,
};
use secateur_core::search::{Claim, Kind, Node, Search};
use secateur_core::{Depth, Score, Window};

/// Reverse futility.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReverseFutility {
    pub(super) depth: i32,
    pub(super) margin: i32,
    pub(super) fault: Fault,
}
stands_for!(ReverseFutility, "reverse-futility", 0);

impl<G: Game> Prune<G> for ReverseFutility {
    fn asks(&self) -> Asks {
        Asks { enter: Depths::ALL, ..Asks::of::<Self>() }
    }

    fn enter(&self, search: &mut Search<'_, G>, _: Place, node: &Node<'_, G>) -> Verdict {
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
    fn asks(&self) -> Asks {
        Asks { branch: Depths::ALL, skip: Depths::ALL, ..Asks::of::<Self>() }
    }

    fn branch(
        &self,
        search: &mut Search<'_, G>,
        _: Place,
        node: &Node<'_, G>,
        moves: &mut Moves<G>,
    ) -> Verdict {
        if self.fault == Fault::NoFirstMove && node.path.kind != Kind::Pv {
            let (game, alpha) = (&search.game, node.window.alpha);
            moves.retain(|scored| !self.drops(game, node, alpha, scored.mv, self.count));
        }
        Verdict::Go
    }

    fn skip(
        &self,
        search: &mut Search<'_, G>,
        _: Place,
        node: &Node<'_, G>,
        alpha: Score,
        mv: G::Move,
        index: usize,
    ) -> Option<Score> {
        self.drops(&search.game, node, alpha, mv, index).then_some(alpha)
    }
}

/// Capture ProbCut with one reduction; as in the source, no cut is stored at the depth of its node.
#[derive(Clone, Copy, Debug)]
pub(super) struct CaptureProbCut {
    pub(super) margin: i32,
    pub(super) reduction: i32,
    pub(super) min_depth: i32,
    pub(super) fault: Fault,
}
stands_for!(CaptureProbCut, "capture-probcut", 1);

impl<G: Game> Prune<G> for CaptureProbCut {
    fn asks(&self) -> Asks {
        let sensitive = if self.margin >= Score::INFINITE.0 { i32::MAX } else { self.min_depth };
        Asks { branch: Depths::ALL, sensitive_from: Depth(sensitive), ..Asks::of::<Self>() }
    }

    fn branch(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        moves: &mut Moves<G>,
    ) -> Verdict {
        let (fault, beta) = (self.fault, node.window.beta);
        let raised = Score(beta.0 + if fault == Fault::MarginSign { -self.margin } else { self.margin });
        let inside = node.path.is_inside(place.mark) && fault != Fault::TwiceInARow;
        if node.depth.0 < self.min_depth
            || raised >= G::DECISIVE
            || inside
            || barred(fault, node, &search.game)
        {
            return Verdict::Go;
        }
        let lacking = raised.0 - seen(fault, node.evaluation(&search.game), node, &search.game).0;
        let path = node.path.probe(place.mark, Kind::All);
        let window = -Window::at_least(raised);
        for index in 0..moves.len() {
            let mv = pick_in_order::<G>(moves, index);
            let game = &search.game;
            if !game.tactical(node.pos, mv) || game.exchange(node.pos, mv).0 < lacking {
                continue;
            }
            let child = game.play(node.pos, mv);
            let mut value = search.probe_child(place, node, Some(mv), &child, Depth(0), window, path);
            if value >= raised {
                let depth = node.depth - self.reduction;
                value = search.probe_child(place, node, Some(mv), &child, depth, window, path);
            }
            if search.is_stopped() {
                return Verdict::Go;
            }
            if value >= raised {
                let capped = Score(value.0 - self.margin).min(G::DECISIVE - Score(1)).max(beta);
                let score = if fault == Fault::UnprovenMate { value } else { capped };
                let guards = Guards { store: false, ..Guards::default() };
                return guards.cut(search, place, node, Claim::AtLeast(beta), score);
            }
        }
        Verdict::Go
    }
}
