//! A report for programs: one row for each measure of each method set, stage and budget, as CSV and within JSON.
//!
//! Long and tidy: what varies is in columns, and a measure is one number with its interval. Nothing is rounded.

use crate::table::Report;
use secateur_base::visible::visible_json;
use secateur_record::table::of_rows;
use secateur_stats::measures::MeasureRow;

/// The measures as CSV with a header.
#[must_use]
pub fn csv(rows: &[MeasureRow]) -> String {
    of_rows(rows)
}

/// Version of the layout of [`json`]; raised when a member changes its meaning, name or place.
pub const LAYOUT: u32 = 2;
/// The JSON schema of [`json`].
pub const SCHEMA: &str = include_str!("../../data/report.schema.json");

/// The report as JSON: `layout`, `title`, `notes`, `measures` (the rows) and `sections` as they are printed.
#[must_use]
pub fn json(report: &Report, rows: &[MeasureRow]) -> String {
    let tables = |tables: &[crate::table::Table]| -> Vec<serde_json::Value> {
        let json_of = |table: &crate::table::Table| {
            let columns: Vec<&str> = table.columns.iter().map(|(heading, _)| heading.as_str()).collect();
            serde_json::json!({ "columns": columns, "rows": table.rows, "notes": table.notes })
        };
        tables.iter().map(json_of).collect()
    };
    let sections: Vec<serde_json::Value> = report
        .sections
        .iter()
        .map(|s| serde_json::json!({ "title": s.title, "text": s.text, "tables": tables(&s.tables) }))
        .collect();
    let all = serde_json::json!({
        "layout": LAYOUT, "title": report.title, "notes": report.notes, "measures": rows, "sections": sections,
    });
    visible_json(&format!("{all:#}\n")).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::record::Record;
    use secateur_stats::fixtures::row as record;
    use secateur_stats::group::groups;
    use secateur_stats::measures::measure_rows;
    use secateur_stats::metrics::Iterations;

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
        let rows = measure_rows(&groups(&records), &Iterations::new());
        let text = csv(&rows);
        let mut reader = ::csv::Reader::from_reader(text.as_bytes());
        let back: Vec<_> = reader.records().map(Result::unwrap).collect();
        assert_eq!(back.len(), rows.len());
        for (line, row) in back.iter().zip(&rows) {
            assert_eq!([&line[4], &line[5], &line[6]], [&*row.methods, &*row.stage, &*row.measure]);
            assert_eq!(line[8].parse().ok(), row.estimate);
        }
        // Two stages and all; the baseline has no comparisons, and time is compared over all stages.
        assert_eq!(rows.len(), 3 * (6 + 2 * 13) + 2);
    }

    #[test]
    fn json_is_json_and_has_no_rounding() {
        let records = records();
        let groups = groups(&records);
        let rows = measure_rows(&groups, &Iterations::new());
        let mut report = Report::new("t \"x\"");
        report.sections.push(crate::table2::section(&groups[0]));
        let value: serde_json::Value = serde_json::from_str(&json(&report, &rows)).unwrap();
        assert_eq!(value["title"], "t \"x\"");
        let row = value["measures"]
            .as_array()
            .unwrap()
            .iter()
            .find(|r| r["measure"] == "nodes_saved_means")
            .unwrap();
        assert_eq!(
            row["estimate"].as_f64(),
            rows.iter().find(|r| r.measure == "nodes_saved_means").unwrap().estimate
        );
        assert_eq!(value["sections"][0]["tables"].as_array().unwrap().len(), 2);
    }

    /// What is printed is valid by the schema that is published; a member more, or less, or of another type, is not.
    #[test]
    fn the_json_is_valid_by_its_schema_and_faults_are_not() {
        let schema: serde_json::Value = serde_json::from_str(SCHEMA).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let records = records();
        let rows = measure_rows(&groups(&records), &Iterations::new());
        let mut report = Report::new("t");
        report.sections.push(crate::table2::section(&groups(&records)[0]));
        let value: serde_json::Value = serde_json::from_str(&json(&report, &rows)).unwrap();
        let faults: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(faults.is_empty() && value["layout"] == LAYOUT, "{faults:?}");
        let matches = [MeasureRow { measure: "elo".into(), estimate: Some(-1.5), ..rows[0].clone() }];
        assert!(validator.is_valid(&serde_json::from_str(&json(&Report::new(""), &matches)).unwrap()));
        let wrong = |change: &dyn Fn(&mut serde_json::Value)| {
            let mut value = value.clone();
            change(&mut value);
            !validator.is_valid(&value)
        };
        assert!(wrong(&|value| value["measures"][0]["n"] = "4".into()));
        assert!(wrong(&|value| value["measures"][0]["unit"] = "times".into()));
        assert!(wrong(&|value| value["layout"] = 1.into()));
        assert!(wrong(&|value| drop(value["sections"][0].as_object_mut().unwrap().remove("tables"))));
    }
}
