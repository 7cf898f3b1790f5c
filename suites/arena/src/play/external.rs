//! Another program as a player.
//!
//! It is the program of a subject file as in any search: with its patience, its manners, and a process for each game where it
//! cannot be told to forget one. One that dies is started again for the next game; if that fails, that game is lost too.

use super::limit::Limit;
use super::player::{Choice, Lapse, Player, Turn, Value};
use secateur_core::Game;
use secateur_engines::number::Unread;
use secateur_engines::{Answer, Ask, Engine, EngineError, EngineScore, Go, Spec};
use secateur_suites::Error;
use secateur_suites::program::Program;
use secateur_suites::subject::EngineSubject;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How much longer than its time a program may take before it is told to stop; it has lost by then.
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
        program.keeps_to_limit(&spec, if own_limits { Go::Own } else { limit.into() })?;
        let engine = EngineSubject::start(&spec, hash_mib, patience, None);
        let engine = engine.map_err(|error| Error::Usage(error.to_string()))?;
        let yielded: Vec<String> = engine.yielded().iter().map(ToString::to_string).collect();
        let id = match yielded.as_slice() {
            [] => engine.id().to_owned(),
            all => format!("{} ({})", engine.id(), all.join("; ")),
        };
        Ok((Seat { spec, hash_mib, patience, own_limits }, id))
    }

    /// The seat of the same program that is started with `spec` instead.
    pub(super) fn of(&self, spec: Spec) -> Seat {
        Seat { spec: Spec { table_is_asked: self.spec.table_is_asked, ..spec }, ..self.clone() }
    }
}

/// A program, running or to be started.
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
        let engine = Engine::renewed(self.engine.take(), start);
        self.engine = Some(engine.map_err(|error: EngineError| lapse(&error))?);
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
            _ if own_limits => (Go::Own, patience),
            Limit::Depth(_) | Limit::Nodes(_) => (turn.limit.into(), patience),
            Limit::MoveTime(time) => (turn.limit.into(), time + GRACE),
            Limit::Clock { increment, .. } => {
                let go = Go::Clock { time: turn.left, increment: [increment; 2], moves_to_go: None };
                (go, turn.left[self.game.side(turn.position)] + GRACE)
            }
        };
        let engine = self.engine.as_mut().ok_or_else(|| Lapse::Crash("not running".to_owned()))?;
        let answer = engine.choose(&Ask::new(&position, go).after(&moves).untimed(), patience);
        answer.map(choice).map_err(|error| lapse(&error))
    }
}

/// A move with what its player thinks of it. A number that cannot be read is no fault by the rules of a game.
fn choice((answer, wrong): (Answer, Option<Unread>)) -> Choice {
    let last = answer.last();
    let value = last.and_then(|info| info.score).map(|score| match score {
        EngineScore::Cp(score) => Value::Score(score),
        EngineScore::Mate(moves) => Value::Mate(moves),
    });
    let depth = last.map_or(0, |info| info.depth);
    let (act, text) = (answer.act, answer.best_move);
    let wrong = wrong.map(|unread| unread.to_string());
    Choice { act, text, value, depth, nodes: answer.nodes, wall: answer.wall, wrong }
}

fn lapse(error: &EngineError) -> Lapse {
    let message = error.to_string();
    match error {
        EngineError::Hung { .. } | EngineError::Unready { .. } => Lapse::Hang(message),
        EngineError::Claim { .. } => Lapse::Claim(message),
        EngineError::Late { .. } => Lapse::Late(message),
        EngineError::NoMove { .. } | EngineError::BadMove { .. } => Lapse::Illegal(message),
        _ => Lapse::Crash(message),
    }
}
