//! What a player may ask of a root besides its value, and what is told meanwhile.
//!
//! A [`Scope`] says which moves of the root count, how many of the best have a line of their own, and which values matter;
//! [`News`] tells of lines, and of moves as their turn comes. `root` searches it.
//!
//! A second line is the first of a search that may not play the first line's move, and so on: it is searched like any
//! root, with its own window, to the same depth, right after the line before. Left out: any sorting of the lines
//! afterwards. Without methods they come in order of value; with methods a later line may come out higher.

use super::Iteration;
use crate::game::{Game, Moves};
use crate::score::{Score, Window};
use std::ops::ControlFlow;

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

/// Who is told of the moves of a node as their turn comes.
pub(super) trait Turns<M> {
    /// The turn of `mv` has come, the one at `index` in the order.
    fn observe(&mut self, mv: M, index: usize);
}

/// Nobody, which costs nothing.
impl<M> Turns<M> for () {
    #[inline(always)]
    fn observe(&mut self, _: M, _: usize) {}
}

/// The caller of a search with a scope.
pub(super) struct Announcing<'w, M> {
    depth: i32,
    observe: Observer<'w, M>,
}

impl<'w, M> Announcing<'w, M> {
    pub(super) fn new(depth: i32, observe: Observer<'w, M>) -> Announcing<'w, M> {
        Announcing { depth, observe }
    }
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
