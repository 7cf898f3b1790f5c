//! The recursion: fail-soft principal variation search with hooks for pruning.
//!
//! Plain values travel through the recursion; a [`Node`] is built for the methods to look at, and the compiler drops it
//! where there is none. Values of an interrupted search mean nothing and are dropped by [`Search::run`]. What host
//! options add to single nodes is in `node_options`.

use super::ahead::{Late, Open};
use super::node::{Kind, Node, Path};
use super::order::{PICKED, SORTED, pick, sort, sorting};
use super::table::Bound;
use super::{Form, Ordering, Search, moments};
use crate::game::{Game, Hints, Moves};
use crate::prune::{Searched, Verdict};
use crate::score::{Depth, Score, Window};

impl<G: Game, F: Form<G>> Search<'_, G, F> {
    /// Value of `pos` searched to `depth` in `window`, fail-soft: a result at or outside a bound is itself a
    /// bound of the true value. `ply` counts from the root.
    ///
    /// Inlined, so that a child at the horizon, which most nodes are, does not cost a call of the recursion.
    #[inline(always)]
    pub fn value(&mut self, pos: &G::Position, depth: Depth, window: Window, ply: u32, path: Path) -> Score {
        if path.kind == Kind::Pv {
            self.pv.clear(ply);
        }
        if depth.0 <= 0 {
            self.horizon(pos, window, ply)
        } else if G::CHANCE && self.game.awaits(pos) {
            self.chance(pos, depth, window, ply, path)
        } else {
            self.above(pos, depth, window, ply, path)
        }
    }

    /// [`Search::value`] above the horizon.
    #[inline(never)]
    fn above(&mut self, pos: &G::Position, depth: Depth, window: Window, ply: u32, path: Path) -> Score {
        if let Some(score) = self.arrive(pos, window, ply) {
            return score;
        }
        let tabled = depth.0 >= self.options.table_min_depth;
        let key = if tabled || G::REPETITION { self.game.key(pos) } else { 0 };
        let slot = self.slot(key, path, depth);
        let context = self.context(path, depth);
        let mut hint = 0;
        if tabled {
            let entry = self.table.probe(slot, depth.0, context);
            hint = entry.mv;
            // Behind a throw there is no line to be kept whole.
            let lined = path.kind == Kind::Pv && !(G::CHANCE && self.throws > 0);
            let usable = self.options.table_values && !lined;
            if let (Some((score, bound)), true) = (entry.value, usable) {
                let score = from_table::<G>(score, ply);
                if bound.decides(score, window) {
                    self.tally.tt_hits += 1;
                    return score;
                }
            }
        }
        let (score, mv) = self.interior(pos, depth, window, ply, path, key, hint);
        let unstored = self.is_unstored(path, score, window);
        if tabled && !self.stopped && !unstored {
            let bound = Bound::of(score, window);
            let bits = mv.map_or(0, |mv| self.game.pack(mv));
            let score = to_table::<G>(score, ply);
            self.table.store(slot, depth.0, context, score, bound, bits);
        }
        score
    }

    /// Counts a node above the horizon. Its value, where that goes without a search: a draw by repetition, or a window that
    /// nothing attainable lies in. An interrupted search has a value that means nothing.
    #[inline(always)]
    pub(super) fn arrive(&mut self, pos: &G::Position, window: Window, ply: u32) -> Option<Score> {
        self.tally.nodes += 1;
        if self.limit.reached(self.tally.nodes) {
            self.stopped = true;
            return Some(Score::ZERO);
        }
        if G::REPETITION && ply > 0 && self.game.drawn(pos, &self.keys) {
            return Some(Score::ZERO);
        }
        let attainable = self.game.attainable(ply);
        if window.alpha >= attainable.beta {
            return Some(attainable.beta);
        }
        (window.beta <= attainable.alpha).then_some(attainable.alpha)
    }

    /// What the table must match besides position and depth; nothing in a search without methods.
    #[inline]
    pub(super) fn context(&self, path: Path, depth: Depth) -> u8 {
        if F::ANY { path.context(depth >= self.sensitive) } else { 0 }
    }

    /// The key that a node has in the table: the position's, unless there are more marks than a slot has room for.
    #[inline]
    pub(super) fn slot(&self, key: u64, path: Path, depth: Depth) -> u64 {
        if F::ANY && path.inside >> Path::SLOT != 0 {
            key ^ path.beyond(depth >= self.sensitive)
        } else {
            key
        }
    }

    /// Whether the table is not to have the value that a node ends with. To be asked once at the end of every node.
    #[inline]
    pub(super) fn is_unstored(&mut self, path: Path, score: Score, window: Window) -> bool {
        F::ANY
            && (std::mem::take(&mut self.unstored)
                || (self.doubts && path.kind == Kind::Cut && score == window.alpha))
    }

    #[inline]
    fn horizon(&mut self, pos: &G::Position, window: Window, ply: u32) -> Score {
        if G::REPETITION && ply > 0 && self.game.drawn(pos, &self.keys) {
            self.tally.nodes += 1;
            return Score::ZERO;
        }
        let before = self.meter.qnodes;
        let score = if self.quiet {
            self.quiesce(pos, window, ply)
        } else {
            self.game.horizon(pos, window, ply, &mut self.meter)
        };
        self.meter.seldepth = self.meter.seldepth.max(ply);
        self.tally.nodes += (self.meter.qnodes - before).max(1);
        score
    }

    /// Asks the methods, then searches the moves. The move returned is the best or the refutation.
    #[inline]
    #[expect(
        clippy::too_many_arguments,
        reason = "a node that is built here, and not passed, vanishes in a search without methods"
    )]
    fn interior(
        &mut self,
        pos: &G::Position,
        depth: Depth,
        window: Window,
        ply: u32,
        path: Path,
        key: u64,
        mut hint: u16,
    ) -> (Score, Option<G::Move>) {
        if let Some(decided) = self.last_plies(pos, depth, window, ply, path, hint) {
            return decided;
        }
        let mut node = Node::new(&self.game, pos, depth, window, ply, path, key);
        if F::ANY && self.moments.asks.looks_back() {
            self.note(&node);
        }
        if F::ANY && node.ply > 0 && self.moments.spoken(depth, moments::APPROACH) {
            hint = self.approach(&mut node, hint);
            if self.stopped {
                return (Score::ZERO, None);
            }
        }
        if F::ANY && node.ply > 0 && self.moments.spoken(node.depth, moments::ENTER) {
            match self.enter(&node) {
                Verdict::Go => {}
                Verdict::Cut(score) => return (score, None),
                Verdict::Shorten(depth) => node.depth = depth,
            }
        }
        if self.varied {
            hint = self.vary(&mut node, hint);
            if self.stopped {
                return (Score::ZERO, None);
            }
        }
        let mut moves = Moves::<G>::new();
        if self.opens(&node, hint, &mut moves) {
            let late = Late { hint, behind: moves.len() };
            return self.search_moves(&node, &mut moves, late, &mut ());
        }
        self.game.moves(node.pos, &mut moves);
        if moves.is_empty() {
            return (self.game.outcome(node.pos, node.ply), None);
        }
        let late = self.late(&node, hint, &mut moves);
        if late == Late::NOTHING {
            self.order(&node, hint, &mut moves);
        }
        if F::ANY
            && node.ply > 0
            && self.moments.spoken(node.depth, moments::BRANCH)
            && let Verdict::Cut(score) = self.branch(&node, &mut moves)
        {
            return (score, None);
        }
        if self.varied
            && let Some((score, mv)) = self.refuted_by_table(&node, &moves)
        {
            return (score, Some(mv));
        }
        self.search_moves(&node, &mut moves, late, &mut ())
    }

    /// Gives the moves their order, and has the table's bucket fetched that the first of them leads to.
    #[inline(always)]
    pub(super) fn order(&mut self, node: &Node<'_, G>, hint: u16, moves: &mut Moves<G>) {
        if hint != 0 && node.depth.0 > self.options.table_min_depth {
            self.foresee(node.pos, self.game.unpack(hint), moves);
        }
        if moves.len() > 1 {
            let side = self.game.side(node.pos);
            let hints = Hints {
                depth: self.sight(node),
                table: (hint != 0).then(|| self.game.unpack(hint)),
                killers: self.memory.killers[node.ply as usize],
                counter: if G::COUNTERS { self.memory.counter(side, node.ply) } else { None },
                history: &self.memory.history[side],
            };
            self.game.order(node.pos, &hints, moves);
        }
    }

    /// The depth of a node, as far as an order of moves may go by it.
    #[inline(always)]
    pub(super) fn sight(&self, node: &Node<'_, G>) -> i32 {
        if self.options.ordering == Ordering::Looking { node.depth.0 } else { 0 }
    }

    /// Searches the moves in turn, the first with the node's window and the others with a null window first. `turns` hears of
    /// each. `late` says which are not in order yet.
    #[inline]
    pub(super) fn search_moves(
        &mut self,
        node: &Node<'_, G>,
        moves: &mut Moves<G>,
        late: Late,
        turns: &mut impl Turns<G::Move>,
    ) -> (Score, Option<G::Move>) {
        let base = self.planned();
        let kept = self.memory.kept.len();
        let searched = self.each_move(node, moves, late, turns, base);
        if G::OPENS {
            self.memory.kept.truncate(kept);
        }
        self.unplan(base, node);
        let Searched { score, best, .. } = searched;
        if F::ANY && self.moments.spoken(node.depth, moments::LEAVE) && !self.stopped && !node.partial {
            self.leave(node, &searched);
        }
        (score, best.map(|(mv, _)| mv))
    }

    /// Whether the moves that stay open are looked for where a plan closes the rest.
    const LOOKS: bool = F::ANY && G::OPENS;

    /// The same but for the end of the node; `base` is the first of its plans.
    #[inline(always)]
    fn each_move(
        &mut self,
        node: &Node<'_, G>,
        moves: &mut Moves<G>,
        late: Late,
        turns: &mut impl Turns<G::Move>,
        base: usize,
    ) -> Searched<G::Move> {
        let Window { mut alpha, beta } = node.window;
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut best_index = 0;
        let mut tried = 0;
        let ahead = node.depth.0 > self.options.table_min_depth;
        let parent = node.parent();
        // Whether the move is in its place already.
        let mut foreseen = false;
        // From where on all are put in their places at once; nowhere once they are. Where a plan closes the rest, only what it leaves open.
        let (mut sort_from, mut closing) = (PICKED, usize::MAX);
        let mut open: Option<Open> = None;
        let kept = (G::OPENS && late != Late::NOTHING).then(|| self.keep(node));
        // The first move that a method is asked about, once they have said.
        let mut asked = if F::ANY && self.moments.spoken(node.depth, moments::SKIP) { 1 } else { usize::MAX };
        let mut planned = false;
        let mut next = 0;
        loop {
            let index = next;
            next += 1;
            if index == late.behind {
                match &kept {
                    Some(kept) => self.rest(node, late.hint, kept, moves),
                    None => self.order(node, late.hint, moves),
                }
                (foreseen, sort_from, open) = (false, sorting(closing), None);
            }
            if index >= moves.len() {
                break;
            }
            let from = index + usize::from(foreseen);
            if index >= sort_from && moves.len() >= from + SORTED {
                if Self::LOOKS && index >= closing {
                    open = self.open(base, node, alpha, moves, from);
                }
                if open.is_none() {
                    sort::<G>(moves, from);
                }
                sort_from = usize::MAX;
            }
            let sorted = sort_from == usize::MAX;
            let mv = if foreseen || sorted { moves[index].mv } else { pick::<G>(moves, index) };
            tried = index + 1;
            foreseen = false;
            if F::ANY && index >= asked {
                if !planned {
                    planned = true;
                    asked = self.plan(node, alpha);
                    if Self::LOOKS {
                        closing = self.closing(base);
                        sort_from = if sorted { sort_from } else { sorting(closing) };
                    }
                }
                if index >= asked
                    && let Some(claim) = self.skip(base, node, alpha, mv, index)
                {
                    best = best.max(claim);
                    if sorted {
                        let calm_count =
                            open.as_ref().filter(|_| Self::LOOKS).map(|open| open.closed(next, moves.len()));
                        let closed = self.close(base, node, alpha, moves, next, calm_count);
                        if closed > 0 {
                            best = best.max(alpha);
                        }
                        next += closed;
                        tried += closed;
                    }
                    continue;
                }
            }
            // Only behind a move that is searched: where one is left out, the next mostly is, and its bucket is fetched for nothing.
            foreseen = ahead && (index > 0 || node.path.kind != Kind::Cut);
            if foreseen {
                self.foresee_next(node.pos, moves, index + 1, sorted);
            }
            turns.observe(mv, index);
            let score = self.turn(node, parent, mv, index, Window { alpha, beta });
            if self.stopped {
                return Searched { score: Score::ZERO, best: None, tried };
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    if Self::LOOKS
                        && let Some(open) = open.take_if(|_| score >= beta || !self.closes(base, alpha))
                    {
                        let from = open.from;
                        open.take_back::<G>(moves);
                        sort::<G>(moves, from);
                    }
                    best_move = Some(mv);
                    best_index = index;
                    if node.path.kind == Kind::Pv {
                        self.pv.set(node.ply, mv);
                    }
                    if score >= beta {
                        self.reward(node.pos, node.depth, node.ply, moves, index);
                        break;
                    }
                }
            }
        }
        Searched { score: best, best: best_move.map(|mv| (mv, best_index)), tried }
    }
}

/// Hears of the moves of a node as their turn comes.
pub(super) trait Turns<M> {
    /// The turn of `mv` has come, the one at `index` in the order.
    fn observe(&mut self, mv: M, index: usize);
}

/// Does nothing with them, which costs nothing.
impl<M> Turns<M> for () {
    #[inline(always)]
    fn observe(&mut self, _: M, _: usize) {}
}

/// Proven scores count plies from the root; the table keeps them from the node.
pub(super) fn to_table<G: Game>(score: Score, ply: u32) -> Score {
    shifted::<G>(score, ply as i32)
}

pub(super) fn from_table<G: Game>(score: Score, ply: u32) -> Score {
    shifted::<G>(score, -(ply as i32))
}

/// A proven score so many plies farther from zero; any other as it is.
fn shifted<G: Game>(score: Score, plies: i32) -> Score {
    if score >= G::DECISIVE {
        Score(score.0 + plies)
    } else if score <= -G::DECISIVE {
        Score(score.0 - plies)
    } else {
        score
    }
}
