//! The thread that understands: keeps settings and position, and hands searches to the worker.
//!
//! It never waits for a search. A line that changes what searches see (a setting, a new game) queues behind the
//! search that goes on; another `go` ends it.

use super::command::{Command, Go, parse};
use super::output::Output;
use super::settings::UciSettings;
use super::time::{Plan, wall};
use super::worker::{BENCH_DEPTH, Equipment, Job, Task, work};
use super::{Dialect, UciError, worker};
use secateur_core::Moves;
use secateur_core::search::MAX_DEPTH;
use secateur_games::chess::Chess;
use secateur_games::shogi::Shogi;
use std::io::{self, BufRead, Read, Write};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, OnceLock};
use std::thread::Builder;
use std::time::Duration;

/// Stack of the searching thread, bytes: the deepest line has move lists of all its plies on it.
const STACK: usize = 16 << 20;

/// What wakes the session.
enum Event {
    Line(String),
    /// Nothing more will be read, or the worker is gone.
    End,
}

/// Speaks UCI, or USI if the first line says so, with whoever writes to `reader` and reads from `writer`, until `quit`, the end of
/// `reader`, or the loss of `writer`; none of these is an error.
///
/// `reader` is read by a thread of its own that outlives the call if it is still waiting for a line.
///
/// # Errors
/// [`UciError`], once the first line is read and before anything is answered.
pub fn serve<R, W>(mut reader: R, writer: W) -> Result<(), UciError>
where
    R: BufRead + Send + 'static,
    W: Write + Send + 'static,
{
    let mut first = Vec::new();
    // What cannot be read ends the session, as everywhere below.
    let _ = reader.read_until(b'\n', &mut first);
    let is_usi = first.trim_ascii() == b"usi";
    let reader = io::Cursor::new(first).chain(reader);
    if is_usi { serve_in::<Shogi, _, _>(reader, writer) } else { serve_in::<Chess, _, _>(reader, writer) }
}

/// One session of a game.
fn serve_in<G, R, W>(reader: R, writer: W) -> Result<(), UciError>
where
    G: Dialect,
    R: BufRead + Send + 'static,
    W: Write + Send + 'static,
{
    let settings = UciSettings::full_strength::<G>().map_err(UciError::UciSettings)?;
    let first = equipment::<G>(&settings).map_err(UciError::UciSettings)?;
    let out = Output::new(writer);
    let busy = Arc::new(AtomicUsize::new(0));
    let (events, inbox) = mpsc::channel();
    let (jobs, queue) = mpsc::channel();
    let lines = events.clone();
    Builder::new().spawn(move || listen(reader, &lines)).map_err(UciError::Thread)?;
    let (counter, answers) = (Arc::clone(&busy), out.clone());
    let worker = move || {
        let _end = EndOnDrop(events);
        // A lost writer ends the session by the event above.
        let _ = work::<G, _>(first, &queue, &counter, &answers);
    };
    let worker = Builder::new().stack_size(STACK).spawn(worker).map_err(UciError::Thread)?;
    let mut session = Session::<G, W>::new(settings, out, jobs, busy);
    while let Some(event) = session.next(&inbox) {
        let Event::Line(line) = event else { break };
        match session.obey(&line) {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(())) | Err(_) => break,
        }
    }
    drop(session);
    if let Err(panic) = worker.join() {
        std::panic::resume_unwind(panic);
    }
    Ok(())
}

/// Does the fixed piece of work with the settings of full strength and writes what `bench` writes in a session.
///
/// # Errors
/// [`UciError`].
pub fn bench<W: Write>(depth: Option<i32>, writer: W) -> Result<(), UciError> {
    let settings = UciSettings::full_strength::<Chess>().map_err(UciError::UciSettings)?;
    let Equipment { methods, options } = equipment::<Chess>(&settings).map_err(UciError::UciSettings)?;
    let mut search = secateur_core::Game::searcher(Chess::default(), &methods, options);
    search.count_methods(false);
    let stop = Arc::new(AtomicBool::new(false));
    worker::bench(search.as_mut(), depth.unwrap_or(BENCH_DEPTH), &stop, &Output::new(writer))
        .map_err(UciError::Output)
}

/// What games begin from.
fn start<G: Dialect>(game: &G) -> String {
    game.start().expect("a game with a start")
}

struct EndOnDrop(Sender<Event>);

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        // The session may have ended first.
        let _ = self.0.send(Event::End);
    }
}

fn listen<R: BufRead>(mut reader: R, lines: &Sender<Event>) {
    let mut bytes = Vec::new();
    // A line that is no UTF-8 must not end the session: what is readable of it is looked at.
    while reader.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
        let line = String::from_utf8_lossy(&bytes).into_owned();
        if lines.send(Event::Line(line)).is_err() {
            return;
        }
        bytes.clear();
    }
    let _ = lines.send(Event::End);
}

