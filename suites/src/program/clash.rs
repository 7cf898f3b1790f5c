//! Switches of a subject file that are in each other's way.
//!
//! A factor is off when all that it says is set. Two factors that set one thing differently cannot both be off: the later one
//! wins, and an arm is not what its name says. Two that set one thing alike are fine as long as each has something of its own;
//! one that sets nothing which another does not is off whenever that one is. All of this shows in the file, so it is refused
//! when the file is read. An option or a variable of `[subject]` may be another in a factor: there the factor decides.

use super::file::Off;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What is set, as the program hears it: names in the form in which they are compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Thing {
    /// An option, in small letters: the case of its name does not matter.
    Option(String),
    Variable(String),
    /// An argument by its name, or a word that has none.
    Argument(String),
    /// The bit of this value.
    Bit(u64),
    /// The binary.
    Binary,
}

impl std::fmt::Display for Thing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Thing::Option(name) => write!(f, "the option `{name}`"),
            Thing::Variable(name) => write!(f, "the variable `{name}`"),
            Thing::Argument(name) => write!(f, "the argument `{name}`"),
            Thing::Bit(bit) => write!(f, "the bit {bit}"),
            Thing::Binary => f.write_str("the binary"),
        }
    }
}

/// Everything of `[subject]` that factors can be in the way of.
pub(super) struct Base<'a> {
    pub(super) options: &'a BTreeMap<String, String>,
    pub(super) env: &'a BTreeMap<String, String>,
    pub(super) args: &'a [String],
    pub(super) mask: Option<&'a str>,
    /// Arguments that the program takes several times.
    pub(super) repeatable: &'a [String],
}

impl Base<'_> {
    /// What is set by all of this, in order; a thing may stand there twice.
    fn things(&self) -> Vec<(Thing, String)> {
        let mut all = options(self.options.iter());
        all.extend(self.env.iter().map(|(name, value)| (Thing::Variable(name.clone()), value.clone())));
        all.extend(self.arguments(self.args));
        all
    }

    /// What a factor sets.
    fn things_of(&self, off: &Off) -> Vec<(Thing, String)> {
        let mut all = options(off.options.iter().map(|(name, value)| (name, value)));
        all.extend(off.env.iter().map(|(name, value)| (Thing::Variable(name.clone()), value.clone())));
        all.extend(self.arguments(&off.args));
        let bits = (0..u64::BITS).map(|bit| 1 << bit).filter(|bit| off.bits & bit != 0);
        all.extend(bits.map(|bit| (Thing::Bit(bit), "1".to_owned())));
        all.extend(off.command.iter().map(|command| (Thing::Binary, command.display().to_string())));
        all
    }

    /// Arguments by name: `--name=value`, `-name value`, and words that stand by themselves. One that the program takes several
    /// times is another with every value.
    fn arguments(&self, arguments: &[String]) -> Vec<(Thing, String)> {
        let is_name = |word: &str| word.starts_with('-') && word.parse::<f64>().is_err();
        let mut all: Vec<(Thing, String)> = Vec::new();
        let mut arguments = arguments.iter().peekable();
        while let Some(word) = arguments.next() {
            let (name, mut value) = match word.split_once('=') {
                Some((name, value)) => (name, value.to_owned()),
                None => (word.as_str(), String::new()),
            };
            if is_name(word) && !word.contains('=') {
                while let Some(next) = arguments.next_if(|next| !is_name(next)) {
                    value = format!("{value} {next}").trim_start().to_owned();
                }
            }
            let several = self.repeatable.iter().any(|flag| flag == name);
            let name =
                if several { format!("{name} {value}").trim_end().to_owned() } else { name.to_owned() };
            all.push((Thing::Argument(name), if several { String::new() } else { value }));
        }
        all
    }

    /// What is wrong with `[subject]` by itself.
    ///
    /// # Errors
    /// What was found and expected.
    pub(super) fn check(&self) -> Result<(), String> {
        if let Some(mask) = self.mask.filter(|mask| self.env.contains_key(*mask)) {
            return Err(format!(
                "found the variable `{mask}` in `env` too, whose bits are those of the methods"
            ));
        }
        once(&self.things())
    }

    /// What is wrong with a factor, given those before it.
    ///
    /// # Errors
    /// What was found and expected.
    pub(super) fn fits(&self, name: &str, off: &Off, before: &[(&str, &Off)]) -> Result<(), String> {
        let things = self.things_of(off);
        let is_mask =
            |thing: &Thing| matches!(thing, Thing::Variable(name) if Some(name.as_str()) == self.mask);
        if things.iter().any(|(thing, _)| is_mask(thing)) {
            let mask = self.mask.unwrap_or_default();
            return Err(format!("found the variable `{mask}`, which is the `mask`, expected `bits`"));
        }
        once(&things)?;
        self.against_base(&things)?;
        before.iter().try_for_each(|(other, theirs)| apart((name, &things), (other, &self.things_of(theirs))))
    }

    /// Whether a factor sets anything that [subject] does not, and no argument that it says otherwise.
    fn against_base(&self, things: &[(Thing, String)]) -> Result<(), String> {
        let base = self.things();
        for (thing, value) in things.iter().filter(|(thing, _)| matches!(thing, Thing::Argument(_))) {
            let otherwise =
                |(earlier, other): &&(Thing, String)| earlier == thing && !alike(thing, value, other);
            if let Some((_, other)) = base.iter().find(otherwise) {
                return Err(format!(
                    "found {thing} set to {}, and to {} in [subject]: the program would get both, expected one of them, or the \
                     argument in `repeatable`",
                    shown(value),
                    shown(other)
                ));
            }
        }
        if things.iter().all(|one| holds(&base, one)) {
            return Err("it sets only what [subject] sets already: name what switches it off".to_owned());
        }
        Ok(())
    }
}

