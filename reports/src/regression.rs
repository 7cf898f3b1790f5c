//! How well a shallow search predicts a deep one, as a regression by pair of depths and stage.

use crate::table::Table;
use secateur_record::fitted::Fitted;
use secateur_record::line::Line;
use secateur_stats::predict::Sample;
use std::collections::BTreeSet;

fn empty() -> Table {
    Table::new(&["<pair", "<stage", "pairs", "a", "b", "sigma", "r"])
}

/// One row a sample, with 95 % intervals over source games.
#[must_use]
pub fn of_samples(samples: &[Sample]) -> Table {
    let mut table = empty();
    for sample in samples {
        let within = |digits: usize, of: fn(&Line) -> f64| {
            let i = sample.interval_of(of);
            format!("{:.digits$} [{:.digits$}, {:.digits$}]", i.estimate, i.low, i.high)
        };
        table.push(vec![
            format!("({}, {})", sample.origin.shallow, sample.origin.deep),
            sample.stage.clone(),
            sample.points.len().to_string(),
            within(3, |line| line.a),
            format!("{:.1}", sample.line.b),
            within(1, |line| line.sigma),
            within(3, |line| line.r),
        ]);
    }
    let commands: BTreeSet<String> =
        samples.iter().map(|sample| format!("`{}`", sample.origin.command)).collect();
    table.notes.push(format!(
        "95 % intervals over source games. Ours: {}.",
        commands.into_iter().collect::<Vec<_>>().join("; ")
    ));
    table
}

/// One row for each of the pairs of depths and each stage that was fitted, with the null move on. Empty without that baseline.
#[must_use]
pub fn of_fit(fitted: &Fitted, stages: &[&str], pairs: &[(i32, i32)]) -> Table {
    let mut table = empty();
    let Some(calibration) = &fitted.baselines.null_move else { return table };
    for &(shallow, deep) in pairs {
        for (index, stage) in stages.iter().enumerate() {
            let Some(fit) = calibration.fit(index, shallow, deep) else { continue };
            table.push(vec![
                format!("({shallow}, {deep})"),
                (*stage).to_owned(),
                fit.n.to_string(),
                format!("{:.3}", fit.a),
                format!("{:.1}", fit.b),
                format!("{:.1}", fit.sigma),
                format!("{:.3}", fit.r),
            ]);
        }
    }
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
    fn rows_are_of_what_was_fitted() {
        let fit = Fit { stage: 1, shallow: 3, deep: 5, n: 77, a: 1.0, b: -2.0, sigma: 40.0, r: 0.95 };
        let null_move = Some(Calibration { fits: vec![fit], ..Calibration::default() });
        let baselines = Baselines { none: Calibration::default(), null_move };
        let fitted = Fitted { provenance: None, samples: Vec::new(), baselines };
        let stages = ["opening", "middlegame", "endgame"];
        let made = of_fit(&fitted, &stages, &[(3, 5), (4, 8)]);
        assert_eq!(made.rows, [["(3, 5)", "middlegame", "77", "1.000", "-2.0", "40.0", "0.950"]]);
        let without = Fitted { baselines: Baselines::default(), ..fitted };
        assert!(of_fit(&without, &stages, &[(3, 5)]).rows.is_empty());
    }
}
