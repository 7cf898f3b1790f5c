//! Forward pruning: the moments at which a method may speak, and the table of methods.
//!
//! A method is one file here and one line in `methods!`. Set up, it is a value ([`MethodValue`]); a search is given a list of
//! them ([`Methods`]) and asks each at the moments that it names. Its parameters are all in its `Params`; numbers
//! fitted to an evaluation come from a [`Calibration`]. Methods are immutable during a search and keep
//! their counts in the search's tally, so one set of methods serves any number of threads.

mod check_searches;
mod guards;
mod surface;
#[macro_use]
mod table;
mod threshold;

pub use capture_probcut::Surplus;
pub use check_searches::{Linear, Sides, Sigma};
pub use chinook::Behind;
pub use futility::{Base, NodeForm, Quantile, Reach, Worth};
pub use guards::Guards;
pub use multi_cut::{Nodes, Trigger};
pub use null_move::Adaptive;
pub use probcut::Step;
pub use razoring::Truncation;
pub use secateur_base::calibration::{Baselines, Calibration, Fit, Margin};
pub use secateur_base::sets::{SETS, members, set_names};
use table::Silent;
pub(crate) use table::first_mark;
pub use table::{MethodSet, MethodValue, Methods, UnknownMethod, Views};

pub use crate::search::pick as pick_in_order;

use crate::game::{Game, Moves, QuietNode};
use crate::score::{Depth, Score};
use crate::search::{Node, Quiet, Search};
use std::fmt;

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

/// The moments at which methods are asked.
pub(crate) const MOMENTS: usize = 8;

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

/// Depths of nodes at which a method is asked, plies, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depths {
    /// The least.
    pub from: i32,
    /// The greatest.
    pub to: i32,
}

/// At none.
impl Default for Depths {
    fn default() -> Depths {
        Depths::NEVER
    }
}

impl Depths {
    /// At none.
    pub const NEVER: Depths = Depths { from: i32::MAX, to: i32::MIN };
    /// At all.
    pub const ALL: Depths = Depths { from: i32::MIN, to: i32::MAX };

    /// At this depth and above.
    pub const fn from(least: i32) -> Depths {
        Depths { from: least, to: i32::MAX }
    }

    /// Up to this depth; 0 is at none.
    pub const fn up_to(greatest: i32) -> Depths {
        Depths { from: 0, to: greatest }.when(greatest > 0)
    }

    /// These, or none unless `speaks`.
    pub const fn when(self, speaks: bool) -> Depths {
        if speaks { self } else { Depths::NEVER }
    }

    /// Whether there are any.
    pub const fn is_never(self) -> bool {
        self.from > self.to
    }

    /// Whether a depth is among them.
    #[inline]
    pub fn contains(self, depth: Depth) -> bool {
        self.from <= depth.0 && depth.0 <= self.to
    }

    /// From the least of both to the greatest.
    fn or(self, other: Depths) -> Depths {
        Depths { from: self.from.min(other.from), to: self.to.max(other.to) }
    }
}

/// What a method says of itself when a set is put together: at which moments and depths it is asked, and what the search
/// keeps for it. The default asks for nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asks {
    /// [`Method::NAME`].
    pub name: &'static str,
    /// [`Method::MARKS`].
    pub marks: u32,
    /// [`Method::CELLS`].
    pub cells: usize,
    /// [`Prune::approach`].
    pub approach: Depths,
    /// [`Prune::enter`].
    pub enter: Depths,
    /// [`Prune::branch`].
    pub branch: Depths,
    /// [`Prune::skip`].
    pub skip: Depths,
    /// [`Prune::extend`].
    pub extend: Depths,
    /// [`Prune::leave`].
    pub leave: Depths,
    /// [`Prune::quiet`].
    pub quiet: bool,
    /// [`Prune::chance`].
    pub chance: Depths,
    /// Whether it is asked to enter after all methods that are not ([`Guards::last`]).
    pub last: bool,
    /// Types and reductions of the line to the node: [`Search::reduced`], [`Search::parent_kind`].
    pub line: bool,
    /// Static evaluations of the line as well, of every node of it: [`Search::improving`], [`Search::evaluation_before`].
    pub evaluations: bool,
    /// Histories of pairs of moves, up to so many plies apart: [`Search::merit_of_pairs`].
    pub pairs: u32,
    /// Depths at which the result can depend on the path (after a null move, inside a probe). Table entries of depths below the least
    /// are shared between paths.
    pub sensitive: Depths,
    /// Whether it may cut nodes with an open window, so that a principal variation can end where it did.
    pub cuts_open_windows: bool,
    /// Whether a value that equals a bound of the window may be a pruned node's guess, so that the host does not rely on it: an
    /// open window is searched again at beta, an expected cut node that failed low at alpha is not stored (Winands et al. 2003).
    pub doubts_bounds: bool,
}

impl Asks {
    /// What `M` declares of itself, and nothing asked yet.
    pub fn of<M: Method>() -> Asks {
        Asks { name: M::NAME, marks: M::MARKS, cells: M::CELLS, ..Asks::default() }
    }

