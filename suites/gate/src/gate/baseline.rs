//! What was blessed: two TOML files under `suites/gate`, and how they are brought up to date.
//!
//! Trees and accuracy are the same with every compiler and stand in one file. Instructions belong to one compiler and one
//! processor model, and stand in another with their names: as many side by side as have been blessed, of which the one
//! that is built with is asked. A count outlives a blessing by another compiler as long as its trees do.

use super::{Found, Measured};
use crate::explain::{Fired, Trees, explain};
use secateur_positions::Fnv;
use secateur_record::error::from_toml;
use secateur_record::files::replace;
use secateur_suites::Error;
use secateur_suites::instruments::machine::compilation;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// File of trees and accuracy.
const TREES: &str = "baseline.toml";
/// File of instructions.
const INSTRUCTIONS: &str = "baseline-instructions.toml";

/// What is blessed of one method set in one game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Blessed {
    /// Nodes of all searches.
    pub nodes: u64,
    /// Hash of all searches, 16 hex digits.
    pub signature: String,
    /// Searches.
    pub searches: u64,
    /// Searches with the move of `none`.
    pub same_move: u64,
    /// Searches with the value of `none`.
    pub same_value: u64,
    /// Sum of the absolute differences of values from those of `none`, in the game's unit.
    pub error: u64,
}

/// Things by game and method set.
pub type ByArm<T> = BTreeMap<String, BTreeMap<String, T>>;

/// What decides how many instructions a search takes besides its source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Compiler {
    /// `rustc -vV` on one line.
    pub rustc: String,
    /// `target-cpu` of the build.
    pub target_cpu: String,
    /// `release` or `debug`.
    pub profile: String,
}

impl Compiler {
    /// That of this build.
    #[must_use]
    pub fn current() -> Compiler {
        let build = compilation();
        Compiler { rustc: build.rustc, target_cpu: build.target_cpu, profile: build.profile }
    }
}

/// Version, target-cpu and profile.
impl fmt::Display for Compiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let version = self.rustc.split("; ").next().unwrap_or_default();
        write!(f, "{version}, {}, {}", self.target_cpu, self.profile)
    }
}

/// Blessed instructions of one compiler.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Instructions {
    /// What they were counted with.
    pub compiler: Compiler,
    /// Instructions of all counted searches.
    pub count: ByArm<u64>,
}

/// Everything blessed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Baseline {
    /// Trees and accuracy.
    pub arms: ByArm<Blessed>,
    /// Instructions, each compiler once; empty where nobody has counted yet.
    pub instructions: Vec<Instructions>,
}

/// The file of instructions.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Counted {
    counted: Vec<Instructions>,
}

impl Blessed {
    /// What would be blessed of `found`, compared with the baseline method set of its game.
    #[must_use]
    pub fn of(found: &Found, none: &Found) -> Blessed {
        let mut fnv = Fnv::default();
        let mut arm = Blessed { searches: found.cells.len() as u64, ..Blessed::default() };
        for (own, base) in found.cells.iter().zip(&none.cells) {
            fnv.field(&own.name).field(&own.signature);
            arm.nodes += own.nodes;
            arm.same_move += u64::from(own.best_move == base.best_move);
            arm.same_value += u64::from(own.score == base.score);
            arm.error += u64::from(own.score.abs_diff(base.score));
        }
        arm.signature = fnv.hex();
        arm
    }
}

impl Measured {
    /// What would be blessed.
    #[must_use]
    pub fn arms(&self) -> ByArm<Blessed> {
        let mut arms: ByArm<Blessed> = BTreeMap::new();
        for found in &self.found {
            let is_none = |other: &&Found| other.game == found.game && other.methods == "none";
            let none = self.found.iter().find(is_none).unwrap_or(found);
            arms.entry(found.game.clone())
                .or_default()
                .insert(found.methods.clone(), Blessed::of(found, none));
        }
        arms
    }
}

impl Baseline {
    /// Reads the files in a folder; a file that is not there blesses nothing.
    ///
    /// # Errors
    /// The file system, or the place that is wrong.
    pub fn read(dir: &Path) -> Result<Baseline, Error> {
        Ok(Baseline {
            arms: read(&dir.join(TREES))?.unwrap_or_default(),
            instructions: read::<Counted>(&dir.join(INSTRUCTIONS))?.unwrap_or_default().counted,
        })
    }

    /// What the trees that were measured say together of what changed since this was blessed, in sentences.
    #[must_use]
    pub fn explained(&self, measured: &Measured) -> Vec<String> {
        fn trees(arms: &BTreeMap<String, Blessed>) -> BTreeMap<&str, Trees> {
            let of = |arm: &Blessed| Trees { signature: arm.signature.clone(), fired: Fired::new() };
            arms.iter().map(|(methods, arm)| (methods.as_str(), of(arm))).collect()
        }
        let mut sentences = Vec::new();
        for (game, arms) in &measured.arms() {
            let Some(old) = self.arms.get(game) else { continue };
            let said = explain(&trees(arms), &trees(old));
            sentences.extend(said.into_iter().map(|sentence| format!("{game}: {sentence}")));
        }
        sentences
    }

    /// Instructions of a compiler.
    #[must_use]
    pub fn counts(&self, compiler: &Compiler) -> Option<&Instructions> {
        self.instructions.iter().find(|counts| counts.compiler == *compiler)
    }

    /// Blesses what was measured. Instructions that nobody counted now, of this compiler or another, keep their old numbers if
    /// their trees are the old ones.
    #[must_use]
    pub fn blessed(&self, measured: &Measured, compiler: &Compiler) -> Baseline {
        let arms = measured.arms();
        let mut instructions = self.instructions.clone();
        for counts in &mut instructions {
            for (game, count) in &mut counts.count {
                let tree = |arms: &ByArm<Blessed>, methods: &str| {
                    arms.get(game)?.get(methods).map(|arm| (arm.nodes, arm.signature.clone()))
                };
                count.retain(|methods, _| tree(&arms, methods) == tree(&self.arms, methods));
            }
        }
        if let Some(count) = measured.instructions.clone() {
            let now = Instructions { compiler: compiler.clone(), count };
            match instructions.iter_mut().find(|counts| counts.compiler == *compiler) {
                Some(old) => *old = now,
                None => instructions.push(now),
            }
        }
        Baseline { arms, instructions }
    }

    /// Writes the files.
    ///
    /// # Errors
    /// The file system.
    pub fn write(&self, dir: &Path) -> Result<(), Error> {
        let head = "# Written by `cargo xtask gate --update-baseline`: what the gate compares with. Not for editing.\n\n";
        let write = |name: &str, body: String| {
            let path = dir.join(name);
            replace(&path, format!("{head}{body}").as_bytes()).map_err(Error::from)
        };
        write(TREES, text(&self.arms))?;
        match self.instructions.is_empty() {
            true => Ok(()),
            false => write(INSTRUCTIONS, text(&Counted { counted: self.instructions.clone() })),
        }
    }
}

fn text<T: Serialize>(value: &T) -> String {
    toml::to_string(value).expect("numbers have a TOML form")
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, Error> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(Error::io(path)(source)),
    };
    Ok(Some(from_toml(path, &text, &text)?))
}
