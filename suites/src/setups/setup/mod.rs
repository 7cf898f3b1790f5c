//! Everything numeric that a search depends on besides game and position: the parameters of the methods, the
//! host options and the fitted numbers, with an id that changes when any of them does.
//!
//! Parameters are files for people to read and change (`suites/params/GAME.toml`); fits are files that only
//! `cargo xtask fit` writes (`GAME.fit.toml`). Both are compiled in, so that a build knows its own numbers.
//!
//! A user's parameter file is an overlay of the embedded numbers and has only what differs. Its entries are put in one by one, so that
//! the first that does not fit can be shown at its place in the file; reading the merged whole could only say that something is wrong.
//!
//! Identities are 16 hex digits that change when a number that they stand for changes, and only then. Numbers are hashed by name
//! and bits, so neither formatting nor the order in a file counts, and an identity means the same on every machine. An arm is
//! what it is made of: its own methods with their parameters, the fits that they use, and the host. A method that is not in it,
//! or a new host option at its default, leaves it alone.

use super::arm::Arm;
use super::numbers::{Numbers, plain, put};
use super::{games, methods};
use secateur_base::{Fault, Unknown, fault};
use secateur_core::prune::{Baselines, Guards, MethodSet, Methods, SetupError};
use secateur_core::search::Options;
use secateur_core::{Evaluation, Game};
use secateur_positions::{Fnv, Set};
use secateur_record::Error;
use secateur_record::error::{in_plain_words, text_of};
use secateur_record::fitted::Fitted;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use toml::de::{DeTable, DeValue};
use toml::{Table, Value};

/// Parameters for a game that brings none: depths and counts of the published forms, margins of a piece of three pawns where
/// a pawn is 100.
const USUAL: &str = include_str!("../../../params/usual.toml");

/// The numbers of one game.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// [`Game::NAME`] of the game that the numbers are for.
    pub game: String,
    /// Parameters of all methods.
    pub params: Numbers,
    /// Fitted numbers; empty where nothing was fitted yet.
    pub baselines: Baselines,
    /// Options of the search host.
    pub options: Options,
    /// How the committed fit of the game is made.
    pub fitting: Fitting,
    /// How the game is played.
    pub play: Play,
    /// [`secateur_core::Evaluation::evaluation_id`] of the evaluation that the fit belongs to; absent if nothing was fitted.
    pub evaluation: Option<u64>,
    /// Content hash of the positions that were fitted on; no report may use them. Not part of the id.
    pub fitted_on: Option<String>,
}

/// How matches of a game are played: the section `[play]` of its parameter file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Play {
    /// What matches usually begin from: a set of positions by name, `lines` for known lines with some
    /// varied plies, `layouts` for what the lot sets up ([`secateur_core::Notation::layout`]), or nothing.
    pub openings: String,
    /// Whether UCI engines play it.
    pub uci: bool,
}

/// How deep and how widely a fit of a game is made: the section `[fitting]` of its parameter file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Fitting {
    /// Nodes drawn below each position, at least 1.
    pub draws: usize,
    /// Most plies between a position and the node drawn below it, at least 1.
    pub walk: u32,
    /// Depth up to which `none` is searched, plies.
    pub depth_none: i32,
    /// Depth up to which `none` is searched at a share of the draws, plies.
    pub depth_deeper: i32,
    /// Depth up to which `null-move` is searched, plies; 0 leaves it out.
    pub depth_null_move: i32,
    /// Shallow values beyond this distance from zero are left out; 0 keeps all.
    pub range: i32,
    /// Whether positions of all stages are fitted together, and each stage has the same models.
    pub together: bool,
}

impl Default for Fitting {
    fn default() -> Fitting {
        Fitting {
            draws: 2,
            walk: 8,
            depth_none: 12,
            depth_deeper: 14,
            depth_null_move: 0,
            range: 0,
            together: false,
        }
    }
}

