//! A finished shard as one file, put under its name in one step: what shared disks and object stores can keep.
//!
//! A pack is a tar archive of the run folder's record, the same bytes for the same record. Who comes second must have found
//! the same in every exact column, or is refused; the first file stays, whatever clocks said to the second. Left out:
//! compression, because a merge reads the files of a pack side by side.

use super::links::{Copy, agree};
use crate::Error;
use secateur_record::archive::{is_file, lock, pack};
use secateur_record::files::{is_left_over, refuse_foreign};
use secateur_record::manifest::FILE;
use secateur_record::play::file::{GAMES, OPENINGS, SETTINGS, TRANSCRIPTS};
use secateur_record::store::{COUNTERS, ITERATIONS, RECORDS, RunRows};
use secateur_record::stream::{Found, Source};
use std::fs;
use std::fs::File;
use std::io::{BufWriter, Read, Write};
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

/// Files that belong to a record that is replaced, reports of it included; all others in its folder are kept.
pub(crate) const RUN: &[&str] = &[FILE, RECORDS, ITERATIONS, COUNTERS, "report.md", "report.html", "lock"];
/// The same of a match.
pub(crate) const MATCH: &[&str] = &[SETTINGS, GAMES, TRANSCRIPTS, OPENINGS, "lock"];

/// A folder in the making.
pub(crate) struct Stage {
    out: PathBuf,
    dir: PathBuf,
    files: &'static [&'static str],
    /// Held, not used.
    _lock: File,
}

impl Stage {
    /// Begins next to `out`, whose files `files` it is to replace; what an earlier kill left there is removed.
    pub(crate) fn new(out: &Path, files: &'static [&'static str]) -> Result<Stage, Error> {
        let dir = sibling(out, "merging");
        fs::create_dir_all(&dir).map_err(Error::io(&dir))?;
        let lock = lock(&dir)?;
        Ok(Stage { out: out.to_owned(), dir, files, _lock: lock })
    }

    /// A file of it.
    pub(crate) fn file(&self, name: &str, header: &[u8]) -> Result<Rows, Error> {
        let path = self.dir.join(name);
        let file = File::create(&path).map_err(Error::io(&path))?;
        let mut rows = Rows { writer: BufWriter::with_capacity(1 << 20, file), path };
        rows.add(header)?;
        Ok(rows)
    }

    /// Removes all of it.
    pub(crate) fn discard(self) {
        // What cannot be removed is removed by the next merge.
        let _ = fs::remove_dir_all(&self.dir);
    }

    /// Puts it in the place of the old folder, if there is one.
    pub(crate) fn publish(self) -> Result<(), Error> {
        let _ = fs::remove_file(self.dir.join("lock"));
        let old = sibling(&self.out, "before");
        let _ = fs::remove_dir_all(&old);
        if self.out.exists() {
            fs::rename(&self.out, &old).map_err(Error::io(&self.out))?;
        }
        fs::rename(&self.dir, &self.out).map_err(Error::io(&self.out))?;
        for entry in fs::read_dir(&old).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if !self.files.contains(&name.as_str()) && !is_left_over(&name) {
                fs::rename(entry.path(), self.out.join(&name)).map_err(Error::io(&self.out))?;
            }
        }
        let _ = fs::remove_dir_all(&old);
        Ok(())
    }
}

fn sibling(out: &Path, what: &str) -> PathBuf {
    let name = out.file_name().unwrap_or_default().to_string_lossy();
    out.with_file_name(format!(".{name}.{what}.tmp"))
}

/// A file that is being written.
pub(crate) struct Rows {
    writer: BufWriter<File>,
    path: PathBuf,
}

impl Rows {
    /// Adds text.
    pub(crate) fn add(&mut self, text: &[u8]) -> Result<(), Error> {
        self.writer.write_all(text).map_err(Error::io(&self.path))
    }

    /// When this returns the file survives a crash.
    pub(crate) fn end(self) -> Result<(), Error> {
        let file = self.writer.into_inner().map_err(|error| Error::io(&self.path)(error.into_error()))?;
        file.sync_data().map_err(Error::io(&self.path))
    }
}
