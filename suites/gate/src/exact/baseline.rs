//! The baseline: one file, written by the gate and read by it, of this project's suite as of anybody's.

use crate::explain::{Fired, Trees, explain};
use secateur_base::Fnv;
use secateur_record::arm::SameTrees;
use secateur_record::build::Compilation;
use secateur_record::error::{from_toml, text_of};
use secateur_record::files::replace;
use secateur_record::manifest::{GameEntry, Manifest};
use secateur_record::record::{BudgetKind, Record};
use secateur_suites::experiment::same_trees;
use secateur_suites::{Error, Runs};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

/// Exact quantities by arm.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// The arms by `game methods`.
    pub arm: BTreeMap<String, BaselineArm>,
    /// Instructions, each toolchain once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counted: Vec<Counted>,
}

/// The exact quantities of an arm.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaselineArm {
    /// Searches.
    pub cells: u64,
    /// Nodes of all of them.
    pub nodes: u64,
    /// Hash of every iteration's depth, nodes, value and move, 16 hex digits.
    pub signature: String,
    /// The arm of the same program that searches the same trees although it is made of other things: a switch that switches
    /// nothing here. Only where a user said so.
    #[serde(default, skip_serializing_if = "Option::is_none", rename = "same-as")]
    pub same_as: Option<String>,
    /// Tries and cuts of its methods in all searches, where they were counted. They explain a breach and are none.
    #[serde(default, skip_serializing_if = "Fired::is_empty")]
    pub fired: Fired,
    /// How often its answers are those of the full-width search, where that is held too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<Accuracy>,
}

/// An arm's answers next to those of the full-width search at the same positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Accuracy {
    /// Searches with the same move.
    pub same_move: u64,
    /// Searches with the same value.
    pub same_value: u64,
    /// Sum of the absolute differences of values, in the game's unit.
    pub error: u64,
}

impl BaselineArm {
    /// Whether the searches are the same.
    pub fn searches_as(&self, other: &BaselineArm) -> bool {
        (self.cells, self.nodes, &self.signature) == (other.cells, other.nodes, &other.signature)
    }
}

/// What decides how many instructions a search takes besides its source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Toolchain {
    /// Compiler, as the binary or the subject file names it.
    pub compiler: String,
    /// C library that it runs with; empty if it is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub library: String,
    /// `valgrind --version`; empty where any version is compared.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub valgrind: String,
    /// The function that was counted; empty: all from the line that begins a search to its answer.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub symbol: String,
}

/// Instructions with one toolchain.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counted {
    /// With what they were counted.
    pub toolchain: Toolchain,
    /// By how much two counts of one search differed at most, as a share; 0 where nothing was counted twice.
    pub spread: f64,
    /// The arms by `game methods`.
    pub instructions: BTreeMap<String, Cost>,
}

/// What an arm takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// Searches that were counted.
    pub cells: u64,
    /// Instructions of all of them.
    pub instructions: u64,
}

impl fmt::Display for Toolchain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [&self.compiler, &self.library, &self.valgrind, &self.symbol];
        let parts: Vec<&str> =
            parts.into_iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
        f.write_str(&parts.join(", "))
    }
}

impl Toolchain {
    /// That of a game of a run whose instructions were counted; `None` without counts.
    fn of(manifest: &Manifest, game: &GameEntry) -> Option<Toolchain> {
        if let Some(counting) = game.counting.clone() {
            let (compiler, library, valgrind) = (counting.compiler, counting.library, counting.tool);
            return Some(Toolchain { compiler, library, valgrind, symbol: counting.symbol });
        }
        // Of our own search counts are those of the last program that made rows: all others were forgotten.
        let build = manifest.build.iter().last().filter(|_| !manifest.instructions.is_empty())?;
        let valgrind = build.machine.valgrind.clone();
        Some(Toolchain { valgrind, ..Toolchain::compiled(&build.compiled) })
    }

    /// That of a build, with any version of valgrind.
    pub fn compiled(build: &Compilation) -> Toolchain {
        let version = build.rustc.split("; ").next().unwrap_or_default();
        let compiler = format!("{version}, {}, {}", build.target_cpu, build.profile);
        Toolchain { compiler, ..Toolchain::default() }
    }
}

