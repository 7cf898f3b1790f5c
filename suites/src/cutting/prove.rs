//! Whether the switches that were cut from a source do what they say, before a number is shown.
//!
//! The untouched program is searched twice, the patched one once with nothing off, then without each method, and without all of
//! them. Two searches are the same if every iteration has the same nodes, value and move. Left out: what a method is worth.

use crate::error::Error;
use crate::experiment::{Experiment, Runs};
use crate::program::{Others, Program, ProgramArms, Switching};
use crate::subject::EngineSubject;
use secateur_engines::{Ask, EngineError, Go};
use secateur_record::sites::Sites;
use secateur_switches::{COUNTS, Entries, entries};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Depths, plies: the deepest at which the untouched program searches no more than [`ENOUGH`] nodes at all positions together.
const DEPTHS: std::ops::RangeInclusive<u32> = 5..=10;
/// See there.
const ENOUGH: u64 = 400_000;
/// The depth at which everything is off, plies.
const ALL_OFF: u32 = 5;
/// What one search may take before it counts as hanging.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long a program may take to end that was asked to.
const LEAVES: Duration = Duration::from_secs(5);
/// A method without which the nodes are more than so many times those with it is an outlier.
pub const OUTLIER: f64 = 20.0;

/// What the searches of a proof say.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    /// The depth of the searches, plies.
    pub depth: u32,
    /// How many positions were searched.
    pub positions: usize,
    /// Nodes of the untouched program at all of them.
    pub nodes: u64,
    /// Whether the untouched program searched the same twice.
    pub repeats: bool,
    /// Where the patched program with nothing off differs from the untouched, if it does.
    pub differs: Option<String>,
    /// Each method.
    pub methods: Vec<Held>,
    /// All methods off at a small depth: why a search failed, if one did; absent if there is no method.
    pub none: Option<Held>,
}

/// What came of an arm.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// The method that is off.
    pub method: String,
    /// Nodes at all positions.
    pub nodes: u64,
    /// Nodes with nothing off.
    pub of: u64,
    /// Positions at which the search is another.
    pub changed: usize,
    /// Why a search failed, if one did: a crash, no answer, a move that is not legal.
    pub failed: Option<String>,
}

impl Held {
    /// Nodes without the method over nodes with it.
    #[must_use]
    pub fn factor(&self) -> f64 {
        self.nodes as f64 / self.of.max(1) as f64
    }

    /// Whether every search was the same without it.
    #[must_use]
    pub fn is_dead(&self) -> bool {
        self.failed.is_none() && self.changed == 0
    }

    /// Whether it changes more than a method of pruning does: it may be something else.
    #[must_use]
    pub fn is_outlier(&self) -> bool {
        self.failed.is_none() && self.factor() > OUTLIER
    }
}

impl Proof {
    /// Whether numbers may be shown: the patched program is the untouched one, and no search failed.
    #[must_use]
    pub fn holds(&self) -> bool {
        let failed = |held: &Held| held.failed.is_some();
        self.repeats
            && self.differs.is_none()
            && !self.methods.iter().any(failed)
            && !self.none.as_ref().is_some_and(failed)
    }

