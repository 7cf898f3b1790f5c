//! Forward pruning: the moments at which a method may speak, and the roster of methods.
//!
//! A method is one file here and one line in [`roster`]. Its parameters are all in its `Params`; numbers
//! fitted to an evaluation come from a [`Calibration`]. Methods are immutable during a search and keep
//! their counts in the search's tally, so one set of methods serves any number of threads.

mod both;
mod check_searches;
mod guards;
mod roll;
#[macro_use]
mod roster;
mod switched;
mod threshold;

pub use check_searches::{Linear, Sides};
pub use chinook::Behind;
pub use futility::{Base, Quantile, Reach};
pub use guards::Guards;
pub use multi_cut::{Nodes, Trigger};
pub use null_move::Adaptive;
pub use probcut::Step;
pub use razoring::Truncation;
pub use roll::{Place, Roll};
pub use roster::{MethodSet, UnknownMethod, WithMethods};
pub use secateur_base::calibration::{Baselines, Calibration, Fit, Margin};
pub use secateur_base::sets::{SETS, members, set_names};
pub use switched::Switched;

use crate::game::{Game, Moves, QuietNode};
use crate::score::{Depth, Score};
use crate::search::{Node, Quiet, Search};

// In the order of asking: the file, the type and the name of each.
methods! {
    iid: Iid, "iid";
    correction_history: CorrectionHistory, "correction-history";
    check_extension: CheckExtension, "check-extension";
    hindsight: Hindsight, "hindsight";
    iir: Iir, "iir";
    razoring: Razoring, "razoring";
    chinook: Chinook, "chinook";
    reverse_futility: ReverseFutility, "reverse-futility";
    null_move: NullMove, "null-move";
    small_probcut: SmallProbCut, "small-probcut";
    probcut: ProbCut, "probcut";
    mpc: Mpc, "mpc";
    capture_probcut: CaptureProbCut, "capture-probcut";
    multi_cut: MultiCut, "multi-cut";
    etc: Etc, "etc";
    singular: Singular, "singular";
    uncertainty: Uncertainty, "uncertainty";
    lmp: Lmp, "lmp";
    history_pruning: HistoryPruning, "history-pruning";
    futility: Futility, "futility";
    see_pruning: SeePruning, "see-pruning";
    rankcut: RankCut, "rankcut";
    lmr: Lmr, "lmr";
    delta: Delta, "delta";
    quiet_exchange: QuietExchange, "quiet-exchange";
    quiet_count: QuietCount, "quiet-count";
    chance_probcut: ChanceProbCut, "chance-probcut";
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

/// At which moments a method is asked besides those that every method is asked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asks {
    /// [`Prune::approach`].
    pub approach: bool,
    /// [`Prune::extend`].
    pub extend: bool,
    /// [`Prune::leave`].
    pub leave: bool,
    /// [`Prune::quiet`].
    pub quiet: bool,
    /// [`Prune::chance`].
    pub chance: bool,
    /// Types and reductions of the line to the node: [`Search::reduced`], [`Search::parent_kind`].
    pub line: bool,
    /// Static evaluations of the line as well, of every node of it: [`Search::improving`], [`Search::evaluation_before`].
    pub evaluations: bool,
    /// Histories of pairs of moves, up to so many plies apart: [`Search::merit_of_pairs`].
    pub pairs: u32,
}

impl Asks {
    /// Whether anything of the line to a node is to be kept.
    #[must_use]
    pub fn looks_back(self) -> bool {
        self.line || self.evaluations
    }

    /// Whether lines may be longer or shorter than the depth, because a method changes it.
    #[must_use]
    pub fn varies_depth(self) -> bool {
        self.approach || self.extend
    }

    /// What either asks for.
    #[must_use]
    pub fn or(self, other: Asks) -> Asks {
        Asks {
            approach: self.approach || other.approach,
            extend: self.extend || other.extend,
            leave: self.leave || other.leave,
            quiet: self.quiet || other.quiet,
            chance: self.chance || other.chance,
            line: self.line || other.line,
            evaluations: self.evaluations || other.evaluations,
            pairs: self.pairs.max(other.pairs),
        }
    }
}

