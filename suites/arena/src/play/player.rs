//! Who plays: the seam between the referee and a searcher, and the searcher of this program.

use super::limit::Limit;
use crate::uci::command::Go;
use crate::uci::time::{Pace, Plan};
use crate::uci::wall;
use secateur_core::prune::Methods;
use secateur_core::search::{self, Limits, Options};
use secateur_core::{Game, Moves, Score};
use secateur_engines::Act;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What a player is asked.
#[derive(Debug)]
pub struct Turn<'a, G: Game> {
    /// Position in which the game began.
    pub start: &'a G::Position,
    /// Moves played since, passes included.
    pub played: &'a [G::Move],
    /// Position now, with at least one move that is no pass.
    pub position: &'a G::Position,
    /// Keys of the positions before, oldest first.
    pub keys: &'a [u64],
    /// What both players may spend.
    pub limit: Limit,
    /// Time left on the clocks of both sides; only with [`Limit::Clock`].
    pub left: [Duration; 2],
}

/// What a player thinks of a position, from its own side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Centipawns, or 1/100 disc.
    Score(i32),
    /// Mate in this many moves; negative when being mated.
    Mate(i32),
}

/// What a player answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Whether it moves, or what it does instead.
    pub act: Act,
    /// The move as text; the referee reads it by the rules.
    pub text: String,
    /// What it is worth, if the player says so.
    pub value: Option<Value>,
    /// Depth of the last completed iteration, plies.
    pub depth: u32,
    /// Nodes, as the player counts them.
    pub nodes: u64,
    /// Wall time of the whole turn.
    pub wall: Duration,
    /// Why it has neither value, depth nor nodes, where a number that it said cannot be read.
    pub wrong: Option<String>,
}

/// Why a player gave no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lapse {
    /// It ended, could not be started or spoke nonsense.
    Crash(String),
    /// It named no move, or something that is none.
    Illegal(String),
    /// It did not answer.
    Hang(String),
    /// It said of its search what cannot be.
    Claim(String),
    /// It answered, but too late by its own clock or the referee's patience.
    Late(String),
}

/// Somebody who plays.
pub trait Player<G: Game> {
    /// Gets ready for a new game; nothing is remembered of the last one.
    ///
    /// # Errors
    /// A player that cannot play.
    fn begin(&mut self) -> Result<(), Lapse>;

    /// Chooses a move.
    ///
    /// # Errors
    /// A player that did not answer.
    fn choose(&mut self, turn: &Turn<'_, G>) -> Result<Choice, Lapse>;
}

/// Left over on a clock for what is not search: taking turns, waking up.
const OVERHEAD: Duration = Duration::from_millis(10);

/// This program as a player: one search, whose memory lives as long as the game.
pub struct Searcher<'p, G: Game> {
    search: search::Searcher<'p, G>,
    stop: Arc<AtomicBool>,
}

impl<'p, G: Game> Searcher<'p, G> {
    /// A player with these methods and host options; `stop` ends its searches early.
    #[must_use]
    pub fn new(game: G, methods: &'p Methods, options: Options, stop: Arc<AtomicBool>) -> Searcher<'p, G> {
        let mut search = game.searcher(methods, options);
        search.count_methods(false);
        Searcher { search, stop }
    }
}

impl<G: Game> Player<G> for Searcher<'_, G> {
    fn begin(&mut self) -> Result<(), Lapse> {
        self.search.forget();
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_, G>) -> Result<Choice, Lapse> {
        let begun = Instant::now();
        let plan = self.plan(turn);
        let mut moves = Moves::<G>::new();
        self.search.game().moves(turn.position, &mut moves);
        let mut pace = Pace::new(plan, moves.len() == 1);
        let limits = self.limits(turn.limit, plan);
        let outcome = self.search.go(turn.position, turn.keys, &limits, &mut |iteration| {
            if pace.onward(begun.elapsed(), iteration.best_move()) {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        let last = outcome.last();
        let mv = outcome.choice().ok_or_else(|| Lapse::Crash("a search without a move".to_owned()))?;
        Ok(Choice {
            act: Act::Moves,
            text: self.search.game().format_move(turn.position, mv),
            value: Some(value(self.search.game(), last.score)),
            depth: last.depth.unsigned_abs(),
            nodes: outcome.tally.nodes,
            wall: begun.elapsed(),
            wrong: None,
        })
    }
}

impl<G: Game> Searcher<'_, G> {
    /// How long the move may take; as long as it likes if the match has no clock.
    fn plan(&self, turn: &Turn<'_, G>) -> Plan {
        let side = self.search.game().side(turn.position);
        match turn.limit {
            Limit::Depth(_) | Limit::Nodes(_) => Plan::default(),
            Limit::MoveTime(time) => {
                Plan::new(&Go { move_time: Some(time), ..Go::default() }, side, Duration::ZERO)
            }
            Limit::Clock { increment, .. } => {
                let (clock, increment) = (turn.left.map(Some), [increment; 2]);
                Plan::new(&Go { clock, increment, ..Go::default() }, side, OVERHEAD)
            }
        }
    }

    fn limits(&self, limit: Limit, plan: Plan) -> Limits {
        let time = plan.hard.map(|hard| (hard, wall as fn() -> Duration));
        let limits = Limits { time, stop: Some(Arc::clone(&self.stop)), ..Limits::default() };
        match limit {
            Limit::Depth(plies) => Limits { depth: i32::try_from(plies).unwrap_or(i32::MAX), ..limits },
            Limit::Nodes(nodes) => Limits { nodes, ..limits },
            Limit::MoveTime(_) | Limit::Clock { .. } => limits,
        }
    }
}

/// A score with its mate distance in moves.
fn value<G: Game>(game: &G, score: Score) -> Value {
    if score.abs() < game.decisive() {
        return Value::Score(score.0);
    }
    // The best that can be at the root is to win with the first ply.
    let plies = game.attainable(0).beta.0 + 1 - score.0.abs();
    let moves = (plies + 1) / 2;
    Value::Mate(if score.0 < 0 { -moves } else { moves })
}
