//! Pruning methods of other crates.
//!
//! A method of the house is a line in the roster of `secateur-core`. One from elsewhere is a [`Method`] like those; the
//! crate that has it compiles a game with it ([`crate::games::Entry::hosting`]), after which it has a name, parameters,
//! counters and an audit like any other, and stands behind the methods of the house in the order of asking. Here is what is
//! known of them by name; how they are set up is in [`crate::ready`]. Left out: forms by name, which are data of the house
//! (`suites/setups/params/presets.toml`).

use secateur_core::prune::{METHODS, Method};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A method of another crate, as far as this one knows it.
#[derive(Clone, Debug)]
pub struct Guest {
    /// [`Method::NAME`].
    pub name: &'static str,
    /// Its parameters where nobody says otherwise.
    pub usual: toml::Value,
    /// Whether these are parameters of it.
    check: fn(&toml::Value) -> Result<(), String>,
    /// The probability that it promises with such parameters.
    promise: fn(&toml::Value) -> Option<f64>,
}

impl Guest {
    pub(crate) fn of<M: Method>() -> Guest
    where
        M::Params: Default + Serialize + DeserializeOwned,
    {
        let usual = toml::Value::try_from(M::Params::default()).expect("parameters have a TOML form");
        Guest {
            name: M::NAME,
            usual,
            check: |value| read::<M>(value).map(|_| ()),
            promise: |value| read::<M>(value).ok().and_then(|params| M::promise(&params)),
        }
    }

    /// The probability that the method promises with such parameters.
    pub(crate) fn promised(&self, value: &toml::Value) -> Option<f64> {
        (self.promise)(value)
    }

    /// Refuses what are no parameters of the method.
    pub(crate) fn check(&self, value: &toml::Value) -> Result<(), String> {
        (self.check)(value)
    }
}

pub(crate) fn read<M: Method>(value: &toml::Value) -> Result<M::Params, String>
where
    M::Params: DeserializeOwned,
{
    value.clone().try_into().map_err(|error: toml::de::Error| error.message().to_owned())
}

fn known() -> MutexGuard<'static, Vec<Guest>> {
    static GUESTS: Mutex<Vec<Guest>> = Mutex::new(Vec::new());
    GUESTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives a guest its place behind all methods that are known.
pub(crate) fn introduce(guest: &Guest) {
    let mut known = known();
    if METHODS.contains(&guest.name) || known.iter().any(|other| other.name == guest.name) {
        return;
    }
    let most = u32::BITS as usize;
    assert!(METHODS.len() + known.len() < most, "more than {most} methods: a set of them has no room");
    known.push(guest.clone());
}

/// Names of all methods in the order of asking: those of the house, then guests.
#[must_use]
pub fn names() -> Vec<&'static str> {
    METHODS.iter().copied().chain(known().iter().map(|guest| guest.name)).collect()
}

/// The index of a method in [`names`].
#[must_use]
pub fn index(name: &str) -> Option<usize> {
    names().iter().position(|known| *known == name)
}

/// The name of the method with an index.
///
/// # Panics
/// For an index that no method has.
#[must_use]
pub fn name(index: usize) -> &'static str {
    METHODS.get(index).copied().unwrap_or_else(|| known()[index - METHODS.len()].name)
}

/// All guests.
pub(crate) fn all() -> Vec<Guest> {
    known().clone()
}
