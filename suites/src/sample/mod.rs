//! Samples position sets by self-play: what the built-in Othello and chess game sets are made with, and sets of any
//! other game that is registered.
//!
//! Test sets and fitting sets come from different random streams and share neither games nor positions, up
//! to symmetry. The same settings and evaluation give the same files on any number of threads; the list of
//! sets records both. Lives here and not with the positions because sampling must search.

mod any_game;
mod chess;
pub mod dice;
pub mod gather;
pub mod openings;
pub mod othello;
pub mod player;
mod write;

pub use chess::{ChessSettings, sample_chess};
pub use othello::{OPENING_DISCS, OthelloSettings, RESERVED_SHARE, reserved, sample_othello};
use write::prepare;
pub use write::{Draft, save};

use crate::setups::games;
use dice::Family;
use secateur_core::{Evaluation, Game};
use secateur_games::{chess::Chess, othello::Othello};
use secateur_positions::duplicates::canonicals;
use secateur_positions::{Listing, Provenance, Result, builtin, error::Error};
use std::collections::BTreeSet;
use std::path::Path;

/// What positions are sampled for; each has games of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Methods are judged on them.
    Test,
    /// Parameters are fitted on them.
    Fit,
}

impl Purpose {
    fn family(self) -> Family {
        match self {
            Purpose::Test => Family::Test,
            Purpose::Fit => Family::Fit,
        }
    }
}

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

/// Has `GAME-test` and `GAME-fit` of a game that nobody has sampled yet sampled when they are first asked for, so that every
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
        write::kept(&game, &drafts[at]).ok()
    });
}

/// Whether there are sampled sets of a game.
fn is_sampled(game: &str) -> bool {
    let sets = builtin::list().unwrap_or_default();
    sets.iter().any(|set| set.game == game && set.provenance.seed.is_some())
}

/// A set of a game where nobody names one: the first that is not for fitting, or the one that is sampled at need. `None` of a game
/// that does not say what it begins from.
#[must_use]
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
    let entries = sample_othello(&game, Purpose::Test, &test, &mut taken, &mut report);
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
        entries: sample_othello(&game, Purpose::Fit, &fit, &mut taken, &mut report),
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
        entries: sample_chess(&game, Purpose::Test, &test, &mut taken, &mut report),
        provenance: provenance(&game, settings, test.seed, test.describe()),
    };
    let mut report = |had, wanted| progress("chess fitting positions", had, wanted);
    let fitting = Draft {
        name: "chess-fit".to_owned(),
        description: "Positions for fitting, disjoint from all test sets in games and positions".to_owned(),
        entries: sample_chess(&game, Purpose::Fit, &fit, &mut taken, &mut report),
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
