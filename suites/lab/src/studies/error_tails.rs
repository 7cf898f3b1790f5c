//! The tails of the errors of a prediction, at positions that nothing was fitted on: does the fitted spread hold near the
//! bounds, and beyond one and two of it, on both sides?

use secateur_base::Calibration;
use secateur_reports::table::Table;
use secateur_stats::interval::Interval;
use secateur_stats::predict::{Sample, stage_of};

/// Most that v' is away from 0 where bounds mostly lie, in the unit for people.
const NEAR: f64 = 10.0;

/// What a normal error of the fitted spread would not do: one row a sample with the spread near the bounds, and the shares
/// of errors beyond one and two sigmas of the fit on each side.
#[must_use]
pub fn table(samples: &[Sample], (stages, calibration): (&[&str], &Calibration), unit: f64) -> Table {
    let row = |sample: &Sample| {
        let fit =
            calibration.fit(stage_of(stages, &sample.stage)?, sample.origin.shallow, sample.origin.deep)?;
        let spread = |i: Interval| format!("{:.2} [{:.2}, {:.2}]", i.estimate, i.low, i.high);
        let beyond = |i: Interval| {
            format!("{:.1} % [{:.1}, {:.1}]", 100.0 * i.estimate, 100.0 * i.low, 100.0 * i.high)
        };
        let [[below, above], [far_below, far_above]] =
            [1.0, 2.0].map(|band| sample.misses(fit, unit, band).map(beyond));
        Some([
            ("discs", sample.stage.clone()),
            ("sigma", spread(sample.interval_of(|line| line.sigma))),
            ("sigma, v' near 0", spread(sample.spread_near(NEAR))),
            ("1 sigma below", below),
            ("1 sigma above", above),
            ("2 sigma below", far_below),
            ("2 sigma above", far_above),
        ])
    };
    samples.iter().filter_map(row).collect::<Table>().noted(format!(
        "Sigma of the pairs themselves, in discs: of all, and of those with |v'| up to {NEAR} discs. Then the errors beyond \
         one and two sigmas of the fit of the stage; of a normal error 15.9 and 2.3 % are, on each side. 95 % bootstrap \
         intervals over source games."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_stats::fixtures::{STAGES, model, pairs_file};
    use secateur_stats::predict::read;

    /// Every sixth error is 2 discs on one side: beyond one sigma of 1.5 discs, and not beyond two.
    #[test]
    fn tails_are_counted_by_side_and_distance() {
        let dir = tempfile::tempdir().unwrap();
        let samples = read(&pairs_file(dir.path()), 100.0).unwrap();
        let row = &table(&samples, (STAGES, &model(150.0)), 100.0).rows[0];
        assert!(row[3].starts_with("16.7 %") && row[4].starts_with("16.7 %"), "{row:?}");
        assert!(row[5].starts_with("0.0 %") && row[6].starts_with("0.0 %"), "{row:?}");
        assert!(
            table(&samples, (&["opening"], &model(150.0)), 100.0).rows.is_empty(),
            "no fit of that stage"
        );
    }
}
