//! The options that an engine advertises, and whether a setting is one of them.

use super::Fault;
use super::error::Done;
use super::number::{Unread, read, signed};
use secateur_base::nearest;
use std::fmt;

/// One option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its name as the program writes it.
    pub name: String,
    /// What values it takes.
    pub kind: Kind,
    /// The value that it has if it is not set, as far as the program says so.
    pub default: Option<String>,
}

/// An option and what it is set to, as the engine writes both; a button has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Setting {
    pub(super) name: String,
    pub(super) value: Option<String>,
}

/// What values an option takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Check,
    /// A whole number.
    Spin {
        /// The least.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// One of these.
    Combo(Vec<String>),
    /// One line.
    Text,
    /// None: it is pressed.
    Button,
    /// A whole number of a range that cannot be read.
    Unread(Unread),
}

/// An option of which a program does not take the value that it usually gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Yielded {
    /// The option as the program writes it.
    pub name: String,
    /// The usual value.
    pub usual: String,
    /// The nearest that it takes; absent if there is none: then it is left as the program has it.
    pub used: Option<String>,
}

impl Yielded {
    /// Whether it is the size of the table, MiB.
    pub fn is_table(&self) -> bool {
        is_table(&self.name)
    }
}

impl fmt::Display for Yielded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Yielded { name, usual, used } = self;
        match used {
            Some(used) => {
                write!(f, "`{name}` is {used}, the nearest value that the program takes to the usual {usual}")
            }
            None => write!(f, "`{name}` is as the program has it, which does not take the usual {usual}"),
        }
    }
}

/// Whether an option is the size of the table, MiB.
pub(super) fn is_table(name: &str) -> bool {
    ["hash", "usi_hash"].contains(&&*name.trim().to_ascii_lowercase())
}

/// Options that are kept of an engine, and bytes of their lines: Stockfish has some twenty of 60 bytes.
const MOST: usize = 1_000;
/// See there.
const MOST_BYTES: usize = 1 << 20;
/// Characters of a list of options in a message.
const LISTED: usize = 1_000;

/// How a program is to be set up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wishes<'a> {
    /// Options by name and value that must be granted.
    pub(super) wanted: &'a [(String, String)],
    /// Options that are granted where they exist.
    pub(super) defaults: &'a [(String, String)],
    /// Whether somebody asked for the table of the defaults.
    pub(super) table_is_asked: bool,
}

impl<'a> Wishes<'a> {
    /// The value of a default that is not set otherwise.
    pub(super) fn default(&self, name: &str) -> Option<&'a str> {
        let value_in = |list: &'a [(String, String)]| {
            let entry = list.iter().find(|(other, _)| other.trim().eq_ignore_ascii_case(name));
            entry.map(|(_, value)| value.as_str())
        };
        if value_in(self.wanted).is_some() { None } else { value_in(self.defaults) }
    }

    /// Refuses every option, for a protocol that has none.
    pub(super) fn none(&self) -> Done {
        Advertised::default().settings(&Wishes { defaults: &[], ..*self }).map(|_| ())
    }
}

/// All options of an engine.
#[derive(Clone, Debug, Default)]
pub(super) struct Advertised {
    choices: Vec<Choice>,
    bytes: usize,
    dropped: usize,
    /// How many the program named: what it need not name, and the switches of this client, come behind them.
    named: usize,
    yielded: Vec<Yielded>,
}

impl Advertised {
    /// Takes in a line if it is an `option` line of UCI or USI that makes sense.
    pub(super) fn observe(&mut self, line: &str) {
        if let Some((name, kind, default)) = parse(line) {
            self.name(name, kind, default, line.len());
        }
    }

    /// Takes in an option that the program names.
    pub(super) fn name(&mut self, name: &str, kind: Kind, default: Option<String>, bytes: usize) {
        self.add(name, kind, default, bytes);
        self.named = self.choices.len();
    }

    /// Takes in an option with its default, if that is known, that was advertised with so many bytes.
    pub(super) fn add(&mut self, name: &str, kind: Kind, default: Option<String>, bytes: usize) {
        if self.choices.len() >= MOST || self.bytes + bytes > MOST_BYTES {
            self.dropped += 1;
            return;
        }
        self.bytes += bytes;
        self.choices.push(Choice { name: name.trim().to_owned(), kind, default });
    }