/// The layout of a parameter file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Chosen {
    #[serde(default)]
    play: Play,
    #[serde(default)]
    fitting: Fitting,
    #[serde(default)]
    host: Options,
    methods: Numbers,
}

/// A game, and the texts of its parameters and its fit.
type Texts = (String, &'static str, &'static str);

impl Setup {
    /// The numbers that a game comes with.
    ///
    /// # Errors
    /// [`SetupFileError::Unknown`]; [`SetupFileError::Record`] only if the build's own files are broken.
    pub fn embedded(game: &str) -> Result<Setup, SetupFileError> {
        let entry = games::entry(game)?;
        // Every block of every suite asks for them, and reading them takes longer than a small search.
        static READ: Mutex<BTreeMap<Texts, Setup>> = Mutex::new(BTreeMap::new());
        // A game may get another fit while the program runs.
        let texts = (game.to_owned(), entry.data.params, entry.data.fit);
        let read = || READ.lock().unwrap_or_else(PoisonError::into_inner);
        let read_before = read().get(&texts).cloned();
        if let Some(setup) = read_before {
            return Ok(setup);
        }
        let path = format!("{game}.toml");
        let chosen = if entry.data.params.is_empty() { USUAL } else { entry.data.params };
        let chosen =
            completed(chosen).map_err(|error| Error::place(path.as_ref(), error.to_string().trim_end()))?;
        let setup = Setup {
            game: game.to_owned(),
            params: chosen.methods,
            baselines: Baselines::default(),
            options: chosen.host,
            fitting: chosen.fitting,
            play: chosen.play,
            evaluation: None,
            fitted_on: None,
        };
        let setup = setup.with_fit(format!("{game}.fit.toml").as_ref(), entry.data.fit)?;
        read().insert(texts, setup.clone());
        Ok(setup)
    }

    /// The built-in variants of a game's numbers: name, and what differs.
    fn variants(game: &str) -> Vec<(&'static str, &'static str)> {
        games::entry(game).map(|entry| entry.data.variants).unwrap_or_default()
    }

