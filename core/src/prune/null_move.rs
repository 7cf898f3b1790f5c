//! Null move: if passing is still good enough for a cut, a real move surely is.
//!
//! Sources: Beal 1990; Donninger 1993 (recursive form); the guards of published-engine practice: not in
//! check, not twice in a row, not with pawns only, mates not returned, not in an open window. R may
//! grow with depth, as in Crafty 25 (3 + depth / 6). In Othello,
//! where passing can be a privilege, it is the negative control. Left out: adaptive (by material) and verified forms.

use super::{Calibration, Method, Prune, SetupError, Verdict};
use crate::game::Game;
use crate::score::{Depth, Window};
use crate::search::{Node, Search};
use serde::{Deserialize, Serialize};

/// Parameters of the null move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Params {
    /// Depth reduction R, plies: the null-move search has depth - 1 - R.
    pub reduction: i32,
    /// R grows by a ply for every so many plies of depth; 0 keeps it fixed.
    #[serde(default)]
    pub growth: i32,
    /// Least depth at which a null move is tried, plies, at least 1.
    pub min_depth: i32,
    /// Try only where the static evaluation reaches beta.
    pub needs_evaluation: bool,
}

/// Null-move pruning with a reduction that is fixed or grows with depth.
#[derive(Clone, Debug)]
pub struct NullMove(Params);

impl Method for NullMove {
    const NAME: &'static str = "null-move";
    type Params = Params;

    fn new(params: &Params, _: &Calibration, _: usize) -> Result<Self, SetupError> {
        if params.reduction < 0 || params.growth < 0 || params.min_depth < 1 {
            let Params { reduction, growth, min_depth, .. } = params;
            let message = format!(
                "reduction {reduction}, growth {growth}, min-depth {min_depth}: \
                 expected reduction and growth >= 0 and min-depth >= 1"
            );
            return Err(SetupError { method: Self::NAME, message });
        }
        Ok(NullMove(params.clone()))
    }
}

impl<G: Game> Prune<G> for NullMove {
    #[inline]
    fn enter<P: Prune<G>>(&self, search: &mut Search<'_, G, P>, node: &Node<'_, G>) -> Verdict {
        if node.depth.0 < self.0.min_depth
            || node.path.after_null
            || node.is_barred(&search.game)
            || !search.game.null_plausible(node.pos)
        {
            return Verdict::Go;
        }
        let beta = node.window.beta;
        if self.0.needs_evaluation && node.evaluation(&search.game) < beta {
            return Verdict::Go;
        }
        let Some(passed) = search.game.null(node.pos) else { return Verdict::Go };
        search.count::<Self>(node).tries += 1;
        let grown = if self.0.growth > 0 { node.depth.0 / self.0.growth } else { 0 };
        let depth = node.depth - 1 - self.0.reduction - grown;
        let window = -Window::at_least(beta);
        let value = search.probe_child::<Self>(node, None, &passed, depth, window, node.path.null());
        if value < beta || search.is_stopped() {
            return Verdict::Go;
        }
        search.count::<Self>(node).cuts_high += 1;
        // A mate found behind a null move is not proven.
        Verdict::Cut(if value >= G::DECISIVE { beta } else { value })
    }

    fn sensitive_from(&self) -> Depth {
        Depth(self.0.min_depth)
    }
}
