//! The page of all measures and columns, and the data package of a folder: both from the tables that the code works with.

use crate::render::markdown_table;
use crate::table::Table;
use secateur_record::games::{self, Traits};
use secateur_stats::columns::{Column, CsvTable, TABLES};
use secateur_stats::contrast::Mean;
use secateur_stats::measure::{MEASURES, Unit, divided};
use secateur_stats::numbers::{ALL, EFFECTS};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Where files of the repository are to be read by people who have only the book.
pub const REPOSITORY: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");

/// The name of the data package in a folder.
pub const PACKAGE: &str = "datapackage.json";

/// `docs/MEASURES.md`; `command` is what makes it.
pub fn page(command: &str) -> String {
    let mut text = format!(
        "# Measures and columns\n\n<!-- made by `{command}` -->\n\n\
         Every number has one name and one unit: in CSV, JSON and the marks of documents the first name, in headings the second. Shares are \
         printed in per cent. [Definitions](METHODOLOGY.md) says how measures and their intervals are computed, [The record](RECORD.md) what \
         vouches for the files.\n\n\
         The unit of a game is what its values are read in ({}). The files of a run hold values in score units ({}; `traits` in run.toml \
         says of which size); reports print and write units of the game.\n\n\
         Run and match folders carry the columns of their files, with their types, as `{PACKAGE}`, a \
         [Frictionless](https://specs.frictionlessdata.io) data package. `secateur report --json-schema` prints the \
         [schema]({REPOSITORY}reports/data/report.schema.json) of `report --json`.\n\n## What searches are measured by\n\n\
         Two configurations are compared position by position by one of these. Source games are what is independent.\n\n",
        distinct(|game| &game.unit),
        distinct(|game| &game.score),
    );
    text += &printed(MEASURES.iter().map(|measure| {
        let mean = match measure.mean {
            Mean::Geometric => "geometric mean of ratios, Student",
            Mean::Arithmetic => "mean of differences, Student",
            Mean::Losses => "mean of differences, sign-flip",
            Mean::Share => "difference of shares, McNemar",
        };
        let better = if measure.more_is_better { "more" } else { "less" };
        [
            ("<name", &*code(measure.name)),
            ("<unit", measure.unit.in_words()),
            ("<mean and test", mean),
            ("<better", better),
            ("<compared at", measure.budgets.in_words()),
            ("<what it is, and where it counts", measure.definition),
        ]
        .map(owned)
    }));
    text += "\n## Numbers of reports\n\n";
    text += &printed(ALL.iter().map(|measure| {
        [
            ("<name", &*code(measure.csv)),
            ("<in headings", measure.name),
            ("<unit", measure.unit.in_words()),
            ("<what it is", measure.definition),
        ]
        .map(owned)
    }));
    text += "\n## Measures of a factorial experiment\n\n\
             Of a method, or of two methods with ` x ` between them; above 0 is less of it with the method. X is what is measured:\n\n";
    text += &printed(divided().map(|measure| {
        let unit = if measure.is_difference() { measure.unit } else { Unit::Logarithm };
        let name = code(&measure.cost_name());
        [("<X", &*name), ("<unit", unit.in_words()), ("<what is measured", measure.divided)].map(owned)
    }));
    text.push('\n');
    text += &printed(EFFECTS.iter().map(|(before, after, definition)| {
        let name = code(&format!("{before}X{after}"));
        [("<name", name), ("<what it is", definition.replace("{}", "X"))]
    }));
    text += "\nThe name of a share leaves out `ln_`.\n";
    for table in TABLES.iter() {
        text += &format!("\n## {}\n\n{}\n\n{}", table.file, table.about, columns(table));
    }
    text
}

/// A word of every game, each once.
fn distinct(word: impl Fn(&'static Traits) -> &'static str) -> String {
    let distinct: BTreeSet<&str> = games::of_each_game(word).into_iter().collect();
    distinct.into_iter().collect::<Vec<_>>().join(", ")
}

fn code(name: &str) -> String {
    format!("`{name}`")
}

fn owned<'h>((heading, cell): (&'h str, &str)) -> (&'h str, String) {
    (heading, cell.to_owned())
}

fn printed<R>(rows: impl Iterator<Item = R>) -> String
where
    Table: FromIterator<R>,
{
    markdown_table(&rows.collect())
}

fn columns(table: &CsvTable) -> String {
    printed(table.columns.iter().map(|Column { name, unit, about, .. }| {
        let unit = if unit.is_empty() { "-" } else { unit };
        [("<column", &*code(name)), ("<unit", unit), ("<what it is", about)].map(owned)
    }))
}

/// The data package of a folder that holds these files; files that are no tables of ours are left out. `name` is that of the run.
pub fn package(name: &str, files: &[&str]) -> String {
    let tables = TABLES.iter().filter(|table| files.contains(&&*table.file));
    let package = json!({
        "profile": "tabular-data-package",
        "name": slug(name),
        "resources": tables.map(resource).collect::<Vec<Value>>(),
    });
    format!("{package:#}\n")
}

/// A name as the specification wants it: small letters, digits, `.`, `_` and `-`.
fn slug(name: &str) -> String {
    let kept =
        |c: char| if c.is_ascii_alphanumeric() || ".-_".contains(c) { c.to_ascii_lowercase() } else { '-' };
    name.chars().map(kept).collect()
}

fn resource(table: &CsvTable) -> Value {
    let field = |Column { name, kind, unit, about }: &Column| {
        let mut field = json!({ "name": name, "type": kind, "description": about });
        if !unit.is_empty() {
            field["unit"] = json!(unit);
        }
        field
    };
    json!({
        "profile": "tabular-data-resource",
        "name": table.file.trim_end_matches(".csv"),
        "path": table.file,
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "description": table.about,
        "schema": { "fields": table.columns.iter().map(field).collect::<Vec<Value>>(), "missingValues": [""] },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_stats::numbers::crossed;

    #[test]
    fn the_page_has_every_measure_and_every_column() {
        let page = page("docs");
        for measure in ALL {
            assert!(
                page.contains(&format!("| `{}` | ", measure.csv))
                    && page.contains(&measure.definition.replace('|', "\\|").replace('<', "&lt;"))
            );
        }
        let has = |name: &str| page.contains(&format!("| `{name}` | "));
        for name in crossed() {
            let is_composed = |(before, after, _): &(&str, &str, &str)| {
                let rest = name.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
                rest.is_some_and(|what| {
                    has(&format!("{before}X{after}")) && (has(what) || has(&format!("ln_{what}")))
                })
            };
            assert!(EFFECTS.iter().any(is_composed), "{name}");
        }
        for table in TABLES.iter() {
            let section = page.split(&format!("\n## {}\n", table.file)).nth(1).unwrap();
            let rows = section.split("\n## ").next().unwrap().lines().filter(|line| line.starts_with("| `"));
            assert_eq!(rows.count(), table.columns.len(), "{}", table.file);
        }
    }

    #[test]
    fn a_package_describes_the_files_that_are_there() {
        let value: Value =
            serde_json::from_str(&package("Quick run/1", &["records.csv", "report.html"])).unwrap();
        assert_eq!(
            (&value["name"], value["resources"].as_array().unwrap().len()),
            (&json!("quick-run-1"), 1)
        );
        let fields = value["resources"][0]["schema"]["fields"].as_array().unwrap();
        let nodes = fields.iter().find(|field| field["name"] == "nodes").unwrap();
        assert_eq!((&nodes["type"], &nodes["unit"]), (&json!("integer"), &json!("nodes")));
    }
}