    /// The built-in variants of a game's numbers: name, and the first sentence that the file says of itself.
    pub fn described(game: &str) -> Vec<(&'static str, String)> {
        let about = |text: &str| {
            let comment = text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim);
            let comment = comment.collect::<Vec<_>>().join(" ");
            comment.split_inclusive(". ").next().unwrap_or_default().trim_end_matches(['.', ' ']).to_owned()
        };
        Setup::variants(game).into_iter().map(|(name, text)| (name, about(text))).collect()
    }

    /// Whether [`Setup::load`] takes this for a built-in variant rather than a file.
    pub fn is_named(name_or_path: &str) -> bool {
        let has = |game: &&str| Setup::variants(game).iter().any(|(name, _)| *name == name_or_path);
        games::names().iter().any(has)
    }

    /// A built-in variant of a game's numbers by name, or the file at this path ([`Setup::read`]).
    ///
    /// # Errors
    /// Those of [`Setup::read`].
    pub fn load(game: &str, name_or_path: &str) -> Result<Setup, SetupFileError> {
        let variants = Setup::variants(game);
        match variants.iter().find(|(name, _)| *name == name_or_path) {
            Some((name, text)) => match Setup::embedded(game)?.overlaid(name.as_ref(), text)? {
                (setup, None) => Ok(setup),
                (setup, Some(fit)) => setup.with_fit(fit.as_ref(), Setup::named_fit(game, &fit)?),
            },
            None if Setup::is_path(name_or_path) => Setup::read(game, Path::new(name_or_path)),
            None => {
                let names: Vec<&str> = variants.iter().map(|(name, _)| *name).collect();
                let mut error = Unknown::new("variant of the parameters", name_or_path, &names);
                error.names += &format!(" ({game}), or a .toml file");
                Err(error.into())
            }
        }
    }

    /// The text of a built-in fit that a built-in variant names.
    fn named_fit(game: &str, file: &str) -> Result<&'static str, SetupFileError> {
        let fits = games::entry(game).map(|entry| entry.data.fits).unwrap_or_default();
        let fit_text = fits.iter().find(|(name, _)| *name == file).map(|(_, text)| *text);
        let names: Vec<&str> = fits.iter().map(|(name, _)| *name).collect();
        fit_text.ok_or_else(|| Unknown::new("built-in fit", file, &names).into())
    }

    /// Whether a text is meant as a file: it has an ending or a folder, or such a file is there.
    pub fn is_path(name_or_path: &str) -> bool {
        let path = Path::new(name_or_path);
        !Setup::is_named(name_or_path)
            && (path.extension().is_some() || path.components().count() > 1 || path.is_file())
    }

    /// [`Setup::load`] of what was given, [`Setup::embedded`] if nothing was.
    ///
    /// # Errors
    /// Those of both.
    pub fn chosen(game: &str, name_or_path: Option<&str>) -> Result<Setup, SetupFileError> {
        name_or_path.map_or_else(|| Setup::embedded(game), |chosen| Setup::load(game, chosen))
    }

    /// The embedded numbers with those of a user's file in their place. The file has the layout of
    /// `suites/params/GAME.toml` and needs to hold only what differs; `fit = "FILE"` at its top names another
    /// fit, relative to the file itself.
    ///
    /// # Errors
    /// [`SetupFileError::Record`] with line and column of the first wrong entry.
    pub fn read(game: &str, path: &Path) -> Result<Setup, SetupFileError> {
        let text = text_of(path)?;
        let setup = Setup::embedded(game)?;
        let (setup, fit) = setup.overlaid(path, &text)?;
        match fit {
            None => Ok(setup),
            Some(name) => {
                let fit = path.parent().unwrap_or(Path::new("")).join(name);
                // Only errors of a fit may quote the file: any other file could hold what must not be printed.
                let text = text_of(&fit).map_err(SetupFileError::from);
                text.and_then(|text| setup.with_fit(&fit, &text)).map_err(|error| match error {
                    SetupFileError::Record(Error::Place { what, .. }) if !what.starts_with("a fit of ") => {
                        let what = format!(
                            "{} names this file as `fit`, but `{} fit` did not write it",
                            path.display(),
                            secateur_base::program::name()
                        );
                        Error::place(&fit, what).into()
                    }
                    other => other,
                })
            }
        }
    }

    /// [`Setup::read`] of a text; `path` is for messages. A `fit` that it names is not read.
    ///
    /// # Errors
    /// [`SetupFileError::Record`] with line and column of the first wrong entry.
    pub fn parse(game: &str, path: &Path, text: &str) -> Result<Setup, SetupFileError> {
        Ok(Setup::embedded(game)?.overlaid(path, text)?.0)
    }

    /// The same parameters with the fits of a text that `fit` wrote; `path` is where faults of it are said to be.
    ///
    /// # Errors
    /// [`SetupFileError::Record`] if it is no fit of this game.
    pub fn with_fit(mut self, path: &Path, text: &str) -> Result<Setup, SetupFileError> {
        let fitted = Fitted::parse(path, text)?;
        if let Some(provenance) = fitted.provenance {
            if provenance.game != self.game {
                let message = format!("a fit of {}, expected one of {}", provenance.game, self.game);
                return Err(Error::place(path, message).into());
            }
            self.evaluation = Some(provenance.evaluation_id(path)?);
            self.fitted_on = Some(provenance.positions_hash);
        } else {
            (self.evaluation, self.fitted_on) = (None, None);
        }
        self.baselines = fitted.baselines;
        Ok(self)
    }

    /// These numbers with those of a parameter text in their place, and the `fit` that the text names.
    fn overlaid(mut self, path: &Path, text: &str) -> Result<(Setup, Option<String>), SetupFileError> {
        let chosen =
            Chosen { play: self.play, fitting: self.fitting, host: self.options, methods: self.params };
        let (chosen, fit) = apply(path, text, &chosen)?;
        self.options = chosen.host;
        (self.fitting, self.play) = (chosen.fitting, chosen.play);
        self.params = chosen.methods;
        Ok((self, fit))
    }

    /// Refuses numbers that do not belong to `game` and its evaluation. Call it before any measurement.
    ///
    /// # Errors
    /// [`SetupFileError::OtherGame`]; [`SetupFileError::Stale`] for a fit of another evaluation;
    /// [`SetupFileError::NoRoom`].
    pub fn check<G: Game>(&self, game: &G) -> Result<(), SetupFileError> {
        if self.game != game.name() {
            let (found, expected) = (self.game.clone(), game.name().to_owned());
            return Err(SetupFileError::OtherGame { found, expected });
        }
        has_room(self.options.table_mib)?;
        match self.evaluation {
            Some(fitted) if fitted != game.evaluation_id() => {
                Err(SetupFileError::Stale { game: self.game.clone(), fitted, current: game.evaluation_id() })
            }
            _ => Ok(()),
        }
    }

    /// Refuses the positions that the fit rests on: a method judged by them would look better than it is.
    /// To be asked with the whole set, before any limit.
    ///
    /// # Errors
    /// [`SetupFileError::FittedOn`].
    pub fn check_positions(&self, set: &Set) -> Result<(), SetupFileError> {
        if self.fitted_on.as_ref() == Some(&set.hash) {
            return Err(SetupFileError::FittedOn { game: self.game.clone(), set: set.name.clone() });
        }
        Ok(())
    }

    /// The methods of `set` with these numbers.
    ///
    /// # Errors
    /// What the first method that cannot be set up says.
    pub fn methods(&self, set: &MethodSet) -> Result<Methods, SetupError> {
        self.ready(set, &self.params, &self.baselines)
    }

    /// The methods of `arm` with these numbers and its own.
    ///
    /// # Errors
    /// A change that cannot be made, or what the first method that cannot be set up says.
    pub fn equip(&self, arm: &Arm) -> Result<Methods, SetupError> {
        self.equipped(arm).map(|(_, ready)| ready)
    }

    /// The same behind the parameters of the arm.
    pub(crate) fn equipped(&self, arm: &Arm) -> Result<(Numbers, Methods), SetupError> {
        let numbers = arm.params(&self.params)?;
        let ready = self.ready(&arm.set, &numbers, &self.baselines)?;
        Ok((numbers, ready))
    }

    fn ready(
        &self,
        set: &MethodSet,
        numbers: &Numbers,
        baselines: &Baselines,
    ) -> Result<Methods, SetupError> {
        let game = games::find(&self.game);
        // A setup is made for a game that there is.
        let game = game.map_err(|error| SetupError { method: "none", message: error.to_string() })?;
        methods::ready(&self.game, set, numbers, baselines, game.stages().len())
    }
}

