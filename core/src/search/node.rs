//! A node as pruning methods see it.

use super::path::Path;
use crate::game::Game;
use crate::score::{Depth, Score, Window};
use std::cell::Cell;

/// One interior node: position, depth, window, and what the way here says.
///
/// The host passes plain values through the recursion and builds this only for the methods.
#[derive(Debug)]
pub struct Node<'a, G: Game> {
    /// The position.
    pub pos: &'a G::Position,
    /// Plies to the horizon, at least 1.
    pub depth: Depth,
    /// Plies from the root, at least 1: methods are never asked at the root.
    pub ply: u32,
    /// The window at entry.
    pub window: Window,
    /// Expected type and history.
    pub path: Path,
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// Whether some moves are left out of the search ([`crate::search::Search::probe_without`]).
    pub partial: bool,
    pub(super) key: u64,
    evaluation: Cell<Option<Score>>,
    balance: Cell<Option<Score>>,
    stage: Cell<Option<u8>>,
}

/// What a child needs to know of the node that it belongs to.
#[derive(Debug)]
pub(super) struct Parent<'a, G: Game> {
    pub(super) pos: &'a G::Position,
    pub(super) key: u64,
    pub(super) ply: u32,
}

impl<G: Game> Clone for Parent<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Parent<'_, G> {}

impl<'a, G: Game> Node<'a, G> {
    pub(super) fn new(
        game: &G,
        pos: &'a G::Position,
        depth: Depth,
        window: Window,
        ply: u32,
        path: Path,
        key: u64,
    ) -> Node<'a, G> {
        let in_check = game.in_check(pos);
        let (evaluation, balance) = (Cell::new(None), Cell::new(None));
        Node {
            pos,
            depth,
            ply,
            window,
            path,
            in_check,
            partial: false,
            key,
            evaluation,
            balance,
            stage: Cell::new(None),
        }
    }

    #[inline]
    pub(super) fn parent(&self) -> Parent<'a, G> {
        Parent { pos: self.pos, key: self.key, ply: self.ply }
    }

    /// Static evaluation, computed once a node.
    #[inline]
    pub fn evaluation(&self, game: &G) -> Score {
        memo(&self.evaluation, || game.evaluate(self.pos))
    }

    pub(super) fn set_evaluation(&self, score: Score) {
        self.evaluation.set(Some(score));
    }

    /// What futility margins are measured against, computed once a node.
    #[inline]
    pub fn balance(&self, game: &G) -> Score {
        memo(&self.balance, || game.balance(self.pos))
    }

    /// The position's stage, computed once a node: methods count by it whatever they do.
    #[inline]
    pub fn stage(&self, game: &G) -> usize {
        let stage = self.stage.get().unwrap_or_else(|| {
            let stage = look::<G>(game, self.pos);
            self.stage.set(Some(stage));
            stage
        });
        usize::from(stage)
    }

    /// Whether a bound of the window lies where scores are proven (mates): no estimate reaches there. An open end of a
    /// window is no bound.
    #[inline]
    pub fn is_decisive(&self) -> bool {
        let proven = |bound: Score| bound.abs() >= G::DECISIVE && bound.abs() < Score::INFINITE;
        proven(self.window.alpha) || proven(self.window.beta)
    }

    /// Whether a search of this depth reaches the end of the game on every line and is therefore exact.
    #[inline]
    pub fn is_solved_by_depth(&self, game: &G) -> bool {
        game.remaining(self.pos).is_some_and(|plies| self.depth.0 >= plies)
    }
}

/// Apart, so that what counts is small enough to be compiled where it is asked.
#[inline(never)]
fn look<G: Game>(game: &G, pos: &G::Position) -> u8 {
    game.stage(pos) as u8
}

#[inline]
fn memo(cell: &Cell<Option<Score>>, compute: impl FnOnce() -> Score) -> Score {
    if let Some(score) = cell.get() {
        return score;
    }
    let score = compute();
    cell.set(Some(score));
    score
}
