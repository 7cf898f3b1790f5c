//! An arm of a program: which of its methods are left out.
//!
//! `none` has none of them, `full` has all: the program as it is. `null-move+lmr` has these two, `full[-lmr]` all but this
//! one, and `full[Futility Margin=200]` another value of an option. What is not named at all can stay on: then `none` lacks
//! only the methods that the list speaks of ([`Others`]).

use super::file::Program;
use crate::error::Error;
use crate::setups::arm::{size, subsets};
use secateur_record::arm::split;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeSet;

/// One arm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switching {
    /// Its name in records.
    pub name: String,
    /// Indices of the factors that are off.
    pub off: BTreeSet<usize>,
    /// Options next to those of the program.
    pub options: Vec<(String, String)>,
}

impl Switching {
    /// The program as it is.
    #[must_use]
    pub fn full() -> Switching {
        Switching { name: "full".to_owned(), off: BTreeSet::new(), options: Vec::new() }
    }
}

/// What becomes of the methods that no arm of a list names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Others {
    /// They are off in all arms but those that begin with `full`.
    #[default]
    Off,
    /// They are on in all arms.
    On,
}

/// A program with the arms that are asked for, the baseline first: what stands in a block for method sets.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgramArms {
    /// The program.
    pub program: Program,
    /// What is not named.
    pub others: Others,
    /// Its arms.
    pub arms: Vec<Switching>,
}

impl ProgramArms {
    /// Arms of a program as they are written. The first is the baseline.
    ///
    /// # Errors
    /// The index of the first text that is no arm, or is one that is there already, and what was found and expected.
    pub fn new<T: AsRef<str>>(
        program: Program,
        others: Others,
        texts: &[T],
    ) -> Result<ProgramArms, (usize, String)> {
        let scope = scope(&program, others, texts)?;
        let mut arms: Vec<Switching> = Vec::new();
        for (at, text) in texts.iter().enumerate() {
            let arm = program.switching(text.as_ref(), &scope).map_err(|error| (at, error.to_string()))?;
            if let Some(why) = program.impossible(&arm) {
                return Err((at, format!("found `{}`, which cannot exist: {why}", arm.name)));
            }
            if arms.iter().any(|earlier| earlier.name == arm.name) {
                return Err((at, format!("found `{}` again, expected each arm once", arm.name)));
            }
            arms.push(arm);
        }
        Ok(ProgramArms { program, others, arms })
    }

    /// Arms with each of these behind its own in a form for every value of an option: `Futility Margin=50,100,200`.
    ///
    /// # Errors
    /// What was found and expected.
    pub fn swept(arms: &[String], sweep: &str) -> Result<Vec<String>, String> {
        let (name, values) =
            sweep.split_once('=').ok_or_else(|| format!("found `{sweep}`, expected OPTION=VALUE,VALUE"))?;
        let values: Vec<&str> = values.split(',').map(str::trim).filter(|value| !value.is_empty()).collect();
        if values.is_empty() {
            return Err(format!("found `{sweep}`, expected OPTION=VALUE,VALUE"));
        }
        let mut swept = Vec::new();
        for arm in arms {
            swept.push(arm.clone());
            for value in &values {
                let change = format!("{}={value}", name.trim());
                swept.push(match arm.strip_suffix(']') {
                    Some(open) => format!("{open},{change}]"),
                    None => format!("{arm}[{change}]"),
                });
            }
        }
        Ok(swept)
    }

    /// The usual arms of a program: with all of its methods, without each, with each alone, with none. Those
    /// that cannot exist are left out.
    #[must_use]
    pub fn usual(program: &Program) -> Vec<String> {
        program.possible(ProgramArms::wanted(program)).0
    }

    /// The usual arms that cannot exist, each with the reason, where all the others are asked for.
    #[must_use]
    pub fn left_out(&self) -> Vec<(String, String)> {
        let (usual, left) = self.program.possible(ProgramArms::wanted(&self.program));
        let is_asked = |name: &String| self.arms.iter().any(|arm| arm.name == *name);
        if usual.iter().all(is_asked) { left } else { Vec::new() }
    }

