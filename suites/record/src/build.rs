//! Builds: which program on which computer made the rows of a run.
//!
//! A run may be resumed elsewhere and by another build, so every row names its build, and the manifest describes them.
//! What may be compared follows: exact columns always, times within one class of machines, instructions within one binary.

use crate::machine::{Compilation, Git, Machine};
use serde::{Deserialize, Serialize};

/// One program on one computer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Build {
    /// Hash of all the rest, 8 hex digits: the column `build`. Empty in runs of older versions, which name one.
    pub id: String,
    /// Hash of the program's file, 16 hex digits; empty if nobody knows.
    pub binary: String,
    /// How the program was built.
    #[serde(alias = "build")]
    pub compiled: Compilation,
    /// From which sources.
    pub git: Git,
    /// The computer.
    pub machine: Machine,
}

impl Build {
    /// What times may be compared within: the processor, how many of its cores, and the system.
    #[must_use]
    pub fn machine_class(&self) -> String {
        format!("{}, {} cores, {}", self.machine.cpu, self.machine.cores, self.machine.system)
    }

    /// The program in words, for messages.
    #[must_use]
    pub fn program(&self) -> String {
        let sha = self.git.sha.get(..12).unwrap_or("no commit");
        let dirty = if self.git.dirty { " (modified)" } else { "" };
        let of = |text: &String| text.get(..8).unwrap_or("unknown").to_owned();
        format!("binary {} of {sha}{dirty}, sources {}", of(&self.binary), of(&self.compiled.source))
    }
}
