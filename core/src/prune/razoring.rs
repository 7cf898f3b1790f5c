//! Razoring: near the horizon, a hopeless node is searched less.
//!
//! Limited: Heinz 1998 ("Extended futility pruning", limited razoring). At depth 3, if balance + margin <= alpha, the
//! depth becomes 2, where futility may go on. His program does not razor with three or fewer opposing pieces; that guard is
//! left out here, so in such endings this form is bolder than his. Into quiescence (chess programs since Birmingham & Kent 1977; the modern form that
//! Stockfish has): up to a depth, if evaluation + margin < beta, the quiescence search decides, and cuts if it stays
//! below beta too. Left out: deep razoring (Heinz's outlook, depths above 3).

use super::futility::Reach;
use super::{Calibration, Guards, Method, Prune, SetupError, Verdict};
use crate::game::Game;
use crate::score::{Depth, Score, Window};
use crate::search::{Claim, Kind, Node, Search};
use serde::{Deserialize, Serialize};

/// The depth at which a node is razored by the limited form, plies.
const DEPTH: Depth = Depth(3);

/// Parameters of razoring.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Params {
    /// Margin of the limited form at depth 3: score units, or a fitted quantile.
    pub margin: Reach,
    /// Margins at depths 1, 2 and so on of the form that drops into quiescence, score units; empty switches it off.
    #[serde(default)]
    pub quiescence: Vec<i32>,
    /// The guards that all methods share.
    #[serde(default)]
    pub guards: Guards,
}

/// Razoring, limited and into quiescence.
#[derive(Clone, Debug)]
pub struct Razoring {
    margins: Vec<i32>,
    quiescence: Vec<i32>,
    guards: Guards,
}

impl Method for Razoring {
    const NAME: &'static str = "razoring";
    type Params = Params;

    fn new(params: &Params, calibration: &Calibration, stages: usize) -> Result<Self, SetupError> {
        let margins = params.margin.by_stage(Self::NAME, DEPTH.0, calibration, stages)?;
        if let Some(margin) = params.quiescence.iter().find(|margin| **margin < 0) {
            let message = format!("quiescence margin {margin}: expected at least 0");
            return Err(SetupError { method: Self::NAME, message });
        }
        Ok(Razoring { margins, quiescence: params.quiescence.clone(), guards: params.guards })
    }

    fn guards(params: &Params) -> Guards {
        params.guards
    }
}

impl<G: Game> Prune<G> for Razoring {
    #[inline]
    fn enter<P: Prune<G>>(&self, search: &mut Search<'_, G, P>, node: &Node<'_, G>) -> Verdict {
        let drops = node.depth.0 as usize <= self.quiescence.len();
        if !(drops || node.depth == DEPTH) || self.guards.bar(node, &search.game) {
            return Verdict::Go;
        }
        if drops && let Verdict::Cut(score) = self.drop(search, node) {
            return Verdict::Cut(score);
        }
        if node.depth == DEPTH { self.shorten(search, node) } else { Verdict::Go }
    }

    fn acts_from(&self) -> Depth {
        if self.quiescence.is_empty() { DEPTH } else { Depth(1) }
    }

    fn branches(&self) -> bool {
        false
    }
}

impl Razoring {
    /// The limited form.
    #[inline]
    fn shorten<G: Game, P: Prune<G>>(&self, search: &mut Search<'_, G, P>, node: &Node<'_, G>) -> Verdict {
        let margin = self.margins[node.stage(&search.game)];
        if margin >= Score::INFINITE.0 {
            return Verdict::Go;
        }
        search.count::<Self>(node).tries += 1;
        let alpha = node.window.alpha;
        if node.balance(&search.game).0 + margin > alpha.0 {
            return Verdict::Go;
        }
        search.claim::<Self>(node, Claim::AtMost(alpha));
        Verdict::Shorten(DEPTH - 1)
    }

    /// The form that asks quiescence. Only in a null window: in an open one its value would have to be exact.
    fn drop<G: Game, P: Prune<G>>(&self, search: &mut Search<'_, G, P>, node: &Node<'_, G>) -> Verdict {
        let alpha = node.window.alpha;
        let margin = self.quiescence[node.depth.0 as usize - 1];
        if !node.window.is_null() || node.evaluation(&search.game).0 + margin > alpha.0 {
            return Verdict::Go;
        }
        search.count::<Self>(node).tries += 1;
        let path = node.path.probe(0, Kind::All);
        let value = search.probe_here::<Self>(node, Depth(0), Window::at_most(alpha), path);
        if value > alpha {
            return Verdict::Go;
        }
        self.guards.cut::<Self, G, P>(search, node, Claim::AtMost(alpha), value)
    }
}
