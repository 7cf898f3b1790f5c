//! The end of every report: what made its records.
//!
//! How the instructions of a program of somebody else were counted, and how far the counts can be trusted, is said in words.

use crate::format::{either, plural};
use crate::table::{Section, Table};
use secateur_base::words::shell_word;
use secateur_record::arm::same_trees_of;
use secateur_record::build::{Build, Counting};
use secateur_record::manifest::GameEntry;
use secateur_stats::runs::{Runs, judges};
use std::collections::BTreeMap;

/// Title of the section.
pub const TITLE: &str = "Provenance";

/// The section of all runs.
pub fn section(runs: &Runs) -> Section {
    let mut table = Table::default();
    let mut add = |label: String, value: &str| {
        if !value.is_empty() {
            table.row([("<what", label), ("<value", value.to_owned())]);
        }
    };
    for manifest in &runs.manifests {
        for (label, value) in [
            ("run", &manifest.run),
            ("started (UTC)", &manifest.started),
            ("hash of the cells", &manifest.cells),
            ("hash of the positions", &manifest.positions),
            ("binary counted", &manifest.counted_binary),
        ] {
            add(label.to_owned(), value);
        }
        for session in &manifest.session {
            let quoted: Vec<String> = session.argv.iter().map(|word| shell_word(word)).collect();
            add("command".to_owned(), &quoted.join(" "));
        }
        for game in &manifest.game {
            let name = &game.name;
            if let Some(program) = &game.program {
                add(
                    format!("{name}: program"),
                    &format!("{}: {}, {}", program.name, program.id, program.about),
                );
                add(format!("{name}: binary"), &format!("{} {}", program.path, program.binary));
            }
            if let Some(counting) = &game.counting {
                let by = [&counting.compiler, &counting.library].map(String::as_str).join(", ");
                add(format!("{name}: counted with"), &format!("{}; {by}", counting.tool));
            }
            let (untold, judged) = (
                &game.program.as_ref().map_or(String::new(), |p| p.untold.join(", ")),
                judges(manifest, name),
            );
            add(format!("{name}: no words for"), untold);
            for (label, value) in made(game) {
                add(format!("{name}: {label}"), &value);
            }
            let same = same_trees_of(game, &runs.records, &runs.iterations);
            let same: Vec<String> = same.iter().map(ToString::to_string).collect();
            add(format!("{name}: switches that switch nothing here"), &same.join("; "));
            add(format!("{name}: judge of moves"), &judged.join("; "));
            for judge in &game.judge {
                let program = &judge.program;
                add(format!("{name}: binary of a judge"), &format!("{} {}", program.path, program.binary));
            }
            add(format!("{name}: evaluation"), &game.evaluation);
            let sets: Vec<String> = game.sets.iter().map(|(set, hash)| format!("{set} {hash}")).collect();
            add(format!("{name}: positions"), &sets.join(", "));
        }
    }
    for (label, value) in runs.builds.iter().flat_map(described) {
        add(label.to_owned(), &value);
    }
    Section { title: TITLE.to_owned(), text: Vec::new(), tables: vec![table] }
}

/// What the arms of another program were: what all share, what each has besides, and what is to be known of its switches.
fn made(game: &GameEntry) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let is_shared =
        |what: &String, value: &String| game.made.values().all(|arm| arm.get(what) == Some(value));
    let settings = |arm: &BTreeMap<String, String>, shared: bool| {
        let parts = arm.iter().filter(|(what, value)| is_shared(what, value) == shared);
        parts.map(|(what, value)| format!("{what}: {value}")).collect::<Vec<_>>().join("; ")
    };
    if let Some(first) = game.made.values().next() {
        all.push(("every arm".to_owned(), settings(first, true)));
    }
    for name in game.arms.keys() {
        if let Some(arm) = game.made.get(name) {
            let own_settings = settings(arm, false);
            all.push((
                format!("arm {name}"),
                if own_settings.is_empty() { "nothing else".to_owned() } else { own_settings },
            ));
        }
    }
    if let Some(program) = &game.program {
        all.push(("already off in this program".to_owned(), program.already_off.join(", ")));
        all.push(("usual options that this program does not take".to_owned(), program.yielded.join("; ")));
        let left = program.left_out.iter().map(|(arm, why)| format!("{arm}: {why}"));
        all.push(("arms left out".to_owned(), left.collect::<Vec<_>>().join("; ")));
    }
    all
}

