//! The report as one HTML file: nothing is fetched, tables sort, pictures have words and data.
//!
//! Made by a template that escapes every text; only the pictures, the style and the script are put in as they are, and
//! the pictures escape their own texts. Without the script everything can still be read.

mod parts;
mod source;
#[cfg(test)]
mod tests;
mod versus;

pub use source::page as of_lines;
pub use versus::page as of_two;

use crate::figure::Figure;
use crate::page::asked::asked;
use crate::page::brief::{Found, sentences};
use crate::page::changes::{self, Boards, Change, Positions, Sides, changes};
use crate::page::forest::forest;
use crate::page::matrix::matrix;
use crate::page::worth;
use crate::table::{Report, Section};
use crate::worth::{GROWTH, Judged, PAIRS, Played};
use crate::{export, figures, predict, provenance, summary, tables_of};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use secateur_base::visible::visible_lines;
use secateur_stats::arm::{members, name};
use secateur_stats::group::{Group, groups_of};
use secateur_stats::measures::measure_rows;
use secateur_stats::runs::Runs;
use secateur_stats::worth::{methods, without};

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
#[must_use]
pub fn page(runs: &Runs, extras: Extras) -> String {
    page_of(&groups_of(runs), runs, extras)
}

/// The same for those who have the groups of the records already.
#[must_use]
pub fn page_of(groups: &[Group<'_>], runs: &Runs, extras: Extras) -> String {
    let Extras { figures: more, positions, played } = extras;
    let found = Found::of(runs);
    let judged = Judged::of(groups, runs, &played);
    let is_worth = !judged.measured.is_empty();
    let mut report = tables_of(groups, runs, found.cells());
    let mut figures = figures(groups, runs, found.cells());
    if more.is_empty() && runs.records.iter().any(|row| predicts(&row.methods)) {
        let section = Section { title: predict::TITLE.to_owned(), text: vec![plots()], ..Section::default() };
        report.sections.insert(report.sections.len().saturating_sub(1), section);
    }
    figures.extend(more);
    let asked = if is_worth { Vec::new() } else { asked(groups, &mut figures) };
    place(&mut report, &figures);
    let names: Vec<&str> = runs.manifests.iter().map(|manifest| &*manifest.run).collect();
    if !names.is_empty() {
        report.title = format!("secateur: {}", names.join(", "));
    }
    let changed = changes(groups);
    let mut special = Special::default();
    let matrix = groups.iter().any(|group| group.methods.len() > 1).then(|| matrix(groups, &found));
    if is_worth {
        return worth_page(
            runs,
            (&judged, groups, &found),
            (report, figures),
            (&changed, &positions),
            matrix,
        );
    }
    let boards = Boards::of(&changed);
    special.first = first_screen(groups, &found, (&changed, &boards), &asked);
    special.sections.extend(matrix.map(|matrix| ("Matrix", matrix)));
    if !changed.is_empty() {
        special.sections.push((CHANGED, changed_positions(&changed, &boards, &positions, Sides::Methods)));
    }
    document(&report, &figures, &export::csv(&measure_rows(groups, found.cells())), &special)
}

/// The page of a program that is compared with itself without its methods: the verdicts, what they rest on, and all other tables
/// below, folded.
fn worth_page(
    runs: &Runs,
    (judged, groups, found): (&Judged<'_, '_, '_>, &[Group<'_>], &Found<'_>),
    (mut rest, figures): (Report, Vec<Figure>),
    (changed, positions): (&[Change<'_>], &Positions),
    matrix: Option<Markup>,
) -> String {
    let mut report = Report::new(&crate::worth::title(judged));
    report.notes.append(&mut rest.notes);
    report.notes.extend(crate::worth::notes(judged));
    report.sections = crate::worth::sections(judged, runs);
    let origin = rest.sections.iter().position(|section| section.title == provenance::TITLE);
    report.sections.extend(origin.map(|at| rest.sections.remove(at)));
    // What it says in words stands above, with the games.
    rest.sections.retain(|section| section.title != summary::TITLE);
    let own = crate::worth::figures(judged, found.cells());
    let section = |title: &str| {
        let shown: Vec<&Figure> = own.iter().filter(|figure| figure.section == title).collect();
        (!shown.is_empty()).then(|| parts::figures(&shown))
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
        ("What the arms were", Some(worth::arms(judged, runs))),
    ];
    let sections = sections.into_iter().filter_map(|(title, body)| Some((title, body?))).collect();
    let folded = html! {
        @if let Some(matrix) = matrix { h3 { "Every arm compared with the program as it is" } (matrix) }
        @for section in rest.sections.iter().filter(|section| !is_empty(section, &figures)) { (parts::section(section, &figures)) }
    };
    let data = export::csv(&crate::worth::rows_of(judged));
    let special = Special { first: worth::first(judged), sections, folded: Some(folded) };
    document(&report, &[], &data, &special)
}

/// Adds sections for pictures whose section the report does not have, last but for the origin of the run.
fn place(report: &mut Report, figures: &[Figure]) {
    for title in figures.iter().map(|figure| &figure.section) {
        if report.sections.iter().all(|section| section.title != *title) {
            let at = report.sections.len().saturating_sub(1);
            report.sections.insert(at, Section { title: title.clone(), ..Section::default() });
        }
    }
}

/// A text to be copied, with a button that does it.
pub(crate) fn copied(text: &str) -> Markup {
    html! { div.copy { pre { code { (text) } } button type="button" data-copy="" { "copy" } } }
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
            (parts::download("changed.csv", &changes::data(kept))) "."
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
    groups: &[Group<'_>],
    found: &Found<'_>,
    (changed, boards): (&[Change<'_>], &Boards<'_, '_>),
    asked: &[Option<Figure>],
) -> Markup {
    let sentences = sentences(groups, found);
    html! {
        @for ((group, sentence), asked) in groups.iter().zip(&sentences).zip(asked) {
            @if let Some(picture) = forest(group, found) {
                div.answer data-name=(format!("{} ({})", group.heading(), group.suite)) {
                    @if let Some(asked) = asked {
                        div { (parts::figures(&[asked])) details { summary { "Every method set" } (picture) } }
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
#[must_use]
pub fn of_report(report: &Report, figures: &[Figure], data: &str) -> String {
    let mut report = report.clone();
    for title in figures.iter().map(|figure| &figure.section) {
        if report.sections.iter().all(|section| section.title != *title) {
            report.sections.push(Section { title: title.clone(), ..Section::default() });
        }
    }
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
                        section id=(parts::anchor(title)) { h2 { (title) } (body) }
                    }
                    @for section in &sections { (parts::section(section, figures)) }
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
                            (parts::download("report.csv", data)) "."
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
                        li { a href=(format!("#{}", parts::anchor(title))) { (title) } }
                    }
                    @for section in sections {
                        li { a href=(format!("#{}", parts::anchor(&section.title))) { (section.title) } }
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
