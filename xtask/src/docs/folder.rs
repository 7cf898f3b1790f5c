//! What is in the folders that the documents are made from, by name.
//!
//! What is in a run is read elsewhere.

use secateur::cli::evidence::committed_match;
use secateur::cli::failure::Failure;
use secateur::cli::worth;
use secateur_record::archive::names;
use secateur_reports::worth::Played;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The matches that `worth` had played into a folder, in the order of their names.
pub(super) fn matches(folder: &Path) -> Result<Vec<Played>, Failure> {
    worth::matches(folder, committed_match)
}

/// What is in a folder, by name.
pub(super) fn entries(folder: &Path) -> Result<BTreeMap<String, PathBuf>, Failure> {
    let unreadable = |error| Failure::system(format!("{}: {error}", folder.display()));
    let names = names(folder).map_err(unreadable)?.into_iter();
    Ok(names.map(|name| (name.clone(), folder.join(name))).collect())
}
