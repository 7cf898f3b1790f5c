//! How well a shallow chess search predicts a deep one, next to the first who asked: Jiang & Buro 2003, Table 1.

use crate::table::Table;
use secateur_record::fitted::Fitted;
use secateur_record::line::Line;
use secateur_stats::predict::Sample;
use secateur_stats::published::{JIANG_TABLE_1, Jiang};
use std::collections::BTreeSet;

/// The same at the positions themselves, as theirs were, from pairs of `cargo xtask pairs --plies 0`: one row a sample with
/// 95 % intervals over source games, and theirs where they printed one.
#[must_use]
pub fn roots(samples: &[Sample]) -> Table {
    let mut table = Table::new(&["<pair", "<stage", "<by", "pairs", "a", "b", "sigma", "r"]);
    for sample in samples {
        let (shallow, deep) = (sample.origin.shallow, sample.origin.deep);
        let pair = format!("({shallow}, {deep})");
        let within = |digits: usize, of: fn(&Line) -> f64| {
            let i = sample.interval_of(of);
            format!("{:.digits$} [{:.digits$}, {:.digits$}]", i.estimate, i.low, i.high)
        };
        table.push(vec![
            pair.clone(),
            sample.stage.clone(),
            "ours".to_owned(),
            sample.points.len().to_string(),
            format!("{:.3}", sample.line.a),
            format!("{:.1}", sample.line.b),
            within(1, |line| line.sigma),
            within(3, |line| line.r),
        ]);
        let theirs = |row: &&Jiang| (row.shallow, row.deep, row.stage) == (shallow, deep, &sample.stage);
        if let Some(row) = JIANG_TABLE_1.iter().find(theirs) {
            let numbers = ["Jiang & Buro 2003", "-", row.a, row.b, row.sigma, row.r].map(str::to_owned);
            table.push([vec![pair, sample.stage.clone()], numbers.to_vec()].concat());
        }
    }
    table.notes.push(
        "Positions of games, not nodes of a tree; null move on, |v'| at most 300 centipawns, mates left out. 95 % intervals \
         over source games. Theirs: about 2,700 game positions, Crafty 18."
            .to_owned(),
    );
    let commands: BTreeSet<String> =
        samples.iter().map(|sample| format!("`{}`", sample.origin.command)).collect();
    table.notes.push(format!("Ours: {}.", commands.into_iter().collect::<Vec<_>>().join("; ")));
    table
}

/// One row a pair and stage: ours, with the null move on as theirs was, and theirs. Empty without that baseline.
#[must_use]
pub fn table(fitted: &Fitted, stages: &[&str]) -> Table {
    let mut table = Table::new(&["<pair", "<stage", "<by", "pairs", "a", "b", "sigma", "r"]);
    let Some(calibration) = &fitted.baselines.null_move else { return table };
    for row in &JIANG_TABLE_1 {
        let (pair, stage) = (format!("({}, {})", row.shallow, row.deep), row.stage.to_owned());
        let index = stages.iter().position(|name| *name == row.stage);
        if let Some(fit) = index.and_then(|stage| calibration.fit(stage, row.shallow, row.deep)) {
            let numbers = [
                fit.n.to_string(),
                format!("{:.3}", fit.a),
                format!("{:.1}", fit.b),
                format!("{:.1}", fit.sigma),
                format!("{:.3}", fit.r),
            ];
            table.push([vec![pair.clone(), stage.clone(), "ours".to_owned()], numbers.to_vec()].concat());
        }
        let numbers = ["-", row.a, row.b, row.sigma, row.r].map(str::to_owned);
        table.push([vec![pair, stage, "Jiang & Buro 2003".to_owned()], numbers.to_vec()].concat());
    }
    table.notes.push(
        "Null move on, |v'| at most 300 centipawns, mates left out. Theirs: about 2,700 game positions, Crafty 18."
            .to_owned(),
    );
    if let Some(origin) = &fitted.provenance {
        table.notes.push(format!(
            "Ours: `{}` ({}), evaluation {}, {} positions of {}.",
            origin.command, origin.date, origin.evaluation, origin.positions_count, origin.positions
        ));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_base::{Baselines, Calibration, Fit};

    #[test]
    fn our_rows_stand_before_theirs_and_only_where_fitted() {
        let fit = Fit { stage: 1, shallow: 3, deep: 5, n: 77, a: 1.0, b: -2.0, sigma: 40.0, r: 0.95 };
        let null_move = Some(Calibration { fits: vec![fit], ..Calibration::default() });
        let baselines = Baselines { none: Calibration::default(), null_move };
        let fitted = Fitted { provenance: None, samples: Vec::new(), baselines };
        let made = table(&fitted, &["opening", "middlegame", "endgame"]);
        assert_eq!(made.rows.len(), 5);
        assert_eq!(made.rows[0][..4], ["(3, 5)", "middlegame", "ours", "77"]);
        assert_eq!(made.rows[1][2], "Jiang & Buro 2003");
        let other = table(&fitted, &["middlegame", "opening", "endgame"]);
        assert_eq!(other.rows.len(), 4, "a stage that nobody fitted has their row alone");
        let without = Fitted { baselines: Baselines::default(), ..fitted };
        assert!(table(&without, &["middlegame"]).rows.is_empty());
    }
}