    /// Those that the program names, in its order.
    pub(super) fn named(&self) -> &[Choice] {
        &self.choices[..self.named]
    }

    /// The name of the option as the engine writes it.
    pub(super) fn find(&self, name: &str) -> Option<&str> {
        self.choice(name).map(|choice| choice.name.as_str())
    }

    /// The value that an option has if it is not set, as far as the program says so.
    pub(super) fn default_of(&self, name: &str) -> Option<&str> {
        self.choice(name)?.default.as_deref()
    }

    fn choice(&self, name: &str) -> Option<&Choice> {
        self.choices.iter().find(|choice| choice.name.eq_ignore_ascii_case(name.trim()))
    }

    /// What is to be set: first the defaults that the program has and that are not set otherwise, then what is wanted. A default
    /// that it does not take yields to the nearest value that it takes, unless somebody asked for it.
    pub(super) fn settings(&mut self, wishes: &Wishes<'_>) -> Done<Vec<Setting>> {
        let Wishes { wanted, defaults, table_is_asked } = *wishes;
        let is_wanted = |name: &str| wanted.iter().any(|(other, _)| other.trim().eq_ignore_ascii_case(name));
        let mut settings = Vec::new();
        for (name, usual) in defaults.iter().filter(|(name, _)| !is_wanted(name)) {
            let Some(choice) = self.choice(name) else { continue };
            if choice.kind.checked(usual).is_ok() || table_is_asked && is_table(name) {
                settings.push(self.setting(name, usual)?);
                continue;
            }
            let (name, used) = (choice.name.clone(), choice.kind.nearest(usual));
            settings.extend(used.clone().map(|used| Setting { name: name.clone(), value: Some(used) }));
            self.yielded.push(Yielded { name, usual: usual.clone(), used });
        }
        for (name, value) in wanted {
            settings.push(self.setting(name, value)?);
        }
        Ok(settings)
    }

    /// Defaults that yielded to what the program takes.
    pub(super) fn yielded(&self) -> &[Yielded] {
        &self.yielded
    }

    fn setting(&self, name: &str, value: &str) -> Done<Setting> {
        let Some(choice) = self.choice(name) else {
            let names: Vec<&str> = self.choices.iter().map(|choice| choice.name.as_str()).collect();
            let instead = nearest(name, &names).map(|near| format!("did you mean `{near}`?"));
            let instead = instead.unwrap_or_else(|| format!("it has: {}", self.listed(&names)));
            return Err(Fault::UnknownOption { option: name.to_owned(), instead });
        };
        let wrong =
            |expected| Fault::BadValue { option: choice.name.clone(), value: value.to_owned(), expected };
        let value = choice.kind.checked(value).map_err(wrong)?;
        let value = if choice.kind == Kind::Button { None } else { Some(value) };
        Ok(Setting { name: choice.name.clone(), value })
    }
}

impl Advertised {
    /// The options in words, as many as a message can hold.
    fn listed(&self, names: &[&str]) -> String {
        let mut length = 0;
        let shown = names.iter().take_while(|name| {
            length += name.len() + 2;
            length <= LISTED
        });
        let shown: Vec<&str> = shown.copied().collect();
        let more = match names.len() - shown.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let dropped = match self.dropped {
            0 => String::new(),
            dropped => format!("; {dropped} further options were not kept, because they are too many"),
        };
        let shown = if names.is_empty() { "none".to_owned() } else { shown.join(", ") };
        shown + &more + &dropped
    }
}

impl Kind {
    /// The value as the engine writes it, or what it should have been.
    fn checked(&self, value: &str) -> Result<String, String> {
        let value = value.trim();
        let one_of = |names: &[&str]| {
            let choice = names.iter().find(|name| name.eq_ignore_ascii_case(value));
            let near =
                nearest(value, names).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            choice.map(|name| (*name).to_owned()).ok_or_else(|| format!("one of {}{near}", names.join(", ")))
        };
        match self {
            Kind::Check => one_of(&["true", "false"]),
            Kind::Spin { min, max } => match value.parse::<i64>() {
                Ok(number) if (*min..=*max).contains(&number) => Ok(number.to_string()),
                _ => Err(format!("a whole number from {min} to {max}")),
            },
            Kind::Combo(names) => one_of(&names.iter().map(String::as_str).collect::<Vec<_>>()),
            Kind::Text if value.chars().any(char::is_control) => Err("text of one line".to_owned()),
            Kind::Text => Ok(value.to_owned()),
            Kind::Button if value.is_empty() => Ok(String::new()),
            Kind::Button => Err("no value: it is a button".to_owned()),
            Kind::Unread(unread) => Err(format!("a range that can be read; its {unread}")),
        }
    }

