//! The program on trial: how it is called, interrupted and waited for.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

/// No call here takes a hundredth of this, unless the machine has much else to do.
const PATIENCE: Duration = Duration::from_secs(1200);
/// The same where something is built first.
const BUILDING: Duration = Duration::from_secs(3600);

/// The binary.
#[derive(Clone, Debug)]
pub(super) struct Program(pub(super) PathBuf);

/// How a call ended.
#[derive(Clone, Debug)]
pub(super) struct Ended {
    /// Exit code; absent after a signal.
    pub(super) code: Option<i32>,
    /// Standard output.
    pub(super) said: String,
    /// Standard error.
    pub(super) complained: String,
}

impl Ended {
    /// Why this is no clean refusal, if it is none: a panic, a signal, or no message.
    pub(super) fn unclean(&self) -> Option<String> {
        let panicked = self.complained.contains("panicked at");
        // A verdict is no error, but not without a word either.
        let is_verdict = self.code == Some(3) && !self.complained.trim().is_empty();
        let explained = is_verdict || self.complained.lines().any(|line| line.starts_with("error: "));
        (panicked || !explained || !matches!(self.code, Some(1..=4))).then(|| self.words())
    }

    /// Exit code and last words.
    pub(super) fn words(&self) -> String {
        let code = self.code.map_or_else(|| "a signal".to_owned(), |code| format!("exit {code}"));
        let line = self.complained.lines().rev().find(|line| line.starts_with("error: "));
        let line = line.or_else(|| self.complained.lines().next_back()).unwrap_or_default();
        format!("{code}, {line}")
    }
}

impl Program {
    /// A call in a folder, with the folder's own place for temporary files.
    fn command(&self, dir: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.0);
        command.args(arguments).current_dir(dir).env("TMPDIR", dir).env("COLUMNS", "100");
        command
    }

    /// Runs to the end. With `cargo`, what the program needs is built first if it is not there.
    pub(super) fn run(&self, dir: &Path, arguments: &[&str], cargo: bool) -> io::Result<Ended> {
        let mut command = self.command(dir, arguments);
        if !cargo {
            command.env_remove("CARGO");
        }
        ended(patiently(command, if cargo { BUILDING } else { PATIENCE })?)
    }

    /// Runs to the end with files of at most this many blocks of 512 bytes: writes beyond fail, as on a full disk.
    pub(super) fn run_cramped(&self, dir: &Path, arguments: &[&str], blocks: u64) -> io::Result<Ended> {
        let mut command = Command::new("sh");
        // A process that ignores the signal is told by the write itself.
        let script = "trap '' XFSZ; ulimit -f \"$1\" || exit 99; shift; exec \"$@\"";
        command.args(["-c", script, "sh", &blocks.to_string()]).arg(&self.0).args(arguments);
        command.current_dir(dir).env("TMPDIR", dir).env("COLUMNS", "100").env_remove("CARGO");
        ended(patiently(command, PATIENCE)?)
    }

    /// Starts without waiting; nobody listens.
    pub(super) fn start(&self, dir: &Path, arguments: &[&str]) -> io::Result<Child> {
        let mut command = self.command(dir, arguments);
        command.env_remove("CARGO").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()
    }
}

/// The end of a process that was started.
pub(super) fn finished(child: Child) -> io::Result<Ended> {
    ended(child.wait_with_output()?)
}

fn ended(output: Output) -> io::Result<Ended> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let Output { status, stdout, stderr } = output;
    Ok(Ended { code: status.code(), said: text(&stdout), complained: text(&stderr) })
}

/// The output of a command; one that hangs is killed.
fn patiently(mut command: Command, patience: Duration) -> io::Result<Output> {
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let pid = child.id();
    let (done, waiting) = std::sync::mpsc::channel::<()>();
    let watch = std::thread::spawn(move || {
        if waiting.recv_timeout(patience) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
            send(pid, true);
        }
    });
    let output = child.wait_with_output();
    drop(done);
    // The thread only waits and sends.
    let _ = watch.join();
    output
}

/// Lets a process live for so long, then ends it: at once, or as Ctrl-C does. Whether it was still alive.
pub(super) fn end_after(child: &mut Child, time: Duration, at_once: bool) -> io::Result<Option<ExitStatus>> {
    let due = Instant::now() + time;
    while Instant::now() < due {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        std::thread::sleep((due - Instant::now()).min(Duration::from_micros(500)));
    }
    if let Some(status) = child.try_wait()? {
        return Ok(Some(status));
    }
    send(child.id(), at_once);
    Ok(None)
}

/// SIGKILL or SIGINT; nothing where there are no signals, and nothing is tortured there.
#[cfg(not(unix))]
fn send(_: u32, _: bool) {}

/// SIGKILL or SIGINT.
#[cfg(unix)]
fn send(pid: u32, at_once: bool) {
    use rustix::process::{Pid, Signal, kill_process};
    let signal = if at_once { Signal::KILL } else { Signal::INT };
    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        // One that is gone already needs no signal.
        let _ = kill_process(pid, signal);
    }
}

/// Ends what killed runs left behind: programs whose command line names a folder of ours (valgrind goes on alone).
pub(super) fn end_orphans(dir: &Path) {
    let needle = dir.as_os_str().as_encoded_bytes();
    let Ok(processes) = std::fs::read_dir("/proc") else { return };
    for process in processes.flatten() {
        let Some(pid) = process.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let line = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        if pid != std::process::id() && line.windows(needle.len()).any(|window| window == needle) {
            send(pid, true);
        }
    }
}
