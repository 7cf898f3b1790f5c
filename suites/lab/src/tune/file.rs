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

use super::spsa::{Gains, Space};
use secateur_arena::play::Limit;
use secateur_base::{Fault, fault};
use secateur_core::prune::Methods;
use secateur_record::error::from_toml;
use secateur_suites::Error;
use secateur_suites::setups::arm::Arm;
use secateur_suites::setups::numbers::Numbers;
use secateur_suites::setups::setup::Setup;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::Path;
use toml::Value;
use toml::de::DeTable;

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
    tune: Settings,
    #[serde(default)]
    parameter: Vec<Parameter>,
}

/// A file that was read, for messages about what is in it.
#[derive(Clone, Debug)]
pub(crate) struct Source<'t> {
    pub(crate) path: &'t Path,
    pub(crate) text: &'t str,
    /// Of the section `[tune]`.
    head: Range<usize>,
}

impl Source<'_> {
    /// A fault of an entry of the parameter with this index; of its name if it has no such entry.
    pub(crate) fn of_parameter(&self, index: usize, key: &str, message: String) -> Box<Fault> {
        let file = DeTable::parse(self.text).ok();
        let all = file.as_ref().and_then(|file| file.get_ref().get("parameter"));
        let parameter = all.and_then(|all| all.get_ref().get(index));
        let entry = |key| parameter.and_then(|parameter| parameter.get_ref().get(key));
        let offset = entry(key).or(entry("name")).map_or(0, |entry| entry.span().start);
        fault(self.path, self.text, offset, message)
    }

    /// A fault of an entry of `[tune]`, which is looked for by its key.
    pub(crate) fn of_key(&self, key: &str, message: String) -> Box<Fault> {
        let section = self.text.get(self.head.clone()).unwrap_or_default();
        let is_it = |line: &&str| {
            line.trim_start().strip_prefix(key).is_some_and(|after| after.trim_start().starts_with('='))
        };
        let before: usize = section.split_inclusive('\n').take_while(|line| !is_it(line)).map(str::len).sum();
        let offset = if before < section.len() { before } else { 0 };
        fault(self.path, self.text, self.head.start + offset, message)
    }
}

/// Reads a file.
///
/// # Errors
/// The first thing that is wrong, with file, line and key.
pub(crate) fn read<'t>(path: &'t Path, text: &'t str) -> Result<(Settings, Source<'t>), Error> {
    let written: Written = from_toml(path, text, text)?;
    // The section reaches to the first parameter.
    let end = text.find("[[parameter]]").unwrap_or(text.len());
    let begin = text.find("[tune]").unwrap_or(0);
    let head = if begin < end { begin..end } else { begin..text.len() };
    let source = Source { path, text, head };
    let mut settings = written.tune;
    if !settings.parameters.is_empty() {
        let message = "expected `[[parameter]]` next to `[tune]`".to_owned();
        return Err(source.of_key("parameter", message).into());
    }
    settings.parameters = written.parameter;
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
        let message = "found no `[[parameter]]`, expected at least one".to_owned();
        return Err(source.of_key("tune", message).into());
    }
    for (index, parameter) in settings.parameters.iter().enumerate() {
        let Parameter { name, range: [least, most], step, start } = parameter.clone();
        if settings.parameters[..index].iter().any(|other| other.name == name) {
            return Err(source.of_parameter(index, "name", format!("name: found `{name}` twice")).into());
        }
        let space = Space { start: start.unwrap_or(least), least, most, step, whole: false };
        space.sound().map_err(|(key, message)| source.of_parameter(index, key, message))?;
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
    pub fn spent(&self) -> String {
        match (self.nodes, &self.tc) {
            (Some(nodes), _) => format!("at {nodes} nodes a move"),
            (None, clock) => format!("by the clock, {} seconds", clock.as_deref().unwrap_or_default()),
        }
    }

    /// The gains of the course.
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

/// A set of methods with places for the parameters that are tuned.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    pub(crate) setup: Setup,
    arm: Arm,
    /// All parameters of the setup.
    numbers: Value,
    /// Names from the top of each parameter that is tuned.
    names: Vec<Vec<String>>,
    pub(crate) spaces: Vec<Space>,
}

/// The value at a name: keys of tables, places in lists.
fn at<'v>(value: &'v mut Value, names: &[String]) -> Option<&'v mut Value> {
    names.iter().try_fold(value, |value, name| match value {
        Value::Table(table) => table.get_mut(name),
        Value::Array(items) => items.get_mut(name.parse::<usize>().ok()?),
        _ => None,
    })
}

/// A number as TOML, of the kind that stands there.
fn number(space: &Space, value: f64) -> Value {
    if space.whole { Value::Integer(value.round() as i64) } else { Value::Float(value) }
}

impl Places {
    /// Looks up everything that the settings name.
    ///
    /// # Errors
    /// A name that nothing has, a parameter that is no number, one that changes nothing or cannot be what its range allows.
    pub(crate) fn new(settings: &Settings, source: &Source<'_>) -> Result<Places, Error> {
        let wrong = |key: &str, error: Error| Error::from(source.of_key(key, format!("{key}: {error}")));
        let arm = Arm::parse(&settings.methods).map_err(|error| wrong("methods", error.into()))?;
        let ours = Setup::embedded(&settings.game).map_err(|error| wrong("game", error.into()))?;
        let mut setup = Setup::chosen(&settings.game, settings.params.as_deref())
            .map_err(|error| wrong("params", error.into()))?;
        if setup.baselines != ours.baselines {
            let message = "params: found parameters with a fit of their own, expected some with the game's, because the \
                           tuned file could not name it";
            return Err(source.of_key("params", message.to_owned()).into());
        }
        setup.options.table_mib = settings.hash;
        let numbers = value_of(&setup.params)?;
        let mut places = Places { setup, arm, numbers, names: Vec::new(), spaces: Vec::new() };
        for (index, parameter) in settings.parameters.iter().enumerate() {
            places.add(index, parameter, source)?;
        }
        places.try_ends(settings, source)?;
        Ok(places)
    }

