//! The child process: where its program is found, lines in, lines out with the moment they came, and an end that always comes.
//!
//! A thread reads, so that waiting can have a limit; the channel between is bounded, so that an engine that
//! writes without end fills a pipe and not the memory.
//!
//! An engine ends with everything that it started, however this program ends: it runs in a process group of its own and carries a mark
//! in its environment, which its children inherit even
//! if they leave the group (`setsid`). Ending an engine ends the group and then whoever carries the mark. Should this
//! program be killed itself, a shell does that for it: it reads a pipe whose other end only this program holds, and when
//! the pipe closes it looks for the marks. No code has to run in a dying process, and none between fork and exec.
//!
//! Marks are looked for in `/proc`, so on Linux only. Elsewhere the group is ended, and after a `kill -9` of this program
//! an engine is left to notice that its input has closed. What wipes its environment *and* leaves its group escapes.

use crate::error::{Done, shown};
use crate::number::plain;
use crate::{EngineError, Fault, Spec, cpu};
use secateur_base::words::words;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

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
        let fail = |source| Fault::Start { source }.of(&program.display().to_string());
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
        let process =
            Process { child, guard, stop, stdin, events, errors, observed: None, patience, alive: true };
        // From here on the process ends when its owner is dropped.
        for thread in spawned {
            thread.map_err(fail)?;
        }
        Ok(process)
    }

    pub(super) fn is_alive(&self) -> bool {
        self.alive
    }

    /// Processor time so far of the process and its children, if it can be known.
    pub(super) fn cpu(&self) -> Option<cpu::Used> {
        cpu::used(self.child.id()).filter(|_| self.alive)
    }

    /// Writes one line and gives the moment of it. `expected` is what the engine should say to it.
    pub(super) fn send(&mut self, line: &str, expected: &'static str) -> Done<Instant> {
        if !self.alive {
            return Err(Fault::Ended);
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
    ) -> Done<T> {
        let patience = self.patience;
        self.listen(patience, &mut accept).map_err(|halt| self.failed(halt, expected, patience))
    }

    /// The same for what an engine may leave out: nothing if it does not come within `time`, and the process goes on.
    pub(super) fn wait_at_most<T>(
        &mut self,
        expected: &'static str,
        time: Duration,
        mut accept: impl FnMut(Instant, &str) -> Option<T>,
    ) -> Done<Option<T>> {
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
    ) -> Done<T> {
        let mut observed = self.listen(patience, &mut accept);
        if let (Err(Halt::Timeout), Some(stop)) = (&observed, stop) {
            *late = true;
            self.send(stop, expected)?;
            observed = self.listen(GRACE, &mut accept);
        }
        observed.map_err(|halt| self.failed(halt, expected, patience))
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

    /// Ends the process and says why.
    fn failed(&mut self, halt: Halt, expected: &'static str, patience: Duration) -> Fault {
        // One that ends by itself is waited for, so that it says how.
        let status = if matches!(halt, Halt::End) { self.status_within(FAREWELL) } else { String::new() };
        self.end();
        let observed = self.observed.clone();
        match halt {
            Halt::TooLong => Fault::Flood { what: format!("a line of more than {LONGEST} bytes"), expected },
            Halt::TooMuch(what) => Fault::Flood { what, expected },
            Halt::Stopped => Fault::Stopped,
            Halt::Timeout => Fault::Hung { expected, patience, observed },
            Halt::End => {
                // Its children have ended too, so no process holds the pipe any longer.
                let error = self.errors.recv_timeout(FAREWELL).ok().flatten();
                Fault::Died { status, expected, observed, error }
            }
        }
    }

    /// Waits for the end of a process that was asked to end.
    pub(super) fn linger(&mut self, patience: Duration) {
        self.status_within(patience);
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

/// Passes on lines until the output ends, or the receiver is gone, or one is too long.
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

/// Waits for the end of its input, then kills every process with the text `$1` in its environment. It looks several
/// times, because a process that was being made has its mark a moment later.
const KEEPER: &str = r#"trap '' HUP INT TERM
while read -r line; do :; done
for pause in 0 0.05 0.1 0.2 0.4; do
  sleep "$pause"
  for file in $(grep -lsaF "$1" /proc/[0-9]*/environ); do
    pid=${file#/proc/}
    kill -9 "${pid%/environ}"
  done
done"#;

/// How often the marked are looked for: who is killed may have started another in the same moment.
const ROUNDS: usize = 20;
/// So many looks in succession must find no process: a process that is just replaced by another program (`exec`) shows no
/// environment for a moment.
const CLEAR: usize = 2;
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(5);

/// The mark of one engine.
#[derive(Clone, Debug)]
pub(super) struct ProcessGuard {
    number: u64,
}

impl ProcessGuard {
    /// Gives `command` a group and a mark, and sees to it that the keeper watches.
    ///
    /// # Errors
    /// The keeper cannot be started.
    pub(super) fn new(command: &mut Command) -> io::Result<ProcessGuard> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        watch()?;
        let guard = ProcessGuard { number: NEXT.fetch_add(1, Ordering::Relaxed) };
        own_group(command.env(name(), guard.number.to_string()));
        Ok(guard)
    }

    /// Ends the process and everything that it started.
    pub(super) fn end(&self, child: &mut Child) {
        kill_group(child);
        // Each may be gone already, which is what is wanted.
        let _ = child.kill();
        let _ = child.wait();
        let mark = format!("{}={}\0", name(), self.number);
        let mut clear = 0;
        for _ in 0..ROUNDS {
            clear = if kill_marked(mark.as_bytes()) { 0 } else { clear + 1 };
            if clear == CLEAR {
                return;
            }
            std::thread::sleep(PAUSE);
        }
    }
}

/// Name of the variable that marks the children of this process, and of no other.
fn name() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        format!("SECATEUR_ENGINE_{}_{:x}", std::process::id(), now.as_nanos())
    })
}

