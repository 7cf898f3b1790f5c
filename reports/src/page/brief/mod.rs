//! The answer on a terminal: one table a block, as soon as the block is complete, and an end of a few lines.
//!
//! Nothing is wider than the terminal, no number is broken over two lines: columns are left out instead, the least needed
//! first, and named. Left out altogether: everything that `report --full` prints.

mod block;
mod layout;
mod sections;
mod words;

pub use block::{block, table_of};
pub(crate) use block::{difference, time_saved, value_of};
pub use sections::of_worth;

use crate::format::wrapped;
use crate::summary::judged;
use crate::worth::in_short;
use layout::fitted;
use secateur_base::visible::visible_lines;
use secateur_stats::group::{Group, groups_of};
use secateur_stats::metrics::{Iterations, iterations};
use secateur_stats::runs::Runs;
use secateur_stats::solved::{Searches, Solutions, problems, searches, solutions};

/// Columns where there is no terminal to ask.
pub const WIDTH: u16 = 100;
/// Columns where every column of a table is wanted.
pub const WIDE: u16 = 1_000;
/// Lines that a run may end in.
pub const LINES: usize = 25;

/// What blocks are told from besides their records, found out once.
#[derive(Debug)]
pub struct Found<'r> {
    cells: Iterations<'r>,
    solutions: Solutions,
    searches: Searches<'r>,
}

impl<'r> Found<'r> {
    /// What there is of these runs.
    #[must_use]
    pub fn of(runs: &'r Runs) -> Found<'r> {
        let solutions = solutions(runs);
        let searches = searches(runs, &solutions);
        Found { cells: iterations(&runs.iterations), solutions, searches }
    }

    pub(crate) fn cells(&self) -> &Iterations<'r> {
        &self.cells
    }

    /// How many positions of a group have a solution, and how many of them each method set solves; nothing without any.
    fn solved(&self, group: &Group<'_>) -> Option<(usize, Vec<usize>)> {
        if self.solutions.is_empty() {
            return None;
        }
        let problems = problems(group, &self.solutions, &self.searches);
        let by = |method: usize| problems.iter().filter(|problem| problem.outcomes[method].0).count();
        (!problems.is_empty()).then(|| (problems.len(), (0..group.methods.len()).map(by).collect()))
    }
}

/// The whole report of runs: every block, then the end. `last` are lines below it, such as where the page is; they are not
/// wrapped, because a path is to be copied.
#[must_use]
pub fn whole(runs: &Runs, last: &[String], width: u16) -> String {
    let groups = groups_of(runs);
    let found = Found::of(runs);
    let blocks: Vec<String> =
        weightiest_last(&groups).iter().map(|group| block(group, &found, width)).collect();
    let above = if let [one] = blocks.as_slice() { one.lines().count() } else { 0 };
    blocks.concat() + &ending(runs, &groups, (&found, above), last, width)
}

/// The groups in their order, but for that with the most positions, and the deepest of these, which comes last: what stands right
/// above the answer is what the answer rests on.
#[must_use]
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
#[must_use]
pub fn ending(
    runs: &Runs,
    groups: &[Group<'_>],
    (found, above): (&Found<'_>, usize),
    last: &[String],
    width: u16,
) -> String {
    let width = usize::from(width);
    // A blank line, the heading, and the lines that come last.
    let room = LINES.saturating_sub(above + 2 + last.len()).max(1);
    let words = sentences(groups, found).into_iter().map(|sentence| wrapped(&sentence, width, 2));
    let notes = runs.notes.iter().map(|note| wrapped(&format!("Note: {}", visible_lines(note)), width, 6));
    let lines = fitted(notes.chain(words).collect(), room);
    let mut text = String::from("\nIn short\n");
    for line in lines.iter().chain(last) {
        text += line;
        text.push('\n');
    }
    text
}

/// What each group says, in a sentence or two.
#[must_use]
pub fn sentences(groups: &[Group<'_>], found: &Found<'_>) -> Vec<String> {
    let (judged, worth) = (judged(groups), in_short(groups));
    let each = groups.iter().map(|group| {
        // Of a program compared with itself without its methods the reader asks the reverse of what an arm saves.
        if let Some((_, words)) = worth.iter().find(|(of, _)| std::ptr::eq(*of, group)) {
            return words::worth(group, words);
        }
        let own = judged.iter().find(|(of, _)| std::ptr::eq(*of, group)).map(|(_, all)| all.as_slice());
        words::sentence(group, own, found)
    });
    each.collect()
}

/// A name with what it stands for, wrapped next to it: the entry of a list.
#[must_use]
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

#[cfg(test)]
mod tests;
