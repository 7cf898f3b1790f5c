//! The guards that published methods share, as switches: leaving one out is an ablation of its own.
//!
//! Every guard stands by default. What only one method needs (zugzwang, nesting, C and M) is among that method's
//! parameters. Left out: the root, where no method is asked before its moves are searched.

use super::{Method, Place, SetupError, Verdict};
use crate::game::Game;
use crate::score::{Score, Window};
use crate::search::{Claim, Kind, Node, Search};
use serde::{Deserialize, Serialize};

/// Which guards stand, and what becomes of a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Guards {
    /// Not at nodes with an open window (the principal variation).
    pub pv: bool,
    /// Not in check.
    pub check: bool,
    /// Not where a bound of the window is a proven score (a mate).
    pub mate: bool,
    /// Not where the search reaches the end of the game and is therefore exact (Othello).
    pub solved: bool,
    /// Whether a cut enters the table at the depth of its node. Off, only what the method's own search stored at its
    /// own depth remains.
    pub store: bool,
    /// Asked after all methods that are not: the order of asking is that of the method table otherwise.
    pub last: bool,
}

impl Default for Guards {
    fn default() -> Guards {
        Guards { pv: true, check: true, mate: true, solved: true, store: true, last: false }
    }
}

impl Guards {
    /// Whether a guard that stands forbids the node.
    #[inline]
    pub fn bar<G: Game>(&self, node: &Node<'_, G>, game: &G) -> bool {
        self.bar_whatever_bound(node, game) || (self.mate && node.is_decisive())
    }

    /// The guards that a bound decides, for a method that has asked the others when it planned ([`super::Prune::plan`]): of a move
    /// only `alpha` matters, the best value so far.
    #[inline]
    pub fn bar_bound<G: Game>(&self, alpha: Score) -> bool {
        self.mate && alpha.abs() >= G::DECISIVE
    }

    /// The guards that ask for no bound, so that they hold for all moves of a node.
    #[inline]
    pub fn bar_whatever_bound<G: Game>(&self, node: &Node<'_, G>, game: &G) -> bool {
        (self.pv && node.path.kind == Kind::Pv)
            || (self.check && node.in_check)
            || (self.solved && node.is_solved_by_depth(game))
    }

    /// Refuses [`Guards::last`] for a method that needs the moves, where it could do nothing.
    ///
    /// # Errors
    /// If it is asked for.
    pub(super) fn refuse_last<M: Method>(&self) -> Result<(), SetupError> {
        M::require(
            !self.last,
            "guards.last = true: it needs the moves, and is asked after all that do not anyway",
        )
    }

    /// The cut of a node whose value the method at `place` claims to be at least `score`, or at most (`claim`).
    #[inline]
    pub fn cut<G: Game>(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        claim: Claim,
        score: Score,
    ) -> Verdict {
        search.claim(place, node, claim);
        search.store_cut(self.store);
        Verdict::Cut(score)
    }

    /// Whether a window has an upper bound to test: at an open window with `pv` off there may be none.
    #[inline]
    pub fn bounded_above(window: Window) -> bool {
        window.beta < Score::INFINITE
    }

    /// The same of the lower bound.
    #[inline]
    pub fn bounded_below(window: Window) -> bool {
        window.alpha > -Score::INFINITE
    }
}
