//! What the rules of a game decide: positions, moves, and how a game ends.
//!
//! A position knows the rules' state only; the way that led to it (repetition) is kept by the host. Left out: what is good
//! for whom ([`super::Evaluation`]) and how anything is written ([`super::Notation`]).

use crate::score::Score;
use arrayvec::ArrayVec;
use std::fmt::Debug;

/// Room for the moves of any position of any game (the record of shogi is 593, that of chess 218).
pub const MAX_MOVES: usize = 600;

/// A move with its ordering value; the host tries high values first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scored<M> {
    /// The move.
    pub mv: M,
    /// Ordering value, any scale that the game likes. Equal values keep the order of generation.
    pub value: i32,
}

/// The legal moves of one position.
pub type Moves<G> = ArrayVec<Scored<<G as Rules>::Move>, MAX_MOVES>;

/// Room for the outcomes of one throw in any game (two dice, told apart, have 36).
pub const MAX_OUTCOMES: usize = 36;

/// What chance may make of a position ([`Rules::outcomes`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chance<P> {
    /// How often it happens in as many throws as all weights together: at least 1, and all together at most 10,000.
    pub weight: u32,
    /// The position that it leads to, with the same side to move.
    pub pos: P,
}

/// All that chance may make of one position.
pub type Outcomes<G> = ArrayVec<Chance<<G as Rules>::Position>, MAX_OUTCOMES>;

/// How a game that is really played ended by its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Side that won; `None` for a draw.
    pub winner: Option<usize>,
    /// Why, in the words of the record: `checkmate`, `discs`.
    pub why: &'static str,
}

