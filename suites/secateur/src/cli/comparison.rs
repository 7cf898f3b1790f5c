//! Comparisons of speed that are there: which folders are some, and what was recorded in them.

use crate::cli::failure::Failure;
use secateur_record::archive::is_file;
use secateur_record::speed::Part;
use secateur_reports::speed::Folders;
use secateur_stats::read::read;
use secateur_suites::speed::FILE;
use std::path::Path;

/// Whether this is the folder of a comparison.
pub fn is_comparison(path: &Path) -> bool {
    is_file(&path.join(FILE))
}

/// What was recorded in each folder of a comparison.
pub fn folders(folder: &Path) -> Result<Folders, Failure> {
    let runs_of = |name: String| Ok((name.clone(), read(&[folder.join(name)])?));
    Part::folders(folder)?.into_iter().map(runs_of).collect()
}
