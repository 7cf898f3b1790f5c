//! The answer on a terminal: one table a block, as soon as the block is complete, and an end of a few lines.
//!
//! Nothing is wider than the terminal, no number is broken over two lines: columns are left out instead, the least needed
//! first, and named. Left out altogether: everything that `report --full` prints.
//!
//! Reports whose tables have few rows and a column of words, such as what the methods of a program are worth, are fitted to the terminal
//! as they are: of a table the columns that have room, sentences in whole words, no frames.

mod block;

use crate::evidence::Evidence;
use crate::format::{chars, wrapped};
use crate::table::{Align, Report, Table};
use crate::worth::{Played, in_short};
use crate::{provenance, worth};
use secateur_base::visible::{visible, visible_lines};
use secateur_stats::group::Group;

pub(crate) use block::difference;
pub use block::{block, table_of};

/// Columns where there is no terminal to ask.
pub const WIDTH: u16 = 100;
/// Columns where every column of a table is wanted.
pub const WIDE: u16 = 1_000;
/// Lines that a run may end in.
pub const LINES: usize = 25;

/// The whole report of runs: every block, then the end. `last` are lines below it, such as where the page is; they are not
/// wrapped, because a path is to be copied.
pub fn whole(evidence: &Evidence<'_>, last: &[String], width: u16) -> String {
    let order = weightiest_last(&evidence.groups).into_iter();
    let blocks: Vec<String> = order.map(|group| block(group, evidence, width)).collect();
    let above = if let [one] = blocks.as_slice() { one.lines().count() } else { 0 };
    blocks.concat() + &ending(evidence, above, last, width)
}

/// The groups in their order, but for that with the most positions, and the deepest of these, which comes last: what stands right
/// above the answer is what the answer rests on.
pub fn weightiest_last<'g, 'a>(groups: &'g [Group<'a>]) -> Vec<&'g Group<'a>> {
    let mut order: Vec<&Group<'_>> = groups.iter().collect();
    let weight = |group: &Group<'a>| (group.is_fixed_depth(), group.blocks.len(), group.budget, group.game);
    let last = (0..groups.len()).max_by_key(|&index| weight(&groups[index]));
    if let Some(last) = last {
        order[last..].rotate_left(1);
    }
    order
}

/// The end of a run: its notes, what each block says in words, and `last`; with the `above` lines that stand before it at
/// most [`LINES`] lines, however many blocks there are.
pub fn ending(evidence: &Evidence<'_>, above: usize, last: &[String], width: u16) -> String {
    let width = usize::from(width);
    // A blank line, the heading, and the lines that come last.
    let room = LINES.saturating_sub(above + 2 + last.len()).max(1);
    let wrapped_sentences = sentences(evidence).into_iter().map(|sentence| wrapped(&sentence, width, 2));
    let notes = &evidence.runs.notes;
    let notes = notes.iter().map(|note| wrapped(&format!("Note: {}", visible_lines(note)), width, 6));
    let lines = limited(notes.chain(wrapped_sentences).collect(), room);
    let mut text = String::from("\nIn short\n");
    for line in lines.iter().chain(last) {
        text += line;
        text.push('\n');
    }
    text
}

/// What each group says, in a sentence or two.
pub fn sentences(evidence: &Evidence<'_>) -> Vec<String> {
    let groups = evidence.groups.iter().zip(evidence.judged()).zip(evidence.worths());
    let each = groups.map(|((group, judged), (worths, _))| match in_short(worths) {
        // Of a program compared with itself without its methods the reader asks the reverse of what an arm saves.
        Some(sentence) => block::worth(group, &sentence),
        None => block::sentence(group, judged, evidence),
    });
    each.collect()
}

