//! The child process: lines in, lines out with the moment they came, and an end that always comes.
//!
//! A thread reads, so that waiting can have a limit; the channel between is bounded, so that an engine that
//! writes without end fills a pipe and not the memory.

use super::process_guard::ProcessGuard;
use super::{EngineError, Spec, cpu, error::shown, find, number::plain};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// Longest line: a principal variation has 128 moves of 5 letters, a list of options less.
const LONGEST: u64 = 64 * 1024;
/// Most lines before an answer: engines that name every root move write some hundred a second.
const MOST: usize = 200_000;
/// Most bytes of them.
const MOST_BYTES: usize = 64 << 20;
/// Lines that wait to be looked at; with [`LONGEST`] this bounds the memory that an engine can take from us.
const QUEUE: usize = 256;
/// How often it is asked whether this program is to end.
const GLANCE: Duration = Duration::from_millis(50);
/// How long an engine may take to obey `stop`.
const GRACE: Duration = Duration::from_secs(2);
/// How long a process may take to end after it closed its output.
const FAREWELL: Duration = Duration::from_millis(500);

/// What the reader passes on; the end of the output is the end of the channel.
enum Event {
    Line(Instant, String),
    TooLong,
}

/// Why no line came.
enum Halt {
    Timeout,
    End,
    TooLong,
    TooMuch(String),
    Stopped,
}

/// A child process and the way to it.
#[derive(Debug)]
pub(super) struct Process {
    name: String,
    child: Child,
    guard: ProcessGuard,
    stop: Option<Arc<AtomicBool>>,
    stdin: ChildStdin,
    events: Receiver<Event>,
    /// The last line of its standard error, once that has ended.
    errors: Receiver<Option<String>>,
    observed: Option<String>,
    patience: Duration,
    alive: bool,
}

impl Process {
    /// Starts the program of `spec` with its arguments and then these. It may take `patience` for every answer but that to a
    /// search.
    pub(super) fn start(
        spec: &Spec,
        arguments: &[String],
        patience: Duration,
        stop: Option<Arc<AtomicBool>>,
    ) -> Result<Process, EngineError> {
        let program = find(&spec.command)?;
        let fail = |source| EngineError::Start { command: program.clone(), source };
        // A path is one of this program's folder, whatever folder the engine begins in.
        let path =
            spec.folder.as_ref().map_or_else(|| Ok(program.clone()), |_| std::path::absolute(&program));
        let mut command = Command::new(path.map_err(fail)?);
        command
            .args(&spec.args)
            .args(arguments)
            .envs(spec.env.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(folder) = &spec.folder {
            command.current_dir(folder);
        }
        let guard = ProcessGuard::new(&mut command).map_err(fail)?;
        let mut child = command.spawn().map_err(fail)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(fail(std::io::Error::other("no pipes")));
        };
        let (sender, events) = sync_channel(QUEUE);
        let (sent, errors) = sync_channel(1);
        let spawned = [
            std::thread::Builder::new().spawn(move || read(stdout, &sender)),
            std::thread::Builder::new().spawn(move || drop(sent.send(last_error(stderr)))),
        ];
        let name = spec.name.clone();
        let process = Process {
            name,
            child,
            guard,
            stop,
            stdin,
            events,
            errors,
            observed: None,
            patience,
            alive: true,
        };
        // From here on the process ends when its owner is dropped.
        for thread in spawned {
            thread.map_err(fail)?;
        }
        Ok(process)
    }

    pub(super) fn name(&self) -> String {
        self.name.clone()
    }

    pub(super) fn is_alive(&self) -> bool {
        self.alive
    }

    /// Processor time so far of the process and its children, if it can be known.
    pub(super) fn cpu(&self) -> Option<cpu::Used> {
        cpu::used(self.child.id()).filter(|_| self.alive)
    }

    /// Writes one line and gives the moment of it. `expected` is what the engine should say to it.
    pub(super) fn send(&mut self, line: &str, expected: &'static str) -> Result<Instant, EngineError> {
        if !self.alive {
            return Err(EngineError::Ended { name: self.name() });
        }
        // One line is one command, whatever is in a position or a value.
        let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        // Before it is written: on a busy computer the answer may be there before we are back.
        let moment = Instant::now();
        let written = self.stdin.write_all(format!("{line}\n").as_bytes()).and_then(|()| self.stdin.flush());
        if written.is_err() {
            return Err(self.failed(Halt::End, expected, Duration::ZERO));
        }
        Ok(moment)
    }

    /// Reads until `accept` takes a line; an engine that does not come to it is ended.
    pub(super) fn wait<T>(
        &mut self,
        expected: &'static str,
        mut accept: impl FnMut(Instant, &str) -> Option<T>,
    ) -> Result<T, EngineError> {
        match self.listen(self.patience, &mut accept) {
            Ok(taken) => Ok(taken),
            Err(halt) => Err(self.failed(halt, expected, self.patience)),
        }
    }

    /// The same for what an engine may leave out: nothing if it does not come within `time`, and the process goes on.
    pub(super) fn wait_at_most<T>(
        &mut self,
        expected: &'static str,
        time: Duration,
        mut accept: impl FnMut(Instant, &str) -> Option<T>,
    ) -> Result<Option<T>, EngineError> {
        match self.listen(time.min(self.patience), &mut accept) {
            Ok(taken) => Ok(Some(taken)),
            Err(Halt::Timeout) => Ok(None),
            Err(halt) => Err(self.failed(halt, expected, time)),
        }
    }

