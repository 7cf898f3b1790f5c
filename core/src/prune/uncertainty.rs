//! Uncertainty cut-offs: where the first moves of a node that was expected to be refuted do not refute it, the rest are left for
//! a search that is made only if it matters.
//!
//! Source: Björnsson, Marsland, Schaeffer & Junghanns 1997 ("Searching with uncertainty cut-offs"). A cut node next to the
//! principal variation that fails low after `moves` moves only says that the move which led to it may be better than the best so
//! far; the host then searches that move again in an open window, where nothing is left out. So no value changes. The unsafe
//! generalisation (`everywhere`) does it at all expected cut nodes. Left out: the measure of uncertainty that the paper backs up
//! the tree; a node is uncertain or not.

use super::{Asks, Calibration, Depths, Guards, Method, Place, Prune, SetupError, SkipPlan};
use crate::game::{Game, MAX_MOVES};
use crate::score::Score;
use crate::search::{Kind, Node, Search};
use serde::{Deserialize, Serialize};

/// Parameters of uncertainty cut-offs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Params {
    /// Moves that are tried before the rest are left, at least 1.
    pub moves: usize,
    /// Least depth, plies, at least 1.
    pub min_depth: i32,
    /// At all expected cut nodes, not only next to the principal variation: unsafe.
    #[serde(default)]
    pub everywhere: bool,
    /// The guards that all methods share. `pv`, `store` and `last` mean nothing here.
    #[serde(default)]
    pub guards: Guards,
}

/// Cuts that put a decision off.
#[derive(Clone, Debug)]
pub struct Uncertainty(Params);

impl Method for Uncertainty {
    const NAME: &'static str = "uncertainty";
    type Params = Params;

    fn new(params: &Params, _: &Calibration, _: usize) -> Result<Self, SetupError> {
        let Params { moves, min_depth, .. } = *params;
        Self::require(
            moves >= 1 && min_depth >= 1,
            format_args!("moves {moves}, min-depth {min_depth}: expected both at least 1"),
        )?;
        params.guards.refuse_last::<Self>()?;
        Ok(Uncertainty(params.clone()))
    }
}

impl<G: Game> Prune<G> for Uncertainty {
    fn asks(&self) -> Asks {
        let Params { moves, min_depth, guards, .. } = &self.0;
        Asks {
            skip: Depths::from(*min_depth),
            line: true,
            doubts_bounds: *moves < MAX_MOVES,
            ..Asks::guarded::<Self>(guards)
        }
    }

    fn plan(&self, search: &mut Search<'_, G>, _: Place, node: &Node<'_, G>, _: Score) -> SkipPlan {
        let Params { moves, everywhere, guards, .. } = self.0;
        let acts = node.path.kind == Kind::Cut
            && (everywhere || search.parent_kind(node) == Kind::Pv)
            && !guards.bar_whatever_bound(node, &search.game);
        if acts { SkipPlan::from(moves) } else { SkipPlan::NONE }
    }

    fn skip(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        alpha: Score,
        mv: G::Move,
        _: usize,
    ) -> Option<Score> {
        if self.0.guards.bar_bound::<G>(alpha) {
            return None;
        }
        search.count(place, node).tries += 1;
        search.claim_move(place, node, mv, alpha)
    }
}
