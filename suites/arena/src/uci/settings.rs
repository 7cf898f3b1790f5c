//! Options, derived from the parameters themselves: whatever the TOML form of the methods and of the host holds is
//! an option with its name there, and every method is a switch.
//!
//! Settings are values: a change makes new ones or an error, and what cannot be set up never replaces what can.

use super::Dialect;
use secateur_core::prune::{METHODS, MethodSet, Methods};
use secateur_core::search::Options;
use secateur_suites::setups::numbers::{Numbers, put, range};
use secateur_suites::setups::setup::Setup;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use toml::Value;

/// What the engine is at its strongest.
#[derive(Clone, Copy, Debug)]
pub struct FullStrength {
    /// Built-in variant of the parameters and host options; empty for the usual ones.
    pub params: &'static str,
    /// Method set.
    pub methods: &'static str,
}

/// The settings that the engine begins with.
pub const FULL_STRENGTH: FullStrength = FullStrength { params: "modern", methods: "modern" };

/// What the parameters are called that a game has without a variant; an empty value means them too.
const USUAL: &str = "usual";

/// Largest hash table, MiB.
const MOST_HASH: i64 = 16_384;
/// Largest overhead, milliseconds.
const MOST_OVERHEAD: i64 = 10_000;

/// Most lines: no position of chess has more moves, and more are not read in shogi.
const MOST_LINES: i64 = 224;

/// All settings, good ones.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct UciSettings {
    pub(super) setup: Setup,
    pub(super) methods: MethodSet,
    /// Time lost between the engine and its user at every move.
    pub(super) overhead: Duration,
    /// How many of the best moves have a line of their own.
    pub(super) lines: usize,
    /// Whether the user will ponder; nothing depends on it, but users take the option for the ability.
    ponder: bool,
    /// Variant or file that the numbers come from.
    params: String,
}

/// What an option is about.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Target {
    Hash,
    ClearHash,
    Overhead,
    MultiPv,
    Ponder,
    Params,
    Methods,
    /// The switch of a method, by index.
    Method(usize),
    /// A number, by its names in the TOML form.
    Number(Vec<String>),
}

/// Type and value of an option.
#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Button,
    Check(bool),
    Spin(i64, (i64, i64)),
    Text(String),
}

#[derive(Clone, Debug)]
struct Entry {
    name: String,
    target: Target,
    kind: Kind,
}

/// The TOML form of everything that can be set by name.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Form {
    host: Options,
    methods: Numbers,
}

impl UciSettings {
    /// What the engine begins with in a game: [`FULL_STRENGTH`] in chess.
    pub(super) fn full_strength<G: Dialect>() -> Result<UciSettings, String> {
        let settings = UciSettings {
            setup: load(G::NAME, G::FULL.params)?,
            methods: G::FULL.methods.parse().map_err(|error| format!("{error}"))?,
            overhead: Duration::from_millis(10),
            lines: 1,
            ponder: false,
            params: G::FULL.params.to_owned(),
        };
        settings.checked::<G>()
    }

    /// The methods with their numbers.
    pub(super) fn ready<G: Dialect>(&self) -> Result<Methods, String> {
        self.setup.check(&G::default()).map_err(|error| error.to_string())?;
        self.setup.methods(&self.methods).map_err(|error| error.to_string())
    }

    fn checked<G: Dialect>(self) -> Result<UciSettings, String> {
        self.ready::<G>().map(|_| self)
    }

    /// The option lines of the handshake, with the values of now as defaults.
    pub(super) fn lines(&self) -> Vec<String> {
        let line = |Entry { name, kind, .. }: &Entry| match kind {
            Kind::Button => format!("option name {name} type button"),
            Kind::Check(on) => format!("option name {name} type check default {on}"),
            Kind::Spin(value, (min, max)) => {
                format!("option name {name} type spin default {value} min {min} max {max}")
            }
            Kind::Text(text) if text.is_empty() => format!("option name {name} type string default <empty>"),
            Kind::Text(text) => format!("option name {name} type string default {text}"),
        };
        self.entries().iter().map(line).collect()
    }

    /// The value of an option as text; absent for a button and for a name that nothing has.
    pub(super) fn value(&self, name: &str) -> Option<String> {
        match self.find(name)?.kind {
            Kind::Button => None,
            Kind::Check(on) => Some(on.to_string()),
            Kind::Spin(value, _) => Some(value.to_string()),
            Kind::Text(text) => Some(text),
        }
    }

