//! Which protocol a program speaks, found out by speaking to it.
//!
//! Each protocol is tried with the arguments that are given, then with those that some programs want before they speak it
//! ([`WORDS`]), and counts as spoken once a search was answered in it. A program that does not understand a greeting mostly says
//! nothing, so every trial has its own short wait.

use crate::{Abilities, Ask, Engine, EngineError, Fault, Go, Protocol, Spec, Trial, find};
use std::path::Path;
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
    let died = |(_, error): &(String, EngineError)| matches!(error.fault, Fault::Died { .. });
    let mut failed: Vec<(String, EngineError)> = Vec::new();
    for folder in std::iter::once(None).chain(own_folder.map(Some)) {
        if folder.is_some() && !failed.iter().any(died) {
            break;
        }
        let mut failed_here = Vec::new();
        for (word, protocol) in protocols.iter().flat_map(worded) {
            let args: Vec<String> = args.iter().cloned().chain(word.map(str::to_owned)).collect();
            let name = command.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let folder = folder.clone();
            let spec = Spec { name, protocol, command: command.to_owned(), args, folder, ..Spec::default() };
            match searching(&spec, patience) {
                Ok(engine) => return Ok(Recognised { spec, engine }),
                Err(error @ EngineError { fault: Fault::Start { .. }, .. }) => {
                    return Err(vec![(String::new(), error)]);
                }
                Err(error) => {
                    let tried =
                        word.map_or_else(|| protocol.to_string(), |word| format!("{protocol} with `{word}`"));
                    failed_here.push((tried, error));
                }
            }
        }
        // Where it ends in the same way in both, the first says as much.
        if failed.is_empty() || !failed_here.iter().all(died) {
            failed = failed_here;
        }
    }
    Err(failed)
}

/// A program that has made the shortest search that it can be asked for. What a program cannot be asked some learn only by asking:
/// then it is asked for the next.
fn searching(spec: &Spec, patience: Duration) -> Result<Engine, EngineError> {
    let mut engine = Engine::start(spec, &[], patience)?;
    let trial = Trial::usual(engine.protocol().notation(), patience);
    let go = |abilities: &Abilities| match abilities {
        Abilities { depth: true, .. } => Go::Depth(1),
        Abilities { time: true, time_step, .. } => Go::MoveTime((*time_step).max(abilities.least_time)),
        _ => Go::Own,
    };
    loop {
        let before = engine.abilities();
        let answer = engine.search(&Ask::new(trial.position, go(&before)), patience);
        let Err(error) = answer else { return Ok(engine) };
        match error.fault {
            Fault::Unable { .. } if go(&engine.abilities()) != go(&before) => {}
            // A move of another game, as CECP has more than one; a protocol in which it takes no position. Another may do.
            Fault::BadMove { .. } | Fault::Unable { .. } => return Err(error),
            // Some know nothing but a clock.
            Fault::Hung { .. } if before.clock => return by_a_clock(spec, &trial, patience).ok_or(error),
            // What it makes of the question is asked later; that it was understood is enough.
            _ => return if error.fault.is_survived() { Ok(engine) } else { Err(error) },
        }
    }
}

/// A program that has made a move in time for a clock.
fn by_a_clock(spec: &Spec, trial: &Trial<'_>, patience: Duration) -> Option<Engine> {
    let mut engine = Engine::start(spec, &[], patience).ok()?;
    let go = Go::Clock { time: [trial.clock; 2], increment: [Duration::ZERO; 2], moves_to_go: None };
    engine.search(&Ask::new(trial.position, go), patience).is_ok().then_some(engine)
}
