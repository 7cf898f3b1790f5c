//! What a search knows of a game beyond its rules: values, margins, and which moves are good.
//!
//! Everything here but the exact values may be wrong, and a better guess is a better search; [`Evaluation::evaluation_id`]
//! and [`Evaluation::stage`] say what fits and baselines are made for.
//!
//! A quiescence search is the game's ([`Evaluation::quiesce`]); which of its moves are left out is a matter of the host's
//! options and of pruning methods, which speak through [`Below`]. Left out: nodes in check and standing pat, which stay the
//! game's.

use super::rules::{Moves, Rules, Scored};
use crate::score::{Score, Window};
use crate::search::memo;
use std::cell::Cell;

/// What the host knows about good moves here, for [`Evaluation::order`].
#[derive(Debug)]
pub struct Hints<'a, M> {
    /// Plies to the horizon: ordering may cost more where more is at stake. Always 0 where the host asks for an
    /// ordering without looking ([`crate::search::Ordering::Static`]).
    pub depth: i32,
    /// Best move stored by the transposition table. It may be illegal here (key collision).
    pub table: Option<M>,
    /// Moves that cut at this ply lately, most recent first.
    pub killers: [Option<M>; 2],
    /// The quiet move that last refuted the move made before; only where [`Evaluation::COUNTERS`].
    pub counter: Option<M>,
    /// History counters of the side to move, indexed by [`Evaluation::history_index`]; within ±16,384.
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

/// Counts what happens below the horizon, where the host does not see the nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meter {
    /// Quiescence nodes entered, the horizon node itself included. Zero for a game without quiescence.
    pub qnodes: u64,
    /// Deepest ply reached, counted from the root.
    pub seldepth: u32,
}

/// A node near the horizon, for [`Evaluation::last_plies`]. Its window is a null window.
#[derive(Clone, Copy, Debug)]
pub struct Last<M> {
    /// Plies to the horizon, from 1 to [`Evaluation::LAST_PLIES`].
    pub depth: i32,
    /// Plies from the root.
    pub ply: u32,
    /// The upper bound is one more.
    pub alpha: Score,
    /// Best move stored by the transposition table. It may be illegal here (key collision).
    pub table: Option<M>,
}

/// What a game may be without ([`Evaluation::HAS`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Has {
    /// Nodes in check ([`Rules::in_check`]).
    pub checks: bool,
    /// Moves that win or lose by [`Evaluation::exchange`].
    pub exchanges: bool,
    /// A quiescence search that asks before its moves ([`Evaluation::quiesce`]).
    pub quiescence: bool,
    /// Positions whose errors repeat ([`Evaluation::structure`]).
    pub structure: bool,
}

impl Has {
    /// Everything.
    pub const ALL: Has = Has { checks: true, exchanges: true, quiescence: true, structure: true };
    /// Nothing.
    pub const NOTHING: Has = Has { checks: false, exchanges: false, quiescence: false, structure: false };
}

