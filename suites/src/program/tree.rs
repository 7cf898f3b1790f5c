//! The files of a folder that somebody else wrote: which of them are read and copied.
//!
//! Nothing outside the folder is reached through a link, nothing without end is read, and a copy never points back into the
//! folder, so that a build of the copy cannot write there. Left out: what the files contain.

use crate::error::Error;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Files and folders below one folder, at most.
const MOST: usize = 100_000;
/// Bytes of all files together, at most.
const MOST_BYTES: u64 = 4 << 30;
/// Folders within folders, at most.
const DEEPEST: usize = 64;
/// Folders that hold what a build or a version control made.
const MADE: [&str; 6] = [".git", ".hg", ".svn", "target", "node_modules", ".secateur"];

/// The files of a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// The folder, with all links resolved.
    pub root: PathBuf,
    /// Its files, relative to it, in order: files, and links to files of the folder.
    pub files: Vec<PathBuf>,
    /// What was left out, relative to it, each with the reason.
    pub left_out: Vec<(PathBuf, String)>,
}

impl Tree {
    /// Looks through a folder.
    ///
    /// # Errors
    /// A folder that cannot be read, or one with more than can be copied.
    pub fn read(folder: &Path) -> Result<Tree, Error> {
        let root = folder.canonicalize().map_err(Error::unreadable(folder))?;
        let mut tree = Tree { root, ..Tree::default() };
        let (mut open, mut entries, mut bytes) = (vec![PathBuf::new()], 0, 0);
        while let Some(next) = open.pop() {
            let path = tree.root.join(&next);
            for entry in fs::read_dir(&path).map_err(Error::unreadable(&path))?.flatten() {
                let relative = next.join(entry.file_name());
                let Ok(kind) = entry.file_type() else { continue };
                entries += 1;
                if kind.is_dir() {
                    if is_made(&relative, &tree.root) {
                        continue;
                    }
                    if relative.components().count() > DEEPEST {
                        tree.left_out.push((relative, format!("more than {DEEPEST} folders deep")));
                    } else {
                        open.push(relative);
                    }
                    continue;
                }
                if let Some(why) = tree.refused(&relative, kind) {
                    tree.left_out.push((relative, why));
                    continue;
                }
                bytes += fs::metadata(tree.root.join(&relative)).map_or(0, |data| data.len());
                tree.files.push(relative);
            }
            if entries > MOST || bytes > MOST_BYTES {
                return Err(Error::Usage(format!(
                    "{}: found more than {MOST} files or {} GiB, expected the source of one program: name the folder that holds its \
                     makefile",
                    folder.display(),
                    MOST_BYTES >> 30
                )));
            }
        }
        tree.files.sort();
        tree.left_out.sort();
        Ok(tree)
    }

    /// Why a file is left out, if it is.
    fn refused(&self, relative: &Path, kind: fs::FileType) -> Option<String> {
        if kind.is_file() {
            return None;
        }
        if !kind.is_symlink() {
            return Some("neither a file nor a folder".to_owned());
        }
        match self.root.join(relative).canonicalize() {
            Err(_) => Some("a link to nothing".to_owned()),
            Ok(target) if !target.starts_with(&self.root) => Some("a link out of the folder".to_owned()),
            Ok(target) if target.is_file() => None,
            Ok(_) => Some("a link to a folder".to_owned()),
        }
    }

    /// The contents of a file of it.
    ///
    /// # Errors
    /// The file system; a path that leads out of the folder.
    pub fn contents(&self, relative: &Path) -> Result<Vec<u8>, Error> {
        let path = self.root.join(relative);
        fs::read(&path).map_err(Error::unreadable(&path))
    }

    /// Copies its files into another folder. A link becomes the file that it leads to.
    ///
    /// # Errors
    /// The file system.
    pub fn copy(&self, to: &Path) -> Result<(), Error> {
        for file in &self.files {
            let copy = to.join(file);
            let above = copy.parent().unwrap_or(to);
            fs::create_dir_all(above).map_err(Error::io(above))?;
            fs::copy(self.root.join(file), &copy).map_err(Error::io(&copy))?;
            writable(&copy)?;
        }
        Ok(())
    }

    /// Whether a path is one of this folder.
    pub fn holds(&self, path: &Path) -> bool {
        resolved(path).starts_with(&self.root)
    }
}

/// Whether a folder holds what a build or a version control made. One named `target` is such a folder only next to a manifest of
/// cargo.
fn is_made(relative: &Path, root: &Path) -> bool {
    let name = relative.file_name().unwrap_or_default().to_string_lossy();
    let of_cargo = || root.join(relative).with_file_name("Cargo.toml").is_file();
    MADE.contains(&&*name) && (name != "target" || of_cargo())
}

/// A patch changes files, and a source that was unpacked from an archive may be read-only.
fn writable(path: &Path) -> Result<(), Error> {
    let data = fs::metadata(path).map_err(Error::io(path))?;
    let mut permissions = data.permissions();
    if !permissions.readonly() {
        return Ok(());
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        permissions.set_mode(permissions.mode() | 0o200);
    }
    #[cfg(not(unix))]
    permissions.set_readonly(false);
    fs::set_permissions(path, permissions).map_err(Error::io(path))
}

/// A path with the links of its existing part resolved, whether or not the rest exists.
fn resolved(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut plain = PathBuf::new();
    for part in whole.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
        if let Ok(real) = plain.canonicalize() {
            plain = real;
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn links_out_of_a_folder_are_left_out_and_a_copy_points_nowhere() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        let (source, copy) = (dir.path().join("source"), dir.path().join("copy"));
        fs::create_dir_all(source.join("src/target")).unwrap();
        fs::create_dir_all(source.join(".git")).unwrap();
        for file in ["secret", "source/src/a.c", "source/src/target/b.c", "source/.git/config"] {
            fs::write(dir.path().join(file), file).unwrap();
        }
        symlink(dir.path().join("secret"), source.join("out.c")).unwrap();
        symlink(dir.path(), source.join("above")).unwrap();
        symlink(&source, source.join("again")).unwrap();
        symlink("nowhere", source.join("dead")).unwrap();
        symlink(source.join("src/a.c"), source.join("same.c")).unwrap();
        let tree = Tree::read(&source).unwrap();
        let files: Vec<_> = tree.files.iter().map(|file| file.to_str().unwrap()).collect();
        assert_eq!(files, ["same.c", "src/a.c", "src/target/b.c"]);
        let left: Vec<_> =
            tree.left_out.iter().map(|(file, why)| (file.to_str().unwrap(), why.as_str())).collect();
        assert_eq!(
            left,
            [
                ("above", "a link out of the folder"),
                ("again", "a link to a folder"),
                ("dead", "a link to nothing"),
                ("out.c", "a link out of the folder")
            ]
        );
        tree.copy(&copy).unwrap();
        fs::write(copy.join("same.c"), "changed").unwrap();
        assert_eq!(fs::read_to_string(source.join("src/a.c")).unwrap(), "source/src/a.c");
        assert!(tree.holds(&source.join("src/new/file")) && tree.holds(&source.join("again/x")));
        assert!(
            !tree.holds(&copy) && !tree.holds(&source.join("../x")) && !tree.holds(&source.join("above/x"))
        );
    }
}
