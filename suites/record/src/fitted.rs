//! The layout of a fit file: where the numbers come from, what was left out, and the numbers.
//!
//! Written one row a line and rounded (slopes and correlations to four decimals, the others to two), so that
//! a refit shows in a diff what changed and by how much. What is written is what is searched with.

use secateur_base::{Baselines, Calibration, Fit, Margin, Options};
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A stage with fewer pairs than this takes those of the stages next to it as well.
pub const ENOUGH: usize = 60;

/// A fit file that can be read but not understood.
#[derive(Debug, thiserror::Error)]
#[error("{}: {message}", path.display())]
pub struct BadFit {
    /// The file.
    pub path: PathBuf,
    /// Where it is wrong (where that is known), what was found and what was expected.
    pub message: String,
}

impl BadFit {
    fn new(path: &Path, message: &str) -> BadFit {
        BadFit { path: path.to_owned(), message: message.to_owned() }
    }
}

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
    /// [`BadFit`] if it is none.
    pub fn evaluation_id(&self, path: &Path) -> Result<u64, BadFit> {
        let id = &self.evaluation;
        let number = u64::from_str_radix(id, 16).ok().filter(|_| id.len() == 16);
        number.ok_or_else(|| BadFit::new(path, &format!("evaluation `{id}`: expected 16 hex digits")))
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
    /// [`BadFit`] with the place of the fault.
    pub fn parse(path: &Path, text: &str) -> Result<Fitted, BadFit> {
        let fitted: Fitted =
            toml::from_str(text).map_err(|error| BadFit::new(path, error.to_string().trim_end()))?;
        let calibrations = std::iter::once(&fitted.baselines.none).chain(&fitted.baselines.null_move);
        let is_number = |fit: &Fit| [fit.a, fit.b, fit.sigma, fit.r].iter().all(|number| number.is_finite());
        match calibrations.flat_map(|one| one.fits.iter().chain(&one.chance)).find(|fit| !is_number(fit)) {
            None => Ok(fitted),
            Some(Fit { stage, shallow, deep, .. }) => {
                let pair = format!("the fit of stage {stage}, depths {shallow} and {deep}");
                Err(BadFit::new(path, &format!("{pair}: found infinity or nan, expected numbers")))
            }
        }
    }

    /// The text of the file. `stages` are the names that the comments give to the indices.
    #[must_use]
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
