//! Whether two sides measure the same thing, from what their manifests and records say.

use super::{Side, usable};
use crate::read::Runs;
use std::collections::BTreeSet;
use toml::Value;

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
pub(super) fn check(first: &Side<'_>, second: &Side<'_>, across: bool) -> Result<Vec<String>, Incomparable> {
    for side in [first, second] {
        let partial = |manifest: &toml::Table| manifest.get("complete") == Some(&Value::Boolean(false));
        if side.runs.manifests.iter().any(partial) {
            return Err(Incomparable::Incomplete { run: side.name.to_owned() });
        }
        let known: BTreeSet<&str> =
            side.runs.records.iter().filter(|r| usable(r)).map(|r| &*r.methods).collect();
        if let Some(methods) = side.methods.filter(|methods| !known.contains(methods)) {
            let known = known.into_iter().collect::<Vec<_>>().join(", ");
            return Err(Incomparable::NoSuchMethods {
                run: side.name.to_owned(),
                methods: methods.to_owned(),
                known,
            });
        }
    }
    let mut notes = Vec::new();
    for one in games(first.runs) {
        for other in games(second.runs).filter(|other| name(other) == name(one)) {
            same_positions(one, other)?;
            for (what, key) in [("evaluations", "evaluation"), ("parameters", "params")] {
                let [a, b] = [one, other].map(|game| text(game, key));
                if a == b {
                    continue;
                }
                let game = name(one).to_owned();
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

fn same_positions(one: &toml::Table, other: &toml::Table) -> Result<(), Incomparable> {
    let sets = |game: &toml::Table| game.get("sets").and_then(Value::as_table).cloned().unwrap_or_default();
    let others = sets(other);
    for (set, hash) in sets(one) {
        if let Some(found) = others.get(&set).filter(|found| **found != hash) {
            let words = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            return Err(Incomparable::Positions { set, first: words(&hash), second: words(found) });
        }
    }
    Ok(())
}

fn games(runs: &Runs) -> impl Iterator<Item = &toml::Table> {
    let all = runs.manifests.iter().filter_map(|manifest| manifest.get("game")?.as_array());
    all.flatten().filter_map(Value::as_table)
}

fn name(game: &toml::Table) -> &str {
    game.get("name").and_then(Value::as_str).unwrap_or_default()
}

fn text(table: &toml::Table, key: &str) -> String {
    table.get(key).and_then(Value::as_str).unwrap_or("unknown").to_owned()
}

/// Whether all runs of both sides name one processor, compiler and set of flags.
pub(super) fn same_machine(first: &Runs, second: &Runs) -> bool {
    let facts = |manifest: &toml::Table| {
        let of = |section: &str, key: &str| {
            Some(text(manifest.get(section)?.as_table()?, key)).filter(|text| text != "unknown")
        };
        Some([
            of("machine", "cpu")?,
            of("build", "rustc")?,
            of("build", "rustflags")?,
            of("build", "profile")?,
        ])
    };
    let all: BTreeSet<_> = first.manifests.iter().chain(&second.manifests).map(facts).collect();
    all.len() == 1 && !all.contains(&None)
}

/// What a side has, for those who must find out why nothing fits.
pub(super) fn contents(side: &Side<'_>) -> String {
    let mut found = Vec::new();
    for record in side.runs.records.iter().filter(|record| usable(record)) {
        let budget = crate::format::budget(&record.budget_kind, record.budget);
        let words = format!("{} at {budget}", record.game);
        if !found.contains(&words) {
            found.push(words);
        }
    }
    if found.is_empty() { "no measurements of this program".to_owned() } else { found.join(", ") }
}
