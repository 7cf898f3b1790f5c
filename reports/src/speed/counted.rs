//! Instructions to a depth at full width stand in a table of their own, where both programs were counted by callgrind. A count is exact
//! whatever else the computer does, so absolute figures stand next to the ratios, and no program is held against itself but by a second
//! count. Nodes stand next to them: few instructions are a small tree or a cheap node.

use super::{Folders, rows};
use crate::format::{count, plural, ratio_within, rounded};
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
pub(super) fn counted_games(folders: &Folders) -> impl Iterator<Item = &str> {
    let ends = format!("-{INSTRUCTIONS}-{OURS}");
    folders.keys().filter_map(move |name| name.strip_suffix(&ends))
}

/// Who was counted, in words, and the table of a game; `None` where no program was.
pub(super) fn counted_table(game: &str, folders: &Folders) -> Option<(Vec<String>, Table)> {
    let begin = format!("{game}-{INSTRUCTIONS}-");
    let ours = folders.get(&format!("{begin}{OURS}"))?;
    let mut text = Vec::new();
    let mut table = Table::default();
    let peers = folders.iter().filter_map(|(name, runs)| Some((name.strip_prefix(&begin)?, runs)));
    for (name, theirs) in peers.filter(|(name, _)| *name != OURS) {
        text.push(who_was_counted(game, ours, name, theirs));
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
fn who_was_counted(game: &str, ours: &Runs, name: &str, theirs: &Runs) -> String {
    let arm = |runs: &Runs| runs.records.first().map_or(String::new(), |row| row.methods.to_string());
    let entry = theirs.manifests.first().and_then(|manifest| manifest.game(game));
    let sets = entry.map_or(String::new(), |entry| entry.sets.keys().cloned().collect::<Vec<_>>().join(", "));
    let program =
        entry.and_then(|entry| entry.program.as_ref()).map_or(name, |program| program.about.as_str());
    let spread = entry.and_then(|entry| entry.counting.as_ref()?.spread(&theirs.records));
    let repeatability = spread.map_or(String::new(), |spread| {
        format!("; two counts of the same search differ by {:.4} % at most", 100.0 * spread.largest)
    });
    format!(
        "Instructions to depth {} at full width: {} of {sets}; this program with `{}`, {program} with `{}`{repeatability}.",
        depth(ours),
        plural(theirs.records.len(), "position"),
        arm(ours),
        arm(theirs)
    )
}
