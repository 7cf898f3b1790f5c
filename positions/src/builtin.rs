//! The sets that come with the tool, compiled in so that it works from any folder.
//!
//! A set is a data file and an entry in `data/sets.toml` that says where the file comes from; adding one
//! means adding both. The entry of every set has its hash and size, so that a data
//! file cannot change without its provenance.

use crate::error::{Error, Result};
use crate::load::{self, Kind, Loaded, Reading};
use crate::set::{Provenance, Set};
use secateur_base::nearest;
use secateur_core::Game;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, MutexGuard, OnceLock, PoisonError};

/// The list of sets.
const INDEX: &str = include_str!("../data/sets.toml");

/// The data files by name.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// One entry of `sets.toml`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listing {
    /// Name for `--positions`.
    pub name: String,
    /// [`Game::NAME`].
    pub game: String,
    /// Data file next to the list.
    pub file: String,
    /// What is in it, one sentence.
    pub description: String,
    /// Number of positions.
    pub positions: usize,
    /// [`Set::hash`].
    pub hash: String,
    /// Its positions that something was tuned on, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reserved: Option<Reserved>,
    /// Where the positions come from.
    pub provenance: Provenance,
}

/// Positions of a test set that something was tuned on: they are in no plan, and no document has a table with them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reserved {
    /// So many at the end of the set, at least 1.
    pub last: usize,
    /// What was tuned on them.
    pub tuned: String,
}

/// The whole of `sets.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Index {
    /// The sets, in order.
    #[serde(rename = "set", default)]
    pub sets: Vec<Listing>,
}

impl Index {
    /// Reads the list; `path` is for messages.
    ///
    /// # Errors
    /// [`Error::Index`] with what the TOML reader found.
    pub fn parse(path: &Path, text: &str) -> Result<Index> {
        toml::from_str(text)
            .map_err(|error| Error::Index { path: path.to_owned(), message: error.to_string() })
    }
}

