//! Commands of somebody else's build: run with a limit of time, what they say kept.

use crate::error::Error;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How often a command is looked at.
const GLANCE: Duration = Duration::from_millis(20);
/// As many lines of what a command says last stand in a message.
const TOLD: usize = 8;
/// Variables of whoever calls this that would lead a build elsewhere.
pub const LEADING: [&str; 5] =
    ["MAKEFLAGS", "MAKELEVEL", "MFLAGS", "CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR"];

/// What came of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ran {
    /// All that it said.
    pub text: String,
    /// Whether it ended well, in time.
    pub is_well: bool,
    /// Whether it had to be ended.
    pub is_late: bool,
}

impl Ran {
    /// The last lines that it said, in one.
    #[must_use]
    pub fn end(&self) -> String {
        let lines: Vec<&str> =
            self.text.lines().rev().filter(|line| !line.trim().is_empty()).take(TOLD).collect();
        lines.into_iter().rev().map(str::trim).collect::<Vec<_>>().join(" | ")
    }
}

/// Runs a command in a folder, for `within` at most.
///
/// # Errors
/// A shell that does not start; the file system.
pub fn shell(command: &str, folder: &Path, within: Duration) -> Result<Ran, Error> {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command).current_dir(folder);
    for name in LEADING {
        shell.env_remove(name);
    }
    let mut ran = run(&mut shell, within)?;
    if ran.is_late {
        ran.text += &format!("\n`{command}` was ended after {} s", within.as_secs());
    }
    Ok(ran)
}

/// Runs a program to its end, for `within` at most, without anything to read.
///
/// # Errors
/// A program that does not start; the file system.
pub fn run(command: &mut Command, within: Duration) -> Result<Ran, Error> {
    let log = tempfile::NamedTempFile::new().map_err(Error::io(&std::env::temp_dir()))?;
    let open = || File::options().append(true).open(log.path()).map_err(Error::io(log.path()));
    command.stdin(Stdio::null()).stdout(open()?).stderr(open()?);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let name = command.get_program().to_string_lossy().into_owned();
    let mut child = command.spawn().map_err(|error| Error::Usage(format!("{name}: {error}")))?;
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(Error::io(log.path()))? {
            break Some(status);
        }
        if begun.elapsed() > within {
            end(&mut child);
            break None;
        }
        std::thread::sleep(GLANCE);
    };
    let bytes = std::fs::read(log.path()).map_err(Error::io(log.path()))?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Ok(Ran { text, is_well: status.is_some_and(|status| status.success()), is_late: status.is_none() })
}

/// Ends a shell and what it started.
fn end(child: &mut std::process::Child) {
    #[cfg(unix)]
    if let Some(group) = rustix::process::Pid::from_raw(child.id().cast_signed()) {
        // It may be gone already, which is what is wanted.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}