/// A parameter text as it is meant: a method that it has no section for has the usual numbers.
fn completed(text: &str) -> Result<Chosen, toml::de::Error> {
    let mut chosen: toml::Table = toml::from_str(text)?;
    let usual: toml::Table = toml::from_str(USUAL)?;
    let methods = chosen.entry("methods").or_insert_with(|| toml::Table::new().into());
    if let (Some(methods), Some(usual)) = (methods.as_table_mut(), usual["methods"].as_table()) {
        for (name, numbers) in usual {
            methods.entry(name).or_insert_with(|| numbers.clone());
        }
    }
    // An error in the text has a place there; in what was put together it has none.
    match chosen.try_into() {
        Ok(whole) => Ok(whole),
        Err(error) => match toml::from_str::<Chosen>(text) {
            Err(placed) if !placed.message().starts_with("missing field") => Err(placed),
            _ => Err(error),
        },
    }
}

/// Refuses a table that this machine has no room for, before anything is searched.
fn has_room(table_mib: usize) -> Result<(), SetupFileError> {
    let bytes = table_mib.checked_mul(1 << 20);
    let room = bytes.is_some_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok());
    if room { Ok(()) } else { Err(SetupFileError::NoRoom { table_mib }) }
}

/// `base` with the entries of `text` in place of its own, and the value of a `fit` entry at the top.
fn apply(path: &Path, text: &str, base: &Chosen) -> Result<(Chosen, Option<String>), SetupFileError> {
    let spans = DeTable::parse(text).map_err(|error| Error::place(path, error.to_string().trim_end()))?;
    let mut fit = None;
    let mut merged = toml::Value::try_from(base).expect("numbers have a TOML form");
    let mut chosen = base.clone();
    for (names, start, entry) in leaves(spans.get_ref(), text) {
        let fail = |message: &str| {
            let Fault { line, column, .. } = *fault(path, text, start, message);
            let message = format!("line {line}, column {column}: `{}`: {message}", names.join("."));
            SetupFileError::from(Error::place(path, message))
        };
        let entry = entry.map_err(|fault| fail(&fault))?;
        if names == ["fit"] {
            fit = Some(entry.as_str().ok_or_else(|| fail("expected the name of a file"))?.to_owned());
            continue;
        }
        put(&mut merged, &names, entry).map_err(|fault| fail(&fault))?;
        chosen = Chosen::deserialize(merged.clone()).map_err(|error| {
            fail(&in_plain_words(error.message().lines().next().unwrap_or("not understood")))
        })?;
    }
    Ok((chosen, fit))
}