/// What came of a node's moves ([`Prune::leave`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Searched<M> {
    /// The node's value, fail-soft.
    pub score: Score,
    /// The best move and its place in the order of search; `None` if none was better than alpha.
    pub best: Option<(M, usize)>,
    /// Moves that were searched or skipped.
    pub tried: usize,
}

/// The moments of a node, in order; by default a method lets all of them pass.
///
/// Only [`Prune::skip`] and [`Prune::leave`] are asked at the root. Everything is generic and inlined: a method that is not there
/// costs nothing, and neither does a moment at which no method of the search speaks.
pub trait Prune<G: Game> {
    /// Whether there can be a method at all: without one the host is compiled without its hooks.
    const ANY: bool = true;
    /// Which methods these are. By default one, whichever asks.
    const ROLL: &'static Roll = &Roll::Whoever;

    /// First of all, where [`Asks::approach`]: may change the node's depth or correct its static evaluation
    /// ([`Search::correct`]). All methods are asked. `hint` says whether the table has a first move for the node; a method that
    /// searches for one ([`Search::probe_here`]) is taken at its word.
    #[inline(always)]
    fn approach<P: Prune<G>>(&self, search: &mut Search<'_, G, P>, node: &mut Node<'_, G>, hint: bool) {
        let _ = (search, node, hint);
    }

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

    /// Before each move that is searched, where [`Asks::extend`]: plies by which it is searched deeper. Negative ones are a
    /// reduction, and the host searches the move again if it turns out better than alpha all the same. The sum over all
    /// methods counts; no line becomes longer than twice the iteration.
    #[inline(always)]
    fn extend<P: Prune<G>>(
        &self,
        search: &mut Search<'_, G, P>,
        node: &Node<'_, G>,
        mv: G::Move,
        index: usize,
    ) -> i32 {
        let _ = (search, node, mv, index);
        0
    }

    /// After the moves of a node, where [`Asks::leave`]: what came of them, for a method that learns
    /// ([`Search::learnt`]). Not after a cut or when the budget ran out.
    #[inline(always)]
    fn leave<P: Prune<G>>(
        &self,
        search: &mut Search<'_, G, P>,
        node: &Node<'_, G>,
        found: &Searched<G::Move>,
    ) {
        let _ = (search, node, found);
    }

    /// Below the horizon, where [`Asks::quiet`], before a capture or promotion of a node that is not in check: an upper bound
    /// (<= `alpha`, the best value so far, standing pat included) that the method claims for the move, which is then not
    /// searched.
    #[inline(always)]
    fn quiet<P: Prune<G>>(
        &self,
        search: &mut Quiet<'_, G, P>,
        node: &QuietNode<'_, G>,
        alpha: Score,
        mv: G::Move,
    ) -> Option<Score> {
        let _ = (search, node, alpha, mv);
        None
    }

    /// Before a throw of chance, where [`Asks::chance`] and the game has any: `node` is the position that awaits it. Only
    /// [`Verdict::Go`] and [`Verdict::Cut`] are meant.
    #[inline(always)]
    fn chance<P: Prune<G>>(&self, search: &mut Search<'_, G, P>, node: &Node<'_, G>) -> Verdict {
        let _ = (search, node);
        Verdict::Go
    }

    /// At which moments beyond [`Prune::enter`] and [`Prune::skip`] the method speaks, and what it needs kept.
    #[inline]
    fn asks(&self) -> Asks {
        Asks::default()
    }

    /// Appends how many cells ([`Search::learnt`]) each method of [`Prune::ROLL`] has to learn in.
    fn learns(&self, cells: &mut Vec<usize>) {
        cells.resize(cells.len() + Self::ROLL.len(), 0);
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

/// What every method declares about itself besides its pruning.
pub trait Method: Sized {
    /// Name on the command line and in records.
    const NAME: &'static str;
    /// How many marks the method needs for the nodes inside its probes: none if a node may look the same inside and
    /// outside, one as a rule, two for a method that may nest once. Which bits they are the roster says ([`Roll`]).
    const MARKS: u32 = 0;
    /// All its numbers.
    type Params;

    /// Cells ([`Search::learnt`]) that the method learns in while it searches; none for one that does not learn.
    const CELLS: usize = 0;

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
