//! Positions that no set has as they are needed: some of a set, and positions of which a judge said the right move. They are
//! written into the folder of the comparison, and read from there like any other.

use crate::Error;
use crate::setups::games;
use crate::speed::defaults::Endgame;
use secateur_positions::builtin::{self, listing};
use secateur_positions::text::quoted;
use secateur_positions::{Entry, Kind, Operation};
use secateur_record::files::replace;
use secateur_record::store::RunRows;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Some of a built-in set by their numbers, `limit` of them at most.
///
/// # Errors
/// The file system, or a set that is none.
pub(crate) fn numbered(
    game: &str,
    wanted: &Endgame,
    smoke: bool,
    limit: Option<usize>,
    folder: &Path,
) -> Result<PathBuf, Error> {
    let set = builtin::builtin(&games::find(game)?, &wanted.positions)?;
    let [first, last] = if smoke { wanted.smoke } else { [wanted.first, wanted.last] };
    let of_range = set.entries.iter().skip(first.saturating_sub(1)).take(last + 1 - first);
    let entries: Vec<Entry> = of_range.take(limit.unwrap_or(usize::MAX)).cloned().collect();
    written(&entries, &wanted.positions, &folder.join("endgame"))
}

/// The positions of a finished part whose moves a judge says, with these as their solutions, and their names.
///
/// # Errors
/// The file system; a part that is not finished.
pub(crate) fn judged(
    game: &str,
    set: &str,
    part: &Path,
    folder: &Path,
) -> Result<(PathBuf, BTreeSet<String>), Error> {
    let (rows, ..) = RunRows::read(part)?;
    let all = builtin::builtin(&games::find(game)?, set)?.entries;
    let with_move = |mut entry: Entry| {
        let row = rows.records.iter().find(|row| row.position == entry.id && row.error.is_none())?;
        let own = |code: &str| ["bm", "am"].contains(&code);
        entry.operations.retain(|operation| !own(&operation.code));
        entry.operations.push(Operation { code: "bm".to_owned(), operands: row.best_move.to_string() });
        Some(entry)
    };
    let entries: Vec<Entry> = all.into_iter().filter_map(with_move).collect();
    if entries.is_empty() {
        return Err(Error::Usage(format!("{}: the judge said no move", part.display())));
    }
    let ids = entries.iter().map(|entry| entry.id.clone()).collect();
    Ok((written(&entries, set, &folder.join("judged"))?, ids))
}

/// Writes positions of a set in the format that the set has, under the names that they have there.
fn written(entries: &[Entry], set: &str, path: &Path) -> Result<PathBuf, Error> {
    let kind = Kind::of(Path::new(&listing(set)?.file))?;
    let path = path.with_extension(kind.ending());
    let line = |entry: &Entry| {
        let mut entry = entry.clone();
        if entry.operation("id").is_none() {
            let name = if kind == Kind::Epd { quoted(&entry.id) } else { entry.id.clone() };
            entry.operations.push(Operation { code: "id".to_owned(), operands: name });
        }
        kind.write(&entry) + "\n"
    };
    let text: String = entries.iter().map(line).collect();
    std::fs::create_dir_all(path.parent().unwrap_or(&path)).map_err(Error::io(&path))?;
    replace(&path, text.as_bytes())?;
    Ok(path)
}
