//! Where a quantity stepped: a change beyond a tolerance from the level that it had since its last step.
//!
//! The level is that of the step, not of the commit before, so that a drift of many small changes is a step as soon as they
//! come to more than the tolerance. Left out: tests and models of change, because exact quantities have no noise to tell a
//! change from.

use crate::history::folder::Commit;
use crate::history::points::{INSTRUCTIONS, Point};
use std::collections::BTreeMap;

/// One quantity at one commit.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// Which of the commits, from 0.
    pub at: usize,
    /// The point.
    pub point: Point,
}

/// A commit at which a quantity changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Which of the commits, from 0.
    pub at: usize,
    /// The level before.
    pub from: f64,
    /// The value at the commit.
    pub to: f64,
    /// Searches before and after, where they are not as many: then it is another measurement, not another program.
    pub resized: Option<[usize; 2]>,
}

impl Step {
    /// The change as a part of the level before; infinite from 0.
    #[must_use]
    pub fn share(&self) -> f64 {
        if self.from == 0.0 { f64::INFINITY.copysign(self.to) } else { self.to / self.from - 1.0 }
    }
}

/// One quantity over all commits that have it.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// In the order of the commits.
    pub levels: Vec<Level>,
    /// Where it changed.
    pub steps: Vec<Step>,
}

/// The quantities of a history, in the order in which they came up. `tolerance` is by what part instructions may
/// change; every other quantity repeats exactly.
#[must_use]
pub fn series(commits: &[Commit], tolerance: f64) -> Vec<Series> {
    let mut all: Vec<Series> = Vec::new();
    let mut places = BTreeMap::new();
    for (at, commit) in commits.iter().enumerate() {
        for point in &commit.points {
            let key = point.key().map(str::to_owned);
            let place = *places.entry(key).or_insert_with(|| {
                all.push(Series { levels: Vec::new(), steps: Vec::new() });
                all.len() - 1
            });
            all[place].levels.push(Level { at, point: point.clone() });
        }
    }
    for series in &mut all {
        series.steps = steps(&series.levels, tolerance);
    }
    all
}

fn steps(levels: &[Level], tolerance: f64) -> Vec<Step> {
    let Some(first) = levels.first() else { return Vec::new() };
    let mut steps = Vec::new();
    let (mut level, mut size) = (first.point.value, first.point.n);
    for Level { at, point } in &levels[1..] {
        let allowed = if point.measure == INSTRUCTIONS { tolerance * level.abs() } else { 0.0 };
        let resized = (point.n != size).then_some([size, point.n]);
        if (point.value - level).abs() > allowed || resized.is_some() {
            steps.push(Step { at: *at, from: level, to: point.value, resized });
            (level, size) = (point.value, point.n);
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A made history of one quantity.
    fn history(measure: &str, values: &[f64]) -> Vec<Commit> {
        let commit = |(at, &value): (usize, &f64)| Commit {
            commit: format!("c{at}"),
            date: format!("2026-01-{:02}T00:00:00Z", at + 1),
            points: vec![Point { measure: measure.into(), n: 5, value, ..Point::default() }],
        };
        values.iter().enumerate().map(commit).collect()
    }

    fn places(measure: &str, values: &[f64]) -> Vec<usize> {
        let all = series(&history(measure, values), 0.005);
        all[0].steps.iter().map(|step| step.at).collect()
    }

    #[test]
    fn the_commit_of_a_step_is_named_and_those_after_it_are_not() {
        assert_eq!(places("nodes", &[100.0, 100.0, 90.0, 90.0, 90.0]), [2]);
        assert_eq!(places("nodes", &[100.0, 100.0, 101.0, 100.0]), [2, 3], "one node in a hundred is a step");
        assert_eq!(places("instructions", &[1e6, 1.004e6, 0.997e6, 1.006e6, 1.006e6]), [3]);
        assert!(places("same_move", &[0.9, 0.9]).is_empty());
    }

    #[test]
    fn a_drift_is_a_step_when_it_has_come_far_enough() {
        // Each .3 % more than the one before.
        assert_eq!(places("instructions", &[1_000.0, 1_003.0, 1_006.0, 1_009.0, 1_012.0]), [2, 4]);
    }

    #[test]
    fn other_positions_are_told_from_another_program() {
        let mut commits = history("nodes", &[100.0, 150.0]);
        commits[1].points[0].n = 8;
        assert_eq!(series(&commits, 0.0)[0].steps[0].resized, Some([5, 8]));
    }

    #[test]
    fn a_commit_without_the_quantity_is_no_step() {
        let mut commits = history("nodes", &[100.0, 0.0, 100.0]);
        commits[1].points.clear();
        let all = series(&commits, 0.0);
        assert_eq!((all[0].levels.len(), all[0].steps.len()), (2, 0));
    }
}
