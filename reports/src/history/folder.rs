//! The folder: one CSV file a commit, named by date and commit, so that names sort as commits followed.
//!
//! The last column of every row is the seal of the whole table and of the file's name, so that a row that is changed, gone or from
//! another commit or date is found whichever it is. A seal of an older version leaves the date out.

use super::Point;
use crate::figure::{Column, by_columns};
use secateur_record::Error;
use secateur_record::files::replace;
use secateur_record::rows::{csv, rows_of};
use secateur_record::seal::{sealed_table, unsealed_table};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A commit with its points.
#[derive(Clone, Debug, PartialEq)]
pub struct Commit {
    /// Its hash, or whatever it is called: letters, digits, `.`, `_` and `-`.
    pub commit: String,
    /// When it was made, in UTC: `2026-11-22T15:23:03Z`.
    pub date: String,
    /// Its points.
    pub points: Vec<Point>,
}

/// Why a history cannot be read or added to.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// A file or folder, or a file that is no table of a commit.
    #[error(transparent)]
    Record(#[from] Error),
    /// A name of a commit or a date that is none.
    #[error("{what}: found `{given}`, expected {expected}")]
    Name {
        /// `commit` or `date`.
        what: &'static str,
        /// As given.
        given: String,
        /// What it should be.
        expected: &'static str,
    },
    /// The same number of the same commit, another value.
    #[error(
        "{commit}: {key} is {before} in the history already, and {after} now: exact quantities of one commit do not change"
    )]
    Differs {
        /// Which.
        commit: String,
        /// Suite, game, budget, method set, measure.
        key: String,
        /// As it was.
        before: f64,
        /// As it is.
        after: f64,
    },
}

/// Adds points of a commit to the folder, which is made if it is not there. What the commit has already stays; the same points again
/// change nothing. The path of its file.
///
/// # Errors
/// [`HistoryError`]; nothing is written then.
pub fn add(folder: &Path, added: &Commit) -> Result<PathBuf, HistoryError> {
    named(added)?;
    let digits: String = added.date.chars().filter(|c| *c != '-' && *c != ':').collect();
    let stem = format!("{digits}-{}", added.commit);
    let path = folder.join(format!("{stem}.csv"));
    let mut points = if path.exists() { points(&path, &stem, &added.commit)? } else { Vec::new() };
    for point in &added.points {
        match points.iter().find(|earlier| earlier.key() == point.key()) {
            Some(known) if known.value != point.value => {
                return Err(HistoryError::Differs {
                    commit: added.commit.clone(),
                    key: point.key().join(" ").trim().to_owned(),
                    before: known.value,
                    after: point.value,
                });
            }
            Some(_) => {}
            None => points.push(point.clone()),
        }
    }
    std::fs::create_dir_all(folder).map_err(Error::io(folder))?;
    replace(&path, &sealed_table(&stem, &csv(&points, true)))?;
    Ok(path)
}

fn named(commit: &Commit) -> Result<(), HistoryError> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    if commit.commit.is_empty() || !commit.commit.chars().all(plain) {
        let expected = "letters, digits, `.`, `_` and `-`";
        return Err(HistoryError::Name { what: "commit", given: commit.commit.clone(), expected });
    }
    if !is_date(&commit.date) {
        let expected = "a time in UTC, `2026-11-22T15:23:03Z`";
        return Err(HistoryError::Name { what: "date", given: commit.date.clone(), expected });
    }
    Ok(())
}

fn is_date(text: &str) -> bool {
    let form = b"0000-00-00T00:00:00Z";
    let fits = |(c, form): (u8, &u8)| if *form == b'0' { c.is_ascii_digit() } else { c == *form };
    text.len() == form.len() && text.bytes().zip(form).all(fits)
}

