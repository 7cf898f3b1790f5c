//! What a game must tell the search host, and nothing more.
//!
//! A [`Game`] is a value, not a namespace: it owns its evaluation (weights, tables, caches), so that two
//! evaluations of one game can be searched side by side. It is cloned for every searching thread. A
//! position knows the rules' state only; the way that led to it (repetition) is kept by the host.

mod any;
mod order;

pub use any::{AnyGame, AnyMove, AnyPosition};
pub use order::Order;

use crate::score::{Score, Window};
use crate::search::{self, Methods, Options, Searcher};
use arrayvec::ArrayVec;
use std::fmt::Debug;

macro_rules! games {
    ($($module:ident: $game:ident),+ $(,)?) => {
        $(pub mod $module;)+

        /// The games that come with this crate, each with the evaluation that is compiled in.
        #[must_use]
        pub fn all() -> Vec<AnyGame> {
            vec![$(AnyGame::of($module::$game::default())),+]
        }
    };
}

// The folder and the type of each. What else there is to say of a game is data: its parameters, its positions.
games!(othello: Othello, chess: Chess);

/// Room for the moves of any position of any game (the chess record is 218).
pub const MAX_MOVES: usize = 224;

/// A move with its ordering value; the host tries high values first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scored<M> {
    /// The move.
    pub mv: M,
    /// Ordering value, any scale that the game likes. Equal values keep the order of generation.
    pub value: i32,
}

/// The legal moves of one position.
pub type Moves<G> = ArrayVec<Scored<<G as Game>::Move>, MAX_MOVES>;

/// What the host knows about good moves here, for [`Game::order`].
#[derive(Debug)]
pub struct Hints<'a, M> {
    /// Plies to the horizon: ordering may cost more where more is at stake. Always 1 where the host asks for an
    /// ordering without looking ([`crate::search::Ordering::Static`]).
    pub depth: i32,
    /// Best move stored by the transposition table. It may be illegal here (key collision).
    pub table: Option<M>,
    /// Moves that cut at this ply lately, most recent first.
    pub killers: [Option<M>; 2],
    /// The quiet move that last refuted the move made before; only where [`Game::COUNTERS`].
    pub counter: Option<M>,
    /// History counters of the side to move, indexed by [`Game::history_index`]; within ±16,384.
    pub history: &'a [i16],
}

/// Pieces of one side besides pawns and king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Force {
    /// How many.
    pub count: u32,
    /// Their worth, minor pieces counted 3, rooks 5, queens 9 (Crafty).
    pub worth: u32,
}

impl Force {
    /// More than any rule asks for.
    pub const AMPLE: Force = Force { count: u32::MAX, worth: u32::MAX };
}

/// How a game that is really played ended by its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Side that won; `None` for a draw.
    pub winner: Option<usize>,
    /// Why, in the words of the record: `checkmate`, `discs`.
    pub why: &'static str,
}

/// What the numbers of scores mean to people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// What people read values in: `disc`, `pawn`.
    pub name: &'static str,
    /// Score of one.
    pub scale: i32,
    /// What a score of 1 is called: `1/100 disc`, `centipawns`.
    pub score: &'static str,
}

/// Counts what happens below the horizon, where the host does not see the nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meter {
    /// Quiescence nodes entered, the horizon node itself included. Zero for a game without quiescence.
    pub qnodes: u64,
    /// Deepest ply reached, counted from the root.
    pub seldepth: u32,
}

/// Why a text is not a position or a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ParseError {
    /// Byte offset of the offending text in the input.
    pub offset: usize,
    /// What was found and what was expected.
    pub message: String,
}

