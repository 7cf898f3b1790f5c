//! A running program, whatever it speaks: started, asked, measured, judged, ended.

use super::client::{Board, Client, Said, Wishes};
use super::error::{Done, shown};
use super::number::Unread;
use super::observed::Observed;
use super::options::{Advertised, Choice, Yielded};
use super::process::Process;
use super::{
    Abilities, Act, Answer, Ask, EngineError, Fault, Go, Protocol, Spec, cecp::Cecp, edax::Edax, gtp::Gtp,
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
    /// What messages call it.
    name: String,
    process: Process,
    client: Box<dyn Client>,
    board: Board,
    id: String,
    protocol: Protocol,
}

impl Engine {
    /// Starts the engine and brings it to where it can be asked, with its options set. `defaults` are set only where the engine
    /// has them and `spec` does not set them itself; one that it does not take yields ([`Engine::yielded`]). Every answer but
    /// that to a search, now and later, may take `patience`.
    ///
    /// # Errors
    /// [`Fault::NotFound`] and [`Fault::Start`]; [`Fault::UnknownOption`] and
    /// [`Fault::BadValue`] before anything is set; otherwise what the engine did instead of answering.
    pub fn start(
        spec: &Spec,
        defaults: &[(String, String)],
        patience: Duration,
    ) -> Result<Engine, EngineError> {
        Engine::start_until(spec, defaults, patience, None)
    }

    /// The same for an engine that is not waited for any longer once `stop` is set: whatever it was asked is then
    /// answered by [`Fault::Stopped`], and the process is ended.
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
        let wishes = Wishes { wanted, defaults, table_is_asked: *table_is_asked };
        let named = |fault: Fault| fault.of(name);
        let arguments = client.arguments(&wishes).map_err(named)?;
        let mut process = Process::start(spec, &arguments, patience, stop)?;
        let id = client.greet(&mut process, &wishes).map_err(named)?.unwrap_or_else(|| name.clone());
        let (name, board) = (name.clone(), Board::default());
        Ok(Engine { name, process, client, board, id, protocol: spec.protocol })
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
        self.client.abilities()
    }

    /// The options that it advertises.
    pub fn options(&self) -> &[Choice] {
        self.client.options().map_or(&[], Advertised::named)
    }

    /// Defaults that it does not take, and what it has instead.
    pub fn yielded(&self) -> &[Yielded] {
        self.client.options().map_or(&[], Advertised::yielded)
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
    /// [`Fault::Unable`] if it has no words for that; what the engine did instead of answering.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        let begun = match self.abilities().forgets {
            true => self.client.new_game(&mut self.process),
            false => Err(self.unable("another game in one process", "it has to be started again")),
        };
        self.board.forget();
        begun.map_err(|fault| fault.of(&self.name))
    }

    /// Whether such a search can be asked at all.
    ///
    /// # Errors
    /// [`Fault::Unable`] if the protocol, or the program by its own word, has no words for it.
    pub(super) fn can(&self, ask: &Ask<'_>) -> Done {
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
    pub(super) fn prepare(&mut self, ask: &Ask<'_>) -> Done {
        self.can(ask)?;
        let missing = self.board.goes_on(ask);
        self.client.prepare(&mut self.process, ask, missing).inspect_err(|_| self.board.forget())
    }

    /// Asks for one search and waits for at most `patience`, then tells it to stop where the protocol has a word for that,
    /// and soon after ends the process. The time of the answer is counted from the line that begins the search, when the
    /// engine has the position already.
    ///
    /// # Errors
    /// Those that [`Fault::is_survived`] leave an engine that can be asked again; all others leave none.
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
        let answered = self.answered(ask, patience, ready);
        let read =
            |(answer, unread): (Answer, Option<Unread>)| unread.map(Fault::Unread).map_or(Ok(answer), Err);
        answered.and_then(read).map_err(|fault| fault.of(&self.name))
    }

    /// The same for a game, which goes on where a number of the answer cannot be read. The answer is then the move alone, and the
    /// number comes with it.
    ///
    /// # Errors
    /// Those of [`Engine::search`], but for [`Fault::Unread`].
    pub fn choose(
        &mut self,
        ask: &Ask<'_>,
        patience: Duration,
    ) -> Result<(Answer, Option<Unread>), EngineError> {
        self.answered(ask, patience, &mut || {}).map_err(|fault| fault.of(&self.name))
    }

    /// An answer, and the first of its numbers that cannot be read.
    fn answered(
        &mut self,
        ask: &Ask<'_>,
        patience: Duration,
        ready: &mut dyn FnMut(),
    ) -> Done<(Answer, Option<Unread>)> {
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
        let plays = if let Said::Move(mv) = &end { self.client.plays(mv) } else { None };
        self.board.hear(&end, plays);
        match end {
            Said::Refused(text) => Err(Fault::Refused {
                what: "the words",
                text: shown(&text),
                expected: "a search of this position",
            }),
            _ if late => Err(Fault::Late { expected, patience }),
            // Where a protocol has no word for giving up, to name no move in a lost position is how programs say it.
            Said::Nothing if !observed.is_lost() => Err(Fault::NoMove(expected)),
            Said::Nonsense(text) => Err(Fault::BadMove { expected, text: shown(&text), such }),
            Said::Nothing | Said::Instead(_) | Said::Move(_) => {
                let mv = match end {
                    Said::Move(text) => Ok(text),
                    Said::Instead(act) => Err(act),
                    _ => Err(Act::Resigns),
                };
                let wall = moment.saturating_duration_since(begun);
                let (answer, unread) = observed.answer(mv, wall, cpu);
                match observed::impossible(&answer, self.client.deepest(ask)) {
                    Some(what) => Err(Fault::Claim(what)),
                    None => Ok((answer, unread)),
                }
            }
        }
    }

    /// Has it search for a moment, as some make their tables only when they are first asked. One that cannot forget searches nothing
    /// before it.
    ///
    /// # Errors
    /// Those of [`Engine::search`]; what it says of this search does not matter, nor whether it could be asked.
    pub fn warm(&mut self, position: &str, patience: Duration) -> Result<(), EngineError> {
        if !self.abilities().forgets {
            return Ok(());
        }
        match self.search(&Ask::new(position, Go::Depth(1)), patience) {
            Err(error)
                if !matches!(error.fault, Fault::Claim(_) | Fault::Unread(_) | Fault::Unable { .. }) =>
            {
                Err(error)
            }
            _ => Ok(()),
        }
    }

    /// Asks the engine to end by itself, so that it does what it does at its end, and waits for at most `patience`.
    pub fn leave(mut self, patience: Duration) {
        // One that is gone has left.
        if self.process.send("quit", "its end").is_ok() {
            self.process.linger(patience);
        }
    }

    fn unable(&self, what: &str, why: &str) -> Fault {
        // What it can is the protocol's, less what the program says it lacks: so it is said of the program.
        let why = format!("over `{}` {why}", self.protocol);
        Fault::Unable { what: what.to_owned(), why }
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
