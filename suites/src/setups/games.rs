//! The games of this program: those that come with `secateur-core`, and the door for others.
//!
//! Everything here knows a game by its name and as an [`AnyGame`]; its type is left behind at the door. So a game of
//! another crate, once registered, is as good as one of ours: suites, fits, oracle, instructions and the gate take it.

use secateur_base::Unknown;
use secateur_core::game::Unit;
use secateur_core::{AnyGame, Evaluation, Game, Notation};
use secateur_positions::Provenance;
use secateur_positions::builtin::Listing;
use secateur_record::games::Traits;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A game with everything that it brings along.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The game, with the evaluation that is compiled in.
    pub game: AnyGame,
    /// Its numbers.
    pub data: Data,
}

/// The numbers of a game as texts, in the layouts of `suites/params`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Data {
    /// Parameters of the methods, chosen by people. Empty for a game that takes the usual ones.
    pub params: &'static str,
    /// What `fit` wrote; empty if nothing was fitted.
    pub fit: &'static str,
    /// Variants of the parameters by name: what differs.
    pub variants: Vec<(&'static str, &'static str)>,
    /// Other fits by the file names that variants call them by (`fit = "chess.plain.fit.toml"`).
    pub fits: Vec<(&'static str, &'static str)>,
}

impl Entry {
    /// A game with the usual parameters, nothing fitted.
    pub fn new<G: Game>(game: G) -> Entry {
        Entry { game: AnyGame::of(game), data: Data::default() }
    }

    /// The game with a set of positions that experiments know by `name`: one a line, as the game writes them, with `;` and
    /// operations as in EPD behind them if need be. The set is there from now on.
    ///
    /// # Errors
    /// A name that is taken, or the first line that is wrong.
    pub fn positions(self, name: &str, text: &str) -> secateur_positions::Result<Entry> {
        let listing = Listing {
            name: name.to_owned(),
            game: self.game.name().to_owned(),
            file: format!("{name}.pos"),
            description: format!("positions of {}", self.game.name()),
            positions: 0,
            hash: String::new(),
            reserved: None,
            provenance: Provenance {
                source: "the crate that has the game".to_owned(),
                ..Provenance::default()
            },
        };
        // Sets are kept for as long as the program runs, as the built-in ones are.
        secateur_positions::builtin::register(&self.game, listing, text.to_owned().leak())?;
        Ok(self)
    }

    /// The entry with these numbers.
    pub fn with(self, data: Data) -> Entry {
        Entry { data, ..self }
    }

    /// Makes the game known by its name, in place of one of that name. To be called before anything is planned.
    pub fn register(self) {
        // A game that comes with the program and another evaluation keeps its numbers.
        let built_in = if self.data == Data::default() { entry(self.game.name()).ok() } else { None };
        let data = built_in.map_or_else(|| self.data.clone(), |built_in| built_in.data);
        keep(Entry { data, ..self });
    }
}

/// The parameter files of this package by name, `GAME.toml`, `GAME.fit.toml`, `GAME.VARIANT.toml` and
/// `GAME.VARIANT.fit.toml`.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/params.rs"));

/// The game of this name that comes with this program, with its files. No other game's tables are made.
fn ours(name: &str) -> Option<Entry> {
    let game = secateur_games::named(name)?;
    let name_in = |file: &'static str| file.strip_prefix(name)?.strip_suffix("toml")?.strip_prefix('.');
    let mut data = Data::default();
    for (file, text) in FILES {
        match name_in(file).map(|name| name.trim_end_matches('.')) {
            Some("") => data.params = text,
            Some("fit") => data.fit = text,
            Some(variant) if variant.ends_with(".fit") => data.fits.push((file, text)),
            Some(variant) => data.variants.push((variant, text)),
            None => {}
        }
    }
    data.variants.sort_unstable();
    Some(Entry { game, data })
}

/// Games that were registered, or given other numbers.
fn entries() -> MutexGuard<'static, Vec<Entry>> {
    static ENTRIES: Mutex<Vec<Entry>> = Mutex::new(Vec::new());
    // A registration that panics half way leaves a list that is whole.
    ENTRIES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Puts an entry in the place of one of its name.
fn keep(entry: Entry) {
    let mut entries = entries();
    match entries.iter_mut().find(|other| other.game.name() == entry.game.name()) {
        Some(other) => *other = entry,
        None => entries.push(entry),
    }
}

/// Gives the game of this name what `fit` wrote for it, in place of what it had. To be called before anything is planned.
///
/// # Errors
/// [`Unknown`] with the names that exist.
pub fn fitted(name: &str, fit: String) -> Result<(), Unknown> {
    let mut entry = entry(name)?;
    entry.data.fit = fit.leak();
    keep(entry);
    Ok(())
}

/// Names of all games, those of this program first.
pub fn names() -> Vec<&'static str> {
    let entries = entries();
    let others =
        entries.iter().map(|entry| entry.game.name()).filter(|name| !secateur_games::NAMES.contains(name));
    secateur_games::NAMES.iter().copied().chain(others).collect()
}

/// The game of this name with what it brings along.
///
/// # Errors
/// [`Unknown`] with the names that exist.
pub fn entry(name: &str) -> Result<Entry, Unknown> {
    let registered = entries().iter().find(|entry| entry.game.name() == name).cloned();
    registered.or_else(|| ours(name)).ok_or_else(|| Unknown::new("game", name, &names()))
}

/// The game of this name.
///
/// # Errors
/// As [`entry`].
pub fn find(name: &str) -> Result<AnyGame, Unknown> {
    entry(name).map(|entry| entry.game)
}

/// What a reader of records must know of the game of this name; `None` of a game that this program does not have.
pub fn traits(name: &str) -> Option<Traits> {
    let game = find(name).ok()?;
    let Unit { name, scale, score } = game.unit();
    Some(Traits {
        decisive: Some(game.decisive().0),
        stages: game.stages().iter().map(|&stage| stage.to_owned()).collect(),
        unit: name.to_owned(),
        per_unit: scale.unsigned_abs(),
        score: score.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_leads_to_its_own_game() {
        for name in names() {
            assert_eq!(find(name).unwrap().name(), name);
            assert!(find(name).unwrap().decisive().0 > 0);
        }
        assert_eq!(find("ches").unwrap_err().hint.as_deref(), Some("chess"));
    }

    /// Runs without manifests that say it are read with a table, which must not say anything else.
    #[test]
    fn the_table_of_the_record_says_of_every_game_what_the_game_says() {
        let recorded =
            names().into_iter().filter_map(|name| Some((name, secateur_record::games::traits(name)?)));
        let recorded: Vec<_> = recorded.collect();
        assert!(recorded.len() >= 2, "the games of the runs that were written before");
        for (name, past) in recorded {
            let current = traits(name).unwrap();
            assert_eq!(current.decisive, past.decisive, "{name}");
            // Labels of positions are stages in chess, and numbers in Othello, which need no order.
            assert!(past.stages.is_empty() || past.stages == current.stages, "{name}");
            assert_eq!(
                (&past.unit, past.per_unit, &past.score),
                (&current.unit, current.per_unit, &current.score)
            );
        }
        assert_eq!(traits("checkers"), None);
    }
}
