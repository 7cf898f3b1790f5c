//! Samples position sets by self-play: what the built-in Othello and chess game sets are made with, and sets of any
//! other game that is registered.
//!
//! Test sets and fitting sets come from different random streams and share neither games nor positions, up
//! to symmetry. The same settings and evaluation give the same files on any number of threads; the list of
//! sets records both. Lives here and not with the positions because sampling must search.
//!
//! Here too: the data file and its entry in the list of sets, and the opening lines that chess self-play starts from.

mod any_game;
mod chess;
pub mod gather;
pub mod othello;

use self::gather::Family;
use crate::setups::games;
use secateur_core::{Evaluation, Game};
use secateur_games::chess::Chess;
use secateur_games::othello::Othello;
use secateur_positions::duplicates::canonicals;
use secateur_positions::error::Error;
use secateur_positions::{Entry, Index, Kind, Listing, Operation, Provenance, Result, Set, builtin, parse};
use secateur_record::files::replaced;
use std::collections::BTreeSet;
use std::path::Path;

pub use chess::{ChessSettings, sample_chess};
pub use othello::{OPENING_DISCS, OthelloSettings, RESERVED_SHARE, reserved, sample_othello};

/// What a caller may choose; the defaults make the committed sets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SampleSettings {
    /// Seed of the games; without one the default of the game.
    pub seed: Option<u64>,
    /// Test positions for each disc count, phase or stage; without one 500 (Othello), 350 (chess), 200 (others).
    pub count: Option<usize>,
    /// Fitting positions for each disc count, phase or stage; without one 60 (Othello), 900 (chess), 400 (others).
    pub fit_count: Option<usize>,
    /// Depth of the searches that choose moves, plies, at least 1, in a game without a sampler of its own; without one 3.
    pub depth: Option<i32>,
    /// Threads; they do not change the result. 0 counts as 1.
    pub threads: usize,
    /// Command line that is recorded.
    pub command: String,
    /// Day that is recorded, `YYYY-MM-DD`.
    pub date: String,
}

/// Samples the test and fitting sets of a game into `out`: data files, and their entries in `sets.toml`,
/// which is kept up to date. Nothing is written before everything has been sampled. Gives back the entries.
///
/// `progress` hears the name of what is being sampled, positions had and positions wanted.
///
/// # Errors
/// [`Error::WrongGame`] for a game that is not known, or does not say what it begins from; [`Error::Io`] if `out` cannot be written;
/// [`Error::Index`] if its `sets.toml` is broken.
pub fn sample(
    game: &str,
    settings: &SampleSettings,
    out: &Path,
    progress: &mut dyn FnMut(&str, usize, usize),
) -> Result<Vec<Listing>> {
    match game {
        Othello::NAME => {
            prepare(out)?;
            save(&Othello::default(), out, &othello_drafts(settings, progress))
        }
        Chess::NAME => {
            prepare(out)?;
            save(&Chess::default(), out, &chess_drafts(settings, progress)?)
        }
        other => {
            let game = games::find(other).map_err(|_| Error::WrongGame {
                set: "sampling".to_owned(),
                found: other.to_owned(),
                expected: games::names().join(" or "),
            })?;
            let start = any_game::start(&game)?;
            prepare(out)?;
            save(&game, out, &any_game::drafts(&game, &start, settings, progress))
        }
    }
}

/// Positions of a set that is sampled at need, of all stages together: pairs of the usual match.
const AT_NEED: usize = 100;
/// Depth of the searches that choose its moves, plies: it must be there in seconds.
const AT_NEED_DEPTH: i32 = 2;

/// Has `GAME-test` and `GAME-fit` of a game without sampled sets sampled when they are first asked for, so that every
/// command has something to search, to play from and to fit on.
pub fn at_need() {
    builtin::make_with(|name| {
        let (game, purpose) = name.rsplit_once('-')?;
        let at = ["test", "fit"].iter().position(|kind| *kind == purpose)?;
        let game = games::find(game).ok().filter(|game| !is_sampled(game.name()))?;
        // The fitting set is disjoint from the test set, which is therefore drawn for it too.
        let count = AT_NEED.div_ceil(game.stages().len());
        let settings = SampleSettings {
            count: Some(count),
            fit_count: Some(at * count),
            depth: Some(AT_NEED_DEPTH),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            command: format!("none: sampled when it was asked for, {count} positions of each stage"),
            ..SampleSettings::default()
        };
        let drafts = any_game::drafts(&game, &any_game::start(&game).ok()?, &settings, &mut |_, _, _| ());
        kept(&game, &drafts[at]).ok()
    });
}