/// Every entry that is no table, with its names from the top and where it stands, in the file's order.
fn leaves(table: &DeTable<'_>, text: &str) -> Vec<(Vec<String>, usize, Result<toml::Value, String>)> {
    let mut entries = Vec::new();
    let mut open = vec![(Vec::new(), table)];
    while let Some((names, table)) = open.pop() {
        for (key, value) in table {
            let mut names: Vec<String> = names.clone();
            names.push(key.get_ref().to_string());
            match value.get_ref() {
                DeValue::Table(inner) => open.push((names, inner)),
                _ => {
                    let value = value_of(text.get(value.span()).unwrap_or_default());
                    entries.push((names, key.span().start, value));
                }
            }
        }
    }
    entries.sort_by_key(|(_, start, _)| *start);
    entries
}

/// The value that a piece of TOML stands for. It was parsed a moment ago as part of the file, but a number may be larger
/// than any value can hold, and an array of tables (`[[x]]`) is none.
fn value_of(text: &str) -> Result<toml::Value, String> {
    plain(text).ok_or_else(|| {
        let first_line = text.lines().next().unwrap_or_default();
        format!("found {first_line}, expected a number, a text, true, false or a list of numbers")
    })
}

/// Why there is no [`Setup`].
#[derive(Debug, thiserror::Error)]
pub enum SetupFileError {
    /// A file that cannot be read, or not understood.
    #[error(transparent)]
    Record(#[from] secateur_record::Error),
    /// A game that is none, or a name that no variant of its numbers has, and no file either.
    #[error(transparent)]
    Unknown(#[from] Unknown),
    /// A transposition table that does not fit the machine.
    #[error("host.table-mib: found {table_mib}, but there is no room for so many MiB")]
    NoRoom {
        /// What was asked for, MiB.
        table_mib: usize,
    },
    /// Numbers of another game.
    #[error("these are parameters of {found}, expected those of {expected}")]
    OtherGame {
        /// Game of the numbers.
        found: String,
        /// Game that is to be searched.
        expected: String,
    },
    /// Fits that belong to another evaluation: their sigma promises nothing about this one.
    #[error(
        "the fits of {game} belong to evaluation {fitted:016x}, but the evaluation is {current:016x}: \
         run `{} fit {game}` and build again",
        secateur_base::program::name()
    )]
    Stale {
        /// The game.
        game: String,
        /// Evaluation that was fitted.
        fitted: u64,
        /// Evaluation in use.
        current: u64,
    },
    /// The positions that parameters were fitted on cannot judge them.
    #[error("the parameters of {game} were fitted on the positions `{set}`: judge them by others")]
    FittedOn {
        /// The game.
        game: String,
        /// Name of the set.
        set: String,
    },
}

