//! The program `cell`: where it is, how it is called, what it answers.
//!
//! It is a program of its own so that what is counted holds the search and nothing of the commands, whose changes
//! would move the counts.

use super::Count;
use secateur_suites::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// The argument at which it says the hash of its sources, and nothing else.
pub const SOURCES: &str = "--sources";

/// Where the program is, or is built.
struct Place {
    path: PathBuf,
    target: PathBuf,
    is_release: bool,
    /// The package of the program that asks.
    asking: &'static str,
}

impl Place {
    fn find() -> Result<Place, Error> {
        let this = std::env::current_exe().map_err(|error| Error::Count(format!("where am I: {error}")))?;
        // Tests lie one folder deeper than programs.
        let folder =
            this.parent().map(|dir| if dir.ends_with("deps") { dir.parent().unwrap_or(dir) } else { dir });
        let folder = folder.unwrap_or(Path::new("."));
        let is_release = secateur_suites::instruments::machine::compilation().profile == "release";
        let target = folder.parent().unwrap_or(Path::new("target"));
        let path = folder.join(format!("cell{}", std::env::consts::EXE_SUFFIX));
        let asking = if this.file_stem().is_some_and(|name| name == "xtask") { "xtask" } else { "secateur" };
        Ok(Place { path, target: target.to_owned(), is_release, asking })
    }

    /// The error of a program that is not as it must be.
    fn wrong(&self, what: &str) -> Error {
        let profile = if self.is_release { "--release " } else { "" };
        Error::Count(format!(
            "{}: {what}; build it with: cargo build {profile}--package secateur-gate --bin cell",
            self.path.display()
        ))
    }

    /// Has cargo build it. Something else is selected with it, so that its dependencies have the features that they have already and
    /// nothing is built twice: in a release build the program that asks, else a test among the packages of all tests.
    fn build(&self, cargo: &Path) -> Result<(), Error> {
        let mut command = Command::new(cargo);
        command.args(["build", "--quiet", "--bin", "cell"]);
        match self.is_release {
            true => command.args(["--release", "--package", "secateur-gate", "--package", self.asking]),
            false => command.args(["--workspace", "--test", "instructions"]),
        };
        // Cargo looks for its configuration, and with it for the processor that is compiled for, from where it is called.
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        command.arg("--target-dir").arg(&self.target).current_dir(workspace);
        match command.status() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(Error::Count(format!("cargo build --bin cell: {status}"))),
            Err(error) => Err(Error::Count(format!("{}: {error}", cargo.display()))),
        }
    }
}

/// What is wrong with a program that is not there.
const MISSING: &str = "there is no such program";

/// Whether the program is there, or cargo called us and builds it. One that was installed has none next to it.
///
/// # Errors
/// A sentence that says so.
pub(super) fn available() -> Result<(), String> {
    let place = Place::find().map_err(|error| error.to_string())?;
    match std::env::var_os("CARGO").is_some() || place.path.is_file() {
        true => Ok(()),
        false => Err(place.wrong(MISSING).to_string()),
    }
}

/// The program, built or brought up to date by cargo where cargo called us.
///
/// # Errors
/// It is not there, cannot be built, or is of other sources than this program.
pub fn cell() -> Result<PathBuf, Error> {
    let place = Place::find()?;
    let path = &place.path;
    let is_built = !place.is_release && is_current(path);
    if let (Some(cargo), false) = (std::env::var_os("CARGO"), is_built) {
        place.build(Path::new(&cargo))?;
    }
    if !path.is_file() {
        return Err(place.wrong(MISSING));
    }
    if is_current(path) {
        Ok(place.path)
    } else {
        Err(place.wrong("built from other sources than this program"))
    }
}

/// Whether the program says that it was built from the sources that this one was built from.
fn is_current(path: &Path) -> bool {
    let output = Command::new(path).arg(SOURCES).stdin(Stdio::null()).output();
    let our_sources = secateur_suites::instruments::machine::compilation().source;
    output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).trim() == our_sources)
}

/// Cells as an argument names them.
pub(super) fn names(cells: &[usize]) -> String {
    cells.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// An answer, line by line; its instructions are 0 where the program did not count them itself.
pub(super) fn counts(text: &str) -> Result<Vec<Count>, String> {
    text.lines().map(line).collect()
}

/// Runs a program to its end; what it printed, or why it failed.
pub(super) fn finished(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    // Ctrl-C is for us: what is being counted is finished, as searches are.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("{name}: {error}"))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        // valgrind's own lines begin with `==`.
        let words: Vec<&str> =
            errors.lines().filter(|line| !line.starts_with("==")).flat_map(str::split_whitespace).collect();
        return Err(format!("{name}: {}: {}", output.status, words.join(" ")));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn line(text: &str) -> Result<Count, String> {
    let numbers: Option<Vec<u64>> = text.split(' ').map(|word| word.parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[cell, nodes]) => Ok(Count { cell: cell as usize, nodes, instructions: 0 }),
        Some(&[cell, nodes, instructions]) => Ok(Count { cell: cell as usize, nodes, instructions }),
        _ => Err(format!("cell: found `{text}`, expected `CELL NODES` or `CELL NODES INSTRUCTIONS`")),
    }
}

/// A new folder for what one call of valgrind writes, which ends with its owner. Its name is drawn: another process may
/// have had our number and been killed before it could remove its own.
pub(super) fn scratch() -> Result<TempDir, String> {
    let made = tempfile::Builder::new().prefix("secateur-").tempdir();
    made.map_err(|error| format!("{}: {error}", std::env::temp_dir().display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_or_refused() {
        assert_eq!(line("3 12").unwrap(), Count { cell: 3, nodes: 12, instructions: 0 });
        assert_eq!(line("3 12 99").unwrap().instructions, 99);
        for text in ["", "3", "3 12 99 1", "3 x", "3  12"] {
            assert!(line(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_program_that_fails_says_why_on_one_line() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo '==1== valgrind'; echo one >&2; echo '==2== x' >&2; echo two >&2; exit 2"]);
        let error = finished(&mut command).unwrap_err();
        assert!(error.ends_with(": one two"), "{error}");
        assert!(finished(&mut Command::new("no-such-program")).is_err());
    }
}