/// The exact quantities of runs.
pub fn measured(runs: &Runs) -> Baseline {
    let is_exact = |kind: BudgetKind, repeat: u32| kind != BudgetKind::Time && repeat == 0;
    let mut hashes: BTreeMap<String, (BaselineArm, Fnv)> = BTreeMap::new();
    for row in runs.rows.records.iter().filter(|row| is_exact(row.budget_kind, row.repeat)) {
        let (arm, fnv) = hashes.entry(name(&row.game, &row.methods)).or_default();
        (arm.cells, arm.nodes) = (arm.cells + 1, arm.nodes + row.nodes.unwrap_or(0));
        feed(fnv, row);
    }
    for row in runs.rows.iterations.iter().filter(|row| is_exact(row.budget_kind, row.repeat)) {
        let (_, fnv) = hashes.entry(name(&row.game, &row.methods)).or_default();
        fnv.field(&row.position).field(&row.best_move);
        for number in [u64::from(row.depth), row.nodes, row.score as u64] {
            fnv.bytes(&number.to_le_bytes());
        }
    }
    for row in runs.rows.counters.iter().filter(|row| is_exact(row.budget_kind, row.repeat)) {
        let (arm, _) = hashes.entry(name(&row.game, &row.methods)).or_default();
        let (tries, cuts) = arm.fired.entry(row.method.to_string()).or_default();
        (*tries, *cuts) = (*tries + row.tries, *cuts + row.cuts_high + row.cuts_low);
    }
    let same = same_trees(&runs.manifest, &runs.rows);
    let done = |(arm, (arm_sums, fnv)): (String, (BaselineArm, Fnv))| {
        let is_it = |same: &&SameTrees| name(&same.game, &same.second) == arm;
        let same_as = same.iter().find(is_it).map(|same| same.first.clone());
        (arm, BaselineArm { signature: fnv.hex(), same_as, ..arm_sums })
    };
    Baseline { arm: hashes.into_iter().map(done).collect(), counted: counted(runs) }
}

/// The key of an arm.
pub(crate) fn name(game: &str, methods: &str) -> String {
    format!("{game} {methods}")
}

/// The methods of a key.
fn methods_of(name: &str) -> &str {
    name.split_once(' ').map_or(name, |(_, methods)| methods)
}

fn feed(fnv: &mut Fnv, row: &Record) {
    fnv.field(&row.position).field(&row.best_move).field(row.budget_kind.name());
    fnv.field(row.error.as_ref().map_or("", |error| error.reason()));
    let (depth, nodes) = (row.depth.map_or(0, u64::from), row.nodes.unwrap_or(0));
    for number in [row.budget, depth, nodes, row.score.unwrap_or(0) as u64] {
        fnv.bytes(&number.to_le_bytes());
    }
}

/// Instructions of runs by toolchain: every game has its own.
fn counted(runs: &Runs) -> Vec<Counted> {
    let mut all: Vec<Counted> = Vec::new();
    for game in &runs.manifest.game {
        let rows: Vec<&Record> =
            runs.rows.records.iter().filter(|row| row.game == game.name && row.repeat == 0).collect();
        let Some(toolchain) = Toolchain::of(&runs.manifest, game) else { continue };
        let spread = game.counting.as_ref().and_then(|counting| counting.spread(rows.iter().copied()));
        let at = all.iter().position(|counted| counted.toolchain == toolchain).unwrap_or_else(|| {
            all.push(Counted { toolchain, ..Counted::default() });
            all.len() - 1
        });
        all[at].spread = all[at].spread.max(spread.map_or(0.0, |spread| spread.largest));
        for (row, count) in rows.iter().filter_map(|row| Some((row, row.instructions?))) {
            let cost = all[at].instructions.entry(name(&row.game, &row.methods)).or_default();
            (cost.cells, cost.instructions) = (cost.cells + 1, cost.instructions + count);
        }
    }
    all.retain(|counted| !counted.instructions.is_empty());
    all
}

