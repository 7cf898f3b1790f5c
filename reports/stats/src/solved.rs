//! Solved positions: where the authors of a set say which move is best or wrong, what each method set finds, how soon, and
//! which are shown to solve more than others: McNemar's test of every pair, corrected for all of them.
//!
//! The solutions stand in the manifests of the runs ([`secateur_record::manifest::Solution`]). A run whose positions have
//! none, or that is older than this, has none here.

use crate::group::{Block, Group};
use crate::inference::{Shown, Test, correct, mcnemar};
use crate::runs::Runs;
use secateur_record::label::Label;
use secateur_record::manifest::Solution;
use secateur_record::record::{CellKey, IterationRow, Record};
use std::collections::BTreeMap;

/// When a position was solved: the first iteration from which the best move was right to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solved {
    /// Depth of the iteration, plies.
    pub depth: u32,
    /// Nodes up to its end.
    pub nodes: u64,
    /// CPU time up to its end, nanoseconds.
    pub time_ns: u64,
}

/// The first of the iterations, which must be in order, from which the move stays right; `None` if the last is
/// wrong.
pub fn solved(solution: &Solution, iterations: &[&IterationRow]) -> Option<Solved> {
    let right = iterations.iter().rev().take_while(|row| solution.solves(&row.best_move, Some(row.score)));
    let first = right.last()?;
    Some(Solved { depth: first.depth, nodes: first.nodes, time_ns: first.time_ns })
}

/// Solutions by run, game and position.
pub type Solutions = BTreeMap<(Label, Label, Label), Solution>;

/// The solutions of all runs.
pub fn solutions(runs: &Runs) -> Solutions {
    let mut all = BTreeMap::new();
    for manifest in &runs.manifests {
        for game in &manifest.game {
            for (position, solution) in &game.solutions {
                let key = (Label::from(&manifest.run), Label::from(&game.name), Label::from(position));
                all.insert(key, solution.clone());
            }
        }
    }
    all
}

/// The iterations of every search, in order of depth.
pub type Searches<'r> = BTreeMap<CellKey, Vec<&'r IterationRow>>;

/// Sorts the iterations of runs by search; nothing where no position has one of the `solutions` that they are asked for.
pub fn searches<'r>(runs: &'r Runs, solutions: &Solutions) -> Searches<'r> {
    let mut searches = Searches::new();
    if solutions.is_empty() {
        return searches;
    }
    for row in &runs.iterations {
        searches.entry(row.key()).or_default().push(row);
    }
    searches.values_mut().for_each(|rows| rows.sort_by_key(|row| row.depth));
    searches
}

/// One position of a group with its solution and what each method set made of it.
#[derive(Clone, Debug)]
pub struct Problem<'a> {
    /// Its rows.
    pub block: &'a Block<'a>,
    /// What its authors say.
    pub solution: &'a Solution,
    /// By method set: whether the last move is right, and since when, if the iterations were kept.
    pub outcomes: Vec<(bool, Option<Solved>)>,
}

/// The positions of a group that have a solution.
pub fn problems<'a>(
    group: &'a Group<'_>,
    solutions: &'a Solutions,
    searches: &Searches<'_>,
) -> Vec<Problem<'a>> {
    let judge = |row: &Record, solution: &Solution| {
        let rows = searches.get(&row.key()).map_or(&[][..], Vec::as_slice);
        let right = solution.solves(&row.best_move, row.score);
        (right, solved(solution, rows).filter(|_| right))
    };
    let problem = |block: &'a Block<'_>| {
        let base = block.base();
        let solution = solutions.get(&(base.run, base.game, base.position))?;
        let outcomes = block.rows.iter().map(|row| judge(row, solution)).collect();
        Some(Problem { block, solution, outcomes })
    };
    group.blocks.iter().filter_map(problem).collect()
}

/// What each method set of one group solved: `right[method][position]`.
pub type SolvedMatrix = Vec<Vec<bool>>;

/// Two method sets and the positions that only one of them solves.
#[derive(Clone, Copy, Debug)]
pub struct Disagreement {
    /// Index of a method set.
    pub first: usize,
    /// Index of another.
    pub second: usize,
    /// Positions that only the first, and only the second, solves.
    pub only: [u64; 2],
    /// p-value of both solving as many (McNemar), corrected for all pairs of all groups.
    pub p: f64,
}

impl Disagreement {
    /// Above: the first is shown to solve more.
    pub fn shown(&self) -> Shown {
        Test::of(self.only[0] as f64 - self.only[1] as f64, self.p).shown()
    }
}

/// Every pair of method sets of each group, all tests corrected together (Holm).
pub fn disagreements(groups: &[&SolvedMatrix]) -> Vec<Vec<Disagreement>> {
    let mut disagreements: Vec<Vec<Disagreement>> = groups.iter().map(|right| all_pairs(right)).collect();
    correct(disagreements.iter_mut().flatten().map(|pair| &mut pair.p));
    disagreements
}

/// All pairs of method sets of one group, their tests not corrected yet.
fn all_pairs(right: &SolvedMatrix) -> Vec<Disagreement> {
    let sets = right.len();
    let disagreement = |first: usize, second: usize| {
        let both = right[first].iter().zip(&right[second]);
        let only = |one: bool| both.clone().filter(|(a, b)| **a == one && **b != one).count() as u64;
        let only = [only(true), only(false)];
        Disagreement { first, second, only, p: mcnemar(only[0], only[1]) }
    };
    (0..sets).flat_map(|first| (first + 1..sets).map(move |second| disagreement(first, second))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solution_counts_from_where_it_stays() {
        let row = |(depth, best_move): (u32, &str)| IterationRow {
            depth,
            nodes: 100 * u64::from(depth),
            time_ns: 1_000_000 * u64::from(depth),
            best_move: best_move.into(),
            ..IterationRow::default()
        };
        let iterations: Vec<IterationRow> = (1..).zip(["d3", "f5", "c4", "d3"]).map(row).collect();
        let rows: Vec<&IterationRow> = iterations.iter().collect();
        let solution = Solution { best: vec!["d3".into(), "c4".into()], ..Solution::default() };
        assert_eq!(solved(&solution, &rows), Some(Solved { depth: 3, nodes: 300, time_ns: 3_000_000 }));
        assert_eq!(solved(&solution, &rows[..2]), None, "lost again at the end");
        assert_eq!(solved(&solution, &rows[..1]).unwrap().depth, 1);
        assert_eq!(solved(&solution, &[]), None);
    }
}
