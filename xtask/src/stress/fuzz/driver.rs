//! Gives mutated inputs to a reader and watches: no panic, no hang, nothing taken in that should not be.

use super::mutate::mutated;
use crate::stress::dice::Dice;
use secateur_suites::instruments::clock::thread_time;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// CPU time after which an input counts as one that hangs.
const SLOW: Duration = Duration::from_secs(2);
/// Wall time after which a reader is given up: it never comes back, or the machine stands still.
const PATIENCE: Duration = Duration::from_secs(60);
/// Failures that are told of one reader.
const MOST: usize = 8;

/// What becomes of an input: whether it was taken in, or what was wrong with how.
pub(super) type Reaction = Result<bool, String>;

/// Looks at one input.
pub(super) type Check = Box<dyn FnMut(&[u8]) -> Reaction + Send>;

/// A reader.
pub(super) struct Target {
    pub(super) name: &'static str,
    /// Valid texts, all of which must be taken in.
    pub(super) corpus: Vec<Vec<u8>>,
    /// Words of the grammar.
    pub(super) words: Vec<&'static str>,
    /// Made in the thread that uses it.
    pub(super) check: Box<dyn FnOnce() -> Check + Send>,
}

/// What was found out about one reader.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    /// The reader.
    pub target: String,
    /// Inputs that it was given.
    pub inputs: u64,
    /// Those of them that it took in.
    pub accepted: u64,
    /// Wall time of it all.
    pub time: Duration,
    /// What went wrong, each once, with the input and the arguments of `cargo xtask` that show it again.
    pub failures: Vec<String>,
}

/// How far a target is.
enum Told {
    Alive,
    Failed(String),
    Done { inputs: u64, accepted: u64 },
}

/// Which inputs a reader is given.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) seed: u64,
    pub(super) inputs: u64,
    pub(super) time: Duration,
    /// The one input that was asked for.
    pub(super) only: Option<u64>,
}

/// Runs one target to its end.
pub(super) fn run(target: Target, plan: Plan) -> Found {
    let begin = Instant::now();
    let mut found = Found { target: target.name.to_owned(), ..Found::default() };
    let (sender, told) = sync_channel(64);
    let current = Arc::new(Mutex::new(Vec::new()));
    let shown = Arc::clone(&current);
    // The thread of a reader that hangs is left behind; the process ends soon.
    let worker = std::thread::Builder::new().name("reader".to_owned()).stack_size(8 << 20);
    let spawned = worker.spawn(move || work(target, plan, begin, &shown, &sender));
    if let Err(error) = spawned {
        found.failures.push(format!("no thread: {error}"));
        return found;
    }
    loop {
        match told.recv_timeout(PATIENCE) {
            Ok(Told::Alive) => {}
            Ok(Told::Failed(what)) => found.failures.push(what),
            Ok(Told::Done { inputs, accepted }) => {
                (found.inputs, found.accepted) = (inputs, accepted);
                break;
            }
            Err(error) => {
                let input = current.lock().unwrap_or_else(PoisonError::into_inner).escape_ascii().to_string();
                let what = if error == RecvTimeoutError::Timeout { "never came back" } else { "is gone" };
                found.failures.push(format!("{} {what} with: {input}", found.target));
                break;
            }
        }
    }
    found.time = begin.elapsed();
    found
}

fn work(target: Target, plan: Plan, begin: Instant, current: &Mutex<Vec<u8>>, told: &SyncSender<Told>) {
    let Target { name, corpus, words, check } = target;
    let mut check = check();
    let (mut inputs, mut accepted) = (0, 0);
    let mut seen = Vec::new();
    // Nobody listens any more if a send fails.
    let mut look = |number: Option<u64>, input: &[u8]| {
        input.clone_into(&mut current.lock().unwrap_or_else(PoisonError::into_inner));
        let (verdict, slow) = looked(&mut check, input);
        let wrong = match (&verdict, number, slow) {
            (Err(what), ..) => what.clone(),
            (Ok(_), _, Some(time)) => format!("took {time:.1?} of CPU time"),
            (Ok(false), None, _) => "refused a valid text".to_owned(),
            (Ok(taken), ..) => return *taken,
        };
        // Where it happened tells failures apart, what stood in the input does not.
        let kind = wrong.split('`').next().unwrap_or_default().to_owned();
        if seen.len() < MOST && !seen.contains(&kind) {
            seen.push(kind);
            let again = number.map_or_else(String::new, |number| {
                format!("\n  again: cargo xtask fuzz --seed {} --target {name} --number {number}", plan.seed)
            });
            let words = format!("{name}: {wrong}\n  input: {}{again}", input.escape_ascii());
            let _ = told.send(Told::Failed(words));
        }
        false
    };
    if plan.only.is_none() {
        corpus.iter().for_each(|text| {
            look(None, text);
        });
    }
    let numbers = plan.only.map_or(0..plan.inputs, |number| number..number + 1);
    for number in numbers {
        if number % 64 == 0 {
            if begin.elapsed() > plan.time {
                break;
            }
            let _ = told.try_send(Told::Alive);
        }
        let input = mutated(&mut Dice::new(plan.seed, name, number), &corpus, &words);
        accepted += u64::from(look(Some(number), &input));
        inputs += 1;
    }
    let _ = told.send(Told::Done { inputs, accepted });
}

/// The verdict on an input, and the time it took if that was too long.
fn looked(check: &mut Check, input: &[u8]) -> (Reaction, Option<Duration>) {
    let before = thread_time();
    let verdict = match catch_unwind(AssertUnwindSafe(|| check(input))) {
        Ok(verdict) => verdict,
        Err(_) => Err(format!("panicked at {}", super::last_panic())),
    };
    let took = thread_time().saturating_sub(before);
    (verdict, (took > SLOW).then_some(took))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(check: fn(&[u8]) -> Reaction) -> Target {
        let corpus = vec![b"12 34".to_vec()];
        Target { name: "t", corpus, words: vec!["x"], check: Box::new(move || Box::new(check)) }
    }

    fn found(check: fn(&[u8]) -> Reaction) -> Found {
        run(target(check), Plan { seed: 1, inputs: 300, time: Duration::from_secs(60), only: None })
    }

    #[test]
    fn what_goes_wrong_is_told_once_with_its_input() {
        let good = found(|_| Ok(true));
        assert_eq!((good.inputs, good.accepted, good.failures.len()), (300, 300, 0));
        let panics = found(|input| if input.len() > 9 { panic!("long") } else { Ok(true) });
        // Another test may set the hook that tells where, so that there is one more.
        assert!((1..=2).contains(&panics.failures.len()), "{:?}", panics.failures);
        let words = &panics.failures[0];
        assert!(words.contains("panicked at") && words.contains("--target t --number"), "{words}");
        let refused = found(|input| Ok(input != b"12 34"));
        assert!(refused.failures[0].contains("refused a valid text"));
        assert!(found(|_| Err("illegal".to_owned())).failures[0].contains("illegal"));
    }
}
