//! `cargo xtask fit`: measures how well shallow searches predict deep ones, and writes what ProbCut, MPC,
//! futility and razoring need to know about it.
//!
//! Nodes of real searches are drawn below the fitting positions, each is searched to every depth
//! with each baseline (`collect`), and lines and quantiles are fitted to the values by stage (`calibrate`).
//! A depth is searched at all draws or at a share of them that is decided beforehand: a limit on nodes would
//! keep the easy ones.

mod calibrate;
pub(crate) mod collect;

use calibrate::Filter;
pub use collect::Progress;
use collect::{Deeper, Job};
use secateur_base::Unknown;
use secateur_core::game::ParseError;
use secateur_core::prune::{Baselines, Calibration, Fit, SetupError};
use secateur_core::{Evaluation, Game};
use secateur_positions::{Entry, Set};
use secateur_record::files::replace;
use secateur_record::fitted::{Fitted, Provenance};
use secateur_suites::setups::arm::Arm;
use secateur_suites::setups::games;
use secateur_suites::setups::setup::{Fitting, Setup, SetupFileError};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

pub use calibrate::{ENOUGH, LEAST};
pub use collect::Row;
pub use secateur_record::fitted::{Line, quantile};

/// What to fit on, and how deep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FitSettings {
    /// Name of a built-in set, or a path: the positions to draw below.
    pub positions: String,
    /// Parameters and host instead of the usual: a built-in variant, or a file.
    pub params: Option<String>,
    /// Only the first positions of each stage of the set, this many; all if absent.
    pub limit: Option<usize>,
    /// Nodes drawn below each position, at least 1.
    pub draws: usize,
    /// Most plies between a position and the node drawn below it, at least 1.
    pub walk: u32,
    /// Seed of the draws.
    pub seed: u64,
    /// Threads; they do not change the result.
    pub threads: usize,
    /// Depth up to which `none` is searched, plies, at least 1.
    pub depth_none: i32,
    /// Depth up to which `none` is searched at one draw in `deeper_share`, plies; at most `depth_none`: nowhere.
    pub depth_deeper: i32,
    /// One draw in this many is searched deeper, at least 1.
    pub deeper_share: usize,
    /// Depth up to which `null-move` is searched, plies; 0 leaves that baseline out.
    pub depth_null_move: i32,
    /// Largest |v'| that is fitted, in the game's score unit; 0 for any.
    pub range: i32,
    /// Where to write the raw values as CSV, if anywhere.
    pub pairs: Option<PathBuf>,
    /// The command line, for the provenance.
    pub command: String,
    /// The day, `YYYY-MM-DD`, for the provenance.
    pub date: String,
}

impl FitSettings {
    /// What the committed fits of a game are made with.
    ///
    /// # Errors
    /// [`FitError::Setup`] with the names that exist.
    pub fn standard(game: &str) -> Result<FitSettings, FitError> {
        let Fitting { draws, walk, depth_none, depth_deeper, depth_null_move, range, .. } =
            Setup::embedded(game)?.fitting;
        Ok(FitSettings {
            positions: format!("{game}-fit"),
            params: None,
            limit: None,
            draws,
            walk,
            seed: 1995,
            threads: 1,
            depth_none,
            depth_deeper,
            deeper_share: 6,
            depth_null_move,
            range,
            pairs: None,
            command: format!("cargo xtask fit {game}"),
            date: String::new(),
        })
    }
}

/// Fits a game's built-in evaluation and writes `GAME.fit.toml` (of a built-in variant `GAME.VARIANT.fit.toml`) into `out_dir`,
/// in place of an older one.
/// `progress` hears draws done and draws wanted.
///
/// # Errors
/// An unknown game, a bad position set, settings out of range, too few positions, a file that cannot be
/// written; nothing is written then but possibly the raw values.
pub fn run(
    game: &str,
    settings: &FitSettings,
    out_dir: &Path,
    progress: Progress<'_>,
) -> Result<Summary, FitError> {
    let game = &games::find(game)?;
    let set = secateur_positions::resolve(game, &settings.positions)?;
    let setup = Setup::chosen(game.name(), settings.params.as_deref())?;
    let (fitted, rows) = fit(game, &setup, &set, settings, progress)?;
    if let Some(path) = &settings.pairs {
        replace(path, collect::csv(&rows, &baselines(settings), game.stages()).as_bytes())?;
    }
    let variant = settings.params.iter().find(|name| Setup::is_named(name));
    let variant = variant.map(|name| format!("{name}.")).unwrap_or_default();
    let path = out_dir.join(format!("{}.{variant}fit.toml", game.name()));
    std::fs::create_dir_all(out_dir).map_err(secateur_record::Error::io(&path))?;
    replace(&path, fitted.text(game.stages()).as_bytes())?;
    Ok(Summary { path, fitted, stages: game.stages() })
}

