//! The search host: iterative deepening around a fail-soft principal variation search.
//!
//! The host searches the full width. It knows no pruning method by name: methods hang in at the moments of
//! [`crate::prune::Prune`], and with none of them the root value equals plain minimax with the same
//! horizon function. Host options that change the tree are in [`Options`] and belong to the record.
//!
//! Sources: PVS, Marsland & Campbell 1982; fail-soft, Fishburn 1983; iterative deepening, Slate & Atkin 1977.

mod ahead;
mod any;
mod audit;
mod budget;
mod chance;
mod host;
mod line;
mod minimax;
mod moments;
mod node;
mod node_options;
mod order;
mod probe;
mod quiescence;
mod root;
mod shadow;
mod table;
mod turn;

pub(crate) use self::any::erased;

pub use self::budget::{Counter, MAX_STAGES, Tally};
pub use self::node::{Kind, Path};
pub use self::probe::{Entry, Quiet};
pub use self::root::{News, Observer, Scope};
pub use self::shadow::Choose;
pub use self::table::Bound;
pub use any::{AnySearch, Searcher, Watch, searcher};
pub use audit::{Claim, Claimed, Grounds, Sample, Verdict};
pub(crate) use budget::PLIES;
pub use budget::{Budget, Limits, MAX_DEPTH};
pub use minimax::{horizon_with, minimax, minimax_with};
pub use moments::{Form, FullWidth, Hooked};
pub use node::Node;
pub(crate) use node::memo;
pub use order::pick;
pub use quiescence::{Captures, quiesce};
pub use secateur_base::options::{Drafts, Missing, Options, Ordering, Star};
pub use table::{Table, prefetch};

use self::line::PvTable;
use crate::game::{Game, Meter};
use crate::prune::{Asks, Prune};
use crate::score::{Depth, Score, Window};
use audit::Audit;
use budget::Limit;
use line::Line;
use moments::Moments;
use order::Memory;
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The state after one completed iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Iteration<M> {
    /// Depth of the iteration, plies.
    pub depth: i32,
    /// Exact value at that depth.
    pub score: Score,
    /// Principal variation; empty only if the root is a finished game, or a throw of chance. It ends before the first throw: what
    /// comes after is no line but a mean over many.
    pub pv: Vec<M>,
    /// Nodes since the start of the search.
    pub nodes: u64,
    /// Quiescence nodes among them.
    pub qnodes: u64,
    /// Deepest ply reached since the start of the search, quiescence included.
    pub seldepth: u32,
}

impl<M: Copy> Iteration<M> {
    /// First move of the principal variation.
    pub fn best_move(&self) -> Option<M> {
        self.pv.first().copied()
    }
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Outcome<M> {
    /// Completed iterations, from the shallowest on ([`Options::iteration_step`]); never empty.
    pub iterations: Vec<Iteration<M>>,
    /// Best move of the unfinished iteration, if it got so far as to find one: a player's choice, no measurement.
    pub partial: Option<M>,
    /// Nodes and method counters, the unfinished iteration included.
    pub tally: Tally,
    /// Quiescence nodes and deepest ply, likewise.
    pub meter: Meter,
}

impl<M: Copy> Outcome<M> {
    /// The last completed iteration.
    ///
    /// # Panics
    /// Never for an outcome of [`Search::run`], which completes at least one iteration.
    pub fn last(&self) -> &Iteration<M> {
        self.iterations.last().expect("a search completes at least one iteration")
    }