/// Sets of other crates.
fn registered() -> MutexGuard<'static, Vec<(Listing, &'static str)>> {
    static REGISTERED: Mutex<Vec<(Listing, &'static str)>> = Mutex::new(Vec::new());
    REGISTERED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes the set of a name that no list has, if it can: a listing and the text of its file.
pub type Maker = fn(&str) -> Option<(Listing, String)>;

static MAKER: OnceLock<Maker> = OnceLock::new();

/// Has sets that are in no list made when they are first asked for. The first maker stays.
pub fn make_with(maker: Maker) {
    let _ = MAKER.set(maker);
}

/// The set of a name that no list has, as [`make_with`] has it made; from now on it is one of the built-in ones.
fn made(name: &str) -> Option<Listing> {
    let (listing, text) = MAKER.get()?(name)?;
    registered().push((listing.clone(), text.leak()));
    Some(listing)
}

/// Adds a set to the built-in ones, as another crate's game brings it along: a file in a format that [`Kind::of`] its name
/// tells. Its size and hash are found out, not believed.
///
/// # Errors
/// A name that is taken, or the first line that is wrong.
pub fn register<G: Game>(game: &G, listing: Listing, text: &'static str) -> Result<()> {
    let path = PathBuf::from(&listing.file);
    if names()?.contains(&listing.name) {
        let message = format!("there is a set `{}` already", listing.name);
        return Err(Error::Index { path, message });
    }
    let provenance = listing.provenance.clone();
    let set = load::parse(game, Kind::of(&path)?, &listing.name, &path, text, provenance)?;
    let (game, positions) = (game.name().to_owned(), set.entries.len());
    registered().push((Listing { game, positions, hash: set.hash, ..listing }, text));
    Ok(())
}

/// All built-in sets with their provenance.
///
/// # Errors
/// [`Error::Index`] if the compiled-in list is broken, which the tests rule out.
pub fn list() -> Result<Vec<Listing>> {
    // Read once: suites ask for it at every set that they name.
    static LISTED: OnceLock<Vec<Listing>> = OnceLock::new();
    let listed = match LISTED.get() {
        Some(listed) => listed,
        None => {
            let index = Index::parse(&place("sets.toml"), INDEX)?;
            LISTED.get_or_init(|| index.sets)
        }
    };
    let mut sets = listed.clone();
    sets.extend(registered().iter().map(|(listing, _)| listing.clone()));
    Ok(sets)
}

/// Names of the built-in sets, in the order of the list.
///
/// # Errors
/// As [`list`].
pub fn names() -> Result<Vec<String>> {
    Ok(list()?.into_iter().map(|listing| listing.name).collect())
}

/// The entry of one set.
///
/// # Errors
/// [`Error::UnknownSet`] with all names and the nearest one.
pub fn listing(name: &str) -> Result<Listing> {
    let sets = list()?;
    if let Some(listing) = sets.iter().find(|listing| listing.name == name) {
        return Ok(listing.clone());
    }
    if let Some(made) = made(name) {
        return Ok(made);
    }
    let names: Vec<&str> = sets.iter().map(|listing| listing.name.as_str()).collect();
    Err(Error::UnknownSet {
        name: name.to_owned(),
        known: names.join(", "),
        hint: nearest(name, &names).map(str::to_owned),
    })
}

/// Whether a position of this id is one of a built-in set that something was tuned on: the text of a row that was recorded before
/// the position was reserved.
pub fn is_reserved(id: &str) -> bool {
    static FIRST: LazyLock<BTreeMap<String, usize>> = LazyLock::new(|| {
        let sets = list().unwrap_or_default().into_iter();
        sets.filter_map(|set| Some((set.name, set.positions - set.reserved?.last + 1))).collect()
    });
    let number =
        |id: &str| id.split_once('#').and_then(|(set, number)| Some((FIRST.get(set)?, number.parse().ok()?)));
    number(id).is_some_and(|(first, number): (&usize, usize)| number >= *first)
}

/// A built-in set.
///
/// # Errors
/// [`Error::UnknownSet`], [`Error::WrongGame`], or a fault in the data, which the tests rule out.
pub fn builtin<G: Game>(game: &G, name: &str) -> Result<Set> {
    Ok(loaded_builtin(game, name)?.set)
}

fn loaded_builtin<G: Game>(game: &G, name: &str) -> Result<Loaded<G>> {
    let listing = listing(name)?;
    load::check_game(game, name, &listing.game)?;
    let path = place(&listing.file);
    let added = registered().iter().find(|(listing, _)| listing.name == name).map(|(_, text)| *text);
    let Some(text) = FILES.iter().find(|(file, _)| *file == listing.file).map(|(_, text)| *text).or(added)
    else {
        return Err(Error::Index { path, message: "the file is not compiled in".to_owned() });
    };
    let what = (Kind::of(&path)?, name, &*path);
    let mut loaded = load::loaded_text(game, what, text, listing.provenance, Reading::default())?;
    loaded.set.reserved = listing.reserved.map_or(0, |reserved| reserved.last);
    Ok(loaded)
}

/// All built-in sets of a game, in the order of the list.
///
/// # Errors
/// A fault in the data, which the tests rule out.
pub fn builtins<G: Game>(game: &G) -> Result<Vec<Set>> {
    let listings = list()?.into_iter().filter(|listing| listing.game == game.name());
    listings.map(|listing| builtin(game, &listing.name)).collect()
}

/// Where a data file is in the source tree, for messages.
fn place(file: &str) -> PathBuf {
    Path::new("positions/data").join(file)
}

/// What `--positions` takes: the name of a built-in set, a path with one of [`load::ENDINGS`], or either with `:` and the
/// identifier of one of its positions.
///
/// A built-in name wins over a file of that name without an ending.
///
/// # Errors
/// As [`builtin`] and [`crate::load::file`].
pub fn resolve<G: Game>(game: &G, name_or_path: &str) -> Result<Set> {
    resolve_as(game, name_or_path, Reading::default())
}

/// [`resolve`], a file read as `reading` says.
///
/// # Errors
/// As [`resolve`].
pub fn resolve_as<G: Game>(game: &G, name_or_path: &str, reading: Reading) -> Result<Set> {
    Ok(loaded(game, name_or_path, reading)?.set)
}

/// [`resolve_as`], with the positions as the game has them, so that they need not be read again.
///
/// # Errors
/// As [`resolve`].
pub fn loaded<G: Game>(game: &G, name_or_path: &str, reading: Reading) -> Result<Loaded<G>> {
    if let Some((set, id)) = single(name_or_path) {
        let Loaded { set: whole, positions } = loaded(game, set, reading)?;
        let mut named = whole.entries.into_iter().zip(positions).filter(|(entry, _)| entry.id == id);
        let (entry, position) =
            named.next().ok_or_else(|| Error::UnknownPosition { set: set.to_owned(), id: id.to_owned() })?;
        let set = Set::new(name_or_path, game.name(), vec![entry], whole.provenance);
        return Ok(Loaded { set, positions: vec![position] });
    }
    match file_kind(name_or_path)? {
        Some(_) => load::loaded_file(game, Path::new(name_or_path), reading),
        None => loaded_builtin(game, name_or_path),
    }
}

/// The set or file and the identifier of one of its positions, if a text names them.
fn single(text: &str) -> Option<(&str, &str)> {
    let names = names().ok()?;
    let is_set = |name: &str| names.iter().any(|set| set == name) || Path::new(name).is_file();
    let mut parts = text.match_indices(':').map(|(at, _)| (&text[..at], &text[at + 1..]));
    if is_set(text) { None } else { parts.find(|(set, _)| is_set(set)) }
}

/// The game that a set or file is for, without reading its positions; `None` for a file that may be of any, and that no list
/// next to it names.
///
/// # Errors
/// [`Error::UnknownSet`] or [`Error::Extension`].
pub fn game_of(name_or_path: &str) -> Result<Option<String>> {
    let name_or_path = single(name_or_path).map_or(name_or_path, |(set, _)| set);
    match file_kind(name_or_path)? {
        Some(kind) => Ok(kind.game().map(str::to_owned).or_else(|| listed_game(Path::new(name_or_path)))),
        None => Ok(Some(listing(name_or_path)?.game)),
    }
}

/// The game of a file that a list next to it names, as `sample` leaves one.
fn listed_game(path: &Path) -> Option<String> {
    let list = path.with_file_name("sets.toml");
    let index = Index::parse(&list, &std::fs::read_to_string(&list).ok()?).ok()?;
    let file = path.file_name()?;
    index.sets.into_iter().find(|set| *set.file == *file).map(|set| set.game)
}

/// The format if the argument looks like a path: it has an ending, a separator, or is there.
fn file_kind(name_or_path: &str) -> Result<Option<Kind>> {
    let path = Path::new(name_or_path);
    let pathlike = path.extension().is_some() || path.components().count() > 1 || path.is_file();
    if !pathlike || names()?.iter().any(|name| name == name_or_path) {
        return Ok(None);
    }
    Kind::of(path).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_games::othello::Othello;
    use std::collections::BTreeSet;

    /// One position of a set is a set of its own, with the same identifier, source game and text.
    #[test]
    fn one_position_of_a_set_is_a_set() {
        let game = secateur_games::chess::Chess::default();
        let whole = builtin(&game, "kaufman").unwrap();
        let entry = &whole.entries[2];
        let one = resolve(&game, &format!("kaufman:{}", entry.id)).unwrap();
        assert_eq!((&one.entries[..], one.hash == whole.hash), (&whole.entries[2..3], false));
        assert_eq!(game_of(&format!("kaufman:{}", entry.id)).unwrap().as_deref(), Some("chess"));
        let error = resolve(&game, "kaufman:nobody").unwrap_err().to_string();
        assert!(error.contains("kaufman") && error.contains("nobody"), "{error}");
        assert!(matches!(resolve(&game, "nowhere:1"), Err(Error::UnknownSet { .. })));
    }

    /// No file without provenance, no provenance without a file, nothing left out of the build.
    #[test]
    fn list_build_and_folder_agree() {
        let listed: BTreeSet<String> = list().unwrap().into_iter().map(|listing| listing.file).collect();
        let built: BTreeSet<String> = FILES.iter().map(|(name, _)| (*name).to_owned()).collect();
        let folder: BTreeSet<String> = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("data"))
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .filter(|name| !name.ends_with(".toml"))
            .collect();
        assert_eq!(listed, built);
        assert_eq!(listed, folder);
    }

    #[test]
    fn every_set_says_where_it_comes_from() {
        for listing in list().unwrap() {
            assert!(!listing.description.is_empty(), "{}", listing.name);
            assert!(!listing.provenance.source.is_empty(), "{}", listing.name);
            assert!(!listing.provenance.licence.is_empty(), "{}", listing.name);
            let game = Kind::of(Path::new(&listing.file)).unwrap().game();
            assert!(game.is_none_or(|game| game == listing.game), "{}", listing.name);
            if listing.provenance.seed.is_some() {
                let made = &listing.provenance;
                assert!(!made.command.is_empty() && !made.settings.is_empty() && !made.date.is_empty());
                assert_eq!(made.evaluation.len(), 16, "{}", listing.name);
            }
        }
    }

    /// The ids of rows and the sets themselves agree about what is reserved.
    #[test]
    fn reserved_positions_are_known_by_their_ids() {
        let game = Othello::default();
        for set in builtins(&game).unwrap() {
            let by_id = set.entries.iter().map(|entry| is_reserved(&entry.id));
            let by_place = (0..set.entries.len()).map(|at| set.is_reserved(at));
            assert!(by_id.eq(by_place), "{}", set.name);
        }
        assert!(is_reserved("othello-28#0471") && !is_reserved("othello-28#0470"));
        assert!(!is_reserved("chess-games#0999") && !is_reserved("othello-28") && !is_reserved("mine#0471"));
    }

    #[test]
    fn an_unknown_name_gets_the_names_and_a_hint() {
        let error = listing("bratko-kopek").unwrap_err();
        assert!(!error.is_io());
        let text = error.to_string();
        assert!(text.contains("did you mean \"bratko-kopec\"?"), "{text}");
        for name in names().unwrap() {
            assert!(text.contains(&name), "{text}");
        }
        assert!(!listing("qqq").unwrap_err().to_string().contains("did you mean"));
    }

    #[test]
    fn names_and_paths_are_told_apart() {
        assert_eq!(game_of("bratko-kopec").unwrap().as_deref(), Some("chess"));
        assert_eq!(game_of("some/where.OBF").unwrap().as_deref(), Some("othello"));
        assert!(matches!(game_of("games.txt"), Err(Error::Extension { .. })));
        assert_eq!(game_of("games.pgn").unwrap().as_deref(), Some("chess"));
        assert_eq!(game_of("any.pos").unwrap(), None);
        assert!(matches!(game_of("some/where"), Err(Error::Extension { .. })));
        assert!(matches!(game_of("where"), Err(Error::UnknownSet { .. })));
    }
}
