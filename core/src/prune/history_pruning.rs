//! History pruning: near the horizon, quiet moves that have failed more often than they refuted are not searched.
//!
//! Source: Fruit 2.1 (Letouzey 2005) reduced by history; Ethereal and Stockfish prune by it. Spared: captures, promotions, checks,
//! nodes in check, the principal variation. As an option with the history of the pairs that the move makes with those before it
//! (counter-move and follow-up history: Stockfish 2014 to 2016, Ethereal).

use super::{Asks, Calibration, Depths, Guards, Method, Place, Prune, SetupError, SkipPlan};
use crate::game::Game;
use crate::score::Score;
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
        Self::require(
            depth >= 0 && limit >= 0 && pairs <= 2,
            format_args!(
                "depth {depth}, limit {limit}, pairs {pairs}: expected depth and limit at least 0, pairs 0 to 2"
            ),
        )?;
        guards.refuse_last::<Self>()?;
        Ok(HistoryPruning(params.clone()))
    }
}

impl<G: Game> Prune<G> for HistoryPruning {
    fn asks(&self) -> Asks {
        Asks {
            skip: Depths::up_to(self.0.depth),
            pairs: self.0.pairs,
            ..Asks::guarded::<Self>(&self.0.guards)
        }
    }

    fn plan(&self, search: &mut Search<'_, G>, _: Place, node: &Node<'_, G>, alpha: Score) -> SkipPlan {
        let Params { limit, pairs, guards, .. } = &self.0;
        if guards.bar_whatever_bound(node, &search.game) {
            return SkipPlan::NONE;
        }
        // Unless pairs have a word, or a mate may become the best value, a look at the history is enough.
        if *pairs > 0 || alpha <= -G::DECISIVE || node.window.beta > G::DECISIVE {
            return SkipPlan::from(1);
        }
        SkipPlan { merit: -limit * node.depth.0, counted: true, ..SkipPlan::from(1) }
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
        let Params { limit, pairs, guards, .. } = &self.0;
        if guards.bar_bound::<G>(alpha) || alpha <= -G::DECISIVE {
            return None;
        }
        search.count(place, node).tries += 1;
        if search.merit(node, mv) + search.merit_of_pairs(node, mv, *pairs) >= -limit * node.depth.0
            || !search.game.is_calm(node.pos, mv)
        {
            return None;
        }
        search.claim_move(place, node, mv, alpha)
    }
}