    /// The nearest value to this one that it takes, if it is one of a range.
    fn nearest(&self, value: &str) -> Option<String> {
        match self {
            Kind::Spin { min, max } if min <= max => {
                value.parse::<i64>().ok().map(|value| value.clamp(*min, *max).to_string())
            }
            _ => None,
        }
    }
}

/// Kinds of options, each with the words that may stand behind it. `filename` is of USI.
const KINDS: [(&str, &[&str]); 6] = [
    ("check", &["default"]),
    ("spin", &["default", "min", "max"]),
    ("combo", &["default", "var"]),
    ("string", &["default"]),
    ("filename", &["default"]),
    ("button", &[]),
];

/// Reads `option name NAME type TYPE [default D] [min N] [max N] [var V]..`; names and values may have spaces in them, and be
/// words of this line themselves.
fn parse(line: &str) -> Option<(&str, Kind, Option<String>)> {
    let after_name = line.trim().strip_prefix("option ")?.trim_start().strip_prefix("name ")?;
    let kinds = after_name.match_indices(" type ").filter_map(|(at, word)| {
        let (name, tail) = (after_name[..at].trim(), after_name[at + word.len()..].trim());
        let (kind, tail) = tail.split_once(char::is_whitespace).unwrap_or((tail, ""));
        let (_, keys) = KINDS.into_iter().find(|(listed, _)| *listed == kind)?;
        let next = tail.split_whitespace().next();
        Some((name, kind, tail, next.is_none_or(|next| keys.contains(&next))))
    });
    let kinds: Vec<_> = kinds.filter(|(name, ..)| !name.is_empty()).collect();
    // A name may have ` type ` in it: then what follows it is not what may follow a kind.
    let (name, kind, tail, _) = *kinds.iter().find(|(.., fits)| *fits).or(kinds.first())?;
    let tokens: Vec<&str> = tail.split_whitespace().collect();
    let text = tail.strip_prefix("default").map(|text| text.trim().to_owned());
    Some(match kind {
        "check" => (name, Kind::Check, text.filter(|text| !text.is_empty())),
        "spin" => {
            let (kind, default) = spin(&tokens);
            (name, kind, default)
        }
        "combo" => {
            // An empty default differs from one by the name of a key in what is said of the values.
            let is_one = |(default, values): &(Option<String>, Vec<String>)| {
                default.as_ref().is_none_or(|default| default.is_empty() || values.contains(default))
            };
            let (default, values) = [true, false]
                .map(|forced| combo(&tokens, forced))
                .into_iter()
                .find(is_one)
                .unwrap_or(combo(&tokens, true));
            (name, Kind::Combo(values), default)
        }
        "button" => (name, Kind::Button, None),
        _ => (name, Kind::Text, text),
    })
}

/// The range of a number and its default.
fn spin(tokens: &[&str]) -> (Kind, Option<String>) {
    let is_key = |word: &&str| ["default", "min", "max"].contains(word);
    let value = |key: &str| {
        let at = tokens.iter().position(|word| *word == key)?;
        let value: Vec<&str> = tokens[at + 1..].iter().take_while(|word| !is_key(word)).copied().collect();
        Some(value.join(" "))
    };
    let bound = |field, key: &str, without| value(key).map_or(Ok(without), |text| read(field, &text, signed));
    (ranged(bound("option min", "min", i64::MIN), bound("option max", "max", i64::MAX)), value("default"))
}

/// A number within these bounds, if both were read.
pub(super) fn ranged(min: Result<i64, Unread>, max: Result<i64, Unread>) -> Kind {
    match (min, max) {
        (Ok(min), Ok(max)) => Kind::Spin { min, max },
        (Err(unread), _) | (_, Err(unread)) => Kind::Unread(unread),
    }
}