    /// Whether the option is the button that clears the hash table.
    pub(super) fn clears(&self, name: &str) -> bool {
        self.find(name).is_some_and(|entry| entry.target == Target::ClearHash)
    }

    /// These settings with one of them changed.
    ///
    /// # Errors
    /// No such option, no such value, or a method that cannot be set up with it.
    pub(super) fn with<G: Dialect>(&self, name: &str, value: &str) -> Result<UciSettings, String> {
        if let Some(answer) = refused(name, value.trim()) {
            return answer.map(|()| self.clone());
        }
        let entry = self.find(name).ok_or_else(|| format!("unknown option '{name}'"))?;
        let value = if value == "<empty>" { "" } else { value.trim() };
        let mut new = self.clone();
        match entry.target {
            Target::ClearHash => {}
            Target::Hash => new.setup.options.table_mib = whole(value, 1, MOST_HASH)? as usize,
            Target::MultiPv => new.lines = whole(value, 1, MOST_LINES)? as usize,
            Target::Ponder => new.ponder = truth(value)?,
            Target::Overhead => new.overhead = Duration::from_millis(whole(value, 0, MOST_OVERHEAD)?),
            Target::Params => {
                let table_mib = self.setup.options.table_mib;
                (new.setup, new.params) = (load(G::NAME, value)?, value.to_owned());
                new.setup.options.table_mib = table_mib;
            }
            Target::Methods => new.methods = value.parse().map_err(|error| format!("{error}"))?,
            Target::Method(index) => new.methods = switched(self.methods.clone(), index, truth(value)?)?,
            Target::Number(path) => new.enter(&path, value)?,
        }
        new.checked::<G>().map_err(|error| format!("{}: {error}", entry.name))
    }

    fn enter(&mut self, path: &[String], value: &str) -> Result<(), String> {
        let fail = |message: &str| format!("{} = {value}: {}", name_of(path), message.trim());
        let mut form = self.form();
        put(&mut form, path, read(value)).map_err(|error| fail(&error))?;
        let form = Form::deserialize(form).map_err(|error| fail(error.message()))?;
        (self.setup.options, self.setup.params) = (form.host, form.methods);
        Ok(())
    }

    fn form(&self) -> Value {
        let form = Form { host: self.setup.options.clone(), methods: self.setup.params.clone() };
        Value::try_from(form).expect("numbers have a TOML form")
    }

    fn find(&self, name: &str) -> Option<Entry> {
        // Users of USI set the first two whether they are offered or not.
        let name = match plain(name).as_str() {
            "usi-hash" => "hash".to_owned(),
            "usi-ponder" => "ponder".to_owned(),
            other => other.to_owned(),
        };
        self.entries().into_iter().find(|entry| plain(&entry.name) == name)
    }

    fn entries(&self) -> Vec<Entry> {
        let entry = |name: &str, target, kind| Entry { name: name.to_owned(), target, kind };
        let hash = Kind::Spin(self.setup.options.table_mib as i64, (1, MOST_HASH));
        let overhead = Kind::Spin(self.overhead.as_millis() as i64, (0, MOST_OVERHEAD));
        let mut entries = vec![
            entry("Hash", Target::Hash, hash),
            entry("Clear Hash", Target::ClearHash, Kind::Button),
            entry("MultiPV", Target::MultiPv, Kind::Spin(self.lines as i64, (1, MOST_LINES))),
            entry("Ponder", Target::Ponder, Kind::Check(self.ponder)),
            entry("MoveOverhead", Target::Overhead, overhead),
            entry("Params", Target::Params, Kind::Text(self.params.clone())),
            entry("Methods", Target::Methods, Kind::Text(self.methods.to_string())),
        ];
        entries.extend(METHODS.iter().enumerate().map(|(index, name)| {
            entry(name, Target::Method(index), Kind::Check(self.methods.contains(index)))
        }));
        collect(&self.form(), &mut Vec::new(), &mut entries);
        entries
    }
}

/// Every number of the form as an entry. The size of the table is left out: it is `Hash`.
fn collect(value: &Value, path: &mut Vec<String>, entries: &mut Vec<Entry>) {
    let kind = match value {
        Value::Table(table) => {
            for (name, value) in table {
                path.push(name.clone());
                collect(value, path, entries);
                path.pop();
            }
            return;
        }
        Value::Boolean(on) => Kind::Check(*on),
        Value::Integer(number) => Kind::Spin(*number, range(path)),
        Value::String(text) => Kind::Text(text.clone()),
        other => Kind::Text(other.to_string()),
    };
    if *path != ["host", "table-mib"] {
        entries.push(Entry { name: name_of(path), target: Target::Number(path.clone()), kind });
    }
}

