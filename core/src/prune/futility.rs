//! Futility and extended futility: near the horizon, moves that cannot reach alpha are not searched.
//!
//! Source: Heinz 1998 ("Extended futility pruning"). At depth 1 (frontier) and 2 (pre-frontier), a move is
//! skipped if balance + its gain + margin(depth) <= alpha; it then counts as that upper bound. At least one
//! move is always searched, and moves that give check are spared. Where a game has no material scale the
//! margins are fitted: quantiles of what such a search gains over the static evaluation.
//!
//! Options, off by default: margins beyond depth 2 (Crafty 25), the static evaluation as the base, the same idea for the other
//! side, reverse futility (chess programs since about 2000), and for the node as a whole, as a blog of 2007 describes it
//! (Pettersson, "Futile attempts with futility pruning"): evaluation + margin(depth) <= alpha ends the node without any move.

use super::{Asks, Calibration, Depths, Guards, Method, Place, Prune, SetupError, SkipPlan, Verdict};
use crate::game::{Game, Moves};
use crate::score::{Depth, Score, Window};
use crate::search::{Claim, Kind, Node, PLIES, Search};
use serde::{Deserialize, Serialize};

/// A margin at or above this is infinite: nothing is ever skipped.
const INFINITE: i32 = Score::INFINITE.0;

/// A cell for each ply: whether the move that was made there won material.
const CELLS: usize = PLIES;

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
    /// The form that ends the whole node.
    #[serde(default)]
    pub node: NodeForm,
    /// The guards that all methods share. `store` and `last` are those of the reverse form and of `node`.
    #[serde(default)]
    pub guards: Guards,
}

/// Futility at the node (Pettersson 2007): where the static evaluation and a margin do not exceed alpha, no move is tried.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct NodeForm {
    /// Margins at depths 1, 2 and so on, score units; empty switches the form off.
    pub margins: Vec<i32>,
    /// What the node is worth then.
    pub worth: Worth,
    /// Guard left out: it acts right after a move that won material, too, where a move that takes back is still to come.
    pub after_captures: bool,
    /// Guard left out: it acts where the side to move has a move that gives check, too.
    pub with_checks: bool,
}

/// The value of a node that futility ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Worth {
    /// That of the quiescence search, if it does not exceed alpha either; else the node is searched.
    #[default]
    Quiescence,
    /// The static evaluation: below alpha by the margin at least, which nothing has shown.
    Evaluation,
}

/// What the margins of futility and of limited razoring are measured from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Base {
    /// [`crate::Evaluation::balance`], material in chess: Heinz's choice.
    #[default]
    Balance,
    /// The static evaluation.
    Evaluation,
}

