//! Columns and lines that fit: what is too wide is left out or folded where it may be, never broken.

use crate::format::chars;
use secateur_base::visible::visible;

/// Blanks between two columns.
const GAP: usize = 2;
/// A name wider than this is folded at its `+`.
const NAME: usize = 26;
/// Names are never folded more narrowly.
const NARROW: usize = 8;

/// A column of a table.
pub(super) struct Column {
    /// Heading.
    pub(super) heading: String,
    /// Cells, one for each row.
    pub(super) cells: Vec<String>,
    /// The greatest is left out first; 0 never is.
    pub(super) rank: u8,
    /// Whether it holds words, which begin below each other.
    pub(super) is_left: bool,
}

impl Column {
    pub(super) fn new(heading: impl Into<String>, rank: u8, cells: Vec<String>) -> Column {
        Column { heading: heading.into(), cells, rank, is_left: false }
    }

    fn width(&self) -> usize {
        self.cells.iter().chain([&self.heading]).map(|cell| chars(cell)).max().unwrap_or(0)
    }
}

/// A table that fits.
pub(super) struct Fitted {
    /// The line of headings.
    pub(super) head: String,
    /// The lines of every row; a row has several where its name is folded.
    pub(super) rows: Vec<Vec<String>>,
    /// Headings of the columns that have no room.
    pub(super) left_out: Vec<String>,
}

/// The lines of every row below a line of headings; the first column holds names, the others numbers. Where even the columns that
/// must stand have no room, names are folded more narrowly.
pub(super) fn table(mut columns: Vec<Column>, width: usize) -> Fitted {
    let narrowed = |limit: usize| -> Vec<Vec<String>> {
        columns[0].cells.iter().map(|name| folded(&visible(name), limit)).collect()
    };
    let widest = |names: &[Vec<String>]| {
        let lines = names.iter().flatten().map(|line| chars(line));
        lines.chain([chars(&columns[0].heading)]).max().unwrap_or(0)
    };
    let must: usize =
        columns[1..].iter().filter(|column| column.rank == 0).map(|column| GAP + column.width()).sum();
    let mut names = narrowed(NAME);
    if widest(&names) + must > width {
        names = narrowed(width.saturating_sub(must).clamp(NARROW, NAME));
    }
    let first = widest(&names);
    let is_wide = |columns: &[Column]| {
        first + columns[1..].iter().map(|column| GAP + column.width()).sum::<usize>() > width
    };
    let mut left_out = Vec::new();
    while is_wide(&columns) {
        let last = columns.iter().enumerate().skip(1).max_by_key(|(_, column)| column.rank);
        match last {
            Some((at, column)) if column.rank > 0 => left_out.insert(0, columns.remove(at).heading),
            _ => break,
        }
    }
    let line = |name: &str, cell: &dyn Fn(&Column) -> String| {
        let mut line = format!("{name:<first$}");
        for column in &columns[1..] {
            let (gap, width) = (GAP, column.width());
            line += &match column.is_left {
                true => format!("{:gap$}{:<width$}", "", cell(column)),
                false => format!("{:gap$}{:>width$}", "", cell(column)),
            };
        }
        line.trim_end().to_owned()
    };
    let rows = names.iter().enumerate().map(|(row, name)| {
        let mut lines = vec![line(&name[0], &|column| column.cells[row].clone())];
        lines.extend(name[1..].iter().cloned());
        lines
    });
    let rows = rows.collect();
    Fitted { head: line(&columns[0].heading, &|column| column.heading.clone()), rows, left_out }
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
pub(super) fn fitted(paragraphs: Vec<Vec<String>>, room: usize) -> Vec<String> {
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