/// A name with what it stands for, wrapped next to it: the entry of a list.
pub fn entry(name: &str, about: &str, width: u16) -> String {
    /// Names are this wide at most before what they stand for begins a line of its own.
    const NAMES: usize = 24;
    let (name, about) = (visible_lines(name), visible_lines(about));
    let lines = wrapped(&about, usize::from(width).saturating_sub(NAMES + 2), 0);
    let mut text = format!("{name:<NAMES$}");
    for (index, line) in lines.iter().enumerate() {
        if index > 0 || name.chars().count() > NAMES {
            text += &format!("\n{:<NAMES$}", "");
        }
        text += &format!("  {line}");
    }
    text + "\n"
}

/// What the methods of a program are worth, for a terminal of so many columns, without the origin of the runs, which the page has;
/// `None` where no program is compared with itself without a method.
pub fn of_worth(evidence: &Evidence<'_>, played: &[Played], width: u16) -> Option<String> {
    let mut shown = worth::page(evidence, played);
    shown.sections.retain(|section| section.title != provenance::TITLE);
    // The verdict, what it rests on first, then what explains it.
    let order = [
        "searches show",
        "games say",
        "nodes without it",
        "could have shown",
        "Elo",
        "regret",
        "time",
        "same move",
        "alone",
        "instructions",
        "solved",
    ];
    let rank = |heading: &str| {
        order.iter().zip(0..).find(|(name, _)| heading.starts_with(**name)).map_or(u8::MAX, |(_, rank)| rank)
    };
    (!shown.sections.is_empty()).then(|| sections(&shown, rank, width))
}

