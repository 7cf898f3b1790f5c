//! An arm of an ablation: a method set, and in brackets what its methods do differently from the parameter file.
//!
//! `null-move[verified]+mpc[t=1.2]` runs null move in its verified form with MPC with another threshold on. What stands
//! in brackets is a preset by name (`suites/params/presets.toml`) or a parameter with a value. The text of an arm is
//! its name in records. Left out: changes of the host, which belong to all arms of a run.
//!
//! Forms of methods have names in brackets (`null-move[verified]`): those of the file of presets, and one for each guard that methods
//! share, because leaving it out is a form too (`mpc[no-pv-guard]`).

use super::methods;
use super::numbers::{Numbers, plain, put};
use secateur_base::Unknown;
use secateur_core::prune::{METHODS, MethodSet, SetupError, members, set_names};
use secateur_record::arm::split;
use secateur_record::error::in_plain_words;
use serde::{Deserialize, Serialize, Serializer};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::OnceLock;

/// A method set with changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arm {
    /// The methods.
    pub set: MethodSet,
    /// Changes by index of the method, in the order of writing; the last word counts. A change is a preset by name, or `name=value`: a
    /// parameter by dotted name, and its value as TOML or as plain text.
    changes: BTreeMap<usize, Vec<String>>,
}

/// Why a text is no arm.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadArm {
    /// A name that nothing has.
    #[error(transparent)]
    Unknown(#[from] Unknown),
    /// A form that no arm has.
    #[error("found `{found}`: {message}")]
    Form {
        /// The part that is wrong.
        found: String,
        /// What was expected.
        message: &'static str,
    },
}

impl Arm {
    /// Reads `none`, `mpc`, `null-move[verified]+mpc[t=1.2,nesting=1]`.
    ///
    /// # Errors
    /// The first part that is wrong, with what was expected.
    pub fn parse(text: &str) -> Result<Arm, BadArm> {
        if text == "none" {
            return Ok(Arm::default());
        }
        if let Some(arm) = Arm::reduced(text)? {
            return Ok(arm);
        }
        let text = members(text).unwrap_or(text);
        let mut arm = Arm::default();
        for part in split(text, '+') {
            let (name, changes) = match part.split_once('[') {
                None => (part, ""),
                Some((name, rest)) => match rest.strip_suffix(']') {
                    Some(changes) => (name, changes),
                    None => return form(part, "expected `]` at the end of the brackets"),
                },
            };
            if changes.matches('[').count() != changes.matches(']').count() {
                return form(part, "expected as many `]` as `[`");
            }
            let index = methods::index(name).ok_or_else(|| unknown(name, text))?;
            if arm.set.contains(index) {
                return form(name, "expected every method once");
            }
            arm.set = arm.set.with(index);
            let changes = split(changes, ',').into_iter().filter(|change| !change.trim().is_empty());
            let changes = changes.map(|change| read(index, change.trim())).collect::<Result<Vec<_>, _>>()?;
            if !changes.is_empty() {
                arm.changes.insert(index, changes);
            }
        }
        Ok(arm)
    }

    /// Reads a set by name without some of its members and with others: `modern[-lmr,+rankcut]`, `modern[-lmr,+lmr[divisor=1.8]]`;
    /// `None` if the text is of another form.
    fn reduced(text: &str) -> Result<Option<Arm>, BadArm> {
        let Some((set, left_out)) = text.strip_suffix(']').and_then(|text| text.split_once('[')) else {
            return Ok(None);
        };
        let Some(all) = members(set) else { return Ok(None) };
        let mut arm = Arm::parse(all)?;
        for part in split(left_out, ',') {
            let wrong = |message| form(part, message);
            let Some((sign @ ("-" | "+"), name)) = part.trim().split_at_checked(1) else {
                return wrong(
                    "expected a member of the set behind `-`, or another method behind `+`: `modern[-lmr]`",
                );
            };
            if sign == "+" {
                let added = Arm::parse(name)?;
                if added == Arm::default() || added.set.indices().any(|method| arm.set.contains(method)) {
                    return wrong("expected a method that is no member of the set");
                }
                arm = arm.with(&added);
                continue;
            }
            let index = methods::index(name).ok_or_else(|| unknown(name, text))?;
            if !arm.set.contains(index) {
                return wrong("expected a member of the set");
            }
            arm = arm.without(index);
        }
        Ok(Some(arm))
    }

