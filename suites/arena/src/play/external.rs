//! An installed UCI engine as a player.
//!
//! An engine that dies is started again for the next game; if that fails, that game is lost too.

use super::limit::Limit;
use super::player::{Choice, Lapse, Player, Turn, Value};
use secateur_core::Game;
use secateur_engines::{Answer, Ask, Engine, EngineError, EngineScore, Go, Spec, manners};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How long an engine may take to get ready, and to answer a search by depth or nodes.
const PATIENCE: Duration = Duration::from_secs(60);
/// How much longer than its time it may take before it is told to stop; it has lost by then.
const GRACE: Duration = Duration::from_secs(1);

/// An engine, running or to be started.
pub(super) struct External<G: Game> {
    game: G,
    spec: Spec,
    defaults: Vec<(String, String)>,
    /// Whether it searches as its own arguments say.
    own: bool,
    engine: Option<Engine>,
    stop: Arc<AtomicBool>,
}

impl<G: Game> External<G> {
    /// A player that is not waited for any longer once `stop` is set. With `own` it searches as its arguments say, whatever the
    /// match allows.
    pub(super) fn new(
        game: G,
        (spec, own): (Spec, bool),
        hash_mib: usize,
        stop: Arc<AtomicBool>,
    ) -> External<G> {
        External { game, spec, defaults: manners(hash_mib), own, engine: None, stop }
    }

    /// The running engine, started if need be.
    fn running(&mut self) -> Result<&mut Engine, Lapse> {
        if self.engine.as_ref().is_none_or(|engine| !engine.is_alive()) {
            let started =
                Engine::start_until(&self.spec, &self.defaults, PATIENCE, Some(Arc::clone(&self.stop)));
            self.engine = Some(started.map_err(|error| lapse(&error))?);
        }
        self.engine.as_mut().ok_or_else(|| Lapse::Crash("not running".to_owned()))
    }
}

/// Starts the engine once and gives what it calls itself, so that a match does not begin with a wrong name, or with one that
/// cannot search as its own arguments say where it is to, or takes more time for a move than it is allowed.
///
/// # Errors
/// What keeps it from starting, or from that.
pub(super) fn introduce<G: Game>(
    game: &G,
    spec: &Spec,
    hash_mib: usize,
    (limit, own): (Limit, bool),
) -> Result<String, EngineError> {
    let mut engine = Engine::start(spec, &manners(hash_mib), PATIENCE)?;
    if own {
        engine.can(&Ask::new("", Go::Own))?;
    } else if let (Limit::MoveTime(time), Some(start)) = (limit, game.start()) {
        engine.prepare(&Ask::new(&start, Go::MoveTime(time)))?;
    }
    Ok(engine.id().to_owned())
}

impl<G: Game> Player<G> for External<G> {
    fn begin(&mut self) -> Result<(), Lapse> {
        self.running()?.new_game().map_err(|error| lapse(&error))
    }

    fn choose(&mut self, turn: &Turn<'_, G>) -> Result<Choice, Lapse> {
        let mut pos = turn.start.clone();
        let mut moves = Vec::with_capacity(turn.played.len());
        for &mv in turn.played {
            moves.push(self.game.format_move(&pos, mv));
            pos = self.game.play(&pos, mv);
        }
        let position = self.game.format(turn.start);
        let (go, patience) = match self.own {
            true => (Go::Own, PATIENCE),
            false => asked(turn, self.game.side(turn.position)),
        };
        let engine = self.running()?;
        let answer = engine.search(&Ask::new(&position, go).after(&moves), patience);
        answer.map(choice).map_err(|error| lapse(&error))
    }
}

/// What to ask, and how long to wait.
fn asked<G: Game>(turn: &Turn<'_, G>, side: usize) -> (Go, Duration) {
    match turn.limit {
        Limit::Depth(plies) => (Go::Depth(plies), PATIENCE),
        Limit::Nodes(nodes) => (Go::Nodes(nodes), PATIENCE),
        Limit::MoveTime(time) => (Go::MoveTime(time), time + GRACE),
        Limit::Clock { increment, .. } => {
            let go = Go::Clock { time: turn.left, increment: [increment; 2], moves_to_go: None };
            (go, turn.left[side] + GRACE)
        }
    }
}

fn choice(answer: Answer) -> Choice {
    let last = answer.last();
    let value = last.and_then(|info| info.score).map(|score| match score {
        EngineScore::Cp(score) => Value::Score(score),
        EngineScore::Mate(moves) => Value::Mate(moves),
    });
    let depth = last.map_or(0, |info| info.depth);
    let (act, text) = (answer.act, answer.best_move);
    Choice { act, text, value, depth, nodes: answer.nodes, wall: answer.wall }
}

fn lapse(error: &EngineError) -> Lapse {
    let said = error.to_string();
    match error {
        EngineError::Hung { .. } | EngineError::Unready { .. } => Lapse::Hang(said),
        EngineError::Claim { .. } | EngineError::Unread { .. } => Lapse::Claim(said),
        EngineError::Late { .. } => Lapse::Late(said),
        EngineError::NoMove { .. } | EngineError::BadMove { .. } => Lapse::Illegal(said),
        _ => Lapse::Crash(said),
    }
}
