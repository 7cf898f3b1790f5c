//! From values to models: which pairs count, which neighbours a thin stage may borrow, and the lines.

use super::collect::Row;
use super::{Line, quantile};
use secateur_core::prune::{Calibration, Fit, Margin};
use secateur_record::fitted::Sample;

pub use secateur_record::fitted::ENOUGH;

/// With fewer pairs than this, borrowed ones included, nothing is fitted.
pub const LEAST: usize = 30;
/// Depths that futility (1, 2) and razoring (3) want margins for.
const MARGIN_DEPTHS: std::ops::RangeInclusive<usize> = 1..=3;

/// Which pairs count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filter {
    /// Values at or beyond this are proven and follow no line.
    pub(super) decisive: i32,
    /// Largest |v'|; 0 for any.
    pub(super) range: i32,
    /// Whether those of all stages count at each.
    pub(super) together: bool,
}

/// Why a pair counts or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Good,
    Decisive,
    OutOfRange,
}

impl Filter {
    fn class(self, shallow: i32, deep: i32) -> Class {
        if shallow.abs() >= self.decisive || deep.abs() >= self.decisive {
            Class::Decisive
        } else if self.range > 0 && shallow.abs() > self.range {
            Class::OutOfRange
        } else {
            Class::Good
        }
    }
}

/// All lines and margins of one baseline for a game with `stages` stages.
pub(super) fn calibrate(rows: &[Row], baseline: usize, stages: usize, filter: Filter) -> Calibration {
    let by_stage = if filter.together { vec![rows.iter().collect(); stages] } else { by_stage(rows, stages) };
    let deepest = rows.iter().map(|row| row.values[baseline].len()).max().unwrap_or(0);
    let mut calibration = Calibration::default();
    for stage in 0..stages {
        for shallow in 0..deepest {
            for deep in shallow + 1..deepest {
                let pairs = gather(&by_stage, stage, |row| {
                    let values = &row.values[baseline];
                    let (v1, v) = (*values.get(shallow)?, *values.get(deep)?);
                    (filter.class(v1, v) == Class::Good).then_some((f64::from(v1), f64::from(v)))
                });
                if let Some(Line { a, b, sigma, r }) = pairs.as_deref().and_then(Line::through) {
                    let n = pairs.map_or(0, |pairs| pairs.len() as u32);
                    let (shallow, deep) = (shallow as i32, deep as i32);
                    calibration.fits.push(Fit { stage, shallow, deep, n, a, b, sigma, r });
                }
            }
        }
        calibration.margins.extend(MARGIN_DEPTHS.filter_map(|depth| {
            let gains = gather(&by_stage, stage, |row| {
                let value = *row.values[baseline].get(depth)?;
                (filter.class(0, value) == Class::Good).then_some(value - row.balance)
            });
            gains.map(|gains| margin(stage, depth as i32, gains))
        }));
    }
    calibration
}

fn margin(stage: usize, depth: i32, mut gains: Vec<i32>) -> Margin {
    gains.sort_unstable();
    let [q50, q90, q95, q99] = [50, 90, 95, 99].map(|percent| quantile(&gains, percent));
    Margin { stage, depth, n: gains.len() as u32, q50, q90, q95, q99 }
}

fn by_stage(rows: &[Row], stages: usize) -> Vec<Vec<&Row>> {
    let mut by_stage = vec![Vec::new(); stages];
    rows.iter().for_each(|row| by_stage[row.stage].push(row));
    by_stage
}

/// What `take` finds in the rows of a stage, and in those of its neighbours if that is not [`ENOUGH`]; none
/// if it is not even [`LEAST`] then, or if the stage itself has nothing.
fn gather<T>(by_stage: &[Vec<&Row>], stage: usize, take: impl Fn(&Row) -> Option<T>) -> Option<Vec<T>> {
    let taken =
        |stages: &[Vec<&Row>]| -> Vec<T> { stages.iter().flatten().filter_map(|row| take(row)).collect() };
    let of_stage = taken(&by_stage[stage..=stage]);
    if of_stage.is_empty() || of_stage.len() >= ENOUGH {
        return Some(of_stage).filter(|values| !values.is_empty());
    }
    let around = taken(&by_stage[stage.saturating_sub(1)..(stage + 2).min(by_stage.len())]);
    Some(around).filter(|pairs| pairs.len() >= LEAST)
}

