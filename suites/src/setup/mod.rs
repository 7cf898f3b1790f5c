//! Everything numeric that a search depends on besides game and position: the parameters of the methods, the
//! host options and the fitted numbers, with an id that changes when any of them does.
//!
//! Parameters are files for people to read and change (`suites/params/GAME.toml`); fits are files that only
//! `cargo xtask fit` writes (`GAME.fit.toml`). Both are compiled in, so that a build knows its own numbers.

mod error;
mod identity;
pub(crate) mod overlay;
pub(crate) mod ranges;

pub use error::SetupFileError;
pub use secateur_record::fitted::{Fitted, Provenance, Sample};

use crate::arm::Arm;
use crate::error::Unknown;
use secateur_core::Game;
use secateur_core::prune::{Baselines, MethodSet, Params, Roster, SetupError, roster};
use secateur_core::search::Options;
use secateur_positions::Set;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Parameter and fit file of every game: what [`Setup::embedded`] reads.
const EMBEDDED: &[(&str, &str, &str)] = &[
    ("othello", include_str!("../../params/othello.toml"), include_str!("../../params/othello.fit.toml")),
    ("chess", include_str!("../../params/chess.toml"), include_str!("../../params/chess.fit.toml")),
];

/// Built-in variants: game, name, what differs from the usual numbers.
const VARIANTS: &[(&str, &str, &str)] = &[
    ("othello", "plain", include_str!("../../params/othello.plain.toml")),
    ("othello", "strict", include_str!("../../params/othello.strict.toml")),
    ("othello", "growing", include_str!("../../params/othello.growing.toml")),
    ("chess", "jiang", include_str!("../../params/chess.jiang.toml")),
    ("chess", "jiang-strict", include_str!("../../params/chess.jiang-strict.toml")),
    ("chess", "strong", include_str!("../../params/chess.strong.toml")),
];

/// The numbers of one game.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// [`Game::NAME`] of the game that the numbers are for.
    pub game: String,
    /// Parameters of all methods.
    pub params: Params,
    /// Fitted numbers; empty where nothing was fitted yet.
    pub baselines: Baselines,
    /// Options of the search host.
    pub options: Options,
    /// [`Game::evaluation_id`] of the evaluation that the fit belongs to; absent if nothing was fitted.
    pub evaluation: Option<u64>,
    /// Content hash of the positions that were fitted on; no report may use them. Not part of the id.
    pub fitted_on: Option<String>,
}

/// The layout of a parameter file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Chosen {
    #[serde(default)]
    host: Options,
    methods: Params,
}

impl Setup {
    /// The numbers that this build was made with.
    ///
    /// # Errors
    /// [`SetupFileError::UnknownGame`]; [`SetupFileError::Content`] only if the build's own files are broken.
    pub fn embedded(game: &str) -> Result<Setup, SetupFileError> {
        let Some(&(_, chosen, fitted)) = EMBEDDED.iter().find(|(name, ..)| *name == game) else {
            let known = EMBEDDED.iter().map(|(name, ..)| *name).collect::<Vec<_>>().join(", ");
            return Err(SetupFileError::UnknownGame { found: game.to_owned(), known });
        };
        let path = format!("{game}.toml");
        let chosen: Chosen = toml::from_str(chosen)
            .map_err(|error| SetupFileError::content(path.as_ref(), error.to_string().trim_end()))?;
        let setup = Setup {
            game: game.to_owned(),
            params: chosen.methods,
            baselines: Baselines::default(),
            options: chosen.host,
            evaluation: None,
            fitted_on: None,
        };
        setup.with_fit(format!("{game}.fit.toml").as_ref(), fitted)
    }

    /// Whether [`Setup::load`] takes this for a built-in variant rather than a file.
    #[must_use]
    pub fn is_named(name_or_path: &str) -> bool {
        VARIANTS.iter().any(|(_, name, _)| *name == name_or_path)
    }

    /// A built-in variant of a game's numbers by name, or the file at this path ([`Setup::read`]).
    ///
    /// # Errors
    /// Those of [`Setup::read`].
    pub fn load(game: &str, name_or_path: &str) -> Result<Setup, SetupFileError> {
        match VARIANTS.iter().find(|(of, name, _)| *of == game && *name == name_or_path) {
            Some((_, name, text)) => Ok(Setup::embedded(game)?.overlaid(name.as_ref(), text)?.0),
            None if Setup::is_path(name_or_path) => Setup::read(game, Path::new(name_or_path)),
            None => {
                let names: Vec<&str> =
                    VARIANTS.iter().filter(|(of, ..)| *of == game).map(|(_, name, _)| *name).collect();
                let mut error = Unknown::new("variant of the parameters", name_or_path, &names);
                error.known += &format!(" ({game}), or a .toml file");
                Err(error.into())
            }
        }
    }

