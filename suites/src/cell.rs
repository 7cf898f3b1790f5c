//! One cell: one search, and the rows it leaves.
//!
//! Nothing here depends on what was searched before or next to it: the searcher is cleared by every run, and
//! the tie question is asked from a cleared state too.

use crate::instruments::pv;
use crate::subject::{Found, Step, Subject, Task};
use secateur_core::{AnyGame, AnyPosition, Depth, Moves, Notation, Rules, Score};
use secateur_positions::Entry;
use secateur_record::record::{CellKey, CounterRow, Failure, IterationRow, Record, Rows, Sanity};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// What is to be searched.
#[derive(Clone, Copy, Debug)]
pub struct Cell<'a> {
    /// Run that the row will name.
    pub run: &'a str,
    /// The cell.
    pub key: &'a CellKey,
    /// Its position.
    pub entry: &'a Entry,
}

impl Cell<'_> {
    /// A row with the columns that are known before the search.
    pub(crate) fn blank(&self) -> Record {
        Record {
            run: self.run.into(),
            cluster: (&self.entry.cluster).into(),
            stage: (&self.entry.stage).into(),
            ..Record::of(self.key)
        }
    }

    /// The row of a cell that gave no result. `reason` is brought to one line: rows are lines.
    pub fn failed(&self, reason: &str) -> Rows {
        let error = Some(Failure::new(reason));
        Rows { record: Record { error, ..self.blank() }, ..Rows::default() }
    }
}

/// Has a subject search a cell. A panic becomes a row with an error; the subject must not be used after that.
pub fn run_cell(subject: &mut dyn Subject, game: &AnyGame, cell: &Cell<'_>, task: &Task<'_>) -> Rows {
    let start = (task.clock)();
    let attempt = catch_unwind(AssertUnwindSafe(|| subject.search(task)));
    let time = (task.clock)().saturating_sub(start);
    let rows = |searched: Found| rows(cell, game, task.root, searched, time);
    let searched = match attempt {
        Ok(searched) => searched,
        Err(panic) => Err(format!("{PANIC}{}", panic_message(&*panic))),
    };
    searched.and_then(rows).unwrap_or_else(|reason| cell.failed(&reason))
}

/// What the error of a row begins with whose subject panicked.
const PANIC: &str = "panic: ";

/// What the error of a row begins with whose subject played a legal move and said nothing of its search.
const SILENT: &str = "bestmove without a depth and a score before it";

/// Whether a search ended with a legal move and said nothing else.
pub(crate) fn was_silent(record: &Record) -> bool {
    record.error.as_ref().is_some_and(|error| error.reason().starts_with(SILENT))
}

/// Whether the subject must not be used again.
pub(crate) fn has_panicked(rows: &Rows) -> bool {
    rows.record.error.as_ref().is_some_and(|error| error.reason().starts_with(PANIC))
}

/// What a panic said.
pub(crate) fn panic_message(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

/// The rows of a cell of which this was found, in so much time of the call; an error if it cannot be true.
fn rows(
    cell: &Cell<'_>,
    game: &AnyGame,
    root: &AnyPosition,
    searched: Found,
    time: Duration,
) -> Result<Rows, String> {
    let last = searched.iterations.last();
    let best_move = searched.best_move.as_ref().or(last.map(|last| &last.best_move));
    let best_move = best_move.ok_or("no iteration was completed")?;
    let (best_move, pv_ok) = match (searched.sanity, last) {
        (Some(sanity), Some(last)) => (last.best_move.clone(), sanity),
        _ => checked(game, root, best_move, last)?,
    };
    if searched.unsearched && !is_forced(game, root) {
        return Err(format!("{SILENT}: it may say more of a deeper or a longer search"));
    }
    // 0 nodes or depth 0 is what a program writes that does not say.
    let nodes = searched.nodes.or(last.map(|last| last.nodes)).filter(|nodes| *nodes > 0);
    let record = Record {
        depth: last.map(|last| last.depth).filter(|depth| *depth > 0),
        seldepth: searched.seldepth,
        nodes,
        qnodes: searched.qnodes,
        probe_nodes: searched.probe_nodes,
        tt_hits: searched.tt_hits,
        score: last.map(|last| last.score),
        bound: last.map(|_| searched.bound),
        best_move: best_move.into(),
        pv: last.map_or("", |last| &last.line).into(),
        pv_ok,
        time_ns: nanos(searched.time.unwrap_or(time)),
        ..cell.blank()
    };
    let iterations = searched.iterations.iter().map(|step| iteration(cell.key, step)).collect();
    let staged = |row: CounterRow| match row.stage.as_str() {
        "" => CounterRow { stage: (&cell.entry.stage).into(), ..row },
        _ => row,
    };
    let counters = searched.counters.into_iter().map(|row| staged(row).at(cell.key)).collect();
    Ok(Rows { record, iterations, counters })
}

/// Whether one move alone is legal.
pub(crate) fn is_forced(game: &AnyGame, root: &AnyPosition) -> bool {
    let mut moves = Moves::<AnyGame>::new();
    game.moves(root, &mut moves);
    moves.len() == 1
}

/// The move of a subject that is not ours as records write it, and what a replay of its line finds, if it has one.
fn checked(
    game: &AnyGame,
    root: &AnyPosition,
    mv: &str,
    last: Option<&Step>,
) -> Result<(String, Sanity), String> {
    let mv = game.parse_move(root, mv).map_err(|_| format!("illegal move {mv}"))?;
    let Some(last) = last else { return Ok((game.format_move(root, mv), Sanity::Unasked)) };
    let (mut pos, mut line) = (root.clone(), Vec::new());
    for text in last.line.split_whitespace() {
        let Ok(mv) = game.parse_move(&pos, text) else {
            return Ok((game.format_move(root, mv), Sanity::Illegal));
        };
        pos = game.play(&pos, mv);
        line.push(mv);
    }
    Ok((game.format_move(root, mv), pv::verdict(game, root, &line, last.depth as i32)))
}

pub(crate) fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

fn iteration(key: &CellKey, step: &Step) -> IterationRow {
    IterationRow {
        depth: step.depth,
        nodes: step.nodes,
        qnodes: step.qnodes,
        score: step.score,
        best_move: (&step.best_move).into(),
        time_ns: nanos(step.time),
        ..IterationRow::of(key)
    }
}

/// Fills `move_tied`: whether the baseline values the move of `record` like its own best, at the same depth.
/// Left empty for the same move, and where the two rows do not have one depth to compare at.
pub fn settle_tie(baseline: &mut dyn Subject, task: &Task<'_>, best: &Record, record: &mut Record) {
    if !record.is_undecided(best) {
        return;
    }
    let (Some(depth), Some(score)) = (record.depth, best.score) else { return };
    record.move_tied = baseline.reaches(task, &record.best_move, Depth(depth as i32), Score(score));
}

#[cfg(test)]
mod tests;
