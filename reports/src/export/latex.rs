//! A report as LaTeX: sections of tables with caption and label, ruled by the package `booktabs`.
//!
//! A label is made of the title of the section and the number of the table in it, so that it stays when others come and go.

use crate::table::{Align, Report, Table};
use secateur_base::visible::visible_lines;

/// The whole report, to be read with `\input`.
#[must_use]
pub fn latex(report: &Report) -> String {
    let mut text =
        format!("% {}\n% needs \\usepackage{{booktabs}}\n", visible_lines(&report.title).replace('\n', " "));
    for note in &report.notes {
        text += &format!("\n\\emph{{Note: {}}}\n", escape(note));
    }
    for section in &report.sections {
        let tables: Vec<&Table> = section.tables.iter().filter(|table| !table.rows.is_empty()).collect();
        if section.text.is_empty() && tables.is_empty() {
            continue;
        }
        text += &format!("\n\\section*{{{}}}\n", escape(&section.title));
        for paragraph in &section.text {
            text += &format!("\n{}\n", bold(paragraph));
        }
        for (index, table) in tables.iter().enumerate() {
            text += &captioned(table, &section.title, index + 1);
        }
    }
    text
}

/// A table with its caption and label; its notes stand below the caption's sentence.
fn captioned(table: &Table, section: &str, number: usize) -> String {
    let parts = section.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let label = parts.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-");
    let mut text = format!(
        "\n\\begin{{table}}[htbp]\n\\centering\n\\footnotesize\n\\caption{{{}}}\n\\label{{tab:{label}-{number}}}\n",
        escape(section)
    );
    text += &tabular(table);
    for note in &table.notes {
        text += &format!("\n\\par\\smallskip {}\n", escape(note));
    }
    text + "\\end{table}\n"
}

fn tabular(table: &Table) -> String {
    let columns: String = table
        .columns
        .iter()
        .map(|(_, align)| match align {
            Align::Left => 'l',
            Align::Right => 'r',
        })
        .collect();
    let line = |cells: Vec<String>| format!("{} \\\\\n", cells.join(" & "));
    let mut text = format!("\\begin{{tabular}}{{{columns}}}\n\\toprule\n");
    text += &line(table.columns.iter().map(|(heading, _)| escape(heading)).collect());
    text += "\\midrule\n";
    for row in &table.rows {
        text += &line(row.iter().map(|cell| escape(cell)).collect());
    }
    text + "\\bottomrule\n\\end{tabular}\n"
}

/// Words between `**` in bold, the rest as it is; all of it escaped.
fn bold(paragraph: &str) -> String {
    let parts = paragraph.split("**").enumerate();
    parts
        .map(|(i, part)| if i % 2 == 1 { format!("\\textbf{{{}}}", escape(part)) } else { escape(part) })
        .collect()
}

/// `text` with every character that LaTeX takes for a command written out.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in visible_lines(&text.replace('\r', " ")).chars() {
        match c {
            '\\' => out += "\\textbackslash{}",
            '~' => out += "\\textasciitilde{}",
            '^' => out += "\\textasciicircum{}",
            '<' => out += "\\textless{}",
            '>' => out += "\\textgreater{}",
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', c]),
            '\n' | '\r' => out.push(' '),
            // A bracket right after a line's end would be taken for its option.
            '[' => out += "{[}",
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Section;

    #[test]
    fn hostile_names_stay_text() {
        let mut table = Table::new(&["<a_b", "50 %"]);
        table.push(vec!["\\input{/etc/passwd} & more".into(), "[1, 2] $x^2$".into()]);
        let mut report = Report::new("t");
        let text = vec!["**#1** {~}".to_owned()];
        report.sections.push(Section { title: "s & t".into(), text, tables: vec![table] });
        let text = latex(&report);
        assert!(
            text.contains("\\section*{s \\& t}") && text.contains("\\textbf{\\#1} \\{\\textasciitilde{}\\}")
        );
        assert!(text.contains("a\\_b & 50 \\% \\\\\n"));
        assert!(text.contains(
            "\\textbackslash{}input\\{/etc/passwd\\} \\& more & {[}1, 2] \\$x\\textasciicircum{}2\\$"
        ));
        assert_eq!(text.matches("\\begin{tabular}{lr}").count(), 1);
        assert!(text.contains("\\caption{s \\& t}\n\\label{tab:s-t-1}"), "{text}");
        for rule in ["toprule", "midrule", "bottomrule", "end{table}", "usepackage{booktabs}"] {
            assert_eq!(text.matches(&format!("\\{rule}")).count(), 1, "{rule}");
        }
        assert!(!text.contains("hline"));
    }

    #[test]
    fn every_row_has_every_column() {
        let mut table = Table::new(&["<a", "b", "c"]);
        (0..5).for_each(|i| table.push(vec![format!("{i} & {i}"), "x".into(), "y".into()]));
        let rows = tabular(&table);
        let ends = rows.lines().filter(|line| line.ends_with("\\\\"));
        assert!(ends.clone().all(|line| line.replace("\\&", "").matches('&').count() == 2));
        assert_eq!(ends.count(), 6);
    }
}