/// What identifies a build.
fn described(build: &Build) -> [(&'static str, String); 13] {
    let Build { id, binary, compiled, git, machine } = build;
    let modified = if git.dirty { " (modified)" } else { "" };
    let sha = if git.sha.is_empty() { String::new() } else { format!("{}{modified}", git.sha) };
    [
        ("build", id),
        ("source", &sha),
        ("hash of the sources", &compiled.source),
        ("hash of the binary", binary),
        ("version", &compiled.version),
        ("compiler", &compiled.rustc),
        ("target-cpu", &compiled.target_cpu),
        ("compiler flags", &compiled.rustflags),
        ("profile", &compiled.profile),
        ("processor", &machine.cpu),
        ("cores", &machine.cores.to_string()),
        ("system", &machine.system),
        ("valgrind", &machine.valgrind),
    ]
    .map(|(label, value)| (label, value.clone()))
}

/// The sentences on the counts of a game; `None` where our own search was counted, or no search.
pub(crate) fn counts_in_words(runs: &Runs, game: &str) -> Option<String> {
    let program_of = |entry: &secateur_record::manifest::GameEntry| {
        Some((entry.program.as_ref()?.name.clone(), entry.counting.clone()?))
    };
    let (manifest, (name, counting)) =
        runs.manifests.iter().find_map(|manifest| Some((manifest, program_of(manifest.game(game)?)?)))?;
    let rows = runs.records.iter().filter(|row| row.run == manifest.run && row.game == game);
    let spread = counting.spread(rows).map_or_else(
        || "no search was counted twice".to_owned(),
        |spread| {
            format!(
                "of {} counted twice the counts differ by {} (median), {} at most",
                plural(spread.pairs, "search"),
                percent(spread.median),
                percent(spread.largest)
            )
        },
    );
    Some(format!("{} {spread}.{}", what(&name, &counting), odd(&counting)))
}

fn what(name: &str, counting: &Counting) -> String {
    let part = match counting.symbol.as_str() {
        "" => "from the line that begins a search to its answer".to_owned(),
        symbol => format!("within `{symbol}`"),
    };
    format!(
        "Instructions: of {name} as {} counts them {part}, all threads and processes together;",
        counting.tool
    )
}

fn odd(counting: &Counting) -> String {
    let (entered, left): (Vec<_>, Vec<_>) = counting.odd.iter().partition(|odd| odd.entered);
    let mut text = String::new();
    if let Some(first) = left.first() {
        text += &format!(
            " {} {} no count (the first: {}, {}).",
            left.len(),
            either(left.len(), "search has", "searches have"),
            first.position,
            first.why
        );
    }
    if let Some(first) = entered.first() {
        let have = either(entered.len(), "search has", "searches have");
        let why = "the count of a search of other nodes, which the subject file allows";
        text += &format!(" {} {have} {why} (the first: {}, {}).", entered.len(), first.position, first.why);
    }
    text
}

/// A small share: two counts of one search often agree to a few instructions in a million.
fn percent(share: f64) -> String {
    if share > 0.0 && share < 5e-7 {
        "less than 0.0001 %".to_owned()
    } else {
        format!("{:.4} %", 100.0 * share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::build::{Again, Odd};
    use secateur_record::manifest::{GameEntry, Manifest, ProgramEntry};
    use secateur_record::record::{BudgetKind, Record};

    #[test]
    fn the_spread_and_what_has_no_count_are_said() {
        let row = Record {
            run: "r".into(),
            game: "chess".into(),
            position: "a".into(),
            methods: "full".into(),
            budget_kind: BudgetKind::Depth,
            budget: 4,
            instructions: Some(1_000),
            ..Record::default()
        };
        let second_count = Again {
            position: "a".to_owned(),
            methods: "full".to_owned(),
            budget_kind: BudgetKind::Depth,
            budget: 4,
            instructions: 1_010,
        };
        let odd = |entered| Odd {
            position: "b".to_owned(),
            methods: "full".to_owned(),
            budget_kind: BudgetKind::Depth,
            budget: 4,
            repeat: 0,
            why: "other nodes".to_owned(),
            entered,
        };
        let counting = Counting {
            tool: "valgrind-3".to_owned(),
            again: vec![second_count],
            odd: vec![odd(false), odd(true), odd(true)],
            ..Counting::default()
        };
        let program = Some(ProgramEntry { name: "mine".to_owned(), ..ProgramEntry::default() });
        let game =
            GameEntry { name: "chess".to_owned(), program, counting: Some(counting), ..GameEntry::default() };
        let manifest = Manifest { run: "r".to_owned(), game: vec![game], ..Manifest::default() };
        let runs = Runs { manifests: vec![manifest], records: vec![row], ..Runs::default() };
        let text = counts_in_words(&runs, "chess").unwrap();
        for part in [
            "of mine as valgrind-3",
            "1 search counted twice",
            "0.9950 % at most",
            "1 search has no count",
            "2 searches have the",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert_eq!(counts_in_words(&runs, "othello"), None);
        assert_eq!((percent(1e-8), percent(0.0)), ("less than 0.0001 %".to_owned(), "0.0000 %".to_owned()));
    }
}
