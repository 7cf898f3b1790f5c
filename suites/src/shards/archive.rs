//! A finished run as `run.toml` and one archive, without the files that nobody reads any more: what is committed or sent round.
//!
//! `records.csv` always stays; iterations and counters are most of a run's bytes. What was left out stands in the manifest
//! (`dropped`), so that a reader tells it from damage, and the same command on the same sources searches it again. Rows are
//! sealed anew, because a seal covers the rows of all three files.

use crate::shards::error::Error;
use secateur_record::archive::{is_file, pack};
use secateur_record::files::refuse_foreign;
use secateur_record::manifest::FILE;
use secateur_record::store::{COUNTERS, ITERATIONS, RunRows};
use std::path::Path;

/// What may be left out of an archived run.
pub const OPTIONAL: [&str; 2] = [ITERATIONS, COUNTERS];

/// Writes the finished run of `from` into the new folder `out`, its rows in an archive, without the files `dropped`. Gives the
/// number of its cells. Of matches, tables and what has several of these in it, the files are archived as they are.
///
/// # Errors
/// The file system; a run that is damaged or not finished; a folder with other files; a name that is not one of [`OPTIONAL`].
pub fn archive(out: &Path, from: &Path, dropped: &[String]) -> Result<Option<usize>, Error> {
    if dropped.is_empty() && !is_file(&from.join(FILE)) {
        refuse_foreign(out)?;
        std::fs::create_dir_all(out).map_err(Error::io(out))?;
        pack(from, out)?;
        return Ok(None);
    }
    if let Some(name) = dropped.iter().find(|name| !OPTIONAL.contains(&name.as_str())) {
        let expected = OPTIONAL.join(" or ");
        return Err(Error::Usage(format!("--without: found `{name}`, expected {expected}")));
    }
    let (rows, mut manifest, _) = RunRows::read(from)?;
    if !manifest.complete {
        return Err(Error::Unfinished(format!(
            "{}: not finished; only a finished run is archived",
            from.display()
        )));
    }
    let left_out = |name: &str| manifest.dropped.iter().chain(dropped).any(|dropped| dropped == name);
    let names = OPTIONAL.into_iter().filter(|name| left_out(name));
    manifest.dropped = names.map(str::to_owned).collect();
    let cells = rows.records.len();
    rows.write(out, &manifest)?;
    pack(out, out)?;
    Ok(Some(cells))
}