/// The evaluation of a game, and what orders and prunes its moves.
///
/// What has a body here is right for a game that has no such thing (captures, quiescence, zugzwang, stages) or can do
/// without it.
#[expect(unused_variables, reason = "what has a body here is for games that look at nothing")]
pub trait Evaluation: Rules {
    /// Names of the stages, in the order of a game; [`Evaluation::stage`] indexes them. At most 16.
    const STAGES: &'static [&'static str] = &["game"];
    /// How many of them, the last, come at any time and may come again, as an attack on a king does. The others follow each other.
    const RECURRING: usize = 0;
    /// Evaluations stay strictly within ±this; scores at or beyond it are proven (mate). In Othello, where
    /// an exact result looks like any other score, it is out of reach.
    const DECISIVE: Score = Score(30_000);
    /// Length of a history table for one side.
    const HISTORY: usize = 1 << 12;
    /// Whether [`Evaluation::order`] wants to know the move that refuted the one made before (Uiterwijk 1992).
    const COUNTERS: bool = false;
    /// Whether [`Evaluation::order`] goes by position, depth and table move alone, unless it is not to look (depth 0). The
    /// host may then leave it until the table's move has not cut.
    const STEADY: bool = false;
    /// Whether the host may search the first moves before it has the others generated: worth it where generating and ordering all
    /// costs more than [`Rules::is_legal`], [`Evaluation::opening`] and a copy of one side's history. There it also leaves moves that a
    /// method closes ([`crate::prune::SkipPlan::closes`]) without an order.
    const OPENS: bool = false;
    /// What the game has of that only some methods ask for. All is always right; a method that needs what is not there is not asked.
    const HAS: Has = Has::ALL;
    /// Plies before the horizon that [`Evaluation::last_plies`] searches. What cuts there is not remembered as a killer
    /// or in the history, whoever searches it, so that nothing has to be handed back but a value; but the host has all nodes
    /// to itself, and remembers, where ordering is not to look.
    const LAST_PLIES: i32 = 0;

    /// [`Evaluation::STAGES`], also of a game whose type is not known ([`super::AnyGame`]); so is the next.
    fn stages(&self) -> &'static [&'static str] {
        Self::STAGES
    }
    /// [`Evaluation::RECURRING`].
    fn recurring(&self) -> usize {
        Self::RECURRING
    }
    /// [`Evaluation::DECISIVE`].
    fn decisive(&self) -> Score {
        Self::DECISIVE
    }
    /// Hash of the evaluation's numbers: fitted parameters belong to one evaluation.
    fn evaluation_id(&self) -> u64;

    /// Stage of the game, an index into [`Evaluation::STAGES`]: what fitted parameters are looked up by.
    fn stage(&self, pos: &Self::Position) -> usize {
        0
    }
    /// What records group positions by: the disc count in Othello (`"28"`), the phase in chess.
    fn label(&self, pos: &Self::Position) -> String {
        self.stages()[self.stage(pos)].to_owned()
    }

    /// Static evaluation. Never called by the host on a finished game.
    fn evaluate(&self, pos: &Self::Position) -> Score;
    /// What futility margins are measured against: material balance in chess (Heinz 1998), where a cheap
    /// base is the point; the static evaluation where there is no material.
    fn balance(&self, pos: &Self::Position) -> Score {
        self.evaluate(pos)
    }
    /// Value at the horizon: quiescence, or the static evaluation; exact if the game is over. Fail-soft. Before a throw of chance
    /// ([`Rules::awaits`]) the value of not knowing it.
    fn horizon(&self, pos: &Self::Position, window: Window, ply: u32, meter: &mut Meter) -> Score {
        let mut moves = Moves::<Self>::new();
        self.moves(pos, &mut moves);
        if moves.is_empty() && !self.awaits(pos) { self.outcome(pos, ply) } else { self.evaluate(pos) }
    }
    /// [`Evaluation::horizon`], asking `below` before every move that could be left out; with `()` the same node for node.
    /// A game without quiescence has nothing to ask.
    fn quiesce(
        &self,
        pos: &Self::Position,
        window: Window,
        ply: u32,
        meter: &mut Meter,
        below: &mut impl Below<Self>,
    ) -> Score {
        self.horizon(pos, window, ply, meter)
    }
    /// Searches a node of at most [`Evaluation::LAST_PLIES`] plies as the host would that has no methods and no table below
    /// the node: the same nodes, in the order of [`Evaluation::order`], and so the same value and best move (`None` if
    /// nothing is better than alpha). Nodes below the node are added to `nodes`, and the deepest ply goes to `meter`. For a
    /// game that can do this for less than the host, since most nodes are there. `None` leaves the node to the host.
    fn last_plies(
        &self,
        pos: &Self::Position,
        last: Last<Self::Move>,
        nodes: &mut u64,
        meter: &mut Meter,
    ) -> Option<(Score, Option<Self::Move>)> {
        None
    }
    /// What a node `ply` moves from the root can be worth at all: no worse than being mated there, no better than
    /// mating with the next move. A window outside need not be searched (mate-distance pruning). A game with chance is to say
    /// the least and greatest value of any position: how early a throw is known to miss the window depends on it.
    fn attainable(&self, ply: u32) -> Window {
        Window::FULL
    }
    /// Whether a position is kept from whatever the evaluation learns from. Sets are sampled from those that are; all are in a
    /// game that learns from none.
    fn is_reserved(&self, pos: &Self::Position) -> bool {
        true
    }
    /// Whether a position is so near the end of the game that [`Evaluation::solved`] finds its value.
    fn is_solvable(&self, pos: &Self::Position) -> bool {
        false
    }
    /// The exact value of a position that [`Evaluation::is_solvable`], found in a second at most; `None` of any other.
    fn solved(&self, pos: &Self::Position) -> Option<Score> {
        None
    }

    /// Whether passing could be meant seriously: false where zugzwang is likely (chess: only pawns left).
    fn null_plausible(&self, pos: &Self::Position) -> bool {
        true
    }
    /// Pieces of the mover (`of_mover`) or the opponent that are neither pawns nor the king. [`Force::AMPLE`] in a game without
    /// such a distinction.
    fn force(&self, pos: &Self::Position, of_mover: bool) -> Force {
        Force::AMPLE
    }

    /// Gives every move its ordering value; the host sorts.
    fn order(&self, pos: &Self::Position, hints: &Hints<'_, Self::Move>, moves: &mut Moves<Self>) {
        by_hints(self, pos, hints, moves);
    }
    /// The moves that [`Evaluation::order`] puts first whatever the hints, if there is no table move, with their values, appended to
    /// the empty `moves`; none if that is all the same to the game.
    fn opening(&self, pos: &Self::Position, moves: &mut Moves<Self>) {}
    /// Whether a move changes material or promotes: killers and history are for the others.
    fn tactical(&self, pos: &Self::Position, mv: Self::Move) -> bool {
        false
    }
    /// Whether a move neither is [`Evaluation::tactical`] nor gives check.
    #[inline(always)]
    fn is_calm(&self, pos: &Self::Position, mv: Self::Move) -> bool {
        !self.tactical(pos, mv) && !self.gives_check(pos, mv)
    }
    /// How many moves, from the first on, are calm. A game that can tell from what the moves of a position have in common need not
    /// ask for each.
    fn calm(&self, pos: &Self::Position, moves: &[Scored<Self::Move>]) -> usize {
        moves.iter().position(|scored| !self.is_calm(pos, scored.mv)).unwrap_or(moves.len())
    }
    /// What a move wins at once, in the scale of [`Evaluation::balance`] (captured and promoted material).
    fn gain(&self, pos: &Self::Position, mv: Self::Move) -> Score {
        Score::ZERO
    }
    /// What any move wins once both sides have taken on its square as long as it pays, in the scale of
    /// [`Evaluation::balance`]; negative if it loses.
    fn exchange(&self, pos: &Self::Position, mv: Self::Move) -> Score {
        Score::ZERO
    }
    /// Whether [`Evaluation::exchange`] is at least `least`: often plain before it is worked out.
    #[inline]
    fn exchange_reaches(&self, pos: &Self::Position, mv: Self::Move, least: Score) -> bool {
        self.exchange(pos, mv) >= least
    }
    /// Hash of the part of a position by which errors of the evaluation repeat, the pawns in chess; `None` where nothing
    /// of the kind is known.
    fn structure(&self, pos: &Self::Position) -> Option<u64> {
        None
    }
    /// Index of a move in its side's history table, below [`Evaluation::HISTORY`].
    fn history_index(&self, pos: &Self::Position, mv: Self::Move) -> usize {
        usize::from(self.pack(mv)) % Self::HISTORY
    }
}

