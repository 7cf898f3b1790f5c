//! Exact quantities over commits: a small table a commit, and the commits at which something stepped.
//!
//! A folder of plain CSV, one file a commit: it lives in a branch, two commits never touch the same file, a merge of two
//! branches is the union of their files, git shows what changed, and anything reads it. An index or a database would be
//! worth it at millions of rows; a thousand commits of thirty arms are some ten megabytes. Kept are quantities that repeat
//! exactly (nodes, instructions of one toolchain, moves and values kept), so that a step is no question of statistics: it is any
//! change beyond a tolerance. Left out: times, which belong to a machine and a moment.
//!
//! A quantity steps where it changes beyond a tolerance from the level that it had since its last step. The level is that of the step,
//! not of the commit before, so that a drift of many small changes is a step as soon as they come to more than the tolerance. Left out:
//! tests and models of change, because exact quantities have no noise to tell a change from.

mod folder;
mod report;

use secateur_record::manifest::Manifest;
use secateur_record::record::{BudgetKind, Record};
use secateur_stats::group::{Group, groups_of};
use secateur_stats::labels;
use secateur_stats::measures::measure_rows;
use secateur_stats::metrics::iterations;
use secateur_stats::runs::Runs;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub use folder::{Commit, HistoryError, add, data, read};
pub use report::{figures, report};

/// The measure that has a tolerance and belongs to a toolchain.
pub const INSTRUCTIONS: &str = "instructions";

/// Measures of a report that repeat exactly, because nodes, moves and values do.
const EXACT: [&str; 4] = ["same_move", "same_value", "regret", "depth_mean"];

/// One number of one commit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// Suite, or `gate`.
    pub suite: String,
    /// Game.
    pub game: String,
    /// Budget in words; empty where an arm has several together.
    pub budget: String,
    /// Method set.
    pub methods: String,
    /// `nodes` and `instructions` are totals; `same_move`, `same_value` shares from 0 to 1; `regret` in the unit of the game,
    /// `regret_mean` of older points in the unit of the record; `depth_mean` plies.
    pub measure: String,
    /// What instructions were compiled with; empty for all else.
    pub toolchain: String,
    /// Searches.
    pub n: usize,
    /// The number.
    pub value: f64,
    /// Lower end of its 95 % interval over positions, where it has one.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
}

impl Point {
    /// What makes it comparable with a point of another commit.
    pub(crate) fn key(&self) -> [&str; 6] {
        [&self.suite, &self.game, &self.budget, &self.methods, &self.measure, &self.toolchain]
    }
}

/// The points of a run. Budgets of time are left out: nothing in them repeats.
pub fn points_of(runs: &Runs) -> Vec<Point> {
    let groups = groups_of(runs);
    let repeats = |group: &&Group<'_>| group.budget_kind != BudgetKind::Time;
    let mut all = Vec::new();
    for group in groups.iter().filter(repeats) {
        for (index, methods) in group.methods.iter().enumerate() {
            let point = Point {
                suite: group.suite.to_owned(),
                game: group.game.to_owned(),
                budget: labels::budget(group.budget_kind, group.budget),
                methods: (*methods).to_owned(),
                n: group.blocks.len(),
                ..Point::default()
            };
            all.extend(total(group, index, |row| row.nodes).map(|value| Point {
                measure: "nodes".to_owned(),
                value,
                ..point.clone()
            }));
            all.extend(total(group, index, |row| row.instructions).map(|value| Point {
                measure: INSTRUCTIONS.to_owned(),
                toolchain: toolchain(runs, group.game),
                value,
                ..point.clone()
            }));
        }
    }
    for row in measure_rows(&groups, &iterations(&runs.iterations)) {
        // A depth that was asked for says nothing.
        let is_limit =
            row.budget_kind == "time" || [&*row.budget_kind, &*row.measure] == ["depth", "depth_mean"];
        let exact = EXACT.contains(&&*row.measure) && row.stage == "all" && !is_limit;
        let Some(value) = row.estimate.filter(|_| exact) else { continue };
        let kind = if row.budget_kind == "nodes" { BudgetKind::Nodes } else { BudgetKind::Depth };
        all.push(Point {
            budget: labels::budget(kind, row.budget),
            suite: row.suite,
            game: row.game,
            methods: row.methods,
            measure: row.measure,
            toolchain: String::new(),
            n: row.n,
            value,
            low: row.low,
            high: row.high,
        });
    }
    all
}

/// The sum over all positions of a method set; nothing unless every search has the number.
fn total(group: &Group<'_>, index: usize, quantity: impl Fn(&Record) -> Option<u64>) -> Option<f64> {
    let all: Option<Vec<u64>> = group.blocks.iter().map(|block| quantity(block.rows[index])).collect();
    all.filter(|all| !all.is_empty()).map(|all| all.iter().sum::<u64>() as f64)
}

/// What a game's instructions were compiled with, in the words of whoever counted.
fn toolchain(runs: &Runs, game: &str) -> String {
    let versions_of = |manifest: &Manifest| {
        let counted = manifest.game.iter().find(|entry| entry.name == game)?.counting.as_ref();
        match counted {
            Some(counting) => Some(counting.compiler.clone()),
            None => manifest.build.last().map(|build| build.compiled.rustc.clone()),
        }
    };
    let versions = runs.manifests.iter().find_map(versions_of).unwrap_or_default();
    versions.split("; ").next().unwrap_or_default().to_owned()
}

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
    use secateur_stats::fixtures::row;

    #[test]
    fn a_run_gives_totals_and_shares_and_no_times() {
        let mut records = Vec::new();
        for i in 0..4 {
            let position = format!("p{i}");
            records.push(row(&position, "28", "none", 1_000));
            records.push(row(&position, "28", "mpc", 100 + i));
        }
        let runs = Runs { records: records.clone(), ..Runs::default() };
        let points = points_of(&runs);
        let nodes = |methods: &str| {
            points.iter().find(|p| p.methods == methods && p.measure == "nodes").map(|p| (p.value, p.n))
        };
        assert_eq!((nodes("none"), nodes("mpc")), (Some((4_000.0, 4)), Some((406.0, 4))));
        assert!(points.iter().any(|p| p.measure == "same_move" && p.methods == "mpc" && p.value == 1.0));
        for record in &mut records {
            record.budget_kind = BudgetKind::Time;
        }
        assert_eq!(points_of(&Runs { records, ..Runs::default() }), []);
    }

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