fn equipment<G: Dialect>(settings: &UciSettings) -> Result<Equipment, String> {
    Ok(Equipment { methods: settings.ready::<G>()?, options: settings.setup.options.clone() })
}

/// What ends the search that goes on: the flag ends the search, the loss of the other part lets it answer.
struct Ticket {
    stop: Arc<AtomicBool>,
    hold: Option<Sender<()>>,
    ponder: Option<Ponder>,
    /// When the session must end the search, on [`wall`].
    deadline: Option<Duration>,
}

/// A search on the other side's time.
struct Ponder {
    /// Set when the clock begins to run.
    begun: Arc<OnceLock<Duration>>,
    plan: Plan,
    /// Whether nothing but `stop` ends it.
    infinite: bool,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

struct Session<G: Dialect, W> {
    game: G,
    settings: UciSettings,
    /// The position to search; none after one that was refused, because a move for the one before would be played in
    /// another game than the caller's.
    root: Option<G::Position>,
    /// Keys of the positions before the root, oldest first.
    before: Vec<u64>,
    debug: bool,
    out: Output<W>,
    jobs: Sender<Job<G>>,
    busy: Arc<AtomicUsize>,
    ticket: Option<Ticket>,
}

impl<G: Dialect, W: Write> Session<G, W> {
    fn new(
        settings: UciSettings,
        out: Output<W>,
        jobs: Sender<Job<G>>,
        busy: Arc<AtomicUsize>,
    ) -> Session<G, W> {
        let game = G::default();
        let root = Some(game.parse(&start(&game)).expect("the initial position"));
        Session { game, settings, root, before: Vec::new(), debug: false, out, jobs, busy, ticket: None }
    }