/// Names of the baselines that are searched, in their order.
fn baselines(settings: &FitSettings) -> Vec<&'static str> {
    let names = ["none", "null-move"];
    names[..1 + usize::from(settings.depth_null_move > 0)].to_vec()
}

/// Fits `game` on a set of positions: the file's content, and the values it rests on. The methods'
/// parameters and the host options are those of `setup`; its own fits are not used.
///
/// # Errors
/// [`FitError::Setting`], [`FitError::TooFew`], or what the null move's parameters are refused for.
pub fn fit<G: Game>(
    game: &G,
    setup: &Setup,
    set: &Set,
    settings: &FitSettings,
    progress: Progress<'_>,
) -> Result<(Fitted, Vec<Row>), FitError> {
    check(settings)?;
    let positions = positions_of(game, set, limited(set, settings.limit))?;
    let names = baselines(settings);
    let mut searches = Vec::new();
    for (name, depth) in names.iter().zip([settings.depth_none, settings.depth_null_move]) {
        let arm = Arm::parse(name).expect("a baseline is an arm");
        let bare = Setup { baselines: Baselines::default(), ..setup.clone() };
        let methods = bare.equip(&arm)?;
        searches.push((methods, depth));
    }
    let job = Job {
        positions: &positions,
        draws: positions.len() * settings.draws,
        walk: 1..=settings.walk,
        seed: settings.seed,
        threads: settings.threads,
        baselines: &searches,
        deeper: (settings.depth_deeper > settings.depth_none)
            .then_some(Deeper { depth: settings.depth_deeper, share: settings.deeper_share }),
        options: &setup.options,
        unthrown: false,
    };
    let rows = collect::collect(game, &job, progress);
    if rows.len() < LEAST {
        return Err(FitError::TooFew { count: rows.len(), expected: LEAST });
    }
    let together = setup.fitting.together;
    let filter = Filter { decisive: game.decisive().0, range: settings.range, together };
    let samples = names
        .iter()
        .enumerate()
        .flat_map(|named| calibrate::samples(&rows, (named.0, named.1), game.stages(), filter));
    let mut baselines = models(&rows, settings, game.stages().len(), filter);
    if game.chances() {
        let rows = collect::collect(game, &Job { unthrown: true, ..job }, progress);
        baselines.none.chance = calibrate::calibrate(&rows, 0, game.stages().len(), filter).fits;
    }
    let fitted = Fitted {
        provenance: Some(provenance(game, setup, set, settings, positions.len())),
        samples: samples.collect(),
        baselines,
    };
    Ok((fitted, rows))
}

fn check(settings: &FitSettings) -> Result<(), FitError> {
    let FitSettings { draws, walk, depth_none, depth_null_move, range, .. } = *settings;
    settings_in_range(&[
        (draws < 1, "draws", "at least 1"),
        (walk < 1, "walk", "at least 1"),
        (depth_none < 1, "depth-none", "at least 1"),
        (depth_null_move < 0, "depth-null-move", "at least 0"),
        (settings.deeper_share < 1, "deeper-share", "at least 1"),
        (range < 0, "range", "at least 0"),
        (settings.limit == Some(0), "limit", "at least 1"),
    ])
}

/// The positions of a set, or the first `limit` of each stage.
fn limited(set: &Set, limit: Option<usize>) -> Vec<&Entry> {
    let mut had: BTreeMap<&str, usize> = BTreeMap::new();
    let mut entries: Vec<&Entry> = set.entries.iter().collect();
    entries.retain(|entry| {
        let count = had.entry(&entry.stage).or_default();
        *count += 1;
        limit.is_none_or(|limit| *count <= limit)
    });
    entries
}

