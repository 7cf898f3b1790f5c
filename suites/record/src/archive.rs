//! Folders whose files were put into one archive: a file is the one of its path or, where there is none, the entry of `rows.zip`.
//!
//! The archive of a folder holds the files of the folders in it too, and may be in any folder above a file. Left out: what the files say;
//! whether their rows are those that were written is seen where they are read, as of any other files.
//!
//! A folder that one process at a time may write in is locked here too, because its archive becomes files first.

use crate::error::Error;
use crate::files::{LOCK, is_left_over, replace};
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Cursor, ErrorKind, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;
use std::{fs, io};
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

/// The archive of a folder.
pub const ARCHIVE: &str = "rows.zip";
/// Most bytes of an entry, 1 GiB: it is held in memory. More is damage.
const MOST: u64 = 1 << 30;

/// The archive that a path is to be looked for in, and the name of its entry.
fn place(path: &Path) -> Option<(PathBuf, String)> {
    let of_folder = |folder: &Path| Some(folder.join(ARCHIVE)).filter(|archive| archive.is_file());
    let (folder, archive) = path.ancestors().skip(1).find_map(|folder| Some((folder, of_folder(folder)?)))?;
    let inner = path.strip_prefix(folder).ok()?.components();
    let names: Vec<_> = inner.map(|name| name.as_os_str().to_string_lossy()).collect();
    Some((archive, names.join("/")))
}

fn opened(archive: &Path) -> io::Result<ZipArchive<File>> {
    ZipArchive::new(File::open(archive)?).map_err(|error| damaged(archive, &error))
}

fn damaged(archive: &Path, what: &dyn std::fmt::Display) -> io::Error {
    let what = format!("{} is not as it was written: {what}; put it back", archive.display());
    io::Error::new(ErrorKind::InvalidData, what)
}

/// The entry of this name, which was compressed and is held against its checksum; `None` if there is none.
fn entry(archive: &Path, name: &str) -> io::Result<Option<Vec<u8>>> {
    let mut entries = opened(archive)?;
    let entry = match entries.by_name(name) {
        Ok(entry) => entry,
        Err(ZipError::FileNotFound) => return Ok(None),
        Err(error) => return Err(damaged(archive, &error)),
    };
    let (size, mut bytes) = (entry.size(), Vec::new());
    let length = entry.take(MOST + 1).read_to_end(&mut bytes).map_err(|error| damaged(archive, &error))?;
    match length as u64 == size && size <= MOST {
        true => Ok(Some(bytes)),
        false => {
            Err(damaged(archive, &format!("`{name}` has {size} bytes or more, of which {MOST} are read")))
        }
    }
}

/// The bytes of a file, or of the entry that it became.
///
/// # Errors
/// The file system, as of a file that is in no archive; an archive that is not as it was written.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    match fs::read(path) {
        Err(missing) if missing.kind() == ErrorKind::NotFound => {
            let bytes = place(path).map(|(archive, name)| entry(&archive, &name)).transpose()?;
            bytes.flatten().ok_or(missing)
        }
        whole => whole,
    }
}

/// The same as a text.
///
/// # Errors
/// Those of [`read`]; bytes that are no UTF-8.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|error| io::Error::new(ErrorKind::InvalidData, error))
}

/// The same of a file that may be missing. What is no UTF-8 shows as something else, which no seal is of.
///
/// # Errors
/// The file system; an archive that is not as it was written.
pub fn text(path: &Path) -> Result<Option<String>, Error> {
    match read(path) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => Err(Error::Io { path: path.to_owned(), source }),
    }
}

/// The same to be read piece by piece.
///
/// # Errors
/// Those of [`read`].
pub fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    match File::open(path) {
        Err(missing) if missing.kind() == ErrorKind::NotFound => Ok(Box::new(Cursor::new(read(path)?))),
        file => Ok(Box::new(file?)),
    }
}

/// Whether there is such a file or entry. One in an archive that cannot be read counts as missing; whoever reads it gets the reason.
pub fn is_file(path: &Path) -> bool {
    path.is_file()
        || place(path).is_some_and(|(archive, name)| {
            opened(&archive).is_ok_and(|entries| entries.index_for_name(&name).is_some())
        })
}

