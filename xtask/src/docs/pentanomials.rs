//! The pairs of every committed match by their points, five numbers a match, as documents take the match: all that is said of strength
//! follows from them, whatever becomes of the games.

use super::{File, RUNS};
use secateur::cli::evidence::committed_match;
use secateur::cli::failure::Failure;
use secateur_record::archive::is_file;
use secateur_record::table::of_rows;
use secateur_stats::elo::Pentanomial;
use secateur_stats::play::pair_counts;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The table.
const TABLE: &str = "docs/runs/printed/matches.csv";
/// The file by which a folder is known to be a match.
const MATCH: &str = "play.toml";

/// A match.
#[derive(Debug, Serialize)]
struct Row {
    /// Its folder.
    folder: String,
    /// The first player, whose points are counted.
    first: String,
    /// The other.
    second: String,
    /// What each of them was given.
    limit: String,
    /// The seed of the openings.
    seed: u64,
    /// Pairs that count, one an opening.
    pairs: u64,
    /// The pairs by points.
    pentanomial: Option<Pentanomial>,
}

/// The table of all matches in the tree; in shared games no two players are the same throughout.
pub(super) fn file() -> Result<File, Failure> {
    let folders = folders(Path::new(RUNS))?;
    let rows = folders.iter().filter_map(|folder| row(folder).transpose());
    let rows = rows.collect::<Result<Vec<Row>, _>>()?;
    Ok((TABLE.into(), format!("# cargo xtask docs\n{}", of_rows(&rows))))
}

/// The folders of matches below this one, in order.
fn folders(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut matches = Vec::new();
    for path in super::folder::entries(folder)?.into_values().filter(|path| !is_file(path)) {
        match is_file(&path.join(MATCH)) {
            true => matches.push(path),
            false => matches.extend(folders(&path)?),
        }
    }
    Ok(matches)
}

fn row(folder: &Path) -> Result<Option<Row>, Failure> {
    let ended = committed_match(folder)?;
    let settings = &ended.file.settings;
    if settings.is_shared() {
        return Ok(None);
    }
    let counts = pair_counts(&ended.rows);
    let [first, second] = settings.names().map(|name| name.to_string());
    Ok(Some(Row {
        folder: folder.strip_prefix(RUNS).unwrap_or(folder).display().to_string(),
        first,
        second,
        limit: settings.limit.to_string(),
        seed: settings.seed,
        pairs: counts.cells().iter().sum(),
        pentanomial: counts.pentanomial(),
    }))
}