/// The default and the values of a choice. If `forced`, the word behind a key is a value, even if it is a key itself.
fn combo(tokens: &[&str], forced: bool) -> (Option<String>, Vec<String>) {
    let is_key = |word: &str| ["default", "var"].contains(&word);
    let (mut default, mut values) = (None, Vec::new());
    let mut unread = tokens;
    while let [key, tail @ ..] = unread {
        let first = usize::from(forced && !tail.is_empty());
        let end = tail[first..].iter().position(|word| is_key(word)).map_or(tail.len(), |at| at + first);
        let value = tail[..end].join(" ");
        match *key {
            "default" => default = Some(value),
            "var" => values.push(value),
            _ => {}
        }
        unread = &tail[end..];
    }
    (default, values)
}

#[cfg(test)]
mod tests {
    use super::super::uci::setoption;
    use super::*;

    fn advertised() -> Advertised {
        let mut all = Advertised::default();
        for line in [
            "option name Hash type spin default 16 min 4 max 1024",
            "option name OwnBook type check default true",
            "option name NullMove Pruning type combo default Fail High var Always var Fail High var Never",
            "option name Book File type string default <empty>",
            "option name Clear Hash type button",
            "option name Broken type wheel",
            "option name Eval type filename default nn.bin",
            "info string option name Fake type check",
        ] {
            all.observe(line);
        }
        all
    }

    fn written(settings: Vec<Setting>) -> Vec<String> {
        settings.iter().map(setoption).collect()
    }

    fn wishes<'a>(wanted: &'a [(String, String)], defaults: &'a [(String, String)]) -> Wishes<'a> {
        Wishes { wanted, defaults, table_is_asked: false }
    }

    fn set(name: &str, value: &str) -> Result<Vec<String>, String> {
        let wanted = [(name.to_owned(), value.to_owned())];
        advertised().settings(&wishes(&wanted, &[])).map(written).map_err(|error| error.to_string())
    }

    #[test]
    fn settings_are_written_as_the_engine_writes_them() {
        assert_eq!(set("hash", "064").unwrap(), ["setoption name Hash value 64"]);
        assert_eq!(
            set("nullmove pruning", "fail high").unwrap(),
            ["setoption name NullMove Pruning value Fail High"]
        );
        assert_eq!(set("Clear Hash", "").unwrap(), ["setoption name Clear Hash"]);
        assert_eq!(set("Book File", "a b.bin").unwrap(), ["setoption name Book File value a b.bin"]);
        assert_eq!(set("eval", "a b.bin").unwrap(), ["setoption name Eval value a b.bin"]);
        assert_eq!(set("OWNBOOK", "FALSE").unwrap(), ["setoption name OwnBook value false"]);
    }

    #[test]
    fn what_is_not_advertised_is_refused_with_what_is() {
        let message = |name, value| set(name, value).unwrap_err();
        assert!(message("NulMove Pruning", "Never").contains("did you mean `NullMove Pruning`?"));
        assert!(message("Contempt", "1").contains("it has: Hash, OwnBook, NullMove Pruning"));
        assert!(message("Broken", "1").contains("no option `Broken`"));
        assert!(message("Fake", "true").contains("no option `Fake`"));
        assert!(message("Hash", "3").contains("found `3`, expected a whole number from 4 to 1024"));
        assert!(message("Hash", "many").contains("found `many`"));
        assert!(
            message("NullMove Pruning", "Nevr").contains("Always, Fail High, Never; did you mean `Never`?")
        );
        assert!(message("Clear Hash", "now").contains("button"));
        assert!(message("Book File", "a\ngo infinite").contains("one line"));
    }

    #[test]
    fn what_is_kept_is_bounded_and_what_is_dropped_is_said() {
        let mut all = Advertised::default();
        for number in 0..3_000 {
            all.observe(&format!("option name x{number} type check"));
        }
        assert_eq!((all.choices.len(), all.dropped), (MOST, 2_000));
        let error =
            all.settings(&wishes(&[("y".to_owned(), "true".to_owned())], &[])).unwrap_err().to_string();
        assert!(error.contains("2000 further options were not kept") && error.len() < 2_000, "{error}");
        let mut all = Advertised::default();
        let values = " var abcdefghi".repeat(1_000);
        (0..1_000).for_each(|number| all.observe(&format!("option name x{number} type combo{values}")));
        assert!(all.bytes <= MOST_BYTES && all.choices.len() > 50);
    }

