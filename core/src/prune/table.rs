//! The table of methods: every method once, in the order of asking, and the way from names to values.
//!
//! Adding a method is a file next to this one and a line in `methods!` (`mod.rs`, docs/ADDING.md). A method that is set up is a
//! [`MethodValue`], whatever its type and whichever crate it is of; which methods a search has is a list of them.

use super::{Asks, Depths, METHODS, Prune};
use crate::game::Game;
use secateur_base::sets::{SETS, members};
use std::any::Any;
use std::collections::BTreeSet;
use std::fmt::{self, Debug};
use std::str::FromStr;
use std::sync::Arc;

macro_rules! methods {
    ($($field:ident: $method:ident, $name:literal;)+) => {
        $(mod $field;)+
        $(pub use $field::$method;)+

        /// Names of all methods, in the order of asking.
        pub const METHODS: &[&str] = &[$($name),+];

        /// How many marks each of them needs.
        const MARKS: &[u32] = &[$($method::MARKS),+];

        /// Parameters of all methods for one game.
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(try_from = "Sections", rename_all = "kebab-case")]
        pub struct Params {
            $(#[doc = concat!("Parameters of `", $name, "`.")] pub $field: <$method as Method>::Params,)+
        }

        /// What a text says of them.
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case")]
        struct Sections {
            $($field: Option<<$method as Method>::Params>,)+
        }

        impl TryFrom<Sections> for Params {
            type Error = String;

            fn try_from(sections: Sections) -> Result<Params, String> {
                let missing = |name| format!("missing field `{name}`");
                Ok(Params {
                    $($field: sections.$field.or_else($method::usual).ok_or_else(|| missing($name))?,)+
                })
            }
        }

        /// The methods of `set` that are in the table, with their parameters and the fits of their baseline.
        ///
        /// # Errors
        /// What the first method that cannot be set up says.
        pub fn equip(
            set: &MethodSet,
            params: &Params,
            baselines: &Baselines,
            stages: usize,
        ) -> Result<Methods, SetupError> {
            let calibration = baselines.choose(set.has("null-move"));
            let mut methods = Methods::default();
            $(if set.has($name) {
                methods.push(MethodValue::listed($method::new(&params.$field, calibration, stages)?));
            })+
            Ok(methods)
        }

        /// The probability with which each method of `set` promises a right cut, by index in [`METHODS`], for those
        /// that promise one.
        pub fn promises(set: &MethodSet, params: &Params) -> Vec<(usize, f64)> {
            let all = [$($method::promise(&params.$field)),+];
            let on = |(index, promise): (usize, Option<f64>)| {
                promise.filter(|_| set.contains(index)).map(|promise| (index, promise))
            };
            all.into_iter().enumerate().filter_map(on).collect()
        }

        /// A method of the table as searches of a game see it.
        fn listed<G: Game>(method: &dyn std::any::Any) -> Option<&dyn Prune<G>> {
            $(if let Some(method) = method.downcast_ref::<$method>() {
                return Some(method);
            })+
            method.downcast_ref::<Silent>().map(|method| method as &dyn Prune<G>)
        }
    };
}

/// The first mark of a method of the table, and how many marks the table has. Marks of its methods are the same in every set, so
/// that a tree does not depend on methods which never speak in it.
pub(crate) fn first_mark(name: &str) -> (Option<u32>, u32) {
    let before = |count: usize| super::MARKS[..count].iter().sum();
    (METHODS.iter().position(|listed| *listed == name).map(before), before(METHODS.len()))
}

/// What is behind a [`MethodValue`].
trait Held: Any + Debug + Send + Sync {}

impl<M: Any + Debug + Send + Sync> Held for M {}

/// How searches of a game see a method of a certain type.
type View<G> = fn(&dyn Any) -> Option<&dyn Prune<G>>;

/// For which games a method that is not in the table is compiled.
#[derive(Clone, Default)]
pub struct Views(Vec<Arc<dyn Any + Send + Sync>>);

impl Views {
    /// These, and method `M` in a game.
    pub fn with<G: Game, M: Prune<G> + 'static>(mut self) -> Views {
        let view: View<G> = |method| method.downcast_ref::<M>().map(|method| method as &dyn Prune<G>);
        self.0.push(Arc::new(view));
        self
    }
}

/// A method that is set up, of whatever type. Cheap to copy.
#[derive(Clone)]
pub struct MethodValue {
    method: Arc<dyn Held>,
    views: Views,
}

impl MethodValue {
    /// A method that is in the table.
    pub(super) fn listed<M: Any + Debug + Send + Sync>(method: M) -> MethodValue {
        MethodValue::new(method, Views::default())
    }

    /// A method of another crate, for the games that it is compiled for.
    pub fn new<M: Any + Debug + Send + Sync>(method: M, views: Views) -> MethodValue {
        MethodValue { method: Arc::new(method), views }
    }

    /// The method as searches of a game see it; `None` if it is not compiled for the game.
    pub fn of<G: Game>(&self) -> Option<&dyn Prune<G>> {
        let method: &dyn Any = &*self.method;
        let own_views = self.views.0.iter().filter_map(|view| view.downcast_ref::<View<G>>());
        super::listed(method).or_else(|| own_views.filter_map(|view| view(method)).next())
    }
}

impl Debug for MethodValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.method.fmt(f)
    }
}

/// A method that is asked at every moment and never speaks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Silent;

