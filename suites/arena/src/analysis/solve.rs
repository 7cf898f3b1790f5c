//! Positions searched to their end at full width, several at a time, and held against what their file says of them.
//!
//! A game that counts its moves to the end can always be solved, by its own search for ends where it has one; of any other a forced
//! win or loss is found that ends the game within a depth, and a position without one is reported as open. All best moves are asked of
//! the host, which a search for ends cannot be. Left out: proofs of draws.
//!
//! What was solved is kept in a file, a sealed row each, flushed before the next, and not searched again.

use super::analyse::shown;
use super::{Place, forced};
use secateur_base::visible::cell;
use secateur_core::prune::Methods;
use secateur_core::search::{Limits, MAX_DEPTH};
use secateur_core::{AnyGame, Depth, Game, Moves, Notation, Rules};
use secateur_positions::Fnv;
use secateur_record::archive::text;
use secateur_record::files::replace;
use secateur_record::ledger::{Ledger, SealedRows, plain, sealed_by};
use secateur_record::rows::{csv, header};
use secateur_suites::Error;
use secateur_suites::ends::Ends;
use secateur_suites::instruments::clock::thread_time;
use secateur_suites::pool::each;
use secateur_suites::setups::setup::Setup;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How positions are solved.
#[derive(Clone, Debug)]
pub struct Solving<'a> {
    /// How deep forced ends are looked for in a game that does not count its moves to the end, plies.
    pub depth: u32,
    /// Whether all best moves are named, and not one.
    pub all_best: bool,
    /// Positions at a time.
    pub jobs: usize,
    /// A file of rows, in which what is solved is kept and found again.
    pub keep: Option<&'a Path>,
    /// Ends what is under way.
    pub stop: &'a Arc<AtomicBool>,
}

/// What came of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Its file says nothing of it.
    #[default]
    Solved,
    /// It is as its file says.
    Right,
    /// Its file says otherwise.
    Wrong,
    /// There is no forced end within the depth.
    Open,
}

/// A position that was searched, as it is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// Name of the position.
    pub id: String,
    /// Hash of the position and of what was asked of it, 16 hex digits.
    pub position: String,
    /// Value for the side to move, score units; empty of an open one.
    pub value: Option<i32>,
    /// What the file says of it.
    pub expected: Option<i32>,
    /// What came of it.
    pub verdict: Verdict,
    /// Best moves, separated by spaces: one, or all.
    pub best: String,
    /// A line of best play as people write it.
    pub line: String,
    /// Depth, plies.
    pub depth: i32,
    /// Nodes, as this program counts them.
    pub nodes: u64,
    /// CPU time, nanoseconds.
    pub time_ns: u64,
    /// Seal over the row in a file, 16 hex digits; empty elsewhere.
    pub seal: String,
}

/// Solves positions; `told` hears of each as it comes, with its index. The rows come in the order of the positions, and are fewer
/// than these if it was stopped.
///
/// # Errors
/// Parameters that do not fit; a file to keep rows in that is none, or cannot be written.
pub fn solve(
    places: &[Place],
    how: &Solving<'_>,
    told: &mut dyn FnMut(usize, &Row),
) -> Result<Vec<Row>, Error> {
    let mut kept = how.keep.map(Kept::open).transpose()?;
    let mut rows: Vec<Option<Row>> = Vec::new();
    for place in places {
        let position = position_of(place, how);
        rows.push(kept.as_ref().and_then(|kept| kept.row(&place.entry.id, &position)));
    }
    let open: Vec<usize> = (0..places.len()).filter(|&at| rows[at].is_none()).collect();
    // What is wrong with the numbers of a game is said before anything is searched.
    for place in places {
        Setup::embedded(place.game_name())?.check(&place.game)?;
    }
    // What is cut short is no result.
    let work = |&at: &usize| Some(one(&places[at], how)).filter(|_| !how.stop.load(Ordering::Relaxed));
    each(&open, how.jobs, how.stop, work, |index, row| {
        let Some(row) = row.transpose()? else { return Ok(()) };
        let at = open[index];
        if let Some(kept) = &mut kept {
            kept.keep(&row)?;
        }
        told(at, &row);
        rows[at] = Some(row);
        Ok(())
    })?;
    Ok(rows.into_iter().flatten().collect())
}

