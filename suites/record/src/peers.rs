//! What a comparison with other programs is asked: arms, positions, budget. The `suite` of its manifest.

use crate::error::Error;
use crate::sites::CutEntry;
use secateur_base::Reading;
use serde::{Deserialize, Serialize};

/// Name of the suite in the record.
pub const SUITE: &str = "peers";

/// What is searched if nothing else is said.
pub const POSITIONS: &str = "bratko-kopec";
/// The table of every arm if nothing else is said, MiB.
pub const HASH_MIB: u32 = 64;
/// What an engine may take for a search if nothing else is said, before it counts as hanging.
pub const PATIENCE: &str = "2min";

/// A comparison as it is asked, and as `run.toml` keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Lineup {
    /// [`SUITE`].
    pub name: String,
    /// The game of all arms.
    #[serde(default = "chess", skip_serializing_if = "is_chess")]
    pub game: String,
    /// Name of a built-in set of positions, or a file.
    pub positions: String,
    /// At most this many positions of each stage; all without it.
    pub limit: Option<usize>,
    /// `depth`, `nodes` or `time`.
    pub budget_kind: String,
    /// Plies, nodes or nanoseconds.
    pub budget: u64,
    /// How often every search is made, at least 1.
    pub repeats: u32,
    /// Transposition table of every arm, MiB.
    pub hash_mib: u32,
    /// What an engine may take for one search besides a time budget, milliseconds.
    pub patience_ms: u64,
    /// How position files are read: whether wrong lines are left out, and how far apart the positions of a game are.
    #[serde(default, skip_serializing_if = "Reading::is_usual")]
    pub reading: Reading,
    /// Parameters of this program other than the usual: a built-in variant or a file.
    pub params: Option<String>,
    /// The arms in order; all others are compared with the first.
    #[serde(rename = "arm")]
    pub arms: Vec<Arm>,
}

/// The game of lineups that name none.
fn chess() -> String {
    "chess".to_owned()
}

fn is_chess(game: &str) -> bool {
    game == "chess"
}

/// One arm: a program with its settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Arm {
    /// Another program.
    Engine(EngineArm),
    /// This program, in process.
    Own(OwnArm),
}

/// An arm of a subject, or a UCI engine by its command with options.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineArm {
    /// Name in the record, the column `methods`; [`Lineup::name_arms`] finds it.
    pub name: String,
    /// What the engine calls itself.
    pub id: String,
    /// The subject, by name or file; empty of one that is known by its command.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub subject: String,
    /// The arm of the subject: `full`, `none`, `full[-lmr]`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub switching: String,
    /// Program, if there is no subject.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub command: String,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Options by name and value, besides those that all engines get.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<(String, String)>,
    /// Usual options that it does not take, and what it has instead, a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub yielded: Vec<String>,
    /// How the switches of the subject came into its source, where this program put them there.
    pub cut: Option<Box<CutEntry>>,
}

/// A method set of this program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnArm {
    /// Name in the record: `secateur[null-move+mpc]`.
    pub name: String,
    /// The method set.
    pub methods: String,
}

impl Arm {
    /// Name in the record.
    pub fn name(&self) -> &str {
        match self {
            Arm::Engine(arm) => &arm.name,
            Arm::Own(arm) => &arm.name,
        }
    }
}

impl EngineArm {
    /// The last part of the program's path, or the name of the subject with its arm, unless that is the whole program.
    fn program(&self) -> String {
        match self.subject.as_str() {
            "" => tail(&self.command, 1),
            _ => {
                let name = self.subject_name();
                if self.switching == "full" { name } else { format!("{name}:{}", self.switching) }
            }
        }
    }

    /// The name of the subject: its file without folder and ending.
    pub fn subject_name(&self) -> String {
        let name = tail(&self.subject, 1);
        name.strip_suffix(".toml").unwrap_or(&name).to_owned()
    }

    /// Program and arguments with so many parts of their paths.
    fn call(&self, parts: usize) -> String {
        let words = std::iter::once(&self.command).chain(&self.args);
        words.map(|word| tail(word, parts)).collect::<Vec<_>>().join(" ")
    }

    /// The shortest call that tells it from these others, which differ in program or arguments.
    fn told_from(&self, others: &[&EngineArm]) -> String {
        let words = std::iter::once(&self.command).chain(&self.args);
        let most = words.map(|word| word.matches('/').count() + 1).max().unwrap_or(1);
        let is_own = |parts: &usize| others.iter().all(|other| other.call(*parts) != self.call(*parts));
        let parts = (1..=most).find(is_own).unwrap_or(most + 1);
        self.call(parts)
    }
}

