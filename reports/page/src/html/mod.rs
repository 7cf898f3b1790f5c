//! The report as one HTML file: nothing is fetched, tables sort, pictures have words and data.
//!
//! Made by a template that escapes every text; only the pictures, the style and the script are put in as they are, and
//! the pictures escape their own texts. Without the script everything can still be read.

mod parts;
#[cfg(test)]
mod tests;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use secateur_reports::figure::Figure;
use secateur_reports::table::{Report, Section};
use secateur_reports::{export, figures, full_of, predict};
use secateur_stats::arm::{members, name};
use secateur_stats::group::groups_of;
use secateur_stats::measures::measure_rows;
use secateur_stats::runs::Runs;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("sort.js");
/// Nothing may be loaded, whatever a file managed to put into the page.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/// What a page says where the scatter plots of a fit would be: they are not in the records.
const PLOTS: &str = "Scatter plots need pairs of values: cargo xtask pairs GAME --positions SET --out pairs.csv, then \
                     cargo xtask report RUN --html --pairs pairs.csv.";

/// The page of one or several runs; `more` are pictures that records alone do not give.
#[must_use]
pub fn page(runs: &Runs, more: Vec<Figure>) -> String {
    let groups = groups_of(runs);
    let mut report = full_of(&groups, runs);
    let mut figures = figures(&groups, runs);
    if more.is_empty() && runs.records.iter().any(|row| predicts(&row.methods)) {
        let section =
            Section { title: predict::TITLE.to_owned(), text: vec![PLOTS.to_owned()], ..Section::default() };
        report.sections.insert(report.sections.len().saturating_sub(1), section);
    }
    figures.extend(more);
    // A picture's section that the report does not have comes last but for the origin of the run.
    for title in figures.iter().map(|figure| &figure.section) {
        if report.sections.iter().all(|section| section.title != *title) {
            let at = report.sections.len().saturating_sub(1);
            report.sections.insert(at, Section { title: title.clone(), ..Section::default() });
        }
    }
    let names: Vec<&str> = runs.manifests.iter().map(|manifest| &*manifest.run).collect();
    if !names.is_empty() {
        report.title = format!("secateur: {}", names.join(", "));
    }
    let data = export::csv(&measure_rows(&groups));
    document(&report, &figures, &data).into_string()
}

/// The page of a report that is made already, with its numbers as CSV.
#[must_use]
pub fn of_report(report: &Report, data: &str) -> String {
    document(report, &[], data).into_string()
}

/// Whether a method of a set rests on a prediction.
fn predicts(methods: &str) -> bool {
    members(methods).into_iter().any(|member| ["probcut", "mpc"].contains(&name(member)))
}

fn document(report: &Report, figures: &[Figure], data: &str) -> Markup {
    let sections: Vec<&Section> =
        report.sections.iter().filter(|section| !is_empty(section, figures)).collect();
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                title { (report.title) }
                // An empty icon, so that no browser asks for one.
                link rel="icon" href="data:,";
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (report.title) }
                    @for note in &report.notes { p.warning { (note) } }
                }
                main {
                    @for (index, section) in sections.iter().enumerate() {
                        (parts::section(section, figures))
                        @if index == 0 { (contents(&sections)) }
                    }
                    section id="data" {
                        h2 { "Data" }
                        p {
                            "Every number above, unrounded, one to a row: "
                            (parts::download("report.csv", data)) "."
                        }
                    }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
}

fn contents(sections: &[&Section]) -> Markup {
    html! {
        nav {
            details open {
                summary { "Contents" }
                ul {
                    @for section in sections {
                        li { a href=(format!("#{}", parts::anchor(&section.title))) { (section.title) } }
                    }
                    li { a href="#data" { "Data" } }
                }
            }
        }
    }
}

fn is_empty(section: &Section, figures: &[Figure]) -> bool {
    section.text.is_empty()
        && section.tables.iter().all(|table| table.rows.is_empty())
        && figures.iter().all(|figure| figure.section != section.title)
}
