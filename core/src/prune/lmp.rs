//! Late-move pruning, also move-count pruning: near the horizon, quiet moves after the first so many are not searched.
//!
//! Source: Glaurung, Stockfish (2008) and Ethereal, whose counts are base + slope d², smaller where the mover does not
//! improve. Spared: captures, promotions, checks, nodes in check, the principal variation. `lmr` has a count of its own as an
//! option, which the playing parameters of `classic` use.

use super::{Asks, Calibration, Depths, Guards, Method, Place, Prune, SetupError, SkipPlan};
use crate::game::Game;
use crate::score::Score;
use crate::search::{Node, Search};
use serde::{Deserialize, Serialize};

/// Parameters of late-move pruning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Params {
    /// Greatest depth, plies; 0 is never.
    pub depth: i32,
    /// Moves searched at depth d where the mover improves ([`Search::improving`]): the first number plus d² times the second.
    pub improving: [f64; 2],
    /// The same where it does not.
    pub worsening: [f64; 2],
    /// The guards that all methods share.
    #[serde(default)]
    pub guards: Guards,
}

/// Late-move pruning by counts.
#[derive(Clone, Debug)]
pub struct Lmp {
    depth: i32,
    /// Counts by whether the mover improves, and depth.
    counts: [Vec<usize>; 2],
    /// Whether both are the same.
    plain: bool,
    guards: Guards,
}

impl Method for Lmp {
    const NAME: &'static str = "lmp";
    type Params = Params;

    fn new(params: &Params, _: &Calibration, _: usize) -> Result<Self, SetupError> {
        let Params { depth, improving, worsening, guards } = *params;
        let sound = [improving, worsening].concat().iter().all(|number| (0.0..=1e6).contains(number));
        Self::require(
            (0..=64).contains(&depth) && sound,
            format_args!(
                "depth {depth}, improving {improving:?}, worsening {worsening:?}: expected a depth of 0 to 64 and numbers \
                 of 0 to 1,000,000"
            ),
        )?;
        guards.refuse_last::<Self>()?;
        let counts = [worsening, improving].map(|[base, slope]| {
            (0..=depth).map(|depth| (base + slope * f64::from(depth * depth)) as usize).collect()
        });
        Ok(Lmp { depth, counts, plain: improving == worsening, guards })
    }
}

impl<G: Game> Prune<G> for Lmp {
    fn asks(&self) -> Asks {
        Asks {
            skip: Depths::up_to(self.depth),
            evaluations: !self.plain,
            ..Asks::guarded::<Self>(&self.guards)
        }
    }

    fn plan(&self, search: &mut Search<'_, G>, _: Place, node: &Node<'_, G>, _: Score) -> SkipPlan {
        if self.guards.bar_whatever_bound(node, &search.game) {
            return SkipPlan::NONE;
        }
        let improving = !self.plain && search.improving(node);
        let count = |improving: bool| self.counts[usize::from(improving)][node.depth.0 as usize];
        SkipPlan { closes: true, ..SkipPlan::from(count(false).max(count(improving)).max(1)) }
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
        if self.guards.bar_bound::<G>(alpha) || alpha <= -G::DECISIVE || !search.game.is_calm(node.pos, mv) {
            return None;
        }
        search.count(place, node).tries += 1;
        search.claim_move(place, node, mv, alpha)
    }
}