/// Names of the files and folders in a folder, those in its archive included.
///
/// # Errors
/// The file system; an archive that is not as it was written.
pub fn names(folder: &Path) -> io::Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    if let Some((archive, inner)) = place(&folder.join(ARCHIVE)) {
        let prefix = inner.strip_suffix(ARCHIVE).unwrap_or_default();
        for name in opened(&archive)?.file_names() {
            let name = name.map_err(|error| damaged(&archive, &error))?;
            names
                .extend(name.strip_prefix(prefix).and_then(|rest| rest.split('/').next()).map(str::to_owned));
        }
    }
    match folder.read_dir() {
        Err(missing) if names.is_empty() || missing.kind() != ErrorKind::NotFound => return Err(missing),
        Err(_) => {}
        Ok(files) => {
            for file in files {
                names.insert(file?.file_name().to_string_lossy().into_owned());
            }
        }
    }
    names.remove(ARCHIVE);
    Ok(names)
}

/// The files below a folder by the names of their entries, but for locks and what killed writers left.
fn below(folder: &Path, prefix: &str) -> io::Result<BTreeSet<String>> {
    let mut files = BTreeSet::new();
    for name in names(folder)?.into_iter().filter(|name| name != LOCK && !is_left_over(name)) {
        let (path, entry) = (folder.join(&name), format!("{prefix}{name}"));
        match is_file(&path) {
            true => drop(files.insert(entry)),
            false => files.extend(below(&path, &format!("{entry}/"))?),
        }
    }
    Ok(files)
}

/// Copies a folder with its files in one archive, but for those that say what the folder is: `.toml` files in the folder itself without a
/// table of the same name. The same files make the same bytes. In the same folder, the files become the archive.
///
/// # Errors
/// The file system; an archive that is not as it was written.
pub fn pack(from: &Path, out: &Path) -> Result<(), Error> {
    let fail = || Error::io(from);
    let says_what = |name: &str| {
        name.ends_with(".toml") && !name.contains('/') && !is_file(&from.join(name).with_extension("csv"))
    };
    let (kept, names): (Vec<String>, Vec<String>) =
        below(from, "").map_err(fail())?.into_iter().partition(|name| says_what(name));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(9))
        .last_modified_time(DateTime::default());
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for name in &names {
        let bytes = read(&from.join(name)).map_err(fail())?;
        let begun = writer.start_file(name, options).map_err(io::Error::from);
        begun.and_then(|()| writer.write_all(&bytes)).map_err(fail())?;
    }
    let bytes = writer.finish().map_err(|error| fail()(error.into()))?.into_inner();
    replace(&out.join(ARCHIVE), &bytes)?;
    if from != out {
        for name in kept {
            replace(&out.join(&name), &read(&from.join(&name)).map_err(fail())?)?;
        }
        return Ok(());
    }
    for name in names.iter().filter(|name| out.join(name).is_file()) {
        fs::remove_file(out.join(name)).map_err(fail())?;
        // The last file takes its folders along.
        let inner = Path::new(name).ancestors().skip(1).take_while(|inner| *inner != Path::new(""));
        inner.take_while(|inner| fs::remove_dir(out.join(inner)).is_ok()).count();
    }
    Ok(())
}