    /// The proof in sentences, the most important first.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let (depth, positions) = (self.depth, self.positions);
        let mut all = Vec::new();
        all.push(match self.repeats {
            true => format!(
                "untouched, searched twice: the same ({} nodes at {positions} positions, depth {depth})",
                self.nodes
            ),
            false => "untouched, searched twice: not the same; no count of it is exact (isolation = \"cell\" in [subject] may help)"
                .to_owned(),
        });
        match &self.differs {
            None => all.push("nothing off: the same nodes, values and moves as untouched".to_owned()),
            Some(place) if self.repeats => {
                all.push(format!("nothing off: not the same as untouched: {place}"));
            }
            Some(place) => {
                all.push(format!("nothing off: differs from untouched, as untouched from itself: {place}"));
            }
        }
        for held in &self.methods {
            let method = &held.method;
            all.push(match &held.failed {
                Some(why) => format!("without {method}: failed: {why}"),
                None if held.is_dead() => {
                    format!("without {method}: the same searches: its switch changes nothing here (dead)")
                }
                None if held.is_outlier() => format!(
                    "without {method}: {:.1}x the nodes: more than {OUTLIER}x, so it may be something else than its name says",
                    held.factor()
                ),
                None => format!(
                    "without {method}: {:.2}x the nodes, another search at {} of {positions} positions",
                    held.factor(),
                    held.changed
                ),
            });
        }
        match self.none.as_ref().map(|none| &none.failed) {
            None => {}
            Some(None) => {
                all.push(format!("all methods off, depth {ALL_OFF}: searches end with legal moves"))
            }
            Some(Some(why)) => all.push(format!("all methods off, depth {ALL_OFF}: failed: {why}")),
        }
        all
    }
}

impl Program {
    /// The program as its authors made it, without the patch and without its switches, built if that has not happened yet.
    ///
    /// # Errors
    /// A program that is not built from a patched source; one that cannot be built.
    pub fn untouched(&self) -> Result<Program, Error> {
        let source = self.built_from.as_ref().filter(|source| !source.patches.is_empty());
        let source = source.ok_or_else(|| {
            Error::Usage(format!(
                "{}: found no patch in [source], expected one to hold to the source without it",
                self.name
            ))
        })?;
        let command = source.unpatched().program(&format!("{}-unpatched", self.name))?;
        Ok(Program {
            command,
            built_from: None,
            factors: Vec::new(),
            mask: None,
            name: format!("{}-untouched", self.name),
            ..self.clone()
        })
    }

    /// Holds the switches of a patched program to the untouched one. `told` hears what is searched next.
    ///
    /// # Errors
    /// A program that cannot be built or does not start; no positions of its game.
    pub fn proven(&self, told: &mut dyn FnMut(&str)) -> Result<Proof, Error> {
        let quick = |program: Program| Program { patience: PATIENCE.min(program.patience), ..program };
        let patched = quick(self.clone().installed()?);
        let untouched = quick(self.untouched()?);
        let (mut proof, mut base) = (Proof::default(), None);
        told("searching the untouched program twice");
        for depth in DEPTHS {
            let runs = untouched.tried(&["full"], depth)?;
            if let Some(failed) = failed(&runs, "full") {
                if base.is_none() {
                    return Err(Error::Usage(format!(
                        "{}: a search of the untouched program failed: {failed}",
                        self.name
                    )));
                }
                break;
            }
            let nodes = runs.nodes("full");
            if nodes > ENOUGH && base.is_some() {
                break;
            }
            (proof.depth, proof.nodes) = (depth, nodes);
            base = Some(runs);
        }
        let base = base.ok_or_else(|| Error::Usage(format!("{}: nothing was searched", self.name)))?;
        proof.positions = base.rows.records.len();
        proof.repeats = untouched.tried(&["full"], proof.depth)?.trees("full") == base.trees("full");
        let names: Vec<String> = self.factors.iter().map(|factor| factor.name.clone()).collect();
        told(&format!("searching the patched program without each of {} methods", names.len()));
        let arms: Vec<String> = std::iter::once("full".to_owned())
            .chain(names.iter().map(|name| format!("full[-{name}]")))
            .collect();
        let runs = patched.tried(&arms.iter().map(String::as_str).collect::<Vec<_>>(), proof.depth)?;
        proof.differs = difference(&base, &runs, "full");
        proof.methods = names.iter().map(|name| held(&runs, name, &format!("full[-{name}]"))).collect();
        if !names.is_empty() {
            told("searching with all methods off");
            let runs = patched.tried(&["none"], ALL_OFF)?;
            proof.none = Some(held(&runs, "none", "none"));
        }
        Ok(proof)
    }

