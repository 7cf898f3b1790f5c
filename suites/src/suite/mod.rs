//! Suites: what is to be searched, as data.
//!
//! A suite is a list of blocks; a block crosses positions of one game with method sets and budgets. The
//! built-in suites are TOML files under `suites/data`, and a path to any such file is as good as a name.
//!
//! A suite file and the command line name the arms of a factorial experiment; what comes out is an ordinary list of method sets, and
//! nothing after this knows how the list was made. Left out: fractions of the 2^k combinations, which confound effects.

mod file;
mod overrides;

use crate::allowance::Allowance;
use crate::error::Error;
use crate::oracle::Oracle;
use crate::program::ProgramArms;
use crate::setups::arm::{Arm, size, subsets};
use secateur_base::Unknown;
use secateur_positions::Reading;
use secateur_record::arm::split;
use secateur_record::error::text_of;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

pub use overrides::{Overrides, Sweep};

/// Names of the built-in suites in the order in which they are listed.
const NAMES: &str = "quick table2 table2-plain table2-strict drops drops-modern drops-pooled jiang gate calibration \
    regret verified tactical guards classics zugzwang factorial modern forced rules \
    factorial-modern posterior depths dice dice-exact dice-throws transfer effort";

/// The built-in suites by name, `NAME.toml`.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/data.rs"));

/// A suite, checked as far as it can be without reading positions.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Suite {
    /// Name in records.
    pub name: String,
    /// What it is for, one sentence.
    pub description: String,
    /// Parameters other than the usual, by game: a built-in variant or a file ([`crate::setups::setup::Setup::load`]).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub params: BTreeMap<String, String>,
    /// One cut in so many is searched again without its method (the audit, in `suites/src/subject/host.rs`); 0 is none.
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
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Block {
    /// Name of the game.
    pub game: String,
    /// Names of built-in sets, and paths of EPD, FEN, PGN or OBF files.
    pub positions: Vec<String>,
    /// At most this many positions of each stage of each set, spread evenly; all without it.
    pub limit: Option<usize>,
    /// Whether positions that something was tuned on count as well ([`secateur_positions::builtin::Reserved`]).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub reserved: bool,
    /// Arms in order. The baseline is always searched, and first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub methods: Vec<Arm>,
    /// The arm that the others are compared with, in place of `none`: one of `methods`.
    pub baseline: Option<Arm>,
    /// Another program, whose arms are searched in place of method sets; then `methods` is empty, and the first arm the baseline.
    #[serde(flatten)]
    pub program: Option<ProgramArms>,
    /// Budgets of each search.
    pub budgets: Vec<Allowance>,
    /// How often the baseline is searched again: the A/A rows that show the noise.
    pub repeats: u32,
    /// Methods that need not cut anything in this game.
    pub expect_silent: Vec<String>,
    /// The deeper search that the moves are judged by ([`crate::oracle`]).
    pub oracle: Option<Oracle>,
    /// Whether the instructions of each search are counted, where valgrind is installed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub instructions: bool,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Suite {
    /// Names of the built-in suites.
    pub fn names() -> Vec<&'static str> {
        NAMES.split(' ').collect()
    }

    /// The built-in suite of this name, or the suite in this `.toml` file.
    ///
    /// # Errors
    /// An unknown name, an unreadable file, or the first wrong place in it.
    pub fn load(name_or_path: &str) -> Result<Suite, Error> {
        let file = format!("{name_or_path}.toml");
        if let Some((_, text)) = FILES.iter().find(|(name, _)| *name == file) {
            return Suite::parse(Path::new(&file), text);
        }
        let path = Path::new(name_or_path);
        if path.extension().is_none_or(|ending| ending != "toml") {
            let mut error = Unknown::new("suite", name_or_path, &Suite::names());
            error.names.push_str(", or a .toml file");
            return Err(error.into());
        }
        let text = text_of(path)?;
        Suite::parse(path, &text)?.lasting()
    }

    /// The same suite with the instructions of every search counted.
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

/// Reads the list of a command line, `null-move[r3],mpc,futility`, and crosses it.
///
/// # Errors
/// An arm that cannot be read, or a list that cannot be crossed, with what was expected.
pub fn factorial(list: &str) -> Result<Vec<Arm>, Error> {
    let arms: Vec<Arm> = split(list, ',').into_iter().map(Arm::parse).collect::<Result<_, _>>()?;
    let refused = size(arms.len()).err().or_else(|| (0..arms.len()).find_map(|at| fits(&arms, at).err()));
    match refused {
        Some(message) => Err(Error::Usage(format!("--factorial {list}: {message}"))),
        None => Ok(combinations(&arms)),
    }
}