/// Starts the keeper, unless it is there.
fn watch() -> io::Result<()> {
    static KEEPING: Mutex<Option<Child>> = Mutex::new(None);
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    let mut keeper = KEEPING.lock().unwrap_or_else(PoisonError::into_inner);
    if keeper.as_mut().is_some_and(|keeper| matches!(keeper.try_wait(), Ok(None))) {
        return Ok(());
    }
    let mut command = Command::new("sh");
    command.args(["-c", KEEPER, "secateur-keeper", &format!("{}=", name())]).current_dir("/");
    command.stdin(std::process::Stdio::piped());
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    *keeper = Some(own_group(&mut command).spawn()?);
    Ok(())
}

/// A group of its own: Ctrl-C is for this program, and what the process starts can be ended with it.
#[cfg(unix)]
pub fn own_group(command: &mut Command) -> &mut Command {
    use std::os::unix::process::CommandExt;
    command.process_group(0)
}

/// Nothing is grouped here.
#[cfg(not(unix))]
pub fn own_group(command: &mut Command) -> &mut Command {
    command
}

/// Ends a process that has a [group](own_group) of its own with all that is in it; it may be gone already.
#[cfg(unix)]
pub fn kill_group(child: &Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// Nothing is grouped here.
#[cfg(not(unix))]
pub fn kill_group(_: &Child) {}

/// Kills everybody with this text in the environment, and says whether there was anybody.
#[cfg(target_os = "linux")]
fn kill_marked(mark: &[u8]) -> bool {
    use rustix::process::{Pid, Signal, kill_process};
    let Ok(folder) = std::fs::read_dir("/proc") else { return false };
    let mut any_marked = false;
    for pid in folder.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok()) {
        // Processes of others cannot be read, and are none of ours.
        let Ok(environment) = std::fs::read(format!("/proc/{pid}/environ")) else { continue };
        if environment.windows(mark.len()).any(|text| text == mark) {
            any_marked = true;
            let _ = Pid::from_raw(pid).map(|pid| kill_process(pid, Signal::KILL));
        }
    }
    any_marked
}

#[cfg(not(target_os = "linux"))]
fn kill_marked(_: &[u8]) -> bool {
    false
}

/// Where Debian puts engines: a folder that is not in the `PATH` of every user.
const GAMES: &str = "/usr/games";

/// The program of this name: itself if it has a folder in it, or else the first in `PATH` and then in
/// `/usr/games`.
///
/// # Errors
/// [`Fault::NotFound`] if there is no file that can be run.
pub fn find(command: &Path) -> Result<PathBuf, EngineError> {
    let fail = |looked| Fault::NotFound(looked).of(&command.display().to_string());
    if command.components().count() > 1 {
        return match command.metadata() {
            Ok(_) if runs(command) => Ok(command.to_owned()),
            Ok(data) if data.is_dir() => {
                Err(fail("at this path, which is a folder: expected a program in it"))
            }
            Ok(_) => {
                Err(fail("as a program at this path: the file may not be run, which `chmod +x` changes"))
            }
            Err(_) => Err(fail("as a program at this path")),
        };
    }
    // `toga2` is `toga2.exe` where programs have an ending.
    let named = |folder: PathBuf| {
        let mut name = command.as_os_str().to_owned();
        name.push(std::env::consts::EXE_SUFFIX);
        [folder.join(command), folder.join(name)]
    };
    let mut places = folders().into_iter().flat_map(named);
    places.find(|place| runs(place)).ok_or_else(|| fail("in PATH and /usr/games"))
}

/// The folders that a bare name is looked for in, in order.
pub fn folders() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).chain([PathBuf::from(GAMES)]).collect()
}

/// Program and arguments of a command as people write it: the whole text if it is a path at which there is a program, else
/// its [`words`].
pub fn call(text: &str) -> (PathBuf, Vec<String>) {
    let whole = Path::new(text.trim());
    if whole.components().count() > 1 && runs(whole) {
        return (whole.to_owned(), Vec::new());
    }
    let mut parts = words(text).into_iter();
    (parts.next().unwrap_or_default().into(), parts.collect())
}

#[cfg(unix)]
fn runs(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn runs(path: &Path) -> bool {
    path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_names_are_found_and_others_taken_as_they_are() {
        let shell = find(Path::new("sh")).unwrap();
        assert!(shell.is_absolute() && shell.ends_with("sh"));
        assert_eq!(find(&shell).unwrap(), shell);
        let error = find(Path::new("no-such-engine")).unwrap_err().to_string();
        assert!(error.contains("`no-such-engine`") && error.contains("/usr/games"), "{error}");
        assert!(find(Path::new("./no/such")).is_err());
        let folder = find(&std::env::temp_dir()).unwrap_err().to_string();
        assert!(folder.contains("which is a folder"), "{folder}");
        let dir = tempfile::tempdir().unwrap();
        let script = dir.path().join("script");
        std::fs::write(&script, "#!/bin/sh\n").unwrap();
        let error = find(&script).unwrap_err().to_string();
        assert!(!cfg!(unix) || error.contains("chmod +x"), "{error}");
        assert!(find(Path::new("")).is_err());
    }
}
