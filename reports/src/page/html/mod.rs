//! The report as one HTML file: nothing is fetched, tables sort, pictures have words and data.
//!
//! Made by a template that escapes every text; only the pictures, the style and the script are put in as they are, and
//! the pictures escape their own texts. Without the script everything can still be read.
//!
//! The page of a search line by line has the source too, with what each line saves next to it.

mod versus;

use super::asked::asked;
use super::brief::sentences;
use super::changes::{Boards, Change, Positions, Sides, changes};
use super::matrix::matrix;
use super::plots::forest;
use super::{changes, worth};
use crate::evidence::Evidence;
use crate::figure::Figure;
use crate::format::anchor;
use crate::lines::{self, Beside, Lines};
use crate::table::{Align, Report, Section, Table};
use crate::worth::{GROWTH, Judged, PAIRS, Played};
use crate::{export, figures, predict, provenance, summary, tables_of};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use secateur_base::visible::visible_lines;
use secateur_record::sites::Sites;
use secateur_stats::group::groups_of;
use secateur_stats::labels::{members, name};
use secateur_stats::measures::measure_rows;
use secateur_stats::runs::Runs;
use secateur_stats::worth::{methods, without};
use std::collections::BTreeMap;
use std::fmt::Write;

pub use versus::page as of_two;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("page.js");
/// Nothing may be loaded, whatever a file managed to put into the page.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/// What a page says where the scatter plots of a fit would be: they are not in the records.
fn plots() -> String {
    let me = secateur_base::program::name();
    format!(
        "Scatter plots need pairs of values: {me} pairs GAME --positions SET --out pairs.csv, then {me} report RUN --html \
         --pairs pairs.csv."
    )
}

/// What records alone do not give.
#[derive(Clone, Debug, Default)]
pub struct Extras {
    /// Pictures of a fit.
    pub figures: Vec<Figure>,
    /// The positions of the run, for boards; those that are not here have none.
    pub positions: Positions,
    /// Games of the program as it is against itself without some of its methods.
    pub played: Vec<Played>,
}

/// The page of one or several runs. That of a program that is compared with itself without its methods says first what each is worth.
pub fn page(runs: &Runs, extras: Extras) -> String {
    page_of(&Evidence::of(runs), extras)
}

/// The same of what is worked out already.
pub fn page_of(evidence: &Evidence<'_>, extras: Extras) -> String {
    let Evidence { runs, groups, cells, .. } = evidence;
    let Extras { figures: more, positions, played } = extras;
    let judged = Judged::of(evidence, &played);
    let is_worth = !judged.measured.is_empty();
    let mut report = tables_of(evidence);
    let mut figures = figures(evidence);
    if more.is_empty() && runs.records.iter().any(|row| predicts(&row.methods)) {
        let section = Section { title: predict::TITLE.to_owned(), text: vec![plots()], ..Section::default() };
        report.sections.insert(report.sections.len().saturating_sub(1), section);
    }
    figures.extend(more);
    let asked = if is_worth { Vec::new() } else { asked(groups, &mut figures) };
    place(&mut report, &figures, 1);
    let names: Vec<&str> = runs.manifests.iter().map(|manifest| &*manifest.run).collect();
    if !names.is_empty() {
        report.title = format!("secateur: {}", names.join(", "));
    }
    let changed = changes(groups);
    let matrix = groups.iter().any(|group| group.methods.len() > 1).then(|| matrix(evidence));
    if is_worth {
        return worth_page(evidence, &judged, (report, figures), (&changed, &positions), matrix);
    }
    let boards = Boards::of(&changed);
    let first = first_screen(evidence, (&changed, &boards), &asked);
    let changed =
        (!changed.is_empty()).then(|| changed_positions(&changed, &boards, &positions, Sides::Methods));
    let sections = [("Matrix", matrix), (CHANGED, changed)];
    let sections = sections.into_iter().filter_map(|(title, body)| Some((title, body?))).collect();
    let special = Special { first, sections, folded: None };
    document(&report, &figures, &export::csv(&measure_rows(groups, cells)), &special)
}

