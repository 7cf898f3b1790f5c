//! Published rows below ours, in the tables of this repository's documents: from the papers' own files (`suites/lab/papers`).

use crate::prose::paper::{Paper, Printed};
use secateur_reports::format::{fixed, rounded, share_within};
use secateur_reports::table::{Report, Table};
use secateur_stats::interval::wilson;
use secateur_stats::metrics::branching;

/// Positions of each row that stands next to Table 2, and plies searched.
const POSITIONS: usize = 50;
const PLIES: f64 = 12.0;

/// A table of a paper. Both are named here, and the test reads all.
fn printed(paper: &str, experiment: &str) -> Printed {
    Paper::printed(paper, experiment).unwrap_or_else(|| panic!("{paper}: expected a table in `{experiment}`"))
}

/// Below the regressions by pair of depths and stage: Jiang & Buro 2003, Table 1. Each row stands behind ours.
pub fn below_regression(mut table: Table) -> Table {
    let theirs = printed("jiang-buro-2003", "table-1");
    let heading = |at: usize, table: &Table| table.columns[at].0.clone();
    for row in theirs.rows.iter().rev() {
        let [pair, stage] = ["pair", "stage"].map(|heading| theirs.cell(row, heading));
        let Some(at) = table.rows.iter().position(|ours| ours[0] == pair && ours[1] == stage) else {
            continue;
        };
        let mut cells = vec![format!("{pair}, Jiang & Buro 2003"), stage.to_owned(), "-".to_owned()];
        cells.extend((3..table.columns.len()).map(|at| theirs.cell(row, &heading(at, &table)).to_owned()));
        table.rows.insert(at + 1, cells);
    }
    table.notes.push(format!(
        "Null move on, |v'| at most 300 centipawns unless the stage says otherwise, mates left out. {}",
        theirs.note
    ));
    table
}

/// The pairs of depths of that table.
pub fn pairs_of_regression() -> Vec<(i32, i32)> {
    let theirs = printed("jiang-buro-2003", "table-1");
    let pair = |row: &Vec<String>| {
        let text = theirs.cell(row, "pair").trim_matches(['(', ')']).split_once(", ")?;
        Some((text.0.parse().ok()?, text.1.parse().ok()?))
    };
    let mut pairs: Vec<(i32, i32)> = theirs.rows.iter().filter_map(pair).collect();
    pairs.dedup();
    pairs
}

/// Below the predictions of a deep search by a shallow one: Buro 1995, figures 3 and 4.
pub fn below_prediction(mut table: Table) -> Table {
    let theirs = printed("buro-1995", "figures-3-4");
    for row in &theirs.rows {
        let mut cells = vec!["-".to_owned(); table.columns.len()];
        cells[0] = format!("{} (Buro 1995)", theirs.cell(row, "discs"));
        for heading in ["pair", "n", "r^2"] {
            let at = table.columns.iter().position(|(name, _)| name == heading);
            theirs
                .cell(row, heading)
                .clone_into(&mut cells[at.expect("a column of the table of predictions")]);
        }
        table.push(cells);
    }
    table.notes.push(theirs.note);
    table
}

/// Below the tables by stage of a run in the form of Buro 1995, Table 2: his rows next to `probcut`, those of Edax next to `mpc`.
pub fn below_table_2(report: &mut Report) {
    for table in report.sections.iter_mut().flat_map(|section| &mut section.tables) {
        let heading = table.columns.first().map(|(heading, _)| heading.as_str());
        let (theirs, rows) = match heading {
            Some("probcut: stage") => {
                (printed("buro-1995", "table-2"), buro as fn(&Printed, &[String]) -> Row)
            }
            Some("mpc: stage") => (printed("buro-1995", "edax"), edax as _),
            _ => continue,
        };
        theirs.rows.iter().for_each(|row| table.push(rows(&theirs, row).cells()));
        table.notes.insert(0, theirs.note);
    }
}

fn buro(theirs: &Printed, row: &[String]) -> Row {
    let number = |heading: &str| theirs.number(row, heading);
    Row {
        label: format!("{} (Buro 1995)", theirs.cell(row, "discs")),
        plain: (number("plain"), number("plain: SD")),
        pruned: (number("probcut"), Some(number("probcut: SD"))),
        saved: fixed(Some(number("plain") / number("probcut"))),
        rates: [Some(number("same move")), Some(number("same value")), None],
    }
}

