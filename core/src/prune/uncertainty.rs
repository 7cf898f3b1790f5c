//! Uncertainty cut-offs: where the first moves of a node that was expected to be refuted do not refute it, the rest are left for
//! a search that is made only if it matters.
//!
//! Source: Björnsson, Marsland, Schaeffer & Junghanns 1997 ("Searching with uncertainty cut-offs"). A cut node beside the
//! principal variation that fails low after `moves` moves only says that the move which led to it may be better than the best so
//! far; the host then searches that move again in an open window, where nothing is left out. So no value changes. The unsafe
//! generalisation (`everywhere`) does it at all expected cut nodes. Left out: the measure of uncertainty that the paper backs up
//! the tree; a node is uncertain or not.

use super::{Asks, Calibration, Guards, Method, Prune, SetupError};
use crate::game::{Game, MAX_MOVES};
use crate::score::{Depth, Score};
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
    /// At all expected cut nodes, not only beside the principal variation: unsafe.
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
        if moves < 1 || min_depth < 1 {
            let message = format!("moves {moves}, min-depth {min_depth}: expected both at least 1");
            return Err(SetupError { method: Self::NAME, message });
        }
        params.guards.refuse_last(Self::NAME)?;
        Ok(Uncertainty(params.clone()))
    }

    fn guards(params: &Params) -> Guards {
        params.guards
    }
}

impl<G: Game> Prune<G> for Uncertainty {
    #[inline(always)]
    fn skip<P: Prune<G>>(
        &self,
        search: &mut Search<'_, G, P>,
        node: &Node<'_, G>,
        alpha: Score,
        mv: G::Move,
        index: usize,
    ) -> Option<Score> {
        let Params { moves, min_depth, everywhere, guards } = &self.0;
        if index < *moves
            || node.path.kind != Kind::Cut
            || node.depth.0 < *min_depth
            || !(*everywhere || search.parent_kind(node) == Kind::Pv)
            || guards.bar_bound(node, alpha, &search.game)
        {
            return None;
        }
        search.count::<Self>(node).tries += 1;
        search.claim_move::<Self>(node, mv, alpha);
        Some(alpha)
    }

    fn asks(&self) -> Asks {
        Asks { line: true, ..Asks::default() }
    }

    fn acts_from(&self) -> Depth {
        Depth(self.0.min_depth)
    }

    fn branches(&self) -> bool {
        false
    }

    fn doubts_bounds(&self) -> bool {
        self.0.moves < MAX_MOVES
    }
}
