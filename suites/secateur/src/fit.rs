//! A fit in one call, for a game that brings no file of its own.
//!
//! ProbCut, MPC and fitted margins need to know how well a shallow search of a game predicts a deep one. `cargo xtask fit`
//! measures that with settings that a file keeps; here are the usual ones. Left out: another baseline than `none`.

use secateur_core::{Evaluation, Game};
use secateur_lab::fit::{FitError, FitSettings, fit as fit_on};
use secateur_record::fitted::Fitted;
use secateur_suites::setups::games;
use secateur_suites::setups::setup::Setup;

/// Fits the evaluation of a game on a set of positions (a name or a file), with searches of up to `depth` plies, and gives
/// the game what was found. No experiment may use these positions afterwards.
///
/// # Errors
/// A game or a set that is not there, a depth below 1, too few positions.
pub fn fit(game: &str, positions: &str, depth: i32) -> Result<Fitted, FitError> {
    let standard = FitSettings::standard(game)?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let settings = FitSettings {
        positions: positions.to_owned(),
        depth_none: depth,
        depth_deeper: 0,
        depth_null_move: 0,
        threads,
        command: format!("secateur::fit({game:?}, {positions:?}, {depth})"),
        ..standard
    };
    let (game, setup) = (games::find(game)?, Setup::embedded(game)?);
    let set = secateur_positions::resolve(&game, positions)?;
    let (fitted, _) = fit_on(&game, &setup, &set, &settings, &mut |_, _| {})?;
    games::fitted(game.name(), fitted.text(game.stages()))?;
    Ok(fitted)
}
