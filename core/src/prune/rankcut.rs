//! RankCut: once no better move is likely to come, the rest are searched shallower.
//!
//! Source: Lim & Lee 2006. How likely a better move is at this place in the order or later is a relative frequency, by depth, place,
//! expected type of the node, and how far the best value so far lies below alpha. Below the threshold a move is searched to a
//! reduced depth; one that is better than alpha there is searched in full, and the rest of the node counts as likely again. The
//! paper computes the frequencies beforehand from games; here a search counts its own, so that there is nothing to fit and
//! nothing carries over from one position to the next. Left out: extensions and changes of the best move as features.

use super::lmr::shallower;
use super::{Asks, Calibration, Depths, Guards, Method, Place, Prune, Searched, SetupError, SkipPlan};
use crate::game::Game;
use crate::score::Score;
use crate::search::{Kind, Node, Search};
use serde::{Deserialize, Serialize};

/// Depths, places and types that are told apart; beyond, the last goes on.
const DEPTHS: usize = 16;
const PLACES: usize = 24;
const KINDS: usize = 3;
/// Cells of what was seen: how often, and how often a better move came.
const CELLS: usize = 2 * DEPTHS * PLACES * KINDS;

/// Parameters of RankCut.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Params {
    /// A better move is unlikely below this probability, 0 to 1; 0 is never.
    pub threshold: f64,
    /// Plies by which unlikely moves are searched shallower, at least 1.
    pub reduction: i32,
    /// Least depth, plies, more than `reduction`.
    pub min_depth: i32,
    /// Nodes of the same kind that must have been seen first, at least 1.
    pub seen: i32,
    /// The guards that all methods share.
    #[serde(default)]
    pub guards: Guards,
}

/// Reductions by the probability of a better move.
#[derive(Clone, Debug)]
pub struct RankCut(Params);

impl Method for RankCut {
    const NAME: &'static str = "rankcut";
    const CELLS: usize = CELLS;
    type Params = Params;

    fn new(params: &Params, _: &Calibration, _: usize) -> Result<Self, SetupError> {
        let Params { threshold, reduction, min_depth, seen, guards } = *params;
        Self::require(
            (0.0..=1.0).contains(&threshold) && reduction >= 1 && min_depth > reduction && seen >= 1,
            format_args!(
                "threshold {threshold}, reduction {reduction}, min-depth {min_depth}, seen {seen}: expected threshold 0 to \
                 1, reduction >= 1, min-depth > reduction, seen >= 1"
            ),
        )?;
        guards.refuse_last::<Self>()?;
        Ok(RankCut(params.clone()))
    }
}

/// The cell of nodes like this one at a place in the order of search.
#[inline]
fn cell<G: Game>(node: &Node<'_, G>, index: usize) -> usize {
    let depth = (node.depth.0.max(0) as usize).min(DEPTHS - 1);
    let kind = match node.path.kind {
        Kind::Pv => 0,
        Kind::Cut => 1,
        Kind::All => 2,
    };
    2 * ((depth * PLACES + index.min(PLACES - 1)) * KINDS + kind)
}

impl RankCut {
    fn is_unlikely(&self, cells: &[i32], cell: usize) -> bool {
        let (seen, better) = (cells[cell], cells[cell + 1]);
        seen >= self.0.seen && f64::from(better) < self.0.threshold * f64::from(seen)
    }
}

impl<G: Game> Prune<G> for RankCut {
    fn asks(&self) -> Asks {
        let Params { threshold, min_depth, guards, .. } = &self.0;
        Asks {
            skip: Depths::from(*min_depth),
            leave: Depths::ALL.when(*threshold > 0.0),
            ..Asks::guarded::<Self>(guards)
        }
    }

    fn plan(&self, search: &mut Search<'_, G>, _: Place, node: &Node<'_, G>, _: Score) -> SkipPlan {
        let barred = self.0.guards.bar_whatever_bound(node, &search.game);
        if barred { SkipPlan::NONE } else { SkipPlan::from(1) }
    }

    fn skip(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        alpha: Score,
        mv: G::Move,
        index: usize,
    ) -> Option<Score> {
        let Params { reduction, guards, .. } = &self.0;
        if !self.is_unlikely(search.learnt(place), cell(node, index))
            || guards.bar_bound::<G>(alpha)
            || alpha <= -G::DECISIVE
            || !search.game.is_calm(node.pos, mv)
        {
            return None;
        }
        search.count(place, node).tries += 1;
        let value = shallower(search, place, node, alpha, mv, *reduction)?;
        search.claim_move(place, node, mv, alpha);
        Some(value)
    }

    #[inline]
    fn leave(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>, moves: &Searched<G::Move>) {
        let best = moves.best.map_or(0, |(_, index)| index);
        let cells = search.learnt(place);
        for index in 1..moves.tried.min(PLACES) {
            let cell = cell(node, index);
            cells[cell] += 1;
            cells[cell + 1] += i32::from(index <= best);
            if cells[cell] >= 1 << 16 {
                cells[cell] /= 2;
                cells[cell + 1] /= 2;
            }
        }
    }
}
