//! The moments of a node, and who speaks at each: how a search asks its methods.
//!
//! A search is compiled in two forms for each game: [`Hooked`] with its lists of methods, and [`FullWidth`] without any hook, which
//! is what `none` is. A method that another crate has goes into the lists like any other.

use super::{Kind, Node, Search, Tally};
use crate::game::{Game, Moves};
use crate::prune::{Asks, Depths, METHODS, MOMENTS, Place, Prune, Searched, SkipPlan, Verdict, first_mark};
use crate::score::{Depth, Score};

// The moments, in the order of `Asks::moments`.
pub(super) const APPROACH: usize = 0;
pub(super) const ENTER: usize = 1;
pub(super) const BRANCH: usize = 2;
pub(super) const SKIP: usize = 3;
pub(super) const EXTEND: usize = 4;
pub(super) const LEAVE: usize = 5;
pub(super) const CHANCE: usize = 6;
pub(super) const QUIET: usize = 7;

/// A method in one of the lists.
pub(super) struct Speaker<'p, G: Game> {
    pub(super) method: &'p dyn Prune<G>,
    pub(super) place: Place,
    depths: Depths,
}

/// What a search knows a method by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) name: &'static str,
    /// Index among all methods: in the table, or behind it. The sample of an audit goes by it, so that it does not depend on who
    /// else is in the search.
    pub(super) number: usize,
    pub(super) cells: usize,
}

/// Who speaks at each moment, in the order of asking.
pub(super) struct Moments<'p, G: Game> {
    pub(super) members: Vec<Member>,
    /// What all of them ask for together.
    pub(super) asks: Asks,
    /// By moment.
    pub(super) lists: [Vec<Speaker<'p, G>>; MOMENTS],
    /// By depth, the moments at which any method speaks, as bits.
    spoken: [u8; 256],
    /// Plans of the nodes on the line, those of the current node last.
    plans: Vec<Planned<'p, G>>,
}

/// A plan, the moves that passed by it and count as tried, and those that it left out by itself.
struct Planned<'p, G: Game> {
    plan: SkipPlan,
    passed: u64,
    closed: u64,
    method: &'p dyn Prune<G>,
    place: Place,
}

impl<'p, G: Game> Moments<'p, G> {
    /// Zero counters for the methods.
    pub(super) fn tally(&self) -> Tally {
        Tally::new(self.members.iter().map(|member| member.name).collect())
    }

