//! A node as pruning methods see it, and what the way to it says about it: the expected type, and what the way forbids.
//!
//! A result found after a null move or inside a probe may differ from the same position's result elsewhere, so the path is also
//! part of what the transposition table must match ([`Path::context`]).

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
        usize::from(memo(&self.stage, || look::<G>(game, self.pos)))
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

/// The value of a cell, computed when it is first asked for.
#[inline]
pub(crate) fn memo<T: Copy>(cell: &Cell<Option<T>>, compute: impl FnOnce() -> T) -> T {
    cell.get().unwrap_or_else(|| {
        let value = compute();
        cell.set(Some(value));
        value
    })
}

/// Expected node type of the minimal tree (Knuth & Moore 1975; Marsland & Popowich 1985).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// On the principal variation, or searched again as if it were: the window is open. Behind a throw of chance windows
    /// are open elsewhere too.
    Pv,
    /// A child is expected to refute the move that led here.
    Cut,
    /// Every move is expected to fail low.
    All,
}

impl Kind {
    /// Type of a child searched with a null window: types alternate below a null window.
    #[inline]
    pub fn child(self) -> Kind {
        match self {
            Kind::Pv | Kind::All => Kind::Cut,
            Kind::Cut => Kind::All,
        }
    }
}

/// The part of a node's history that pruning rules look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Path {
    /// Expected node type.
    pub kind: Kind,
    /// The last move was a null move: another must not follow.
    pub after_null: bool,
    /// Methods whose probe this node lies in, by the bits that the search gave them ([`crate::prune::Place`]).
    pub inside: u32,
}

impl Path {
    /// The path to the root.
    pub const ROOT: Path = Path { kind: Kind::Pv, after_null: false, inside: 0 };

    /// The path over an ordinary move to a node of type `kind`.
    #[inline]
    pub fn child(self, kind: Kind) -> Path {
        Path { kind, after_null: false, inside: self.inside }
    }

    /// The path over a null move; the null-window search below expects to fail low for the opponent.
    #[inline]
    pub fn null(self) -> Path {
        Path { kind: Kind::All, after_null: true, inside: self.inside }
    }

    /// The same node, or a child, within the probe of the method with this mark.
    #[inline]
    pub fn probe(self, mark: u32, kind: Kind) -> Path {
        Path { kind, after_null: false, inside: self.inside | mark }
    }

    /// Whether this node lies in a probe of the method with this mark.
    #[inline]
    pub fn is_inside(self, mark: u32) -> bool {
        self.inside & mark != 0
    }

    /// What the table must match besides position and depth, but for the marks that a slot has no room for
    /// ([`Path::beyond`]). `sensitive` is whether any active method asks the path at this depth or below; if none does,
    /// all paths give the same result and share entries.
    #[inline]
    pub fn context(self, sensitive: bool) -> u8 {
        if sensitive { (self.inside as u8 & 0x7F) | (u8::from(self.after_null) << 7) } else { 0 }
    }

    /// Marks that a slot of the table has room for.
    pub const SLOT: u32 = 7;

    /// What becomes of a table key below marks that no slot has room for: another key, so that 16 bytes do for any number
    /// of methods. Such nodes share no best move with the same position elsewhere, and no value.
    #[inline]
    pub fn beyond(self, sensitive: bool) -> u64 {
        let marks = u64::from(self.inside >> Path::SLOT);
        if sensitive { marks.wrapping_mul(0x9e37_79b9_7f4a_7c15) } else { 0 }
    }
}