    fn wanted(program: &Program) -> Vec<String> {
        let names: Vec<&String> = program.factors.iter().map(|factor| &factor.name).collect();
        let mut arms = vec!["full".to_owned()];
        if !names.is_empty() {
            arms.extend(names.iter().map(|name| format!("full[-{name}]")));
            arms.push("none".to_owned());
        }
        if names.len() > 1 {
            arms.extend(names.into_iter().cloned());
        }
        arms
    }
}

/// As suite files write it: `subject`, `others`, `arms`.
impl Serialize for ProgramArms {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("subject", &self.program.source)?;
        if self.others != Others::default() {
            map.serialize_entry("others", &self.others)?;
        }
        let arms: Vec<&str> = self.arms.iter().map(|arm| arm.name.as_str()).collect();
        map.serialize_entry("arms", &arms)?;
        map.end()
    }
}

/// The factors that `none` lacks.
fn scope<T: AsRef<str>>(
    program: &Program,
    others: Others,
    texts: &[T],
) -> Result<BTreeSet<usize>, (usize, String)> {
    if others == Others::Off {
        return Ok(program.all());
    }
    let mut named = BTreeSet::new();
    for (at, text) in texts.iter().enumerate() {
        let arm = program.arm(text.as_ref()).map_err(|error| (at, error.to_string()))?;
        match base(text.as_ref()) {
            "full" => named.extend(arm.off),
            "none" => {}
            _ => named.extend(program.all().difference(&arm.off)),
        }
    }
    Ok(named)
}

/// What stands before the bracket.
fn base(text: &str) -> &str {
    text.split('[').next().unwrap_or_default().trim()
}

/// That arms cannot exist, in one sentence however many they are, with the reason that says most.
pub fn left_out<'a>(arms: impl IntoIterator<Item = (&'a String, &'a String)>) -> Option<String> {
    let (names, reasons): (Vec<String>, Vec<&String>) =
        arms.into_iter().map(|(arm, why)| (format!("`{arm}`"), why)).unzip();
    let verb = if names.len() == 1 { "is" } else { "are" };
    let why = reasons.into_iter().max_by_key(|why| why.len())?;
    Some(format!("{} {verb} left out: {why}", names.join(", ")))
}

impl Program {
    /// An arm as it is written, of which what it does not name is off.
    ///
    /// # Errors
    /// A factor that the program has not, or a bracket that is none.
    pub fn arm(&self, text: &str) -> Result<Switching, Error> {
        self.switching(text, &self.all())
    }

    /// Why an arm cannot exist, if it cannot.
    #[must_use]
    pub fn impossible(&self, arm: &Switching) -> Option<String> {
        let binaries =
            arm.off.iter().map(|&factor| &self.factors[factor]).filter(|factor| factor.off.command.is_some());
        match binaries.map(|factor| format!("`{}`", factor.name)).collect::<Vec<_>>().as_slice() {
            [] | [_] => None,
            names => {
                Some(format!("{} are each another binary, and cannot be off together", names.join(" and ")))
            }
        }
    }

    /// The arms of a list that can exist, and those that cannot, each with the reason. What is no arm is left in.
    #[must_use]
    pub fn possible(&self, texts: Vec<String>) -> (Vec<String>, Vec<(String, String)>) {
        let (mut kept, mut left) = (Vec::new(), Vec::new());
        for text in texts {
            match self.arm(&text).ok().and_then(|arm| self.impossible(&arm)) {
                Some(why) => left.push((text, why)),
                None => kept.push(text),
            }
        }
        (kept, left)
    }

    /// All factors.
    fn all(&self) -> BTreeSet<usize> {
        (0..self.factors.len()).collect()
    }