/// The notes and sections of a report, each table above its sentences. `rank` says of a heading how soon its column is left out: 0
/// never, the greatest first.
fn sections(report: &Report, rank: impl Fn(&str) -> u8, width: u16) -> String {
    let width = usize::from(width);
    let folded_lines =
        |text: &str, indent: usize| wrapped(&visible_lines(&text.replace("**", "")), width, indent);
    let mut lines: Vec<String> =
        report.notes.iter().flat_map(|note| folded_lines(&format!("Note: {note}"), 6)).collect();
    for section in &report.sections {
        lines.push(String::new());
        lines.extend(folded_lines(&section.title, 2));
        lines.extend(section.tables.iter().flat_map(|table| table_lines(table, &rank, width)));
        lines.extend(section.text.iter().flat_map(|paragraph| folded_lines(paragraph, 2)));
        lines.extend(
            section.tables.iter().flat_map(|table| &table.notes).flat_map(|note| folded_lines(note, 2)),
        );
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

/// The lines of a table, and what has no room.
fn table_lines(of: &Table, rank: impl Fn(&str) -> u8, width: usize) -> Vec<String> {
    if of.rows.is_empty() {
        return Vec::new();
    }
    let Fitted { head, rows, left_out } = fit(of, rank, width);
    let mut lines = vec![head];
    lines.extend(rows.into_iter().flatten());
    lines.extend(no_room(&left_out, width));
    lines
}

/// The columns that have no room, if any have none.
fn no_room(left_out: &[String], width: usize) -> Vec<String> {
    let note = format!("no room for: {}. --wide prints all columns", left_out.join("; "));
    if left_out.is_empty() { Vec::new() } else { wrapped(&note, width, 2) }
}

/// Blanks between two columns.
const GAP: usize = 2;
/// A name wider than this is folded at its `+`.
const NAME: usize = 26;
/// Names are never folded more narrowly.
const NARROW: usize = 8;

/// A table that fits.
struct Fitted {
    /// The line of headings.
    head: String,
    /// The lines of every row; a row has several where its name is folded.
    rows: Vec<Vec<String>>,
    /// Headings of the columns that have no room.
    left_out: Vec<String>,
}

/// The lines of every row below a line of headings; the first column holds names. `rank` says of a heading how soon its column is left
/// out: 0 never, the greatest first. Where even the columns that must stand have no room, names are folded more narrowly.
fn fit(table: &Table, rank: impl Fn(&str) -> u8, width: usize) -> Fitted {
    let seen = |text: &String| visible(text).into_owned();
    let headings: Vec<String> = table.columns.iter().map(|(heading, _)| seen(heading)).collect();
    let cells: Vec<Vec<String>> = table.rows.iter().map(|row| row.iter().map(seen).collect()).collect();
    let wide = |at: usize| {
        let texts = cells.iter().map(|row| &row[at]).chain([&headings[at]]);
        texts.map(|text| chars(text)).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..headings.len()).map(wide).collect();
    let room = |shown: &[usize]| shown.iter().map(|at| GAP + widths[*at]).sum::<usize>();
    let narrowed = |limit: usize| cells.iter().map(|row| folded(&row[0], limit)).collect::<Vec<_>>();
    let widest = |names: &[Vec<String>]| {
        let lines = names.iter().flatten().map(|line| chars(line));
        lines.chain([chars(&headings[0])]).max().unwrap_or(0)
    };
    let mut shown: Vec<usize> = (1..headings.len()).collect();
    let must: Vec<usize> = shown.iter().copied().filter(|at| rank(&headings[*at]) == 0).collect();
    let mut names = narrowed(NAME);
    if widest(&names) + room(&must) > width {
        names = narrowed(width.saturating_sub(room(&must)).clamp(NARROW, NAME));
    }
    let first = widest(&names);
    let mut left_out = Vec::new();
    while first + room(&shown) > width {
        let last = shown.iter().copied().enumerate().max_by_key(|(_, at)| rank(&headings[*at]));
        match last {
            Some((place, at)) if rank(&headings[at]) > 0 => {
                shown.remove(place);
                left_out.insert(0, headings[at].clone());
            }
            _ => break,
        }
    }
    let line = |name: &str, texts: &[String]| {
        let mut line = format!("{name:<first$}");
        for &at in &shown {
            let (gap, width, text) = (GAP, widths[at], &texts[at]);
            line += &match table.columns[at].1 {
                Align::Left => format!("{:gap$}{text:<width$}", ""),
                Align::Right => format!("{:gap$}{text:>width$}", ""),
            };
        }
        line.trim_end().to_owned()
    };
    let rows = names.iter().zip(&cells).map(|(name, texts)| {
        let mut lines = vec![line(&name[0], texts)];
        lines.extend(name[1..].iter().cloned());
        lines
    });
    Fitted { head: line(&headings[0], &headings), rows: rows.collect(), left_out }
}

/// A name in lines of at most `limit` characters where its `+` allow it, those after the first set in; a longer part is broken only
/// where `limit` is narrower than names usually are.
fn folded(name: &str, limit: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let parts = name.split_inclusive('+').flat_map(|part| {
        let all: Vec<char> = part.chars().collect();
        let size = if limit < NAME { limit.saturating_sub(2).max(1) } else { all.len().max(1) };
        all.chunks(size).map(|chunk| chunk.iter().collect::<String>()).collect::<Vec<_>>()
    });
    for part in parts {
        let line = lines.last_mut().expect("never empty");
        if chars(line) + chars(&part) > limit && !line.trim().is_empty() {
            lines.push(format!("  {part}"));
        } else {
            line.push_str(&part);
        }
    }
    lines
}

/// The lines of paragraphs, of which the last are left out if there are more than `room`; that is said.
fn limited(paragraphs: Vec<Vec<String>>, room: usize) -> Vec<String> {
    let all: usize = paragraphs.iter().map(Vec::len).sum();
    if all <= room {
        return paragraphs.concat();
    }
    let total = paragraphs.len();
    let (mut lines, mut shown) = (Vec::new(), 0);
    for paragraph in paragraphs {
        // One line is for what is left out.
        if lines.len() + paragraph.len() + 1 > room {
            break;
        }
        lines.extend(paragraph);
        shown += 1;
    }
    lines.push(format!("... and {} more; --full prints all", total - shown));
    lines
}

#[cfg(test)]
mod tests;
