//! Forms of methods by name, as they stand in brackets (`null-move[verified]`): those of the file of presets, and one for each guard
//! that methods share, because leaving it out is a form too (`mpc[no-pv-guard]`).

use secateur_core::prune::METHODS;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::OnceLock;

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
    preset: Vec<Preset>,
}

/// Every preset, by method and name.
///
/// # Panics
/// Never in a build whose tests pass: the file is part of the build.
pub fn presets() -> &'static [Preset] {
    static PRESETS: OnceLock<Vec<Preset>> = OnceLock::new();
    PRESETS.get_or_init(|| {
        let file: PresetFile =
            toml::from_str(include_str!("../../params/presets.toml")).expect("the file of presets");
        file.preset.into_iter().chain(guards()).collect()
    })
}
/// The shared guards ([`secateur_core::prune::Guards`]): preset, parameter, value, what it means.
const GUARDS: [(&str, &str, bool, &str); 6] = [
    (
        "no-pv-guard",
        "guards.pv",
        false,
        "guard left out: acts in open windows, on the sides that are not open",
    ),
    ("no-check-guard", "guards.check", false, "guard left out: acts in check"),
    ("no-mate-guard", "guards.mate", false, "guard left out: acts where a bound is a mate"),
    ("no-solved-guard", "guards.solved", false, "guard left out: acts where the search is exact anyway"),
    ("not-stored", "guards.store", false, "a cut does not enter the table at the depth of its node"),
    ("last", "guards.last", true, "asked after all methods that are not"),
];
/// Guards that cannot be left out, or are left out anyway: late-move reductions have their own rules, nobody can pass in
/// check, Stockfish's cut is not stored at the depth of its node, who needs the moves is asked last as it is, and before
/// a throw nobody is in check and nobody else is asked.
const WITHOUT: [(&str, &str); 18] = [
    ("null-move", "no-check-guard"),
    ("capture-probcut", "not-stored"),
    ("capture-probcut", "last"),
    ("multi-cut", "last"),
    ("singular", "last"),
    ("uncertainty", "no-pv-guard"),
    ("uncertainty", "not-stored"),
    ("uncertainty", "last"),
    ("lmp", "not-stored"),
    ("lmp", "last"),
    ("history-pruning", "not-stored"),
    ("history-pruning", "last"),
    ("see-pruning", "not-stored"),
    ("see-pruning", "last"),
    ("rankcut", "not-stored"),
    ("rankcut", "last"),
    ("chance-probcut", "no-check-guard"),
    ("chance-probcut", "last"),
];
/// Methods without the shared guards: they have rules of their own, prune nothing, or act below the horizon.
const UNGUARDED: [&str; 10] = [
    "iid",
    "correction-history",
    "check-extension",
    "hindsight",
    "iir",
    "etc",
    "lmr",
    "delta",
    "quiet-exchange",
    "quiet-count",
];

/// The presets of the shared guards, for every method that has them.
fn guards() -> impl Iterator<Item = Preset> {
    let guarded = METHODS.iter().filter(|method| !UNGUARDED.contains(*method));
    guarded.flat_map(|method| {
        let left = GUARDS.iter().filter(|(name, ..)| !WITHOUT.contains(&(*method, *name)));
        left.map(|&(name, parameter, value, about)| Preset {
            method: (*method).to_owned(),
            name: name.to_owned(),
            about: about.to_owned(),
            set: BTreeMap::from([(parameter.to_owned(), toml::Value::Boolean(value))]),
        })
    })
}