/// One position searched to its end.
fn one(place: &Place, how: &Solving<'_>) -> Result<Row, Error> {
    let (game, root) = (&place.game, &place.root);
    let options = Setup::embedded(place.game_name())?.options;
    let begun = thread_time();
    let blank = Row { id: place.entry.id.clone(), position: position_of(place, how), ..Row::default() };
    let mut moves = Moves::<AnyGame>::new();
    game.moves(root, &mut moves);
    if !how.all_best
        && let Some(mut ends) = Ends::of(game, options.table_mib)
    {
        let end = ends.end(&place.entry.position).map_err(Error::Usage)?;
        let best = end.line.first().cloned().unwrap_or_default();
        let depth = game.remaining(root).unwrap_or(0);
        let (line, nodes, value) = (end.line.join(" "), end.nodes, Some(end.value));
        return Ok(judged(place, Row { depth, line, nodes, value, best, time_ns: nanos(begun), ..blank }));
    }
    let depth = game.remaining(root).map_or(how.depth as i32, |plies| plies.max(1)).min(MAX_DEPTH);
    let mut search = game.clone().searcher(Methods::NONE, options);
    search.heed(Some(Arc::clone(how.stop)));
    let limits = Limits { depth, stop: Some(Arc::clone(how.stop)), ..Limits::default() };
    let outcome = search.go(root, &[], &limits, &mut |iteration| match forced(game, iteration.score.0) {
        // Deeper it only becomes longer.
        Some(_) => std::ops::ControlFlow::Break(()),
        None => std::ops::ControlFlow::Continue(()),
    });
    let last = outcome.last();
    let is_end = game.remaining(root).is_some_and(|plies| last.depth >= plies.max(1))
        || forced(game, last.score.0).is_some();
    let row = Row {
        depth: last.depth,
        line: shown(game, root, &last.pv).join(" "),
        nodes: outcome.tally.nodes,
        ..blank
    };
    if !is_end {
        let time_ns = nanos(begun);
        return Ok(Row { verdict: Verdict::Open, time_ns, ..row });
    }
    let first = last.best_move();
    let mut best: Vec<String> = first.map(|mv| game.format_move(root, mv)).into_iter().collect();
    if how.all_best {
        for mv in moves.iter().map(|scored| scored.mv).filter(|mv| Some(*mv) != first) {
            if search.move_reaches(root, mv, Depth(last.depth), last.score) {
                best.push(game.format_move(root, mv));
            }
        }
    }
    let row = Row { value: Some(last.score.0), best: best.join(" "), time_ns: nanos(begun), ..row };
    Ok(judged(place, row))
}

fn nanos(since: std::time::Duration) -> u64 {
    u64::try_from(thread_time().saturating_sub(since).as_nanos()).unwrap_or(u64::MAX)
}

/// The row with what its file says. A best move that the file does not name is right if its value is: files name some only.
fn judged(place: &Place, row: Row) -> Row {
    let game = &place.game;
    let mate: Option<i32> = place.entry.operation("dm").and_then(|moves| moves.parse().ok());
    // The side to move mates with the last of 2n - 1 plies.
    let mate =
        mate.filter(|moves| (1..=500).contains(moves)).map(|moves| secateur_base::MATE - (2 * moves - 1));
    let mate = mate.filter(|value| forced(game, *value).is_some());
    let expected = place.expected().map(|(value, _)| value).or(mate);
    let verdict = match expected {
        None => Verdict::Solved,
        Some(value) if row.value == Some(value) => Verdict::Right,
        Some(_) => Verdict::Wrong,
    };
    Row { expected, verdict, ..row }
}

/// A file of solved positions, a row each: what was solved before is found in it and not searched again.
///
/// Every row is sealed, written to its end and flushed before the next is begun. One that a kill cut off in the middle is left
/// out and overwritten; one that is not as it was written is refused, with its line. Names stand as in any table that leaves
/// the program ([`cell`]).
pub(super) struct Kept {
    ledger: Ledger,
    rows: Vec<Row>,
}

/// What stands for a position and what is asked of it: an answer to another question is none to this.
pub(super) fn position_of(place: &Place, how: &Solving<'_>) -> String {
    let depth =
        if secateur_core::Rules::remaining(&place.game, &place.root).is_some() { 0 } else { how.depth };
    let mut fnv = Fnv::default();
    fnv.field(place.game.name()).field(&place.game.format(&place.root));
    for operation in &place.entry.operations {
        fnv.field(&operation.code).field(&operation.operands);
    }
    fnv.bytes(&depth.to_le_bytes()).bytes(&[u8::from(how.all_best)]).hex()
}

impl Kept {
    /// Opens a file that is there, or begins one.
    pub(super) fn open(path: &Path) -> Result<Kept, Error> {
        let text = text(path)?.unwrap_or_default();
        let SealedRows { rows, damaged, whole } = SealedRows::read(path, &text, &header::<Row>(), &plain)?;
        if let Some(line) = damaged.first() {
            return Err(Error::Usage(format!(
                "{}:{line}: this row is not as it was written; without it, or into another file, its position is solved again",
                path.display()
            )));
        }
        if whole < text.len() {
            replace(path, &text.as_bytes()[..whole])?;
        }
        let rows = rows.into_iter().map(|(_, row)| row).collect();
        Ok(Kept { ledger: Ledger::open(path, header::<Row>())?, rows })
    }

    /// The row of a position of this name.
    pub(super) fn row(&self, id: &str, position: &str) -> Option<Row> {
        let name = cell(id);
        let row = self.rows.iter().find(|row| row.id == name && row.position == position)?;
        Some(Row { id: id.to_owned(), seal: String::new(), ..row.clone() })
    }

    /// Adds a row, as a table has it.
    pub(super) fn keep(&mut self, row: &Row) -> Result<(), Error> {
        let [id, best, line] = [&row.id, &row.best, &row.line].map(|text| cell(text).into_owned());
        let row = Row { id, best, line, seal: String::new(), ..row.clone() };
        let row = Row { seal: sealed_by(&row, &plain), ..row };
        Ok(self.ledger.add(&csv(&[row], false))?)
    }
}
