//! What a page shows of a report: the columns that its prose speaks of, what made the numbers folded, and every note once.
//!
//! Nothing is lost by it: `secateur report FOLDER --full` prints the whole of any committed run.

use secateur_reports::provenance;
use secateur_reports::render::{markdown, markdown_table};
use secateur_reports::table::{Report, Section, Table};
use secateur_stats::numbers;
use secateur_stats::runs::Runs;
use std::collections::BTreeSet;

/// Columns that no page speaks of.
const ONLY_IN_REPORTS: [&str; 6] = [
    numbers::NODES_SAVED_MEANS.name,
    numbers::BRANCHING.name,
    "b (even span)",
    numbers::PROBE_SHARE.name,
    "Mnodes/s",
    "95th percentile",
];
/// How the notes begin that define columns, as the page of definitions does, to which every page of results has a link.
const DEFINITIONS: [&str; 2] = ["Nodes saved: the factor by which", "Finished: positions left out of depths"];
/// What of provenance identifies a file or a computer and is asked for only by who repeats the run.
const IDENTITIES: [&str; 15] = [
    "started (UTC)",
    "hash of the cells",
    "hash of the positions",
    "binary counted",
    "build",
    "hash of the sources",
    "hash of the binary",
    "version",
    "compiler",
    "target-cpu",
    "compiler flags",
    "profile",
    "processor",
    "cores",
    "valgrind",
];
/// What the labels of single arms have, of which there may be a hundred.
const ONE_ARM: &str = ": arm ";
/// The heading that only tables by stage have.
const BY_STAGE: &str = "stage";
/// Words from which on a paragraph is a note that a page need not repeat.
const LONG: usize = 12;

/// The section as a page shows it.
pub(super) fn concise(section: &Section) -> Section {
    let mut section = section.clone();
    // Of every table by stage the page has the one over all stages.
    section.tables.retain(|table| table.columns.iter().all(|(heading, _)| heading != BY_STAGE));
    for table in &mut section.tables {
        table.keep_columns(|heading| !ONLY_IN_REPORTS.contains(&heading));
        table.notes.retain(|note| !DEFINITIONS.iter().any(|begins| note.starts_with(begins)));
        if section.title == provenance::TITLE {
            table.rows.retain(|row| !IDENTITIES.contains(&row[0].as_str()) && !row[0].contains(ONE_ARM));
        }
    }
    section
}

/// What made the numbers, folded, because few readers ask for it.
fn folded(tables: &str) -> String {
    format!("<details>\n<summary>What made these numbers</summary>\n\n{tables}</details>\n\n")
}

/// Tables one below the other.
pub(super) fn tables(tables: &[Table]) -> String {
    tables.iter().map(|table| markdown_table(table) + "\n").collect()
}

/// A report without headings: first what a reader must know of it.
pub(super) fn of_report(report: &Report) -> String {
    let notes: String = report.notes.iter().map(|note| format!("> {note}\n\n")).collect();
    notes + &of_sections(&report.sections)
}

/// Sections without their titles, as pages show them.
pub(super) fn of_sections(sections: &[Section]) -> String {
    sections.iter().map(of_section).collect()
}

pub(super) fn of_section(section: &Section) -> String {
    let section = concise(section);
    let text: String = section.text.iter().map(|line| format!("{line}\n\n")).collect();
    // A table that follows a line of text without a blank one is no table.
    let tables = tables(&section.tables);
    match section.title == provenance::TITLE {
        true => folded(&(text + &tables)),
        false => text + &tables,
    }
}

/// What made a run, folded.
pub(super) fn made(runs: &Runs) -> String {
    of_sections(&[provenance::section(runs)])
}

/// A report without its title, one heading deeper; what made it is folded at the end.
pub(super) fn body(mut report: Report) -> String {
    let made: Vec<Section> =
        report.sections.extract_if(.., |section| section.title == provenance::TITLE).collect();
    let lines = markdown(&report);
    let lines = lines.lines().skip(1).map(|line| match line.strip_prefix("## ") {
        Some(heading) => format!("### {heading}"),
        None => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n") + "\n\n" + &of_sections(&made)
}

/// The page without the notes of generated parts that an earlier generated part has already.
pub(super) fn notes_once(page: &str) -> String {
    let (mut is_generated, mut seen, mut text) = (false, BTreeSet::new(), String::new());
    let (mut is_dropped, mut is_code) = (false, false);
    for line in page.lines() {
        is_code ^= line.starts_with("```");
        if line.starts_with("<!-- BEGIN:") {
            is_generated = true;
        } else if line.starts_with("<!-- END") {
            is_generated = false;
        }
        // The blank line below a note goes with it.
        if is_dropped && line.is_empty() {
            is_dropped = false;
            continue;
        }
        is_dropped = is_generated && !is_code && is_note(line) && !seen.insert(line);
        if !is_dropped {
            text += line;
            text.push('\n');
        }
    }
    text
}

/// Whether the line is a paragraph of some length and no row, heading, item or markup.
fn is_note(line: &str) -> bool {
    !line.starts_with(['|', '#', '-', '<', '>', '`', ' ']) && line.split_whitespace().count() >= LONG
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_shows_the_columns_that_its_readers_compare() {
        let cells = [
            ("<methods", "lmr"),
            ("nodes saved (means)", "15.1"),
            ("nodes saved", "12.6"),
            ("Mnodes/s", "3.40"),
        ];
        let table: Table = [cells].into_iter().collect();
        let table = table.noted("Nodes saved: the factor by which nodes are cut").noted("Noise floor");
        let section = |title: &str, table: &Table| Section {
            title: title.to_owned(),
            text: Vec::new(),
            tables: vec![table.clone()],
        };
        let shown = concise(&section("chess", &table)).tables.remove(0);
        assert_eq!(
            shown.columns.iter().map(|(heading, _)| heading).collect::<Vec<_>>(),
            ["methods", "nodes saved"]
        );
        assert_eq!(shown.rows, [["lmr", "12.6"]]);
        assert_eq!(shown.notes, ["Noise floor"]);
        let by_stage = section("promises", &Table::new(&["<methods", "<stage", "broken"]));
        assert!(concise(&by_stage).tables.is_empty());
        let made = [
            ("command", "secateur bench quick"),
            ("cores", "2"),
            ("chess: arm full[-lmr]", "variable OFF: 3"),
        ];
        let made: Table =
            made.map(|(what, value)| [("<what", what), ("<value", value)]).into_iter().collect();
        let made = concise(&section(provenance::TITLE, &made)).tables.remove(0);
        assert_eq!(made.rows, [["command", "secateur bench quick"]]);
    }

    #[test]
    fn a_note_is_printed_once_a_page_and_prose_is_left_alone() {
        let note = "Regret: the oracle's value of its own move less its value of the move chosen, in pawns.";
        let part =
            |name: &str| format!("<!-- BEGIN: {name} -->\n| a |\n\n{note}\n\n**chess**\n<!-- END -->\n");
        let page = format!("{note}\n{}{}{note}\n", part("one"), part("two"));
        let shown = notes_once(&page);
        assert_eq!(
            shown.matches(note).count(),
            3,
            "the two of the prose and the first of the parts: {shown}"
        );
        assert_eq!(shown.matches("| a |").count(), 2);
        assert_eq!(shown.matches("**chess**").count(), 2, "a short line is no note");
        assert_eq!(notes_once(&shown), shown);
    }
}
