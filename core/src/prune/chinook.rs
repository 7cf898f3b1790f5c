//! Chinook's cut: a side that has lost material and whose shallow search shows no way out is given up.
//!
//! Source: Schaeffer, Culberson, Treloar, Knight, Lu & Szafron 1992 ("A world championship caliber checkers program"), in
//! a footnote: where material deficit and positional score lie below a fixed threshold, the remaining depth is halved; if
//! that search neither wins the material back nor finds compensation the line is abandoned, else it is searched to its full
//! depth. Buro's ProbCut generalises it. Here the deficit is measured against alpha, so that "lost" means lost for
//! the line at hand. GuiCheckers (Kreuzer; `ai.cpp` of the source that Gilbert keeps) has the same cut with other terms: the evaluation
//! alone must lie below alpha, the search is three plies shallower and not half as deep, and it may hold such searches itself. Left
//! out: anything particular to checkers, and two exceptions of GuiCheckers, moves without an alternative and the first two plies.

use super::{Asks, Calibration, Depths, Guards, Method, Place, Prune, SetupError, Verdict};
use crate::game::Game;
use crate::score::{Depth, Score, Window};
use crate::search::{Claim, Kind, Node, Search};
use serde::{Deserialize, Serialize};

/// Parameters of Chinook's cut.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Params {
    /// Deficit: both the balance and the static evaluation lie at least this far below alpha, score units.
    pub deficit: i32,
    /// What the halved search must come up to, short of alpha, to count as compensation, score units.
    pub compensation: i32,
    /// Least depth, plies, at least 2.
    pub min_depth: i32,
    /// What lies that far below alpha.
    #[serde(default)]
    pub behind: Behind,
    /// Plies by which the search is shallower than the node, and at least one deep; 0 halves the depth.
    #[serde(default)]
    pub reduction: i32,
    /// Whether the method is applied inside its own searches.
    #[serde(default)]
    pub nesting: bool,
    /// The guards that all methods share.
    #[serde(default)]
    pub guards: Guards,
}

/// What says that a side is behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Behind {
    /// Balance and evaluation (Chinook).
    #[default]
    Both,
    /// The evaluation (GuiCheckers).
    Evaluation,
}

/// Chinook's material-deficit cut.
#[derive(Clone, Debug)]
pub struct Chinook(Params);

impl Method for Chinook {
    const NAME: &'static str = "chinook";
    const MARKS: u32 = 1;
    type Params = Params;

    fn new(params: &Params, _: &Calibration, _: usize) -> Result<Self, SetupError> {
        let Params { deficit, compensation, min_depth, reduction, .. } = *params;
        Self::require(
            deficit >= 0 && compensation >= 0 && min_depth >= 2 && reduction >= 0,
            format_args!(
                "deficit {deficit}, compensation {compensation}, min-depth {min_depth}, reduction {reduction}: \
                 expected deficit, compensation and reduction >= 0 and min-depth >= 2"
            ),
        )?;
        Ok(Chinook(params.clone()))
    }
}

impl<G: Game> Prune<G> for Chinook {
    fn asks(&self) -> Asks {
        let Params { deficit, min_depth, nesting, guards, .. } = &self.0;
        let acts = *deficit < Score::INFINITE.0;
        Asks {
            enter: Depths::from(*min_depth).when(acts),
            // Inside and outside are alike where it nests.
            sensitive: Depths::from(*min_depth).when(acts && !nesting),
            ..Asks::guarded::<Self>(guards)
        }
    }

    #[inline]
    fn enter(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>) -> Verdict {
        let Params { deficit, compensation, behind, reduction, nesting, ref guards, .. } = self.0;
        let mark = if nesting { 0 } else { place.mark };
        if node.path.is_inside(mark) || !Guards::bounded_below(node.window) || guards.bar(node, &search.game)
        {
            return Verdict::Go;
        }
        let alpha = node.window.alpha;
        let lost = alpha.0 - deficit;
        let material = behind == Behind::Both;
        if material && node.balance(&search.game).0 > lost || node.evaluation(&search.game).0 > lost {
            return Verdict::Go;
        }
        search.count(place, node).tries += 1;
        let bound = Score(alpha.0 - compensation).clamped();
        let path = node.path.probe(mark, Kind::All);
        let depth = if reduction == 0 { node.depth.0 / 2 } else { (node.depth.0 - reduction).max(1) };
        let value = search.probe_here(place, node, Depth(depth), Window::at_most(bound), path);
        if value > bound || search.is_stopped() {
            return Verdict::Go;
        }
        guards.cut(search, place, node, Claim::AtMost(alpha), alpha)
    }
}
