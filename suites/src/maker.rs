//! Makers: which program on which computer made the rows of a run.
//!
//! A run may be resumed elsewhere and by another build, so every row names its maker, and the manifest describes them.
//! What may be compared follows: exact columns always, times within one class of machines, instructions within one binary.

use crate::machine::{Build, Git, Machine, binary};
use secateur_positions::Fnv;
use serde::{Deserialize, Serialize};

/// One program on one computer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Maker {
    /// Hash of all the rest, 8 hex digits: the column `maker`. Empty in runs of older versions, which name one.
    pub id: String,
    /// Hash of the program's file, 16 hex digits; empty if nobody knows.
    pub binary: String,
    /// How the program was built.
    pub build: Build,
    /// From which sources.
    pub git: Git,
    /// The computer.
    pub machine: Machine,
}

impl Maker {
    /// This program on this computer.
    #[must_use]
    pub fn current() -> Maker {
        let maker = Maker {
            id: String::new(),
            binary: binary().to_owned(),
            build: Build::current(),
            git: Git::current(),
            machine: Machine::current(),
        };
        // Flat structs of texts, numbers and flags have a TOML form.
        let text = toml::to_string(&maker).expect("a maker has a TOML form");
        let id = Fnv::default().bytes(text.as_bytes()).hex()[..8].to_owned();
        Maker { id, ..maker }
    }

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
        format!("binary {} of {sha}{dirty}, sources {}", of(&self.binary), of(&self.build.source))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_program_on_one_computer_is_one_maker() {
        let (one, two) = (Maker::current(), Maker::current());
        assert_eq!(one, two);
        assert_eq!((one.id.len(), one.binary.len(), one.build.source.len()), (8, 16, 16));
        let text = toml::to_string(&one).unwrap();
        assert_eq!(toml::from_str::<Maker>(&text).unwrap(), one);
    }
}
