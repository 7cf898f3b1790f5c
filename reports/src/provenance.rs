//! The end of every report: what made its records.

use crate::read::Runs;
use crate::table::{Section, Table};
use secateur_record::maker::Maker;
use toml::{Table as Toml, Value};

/// Scalars of `run.toml` that a reader needs to repeat or doubt the run, as (key path, label).
const FACTS: [(&str, &str); 5] = [
    ("run", "run"),
    ("started", "started (UTC)"),
    ("cells", "hash of the cells"),
    ("positions", "hash of the positions"),
    ("counted-binary", "binary counted"),
];

/// The section of all runs.
#[must_use]
pub fn section(runs: &Runs) -> Section {
    let mut table = Table::new(&["<what", "<value"]);
    for manifest in &runs.manifests {
        for (path, label) in FACTS {
            if let Some(value) = lookup(manifest, path) {
                table.push(vec![label.to_owned(), value]);
            }
        }
        for session in manifest.get("session").and_then(Value::as_array).into_iter().flatten() {
            if let Some(argv) = session.get("argv").and_then(Value::as_array) {
                let words: Vec<String> = argv.iter().filter_map(Value::as_str).map(typed).collect();
                table.push(vec!["command".to_owned(), words.join(" ")]);
            }
        }
        for game in manifest.get("game").and_then(Value::as_array).into_iter().flatten() {
            let Some(game) = game.as_table() else { continue };
            let name = lookup(game, "name").unwrap_or_default();
            for (key, label) in
                [("params", "parameters"), ("setup", "parameters"), ("evaluation", "evaluation")]
            {
                if let Some(value) = lookup(game, key) {
                    table.push(vec![format!("{name}: {label}"), value]);
                }
            }
            let sets = game.get("sets").and_then(Value::as_table).into_iter().flatten();
            let sets: Vec<String> =
                sets.map(|(set, hash)| format!("{set} {}", hash.as_str().unwrap_or_default())).collect();
            if !sets.is_empty() {
                table.push(vec![format!("{name}: positions"), sets.join(", ")]);
            }
        }
    }
    runs.makers.iter().for_each(|maker| described(maker, &mut table));
    Section { title: "Provenance".to_owned(), text: Vec::new(), tables: vec![table] }
}

/// Adds what is known of a maker.
fn described(maker: &Maker, table: &mut Table) {
    let Maker { id, binary, build, git, machine } = maker;
    let modified = if git.dirty { " (modified)" } else { "" };
    let sha = if git.sha.is_empty() { String::new() } else { format!("{}{modified}", git.sha) };
    let facts = [
        ("maker", id),
        ("source", &sha),
        ("hash of the sources", &build.source),
        ("hash of the binary", binary),
        ("version", &build.version),
        ("compiler", &build.rustc),
        ("target-cpu", &build.target_cpu),
        ("compiler flags", &build.rustflags),
        ("profile", &build.profile),
        ("processor", &machine.cpu),
        ("cores", &machine.cores.to_string()),
        ("system", &machine.system),
        ("valgrind", &machine.valgrind),
    ];
    let known = facts.into_iter().filter(|(_, value)| !value.is_empty());
    known.for_each(|(label, value)| table.push(vec![label.to_owned(), value.clone()]));
}

/// A word as a shell takes it for one.
fn typed(word: &str) -> String {
    if word.contains([' ', '*', '?', '$', '&', ';', '(', '[']) {
        format!("'{word}'")
    } else {
        word.to_owned()
    }
}

fn lookup(table: &Toml, path: &str) -> Option<String> {
    let mut keys = path.split('.');
    let first = table.get(keys.next()?)?;
    let value = keys.try_fold(first, |value, key| value.get(key))?;
    match value {
        Value::String(text) if text.is_empty() => None,
        Value::String(text) => Some(text.clone()),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => Some(value.to_string()),
        _ => None,
    }
}