    /// The same of a method with the guards that all methods share.
    pub fn guarded<M: Method>(guards: &Guards) -> Asks {
        Asks { last: guards.last, cuts_open_windows: !guards.pv, ..Asks::of::<M>() }
    }

    /// Whether anything of the line to a node is to be kept.
    pub fn looks_back(self) -> bool {
        self.line || self.evaluations
    }

    /// Whether lines may be longer or shorter than the depth, because a method changes it.
    pub fn varies_depth(self) -> bool {
        !self.approach.is_never() || !self.extend.is_never()
    }

    /// At which depths it is asked, by moment in the order of [`Prune`], the moment below the horizon last.
    pub(crate) fn moments(self) -> [Depths; MOMENTS] {
        let quiet = Depths { from: 0, to: i32::MAX }.when(self.quiet);
        [self.approach, self.enter, self.branch, self.skip, self.extend, self.leave, self.chance, quiet]
    }

    /// Least depth at which the method can do anything. Below, a search may go on as if it were not there.
    pub fn acts_from(self) -> Depth {
        let moments = self.moments().into_iter().filter(|depths| !depths.is_never());
        Depth(moments.map(|depths| depths.from).min().unwrap_or(i32::MAX))
    }

    /// What either asks for, without name, marks and cells.
    pub fn or(self, other: Asks) -> Asks {
        Asks {
            approach: self.approach.or(other.approach),
            enter: self.enter.or(other.enter),
            branch: self.branch.or(other.branch),
            skip: self.skip.or(other.skip),
            extend: self.extend.or(other.extend),
            leave: self.leave.or(other.leave),
            quiet: self.quiet || other.quiet,
            chance: self.chance.or(other.chance),
            last: self.last || other.last,
            line: self.line || other.line,
            evaluations: self.evaluations || other.evaluations,
            pairs: self.pairs.max(other.pairs),
            sensitive: self.sensitive.or(other.sensitive),
            cuts_open_windows: self.cuts_open_windows || other.cuts_open_windows,
            doubts_bounds: self.doubts_bounds || other.doubts_bounds,
            ..Asks::default()
        }
    }
}

/// Where a method stands among those of a search, as the search tells it with every question: which counters, cells and marks are
/// its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Which of the methods it is, from 0.
    pub(crate) index: u32,
    /// The bit for nodes inside its probes ([`crate::search::Path::inside`]); 0 without marks.
    pub mark: u32,
}

impl Place {
    /// The bit for nodes inside its probes inside its probes, for a method with two marks.
    #[inline]
    pub fn inner_mark(self) -> u32 {
        self.mark << 1
    }
}

/// Which moves of a node a method is asked about ([`Prune::plan`]). All others pass it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkipPlan {
    /// Place in the order of the first that it is asked about, at least 1.
    pub from: usize,
    /// Every move passes while the best value is below this.
    pub alpha: Score,
    /// Every move passes whose history ([`Search::merit`]) is at least this; `i32::MAX` looks at none.
    pub merit: i32,
    /// Whether all quiet moves that give no check are left out while alpha is no proven score, with alpha as their bound and each
    /// counted as one that was tried: what the method would say of each is then not asked.
    pub closes: bool,
    /// Whether a move that passes by `alpha` or `merit` counts as one that was tried ([`crate::search::Counter::tries`]).
    pub counted: bool,
}

impl SkipPlan {
    /// Asked about no move.
    pub const NONE: SkipPlan = SkipPlan::from(usize::MAX);

    /// Asked about all moves from a place in the order on.
    pub const fn from(from: usize) -> SkipPlan {
        SkipPlan { from, alpha: Score(-Score::INFINITE.0), merit: i32::MAX, closes: false, counted: false }
    }

    /// Whether a move passes unasked, with this best value and history, at a place from which on the method is asked.
    #[inline(always)]
    pub fn passes(&self, alpha: Score, merit: impl FnOnce() -> i32) -> bool {
        alpha < self.alpha || (self.merit < i32::MAX && merit() >= self.merit)
    }

