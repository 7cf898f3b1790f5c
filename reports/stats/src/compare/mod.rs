//! Two runs, or two method sets, position by position: what changed, and whether that is shown.
//!
//! The first side is what there was, the second what is new. Runs that do not measure the same thing are refused with
//! the reason, because a number that compares them would be believed.

mod comparable;
mod finding;
mod slices;
#[cfg(test)]
mod tests;
mod weigh;

pub use comparable::Incomparable;
pub use finding::{Change, Finding, Quantity, untested_ratio};
pub use slices::{Unsliced, Whole, sliced};
pub use weigh::{Comparison, Weighed, WeighedDuel, corrected, measured, weigh};

use crate::group::is_finished;
use crate::metrics::same_move;
use crate::runs::Runs;
use crate::solved::{Solutions, solutions};
use secateur_record::games::Traits;
use secateur_record::record::{BudgetKind, Record};
use std::collections::{BTreeMap, BTreeSet};

/// One side of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// What reports call it.
    pub name: &'a str,
    /// Its records.
    pub runs: &'a Runs,
    /// The method set to compare; all of them, by name, for `None`.
    pub methods: Option<&'a str>,
}

/// What is compared: one method set of each side, in one game under one budget.
#[derive(Clone, Debug)]
pub struct Duel<'a> {
    /// Game.
    pub game: &'a str,
    /// What the budget counts.
    pub budget_kind: BudgetKind,
    /// Plies, nodes or nanoseconds.
    pub budget: u64,
    /// What its scores and stages mean.
    pub traits: Traits,
    /// Whether both sides are method sets of this program, and not of another.
    pub is_ours: bool,
    /// The method sets of the two sides.
    pub methods: [&'a str; 2],
    /// The positions that both sides finished.
    pub positions: Vec<SharedPosition<'a>>,
    /// Positions that only one side has, or that failed on one.
    pub left_out: usize,
}

/// One position on both sides.
#[derive(Clone, Copy, Debug)]
pub struct SharedPosition<'a> {
    /// The rows of the first and the second side.
    pub rows: [&'a Record; 2],
    /// The baselines of the same runs, where they have one.
    pub bases: [Option<&'a Record>; 2],
    /// Whether nobody said, although that was asked, if the moves of the rows are as good as their baselines'.
    pub open: [bool; 2],
    /// Whether the rows solve the position, where its solution is known.
    pub solved: [Option<bool>; 2],
}

/// Everything that the two sides have in common.
#[derive(Clone, Debug)]
pub struct SideBySide<'a> {
    /// Names of the sides.
    pub names: [&'a str; 2],
    /// The duels in the order of the first side's records.
    pub duels: Vec<Duel<'a>>,
    /// What a reader must know: what only one side has, what differs knowingly.
    pub notes: Vec<String>,
    /// Whether times and instructions were measured with the same processor and compiler.
    pub same_machine: bool,
    /// Whether both sides are of one run, so that times were taken in turns and may be judged.
    pub same_run: bool,
}

/// Game, budget and method set: what a duel is about.
type Topic<'a> = (&'a str, BudgetKind, u64, &'a str);
/// The measurements of one side: rows by position within topics.
type Rows<'a> = BTreeMap<Topic<'a>, BTreeMap<&'a str, &'a Record>>;
/// Game and budget at which the baseline of one side was asked which moves are as good as its own, and answered for some.
type Asked<'a> = BTreeSet<(&'a str, BudgetKind, u64)>;

/// Sets two sides against each other, position by position. `across` lets parameters and evaluations differ, which is then noted.
///
/// # Errors
/// [`Incomparable`] with the first reason why the sides cannot be compared.
pub fn side_by_side<'a>(
    first: Side<'a>,
    second: Side<'a>,
    across: bool,
) -> Result<SideBySide<'a>, Incomparable> {
    let mut notes = comparable::differences(&first, &second, across)?;
    let rows = [rows(first.runs), rows(second.runs)];
    let asked = [asked(first.runs), asked(second.runs)];
    let solutions = [solutions(first.runs), solutions(second.runs)];
    let mut duels = Vec::new();
    let mut seen = Vec::new();
    for record in first.runs.records.iter().filter(|record| usable(record)) {
        let own = first.methods.is_none_or(|methods| record.methods == methods);
        let topic: Topic<'_> = (&record.game, record.budget_kind, record.budget, &record.methods);
        if own && !seen.contains(&topic) {
            seen.push(topic);
            let (game, kind, budget, methods) = topic;
            let other = (game, kind, budget, second.methods.unwrap_or(methods));
            match duel(&rows, &asked, &solutions, [topic, other], [first.runs, second.runs]) {
                Some(found) => duels.push(found),
                None => notes.push(format!(
                    "{} has nothing to compare with {methods} of {} in {game}, {}.",
                    second.name,
                    first.name,
                    crate::labels::budget(kind, budget)
                )),
            }
        }
    }
    if duels.is_empty() {
        return Err(Incomparable::NothingInCommon {
            first: comparable::contents(&first),
            second: comparable::contents(&second),
        });
    }
    let other = comparable::other_machines(first.runs, second.runs);
    let same_machine = other.is_none();
    notes.extend(other.map(|why| format!("{why}; so times and instructions are not compared.")));
    Ok(SideBySide {
        names: [first.name, second.name],
        duels,
        notes,
        same_machine,
        same_run: std::ptr::eq(first.runs, second.runs),
    })
}

