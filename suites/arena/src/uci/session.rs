//! The thread that understands: keeps settings and position, and hands searches to the worker.
//!
//! It never waits for a search. A line that changes what searches see (a setting, a new game) queues behind the
//! search that goes on; another `go` ends it.

use super::UciError;
use super::bench::{self, BENCH_DEPTH};
use super::command::{Command, Go, parse};
use super::output::Output;
use super::settings::UciSettings;
use super::time::{Plan, wall};
use super::worker::{Equipment, Job, Task, work};
use secateur_core::search::MAX_DEPTH;
use secateur_core::{Game, Notation, Rules};
use secateur_games::chess::{Chess, Position, START};
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread::Builder;

/// Stack of the searching thread, bytes: the deepest line has move lists of all its plies on it.
const STACK: usize = 16 << 20;

/// What wakes the session.
enum Event {
    Line(String),
    /// Nothing more will be read, or the worker is gone.
    End,
}

/// Speaks UCI with whoever writes to `reader` and reads from `writer`, until `quit`, the end of `reader`, or the
/// loss of `writer`; none of these is an error.
///
/// `reader` is read by a thread of its own that outlives the call if it is still waiting for a line.
///
/// # Errors
/// [`UciError`], before anything is read.
pub fn serve<R, W>(reader: R, writer: W) -> Result<(), UciError>
where
    R: BufRead + Send + 'static,
    W: Write + Send + 'static,
{
    let settings = UciSettings::full_strength().map_err(UciError::UciSettings)?;
    let first = equipment(&settings).map_err(UciError::UciSettings)?;
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
        let _ = work(first, &queue, &counter, &answers);
    };
    let worker = Builder::new().stack_size(STACK).spawn(worker).map_err(UciError::Thread)?;
    let mut session = Session::new(settings, out, jobs, busy);
    for event in inbox {
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
    let settings = UciSettings::full_strength().map_err(UciError::UciSettings)?;
    let Equipment { roster, options } = equipment(&settings).map_err(UciError::UciSettings)?;
    let mut search = Chess::default().searcher(roster.switched(), options);
    let stop = Arc::new(AtomicBool::new(false));
    bench::bench(search.as_mut(), depth.unwrap_or(BENCH_DEPTH), &stop, &Output::new(writer))
        .map_err(UciError::Output)
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

fn equipment(settings: &UciSettings) -> Result<Equipment, String> {
    Ok(Equipment { roster: settings.roster()?, options: settings.setup.options.clone() })
}

/// What ends the search that goes on: the flag ends the search, the loss of the other part lets it answer.
struct Ticket {
    stop: Arc<AtomicBool>,
    hold: Option<Sender<()>>,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

struct Session<W> {
    game: Chess,
    settings: UciSettings,
    /// The position to search; none after one that was refused, because a move for the one before would be played in
    /// another game than the caller's.
    root: Option<Position>,
    /// Keys of the positions before the root, oldest first.
    before: Vec<u64>,
    debug: bool,
    out: Output<W>,
    jobs: Sender<Job>,
    busy: Arc<AtomicUsize>,
    ticket: Option<Ticket>,
}

impl<W: Write> Session<W> {
    fn new(settings: UciSettings, out: Output<W>, jobs: Sender<Job>, busy: Arc<AtomicUsize>) -> Session<W> {
        let game = Chess::default();
        let root = Some(game.parse(START).expect("the initial position"));
        Session { game, settings, root, before: Vec::new(), debug: false, out, jobs, busy, ticket: None }
    }

    /// Does what a line says; `Break` ends the session, an error means that nobody reads the answers.
    fn obey(&mut self, line: &str) -> io::Result<ControlFlow<()>> {
        match parse(line) {
            Command::Uci => self.introduce()?,
            Command::Debug(on) => self.debug = on,
            // While a search goes on the session is ready; otherwise what was ordered before must be done first.
            Command::IsReady if self.busy.load(Ordering::Acquire) > 0 => self.out.line("readyok")?,
            Command::IsReady => self.order(Job::Say("readyok")),
            Command::SetOption { name, value } => self.set(&name, &value)?,
            Command::NewGame => self.order(Job::Forget),
            Command::Position { fen, moves } => {
                if let Err(error) = self.place(fen.as_deref().unwrap_or(START), &moves) {
                    self.root = None;
                    self.out.error(&error)?;
                }
            }
            Command::Go(go) => self.go(&go)?,
            Command::Stop => self.ticket = None,
            // There is no pondering: such a search only waits to be allowed to answer.
            Command::PonderHit => drop(self.ticket.take_if(|ticket| ticket.hold.is_some())),
            Command::Bench(depth) => {
                let stop = self.ticket(None);
                self.order(Job::Bench(depth.unwrap_or(BENCH_DEPTH), stop));
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
        let defaults = UciSettings::full_strength();
        for line in defaults.as_ref().unwrap_or(&self.settings).lines() {
            self.out.line(&line)?;
        }
        self.out.line("uciok")
    }

    fn set(&mut self, name: &str, value: &str) -> io::Result<()> {
        if self.settings.clears(name) {
            self.order(Job::Forget);
            return Ok(());
        }
        let new = match self.settings.with(name, value) {
            Ok(new) => new,
            Err(error) => return self.out.error(&error),
        };
        let searches = (&new.setup, new.methods) != (&self.settings.setup, self.settings.methods);
        match equipment(&new) {
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
            .parse(fen)
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
            // A search that goes on answers first.
            self.ticket = None;
            self.out.error("go: the last position was refused, so there is nothing to search")?;
            self.order(Job::Say("bestmove 0000"));
            return Ok(());
        };
        let (release, hold) = mpsc::channel();
        let (release, hold) = if go.infinite { (Some(release), Some(hold)) } else { (None, None) };
        let stop = self.ticket(release);
        let side = self.game.side(&root);
        self.order(Job::Go(Box::new(Task {
            root,
            before: self.before.clone(),
            depth: go.depth.unwrap_or(MAX_DEPTH),
            nodes: go.nodes.unwrap_or(u64::MAX),
            plan: Plan::new(go, side, self.settings.overhead),
            received,
            stop,
            hold,
        })));
        Ok(())
    }

    /// A flag for the next job that can be stopped; the one before is stopped.
    fn ticket(&mut self, hold: Option<Sender<()>>) -> Arc<AtomicBool> {
        let stop = Arc::new(AtomicBool::new(false));
        self.busy.fetch_add(1, Ordering::Release);
        self.ticket = Some(Ticket { stop: Arc::clone(&stop), hold });
        stop
    }

    fn order(&self, job: Job) {
        // A worker that is gone has sent the event that ends the session.
        let _ = self.jobs.send(job);
    }
}