/// The page of a program that is compared with itself without its methods: the verdicts, what they rest on, and all other tables
/// below, folded.
fn worth_page(
    Evidence { groups, cells, .. }: &Evidence<'_>,
    judged: &Judged<'_>,
    (mut rest, figures): (Report, Vec<Figure>),
    (changed, positions): (&[Change<'_>], &Positions),
    matrix: Option<Markup>,
) -> String {
    let mut report = Report::new(&crate::worth::title(judged));
    report.notes.append(&mut rest.notes);
    report.notes.extend(crate::worth::notes(judged));
    report.sections = crate::worth::sections(judged);
    let origin = rest.sections.iter().position(|section| section.title == provenance::TITLE);
    report.sections.extend(origin.map(|at| rest.sections.remove(at)));
    // What it says in words stands above, with the games.
    rest.sections.retain(|section| section.title != summary::TITLE);
    let shown_figures = crate::worth::figures(judged, cells);
    let section = |title: &str| {
        let shown: Vec<&Figure> = shown_figures.iter().filter(|figure| figure.section == title).collect();
        (!shown.is_empty()).then(|| pictures(&shown))
    };
    let taken: Vec<String> =
        groups.iter().flat_map(|group| methods(group).into_iter().map(|method| without(&[method]))).collect();
    let mut changed: Vec<Change<'_>> =
        changed.iter().filter(|change| taken.iter().any(|arm| change.row.methods == *arm)).cloned().collect();
    changes::by_size(&mut changed);
    let shown = (!changed.is_empty())
        .then(|| changed_positions(&changed, &Boards::of(&changed), positions, Sides::Without));
    let sections = [
        (PAIRS, section(PAIRS)),
        ("Time and instructions", worth::costs(judged)),
        ("Games", worth::games(judged)),
        (CHANGED, shown),
        (GROWTH, section(GROWTH)),
        ("What the arms were", Some(worth::arms(judged))),
    ];
    let sections = sections.into_iter().filter_map(|(title, body)| Some((title, body?))).collect();
    let folded = html! {
        @if let Some(matrix) = matrix { h3 { "Every arm compared with the program as it is" } (matrix) }
        @for section in rest.sections.iter().filter(|section| !is_empty(section, &figures)) { (section_of(section, &figures)) }
    };
    let data = export::csv(&crate::worth::rows_of(judged));
    let special = Special { first: worth::first(judged), sections, folded: Some(folded) };
    document(&report, &[], &data, &special)
}

/// Adds sections for pictures whose section the report does not have, before so many of its last ones.
fn place(report: &mut Report, figures: &[Figure], behind: usize) {
    for title in figures.iter().map(|figure| &figure.section) {
        if report.sections.iter().all(|section| section.title != *title) {
            let at = report.sections.len().saturating_sub(behind);
            report.sections.insert(at, Section { title: title.clone(), ..Section::default() });
        }
    }
}

/// Title of the section of changed positions.
const CHANGED: &str = "Changed positions";

/// The section of changed positions, with its data.
fn changed_positions(
    all: &[Change<'_>],
    boards: &Boards<'_, '_>,
    positions: &Positions,
    sides: Sides,
) -> Markup {
    let kept = &all[..all.len().min(changes::KEPT)];
    html! {
        (changes::section(all, boards, positions, sides))
        p {
            @if kept.len() < all.len() { "The worst " (kept.len()) ": " } @else { "All of them: " }
            (download("changed.csv", &changes::data(kept))) "."
        }
    }
}

/// What a page of a run has and one of a report alone has not.
#[derive(Default)]
struct Special {
    /// Above everything.
    first: Markup,
    /// Before the sections of the report, with their titles.
    sections: Vec<(&'static str, Markup)>,
    /// Below all of them, folded.
    folded: Option<Markup>,
}

/// The answer: for every block the picture of what was asked, if that is not the list itself, and the list next to three sentences.
fn first_screen(
    evidence: &Evidence<'_>,
    (changed, boards): (&[Change<'_>], &Boards<'_, '_>),
    asked: &[Option<Figure>],
) -> Markup {
    let sentences = sentences(evidence);
    html! {
        @for ((group, sentence), asked) in evidence.groups.iter().zip(&sentences).zip(asked) {
            @if let Some(picture) = forest(group, evidence) {
                div.answer data-name=(format!("{} ({})", group.heading(), group.suite)) {
                    @if let Some(asked) = asked {
                        div { (pictures(&[asked])) details { summary { "Every method set" } (picture) } }
                    } @else { (picture) }
                    div {
                        h2 { (group.heading()) }
                        p { (sentence) }
                        @if let Some(told) = changes::sentence(changed, group, boards) { (told) }
                        p { "Compared with " strong { (group.methods[0]) } " on the same positions, with 95 % intervals. "
                            a href="#matrix" { "Everything, by stage" } "." }
                    }
                }
            }
        }
    }
}

/// The page of a report that is made already, with its pictures and its numbers as CSV. Sections that only pictures name come last.
pub fn of_report(report: &Report, figures: &[Figure], data: &str) -> String {
    let mut report = report.clone();
    place(&mut report, figures, 0);
    document(&report, figures, data, &Special::default())
}

/// Whether a method of a set rests on a prediction.
fn predicts(methods: &str) -> bool {
    members(methods).into_iter().any(|member| ["probcut", "mpc"].contains(&name(member)))
}

/// The whole page. Escapes keep names from being markup; here none of them hides or turns what stands around it.
fn document(report: &Report, figures: &[Figure], data: &str, special: &Special) -> String {
    visible_lines(&markup(report, figures, data, special).into_string()).into_owned()
}

fn markup(report: &Report, figures: &[Figure], data: &str, special: &Special) -> Markup {
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
                    (special.first)
                    (contents(&sections, special))
                    @for (title, body) in &special.sections {
                        section id=(anchor(title)) { h2 { (title) } (body) }
                    }
                    @for section in &sections { (section_of(section, figures)) }
                    @if let Some(folded) = &special.folded {
                        section id="everything" {
                            h2 { "Everything" }
                            details { summary { "All other tables and pictures of the searches" } (folded) }
                        }
                    }
                    section id="data" {
                        h2 { "Data" }
                        p {
                            "Every number above, unrounded, one to a row: "
                            (download("report.csv", data)) "."
                        }
                    }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
}

fn contents(sections: &[&Section], special: &Special) -> Markup {
    html! {
        nav {
            details {
                summary { "Contents" }
                ul {
                    @for (title, _) in &special.sections {
                        li { a href=(format!("#{}", anchor(title))) { (title) } }
                    }
                    @for section in sections {
                        li { a href=(format!("#{}", anchor(&section.title))) { (section.title) } }
                    }
                    @if special.folded.is_some() { li { a href="#everything" { "Everything" } } }
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

/// More tables than this in one section are folded.
const OPEN_TABLES: usize = 4;

/// A section with the pictures that belong to it.
fn section_of(section: &Section, all: &[Figure]) -> Markup {
    let section_figures: Vec<&Figure> = all.iter().filter(|figure| figure.section == section.title).collect();
    let tables: Vec<&Table> = section.tables.iter().filter(|table| !table.rows.is_empty()).collect();
    let fold = tables.len() > OPEN_TABLES || section.title == provenance::TITLE;
    html! {
        section id=(anchor(&section.title)) {
            h2 { (section.title) }
            @for paragraph in &section.text { p { (bold(paragraph)) } }
            (pictures(&section_figures))
            @for (index, shown) in tables.iter().enumerate() {
                @let label = format!("{}, table {}", section.title, index + 1);
                @if fold {
                    details {
                        summary { (fold_title(section, shown)) }
                        (table(shown, &label))
                    }
                } @else {
                    (table(shown, &label))
                }
            }
        }
    }
}

/// What a folded table is called.
fn fold_title<'s>(section: &'s Section, table: &'s Table) -> &'s str {
    match section.title == provenance::TITLE {
        true => "What made these records",
        false => table.columns.first().map_or("", |(heading, _)| heading),
    }
}

/// Words between `**` in bold.
fn bold(paragraph: &str) -> Markup {
    html! {
        @for (index, part) in paragraph.split("**").enumerate() {
            @if index % 2 == 1 { strong { (part) } } @else { (part) }
        }
    }
}

/// A table that sorts, under a name of its own for those who are read to.
pub(super) fn table(table: &Table, label: &str) -> Markup {
    let class = |align: Align| (align == Align::Left).then_some("left");
    html! {
        div.scroll tabindex="0" role="region" aria-label=(label) {
            table {
                thead { tr {
                    @for (heading, align) in &table.columns {
                        th scope="col" class=[class(*align)] { button type="button" { (heading) } }
                    }
                } }
                tbody {
                    @for row in &table.rows { tr {
                        @for (index, (cell, (_, align))) in row.iter().zip(&table.columns).enumerate() {
                            @if index == 0 {
                                th scope="row" class=[class(*align)] data-v=[number(cell)] { (cell) }
                            } @else {
                                td class=[class(*align)] data-v=[number(cell)] { (cell) }
                            }
                        }
                    } }
                }
            }
        }
        @for note in &table.notes { p.note { (note) } }
    }
}

/// The number that a cell starts with, by which its column is sorted: `1,234 [..]` is 1234, `<0.001` is 0.001.
fn number(cell: &str) -> Option<f64> {
    let cell = cell.trim_start_matches(['<', '+']);
    let end = cell.find(|c: char| !(c.is_ascii_digit() || "+-.,".contains(c))).unwrap_or(cell.len());
    // What goes on with letters is a name or a hash.
    let goes_on = cell[end..].starts_with(|c: char| !(c.is_whitespace() || c == '%'));
    if goes_on { None } else { cell[..end].replace(',', "").parse().ok() }
}

/// Pictures side by side where there is room.
fn pictures(figures: &[&Figure]) -> Markup {
    html! {
        @if !figures.is_empty() {
            div.figures {
                @for shown in figures {
                    figure style=[natural_width(&shown.svg).map(|width| format!("max-width:{width:.0}px"))] {
                        (PreEscaped(&shown.svg))
                        figcaption { (shown.caption) " " span.data { (download(&shown.file, &shown.csv)) } }
                    }
                }
            }
        }
    }
}

/// How wide a picture may get before its letters are larger than the text, from its own measure.
fn natural_width(svg: &str) -> Option<f64> {
    let (_, rest) = svg.split_once("viewBox=\"0 0 ")?;
    let width: f64 = rest.split(' ').next()?.parse().ok()?;
    Some(1.35 * width)
}

/// A link that saves `text` under the name `file`.
fn download(file: &str, text: &str) -> Markup {
    html! { a download=(file) href=(format!("data:text/csv;charset=utf-8,{}", percent(text))) { (file) } }
}

/// Percent-encoding of everything but letters, digits and what a query may hold anyway.
fn percent(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 5 / 4);
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~,:/".contains(&byte) {
            out.push(byte.into());
        } else {
            // Writing to a string does not fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// Lines that are shown around a site.
const AROUND: u32 = 12;

/// The page; `source` has the texts of the files with sites, by their paths. Files that are not there have no lines.
pub fn of_lines(runs: &Runs, sites: &Sites, source: &BTreeMap<String, String>) -> String {
    let mut special = Special::default();
    let groups = groups_of(runs);
    let measured = Lines::of(&groups, sites);
    let notes = measured.as_ref().map(Lines::beside).unwrap_or_default();
    if !source.is_empty() && !notes.is_empty() {
        special.sections.push(("The source", listing(&notes, source)));
    }
    document(&lines::report(runs, sites), &[], &lines::csv(runs, sites), &special)
}

fn listing(notes: &Beside<'_>, source: &BTreeMap<String, String>) -> Markup {
    html! {
        p { "Nodes without the line, next to it; the interval, the test and the condition show when the pointer rests on a number." }
        @for (file, text) in source {
            @let marked: Vec<u32> = notes.keys().filter(|(of, _)| *of == file.as_str()).map(|(_, line)| *line).collect();
            @if !marked.is_empty() {
                h3 { (file) }
                div.scroll tabindex="0" role="region" aria-label=(format!("{file}, line by line")) {
                    table.source {
                        thead { tr { th scope="col" { "nodes when off" } th.left scope="col" { "method" } th scope="col" { "line" } th.left scope="col" { "source" } } }
                        tbody { @for part in parts(text, &marked) { (part_of(file, &part, notes)) } }
                    }
                }
            }
        }
    }
}

/// The lines around marked ones, in pieces: number, from 1, and text.
fn parts<'t>(text: &'t str, marked: &[u32]) -> Vec<Vec<(u32, &'t str)>> {
    let mut parts: Vec<Vec<(u32, &str)>> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if marked.iter().all(|at| at.abs_diff(number) > AROUND) {
            continue;
        }
        match parts.last_mut().filter(|part| part.last().is_some_and(|(last, _)| last + 1 == number)) {
            Some(part) => part.push((number, line)),
            None => parts.push(vec![(number, line)]),
        }
    }
    parts
}

fn part_of(file: &str, part: &[(u32, &str)], notes: &Beside<'_>) -> Markup {
    html! {
        @for (number, line) in part {
            @let line_notes = notes.get(&(file, *number)).map_or(&[][..], Vec::as_slice);
            tr.marked[!line_notes.is_empty()] {
                td { @for note in line_notes { span class=(note.word().replace(' ', "-")) title=(note.details()) { (note.factor()) } " " } }
                td.left { @for note in line_notes { (note.belongs()) " " } }
                td { (number) }
                td.left { code { (line) } }
            }
        }
        tr { td colspan="4" { "..." } }
    }
}

#[cfg(test)]
mod tests;
