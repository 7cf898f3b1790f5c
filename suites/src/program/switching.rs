//! An arm of a program: which of its methods are left out.
//!
//! `none` has none of them, `full` has all: the program as it is. `null-move+lmr` has these two, `full[-lmr]` all but this
//! one, and `full[Futility Margin=200]` another value of an option. What is not named at all can stay on: then `none` lacks
//! only the methods that the list speaks of ([`Others`]).
//!
//! Here too: what an arm is started with, and what stands for it in records.

use super::file::Program;
use crate::error::Error;
use crate::instruments::machine::hash_of_file;
use crate::setups::arm::{size, subsets};
use crate::shell::run;
use secateur_base::number::either;
use secateur_engines::{Spec, find};
use secateur_positions::Fnv;
use secateur_record::arm::split;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

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
    pub fn usual(program: &Program) -> Vec<String> {
        program.possible(ProgramArms::wanted(program)).0
    }

    /// The usual arms that cannot exist, each with the reason, where all the others are asked for.
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
    let verb = either(names.len(), "is", "are");
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
                    super::file::options(change)
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

/// What the words of an arm call [`Program::compiled`].
pub(crate) const COMPILED: &str = "compiled";
/// How long a program may take to say how it was compiled.
const SAID_WITHIN: Duration = Duration::from_secs(20);

impl Program {
    /// What is needed to start it as an arm, once it is [installed](Program::installed).
    ///
    /// # Errors
    /// Factors that cannot be off at once.
    pub fn spec(&self, arm: &Switching) -> Result<Spec, Error> {
        let mut command = self.command.clone();
        let (mut args, mut env, mut options) = (self.args.clone(), self.env.clone(), self.options.clone());
        let mut bits = 0;
        if let Some(why) = self.impossible(arm) {
            return Err(Error::Usage(format!("{}: {why}", arm.name)));
        }
        for off in arm.off.iter().map(|&factor| &self.factors[factor].off) {
            options.extend(off.options.iter().cloned());
            env.extend(off.env.clone());
            args.extend(off.args.iter().cloned());
            bits |= off.bits;
            if let Some(other) = &off.command {
                command.clone_from(other);
            }
        }
        if let Some(mask) = self.mask.as_ref().filter(|_| bits > 0) {
            env.insert(mask.clone(), bits.to_string());
        }
        options.extend(arm.options.iter().cloned());
        let name = format!("{} {}", self.name, arm.name);
        Ok(Spec {
            name,
            protocol: self.protocol,
            args,
            folder: self.started_in(&command),
            command,
            env: env.into_iter().collect(),
            options: last_of_each(options),
            table_is_asked: self.table_is_asked,
        })
    }

    /// The folder that it is started in.
    fn started_in(&self, command: &Path) -> Option<PathBuf> {
        let home = || command.parent().map(Path::to_owned).filter(|folder| !folder.as_os_str().is_empty());
        if self.in_place { home() } else { self.folder.clone() }
    }

    /// The arguments that say a level, behind those of an arm.
    ///
    /// # Errors
    /// A program without levels.
    pub fn level_args(&self, level: u32) -> Result<Vec<String>, Error> {
        if self.level.is_empty() {
            return Err(Error::Usage(format!(
                "{} has no levels: expected `level` in its subject file, the arguments that say one",
                self.name
            )));
        }
        Ok(self.level.iter().map(|word| word.replace("{}", &level.to_string())).collect())
    }

    /// What is needed to start it as a player of games, and what stands for it in records.
    ///
    /// # Errors
    /// Factors that cannot be off at once; a program that is not there.
    pub fn player(&self, arm: &Switching) -> Result<(Spec, String), Error> {
        let spec = self.spec(arm)?;
        let path = self.located(&spec)?;
        let identity = self.identity(&spec, &hash_of_file(&path));
        Ok((spec, identity))
    }

    /// Where the program is; if it is nowhere, how to get it.
    pub(crate) fn located(&self, spec: &Spec) -> Result<PathBuf, Error> {
        find(&spec.command).map_err(|error| match self.get.as_str() {
            "" => Error::Usage(error.to_string()),
            get => Error::Usage(format!("{error}; to get it: {get}")),
        })
    }