    /// What comes next; a search whose time is up meanwhile is ended.
    fn next(&mut self, inbox: &Receiver<Event>) -> Option<Event> {
        while let Some(deadline) = self.ticket.as_ref().and_then(|ticket| ticket.deadline) {
            let left = deadline.saturating_sub(wall());
            match inbox.recv_timeout(left) {
                Ok(event) if !left.is_zero() => return Some(event),
                Ok(event) => {
                    self.ticket = None;
                    return Some(event);
                }
                Err(RecvTimeoutError::Timeout) => self.ticket = None,
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
        inbox.recv().ok()
    }

    /// Does what a line says; `Break` ends the session, an error means that the answers are no longer read.
    fn obey(&mut self, line: &str) -> io::Result<ControlFlow<()>> {
        match parse(line) {
            Command::Uci => self.introduce()?,
            Command::Debug(on) => self.debug = on,
            // While a search goes on the session is ready; otherwise what was ordered before must be done first.
            Command::IsReady if self.busy.load(Ordering::Acquire) > 0 => self.out.line("readyok")?,
            Command::IsReady => self.order(Job::Say("readyok".to_owned())),
            Command::SetOption { name, value } => self.set(&name, &value)?,
            Command::NewGame => self.order(Job::Forget),
            Command::Position { fen, moves } => {
                if let Err(error) = self.place(&fen.unwrap_or_else(|| start(&self.game)), &moves) {
                    self.root = None;
                    self.out.error(&error)?;
                }
            }
            Command::Go(go) => match G::REFUSES_MATE.filter(|_| go.is_mate) {
                Some(refusal) => {
                    self.ticket = None;
                    self.order(Job::Say(refusal.to_owned()));
                }
                None => self.go(&go)?,
            },
            Command::Stop => self.ticket = None,
            Command::PonderHit => self.hit(),
            Command::Bench(depth) => {
                let stop = self.ticket(None, None);
                self.order(Job::Bench(depth.unwrap_or(G::BENCH.1), stop));
            }
            Command::Quit => return Ok(ControlFlow::Break(())),
            Command::Empty => {}
            Command::Unknown if self.debug => self.out.note(&format!("not understood: {}", line.trim()))?,
            Command::Unknown => {}
        }
        Ok(ControlFlow::Continue(()))
    }

    fn introduce(&self) -> io::Result<()> {
        self.out.line(concat!("id name secateur ", env!("CARGO_PKG_VERSION")))?;
        self.out.line("id author the secateur maintainers")?;
        let defaults = UciSettings::full_strength::<G>();
        for line in defaults.as_ref().unwrap_or(&self.settings).lines() {
            self.out.line(&line)?;
        }
        self.out.line(G::OK)
    }

    fn set(&mut self, name: &str, value: &str) -> io::Result<()> {
        if self.settings.clears(name) {
            self.order(Job::Forget);
            return Ok(());
        }
        let new = match self.settings.with::<G>(name, value) {
            Ok(new) => new,
            Err(error) => return self.out.error(&error),
        };
        let searches = (&new.setup, &new.methods) != (&self.settings.setup, &self.settings.methods);
        match equipment::<G>(&new) {
            Ok(equipment) if searches => self.order(Job::Equip(Box::new(equipment))),
            Ok(_) => {}
            Err(error) => return self.out.error(&error),
        }
        self.settings = new;
        if self.debug {
            let value = self.settings.value(name).unwrap_or_default();
            self.out.note(&format!("{name} = {value}; params {}", self.settings.setup.id()))?;
        }
        Ok(())
    }

    /// Takes a position and moves from there, all or nothing.
    fn place(&mut self, fen: &str, moves: &[String]) -> Result<(), String> {
        let mut pos = self
            .game
            .parse(&G::whole(fen))
            .map_err(|error| format!("position, at character {} of '{fen}': {error}", error.offset + 1))?;
        let mut before = Vec::with_capacity(moves.len());
        for (index, text) in moves.iter().enumerate() {
            let mv =
                self.game.parse_move(&pos, text).map_err(|error| format!("move {}: {error}", index + 1))?;
            before.push(self.game.key(&pos));
            pos = self.game.play(&pos, mv);
        }
        (self.root, self.before) = (Some(pos), before);
        Ok(())
    }

    fn go(&mut self, go: &Go) -> io::Result<()> {
        let received = wall();
        for note in &go.notes {
            self.out.note(note)?;
        }
        let Some(root) = self.root.clone() else {
            self.out.error("go: no valid position to search; the last `position` was wrong")?;
            self.answer_nothing();
            return Ok(());
        };
        let moves = match self.chosen(&root, &go.search_moves)? {
            Some(moves) => moves,
            None => return Ok(()),
        };
        let plan = Plan::new(go, G::colour(self.game.side(&root)), self.settings.overhead);
        let (release, hold) = mpsc::channel();
        let held = go.infinite || go.ponder;
        let (release, hold) = if held { (Some(release), Some(hold)) } else { (None, None) };
        let begun = Arc::new(OnceLock::new());
        let ponder = go.ponder.then(|| Ponder { begun: Arc::clone(&begun), plan, infinite: go.infinite });
        if !go.ponder {
            let _ = begun.set(received);
        }
        let stop = self.ticket(release, ponder);
        let mut all = Moves::<G>::new();
        self.game.moves(&root, &mut all);
        self.order(Job::Go(Box::new(Task {
            root,
            before: self.before.clone(),
            depth: go.depth.unwrap_or(MAX_DEPTH),
            nodes: go.nodes.unwrap_or(u64::MAX),
            plan,
            received,
            stop,
            hold,
            choices: if moves.is_empty() { all.len() } else { moves.len() },
            moves,
            lines: self.settings.lines,
            mate: go.mate,
            pondered: go.ponder,
            begun,
        })));
        Ok(())
    }

    /// The moves that are to be searched, none for all; nothing if none of those that were asked for is legal, which is
    /// answered here.
    fn chosen(&mut self, root: &G::Position, texts: &[String]) -> io::Result<Option<Vec<G::Move>>> {
        let (mut moves, mut wrong) = (Vec::new(), Vec::new());
        for text in texts {
            match self.game.parse_move(root, text) {
                Ok(mv) if moves.contains(&mv) => {}
                Ok(mv) => moves.push(mv),
                Err(_) => wrong.push(text.as_str()),
            }
        }
        if !wrong.is_empty() {
            let consequence =
                if moves.is_empty() { "nothing is left to search" } else { "the others are searched" };
            let text = format!(
                "go searchmoves: found {}, which the position does not have: {consequence}",
                wrong.join(" ")
            );
            self.out.error(&text)?;
        }
        if moves.is_empty() && !texts.is_empty() {
            self.answer_nothing();
            return Ok(None);
        }
        Ok(Some(moves))
    }

    /// There is no search: says so after the one that goes on.
    fn answer_nothing(&mut self) {
        self.ticket = None;
        self.order(Job::Say(format!("bestmove {}", G::NO_MOVE)));
    }

    /// The move that was pondered on has been played: the clock of the search begins to run. It is ended at the ideal,
    /// because it was not asked before its iteration began whether that would end in time.
    fn hit(&mut self) {
        let Some(ticket) = &mut self.ticket else { return };
        let Some(Ponder { begun, plan, infinite }) = ticket.ponder.take() else { return };
        let now = wall();
        let _ = begun.set(now);
        ticket.deadline = plan.ideal.or(plan.hard).map(|time| now + time);
        if !infinite {
            ticket.hold = None;
        }
    }

    /// A flag for the next job that can be stopped; the one before is stopped.
    fn ticket(&mut self, hold: Option<Sender<()>>, ponder: Option<Ponder>) -> Arc<AtomicBool> {
        let stop = Arc::new(AtomicBool::new(false));
        self.busy.fetch_add(1, Ordering::Release);
        self.ticket = Some(Ticket { stop: Arc::clone(&stop), hold, ponder, deadline: None });
        stop
    }

    fn order(&self, job: Job<G>) {
        // A worker that is gone has sent the event that ends the session.
        let _ = self.jobs.send(job);
    }
}
