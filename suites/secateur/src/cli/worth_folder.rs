//! A folder that `worth` wrote, for those who read it again: its searches and its matches.

use crate::cli::failure::Failure;
use secateur_arena::play::Ended;
use secateur_record::archive::{is_file, names};
use secateur_record::manifest;
use secateur_reports::worth::Played;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The folder of the searches.
pub const SEARCHES: &str = "searches";
/// What stands before the methods in the name of the folder of a match.
const GAMES: &str = "games-";
/// What stands in their place where the program meets itself; no method is called so.
const ITSELF: &str = "full";
/// What stands in their place in shared games.
const SHARED: &str = "shared";

/// Whether a folder is one that `worth` wrote.
pub fn is_worth(folder: &Path) -> bool {
    is_file(&folder.join(SEARCHES).join(manifest::FILE))
}

/// The folder of the match in which the second player lacks these methods, or of shared games.
pub fn folder_of(methods: &[String], is_shared: bool) -> String {
    match methods {
        [] if is_shared => format!("{GAMES}{SHARED}"),
        [] => format!("{GAMES}{ITSELF}"),
        methods => format!("{GAMES}{}", methods.join("+")),
    }
}

/// The matches of a folder, in the order of their names, each read by `read`.
pub fn matches(
    folder: &Path,
    read: impl Fn(&Path) -> Result<Ended, Failure>,
) -> Result<Vec<Played>, Failure> {
    let unreadable = |error| Failure::system(format!("{}: {error}", folder.display()));
    let mut played: BTreeMap<Vec<String>, PathBuf> = BTreeMap::new();
    for name in names(folder).map_err(unreadable)? {
        if let Some(methods) = name.strip_prefix(GAMES) {
            let methods = methods.split('+').filter(|_| methods != ITSELF).map(str::to_owned).collect();
            played.insert(methods, folder.join(&name));
        }
    }
    let played_at = |(mut methods, path): (Vec<String>, PathBuf)| {
        let ended = read(&path)?;
        if ended.file.settings.is_shared() {
            methods.clear();
        }
        Ok(Played { methods, ended })
    };
    played.into_iter().map(played_at).collect()
}