    /// The move to play: the last completed iteration's best, unless the one after found a better.
    pub fn choice(&self) -> Option<M> {
        self.partial.or(self.last().best_move())
    }
}

/// One searcher: a game, a set of pruning methods, and the memory of the search.
///
/// Reusable: every [`Search::run`] starts from a cleared state, so its result does not depend on what was
/// searched before. A player, who wants to remember what the last move's search found, calls [`Search::go`].
pub struct Search<'p, G: Game, F = Hooked> {
    /// The game with its evaluation.
    pub game: G,
    /// Node and method counters of the current search.
    pub tally: Tally,
    moments: Moments<'p, G>,
    form: PhantomData<F>,
    options: Options,
    sensitive: Depth,
    table: Table,
    memory: Memory<G::Move>,
    pv: PvTable<G::Move>,
    /// Keys of the positions on the line to the current node, the root's included.
    keys: Vec<u64>,
    meter: Meter,
    limit: Limit,
    /// Ends what comes without limits.
    flag: Option<Arc<AtomicBool>>,
    stopped: bool,
    probing: u32,
    iteration: Depth,
    /// Whether a claim of exactly the bound is doubted ([`Asks::doubts_bounds`]).
    doubts: bool,
    /// Whether anybody has a say below the horizon.
    quiet: bool,
    line: Line,
    /// The cells of each method.
    learnt: Vec<Vec<i32>>,
    /// Whether an option is on that `node_options` sees to.
    varied: bool,
    /// Whether the order of a node's moves may be left until it is needed, as far as game, methods and options go.
    steady: bool,
    /// Whether the first moves may be searched before the others are generated, as far as game and options go.
    opening: bool,
    /// Height up to which cuts are not remembered.
    unremembered: Depth,
    /// Plies before the horizon that the game may search by itself.
    last: Depth,
    /// Set by the cut that is about to end a node, if the table must not have it.
    unstored: bool,
    /// What the next claim rests on, while an audit runs.
    grounds: Option<Grounds>,
    audit: Option<Audit<G>>,
    /// Throws of chance between the root and the current node.
    throws: u32,
    /// Whether the methods' counters are kept.
    counted: bool,
}