    /// The same for the end of a search, with the line `stop` when the patience is over; `late` says whether it was.
    pub(super) fn wait_or_stop<T>(
        &mut self,
        expected: &'static str,
        patience: Duration,
        stop: Option<&str>,
        late: &mut bool,
        mut accept: impl FnMut(Instant, &str) -> Option<T>,
    ) -> Result<T, EngineError> {
        let mut observed = self.listen(patience, &mut accept);
        if let (Err(Halt::Timeout), Some(stop)) = (&observed, stop) {
            *late = true;
            self.send(stop, expected)?;
            observed = self.listen(GRACE, &mut accept);
        }
        match observed {
            Ok(taken) => Ok(taken),
            Err(halt) => Err(self.failed(halt, expected, patience)),
        }
    }

    /// The first line that `accept` takes.
    fn listen<T>(
        &mut self,
        patience: Duration,
        accept: &mut impl FnMut(Instant, &str) -> Option<T>,
    ) -> Result<T, Halt> {
        let begun = Instant::now();
        let (mut lines, mut bytes) = (0, 0);
        while lines < MOST && bytes < MOST_BYTES {
            if self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::SeqCst)) {
                return Err(Halt::Stopped);
            }
            let left = patience.saturating_sub(begun.elapsed());
            let (moment, line) = match self.events.recv_timeout(left.min(GLANCE)) {
                Ok(Event::Line(moment, line)) => (moment, line),
                Ok(Event::TooLong) => return Err(Halt::TooLong),
                Err(RecvTimeoutError::Timeout) if left > GLANCE => continue,
                Err(RecvTimeoutError::Timeout) => return Err(Halt::Timeout),
                Err(RecvTimeoutError::Disconnected) => return Err(Halt::End),
            };
            lines += 1;
            bytes += line.len();
            let taken = accept(moment, &line);
            self.observed = Some(shown(&line));
            if let Some(taken) = taken {
                return Ok(taken);
            }
        }
        Err(Halt::TooMuch(format!("{lines} lines with {bytes} bytes")))
    }

    fn flooded(&mut self, what: &str, expected: &'static str) -> EngineError {
        self.end();
        EngineError::Flood { name: self.name(), what: what.to_owned(), expected }
    }

    /// Ends the process and says why.
    fn failed(&mut self, halt: Halt, expected: &'static str, patience: Duration) -> EngineError {
        let (name, observed) = (self.name(), self.observed.clone());
        match halt {
            Halt::TooLong => self.flooded(&format!("a line of more than {LONGEST} bytes"), expected),
            Halt::TooMuch(what) => self.flooded(&what, expected),
            Halt::Stopped => {
                self.end();
                EngineError::Stopped { name }
            }
            Halt::Timeout => {
                self.end();
                EngineError::Hung { name, expected, patience, observed }
            }
            Halt::End => {
                let status = self.farewell();
                self.end();
                // Its children have ended too, so nobody holds the pipe any longer.
                let error = self.errors.recv_timeout(FAREWELL).ok().flatten();
                EngineError::Died { name, status, expected, observed, error }
            }
        }
    }

    /// Waits for the end of a process that was asked to end.
    pub(super) fn linger(&mut self, patience: Duration) {
        self.status_within(patience);
    }

    /// How a process ended that closed its output.
    fn farewell(&mut self) -> String {
        self.status_within(FAREWELL)
    }

    fn status_within(&mut self, patience: Duration) -> String {
        let begun = Instant::now();
        while begun.elapsed() < patience {
            match self.child.try_wait() {
                Ok(Some(status)) => return status.to_string(),
                Ok(None) => std::thread::sleep(Duration::from_millis(2)),
                Err(error) => return error.to_string(),
            }
        }
        "it closed its output".to_owned()
    }

    /// Ends the process and its children. Does nothing the second time.
    fn end(&mut self) {
        if !std::mem::take(&mut self.alive) {
            return;
        }
        self.guard.end(&mut self.child);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// The last line with something in it that a program writes to its standard error, which is read to its end so that no
/// program waits for us.
fn last_error(stderr: ChildStderr) -> Option<String> {
    let mut reader = BufReader::new(stderr);
    let (mut bytes, mut last) = (Vec::new(), None);
    loop {
        bytes.clear();
        match (&mut reader).take(LONGEST).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return last,
            Ok(_) => {}
        }
        let line = shown(String::from_utf8_lossy(&bytes).trim());
        if !line.is_empty() {
            last = Some(line);
        }
    }
}

/// Passes on lines until the output ends, or nobody wants them, or one is too long.
fn read(stdout: ChildStdout, sender: &SyncSender<Event>) {
    let mut reader = BufReader::new(stdout);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match (&mut reader).take(LONGEST).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let event = if bytes.len() as u64 == LONGEST && bytes.last() != Some(&b'\n') {
            Event::TooLong
        } else {
            // Whole: half a line has half a number. What a carriage return stands behind is written over on a terminal.
            let text = String::from_utf8_lossy(&bytes);
            let line = text.trim_end().rsplit('\r').next().unwrap_or_default();
            Event::Line(Instant::now(), plain(line).trim_end().to_owned())
        };
        let last = matches!(event, Event::TooLong);
        if sender.send(event).is_err() || last {
            return;
        }
    }
}
