//! All measures of a report for programs: one row for each measure of each method set, stage and budget.
//!
//! Long and tidy: what varies is in columns, and a measure is one number with its interval. Nothing is rounded.

use crate::factorial::{Design, Effects, Measure, designs, effects};
use crate::group::Group;
use crate::interval::Interval;
use crate::metrics::against_baseline;
use crate::regret::regret;
use serde::Serialize;

/// One measure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeasureRow {
    /// Game.
    pub game: String,
    /// Suite.
    pub suite: String,
    /// `depth`, `nodes` or `time`.
    pub budget_kind: String,
    /// Plies, nodes or nanoseconds.
    pub budget: u64,
    /// Method set; of an interaction the two methods, divided by ` x `.
    pub methods: String,
    /// Stage, or `all`.
    pub stage: String,
    /// Name of the measure.
    pub measure: String,
    /// Positions.
    pub n: usize,
    /// The number; empty where it is undefined.
    pub estimate: Option<f64>,
    /// Lower end of its 95 % interval; empty where it has none.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// The run, or runs with `+` between them, that the rows are of; of a match when it began.
    pub run: String,
}

/// All measures of all groups.
#[must_use]
pub fn measure_rows(groups: &[Group<'_>]) -> Vec<MeasureRow> {
    let mut rows = Vec::new();
    for group in groups {
        let stages = group.stages();
        let own = if stages.len() > 1 { stages.as_slice() } else { &[] };
        for (method, name) in group.methods.iter().enumerate() {
            for stage in own.iter().copied().map(Some).chain([None]) {
                rows.extend(of(group, method, name, stage));
            }
        }
    }
    for design in designs(groups) {
        let measured = |measure| Some((measure, effects(&design, measure)?));
        for (measure, found) in Measure::ALL.into_iter().filter_map(measured) {
            rows.extend(together(&design, measure, &found));
        }
    }
    rows
}

/// The effects of a factorial experiment on one measure, all as savings.
fn together(design: &Design<'_, '_>, measure: Measure, found: &Effects) -> Vec<MeasureRow> {
    let n = design.group.blocks.len();
    let of = match measure {
        Measure::Nodes => "ln_nodes",
        Measure::Instructions => "ln_instructions",
        Measure::Time => "ln_time",
        Measure::Moves => "moves_changed",
        Measure::Regret => "regret",
    };
    let row = |methods: &str, name: String, i| row(design.group, methods, "all", &name, n, Some(i));
    let mut rows = Vec::new();
    for (name, factor) in design.factors.iter().zip(&found.factors) {
        rows.push(row(name, format!("{of}_saved_alone"), factor.alone));
        rows.push(row(name, format!("{of}_saved_mean"), factor.main));
        rows.push(row(name, format!("{of}_saved_last"), factor.last));
        rows.push(row(name, format!("{of}_saved_shapley"), factor.part));
        // A share of a whole that may be nothing is no number.
        if found.saves() {
            let of = of.trim_start_matches("ln_");
            rows.push(row(name, format!("share_of_{of}_saved_shapley"), factor.share));
        }
    }
    for i in &found.interactions {
        let methods = format!("{} x {}", design.factors[i.first], design.factors[i.second]);
        rows.push(row(&methods, format!("interaction_{of}"), i.alone));
        rows.push(row(&methods, format!("interaction_{of}_mean"), i.mean));
    }
    rows
}

fn row(
    group: &Group<'_>,
    methods: &str,
    stage: &str,
    measure: &str,
    n: usize,
    i: Option<Interval>,
) -> MeasureRow {
    let finite = |x: f64| Some(x).filter(|x| x.is_finite());
    MeasureRow {
        game: group.game.to_owned(),
        suite: group.suite.to_owned(),
        budget_kind: group.budget_kind.to_string(),
        budget: group.budget,
        methods: methods.to_owned(),
        stage: stage.to_owned(),
        measure: measure.to_owned(),
        n,
        estimate: i.and_then(|i| finite(i.estimate)),
        low: i.and_then(|i| finite(i.low)),
        high: i.and_then(|i| finite(i.high)),
        run: group.runs(),
    }
}

/// The measures of one method set in one stage.
fn of(group: &Group<'_>, method: usize, name: &str, stage: Option<&str>) -> Vec<MeasureRow> {
    let c = against_baseline(group, method, stage);
    let plain = |estimate| Some(Interval { estimate, low: f64::NAN, high: f64::NAN });
    let mut measures = vec![
        ("nodes_mean", plain(c.nodes)),
        ("nodes_sd", plain(c.nodes_sd)),
        ("depth_mean", plain(c.depth)),
        ("branching", plain(c.branching)),
        ("probe_share", plain(c.probe_share)),
        ("nodes_per_second", plain(c.nodes_per_second)),
    ];
    if method > 0 {
        measures.extend([
            ("same_move", c.same_move),
            ("same_value", c.same_value),
            ("same_value_to_one", c.same_whole),
            ("value_difference_mean", Some(c.value_difference)),
        ]);
    }
    if method > 0 && group.is_fixed_depth() {
        measures.extend([
            ("speedup_means", Some(c.speedup_means)),
            ("speedup_geometric", Some(c.speedup_geometric)),
        ]);
    }
    if let Some(found) = stage.is_none().then(|| regret(group, method)).flatten() {
        measures.push(("regret_mean", Some(found.mean)));
        measures.push(("regret_blunders", found.blunders));
        measures.extend(found.thrown.map(|thrown| ("regret_results_thrown_away", Some(thrown))));
    }
    let stage = stage.unwrap_or("all");
    measures.into_iter().map(|(measure, i)| row(group, name, stage, measure, c.n, i)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::row as record;
    use crate::group::groups;
    use secateur_record::record::Record;

    /// Nodes, time and moves are there; the rest only where it was measured. Parts of a whole add up to it.
    #[test]
    fn methods_together_are_measured_by_whatever_there_is() {
        let all = |regret: Option<i32>| {
            let records: Vec<Record> = (0..7_u64)
                .flat_map(|p| [("none", 90), ("a", 40), ("b", 30), ("a+b", 20)].map(|arm| (p, arm)))
                .map(|(p, (arm, nodes))| Record {
                    regret: regret.filter(|_| arm == "a+b").or(regret.map(|_| 0)),
                    ..record(&format!("p{p}"), "28", arm, nodes + p)
                })
                .collect();
            measure_rows(&groups(&records))
        };
        let sum = |rows: &[MeasureRow], measure: &str| -> Option<f64> {
            let own = rows.iter().filter(|row| row.measure == measure);
            own.map(|row| row.estimate).sum::<Option<f64>>().filter(|sum| *sum != 0.0)
        };
        let (without, with) = (all(None), all(Some(8)));
        assert!(without.iter().all(|row| !row.measure.contains("regret")));
        for (rows, measure) in
            [(&without, "share_of_nodes_saved_shapley"), (&with, "share_of_regret_saved_shapley")]
        {
            assert!((sum(rows, measure).unwrap() - 1.0).abs() < 1e-9, "{measure}");
        }
        assert_eq!(sum(&with, "regret_saved_shapley"), Some(-8.0));
        assert_eq!(sum(&with, "interaction_regret"), Some(8.0));
    }
}