/// The models of all baselines. Where `none` was not searched deep enough, its pairs are those of
/// `null-move`: the nearest measurement there is of a search that deep.
fn models(rows: &[Row], settings: &FitSettings, stages: usize, filter: Filter) -> Baselines {
    let mut none = calibrate::calibrate(rows, 0, stages, filter);
    let null_move = (settings.depth_null_move > 0).then(|| calibrate::calibrate(rows, 1, stages, filter));
    if let Some(other) = &null_move {
        none.fits.extend(
            other.fits.iter().filter(|fit| fit.deep > settings.depth_none.max(settings.depth_deeper)),
        );
        none.fits.sort_by_key(|fit| (fit.stage, fit.shallow, fit.deep));
    }
    Baselines { none, null_move }
}

fn provenance<G: Game>(
    game: &G,
    setup: &Setup,
    set: &Set,
    settings: &FitSettings,
    positions_count: usize,
) -> Provenance {
    Provenance {
        game: game.name().to_owned(),
        evaluation: format!("{:016x}", game.evaluation_id()),
        command: settings.command.clone(),
        date: settings.date.clone(),
        seed: settings.seed,
        positions: set.name.clone(),
        positions_hash: set.hash.clone(),
        positions_count,
        draws: settings.draws,
        walk: settings.walk,
        range: settings.range,
        depth_none: settings.depth_none,
        depth_deeper: settings.depth_deeper,
        deeper_share: settings.deeper_share,
        depth_null_move: settings.depth_null_move,
        host: setup.options.clone(),
    }
}

/// Rejects the first of `faults`, given as (whether it is there, the setting, its range).
///
/// # Errors
/// [`FitError::Setting`].
pub fn settings_in_range(faults: &[(bool, &'static str, &'static str)]) -> Result<(), FitError> {
    match faults.iter().find(|(wrong, ..)| *wrong) {
        Some(&(_, name, expected)) => Err(FitError::Setting { name, expected }),
        None => Ok(()),
    }
}

/// The positions of some entries of a set.
///
/// # Errors
/// [`FitError::Position`].
pub fn positions_of<'a, G: Game>(
    game: &G,
    set: &Set,
    entries: impl IntoIterator<Item = &'a Entry>,
) -> Result<Vec<G::Position>, FitError> {
    let fault = |error: ParseError| FitError::Position { set: set.name.clone(), message: error.to_string() };
    entries.into_iter().map(|entry| game.parse(&entry.position).map_err(fault)).collect()
}

/// Why nothing was fitted.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// No such game.
    #[error(transparent)]
    Game(#[from] Unknown),
    /// A setting out of range.
    #[error("{name}: expected {expected}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// Its range.
        expected: &'static str,
    },
    /// The position set is unknown or broken.
    #[error(transparent)]
    Positions(#[from] secateur_positions::Error),
    /// A position of the set cannot be read.
    #[error("a position of `{set}` cannot be read: {message}")]
    Position {
        /// Name of the set.
        set: String,
        /// What the game says.
        message: String,
    },
    /// Too few nodes could be drawn for any fit.
    #[error(
        "{count} positions could be drawn, expected at least {expected}: give more positions (--positions, --limit)"
    )]
    TooFew {
        /// Positions drawn.
        count: usize,
        /// Fewest that are fitted.
        expected: usize,
    },
    /// The parameter file is unusable.
    #[error(transparent)]
    Setup(#[from] SetupFileError),
    /// A baseline's parameters are out of range.
    #[error(transparent)]
    Method(#[from] SetupError),
    /// The fit or its raw values cannot be written.
    #[error(transparent)]
    Record(#[from] secateur_record::Error),
}

/// Pairs that the table shows: those of the literature and of the parameter files. The file has all.
const SHOWN: [(i32, i32); 10] =
    [(1, 3), (2, 4), (3, 5), (1, 5), (2, 6), (3, 7), (4, 8), (3, 9), (5, 9), (4, 10)];

/// The outcome of [`run`]; prints as a table.
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

#[cfg(test)]
mod tests;