    /// An arm as it is written. `scope` holds the factors that `none` lacks.
    ///
    /// # Errors
    /// A factor that the program has not, or a bracket that is none.
    fn switching(&self, text: &str, scope: &BTreeSet<usize>) -> Result<Switching, Error> {
        let text = text.trim();
        let (head, bracket) = match text.split_once('[') {
            None => (text, ""),
            Some((head, rest)) => match rest.strip_suffix(']') {
                Some(inside) => (head.trim(), inside),
                None => {
                    return Err(Error::Usage(format!("found `{text}`, expected `]` at the end of an arm")));
                }
            },
        };
        let mut off = match head {
            "full" => BTreeSet::new(),
            _ => scope.clone(),
        };
        if !["full", "none"].contains(&head) {
            for name in split(head, '+') {
                off.remove(&self.factor(name.trim())?);
            }
        }
        let mut options = Vec::new();
        for change in split(bracket, ',').into_iter().map(str::trim).filter(|change| !change.is_empty()) {
            match change.strip_prefix('-') {
                Some(name) => {
                    off.insert(self.factor(name.trim())?);
                }
                None => options.extend(
                    super::parts::options(change)
                        .map_err(|message| Error::Usage(format!("arm `{text}`: {message}, or -FACTOR")))?,
                ),
            }
        }
        self.decides(text, &off, &options)?;
        Ok(Switching { name: self.named(head, scope, &off, &options), off, options })
    }

    /// Whether the options of an arm are each set once, and none is what switches a method off that the arm lacks: that method
    /// would be on again.
    fn decides(&self, text: &str, off: &BTreeSet<usize>, options: &[(String, String)]) -> Result<(), Error> {
        for (at, (name, value)) in options.iter().enumerate() {
            let otherwise = |(option, other): &&(String, String)| {
                option.eq_ignore_ascii_case(name) && !other.eq_ignore_ascii_case(value)
            };
            if let Some((_, other)) = options[..at].iter().find(otherwise) {
                let message = format!("found `{name}={other}` and `{name}={value}`, expected one of them");
                return Err(Error::Usage(format!("arm `{text}`: {message}")));
            }
            let mut lacking = off.iter().map(|&factor| &self.factors[factor]);
            let factor = lacking.find(|factor| factor.off.options.iter().any(|option| otherwise(&option)));
            if let Some(factor) = factor {
                return Err(Error::Usage(format!(
                    "arm `{text}`: found `{name}={value}`, which is what switches `{}` off, expected that method in the arm",
                    factor.name
                )));
            }
        }
        Ok(())
    }

    /// The name of an arm, the same for all ways in which it can be written.
    fn named(
        &self,
        head: &str,
        scope: &BTreeSet<usize>,
        off: &BTreeSet<usize>,
        options: &[(String, String)],
    ) -> String {
        let name = |&factor: &usize| self.factors[factor].name.as_str();
        let mut changes: Vec<String> = Vec::new();
        let mut text = if head == "full" {
            changes.extend(off.iter().map(|factor| format!("-{}", name(factor))));
            "full".to_owned()
        } else {
            let on: Vec<&str> = scope.difference(off).map(name).collect();
            if on.is_empty() { "none".to_owned() } else { on.join("+") }
        };
        changes.extend(options.iter().map(|(name, value)| format!("{name}={value}")));
        if !changes.is_empty() {
            text += &format!("[{}]", changes.join(","));
        }
        text
    }
}

/// Every combination of these factors as arms: `none` first, then by size, those of one size in the order of the list.
///
/// # Errors
/// Names that are too few, too many or twice, with what was expected.
pub fn combinations(factors: &[String]) -> Result<Vec<String>, String> {
    size(factors.len())?;
    if let Some(at) = (1..factors.len()).find(|&at| factors[..at].contains(&factors[at])) {
        return Err(format!("found `{}` again, expected every method once", factors[at]));
    }
    let joined = |set: Vec<usize>| match set.as_slice() {
        [] => "none".to_owned(),
        set => set.iter().map(|&at| factors[at].as_str()).collect::<Vec<_>>().join("+"),
    };
    Ok(subsets(factors.len()).into_iter().map(joined).collect())
}