    /// Asked once the best value is at least `alpha`; all moves count as tried.
    pub const fn passing_below(alpha: Score) -> SkipPlan {
        SkipPlan { alpha, counted: true, ..SkipPlan::from(1) }
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

/// The moments of a node, in order; a method is asked at those that it names ([`Prune::asks`]).
///
/// Only [`Prune::skip`] and [`Prune::leave`] are asked at the root. A search is compiled once for a game and holds for each moment the
/// list of the methods that speak there, so a moment at which none does costs nothing. `place` is what the search knows the method
/// by; it goes back with whatever is asked of the search.
#[expect(unused_variables, reason = "what has a body here does nothing with what it is asked about")]
pub trait Prune<G: Game>: Sync {
    /// At which moments and depths the method is asked, and what is kept for it.
    fn asks(&self) -> Asks;

    /// First of all: may change the node's depth or correct its static evaluation ([`Search::correct`]). All methods are asked. `hint`
    /// says whether the table has a first move for the node; a method that searches for one ([`Search::probe_here`]) is taken at its
    /// word.
    fn approach(&self, search: &mut Search<'_, G>, place: Place, node: &mut Node<'_, G>, hint: bool) {}

    /// Before moves are generated. The first method that objects ends the asking.
    fn enter(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>) -> Verdict {
        Verdict::Go
    }

    /// With the ordered moves known ([`pick_in_order`] brings them up one by one). Only [`Verdict::Go`] and [`Verdict::Cut`] are
    /// meant.
    fn branch(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        moves: &mut Moves<G>,
    ) -> Verdict {
        Verdict::Go
    }

    /// Once a node, before its second move, where [`Asks::skip`]: which moves [`Prune::skip`] is asked about, so that the others cost
    /// no call. `alpha` is the best value so far. By default all.
    fn plan(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>, alpha: Score) -> SkipPlan {
        SkipPlan::from(1)
    }

    /// Before a move of the plan, never the first (`index` 0), at the root too: an upper bound (<= `alpha`, the best value so
    /// far) that the method claims for the move, which is then not searched.
    fn skip(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        alpha: Score,
        mv: G::Move,
        index: usize,
    ) -> Option<Score> {
        None
    }

    /// Before each move that is searched: plies by which it is searched deeper. Negative ones are a reduction, and the host searches
    /// the move again if it turns out better than alpha all the same. The sum over all methods counts; no line becomes longer than
    /// twice the iteration.
    fn extend(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        mv: G::Move,
        index: usize,
    ) -> i32 {
        0
    }

    /// After the moves of a node: what came of them, for a method that learns ([`Search::learnt`]). Not after a cut or when the budget
    /// ran out.
    fn leave(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>, moves: &Searched<G::Move>) {
    }

    /// Below the horizon, before a capture or promotion of a node that is not in check: an upper bound (<= `alpha`, the best value so
    /// far, standing pat included) that the method claims for the move, which is then not searched.
    fn quiet(
        &self,
        search: &mut Quiet<'_, '_, G>,
        place: Place,
        node: &QuietNode<'_, G>,
        alpha: Score,
        mv: G::Move,
    ) -> Option<Score> {
        None
    }

    /// Before a throw of chance, in a game that has any: `node` is the position that awaits it. Only [`Verdict::Go`] and
    /// [`Verdict::Cut`] are meant.
    fn chance(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>) -> Verdict {
        Verdict::Go
    }
}

/// What every method declares about itself besides its pruning.
#[expect(unused_variables, reason = "what has a body here needs no parameters")]
pub trait Method: Sized {
    /// Name on the command line and in records.
    const NAME: &'static str;
    /// How many marks the method needs for the nodes inside its probes: none if a node may look the same inside and
    /// outside, one as a rule, two for a method that may nest once. Which bits they are the search says ([`Place`]).
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

    /// Refuses parameters that are out of range.
    ///
    /// # Errors
    /// Unless `holds`: what is wrong and what was expected.
    fn require(holds: bool, message: impl fmt::Display) -> Result<(), SetupError> {
        if holds { Ok(()) } else { Err(SetupError { method: Self::NAME, message: message.to_string() }) }
    }

    /// The parameters where a text has no section for the method; `None` if a text must have one.
    fn usual() -> Option<Self::Params> {
        None
    }

    /// The probability with which a cut of the method is promised to be right; `None` for a method that promises
    /// nothing.
    fn promise(params: &Self::Params) -> Option<f64> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What asks for everything, and for each thing in another way than nothing does.
    const ALL: Asks = Asks {
        name: "",
        marks: 0,
        cells: 0,
        approach: Depths::from(1),
        enter: Depths::from(2),
        branch: Depths::from(3),
        skip: Depths::up_to(4),
        extend: Depths::ALL,
        leave: Depths::from(5),
        quiet: true,
        chance: Depths::up_to(6),
        last: true,
        line: true,
        evaluations: true,
        pairs: 2,
        sensitive: Depths::from(3),
        cuts_open_windows: true,
        doubts_bounds: true,
    };

    #[test]
    fn who_asks_with_one_that_asks_nothing_asks_the_same() {
        let nothing = Asks::default();
        assert_eq!((ALL.or(nothing), nothing.or(ALL), ALL.or(ALL)), (ALL, ALL, ALL));
        let named = Asks { name: "one", marks: 1, cells: 2, ..nothing };
        assert_eq!(named.or(named), nothing, "a name, marks and cells are of one method");
    }

    #[test]
    fn together_depths_hold_what_either_holds() {
        let depths = [
            Depths::NEVER,
            Depths { from: 1, to: 3 },
            Depths { from: 2, to: 5 },
            Depths::from(4),
            Depths::up_to(2),
        ];
        for (one, two) in depths.iter().flat_map(|one| depths.iter().map(move |two| (*one, *two))) {
            let both = one.or(two);
            for depth in (-1..8).map(Depth).filter(|&depth| one.contains(depth) || two.contains(depth)) {
                assert!(both.contains(depth), "{one:?} {two:?}");
            }
            assert!([one.from, two.from].contains(&both.from) && [one.to, two.to].contains(&both.to));
        }
    }
}
