//! Runs with all that their reports are made of, each part worked out once: pairs, iterations, solutions, and what tests show.

use crate::summary::{self, Judged};
use secateur_stats::group::{Group, groups_of};
use secateur_stats::metrics::{Iterations, iterations};
use secateur_stats::runs::Runs;
use secateur_stats::solved::{Problem, Searches, Solutions, problems, searches, solutions};
use secateur_stats::worth::{Tests, Worth, correct, worths};
use std::cell::OnceCell;

/// See the module.
#[derive(Debug)]
pub struct Evidence<'r> {
    /// The runs.
    pub runs: &'r Runs,
    /// Their searches, paired by position.
    pub groups: Vec<Group<'r>>,
    /// Their iterations by search.
    pub cells: Iterations<'r>,
    solutions: Solutions,
    searches: Searches<'r>,
    judged: OnceCell<Vec<Vec<Judged<'r>>>>,
    worths: OnceCell<Vec<(Vec<Worth>, Tests)>>,
}

impl<'r> Evidence<'r> {
    /// That of these runs.
    #[must_use]
    pub fn of(runs: &'r Runs) -> Evidence<'r> {
        let solutions = solutions(runs);
        Evidence {
            runs,
            groups: groups_of(runs),
            cells: iterations(&runs.iterations),
            searches: searches(runs, &solutions),
            solutions,
            judged: OnceCell::new(),
            worths: OnceCell::new(),
        }
    }

    /// The positions of a group that have a solution, with what each method set made of them.
    #[must_use]
    pub fn problems<'e>(&'e self, group: &'e Group<'_>) -> Vec<Problem<'e>> {
        if self.solutions.is_empty() { Vec::new() } else { problems(group, &self.solutions, &self.searches) }
    }

    /// The method sets of each group with what is shown of them ([`summary::judged`]).
    #[must_use]
    pub fn judged(&self) -> &[Vec<Judged<'r>>] {
        self.judged.get_or_init(|| summary::judged(&self.groups))
    }

    /// What methods are worth in each group, their tests corrected; none where the program as it is is not compared with itself without
    /// a method.
    #[must_use]
    pub fn worths(&self) -> &[(Vec<Worth>, Tests)] {
        let of_group = |group| {
            let mut all = worths(group, &self.problems(group));
            let tests = correct(&mut all);
            (all, tests)
        };
        self.worths.get_or_init(|| self.groups.iter().map(of_group).collect())
    }
}
