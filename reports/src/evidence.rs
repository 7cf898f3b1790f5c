//! Runs with all that their reports are made of, each part worked out once: pairs, iterations, solutions, and what tests show.

use secateur_stats::group::{Group, groups_of};
use secateur_stats::inference::{Shown, Test, binomial, judged as corrected};
use secateur_stats::metrics::{AgainstBaseline, Iterations, against_baseline, iterations};
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
    pub fn problems<'e>(&'e self, group: &'e Group<'_>) -> Vec<Problem<'e>> {
        if self.solutions.is_empty() { Vec::new() } else { problems(group, &self.solutions, &self.searches) }
    }

    /// The method sets of each group with what is shown of them.
    pub fn judged(&self) -> &[Vec<Judged<'r>>] {
        self.judged.get_or_init(|| judged(&self.groups))
    }

    /// What methods are worth in each group, their tests corrected; none where the program as it is is not compared with itself without
    /// a method.
    pub fn worths(&self) -> &[(Vec<Worth>, Tests)] {
        let of_group = |group| {
            let mut all = worths(group, &self.problems(group));
            let tests = correct(&mut all);
            (all, tests)
        };
        self.worths.get_or_init(|| self.groups.iter().map(of_group).collect())
    }
}

/// A method set with what is shown of it, after correction for all tests of all method sets.
#[derive(Clone, Debug)]
pub struct Judged<'a> {
    /// The method set as records name it.
    pub name: &'a str,
    /// What it does compared with the baseline.
    pub effects: AgainstBaseline,
    /// Above: it saves nodes.
    pub saves: Shown,
    /// Below: it keeps the move in fewer than three positions of four.
    pub keeps: Shown,
}

/// Of each group all method sets but the baseline; none unless it is at a fixed depth and has positions. Tests are corrected by Holm's
/// method over all groups.
fn judged<'a>(groups: &[Group<'a>]) -> Vec<Vec<Judged<'a>>> {
    let compare = |group: &Group<'_>| -> Vec<AgainstBaseline> {
        let has_any = group.is_fixed_depth() && !group.blocks.is_empty();
        let last = if has_any { group.methods.len() } else { 1 };
        (1..last).map(|index| against_baseline(group, index, None)).collect()
    };
    let all: Vec<Vec<AgainstBaseline>> = groups.iter().map(compare).collect();
    let tests = |c: &AgainstBaseline| {
        [Test::of(c.speedup_geometric.estimate.ln(), c.p_nodes), Test::of(kept(c) - KEPT, p_keeps(c))]
    };
    let family = corrected(all.iter().flatten().flat_map(tests).collect());
    let mut shown = family.iter().map(Test::shown);
    let mut next = || shown.next().unwrap_or(Shown::No);
    let mut judge = |(&name, effects): (&&'a str, AgainstBaseline)| {
        let (saves, keeps) = (next(), next());
        Judged { name, effects, saves, keeps }
    };
    let each = |(group, all): (&Group<'a>, Vec<AgainstBaseline>)| {
        group.methods.iter().skip(1).zip(all).map(&mut judge).collect()
    };
    groups.iter().zip(all).map(each).collect()
}

/// The share of moves kept that is asked about, and that a method set must keep to be called a choice.
pub(crate) const KEPT: f64 = 0.75;

/// The share of moves that it keeps.
pub(crate) fn kept(c: &AgainstBaseline) -> f64 {
    c.same_move.map_or(f64::NAN, |i| i.estimate)
}

/// Two-sided p-value of the share of moves kept being [`KEPT`].
fn p_keeps(c: &AgainstBaseline) -> f64 {
    binomial((kept(c) * c.n as f64).round() as u64, c.n as u64, KEPT)
}
