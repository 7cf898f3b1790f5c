//! Comparisons of speed that are there: which folders are some, and what was recorded in them.

use crate::cli::failure::Failure;
use secateur_record::manifest::Manifest;
use secateur_record::speed::Part;
use secateur_reports::speed::Folders;
use secateur_stats::read::read;
use std::path::Path;

/// Whether this is the folder of a comparison.
pub fn is_comparison(path: &Path) -> bool {
    let is_part =
        |part: &String| Manifest::read(&path.join(part)).is_ok_and(|manifest| manifest.comparison.is_some());
    Part::folders(path).is_ok_and(|parts| parts.iter().any(is_part))
}

/// What was recorded in each folder of a comparison.
pub fn folders(folder: &Path) -> Result<Folders, Failure> {
    let runs_of = |name: String| Ok((name.clone(), read(&[folder.join(name)])?));
    Part::folders(folder)?.into_iter().map(runs_of).collect()
}
