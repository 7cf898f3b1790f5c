//! What an arm of a program is started with, what stands for it in records, and the arm made ready: all that it takes to have it search,
//! whether it is measured, counted or judges.

use super::file::Program;
use super::switching::Switching;
use crate::error::Error;
use crate::instruments::machine::hash_of_file;
use crate::shell::run;
use secateur_engines::{Spec, find};
use secateur_positions::Fnv;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

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
        let mut add = |what: String, value: String| {
            if !value.is_empty() {
                made.insert(what, value);
            }
        };
        spec.options.iter().for_each(|(name, value)| add(format!("option {name}"), value.clone()));
        spec.env.iter().for_each(|(name, value)| add(format!("variable {name}"), value.clone()));
        add("arguments".to_owned(), spec.args.join(" "));
        let folder = spec.folder.as_ref().map(|folder| folder.display().to_string());
        let folder = if self.in_place { Some("that of the program".to_owned()) } else { folder };
        add("folder".to_owned(), folder.unwrap_or_default());
        add("arguments of a level".to_owned(), self.level.join(" "));
        add("table".to_owned(), format!("{} MiB", self.hash_mib));
        add("protocol".to_owned(), spec.protocol.name().to_owned());
        add("isolation".to_owned(), self.isolation.in_words().to_owned());
        add("binary".to_owned(), binary.to_owned());
        add(COMPILED.to_owned(), self.said_of_compiling(path));
        match self.built_from.as_ref().filter(|_| spec.command == self.command) {
            None => add("program".to_owned(), path.display().to_string()),
            Some(source) => {
                add("source".to_owned(), source.origin.to_string());
                add("build".to_owned(), source.build.clone());
                if !self.cut.as_os_str().is_empty() {
                    let file = self.cut.file_name().unwrap_or_default().to_string_lossy();
                    add(
                        "switches".to_owned(),
                        format!(
                            "cut automatically from the source, {} methods; {file} says where",
                            self.factors.len()
                        ),
                    );
                }
                for (name, text) in &source.patches {
                    add(format!("patch {name}"), Fnv::default().field(&String::from_utf8_lossy(text)).hex());
                }
                if let Some(cut) = &source.to_cut {
                    add(format!("sites {}", cut.name), Fnv::default().field(&cut.text).hex());
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
