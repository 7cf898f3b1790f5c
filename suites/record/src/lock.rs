//! Folders that one process at a time may write in.

use crate::archive::unpack;
use crate::error::Error;
use crate::files::LOCK;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::time::Duration;

/// How often, and how far apart, a lock is asked for that somebody holds. Whoever starts a program holds all its locks twice for an
/// instant, until the child has become that program; so a lock that was given back a moment ago may still be held.
const ASKED: (u32, Duration) = (20, Duration::from_millis(10));

/// The right to write in a folder, held until the file is closed. Files that an archive holds are files again from here on.
pub fn lock(dir: &Path) -> Result<File, Error> {
    unpack(dir)?;
    let path = dir.join(LOCK);
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    let file = file.map_err(Error::io(&path))?;
    for _ in 0..ASKED.0 {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => std::thread::sleep(ASKED.1),
            Err(TryLockError::Error(source)) => return Err(Error::Io { path, source }),
        }
    }
    Err(Error::Locked { dir: dir.to_owned() })
}