/// The commits of a folder in the order of their dates.
///
/// # Errors
/// A folder that is not there, a file that is no table of a commit, with its line.
pub fn read(folder: &Path) -> Result<Vec<Commit>, HistoryError> {
    let mut paths = BTreeMap::new();
    for entry in folder.read_dir().map_err(Error::io(folder))? {
        let path = entry.map_err(Error::io(folder))?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if let Some(stem) = name.strip_suffix(".csv") {
            paths.insert(stem.to_owned(), path);
        }
    }
    let commit = |(stem, path): (String, PathBuf)| {
        let (date, commit) = stem
            .split_once('-')
            .and_then(|(digits, commit)| Some((dated(digits)?, commit)))
            .ok_or_else(|| at_line(&path, 1, "found this name, expected `20261122T152303Z-COMMIT.csv`"))?;
        Ok(Commit { commit: commit.to_owned(), date, points: points(&path, &stem, commit)? })
    };
    paths.into_iter().map(commit).collect()
}

/// `20261122T152303Z` as a date.
fn dated(digits: &str) -> Option<String> {
    let part = |from: usize, to: usize| digits.get(from..to);
    let date = format!(
        "{}-{}-{}{}:{}:{}",
        part(0, 4)?,
        part(4, 6)?,
        part(6, 8)?,
        part(8, 11)?,
        part(11, 13)?,
        part(13, digits.len())?
    );
    is_date(&date).then_some(date)
}

fn at_line(path: &Path, line: usize, what: &str) -> Error {
    Error::Place { place: format!("{}:{line}", path.display()), what: what.to_owned() }
}

/// The points of a file of this name without its ending, and of this commit.
fn points(path: &Path, stem: &str, commit: &str) -> Result<Vec<Point>, Error> {
    let bytes = std::fs::read(path).map_err(Error::io(path))?;
    let read =
        unsealed_table(stem, &bytes).or_else(|wrong| unsealed_table(commit, &bytes).map_err(|_| wrong));
    let (plain, is_sealed) = read.map_err(|(line, what)| {
        let other = "or the name that belongs to it: its table may be of another commit or date";
        at_line(path, line, &format!("{what}, {other}"))
    })?;
    let points: Vec<Point> = rows_of(path, &plain)?;
    match (points.is_empty(), is_sealed) {
        (true, _) => {
            Err(at_line(path, 1, "found no row, expected at least one: the file was emptied; put it back"))
        }
        (false, false) => Err(at_line(
            path,
            1,
            "found no column `seal`, which every table of a commit has: put the file back as it was written",
        )),
        (false, true) => Ok(points),
    }
}