/// Whether there are sampled sets of a game.
fn is_sampled(game: &str) -> bool {
    let sets = builtin::list().unwrap_or_default();
    sets.iter().any(|set| set.game == game && set.provenance.seed.is_some())
}

/// The usual set of a game: the first that is not for fitting, or the one that is sampled at need. `None` of a game
/// that does not say what it begins from.
pub fn usual_set<G: Game>(game: &G) -> Option<String> {
    let sets = builtin::list().unwrap_or_default().into_iter();
    let mut of_game = sets.filter(|set| set.game == game.name() && !set.name.contains("fit"));
    let sampled = || game.start().map(|_| format!("{}-test", game.name()));
    of_game.next().map(|set| set.name).or_else(sampled)
}

fn othello_drafts(settings: &SampleSettings, progress: &mut dyn FnMut(&str, usize, usize)) -> Vec<Draft> {
    let game = Othello::default();
    let mut taken = BTreeSet::new();
    let mut test = OthelloSettings { threads: settings.threads, ..OthelloSettings::test() };
    test.seed = settings.seed.unwrap_or(test.seed);
    test.count = settings.count.unwrap_or(test.count);
    let mut fit = OthelloSettings { threads: settings.threads, seed: test.seed, ..OthelloSettings::fit() };
    fit.count = settings.fit_count.unwrap_or(fit.count);

    let mut report = |had, wanted| progress("othello test positions", had, wanted);
    let entries = sample_othello(&game, Family::Test, &test, &mut taken, &mut report);
    let mut drafts: Vec<Draft> = Vec::new();
    for &discs in &test.discs {
        let label = discs.to_string();
        drafts.push(Draft {
            name: format!("othello-{discs}"),
            description: format!("Self-play positions with {discs} discs from balanced openings"),
            entries: entries.iter().filter(|entry| entry.stage == label).cloned().collect(),
            provenance: provenance(&game, settings, test.seed, test.describe()),
        });
    }
    let mut report = |had, wanted| progress("othello fitting positions", had, wanted);
    drafts.push(Draft {
        name: "othello-fit".to_owned(),
        description: "Positions for fitting, disjoint from the test sets in games and positions".to_owned(),
        entries: sample_othello(&game, Family::Fit, &fit, &mut taken, &mut report),
        provenance: provenance(&game, settings, fit.seed, fit.describe()),
    });
    drafts
}

fn chess_drafts(
    settings: &SampleSettings,
    progress: &mut dyn FnMut(&str, usize, usize),
) -> Result<Vec<Draft>> {
    let game = Chess::default();
    // The positions of the literature are test positions too: nothing may be fitted on them.
    let mut taken = BTreeSet::new();
    for name in ["bratko-kopec", "zugzwang"] {
        taken.extend(canonicals(&game, &builtin(&game, name)?).unwrap_or_default());
    }
    let mut test = ChessSettings { threads: settings.threads, ..ChessSettings::test() };
    test.seed = settings.seed.unwrap_or(test.seed);
    test.count = settings.count.unwrap_or(test.count);
    let mut fit = ChessSettings { threads: settings.threads, seed: test.seed, ..ChessSettings::fit() };
    fit.count = settings.fit_count.unwrap_or(fit.count);

    let mut report = |had, wanted| progress("chess test positions", had, wanted);
    let games = Draft {
        name: "chess-games".to_owned(),
        description: "Self-play positions of all phases from known openings".to_owned(),
        entries: sample_chess(&game, Family::Test, &test, &mut taken, &mut report),
        provenance: provenance(&game, settings, test.seed, test.describe()),
    };
    let mut report = |had, wanted| progress("chess fitting positions", had, wanted);
    let fitting = Draft {
        name: "chess-fit".to_owned(),
        description: "Positions for fitting, disjoint from all test sets in games and positions".to_owned(),
        entries: sample_chess(&game, Family::Fit, &fit, &mut taken, &mut report),
        provenance: provenance(&game, settings, fit.seed, fit.describe()),
    };
    Ok(vec![games, fitting])
}

fn provenance<G: Game>(game: &G, settings: &SampleSettings, seed: u64, described: String) -> Provenance {
    Provenance {
        source: "self-play of this project".to_owned(),
        licence: "MIT OR Apache-2.0".to_owned(),
        command: settings.command.clone(),
        seed: Some(seed),
        settings: described,
        date: settings.date.clone(),
        evaluation: format!("{:016x}", game.evaluation_id()),
    }
}

