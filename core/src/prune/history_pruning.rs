//! History pruning: near the horizon, quiet moves that have failed more often than they refuted are not searched.
//!
//! Source: Fruit 2.1 (Letouzey 2005) reduced by history; Ethereal and Stockfish prune by it. Spared: captures, promotions, checks,
//! nodes in check, the principal variation. As an option with the history of the pairs that the move makes with those before it
//! (counter-move and follow-up history: Stockfish 2014 to 2016, Ethereal).

use super::{Asks, Calibration, Guards, Method, Prune, SetupError};
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
    /// Plies before the move whose moves it is paired with, 0 to 2: the histories of these pairs ([`Search::merit_of_pairs`]) are
    /// added to its own.
    #[serde(default)]
    pub pairs: u32,
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
        let Params { depth, limit, pairs, guards } = *params;
        if depth < 0 || limit < 0 || pairs > 2 {
            let message = format!(
                "depth {depth}, limit {limit}, pairs {pairs}: expected depth and limit at least 0, pairs 0 to 2"
            );
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
        let Params { depth, limit, pairs, guards } = &self.0;
        if node.depth.0 > *depth || guards.bar_bound(node, alpha, &search.game) || alpha <= -G::DECISIVE {
            return None;
        }
        search.count::<Self>(node).tries += 1;
        if search.merit(node, mv) + search.merit_of_pairs(node, mv, *pairs) >= -limit * node.depth.0
            || search.game.tactical(node.pos, mv)
            || search.game.gives_check(node.pos, mv)
        {
            return None;
        }
        search.claim_move::<Self>(node, mv, alpha);
        Some(alpha)
    }

    fn asks(&self) -> Asks {
        Asks { pairs: self.0.pairs, ..Asks::default() }
    }

    fn acts_from(&self) -> Depth {
        Depth(1)
    }

    fn branches(&self) -> bool {
        false
    }
}
