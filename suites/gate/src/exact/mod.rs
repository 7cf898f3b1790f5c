//! Exact quantities against a baseline: what the gate of this project holds, and one for anybody's search.
//!
//! What is compared repeats exactly on every machine: for each arm the nodes of all its searches, and a signature of every
//! depth, node count, value and move. Only budgets in plies or nodes are looked at. Where instructions were counted, they are
//! compared too, within what they may wobble: they belong to a toolchain, and the file keeps those of several side by side.
//!
//! Trees are compared exactly. That there are no counts of a toolchain is said, and is no breach.

mod baseline;

use secateur_record::gate::{Answer, Question};
use secateur_suites::{Error, Runs};
use std::path::Path;

pub(crate) use baseline::name;
pub use baseline::{Accuracy, Baseline, BaselineArm, Cost, Counted, Toolchain, measured};

/// Set to anything, this variable has [`gate`] write the file anew instead of comparing with it.
pub const UPDATE: &str = "SECATEUR_BLESS";

/// Compares runs with the file at `path`, line by line what differs; nothing if all is as in the baseline. A file that is not
/// there, or the variable [`UPDATE`], has it written.
///
/// # Errors
/// A file that cannot be read or written, or that is no baseline.
pub fn gate(runs: &Runs, path: &Path) -> Result<Vec<String>, Error> {
    if !path.exists() || std::env::var_os(UPDATE).is_some() {
        update(runs, path)?;
        return Ok(Vec::new());
    }
    compare(runs, path)
}

/// Writes the exact quantities of runs as what is expected from now on. Instructions of other toolchains stay where their arm
/// searches the same trees. An arm of another program that searches the trees of another arm is not accepted, because its switch
/// switches nothing, unless the file says so already.
///
/// # Errors
/// A file that cannot be read or written; an arm whose switch switches nothing.
pub fn update(runs: &Runs, path: &Path) -> Result<(), Error> {
    let (baseline, now) = (Baseline::read(path)?, measured(runs));
    match baseline.unsaid(&now, &[]).first() {
        Some(same) => Err(Error::Usage(format!("{}: the baseline was not written: {same}", path.display()))),
        None => baseline.updated(&now).write(path),
    }
}

/// What of runs is not as the file at `path` has it, a line each.
///
/// # Errors
/// A file that cannot be read, or that is no baseline.
pub fn compare(runs: &Runs, path: &Path) -> Result<Vec<String>, Error> {
    let checks = judge(&measured(runs), &Baseline::read(path)?, TOLERANCE, None);
    // An arm that is not in the baseline is named at a terminal, and fails a test.
    let differs = |check: &Question| match check.verdict {
        Answer::Regression => true,
        Answer::NotInBaseline => check.what == "signature",
        _ => false,
    };
    Ok(checks.iter().filter(|check| differs(check)).map(line).collect())
}

/// A question in one line.
fn line(check: &Question) -> String {
    format!("{}, {}: {}, expected {}", check.subject, check.what, check.found, check.expected)
}

/// What is not as in the baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breached(pub Vec<String>);

impl std::fmt::Display for Breached {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "not as the baseline has it:\n{}", self.0.join("\n"))
    }
}

impl std::error::Error for Breached {}

/// [`gate`] for a test or a program that ends with the first error.
///
/// # Errors
/// Those of [`gate`]; [`Breached`] with what differs.
pub fn hold(runs: &Runs, path: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let breaches = gate(runs, path)?;
    if breaches.is_empty() { Ok(()) } else { Err(Breached(breaches).into()) }
}

/// By how much instructions may usually differ from the baseline's count besides their noise, as a part of it.
pub const TOLERANCE: f64 = 0.005;

/// Asks every question. `tolerance` is what instructions may differ by besides their noise, as a part of the baseline's count;
/// `uncounted` says why there are none although they were asked for.
pub fn judge(
    measured: &Baseline,
    baseline: &Baseline,
    tolerance: f64,
    uncounted: Option<&str>,
) -> Vec<Question> {
    let mut checks: Vec<Question> =
        measured.arm.iter().map(|(name, now)| signature(name, now, baseline.arm.get(name))).collect();
    for (name, now) in &measured.arm {
        let then = baseline.arm.get(name).and_then(|then| then.same_as.as_ref());
        // Without a baseline there is no regression.
        let is_new = |same: &&String| then != Some(same) && !baseline.arm.is_empty();
        if let Some(same) = now.same_as.as_ref().filter(is_new) {
            let found = format!("searches the trees of `{same}`: its switch switches nothing here");
            checks.push(Question::new("switch", name, "trees of its own".to_owned(), found, false));
        }
    }
    let gone = baseline.arm.iter().filter(|(name, _)| !measured.arm.contains_key(*name));
    checks.extend(gone.map(|(name, then)| {
        Question::new("signature", name, trees_in_words(then), "not searched".to_owned(), false)
    }));
    let is_silent = measured.counted.is_empty() && !baseline.counted.is_empty();
    if let Some(reason) =
        uncounted.or(is_silent.then_some("this run did not ask for counts, and the baseline has some"))
    {
        let found = format!("not counted: {reason}");
        checks.push(undecided("instructions", "all", "counts".to_owned(), found, Answer::Skipped));
    }
    measured.counted.iter().for_each(|now| checks.extend(instructions(now, measured, baseline, tolerance)));
    checks.extend(measured.arm.iter().filter_map(|(name, now)| accuracy(name, now, baseline.arm.get(name)?)));
    checks
}

