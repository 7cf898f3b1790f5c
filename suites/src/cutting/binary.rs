//! Which programs a build made, and which of them is meant.

use crate::error::Error;
use crate::program::tree::Tree;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Where cargo puts what it builds for use.
const OF_CARGO: &str = "target/release";
/// What the first bytes of a program may be: of Linux, of macOS, of Windows.
const PROGRAMS: [&[u8]; 4] = [b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"MZ"];
/// What the name of a file ends with that begins as programs do and is none.
const PARTS: [&str; 7] = ["o", "so", "a", "dylib", "dll", "obj", "rlib"];

/// The programs in a tree that was built, from its folder, the likeliest first: those that are named as the source, then the larger ones. Of
/// one with the name `wanted` it is that alone. What the source itself holds is none.
///
/// # Errors
/// A build that left no program.
pub fn binaries(
    source: &Tree,
    built: &Path,
    wanted: Option<&str>,
    build: &str,
) -> Result<Vec<PathBuf>, Error> {
    let tree = Tree::read(built)?;
    let of_cargo = built.join(OF_CARGO);
    let in_release = fs::read_dir(&of_cargo).into_iter().flatten().flatten();
    let in_release = in_release.map(|entry| Path::new(OF_CARGO).join(entry.file_name()));
    let is_new = |file: &PathBuf| {
        source.files.binary_search(file).is_err()
            || fs::read(source.root.join(file)).ok() != fs::read(built.join(file)).ok()
    };
    let mut programs: Vec<PathBuf> = tree
        .files
        .into_iter()
        .chain(in_release)
        .filter(|file| is_program(&built.join(file)) && is_new(file))
        .collect();
    let folder = source.root.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let name_of = |file: &PathBuf| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if let Some(named) = programs.iter().find(|file| wanted == Some(&*name_of(file))) {
        return Ok(vec![named.clone()]);
    }
    let rank = |file: &PathBuf| {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
        let is_alike = !stem.is_empty() && (folder.starts_with(&stem) || stem.starts_with(&folder));
        let size = fs::metadata(built.join(file)).map_or(0, |data| data.len());
        (stem == folder, is_alike, size)
    };
    programs.sort_by_cached_key(|file| std::cmp::Reverse(rank(file)));
    if programs.is_empty() {
        return Err(Error::Usage(format!(
            "`{build}` ended well and left no program in {}: expected one; name a command that builds it: --build",
            built.display()
        )));
    }
    Ok(programs)
}

fn is_program(path: &Path) -> bool {
    let is_part = path.extension().is_some_and(|end| PARTS.iter().any(|part| end == *part));
    let Ok(data) = path.symlink_metadata() else { return false };
    #[cfg(unix)]
    let runs = std::os::unix::fs::PermissionsExt::mode(&data.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let runs = true;
    let mut first = [0; 4];
    let begins = || {
        fs::File::open(path).is_ok_and(|mut file| {
            file.read_exact(&mut first).is_ok() && PROGRAMS.iter().any(|magic| first.starts_with(magic))
        })
    };
    data.is_file() && runs && !is_part && { begins }()
}
