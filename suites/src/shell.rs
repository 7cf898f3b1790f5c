//! Programs of somebody else that are asked one thing: run with nothing to read, with limits of time and of what they say.

use crate::error::Error;
use secateur_engines::{kill_group, own_group};
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How often a command is looked at.
const GLANCE: Duration = Duration::from_millis(20);
/// As many lines of what a command says last stand in a message.
const TOLD: usize = 8;
/// Bytes that a command may say. One that takes the end of its input for commands says the same without end.
const MOST: u64 = 32 << 20;
/// Variables of whoever calls this that would lead a build elsewhere.
pub const LEADING: [&str; 5] =
    ["MAKEFLAGS", "MAKELEVEL", "MFLAGS", "CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR"];

/// What came of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ran {
    /// All that it said, its errors last.
    pub text: String,
    /// Whether it ended well, by itself.
    pub is_well: bool,
    /// Why it had to be ended, if it had.
    pub ended: Option<String>,
}

impl Ran {
    /// The last lines that it said, in one.
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
    if let Some(why) = &ran.ended {
        ran.text += &format!("\n`{command}` was ended: {why}");
    }
    Ok(ran)
}

/// Runs a program to its end, for `within` at most, without anything to read.
///
/// # Errors
/// A program that does not start; the file system.
pub fn run(command: &mut Command, within: Duration) -> Result<Ran, Error> {
    let log = || tempfile::NamedTempFile::new().map_err(Error::io(&std::env::temp_dir()));
    let (out, errors) = (log()?, log()?);
    let open = |log: &Path| File::options().append(true).open(log).map_err(Error::io(log));
    command.stdin(Stdio::null()).stdout(open(out.path())?).stderr(open(errors.path())?);
    own_group(command);
    let name = command.get_program().to_string_lossy().into_owned();
    let mut child = command.spawn().map_err(|error| Error::Usage(format!("{name}: {error}")))?;
    let begun = Instant::now();
    let size = |log: &Path| std::fs::metadata(log).map_or(0, |data| data.len());
    let (status, ended) = loop {
        if let Some(status) = child.try_wait().map_err(Error::io(out.path()))? {
            break (Some(status), None);
        }
        let why = if begun.elapsed() > within {
            format!("it did not end within {} s", within.as_secs())
        } else if size(out.path()) + size(errors.path()) > MOST {
            format!("it said more than {} MiB", MOST >> 20)
        } else {
            std::thread::sleep(GLANCE);
            continue;
        };
        kill_group(&child);
        // Each may be gone already, which is what is wanted.
        let _ = child.kill();
        let _ = child.wait();
        break (None, Some(why));
    };
    let text = |log: &Path| -> Result<String, Error> {
        let mut bytes = Vec::new();
        File::open(log).and_then(|file| file.take(MOST).read_to_end(&mut bytes)).map_err(Error::io(log))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let text = text(out.path())? + &text(errors.path())?;
    Ok(Ran { text, is_well: status.is_some_and(|status| status.success()), ended })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_does_not_end_is_ended_with_all_that_it_started() {
        let dir = tempfile::tempdir().unwrap();
        let second = Duration::from_secs(1);
        let ran = shell("sleep 600 & echo $! > pid; echo begun; wait", dir.path(), second).unwrap();
        assert!(!ran.is_well && ran.text.starts_with("begun\n"), "{ran:?}");
        assert_eq!(ran.ended.as_deref(), Some("it did not end within 1 s"));
        let pid: i32 = std::fs::read_to_string(dir.path().join("pid")).unwrap().trim().parse().unwrap();
        let is_gone = || {
            let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            state.is_empty() || state.contains(") Z ")
        };
        assert!(
            (0..100).any(|_| is_gone() || {
                std::thread::sleep(GLANCE);
                false
            }),
            "{pid} still runs"
        );
        // One that reads finds nothing to read, and one that repeats itself does not fill the disk.
        let ran = shell("cat; echo done >&2", dir.path(), 60 * second).unwrap();
        assert_eq!((ran.text.as_str(), ran.is_well), ("done\n", true));
        let ran = shell("yes 'unknown command: '", dir.path(), 120 * second).unwrap();
        assert_eq!(ran.ended.as_deref(), Some("it said more than 32 MiB"));
    }
}
