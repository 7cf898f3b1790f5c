//! The parameters of all methods, those of the house by type and those of guests as TOML.

use crate::{guests, ranges};
use secateur_core::prune::Params;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

/// Parameters of all methods: the section `[methods]` of a parameter file.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers {
    house: Params,
    /// By name of the method; only those that differ from what the method itself calls usual.
    guests: BTreeMap<String, toml::Value>,
}

impl Numbers {
    /// The parameters of a guest, if they are not its usual ones.
    #[must_use]
    pub fn guest(&self, name: &str) -> Option<&toml::Value> {
        self.guests.get(name)
    }
}

impl From<Params> for Numbers {
    fn from(house: Params) -> Numbers {
        Numbers { house, guests: BTreeMap::new() }
    }
}

impl Deref for Numbers {
    type Target = Params;
    fn deref(&self) -> &Params {
        &self.house
    }
}

impl DerefMut for Numbers {
    fn deref_mut(&mut self) -> &mut Params {
        &mut self.house
    }
}

/// All guests stand in the text, so that what a parameter is called can be looked up there.
impl Serialize for Numbers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let guests = guests::all();
        if guests.is_empty() {
            return self.house.serialize(serializer);
        }
        let house = toml::Value::try_from(&self.house).map_err(serde::ser::Error::custom)?;
        let mut table = house.as_table().cloned().unwrap_or_default();
        for guest in guests {
            let value = self.guests.get(guest.name).cloned().unwrap_or(guest.usual);
            table.insert(guest.name.to_owned(), value);
        }
        table.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Numbers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Numbers, D::Error> {
        let known = guests::all();
        if known.is_empty() {
            return Params::deserialize(deserializer).map(Numbers::from);
        }
        let mut table = toml::Table::deserialize(deserializer)?;
        let mut guests = BTreeMap::new();
        for guest in known {
            let Some(value) = table.remove(guest.name) else { continue };
            guest.check(&value).map_err(|why| serde::de::Error::custom(format!("{}: {why}", guest.name)))?;
            if value != guest.usual {
                guests.insert(guest.name.to_owned(), value);
            }
        }
        let house = Params::deserialize(table).map_err(serde::de::Error::custom)?;
        Ok(Numbers { house, guests })
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
        let known = table.keys().cloned().collect::<Vec<_>>().join(", ");
        slot =
            table.get_mut(name).ok_or_else(|| format!("unknown name `{name}`, expected one of {known}"))?;
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
