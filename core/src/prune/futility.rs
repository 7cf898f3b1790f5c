//! Futility and extended futility: near the horizon, moves that cannot reach alpha are not searched.
//!
//! Source: Heinz 1998 ("Extended futility pruning"). At depth 1 (frontier) and 2 (pre-frontier), a move is
//! skipped if balance + its gain + margin(depth) <= alpha; it then counts as that upper bound. At least one
//! move is always searched, and moves that give check are spared. Where a game has no material scale the
//! margins are fitted: quantiles of what such a search gains over the static evaluation.
//!
//! Options, off by default: margins beyond depth 2 (Crafty 25), the static evaluation as the base, and the same
//! idea for the other side, reverse futility (chess programs since about 2000).

use super::{Asks, Calibration, Depths, Guards, Method, Place, Prune, SetupError, SkipPlan, Verdict};
use crate::game::Game;
use crate::score::Score;
use crate::search::{Claim, Node, Search};
use serde::{Deserialize, Serialize};

/// A margin at or above this is infinite: nothing is ever skipped.
const INFINITE: i32 = Score::INFINITE.0;

/// Parameters of futility pruning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Params {
    /// Margin at depth 1: score units, or a fitted quantile.
    pub frontier: Reach,
    /// Margin at depth 2 (extended futility).
    pub extended: Reach,
    /// Margins at depths 3, 4 and so on, score units, as Crafty 25 has them to depth 6; empty ends at depth 2.
    #[serde(default)]
    pub beyond: Vec<i32>,
    /// What the margins are added to.
    #[serde(default)]
    pub base: Base,
    /// Greatest depth at which a node whose static evaluation exceeds beta by `reverse-margin` a ply is cut (reverse
    /// futility, also static null move); 0 is never.
    #[serde(default)]
    pub reverse_depth: i32,
    /// Score units a ply of reverse futility.
    #[serde(default)]
    pub reverse_margin: i32,
    /// The guards that all methods share. `store` and `last` are the reverse form's.
    #[serde(default)]
    pub guards: Guards,
}

/// What futility margins are measured from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Base {
    /// [`crate::Evaluation::balance`], material in chess: Heinz's choice.
    #[default]
    Balance,
    /// The static evaluation.
    Evaluation,
}

/// Where a margin comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Reach {
    /// A fixed number of score units; 32,000 and more is infinite.
    Fixed(i32),
    /// A quantile of the fitted gains, by stage.
    Fitted(Quantile),
}

/// Quantiles that the fit records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quantile {
    /// 90 %.
    Q90,
    /// 95 %.
    Q95,
    /// 99 %.
    Q99,
}

impl Reach {
    /// The margin of every stage. A stage without a fit gets an infinite margin: it is never pruned.
    pub(super) fn by_stage(
        self,
        method: &'static str,
        depth: i32,
        calibration: &Calibration,
        stages: usize,
    ) -> Result<Vec<i32>, SetupError> {
        let quantile = match self {
            Reach::Fixed(margin) if margin >= 0 => return Ok(vec![margin; stages]),
            Reach::Fixed(margin) => {
                let message = format!("margin {margin}: expected at least 0");
                return Err(SetupError { method, message });
            }
            Reach::Fitted(quantile) => quantile,
        };
        let margins: Vec<i32> = (0..stages)
            .map(|stage| {
                calibration.margin(stage, depth).map_or(INFINITE, |m| match quantile {
                    Quantile::Q90 => m.q90,
                    Quantile::Q95 => m.q95,
                    Quantile::Q99 => m.q99,
                })
            })
            .collect();
        if margins.iter().all(|&margin| margin >= INFINITE) {
            let message = format!("no margin was fitted for depth {depth}: run `cargo xtask fit`");
            return Err(SetupError { method, message });
        }
        Ok(margins)
    }
}

/// Futility pruning near the horizon.
#[derive(Clone, Debug)]
pub struct Futility {
    /// `margins[depth - 1][stage]`.
    margins: Vec<Vec<i32>>,
    base: Base,
    /// Greatest depth and margin a ply.
    reverse: (i32, i32),
    guards: Guards,
}

