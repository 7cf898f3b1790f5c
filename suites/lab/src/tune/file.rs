//! The file that says what is tuned: a game, a set of methods, its numeric parameters with their ranges, and what it may cost.
//!
//! ```toml
//! [tune]
//! game = "chess"
//! methods = "modern"
//! params = "modern"          # optional: what everything else is, and where the parameters begin
//! nodes = 1500               # of every search; or `tc = "0.2+0.002"`, a clock
//! iterations = 400
//! seed = 1
//! [[parameter]]
//! name = "reverse-futility.margin"
//! range = [20, 200]
//! step = 10
//! ```
//!
//! Whether the game has such methods and parameters is asked when the numbers are put into their places.

use crate::tune::spsa::Gains;
use secateur_arena::play::Limit;
use secateur_base::{Fault, fault};
use secateur_record::error::from_toml;
use secateur_suites::Error;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::Path;
use toml::Spanned;

/// What decides a course: two folders with the same are of one course.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Settings {
    /// Name of the game.
    pub game: String,
    /// A set of methods, as players of a match are named.
    pub methods: String,
    /// A built-in variant of the game's parameters, or a file; without it the usual ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub params: Option<String>,
    /// Nodes of every search, at least 1; this or [`Settings::tc`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Seconds a game and a move, as in `0.2+0.002`. No course by the clock comes twice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tc: Option<String>,
    /// Iterations, at least 1.
    pub iterations: u64,
    /// Pairs of games an iteration, at least 1; the result is their mean.
    #[serde(default = "one")]
    pub pairs: usize,
    /// Seed of the directions and of the openings.
    pub seed: u64,
    /// A built-in position set or a file to begin from; without it what matches of the game begin from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<String>,
    /// Transposition table of each player, MiB, at least 1.
    #[serde(default = "hash")]
    pub hash: usize,
    /// [`Gains::rate`].
    #[serde(default = "rate")]
    pub rate: f64,
    /// [`Gains::stability`].
    #[serde(default = "stability")]
    pub stability: f64,
    /// [`Gains::alpha`].
    #[serde(default = "alpha")]
    pub alpha: f64,
    /// [`Gains::gamma`].
    #[serde(default = "gamma")]
    pub gamma: f64,
    /// What is tuned, in the order of the file.
    #[serde(default, rename = "parameter")]
    pub parameters: Vec<Parameter>,
}

/// A parameter that is tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Parameter {
    /// As in a parameter file, with the place in a list behind it, from 0: `singular.margin`, `lmp.worsening.0`.
    pub name: String,
    /// The least and the most that it may be.
    pub range: [f64; 2],
    /// How far it is varied to either side in the last iteration.
    pub step: f64,
    /// Where it begins; without it where the parameters have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
}

/// Most iterations, pairs, nodes or MiB: so many that a count of them fits everywhere.
pub(crate) const MOST: u64 = 1_000_000_000;

fn one() -> usize {
    1
}

fn hash() -> usize {
    16
}

/// What fishtest and its kin use for courses of tens of thousands of games.
fn rate() -> f64 {
    0.002
}

fn stability() -> f64 {
    0.1
}

fn alpha() -> f64 {
    0.602
}

fn gamma() -> f64 {
    0.101
}

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    tune: Spanned<Settings>,
    #[serde(default)]
    parameter: Vec<WrittenParameter>,
}

/// A parameter, with the places of its entries.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenParameter {
    name: Spanned<String>,
    range: Spanned<[f64; 2]>,
    step: Spanned<f64>,
    start: Option<Spanned<f64>>,
}

/// Where the entries of a parameter stand in the file, so that what is wrong with them can be shown there.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Places {
    pub(crate) name: Range<usize>,
    pub(crate) range: Range<usize>,
    pub(crate) step: Range<usize>,
    pub(crate) start: Range<usize>,
}

/// A file that was read, for messages about what is in it.
#[derive(Clone, Debug)]
pub(crate) struct Source<'t> {
    pub(crate) path: &'t Path,
    pub(crate) text: &'t str,
    /// Of each parameter.
    pub(crate) places: Vec<Places>,
    /// Of the section `[tune]`.
    head: Range<usize>,
}

impl Source<'_> {
    /// A fault at a place.
    pub(crate) fn fault(&self, at: &Range<usize>, message: String) -> Box<Fault> {
        fault(self.path, self.text, at.start, message)
    }

    /// A fault of an entry of `[tune]`, which is looked for by its key.
    pub(crate) fn of_key(&self, key: &str, message: String) -> Box<Fault> {
        let section = self.text.get(self.head.clone()).unwrap_or_default();
        let mut offset = self.head.start;
        for line in section.split_inclusive('\n') {
            let is_it =
                line.trim_start().strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='));
            if is_it {
                return self.fault(&(offset..offset), message);
            }
            offset += line.len();
        }
        self.fault(&self.head, message)
    }
}

