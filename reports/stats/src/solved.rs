//! How good moves are by the judgement of others: solutions of the authors of a set, and regret by an oracle.
//!
//! Of solved positions the authors of a set say which move is best or wrong: what each method set finds, how soon, and
//! which are shown to solve more than others, by McNemar's test of every pair, corrected for all of them.
//! The solutions stand in the manifests of the runs ([`secateur_record::solution`]). A run whose positions have
//! none, or that is older than this, has none here.
//!
//! Regret is what moves lose by a deeper, or exact, full-width search. Same move counts every other move alike; regret says what it costs,
//! and calls two moves of equal worth equal. It has a long tail, so the mean stands next to the median, the 95th percentile and the share of
//! blunders. Where the judge knows results, by exact values or a proven win, the share of moves that throw one away stands next to them.

use crate::contrast::{self, Estimate};
use crate::group::{Block, Group};
use crate::inference::{Shown, Test, holm, mcnemar, shown};
use crate::interval::{Interval, mean_loss, wilson};
use crate::measure::REGRET;
use crate::runs::Runs;
use secateur_record::label::Label;
use secateur_record::record::{CellKey, IterationRow, Record};
use secateur_record::solution::Solution;
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
#[must_use]
pub fn solved(solution: &Solution, iterations: &[&IterationRow]) -> Option<Solved> {
    let right = iterations.iter().rev().take_while(|row| solution.solves(&row.best_move, Some(row.score)));
    let first = right.last()?;
    Some(Solved { depth: first.depth, nodes: first.nodes, time_ns: first.time_ns })
}

/// Solutions by run, game and position.
pub type Solutions = BTreeMap<(Label, Label, Label), Solution>;

/// The solutions of all runs.
#[must_use]
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
#[must_use]
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
#[must_use]
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
    #[must_use]
    pub fn shown(&self) -> Shown {
        shown(Test { effect: self.only[0] as f64 - self.only[1] as f64, p: self.p })
    }
}

/// Every pair of method sets of each group, all tests corrected together (Holm).
#[must_use]
pub fn disagreements(groups: &[&SolvedMatrix]) -> Vec<Vec<Disagreement>> {
    let mut disagreements: Vec<Vec<Disagreement>> = groups.iter().map(|right| all_pairs(right)).collect();
    let p_values: Vec<f64> = disagreements.iter().flatten().map(|pair| pair.p).collect();
    disagreements.iter_mut().flatten().zip(holm(&p_values)).for_each(|(pair, corrected)| pair.p = corrected);
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

/// A move that loses more than this, a disc or a pawn, is a blunder.
const BLUNDER: i32 = 100;

/// The regret of one method set in one group, in the unit of scores.
#[derive(Clone, Debug)]
pub struct Regret {
    /// Mean with its interval over source games, where there is one.
    pub mean: Interval,
    /// Mean less that of the baseline, its test not corrected.
    pub excess: Estimate,
    /// Median.
    pub median: i32,
    /// 95th percentile.
    pub tail: i32,
    /// Share of positions on which more than a disc or a pawn is lost.
    pub blunders: Option<Interval>,
    /// Share of positions on which a won or a drawn game is thrown away: the best move is worth a proven result more than the move
    /// chosen. `None` where scores are not proven, or where nobody in the group throws one away.
    pub thrown: Option<Interval>,
}

/// The regret of method set `method` (an index) over the blocks of a group; `None` if a position has none, or there are
/// no positions.
#[must_use]
pub fn regret(group: &Group<'_>, method: usize) -> Option<Regret> {
    let at = |index: usize| group.blocks[index].rows[method].regret;
    let mut sorted: Vec<i32> = (0..group.blocks.len()).map(at).collect::<Option<_>>()?;
    sorted.sort_unstable();
    let last = sorted.len().checked_sub(1)?;
    let total = |items: &[usize], method: usize| -> Option<f64> {
        items.iter().map(|&i| group.blocks[i].rows[method].regret.map(f64::from)).sum()
    };
    let clusters = group.clusters(None);
    let losses = clusters.iter().map(|items| Some([total(items, method)?, items.len() as f64]));
    let mean = mean_loss(&losses.collect::<Option<Vec<_>>>()?);
    let excess = contrast::Searches::of(group).contrast(&REGRET, method, 0).whole()?;
    let quantile = |q: f64| sorted[(q * last as f64).round() as usize];
    let blunders = share(&sorted, |regret| regret > BLUNDER);
    let thrown = throws(group).and_then(|least| share(&sorted, |regret| regret > least));
    Some(Regret { mean, excess, median: quantile(0.5), tail: quantile(0.95), blunders, thrown })
}

/// The regret above which a result has been thrown away, if somebody in the group has: half of what is proven. No two values of one
/// result are as far apart, and no two of different results as near.
fn throws(group: &Group<'_>) -> Option<i32> {
    let least = group.traits.decisive? / 2;
    let mut all = group.blocks.iter().flat_map(|block| block.rows.iter().filter_map(|row| row.regret));
    all.any(|regret| regret > least).then_some(least)
}

/// The share of those that are so, with its interval.
fn share(regrets: &[i32], is_so: impl Fn(i32) -> bool) -> Option<Interval> {
    wilson(regrets.iter().filter(|regret| is_so(**regret)).count(), regrets.len())
}

/// The method sets of a group with their regrets; none unless all of them have one.
#[must_use]
pub fn regrets<'a>(group: &Group<'a>) -> Option<Vec<(&'a str, Regret)>> {
    let regret_of = |(index, methods): (usize, &&'a str)| Some((*methods, regret(group, index)?));
    group.methods.iter().enumerate().map(regret_of).collect()
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