/// The rules of a two-player zero-sum game.
///
/// Scores follow the negamax convention (side to move). `ply` counts moves from the root of the search. What has a body
/// here is right for a game that has no such thing (check, passing, repetition, points) or can do without it.
#[expect(unused_variables, reason = "what has a body here is for games that look at nothing")]
pub trait Rules: Clone + Send + 'static {
    /// A position with whatever its evaluation keeps up to date incrementally. Copied at every move.
    type Position: Clone + Debug + PartialEq + Send + Sync + 'static;
    /// A move; a forced pass is a move.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;

    /// Whether a position reached again on the current line is a draw, so that the host must keep the line.
    const REPETITION: bool = false;

    /// [`Rules::REPETITION`], also of a game whose type is not known ([`super::AnyGame`]).
    fn repeats(&self) -> bool {
        Self::REPETITION
    }

    /// Whether chance has a part in the game (dice), so that the host must look for it ([`Rules::awaits`]).
    const CHANCE: bool = false;

    /// [`Rules::CHANCE`], also of a game whose type is not known.
    fn chances(&self) -> bool {
        Self::CHANCE
    }
    /// Whether chance decides before anybody moves here: the die is still to be thrown. Such a position has no moves, may be a
    /// horizon ([`super::Evaluation::horizon`]), and is not over. Not after a throw: of two dice, an outcome is both.
    fn awaits(&self, pos: &Self::Position) -> bool {
        false
    }
    /// What chance may make of a position that [`Rules::awaits`] it, in a fixed order, appended to the empty `outcomes`. What
    /// plays alike may be one outcome with the weights of all.
    fn outcomes(&self, pos: &Self::Position, outcomes: &mut Outcomes<Self>) {}
    /// The position before the throw that this one is an outcome of, in a game that knows it: for models of what is worth what
    /// before a throw.
    fn unthrown(&self, pos: &Self::Position) -> Option<Self::Position> {
        None
    }

    /// Hash of everything that decides the value of the subtree except the line that led here.
    fn key(&self, pos: &Self::Position) -> u64;
    /// 0 or 1: whose history table and whose turn it is.
    fn side(&self, pos: &Self::Position) -> usize;
    /// Whether the side to move is in check.
    fn in_check(&self, pos: &Self::Position) -> bool {
        false
    }
    /// Upper bound of the moves left to the end of the game, where there is one (Othello: empty squares).
    /// A search at least that deep is exact and must not be pruned.
    fn remaining(&self, pos: &Self::Position) -> Option<i32> {
        None
    }
    /// The position with colours exchanged (chess: and the board flipped): same value, same tree. Itself where nothing of
    /// the kind is known.
    fn mirror(&self, pos: &Self::Position) -> Self::Position {
        pos.clone()
    }

    /// All legal moves in a fixed order with value 0, appended to the empty `moves`. A side that cannot
    /// move but must pass has the pass as its one move. No moves: the game is over.
    fn moves(&self, pos: &Self::Position, moves: &mut Moves<Self>);
    /// Whether a move, of whatever position it may have been, is one of [`Rules::moves`].
    fn is_legal(&self, pos: &Self::Position, mv: Self::Move) -> bool {
        let mut moves = Moves::<Self>::new();
        self.moves(pos, &mut moves);
        moves.iter().any(|scored| scored.mv == mv)
    }
    /// The position after a legal move.
    fn play(&self, pos: &Self::Position, mv: Self::Move) -> Self::Position;
    /// [`Rules::key`] of the position after a legal move, for a game that knows it without the position.
    fn key_after(&self, pos: &Self::Position, mv: Self::Move) -> u64 {
        self.key(&self.play(pos, mv))
    }
    /// Plies that a move takes from the depth: 1, but 0 for a forced pass, which is no choice.
    fn plies(&self, mv: Self::Move) -> i32 {
        1
    }
    /// A move in 16 bits, never 0.
    fn pack(&self, mv: Self::Move) -> u16;
    /// The move of [`Rules::pack`].
    fn unpack(&self, bits: u16) -> Self::Move;
    /// The move if it is the only one and no choice: a forced pass.
    fn forced(&self, pos: &Self::Position) -> Option<Self::Move> {
        let mut moves = Moves::<Self>::new();
        self.moves(pos, &mut moves);
        moves.first().map(|scored| scored.mv).filter(|&mv| self.plies(mv) == 0)
    }
    /// Whether a move gives check; a method that skips moves must spare those.
    fn gives_check(&self, pos: &Self::Position, mv: Self::Move) -> bool {
        false
    }
    /// The position with the other side to move, if that is a position (in chess: not in check).
    fn null(&self, pos: &Self::Position) -> Option<Self::Position> {
        None
    }

    /// Value of a position without legal moves: mated, stalemate, final disc difference. `ply` counts from the root. Where a quick
    /// win is worth more than a slow one, being beaten is worth `ply` more than the least score (chess: `ply - MATE`), at or beyond
    /// [`super::Evaluation::DECISIVE`]: of such values the table keeps the distance from its own node.
    fn outcome(&self, pos: &Self::Position, ply: u32) -> Score;
    /// Whether the rules end the game here although moves exist (fifty moves, material, or a repetition of
    /// one of `keys`, the positions before this one, oldest first).
    fn drawn(&self, pos: &Self::Position, keys: &[u64]) -> bool {
        false
    }
    /// The end of a played game by the rules, if this is it. `seen` counts how often the position has occurred
    /// ([`super::Notation::identity`]), now included: inside a search one repetition is a draw, in a game it takes the
    /// third occurrence.
    fn ending(&self, pos: &Self::Position, seen: usize) -> Option<Ending> {
        let mut moves = Moves::<Self>::new();
        self.moves(pos, &mut moves);
        if moves.is_empty() && !self.awaits(pos) {
            let score = self.outcome(pos, 0).0;
            let winner = match score {
                0 => None,
                _ => Some(if score > 0 { self.side(pos) } else { 1 - self.side(pos) }),
            };
            return Some(Ending { winner, why: "no-moves" });
        }
        if self.drawn(pos, &[]) {
            return Some(Ending { winner: None, why: "drawn" });
        }
        (self.repeats() && seen >= 3).then_some(Ending { winner: None, why: "repetition" })
    }
    /// Points of side 0 and of side 1 in a finished game, where the game counts points.
    fn points(&self, pos: &Self::Position) -> Option<[i32; 2]> {
        None
    }
}
