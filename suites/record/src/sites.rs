//! The sites of a search: places in the source of a program that prune, reduce or extend, each with its own switch.
//!
//! This is what a report knows of them. It is written when the switches are cut and goes with the runs that switch single sites.

use crate::error::{Error, from_toml};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The name of such a file.
pub const FILE: &str = "sites.toml";

/// The whole file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sites {
    /// The files of the source that were looked through, from its folder.
    pub files: Vec<String>,
    /// The sites that have a switch, in the order of their numbers.
    #[serde(default)]
    pub site: Vec<Site>,
}

/// One site.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Site {
    /// Its name among arms: letters, digits and `-`.
    pub name: String,
    /// Its number in the program: what the variable of single sites names.
    pub number: u32,
    /// The method that is switched with it, if there is one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub method: String,
    /// The method that it is a part of, without being needed for its switch: the cut behind a gate, a term of a reduction.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub part_of: String,
    /// How sure the name of its method is: `sure`, `likely`, `choose one of ..`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub certainty: String,
    /// What it does where its condition is true: `return`, `skip`, `term`, `gate`.
    pub kind: String,
    /// Its file, from the folder of the source, with `/` between names.
    pub file: String,
    /// The line on which its condition begins, from 1.
    pub line: u32,
    /// The function that it stands in.
    pub function: String,
    /// Its condition, or the term that it adds, on one line.
    pub condition: String,
    /// The number of the next site around it, if there is one.
    pub within: Option<u32>,
    /// How often its condition was asked in the searches of the proof; absent where the program did not count.
    pub asked: Option<u64>,
    /// How often it was true.
    pub entered: Option<u64>,
}

impl Site {
    /// Where it stands: `search.c:346`.
    pub fn place(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }
}

impl Sites {
    /// Reads a file.
    ///
    /// # Errors
    /// A file that cannot be read, and the first wrong place in it.
    pub fn read(path: &Path) -> Result<Sites, Error> {
        let text = crate::archive::read_to_string(path).map_err(Error::unreadable(path))?;
        Ok(from_toml(path, &text, &text)?)
    }

    /// Writes it, whole or not at all.
    ///
    /// # Errors
    /// The file system.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        // Names, numbers and lists of them have a TOML form.
        let text = toml::to_string(self).expect("sites have a TOML form");
        crate::files::replace(path, text.as_bytes())
    }
}

/// Switches that were cut from the source of a program automatically. In words this is what every page of such a program says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct CutEntry {
    /// The source, with its commit, or a hash of its files.
    pub source: String,
    /// The file that says where each switch is.
    pub file: String,
    /// Methods with a switch.
    pub methods: usize,
    /// Places with a switch.
    pub sites: usize,
    /// What searches said of the switches, in words; empty where none were made since they were cut.
    pub proof: String,
}

impl std::fmt::Display for CutEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let CutEntry { source, file, methods, sites, proof } = self;
        write!(
            f,
            "its switches were cut from its source automatically ({source}): {methods} methods at {sites} places, listed in {file}. "
        )?;
        match proof.as_str() {
            "" => write!(f, "Nothing was proved of them: `subjects check` does that."),
            proof => write!(f, "Proof: {proof}."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_are_read_as_written_and_a_wrong_place_is_pointed_at() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(FILE);
        let first = Site { name: "lmr".to_owned(), condition: "x \"y\"\\".to_owned(), ..Site::default() };
        let second = Site { number: 1, within: Some(0), entered: Some(7), ..first.clone() };
        let sites = Sites { files: vec!["a.c".to_owned()], site: vec![first, second] };
        sites.write(&path).unwrap();
        assert_eq!(Sites::read(&path).unwrap(), sites);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("number = 1", "numbers = 1")).unwrap();
        let error = Sites::read(&path).unwrap_err().to_string();
        assert!(error.contains("unknown field `numbers`") && error.contains("sites.toml:"), "{error}");
    }
}
