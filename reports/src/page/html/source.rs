//! The page of a search line by line: the tables, and the source with what each line saves next to it.

use super::{Special, document};
use crate::lines::{Beside, beside, csv, report};
use maud::{Markup, html};
use secateur_record::sites::Sites;
use secateur_stats::runs::Runs;
use std::collections::BTreeMap;

/// Lines that are shown around a site.
const AROUND: u32 = 12;

/// The page; `source` has the texts of the files with sites, by their paths. Files that are not there have no lines.
#[must_use]
pub fn page(runs: &Runs, sites: &Sites, source: &BTreeMap<String, String>) -> String {
    let mut special = Special::default();
    let notes = beside(runs, sites);
    if !source.is_empty() && !notes.is_empty() {
        special.sections.push(("The source", listing(&notes, source)));
    }
    document(&report(runs, sites), &[], &csv(runs, sites), &special)
}

fn listing(notes: &BTreeMap<(String, u32), Vec<Beside>>, source: &BTreeMap<String, String>) -> Markup {
    html! {
        p { "Nodes without the line, next to it; the interval, the test and the condition show when the pointer rests on a number." }
        @for (file, text) in source {
            @let marked: Vec<u32> = notes.keys().filter(|(of, _)| of == file).map(|(_, line)| *line).collect();
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

fn part_of(file: &str, part: &[(u32, &str)], notes: &BTreeMap<(String, u32), Vec<Beside>>) -> Markup {
    html! {
        @for (number, line) in part {
            @let own = notes.get(&(file.to_owned(), *number)).map_or(&[][..], Vec::as_slice);
            tr.marked[!own.is_empty()] {
                td { @for note in own { span class=(note.word.replace(' ', "-")) title=(note.more) { (note.nodes) } " " } }
                td.left { @for note in own { (note.belongs) " " } }
                td { (number) }
                td.left { code { (line) } }
            }
        }
        tr { td colspan="4" { "..." } }
    }
}
