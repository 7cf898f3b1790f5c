//! The parts of `docs` about how well a shallow search predicts a deep one: two pictures and two tables,
//! from the pairs under `docs/runs/scatter` and from the committed fit.

use crate::cli::failure::Failure;
use secateur_core::Evaluation;
use secateur_games::{chess::Chess, othello::Othello};
use secateur_lab::prose::facts::{Fact, of_fit, of_sections};
use secateur_lab::studies::fits;
use secateur_positions::builtin::is_reserved;
use secateur_reports::predict;
use secateur_reports::render::markdown_table;
use secateur_reports::table::{Section, Table};
use secateur_stats::predict::{Sample, read, read_kept, read_together};
use secateur_suites::setups::setup::Fitted;
use std::path::{Path, PathBuf};

/// The pairs, in the order of the panels.
const PAIRS: [&str; 2] = ["docs/runs/scatter/othello-28.csv", "docs/runs/scatter/othello-44.csv"];
/// Read, not compiled in: after a fit the documents are current without another build.
const FIT: &str = "suites/params/othello.fit.toml";
/// That of the host of the papers, next to which it stands.
const CHESS_FIT: &str = "suites/params/chess.plain.fit.toml";
/// Pairs at the positions themselves, as Jiang & Buro 2003 took them.
const ROOTS: [&str; 3] =
    ["docs/runs/pairs/chess-3-5.csv", "docs/runs/pairs/chess-4-8.csv", "docs/runs/pairs/chess-4-6.csv"];
/// The pairs whose stages are also taken together, up to a range of values in centipawns, as Jiang & Buro did: slope and spread
/// depend on the range.
const TOGETHER: [(&str, f64); 2] = [(ROOTS[1], 300.0), ("docs/runs/pairs/chess-4-8-range-1000.csv", 1000.0)];
/// An Othello score is in 1/100 disc.
const UNIT: f64 = 100.0;
const UNIT_NAME: &str = "discs";

/// What `docs` shows of predictions.
pub struct Figures {
    /// The tables of the marks `scatter` in docs/results: predictions, and the tails of their errors.
    pub scatter: [Table; 2],
    /// Markdown of the marks `fit-othello` in docs/results.
    pub fit: String,
    /// The regressions of the marks `fit-chess` in docs/results.
    pub chess_fit: Table,
    /// Pictures by path.
    pub pictures: Vec<(PathBuf, String)>,
}

/// All of it, from the committed files; the regressions of these pairs of depths.
pub fn figures(pairs: &[(i32, i32)]) -> Result<Figures, Failure> {
    let fitted = fit(FIT)?;
    let calibration = &fitted.baselines.none;
    let (samples, tables) = scattered()?;
    Ok(Figures {
        scatter: tables,
        chess_fit: fits::of_fit(&fit(CHESS_FIT)?, Chess::STAGES, pairs),
        fit: markdown_table(&fits::spreads(&fitted, Othello::STAGES, UNIT)),
        pictures: vec![
            ("docs/scatter.svg".into(), predict::picture(&samples, UNIT_NAME)),
            ("docs/sigma.svg".into(), fits::chart(calibration, Othello::STAGES, UNIT, UNIT_NAME)),
        ],
    })
}

/// The numbers of a fit, `fit-othello` or `fit-chess`.
pub fn fit_facts(name: &str) -> Result<Vec<Fact>, Failure> {
    let (path, stages) =
        if name == "fit-chess" { (CHESS_FIT, Chess::STAGES) } else { (FIT, Othello::STAGES) };
    Ok(of_fit(&fit(path)?, stages))
}

/// The regression at the positions themselves.
pub fn roots() -> Result<Table, Failure> {
    let mut samples = Vec::new();
    for path in ROOTS {
        samples.extend(read(path.as_ref(), 1.0)?);
    }
    for (path, range) in TOGETHER {
        samples.extend(read_together(path.as_ref(), 1.0, range)?);
    }
    Ok(fits::of_samples(&samples))
}

/// The numbers of the pairs, as the table of them prints them.
pub fn scatter_facts() -> Result<Vec<Fact>, Failure> {
    let section = Section { tables: scattered()?.1.into(), ..Section::default() };
    Ok(of_sections(&[section]))
}

/// The pairs, and the tables about them.
fn scattered() -> Result<(Vec<Sample>, [Table; 2]), Failure> {
    let fitted = fit(FIT)?;
    let evaluation = fitted.provenance.as_ref().map(|origin| origin.evaluation.as_str());
    let mut samples = Vec::new();
    for path in PAIRS {
        // Rows of before: nothing may have been tuned on their positions.
        samples.extend(read_kept(path.as_ref(), UNIT, &|id| !is_reserved(id))?);
    }
    let model = (Othello::STAGES, &fitted.baselines.none, evaluation);
    let table = predict::table(&samples, model, UNIT);
    let tails = fits::tails(&samples, (Othello::STAGES, &fitted.baselines.none), UNIT);
    Ok((samples, [table, tails]))
}

fn fit(path: &str) -> Result<Fitted, Failure> {
    let path = Path::new(path);
    let text = std::fs::read_to_string(path).map_err(Failure::io(path))?;
    Fitted::parse(path, &text).map_err(Failure::input)
}
