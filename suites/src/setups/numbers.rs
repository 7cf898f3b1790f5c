//! The parameters of all methods, those of the table by type and those of other crates as TOML.

use crate::setups::{methods, ranges};
use secateur_core::prune::Params;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

/// Parameters of all methods: the section `[methods]` of a parameter file.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers {
    listed: Params,
    /// By name of the method; only those that differ from what the method itself calls usual.
    others: BTreeMap<String, toml::Value>,
}

impl Numbers {
    /// The parameters of a method of another crate, if they are not its usual ones.
    #[must_use]
    pub fn of(&self, name: &str) -> Option<&toml::Value> {
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
    ranges::check(names, &entry)?;
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
