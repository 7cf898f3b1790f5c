//! Who plays: the seam between the referee and a searcher, the searcher of this program, and another program.

use super::referee::Reason;
use super::settings::Limit;
use crate::uci::command::Go;
use crate::uci::time::{Pace, Plan};
use crate::uci::wall;
use secateur_core::prune::Methods;
use secateur_core::search::{Limits, Options};
use secateur_core::{Game, Moves, Score, search};
use secateur_engines::number::Unread;
use secateur_engines::{self as engines, Act, Answer, Ask, Engine, EngineError, EngineScore, Fault, Spec};
use secateur_suites::Error;
use secateur_suites::program::Program;
use secateur_suites::subject::EngineSubject;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What a player is asked.
#[derive(Debug)]
pub(super) struct Turn<'a, G: Game> {
    /// Position in which the game began.
    pub(super) start: &'a G::Position,
    /// Moves played since, passes included.
    pub(super) played: &'a [G::Move],
    /// Position now, with at least one move that is no pass.
    pub(super) position: &'a G::Position,
    /// Keys of the positions before, oldest first.
    pub(super) keys: &'a [u64],
    /// What both players may spend.
    pub(super) limit: Limit,
    /// Time left on the clocks of both sides; only with [`Limit::Clock`].
    pub(super) left: [Duration; 2],
}

/// What a player answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    /// Whether it moves, or what it does instead.
    pub(super) act: Act,
    /// The move as text; the referee reads it by the rules.
    pub(super) text: String,
    /// What the position is worth for the player, if it says so.
    pub(super) value: Option<EngineScore>,
    /// Depth of the last completed iteration, plies.
    pub(super) depth: u32,
    /// Nodes, as the player counts them.
    pub(super) nodes: u64,
    /// Wall time of the whole turn.
    pub(super) wall: Duration,
    /// Why it has neither value, depth nor nodes, where a number that it said cannot be read.
    pub(super) wrong: Option<String>,
}

/// Why a player gave no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lapse {
    /// What it is called in the record; the time, if its answer came too late.
    pub(super) reason: Reason,
    pub(super) detail: String,
}

/// Somebody who plays.
pub(super) trait Player<G: Game> {
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
pub(super) struct Searcher<'p, G: Game> {
    search: search::Searcher<'p, G>,
    stop: Arc<AtomicBool>,
}

impl<'p, G: Game> Searcher<'p, G> {
    /// A player with these methods and host options; `stop` ends its searches early.
    pub(super) fn new(
        game: G,
        methods: &'p Methods,
        options: Options,
        stop: Arc<AtomicBool>,
    ) -> Searcher<'p, G> {
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
        let mv = outcome.choice().ok_or_else(|| crashed("a search without a move"))?;
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
fn value<G: Game>(game: &G, score: Score) -> EngineScore {
    if score.abs() < game.decisive() {
        return EngineScore::Cp(score.0);
    }
    // The best that can be at the root is to win with the first ply.
    let plies = game.attainable(0).beta.0 + 1 - score.0.abs();
    let moves = (plies + 1) / 2;
    EngineScore::Mate(if score.0 < 0 { -moves } else { moves })
}

/// How much longer than its time a program may take before it gets `stop`; it has lost by then.
const GRACE: Duration = Duration::from_secs(1);

/// What it takes to have a program play.
#[derive(Clone, Debug)]
pub(super) struct Seat {
    spec: Spec,
    hash_mib: u32,
    /// What it may take for a search by depth or nodes.
    patience: Duration,
    /// Whether it searches as its own arguments say, whatever the match allows.
    own_limits: bool,
}

impl Seat {
    /// The seat of a program that is started with `spec`, and what it calls itself. The limit that it will be asked is tried first,
    /// so that a match does not begin with a program that ignores it.
    ///
    /// # Errors
    /// A program that does not start, or ignores the limit.
    pub(super) fn tried(
        program: &Program,
        spec: Spec,
        limit: Limit,
        own_limits: bool,
    ) -> Result<(Seat, String), Error> {
        let Program { hash_mib, patience, .. } = *program;
        program.keeps_to_limit(&spec, if own_limits { engines::Go::Own } else { limit.into() })?;
        let engine = EngineSubject::start(&spec, hash_mib, patience, None);
        let engine = engine?;
        let yielded: Vec<String> = engine.yielded().iter().map(ToString::to_string).collect();
        let id = match yielded.as_slice() {
            [] => engine.id().to_owned(),
            all => format!("{} ({})", engine.id(), all.join("; ")),
        };
        Ok((Seat { spec, hash_mib, patience, own_limits }, id))
    }

