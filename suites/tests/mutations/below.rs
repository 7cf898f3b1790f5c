//! Copies of the two methods that leave out captures below the horizon by exchange and by number, with a place for a fault in
//! each.

use super::methods::Fault;
use secateur_core::Score;
use secateur_core::game::{Game, QuietNode};
use secateur_core::prune::{Asks, Place, Prune};
use secateur_core::search::Quiet;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Exchange pruning below the horizon.
#[derive(Clone, Copy, Debug)]
pub(super) struct QuietExchange {
    pub(super) least: i32,
    pub(super) behind: i32,
    pub(super) fault: Fault,
}

impl<G: Game> Prune<G> for QuietExchange {
    fn asks(&self) -> Asks {
        Asks { name: "quiet-exchange", quiet: true, ..Asks::default() }
    }

    fn quiet(
        &self,
        search: &mut Quiet<'_, '_, G>,
        _: Place,
        node: &QuietNode<'_, G>,
        alpha: Score,
        mv: G::Move,
    ) -> Option<Score> {
        let (fault, game) = (self.fault, search.game());
        if alpha.abs() >= G::DECISIVE && fault != Fault::UnprovenMate {
            return None;
        }
        let stand = match fault {
            Fault::WrongSide if game.side(node.pos) == 1 => -node.stand,
            _ => node.stand,
        };
        let margin = if fault == Fault::MarginSign { -self.behind } else { self.behind };
        let behind = Score(stand.0.saturating_add(margin));
        let near = Score(alpha.0 + i32::from(fault == Fault::OffByOne));
        let won = game.exchange(node.pos, mv);
        let won = if fault == Fault::WrongSign { -won } else { won };
        if won.0 < self.least {
            Some(alpha)
        } else {
            (behind <= near && won <= Score::ZERO).then_some(behind)
        }
    }
}

/// Move-count pruning below the horizon.
#[derive(Debug)]
pub(super) struct QuietCount {
    pub(super) moves: usize,
    pub(super) fault: Fault,
    /// Moves of all nodes, for a fault that does not count anew at each.
    pub(super) tried: AtomicUsize,
}

impl<G: Game> Prune<G> for QuietCount {
    fn asks(&self) -> Asks {
        Asks { name: "quiet-count", quiet: true, ..Asks::default() }
    }

    fn quiet(
        &self,
        search: &mut Quiet<'_, '_, G>,
        _: Place,
        node: &QuietNode<'_, G>,
        alpha: Score,
        mv: G::Move,
    ) -> Option<Score> {
        let fault = self.fault;
        let tried = match fault {
            Fault::NoFirstMove => node.tried + 1,
            Fault::Remembers => self.tried.fetch_add(1, Ordering::Relaxed) % (2 * self.moves),
            _ => node.tried,
        };
        if tried < self.moves
            || (alpha.abs() >= G::DECISIVE && fault != Fault::UnprovenMate)
            || (search.game().gives_check(node.pos, mv) && fault != Fault::NoChecksSpared)
        {
            return None;
        }
        Some(alpha)
    }
}