/// Reads a file.
///
/// # Errors
/// The first thing that is wrong, with file, line and key.
pub(crate) fn read<'t>(path: &'t Path, text: &'t str) -> Result<(Settings, Source<'t>), Error> {
    let written: Written = from_toml(path, text, text)?;
    let places = |parameter: &WrittenParameter| Places {
        name: parameter.name.span(),
        range: parameter.range.span(),
        step: parameter.step.span(),
        start: parameter.start.as_ref().map_or(parameter.name.span(), Spanned::span),
    };
    // The section reaches to the first parameter.
    let end = text.find("[[parameter]]").unwrap_or(text.len());
    let begin = text.find("[tune]").unwrap_or(0);
    let head = if begin < end { begin..end } else { begin..text.len() };
    let source = Source { path, text, places: written.parameter.iter().map(places).collect(), head };
    let mut settings = written.tune.into_inner();
    if !settings.parameters.is_empty() {
        return Err(source
            .of_key("parameter", "expected `[[parameter]]` next to `[tune]`".to_owned())
            .into());
    }
    let plain = |parameter: WrittenParameter| Parameter {
        name: parameter.name.into_inner(),
        range: parameter.range.into_inner(),
        step: parameter.step.into_inner(),
        start: parameter.start.map(Spanned::into_inner),
    };
    settings.parameters = written.parameter.into_iter().map(plain).collect();
    check(&settings, &source)?;
    Ok((settings, source))
}

/// What can be said of the settings without knowing the game.
fn check(settings: &Settings, source: &Source<'_>) -> Result<(), Error> {
    let Settings { nodes, iterations, pairs, hash, .. } = *settings;
    let counts = [("iterations", iterations), ("pairs", pairs as u64), ("hash", hash as u64)];
    for (key, value) in counts.into_iter().chain(nodes.map(|nodes| ("nodes", nodes))) {
        if !(1..=MOST).contains(&value) {
            return Err(source.of_key(key, format!("{key}: found {value}, expected 1 to {MOST}")).into());
        }
    }
    if let Err(message) = settings.limit() {
        let key = if settings.tc.is_some() { "tc" } else { "tune" };
        return Err(source.of_key(key, message).into());
    }
    if let Err(message) = settings.gains().sound() {
        let key = message.split(':').next().unwrap_or_default().to_owned();
        return Err(source.of_key(&key, message).into());
    }
    if settings.parameters.is_empty() {
        return Err(source
            .of_key("tune", "found no `[[parameter]]`, expected at least one".to_owned())
            .into());
    }
    for (index, (parameter, places)) in settings.parameters.iter().zip(&source.places).enumerate() {
        let name = &parameter.name;
        if settings.parameters[..index].iter().any(|other| other.name == *name) {
            return Err(source.fault(&places.name, format!("name: found `{name}` twice")).into());
        }
        let [least, most] = parameter.range;
        if !(least.is_finite() && most.is_finite() && least < most) {
            let message = format!("range: found [{least}, {most}], expected two numbers, the lesser first");
            return Err(source.fault(&places.range, message).into());
        }
        let step = parameter.step;
        if !(step > 0.0 && step <= (most - least) / 2.0) {
            let most = (most - least) / 2.0;
            let message =
                format!("step: found {step}, expected more than 0 and at most {most}, half of the range");
            return Err(source.fault(&places.step, message).into());
        }
        if let Some(start) = parameter.start
            && !(least..=most).contains(&start)
        {
            let message = format!("start: found {start}, expected one within the range");
            return Err(source.fault(&places.start, message).into());
        }
    }
    Ok(())
}

impl Settings {
    /// What a player of every game may spend.
    ///
    /// # Errors
    /// Neither nodes nor a clock, both, or no clock.
    pub fn limit(&self) -> Result<Limit, String> {
        match (self.nodes, &self.tc) {
            (Some(nodes), None) => Ok(Limit::Nodes(nodes)),
            (None, Some(clock)) => Limit::clock(clock).map_err(|message| format!("tc: {message}")),
            (None, None) => Err("found neither `nodes` nor `tc`, expected one of them".to_owned()),
            (Some(_), Some(_)) => Err("tc: found `nodes` as well, expected one of them".to_owned()),
        }
    }

    /// The same in words.
    #[must_use]
    pub fn spent(&self) -> String {
        match (self.nodes, &self.tc) {
            (Some(nodes), _) => format!("at {nodes} nodes a move"),
            (None, clock) => format!("by the clock, {} seconds", clock.as_deref().unwrap_or_default()),
        }
    }

    /// The gains of the course.
    #[must_use]
    pub fn gains(&self) -> Gains {
        let Settings { iterations, rate, stability, alpha, gamma, .. } = *self;
        Gains { iterations, rate, stability, alpha, gamma }
    }

    /// Every setting by name, in words, for finding what differs.
    pub(crate) fn described(&self) -> Vec<(String, String)> {
        // It was read from TOML, so it has a form there.
        let table = toml::Table::try_from(self).unwrap_or_default();
        table.into_iter().map(|(name, value)| (name, value.to_string())).collect()
    }
}
