//! History pruning: near the horizon, quiet moves that have failed more often than they refuted are not searched.
//!
//! Source: Fruit 2.1 (Letouzey 2005) reduced by history; Ethereal and Stockfish prune by it. Spared: captures, promotions, checks,
//! nodes in check, the principal variation. Left out: histories of pairs of moves, which the host does not keep.

use super::{Calibration, Guards, Method, Prune, SetupError};
use crate::game::Game;
use crate::score::{Depth, Score};
use crate::search::{Node, Search};
use serde::{Deserialize, Serialize};

/// Parameters of history pruning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Params {
    /// Greatest depth, plies; 0 is never.
    pub depth: i32,
    /// A move whose history ([`Search::merit`], within ±16,384) is worse than minus this many a ply is not searched.
    pub limit: i32,
    /// The guards that all methods share.
    #[serde(default)]
    pub guards: Guards,
}

/// Pruning of quiet moves by history.
#[derive(Clone, Debug)]
pub struct HistoryPruning(Params);

impl Method for HistoryPruning {
    const NAME: &'static str = "history-pruning";
    type Params = Params;

    fn new(params: &Params, _: &Calibration, _: usize) -> Result<Self, SetupError> {
        let Params { depth, limit, guards } = *params;
        if depth < 0 || limit < 0 {
            let message = format!("depth {depth}, limit {limit}: expected both at least 0");
            return Err(SetupError { method: Self::NAME, message });
        }
        guards.refuse_last(Self::NAME)?;
        Ok(HistoryPruning(params.clone()))
    }

    fn guards(params: &Params) -> Guards {
        params.guards
    }
}

impl<G: Game> Prune<G> for HistoryPruning {
    #[inline(always)]
    fn skip<P: Prune<G>>(
        &self,
        search: &mut Search<'_, G, P>,
        node: &Node<'_, G>,
        alpha: Score,
        mv: G::Move,
        _: usize,
    ) -> Option<Score> {
        let Params { depth, limit, guards } = &self.0;
        if node.depth.0 > *depth || guards.bar_bound(node, alpha, &search.game) || alpha <= -G::DECISIVE {
            return None;
        }
        search.count::<Self>(node).tries += 1;
        if search.merit(node, mv) >= -limit * node.depth.0
            || search.game.tactical(node.pos, mv)
            || search.game.gives_check(node.pos, mv)
        {
            return None;
        }
        search.claim_move::<Self>(node, mv, alpha);
        Some(alpha)
    }

    fn acts_from(&self) -> Depth {
        Depth(1)
    }

    fn branches(&self) -> bool {
        false
    }
}
