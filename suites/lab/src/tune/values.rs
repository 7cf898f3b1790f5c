//! Numbers in their places: the parameters that are tuned within all numbers of a game, and the parameter file of what came of them.

use crate::tune::file::{Parameter, Settings, Source};
use crate::tune::spsa::Space;
use secateur_core::prune::Methods;
use secateur_suites::Error;
use secateur_suites::setups::arm::Arm;
use secateur_suites::setups::numbers::Numbers;
use secateur_suites::setups::setup::Setup;
use serde::Deserialize;
use toml::Value;

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
        let numbers = Value::try_from(&setup.params).map_err(|error| Error::Usage(error.to_string()))?;
        let mut places = Places { setup, arm, numbers, names: Vec::new(), spaces: Vec::new() };
        for (index, parameter) in settings.parameters.iter().enumerate() {
            places.add(index, parameter, source)?;
        }
        places.try_ends(settings, source)?;
        Ok(places)
    }

    fn add(&mut self, index: usize, parameter: &Parameter, source: &Source<'_>) -> Result<(), Error> {
        let (name, entries) = (&parameter.name, &source.places[index]);
        let fail = |at, message: String| Err(Error::from(source.fault(at, message)));
        let names: Vec<String> = name.split('.').map(str::to_owned).collect();
        let (now, whole) = match at(&mut self.numbers, &names) {
            Some(Value::Integer(number)) => (*number as f64, true),
            Some(Value::Float(number)) if number.is_finite() => (*number, false),
            Some(other) => {
                return fail(
                    &entries.name,
                    format!("name: `{name}` is {other}, expected a parameter that is a number"),
                );
            }
            None => {
                let message =
                    "expected METHOD.PARAMETER as in a parameter file, and the place in a list behind it";
                return fail(&entries.name, format!("name: found no `{name}`, {message}"));
            }
        };
        let start = parameter.start.unwrap_or(now);
        let [least, most] = parameter.range;
        if !(least..=most).contains(&start) {
            return fail(
                &entries.range,
                format!("range: `{name}` begins at {start}, expected that within the range"),
            );
        }
        if whole && (least.fract() != 0.0 || most.fract() != 0.0 || start.fract() != 0.0) {
            return fail(
                &entries.range,
                format!("range: `{name}` is a whole number, expected whole numbers"),
            );
        }
        if whole && parameter.step < 0.5 {
            let message =
                "is a whole number, expected a step of at least 0.5, or both sides might be the same";
            return fail(&entries.step, format!("step: `{name}` {message}"));
        }
        self.spaces.push(Space { start, least, most, step: parameter.step, whole });
        self.names.push(names);
        Ok(())
    }

    /// Every parameter must be allowed what its range allows, and change something.
    fn try_ends(&self, settings: &Settings, source: &Source<'_>) -> Result<(), Error> {
        let starts: Vec<f64> = self.spaces.iter().map(|space| space.start).collect();
        for (index, space) in self.spaces.iter().enumerate() {
            let (name, entries) = (&settings.parameters[index].name, &source.places[index]);
            let mut shown = Vec::new();
            for end in [space.least, space.most] {
                let mut values = starts.clone();
                values[index] = end;
                let ready = self.ready(&values).map_err(|error| {
                    source.fault(&entries.range, format!("range: `{name}` cannot be {end}: {error}"))
                })?;
                shown.push(format!("{:?}", ready));
            }
            if shown[0] == shown[1] {
                let message = format!("name: `{name}` changes nothing in {}", settings.methods);
                return Err(source.fault(&entries.name, message).into());
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
        let formed =
            |value: Result<Value, toml::ser::Error>| value.map_err(|error| Error::Usage(error.to_string()));
        let mut options = self.setup.options.clone();
        // The table is the player's own affair.
        options.table_mib = ours.options.table_mib;
        let mut all = toml::Table::new();
        for (name, now, before) in [
            ("host", formed(Value::try_from(&options))?, formed(Value::try_from(&ours.options))?),
            (
                "methods",
                formed(Value::try_from(&self.numbers(values)?))?,
                formed(Value::try_from(&ours.params))?,
            ),
        ] {
            if let Some(changed) = differing(&now, &before) {
                all.insert(name.to_owned(), changed);
            }
        }
        let body = toml::to_string(&all).map_err(|error| Error::Usage(error.to_string()))?;
        Ok(format!("{head}\n{body}"))
    }
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