    /// The arm with one more change of a method, which must be a member: `t=1.2` or the name of a preset.
    ///
    /// # Errors
    /// As [`Arm::parse`].
    pub fn changed(&self, method: usize, change: &str) -> Result<Arm, BadArm> {
        let mut arm = self.clone();
        arm.changes.entry(method).or_default().push(read(method, change.trim())?);
        Ok(arm)
    }

    /// The arm with the methods of another, as they are changed there; of a method that both have, this one's stays.
    pub fn with(&self, other: &Arm) -> Arm {
        let mut arm = self.clone();
        for method in other.set.indices().filter(|method| !self.set.contains(*method)) {
            arm.set = arm.set.with(method);
            arm.changes.extend(other.changes.get(&method).map(|changes| (method, changes.clone())));
        }
        arm
    }

    /// The arm without one of its methods.
    pub fn without(&self, method: usize) -> Arm {
        let mut arm = self.clone();
        arm.set = arm.set.without(method);
        arm.changes.remove(&method);
        arm
    }

    /// A method of the arm as it is written in it, changes included.
    pub fn member(&self, method: usize) -> String {
        match self.changes.get(&method) {
            None => methods::name(method).to_owned(),
            Some(changes) => format!("{}[{}]", methods::name(method), changes.join(",")),
        }
    }

    /// `params` with the changes of the arm.
    ///
    /// # Errors
    /// The first change that names no parameter, or a value that it cannot have.
    pub fn params(&self, params: &Numbers) -> Result<Numbers, SetupError> {
        if self.changes.is_empty() {
            return Ok(params.clone());
        }
        let mut all = toml::Value::try_from(params).expect("numbers have a TOML form");
        let mut changed = params.clone();
        for (&method, changes) in &self.changes {
            for change in changes {
                let fail = |why: String| {
                    let message = format!("`{change}`: {why}");
                    SetupError { method: methods::name(method), message }
                };
                for (name, value) in values(method, change) {
                    let names: Vec<String> = std::iter::once(methods::name(method))
                        .chain(name.split('.'))
                        .map(str::to_owned)
                        .collect();
                    put(&mut all, &names, value).map_err(fail)?;
                }
                changed = Numbers::deserialize(all.clone()).map_err(|error| {
                    fail(in_plain_words(error.message().lines().next().unwrap_or("no such value")))
                })?;
            }
        }
        Ok(changed)
    }
}

impl fmt::Display for Arm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.set == MethodSet::NONE {
            return f.write_str("none");
        }
        let members: Vec<String> = self.set.indices().map(|method| self.member(method)).collect();
        f.write_str(&members.join("+"))
    }
}

impl Serialize for Arm {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A part of an arm that is wrong.
fn form<T>(part: &str, message: &'static str) -> Result<T, BadArm> {
    Err(BadArm::Form { found: part.to_owned(), message })
}

/// A change of a method as it is kept.
fn read(method: usize, text: &str) -> Result<String, BadArm> {
    if let Some((name, value)) = text.split_once('=') {
        return Ok(format!("{}={}", name.trim(), value.trim()));
    }
    let names: Vec<&str> = presets_of(method).map(|preset| preset.name.as_str()).collect();
    if names.contains(&text) {
        return Ok(text.to_owned());
    }
    let mut error = Unknown::new("preset", text, &names);
    let parameter = format!("a parameter of {} with a value (`name=value`)", methods::name(method));
    error.names = if names.is_empty() { parameter } else { format!("{}, or {parameter}", error.names) };
    Err(error.into())
}

/// The presets of a method.
fn presets_of(method: usize) -> impl Iterator<Item = &'static Preset> {
    presets().iter().filter(move |preset| preset.method == methods::name(method))
}

/// What a change sets.
fn values(method: usize, change: &str) -> Vec<(String, toml::Value)> {
    if let Some((name, text)) = change.split_once('=') {
        // Words and percentages go without quotes.
        let value = plain(text).unwrap_or_else(|| toml::Value::String(text.to_owned()));
        return vec![(name.to_owned(), value)];
    }
    let preset = presets_of(method).find(|preset| preset.name == change);
    preset.into_iter().flat_map(|preset| preset.set.clone()).collect()
}

