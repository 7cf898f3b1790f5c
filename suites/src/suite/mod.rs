//! Suites: what is to be searched, as data.
//!
//! A suite is a list of blocks; a block crosses positions of one game with method sets and budgets. The
//! built-in suites are TOML files under `suites/data`, and a path to any such file is as good as a name.

mod factorial;
mod file;
mod overrides;
mod program;

pub use crate::allowance::Allowance;
pub use factorial::factorial;
pub use overrides::{Overrides, Sweep};

use crate::error::{Error, Unknown};
use crate::oracle::Oracle;
use crate::program::ProgramArms;
use crate::setups::arm::Arm;
use secateur_positions::Reading;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::path::Path;

/// Built-in suites by name.
const BUILTIN: &[(&str, &str)] = &[
    ("quick", include_str!("../../data/quick.toml")),
    ("table2", include_str!("../../data/table2.toml")),
    ("table2-plain", include_str!("../../data/table2-plain.toml")),
    ("table2-strict", include_str!("../../data/table2-strict.toml")),
    ("drops", include_str!("../../data/drops.toml")),
    ("drops-modern", include_str!("../../data/drops-modern.toml")),
    ("drops-pooled", include_str!("../../data/drops-pooled.toml")),
    ("jiang", include_str!("../../data/jiang.toml")),
    ("gate", include_str!("../../data/gate.toml")),
    ("calibration", include_str!("../../data/calibration.toml")),
    ("regret", include_str!("../../data/regret.toml")),
    ("verified", include_str!("../../data/verified.toml")),
    ("tactical", include_str!("../../data/tactical.toml")),
    ("guards", include_str!("../../data/guards.toml")),
    ("classics", include_str!("../../data/classics.toml")),
    ("zugzwang", include_str!("../../data/zugzwang.toml")),
    ("factorial", include_str!("../../data/factorial.toml")),
    ("modern", include_str!("../../data/modern.toml")),
    ("forced", include_str!("../../data/forced.toml")),
    ("rules", include_str!("../../data/rules.toml")),
    ("factorial-modern", include_str!("../../data/factorial-modern.toml")),
    ("posterior", include_str!("../../data/posterior.toml")),
    ("depths", include_str!("../../data/depths.toml")),
    ("dice", include_str!("../../data/dice.toml")),
    ("dice-exact", include_str!("../../data/dice-exact.toml")),
    ("dice-throws", include_str!("../../data/dice-throws.toml")),
    ("transfer", include_str!("../../data/transfer.toml")),
    ("effort", include_str!("../../data/effort.toml")),
];

/// A suite, checked as far as it can be without reading positions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Suite {
    /// Name in records.
    pub name: String,
    /// What it is for, one sentence.
    pub description: String,
    /// Parameters other than the usual, by game: a built-in variant or a file ([`crate::setups::setup::Setup::load`]).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub params: BTreeMap<String, String>,
    /// One cut in so many is searched again without its method ([`crate::audit`]); 0 is none.
    #[serde(skip_serializing_if = "is_zero")]
    pub audit: u64,
    /// How position files are read: whether wrong lines are left out, and how far apart the positions of a game are.
    #[serde(skip_serializing_if = "Reading::is_usual")]
    pub reading: Reading,
    /// What is searched, in order; never empty.
    #[serde(rename = "block")]
    pub blocks: Vec<Block>,
}

/// Positions of one game x method sets x budgets.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Block {
    /// Name of the game.
    pub game: String,
    /// Names of built-in sets, and paths of EPD, FEN, PGN or OBF files.
    pub positions: Vec<String>,
    /// At most this many positions of each stage of each set, spread evenly; all without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// Whether positions that something was tuned on count as well ([`secateur_positions::builtin::Reserved`]).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub reserved: bool,
    /// Arms in order. The baseline is always searched, and first.
    #[serde(serialize_with = "as_text", skip_serializing_if = "Vec::is_empty")]
    pub methods: Vec<Arm>,
    /// The arm that the others are compared with, in place of `none`: one of `methods`.
    #[serde(serialize_with = "as_name", skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Arm>,
    /// Another program, whose arms are searched in place of method sets; then `methods` is empty, and the first arm the baseline.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub program: Option<ProgramArms>,
    /// Budgets of each search.
    pub budgets: Vec<Allowance>,
    /// How often the baseline is searched again: the A/A rows that show the noise.
    pub repeats: u32,
    /// Methods that need not cut anything in this game.
    pub expect_silent: Vec<String>,
    /// The deeper search that the moves are judged by ([`crate::oracle`]).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oracle: Option<Oracle>,
    /// Whether the instructions of each search are counted, where valgrind is installed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub instructions: bool,
}

fn as_text<S: Serializer>(arms: &[Arm], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(arms.iter().map(ToString::to_string))
}

fn as_name<S: Serializer>(arm: &Option<Arm>, serializer: S) -> Result<S::Ok, S::Error> {
    arm.as_ref().map(ToString::to_string).serialize(serializer)
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Suite {
    /// A suite of this name without blocks, for a plan that is made otherwise.
    #[must_use]
    pub fn named(name: &str) -> Suite {
        Suite {
            name: name.to_owned(),
            description: String::new(),
            params: BTreeMap::new(),
            audit: 0,
            reading: Reading::default(),
            blocks: Vec::new(),
        }
    }

    /// Names of the built-in suites.
    pub fn names() -> Vec<&'static str> {
        BUILTIN.iter().map(|(name, _)| *name).collect()
    }

    /// The built-in suite of this name, or the suite in this `.toml` file.
    ///
    /// # Errors
    /// An unknown name, an unreadable file, or the first wrong place in it.
    pub fn load(name_or_path: &str) -> Result<Suite, Error> {
        if let Some((name, text)) = BUILTIN.iter().find(|(name, _)| *name == name_or_path) {
            return Suite::parse(Path::new(&format!("{name}.toml")), text);
        }
        let path = Path::new(name_or_path);
        if path.extension().is_none_or(|ending| ending != "toml") {
            let mut error = Unknown::new("suite", name_or_path, &Suite::names());
            error.names.push_str(", or a .toml file");
            return Err(error.into());
        }
        let text = std::fs::read_to_string(path).map_err(Error::unreadable(path))?;
        Suite::parse(path, &text)?.lasting()
    }

    /// The same suite with the instructions of every search counted.
    #[must_use]
    pub fn counted(mut self) -> Suite {
        self.blocks.iter_mut().for_each(|block| block.instructions = true);
        self
    }

    /// Reads the text of a suite file. Position files are taken relative to `path`.
    ///
    /// # Errors
    /// An [`Error`] that points at the first wrong place.
    pub fn parse(path: &Path, text: &str) -> Result<Suite, Error> {
        Ok(file::read(path, text)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_suites_have_their_own_names() {
        for name in Suite::names() {
            assert_eq!(Suite::load(name).unwrap().name, name);
        }
    }

    #[test]
    fn a_suite_reads_what_it_writes() {
        for name in Suite::names() {
            let suite = Suite::load(name).unwrap();
            let text = toml::to_string(&suite).unwrap();
            assert_eq!(Suite::parse(Path::new("again.toml"), &text).unwrap(), suite, "{text}");
        }
    }

    #[test]
    fn unknown_names_are_answered_with_the_nearest() {
        let error = Suite::load("tabel2").unwrap_err().to_string();
        let all = Suite::names().join(", ");
        assert!(
            error.contains(&format!("did you mean `table2`? expected one of {all}, or a .toml file")),
            "{error}"
        );
    }
}