impl<'p, G: Game> Search<'p, G> {
    /// A searcher with these methods, in the order of asking, and empty memory.
    ///
    /// # Panics
    /// If methods of other crates need more marks than a path has room for.
    pub fn new(game: G, methods: &[&'p dyn Prune<G>], options: Options) -> Search<'p, G> {
        Search::with(game, methods, options)
    }
}

impl<G: Game> Search<'static, G, FullWidth> {
    /// A searcher without methods.
    pub fn full_width(game: G, options: Options) -> Self {
        Search::with(game, &[], options)
    }
}

impl<'p, G: Game, F: Form<G>> Search<'p, G, F> {
    fn with(game: G, methods: &[&'p dyn Prune<G>], options: Options) -> Self {
        let moments = Moments::new(methods);
        let asks = moments.asks;
        let sensitive = match options.drafts {
            Drafts::Exact => Depth(asks.sensitive.from),
            Drafts::AtLeast => Depth(i32::MAX),
        };
        let looking = options.ordering == Ordering::Looking;
        Search {
            game,
            tally: moments.tally(),
            form: PhantomData,
            sensitive,
            table: Table::new(options.table_mib, options.drafts),
            memory: Memory::new(G::HISTORY, if G::COUNTERS { asks.pairs.min(order::PLIES) } else { 0 }),
            pv: PvTable::new(),
            keys: Vec::with_capacity(128),
            meter: Meter::default(),
            limit: Limit::NONE,
            flag: None,
            stopped: false,
            probing: 0,
            iteration: Depth(0),
            doubts: asks.doubts_bounds,
            quiet: asks.quiet || options.losing_captures,
            line: Line::new(asks.looks_back()),
            learnt: moments.members.iter().map(|member| vec![0; member.cells]).collect(),
            varied: options.check_extension || options.missing_from > 0 || options.etc_min_depth > 0,
            steady: G::STEADY && looking && !moments.branches(),
            opening: G::OPENS && options.etc_min_depth == 0,
            unremembered: Depth(if looking { G::LAST_PLIES } else { 0 }),
            last: node_options::least_plies::<G>(asks.acts_from(), &options),
            unstored: false,
            grounds: None,
            audit: None,
            throws: 0,
            counted: true,
            moments,
            options,
        }
    }

    /// Searches `root` within `budget` and reports every completed iteration.
    ///
    /// The first iteration always completes. A search that would look past the end of the game ends at the
    /// depth that reaches it ([`crate::Rules::remaining`]).
    pub fn run(&mut self, root: &G::Position, budget: &Budget) -> Outcome<G::Move> {
        self.forget();
        let limits = Limits { stop: self.flag.clone(), ..budget.into() };
        self.go(root, &[], &limits, |_| ControlFlow::Continue(()))
    }

    /// From now on what comes without [`Limits`] ends soon after `stop` is set: [`Search::run`], [`Search::move_value`],
    /// [`Search::move_reaches`] and [`Search::decide`]. What they then answer means nothing.
    pub fn heed(&mut self, stop: Option<Arc<AtomicBool>>) {
        self.flag = stop;
    }

    fn unlimited(&self) -> Limit {
        Limit::start(&Limits { stop: self.flag.clone(), ..Limits::default() })
    }

    /// Searches `root` within `limits`, remembering what earlier searches left in the table and in the ordering
    /// memory ([`Search::forget`] ends that). `before` are the keys ([`crate::Rules::key`]) of the game's positions before
    /// the root, oldest first, so that repetitions are seen. `watch` hears of every completed iteration and may
    /// ask for no further one.
    ///
    /// The first iteration always completes, whatever the limits.
    pub fn go(
        &mut self,
        root: &G::Position,
        before: &[u64],
        limits: &Limits,
        mut watch: impl FnMut(&Iteration<G::Move>) -> ControlFlow<()>,
    ) -> Outcome<G::Move> {
        self.deepen_root(root, before, limits, None, &mut |news| match news {
            News::Line { iteration, .. } => watch(iteration),
            News::Turn { .. } => ControlFlow::Continue(()),
        })
    }

    /// Whether the move `mv` of `root`, searched to `depth` by this searcher, is worth at least `bound`.
    ///
    /// Answers ties: a move that reaches the score of the best move at the same depth is as good. Null-window
    /// searches of growing depth from a cleared state; `depth` counts from the root.
    pub fn move_reaches(&mut self, root: &G::Position, mv: G::Move, depth: Depth, bound: Score) -> bool {
        self.forget();
        self.value_of_move(root, mv, depth, Window::at_least(bound), Kind::Cut) >= bound
    }

    /// The exact value of the move `mv` of `root`, searched to `depth`, which counts from the root. The searcher keeps
    /// what it knows ([`Search::forget`] ends that), so that a move is cheap to ask for after the root.
    pub fn move_value(&mut self, root: &G::Position, mv: G::Move, depth: Depth) -> Score {
        self.value_of_move(root, mv, depth, Window::FULL, Kind::Pv)
    }

    /// A move searched to growing depths in a window.
    fn value_of_move(
        &mut self,
        root: &G::Position,
        mv: G::Move,
        depth: Depth,
        window: Window,
        kind: Kind,
    ) -> Score {
        self.start(&[]);
        self.limit = self.unlimited();
        let child = self.game.play(root, mv);
        let extended = self.options.check_extension && self.game.in_check(root);
        let plies = self.game.plies(mv) - i32::from(extended);
        self.keys.push(self.game.key(root));
        let path = Path::ROOT.child(kind);
        let mut value = -Score::INFINITE;
        for depth in 1..=depth.0.max(1) {
            self.iteration = Depth(depth);
            value = -self.value(&child, Depth(depth - plies), -window, 1, path);
        }
        value
    }

    /// Depth of the iteration under way, plies from the root.
    #[inline]
    pub fn iteration(&self) -> Depth {
        self.iteration
    }

    /// What the methods ask for together.
    pub fn asks(&self) -> Asks {
        self.moments.asks
    }

    /// The host options that this searcher was made with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Forgets everything earlier searches found, and empties the game's caches ([`Game::forget`]): the same search again is as
    /// much work.
    pub fn forget(&mut self) {
        self.game.forget();
        self.table.clear();
        self.memory.clear();
        self.learnt.iter_mut().for_each(|cells| cells.fill(0));
    }

    /// Takes another table, of the same [`Options`], and gives its own for it: searchers that search in turn need memory for one.
    pub fn swap_table(&mut self, other: &mut Table) {
        std::mem::swap(&mut self.table, other);
    }

    /// Whether the methods' counters are kept, as they are unless this says otherwise: games that are played do not need them,
    /// and they take one instruction in twenty. Nodes are counted always.
    pub fn count_methods(&mut self, counted: bool) {
        self.counted = counted;
    }

    fn empty_tally(&self) -> Tally {
        let mut tally = self.moments.tally();
        tally.counted = self.counted;
        tally
    }

    fn start(&mut self, before: &[u64]) {
        self.tally = self.empty_tally();
        self.keys.clear();
        self.keys.extend_from_slice(before);
        self.meter = Meter::default();
        self.limit = Limit::NONE;
        self.stopped = false;
        self.probing = 0;
        self.unstored = false;
        self.grounds = None;
        self.throws = 0;
        self.line.clear();
        self.iteration = Depth(0);
        if let Some(audit) = &mut self.audit {
            audit.restart();
        }
    }
}