/// A set that is not written yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// Name of the set, and of its file without the ending.
    pub name: String,
    /// One sentence.
    pub description: String,
    /// The positions; names are given when they are read.
    pub entries: Vec<Entry>,
    /// Where they come from.
    pub provenance: Provenance,
}

/// The position as an entry without a name of its own.
fn entry<G: Game>(game: &G, family: Family, number: u64, pos: &G::Position) -> Entry {
    let cluster = format!("{}/{number:06}", family.name());
    let operands =
        if Kind::Obf.game() == Some(game.name()) { cluster.clone() } else { format!("\"{cluster}\"") };
    Entry {
        id: String::new(),
        position: game.format(pos),
        cluster,
        stage: game.label(pos),
        operations: vec![Operation { code: "cluster".to_owned(), operands }],
        line: 0,
    }
}

/// Makes the folder and tries to write in it, so that minutes of sampling do not end in an error.
///
/// # Errors
/// As [`save`].
fn prepare(out: &Path) -> Result<Index> {
    std::fs::create_dir_all(out).map_err(|source| Error::io(out, source))?;
    let probe = out.join("probe.tmp");
    std::fs::write(&probe, "").map_err(|source| Error::io(&probe, source))?;
    std::fs::remove_file(&probe).map_err(|source| Error::io(&probe, source))?;
    let list = out.join("sets.toml");
    match std::fs::read_to_string(&list) {
        Ok(text) => Index::parse(&list, &text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Index::default()),
        Err(error) => Err(Error::io(&list, error)),
    }
}

/// Writes data files into `out` (made if need be) and brings its `sets.toml` up to date: an entry of the
/// same name is replaced in its place, others are kept. Every file is replaced in one step.
///
/// # Errors
/// [`Error::Io`] if something cannot be read or written; [`Error::Index`] if `sets.toml` is broken; a fault
/// in a line if a draft holds what cannot be read back.
pub fn save<G: Game>(game: &G, out: &Path, drafts: &[Draft]) -> Result<Vec<Listing>> {
    let mut index = prepare(out)?;
    let list = out.join("sets.toml");
    let of_game = |kind: &Kind| kind.game() == Some(game.name());
    let kind = [Kind::Obf, Kind::Epd].into_iter().find(of_game).unwrap_or(Kind::Plain);
    let mut texts = Vec::new();
    for draft in drafts {
        let text = text(draft, kind);
        let file = format!("{}.{}", draft.name, kind.ending());
        let set = parse(game, kind, &draft.name, &out.join(&file), &text, draft.provenance.clone())?;
        texts.push((file.clone(), text));
        put(&mut index, listing(draft, file, set));
    }
    for (file, text) in &texts {
        replace(&out.join(file), text)?;
    }
    let head = "# The built-in position sets: what each is, and where its file comes from.\n\n";
    let body = toml::to_string(&index)
        .map_err(|error| Error::Index { path: list.clone(), message: error.to_string() })?;
    replace(&list, &(head.to_owned() + &body))?;
    let made = |listing: &&Listing| drafts.iter().any(|draft| draft.name == listing.name);
    Ok(index.sets.iter().filter(made).cloned().collect())
}

/// A draft as a set that is kept in no file: its entry in a list, and the text.
///
/// # Errors
/// A fault in a line if the draft holds what cannot be read back.
fn kept<G: Game>(game: &G, draft: &Draft) -> Result<(Listing, String)> {
    let (text, file) = (text(draft, Kind::Plain), format!("{}.pos", draft.name));
    let set = parse(game, Kind::Plain, &draft.name, file.as_ref(), &text, draft.provenance.clone())?;
    Ok((listing(draft, file, set), text))
}

/// The data file of a draft.
fn text(draft: &Draft, kind: Kind) -> String {
    let mark = if kind == Kind::Obf { '%' } else { '#' };
    let mut text = format!("{mark} {}. Provenance: sets.toml, {:?}.\n", draft.description, draft.name);
    for entry in &draft.entries {
        text.push_str(&kind.write(entry));
        text.push('\n');
    }
    text
}

fn listing(draft: &Draft, file: String, set: Set) -> Listing {
    Listing {
        name: draft.name.clone(),
        game: set.game,
        file,
        description: draft.description.clone(),
        positions: set.entries.len(),
        hash: set.hash,
        reserved: None,
        provenance: set.provenance,
    }
}

fn put(index: &mut Index, listing: Listing) {
    match index.sets.iter_mut().find(|old| old.name == listing.name) {
        Some(old) => *old = listing,
        None => index.sets.push(listing),
    }
}