/// The last so many parts of a path; all of it if it has no more.
fn tail(path: &str, parts: usize) -> String {
    let cut = path.rmatch_indices('/').nth(parts.saturating_sub(1)).map(|(at, _)| &path[at + 1..]);
    cut.filter(|end| !end.is_empty()).unwrap_or(path).to_owned()
}

impl Lineup {
    /// Gives every arm its name: the program, with its arguments, and as much of its folders as it takes, where two programs
    /// have one name, and its options in brackets.
    ///
    /// # Errors
    /// [`Error::Usage`] if there is no arm, or two have one name.
    pub fn name_arms(&mut self) -> Result<(), Error> {
        let engines: Vec<EngineArm> = self.arms.iter().filter_map(Arm::engine).cloned().collect();
        for arm in &mut self.arms {
            match arm {
                Arm::Engine(arm) => {
                    let called = |e: &EngineArm| (e.command.clone(), e.args.clone());
                    let other = |e: &EngineArm| e.subject.is_empty() && called(e) != called(arm);
                    let shared = engines.iter().filter(|e| e.program() == arm.program() && other(e));
                    let shared: Vec<&EngineArm> = shared.collect();
                    arm.name = if shared.is_empty() || !arm.subject.is_empty() {
                        arm.program()
                    } else {
                        arm.told_from(&shared)
                    };
                    if !arm.options.is_empty() {
                        let set = arm.options.iter().map(|(name, value)| format!("{name}={value}"));
                        arm.name += &format!("[{}]", set.collect::<Vec<_>>().join(", "));
                    }
                }
                Arm::Own(arm) => arm.name = format!("secateur[{}]", arm.methods),
            }
        }
        let names: Vec<&str> = self.arms.iter().map(Arm::name).collect();
        let twice = (1..names.len()).find(|&at| names[..at].contains(&names[at]));
        match twice.map(|at| names[at]) {
            Some(name) => Err(Error::Usage(format!("two arms are `{name}`: expected each arm once"))),
            None if names.is_empty() => {
                Err(Error::Usage("no arms: expected engines, method sets, or both".to_owned()))
            }
            None => Ok(()),
        }
    }
}

impl Arm {
    /// The arm if it is another program.
    pub fn engine(&self) -> Option<&EngineArm> {
        match self {
            Arm::Engine(arm) => Some(arm),
            Arm::Own(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(commands: &[(&str, &[&str])]) -> Vec<String> {
        let arm = |(command, args): &(&str, &[&str])| {
            let args = args.iter().map(|word| (*word).to_owned()).collect();
            Arm::Engine(EngineArm { command: (*command).to_owned(), args, ..EngineArm::default() })
        };
        let mut lineup = Lineup {
            name: SUITE.to_owned(),
            game: chess(),
            positions: String::new(),
            limit: None,
            budget_kind: "depth".to_owned(),
            budget: 1,
            repeats: 1,
            hash_mib: 1,
            patience_ms: 1,
            reading: Reading::default(),
            params: None,
            arms: commands.iter().map(arm).collect(),
        };
        lineup.name_arms().unwrap();
        lineup.arms.iter().map(|arm| arm.name().to_owned()).collect()
    }

    #[test]
    fn arms_of_subjects_are_called_by_the_names_of_their_files() {
        let arm = |subject: &str, switching: &str| {
            let (subject, switching) = (subject.to_owned(), switching.to_owned());
            EngineArm { subject, switching, ..EngineArm::default() }
        };
        assert_eq!(arm("/a/b/mine.toml", "full").program(), "mine");
        assert_eq!(arm("toga2", "full[-lmr]").program(), "toga2:full[-lmr]");
    }

    #[test]
    fn programs_of_one_file_name_are_told_apart_by_their_folders() {
        assert_eq!(names(&[("/a/b/eng", &[]), ("toga2", &[])]), ["eng", "toga2"]);
        assert_eq!(names(&[("/x/new build/eng", &[]), ("/x/old/eng", &[])]), ["new build/eng", "old/eng"]);
        assert_eq!(names(&[("/x/bin/eng", &[]), ("/y/bin/eng", &[])]), ["x/bin/eng", "y/bin/eng"]);
        assert_eq!(names(&[("eng", &[]), ("/y/eng", &[])]), ["eng", "y/eng"]);
        assert_eq!(names(&[("sh", &["/a/e"]), ("sh", &["/a/f"])]), ["sh e", "sh f"]);
        assert_eq!(names(&[("sh", &["/a/e"]), ("sh", &["/b/e"])]), ["sh a/e", "sh b/e"]);
        assert_eq!(names(&[("eng", &["-x"]), ("/y/eng", &[])]), ["eng -x", "eng"]);
    }
}
