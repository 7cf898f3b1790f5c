//! How well a shallow search predicts a deep one, as a regression by pair of depths and stage.

use secateur_record::fitted::Fitted;
use secateur_record::line::Line;
use secateur_reports::table::Table;
use secateur_stats::predict::Sample;
use std::collections::BTreeSet;

/// A row: depths, stage and pairs, and a, b, sigma and r of their line.
fn row(
    (shallow, deep): (i32, i32),
    stage: &str,
    pairs: usize,
    [a, b, sigma, r]: [String; 4],
) -> [(&'static str, String); 7] {
    let pair = ("<pair", format!("({shallow}, {deep})"));
    let stage = ("<stage", stage.to_owned());
    [pair, stage, ("pairs", pairs.to_string()), ("a", a), ("b", b), ("sigma", sigma), ("r", r)]
}

/// One row a sample, with 95 % intervals over source games.
#[must_use]
pub fn of_samples(samples: &[Sample]) -> Table {
    let of_sample = |sample: &Sample| {
        let within = |digits: usize, term: fn(&Line) -> f64| {
            let i = sample.interval_of(term);
            format!("{:.digits$} [{:.digits$}, {:.digits$}]", i.estimate, i.low, i.high)
        };
        let b = format!("{:.1}", sample.line.b);
        let line = [within(3, |line| line.a), b, within(1, |line| line.sigma), within(3, |line| line.r)];
        row((sample.origin.shallow, sample.origin.deep), &sample.stage, sample.points.len(), line)
    };
    let commands: BTreeSet<String> =
        samples.iter().map(|sample| format!("`{}`", sample.origin.command)).collect();
    samples.iter().map(of_sample).collect::<Table>().noted(format!(
        "95 % intervals over source games. Ours: {}.",
        commands.into_iter().collect::<Vec<_>>().join("; ")
    ))
}

/// One row for each of the pairs of depths and each stage that was fitted, with the null move on. Empty without that baseline.
#[must_use]
pub fn of_fit(fitted: &Fitted, stages: &[&str], pairs: &[(i32, i32)]) -> Table {
    let Some(calibration) = &fitted.baselines.null_move else { return Table::default() };
    let each = pairs.iter().flat_map(|pair| stages.iter().enumerate().map(move |stage| (*pair, stage)));
    let of_fit = |((shallow, deep), (index, stage)): ((i32, i32), (usize, &&str))| {
        let fit = calibration.fit(index, shallow, deep)?;
        let [a, r] = [fit.a, fit.r].map(|x| format!("{x:.3}"));
        let [b, sigma] = [fit.b, fit.sigma].map(|x| format!("{x:.1}"));
        Some(row((shallow, deep), stage, fit.n as usize, [a, b, sigma, r]))
    };
    let mut table: Table = each.filter_map(of_fit).collect();
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