    /// Has the program count how often each site is asked and entered, at the positions of a proof: one process a position, since
    /// it says so when it ends. How many sites were never entered.
    ///
    /// # Errors
    /// A program that does not start or search.
    pub fn counted_sites(
        &self,
        sites: &mut Sites,
        depth: u32,
        told: &mut dyn FnMut(&str),
    ) -> Result<usize, Error> {
        told("counting how often each site is entered");
        let program = self.clone().installed()?;
        let lined = ProgramArms::new(program.clone(), Others::Off, &["full"]);
        let lined = lined.map_err(|(_, message)| Error::Usage(message))?;
        let plan = Experiment::from(program.handful(lined, depth)?).shown()?;
        let usage = |error: EngineError| Error::Usage(error.to_string());
        let folder = tempfile::tempdir().map_err(Error::io(&std::env::temp_dir()))?;
        let file = folder.path().join("counts");
        let mut totals = BTreeMap::<u32, Entries>::new();
        for entry in plan.games.iter().flat_map(|game| &game.entries) {
            let mut spec = program.spec(&Switching::full())?;
            spec.env.push((COUNTS.to_owned(), file.display().to_string()));
            let mut engine =
                EngineSubject::start(&spec, program.hash_mib, program.patience, None).map_err(usage)?;
            let searched = engine.search(&Ask::new(&entry.position, Go::Depth(depth)), PATIENCE);
            searched.map_err(usage)?;
            engine.leave(LEAVES);
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            for (number, found) in entries(&text).unwrap_or_default().into_iter().enumerate() {
                let total = totals.entry(number as u32).or_default();
                total.asked += found.asked;
                total.hit += found.hit;
            }
            // What the next process does not write must not be taken for its own.
            let _ = std::fs::remove_file(&file);
        }
        for site in &mut sites.site {
            let total = totals.get(&site.number);
            (site.asked, site.entered) = (total.map(|of| of.asked), total.map(|of| of.hit));
        }
        Ok(sites.site.iter().filter(|site| site.entered == Some(0)).count())
    }

    /// Some arms at a handful of positions.
    fn tried(&self, arms: &[&str], depth: u32) -> Result<Runs, Error> {
        let lined = ProgramArms::new(self.clone(), Others::Off, arms);
        let lined = lined.map_err(|(_, message)| Error::Usage(message))?;
        Experiment::from(self.handful(lined, depth)?).run()
    }
}

/// Why a search of an arm failed, if one did.
fn failed(runs: &Runs, arm: &str) -> Option<String> {
    let mut rows = runs.rows.records.iter().filter(|row| row.methods == arm);
    rows.find_map(|row| Some(format!("{}: {}", row.position, row.error.as_ref()?.reason())))
}

/// What came of an arm.
fn held(runs: &Runs, method: &str, arm: &str) -> Held {
    let positions: BTreeSet<&str> = runs.rows.records.iter().map(|row| row.position.as_str()).collect();
    let of = |arm: &str, position: &str| -> Vec<_> {
        runs.trees(arm).into_iter().filter(|tree| tree.0 == position).collect()
    };
    Held {
        method: method.to_owned(),
        nodes: runs.nodes(arm),
        of: runs.nodes("full"),
        changed: positions.iter().filter(|position| of(arm, position) != of("full", position)).count(),
        failed: failed(runs, arm),
    }
}

/// Where an arm of two runs first differs, in words.
fn difference(one: &Runs, other: &Runs, arm: &str) -> Option<String> {
    if let Some(failed) = failed(other, arm) {
        return Some(failed);
    }
    let (one, other) = (one.trees(arm), other.trees(arm));
    let at = (0..one.len().max(other.len())).find(|&at| one.get(at) != other.get(at))?;
    let said = |tree: Option<&crate::experiment::Iterated<'_>>| {
        tree.map_or_else(
            || "nothing".to_owned(),
            |(position, depth, nodes, score, best)| {
                format!("{position}, depth {depth}: {nodes} nodes, value {score}, {best}")
            },
        )
    };
    Some(format!("found {}; expected {}", said(other.get(at)), said(one.get(at))))
}
