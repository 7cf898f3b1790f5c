//! What a pruning method may ask of the search that asks it: searches of its own, which are counted as its own, also of a node
//! without one of its moves; its counters, the history of a move, what the table says; and numbers that it learns
//! ([`crate::prune::Prune::leave`]), in cells of its own.
//!
//! Cells belong to the searcher and are forgotten with its table ([`Search::forget`]), so that what a search finds depends
//! neither on threads nor on the clock nor on what was searched before.
//!
//! Below the horizon, where the search is the game's own ([`crate::game::Below`]), there is no depth, no path and no table, so
//! there is little: the game, and counters, which stand at depth 0. Claims are counted as anywhere else; the audit leaves them
//! out, since nothing deeper stands behind the horizon to judge them by.

use super::ahead::Late;
use super::moments::{QUIET, Speaker};
use super::table::Bound;
use super::{Counter, Form, Kind, Node, Path, Search, Tally};
use crate::game::{Below, Game, Moves, QuietNode};
use crate::prune::Place;
use crate::score::{Depth, Score, Window};

impl<G: Game> Search<'_, G> {
    /// A method's search of a position one ply below `node`: value for the node's side of reaching `child` by `mv`
    /// (`None`: by a null move). `window` is the child's. Its nodes are counted as the method's.
    #[expect(clippy::too_many_arguments, reason = "a place, and what a search of that kind takes")]
    pub fn probe_child(
        &mut self,
        place: Place,
        node: &Node<'_, G>,
        mv: Option<G::Move>,
        child: &G::Position,
        depth: Depth,
        window: Window,
        path: Path,
    ) -> Score {
        if self.moments.asks.looks_back() {
            self.line.reduce(node.ply, node.depth.0 - 1 - depth.0);
        }
        let score =
            self.metered(place, node, |search| search.below(node.parent(), mv, child, depth, window, path));
        self.line.reduce(node.ply, 0);
        score
    }

    /// A method's shallower search of the node's own position. Its nodes are counted as the method's.
    pub fn probe_here(
        &mut self,
        place: Place,
        node: &Node<'_, G>,
        depth: Depth,
        window: Window,
        path: Path,
    ) -> Score {
        self.metered(place, node, |search| search.value(node.pos, depth, window, node.ply, path))
    }

    pub(super) fn metered<T>(
        &mut self,
        place: Place,
        node: &Node<'_, G>,
        probe: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let before = self.tally.nodes;
        self.probing += 1;
        let result = probe(self);
        self.probing -= 1;
        let spent = self.tally.nodes - before;
        if self.probing == 0 {
            self.tally.probe_nodes += spent;
        }
        self.count(place, node).probe_nodes += spent;
        result
    }

    /// The counter of the method at `place` for a node's depth and stage.
    #[inline]
    pub fn count(&mut self, place: Place, node: &Node<'_, G>) -> &mut Counter {
        self.tally.counter(place.index as usize, || node.stage(&self.game), node.depth.0)
    }

    /// Whether the table is to have the cut that ends the current node.
    #[inline]
    pub fn store_cut(&mut self, stored: bool) {
        self.unstored = !stored;
    }

    /// Whether the table holds a search of the node, of whatever depth, that says: at least `bound`.
    pub fn foretells(&self, node: &Node<'_, G>, bound: Score) -> bool {
        self.options.table_values && self.table.foretells(self.slot(node.key, node.path, node.depth), bound)
    }

    /// History value of a move at a node, within ±16,384: how often moves of its kind refuted, less how often they
    /// failed to.
    #[inline]
    pub fn merit(&self, node: &Node<'_, G>, mv: G::Move) -> i32 {
        let side = self.game.side(node.pos);
        i32::from(self.memory.history[side][self.game.history_index(node.pos, mv)])
    }

    /// The same of the pairs of a move and those up to `plies` before it, 0 to 2, within ±16,384 each; 0 unless a method
    /// asks for them ([`crate::prune::Asks::pairs`]), and in games that keep no moves of the line
    /// ([`crate::Evaluation::COUNTERS`]).
    #[inline]
    pub fn merit_of_pairs(&self, node: &Node<'_, G>, mv: G::Move, plies: u32) -> i32 {
        if plies == 0 {
            return 0;
        }
        let side = self.game.side(node.pos);
        self.memory.paired(side, node.ply, self.game.history_index(node.pos, mv), plies)
    }

    /// Whether the budget ran out: what a probe returned then means nothing.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }
}

