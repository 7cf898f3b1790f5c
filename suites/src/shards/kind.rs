//! What a folder that is to be merged holds: a run, a match, or several of them under one roof, as `worth` and `speed` leave them.
//!
//! Left out: whether what is there is whole.

use crate::Error;
use secateur_record::archive::{is_file, names};
use secateur_record::manifest::FILE;
use secateur_record::play::SETTINGS;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What is merged with what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Runs, as folders or packs.
    Run,
    /// Matches.
    Match,
    /// Folders with runs and matches in them: the parts of each by its name, which the merged one has too.
    Several(BTreeMap<String, Vec<PathBuf>>),
}

/// What these inputs are.
///
/// # Errors
/// Inputs of several kinds.
pub fn kind(inputs: &[PathBuf]) -> Result<Kind, Error> {
    let is_match = |path: &PathBuf| is_file(&path.join(SETTINGS));
    let is_run = |path: &PathBuf| path.is_file() || is_file(&path.join(FILE));
    if inputs.iter().all(is_match) && !inputs.is_empty() {
        return Ok(Kind::Match);
    }
    let mut several: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    let mut others = inputs.iter().filter(|path| !is_match(path) && !is_run(path)).peekable();
    if others.peek().is_none() {
        if let Some(odd) = inputs.iter().find(|path| is_match(path)) {
            return Err(Error::Usage(format!(
                "{}: found a match among runs, expected either",
                odd.display()
            )));
        }
        return Ok(Kind::Run);
    }
    for path in inputs {
        let inside = folders(path).into_iter().filter(|folder| is_match(folder) || is_run(folder));
        let inside: Vec<PathBuf> = inside.collect();
        if inside.is_empty() {
            // Whoever reads runs says what is wrong with it.
            return Ok(Kind::Run);
        }
        for folder in inside {
            let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            several.entry(name).or_default().push(folder);
        }
    }
    Ok(Kind::Several(several))
}

fn folders(path: &Path) -> Vec<PathBuf> {
    names(path).into_iter().flatten().map(|name| path.join(name)).filter(|path| !is_file(path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn runs_matches_and_both_under_one_roof_are_told_apart() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for (folder, file) in [
            ("run", FILE),
            ("match", SETTINGS),
            ("1/searches", FILE),
            ("1/games-x", SETTINGS),
            ("2/searches", FILE),
            ("odd/else", "else"),
        ] {
            fs::create_dir_all(at(folder)).unwrap();
            fs::write(at(folder).join(file), "").unwrap();
        }
        fs::write(at("1-of-2.tar"), "").unwrap();
        assert_eq!(kind(&[at("run"), at("1-of-2.tar")]).unwrap(), Kind::Run);
        assert_eq!(kind(&[at("match")]).unwrap(), Kind::Match);
        assert!(kind(&[at("run"), at("match")]).unwrap_err().to_string().contains("match: found a match"));
        let expected = [
            ("games-x".to_owned(), vec![at("1/games-x")]),
            ("searches".to_owned(), vec![at("1/searches"), at("2/searches")]),
        ];
        assert_eq!(kind(&[at("1"), at("2")]).unwrap(), Kind::Several(expected.into()));
        assert_eq!(kind(&[at("odd")]).unwrap(), Kind::Run);
    }
}
