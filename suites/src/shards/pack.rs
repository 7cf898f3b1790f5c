//! A finished shard as one file, put under its name in one step: what shared disks and object stores can keep.
//!
//! A pack is a tar archive of the run folder's record, the same bytes for the same record. Who comes second must have found
//! the same in every exact column, or is refused; the first file stays, whatever clocks said to the second. Left out:
//! compression, because a merge reads the files of a pack side by side.

use crate::shards::error::Error;
use crate::shards::exact::{Copy, agree};
use secateur_record::manifest::FILE;
use secateur_record::store::{COUNTERS, ITERATIONS, RECORDS};
use secateur_record::stream::{Found, Source};
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// What became of a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Published {
    /// It has its name.
    New,
    /// Another one has it, which is the same in every exact column.
    Same,
}

/// The name of the pack of a shard: `3-of-20.tar`.
#[must_use]
pub fn name((number, of): (u32, u32)) -> String {
    format!("{number}-of-{of}.tar")
}

/// Packs the finished run in `dir` into `target`.
///
/// # Errors
/// The file system; a run that is not finished, or not as it was written; another file of that name that is not the same.
pub fn publish(dir: &Path, target: &Path) -> Result<Published, Error> {
    let run = Found::open(dir)?;
    if !run.manifest.complete {
        return Err(Error::Unfinished(format!("{}: is not finished and is not published", dir.display())));
    }
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(Error::io(folder))?;
    let mut file = tempfile::Builder::new()
        .prefix(".pack.")
        .suffix(".tmp")
        .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644))
        .tempfile_in(folder)
        .map_err(Error::io(folder))?;
    write(dir, &run, file.as_file_mut())?;
    file.as_file().sync_data().map_err(Error::io(target))?;
    match file.persist_noclobber(target) {
        Ok(_) => Ok(Published::New),
        Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => {
            identical(run, target)?;
            Ok(Published::Same)
        }
        Err(error) => Err(Error::io(target)(error.error)),
    }
}

fn write(dir: &Path, run: &Found, file: &mut File) -> Result<(), Error> {
    let mut archive = tar::Builder::new(std::io::BufWriter::new(file));
    let head = |size: u64| {
        let mut head = tar::Header::new_ustar();
        head.set_size(size);
        head.set_mode(0o644);
        head
    };
    let text = run.text.as_bytes();
    archive.append_data(&mut head(text.len() as u64), FILE, text).map_err(Error::io(dir))?;
    for name in [RECORDS, ITERATIONS, COUNTERS] {
        let path = dir.join(name);
        let Ok(rows) = File::open(&path) else { continue };
        let size = rows.metadata().map_err(Error::io(&path))?.len();
        archive.append_data(&mut head(size), name, rows.take(size)).map_err(Error::io(&path))?;
    }
    let mut writer = archive.into_inner().map_err(Error::io(dir))?;
    writer.flush().map_err(Error::io(dir))
}

/// Holds what has the name already against what was to have it.
fn identical(ours: Found, target: &Path) -> Result<(), Error> {
    let taken = |what: String| Error::Taken { path: target.to_owned(), what };
    let there = Found::open(target).map_err(|error| taken(error.to_string()))?;
    let part = |run: &Found| run.manifest.part.clone();
    if let Some((what, here, theirs)) = ours.manifest.difference(&there.manifest, false) {
        return Err(taken(format!("{what} {theirs} there, {here} here")));
    }
    if part(&ours) != part(&there) {
        return Err(taken("it is another part".to_owned()));
    }
    let mut sources = [Source::open(ours)?, Source::open(there)?];
    while sources[0].next()?.is_some() {
        let [one, other] = &mut sources;
        let (a, b) = (one.unit()?, other.unit()?);
        let (here, there): (PathBuf, PathBuf) = (one.path.clone(), other.path.clone());
        let (one, other) = (Copy { path: &here, cells: &a }, Copy { path: &there, cells: &b });
        agree(one, other, &|_| "its manifest names it".to_owned())
            .map_err(|error| taken(error.to_string()))?;
    }
    Ok(())
}
