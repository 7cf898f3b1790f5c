//! Files that are written whole or not at all, and the names in a folder that are no files of a run.
//!
//! Left out: what is in them.

use crate::error::Error;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::Path;

/// The file that holds the right to write in a folder.
pub const LOCK: &str = "lock";

/// Writes a file whole or not at all: after a crash or on a full disk the old file stands, or none.
///
/// # Errors
/// The file system.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    replaced(path, bytes).map_err(Error::io(path))
}

/// The same for who has errors of its own.
pub fn replaced(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    replaced_by(path, &|file| file.write_all(bytes))
}

/// The same for who writes piece by piece; called again if the file is taken away meanwhile.
pub fn replaced_by(path: &Path, write: &dyn Fn(&mut File) -> std::io::Result<()>) -> std::io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    // Reports are written when the folder's lock is given back, so another run may open the folder meanwhile and take this file for
    // one that a killed writer left ([`sweep`]). It does so once.
    match moved(&temporary, path, write) {
        Err(error) if error.kind() == ErrorKind::NotFound => moved(&temporary, path, write),
        done => done,
    }
}

/// Writes a temporary file and gives it its name.
fn moved(
    temporary: &Path,
    path: &Path,
    write: &dyn Fn(&mut File) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let written = File::create(temporary).and_then(|mut file| {
        write(&mut file)?;
        file.sync_data()
    });
    let done = written.and_then(|()| fs::rename(temporary, path));
    if done.is_err() {
        // It is unfinished; that it cannot be removed is no news next to the first error.
        let _ = fs::remove_file(temporary);
    }
    done
}

/// Whether a file name is one that [`replace`] leaves behind when it is killed.
pub fn is_left_over(name: &str) -> bool {
    name.ends_with(".tmp")
}

/// Removes what killed writers left in a folder. To be called by whoever holds its lock.
pub fn sweep(dir: &Path) {
    let Ok(files) = fs::read_dir(dir) else { return };
    for file in files.flatten().filter(|file| is_left_over(&file.file_name().to_string_lossy())) {
        // What cannot be removed does no harm but to the eye.
        let _ = fs::remove_file(file.path());
    }
}

/// Refuses a folder with files of something else. A new one, an empty one, and one with no more than a lock and
/// unfinished files, as an early kill leaves it, are fine.
pub fn refuse_foreign(dir: &Path) -> Result<(), Error> {
    let Ok(mut files) = fs::read_dir(dir) else { return Ok(()) };
    let foreign = |name: &str| name != LOCK && !is_left_over(name);
    match files.any(|file| file.is_ok_and(|file| foreign(&file.file_name().to_string_lossy()))) {
        true => Err(Error::Usage(format!(
            "{}: found a folder with other files, expected a run folder, an empty folder or none",
            dir.display()
        ))),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_an_early_kill_left_is_taken() {
        let dir = tempfile::tempdir().unwrap();
        for name in [LOCK, "run.toml.17.tmp", "run.tmp"] {
            fs::write(dir.path().join(name), "half").unwrap();
        }
        refuse_foreign(dir.path()).unwrap();
        sweep(dir.path());
        let left: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(left, [LOCK]);
        fs::write(dir.path().join("thesis.tex"), "").unwrap();
        assert!(refuse_foreign(dir.path()).is_err());
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        replace(&path, b"one").unwrap();
        // A folder of that name cannot be replaced by a file.
        let taken = dir.path().join("taken");
        fs::create_dir(&taken).unwrap();
        fs::write(taken.join("inside"), "").unwrap();
        assert!(replace(&taken, b"two").is_err());
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
    }
}
