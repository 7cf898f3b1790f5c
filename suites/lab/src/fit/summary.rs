//! What a fit found, as a table for the terminal.

use secateur_core::prune::{Calibration, Fit};
use secateur_suites::setups::setup::Fitted;
use std::fmt;
use std::path::PathBuf;

/// Pairs that the table shows: those of the literature and of the parameter files. The file has all.
const SHOWN: [(i32, i32); 10] =
    [(1, 3), (2, 4), (3, 5), (1, 5), (2, 6), (3, 7), (4, 8), (3, 9), (5, 9), (4, 10)];

/// The outcome of [`super::run`]; prints as a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The file that was written.
    pub path: PathBuf,
    /// Its content.
    pub fitted: Fitted,
    /// Names of the game's stages.
    pub stages: &'static [&'static str],
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.table(f, "none", &self.fitted.baselines.none)?;
        if let Some(calibration) = &self.fitted.baselines.null_move {
            self.table(f, "null-move", calibration)?;
        }
        for sample in &self.fitted.samples {
            writeln!(
                f,
                "{} {}: {} positions, {} pairs, {} decisive and {} out of range left out",
                sample.baseline,
                sample.stage,
                sample.positions,
                sample.pairs,
                sample.decisive,
                sample.out_of_range
            )?;
        }
        writeln!(f, "written: {}", self.path.display())
    }
}

impl Summary {
    fn table(&self, f: &mut fmt::Formatter<'_>, baseline: &str, calibration: &Calibration) -> fmt::Result {
        writeln!(f, "baseline {baseline}")?;
        writeln!(
            f,
            "{:<12} {:>7} {:>5} {:>7} {:>8} {:>8} {:>6}",
            "stage", "pair", "n", "a", "b", "sigma", "r"
        )?;
        for fit in calibration.fits.iter().filter(|fit| SHOWN.contains(&(fit.shallow, fit.deep))) {
            let Fit { stage, shallow, deep, n, a, b, sigma, r } = fit;
            let (stage, pair) = (self.stages[*stage], format!("({shallow},{deep})"));
            writeln!(f, "{stage:<12} {pair:>7} {n:>5} {a:>7.3} {b:>8.1} {sigma:>8.1} {r:>6.3}")?;
        }
        writeln!(f)
    }
}
