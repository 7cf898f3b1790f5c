//! A fit: the layout of its file (where the numbers come from, what was left out, the numbers), and the least squares and quantiles that
//! make them.
//!
//! Written one row a line and rounded (slopes and correlations to four decimals, the others to two), so that
//! a refit shows in a diff what changed and by how much. What is written is what is searched with.

use crate::error::Error;
use secateur_base::{Baselines, Calibration, Fit, Margin, Options};
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::path::Path;

/// A stage with fewer pairs than this takes those of the stages next to it as well.
pub const ENOUGH: usize = 60;

/// A fit file.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fitted {
    /// Where the numbers come from; absent in a file that nothing was fitted for.
    pub provenance: Option<Provenance>,
    /// What was fitted and what was left out.
    #[serde(default)]
    pub samples: Vec<Sample>,
    /// The numbers.
    #[serde(default)]
    pub baselines: Baselines,
}

/// How to make a fit again, and what it may not be judged by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Provenance {
    /// `Game::NAME`.
    pub game: String,
    /// `Game::evaluation_id`, 16 hex digits: the fit belongs to this evaluation only.
    pub evaluation: String,
    /// The command that made the file.
    pub command: String,
    /// Day it was made, `YYYY-MM-DD`.
    pub date: String,
    /// Seed of the draws.
    pub seed: u64,
    /// Name of the set of positions.
    pub positions: String,
    /// Hash of that set: results on this very set would flatter the fit.
    pub positions_hash: String,
    /// Positions of the set that were used.
    pub positions_count: usize,
    /// Nodes drawn below each of them.
    pub draws: usize,
    /// Most plies between a position and a node drawn below it.
    pub walk: u32,
    /// Shallow values beyond this distance from zero are left out, in the game's score unit; 0 keeps all.
    pub range: i32,
    /// Depth up to which `none` was searched, plies; its deeper pairs are those of `null-move`.
    pub depth_none: i32,
    /// Depth up to which `none` was searched at some of the draws, plies; 0 if it was nowhere deeper.
    #[serde(default)]
    pub depth_deeper: i32,
    /// One draw in this many was.
    #[serde(default)]
    pub deeper_share: usize,
    /// Depth up to which `null-move` was searched, plies; 0 if it was not.
    pub depth_null_move: i32,
    /// Options of the host.
    pub host: Options,
}

impl Provenance {
    /// The evaluation as a number; `path` is for messages.
    ///
    /// # Errors
    /// [`Error::Place`] if it is none.
    pub fn evaluation_id(&self, path: &Path) -> Result<u64, Error> {
        let id = &self.evaluation;
        let number = u64::from_str_radix(id, 16).ok().filter(|_| id.len() == 16);
        number.ok_or_else(|| Error::place(path, format!("evaluation `{id}`: expected 16 hex digits")))
    }
}

/// What one stage gave: pairs of values at two depths of one position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Sample {
    /// `none` or `null-move`.
    pub baseline: String,
    /// Name of the stage.
    pub stage: String,
    /// Positions searched.
    pub positions: u32,
    /// Pairs of all depths that could be formed.
    pub pairs: u32,
    /// Pairs left out because one value is decisive (a mate).
    pub decisive: u32,
    /// Pairs left out because the shallow value is beyond the range.
    pub out_of_range: u32,
}

impl Fitted {
    /// Reads a fit file's text; `path` is for messages.
    ///
    /// # Errors
    /// [`Error::Place`] with the place of the fault.
    pub fn parse(path: &Path, text: &str) -> Result<Fitted, Error> {
        let fitted: Fitted =
            toml::from_str(text).map_err(|error| Error::place(path, error.to_string().trim_end()))?;
        let calibrations = std::iter::once(&fitted.baselines.none).chain(&fitted.baselines.null_move);
        let is_number = |fit: &Fit| [fit.a, fit.b, fit.sigma, fit.r].iter().all(|number| number.is_finite());
        match calibrations.flat_map(|one| one.fits.iter().chain(&one.chance)).find(|fit| !is_number(fit)) {
            None => Ok(fitted),
            Some(Fit { stage, shallow, deep, .. }) => {
                let pair = format!("the fit of stage {stage}, depths {shallow} and {deep}");
                Err(Error::place(path, format!("{pair}: found infinity or nan, expected numbers")))
            }
        }
    }