    /// The seat of the same program that is started with `spec` instead.
    pub(super) fn started_with(&self, spec: Spec) -> Seat {
        Seat { spec: Spec { table_is_asked: self.spec.table_is_asked, ..spec }, ..self.clone() }
    }
}

/// Another program as a player, running or to be started.
///
/// It is the program of a subject file as in any search: with its patience, its manners, and a process for each game where it
/// cannot be told to forget one. One that dies is started again for the next game; if that fails, that game is lost too.
pub(super) struct External<G: Game> {
    game: G,
    seat: Seat,
    engine: Option<Engine>,
    stop: Arc<AtomicBool>,
}

impl<G: Game> External<G> {
    /// A player that is not waited for any longer once `stop` is set.
    pub(super) fn new(game: G, seat: Seat, stop: Arc<AtomicBool>) -> External<G> {
        External { game, seat, engine: None, stop }
    }
}

impl<G: Game> Player<G> for External<G> {
    fn begin(&mut self) -> Result<(), Lapse> {
        let Seat { spec, hash_mib, patience, .. } = &self.seat;
        let start = || EngineSubject::start(spec, *hash_mib, *patience, Some(Arc::clone(&self.stop)));
        self.engine = Some(Engine::renewed(self.engine.take(), start)?);
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_, G>) -> Result<Choice, Lapse> {
        let mut pos = turn.start.clone();
        let mut moves = Vec::with_capacity(turn.played.len());
        for &mv in turn.played {
            moves.push(self.game.format_move(&pos, mv));
            pos = self.game.play(&pos, mv);
        }
        let position = self.game.format(turn.start);
        let (own_limits, patience) = (self.seat.own_limits, self.seat.patience);
        let (go, patience) = match turn.limit {
            _ if own_limits => (engines::Go::Own, patience),
            Limit::Depth(_) | Limit::Nodes(_) => (turn.limit.into(), patience),
            Limit::MoveTime(time) => (turn.limit.into(), time + GRACE),
            Limit::Clock { increment, .. } => {
                let go = engines::Go::Clock { time: turn.left, increment: [increment; 2], moves_to_go: None };
                (go, turn.left[self.game.side(turn.position)] + GRACE)
            }
        };
        let engine = self.engine.as_mut().ok_or_else(|| crashed("not running"))?;
        Ok(choice(engine.choose(&Ask::new(&position, go).after(&moves).untimed(), patience)?))
    }
}

/// A move with what its player thinks of it. A number that cannot be read is no fault by the rules of a game.
fn choice((answer, wrong): (Answer, Option<Unread>)) -> Choice {
    let last = answer.last();
    let value = last.and_then(|info| info.score);
    let depth = last.map_or(0, |info| info.depth);
    let (act, text) = (answer.act, answer.best_move);
    let wrong = wrong.map(|unread| unread.to_string());
    Choice { act, text, value, depth, nodes: answer.nodes, wall: answer.wall, wrong }
}

impl From<EngineError> for Lapse {
    fn from(error: EngineError) -> Lapse {
        let reason = match error.fault {
            Fault::Hung { .. } | Fault::Unready { .. } => Reason::Hang,
            Fault::Claim(_) => Reason::Claim,
            Fault::Late { .. } => Reason::Time,
            Fault::NoMove(_) | Fault::BadMove { .. } => Reason::IllegalMove,
            _ => Reason::Crash,
        };
        Lapse { reason, detail: error.to_string() }
    }
}

fn crashed(detail: &str) -> Lapse {
    Lapse { reason: Reason::Crash, detail: detail.to_owned() }
}