/// Writes a file whole or not at all.
fn replace(path: &Path, text: &str) -> Result<()> {
    replaced(path, text.as_bytes()).map_err(|source| Error::io(path, source))
}

/// The opening lines that self-play starts from, so that games differ and look like games, as text: one a line, `ECO name:
/// moves`; `#` starts a comment.
const LINES: &str = include_str!("openings.txt");

/// Positions of each opening line from the start position to its end.
///
/// # Panics
/// If a line is illegal, which the tests rule out.
pub fn opening_lines<G: Game>(game: &G) -> Vec<Vec<G::Position>> {
    let start = game.start().expect("a game with openings says what it begins from");
    let line = |text: &str| {
        let mut played = vec![game.parse(&start).expect("the start position is legal")];
        let (_, moves) = text.split_once(':').expect("a name and a colon");
        for word in moves.split_whitespace() {
            let pos = played.last().expect("never empty");
            let mv = game.parse_move(pos, word).unwrap_or_else(|error| panic!("{text}: {word}: {error}"));
            played.push(game.play(pos, mv));
        }
        played
    };
    texts().map(line).collect()
}

/// Names of the opening lines, in the same order.
pub fn opening_names() -> Vec<&'static str> {
    texts().map(|text| text.split_once(':').map_or(text, |(name, _)| name)).collect()
}

fn texts() -> impl Iterator<Item = &'static str> {
    LINES.lines().filter(|text| !text.starts_with('#') && !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_positions::{Index, check, duplicates::overlap, file};

    fn small(folder: &Path, game: &str, count: usize) -> Result<Vec<Listing>> {
        let settings = SampleSettings {
            count: Some(count),
            fit_count: Some(1),
            depth: Some(AT_NEED_DEPTH),
            threads: 2,
            command: "test".to_owned(),
            date: "2000-01-01".to_owned(),
            ..SampleSettings::default()
        };
        sample(game, &settings, folder, &mut |_, had, wanted| assert!(had <= wanted))
    }

    #[test]
    fn files_and_list_agree_and_sets_are_disjoint() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("new/folder");
        let made = small(&out, "othello", 2).unwrap();
        assert_eq!(made.len(), 6);
        let text = std::fs::read_to_string(out.join("sets.toml")).unwrap();
        assert_eq!(Index::parse(&out, &text).unwrap().sets, made);
        let game = Othello::default();
        let sets: Vec<_> =
            made.iter().map(|listing| file(&game, &out.join(&listing.file)).unwrap()).collect();
        for (listing, set) in made.iter().zip(&sets) {
            assert_eq!((listing.positions, &listing.hash), (set.entries.len(), &set.hash));
            assert!(
                check(&games::find(&listing.game).unwrap(), &out.join(&listing.file).display().to_string())
                    .unwrap()
                    .is_clean()
            );
        }
        for set in &sets[..5] {
            assert_eq!(overlap(&game, set, &sets[5]).unwrap(), [""; 0]);
        }
    }

    #[test]
    fn sampling_again_replaces_and_keeps_the_other_sets() {
        let folder = tempfile::tempdir().unwrap();
        let listing = |name: &str| Listing {
            name: name.to_owned(),
            game: "chess".to_owned(),
            file: format!("{name}.epd"),
            description: "kept".to_owned(),
            positions: 1,
            hash: "0".repeat(16),
            reserved: None,
            provenance: Provenance::default(),
        };
        let index = Index { sets: vec![listing("first"), listing("second")] };
        let path = folder.path().join("sets.toml");
        std::fs::write(&path, toml::to_string(&index).unwrap()).unwrap();
        small(folder.path(), "einstein", 1).unwrap();
        let made = small(folder.path(), "einstein", 2).unwrap();
        let after = Index::parse(&path, &std::fs::read_to_string(&path).unwrap()).unwrap();
        assert_eq!(after.sets[..2], index.sets);
        assert_eq!(after.sets[2..], made);
    }

    #[test]
    fn what_cannot_be_done_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let error = small(folder.path(), "otello", 1).unwrap_err();
        assert!(error.to_string().contains("othello"), "{error}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        std::fs::write(folder.path().join("sets.toml"), "[[set]]\nname = 3").unwrap();
        let error = small(folder.path(), "othello", 1).unwrap_err();
        assert!(matches!(error, Error::Index { .. }), "{error}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert!(small(&file, "othello", 1).unwrap_err().is_io());
    }
}
