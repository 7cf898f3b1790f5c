//! Whether two sides measure the same thing, from what their manifests and records say.

use super::{Side, usable};
use crate::runs::Runs;
use secateur_record::build::Build;
use secateur_record::manifest::{GameEntry, Manifest};
use std::collections::BTreeSet;

/// Why two sides cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Incomparable {
    /// The cells that finish last are not a random sample.
    #[error("{run} is not complete: the cells that are missing are not a random sample; resume it first")]
    Incomplete {
        /// The side.
        run: String,
    },
    /// A position set of one name has two contents.
    #[error("the positions differ: {set} has the hash {first} in the first run and {second} in the second")]
    Positions {
        /// Name of the set.
        set: String,
        /// Hash on the first side.
        first: String,
        /// Hash on the second side.
        second: String,
    },
    /// Parameters or evaluations differ, and nobody said that they may.
    #[error(
        "the {what} of {game} differ: {first} in the first run and {second} in the second; --across compares \
         nevertheless"
    )]
    Setup {
        /// `parameters` or `evaluations`.
        what: &'static str,
        /// The game.
        game: String,
        /// Hash on the first side.
        first: String,
        /// Hash on the second side.
        second: String,
    },
    /// A method set was asked for that a side does not have.
    #[error("{run} has no records of `{methods}`; it has {known}")]
    NoSuchMethods {
        /// The side.
        run: String,
        /// What was asked for.
        methods: String,
        /// What there is.
        known: String,
    },
    /// No position was searched on both sides in a game, under a budget, with a method set.
    #[error("nothing in common: the first has {first}; the second has {second}")]
    NothingInCommon {
        /// What the first side has.
        first: String,
        /// What the second side has.
        second: String,
    },
}

/// Checks both sides; what may differ but should be known comes out as notes.
pub(super) fn differences(
    first: &Side<'_>,
    second: &Side<'_>,
    across: bool,
) -> Result<Vec<String>, Incomparable> {
    for side in [first, second] {
        if side.runs.manifests.iter().any(|manifest| !manifest.complete) {
            return Err(Incomparable::Incomplete { run: side.name.to_owned() });
        }
        let methods_in_run: BTreeSet<&str> =
            side.runs.records.iter().filter(|r| usable(r)).map(|r| &*r.methods).collect();
        if let Some(methods) = side.methods.filter(|methods| !methods_in_run.contains(methods)) {
            let methods_in_run = methods_in_run.into_iter().collect::<Vec<_>>().join(", ");
            return Err(Incomparable::NoSuchMethods {
                run: side.name.to_owned(),
                methods: methods.to_owned(),
                known: methods_in_run,
            });
        }
    }
    let manifests = first.runs.manifests.iter().chain(&second.runs.manifests);
    let mut notes: Vec<String> = manifests.flat_map(Manifest::cuts).collect();
    for one in games(first.runs) {
        for other in games(second.runs).filter(|other| other.name == one.name) {
            positions_agree(one, other)?;
            for (what, [a, b]) in unlike(one, other) {
                let game = one.name.clone();
                if !across {
                    return Err(Incomparable::Setup { what, game, first: a, second: b });
                }
                notes.push(format!("The {what} of {game} differ: {a} and {b}."));
            }
        }
    }
    notes.sort();
    notes.dedup();
    Ok(notes)
}

/// What decides the searches of both sides and is not the same: the evaluation, and the identity of every arm that both
/// have.
fn unlike(one: &GameEntry, other: &GameEntry) -> Vec<(&'static str, [String; 2])> {
    let or_unknown = |text: &String| if text.is_empty() { "unknown".to_owned() } else { text.clone() };
    let mut pairs = vec![("evaluations", [one, other].map(|game| or_unknown(&game.evaluation)))];
    let both = one.arms.keys().filter_map(|arm| Some((arm, one.arm_differs(other, arm)?)));
    pairs.extend(both.map(|(arm, differ)| ("parameters", differ.map(|value| format!("{value} of `{arm}`")))));
    pairs.retain(|(_, [a, b])| a != b);
    pairs
}

fn positions_agree(one: &GameEntry, other: &GameEntry) -> Result<(), Incomparable> {
    for (set, hash) in &one.sets {
        if let Some(other_hash) = other.sets.get(set).filter(|other_hash| *other_hash != hash) {
            let (first, second) = (hash.clone(), other_hash.clone());
            return Err(Incomparable::Positions { set: set.clone(), first, second });
        }
    }
    Ok(())
}

fn games(runs: &Runs) -> impl Iterator<Item = &GameEntry> {
    runs.manifests.iter().flat_map(|manifest| &manifest.game)
}

/// Why times and instructions of both sides cannot be compared: what differs between their builds; nothing if all were one
/// class of machines, one compiler and one set of flags.
pub(super) fn other_machines(first: &Runs, second: &Runs) -> Option<String> {
    let all = || first.builds.iter().chain(&second.builds);
    if all().next().is_none() || all().any(|build| build.compiled.rustc.is_empty()) {
        return Some("Not every run says what it was made on".to_owned());
    }
    let differs = |fact: &dyn Fn(&Build) -> String| all().map(fact).collect::<BTreeSet<_>>().len() > 1;
    let facts: [(&str, bool); 6] = [
        ("processors", differs(&|build| build.machine.cpu.clone())),
        ("numbers of cores", differs(&|build| build.machine.cores.to_string())),
        ("systems", differs(&|build| build.machine.system.clone())),
        ("compilers", differs(&|build| build.compiled.rustc.clone())),
        ("compiler flags", differs(&|build| build.compiled.rustflags.clone())),
        ("build profiles", differs(&|build| build.compiled.profile.clone())),
    ];
    let names: Vec<&str> = facts.iter().filter(|(_, differs)| *differs).map(|(name, _)| *name).collect();
    (!names.is_empty()).then(|| format!("What differs: {}", names.join(", ")))
}

/// What a side has, for those who must find out why nothing fits.
pub(super) fn contents(side: &Side<'_>) -> String {
    let mut topics = Vec::new();
    for record in side.runs.records.iter().filter(|record| usable(record)) {
        let budget = crate::labels::budget(record.budget_kind, record.budget);
        let topic = format!("{} at {budget}", record.game);
        if !topics.contains(&topic) {
            topics.push(topic);
        }
    }
    if topics.is_empty() { "no measurements of this program".to_owned() } else { topics.join(", ") }
}
