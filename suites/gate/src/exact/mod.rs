//! Exact quantities against a file that was blessed: what the gate of this project holds, and one for anybody's search.
//!
//! What is compared repeats exactly on every machine: for each arm the nodes of all its searches, and a signature of every
//! depth, node count, value and move. Only budgets in plies or nodes are looked at. Where instructions were counted, they are
//! compared too, within what they may wobble: they belong to a toolchain, and the file keeps those of several side by side.

mod baseline;
mod judge;
#[cfg(test)]
mod tests;

pub(crate) use baseline::name;
pub use baseline::{Accuracy, Baseline, Blessed, Cost, Counted, Toolchain, measured};
pub use judge::{TOLERANCE, judge};

use secateur_record::gate::{Answer, Question};
use secateur_suites::{Error, Runs};
use std::path::Path;

/// Set to anything, this variable has [`gate`] write the file anew instead of comparing with it.
pub const BLESS: &str = "SECATEUR_BLESS";

/// Compares runs with the file at `path`, line by line what differs; nothing if all is as it was blessed. A file that is not
/// there, or the variable [`BLESS`], has it written.
///
/// # Errors
/// A file that cannot be read or written, or that is no baseline.
pub fn gate(runs: &Runs, path: &Path) -> Result<Vec<String>, Error> {
    if !path.exists() || std::env::var_os(BLESS).is_some() {
        bless(runs, path)?;
        return Ok(Vec::new());
    }
    compare(runs, path)
}

/// Writes the exact quantities of runs as what is expected from now on. Instructions of other toolchains stay where their arm
/// searches the same trees. An arm of another program that searches the trees of another arm is not blessed, because its switch
/// switches nothing, unless the file says so already.
///
/// # Errors
/// A file that cannot be read or written; an arm whose switch switches nothing.
pub fn bless(runs: &Runs, path: &Path) -> Result<(), Error> {
    let (blessed, found) = (Baseline::read(path)?, measured(runs));
    match blessed.unsaid(&found, &[]).first() {
        Some(same) => Err(Error::Usage(format!("{}: the baseline was not written: {same}", path.display()))),
        None => blessed.blessed(&found).write(path),
    }
}

/// What of runs is not as the file at `path` has it, a line each.
///
/// # Errors
/// A file that cannot be read, or that is no baseline.
pub fn compare(runs: &Runs, path: &Path) -> Result<Vec<String>, Error> {
    let checks = judge(&measured(runs), &Baseline::read(path)?, TOLERANCE, None);
    // An arm that nobody has blessed is told to the person at a terminal; a test has nobody to tell.
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

/// What is not as it was blessed.
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