/// `none` and the sets are names, but not ones that can be joined: then the whole is what is wrong.
fn unknown(name: &str, text: &str) -> Unknown {
    let sets: Vec<&str> = set_names().collect();
    let unknown_text = if sets.contains(&name) { text } else { name };
    let names: Vec<&str> = sets.into_iter().chain(methods::names()).collect();
    let mut error = Unknown::new("method", unknown_text, &names);
    error.names.push_str(", or several joined by `+`, each with changes in brackets (`null-move[verified]`)");
    error
}

/// A named change of one method's parameters.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// The method that it is a form of.
    pub method: String,
    /// Its name in brackets.
    pub name: String,
    /// What it is and where it comes from, one sentence.
    pub about: String,
    /// Parameters by dotted name.
    pub set: BTreeMap<String, toml::Value>,
}

#[derive(Deserialize)]
struct PresetFile {
    /// Methods without the shared guards.
    unguarded: Vec<String>,
    /// The shared guards ([`secateur_core::prune::Guards`]).
    guard: Vec<Guard>,
    preset: Vec<Preset>,
}

/// A preset that every method with the shared guards has, but for those `without`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Guard {
    name: String,
    about: String,
    set: BTreeMap<String, toml::Value>,
    #[serde(default)]
    without: Vec<String>,
}

/// Every preset, by method and name.
///
/// # Panics
/// Never in a build whose tests pass: the file is part of the build.
pub fn presets() -> &'static [Preset] {
    static PRESETS: OnceLock<Vec<Preset>> = OnceLock::new();
    PRESETS.get_or_init(|| {
        let mut file: PresetFile =
            toml::from_str(include_str!("../../params/presets.toml")).expect("the file of presets");
        let is_in = |list: &[String], method: &str| list.iter().any(|other| other == method);
        for method in METHODS.iter().filter(|method| !is_in(&file.unguarded, method)) {
            let guards = file.guard.iter().filter(|guard| !is_in(&guard.without, method));
            file.preset.extend(guards.map(|Guard { name, about, set, .. }| Preset {
                method: (*method).to_owned(),
                name: name.clone(),
                about: about.clone(),
                set: set.clone(),
            }));
        }
        file.preset
    })
}

/// How many arms are crossed: fewer interact with nothing, and more than 256 combinations no table could show.
pub(crate) const SIZE: RangeInclusive<usize> = 2..=8;

/// Whether so many arms can be crossed; else what was found and expected.
pub(crate) fn size(arms: usize) -> Result<(), String> {
    if SIZE.contains(&arms) {
        return Ok(());
    }
    Err(format!("found a list of {arms}, expected {} to {} arms", SIZE.start(), SIZE.end()))
}

