//! A running program, whatever it speaks: started, asked, measured, judged, ended.

use super::client::{Client, Said, Wishes};
use super::error::shown;
use super::number::Unread;
use super::observed::Observed;
use super::options::{Advertised, Choice, Yielded};
use super::process::Process;
use super::{
    Abilities, Act, Answer, Ask, EngineError, Go, Protocol, Spec, cecp::Cecp, edax::Edax, gtp::Gtp,
    nboard::NBoard, uci::Uci, usi,
};
use crate::observed;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How long a move may follow a claim: then the program goes on, and whether the claim is true shows by the rules after the move.
const AFTER_A_CLAIM: Duration = Duration::from_millis(300);

/// A running engine. Dropping it ends the process and everything that the process started.
#[derive(Debug)]
pub struct Engine {
    process: Process,
    client: Box<dyn Client>,
    id: String,
    protocol: Protocol,
}

impl Engine {
    /// Starts the engine and brings it to where it can be asked, with its options set. `defaults` are set only where the engine
    /// has them and `spec` does not set them itself; one that it does not take yields ([`Engine::yielded`]). Every answer but
    /// that to a search, now and later, may take `patience`.
    ///
    /// # Errors
    /// [`EngineError::NotFound`] and [`EngineError::Start`]; [`EngineError::UnknownOption`] and
    /// [`EngineError::BadValue`] before anything is set; otherwise what the engine did instead of answering.
    pub fn start(
        spec: &Spec,
        defaults: &[(String, String)],
        patience: Duration,
    ) -> Result<Engine, EngineError> {
        Engine::start_until(spec, defaults, patience, None)
    }

    /// The same for an engine that is not waited for any longer once `stop` is set: whatever it was asked is then
    /// answered by [`EngineError::Stopped`], and the process is ended.
    ///
    /// # Errors
    /// As [`Engine::start`].
    pub fn start_until(
        spec: &Spec,
        defaults: &[(String, String)],
        patience: Duration,
        stop: Option<Arc<AtomicBool>>,
    ) -> Result<Engine, EngineError> {
        let mut client = client(spec.protocol);
        let Spec { name, options: wanted, table_is_asked, .. } = spec;
        let wishes = Wishes { name, wanted, defaults, table_is_asked: *table_is_asked };
        let mut process = Process::start(spec, &client.arguments(&wishes)?, patience, stop)?;
        let id = client.greet(&mut process, &wishes)?.unwrap_or_else(|| spec.name.clone());
        Ok(Engine { process, client, id, protocol: spec.protocol })
    }

    /// An engine that has forgotten all that it searched: the one that runs, told of a new game, or another by `start`, where none
    /// runs any longer or the one that does cannot be told so.
    ///
    /// # Errors
    /// Those of `start`; what the engine did instead of answering.
    pub fn renewed<E: From<EngineError>>(
        running: Option<Engine>,
        start: impl FnOnce() -> Result<Engine, E>,
    ) -> Result<Engine, E> {
        let can = |engine: &Engine| engine.is_alive() && engine.abilities().forgets;
        let mut engine = match running.filter(can) {
            Some(engine) => engine,
            // Whatever is left of another ends before.
            None => start()?,
        };
        if engine.abilities().forgets {
            engine.new_game()?;
        }
        Ok(engine)
    }

    /// What the engine calls itself; the name of its [`Spec`] if it does not say.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What it is spoken to in.
    pub fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// What it can be asked and can say, by its protocol and its own word.
    pub fn abilities(&self) -> Abilities {
        Abilities { stops: self.client.words().2.is_some(), ..self.client.abilities() }
    }

    /// The options that it advertises.
    pub fn options(&self) -> &[Choice] {
        self.client.options().map_or(&[], Advertised::named)
    }

    /// Defaults that it does not take, and what it has instead.
    pub fn yielded(&self) -> &[Yielded] {
        self.client.options().map_or(&[], Advertised::yielded)
    }

