//! Null move: if passing is still good enough for a cut, a real move surely is.
//!
//! Sources: Beal 1990; Donninger 1993 (recursive form); adaptive reduction, Heinz 1999 and Crafty 18.15 (the baseline of
//! Jiang & Buro 2003); verification, Tabibi & Netanyahu 2002. Guards of published practice: not in check, not twice in a
//! row, not with pawns only, mates not returned, not in an open window. R may also grow with depth, as in Crafty 25
//! (3 + depth / 6). In Othello, where passing can be a privilege, it is the negative control.
//! Left out: extended null-move reductions (reducing instead of cutting).

use super::{Asks, Calibration, Depths, Guards, Method, Place, Prune, SetupError, Verdict};
use crate::game::{Force, Game};
use crate::score::Window;
use crate::search::{Claim, Kind, Node, Path, Search};
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
    /// What adds to R besides depth.
    #[serde(default)]
    pub adaptive: Adaptive,
    /// Whether a fail-high is verified by a search of the node one ply shallower, below which null moves cut unverified.
    #[serde(default)]
    pub verify: bool,
    /// Least depth at which a null move is tried, plies, at least 1.
    pub min_depth: i32,
    /// Try only where the static evaluation reaches beta.
    pub needs_evaluation: bool,
    /// Guard: not where passing is likely to be a privilege (chess: no pieces).
    #[serde(default = "standing")]
    pub zugzwang_guard: bool,
    /// Guard: not twice in a row.
    #[serde(default = "standing")]
    pub twice_guard: bool,
    /// Guard: a mate found behind a null move is not returned, because it is not proven.
    #[serde(default = "standing")]
    pub claim_guard: bool,
    /// The guards that all methods share.
    #[serde(default)]
    pub guards: Guards,
}

fn standing() -> bool {
    true
}

/// How R adapts to depth and material.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Adaptive {
    /// It does not.
    #[default]
    No,
    /// Heinz 1999: a ply more above depth 8, and at 7 and 8 if both sides have three pieces.
    Heinz,
    /// Crafty 18.15, pieces counted 3, 3, 5, 9: a ply more above depth 6 if the mover's exceed 8; above depth 7 no null
    /// move unless they exceed 5.
    Crafty,
}

impl Adaptive {
    /// Plies on top of R, or `None` for no null move. `force` is the mover's, then the opponent's.
    fn extra(self, depth: i32, force: impl Fn() -> [Force; 2]) -> Option<i32> {
        match self {
            Adaptive::No => Some(0),
            Adaptive::Heinz if depth > 8 => Some(1),
            Adaptive::Heinz => Some(i32::from(depth > 6 && force().iter().all(|force| force.count >= 3))),
            Adaptive::Crafty => {
                let worth = force()[0].worth;
                (depth <= 7 || worth > 5).then_some(i32::from(depth > 6 && worth > 8))
            }
        }
    }
}

/// Null-move pruning.
#[derive(Clone, Debug)]
pub struct NullMove(Params);

impl Method for NullMove {
    const NAME: &'static str = "null-move";
    /// Marks the inside of a verification.
    const MARKS: u32 = 1;
    type Params = Params;

    fn new(params: &Params, _: &Calibration, _: usize) -> Result<Self, SetupError> {
        let Params { reduction, growth, min_depth, .. } = *params;
        Self::require(
            reduction >= 0 && growth >= 0 && min_depth >= 1,
            format_args!(
                "reduction {reduction}, growth {growth}, min-depth {min_depth}: \
                 expected reduction and growth >= 0 and min-depth >= 1"
            ),
        )?;
        Self::require(params.guards.check, "guards.check = false: passing out of a check is no position")?;
        Ok(NullMove(params.clone()))
    }
}

impl<G: Game> Prune<G> for NullMove {
    fn asks(&self) -> Asks {
        let Params { min_depth, guards, .. } = &self.0;
        Asks {
            enter: Depths::from(*min_depth),
            sensitive: Depths::from(*min_depth),
            ..Asks::guarded::<Self>(guards)
        }
    }

    #[inline]
    fn enter(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>) -> Verdict {
        let params = &self.0;
        if (params.twice_guard && node.path.after_null)
            || params.guards.bar(node, &search.game)
            || (params.zugzwang_guard && !search.game.null_plausible(node.pos))
        {
            return Verdict::Go;
        }
        self.pass(search, place, node)
    }
}

impl NullMove {
    #[inline]
    fn pass<G: Game>(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>) -> Verdict {
        let params = &self.0;
        let verify = params.verify && !node.path.is_inside(place.mark);
        let beta = node.window.beta;
        if (verify && node.depth.0 <= 1)
            || !Guards::bounded_above(node.window)
            || (params.needs_evaluation && node.evaluation(&search.game) < beta)
        {
            return Verdict::Go;
        }
        let force = || [true, false].map(|of_mover| search.game.force(node.pos, of_mover));
        let Some(extra) = params.adaptive.extra(node.depth.0, force) else { return Verdict::Go };
        let Some(passed) = search.game.null(node.pos) else { return Verdict::Go };
        search.count(place, node).tries += 1;
        let grown = if params.growth > 0 { node.depth.0 / params.growth } else { 0 };
        let depth = node.depth - 1 - params.reduction - extra - grown;
        let window = -Window::at_least(beta);
        let mut value = search.probe_child(place, node, None, &passed, depth, window, node.path.null());
        if value < beta || search.is_stopped() {
            return Verdict::Go;
        }
        if verify {
            // "After null" keeps this very node from passing again; below it the path no longer says so.
            let path = Path { after_null: true, ..node.path.probe(place.mark, Kind::Cut) };
            value = search.probe_here(place, node, node.depth - 1, Window::at_least(beta), path);
            if value < beta || search.is_stopped() {
                return Verdict::Go;
            }
        }
        let unproven = !verify && params.claim_guard && value >= G::DECISIVE;
        params.guards.cut(search, place, node, Claim::AtLeast(beta), if unproven { beta } else { value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adaptive_reductions_are_the_published_ones() {
        let force = |count, worth| Force { count, worth };
        let extra = |rule: Adaptive, depth, mover, other| rule.extra(depth, || [mover, other]);
        let (many, few) = (force(4, 14), force(2, 8));
        for (depth, mover, other, expected) in [
            (6, many, many, Some(0)),
            (7, many, many, Some(1)),
            (8, many, few, Some(0)),
            (8, few, many, Some(0)),
            (9, few, few, Some(1)),
        ] {
            assert_eq!(extra(Adaptive::Heinz, depth, mover, other), expected, "Heinz, depth {depth}");
        }
        for (depth, mover, expected) in [
            (6, many, Some(0)),
            (7, many, Some(1)),
            (7, force(1, 5), Some(0)),
            (8, force(1, 5), None),
            (8, force(2, 6), Some(0)),
            (12, force(2, 9), Some(1)),
        ] {
            assert_eq!(extra(Adaptive::Crafty, depth, mover, few), expected, "Crafty, depth {depth}");
        }
        assert_eq!(extra(Adaptive::No, 20, few, few), Some(0));
    }
}