/// What was there and what was left out, for every stage that has rows.
pub(super) fn samples(
    rows: &[Row],
    (baseline, name): (usize, &str),
    stages: &[&str],
    filter: Filter,
) -> Vec<Sample> {
    let mut samples = Vec::new();
    for (stage, rows) in by_stage(rows, stages.len()).iter().enumerate() {
        let mut sample = Sample {
            baseline: name.to_owned(),
            stage: stages[stage].to_owned(),
            positions: rows.len() as u32,
            pairs: 0,
            decisive: 0,
            out_of_range: 0,
        };
        for values in rows.iter().map(|row| &row.values[baseline]) {
            for (deep, &v) in values.iter().enumerate() {
                for &v1 in &values[..deep] {
                    let class = filter.class(v1, v);
                    sample.pairs += 1;
                    sample.decisive += u32::from(class == Class::Decisive);
                    sample.out_of_range += u32::from(class == Class::OutOfRange);
                }
            }
        }
        samples.extend(Some(sample).filter(|sample| sample.positions > 0));
    }
    samples
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANY: Filter = Filter { decisive: 1000, range: 0, together: false };

    fn row(stage: usize, balance: i32, values: &[i32]) -> Row {
        Row { source: 0, position: String::new(), stage, balance, values: vec![values.to_vec()] }
    }

    /// `n` positions of a stage on the line v = 2 v' + 10 * stage, one of them off it by `off`.
    fn line(stage: usize, n: i32, off: i32) -> impl Iterator<Item = Row> {
        let offset = 10 * stage as i32;
        (0..n).map(move |i| row(stage, 0, &[i, 2 * i + offset + if i == n / 2 { off } else { 0 }]))
    }

    #[test]
    fn mates_and_far_values_do_not_count() {
        let mut rows: Vec<Row> = line(0, 70, 0).collect();
        let clean = calibrate(&rows, 0, 1, ANY);
        rows.extend([row(0, 0, &[3, 1000]), row(0, 0, &[-1000, 3]), row(0, 0, &[5, -1200])]);
        assert_eq!(calibrate(&rows, 0, 1, ANY).fits, clean.fits);
        let counts = samples(&rows, (0, "none"), &["all"], ANY);
        assert_eq!((counts[0].positions, counts[0].pairs, counts[0].decisive), (73, 73, 3));
        rows.push(row(0, 0, &[101, 0]));
        assert_ne!(calibrate(&rows, 0, 1, ANY).fits, clean.fits);
        let limited = Filter { range: 100, ..ANY };
        assert_eq!(calibrate(&rows, 0, 1, limited).fits, clean.fits);
        assert_eq!(samples(&rows, (0, "none"), &["all"], limited)[0].out_of_range, 1);
    }

    #[test]
    fn positions_that_end_give_no_deep_pairs() {
        let mut rows: Vec<Row> = line(0, 70, 5).collect();
        for values in rows.iter_mut().map(|row| &mut row.values[0]) {
            values.push(7 * values[0]);
        }
        let all = calibrate(&rows, 0, 1, ANY);
        assert_eq!(all.fit(0, 0, 2).map(|fit| fit.n), Some(70));
        rows.iter_mut().take(8).for_each(|row| row.values[0].truncate(2));
        let fewer = calibrate(&rows, 0, 1, ANY);
        assert_eq!(fewer.fit(0, 0, 2).map(|fit| fit.n), Some(62));
        assert_eq!(fewer.fit(0, 0, 1), all.fit(0, 0, 1));
    }

    #[test]
    fn thin_stages_borrow_from_their_neighbours() {
        let rows: Vec<Row> =
            line(0, 20, 0).chain(line(1, 40, 0)).chain(line(2, 60, 0)).chain(line(4, 8, 0)).collect();
        let calibration = calibrate(&rows, 0, 6, ANY);
        let n: Vec<_> = (0..6).map(|stage| calibration.fit(stage, 0, 1).map(|fit| fit.n)).collect();
        assert_eq!(n, [Some(60), Some(120), Some(60), None, None, None]);
        assert_eq!(calibration.fit(2, 0, 1).map(|fit| fit.b), Some(20.0), "it has enough of its own");
        assert_eq!(calibration.margin(1, 1).map(|margin| margin.n), Some(120));
    }

    #[test]
    fn stages_that_are_fitted_together_have_one_model() {
        let rows: Vec<Row> = line(0, 60, 0).chain(line(2, 60, 0)).collect();
        let calibration = calibrate(&rows, 0, 3, Filter { together: true, ..ANY });
        let model = |stage| calibration.fit(stage, 0, 1).map(|fit| (fit.n, fit.a, fit.b));
        assert_eq!(model(0).map(|(n, ..)| n), Some(120));
        assert_eq!([model(1), model(2)], [model(0); 2], "the empty stage too");
        assert_ne!(model(0), calibrate(&rows, 0, 3, ANY).fit(0, 0, 1).map(|fit| (fit.n, fit.a, fit.b)));
    }

    #[test]
    fn margins_are_gains_over_the_balance() {
        let rows: Vec<Row> = (1..=100).map(|i| row(0, 50, &[0, 50 + i, 50 - i, 0])).collect();
        let calibration = calibrate(&rows, 0, 1, ANY);
        let at = |depth| calibration.margin(0, depth).map(|m| [m.q50, m.q90, m.q95, m.q99]);
        assert_eq!(at(1), Some([50, 90, 95, 99]));
        assert_eq!(at(2), Some([-51, -11, -6, -2]));
        assert_eq!(at(3), Some([-50; 4]));
        assert_eq!(at(4), None);
    }
}
