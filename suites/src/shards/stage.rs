//! A folder that is put under its name when it is whole: what is merged is written next to it, and then takes its place.
//!
//! A kill leaves the old folder, or, between two renames, none: then the shards are still there, and merging again gives the
//! same. Left out: what is written.

use crate::shards::error::Error;
use secateur_record::files::is_left_over;
use secateur_record::lock::lock;
use secateur_record::manifest::FILE;
use secateur_record::play::file::{GAMES, OPENINGS, SETTINGS, TRANSCRIPTS};
use secateur_record::store::{COUNTERS, ITERATIONS, RECORDS};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

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