/// What is said to options of the protocol that are not offered but sent by some users all the same; nothing to others.
fn refused(name: &str, value: &str) -> Option<Result<(), String>> {
    match plain(name).as_str() {
        "uci-chess960" => Some(match truth(value) {
            Ok(true) => {
                Err("UCI_Chess960: castling of Chess960 is not known here, only that of chess".to_owned())
            }
            other => other.map(drop),
        }),
        // Nothing would change: there is no book, no contempt, and no clock but the one that is sent.
        "uci-analysemode" => Some(truth(value).map(drop)),
        _ => None,
    }
}

/// Words of the protocol that part an option line.
const RESERVED: &[&str] = &["name", "type", "default", "min", "max", "var"];

/// `null-move.reduction`, `host.check-extension`: a method needs no word before it. Some clients look for the words
/// of the protocol anywhere in the line, so a name that has one is written with `_` next to it: `null-move.min_depth`.
fn name_of(path: &[String]) -> String {
    let path = if path.first().is_some_and(|first| first == "methods") { &path[1..] } else { path };
    let text = path.join(".");
    let parts: Vec<&str> = text.split_inclusive(['.', '-']).collect();
    let mut name = String::new();
    for word in &parts {
        let bare = word.trim_end_matches(['.', '-']);
        let reserved = RESERVED.contains(&bare);
        if reserved && bare == *word && name.pop().is_some() {
            name.push('_');
        }
        name += if reserved { bare } else { word };
        if reserved && bare != *word {
            name.push('_');
        }
    }
    name
}

/// A name as it is compared: neither case nor the kind of separator counts.
fn plain(name: &str) -> String {
    name.to_lowercase().replace(['.', '_'], "-")
}

fn load(game: &str, name_or_path: &str) -> Result<Setup, String> {
    let variant = (!["", USUAL].contains(&name_or_path)).then_some(name_or_path);
    Setup::chosen(game, variant).map_err(|error| error.to_string())
}

fn switched(set: MethodSet, index: usize, on: bool) -> Result<MethodSet, String> {
    let member = |other: usize| if other == index { on } else { set.contains(other) };
    let names: Vec<&str> = (0..METHODS.len()).filter(|&other| member(other)).map(|i| METHODS[i]).collect();
    let text = if names.is_empty() { "none".to_owned() } else { names.join("+") };
    text.parse().map_err(|error| format!("{error}"))
}

fn truth(value: &str) -> Result<bool, String> {
    value.parse().map_err(|_| format!("found '{value}', expected true or false"))
}

fn whole(value: &str, min: i64, max: i64) -> Result<u64, String> {
    let number = value.parse().ok().filter(|number| (min..=max).contains(number));
    number.map(i64::unsigned_abs).ok_or_else(|| format!("found '{value}', expected {min} to {max}"))
}