fn options<'a>(pairs: impl Iterator<Item = (&'a String, &'a String)>) -> Vec<(Thing, String)> {
    pairs.map(|(name, value)| (Thing::Option(name.trim().to_lowercase()), value.trim().to_owned())).collect()
}

/// Values of options are taken as the program writes them, whatever their case.
fn alike(thing: &Thing, one: &str, other: &str) -> bool {
    if matches!(thing, Thing::Option(_)) { one.eq_ignore_ascii_case(other) } else { one == other }
}

fn holds(all: &[(Thing, String)], (thing, value): &(Thing, String)) -> bool {
    all.iter().any(|(other_thing, other)| other_thing == thing && alike(thing, value, other))
}

fn shown(value: &str) -> String {
    if value.is_empty() { "nothing".to_owned() } else { format!("`{value}`") }
}

/// Whether nothing is set twice, and differently.
fn once(all: &[(Thing, String)]) -> Result<(), String> {
    for (at, (thing, value)) in all.iter().enumerate() {
        let otherwise = |(earlier, other): &&(Thing, String)| earlier == thing && !alike(thing, value, other);
        if let Some((_, other)) = all[..at].iter().find(otherwise) {
            let (one, other) = (shown(other), shown(value));
            return Err(format!("found {thing} set to {one} and to {other}, expected one of them"));
        }
    }
    Ok(())
}

/// Whether each of two factors can be on while the other is off, and both can be off.
fn apart(
    (name, ours): (&str, &[(Thing, String)]),
    (other, theirs): (&str, &[(Thing, String)]),
) -> Result<(), String> {
    for (thing, value) in ours {
        let Some((_, their_value)) = theirs.iter().find(|(other, _)| other == thing) else {
            continue;
        };
        match thing {
            // Two binaries are told apart where arms are made: no arm has both.
            Thing::Binary => {}
            Thing::Bit(_) => {
                return Err(format!("found {thing}, which `{other}` has too, expected bits of its own"));
            }
            _ if !alike(thing, value, their_value) => {
                return Err(format!(
                    "found {thing} set to {}, and to {} by `{other}`: without both methods only one of them would be off, \
                     expected switches of their own",
                    shown(value),
                    shown(their_value)
                ));
            }
            _ => {}
        }
    }
    let within = |some: &[(Thing, String)], all: &[(Thing, String)]| some.iter().all(|one| holds(all, one));
    let (off, too) = match (within(ours, theirs), within(theirs, ours)) {
        (false, false) => return Ok(()),
        (true, _) => (other, name),
        (false, true) => (name, other),
    };
    let mut message = format!("found what `{other}` sets too");
    let _ =
        write!(message, ": whenever `{off}` is off, `{too}` would be off, expected switches of their own");
    Err(message)
}

