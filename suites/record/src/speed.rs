//! What a part of a comparison of speed is: one measure in one game, who takes part, and who could not. The `suite` of its
//! manifest.
//!
//! A run of `cargo xtask speed` is a folder of such parts, each a run like any other. Left out: instructions, whose parts are
//! runs of suites.

use crate::archive;
use crate::columns::words;
use crate::error::Error;
use crate::manifest::Manifest;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

/// Name of the suite in the record.
pub const SUITE: &str = "speed";
/// The arm that is this program.
pub const OURS: &str = "secateur";
/// The arm that is a loop of known work, by which computers are told apart.
pub const LOOP: &str = "loop";
/// What the run folder of our instructions is called, behind the game and before the depth is known.
pub const INSTRUCTIONS: &str = "instructions";

words! {
    /// What is measured.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    Measure {
        /// A depth at full width.
        #[default]
        FullWidth = "full-width",
        /// A depth with everything on that a program plays with.
        Depth = "depth",
        /// Moves by which a judge says what is right, where no author does.
        Judge = "judge",
        /// A time, in which the right move is found and stays.
        Solve = "solve",
        /// The end of the game, exactly.
        Endgame = "endgame",
    }
}

/// One measure in one game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Part {
    /// [`SUITE`].
    pub name: String,
    /// What is measured.
    pub measure: Measure,
    /// The game.
    pub game: String,
    /// Where its positions are from, in words.
    pub positions: String,
    /// The budget of every search, in words: `depth 10`, `2s`.
    pub budget: String,
    /// How often every program searches every position, at least 1.
    pub rounds: u32,
    /// Transposition table of every program, MiB.
    pub hash_mib: u32,
    /// Whether every search began with empty caches: ours were emptied with the table, other programs had a process each. Where
    /// not, they knew what they evaluated at the same position before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cold: bool,
    /// Whose moves count as right, where no author of a set says so.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub judge: String,
    /// The positions of which the judge says it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub judged: BTreeSet<String>,
    /// Who takes part: this program first, the loop last.
    #[serde(rename = "contender", default)]
    pub contenders: Vec<Contender>,
    /// Who was asked for and does not take part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<Missing>,
}

/// Who searches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Contender {
    /// The arm in the record, the column `methods`: [`OURS`], the name of a peer, or [`LOOP`].
    pub name: String,
    /// What it calls itself; empty of this program and the loop.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub program: String,
    /// Hash of its binary, 16 hex digits; empty of this program and the loop.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub binary: String,
    /// Which of its methods are on: `none`, `all`, `full`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub arm: String,
    /// What a reader must know of it in this measure.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// Who does not take part, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Missing {
    /// Name of the peer.
    pub name: String,
    /// Why.
    pub why: String,
}

impl Part {
    /// The name of its folder.
    pub fn folder(&self) -> String {
        format!("{}-{}", self.game, self.measure)
    }

    /// The other programs.
    pub fn peers(&self) -> impl Iterator<Item = &Contender> {
        self.contenders.iter().filter(|contender| ![OURS, LOOP].contains(&contender.name.as_str()))
    }

    /// The part that a manifest is of; `None` of a run of anything else.
    pub fn of(manifest: &Manifest) -> Option<Part> {
        manifest.suite.clone().try_into().ok().filter(|part: &Part| part.name == SUITE)
    }

    /// The folders below `dir` that hold runs, by name, in order: the parts of a comparison and its counts of instructions.
    ///
    /// # Errors
    /// The file system; a folder without any.
    pub fn folders(dir: &Path) -> Result<Vec<String>, Error> {
        let mut names = archive::names(dir).map_err(Error::unreadable(dir))?;
        names.retain(|name| archive::is_file(&dir.join(name).join(crate::manifest::FILE)));
        match names.is_empty() {
            true => Err(Error::Usage(format!(
                "{}: found no parts, expected the folder of a run of `{} speed`",
                dir.display(),
                secateur_base::program::name()
            ))),
            false => Ok(names.into_iter().collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_read_as_written_and_no_other_run_is_one() {
        let ours = Contender { name: OURS.to_owned(), arm: "none".to_owned(), ..Contender::default() };
        let peer = Contender { name: "p".to_owned(), program: "P 1".to_owned(), ..Contender::default() };
        let part = Part {
            name: SUITE.to_owned(),
            measure: Measure::FullWidth,
            game: "chess".to_owned(),
            positions: "kaufman".to_owned(),
            budget: "depth 4".to_owned(),
            rounds: 2,
            hash_mib: 64,
            cold: true,
            judge: String::new(),
            judged: BTreeSet::new(),
            contenders: vec![ours, peer.clone()],
            missing: vec![Missing { name: "q".to_owned(), why: "not here".to_owned() }],
        };
        let suite = toml::Table::try_from(&part).unwrap();
        let manifest = Manifest { suite, ..Manifest::default() };
        assert_eq!(Part::of(&manifest), Some(part.clone()));
        assert_eq!(
            (part.folder().as_str(), part.peers().collect::<Vec<_>>()),
            ("chess-full-width", vec![&peer])
        );
        assert_eq!(Part::of(&Manifest::default()), None);
        let other = toml::Table::try_from(Part { name: "x".to_owned(), ..part }).unwrap();
        assert_eq!(Part::of(&Manifest { suite: other, ..Manifest::default() }), None);
    }

    #[test]
    fn a_folder_without_parts_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let message = Part::folders(dir.path()).unwrap_err().to_string();
        assert!(message.contains("found no parts, expected the folder of a run"), "{message}");
        assert!(Part::folders(&dir.path().join("none")).is_err());
    }
}