/// The TOML value of a text; a text that is none stands for itself, so that `both` needs no quotes.
fn read(text: &str) -> Value {
    let table = toml::from_str::<toml::Table>(&format!("value = {text}")).ok();
    table.and_then(|mut table| table.remove("value")).unwrap_or_else(|| Value::String(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_games::chess::Chess;

    fn settings() -> UciSettings {
        UciSettings::full_strength::<Chess>().expect("the build's own numbers")
    }

    #[test]
    fn every_option_can_be_set_to_what_it_is() {
        let settings = settings();
        let entries = settings.entries();
        assert!(entries.len() > METHODS.len() + 15);
        for Entry { name, kind, .. } in &entries {
            let value = settings.value(name).unwrap_or_default();
            let same = settings.with::<Chess>(name, &value).expect(name);
            assert!(same == settings, "{name} = {value}, {kind:?}");
            let twice = entries.iter().filter(|other| plain(&other.name) == plain(name)).count();
            assert_eq!(twice, 1, "{name}");
        }
    }

    #[test]
    fn every_option_can_be_set_to_something_else_and_read_back() {
        // Numbers of a method that is off are free of the limits of its other numbers.
        let free = UciSettings { methods: MethodSet::NONE, ..settings() };
        for Entry { name, kind, target } in free.entries() {
            let other = match (&target, &kind) {
                (Target::Params | Target::ClearHash, _) => continue,
                (Target::Methods, _) => "futility".to_owned(),
                (_, Kind::Check(on)) => (!on).to_string(),
                (_, Kind::Spin(value, _)) => (value + 1).to_string(),
                _ => continue,
            };
            let changed = free.with::<Chess>(&name.to_uppercase(), &other).expect(&name);
            assert_eq!(changed.value(&name), Some(other), "{name}");
            assert!(changed != free, "{name}");
        }
    }

    #[test]
    fn texts_are_toml_or_stand_for_themselves() {
        for (name, value, read_back) in [
            ("mpc.t", "1.5", "1.5"),
            ("mpc.t", "2", "2.0"),
            ("mpc.t", "inf", "inf"),
            ("mpc.sides", "both", "both"),
            ("mpc.pairs", "[[4, 8]]", "[[4, 8]]"),
            (
                "probcut.growing",
                "[{ from = 5, shallow = 2, deep = 6 }]",
                "[{ deep = 6, from = 5, shallow = 2 }]",
            ),
            ("futility.frontier", "q95", "q95"),
            ("host.ordering", "static", "static"),
            ("Hash", "5", "5"),
            ("MoveOverhead", "77", "77"),
        ] {
            let free = UciSettings { methods: MethodSet::NONE, ..settings() };
            let changed = free.with::<Chess>(name, value).expect(name);
            let same = |text: &str| read(text) == read(&changed.value(name).unwrap());
            assert!(same(read_back), "{name}: {:?}", changed.value(name));
        }
    }

    #[test]
    fn what_cannot_be_set_up_is_refused_with_a_reason() {
        for (name, value, reason) in [
            ("nothing", "1", "unknown option"),
            ("Hash", "0", "expected 1 to"),
            ("Hash", "many", "expected 1 to"),
            ("mpc", "yes", "expected true or false"),
            ("Methods", "null-move+nul", "unknown method `nul`"),
            ("Params", "/no/such.toml", "no/such.toml"),
            ("null-move.reduction", "-1", "null-move: reduction -1"),
            ("null-move.reduction", "x", "null-move.reduction = x"),
            ("singular.min-depth", "1", "singular: min-depth 1"),
            ("host.check-extension", "7", "host.check-extension = 7"),
        ] {
            let error = settings().with::<Chess>(name, value).map(|_| ()).expect_err(name);
            assert!(error.contains(reason) && !error.is_empty(), "{name}: {error}");
        }
    }

    #[test]
    fn a_parameter_file_keeps_the_size_of_the_table() {
        let file = tempfile::NamedTempFile::with_suffix(".toml").unwrap();
        std::fs::write(file.path(), "[host]\ntable-mib = 2\n[methods.null-move]\nreduction = 3\n").unwrap();
        let path = file.path().display().to_string();
        let changed = settings().with::<Chess>("Hash", "9").unwrap().with::<Chess>("Params", &path).unwrap();
        assert_eq!(changed.value("Hash").as_deref(), Some("9"));
        assert_eq!(changed.value("null-move.reduction").as_deref(), Some("3"));
        assert_eq!(changed.value("Params"), Some(path));
        let back = changed.with::<Chess>("Params", FULL_STRENGTH.params).unwrap();
        assert!(back.with::<Chess>("Hash", &settings().value("Hash").unwrap()).unwrap() == settings());
        let usual = back.with::<Chess>("Params", "<empty>").unwrap();
        assert_eq!(usual.value("Params").as_deref(), Some(""));
    }

    #[test]
    fn names_hide_the_words_that_part_an_option_line() {
        let name = |text: &str| name_of(&text.split('/').map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(name("methods/null-move/min-depth"), "null-move.min_depth");
        assert_eq!(name("host/table-min-depth"), "host.table-min_depth");
        assert_eq!(name("methods/lmr/max"), "lmr_max");
        assert_eq!(name("methods/mpc/t"), "mpc.t");
        let free = UciSettings { methods: MethodSet::NONE, ..settings() };
        for spelling in ["null-move.min_depth", "null-move.min-depth", "Null-Move.Min-Depth"] {
            assert_eq!(
                free.with::<Chess>(spelling, "3").unwrap().value("null-move.min_depth").as_deref(),
                Some("3")
            );
        }
        for Entry { name, .. } in settings().entries() {
            let parts = name.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            assert!(parts.into_iter().all(|word| !RESERVED.contains(&word)), "{name}");
        }
    }
}
