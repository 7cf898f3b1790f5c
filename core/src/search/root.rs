//! The root: iterations, and the search of a root that has a [`Scope`], which is what a player may ask besides its value.
//!
//! A [`Scope`] says which moves of the root count, how many of the best have a line of their own, and which values matter;
//! [`News`] tells of lines, and of moves as their turn comes. All that a scope asks for happens here: the recursion knows
//! nothing of it, and a search without a scope does not pay for it. A search with a scope that asks for nothing is the same
//! search node for node.
//!
//! A second line is the first of a search that may not play the first line's move, and so on: it is searched like any
//! root, with its own window, to the same depth, right after the line before. Left out: any sorting of the lines
//! afterwards. Without methods they come in order of value; with methods a later line may come out higher.

use super::ahead::Late;
use super::host::Turns;
use super::node::{Node, Path};
use super::table::Bound;
use super::{Form, Iteration, Limit, Limits, MAX_DEPTH, Outcome, Search};
use crate::game::{Game, Moves};
use crate::score::{Depth, Score, Window};
use std::ops::ControlFlow;

impl<G: Game, F: Form<G>> Search<'_, G, F> {
    /// [`Search::go`] for whoever asks more of the root than its value. [`Outcome::iterations`] are the first lines;
    /// [`Outcome::partial`] is a move of the scope as well.
    pub fn analyse(
        &mut self,
        root: &G::Position,
        before: &[u64],
        limits: &Limits,
        scope: &Scope<G::Move>,
        mut observe: impl FnMut(News<'_, G::Move>) -> ControlFlow<()>,
    ) -> Outcome<G::Move> {
        self.deepen_root(root, before, limits, Some(scope), &mut observe)
    }

    /// Searches the root to growing depths.
    pub(super) fn deepen_root(
        &mut self,
        root: &G::Position,
        before: &[u64],
        limits: &Limits,
        scope: Option<&Scope<G::Move>>,
        observe: Observer<'_, G::Move>,
    ) -> Outcome<G::Move> {
        self.start(before);
        self.table.grow_older();
        let exact = self.game.remaining(root).map_or(MAX_DEPTH, |plies| plies.max(1));
        let (deepest, step) =
            (limits.depth.clamp(1, MAX_DEPTH).min(exact), self.options.iteration_step.max(1));
        let mut limit = Limit::start(limits);
        let mut lines = scope.map(|scope| Lines::new(&self.game, root, scope));
        let count = lines.as_ref().map_or(1, |lines| lines.count);
        let mut iterations: Vec<Iteration<G::Move>> = Vec::new();
        let mut partial = None;
        'deeper: for depth in ((deepest - 1) % step + 1..=deepest).step_by(step as usize) {
            self.iteration = Depth(depth);
            for line in 1..=count {
                let score = match &lines {
                    None => {
                        let before = iterations.last().map(|iteration| iteration.score);
                        self.aspire(before, &mut |search, window| {
                            search.value(root, Depth(depth), window, 0, Path::ROOT)
                        })
                    }
                    Some(lines) => self.line(root, Depth(depth), lines, observe),
                };
                if self.stopped {
                    partial = self.pv.line().first().copied().filter(|_| line == 1);
                    break 'deeper;
                }
                let iteration = Iteration {
                    depth,
                    score,
                    pv: self.pv.line().to_vec(),
                    nodes: self.tally.nodes,
                    qnodes: self.meter.qnodes,
                    seldepth: self.meter.seldepth,
                };
                let fill = if scope.is_some() { self.table.fill() } else { 0 };
                let onward = observe(News::Line { iteration: &iteration, line, fill });
                if let Some(lines) = &mut lines {
                    lines.complete(&iteration);
                }
                if line == 1 {
                    iterations.push(iteration);
                }
                if onward.is_break() || limit.reached(self.tally.nodes) {
                    break 'deeper;
                }
                self.limit = limit.clone();
            }
        }
        let empty = self.empty_tally();
        let tally = std::mem::replace(&mut self.tally, empty);
        Outcome { iterations, partial, tally, meter: self.meter }
    }

    /// The value of the root to one depth, as `search` finds it in a window. With [`super::Options::aspiration`], a window
    /// around the value before is opened to twice the width on the side that it failed on, as often as needed.
    fn aspire(&mut self, before: Option<Score>, search: &mut dyn FnMut(&mut Self, Window) -> Score) -> Score {
        let mut width = self.options.aspiration;
        let guess = before.filter(|score| width > 0 && score.abs() < G::DECISIVE);
        let Some(guess) = guess else { return search(self, Window::FULL) };
        let mut window = Window { alpha: Score(guess.0 - width), beta: Score(guess.0 + width) };
        loop {
            let score = search(self, window);
            width = (2 * width).min(Score::INFINITE.0);
            if self.stopped || (score > window.alpha && score < window.beta) {
                return score;
            } else if score <= window.alpha {
                window.alpha = (score - Score(width)).clamped();
            } else {
                window.beta = (score + Score(width)).clamped();
            }
        }
    }

    /// The value of the line to come.
    fn line(
        &mut self,
        root: &G::Position,
        depth: Depth,
        lines: &Lines<G::Move>,
        observe: Observer<'_, G::Move>,
    ) -> Score {
        if lines.window != Window::FULL {
            return self.at_root(root, depth, lines.window, lines, observe);
        }
        self.aspire(lines.score(), &mut |search, window| search.at_root(root, depth, window, lines, observe))
    }

    /// [`Search::value`] of the root with the moves that are allowed, which is the same node for node if all are.
    ///
    /// What comes of some of the moves is not the value of the position, so the table does not get it.
    fn at_root(
        &mut self,
        root: &G::Position,
        depth: Depth,
        window: Window,
        lines: &Lines<G::Move>,
        observe: Observer<'_, G::Move>,
    ) -> Score {
        self.pv.clear(0);
        self.tally.nodes += 1;
        if self.limit.reached(self.tally.nodes) {
            self.stopped = true;
            return Score::ZERO;
        }
        let tabled = depth.0 >= self.options.table_min_depth && lines.is_open();
        let key = self.game.key(root);
        let slot = self.slot(key, Path::ROOT, depth);
        let context = self.context(Path::ROOT, depth);
        let mut hint = if tabled {
            self.table.probe(slot, depth.0, context).mv
        } else {
            lines.hint().filter(|_| !lines.is_open()).map_or(0, |mv| self.game.pack(mv))
        };
        let mut node = Node::new(&self.game, root, depth, window, 0, Path::ROOT, key);
        if F::ANY && self.moments.asks.looks_back() {
            self.note(&node);
        }
        if self.varied {
            hint = self.vary(&mut node, hint);
            if self.stopped {
                return Score::ZERO;
            }
            if !lines.is_open() {
                // A shallower search of the root, for its first move, was one of all moves.
                self.pv.clear(0);
            }
        }
        let mut moves = Moves::<G>::new();
        self.game.moves(root, &mut moves);
        if moves.is_empty() {
            return self.game.outcome(root, 0);
        }
        moves.retain(|scored| lines.allows(scored.mv));
        self.order(&node, hint, &mut moves);
        let mut turns = Announcing { depth: depth.0, observe };
        let (score, mv) = self.search_moves(&node, &mut moves, Late::NOTHING, &mut turns);
        let unstored = self.is_unstored(Path::ROOT, score, window);
        if tabled && !self.stopped && !unstored {
            let bits = mv.map_or(0, |mv| self.game.pack(mv));
            self.table.store(slot, depth.0, context, score, Bound::of(score, window), bits);
        }
        score
    }
}

