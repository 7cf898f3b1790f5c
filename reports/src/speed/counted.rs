//! Instructions to a depth at full width, ours over those of another program, where both were counted by callgrind.
//!
//! A count is exact whatever else the computer does, so absolute figures stand next to the ratios, and no program is held against
//! itself but by a second count. Nodes stand next to them: few instructions are a small tree or a cheap node. Left out: time.

use super::{Folders, rows};
use crate::format::{count, ratio_within, rounded};
use crate::table::Table;
use secateur_record::speed::{INSTRUCTIONS, OURS};
use secateur_stats::runs::Runs;
use secateur_stats::speed::{Quantity, Values, measured, over, typical};

/// What is compared, in the order of the rows.
const QUANTITIES: [(&str, Quantity); 3] = [
    ("instructions", Quantity::Instructions),
    ("nodes", Quantity::Nodes),
    ("instructions a node", Quantity::InstructionsPerNode),
];

/// The games of which instructions were counted, in order.
pub(super) fn games(folders: &Folders) -> impl Iterator<Item = &str> {
    let ends = format!("-{INSTRUCTIONS}-{OURS}");
    folders.keys().filter_map(move |name| name.strip_suffix(&ends))
}

/// Who was counted, in words, and the table of a game; `None` of one of which nobody was.
pub(super) fn table(game: &str, folders: &Folders) -> Option<(Vec<String>, Table)> {
    let begin = format!("{game}-{INSTRUCTIONS}-");
    let ours = folders.get(&format!("{begin}{OURS}"))?;
    let mut text = Vec::new();
    let mut table = Table::default();
    let peers = folders.iter().filter_map(|(name, runs)| Some((name.strip_prefix(&begin)?, runs)));
    for (name, theirs) in peers.filter(|(name, _)| *name != OURS) {
        text.push(sentence(game, ours, name, theirs));
        for (quantity_name, quantity) in QUANTITIES {
            let (our_values, other) = (values(ours, quantity), values(theirs, quantity));
            let ratios = over(&our_values, &other);
            table.row([
                ("<what", format!("{quantity_name}, full width to depth {}", depth(ours))),
                ("<over", name.to_owned()),
                ("positions", count(ratios.positions as u64)),
                ("ours", rounded(typical(&our_values, &other))),
                ("theirs", rounded(typical(&other, &our_values))),
                ("ours over theirs", ratio_within(&ratios.ratio)),
            ]);
        }
    }
    table.notes.push(
        "Geometric means over positions, of the ratios with 95 % intervals over source games. Counted is the search alone, of another \
         program from the line that begins it to its answer. A node of one program is not one of another."
            .to_owned(),
    );
    Some((text, table)).filter(|(_, table)| !table.rows.is_empty())
}

/// The searches of the one arm of a run; of what could not be counted there are no instructions.
fn values(runs: &Runs, quantity: Quantity) -> Values {
    let all = rows(runs);
    let arm = all.first().map_or("", |row| row.methods.as_str()).to_owned();
    // Nodes of a search without a count would be of other positions than its instructions.
    let all: Vec<_> = all.into_iter().filter(|row| row.instructions.is_some()).collect();
    measured(&all, &arm, quantity)
}

fn depth(runs: &Runs) -> u64 {
    runs.records.first().map_or(0, |row| row.budget)
}

/// Who searched what, and how far two counts of the same differ.
fn sentence(game: &str, ours: &Runs, name: &str, theirs: &Runs) -> String {
    let arm = |runs: &Runs| runs.records.first().map_or(String::new(), |row| row.methods.to_string());
    let entry = theirs.manifests.first().and_then(|manifest| manifest.game(game));
    let sets = entry.map_or(String::new(), |entry| entry.sets.keys().cloned().collect::<Vec<_>>().join(", "));
    let program =
        entry.and_then(|entry| entry.program.as_ref()).map_or(name, |program| program.about.as_str());
    let spread = entry.and_then(|entry| entry.counting.as_ref()?.spread(&theirs.records));
    let again = spread.map_or(String::new(), |spread| {
        format!("; two counts of the same search differ by {:.4} % at most", 100.0 * spread.largest)
    });
    format!(
        "Instructions to depth {} at full width: {} positions of {sets}; this program with `{}`, {program} with `{}`{again}.",
        depth(ours),
        count(theirs.records.len() as u64),
        arm(ours),
        arm(theirs)
    )
}

#[cfg(test)]
mod tests {
    use super::super::ratios;
    use super::*;
    use secateur_record::record::Record;
    use secateur_stats::fixtures::row;

    /// This program has half the nodes of the other at a fifth of the instructions of each; one position was not counted.
    fn folders() -> Folders {
        let runs = |arm: &str, nodes: u64, each: u64| {
            let cell = |(at, position): (u64, &str)| Record {
                instructions: Some(at * nodes * each).filter(|_| position != "d" || arm == "none"),
                ..row(position, "s", arm, at * nodes)
            };
            let records = (1..).zip(["a", "b", "c", "d"]).map(cell).collect();
            Runs { records, ..Runs::default() }
        };
        Folders::from([
            ("othello-instructions-secateur".to_owned(), runs("none", 100, 25)),
            ("othello-instructions-x".to_owned(), runs("full", 200, 125)),
        ])
    }

    #[test]
    fn counts_have_a_section_without_any_part_by_the_clock() {
        let folders = folders();
        let sections = ratios(&folders);
        let [section] = sections.as_slice() else { panic!("{sections:?}") };
        assert_eq!((section.title.as_str(), section.tables.len()), ("Othello", 1));
        assert!(section.text[0].contains("`none`, x with `full`."), "{:?}", section.text);
        let rows: Vec<&[String]> = section.tables[0].rows.iter().map(Vec::as_slice).collect();
        let cells: Vec<(&str, &str)> = rows.iter().map(|row| (row[2].as_str(), row[5].as_str())).collect();
        let expected = [("3", "0.10 [0.10, 0.10]"), ("3", "0.50 [0.50, 0.50]"), ("3", "0.20 [0.20, 0.20]")];
        assert_eq!(cells, expected, "the position without a count is in no ratio");
        assert_eq!((rows[2][3].as_str(), rows[2][4].as_str()), ("25", "125"));
    }

    #[test]
    fn alone_there_is_nothing_to_tell() {
        let mut folders = folders();
        folders.remove("othello-instructions-x");
        assert!(table("othello", &folders).is_none() && table("chess", &folders).is_none());
    }
}
