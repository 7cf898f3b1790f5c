//! All measures of a report for programs: one row for each measure of each method set, stage and budget.
//!
//! Long and tidy: what varies is in columns, and a measure is one number with its interval. Nothing is rounded.

use crate::depth::reached;
use crate::factorial::{Design, Effects, designs, effects};
use crate::group::Group;
use crate::interval::Interval;
use crate::measure::{INSTRUCTIONS, Measure, Unit, divided};
use crate::metrics::{Iterations, against_baseline};
use crate::numbers::{self, Number};
use crate::pairwise::{between, time_ratio};
use crate::regret::regret;
use serde::Serialize;

/// One measure.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
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

/// All measures of all groups; of the `iterations` of their searches gains in plies are made.
pub fn measure_rows(groups: &[Group<'_>], iterations: &Iterations<'_>) -> Vec<MeasureRow> {
    let mut rows = Vec::new();
    for group in groups {
        let stages = group.stages();
        let several = if stages.len() > 1 { stages.as_slice() } else { &[] };
        for (method, name) in group.methods.iter().enumerate() {
            for stage in several.iter().copied().map(Some).chain([None]) {
                rows.extend(rows_of_set(group, method, name, stage, iterations));
            }
        }
    }
    for design in designs(groups) {
        let measured = |measure| Some((measure, effects(&design, measure)?));
        for (measure, effects) in divided().filter_map(measured) {
            rows.extend(together(&design, measure, &effects));
        }
    }
    rows
}

/// The effects of a factorial experiment on one measure, all as savings.
fn together(design: &Design<'_, '_>, measure: &Measure, effects: &Effects) -> Vec<MeasureRow> {
    let n = design.group.blocks.len();
    let cost = measure.cost_name();
    let in_units = |i: Interval| if measure.unit == Unit::OfGame { design.group.in_units(&i) } else { i };
    let share =
        |methods: &str, name: String, i| MeasureRow::of(design.group, methods, "all", &name, n).with(Some(i));
    let row = |methods: &str, name: String, i| share(methods, name, in_units(i));
    let mut rows = Vec::new();
    for (name, factor) in design.factors.iter().zip(&effects.factors) {
        rows.push(row(name, format!("{cost}_saved_alone"), factor.alone));
        rows.push(row(name, format!("{cost}_saved_mean"), factor.main));
        rows.push(row(name, format!("{cost}_saved_last"), factor.last.effect));
        rows.push(row(name, format!("{cost}_saved_shapley"), factor.part));
        // A share of a whole that may be nothing is no number.
        if effects.saves() {
            let plain = cost.trim_start_matches("ln_");
            rows.push(share(name, format!("share_of_{plain}_saved_shapley"), factor.share));
        }
    }
    for i in &effects.interactions {
        let methods = format!("{} x {}", design.factors[i.first], design.factors[i.second]);
        rows.push(row(&methods, format!("interaction_{cost}"), i.alone.effect));
        rows.push(row(&methods, format!("interaction_{cost}_mean"), i.mean.effect));
    }
    rows
}

impl MeasureRow {
    /// A measure of a method set, or of two, at the positions of a stage.
    pub fn of(group: &Group<'_>, methods: &str, stage: &str, measure: &str, n: usize) -> MeasureRow {
        MeasureRow {
            game: group.game.to_owned(),
            suite: group.suite.to_owned(),
            budget_kind: group.budget_kind.to_string(),
            budget: group.budget,
            methods: methods.to_owned(),
            stage: stage.to_owned(),
            measure: measure.to_owned(),
            n,
            run: group.runs().to_owned(),
            ..MeasureRow::default()
        }
    }

    /// With this number; what is not finite is undefined.
    pub fn with(self, number: Option<Interval>) -> MeasureRow {
        let part = |end: fn(Interval) -> f64| number.map(end).filter(|x| x.is_finite());
        MeasureRow { estimate: part(|i| i.estimate), low: part(|i| i.low), high: part(|i| i.high), ..self }
    }
}

/// The measures of one method set in one stage.
fn rows_of_set(
    group: &Group<'_>,
    method: usize,
    name: &str,
    stage: Option<&str>,
    iterations: &Iterations<'_>,
) -> Vec<MeasureRow> {
    let c = against_baseline(group, method, stage);
    let plain = |estimate| Some(Interval::none(estimate));
    let mut measures = vec![
        (numbers::NODES, plain(c.nodes)),
        (numbers::NODES_SD, plain(c.nodes_sd)),
        (numbers::DEPTH, plain(c.depth)),
        (numbers::BRANCHING, plain(c.branching)),
        (numbers::PROBE_SHARE, plain(c.probe_share)),
        (numbers::NODES_PER_SECOND, plain(c.nodes_per_second)),
    ];
    if method > 0 {
        measures.extend([
            (numbers::SAME_MOVE, c.same_move),
            (numbers::SAME_VALUE, c.same_value),
            (numbers::SAME_WHOLE, c.same_whole),
            (numbers::VALUE_DIFFERENCE, Some(group.in_units(&c.value_difference))),
            (numbers::PROVEN, plain(c.proven as f64)),
        ]);
    }
    if method > 0 && group.is_fixed_depth() {
        measures.extend([
            (numbers::NODES_SAVED_MEANS, Some(c.speedup_means)),
            (numbers::NODES_SAVED, Some(c.speedup_geometric)),
        ]);
    }
    if stage.is_none() {
        measures.extend(of_all(group, method, iterations));
    }
    let stage = stage.unwrap_or("all");
    let row = |(measure, i): (Number, _)| MeasureRow::of(group, name, stage, measure.csv, c.n).with(i);
    measures.into_iter().map(row).collect()
}

/// The measures that are of all stages only.
fn of_all(group: &Group<'_>, method: usize, iterations: &Iterations<'_>) -> Vec<(Number, Option<Interval>)> {
    let mut measures = Vec::new();
    if method > 0 && group.is_fixed_depth() {
        measures.push((numbers::TIME_SAVED, time_ratio(group, 0, method).ok()));
        let counted =
            if group.counted().is_empty() { None } else { between(group, &INSTRUCTIONS, 0, method) };
        measures.extend(counted.map(|counted| (numbers::INSTRUCTIONS_SAVED, Some(counted))));
    } else if method > 0 {
        measures.push((numbers::PLIES_GAINED, Some(reached(group, method, 0, iterations).gain)));
    }
    if let Some(regret) = regret(group, method) {
        measures.push((numbers::REGRET, Some(group.in_units(&regret.mean))));
        if method > 0 {
            measures.push((numbers::REGRET_EXCESS, Some(group.in_units(&regret.excess.within))));
        }
        measures.push((numbers::BLUNDERS, regret.blunders));
        measures.extend(regret.thrown.map(|thrown| (numbers::THROWN, Some(thrown))));
    }
    measures
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
            measure_rows(&groups(&records), &Iterations::new())
        };
        let sum = |rows: &[MeasureRow], measure: &str| -> Option<f64> {
            let measured = rows.iter().filter(|row| row.measure == measure);
            measured.map(|row| row.estimate).sum::<Option<f64>>().filter(|sum| *sum != 0.0)
        };
        let (without, with) = (all(None), all(Some(8)));
        assert!(without.iter().all(|row| !row.measure.contains("regret")));
        for (rows, measure) in
            [(&without, "share_of_nodes_saved_shapley"), (&with, "share_of_regret_saved_shapley")]
        {
            assert!((sum(rows, measure).unwrap() - 1.0).abs() < 1e-9, "{measure}");
        }
        let near = |measure: &str, value: f64| (sum(&with, measure).unwrap() - value).abs() < 1e-9;
        assert!(
            near("regret_saved_shapley", -0.08) && near("interaction_regret", 0.08),
            "discs, not hundredths"
        );
        // Every name is one of the table's.
        let crossed = numbers::crossed();
        let has_known_name =
            |row: &MeasureRow| numbers::named(&row.measure).is_some() || crossed.contains(&row.measure);
        assert!(with.iter().chain(&without).all(has_known_name));
    }
}
