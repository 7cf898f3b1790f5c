//! The parts of a page: sections, tables that sort, pictures with their data.

use crate::figure::Figure;
use crate::provenance;
use crate::table::{Align, Section, Table};
use maud::{Markup, PreEscaped, html};
use std::fmt::Write;

/// More tables than this in one section are folded.
const OPEN_TABLES: usize = 4;

/// A section with the pictures that belong to it.
pub(super) fn section(section: &Section, all: &[Figure]) -> Markup {
    let own: Vec<&Figure> = all.iter().filter(|figure| figure.section == section.title).collect();
    let tables: Vec<&Table> = section.tables.iter().filter(|table| !table.rows.is_empty()).collect();
    let fold = tables.len() > OPEN_TABLES || section.title == provenance::TITLE;
    html! {
        section id=(anchor(&section.title)) {
            h2 { (section.title) }
            @for paragraph in &section.text { p { (bold(paragraph)) } }
            (figures(&own))
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
fn table(table: &Table, label: &str) -> Markup {
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
pub(super) fn number(cell: &str) -> Option<f64> {
    let cell = cell.trim_start_matches(['<', '+']);
    let end = cell.find(|c: char| !(c.is_ascii_digit() || "+-.,".contains(c))).unwrap_or(cell.len());
    // What goes on with letters is a name or a hash.
    let goes_on = cell[end..].starts_with(|c: char| !(c.is_whitespace() || c == '%'));
    if goes_on { None } else { cell[..end].replace(',', "").parse().ok() }
}

/// Pictures side by side where there is room.
pub(super) fn figures(figures: &[&Figure]) -> Markup {
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
pub(super) fn download(file: &str, text: &str) -> Markup {
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

/// A title as an anchor: letters and digits, the rest `-`.
pub(super) fn anchor(title: &str) -> String {
    let words = title.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-")
}
