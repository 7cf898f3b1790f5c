//! Where the program of an engine is, and which protocol it speaks, found out by speaking to it.
//!
//! Each protocol is tried with the arguments that are given, then with those that some programs want before they speak it
//! ([`WORDS`]), and counts as spoken once a search was answered in it. A program that does not understand a greeting mostly says
//! nothing, so every trial has its own short wait.

use crate::{Abilities, Ask, Engine, EngineError, Go, Protocol, Spec, Trial};
use secateur_base::words::words;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Arguments without which some programs talk to people only, and the protocol that they ask for.
const WORDS: [(&str, Protocol); 4] = [
    ("--uci", Protocol::Uci),
    ("uci", Protocol::Uci),
    ("--xboard", Protocol::Cecp),
    ("--gtp", Protocol::Gtp),
];

/// A program that answered.
#[derive(Debug)]
pub struct Recognised {
    /// How it was started.
    pub spec: Spec,
    /// The program, running.
    pub engine: Engine,
}

/// Starts a program in each of these protocols until it answers in one, waiting `patience` for every answer.
///
/// # Errors
/// A program that is not there or cannot be started; what came of each trial, if it answered in none.
pub fn recognise(
    command: &Path,
    args: &[String],
    protocols: &[Protocol],
    patience: Duration,
) -> Result<Recognised, Vec<(String, EngineError)>> {
    if let Err(error) = find(command) {
        return Err(vec![(String::new(), error)]);
    }
    let worded = |protocol: &Protocol| {
        let starts = WORDS.iter().filter(|(_, one)| one == protocol).map(|(word, one)| (Some(*word), *one));
        std::iter::once((None, *protocol)).chain(starts.collect::<Vec<_>>())
    };
    // A program that ends at once may miss its files, which it looks for in the folder where it begins.
    let own_folder = command.parent().filter(|folder| !folder.as_os_str().is_empty()).map(Path::to_owned);
    let died = |(_, error): &(String, EngineError)| matches!(error, EngineError::Died { .. });
    let mut failed: Vec<(String, EngineError)> = Vec::new();
    for folder in std::iter::once(None).chain(own_folder.map(Some)) {
        if folder.is_some() && !failed.iter().any(died) {
            break;
        }
        let mut again = Vec::new();
        for (word, protocol) in protocols.iter().flat_map(worded) {
            let args: Vec<String> = args.iter().cloned().chain(word.map(str::to_owned)).collect();
            let name = command.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let folder = folder.clone();
            let spec = Spec { name, protocol, command: command.to_owned(), args, folder, ..Spec::default() };
            match searching(&spec, patience) {
                Ok(engine) => return Ok(Recognised { spec, engine }),
                Err(error @ EngineError::Start { .. }) => return Err(vec![(String::new(), error)]),
                Err(error) => {
                    let tried =
                        word.map_or_else(|| protocol.to_string(), |word| format!("{protocol} with `{word}`"));
                    again.push((tried, error));
                }
            }
        }
        // Where it ends in the same way in both, the first says as much.
        if failed.is_empty() || !again.iter().all(died) {
            failed = again;
        }
    }
    Err(failed)
}

/// A program that has made the shortest search that it can be asked for. What a program cannot be asked some learn only by asking:
/// then it is asked for the next.
fn searching(spec: &Spec, patience: Duration) -> Result<Engine, EngineError> {
    let mut engine = Engine::start(spec, &[], patience)?;
    let mut moves = Vec::new();
    let trial = Trial::usual(engine.protocol().notation(), &mut moves, patience);
    let go = |abilities: &Abilities| match abilities {
        Abilities { depth: true, .. } => Go::Depth(1),
        Abilities { time: true, time_step, .. } => Go::MoveTime((*time_step).max(abilities.least_time)),
        _ => Go::Own,
    };
    loop {
        let before = engine.abilities();
        match engine.search(&Ask::new(trial.position, go(&before)), patience) {
            Err(EngineError::Unable { .. }) if go(&engine.abilities()) != go(&before) => {}
            // A move of another game, as CECP has more than one; a protocol in which it takes no position. Another may do.
            Err(error @ (EngineError::BadMove { .. } | EngineError::Unable { .. })) => return Err(error),
            // Some know nothing but a clock.
            Err(error @ EngineError::Hung { .. }) if before.clock => {
                return by_a_clock(spec, &trial, patience).ok_or(error);
            }
            // What it makes of the question is asked later; that it was understood is enough.
            Err(error) if !error.is_survived() => return Err(error),
            _ => return Ok(engine),
        }
    }
}

/// A program that has made a move in time for a clock.
fn by_a_clock(spec: &Spec, trial: &Trial<'_>, patience: Duration) -> Option<Engine> {
    let mut engine = Engine::start(spec, &[], patience).ok()?;
    let go = Go::Clock { time: [trial.clock; 2], increment: [Duration::ZERO; 2], moves_to_go: None };
    engine.search(&Ask::new(trial.position, go), patience).is_ok().then_some(engine)
}

/// Where Debian puts engines: a folder that is not in the `PATH` of every user.
const GAMES: &str = "/usr/games";

/// The program of this name: itself if it has a folder in it, or else the first in `PATH` and then in
/// `/usr/games`.
///
/// # Errors
/// [`EngineError::NotFound`] if there is no file that can be run.
pub fn find(command: &Path) -> Result<PathBuf, EngineError> {
    let fail = |looked| EngineError::NotFound { command: command.to_owned(), looked };
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
#[must_use]
pub fn folders() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).chain([PathBuf::from(GAMES)]).collect()
}

/// Program and arguments of a command as people write it: the whole text if it is a path at which there is a program, else
/// its [`words`].
#[must_use]
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
