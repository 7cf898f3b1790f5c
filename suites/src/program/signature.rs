//! A program's own signature: the nodes of a fixed set of searches, which its authors count on at every change.
//!
//! Patched with all of its methods on, a program must repeat the signature of the unpatched one: else the patch did more than
//! it says, and no arm is what its name is. Without a method the signature should differ; where it does not, the switch may
//! do nothing.

use super::file::Program;
use super::switching::Switching;
use crate::error::Error;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::process::{Command, Stdio};

/// How a program is asked for its signature.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// Arguments behind those of the program: `bench`.
    pub args: Vec<String>,
    /// What the line contains whose last number is the signature: `Nodes searched`.
    pub line: String,
    /// What it must be; 0 where only the unpatched program says.
    #[serde(default)]
    pub nodes: u64,
}

/// A program's signature beside what it must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed {
    /// That of the program as it is.
    pub full: u64,
    /// That of the unpatched program, if this one is patched.
    pub unpatched: Option<u64>,
    /// What the subject file says, if it says anything.
    pub expected: Option<u64>,
    /// Factors without which it is the same.
    pub idle: Vec<String>,
}

impl Signed {
    /// Whether the program is what it is said to be.
    #[must_use]
    pub fn holds(&self) -> bool {
        [self.unpatched, self.expected].into_iter().flatten().all(|nodes| nodes == self.full)
    }
}

impl Program {
    /// Asks for all signatures there are to know, of a program that is [installed](Program::installed); `None` where the file does
    /// not say how.
    ///
    /// # Errors
    /// An unpatched program that cannot be built; one that has no such line.
    pub fn signed(&self) -> Result<Option<Signed>, Error> {
        let Some(signature) = &self.signature else { return Ok(None) };
        let of = |off: BTreeSet<usize>| {
            let spec = self.spec(&Switching { name: String::new(), off, options: Vec::new() })?;
            signature.of(Command::new(self.found(&spec)?).args(&spec.args).envs(spec.env))
        };
        let full = of(BTreeSet::new())?;
        let patched = self.built_from.as_ref().filter(|source| !source.patches.is_empty());
        let unpatched = patched.map(|source| {
            let binary = source.unpatched().program(&format!("{}-unpatched", self.name))?;
            signature.of(Command::new(binary).args(&self.args))
        });
        let mut idle = Vec::new();
        for (index, factor) in self.factors.iter().enumerate() {
            // Options are set in the protocol, which this is not.
            if factor.off.options.is_empty() && of(BTreeSet::from([index]))? == full {
                idle.push(factor.name.clone());
            }
        }
        let expected = Some(signature.nodes).filter(|nodes| *nodes > 0);
        Ok(Some(Signed { full, unpatched: unpatched.transpose()?, expected, idle }))
    }
}

impl Signature {
    /// Runs a program to its end and reads the number.
    fn of(&self, command: &mut Command) -> Result<u64, Error> {
        let name = command.get_program().to_string_lossy().into_owned();
        let output = command.args(&self.args).stdin(Stdio::null()).output();
        let output = output.map_err(|error| Error::Usage(format!("{name}: {error}")))?;
        let text =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        number(&text, &self.line).ok_or_else(|| {
            let asked = self.args.join(" ");
            Error::Usage(format!(
                "{name} {asked}: found no line with `{}` and a number, expected its signature",
                self.line
            ))
        })
    }
}

/// The last number of the last line that contains this.
fn number(text: &str, marker: &str) -> Option<u64> {
    let line = text.lines().rfind(|line| line.contains(marker))?;
    line.split(|c: char| !c.is_ascii_digit()).rfind(|part| !part.is_empty())?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_number_of_the_last_such_line_counts() {
        let text = "Nodes searched  : 12\nTotal time (ms) : 99\nNodes searched  : 5156767\nNodes/second: 3\n";
        assert_eq!(number(text, "Nodes searched"), Some(5_156_767));
        assert_eq!(number("bench: 7 nodes 5 nps", "nodes"), Some(5));
        assert_eq!(number("Nodes searched: -", "Nodes searched"), None);
        assert_eq!(number("", "Nodes"), None);
    }
}
