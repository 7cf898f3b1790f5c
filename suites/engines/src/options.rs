//! The options that an engine advertises, and whether a setting is one of them.

use super::EngineError;
use secateur_base::nearest::nearest;

/// One option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its name as the program writes it.
    pub name: String,
    /// What values it takes.
    pub kind: Kind,
    /// The value that it has if nobody sets it, as far as the program says so.
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
}

/// Options that are kept of an engine, and bytes of their lines: Stockfish has some twenty of 60 bytes.
const MOST: usize = 1_000;
/// See there.
const MOST_BYTES: usize = 1 << 20;
/// Characters of a list of options in a message.
const LISTED: usize = 1_000;

/// All options of an engine.
#[derive(Clone, Debug, Default)]
pub(super) struct Advertised {
    choices: Vec<Choice>,
    bytes: usize,
    dropped: usize,
    /// How many the program named: what it need not name, and the switches of this client, come behind them.
    named: usize,
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

    /// The value that an option has if nobody sets it, as far as the program says so.
    pub(super) fn default_of(&self, name: &str) -> Option<&str> {
        self.choice(name)?.default.as_deref()
    }

    fn choice(&self, name: &str) -> Option<&Choice> {
        self.choices.iter().find(|choice| choice.name.eq_ignore_ascii_case(name.trim()))
    }

    /// What is to be set of the options of `engine`: first the `defaults` that it has and that are not
    /// set by `wanted`, then `wanted`.
    pub(super) fn settings(
        &self,
        engine: &str,
        wanted: &[(String, String)],
        defaults: &[(String, String)],
    ) -> Result<Vec<Setting>, EngineError> {
        let is_wanted = |name: &str| wanted.iter().any(|(other, _)| other.trim().eq_ignore_ascii_case(name));
        let missing = defaults.iter().filter(|(name, _)| !is_wanted(name) && self.find(name).is_some());
        missing.chain(wanted).map(|(name, value)| self.setting(engine, name, value)).collect()
    }

    fn setting(&self, engine: &str, name: &str, value: &str) -> Result<Setting, EngineError> {
        let Some(choice) = self.choice(name) else {
            let names: Vec<&str> = self.choices.iter().map(|choice| choice.name.as_str()).collect();
            return Err(EngineError::UnknownOption {
                name: engine.to_owned(),
                option: name.to_owned(),
                hint: nearest(name, &names).map(str::to_owned),
                known: self.listed(&names),
            });
        };
        let value = choice.kind.checked(value).map_err(|expected| EngineError::BadValue {
            name: engine.to_owned(),
            option: choice.name.clone(),
            found: value.to_owned(),
            expected,
        })?;
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
            let found = names.iter().find(|name| name.eq_ignore_ascii_case(value));
            let near =
                nearest(value, names).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            found.map(|name| (*name).to_owned()).ok_or_else(|| format!("one of {}{near}", names.join(", ")))
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
        }
    }
}

/// Reads `option name NAME type TYPE [default D] [min N] [max N] [var V]..`; names and values may have
/// spaces in them.
fn parse(line: &str) -> Option<(&str, Kind, Option<String>)> {
    let rest = line.trim().strip_prefix("option ")?.trim_start().strip_prefix("name ")?;
    let (name, rest) = rest.split_once(" type ")?;
    let mut words = rest.split_whitespace();
    let kind = words.next()?;
    let mut fields: Vec<(&str, String)> = Vec::new();
    for word in words {
        match (word, fields.last_mut()) {
            ("default" | "min" | "max" | "var", _) => fields.push((word, String::new())),
            (_, Some((_, text))) => {
                let space = if text.is_empty() { "" } else { " " };
                *text += &format!("{space}{word}");
            }
            (_, None) => {}
        }
    }
    let number = |name: &str, otherwise| {
        let field = fields.iter().find(|(field, _)| *field == name);
        field.and_then(|(_, text)| text.parse().ok()).unwrap_or(otherwise)
    };
    let kind = match kind {
        "check" => Kind::Check,
        "spin" => Kind::Spin { min: number("min", i64::MIN), max: number("max", i64::MAX) },
        "combo" => Kind::Combo(
            fields.iter().filter(|(name, _)| *name == "var").map(|(_, text)| text.clone()).collect(),
        ),
        // `filename` is of USI.
        "string" | "filename" => Kind::Text,
        "button" => Kind::Button,
        _ => return None,
    };
    let default = fields.iter().find(|(field, _)| *field == "default").map(|(_, text)| text.clone());
    Some((name, kind, default))
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

    fn set(name: &str, value: &str) -> Result<Vec<String>, String> {
        let wanted = [(name.to_owned(), value.to_owned())];
        advertised().settings("e", &wanted, &[]).map(written).map_err(|error| error.to_string())
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
        let words = |name, value| set(name, value).unwrap_err();
        assert!(words("NulMove Pruning", "Never").contains("did you mean `NullMove Pruning`?"));
        assert!(words("Contempt", "1").contains("it has: Hash, OwnBook, NullMove Pruning"));
        assert!(words("Broken", "1").contains("no option `Broken`"));
        assert!(words("Fake", "true").contains("no option `Fake`"));
        assert!(words("Hash", "3").contains("found `3`, expected a whole number from 4 to 1024"));
        assert!(words("Hash", "many").contains("found `many`"));
        assert!(
            words("NullMove Pruning", "Nevr").contains("Always, Fail High, Never; did you mean `Never`?")
        );
        assert!(words("Clear Hash", "now").contains("button"));
        assert!(words("Book File", "a\ngo infinite").contains("one line"));
    }

    #[test]
    fn what_is_kept_is_bounded_and_what_is_dropped_is_said() {
        let mut all = Advertised::default();
        for number in 0..3_000 {
            all.observe(&format!("option name x{number} type check"));
        }
        assert_eq!((all.choices.len(), all.dropped), (MOST, 2_000));
        let error = all.settings("e", &[("y".to_owned(), "true".to_owned())], &[]).unwrap_err().to_string();
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
        let lines = advertised().settings("e", &text(&[("hash", "8")]), &defaults).unwrap();
        assert_eq!(written(lines), ["setoption name OwnBook value false", "setoption name Hash value 8"]);
    }
}
