//! Forward pruning: the moments at which a method may speak, and the roster of methods.
//!
//! A method is one file here and one line in [`roster`]. Its parameters are all in its `Params`; numbers
//! fitted to an evaluation come from a [`Calibration`]. Methods are immutable during a search and keep
//! their counts in the search's tally, so one set of methods serves any number of threads.

mod check_searches;
mod guards;
mod roll;
#[macro_use]
mod roster;
mod threshold;

pub use check_searches::Sides;
pub use futility::{Base, Quantile, Reach};
pub use guards::Guards;
pub use multi_cut::{Nodes, Trigger};
pub use null_move::Adaptive;
pub use probcut::Step;
pub use roll::{Place, Roll};
pub use roster::{ALL, MethodSet, UnknownMethod, WithMethods};
pub use secateur_base::calibration::{Baselines, Calibration, Fit, Margin};

use crate::game::{Game, Moves};
use crate::score::{Depth, Score};
use crate::search::{Node, Search};

// In the order of asking: the file, the type and the name of each.
methods! {
    razoring: Razoring, "razoring";
    chinook: Chinook, "chinook";
    null_move: NullMove, "null-move";
    probcut: ProbCut, "probcut";
    mpc: Mpc, "mpc";
    capture_probcut: CaptureProbCut, "capture-probcut";
    multi_cut: MultiCut, "multi-cut";
    futility: Futility, "futility";
    lmr: Lmr, "lmr";
}

/// What a method says about a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing.
    Go,
    /// The value is claimed to be at least this (if >= beta) or at most this (if <= alpha).
    Cut(Score),
    /// Search this node to a smaller depth.
    Shorten(Depth),
}

/// The moments of a node, in order; by default a method lets all of them pass.
///
/// Only [`Prune::skip`] is asked at the root. Everything is generic and inlined: a method that is not there costs nothing.
pub trait Prune<G: Game> {
    /// Whether there can be a method at all: without one the host is compiled without its hooks.
    const ANY: bool = true;
    /// Which methods these are. By default one, whichever asks.
    const ROLL: &'static Roll = &Roll::Whoever;

    /// Before moves are generated. The first method that objects ends the asking.
    #[inline]
    fn enter<P: Prune<G>>(&self, search: &mut Search<'_, G, P>, node: &Node<'_, G>) -> Verdict {
        let _ = (search, node);
        Verdict::Go
    }

    /// With the ordered moves known ([`pick_in_order`] brings them up one by one). Only [`Verdict::Go`]
    /// and [`Verdict::Cut`] are meant.
    #[inline]
    fn branch<P: Prune<G>>(
        &self,
        search: &mut Search<'_, G, P>,
        node: &Node<'_, G>,
        moves: &mut Moves<G>,
    ) -> Verdict {
        let _ = (search, node, moves);
        Verdict::Go
    }

    /// Before each move but the first (`index` 0), at the root too: an upper bound (<= `alpha`, the best value so
    /// far) that the method claims for the move, which is then not searched.
    #[inline(always)]
    fn skip<P: Prune<G>>(
        &self,
        search: &mut Search<'_, G, P>,
        node: &Node<'_, G>,
        alpha: Score,
        mv: G::Move,
        index: usize,
    ) -> Option<Score> {
        let _ = (search, node, alpha, mv, index);
        None
    }

    /// Least depth at which the result can depend on the path (after a null move, inside a probe). Table
    /// entries of lesser depth are shared between paths.
    #[inline]
    fn sensitive_from(&self) -> Depth {
        Depth(i32::MAX)
    }

    /// Least depth at which a method can do anything. Below, a search may go on as if there were none.
    #[inline]
    fn acts_from(&self) -> Depth {
        Depth(0)
    }

    /// Whether a method may have something to say at [`Prune::branch`].
    #[inline]
    fn branches(&self) -> bool {
        true
    }

    /// Whether a method wants to be asked after the others: nodes are then asked twice.
    #[inline]
    fn has_last(&self) -> bool {
        false
    }

    /// Whether a method may cut nodes with an open window, so that a principal variation can end where it did.
    #[inline]
    fn cuts_open_windows(&self) -> bool {
        false
    }

    /// Whether a value that equals a bound of the window may be a pruned node's guess, so that the host does not rely
    /// on it: an open window is searched again at beta, an expected cut node that failed low at alpha is not stored
    /// (Winands et al. 2003).
    #[inline]
    fn doubts_bounds(&self) -> bool {
        false
    }
}

/// `none`: the full-width host.
impl<G: Game> Prune<G> for () {
    const ANY: bool = false;
    const ROLL: &'static Roll = &Roll::Nobody;

    #[inline]
    fn acts_from(&self) -> Depth {
        Depth(i32::MAX)
    }

    #[inline]
    fn branches(&self) -> bool {
        false
    }
}

/// Two methods; the first is asked first.
impl<G: Game, A: Prune<G>, B: Prune<G>> Prune<G> for (A, B) {
    const ROLL: &'static Roll = &Roll::Both(A::ROLL, B::ROLL);

    #[inline]
    fn enter<P: Prune<G>>(&self, search: &mut Search<'_, G, P>, node: &Node<'_, G>) -> Verdict {
        match self.0.enter(search, node) {
            Verdict::Go => self.1.enter(search, node),
            verdict => verdict,
        }
    }

