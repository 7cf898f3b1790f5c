//! A gate for anybody's search: exact quantities against a file that was blessed.
//!
//! What is compared repeats exactly on every machine: for each arm the nodes of all its searches, and a signature of every
//! depth, node count, value and move. Only budgets in plies or nodes are looked at. Left out: instructions, which the gate of
//! our own search counts.

use crate::record::{BudgetKind, Record};
use crate::{Error, Runs};
use secateur_base::Fnv;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Set to anything, this variable has [`gate`] write the file anew instead of comparing with it.
pub const BLESS: &str = "SECATEUR_BLESS";

/// What was blessed, by arm.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// The arms by `game methods`.
    pub arm: BTreeMap<String, Blessed>,
}

/// The exact quantities of an arm.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Blessed {
    /// Searches.
    pub cells: u64,
    /// Nodes of all of them.
    pub nodes: u64,
    /// Hash of every iteration's depth, nodes, value and move, 16 hex digits.
    pub signature: String,
}

/// The exact quantities of runs.
#[must_use]
pub fn measured(runs: &Runs) -> Baseline {
    let exact = |kind: BudgetKind| kind != BudgetKind::Time;
    let mut hashes: BTreeMap<String, (Blessed, Fnv)> = BTreeMap::new();
    let name = |game: &str, methods: &str| format!("{game} {methods}");
    for row in runs.rows.records.iter().filter(|row| exact(row.budget_kind) && row.repeat == 0) {
        let (arm, fnv) = hashes.entry(name(&row.game, &row.methods)).or_default();
        (arm.cells, arm.nodes) = (arm.cells + 1, arm.nodes + row.nodes.unwrap_or(0));
        feed(fnv, row);
    }
    for row in runs.rows.iterations.iter().filter(|row| exact(row.budget_kind) && row.repeat == 0) {
        let (_, fnv) = hashes.entry(name(&row.game, &row.methods)).or_default();
        fnv.field(&row.position).field(&row.best_move);
        for number in [u64::from(row.depth), row.nodes, row.score as u64] {
            fnv.bytes(&number.to_le_bytes());
        }
    }
    let done = |(name, (arm, fnv)): (String, (Blessed, Fnv))| (name, Blessed { signature: fnv.hex(), ..arm });
    Baseline { arm: hashes.into_iter().map(done).collect() }
}

fn feed(fnv: &mut Fnv, row: &Record) {
    fnv.field(&row.position).field(&row.best_move).field(row.budget_kind.name());
    fnv.field(row.error.as_ref().map_or("", |error| error.reason()));
    let (depth, nodes) = (row.depth.map_or(0, u64::from), row.nodes.unwrap_or(0));
    for number in [row.budget, depth, nodes, row.score.unwrap_or(0) as u64] {
        fnv.bytes(&number.to_le_bytes());
    }
}

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

/// Writes the exact quantities of runs as what is expected from now on.
///
/// # Errors
/// A file that cannot be written.
pub fn bless(runs: &Runs, path: &Path) -> Result<(), Error> {
    let head = "# Exact quantities of every arm, blessed by secateur's gate. Not for editing.\n\n";
    let text = toml::to_string(&measured(runs)).map_err(|error| Error::Usage(error.to_string()))?;
    std::fs::write(path, head.to_owned() + &text).map_err(Error::io(path))
}

/// What of runs is not as the file at `path` has it, a line each.
///
/// # Errors
/// A file that cannot be read, or that is no baseline.
pub fn compare(runs: &Runs, path: &Path) -> Result<Vec<String>, Error> {
    let found = measured(runs);
    let text = std::fs::read_to_string(path).map_err(Error::unreadable(path))?;
    let blessed: Baseline = toml::from_str(&text)
        .map_err(|error| Error::Usage(format!("{}: {}", path.display(), error.to_string().trim_end())))?;
    let mut breaches = Vec::new();
    for (name, now) in &found.arm {
        match blessed.arm.get(name) {
            None => breaches.push(format!("{name}: not blessed")),
            Some(then) if then == now => {}
            Some(then) if then.nodes == now.nodes => {
                breaches.push(format!("{name}: other searches of as many nodes ({})", now.nodes));
            }
            Some(then) => {
                let change = (now.nodes as f64 / then.nodes.max(1) as f64 - 1.0) * 100.0;
                breaches
                    .push(format!("{name}: {} nodes, expected {} ({change:+.2} %)", now.nodes, then.nodes));
            }
        }
    }
    let gone = blessed.arm.keys().filter(|name| !found.arm.contains_key(*name));
    breaches.extend(gone.map(|name| format!("{name}: blessed, but not searched")));
    Ok(breaches)
}

/// What is not as it was blessed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breached(pub Vec<String>);

impl std::fmt::Display for Breached {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "not as it was blessed:\n{}", self.0.join("\n"))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Experiment;

    #[test]
    fn what_is_not_as_it_was_blessed_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("gate.toml");
        let searched = |depth, methods: &str| {
            let experiment = Experiment::of("othello").positions("othello-44").limit(1).depth(depth);
            experiment.arm("none").arm(methods).run().unwrap()
        };
        let first = searched(3, "futility");
        assert_eq!(gate(&first, &path).unwrap(), Vec::<String>::new());
        assert_eq!(gate(&searched(3, "futility"), &path).unwrap(), Vec::<String>::new());
        let deeper = gate(&searched(4, "futility"), &path).unwrap();
        assert_eq!(deeper.len(), 2, "{deeper:?}");
        assert!(deeper[0].starts_with("othello futility: ") && deeper[0].contains(" nodes, expected "));
        assert!(hold(&first, &path).is_ok());
        let told = hold(&searched(4, "futility"), &path).unwrap_err();
        assert_eq!(told.downcast_ref(), Some(&Breached(deeper)));
        let other = gate(&searched(3, "razoring"), &path).unwrap();
        assert_eq!(other, ["othello razoring: not blessed", "othello futility: blessed, but not searched"]);
        std::fs::write(&path, "arm = 3").unwrap();
        assert!(gate(&first, &path).unwrap_err().to_string().contains("gate.toml"));
    }
}