/// A two-player zero-sum game with an evaluation, as the host and the pruning methods see it.
///
/// Scores follow the negamax convention (side to move). `ply` counts moves from the root of the search. What has a body
/// here is right for a game that has no such thing (check, captures, repetition, stages) or can do without it.
pub trait Game: Clone + Send + 'static {
    /// A position with whatever its evaluation keeps up to date incrementally. Copied at every move.
    type Position: Clone + Debug + PartialEq + Send + Sync + 'static;
    /// A move; a forced pass is a move.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;

    /// Name on the command line and in records.
    const NAME: &'static str;
    /// Names of the stages, in the order of a game; [`Game::stage`] indexes them. At most 16.
    const STAGES: &'static [&'static str] = &["game"];
    /// Evaluations stay strictly within ±this; scores at or beyond it are proven (mate). In Othello, where
    /// an exact result looks like any other score, it is out of reach.
    const DECISIVE: Score = Score(30_000);
    /// Whether a position reached again on the current line is a draw, so that the host must keep the line.
    const REPETITION: bool = false;
    /// Length of a history table for one side.
    const HISTORY: usize = 1 << 12;
    /// Whether [`Game::order`] wants to know the move that refuted the one made before (Uiterwijk 1992).
    const COUNTERS: bool = false;
    /// What scores mean to people.
    const UNIT: Unit = Unit { name: "point", scale: 1, score: "points" };

    /// [`Game::NAME`], also of a game whose type is not known ([`AnyGame`]); so are the four that follow.
    fn name(&self) -> &'static str {
        Self::NAME
    }
    /// [`Game::STAGES`].
    fn stages(&self) -> &'static [&'static str] {
        Self::STAGES
    }
    /// [`Game::DECISIVE`].
    fn decisive(&self) -> Score {
        Self::DECISIVE
    }
    /// [`Game::REPETITION`].
    fn repeats(&self) -> bool {
        Self::REPETITION
    }
    /// [`Game::UNIT`].
    fn unit(&self) -> Unit {
        Self::UNIT
    }

    /// Hash of everything that decides the value of the subtree except the line that led here.
    fn key(&self, pos: &Self::Position) -> u64;
    /// Stage of the game, an index into [`Game::STAGES`]: what fitted parameters are looked up by.
    fn stage(&self, pos: &Self::Position) -> usize {
        let _ = pos;
        0
    }
    /// What records group positions by: the disc count in Othello (`"28"`), the phase in chess.
    fn label(&self, pos: &Self::Position) -> String {
        self.stages()[self.stage(pos)].to_owned()
    }
    /// 0 or 1: whose history table and whose turn it is.
    fn side(&self, pos: &Self::Position) -> usize;
    /// Whether the side to move is in check.
    fn in_check(&self, pos: &Self::Position) -> bool {
        let _ = pos;
        false
    }
    /// Upper bound of the moves left to the end of the game, where there is one (Othello: empty squares).
    /// A search at least that deep is exact and must not be pruned.
    fn remaining(&self, pos: &Self::Position) -> Option<i32> {
        let _ = pos;
        None
    }
    /// Whether passing could be meant seriously: false where zugzwang is likely (chess: only pawns left).
    fn null_plausible(&self, pos: &Self::Position) -> bool {
        let _ = pos;
        true
    }

    /// All legal moves in a fixed order with value 0, appended to the empty `moves`. A side that cannot
    /// move but must pass has the pass as its one move. No moves: the game is over.
    fn moves(&self, pos: &Self::Position, moves: &mut Moves<Self>);
    /// Gives every move its ordering value; the host sorts.
    fn order(&self, pos: &Self::Position, hints: &Hints<'_, Self::Move>, moves: &mut Moves<Self>) {
        order::by_hints(self, pos, hints, moves);
    }
    /// The position after a legal move.
    fn play(&self, pos: &Self::Position, mv: Self::Move) -> Self::Position;
    /// Plies that a move takes from the depth: 1, but 0 for a forced pass, which is no choice.
    fn plies(&self, mv: Self::Move) -> i32 {
        let _ = mv;
        1
    }
    /// The position with the other side to move, if that is a position (in chess: not in check).
    fn null(&self, pos: &Self::Position) -> Option<Self::Position> {
        let _ = pos;
        None
    }

    /// What a node `ply` moves from the root can be worth at all: no worse than being mated there, no better than
    /// mating with the next move. A window outside need not be searched (mate-distance pruning).
    fn attainable(&self, ply: u32) -> Window {
        let _ = ply;
        Window::FULL
    }
    /// Value of a position without legal moves: mated, stalemate, final disc difference.
    fn outcome(&self, pos: &Self::Position, ply: u32) -> Score;
    /// Whether the rules end the game here although moves exist (fifty moves, material, or a repetition of
    /// one of `keys`, the positions before this one, oldest first).
    fn drawn(&self, pos: &Self::Position, keys: &[u64]) -> bool {
        let _ = (pos, keys);
        false
    }
    /// Static evaluation. Never called by the host on a finished game.
    fn evaluate(&self, pos: &Self::Position) -> Score;
    /// What futility margins are measured against: material balance in chess (Heinz 1998), where a cheap
    /// base is the point; the static evaluation where there is no material.
    fn balance(&self, pos: &Self::Position) -> Score {
        self.evaluate(pos)
    }
    /// Value at the horizon: quiescence, or the static evaluation; exact if the game is over. Fail-soft.
    fn horizon(&self, pos: &Self::Position, window: Window, ply: u32, meter: &mut Meter) -> Score {
        let _ = (window, meter);
        let mut moves = Moves::<Self>::new();
        self.moves(pos, &mut moves);
        if moves.is_empty() { self.outcome(pos, ply) } else { self.evaluate(pos) }
    }

    /// Whether a position is so near the end of the game that [`Game::solved`] finds its value.
    fn is_solvable(&self, pos: &Self::Position) -> bool {
        let _ = pos;
        false
    }

    /// The exact value of a position that [`Game::is_solvable`], found in a second at most; `None` of any other.
    fn solved(&self, pos: &Self::Position) -> Option<Score> {
        let _ = pos;
        None
    }

    /// Whether a move changes material or promotes: killers and history are for the others.
    fn tactical(&self, pos: &Self::Position, mv: Self::Move) -> bool {
        let _ = (pos, mv);
        false
    }
    /// What a move wins at once, in the scale of [`Game::balance`] (captured and promoted material).
    fn gain(&self, pos: &Self::Position, mv: Self::Move) -> Score {
        let _ = (pos, mv);
        Score::ZERO
    }
    /// Pieces of the mover (`own`) or the opponent that are neither pawns nor the king. [`Force::AMPLE`] in a game without
    /// such a distinction.
    fn force(&self, pos: &Self::Position, own: bool) -> Force {
        let _ = (pos, own);
        Force::AMPLE
    }
    /// What a capture or promotion wins once both sides have retaken on its square, in the scale of [`Game::balance`].
    fn exchange(&self, pos: &Self::Position, mv: Self::Move) -> Score {
        let _ = (pos, mv);
        Score::ZERO
    }
    /// Whether a move gives check; a method that skips moves must spare those.
    fn gives_check(&self, pos: &Self::Position, mv: Self::Move) -> bool {
        let _ = (pos, mv);
        false
    }
    /// Index of a move in its side's history table, below [`Game::HISTORY`].
    fn history_index(&self, pos: &Self::Position, mv: Self::Move) -> usize {
        let _ = pos;
        usize::from(self.pack(mv)) % Self::HISTORY
    }

    /// A move in 16 bits, never 0.
    fn pack(&self, mv: Self::Move) -> u16;
    /// The move of [`Game::pack`].
    fn unpack(&self, bits: u16) -> Self::Move;

    /// Reads a position (FEN; 64 squares and a side), refusing illegal ones.
    fn parse(&self, text: &str) -> Result<Self::Position, ParseError>;
    /// Writes a position so that [`Game::parse`] reads it back.
    fn format(&self, pos: &Self::Position) -> String;
    /// Reads a legal move in the game's usual notation (UCI or SAN; `d3`, `pass`).
    fn parse_move(&self, pos: &Self::Position, text: &str) -> Result<Self::Move, ParseError>;
    /// Writes a move (UCI; `d3`, `pass`).
    fn format_move(&self, pos: &Self::Position, mv: Self::Move) -> String;
    /// The position with colours exchanged (chess: and the board flipped): same value, same tree. Itself where nothing of
    /// the kind is known.
    fn mirror(&self, pos: &Self::Position) -> Self::Position {
        pos.clone()
    }
    /// The same text for all positions that symmetry makes equal (Othello: 8 symmetries; chess: colour
    /// mirror, counters left out): what deduplication compares.
    fn canonical(&self, pos: &Self::Position) -> String {
        self.format(pos)
    }
    /// Hash of the evaluation's numbers: fitted parameters belong to one evaluation.
    fn evaluation_id(&self) -> u64;

    /// The position that games begin from, as [`Game::parse`] reads it; `None` where nobody says so, and then positions
    /// cannot be sampled.
    fn start(&self) -> Option<String> {
        None
    }

    /// Names of side 0 and side 1.
    fn sides(&self) -> [&'static str; 2] {
        ["first", "second"]
    }
    /// Text by which the rules of a played game call two positions the same.
    fn identity(&self, pos: &Self::Position) -> String {
        self.format(pos)
    }
    /// The end of a played game by the rules, if this is it. `seen` counts how often the position has occurred
    /// ([`Game::identity`]), now included: inside a search one repetition is a draw, in a game it takes the third occurrence.
    fn ending(&self, pos: &Self::Position, seen: usize) -> Option<Ending> {
        let mut moves = Moves::<Self>::new();
        self.moves(pos, &mut moves);
        if moves.is_empty() {
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
        let _ = pos;
        None
    }
    /// A move as people write it (SAN); as records do, unless there is another way.
    fn shown(&self, pos: &Self::Position, mv: Self::Move) -> String {
        self.format_move(pos, mv)
    }
    /// The move if it is the only one and no choice: a forced pass.
    fn forced(&self, pos: &Self::Position) -> Option<Self::Move> {
        let mut moves = Moves::<Self>::new();
        self.moves(pos, &mut moves);
        moves.first().map(|scored| scored.mv).filter(|&mv| self.plies(mv) == 0)
    }

    /// A searcher of this game. A game that is compiled with [`search::searcher`] in a function of its own, as those here
    /// are, spares everybody else compiling its searches again.
    #[must_use]
    fn searcher<'p>(self, methods: Methods<'p>, options: Options) -> Searcher<'p, Self> {
        search::searcher(self, methods, options)
    }
}