/// Every subset of so many things, as their indices: the empty one first, then by size, those of one size in the order of the
/// things.
pub(crate) fn subsets(count: usize) -> Vec<Vec<usize>> {
    // With the first as the highest bit, larger numbers of one size come first.
    let has = |bits: usize, at: usize| bits >> (count - 1 - at) & 1 == 1;
    let mut sets: Vec<usize> = (0..1 << count).collect();
    sets.sort_by_key(|bits| (bits.count_ones(), Reverse(*bits)));
    sets.into_iter().map(|bits| (0..count).filter(|&at| has(bits, at)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setups::games;
    use crate::setups::setup::Setup;
    use secateur_core::prune::METHODS;

    fn index(name: &str) -> usize {
        METHODS.iter().position(|method| *method == name).unwrap()
    }

    #[test]
    fn arms_print_in_the_order_of_asking_and_parse_back() {
        let arm = Arm::parse("mpc[t=1.2, nesting=1]+null-move[verified]").unwrap();
        assert_eq!(arm.to_string(), "null-move[verified]+mpc[t=1.2,nesting=1]");
        assert_eq!(Arm::parse(&arm.to_string()), Ok(arm.clone()));
        assert_eq!(arm.without(index("mpc")).to_string(), "null-move[verified]");
        assert_eq!(Arm::parse("none").unwrap().to_string(), "none");
        for set in ["all", "classic", "modern"] {
            assert_eq!(Arm::parse(set).unwrap().to_string(), members(set).unwrap());
        }
        let most = Arm::parse("classic[-lmr,-razoring]").unwrap();
        assert_eq!(most.to_string(), "null-move+mpc+futility");
        assert_eq!(
            Arm::parse("classic[-lmr,+etc]").unwrap().to_string(),
            "razoring+null-move+mpc+etc+futility"
        );
        let changed = Arm::parse("classic[-lmr,+lmr[divisor=1.8,history=0],+etc]").unwrap();
        assert_eq!(changed.to_string(), "razoring+null-move+mpc+etc+futility+lmr[divisor=1.8,history=0]");
        for wrong in [
            "classic[+lmr[divisor=1.8]]",
            "classic[-lmr,+lmr[divisor=1.8]",
            "classic[+none]",
            "classic[lmr]",
            "classic[-singular]",
            "classic[-lmx]",
            "classic[-lmr,-lmr]",
            "classic[+lmr]",
            "classic[]",
        ] {
            assert!(Arm::parse(wrong).is_err(), "{wrong}");
        }
        let nested = Arm::parse("mpc[pairs=[[1,3],[2,4]],t=1]+futility").unwrap();
        assert_eq!(nested.to_string(), "mpc[pairs=[[1,3],[2,4]],t=1]+futility");
    }

    #[test]
    fn changes_reach_the_parameters() {
        let params = Setup::embedded("chess").unwrap().params;
        let changed = |text: &str| Arm::parse(text).unwrap().params(&params);
        let arm = changed("mpc[pairs=[[1,3]],t=93.3193%,guards.pv=false]+multi-cut[trigger=table]").unwrap();
        assert_eq!(arm.mpc.pairs, [(1, 3)]);
        assert!((arm.mpc.t - 1.5).abs() < 1e-4 && !arm.mpc.guards.pv);
        assert_eq!(arm.probcut, params.probcut);
        assert_ne!(arm.multi_cut, params.multi_cut);
        assert_eq!(changed("null-move[reduction=4,reduction=1]").unwrap().null_move.reduction, 1);
        for (text, part) in [
            ("mpc[tt=1]", "unknown name `tt`"),
            ("mpc[t=often]", "often"),
            ("multi-cut[trigger=tabel]", "tabel"),
            ("null-move[reduction=2.5]", "2.5"),
        ] {
            let error = changed(text).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn wrong_arms_say_what_is_wrong() {
        for (text, message) in [
            ("null-move+nul", "unknown method `nul`"),
            ("none+mpc", "unknown method `none+mpc`"),
            ("mpc[", "expected `]`"),
            ("mpc+mpc", "every method once"),
            ("null-move[verifed]", "did you mean `verified`?"),
            ("", "unknown method"),
        ] {
            let error = Arm::parse(text).unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    /// Every preset names parameters that exist, changes something, and can be set up in every game; but pairs of depths that a
    /// game is not fitted to are refused with that reason, and two games have them all.
    #[test]
    fn presets_are_sound() {
        for preset in presets() {
            assert!(METHODS.contains(&preset.method.as_str()), "{}", preset.method);
            let twins = presets_of(index(&preset.method)).filter(|other| other.name == preset.name).count();
            assert_eq!(twins, 1, "{}[{}]", preset.method, preset.name);
            let mut refused = 0;
            let mut differs = ["plain", "fixed", "extended", "limited"].contains(&preset.name.as_str());
            for game in games::names() {
                let setup = Setup::embedded(game).unwrap();
                let arm = Arm::parse(&format!("{}[{}]", preset.method, preset.name)).unwrap();
                let params = arm.params(&setup.params).unwrap();
                let text = format!("{game}: {arm}");
                let made = setup.equip(&arm);
                refused += usize::from(made.is_err());
                let unfitted = |error: SetupError| error.message.contains("has no fit in any stage");
                assert!(made.err().is_none_or(unfitted), "{text}");
                differs |= params != setup.params;
            }
            assert!(refused + 2 <= games::names().len(), "{}[{}]", preset.method, preset.name);
            assert!(differs, "{}[{}] is what is done anyway", preset.method, preset.name);
        }
    }
}