#[cfg(test)]
mod tests {
    use crate::program::Program;
    use std::path::Path;

    /// What is said of a subject file with these lines in its two parts.
    fn checked(subject: &str, factors: &str) -> Result<(), String> {
        let text =
            format!("[subject]\ngame = \"chess\"\ncommand = \"./fake\"\n{subject}\n[factor]\n{factors}\n");
        Program::parse(Path::new("fake.toml"), &text).map(drop).map_err(|error| error.to_string())
    }

    #[test]
    fn switches_that_overwrite_each_other_are_refused_at_their_place() {
        let mask = "mask = \"ABLATE\"";
        for (subject, factors, place, message) in [
            // A variable that two set: the last one would win.
            (
                "",
                "a = { env = { OFF = \"a\" } }\nb = { env = { OFF = \"b\" } }",
                (7, 1),
                "the variable `OFF` set to `b`, and to `a` by `a`",
            ),
            ("", "a = \"X=1\"\nb = \"x=2; Y=1\"", (7, 1), "the option `x` set to `2`, and to `1` by `a`"),
            ("", "a = \"X=1; x = 2\"", (6, 1), "the option `x` set to `1` and to `2`"),
            (
                "",
                "a = { args = [\"--off=a\"] }\nb = { args = [\"--off=b\"] }",
                (7, 1),
                "the argument `--off` set to `b`",
            ),
            (
                "",
                "a = { args = [\"-off\", \"a\"] }\nb = { args = [\"-off\", \"b\"] }",
                (7, 1),
                "the argument `-off` set to `b`",
            ),
            (
                "args = [\"-m\", \"1\"]",
                "a = { args = [\"-m\", \"2\"] }",
                (6, 1),
                "set to `2`, and to `1` in [subject]",
            ),
            (mask, "a = { bits = 3 }\nb = { bits = 6 }", (7, 1), "the bit 2, which `a` has too"),
            (mask, "a = { env = { ABLATE = \"2\" } }", (6, 1), "which is the `mask`, expected `bits`"),
            (
                "mask = \"ABLATE\"\nenv = { ABLATE = \"4\" }",
                "a = { bits = 3 }",
                (4, 8),
                "found the variable `ABLATE` in `env` too",
            ),
            ("options = { Hash = \"1\", hash = \"2\" }", "a = \"X=1\"", (1, 1), "the option `hash` set to"),
            // One that is off whenever the other is.
            ("", "a = \"X=1; Y=1\"\nb = \"Y=1\"", (7, 1), "whenever `a` is off, `b` would be off"),
            ("", "a = \"Y=1\"\nb = \"X=1; Y=1\"", (7, 1), "whenever `b` is off, `a` would be off"),
            ("", "a = \"X=false\"\nb = \"x=False\"", (7, 1), "whenever `a` is off, `b` would be off"),
            ("options = { X = \"1\" }", "a = \"X=1\"", (6, 1), "sets only what [subject] sets already"),
        ] {
            let error = checked(subject, factors).expect_err(factors);
            let (mut line, column) = place;
            line += subject.matches('\n').count() * usize::from(line > 4);
            assert!(error.contains(&format!(":{line}:{column}")), "{factors}: {error}");
            assert!(error.contains(message), "{factors}: {error}");
        }
    }

    #[test]
    fn what_two_switches_share_and_what_they_change_of_the_base_is_fine() {
        for (subject, factors) in [
            ("", "a = \"Expert=true; X=1\"\nb = \"Expert=true; Y=1\""),
            // Off where it ships, switched on for all arms, and off again without the method.
            ("options = { X = \"true\" }", "a = \"X=false\""),
            (
                "repeatable = [\"--without\"]",
                "a = { args = [\"--without\", \"a\"] }\nb = { args = [\"--without\", \"b\"] }",
            ),
            ("", "a = { args = [\"-a\"] }\nb = { args = [\"-b\", \"-1\"] }"),
            ("", "a = { command = \"./a\" }\nb = { command = \"./b\" }"),
        ] {
            assert_eq!(checked(subject, factors), Ok(()), "{factors}");
        }
    }
}
