//! The folder in which evaluations of graded strength are measured: what its tables hold, and how they are read back.
//!
//! A table is written whole when its part is done, so what is there is done. Left out: what is measured, and how.

use secateur_record::Error;
use secateur_record::files::replace;
use secateur_record::fitted::Fitted;
use secateur_record::table::{of_rows, rows};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// How the names of the tables begin: pairs of games, and searches.
pub const PAIRS: &str = "pairs-";
/// See [`PAIRS`].
pub const SEARCHES: &str = "searches-";
/// How the name of a fit ends.
pub const FIT: &str = ".fit.toml";
/// The table of the evaluations.
pub const EVALUATIONS: &str = "evaluations.csv";

/// An evaluation that is measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvaluationRow {
    /// Its name.
    pub name: String,
    /// `grade`, or the kind of what is added to the full one: `fresh` or `lasting`.
    pub kind: String,
    /// Standard deviation of what is added, in the game's unit (pawns, discs).
    pub level: f64,
    /// The grade whose strength it is to have; empty of a grade, and of a step on the way.
    pub like: String,
}

/// Two games from one opening, sides exchanged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairRow {
    /// The first player's evaluation.
    pub evaluation: String,
    /// The other's.
    pub against: String,
    /// Number of the opening.
    pub opening: usize,
    /// The first player's points in both games, 0 to 2.
    pub points: f64,
}

/// A search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchRow {
    /// With this evaluation.
    pub evaluation: String,
    /// The method alone; `none` for full width.
    pub method: String,
    /// Threshold of its checks, sigmas; 0 of a method without.
    pub t: f64,
    /// Number of the position, each from a game of its own.
    pub position: usize,
    /// Iterations that were completed, plies: fewer than asked for where the end of the game was seen.
    pub depth: i32,
    /// Nodes.
    pub nodes: u64,
    /// The move.
    pub r#move: String,
}

/// All that a folder has of one game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graded {
    /// The evaluations, in the order in which they were made.
    pub evaluations: Vec<EvaluationRow>,
    /// All pairs of games.
    pub pairs: Vec<PairRow>,
    /// All searches.
    pub searches: Vec<SearchRow>,
    /// The fits, by evaluation.
    pub fits: BTreeMap<String, Fitted>,
}

impl Graded {
    /// Reads the folder. Tables that are not there yet have no rows.
    ///
    /// # Errors
    /// The file system; a table that is none, with its line.
    pub fn read(folder: &Path) -> Result<Graded, Error> {
        let mut graded = Graded::default();
        let entries = fs::read_dir(folder).map_err(Error::unreadable(folder))?;
        let mut names: Vec<String> =
            entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        for name in names {
            let path = folder.join(&name);
            if name == EVALUATIONS {
                graded.evaluations = rows(&path)?;
            } else if name.starts_with(PAIRS) {
                graded.pairs.extend(rows::<PairRow>(&path)?);
            } else if name.starts_with(SEARCHES) {
                graded.searches.extend(rows::<SearchRow>(&path)?);
            } else if let Some(evaluation) = name.strip_suffix(FIT) {
                graded.fits.insert(evaluation.to_owned(), fit(&path)?);
            }
        }
        Ok(graded)
    }
}

/// Writes a table.
///
/// # Errors
/// The file system.
pub fn put<T: Serialize>(path: &Path, rows: &[T]) -> Result<(), Error> {
    replace(path, of_rows(rows).as_bytes())
}

/// Reads a fit.
///
/// # Errors
/// The file system; a file that is no fit.
pub fn fit(path: &Path) -> Result<Fitted, Error> {
    let text = fs::read_to_string(path).map_err(Error::unreadable(path))?;
    Fitted::parse(path, &text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_back_and_what_is_damaged_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let evaluation =
            EvaluationRow { name: "full".into(), kind: "grade".into(), level: 0.0, like: String::new() };
        let pair = PairRow { evaluation: "men".into(), against: "full".into(), opening: 3, points: 1.5 };
        let search = SearchRow {
            evaluation: "men".into(),
            method: "mpc".into(),
            t: 1.4,
            position: 7,
            depth: 6,
            nodes: 12_345,
            r#move: "e2e4".into(),
        };
        put(&folder.path().join(EVALUATIONS), std::slice::from_ref(&evaluation)).unwrap();
        put(&folder.path().join("pairs-men-full.csv"), std::slice::from_ref(&pair)).unwrap();
        put(&folder.path().join("searches-men.csv"), std::slice::from_ref(&search)).unwrap();
        let graded = Graded::read(folder.path()).unwrap();
        let whole = Graded {
            evaluations: vec![evaluation],
            pairs: vec![pair],
            searches: vec![search],
            fits: BTreeMap::new(),
        };
        assert_eq!(graded, whole);
        fs::write(folder.path().join("pairs-x.csv"), "evaluation,against,opening,points\nmen,full,x,1\n")
            .unwrap();
        let error = Graded::read(folder.path()).unwrap_err().to_string();
        assert!(error.contains("pairs-x.csv") && error.contains("line: 2"), "{error}");
    }
}