impl Base {
    /// That of a node, for the side to move.
    #[inline]
    pub(super) fn value<G: Game>(self, node: &Node<'_, G>, game: &G) -> Score {
        match self {
            Base::Balance => node.balance(game),
            Base::Evaluation => node.evaluation(game),
        }
    }
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
    pub(super) fn by_stage<M: Method>(
        self,
        depth: i32,
        calibration: &Calibration,
        stages: usize,
    ) -> Result<Vec<i32>, SetupError> {
        let quantile = match self {
            Reach::Fixed(margin) => {
                M::require(margin >= 0, format_args!("margin {margin}: expected at least 0"))?;
                return Ok(vec![margin; stages]);
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
        let (is_fitted, name) =
            (margins.iter().any(|&margin| margin < INFINITE), secateur_base::program::name());
        M::require(is_fitted, format_args!("no margin was fitted for depth {depth}: run `{name} fit`"))?;
        Ok(margins)
    }
}

/// Futility pruning near the horizon.
#[derive(Clone, Debug)]
pub struct Futility {
    /// `margins[depth - 1][stage]`.
    margins: Vec<Vec<i32>>,
    params: Params,
}

impl Method for Futility {
    const NAME: &'static str = "futility";
    const CELLS: usize = CELLS;
    type Params = Params;

    fn new(params: &Params, calibration: &Calibration, stages: usize) -> Result<Self, SetupError> {
        let frontier = params.frontier.by_stage::<Self>(1, calibration, stages)?;
        let extended = params.extended.by_stage::<Self>(2, calibration, stages)?;
        let mut margins = vec![frontier, extended];
        for (depth, &margin) in (3..).zip(&params.beyond) {
            margins.push(Reach::Fixed(margin).by_stage::<Self>(depth, calibration, stages)?);
        }
        let (depth, margin) = (params.reverse_depth, params.reverse_margin);
        Self::require(
            depth >= 0 && margin >= 0,
            format_args!("reverse-depth {depth}, reverse-margin {margin}: expected both at least 0"),
        )?;
        for margin in &params.node.margins {
            Self::require(*margin >= 0, format_args!("node.margins {margin}: expected at least 0"))?;
        }
        Ok(Futility { margins, params: params.clone() })
    }
}

impl<G: Game> Prune<G> for Futility {
    fn asks(&self) -> Asks {
        let node = self.params.node.margins.len() as i32;
        Asks {
            enter: Depths::up_to(self.params.reverse_depth.max(node)),
            // Noted a ply above the nodes that ask for it.
            extend: Depths { from: 2, to: node + 1 }.when(node > 0 && !self.params.node.after_captures),
            skip: Depths::up_to(self.margins.len() as i32),
            ..Asks::guarded::<Self>(&self.params.guards)
        }
    }

    #[inline]
    fn enter(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>) -> Verdict {
        if self.params.guards.bar(node, &search.game) {
            return Verdict::Go;
        }
        if node.depth.0 as usize <= self.params.node.margins.len()
            && let Verdict::Cut(score) = self.end(search, place, node)
        {
            return Verdict::Cut(score);
        }
        if node.depth.0 > self.params.reverse_depth {
            return Verdict::Go;
        }
        search.count(place, node).tries += 1;
        let claim = Score(node.evaluation(&search.game).0 - self.params.reverse_margin * node.depth.0);
        if claim < node.window.beta {
            return Verdict::Go;
        }
        self.params.guards.cut(search, place, node, Claim::AtLeast(node.window.beta), claim)
    }

    /// Notes whether the move that is about to be made wins material.
    #[inline]
    fn extend(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        mv: G::Move,
        _: usize,
    ) -> i32 {
        let won = search.game.gain(node.pos, mv) > Score(0);
        search.learnt(place)[node.ply as usize] = i32::from(won);
        0
    }

    fn plan(&self, search: &mut Search<'_, G>, _: Place, node: &Node<'_, G>, alpha: Score) -> SkipPlan {
        let game = &search.game;
        if self.params.guards.bar_whatever_bound(node, game) || self.margin(node, game) >= INFINITE {
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
        if alpha <= -Score::INFINITE || self.params.guards.bar_bound::<G>(alpha) {
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
    /// The form that ends the node.
    fn end<G: Game>(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>) -> Verdict {
        let alpha = node.window.alpha;
        let margin = self.params.node.margins[node.depth.0 as usize - 1];
        if margin >= INFINITE || !Guards::bounded_below(node.window) {
            return Verdict::Go;
        }
        search.count(place, node).tries += 1;
        let evaluation = node.evaluation(&search.game);
        if evaluation + Score(margin) > alpha
            || !self.params.node.after_captures
                && !node.path.after_null
                && search.learnt(place)[node.ply as usize - 1] != 0
            || !self.params.node.with_checks && gives_check(search, node)
        {
            return Verdict::Go;
        }
        let value = match self.params.node.worth {
            Worth::Evaluation => evaluation,
            Worth::Quiescence => {
                let path = node.path.probe(0, Kind::All);
                search.probe_here(place, node, Depth(0), Window::at_most(alpha), path)
            }
        };
        if value > alpha {
            return Verdict::Go;
        }
        self.params.guards.cut(search, place, node, Claim::AtMost(alpha), value)
    }

    fn margin<G: Game>(&self, node: &Node<'_, G>, game: &G) -> i32 {
        self.margins[node.depth.0 as usize - 1][node.stage(game)]
    }

    /// What a move that gains nothing can come to at most.
    fn base<G: Game>(&self, node: &Node<'_, G>, game: &G) -> Score {
        self.params.base.value(node, game) + Score(self.margin(node, game))
    }
}

/// Whether the side to move has a move that gives check.
fn gives_check<G: Game>(search: &Search<'_, G>, node: &Node<'_, G>) -> bool {
    let mut moves = Moves::<G>::new();
    search.game.moves(node.pos, &mut moves);
    moves.iter().any(|scored| search.game.gives_check(node.pos, scored.mv))
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
        assert_eq!(reach.by_stage::<Futility>(1, &calibration, 3).unwrap(), [INFINITE, 50, INFINITE]);
        assert!(reach.by_stage::<Futility>(2, &calibration, 3).is_err());
        assert!(Reach::Fixed(-1).by_stage::<Futility>(1, &calibration, 3).is_err());
    }
}