impl<G: Game> Prune<G> for Silent {
    fn asks(&self) -> Asks {
        let all = Depths::ALL;
        Asks {
            name: "silent",
            approach: all,
            enter: all,
            branch: all,
            skip: all,
            extend: all,
            leave: all,
            quiet: true,
            chance: all,
            line: true,
            evaluations: true,
            ..Asks::default()
        }
    }
}

/// Methods that are set up, in the order of asking.
#[derive(Clone, Debug, Default)]
pub struct Methods(Vec<MethodValue>);

impl Methods {
    /// No method.
    pub const NONE: &'static Methods = &Methods(Vec::new());

    /// Adds a method, which is asked after those that are there.
    pub fn push(&mut self, method: MethodValue) {
        self.0.push(method);
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The same, and one more that is asked at every moment and never speaks: whatever it is in, it must change nothing.
    pub fn with_silent(&self) -> Methods {
        let mut methods = self.clone();
        methods.push(MethodValue::listed(Silent));
        methods
    }

    /// The methods as searches of a game see them.
    ///
    /// # Panics
    /// If one is not compiled for the game.
    pub fn of<G: Game>(&self) -> Vec<&dyn Prune<G>> {
        let seen = |method: &MethodValue| panic!("{method:?} is not compiled for {}", G::NAME);
        self.0.iter().map(|method| method.of::<G>().unwrap_or_else(|| seen(method))).collect()
    }
}

impl FromIterator<MethodValue> for Methods {
    fn from_iter<I: IntoIterator<Item = MethodValue>>(methods: I) -> Methods {
        Methods(methods.into_iter().collect())
    }
}

/// A set of methods by index; prints and parses as names joined by `+`, or `none`. [`SETS`] parse as their members. Methods of
/// other crates have an index behind [`METHODS`] and no name here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MethodSet(BTreeSet<usize>);

impl MethodSet {
    /// No method.
    pub const NONE: MethodSet = MethodSet(BTreeSet::new());

    /// The set of one method, by index in [`METHODS`].
    pub fn only(index: usize) -> MethodSet {
        MethodSet::NONE.with(index)
    }

    /// Whether the method with this index is in the set.
    pub fn contains(&self, index: usize) -> bool {
        self.0.contains(&index)
    }

    /// Whether the method of [`METHODS`] with this name is in the set.
    pub fn has(&self, name: &str) -> bool {
        METHODS.iter().position(|listed| *listed == name).is_some_and(|index| self.contains(index))
    }

    /// The set with one more method.
    pub fn with(mut self, index: usize) -> MethodSet {
        self.0.insert(index);
        self
    }

    /// The set without one method.
    pub fn without(mut self, index: usize) -> MethodSet {
        self.0.remove(&index);
        self
    }

    /// Indices of the members, in the order of asking; those behind [`METHODS`] are of other crates.
    pub fn indices(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().copied()
    }
}

/// By the last member first.
impl Ord for MethodSet {
    fn cmp(&self, other: &MethodSet) -> std::cmp::Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}

impl PartialOrd for MethodSet {
    fn partial_cmp(&self, other: &MethodSet) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for MethodSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == MethodSet::NONE {
            return f.write_str("none");
        }
        let names: Vec<&str> = self.indices().filter_map(|index| METHODS.get(index).copied()).collect();
        f.write_str(&names.join("+"))
    }
}

fn named() -> String {
    SETS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

/// A name that no method has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown method `{name}`: expected `none`, a set ({}) or a `+`-joined list of {}", named(), METHODS.join(", "))]
pub struct UnknownMethod {
    /// The name that was found.
    pub name: String,
}

impl FromStr for MethodSet {
    type Err = UnknownMethod;

    fn from_str(text: &str) -> Result<MethodSet, UnknownMethod> {
        if text == "none" {
            return Ok(MethodSet::NONE);
        }
        let text = members(text).unwrap_or(text);
        text.split('+').try_fold(MethodSet::NONE, |set, name| {
            let index = METHODS.iter().position(|method| *method == name);
            let index = index.ok_or_else(|| UnknownMethod { name: name.to_owned() })?;
            Ok(set.with(index))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_print_in_the_order_of_asking_and_parse_back() {
        let set: MethodSet = "futility+null-move".parse().unwrap();
        assert_eq!(set.to_string(), "null-move+futility");
        // Every set of one, of two, and of all but as many.
        let all = (0..METHODS.len()).fold(MethodSet::NONE, MethodSet::with);
        for (a, b) in (0..METHODS.len()).flat_map(|a| (0..METHODS.len()).map(move |b| (a, b))) {
            let few = MethodSet::only(a).with(b);
            for set in [few, all.clone().without(a).without(b)] {
                assert_eq!(set.to_string().parse(), Ok(set));
            }
        }
    }

    #[test]
    fn a_named_set_is_what_its_members_spell() {
        for (name, members) in SETS {
            let set: MethodSet = name.parse().unwrap();
            assert_eq!(set.to_string(), *members);
            assert_eq!(members.parse(), Ok(set));
        }
    }

    #[test]
    fn unknown_names_are_named() {
        let error = "null-move+nul".parse::<MethodSet>().unwrap_err();
        assert_eq!(error.name, "nul");
        assert!(error.to_string().contains("multi-cut"));
        assert!("".parse::<MethodSet>().is_err());
        assert!("none+mpc".parse::<MethodSet>().is_err());
        assert!("all+mpc".parse::<MethodSet>().is_err());
    }
}