/// What is asked about a root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope<M> {
    /// The moves that count; empty for all. A move that the root has not is passed over, and if it has none of them, all
    /// count.
    pub moves: Vec<M>,
    /// How many moves get a value and a line of their own; 0 is 1, and more than there are moves is one each.
    pub lines: usize,
    /// The values that matter. A value at or outside a bound is itself a bound, and the line of one at or below the lower
    /// bound is empty. With any other window than [`Window::FULL`] there is one line, and aspiration is off.
    pub window: Window,
}

impl<M> Default for Scope<M> {
    /// The value of the whole root.
    fn default() -> Scope<M> {
        Scope { moves: Vec::new(), lines: 1, window: Window::FULL }
    }
}

/// What a search with a [`Scope`] tells while it goes on.
#[derive(Debug)]
pub enum News<'n, M> {
    /// The turn of a move of the root has come.
    Turn {
        /// Depth of the iteration, plies.
        depth: i32,
        /// The move.
        mv: M,
        /// Its place in the order of this line, from 1.
        number: usize,
    },
    /// A line of an iteration is complete.
    Line {
        /// What was found.
        iteration: &'n Iteration<M>,
        /// The how many-best line it is, from 1.
        line: usize,
        /// How full the table is, in thousandths; 0 in a search without a scope.
        fill: u32,
    },
}