    /// Whether a text is meant as a file: it has an ending or a folder, or such a file is there.
    #[must_use]
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
        name_or_path.map_or_else(|| Setup::embedded(game), |given| Setup::load(game, given))
    }

    /// The embedded numbers with those of a user's file in their place. The file has the layout of
    /// `suites/params/GAME.toml` and needs to hold only what differs; `fit = "FILE"` at its top names another
    /// fit, relative to the file itself.
    ///
    /// # Errors
    /// [`SetupFileError::Io`]; [`SetupFileError::Content`] with line and column of the first wrong entry.
    pub fn read(game: &str, path: &Path) -> Result<Setup, SetupFileError> {
        let text = std::fs::read_to_string(path).map_err(|source| SetupFileError::io(path, source))?;
        let setup = Setup::embedded(game)?;
        let (setup, fit) = setup.overlaid(path, &text)?;
        match fit {
            None => Ok(setup),
            Some(name) => {
                let fit = path.parent().unwrap_or(Path::new("")).join(name);
                // Whatever file that is, its text is nobody's business unless it is a fit.
                setup.read_fit(&fit).map_err(|error| match error {
                    SetupFileError::Content { path: fit, message } if !message.starts_with("a fit of ") => {
                        let message = format!(
                            "named as `fit` by {}, but it is no fit that `cargo xtask fit` wrote",
                            path.display()
                        );
                        SetupFileError::content(&fit, &message)
                    }
                    other => other,
                })
            }
        }
    }

    /// [`Setup::read`] of a text; `path` is for messages. A `fit` that it names is not read.
    ///
    /// # Errors
    /// [`SetupFileError::Content`] with line and column of the first wrong entry.
    pub fn parse(game: &str, path: &Path, text: &str) -> Result<Setup, SetupFileError> {
        Ok(Setup::embedded(game)?.overlaid(path, text)?.0)
    }

    /// The same parameters with the fits of a file that `cargo xtask fit` wrote.
    ///
    /// # Errors
    /// [`SetupFileError::Io`]; [`SetupFileError::Content`] if it is no fit of this game.
    pub fn read_fit(self, path: &Path) -> Result<Setup, SetupFileError> {
        let text = std::fs::read_to_string(path).map_err(|source| SetupFileError::io(path, source))?;
        self.with_fit(path, &text)
    }

    pub(crate) fn with_fit(mut self, path: &Path, text: &str) -> Result<Setup, SetupFileError> {
        let fitted = Fitted::parse(path, text)?;
        if let Some(provenance) = fitted.provenance {
            if provenance.game != self.game {
                let message = format!("a fit of {}, expected one of {}", provenance.game, self.game);
                return Err(SetupFileError::content(path, &message));
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
        let chosen = Chosen { host: self.options, methods: self.params };
        let (chosen, fit) = overlay::apply(path, text, &chosen)?;
        self.options = chosen.host;
        self.params = chosen.methods;
        Ok((self, fit))
    }

    /// Refuses numbers that do not belong to `game` and its evaluation. Call it before any measurement.
    ///
    /// # Errors
    /// [`SetupFileError::OtherGame`]; [`SetupFileError::Stale`] for a fit of another evaluation;
    /// [`SetupFileError::NoRoom`].
    pub fn check<G: Game>(&self, game: &G) -> Result<(), SetupFileError> {
        if self.game != G::NAME {
            let (found, expected) = (self.game.clone(), G::NAME.to_owned());
            return Err(SetupFileError::OtherGame { found, expected });
        }
        ranges::has_room(self.options.table_mib)?;
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

    /// The methods of `set` with these numbers, for game `G`.
    ///
    /// # Errors
    /// What the first method that cannot be set up says.
    pub fn roster<G: Game>(&self, set: MethodSet) -> Result<Roster, SetupError> {
        roster(set, &self.params, &self.baselines, G::STAGES.len())
    }

    /// The methods of `arm` with these numbers and its own, for game `G`.
    ///
    /// # Errors
    /// A change that cannot be made, or what the first method that cannot be set up says.
    pub fn equip<G: Game>(&self, arm: &Arm) -> Result<Roster, SetupError> {
        roster(arm.set, &arm.params(&self.params)?, &self.baselines, G::STAGES.len())
    }
}

#[cfg(test)]
mod tests;