impl Baseline {
    /// Reads a file; one that is not there is an empty baseline.
    ///
    /// # Errors
    /// A file that cannot be read, or the place where it is no baseline.
    pub fn read(path: &Path) -> Result<Baseline, Error> {
        if !path.exists() {
            return Ok(Baseline::default());
        }
        let text = text_of(path)?;
        Ok(from_toml(path, &text, &text)?)
    }

    /// The baseline from now on if this was measured: instructions of other toolchains stay where their arm searches the
    /// same trees, and so do those that were not counted now.
    pub fn updated(&self, measured: &Baseline) -> Baseline {
        let mut all = self.counted.clone();
        for counted in &mut all {
            let searched = |name: &String| measured.arm.get(name).zip(self.arm.get(name));
            counted
                .instructions
                .retain(|name, _| searched(name).is_some_and(|(now, then)| now.searches_as(then)));
        }
        for now in &measured.counted {
            match all.iter_mut().find(|counted| counted.toolchain == now.toolchain) {
                Some(old) => {
                    old.spread = now.spread;
                    old.instructions.extend(now.instructions.clone());
                }
                None => all.push(now.clone()),
            }
        }
        all.retain(|counted| !counted.instructions.is_empty());
        Baseline { arm: measured.arm.clone(), counted: all }
    }

    /// What the trees of `measured` say together of what changed since this baseline, in sentences.
    pub fn explained(&self, measured: &Baseline) -> Vec<String> {
        let games: BTreeSet<&str> =
            measured.arm.keys().filter_map(|name| Some(name.split_once(' ')?.0)).collect();
        let explained = |game: &&str| {
            let prefix = if games.len() > 1 { format!("{game}: ") } else { String::new() };
            let sentences = explain(&measured.trees(game), &self.trees(game)).into_iter();
            sentences.map(move |sentence| prefix.clone() + &sentence)
        };
        games.iter().flat_map(explained).collect()
    }

    /// The arms of a game.
    fn trees(&self, game: &str) -> BTreeMap<&str, Trees> {
        let arms = self.arm.iter().filter_map(|(name, arm)| {
            let (_, methods) = name.split_once(' ').filter(|(of, _)| *of == game)?;
            let signature = format!("{} {} {}", arm.cells, arm.nodes, arm.signature);
            Some((methods, Trees { signature, fired: arm.fired.clone() }))
        });
        arms.collect()
    }

    /// Arms of `measured` that search the trees of another arm, in sentences, but for those of which this file or `accepted` says so.
    pub fn unsaid(&self, measured: &Baseline, accepted: &[String]) -> Vec<String> {
        let is_accepted = |name: &str| accepted.iter().any(|arm| methods_of(name) == arm);
        let is_in_file = |name: &String, same: &String| {
            self.arm.get(name).is_some_and(|then| then.same_as.as_ref() == Some(same))
        };
        let mut sentences = Vec::new();
        for (name, arm) in &measured.arm {
            if let Some(same) =
                arm.same_as.as_ref().filter(|same| !is_accepted(name) && !is_in_file(name, same))
            {
                sentences.push(format!("`{same}` and `{}` search the same trees", methods_of(name)));
            }
        }
        sentences
    }

    /// Arms that searched other trees when the same was searched again, in sentences: what they are held to says nothing of a change.
    pub fn unrepeated(&self, again: &Baseline) -> Vec<String> {
        let differs = |(name, arm): (&String, &BaselineArm)| {
            let other = again.arm.get(name).filter(|other| !arm.searches_as(other))?;
            Some(format!(
                "`{}` does not repeat itself: {} and {} nodes in two runs of the same searches, so a regression of it says nothing about a change",
                methods_of(name),
                arm.nodes,
                other.nodes
            ))
        };
        self.arm.iter().filter_map(differs).collect()
    }

    /// Writes the file.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        let head = "# Exact quantities of every arm, written by secateur's gate. Not for editing.\n\n";
        let text = toml::to_string(self).map_err(|error| Error::Usage(error.to_string()))?;
        Ok(replace(path, (head.to_owned() + &text).as_bytes())?)
    }
}