    /// What an arm is made of in words, by what it is: what [`Program::identity`] is the hash of, and where the binary comes
    /// from.
    pub(crate) fn made(&self, spec: &Spec, path: &Path, binary: &str) -> BTreeMap<String, String> {
        let mut made = BTreeMap::new();
        let mut add = |what: &str, value: String| {
            if !value.is_empty() {
                made.insert(what.to_owned(), value);
            }
        };
        spec.options.iter().for_each(|(name, value)| add(&format!("option {name}"), value.clone()));
        spec.env.iter().for_each(|(name, value)| add(&format!("variable {name}"), value.clone()));
        add("arguments", spec.args.join(" "));
        let folder = spec.folder.as_ref().map(|folder| folder.display().to_string());
        let folder = if self.in_place { Some("that of the program".to_owned()) } else { folder };
        add("folder", folder.unwrap_or_default());
        add("arguments of a level", self.level.join(" "));
        add("table", format!("{} MiB", self.hash_mib));
        add("protocol", spec.protocol.name().to_owned());
        add("isolation", self.isolation.in_words().to_owned());
        add("binary", binary.to_owned());
        add(COMPILED, self.said_of_compiling(path));
        match self.built_from.as_ref().filter(|_| spec.command == self.command) {
            None => add("program", path.display().to_string()),
            Some(source) => {
                add("source", source.origin.to_string());
                add("build", source.build.clone());
                if !self.cut.as_os_str().is_empty() {
                    let file = self.cut.file_name().unwrap_or_default().to_string_lossy();
                    let count = self.factors.len();
                    let cut = "cut automatically from the source";
                    add("switches", format!("{cut}, {count} methods; {file} says where"));
                }
                for (name, text) in &source.patches {
                    add(&format!("patch {name}"), Fnv::default().field(&String::from_utf8_lossy(text)).hex());
                }
                if let Some(cut) = &source.to_cut {
                    add(&format!("sites {}", cut.name), Fnv::default().field(&cut.text).hex());
                }
            }
        }
        made
    }

    /// What the program at `path` says of how it was compiled, in a line: empty where its file has no arguments for that, or it says
    /// nothing.
    fn said_of_compiling(&self, path: &Path) -> String {
        if self.compiled.is_empty() {
            return String::new();
        }
        let text = run(Command::new(path).args(&self.compiled), SAID_WITHIN)
            .map_or_else(|_| String::new(), |ran| ran.text);
        let lines = text.lines().filter(|line| line.starts_with("Compil"));
        let lines = lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
        lines.collect::<Vec<_>>().join("; ")
    }

    /// The `params` of an arm: another binary, argument, variable, option or table is another thing; where the binary lies
    /// is not.
    pub(crate) fn identity(&self, spec: &Spec, binary: &str) -> String {
        let mut fnv = Fnv::default();
        fnv.field(binary)
            .field(spec.protocol.name())
            .bytes(&self.hash_mib.to_le_bytes())
            .bytes(&[self.isolation as u8]);
        spec.args.iter().for_each(|word| {
            fnv.field(word);
        });
        for (what, pairs) in [("env", &spec.env), ("options", &spec.options)] {
            // A mark, so that a pair of one kind is not taken for one of another.
            fnv.field(what);
            for (name, value) in pairs {
                fnv.field(name).field(value);
            }
        }
        // What says a level is part of what a program is, where it has levels.
        self.level.iter().for_each(|word| {
            fnv.field("level").field(word);
        });
        fnv.hex()
    }
}

/// Options without those that a later one replaces.
fn last_of_each(options: Vec<(String, String)>) -> Vec<(String, String)> {
    let mut kept: Vec<(String, String)> = Vec::new();
    for (name, value) in options {
        match kept.iter_mut().find(|(option, _)| option.eq_ignore_ascii_case(&name)) {
            Some(earlier) => earlier.1 = value,
            None => kept.push((name, value)),
        }
    }
    kept
}
