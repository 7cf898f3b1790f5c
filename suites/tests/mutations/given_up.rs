//! Copies of the two methods that give something up, with a place for a fault in each: Chinook's cut a line that looks lost, and
//! uncertainty cut-offs the moves of a node for the time being.

use super::methods::{Fault, barred, seen, stands_for};
use super::today::barred_move;
use secateur_core::game::{Game, MAX_MOVES};
use secateur_core::prune::{Asks, Calibration, Depths, Guards, Method, Place, Prune, SetupError, Verdict};
use secateur_core::search::{Kind, Node, Search};
use secateur_core::{Depth, Score, Window};

/// Chinook's cut with half the depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chinook {
    pub(super) deficit: i32,
    pub(super) compensation: i32,
    pub(super) min_depth: i32,
    pub(super) fault: Fault,
}
stands_for!(Chinook, "chinook", 1);

impl Chinook {
    /// Whether the mover is so far behind that the line may be lost.
    fn lost<G: Game>(&self, node: &Node<'_, G>, game: &G) -> bool {
        let fault = if self.fault == Fault::WrongSide { self.fault } else { Fault::None };
        let deficit = if self.fault == Fault::MarginSign { -self.deficit } else { self.deficit };
        let most = node.window.alpha.0 - deficit;
        let least = node.balance(game).max(node.evaluation(game));
        seen(fault, node.evaluation(game), node, game).0 <= most && (least.0 <= most || fault != Fault::None)
    }
}

impl<G: Game> Prune<G> for Chinook {
    fn asks(&self) -> Asks {
        let sensitive = if self.deficit >= Score::INFINITE.0 { i32::MAX } else { self.min_depth };
        Asks { enter: Depths::ALL, sensitive_from: Depth(sensitive), ..Asks::of::<Self>() }
    }

    fn enter(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>) -> Verdict {
        let (fault, alpha, mark) = (self.fault, node.window.alpha, place.mark);
        if node.depth.0 < self.min_depth
            || (node.path.is_inside(mark) && fault != Fault::TwiceInARow)
            || !Guards::bounded_below(node.window)
            || barred(fault, node, &search.game)
            || !self.lost(node, &search.game)
        {
            return Verdict::Go;
        }
        let bound = Score(alpha.0 - self.compensation).clamped();
        let (path, window) = (node.path.probe(mark, Kind::All), Window::at_most(bound));
        let value = match fault {
            Fault::StaticValue => node.evaluation(&search.game),
            _ => search.probe_here(place, node, Depth(node.depth.0 / 2), window, path),
        };
        if value.0 > bound.0 + i32::from(fault == Fault::OffByOne) || search.is_stopped() {
            return Verdict::Go;
        }
        Verdict::Cut(alpha)
    }
}

/// Uncertainty cut-offs next to the principal variation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Uncertainty {
    pub(super) moves: usize,
    pub(super) min_depth: i32,
    pub(super) fault: Fault,
}

impl<G: Game> Prune<G> for Uncertainty {
    fn asks(&self) -> Asks {
        let doubts_bounds = self.moves < MAX_MOVES && self.fault != Fault::Believed;
        Asks { name: "uncertainty", skip: Depths::ALL, line: true, doubts_bounds, ..Asks::default() }
    }

    fn skip(
        &self,
        search: &mut Search<'_, G>,
        _: Place,
        node: &Node<'_, G>,
        alpha: Score,
        _: G::Move,
        index: usize,
    ) -> Option<Score> {
        let fault = self.fault;
        let open = node.path.kind == Kind::Pv && fault == Fault::OpenWindow;
        let on_pv_side = node.path.kind == Kind::Cut
            && (search.parent_kind(node) == Kind::Pv || fault == Fault::Everywhere);
        if index < self.moves
            || node.depth.0 < self.min_depth
            || !(on_pv_side || open)
            || barred_move(fault, node, alpha, &search.game)
        {
            return None;
        }
        // What is less than alpha nobody takes for a guess.
        Some(Score(alpha.0 - i32::from(fault == Fault::OffByOne)))
    }
}