fn edax(theirs: &Printed, row: &[String]) -> Row {
    let number = |heading: &str| theirs.number(row, heading);
    let saved = theirs.cell(row, "nodes saved");
    Row {
        label: format!("{} (Edax 4.6, t = {})", theirs.cell(row, "discs"), theirs.cell(row, "t")),
        plain: (number("plain"), number("plain: SD")),
        pruned: (number("plain") / number("nodes saved"), None),
        saved: saved.to_owned(),
        rates: [Some(number("same move")), None, Some(number("same to 1.00"))],
    }
}

/// A row in the columns of a table by stage: (mean, SD) nodes of the plain and the selective search, as far as they are known.
/// No intervals were printed; those of the rates follow from the number of positions.
struct Row {
    label: String,
    plain: (f64, f64),
    pruned: (f64, Option<f64>),
    saved: String,
    /// Same move, same value, same to 1.00.
    rates: [Option<f64>; 3],
}

impl Row {
    fn cells(self) -> Vec<String> {
        let Row { label, plain, pruned, saved, rates } = self;
        let cell = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), rounded);
        let rate = |share: f64| wilson((share * POSITIONS as f64).round() as usize, POSITIONS);
        let mut cells = vec![label, POSITIONS.to_string(), format!("{PLIES}")];
        for (mean, sd) in [(plain.0, Some(plain.1)), pruned] {
            cells.extend([rounded(mean), cell(sd), fixed(Some(branching(mean, PLIES)))]);
        }
        cells.push(saved);
        cells.extend(rates.map(|share| share_within(share.and_then(rate))));
        cells.push("-".to_owned());
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::record::Record;
    use secateur_stats::runs::Runs;

    #[test]
    fn rows_of_others_stand_below_their_own_kind_of_table() {
        let record = |methods: &str| Record {
            game: "othello".into(),
            position: "a".into(),
            stage: "28".into(),
            cluster: "a".into(),
            budget: 12,
            methods: methods.into(),
            nodes: Some(100),
            depth: Some(12),
            score: Some(0),
            ..Record::default()
        };
        let records = ["none", "probcut", "mpc"].map(record).to_vec();
        let mut report = secateur_reports::table2(&Runs { records, ..Runs::default() });
        let ours = |report: &Report| {
            report.sections[0].tables.iter().map(|table| table.rows.len()).collect::<Vec<_>>()
        };
        let before: Vec<usize> = ours(&report);
        below_table_2(&mut report);
        assert_eq!(ours(&report), [before[0] + 5, before[1] + 10]);
        let [probcut, mpc] = &report.sections[0].tables[..] else { panic!("two tables") };
        let cells =
            |table: &Table, at: usize| table.rows.iter().map(|row| row[at].clone()).collect::<Vec<_>>();
        assert_eq!(cells(probcut, 9)[before[0]..], ["6.66", "6.04", "6.40", "5.38", "4.28"]);
        assert_eq!(cells(probcut, 5)[before[0]..], ["3.62", "3.86", "3.81", "3.56", "3.10"]);
        assert_eq!(cells(probcut, 11)[before[0]], "84 % [71, 92]");
        assert!(cells(mpc, 9)[before[1]] == "14.4" && cells(mpc, 12)[before[1]].starts_with("62 %"));
    }

    #[test]
    fn a_published_prediction_stands_below_ours() {
        let ours = [("discs", "28"), ("pair", "(4, 8)"), ("n", "9"), ("sigma", "1.00"), ("r^2", "0.9")];
        let table = below_prediction([ours].into_iter().collect());
        assert_eq!(table.rows.len(), 2);
        assert_eq!(table.rows[1], ["28 and 44 (Buro 1995)", "(4, 8)", "about 2,000", "-", "about 0.97"]);
    }

    #[test]
    fn a_published_regression_stands_behind_ours_of_the_same_stage() {
        let row = |stage| {
            let lead = [("<pair", "(4, 8)"), ("<stage", stage), ("pairs", "7")];
            lead.into_iter().chain([("a", "1"), ("b", "2"), ("sigma", "3"), ("r", "4")])
        };
        let table = below_regression(["middlegame", "opening"].into_iter().map(row).collect());
        assert_eq!(table.rows.len(), 3);
        assert_eq!(
            table.rows[1],
            ["(4, 8), Jiang & Buro 2003", "middlegame", "-", "1.02", "2.36", "82", "0.82"]
        );
        assert_eq!(pairs_of_regression(), [(3, 5), (4, 8)]);
    }
}
