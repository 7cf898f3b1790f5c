//! All pruning methods by name: those of the table, and those of other crates.
//!
//! A method is a line in the table of `secateur-core`. One from elsewhere is a [`Method`] like those; the crate that has it says for
//! which games it is compiled ([`Registration`]), after which it has a name, parameters, counters and an audit like any other, and
//! stands behind the methods of the table in the order of asking. Left out: forms by name, which are data
//! (`suites/params/presets.toml`).

use super::numbers::Numbers;
use secateur_core::Game;
use secateur_core::prune::{
    Baselines, Calibration, METHODS, Method, MethodSet, MethodValue, Methods, Prune, SetupError, Views, equip,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// A method of another crate, as it is known here.
#[derive(Clone)]
pub(crate) struct Registered {
    pub(crate) name: &'static str,
    /// Its usual parameters.
    pub(crate) usual: toml::Value,
    promise: fn(&toml::Value) -> Option<f64>,
    /// Refuses what are no parameters of the method.
    pub(crate) check: fn(&toml::Value) -> Result<(), String>,
    make: fn(&toml::Value, &Calibration, usize, Views) -> Result<MethodValue, SetupError>,
    views: Views,
    games: Vec<&'static str>,
}

/// Makes a method of another crate known: `Registration::<Mine>::new().game::<Chess>().register()`.
pub struct Registration<M>(Registered, PhantomData<M>);

impl<M> Debug for Registration<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Registration").field(&self.0.name).field(&self.0.games).finish()
    }
}

impl<M> Default for Registration<M>
where
    M: Method + Debug + Send + Sync + 'static,
    M::Params: Default + Serialize + DeserializeOwned,
{
    fn default() -> Self {
        Registration::new()
    }
}

impl<M> Registration<M>
where
    M: Method + Debug + Send + Sync + 'static,
    M::Params: Default + Serialize + DeserializeOwned,
{
    /// The method, for no game yet.
    ///
    /// # Panics
    /// If its parameters have no form in TOML.
    pub fn new() -> Self {
        let usual = toml::Value::try_from(M::Params::default()).expect("parameters have a TOML form");
        let registered = Registered {
            name: M::NAME,
            usual,
            promise: |value| read::<M>(value).ok().and_then(|params| M::promise(&params)),
            check: |value| read::<M>(value).map(|_| ()),
            make: |value, calibration, stages, views| {
                let params = read::<M>(value).map_err(|message| SetupError { method: M::NAME, message })?;
                Ok(MethodValue::new(M::new(&params, calibration, stages)?, views))
            },
            views: Views::default(),
            games: Vec::new(),
        };
        Registration(registered, PhantomData)
    }

    /// The method, for one more game. What it asks of the game's search is compiled here.
    #[must_use]
    pub fn game<G: Game>(mut self) -> Self
    where
        M: Prune<G>,
    {
        self.0.views = self.0.views.with::<G, M>();
        self.0.games.push(G::NAME);
        self
    }

    /// Gives the method its place behind all that are known. To be called before anything is planned. A name that is taken stays
    /// with whom it is.
    pub fn register(self) {
        let mut methods = registry();
        if !METHODS.contains(&self.0.name) && methods.iter().all(|other| other.name != self.0.name) {
            methods.push(self.0);
        }
    }
}

fn read<M: Method>(value: &toml::Value) -> Result<M::Params, String>
where
    M::Params: DeserializeOwned,
{
    value.clone().try_into().map_err(|error: toml::de::Error| error.message().to_owned())
}

fn registry() -> MutexGuard<'static, Vec<Registered>> {
    static KNOWN: Mutex<Vec<Registered>> = Mutex::new(Vec::new());
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Names of all methods in the order of asking.
pub fn names() -> Vec<&'static str> {
    METHODS.iter().copied().chain(registry().iter().map(|method| method.name)).collect()
}

/// The index of a method in [`names`].
pub fn index(name: &str) -> Option<usize> {
    names().iter().position(|method| *method == name)
}

/// The name of the method with an index.
///
/// # Panics
/// For an index that no method has.
pub fn name(index: usize) -> &'static str {
    METHODS.get(index).copied().unwrap_or_else(|| registry()[index - METHODS.len()].name)
}

/// All methods of other crates.
pub(crate) fn registered() -> Vec<Registered> {
    registry().clone()
}

/// Those of a set.
fn registered_in(set: &MethodSet) -> impl Iterator<Item = Registered> {
    let all = registered().into_iter().enumerate();
    all.filter(|(at, _)| set.contains(METHODS.len() + at)).map(|(_, method)| method)
}

/// The methods of `set` for a game of this name, set up with these numbers.
///
/// # Errors
/// What the first method says that cannot be set up; a method that is not compiled for the game.
pub(crate) fn ready(
    game: &str,
    set: &MethodSet,
    numbers: &Numbers,
    baselines: &Baselines,
    stages: usize,
) -> Result<Methods, SetupError> {
    let mut methods = equip(set, numbers, baselines, stages)?;
    let calibration = baselines.choose(set.has("null-move"));
    for method in registered_in(set) {
        if !method.games.contains(&game) {
            let message = format!("it is not compiled for {game}");
            return Err(SetupError { method: method.name, message });
        }
        let value = numbers.registered(method.name).unwrap_or(&method.usual);
        methods.push((method.make)(value, calibration, stages, method.views)?);
    }
    Ok(methods)
}

/// The probability that each method of a set promises, for those that promise one.
pub fn promises(set: &MethodSet, numbers: &Numbers) -> Vec<(&'static str, f64)> {
    let ours = secateur_core::prune::promises(set, numbers).into_iter().map(|(index, p)| (name(index), p));
    let theirs = registered_in(set).filter_map(|method| {
        let value = numbers.registered(method.name).unwrap_or(&method.usual);
        (method.promise)(value).map(|promise| (method.name, promise))
    });
    ours.chain(theirs).collect()
}

/// What a method does, one sentence; `None` of a method of another crate, which is described by the crate that has it.
///
/// # Panics
/// Never in a build whose tests pass: the file is part of the build.
pub fn about(method: &str) -> Option<&'static str> {
    static ABOUT: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    let about = ABOUT.get_or_init(|| {
        let text = include_str!("../../params/methods.toml");
        let mut file: BTreeMap<String, _> = toml::from_str(text).expect("the file of methods");
        file.remove("about").unwrap_or_default()
    });
    about.get(method).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::about;
    use secateur_core::prune::METHODS;

    #[test]
    fn every_method_has_a_sentence() {
        for method in METHODS.iter().chain(&["none"]) {
            let sentence = about(method).unwrap_or_else(|| panic!("{method} is not in params/methods.toml"));
            assert!(sentence.len() > 20 && !sentence.ends_with('.'), "{method}: {sentence}");
        }
        assert_eq!(about("nobody's"), None);
    }
}
