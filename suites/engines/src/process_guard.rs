//! What ends an engine with everything that it started, however this program ends.
//!
//! An engine runs in a process group of its own and carries a mark in its environment, which its children inherit even
//! if they leave the group (`setsid`). Ending an engine ends the group and then whoever carries the mark. Should this
//! program be killed itself, a shell does that for it: it reads a pipe whose other end only this program holds, and when
//! the pipe closes it looks for the marks. No code has to run in a dying process, and none between fork and exec.
//!
//! Marks are looked for in `/proc`, so on Linux only. Elsewhere the group is ended, and after a `kill -9` of this program
//! an engine is left to notice that its input has closed. What wipes its environment *and* leaves its group escapes.

use std::io;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

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
/// So many looks in succession must find nobody: a process that is just replaced by another program (`exec`) shows no
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
