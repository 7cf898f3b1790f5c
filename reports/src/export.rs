//! Other forms of a report: for papers (LaTeX), for programs (tidy CSV, JSON).
//!
//! The terminal's and the Markdown form are in [`crate::render`], the page in [`crate::page`].
//!
//! For programs there is one row for each measure of each method set, stage and budget, as CSV and within JSON. Long and tidy: what
//! varies is in columns, and a measure is one number with its interval. Nothing is rounded. LaTeX has sections of tables with caption
//! and label, ruled by the package `booktabs`; a label is made of the title of the section and the number of the table in it, so that it
//! stays when others come and go.

use crate::format::anchor;
use crate::table::{Align, Report, Table};
use secateur_base::visible::{visible_json, visible_lines};
use secateur_record::table::of_rows;
use secateur_stats::measures::MeasureRow;
use serde_json::{Value, json};

/// The measures as CSV with a header.
pub fn csv(rows: &[MeasureRow]) -> String {
    of_rows(rows)
}

/// Version of the layout of [`json()`]; raised when a member changes its meaning, name or place.
pub const LAYOUT: u32 = 2;
/// The JSON schema of [`json()`].
pub const SCHEMA: &str = include_str!("../data/report.schema.json");

/// The report as JSON: `layout`, `title`, `notes`, `measures` (the rows) and `sections` as they are printed.
pub fn json(report: &Report, rows: &[MeasureRow]) -> String {
    let json_of = |table: &Table| {
        let columns: Vec<&str> = table.columns.iter().map(|(heading, _)| heading.as_str()).collect();
        json!({ "columns": columns, "rows": table.rows, "notes": table.notes })
    };
    let sections = report.sections.iter().map(|section| {
        let tables: Vec<Value> = section.tables.iter().map(json_of).collect();
        json!({ "title": section.title, "text": section.text, "tables": tables })
    });
    let sections: Vec<Value> = sections.collect();
    let all = json!({
        "layout": LAYOUT, "title": report.title, "notes": report.notes, "measures": rows, "sections": sections,
    });
    visible_json(&format!("{all:#}\n")).into_owned()
}

/// The whole report, to be read with `\input`.
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
    let label = anchor(section);
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
    use secateur_record::record::Record;
    use secateur_stats::fixtures::row as record;
    use secateur_stats::group::groups;
    use secateur_stats::measures::measure_rows;
    use secateur_stats::metrics::Iterations;

    fn records() -> Vec<Record> {
        let mut records = Vec::new();
        for (i, stage) in ["12", "28", "12", "28"].into_iter().enumerate() {
            for (methods, nodes) in [("none", 1000), ("a,\"b\"", 100), ("mpc", 90)] {
                records.push(record(&format!("p{i}"), stage, methods, nodes + i as u64));
            }
        }
        records
    }

    #[test]
    fn csv_reads_back_row_for_row_whatever_the_names() {
        let records = records();
        let rows = measure_rows(&groups(&records), &Iterations::new());
        let text = csv(&rows);
        let mut reader = ::csv::Reader::from_reader(text.as_bytes());
        let back: Vec<_> = reader.records().map(Result::unwrap).collect();
        assert_eq!(back.len(), rows.len());
        for (line, row) in back.iter().zip(&rows) {
            assert_eq!([&line[4], &line[5], &line[6]], [&*row.methods, &*row.stage, &*row.measure]);
            assert_eq!(line[8].parse().ok(), row.estimate);
        }
        // Two stages and all; the baseline has no comparisons, and time is compared over all stages.
        assert_eq!(rows.len(), 3 * (6 + 2 * 13) + 2);
    }

    #[test]
    fn json_is_json_and_has_no_rounding() {
        let records = records();
        let groups = groups(&records);
        let rows = measure_rows(&groups, &Iterations::new());
        let mut report = Report::new("t \"x\"");
        report.sections.push(crate::pooled::by_stage(&groups[0]));
        let value: serde_json::Value = serde_json::from_str(&json(&report, &rows)).unwrap();
        assert_eq!(value["title"], "t \"x\"");
        let row = value["measures"]
            .as_array()
            .unwrap()
            .iter()
            .find(|r| r["measure"] == "nodes_saved_means")
            .unwrap();
        assert_eq!(
            row["estimate"].as_f64(),
            rows.iter().find(|r| r.measure == "nodes_saved_means").unwrap().estimate
        );
        assert_eq!(value["sections"][0]["tables"].as_array().unwrap().len(), 2);
    }

    /// What is printed is valid by the schema that is published; a member more, or less, or of another type, is not.
    #[test]
    fn the_json_is_valid_by_its_schema_and_faults_are_not() {
        let schema: serde_json::Value = serde_json::from_str(SCHEMA).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let records = records();
        let rows = measure_rows(&groups(&records), &Iterations::new());
        let mut report = Report::new("t");
        report.sections.push(crate::pooled::by_stage(&groups(&records)[0]));
        let value: serde_json::Value = serde_json::from_str(&json(&report, &rows)).unwrap();
        let faults: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(faults.is_empty() && value["layout"] == LAYOUT, "{faults:?}");
        let matches = [MeasureRow { measure: "elo".into(), estimate: Some(-1.5), ..rows[0].clone() }];
        assert!(validator.is_valid(&serde_json::from_str(&json(&Report::new(""), &matches)).unwrap()));
        let wrong = |change: &dyn Fn(&mut serde_json::Value)| {
            let mut value = value.clone();
            change(&mut value);
            !validator.is_valid(&value)
        };
        assert!(wrong(&|value| value["measures"][0]["n"] = "4".into()));
        assert!(wrong(&|value| value["measures"][0]["unit"] = "times".into()));
        assert!(wrong(&|value| value["layout"] = 1.into()));
        assert!(wrong(&|value| drop(value["sections"][0].as_object_mut().unwrap().remove("tables"))));
    }

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