/// Same move, same value and error: no worse than the baseline. The arm that others are compared with is always right.
fn accuracy(name: &str, now: &BaselineArm, then: &BaselineArm) -> Option<Question> {
    let (held, old) = (now.accuracy?, then.accuracy?);
    let in_words = |arm: &BaselineArm, accuracy: &Accuracy| {
        let (cells, Accuracy { same_move, same_value, error }) = (arm.cells, accuracy);
        format!("move {same_move}/{cells}, value {same_value}/{cells}, error {error}")
    };
    let fine = now.cells == then.cells
        && held.same_move >= old.same_move
        && held.same_value >= old.same_value
        && held.error <= old.error;
    let expected = format!("no worse than {}", in_words(then, &old));
    Some(Question::new("accuracy", name, expected, in_words(now, &held), fine))
}

fn trees_in_words(arm: &BaselineArm) -> String {
    format!("{} nodes, {}", arm.nodes, arm.signature)
}

fn signature(name: &str, now: &BaselineArm, then: Option<&BaselineArm>) -> Question {
    let Some(then) = then else { return absent("signature", name, trees_in_words(now)) };
    let found = match now.nodes as f64 / then.nodes.max(1) as f64 - 1.0 {
        _ if now.searches_as(then) => trees_in_words(now),
        _ if now.nodes == then.nodes => format!("{}: other searches of as many nodes", trees_in_words(now)),
        change => format!("{} ({:+.2} %)", trees_in_words(now), 100.0 * change),
    };
    Question::new("signature", name, trees_in_words(then), found, now.searches_as(then))
}

/// A question that is no breach, whatever was measured.
fn undecided(what: &'static str, name: &str, expected: String, found: String, verdict: Answer) -> Question {
    Question { verdict, ..Question::new(what, name, expected, found, true) }
}

/// What the baseline does not have.
fn absent(what: &'static str, name: &str, found: String) -> Question {
    undecided(what, name, "not in the baseline".to_owned(), found, Answer::NotInBaseline)
}

/// The questions on one toolchain.
fn instructions(now: &Counted, measured: &Baseline, baseline: &Baseline, tolerance: f64) -> Vec<Question> {
    let Some(then) = baseline.counted.iter().find(|counted| counted.toolchain == now.toolchain) else {
        let toolchains: Vec<String> =
            baseline.counted.iter().map(|counted| counted.toolchain.to_string()).collect();
        let uncompared = format!(
            "{}: the baseline has no counts of this toolchain, so nothing was compared",
            now.toolchain
        );
        return vec![match toolchains.is_empty() {
            true => absent("instructions", "all", uncompared),
            false => {
                undecided("instructions", "all", toolchains.join(" or "), uncompared, Answer::NotInBaseline)
            }
        }];
    };
    let tolerance = tolerance + now.spread + then.spread;
    let counted = now.instructions.iter().map(|(name, cost)| match then.instructions.get(name) {
        Some(old) => within(name, *cost, *old, tolerance),
        None => absent("instructions", name, cost.instructions.to_string()),
    });
    let is_left = |name: &String| measured.arm.contains_key(name) && !now.instructions.contains_key(name);
    let left = then.instructions.iter().filter(|(name, _)| is_left(name));
    counted.chain(left.map(|(name, old)| within(name, Cost::default(), *old, tolerance))).collect()
}

/// Whether an arm takes what it took. Counts of fewer searches or of more are compared with nothing.
fn within(name: &str, now: Cost, then: Cost, tolerance: f64) -> Question {
    let expected = format!("{} within {:.2} %", then.instructions, 100.0 * tolerance);
    if now.cells != then.cells {
        let found = format!("{} of {} searches have a count", now.cells, then.cells);
        return undecided("instructions", name, expected, found, Answer::Skipped);
    }
    let change = now.instructions as f64 / then.instructions.max(1) as f64 - 1.0;
    let found = format!("{} ({:+.3} %)", now.instructions, 100.0 * change);
    Question::new("instructions", name, expected, found, change.abs() <= tolerance)
}

#[cfg(test)]
mod tests;
