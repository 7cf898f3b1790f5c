//! The roster: every method once, in the order of asking, and the way from names to types.
//!
//! Adding a method is a file beside this one and a line in `methods!` (`mod.rs`, docs/ADDING.md). [`super::roster`] switches
//! methods at run time, so that one compiled search a game covers every [`MethodSet`].

use super::roll::same_name;
use super::{METHODS, Prune};
use crate::game::Game;
use secateur_base::sets::{SETS, members};
use std::fmt;
use std::str::FromStr;

macro_rules! methods {
    ($($field:ident: $method:ident, $name:literal;)+) => {
        $(mod $field;)+
        $(pub use $field::$method;)+

        /// Names of all methods, in the order of asking.
        pub const METHODS: &[&str] = &[$($name),+];

        /// Parameters of all methods for one game.
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case")]
        pub struct Params {
            $(#[doc = concat!("Parameters of `", $name, "`.")] pub $field: <$method as Method>::Params,)+
        }

        /// All methods, each switched on or off.
        pub type Roster = methods!(@type $($method)+);

        /// The methods of `set` switched on, with their parameters and the fits of their baseline.
        ///
        /// # Errors
        /// What the first method that cannot be set up says.
        pub fn roster(
            set: MethodSet,
            params: &Params,
            baselines: &Baselines,
            stages: usize,
        ) -> Result<Roster, SetupError> {
            let calibration = baselines.choose(set.contains(roster::index_of("null-move")));
            $(let $field = Switched {
                method: set.contains(const { roster::index_of($method::NAME) })
                    .then(|| $method::new(&params.$field, calibration, stages))
                    .transpose()?,
                guards: $method::guards(&params.$field),
            };)+
            Ok(methods!(@value $($field)+))
        }

        /// Hands `visitor` the methods of a roster with no switch that could be spared: `()` where all are off, the
        /// method itself where one is on, the roster where several are. What is searched is the same; what a
        /// switched-off method costs is not in it.
        pub fn narrowest<'p, G: Game, V: roster::WithMethods<'p, G>>(roster: &'p Roster, visitor: V) -> V::Output {
            let methods!(@value $($field)+) = roster;
            match 0 $(+ usize::from($field.method.is_some()))+ {
                0 => return visitor.with(&()),
                1 => {}
                _ => return visitor.with(roster),
            }
            $(if let Some(method) = &$field.method {
                return visitor.with(method);
            })+
            unreachable!("one method is on")
        }

        /// The probability with which each method of `set` promises a right cut, by index in [`METHODS`], for those
        /// that promise one.
        #[must_use]
        pub fn promises(set: MethodSet, params: &Params) -> Vec<(usize, f64)> {
            let all = [$((const { roster::index_of($method::NAME) }, $method::promise(&params.$field))),+];
            let on = |(index, promise): (usize, Option<f64>)| {
                promise.filter(|_| set.contains(index)).map(|promise| (index, promise))
            };
            all.into_iter().filter_map(on).collect()
        }
    };
    (@type $head:ident) => { Switched<$head> };
    (@type $head:ident $($tail:ident)+) => { (Switched<$head>, methods!(@type $($tail)+)) };
    (@value $head:ident) => { $head };
    (@value $head:ident $($tail:ident)+) => { ($head, methods!(@value $($tail)+)) };
}

/// Something to be done with methods whose type is known only at run time; see [`super::narrowest`].
pub trait WithMethods<'p, G: Game> {
    /// What comes out.
    type Output;
    /// Does it.
    fn with<P: Prune<G> + Sync>(self, prune: &'p P) -> Self::Output;
}

/// Index of a method by name, at compile time.
pub(super) const fn index_of(name: &str) -> usize {
    let mut index = 0;
    while index < METHODS.len() {
        if same_name(METHODS[index], name) {
            return index;
        }
        index += 1;
    }
    panic!("a method must be in the roster")
}

/// A set of methods; prints and parses as names joined by `+`, or `none`. [`SETS`] parse as their members. Methods of other
/// crates have an index here and no name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodSet(u32);

impl MethodSet {
    /// No method.
    pub const NONE: MethodSet = MethodSet(0);

    /// The set of one method, by index in [`METHODS`].
    #[must_use]
    pub fn only(index: usize) -> MethodSet {
        MethodSet(1 << index)
    }

    /// Whether the method with this index is in the set.
    #[must_use]
    pub fn contains(self, index: usize) -> bool {
        self.0 >> index & 1 == 1
    }

    /// The set with one more method.
    #[must_use]
    pub fn with(self, index: usize) -> MethodSet {
        MethodSet(self.0 | 1 << index)
    }

    /// The set without one method.
    #[must_use]
    pub fn without(self, index: usize) -> MethodSet {
        MethodSet(self.0 & !(1 << index))
    }

    /// Indices of the members, in the order of asking; those behind [`METHODS`] are of other crates.
    pub fn indices(self) -> impl Iterator<Item = usize> {
        (0..u32::BITS as usize).filter(move |&index| self.contains(index))
    }
}

impl fmt::Display for MethodSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == MethodSet::NONE {
            return f.write_str("none");
        }
        let ours = self.indices().filter(|index| *index < METHODS.len());
        let names: Vec<&str> = ours.map(|index| METHODS[index]).collect();
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
            Ok(MethodSet(set.0 | 1 << index))
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
        let all = MethodSet((1 << METHODS.len()) - 1);
        for (a, b) in (0..METHODS.len()).flat_map(|a| (0..METHODS.len()).map(move |b| (a, b))) {
            let few = MethodSet::only(a).with(b);
            for set in [few, all.without(a).without(b)] {
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