    fn add(&mut self, index: usize, parameter: &Parameter, source: &Source<'_>) -> Result<(), Error> {
        let name = &parameter.name;
        let fail = |key, message: String| Err(Error::from(source.of_parameter(index, key, message)));
        let names: Vec<String> = name.split('.').map(str::to_owned).collect();
        let (now, whole) = match at(&mut self.numbers, &names) {
            Some(Value::Integer(number)) => (*number as f64, true),
            Some(Value::Float(number)) if number.is_finite() => (*number, false),
            Some(other) => {
                let expected = "expected a parameter that is a number";
                return fail("name", format!("name: `{name}` is {other}, {expected}"));
            }
            None => {
                let message =
                    "expected METHOD.PARAMETER as in a parameter file, and the place in a list behind it";
                return fail("name", format!("name: found no `{name}`, {message}"));
            }
        };
        let start = parameter.start.unwrap_or(now);
        let [least, most] = parameter.range;
        if !(least..=most).contains(&start) {
            let message = format!("range: `{name}` begins at {start}, expected that within the range");
            return fail("range", message);
        }
        if whole && (least.fract() != 0.0 || most.fract() != 0.0 || start.fract() != 0.0) {
            let message = format!("range: `{name}` is a whole number, expected whole numbers");
            return fail("range", message);
        }
        if whole && parameter.step < 0.5 {
            let message =
                "is a whole number, expected a step of at least 0.5, or both sides might be the same";
            return fail("step", format!("step: `{name}` {message}"));
        }
        self.spaces.push(Space { start, least, most, step: parameter.step, whole });
        self.names.push(names);
        Ok(())
    }

    /// Every parameter must be allowed what its range allows, and change something.
    fn try_ends(&self, settings: &Settings, source: &Source<'_>) -> Result<(), Error> {
        let starts: Vec<f64> = self.spaces.iter().map(|space| space.start).collect();
        for (index, space) in self.spaces.iter().enumerate() {
            let name = &settings.parameters[index].name;
            let mut shown = Vec::new();
            for end in [space.least, space.most] {
                let mut values = starts.clone();
                values[index] = end;
                let ready = self.ready(&values).map_err(|error| {
                    source.of_parameter(index, "range", format!("range: `{name}` cannot be {end}: {error}"))
                })?;
                shown.push(format!("{:?}", ready));
            }
            if shown[0] == shown[1] {
                let message = format!("name: `{name}` changes nothing in {}", settings.methods);
                return Err(source.of_parameter(index, "name", message).into());
            }
        }
        Ok(())
    }

    /// The numbers with these values in their places.
    pub(crate) fn numbers(&self, values: &[f64]) -> Result<Numbers, Error> {
        let mut all = self.numbers.clone();
        for ((names, space), value) in self.names.iter().zip(&self.spaces).zip(values) {
            if let Some(place) = at(&mut all, names) {
                *place = number(space, *value);
            }
        }
        Numbers::deserialize(all).map_err(|error| Error::Usage(error.message().to_owned()))
    }

    /// The methods with these values.
    pub(crate) fn ready(&self, values: &[f64]) -> Result<Methods, Error> {
        let setup = Setup { params: self.numbers(values)?, ..self.setup.clone() };
        setup.equip(&self.arm).map_err(|source| Error::Method { game: setup.game.clone(), source })
    }

    /// A parameter file: all that differs from what the game comes with, so that `--params` needs no other file.
    pub(crate) fn file(&self, values: &[f64], head: &str) -> Result<String, Error> {
        let ours = Setup::embedded(&self.setup.game)?;
        let mut options = self.setup.options.clone();
        // The table is the player's own affair.
        options.table_mib = ours.options.table_mib;
        let mut all = toml::Table::new();
        for (name, now, before) in [
            ("host", value_of(&options)?, value_of(&ours.options)?),
            ("methods", value_of(&self.numbers(values)?)?, value_of(&ours.params)?),
        ] {
            if let Some(changed) = differing(&now, &before) {
                all.insert(name.to_owned(), changed);
            }
        }
        let body = toml::to_string(&all).map_err(|error| Error::Usage(error.to_string()))?;
        Ok(format!("{head}\n{body}"))
    }
}

fn value_of(parameters: &impl Serialize) -> Result<Value, Error> {
    Value::try_from(parameters).map_err(|error| Error::Usage(error.to_string()))
}

/// What of a value differs from another: of tables the entries that do, else all of it.
fn differing(now: &Value, before: &Value) -> Option<Value> {
    if now == before {
        return None;
    }
    let (Value::Table(new), Value::Table(old)) = (now, before) else { return Some(now.clone()) };
    let entries = new.iter().filter_map(|(name, value)| {
        let changed = match old.get(name) {
            Some(before) => differing(value, before)?,
            None => value.clone(),
        };
        Some((name.clone(), changed))
    });
    Some(Value::Table(entries.collect()))
}
