//! The sections of a report as they fit a terminal: of a table the columns that have room, sentences in whole words.
//!
//! For reports whose tables have few rows and a column of words, such as what the methods of a program are worth. Left out: frames.

use super::layout::{Column, Fitted, table};
use crate::format::wrapped;
use crate::provenance;
use crate::table::{Align, Report, Table};
use crate::worth::{self, Played};
use secateur_base::visible::{visible, visible_lines};
use secateur_stats::runs::Runs;

/// What the methods of a program are worth, for a terminal of so many columns, without the origin of the runs, which the page has;
/// `None` where no program is compared with itself without a method.
#[must_use]
pub fn of_worth(runs: &Runs, played: &[Played], width: u16) -> Option<String> {
    let mut shown = worth::page(runs, played);
    shown.sections.retain(|section| section.title != provenance::TITLE);
    // The verdict, what it rests on first, then what explains it.
    let order = [
        "searches show",
        "games say",
        "nodes without it",
        "could have shown",
        "Elo",
        "regret",
        "time",
        "same move",
        "alone",
        "instructions",
        "solved",
    ];
    let rank = |heading: &str| {
        order.iter().zip(0..).find(|(name, _)| heading.starts_with(**name)).map_or(u8::MAX, |(_, rank)| rank)
    };
    (!shown.sections.is_empty()).then(|| sections(&shown, rank, width))
}

/// The notes and sections of a report, each table above its sentences. `rank` says of a heading how soon its column is left out: 0
/// never, the greatest first.
fn sections(report: &Report, rank: impl Fn(&str) -> u8, width: u16) -> String {
    let width = usize::from(width);
    let words = |text: &str, indent: usize| wrapped(&visible_lines(&text.replace("**", "")), width, indent);
    let mut lines: Vec<String> =
        report.notes.iter().flat_map(|note| words(&format!("Note: {note}"), 6)).collect();
    for section in &report.sections {
        lines.push(String::new());
        lines.extend(words(&section.title, 2));
        lines.extend(section.tables.iter().flat_map(|table| fitted(table, &rank, width)));
        lines.extend(section.text.iter().flat_map(|paragraph| words(paragraph, 2)));
        lines.extend(section.tables.iter().flat_map(|table| &table.notes).flat_map(|note| words(note, 2)));
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

/// The lines of a table, and what has no room.
fn fitted(of: &Table, rank: impl Fn(&str) -> u8, width: usize) -> Vec<String> {
    let column = |(at, (heading, align)): (usize, &(String, Align))| {
        let cells = of.rows.iter().map(|row| visible(&row[at]).into_owned()).collect();
        let mut column = Column::new(visible(heading), rank(heading), cells);
        column.is_left = *align == Align::Left;
        column
    };
    if of.rows.is_empty() {
        return Vec::new();
    }
    let Fitted { head, rows, left_out } = table(of.columns.iter().enumerate().map(column).collect(), width);
    let mut lines = vec![head];
    lines.extend(rows.into_iter().flatten());
    if !left_out.is_empty() {
        let said = format!("no room for: {}. --wide prints all columns", left_out.join("; "));
        lines.extend(wrapped(&said, width, 2));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No line is wider than the terminal, no cell is broken, and what has no room is named.
    #[test]
    fn a_table_of_words_fits_and_says_what_it_leaves_out() {
        let mut table = Table::new(&["<method", "<verdict", "nodes", "same move"]);
        let verdict = "not shown: needs about 48,000 positions";
        for name in ["history-pruning", "lmr"] {
            table.push([name, verdict, "1.29 [1.15, 1.44]", "97 % [83, 99]"].map(str::to_owned).to_vec());
        }
        let lines = fitted(&table, |heading| u8::from(heading != "verdict"), 80);
        assert!(lines.iter().all(|line| line.chars().count() <= 80), "{lines:#?}");
        assert!(lines[2].starts_with(&format!("lmr              {verdict}  ")), "{lines:#?}");
        assert!(lines[1].ends_with("1.29 [1.15, 1.44]"), "{lines:#?}");
        assert_eq!(lines[3], "no room for: same move. --wide prints all columns");
        assert_eq!(fitted(&table, |_| 1, 200).len(), 3, "all columns");
    }
}