    #[test]
    fn defaults_are_set_where_they_exist_and_nobody_else_sets_them() {
        let text = |list: &[(&str, &str)]| -> Vec<(String, String)> {
            list.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
        };
        let defaults = text(&[("Hash", "64"), ("OwnBook", "false"), ("Threads", "1")]);
        let lines = advertised().settings(&wishes(&text(&[("hash", "8")]), &defaults)).unwrap();
        assert_eq!(written(lines), ["setoption name OwnBook value false", "setoption name Hash value 8"]);
    }

    fn read(line: &str) -> (String, Kind, Option<String>) {
        let line = format!("option name {line}");
        let (name, kind, default) = parse(&line).unwrap();
        (name.to_owned(), kind, default)
    }

    #[test]
    fn names_and_values_may_be_words_of_the_line() {
        for (line, name, values, default) in [
            (
                "Style type combo default default var default var max var min",
                "Style",
                "default,max,min",
                "default",
            ),
            ("Style type combo default var var var var min var max", "Style", "var,min,max", "var"),
            ("Style type combo default var calm var wild", "Style", "calm,wild", ""),
            ("S type combo default Fail High var Never var Fail High", "S", "Never,Fail High", "Fail High"),
            ("S type combo var min max var default default min max", "S", "min max,default", "min max"),
            ("type type combo default type var name var type", "type", "name,type", "type"),
            ("Move type check type combo default name var name", "Move type check", "name", "name"),
        ] {
            let values = Kind::Combo(values.split(',').map(str::to_owned).collect());
            assert_eq!(read(line), (name.to_owned(), values, Some(default.to_owned())), "{line}");
        }
        let text = |text: &str| (Kind::Text, Some(text.to_owned()));
        for (line, kind) in [
            ("default type string default min 3 default var", text("min 3 default var")),
            ("name type string default", text("")),
            ("max type check default true", (Kind::Check, Some("true".to_owned()))),
            (
                "min type spin max 1,024 min -4 default 16",
                (Kind::Spin { min: -4, max: 1024 }, Some("16".to_owned())),
            ),
            ("var type spin default min 4", (Kind::Spin { min: 4, max: i64::MAX }, Some(String::new()))),
            ("default type button", (Kind::Button, None)),
        ] {
            let (name, read, default) = read(line);
            assert_eq!(((read, default), Some(&*name)), (kind, line.split(' ').next()), "{line}");
        }
    }

    #[test]
    fn a_default_that_nobody_wrote_yields_and_a_value_that_somebody_wrote_does_not() {
        let advertised = || {
            let mut all = Advertised::default();
            for line in [
                "option name Hash type spin default 1 min 1 max 1",
                "option name Threads type spin default 2 min 2 max 8",
                "option name MultiPV type spin default 1 min 1 max 5k",
                "option name Ponder type combo default maybe var maybe var no",
                "option name OwnBook type check default true",
            ] {
                all.observe(line);
            }
            all
        };
        let mut all = advertised();
        let lines = written(all.settings(&wishes(&[], &crate::manners(64))).unwrap());
        let expected = ["Hash value 1", "Threads value 2", "OwnBook value false"]
            .map(|set| format!("setoption name {set}"));
        assert_eq!(lines, expected);
        let yielded: Vec<String> = all.yielded().iter().map(ToString::to_string).collect();
        let expected = [
            "`Hash` is 1, the nearest value that the program takes to the usual 64",
            "`Threads` is 2, the nearest value that the program takes to the usual 1",
            "`Ponder` is as the program has it, which does not take the usual false",
            "`MultiPV` is as the program has it, which does not take the usual 1",
        ];
        assert_eq!(yielded, expected);
        let asked = Wishes { table_is_asked: true, ..wishes(&[], &[]) };
        let defaults = crate::manners(64);
        let error = advertised().settings(&Wishes { defaults: &defaults, ..asked }).unwrap_err().to_string();
        assert!(error.contains("option `Hash`: found `64`, expected a whole number from 1 to 1"), "{error}");
        for (name, value, message) in
            [("Threads", "1", "from 2 to 8"), ("MultiPV", "1", "option max: found `5k`")]
        {
            let wanted = [(name.to_owned(), value.to_owned())];
            let error = advertised().settings(&wishes(&wanted, &defaults)).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
