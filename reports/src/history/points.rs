//! What is kept of a run: one number a row, exact on any machine or belonging to a toolchain that is named.

use secateur_record::manifest::Manifest;
use secateur_record::record::{BudgetKind, Record};
use secateur_stats::group::{Group, groups_of};
use secateur_stats::labels;
use secateur_stats::measures::measure_rows;
use secateur_stats::metrics::iterations;
use secateur_stats::runs::Runs;
use serde::{Deserialize, Serialize};

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
    /// `nodes` and `instructions` are totals; `same_move`, `same_value` shares from 0 to 1; `regret` in the unit of the game, `regret_mean` of
    /// older points in the unit of the record;
    /// `depth_mean` plies.
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
#[must_use]
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
        let given =
            row.budget_kind == "time" || [&*row.budget_kind, &*row.measure] == ["depth", "depth_mean"];
        let exact = EXACT.contains(&&*row.measure) && row.stage == "all" && !given;
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
}