    #[inline]
    fn branch<P: Prune<G>>(
        &self,
        search: &mut Search<'_, G, P>,
        node: &Node<'_, G>,
        moves: &mut Moves<G>,
    ) -> Verdict {
        match self.0.branch(search, node, moves) {
            Verdict::Go => self.1.branch(search, node, moves),
            verdict => verdict,
        }
    }

    #[inline(always)]
    fn skip<P: Prune<G>>(
        &self,
        search: &mut Search<'_, G, P>,
        node: &Node<'_, G>,
        alpha: Score,
        mv: G::Move,
        index: usize,
    ) -> Option<Score> {
        match self.0.skip(search, node, alpha, mv, index) {
            None => self.1.skip(search, node, alpha, mv, index),
            claim => claim,
        }
    }

    #[inline]
    fn sensitive_from(&self) -> Depth {
        self.0.sensitive_from().min(self.1.sensitive_from())
    }

    #[inline]
    fn acts_from(&self) -> Depth {
        self.0.acts_from().min(self.1.acts_from())
    }

    #[inline]
    fn branches(&self) -> bool {
        self.0.branches() || self.1.branches()
    }

    #[inline]
    fn has_last(&self) -> bool {
        self.0.has_last() || self.1.has_last()
    }

    #[inline]
    fn cuts_open_windows(&self) -> bool {
        self.0.cuts_open_windows() || self.1.cuts_open_windows()
    }

    #[inline]
    fn doubts_bounds(&self) -> bool {
        self.0.doubts_bounds() || self.1.doubts_bounds()
    }
}

/// A method with a switch, so that one compiled search covers all method sets of a game.
#[derive(Clone, Debug)]
pub struct Switched<M> {
    /// The method, if it is on.
    pub method: Option<M>,
    /// Its guards.
    pub guards: Guards,
}

impl<G: Game, M: Method + Prune<G>> Prune<G> for Switched<M> {
    const ROLL: &'static Roll = &Roll::One { name: M::NAME, marks: M::MARKS };

    #[inline]
    fn enter<P: Prune<G>>(&self, search: &mut Search<'_, G, P>, node: &Node<'_, G>) -> Verdict {
        match &self.method {
            Some(method) if self.guards.last == node.last_round => method.enter(search, node),
            _ => Verdict::Go,
        }
    }

    #[inline]
    fn branch<P: Prune<G>>(
        &self,
        search: &mut Search<'_, G, P>,
        node: &Node<'_, G>,
        moves: &mut Moves<G>,
    ) -> Verdict {
        self.method.as_ref().map_or(Verdict::Go, |method| method.branch(search, node, moves))
    }

    #[inline(always)]
    fn skip<P: Prune<G>>(
        &self,
        search: &mut Search<'_, G, P>,
        node: &Node<'_, G>,
        alpha: Score,
        mv: G::Move,
        index: usize,
    ) -> Option<Score> {
        self.method.as_ref().and_then(|method| method.skip(search, node, alpha, mv, index))
    }

    #[inline]
    fn sensitive_from(&self) -> Depth {
        self.method.as_ref().map_or(Depth(i32::MAX), |method| method.sensitive_from())
    }

    #[inline]
    fn acts_from(&self) -> Depth {
        self.method.as_ref().map_or(Depth(i32::MAX), |method| method.acts_from())
    }

    #[inline]
    fn branches(&self) -> bool {
        self.method.as_ref().is_some_and(|method| method.branches())
    }

    #[inline]
    fn has_last(&self) -> bool {
        self.method.is_some() && self.guards.last
    }

    #[inline]
    fn cuts_open_windows(&self) -> bool {
        self.method.is_some() && !self.guards.pv
    }

    #[inline]
    fn doubts_bounds(&self) -> bool {
        self.method.as_ref().is_some_and(|method| method.doubts_bounds())
    }
}

/// What every method declares about itself besides its pruning.
pub trait Method: Sized {
    /// Name on the command line and in records.
    const NAME: &'static str;
    /// How many marks the method needs for the nodes inside its probes: none if a node may look the same inside and
    /// outside, one as a rule, two for a method that may nest once. Which bits they are the roster says ([`Roll`]).
    const MARKS: u32 = 0;
    /// All its numbers.
    type Params;

    /// The method with `params` and what was fitted for the baseline it runs on, for a game with `stages`
    /// stages.
    ///
    /// # Errors
    /// A parameter out of range, or a fit that the parameters ask for and the calibration lacks.
    fn new(params: &Self::Params, calibration: &Calibration, stages: usize) -> Result<Self, SetupError>;

    /// The guards of the method, for one that has those that all methods share.
    #[must_use]
    fn guards(params: &Self::Params) -> Guards {
        let _ = params;
        Guards::default()
    }

    /// The probability with which a cut of the method is promised to be right; `None` for a method that promises
    /// nothing.
    #[must_use]
    fn promise(params: &Self::Params) -> Option<f64> {
        let _ = params;
        None
    }
}

/// Why a method cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{method}: {message}")]
pub struct SetupError {
    /// The method.
    pub method: &'static str,
    /// What is wrong and what was expected.
    pub message: String,
}

/// The move at `index` in the order of search; ask for 0, 1, 2, ... in turn.
#[inline]
pub fn pick_in_order<G: Game>(moves: &mut Moves<G>, index: usize) -> G::Move {
    crate::search::pick::<G>(moves, index)
}
