//! The two forms of a report: for the terminal and as Markdown.

use crate::table::{Align, Report, Section, Table};
use comfy_table::{CellAlignment, ContentArrangement, presets};
use secateur_base::visible::visible_lines;

/// The report for a terminal of `width` columns.
pub fn terminal(report: &Report, width: u16) -> String {
    let mut text = String::new();
    for note in &report.notes {
        text += &format!("Note: {}\n", visible_lines(note));
    }
    for section in report.sections.iter().filter(|section| !is_empty(section)) {
        text += &format!("\n{}\n", section.title);
        text += &"-".repeat(section.title.chars().count());
        text.push('\n');
        for paragraph in &section.text {
            text += &format!("{}\n", visible_lines(&paragraph.replace("**", "")));
        }
        for table in section.tables.iter().filter(|table| !table.rows.is_empty()) {
            text += &format!("{}\n", drawn(table, width));
            for note in &table.notes {
                text += &format!("  {}\n", visible_lines(note));
            }
        }
    }
    text
}

fn drawn(table: &Table, width: u16) -> comfy_table::Table {
    let mut drawn = comfy_table::Table::new();
    drawn.load_preset(presets::UTF8_BORDERS_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
    drawn.set_width(width);
    drawn.set_header(table.columns.iter().map(|(heading, _)| visible_lines(heading)));
    drawn.add_rows(table.rows.iter().map(|row| row.iter().map(|cell| visible_lines(cell))));
    for (index, (_, align)) in table.columns.iter().enumerate() {
        if let (Align::Right, Some(column)) = (align, drawn.column_mut(index)) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    drawn
}

/// The report as Markdown.
pub fn markdown(report: &Report) -> String {
    let mut text = format!("# {}\n", report.title);
    for note in &report.notes {
        text += &format!("\n> {}\n", escape(note));
    }
    for section in report.sections.iter().filter(|section| !is_empty(section)) {
        text += &format!("\n## {}\n", escape(&section.title));
        for paragraph in &section.text {
            text += &format!("\n{}\n", escape(paragraph));
        }
        for table in section.tables.iter().filter(|table| !table.rows.is_empty()) {
            text += &format!("\n{}", markdown_table(table));
        }
    }
    text
}

/// One table as Markdown, its notes below it.
pub fn markdown_table(table: &Table) -> String {
    let line =
        |cells: &mut dyn Iterator<Item = String>| format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "));
    let mut text = line(&mut table.columns.iter().map(|(heading, _)| escape(heading)));
    text += &line(&mut table.columns.iter().map(|(_, align)| match align {
        Align::Left => "---".to_owned(),
        Align::Right => "---:".to_owned(),
    }));
    for row in &table.rows {
        text += &line(&mut row.iter().map(|cell| escape(cell)));
    }
    for note in &table.notes {
        text += &format!("\n{}\n", escape(note));
    }
    text
}

fn is_empty(section: &Section) -> bool {
    section.text.is_empty() && section.tables.iter().all(|table| table.rows.is_empty())
}

/// What would end a cell, start HTML, or hide.
fn escape(text: &str) -> String {
    visible_lines(text).replace('|', "\\|").replace('<', "&lt;").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Table {
        let mut table = Table::new(&["<name", "n"]);
        table.push(vec!["a|b <i>".into(), "1".into()]);
        table
    }

    #[test]
    fn markdown_cells_cannot_break_out() {
        assert_eq!(markdown_table(&sample()), "| name | n |\n| --- | ---: |\n| a\\|b &lt;i> | 1 |\n");
    }

    #[test]
    fn what_hides_is_written_out() {
        let mut table = Table::new(&["<name"]);
        table.push(vec!["a\u{1b}[2J\u{202e}b".into()]);
        let mut report = Report::new("x");
        report.notes.push("\u{202e}n".into());
        report.sections.push(Section { title: "s".into(), text: vec!["\u{7}t".into()], tables: vec![table] });
        for text in [markdown(&report), terminal(&report, 80), crate::export::latex(&report)] {
            assert!(!text.chars().any(|c| matches!(c, '\u{1b}' | '\u{7}' | '\u{202e}')), "{text}");
            assert!(text.contains("202e"), "{text}");
        }
    }

    #[test]
    fn sections_and_tables_without_rows_are_not_shown() {
        let mut report = Report::new("x");
        let shown = Section { title: "said".into(), text: vec!["t".into()], ..Section::default() };
        report.sections.push(Section { tables: vec![Table::new(&["gone"])], ..shown });
        report.sections.push(Section { title: "gone".into(), ..Section::default() });
        report.sections.push(Section { title: "here".into(), tables: vec![sample()], ..Section::default() });
        for text in [markdown(&report), terminal(&report, 80)] {
            assert!(!text.contains("gone") && text.contains("here"), "{text}");
        }
    }
}
