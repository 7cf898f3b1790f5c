//! The parameters of all methods, those of the table by type and those of other crates as TOML.
//!
//! Host options and whole numbers of methods have ranges, one list for parameter files, arms and engine options. The methods check what
//! they mean (`min-depth > reduction`); the ranges keep any arithmetic with them sound and any table within a machine.

use super::methods;
use secateur_core::prune::Params;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use toml::Value;

/// Parameters of all methods: the section `[methods]` of a parameter file.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers {
    listed: Params,
    /// By name of the method; only those that differ from what the method itself calls usual.
    others: BTreeMap<String, toml::Value>,
}

impl Numbers {
    /// The parameters of a method of another crate, if they are not its usual ones.
    pub fn registered(&self, name: &str) -> Option<&toml::Value> {
        self.others.get(name)
    }
}

impl From<Params> for Numbers {
    fn from(listed: Params) -> Numbers {
        Numbers { listed, others: BTreeMap::new() }
    }
}

impl Deref for Numbers {
    type Target = Params;
    fn deref(&self) -> &Params {
        &self.listed
    }
}

impl DerefMut for Numbers {
    fn deref_mut(&mut self) -> &mut Params {
        &mut self.listed
    }
}

/// All methods stand in the text, so that what a parameter is called can be looked up there.
impl Serialize for Numbers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let others = methods::registered();
        if others.is_empty() {
            return self.listed.serialize(serializer);
        }
        let listed = toml::Value::try_from(&self.listed).map_err(serde::ser::Error::custom)?;
        let mut table = listed.as_table().cloned().unwrap_or_default();
        for method in others {
            let value = self.others.get(method.name).cloned().unwrap_or(method.usual);
            table.insert(method.name.to_owned(), value);
        }
        table.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Numbers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Numbers, D::Error> {
        let registered = methods::registered();
        if registered.is_empty() {
            return Params::deserialize(deserializer).map(Numbers::from);
        }
        let mut table = toml::Table::deserialize(deserializer)?;
        let mut others = BTreeMap::new();
        for method in registered {
            let Some(value) = table.remove(method.name) else { continue };
            (method.check)(&value)
                .map_err(|why| serde::de::Error::custom(format!("{}: {why}", method.name)))?;
            if value != method.usual {
                others.insert(method.name.to_owned(), value);
            }
        }
        let listed = Params::deserialize(table).map_err(serde::de::Error::custom)?;
        Ok(Numbers { listed, others })
    }
}

/// The value that a piece of TOML stands for, if it does.
pub(super) fn plain(text: &str) -> Option<Value> {
    toml::from_str::<toml::Table>(&format!("value = {text}")).ok()?.remove("value")
}

/// Puts `entry` at `names`; names that do not exist are named with those that do.
///
/// # Errors
/// What is wrong with the name or the value.
pub fn put(base: &mut toml::Value, names: &[String], entry: toml::Value) -> Result<(), String> {
    let mut slot = base;
    for name in names {
        let Some(table) = slot.as_table_mut() else { return Err("expected a value, not a table".into()) };
        let keys = table.keys().cloned().collect::<Vec<_>>().join(", ");
        slot = table.get_mut(name).ok_or_else(|| format!("unknown name `{name}`, expected one of {keys}"))?;
    }
    check(names, &entry)?;
    if slot.is_table() {
        return Err("expected a table".into());
    }
    // People write t = 2 and mean 2.0.
    *slot = match (&*slot, entry) {
        (toml::Value::Float(_), toml::Value::Integer(number)) => toml::Value::Float(number as f64),
        (_, entry) => entry,
    };
    Ok(())
}

/// Host options that are whole numbers, with the least and the most they may be.
const HOST: &[(&str, i64, i64)] = &[
    ("table-mib", 0, 65_536),
    ("table-min-depth", 0, DEEPEST),
    ("etc-min-depth", 0, DEEPEST),
    ("missing-from", 0, DEEPEST),
    ("aspiration", 0, 30_000),
    ("iteration-step", 1, 2),
];
/// Plies; more than any search reaches, so that it can mean never.
const DEEPEST: i64 = 100;
/// Whole numbers of methods: depths, counts and score units.
const METHODS: (i64, i64) = (-100_000, 100_000);

/// The least and the most that the whole number at `names` may be.
pub fn range(names: &[String]) -> (i64, i64) {
    let host = |name: &String| HOST.iter().find(|(host_name, ..)| host_name == name);
    match names {
        [first, name, ..] if first == "host" => host(name).map_or(METHODS, |&(_, least, most)| (least, most)),
        _ => METHODS,
    }
}

/// Refuses a whole number, or one within a list, that is out of its range.
pub(crate) fn check(names: &[String], value: &Value) -> Result<(), String> {
    let (least, most) = range(names);
    match value {
        Value::Integer(number) if !(least..=most).contains(number) => {
            Err(format!("found {number}, expected {least} to {most}"))
        }
        Value::Array(items) => items.iter().try_for_each(|item| check(names, item)),
        Value::Table(table) => table.iter().try_for_each(|(name, item)| {
            let names: Vec<String> = names.iter().cloned().chain([name.clone()]).collect();
            check(&names, item).map_err(|error| format!("{name}: {error}"))
        }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setups::games;
    use crate::setups::setup::Setup;
    use secateur_core::search::Options;

    /// No option is forgotten, and whatever the build comes with is in range.
    #[test]
    fn every_whole_number_has_a_range_and_the_usual_ones_are_in_it() {
        let form = Value::try_from(Options::default()).unwrap();
        for (name, value) in form.as_table().unwrap() {
            let listed = HOST.iter().any(|(host_name, ..)| host_name == name);
            assert_eq!(listed, value.is_integer(), "{name}");
        }
        for game in games::names() {
            let setup = Setup::embedded(game).unwrap();
            let host = Value::try_from(&setup.options).unwrap();
            assert_eq!(check(&["host".to_owned()], &host), Ok(()));
            let methods = Value::try_from(&setup.params).unwrap();
            assert_eq!(check(&["methods".to_owned()], &methods), Ok(()));
        }
    }
}