/// Whether the arm at `at` can be crossed with those before it; else what was found and expected.
fn fits(arms: &[Arm], at: usize) -> Result<(), String> {
    let arm = &arms[at];
    if arm.set.indices().count() != 1 {
        return Err(format!("found `{arm}`, expected one method in each arm: they are crossed"));
    }
    match arms[..at].iter().find(|other| other.set == arm.set) {
        Some(other) => Err(format!("found `{arm}` next to `{other}`, expected every method once")),
        None => Ok(()),
    }
}

/// All combinations of arms that [`fits`] lets pass: `none` first, then by size, those of one size in the order of the
/// arms.
fn combinations(arms: &[Arm]) -> Vec<Arm> {
    let joined = |set: Vec<usize>| set.into_iter().fold(Arm::default(), |joined, at| joined.with(&arms[at]));
    subsets(arms.len()).into_iter().map(joined).collect()
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

    fn names(arms: &[Arm]) -> Vec<String> {
        arms.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_combination_is_there_once_and_in_order() {
        let arms = factorial("futility,null-move[r3],mpc[pairs=[[1,3],[2,4]],t=1]").unwrap();
        let mpc = "mpc[pairs=[[1,3],[2,4]],t=1]";
        let expected = [
            "none".to_owned(),
            "futility".to_owned(),
            "null-move[r3]".to_owned(),
            mpc.to_owned(),
            // Names are in the order of asking, sets in the order that was given.
            "null-move[r3]+futility".to_owned(),
            format!("{mpc}+futility"),
            format!("null-move[r3]+{mpc}"),
            format!("null-move[r3]+{mpc}+futility"),
        ];
        assert_eq!(names(&arms), expected);
    }

    /// The list that stood in the suite before it could be written short.
    #[test]
    fn the_built_in_suite_is_the_list_of_before() {
        let list = "none, razoring, null-move, mpc, multi-cut, futility, razoring+null-move, razoring+mpc, \
            razoring+multi-cut, razoring+futility, null-move+mpc, null-move+multi-cut, null-move+futility, \
            mpc+multi-cut, mpc+futility, multi-cut+futility, razoring+null-move+mpc, \
            razoring+null-move+multi-cut, razoring+null-move+futility, razoring+mpc+multi-cut, \
            razoring+mpc+futility, razoring+multi-cut+futility, null-move+mpc+multi-cut, null-move+mpc+futility, \
            null-move+multi-cut+futility, mpc+multi-cut+futility, razoring+null-move+mpc+multi-cut, \
            razoring+null-move+mpc+futility, razoring+null-move+multi-cut+futility, \
            razoring+mpc+multi-cut+futility, null-move+mpc+multi-cut+futility, \
            razoring+null-move+mpc+multi-cut+futility";
        let suite = Suite::load("factorial").unwrap();
        let main = &suite.blocks[..2];
        for block in main {
            assert_eq!(names(&block.methods), list.split(", ").collect::<Vec<_>>(), "{}", block.game);
        }
        let described =
            |b: &Block| format!("{} {:?} {:?} {}", b.game, b.limit, b.budgets, b.positions.join(" "));
        let expected = [
            "othello Some(40) [Depth(12)] othello-12 othello-20 othello-28 othello-36 othello-44",
            "chess Some(67) [Depth(8)] chess-games",
        ];
        assert_eq!(main.iter().map(described).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn what_cannot_be_crossed_says_why() {
        for (list, message) in [
            ("mpc", "found a list of 1, expected 2 to 8 arms"),
            ("", "unknown method"),
            ("mpc,mpd", "did you mean `mpc`?"),
            ("mpc,none", "found `none`, expected one method"),
            ("mpc,null-move+futility", "found `null-move+futility`, expected one method"),
            ("mpc,futility,mpc[t=1]", "found `mpc[t=1]` next to `mpc`, expected every method once"),
        ] {
            let error = factorial(list).unwrap_err().to_string();
            assert!(error.contains(message), "{list}: {error}");
        }
        assert!(size(2).is_ok() && size(8).is_ok() && size(9).is_err());
    }
}