impl Method for Futility {
    const NAME: &'static str = "futility";
    type Params = Params;

    fn new(params: &Params, calibration: &Calibration, stages: usize) -> Result<Self, SetupError> {
        let frontier = params.frontier.by_stage(Self::NAME, 1, calibration, stages)?;
        let extended = params.extended.by_stage(Self::NAME, 2, calibration, stages)?;
        let mut margins = vec![frontier, extended];
        for (depth, &margin) in (3..).zip(&params.beyond) {
            margins.push(Reach::Fixed(margin).by_stage(Self::NAME, depth, calibration, stages)?);
        }
        let reverse = (params.reverse_depth, params.reverse_margin);
        if reverse.0 < 0 || reverse.1 < 0 {
            let (depth, margin) = reverse;
            let message = format!("reverse-depth {depth}, reverse-margin {margin}: expected both at least 0");
            return Err(SetupError { method: Self::NAME, message });
        }
        Ok(Futility { margins, base: params.base, reverse, guards: params.guards })
    }
}

impl<G: Game> Prune<G> for Futility {
    fn asks(&self) -> Asks {
        Asks {
            enter: Depths::up_to(self.reverse.0),
            skip: Depths::up_to(self.margins.len() as i32),
            ..Asks::guarded::<Self>(&self.guards)
        }
    }

    #[inline]
    fn enter(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>) -> Verdict {
        if self.guards.bar(node, &search.game) {
            return Verdict::Go;
        }
        let margin = self.reverse.1;
        search.count(place, node).tries += 1;
        let claim = Score(node.evaluation(&search.game).0 - margin * node.depth.0);
        if claim < node.window.beta {
            return Verdict::Go;
        }
        self.guards.cut(search, place, node, Claim::AtLeast(node.window.beta), claim)
    }

    fn plan(&self, search: &mut Search<'_, G>, _: Place, node: &Node<'_, G>, alpha: Score) -> SkipPlan {
        let game = &search.game;
        if self.guards.bar_whatever_bound(node, game) || self.margin(node, game) >= INFINITE {
            return SkipPlan::NONE;
        }
        if alpha.abs() >= G::DECISIVE {
            return SkipPlan::from(1);
        }
        SkipPlan::passing_below(self.base(node, game).min(G::DECISIVE))
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
        if alpha <= -Score::INFINITE || self.guards.bar_bound::<G>(alpha) {
            return None;
        }
        search.count(place, node).tries += 1;
        let base = self.base(node, &search.game);
        if base > alpha {
            return None;
        }
        let claim = base + search.game.gain(node.pos, mv);
        if claim > alpha || search.game.gives_check(node.pos, mv) {
            return None;
        }
        search.claim_move(place, node, mv, alpha);
        Some(claim)
    }
}

impl Futility {
    fn margin<G: Game>(&self, node: &Node<'_, G>, game: &G) -> i32 {
        self.margins[node.depth.0 as usize - 1][node.stage(game)]
    }

    /// What a move that gains nothing can come to at most.
    fn base<G: Game>(&self, node: &Node<'_, G>, game: &G) -> Score {
        let from = match self.base {
            Base::Balance => node.balance(game),
            Base::Evaluation => node.evaluation(game),
        };
        from + Score(self.margin(node, game))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prune::Margin;

    #[test]
    fn margins_come_from_the_stage_or_from_nowhere() {
        let row = Margin { stage: 1, depth: 1, n: 9, q50: 1, q90: 40, q95: 50, q99: 90 };
        let calibration = Calibration { margins: vec![row], ..Calibration::default() };
        let reach = Reach::Fitted(Quantile::Q95);
        assert_eq!(reach.by_stage("futility", 1, &calibration, 3).unwrap(), [INFINITE, 50, INFINITE]);
        assert!(reach.by_stage("futility", 2, &calibration, 3).is_err());
        assert!(Reach::Fixed(-1).by_stage("futility", 1, &calibration, 3).is_err());
    }
}
