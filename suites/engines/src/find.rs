//! Where the program of an engine is.

use super::EngineError;
use secateur_base::words::words;
use std::path::{Path, PathBuf};

/// Where Debian puts engines: a folder that is not in the `PATH` of every user.
const GAMES: &str = "/usr/games";

/// The program of this name: itself if it has a folder in it, or else the first in `PATH` and then in
/// `/usr/games`.
///
/// # Errors
/// [`EngineError::NotFound`] if there is no file that can be run.
pub fn find(command: &Path) -> Result<PathBuf, EngineError> {
    let fail = |looked| EngineError::NotFound { command: command.to_owned(), looked };
    if command.components().count() > 1 {
        return match command.metadata() {
            Ok(_) if runs(command) => Ok(command.to_owned()),
            Ok(data) if data.is_dir() => {
                Err(fail("at this path, which is a folder: expected a program in it"))
            }
            Ok(_) => {
                Err(fail("as a program at this path: the file may not be run, which `chmod +x` changes"))
            }
            Err(_) => Err(fail("as a program at this path")),
        };
    }
    // `toga2` is `toga2.exe` where programs have an ending.
    let named = |folder: PathBuf| {
        let mut name = command.as_os_str().to_owned();
        name.push(std::env::consts::EXE_SUFFIX);
        [folder.join(command), folder.join(name)]
    };
    let mut places = folders().into_iter().flat_map(named);
    places.find(|place| runs(place)).ok_or_else(|| fail("in PATH and /usr/games"))
}

/// The folders that a bare name is looked for in, in order.
#[must_use]
pub fn folders() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).chain([PathBuf::from(GAMES)]).collect()
}

/// Program and arguments of a command as people write it: the whole text if it is a path at which there is a program, else
/// its [`words`].
#[must_use]
pub fn call(text: &str) -> (PathBuf, Vec<String>) {
    let whole = Path::new(text.trim());
    if whole.components().count() > 1 && runs(whole) {
        return (whole.to_owned(), Vec::new());
    }
    let mut parts = words(text).into_iter();
    (parts.next().unwrap_or_default().into(), parts.collect())
}

#[cfg(unix)]
fn runs(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn runs(path: &Path) -> bool {
    path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_names_are_found_and_others_taken_as_they_are() {
        let shell = find(Path::new("sh")).unwrap();
        assert!(shell.is_absolute() && shell.ends_with("sh"));
        assert_eq!(find(&shell).unwrap(), shell);
        let error = find(Path::new("no-such-engine")).unwrap_err().to_string();
        assert!(error.contains("`no-such-engine`") && error.contains("/usr/games"), "{error}");
        assert!(find(Path::new("./no/such")).is_err());
        let folder = find(&std::env::temp_dir()).unwrap_err().to_string();
        assert!(folder.contains("which is a folder"), "{folder}");
        let dir = tempfile::tempdir().unwrap();
        let script = dir.path().join("script");
        std::fs::write(&script, "#!/bin/sh\n").unwrap();
        let error = find(&script).unwrap_err().to_string();
        assert!(!cfg!(unix) || error.contains("chmod +x"), "{error}");
        assert!(find(Path::new("")).is_err());
    }
}