/// All commits as one table.
pub fn data(commits: &[Commit]) -> String {
    let number = |x: Option<f64>| x.map_or_else(String::new, |x| x.to_string());
    let rows = commits.iter().flat_map(|commit| {
        commit.points.iter().map(move |point| (commit, point, [point.low, point.high].map(number)))
    });
    let columns: [Column<(&Commit, &Point, [String; 2])>; 12] = [
        ("commit", |row| row.0.commit.clone()),
        ("date", |row| row.0.date.clone()),
        ("suite", |row| row.1.suite.clone()),
        ("game", |row| row.1.game.clone()),
        ("budget", |row| row.1.budget.clone()),
        ("methods", |row| row.1.methods.clone()),
        ("measure", |row| row.1.measure.clone()),
        ("toolchain", |row| row.1.toolchain.clone()),
        ("n", |row| row.1.n.to_string()),
        ("value", |row| row.1.value.to_string()),
        ("low", |row| row.2[0].clone()),
        ("high", |row| row.2[1].clone()),
    ];
    by_columns(columns, rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::error::damages;

    fn commit(name: &str, date: &str, nodes: f64) -> Commit {
        let point =
            Point { game: "chess".into(), measure: "nodes".into(), n: 3, value: nodes, ..Point::default() };
        Commit { commit: name.into(), date: date.into(), points: vec![point] }
    }

    #[test]
    fn what_was_added_is_read_in_the_order_of_dates() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("new/history");
        let late = commit("b0b", "2026-11-22T15:23:03Z", 10.0);
        let early = commit("a-1", "2025-01-02T00:00:00Z", 12.5);
        add(&folder, &late).unwrap();
        add(&folder, &early).unwrap();
        add(&folder, &late).unwrap();
        assert_eq!(read(&folder).unwrap(), [early.clone(), late.clone()]);
        assert_eq!(data(&[early, late]).lines().count(), 3);
    }

    #[test]
    fn a_commit_has_one_value_of_a_quantity_and_gains_others() {
        let dir = tempfile::tempdir().unwrap();
        let date = "2026-11-22T15:23:03Z";
        add(dir.path(), &commit("c", date, 10.0)).unwrap();
        let error = add(dir.path(), &commit("c", date, 11.0)).unwrap_err().to_string();
        assert!(error.contains("chess") && error.contains("10") && error.contains("11"), "{error}");
        let mut more = commit("c", date, 7.0);
        more.points[0].methods = "mpc".into();
        add(dir.path(), &more).unwrap();
        assert_eq!(read(dir.path()).unwrap()[0].points.len(), 2);
    }

    #[test]
    fn what_is_no_history_is_named_with_its_place() {
        let dir = tempfile::tempdir().unwrap();
        for (name, date) in
            [("../x", "2026-11-22T15:23:03Z"), ("", "2026-11-22T15:23:03Z"), ("c", "yesterday")]
        {
            assert!(add(dir.path(), &commit(name, date, 1.0)).is_err(), "{name} {date}");
        }
        assert!(read(&dir.path().join("gone")).is_err());
        let path = add(dir.path(), &commit("c", "2026-11-22T15:23:03Z", 10.0)).unwrap();
        let good = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, good.replace("10", "ten")).unwrap();
        let error = read(dir.path()).unwrap_err().to_string();
        assert!(error.contains(".csv:2:"), "{error}");
        std::fs::write(&path, good).unwrap();
        std::fs::write(dir.path().join("notes.csv"), "").unwrap();
        assert!(read(dir.path()).unwrap_err().to_string().contains("COMMIT.csv"));
    }

    #[test]
    fn no_damage_of_a_table_is_believed() {
        let dir = tempfile::tempdir().unwrap();
        let mut whole = commit("c0ffee", "2026-11-22T15:23:03Z", 10.0);
        let more =
            Point { methods: "mpc".into(), low: Some(0.5), high: Some(1.5), ..whole.points[0].clone() };
        whole.points.push(more);
        let path = add(dir.path(), &whole).unwrap();
        let good = std::fs::read(&path).unwrap();
        assert_eq!(read(dir.path()).unwrap(), [whole.clone()]);
        let lines: Vec<&[u8]> = good.split_inclusive(|byte| *byte == b'\n').collect();
        let swapped = [lines[0], lines[2], lines[1]].concat();
        let gone = [lines[0], lines[2]].concat();
        for bytes in damages(&good).chain([swapped, gone]) {
            std::fs::write(&path, &bytes).unwrap();
            // A line that ends in another way is the same row.
            if let Ok(commits) = read(dir.path()) {
                assert_eq!(commits, [whole.clone()], "{}", String::from_utf8_lossy(&bytes));
            }
        }
        // The table of another commit under this name.
        let other = dir.path().join("other");
        let theirs = add(&other, &commit("b0b", "2026-11-22T15:23:03Z", 11.0)).unwrap();
        std::fs::copy(theirs, &path).unwrap();
        let other_commit = read(dir.path()).unwrap_err().to_string();
        assert!(
            other_commit.contains("not as it was written")
                && other_commit.contains("of another commit or date"),
            "{other_commit}"
        );
        // The table of this commit under another date, which orders the commits.
        std::fs::write(&path, &good).unwrap();
        let earlier = dir.path().join("20251122T152303Z-c0ffee.csv");
        std::fs::rename(&path, &earlier).unwrap();
        let other_date = read(dir.path()).unwrap_err().to_string();
        assert!(
            other_date.contains("20251122T152303Z-c0ffee.csv:2: ") && other_date.contains("or date"),
            "{other_date}"
        );
        std::fs::remove_file(earlier).unwrap();
        // A table that nothing vouches for, and the seal of an older version, which leaves the date out.
        let plain = csv(&whole.points, true);
        std::fs::write(&path, &plain).unwrap();
        assert!(read(dir.path()).unwrap_err().to_string().contains("no column `seal`"));
        std::fs::write(&path, sealed_table(&whole.commit, &plain)).unwrap();
        assert_eq!(read(dir.path()).unwrap(), [whole]);
    }
}
