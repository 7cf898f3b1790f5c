//! Singular extension: a table move that is better than all others by a margin is searched a ply deeper.
//!
//! Sources: Anantharaman, Campbell & Hsu 1990; by an excluded-move search at half the depth, Stockfish (2009) and Ethereal. Where
//! the others reach beta without it as well, the node is cut (multi-cut, Stockfish 2018). Not inside its own probes. Left out:
//! double and negative extensions.

use super::{Asks, Calibration, Depths, Guards, Method, Place, Prune, SetupError, Verdict};
use crate::game::{Game, Moves};
use crate::score::{Depth, Score, Window};
use crate::search::{Bound, Claim, Node, PLIES, Search};
use serde::{Deserialize, Serialize};

/// A cell for each ply: the packed move that is to be extended there, 0 for none.
const CELLS: usize = PLIES;

/// Parameters of singular extension.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Params {
    /// Least depth, plies, at least 3.
    pub min_depth: i32,
    /// Score units a ply by which the others must fall short of the table's value; 32,000 and more is infinite.
    pub margin: i32,
    /// Plies by which the stored search may be shallower than the node.
    pub plies: i32,
    /// Whether a node is cut where the others reach beta without the move.
    pub multi_cut: bool,
    /// The guards that all methods share. They are the cut's.
    #[serde(default)]
    pub guards: Guards,
}

/// Extension of moves without an alternative.
#[derive(Clone, Debug)]
pub struct Singular(Params);

impl Method for Singular {
    const NAME: &'static str = "singular";
    const MARKS: u32 = 1;
    const CELLS: usize = CELLS;
    type Params = Params;

    fn new(params: &Params, _: &Calibration, _: usize) -> Result<Self, SetupError> {
        let Params { min_depth, margin, plies, guards, .. } = *params;
        Self::require(
            min_depth >= 3 && margin >= 0 && plies >= 0,
            format_args!(
                "min-depth {min_depth}, margin {margin}, plies {plies}: expected min-depth >= 3, the others at least 0"
            ),
        )?;
        guards.refuse_last::<Self>()?;
        Ok(Singular(params.clone()))
    }
}

impl Singular {
    /// Whether the table's move is singular, or its value one that the others reach as well.
    #[inline(never)]
    fn test<G: Game>(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>) -> Verdict {
        let Params { margin, plies, multi_cut, guards, .. } = &self.0;
        search.learnt(place)[node.ply as usize] = 0;
        if node.path.is_inside(place.mark) || node.partial {
            return Verdict::Go;
        }
        let Some(entry) = search.entry(node) else { return Verdict::Go };
        let Some(mv) = entry.mv else { return Verdict::Go };
        if entry.bound == Bound::Upper
            || entry.draft < node.depth - *plies
            || entry.score.abs() >= G::DECISIVE
        {
            return Verdict::Go;
        }
        let bound = Score(entry.score.0 - margin.saturating_mul(node.depth.0)).clamped();
        if bound.0 <= -G::DECISIVE.0 {
            return Verdict::Go;
        }
        search.count(place, node).tries += 1;
        let depth = Depth((node.depth.0 - 1) / 2);
        let value = search.probe_without(place, node, mv, depth, Window::at_least(bound));
        if search.is_stopped() {
            return Verdict::Go;
        }
        if value.is_none_or(|value| value < bound) {
            search.count(place, node).cuts_high += 1;
            search.learnt(place)[node.ply as usize] = i32::from(search.game.pack(mv));
        } else if *multi_cut && bound >= node.window.beta && !guards.bar(node, &search.game) {
            return guards.cut(search, place, node, Claim::AtLeast(node.window.beta), bound);
        }
        Verdict::Go
    }
}

impl<G: Game> Prune<G> for Singular {
    fn asks(&self) -> Asks {
        let Params { min_depth, margin, guards, .. } = &self.0;
        let depths = Depths::from(*min_depth).when(*margin < Score::INFINITE.0);
        Asks {
            branch: depths,
            extend: depths,
            // Probes begin at half the depth, and what is not extended inside is another result.
            sensitive: depths,
            ..Asks::guarded::<Self>(guards)
        }
    }

    #[inline]
    fn branch(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        _: &mut Moves<G>,
    ) -> Verdict {
        if node.is_solved_by_depth(&search.game) { Verdict::Go } else { self.test(search, place, node) }
    }

    #[inline]
    fn extend(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        mv: G::Move,
        _: usize,
    ) -> i32 {
        if node.partial || node.is_solved_by_depth(&search.game) {
            return 0;
        }
        let packed = i32::from(search.game.pack(mv));
        i32::from(search.learnt(place)[node.ply as usize] == packed)
    }
}