/// Measurements of this program; arms of other programs are not method sets.
fn usable(record: &Record) -> bool {
    record.repeat == 0 && record.suite != secateur_record::peers::SUITE
}

fn rows(runs: &Runs) -> Rows<'_> {
    let mut rows = Rows::new();
    for record in runs.records.iter().filter(|record| usable(record)) {
        let topic = (&*record.game, record.budget_kind, record.budget, &*record.methods);
        rows.entry(topic).or_default().insert(&*record.position, record);
    }
    rows
}

fn asked(runs: &Runs) -> Asked<'_> {
    let answered = runs.records.iter().filter(|record| usable(record) && record.move_tied.is_some());
    answered.map(|record| (&*record.game, record.budget_kind, record.budget)).collect()
}

fn duel<'a>(
    rows: &[Rows<'a>; 2],
    asked: &[Asked<'a>; 2],
    solutions: &[Solutions; 2],
    topics: [Topic<'a>; 2],
    runs: [&'a Runs; 2],
) -> Option<Duel<'a>> {
    let game = topics[0].0;
    let baselines = runs.map(|runs| runs.baseline(game));
    let [first, second] = [0, 1].map(|side| rows[side].get(&topics[side]));
    let (first, second) = (first?, second?);
    let base = |side: usize, position| {
        let (game, kind, budget, _) = topics[side];
        let row = rows[side].get(&(game, kind, budget, baselines[side]))?.get(position).copied();
        row.filter(|row| row.error.is_none())
    };
    let positions: Vec<SharedPosition<'_>> = first
        .iter()
        .filter_map(|(position, row)| {
            let rows = [*row, *second.get(position)?];
            let good = rows.iter().all(|row| row.error.is_none());
            let solved = |side: usize| {
                let row: &Record = rows[side];
                let key = (row.run, row.game, row.position);
                Some(solutions[side].get(&key)?.accepts(&row.best_move))
            };
            let bases = [0, 1].map(|side| base(side, position));
            let open = |side: usize| {
                let (game, kind, budget, _) = topics[side];
                let is_undecided = bases[side].is_some_and(|base| rows[side].is_undecided(base));
                is_undecided && asked[side].contains(&(game, kind, budget))
            };
            good.then(|| SharedPosition { rows, bases, open: [0, 1].map(open), solved: [0, 1].map(solved) })
        })
        .collect();
    let both = first.keys().filter(|position| second.contains_key(*position)).count();
    let all = first.len() + second.len() - both;
    let (_, budget_kind, budget, _) = topics[0];
    let methods = topics.map(|topic| topic.3);
    let left_out = all - positions.len();
    (!positions.is_empty()).then_some(Duel {
        game,
        budget_kind,
        budget,
        traits: runs[0].traits(game),
        is_ours: runs.iter().all(|runs| runs.is_ours(game)),
        methods,
        positions,
        left_out,
    })
}

impl SharedPosition<'_> {
    /// Whether the second side plays another move than the first, and not two that one baseline values like its own; `None` if that
    /// hangs on a move that nobody decided on.
    #[must_use]
    pub fn is_moved(&self) -> Option<bool> {
        let [first, second] = self.rows;
        let [Some(base), Some(other)] = self.bases else { return Some(first.best_move != second.best_move) };
        if first.best_move == second.best_move || base.best_move != other.best_move {
            return Some(first.best_move != second.best_move);
        }
        let keeps = [same_move(base, first), same_move(other, second)];
        // Two moves one of which is known to be no equal of the baseline's are different, whatever the other is.
        if (0..2).any(|side| !keeps[side] && !self.open[side]) {
            return Some(true);
        }
        if keeps == [true; 2] { Some(false) } else { None }
    }
}

impl Duel<'_> {
    /// Whether one of its searches finished its position: its value is proven, or it had nothing left to search.
    #[must_use]
    pub fn is_finished(&self, row: &Record) -> bool {
        is_finished(&self.traits, self.is_ours, row)
    }

    /// Positions that are left out of what is said of moves kept, because nobody decided on the move of a side.
    #[must_use]
    pub fn undecided(&self) -> usize {
        self.positions.iter().filter(|position| position.open.contains(&true)).count()
    }

    /// What is compared, in words.
    #[must_use]
    pub fn label(&self) -> String {
        let budget = crate::labels::budget(self.budget_kind, self.budget);
        let [first, second] = self.methods;
        let methods = if first == second { first.to_owned() } else { format!("{second} against {first}") };
        format!("{}, {budget}: {methods}", self.game)
    }

    /// Positions on which both sides made the same search.
    #[must_use]
    pub fn repeated(&self) -> usize {
        let of = |row: &Record| (row.nodes, row.depth, row.score, row.best_move);
        self.positions.iter().filter(|position| of(position.rows[0]) == of(position.rows[1])).count()
    }

    /// The positions by source game.
    #[must_use]
    pub fn clusters(&self) -> Vec<Vec<SharedPosition<'_>>> {
        let mut clusters = BTreeMap::<&str, Vec<SharedPosition<'_>>>::new();
        for position in &self.positions {
            clusters.entry(&position.rows[0].cluster).or_default().push(*position);
        }
        clusters.into_values().collect()
    }
}