/// Hears of news; `Break` after a line ends the search.
pub type Observer<'w, M> = &'w mut dyn FnMut(News<'_, M>) -> ControlFlow<()>;

/// The caller of a search with a scope.
struct Announcing<'w, M> {
    depth: i32,
    observe: Observer<'w, M>,
}

impl<M> Turns<M> for Announcing<'_, M> {
    fn observe(&mut self, mv: M, index: usize) {
        // Only a line can end a search: in the middle of one there may be no move yet.
        let _ = (self.observe)(News::Turn { depth: self.depth, mv, number: index + 1 });
    }
}

/// The lines of an iteration under way.
pub(super) struct Lines<M> {
    /// The moves that count.
    moves: Vec<M>,
    /// Whether these are all moves of the root.
    whole: bool,
    pub(super) count: usize,
    pub(super) window: Window,
    /// Moves of the lines of this iteration that are complete.
    taken: Vec<M>,
    /// Moves of the lines of the iteration before.
    last: Vec<M>,
    /// Values of the lines, the latest of each.
    scores: Vec<Score>,
}

impl<M: Copy + PartialEq> Lines<M> {
    pub(super) fn new<G: Game<Move = M>>(game: &G, root: &G::Position, scope: &Scope<M>) -> Lines<M> {
        let mut all = Moves::<G>::new();
        game.moves(root, &mut all);
        let all: Vec<M> = all.iter().map(|scored| scored.mv).collect();
        let mut moves: Vec<M> = all.iter().copied().filter(|mv| scope.moves.contains(mv)).collect();
        if moves.is_empty() {
            moves.clone_from(&all);
        }
        let most = if scope.window == Window::FULL { moves.len().max(1) } else { 1 };
        Lines {
            whole: moves.len() == all.len(),
            moves,
            count: scope.lines.clamp(1, most),
            window: scope.window,
            taken: Vec::new(),
            last: Vec::new(),
            scores: Vec::new(),
        }
    }

    /// Whether the line to come may play every move of the root.
    pub(super) fn is_open(&self) -> bool {
        self.whole && self.taken.is_empty()
    }

    pub(super) fn allows(&self, mv: M) -> bool {
        self.moves.contains(&mv) && !self.taken.contains(&mv)
    }

    /// The best move that the iteration before found of those still allowed.
    pub(super) fn hint(&self) -> Option<M> {
        self.last.iter().copied().find(|&mv| self.allows(mv))
    }

    /// Value of the line to come in the iteration before.
    pub(super) fn score(&self) -> Option<Score> {
        let line = self.taken.len();
        (self.window == Window::FULL).then(|| self.scores.get(line).copied()).flatten()
    }

    /// The line to come is complete.
    pub(super) fn complete(&mut self, iteration: &Iteration<M>) {
        let line = self.taken.len();
        match self.scores.get_mut(line) {
            Some(score) => *score = iteration.score,
            None => self.scores.push(iteration.score),
        }
        self.taken.extend(iteration.best_move());
        if line + 1 == self.count {
            self.last = std::mem::take(&mut self.taken);
        }
    }
}