/// Makes files of the entries again, of the archive that a folder is in, for whoever is about to write in the folder.
///
/// # Errors
/// The file system; an archive that is not as it was written.
pub fn unpack(folder: &Path) -> Result<(), Error> {
    let Some((archive, _)) = place(&folder.join(ARCHIVE)) else { return Ok(()) };
    let fail = || Error::io(&archive);
    let held = File::open(&archive).map_err(fail())?;
    held.lock().map_err(fail())?;
    let Some(root) = archive.parent().filter(|_| archive.is_file()) else { return Ok(()) };
    let entries = opened(&archive).map_err(fail())?;
    let names = entries.file_names().map(|name| name.map(|name| name.into_owned()));
    for name in names.collect::<Result<Vec<_>, _>>().map_err(|error| fail()(damaged(&archive, &error)))? {
        if !Path::new(&name).components().all(|part| matches!(part, Component::Normal(_))) {
            return Err(fail()(damaged(&archive, &format!("`{name}` is the name of no file in its folder"))));
        }
        let path = root.join(&name);
        // What a kill left of an earlier try is whole where it is.
        if !path.exists() {
            let bytes = entry(&archive, &name).map_err(fail())?.unwrap_or_default();
            path.parent().map_or(Ok(()), fs::create_dir_all).map_err(fail())?;
            replace(&path, &bytes)?;
        }
    }
    fs::remove_file(&archive).map_err(fail())
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::flips;

    /// A folder with a run and a table in it, and the names of its files.
    fn folder() -> (tempfile::TempDir, [&'static str; 5]) {
        let dir = tempfile::tempdir().unwrap();
        let names = ["run.toml", "records.csv", "pairs.csv", "pairs.toml", "games/a/games.csv"];
        for name in names {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, format!("what {name} says, ").repeat(9)).unwrap();
        }
        (dir, names)
    }

    #[test]
    fn a_packed_folder_is_read_as_it_was_and_made_files_again() {
        let (dir, files) = folder();
        let dir = dir.path();
        let all = || files.map(|name| read(&dir.join(name)).unwrap());
        let expected = all();
        let copy = tempfile::tempdir().unwrap();
        pack(dir, copy.path()).unwrap();
        pack(dir, dir).unwrap();
        let there = |dir: &Path| {
            let mut names: Vec<_> = dir
                .read_dir()
                .unwrap()
                .map(|file| file.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            names
        };
        assert_eq!(
            (there(dir), there(copy.path())),
            (vec![ARCHIVE.to_owned(), "run.toml".to_owned()], there(dir))
        );
        assert_eq!(fs::read(dir.join(ARCHIVE)).unwrap(), fs::read(copy.path().join(ARCHIVE)).unwrap());
        assert_eq!(all(), expected);
        assert_eq!(
            names(dir).unwrap(),
            ["games", "pairs.csv", "pairs.toml", "records.csv", "run.toml"].map(str::to_owned).into()
        );
        assert_eq!(names(&dir.join("games")).unwrap(), ["a".to_owned()].into());
        assert!(
            is_file(&dir.join("games/a/games.csv"))
                && !is_file(&dir.join("games/a"))
                && !is_file(&dir.join("none.csv"))
        );
        assert_eq!(read(&dir.join("none.csv")).unwrap_err().kind(), ErrorKind::NotFound);
        assert!(names(&dir.join("none")).is_err());
        // Whoever is about to write in a folder of it finds files, and so does whoever comes after a kill in the midst of this.
        fs::create_dir_all(dir.join("games/a")).unwrap();
        fs::write(dir.join("games/a/games.csv"), "newer").unwrap();
        super::lock(&dir.join("games/a")).unwrap();
        assert!(!dir.join(ARCHIVE).exists());
        let mut newer = expected.clone();
        newer[4] = b"newer".to_vec();
        assert_eq!(files.map(|name| fs::read(dir.join(name)).unwrap()), newer);
    }

    /// Bits all over an archive, of each place in a byte: its files are read as they were, or refused; none is another.
    #[test]
    fn no_damage_of_an_archive_is_believed() {
        let (dir, files) = folder();
        let dir = dir.path();
        let expected = files.map(|name| fs::read(dir.join(name)).unwrap());
        pack(dir, dir).unwrap();
        let good = fs::read(dir.join(ARCHIVE)).unwrap();
        let mut refused = 0;
        for damaged in flips(&good).step_by(7) {
            fs::write(dir.join(ARCHIVE), damaged).unwrap();
            for (name, expected) in files.iter().zip(&expected) {
                match read(&dir.join(name)) {
                    Ok(bytes) => assert_eq!(bytes, *expected, "{name}"),
                    Err(error) => {
                        refused += 1;
                        assert!(
                            error.kind() == ErrorKind::NotFound || error.to_string().contains("put it back"),
                            "{error}"
                        );
                    }
                }
            }
        }
        assert!(refused > good.len() / 7, "{refused}");
    }

    #[test]
    fn an_entry_that_leads_out_of_its_folder_is_not_made_a_file() {
        let dir = tempfile::tempdir().unwrap();
        let inner = dir.path().join("run");
        fs::create_dir(&inner).unwrap();
        let mut writer = ZipWriter::new(File::create(inner.join(ARCHIVE)).unwrap());
        writer.start_file("../outside", SimpleFileOptions::default()).unwrap();
        writer.finish().unwrap();
        let error = unpack(&inner).unwrap_err().to_string();
        assert!(error.contains("`../outside` is the name of no file in its folder"), "{error}");
        assert!(!dir.path().join("outside").exists());
    }
}