impl Setup {
    /// Identity of all numbers here: parameters of all methods, options, fits, evaluation.
    pub fn id(&self) -> String {
        #[derive(Serialize)]
        struct All<'a> {
            baselines: &'a Baselines,
            host: &'a Options,
            methods: &'a Numbers,
        }
        let all = All { baselines: &self.baselines, host: &self.options, methods: &self.params };
        let mut fnv = self.fnv();
        hash(&mut fnv, &value(all));
        fnv.hex()
    }

    /// Identity of an arm: of what decides its searches.
    ///
    /// # Errors
    /// A change that cannot be made, or what the first method that cannot be set up says.
    pub fn arm_id(&self, arm: &Arm) -> Result<String, SetupError> {
        let (numbers, ready) = self.equipped(arm)?;
        Ok(self.identity(&arm.set, &numbers, &ready))
    }

    /// The same of an arm that is set up: its methods, their parameters, and the two together.
    pub(crate) fn identity(&self, set: &MethodSet, numbers: &Numbers, ready: &Methods) -> String {
        let all = value(numbers);
        let mut fnv = self.fnv();
        hash(&mut fnv, &Value::Table(changed(&value(&self.options), &value(Options::default()))));
        for method in set.indices() {
            let mut form = all.get(methods::name(method)).cloned().unwrap_or(Value::Boolean(false));
            // A guard that is where it always is does not count either, so a new one changes no identity.
            if let Some(guards) = form.get("guards").map(|guards| changed(guards, &value(Guards::default())))
            {
                form.as_table_mut().map(|table| table.insert("guards".to_owned(), Value::Table(guards)));
            }
            fnv.field(methods::name(method));
            hash(&mut fnv, &form);
        }
        // Fits count where the methods are other ones without them.
        let bare = self.ready(set, numbers, &Baselines::default());
        if !bare.is_ok_and(|bare| format!("{bare:?}") == format!("{ready:?}")) {
            hash(&mut fnv, &value(&self.baselines));
        }
        fnv.hex()
    }

    /// What all identities begin with.
    fn fnv(&self) -> Fnv {
        let mut fnv = Fnv::default();
        fnv.field(&self.game).field(&self.evaluation.map_or(String::new(), |id| format!("{id:016x}")));
        fnv
    }
}

/// Numbers as TOML.
fn value(numbers: impl Serialize) -> Value {
    // Every value here has a TOML form: the same types were read from TOML.
    Value::try_from(numbers).expect("numbers have a TOML form")
}

/// The entries that are not as in `usual`.
fn changed(table: &Value, usual: &Value) -> Table {
    let entries = table.as_table().into_iter().flatten();
    let differing = entries.filter(|(name, value)| usual.get(name) != Some(value));
    differing.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// Feeds a value so that different values never feed the same bytes: kind, then content, then an end mark.
fn hash(fnv: &mut Fnv, value: &Value) {
    match value {
        Value::Integer(number) => {
            fnv.bytes(b"i").bytes(&number.to_le_bytes());
        }
        Value::Float(number) => {
            fnv.bytes(b"f").bytes(&number.to_bits().to_le_bytes());
        }
        Value::Array(items) => {
            fnv.bytes(b"[");
            items.iter().for_each(|item| hash(fnv, item));
            fnv.bytes(b"]");
        }
        Value::Table(table) => {
            fnv.bytes(b"{");
            for (name, item) in table {
                fnv.field(name);
                hash(fnv, item);
            }
            fnv.bytes(b"}");
        }
        other => {
            fnv.field(&other.to_string());
        }
    }
}

#[cfg(test)]
mod tests;
