//! Which pruning transfers from game to game: a table of methods by games, and how far the games agree on their order.
//!
//! The numbers are those of `secateur-stats`; here they get their form. Left out: games of which a run has no group at a fixed depth.

use crate::format::{fixed, ratio_within, share_within, signed_within, within};
use crate::table::{Section, Table};
use secateur_stats::group::Group;
use secateur_stats::transfer::{Agreement, Cell, Row, Transfer};

/// The tables of groups at fixed depth, one a game; nothing for fewer than two.
#[must_use]
pub fn section(groups: &[Group<'_>]) -> Option<Section> {
    if groups.len() < 2 {
        return None;
    }
    let transfer = Transfer::new(groups);
    let agreements = transfer.agreements();
    let text = agreements.first().map(|found| words(&agreements, found.methods)).into_iter().collect();
    let tables = vec![by_game(groups, &transfer.rows()), agreement(&agreements)];
    Some(Section { title: "Which pruning transfers?".to_owned(), text, tables })
}

/// Of which games it is shown that they order the methods alike, or the other way round.
fn words(agreements: &[Agreement<'_>], methods: usize) -> String {
    let named = |wanted: &dyn Fn(&Agreement<'_>) -> bool| {
        let names = agreements.iter().filter(|found| wanted(found)).map(|found| found.games.join(" and "));
        let names: Vec<String> = names.collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    format!(
        "Of {methods} methods that every game has, intervals of tau lie above 0: {}; below 0: {}; hold 0: {}.",
        named(&|found| found.tau.low > 0.0),
        named(&|found| found.tau.high < 0.0),
        named(&|found| found.tau.low <= 0.0 && found.tau.high >= 0.0),
    )
}

/// A row a method, three columns a game.
fn by_game(groups: &[Group<'_>], rows: &[Row<'_>]) -> Table {
    let mut headings = vec!["<method".to_owned()];
    for group in groups {
        headings.extend(
            ["nodes saved, times", "rank", "same move"].map(|what| format!("{}: {what}", group.game)),
        );
    }
    headings.push("mean rank".to_owned());
    let mut table = Table::new(&headings.iter().map(String::as_str).collect::<Vec<_>>());
    let rank = |cell: &Cell| cell.rank.map_or_else(|| "-".to_owned(), |rank| within(&rank, place));
    for row in rows {
        let cells = row.cells.iter().flat_map(|cell| match cell {
            Some(cell) => [ratio_within(&cell.saved), rank(cell), share_within(cell.same_move)],
            None => ["-", "-", "-"].map(str::to_owned),
        });
        let name = std::iter::once(row.method.to_owned());
        table.push(name.chain(cells).chain([fixed(row.mean_rank)]).collect());
    }
    let budgets: Vec<String> = groups
        .iter()
        .map(|group| format!("{} ({} positions)", group.heading(), group.blocks.len()))
        .collect();
    table.notes.push(format!(
        "{}. Geometric speed-ups in nodes with 95 % intervals over source games; rates with 95 % Wilson intervals. Ranks are \
         places by that speed-up among the methods that every game has, 1 saving most, with 95 % percentile bootstrap intervals over \
         source games. Each interval is for itself.",
        budgets.join("; ")
    ));
    table
}

/// A rank without a fraction where it has none.
fn place(rank: f64) -> String {
    if rank.fract().abs() < 1e-9 { format!("{rank:.0}") } else { format!("{rank:.1}") }
}

/// A row two games.
fn agreement(agreements: &[Agreement<'_>]) -> Table {
    let mut table = Table::new(&["<games", "methods", "Kendall's tau-b"]);
    for found in agreements {
        table.push(vec![found.games.join(", "), found.methods.to_string(), signed_within(&found.tau)]);
    }
    table.notes.push(
        "Percentile bootstrap over source games, those of either game drawn by themselves: it asks how far other positions would change the \
         order, not what other methods would do, and drawing again scatters the ranks once more, which pulls tau towards 0."
            .to_owned(),
    );
    table
}