/// A node of a quiescence search whose side to move is not in check and did not reach beta by standing pat.
#[derive(Debug)]
pub struct QuietNode<'a, G: Rules> {
    /// The position.
    pub pos: &'a G::Position,
    /// Plies from the root.
    pub ply: u32,
    /// Plies beyond the horizon, from 0.
    pub beyond: u32,
    /// The static evaluation: what not moving is worth.
    pub stand: Score,
    /// Moves of this node that were searched so far.
    pub tried: usize,
    stage: Cell<Option<u8>>,
}

impl<'a, G: Rules> QuietNode<'a, G> {
    /// A node of which no move was searched yet.
    #[inline]
    pub fn new(pos: &'a G::Position, ply: u32, beyond: u32, stand: Score) -> QuietNode<'a, G> {
        QuietNode { pos, ply, beyond, stand, tried: 0, stage: Cell::new(None) }
    }

    /// The position's stage, computed once a node: methods count each move by it.
    #[inline]
    pub fn stage(&self, game: &G) -> usize
    where
        G: Evaluation,
    {
        usize::from(memo(&self.stage, || game.stage(self.pos) as u8))
    }
}

/// Who is asked before each capture or promotion of a quiescence search.
pub trait Below<G: Rules> {
    /// Whether captures that lose by exchange are tried at all ([`crate::search::Options::losing_captures`]).
    fn losing(&self) -> bool;

    /// An upper bound (<= `alpha`, the best value so far) that is claimed for the move, which is then not searched.
    fn skip(&mut self, game: &G, node: &QuietNode<'_, G>, alpha: Score, mv: G::Move) -> Option<Score>;
}

/// No method is asked: the game's usual quiescence search.
impl<G: Rules> Below<G> for () {
    #[inline(always)]
    fn losing(&self) -> bool {
        false
    }

    #[inline(always)]
    fn skip(&mut self, _: &G, _: &QuietNode<'_, G>, _: Score, _: G::Move) -> Option<Score> {
        None
    }
}

/// The move of the transposition table: the highest of the ordering values, which are so far apart that history never mixes them.
const TABLE: i32 = 1 << 28;
/// A move that wins something at once ([`Evaluation::gain`] is added).
const GAIN: i32 = 1 << 26;
/// A killer; the older one a step below.
const KILLER: i32 = 1 << 25;
/// The counter-move.
const COUNTER: i32 = 1 << 24;

/// Table move, winning moves by gain, killers, counter-move, history: what [`Evaluation::order`] does unless the game knows
/// better.
pub(super) fn by_hints<G: Evaluation>(
    game: &G,
    pos: &G::Position,
    hints: &Hints<'_, G::Move>,
    moves: &mut Moves<G>,
) {
    for scored in moves {
        let mv = scored.mv;
        let gain = game.gain(pos, mv).0;
        scored.value = if hints.table == Some(mv) {
            TABLE
        } else if gain > 0 {
            GAIN + gain
        } else if hints.killers[0] == Some(mv) {
            KILLER
        } else if hints.killers[1] == Some(mv) {
            KILLER - 1
        } else if hints.counter == Some(mv) {
            COUNTER
        } else {
            hints.history.get(game.history_index(pos, mv)).copied().map_or(0, i32::from)
        };
    }
}
