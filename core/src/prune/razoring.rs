//! Limited razoring: three plies from the horizon, a hopeless node is searched one ply less.
//!
//! Source: Heinz 1998 ("Extended futility pruning", limited razoring). At depth 3, if
//! balance + margin <= alpha, the depth becomes 2, where futility may go on; not with three or fewer
//! opposing pieces in his program, which the fitted margin's stages stand for here.
//! Left out: razoring into quiescence.

use super::futility::Reach;
use super::{Calibration, Method, Prune, SetupError, Verdict};
use crate::game::Game;
use crate::score::{Depth, Score};
use crate::search::{Node, Search};
use serde::{Deserialize, Serialize};

/// The depth at which a node is razored, plies.
const DEPTH: Depth = Depth(3);

/// Parameters of razoring.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Params {
    /// Margin at depth 3: score units, or a fitted quantile.
    pub margin: Reach,
}

/// Limited razoring at depth 3.
#[derive(Clone, Debug)]
pub struct Razoring {
    margins: Vec<i32>,
}

impl Method for Razoring {
    const NAME: &'static str = "razoring";
    type Params = Params;

    fn new(params: &Params, calibration: &Calibration, stages: usize) -> Result<Self, SetupError> {
        let margins = params.margin.by_stage(Self::NAME, DEPTH.0, calibration, stages)?;
        Ok(Razoring { margins })
    }
}

impl<G: Game> Prune<G> for Razoring {
    #[inline]
    fn enter<P: Prune<G>>(&self, search: &mut Search<'_, G, P>, node: &Node<'_, G>) -> Verdict {
        if node.depth != DEPTH || node.is_barred(&search.game) {
            return Verdict::Go;
        }
        let margin = self.margins[search.game.stage(node.pos)];
        if margin >= Score::INFINITE.0 {
            return Verdict::Go;
        }
        search.count::<Self>(node).tries += 1;
        if node.balance(&search.game).0 + margin > node.window.alpha.0 {
            return Verdict::Go;
        }
        search.count::<Self>(node).cuts_low += 1;
        Verdict::Shorten(DEPTH - 1)
    }
}