    /// Whether the engine has an option of this name; case does not matter.
    pub fn has_option(&self, name: &str) -> bool {
        self.client.options().is_some_and(|options| options.find(name).is_some())
    }

    /// The value that an option has if it is not set, as far as the engine says so; case does not matter.
    pub fn option_default(&self, name: &str) -> Option<&str> {
        self.client.options()?.default_of(name)
    }

    /// Whether the process can still be talked to. After an error of a search that left it so, the next
    /// search begins as if nothing had happened.
    pub fn is_alive(&self) -> bool {
        self.process.is_alive()
    }

    /// Tells the engine that the next position belongs to another game: it forgets what it searched.
    ///
    /// # Errors
    /// [`EngineError::Unable`] if it has no words for that; what the engine did instead of answering.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        if !self.abilities().forgets {
            return Err(self.unable("another game in one process", "it has to be started again"));
        }
        self.client.new_game(&mut self.process)
    }

    /// Whether such a search can be asked at all.
    ///
    /// # Errors
    /// [`EngineError::Unable`] if the protocol, or the program by its own word, has no words for it.
    pub fn can(&self, ask: &Ask<'_>) -> Result<(), EngineError> {
        let able = self.abilities();
        let has_words = match ask.go {
            Go::Depth(_) => able.depth,
            Go::Nodes(_) => able.nodes,
            Go::MoveTime(_) => able.time,
            Go::Clock { .. } => able.clock,
            Go::Own => able.own_limits,
        };
        let step = able.time_step.as_nanos();
        match ask.go {
            _ if !ask.only.is_empty() && !able.root_moves => {
                Err(self.unable("a search of some moves", "it has no words for that"))
            }
            _ if !has_words => Err(self.unable(ask.go.in_words(), "it has no words for that")),
            Go::MoveTime(time) if step >= 1_000_000_000 && time.as_nanos() % step != 0 => {
                let why = format!("time goes in steps of {} s", able.time_step.as_secs_f64());
                Err(self.unable(&format!("a time of {} s", time.as_secs_f64()), &why))
            }
            Go::MoveTime(time) if time < able.least_time => {
                let why = format!("a time is at least {} s", able.least_time.as_secs_f64());
                Err(self.unable(&format!("a time of {} s", time.as_secs_f64()), &why))
            }
            _ => Ok(()),
        }
    }

    /// Brings the engine to where such a search would begin, and does not begin it: what it cannot be asked for is known then.
    ///
    /// # Errors
    /// As [`Engine::can`]; what the engine refuses, or did instead of answering.
    pub fn prepare(&mut self, ask: &Ask<'_>) -> Result<(), EngineError> {
        self.can(ask)?;
        self.client.prepare(&mut self.process, ask)
    }

    /// Asks for one search and waits for at most `patience`, then tells it to stop where the protocol has a word for that,
    /// and soon after ends the process. The time of the answer is counted from the line that begins the search, when the
    /// engine has the position already.
    ///
    /// # Errors
    /// Those that [`EngineError::is_survived`] leave an engine that can be asked again; all others leave none.
    pub fn search(&mut self, ask: &Ask<'_>, patience: Duration) -> Result<Answer, EngineError> {
        self.search_from(ask, patience, &mut || {})
    }

    /// The same with something to be done at the moment when the line that begins the search is all that is left to say: the
    /// engine has the position and waits.
    ///
    /// # Errors
    /// Those of [`Engine::search`].
    pub fn search_from(
        &mut self,
        ask: &Ask<'_>,
        patience: Duration,
        ready: &mut dyn FnMut(),
    ) -> Result<Answer, EngineError> {
        let (answer, unread) = self.answered(ask, patience, ready)?;
        let name = || self.process.name();
        unread.map_or(Ok(answer), |unread| Err(EngineError::Unread { name: name(), unread }))
    }

    /// The same for a game, which goes on where a number of the answer cannot be read. The answer is then the move alone, and the
    /// number comes with it.
    ///
    /// # Errors
    /// Those of [`Engine::search`], but for [`EngineError::Unread`].
    pub fn choose(
        &mut self,
        ask: &Ask<'_>,
        patience: Duration,
    ) -> Result<(Answer, Option<Unread>), EngineError> {
        self.answered(ask, patience, &mut || {})
    }

    /// An answer, and the first of its numbers that cannot be read.
    fn answered(
        &mut self,
        ask: &Ask<'_>,
        patience: Duration,
        ready: &mut dyn FnMut(),
    ) -> Result<(Answer, Option<Unread>), EngineError> {
        self.prepare(ask)?;
        if self.client.gave_up() {
            return Ok((Observed::default().answer(Err(Act::Resigns), Duration::ZERO, None).0, None));
        }
        ready();
        let (expected, such, stop) = self.client.words();
        let before = if ask.is_timed { self.process.cpu() } else { None };
        let begun = self.process.send(&self.client.go(ask), expected)?;
        let (mut observed, mut late) = (Observed::default(), false);
        let client = &mut self.client;
        let answer = self.process.wait_or_stop(expected, patience, stop, &mut late, |moment, line| {
            observed.count(line);
            client.observe(line, &mut observed).map(|end| (end, moment))
        });
        let (mut end, mut moment): (Said, Instant) = answer?;
        if matches!(end, Said::Instead(Act::ClaimsWin | Act::ClaimsDraw)) {
            let next = self.process.wait_at_most(expected, AFTER_A_CLAIM, |moment, line| {
                client.observe(line, &mut observed).map(|end| (end, moment))
            });
            if let Ok(Some((mv @ Said::Move(_), later))) = next {
                (end, moment) = (mv, later);
            }
        }
        let cpu = before.and_then(|before| Some(self.process.cpu()?.since(&before)));
        // One that has answered and gone has answered.
        let _ = self.client.decide(&mut self.process);
        let name = self.process.name();
        match end {
            Said::Refused(text) => Err(EngineError::Refused {
                name,
                what: "the words",
                text: shown(&text),
                expected: "a search of this position",
            }),
            _ if late => Err(EngineError::Late { name, expected, patience }),
            // Where a protocol has no word for giving up, to name no move in a lost position is how programs say it.
            Said::Nothing if !observed.is_lost() => Err(EngineError::NoMove { name, expected }),
            Said::Nonsense(text) => Err(EngineError::BadMove { name, expected, text: shown(&text), such }),
            Said::Nothing | Said::Instead(_) | Said::Move(_) => {
                let mv = match end {
                    Said::Move(text) => Ok(text),
                    Said::Instead(act) => Err(act),
                    _ => Err(Act::Resigns),
                };
                let wall = moment.saturating_duration_since(begun);
                let (answer, unread) = observed.answer(mv, wall, cpu);
                match observed::impossible(&answer, self.client.deepest(ask)) {
                    Some(what) => Err(EngineError::Claim { name, what }),
                    None => Ok((answer, unread)),
                }
            }
        }
    }

    /// Asks the engine to end by itself, so that it does what it does at its end, and waits for at most `patience`.
    pub fn leave(mut self, patience: Duration) {
        // One that is gone has left.
        if self.process.send("quit", "its end").is_ok() {
            self.process.linger(patience);
        }
    }

    fn unable(&self, what: &str, why: &str) -> EngineError {
        // What it can is the protocol's, less what the program says it lacks: so it is said of the program.
        let why = format!("over `{}` {why}", self.protocol);
        EngineError::Unable { name: self.process.name(), what: what.to_owned(), why }
    }
}

/// A client of a program that was not greeted yet.
fn client(protocol: Protocol) -> Box<dyn Client> {
    match protocol {
        Protocol::Uci => Box::<Uci>::default(),
        Protocol::Usi => Box::new(usi::client()),
        Protocol::Cecp => Box::<Cecp>::default(),
        Protocol::Gtp => Box::<Gtp>::default(),
        Protocol::NBoard => Box::<NBoard>::default(),
        Protocol::Edax => Box::<Edax>::default(),
    }
}