    /// The text of the file. `stages` are the names that the comments give to the indices.
    pub fn text(&self, stages: &[&str]) -> String {
        let mut text = String::new();
        if let Some(provenance) = &self.provenance {
            let _ = writeln!(
                text,
                "# Written by `cargo xtask fit`; not to be changed by hand. Nodes of full-width searches,\n\
                 # drawn below the positions. n counts the pairs of neighbouring stages where a stage\n\
                 # has fewer than {ENOUGH} of its own.\n\n[provenance]"
            );
            // A provenance is plain names, numbers and one table of numbers.
            text.push_str(
                &toml::to_string(provenance).expect("plain values").replace("[host]", "[provenance.host]"),
            );
        }
        for sample in &self.samples {
            let sample = toml::to_string(sample).expect("plain values");
            let _ = write!(text, "\n[[samples]]\n{sample}");
        }
        write_calibration(&mut text, "none", &self.baselines.none, stages);
        if let Some(calibration) = &self.baselines.null_move {
            write_calibration(&mut text, "null-move", calibration, stages);
        }
        text
    }
}

fn write_calibration(text: &mut String, name: &str, calibration: &Calibration, stages: &[&str]) {
    let _ = write!(text, "\n[baselines.{name}]\nfits = [\n");
    write_fits(text, &calibration.fits, stages);
    text.push_str("]\nmargins = [\n");
    for margin in &calibration.margins {
        let Margin { stage, depth, n, q50, q90, q95, q99 } = margin;
        let _ = writeln!(
            text,
            "  {{ stage = {stage}, depth = {depth}, n = {n}, \
             q50 = {q50}, q90 = {q90}, q95 = {q95}, q99 = {q99} }},"
        );
    }
    text.push_str("]\n");
    if !calibration.chance.is_empty() {
        text.push_str("# Of positions before a throw.\nchance = [\n");
        write_fits(text, &calibration.chance, stages);
        text.push_str("]\n");
    }
}

fn write_fits(text: &mut String, fits: &[Fit], stages: &[&str]) {
    let mut last = None;
    for fit in fits {
        if last.replace(fit.stage) != Some(fit.stage) {
            let _ = writeln!(text, "  # {}", stages[fit.stage]);
        }
        let Fit { stage, shallow, deep, n, a, b, sigma, r } = fit;
        let _ = writeln!(
            text,
            "  {{ stage = {stage}, shallow = {shallow}, deep = {deep}, n = {n}, \
             a = {a:.4}, b = {b:.2}, sigma = {sigma:.2}, r = {r:.4} }},"
        );
    }
}

/// The line v = a v' + b through pairs (v', v), with the spread around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Slope.
    pub a: f64,
    /// Offset.
    pub b: f64,
    /// Standard deviation of the residual, with n - 2.
    pub sigma: f64,
    /// Correlation coefficient.
    pub r: f64,
}

impl Line {
    /// The line with the least squared error in v. None for fewer than three pairs, or if all v' or all v
    /// are equal: no line is better than another, or no correlation is defined.
    pub fn through(pairs: &[(f64, f64)]) -> Option<Line> {
        if pairs.len() < 3 {
            return None;
        }
        let n = pairs.len() as f64;
        let mean_x = pairs.iter().map(|(x, _)| x).sum::<f64>() / n;
        let mean_y = pairs.iter().map(|(_, y)| y).sum::<f64>() / n;
        // Sums of centred products: no cancellation where values are large and close together.
        let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
        for (x, y) in pairs {
            let (dx, dy) = (x - mean_x, y - mean_y);
            xx += dx * dx;
            xy += dx * dy;
            yy += dy * dy;
        }
        if xx <= 0.0 || yy <= 0.0 {
            return None;
        }
        let a = xy / xx;
        let b = mean_y - a * mean_x;
        let residual: f64 = pairs.iter().map(|(x, y)| (y - a * x - b).powi(2)).sum();
        Some(Line { a, b, sigma: (residual / (n - 2.0)).sqrt(), r: xy / (xx * yy).sqrt() })
    }
}