    /// The lists of these methods, each with a place: marks of methods of the table are always the same, those of others come
    /// behind.
    ///
    /// # Panics
    /// If methods that are not in the table need more marks than a path has room for.
    pub(super) fn new(methods: &[&'p dyn Prune<G>]) -> Moments<'p, G> {
        let (mut members, mut all_asks) = (Vec::new(), Asks::default());
        let mut lists: [Vec<Speaker<'p, G>>; MOMENTS] = Default::default();
        let mut last = Vec::new();
        let (_, mut free) = first_mark("");
        for (index, &method) in methods.iter().enumerate() {
            let asks = method.asks();
            let number = METHODS.iter().position(|name| *name == asks.name);
            let first = first_mark(asks.name).0.unwrap_or(free);
            free = free.max(first + asks.marks);
            assert!(free <= u32::BITS, "more marks than a path has room for");
            let bits = (((1_u64 << asks.marks) - 1) << first) as u32;
            let place = Place { index: index as u32, mark: bits & bits.wrapping_neg() };
            let number = number.unwrap_or(METHODS.len() + index);
            members.push(Member { name: asks.name, number, cells: asks.cells });
            all_asks = all_asks.or(asks);
            for (moment, depths) in
                asks.moments().into_iter().enumerate().filter(|(_, depths)| !depths.is_never())
            {
                let list = if moment == ENTER && asks.last { &mut last } else { &mut lists[moment] };
                list.push(Speaker { method, place, depths });
            }
        }
        lists[ENTER].append(&mut last);
        let mut spoken = [0; 256];
        for (moment, list) in lists.iter().enumerate() {
            for (depth, spoken) in (0..).zip(&mut spoken) {
                if list.iter().any(|speaker| speaker.depths.contains(Depth(depth))) {
                    *spoken |= 1 << moment;
                }
            }
        }
        Moments { members, asks: all_asks, lists, spoken, plans: Vec::new() }
    }

    /// Whether any method speaks at this moment of a node of this depth.
    #[inline(always)]
    pub(super) fn spoken(&self, depth: Depth, moment: usize) -> bool {
        self.spoken[usize::from(depth.0 as u8)] & 1 << moment != 0
    }

    /// Whether a method needs the moves in order before they are searched.
    pub(super) fn branches(&self) -> bool {
        !self.lists[BRANCH].is_empty()
    }
}

/// A form that a search is compiled in.
pub trait Form<G: Game>: Sized + Send + 'static {
    /// Whether there can be a method at all.
    const ANY: bool;

    /// The search as methods know it, if there can be any.
    fn hooked<'s, 'p>(search: &'s mut Search<'p, G, Self>) -> Option<&'s mut Search<'p, G>>;
}

/// The form without any hook: `none`.
#[derive(Clone, Copy, Debug)]
pub struct FullWidth;

impl<G: Game> Form<G> for FullWidth {
    const ANY: bool = false;

    #[inline(always)]
    fn hooked<'s, 'p>(_: &'s mut Search<'p, G, Self>) -> Option<&'s mut Search<'p, G>> {
        None
    }
}

/// The form with methods.
#[derive(Clone, Copy, Debug)]
pub struct Hooked;

impl<G: Game> Form<G> for Hooked {
    const ANY: bool = true;

    #[inline(always)]
    fn hooked<'s, 'p>(search: &'s mut Search<'p, G>) -> Option<&'s mut Search<'p, G>> {
        Some(search)
    }
}

/// Asks the methods that speak at a moment and at the node's depth, in turn.
macro_rules! ask {
    ($search:ident, $moment:ident, $depth:expr, |$method:ident, $place:ident| $question:expr) => {
        let mut next = 0;
        while let Some(&Speaker { method: $method, place: $place, depths }) =
            $search.moments.lists[$moment].get(next)
        {
            next += 1;
            if depths.contains($depth) {
                $question
            }
        }
    };
}

// What a search does at each moment: without methods nothing.
impl<G: Game, F: Form<G>> Search<'_, G, F> {
    /// [`Prune::approach`] of all methods, before anything else; looks for a first move (packed; 0 is none) again where they may
    /// have found one.
    #[inline(never)]
    pub(super) fn approach(&mut self, node: &mut Node<'_, G>, hint: u16) -> u16 {
        let (depth, nodes) = (node.depth, self.tally.nodes);
        if let Some(search) = F::hooked(self) {
            ask!(search, APPROACH, node.depth, |method, place| {
                method.approach(search, place, node, hint != 0);
            });
        }
        node.depth = node.depth.min(depth + self.room(node.ply, depth));
        if hint != 0 || self.tally.nodes == nodes || self.stopped {
            return hint;
        }
        self.table.probe(self.slot(node.key, node.path, depth), depth.0, 0).mv
    }

    /// [`Prune::enter`].
    #[inline(always)]
    pub(super) fn enter(&mut self, node: &Node<'_, G>) -> Verdict {
        let Some(search) = F::hooked(self) else { return Verdict::Go };
        ask!(search, ENTER, node.depth, |method, place| match method.enter(search, place, node) {
            Verdict::Go => {}
            verdict => return verdict,
        });
        Verdict::Go
    }

    /// [`Prune::branch`].
    #[inline(always)]
    pub(super) fn branch(&mut self, node: &Node<'_, G>, moves: &mut Moves<G>) -> Verdict {
        let Some(search) = F::hooked(self) else { return Verdict::Go };
        ask!(search, BRANCH, node.depth, |method, place| match method.branch(search, place, node, moves) {
            Verdict::Go => {}
            verdict => return verdict,
        });
        Verdict::Go
    }

    /// [`Prune::plan`] of all methods; the least place in the order of a move that any is asked about.
    #[inline(always)]
    pub(super) fn plan(&mut self, node: &Node<'_, G>, alpha: Score) -> usize {
        let mut first = usize::MAX;
        let Some(search) = F::hooked(self) else { return first };
        ask!(search, SKIP, node.depth, |method, place| {
            let plan = method.plan(search, place, node, alpha);
            if plan.from < usize::MAX {
                first = first.min(plan.from);
                search.moments.plans.push(Planned { plan, passed: 0, closed: 0, method, place });
            }
        });
        first
    }

    /// [`Prune::skip`] by the plans from `base` on.
    #[inline(always)]
    pub(super) fn skip(
        &mut self,
        base: usize,
        node: &Node<'_, G>,
        alpha: Score,
        mv: G::Move,
        index: usize,
    ) -> Option<Score> {
        let search = F::hooked(self)?;
        let mut next = base;
        while let Some(&Planned { plan, method, place, .. }) = search.moments.plans.get(next) {
            next += 1;
            if index < plan.from {
                continue;
            }
            if plan.passes(alpha, || search.merit(node, mv)) {
                search.moments.plans[next - 1].passed += u64::from(plan.counted);
                continue;
            }
            if search.closes_by(plan, alpha) {
                if !search.is_calm(node, mv) {
                    continue;
                }
                search.moments.plans[next - 1].closed += 1;
                return Some(alpha);
            }
            let claim = method.skip(search, place, node, alpha, mv, index);
            if claim.is_some() {
                return claim;
            }
        }
        None
    }

    /// The first of the plans from `base` on.
    #[inline(always)]
    fn first_plan(&self, base: usize) -> Option<SkipPlan> {
        if F::ANY { self.moments.plans.get(base).map(|first| first.plan) } else { None }
    }

    /// From which place in the order on the first of the plans from `base` on leaves out by itself all that does not stay open
    /// ([`SkipPlan::closes`]).
    #[inline(always)]
    pub(super) fn closing(&self, base: usize) -> usize {
        self.first_plan(base).filter(|first| first.closes).map_or(usize::MAX, |first| first.from)
    }

    /// Whether it does so with this best value.
    #[inline(always)]
    pub(super) fn closes(&self, base: usize, alpha: Score) -> bool {
        self.first_plan(base).is_some_and(|first| self.closes_by(first, alpha))
    }

    /// How many moves from `index` on, which are in their places, it leaves out; `calm_count` if it is known.
    #[inline(always)]
    pub(super) fn close(
        &mut self,
        base: usize,
        node: &Node<'_, G>,
        alpha: Score,
        moves: &Moves<G>,
        index: usize,
        calm_count: Option<usize>,
    ) -> usize {
        let Some(plan) = self.first_plan(base) else { return 0 };
        if index < plan.from || !self.closes_by(plan, alpha) {
            return 0;
        }
        let closed = calm_count.unwrap_or_else(|| self.game.calm(node.pos, &moves[index..]));
        self.moments.plans[base].closed += closed as u64;
        closed
    }

    /// How many plans there are.
    #[inline(always)]
    pub(super) fn planned(&self) -> usize {
        if F::ANY { self.moments.plans.len() } else { 0 }
    }

    /// The end of a node, whose plans are those from `base` on.
    #[inline(always)]
    pub(super) fn unplan(&mut self, base: usize, node: &Node<'_, G>) {
        let Some(search) = F::hooked(self) else { return };
        while search.moments.plans.len() > base {
            let Some(Planned { passed, closed, place, .. }) = search.moments.plans.pop() else { return };
            if passed + closed > 0 {
                let counter = search.count(place, node);
                counter.tries += passed + closed;
                counter.cuts_low += closed;
            }
        }
    }

    /// [`Prune::leave`].
    #[inline(always)]
    pub(super) fn leave(&mut self, node: &Node<'_, G>, moves: &Searched<G::Move>) {
        let Some(search) = F::hooked(self) else { return };
        ask!(search, LEAVE, node.depth, |method, place| method.leave(search, place, node, moves));
    }

    /// [`Prune::chance`].
    #[inline(always)]
    pub(super) fn before_chance(&mut self, node: &Node<'_, G>) -> Verdict {
        let Some(search) = F::hooked(self) else { return Verdict::Go };
        ask!(search, CHANCE, node.depth, |method, place| match method.chance(search, place, node) {
            Verdict::Go => {}
            verdict => return verdict,
        });
        Verdict::Go
    }

    /// Whether a move is calm. Not inlined: what is computed from a move for this would be computed for each that is asked about.
    #[inline(never)]
    fn is_calm(&self, node: &Node<'_, G>, mv: G::Move) -> bool {
        self.game.is_calm(node.pos, mv)
    }

    /// Whether a plan leaves moves out by itself. An audit wants to hear of each move.
    #[inline(always)]
    fn closes_by(&self, plan: SkipPlan, alpha: Score) -> bool {
        plan.closes && alpha.abs() < G::DECISIVE && self.audit.is_none()
    }

    /// [`Prune::extend`], the sum: plies by which a move is searched deeper; shallower if negative.
    #[inline(never)]
    pub(super) fn extra(&mut self, node: &Node<'_, G>, mv: G::Move, index: usize) -> i32 {
        let mut plies = 0;
        if let Some(search) = F::hooked(self) {
            ask!(search, EXTEND, node.depth, |method, place| {
                plies += method.extend(search, place, node, mv, index);
            });
        }
        let plies = plies.min(self.room(node.ply, node.depth));
        if self.moments.asks.looks_back() {
            self.line.reduce(node.ply, (-plies).max(0));
        }
        plies
    }

    /// Plies by which a line that would end `depth` plies below `ply` may be extended yet.
    #[inline]
    fn room(&self, ply: u32, depth: Depth) -> i32 {
        (2 * self.iteration.0 - ply as i32 - depth.0).max(0)
    }

    /// Whether a node is one whose first move matters: not expected to fail low.
    pub fn needs_first_move(&self, node: &Node<'_, G>) -> bool {
        node.path.kind != Kind::All
    }
}
