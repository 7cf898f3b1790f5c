//! A report for programs: one row for each measure of each method set, stage and budget, as CSV and within JSON.
//!
//! Long and tidy: what varies is in columns, and a measure is one number with its interval. Nothing is rounded.

use crate::factorial::{Design, Effects, Measure, designs, effects};
use crate::interval::Interval;
use crate::metrics::compare;
use crate::pair::Group;
use crate::regret::regret;
use crate::stats::{Test, shown};
use crate::table::Report;
use secateur_base::visible::visible;
use serde::Serialize;

/// One measure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
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
}

/// All measures of all groups.
#[must_use]
pub fn rows(groups: &[Group<'_>]) -> Vec<Row> {
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
fn together(design: &Design<'_, '_>, measure: Measure, found: &Effects) -> Vec<Row> {
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
        if shown(Test { effect: found.whole.estimate, p: found.p_whole }).any() {
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

fn row(group: &Group<'_>, methods: &str, stage: &str, measure: &str, n: usize, i: Option<Interval>) -> Row {
    let finite = |x: f64| Some(x).filter(|x| x.is_finite());
    Row {
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
    }
}

/// The measures of one method set in one stage.
fn of(group: &Group<'_>, method: usize, name: &str, stage: Option<&str>) -> Vec<Row> {
    let c = compare(group, method, stage);
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
    }
    let stage = stage.unwrap_or("all");
    measures.into_iter().map(|(measure, i)| row(group, name, stage, measure, c.n, i)).collect()
}

/// A text that a spreadsheet takes for one: what begins like a formula gets an apostrophe (OWASP, CSV injection), and
/// what hides is written out.
fn harmless(text: &str) -> String {
    let shown = visible(text);
    if shown.starts_with(['=', '+', '-', '@']) { format!("'{shown}") } else { shown.into_owned() }
}

/// The measures as CSV with a header.
#[must_use]
pub fn csv(rows: &[Row]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        let row = Row {
            game: harmless(&row.game),
            suite: harmless(&row.suite),
            budget_kind: harmless(&row.budget_kind),
            methods: harmless(&row.methods),
            stage: harmless(&row.stage),
            measure: harmless(&row.measure),
            ..row.clone()
        };
        // Writing numbers and text into memory does not fail.
        writer.serialize(row).expect("a row has a CSV form");
    }
    String::from_utf8(writer.into_inner().expect("memory takes everything")).expect("CSV of text is text")
}

/// The report as JSON: `title`, `notes`, `measures` (the rows) and `sections` as they are printed.
#[must_use]
pub fn json(report: &Report, rows: &[Row]) -> String {
    let tables = |tables: &[crate::table::Table]| -> Vec<serde_json::Value> {
        let of = |table: &crate::table::Table| {
            let columns: Vec<&str> = table.columns.iter().map(|(heading, _)| heading.as_str()).collect();
            serde_json::json!({ "columns": columns, "rows": table.rows, "notes": table.notes })
        };
        tables.iter().map(of).collect()
    };
    let sections: Vec<serde_json::Value> = report
        .sections
        .iter()
        .map(|s| serde_json::json!({ "title": s.title, "text": s.text, "tables": tables(&s.tables) }))
        .collect();
    let all = serde_json::json!({
        "title": report.title, "notes": report.notes, "measures": rows, "sections": sections,
    });
    format!("{all:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::groups;
    use crate::pair::tests::row as record;
    use secateur_record::record::Record;

    fn records() -> Vec<Record> {
        let mut records = Vec::new();
        for (i, stage) in ["12", "28", "12", "28"].into_iter().enumerate() {
            for (methods, nodes) in [("none", 1000), ("a,\"b\"", 100), ("mpc", 90)] {
                records.push(record(&format!("p{i}"), stage, methods, nodes + i as u64));
            }
        }
        records
    }

    #[test]
    fn csv_reads_back_row_for_row_whatever_the_names() {
        let records = records();
        let rows = rows(&groups(&records));
        let text = csv(&rows);
        let mut reader = ::csv::Reader::from_reader(text.as_bytes());
        let back: Vec<_> = reader.records().map(Result::unwrap).collect();
        assert_eq!(back.len(), rows.len());
        for (line, row) in back.iter().zip(&rows) {
            assert_eq!([&line[4], &line[5], &line[6]], [&*row.methods, &*row.stage, &*row.measure]);
            assert_eq!(line[8].parse().ok(), row.estimate);
        }
        // Two stages and all; the baseline has no comparisons.
        assert_eq!(rows.len(), 3 * (6 + 2 * 12));
    }

    #[test]
    fn no_cell_is_a_formula_or_hides() {
        for (text, cell) in [
            ("=1+1", "'=1+1"),
            ("@x", "'@x"),
            ("-2", "'-2"),
            ("null-move+mpc", "null-move+mpc"),
            ("a\u{202e}\n", "a\\u{202e}\\u{a}"),
            ("\t=1", "\\u{9}=1"),
        ] {
            assert_eq!(harmless(text), cell);
        }
    }

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
            rows(&groups(&records))
        };
        let sum = |rows: &[Row], measure: &str| -> Option<f64> {
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

    #[test]
    fn json_is_json_and_has_no_rounding() {
        let records = records();
        let groups = groups(&records);
        let rows = rows(&groups);
        let mut report = Report::new("t \"x\"");
        report.sections.push(crate::table2::section(&groups[0]));
        let value: serde_json::Value = serde_json::from_str(&json(&report, &rows)).unwrap();
        assert_eq!(value["title"], "t \"x\"");
        let row =
            value["measures"].as_array().unwrap().iter().find(|r| r["measure"] == "speedup_means").unwrap();
        assert_eq!(
            row["estimate"].as_f64(),
            rows.iter().find(|r| r.measure == "speedup_means").unwrap().estimate
        );
        assert_eq!(value["sections"][0]["tables"].as_array().unwrap().len(), 2);
    }
}