/// The least value that at least `percent` of 100 of the values do not exceed (nearest rank). `sorted` is in
/// increasing order and not empty.
pub fn quantile(sorted: &[i32], percent: usize) -> i32 {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted[rank - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9 * (1.0 + b.abs())
    }

    fn scattered() -> Vec<(f64, f64)> {
        (0..40).map(|i| (f64::from(i * 7 % 40), f64::from(i * 7 % 40 * 2 + i * i % 11))).collect()
    }

    /// By hand: means 2.5 and 3.75; Sxx = 5, Sxy = 6.5, Syy = 8.75; a = 1.3, b = 0.5; residuals 0.2, -0.1,
    /// -0.4, 0.3, so that sigma^2 = 0.30 / 2.
    #[test]
    fn a_line_worked_out_by_hand() {
        let line = Line::through(&[(1.0, 2.0), (2.0, 3.0), (3.0, 4.0), (4.0, 6.0)]).expect("a line");
        assert!(near(line.a, 1.3) && near(line.b, 0.5), "{line:?}");
        assert!(near(line.sigma, 0.15_f64.sqrt()), "{line:?}");
        assert!(near(line.r, 6.5 / (5.0_f64 * 8.75).sqrt()), "{line:?}");
    }

    #[test]
    fn points_on_a_line_have_no_spread() {
        let pairs: Vec<_> = (0..9).map(|i| (f64::from(i), 3.0 - 0.5 * f64::from(i))).collect();
        let line = Line::through(&pairs).expect("a line");
        assert!(near(line.a, -0.5) && near(line.b, 3.0) && near(line.r, -1.0));
        assert!(line.sigma.abs() < 1e-9);
    }

    #[test]
    fn units_and_offsets_move_the_line_as_they_should() {
        let line = Line::through(&scattered()).expect("a line");
        assert!(line.sigma > 1.0, "the test data must scatter");
        let both: Vec<_> = scattered().iter().map(|(x, y)| (100.0 * x, 100.0 * y)).collect();
        let scaled = Line::through(&both).expect("a line");
        assert!(near(scaled.a, line.a) && near(scaled.b, 100.0 * line.b));
        assert!(near(scaled.sigma, 100.0 * line.sigma) && near(scaled.r, line.r));
        let moved: Vec<_> = scattered().iter().map(|(x, y)| (x + 1e6, y - 7.0)).collect();
        let moved = Line::through(&moved).expect("a line");
        assert!(near(moved.a, line.a) && near(moved.sigma, line.sigma));
        assert!(near(moved.b, line.b - 7.0 - 1e6 * line.a));
        let turned: Vec<_> = scattered().iter().map(|(x, y)| (-x, -y)).collect();
        let turned = Line::through(&turned).expect("a line");
        assert!(near(turned.a, line.a) && near(turned.b, -line.b) && near(turned.sigma, line.sigma));
    }

    #[test]
    fn no_line_without_spread() {
        assert_eq!(Line::through(&[(1.0, 2.0), (2.0, 3.0)]), None);
        assert_eq!(Line::through(&[(1.0, 2.0), (1.0, 3.0), (1.0, 4.0)]), None);
        assert_eq!(Line::through(&[(1.0, 2.0), (2.0, 2.0), (3.0, 2.0)]), None);
    }

    #[test]
    fn quantiles_keep_their_promise() {
        let values: Vec<i32> = (1..=100).collect();
        assert_eq!([50, 90, 95, 99].map(|percent| quantile(&values, percent)), [50, 90, 95, 99]);
        assert_eq!(quantile(&[4, 9], 50), 4);
        assert_eq!(quantile(&[4, 9], 51), 9);
        assert_eq!(quantile(&[4], 99), 4);
    }
}