impl<G: Game> Search<'_, G> {
    /// The cells of the method at `place`, as many as [`crate::prune::Method::CELLS`], 0 at first.
    #[inline]
    pub fn learnt(&mut self, place: Place) -> &mut [i32] {
        &mut self.learnt[place.index as usize]
    }
}

/// What the table knows of a node, at whatever depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<M> {
    /// The value, as seen from the node's ply.
    pub score: Score,
    /// What the value is.
    pub bound: Bound,
    /// Depth that it was searched to, plies.
    pub draft: Depth,
    /// The best move then.
    pub mv: Option<M>,
}

impl<G: Game> Search<'_, G> {
    /// The deepest entry of the table on the node's position that was found in the same way as the node would be (after
    /// a null move or not, inside a probe or not).
    pub fn entry(&self, node: &Node<'_, G>) -> Option<Entry<G::Move>> {
        if !self.options.table_values {
            return None;
        }
        let slot = self.slot(node.key, node.path, node.depth);
        let (score, bound, draft, mv) = self.table.deepest(slot, self.context(node.path, node.depth))?;
        let score = super::host::from_table::<G>(score, node.ply);
        let mv = (mv != 0).then(|| self.game.unpack(mv));
        Some(Entry { score, bound, draft: Depth(draft), mv })
    }

    /// A method's search of the node's own position without the move `mv`: the value of the best of the others, `None` if
    /// there is no other. The table is neither asked about the node nor told. Its nodes are counted as the method's.
    /// `window` is to be a null window.
    pub fn probe_without(
        &mut self,
        place: Place,
        node: &Node<'_, G>,
        mv: G::Move,
        depth: Depth,
        window: Window,
    ) -> Option<Score> {
        self.metered(place, node, |search| search.without(node, mv, depth, window, place.mark))
    }

    fn without(
        &mut self,
        node: &Node<'_, G>,
        mv: G::Move,
        depth: Depth,
        window: Window,
        mark: u32,
    ) -> Option<Score> {
        self.tally.nodes += 1;
        if self.limit.reached(self.tally.nodes) {
            self.stopped = true;
            return Some(Score::ZERO);
        }
        let mut moves = Moves::<G>::new();
        self.game.moves(node.pos, &mut moves);
        moves.retain(|scored| scored.mv != mv);
        if moves.is_empty() {
            return None;
        }
        let path = Path { kind: Kind::Cut, after_null: false, inside: node.path.inside | mark };
        let mut inner = Node::new(&self.game, node.pos, depth, window, node.ply, path, node.key);
        inner.partial = true;
        self.order(&inner, 0, &mut moves);
        let (score, _) = self.search_moves(&inner, &mut moves, Late::NOTHING, &mut ());
        self.is_unstored(path, score, window);
        Some(score)
    }
}

/// A quiescence search as its methods see it.
pub struct Quiet<'a, 'p, G: Game> {
    game: &'a G,
    speakers: &'a [Speaker<'p, G>],
    tally: &'a mut Tally,
    losing: bool,
}

impl<G: Game> Quiet<'_, '_, G> {
    /// The game with its evaluation.
    #[inline]
    pub fn game(&self) -> &G {
        self.game
    }

    /// The counter of the method at `place`.
    #[inline]
    pub fn count(&mut self, place: Place, node: &QuietNode<'_, G>) -> &mut Counter {
        self.tally.counter(place.index as usize, || node.stage(self.game), 0)
    }

    /// Counts that the method at `place` leaves a move out; what it claims.
    #[inline]
    pub fn claim(&mut self, place: Place, node: &QuietNode<'_, G>, claim: Score) -> Option<Score> {
        self.count(place, node).cuts_low += 1;
        Some(claim)
    }
}

impl<G: Game> Below<G> for Quiet<'_, '_, G> {
    #[inline(always)]
    fn losing(&self) -> bool {
        self.losing
    }

    #[inline(always)]
    fn skip(&mut self, _: &G, node: &QuietNode<'_, G>, alpha: Score, mv: G::Move) -> Option<Score> {
        let speakers = self.speakers;
        speakers.iter().find_map(|speaker| speaker.method.quiet(self, speaker.place, node, alpha, mv))
    }
}

impl<G: Game, F: Form<G>> Search<'_, G, F> {
    /// The value at the horizon where a method or an option has a say.
    #[inline(never)]
    pub(super) fn quiesce(&mut self, pos: &G::Position, window: Window, ply: u32) -> Score {
        let losing = self.options.losing_captures;
        let mut quiet =
            Quiet { game: &self.game, speakers: &self.moments.lists[QUIET], tally: &mut self.tally, losing };
        self.game.quiesce(pos, window, ply, &mut self.meter, &mut quiet)
    }
}
