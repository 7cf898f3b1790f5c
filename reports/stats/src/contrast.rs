//! Two configurations at the same positions: the one place where differences become an estimate with its interval and its test.
//!
//! Intervals of two arms that were measured at the same positions say nothing about their difference: what makes one position
//! harder for both is in both of them. So whoever compares two arms takes the difference here, position by position. Source games,
//! not positions, are the observations. What is compared is in [`crate::measure`]; which position counts, and what a search is
//! worth there, is said by the measure alone. Whoever makes several tests corrects them together ([`crate::inference`]).

pub use crate::inference::mean::{Estimate, Mean};

use crate::group::{Block, Group, is_proven};
use crate::measure::{Absent, Measure, Searched};
use crate::metrics::{Iterations, search_depth};
use crate::solved::Solutions;
use crate::spent::timed;

/// The searches of a group.
#[derive(Clone, Copy)]
pub struct Searches<'g> {
    /// The group.
    pub group: &'g Group<'g>,
    asks_ties: bool,
    iterations: Option<&'g Iterations<'g>>,
    solutions: Option<&'g Solutions>,
}

impl<'g> Searches<'g> {
    /// Those of a group, without iterations and solutions.
    pub fn of(group: &'g Group<'g>) -> Searches<'g> {
        Searches { group, asks_ties: group.asks_ties(), iterations: None, solutions: None }
    }

    /// With the iterations of their run, which give the depths.
    pub fn with_iterations(self, iterations: &'g Iterations<'g>) -> Searches<'g> {
        Searches { iterations: Some(iterations), ..self }
    }

    /// With the solutions of their positions.
    pub fn with_solutions(self, solutions: &'g Solutions) -> Searches<'g> {
        Searches { solutions: Some(solutions), ..self }
    }

    /// The search of a method set (an index) at a block.
    pub fn at(&self, block: &'g Block<'g>, method: usize) -> Searched<'g> {
        let (base, row) = (block.base(), block.rows[method]);
        let solution = self.solutions.and_then(|all| all.get(&(base.run, base.game, base.position)));
        Searched {
            row,
            base: Some(base),
            is_open: self.asks_ties && row.is_undecided(base),
            is_finished: self.group.is_finished(row),
            solved: solution.map(|solution| solution.solves(&row.best_move, row.score)),
            has_proven: [base, row].into_iter().any(|row| is_proven(&self.group.traits, row)),
            depth: self.iterations.and_then(|all| search_depth(row, all)),
        }
    }

    /// One method set (an index) against another.
    pub fn contrast(&self, measure: &Measure, first: usize, second: usize) -> Contrast {
        let both =
            |block: &'g Block<'g>| (block.cluster, [first, second].map(|method| self.at(block, method)));
        contrast(measure, self.group.blocks.iter().map(both))
    }

    /// The mean of what a block says, over those that say something.
    pub fn estimate(
        &self,
        mean: Mean,
        difference: impl Fn(&'g Block<'g>) -> Option<f64>,
    ) -> Option<Estimate> {
        let blocks = self.group.blocks.iter();
        mean.over_games(blocks.filter_map(|block| Some((block.cluster, difference(block)?))))
    }
}

/// What two configurations come to by one measure.
#[derive(Clone, Copy, Debug)]
pub struct Contrast {
    /// The first over the second, or less it; `None` without a position that counts.
    pub estimate: Option<Estimate>,
    /// Of the first and the second the sum of their values over the positions that count.
    pub sums: [f64; 2],
    /// Positions that should count and of which the record lacks a value.
    pub missing: usize,
}

impl Contrast {
    /// The estimate, unless a position lacks its value.
    pub fn whole(&self) -> Option<Estimate> {
        self.estimate.filter(|_| self.missing == 0)
    }
}

/// The first search over, or less, the second at each position, each with its source game. Of times nothing, where a search took no
/// more than a tick of its clock ([`crate::spent`]).
pub fn contrast<'a>(
    measure: &Measure,
    positions: impl Iterator<Item = (&'a str, [Searched<'a>; 2])>,
) -> Contrast {
    let (mut differences, mut sums, mut missing) = (Vec::new(), [0.0; 2], 0);
    // A page may compare a million searches: no search is kept, and its row only where a clock is asked.
    let mut rows = [Vec::new(), Vec::new()];
    for (game, sides) in positions {
        if measure.is_timed() {
            rows.iter_mut().zip(&sides).for_each(|(rows, side)| rows.push(side.row));
        }
        match sides.map(|side| measure.value(&side)) {
            [Ok(first), Ok(second)] => {
                differences.push((game, measure.mean.difference(first, second)));
                sums = [sums[0] + first, sums[1] + second];
            }
            values if values.contains(&Err(Absent::LeftOut)) => {}
            _ => missing += 1,
        }
    }
    let searched = rows[0].len();
    if timed(rows.into_iter()).is_err() {
        return Contrast { estimate: None, sums: [f64::NAN; 2], missing: searched };
    }
    Contrast { estimate: measure.mean.over_games(differences.into_iter()), sums, missing }
}
