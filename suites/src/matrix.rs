//! The matrix: every cell of a suite, with everything it needs, before anything is searched.
//!
//! Making a [`Plan`] reads and checks all positions, parameters and methods, so that a run cannot start on
//! something broken. The order of its units and cells is the canonical order of the record.
//!
//! A part of a plan is some of its units, numbered as in the whole. Which units a shard takes is a question of costs and of chance
//! (`suites/src/shards`).
//!
//! An arm of a plan is who searches, under which name.

use crate::allowance::Allowance;
use crate::error::Error;
use crate::instruments::clock::thread_time;
use crate::oracle::ProgramJudge;
use crate::program::ProgramArm;
use crate::setups::arm::Arm;
use crate::setups::methods::promises;
use crate::setups::setup::Setup;
use crate::setups::{games, methods};
use crate::subject::Subject;
use crate::suite::Suite;
use secateur_core::prune::{Methods, SetupError};
use secateur_core::{AnyGame, AnyPosition, Evaluation};
use secateur_positions::{Entry, Fnv, Loaded, Reading, Set, loaded};
use secateur_record::manifest::{Manifest, ProgramEntry};
use secateur_record::part::{Part, Take};
use secateur_record::record::{CellKey, cells_hash};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Everything that a suite searches.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The suite; without blocks if the plan was not made from a suite.
    pub suite: Suite,
    /// What the manifest keeps of it, enough to make the plan again.
    pub document: toml::Table,
    /// What `speed` was asked, if this is a part of that.
    pub comparison: Option<toml::Table>,
    /// How its cells are searched.
    pub manner: Manner,
    /// The games in it, in order of appearance.
    pub games: Vec<GamePlan>,
    /// The units of work in canonical order.
    pub units: Vec<Unit>,
    /// What part of a larger plan its units are; absent where they are all.
    pub part: Option<Part>,
    /// Where the unit of a game, a position and a budget is.
    seen: BTreeMap<(usize, usize, Allowance), usize>,
}

/// How cells are searched.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// What times are taken on: CPU time of the thread, or wall time, which is all that is known of another process.
    pub clock: fn() -> Duration,
    /// Whether arms take turns at every position, another first each time, so that what the machine does next to it falls
    /// on all of them alike.
    pub turns: bool,
    /// Whether the plan is to be looked at only: no program is built, fetched or started for it, and it cannot be run.
    pub shown_only: bool,
}

impl Default for Manner {
    fn default() -> Manner {
        Manner { clock: thread_time, turns: false, shown_only: false }
    }
}

/// What all units of one game share.
#[derive(Clone, Debug)]
pub struct GamePlan {
    /// Name of the game.
    pub name: String,
    /// The game.
    pub game: AnyGame,
    /// Its numbers.
    pub setup: Setup,
    /// [`secateur_core::Evaluation::evaluation_id`], 16 hex digits.
    pub evaluation: String,
    /// Hashes of the position sets by name, as [`Set::hash`].
    pub sets: BTreeMap<String, String>,
    /// How many wrong lines of a set were left out, by its name; none that had none.
    pub skipped: BTreeMap<String, usize>,
    /// What to know of how the sets were read, in sentences.
    pub notes: Vec<String>,
    /// The positions, each once.
    pub entries: Vec<Entry>,
    /// Where the position of an id is among them.
    at: BTreeMap<String, usize>,
    /// The same as the game has them, parallel to `entries`: read here and nowhere else.
    pub roots: Vec<AnyPosition>,
    /// All arms of the game, the baseline first.
    pub arms: Vec<ArmPlan>,
    /// Whose arms they are, if they are those of a program with switches.
    pub program: Option<ProgramEntry>,
    /// Methods, by their index, that need not cut anything.
    pub silent: BTreeSet<usize>,
    /// Who judges moves: another program, or `None` for our own search at full width.
    pub(crate) judges: Vec<Option<Box<ProgramJudge>>>,
}

/// One position block: all searches of one position with one budget, done one after another by one thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Index in [`Plan::games`].
    pub game: usize,
    /// Index in [`GamePlan::entries`].
    pub entry: usize,
    /// Budget of each search.
    pub allowance: Allowance,
    /// Indices in [`GamePlan::arms`]; the first is the baseline.
    pub methods: Vec<usize>,
    /// Repetitions of the baseline.
    pub repeats: u32,
    /// Whether all arms are repeated, and not the baseline alone.
    pub all: bool,
    /// What judges the moves; of our own searches the deepest of the blocks that share the unit.
    pub oracle: Option<Judged>,
    /// Whether instructions are counted.
    pub instructions: bool,
}

impl Unit {
    /// The cells as (index in [`GamePlan::arms`], repeat), in canonical order: every arm once, then the repetitions of the
    /// baseline; or every arm with its repetitions.
    pub fn cells(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        let each = if self.all { self.repeats } else { 0 };
        let repetitions = (1..=self.repeats).map(|repeat| (self.methods[0], repeat)).filter(|_| !self.all);
        self.methods
            .iter()
            .flat_map(move |&arm| (0..=each).map(move |repeat| (arm, repeat)))
            .chain(repetitions)
    }

    /// The same in the order in which they are searched.
    pub fn order(&self, manner: Manner) -> Vec<(usize, u32)> {
        if !manner.turns {
            return self.cells().collect();
        }
        let arms = self.methods.len();
        let turn = |repeat: u32, turn: usize| (turn + self.entry + repeat as usize) % arms;
        let round = |repeat: u32| (0..arms).map(move |at| (self.methods[turn(repeat, at)], repeat));
        (0..=self.repeats).flat_map(round).collect()
    }

    /// All these arms at one position with one budget, the first as the baseline, once each.
    pub fn new(game: usize, entry: usize, allowance: Allowance, methods: Vec<usize>) -> Unit {
        Unit { game, entry, allowance, methods, repeats: 0, all: false, oracle: None, instructions: false }
    }

    fn extend(&mut self, other: &Unit) -> Result<(), &'static str> {
        if self.oracle.zip(other.oracle).is_some_and(|(one, other)| one.judge != other.judge) {
            return Err(
                "found two oracles for one search, expected blocks that share a position and a budget to have one",
            );
        }
        for &index in &other.methods {
            if !self.methods.contains(&index) {
                self.methods.push(index);
            }
        }
        self.repeats = self.repeats.max(other.repeats);
        self.all |= other.all;
        self.oracle = self.oracle.max(other.oracle);
        self.instructions |= other.instructions;
        Ok(())
    }
}

impl Plan {
    /// Index of a game, which is added if it is new, with a transposition table of another size if one is said.
    pub(crate) fn game(&mut self, name: &str, table_mib: Option<usize>) -> Result<usize, Error> {
        if let Some(index) = self.games.iter().position(|game| game.name == name) {
            return Ok(index);
        }
        let mut setup = Setup::chosen(name, self.suite.params.get(name).map(String::as_str))?;
        setup.options.table_mib = table_mib.unwrap_or(setup.options.table_mib);
        let game = games::find(&setup.game)?;
        setup.check(&game)?;
        let evaluation = format!("{:016x}", game.evaluation_id());
        self.games.push(GamePlan {
            name: setup.game.clone(),
            game,
            setup,
            evaluation,
            sets: BTreeMap::new(),
            skipped: BTreeMap::new(),
            notes: Vec::new(),
            entries: Vec::new(),
            at: BTreeMap::new(),
            roots: Vec::new(),
            arms: Vec::new(),
            program: None,
            silent: BTreeSet::new(),
            judges: Vec::new(),
        });
        Ok(self.games.len() - 1)
    }

    /// Adds a unit, or what it asks for beyond the one of the same position and budget that is there already.
    ///
    /// # Errors
    /// Two judges of the same rows, which have one regret only.
    pub(crate) fn add_unit(&mut self, unit: Unit) -> Result<(), Error> {
        let next = self.units.len();
        match *self.seen.entry((unit.game, unit.entry, unit.allowance)).or_insert(next) {
            at if at < next => {
                let id = &self.games[unit.game].entries[unit.entry].id;
                return self.units[at]
                    .extend(&unit)
                    .map_err(|message| Error::Usage(format!("{id}: {message}")));
            }
            _ => self.units.push(unit),
        }
        Ok(())
    }

    /// The key of a cell of a unit.
    pub fn key(&self, unit: &Unit, (methods, repeat): (usize, u32)) -> CellKey {
        let game = &self.games[unit.game];
        CellKey {
            game: (&game.name).into(),
            suite: (&self.suite.name).into(),
            position: (&game.entries[unit.entry].id).into(),
            methods: (&game.arms[methods].name).into(),
            params: (&game.arms[methods].params).into(),
            budget_kind: unit.allowance.kind().to_owned(),
            budget: unit.allowance.amount(),
            repeat,
        }
    }

    /// All cells in canonical order.
    pub fn keys(&self) -> impl Iterator<Item = CellKey> + '_ {
        self.units.iter().flat_map(|unit| unit.cells().map(|cell| self.key(unit, cell)))
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.units.iter().map(|unit| unit.cells().count()).sum()
    }

    /// Whether there is nothing to search, which no suite allows.
    pub fn is_empty(&self) -> bool {
        self.units.is_empty()
    }

    /// Whether an oracle judges any move.
    pub fn is_judged(&self) -> bool {
        self.units.iter().any(|unit| unit.oracle.is_some())
    }

    /// Hash of which cells there are, 16 hex digits. Names of position sets do not count.
    pub fn cells_hash(&self) -> String {
        cells_hash(self.keys())
    }

    /// Hash of the positions themselves, 16 hex digits.
    pub fn positions_hash(&self) -> String {
        let mut fnv = Fnv::default();
        for entry in self.games.iter().flat_map(|game| &game.entries) {
            fnv.field(&entry.id).field(&entry.position).field(&entry.cluster).field(&entry.stage);
        }
        fnv.hex()
    }

    /// The units of these numbers as a part of this plan, which `shard` names: `3/20`. A number that no unit has is left out.
    pub fn taken(self, shard: &str, take: Take) -> Plan {
        let part = Part {
            shard: shard.to_owned(),
            whole: self.cells_hash(),
            units: u32::try_from(self.units.len()).unwrap_or(u32::MAX),
            cells: self.len() as u64,
            take,
            ..Part::default()
        };
        let take = |number: &u32| self.units.get(*number as usize).cloned();
        let units = part.take.numbers().iter().filter_map(take).collect();
        Plan { units, part: Some(part), ..self }
    }

    /// The part of this plan that a shard was begun with; all of it for what is no shard.
    ///
    /// # Errors
    /// The shard of a plan with other cells.
    pub fn part_of(self, manifest: &Manifest, dir: &Path) -> Result<Plan, Error> {
        let Some(part) = manifest.part.as_ref().filter(|part| !part.shard.is_empty()) else {
            return Ok(self);
        };
        let expected = self.cells_hash();
        let difference = (part.whole != expected).then(|| ("whole cells", part.whole.clone(), expected));
        secateur_record::Error::differs(dir, difference)?;
        Ok(self.taken(&part.shard, part.take.clone()))
    }
}

impl GamePlan {
    /// Index of an arm, which is added if it is new.
    ///
    /// # Errors
    /// Another arm of the same name.
    pub(crate) fn add_arm(&mut self, arm: ArmPlan) -> Result<usize, Error> {
        match self.arms.iter().position(|other| other.name == arm.name) {
            Some(index) if self.arms[index].params == arm.params => Ok(index),
            Some(_) => {
                let (game, name) = (&self.name, &arm.name);
                Err(Error::Usage(format!(
                    "two different arms of {game} are `{name}`: expected a name for each"
                )))
            }
            None => {
                self.arms.push(arm);
                Ok(self.arms.len() - 1)
            }
        }
    }

    /// Adds the positions of these sets and files, at most `limit` of each stage of each, and gives their indices. Where our
    /// own search is `judged` by them, none may have been fitted on. Those that something was tuned on come in only with `reserved`.
    ///
    /// # Errors
    /// The first set that cannot be had, or must not be.
    pub(crate) fn add_positions(
        &mut self,
        names: &[String],
        limit: Option<usize>,
        reading: Reading,
        (judged, reserved): (bool, bool),
    ) -> Result<Vec<usize>, Error> {
        let mut indices = Vec::new();
        for name in names {
            let Loaded { mut set, positions } = loaded(&self.game, name, reading)?;
            if reserved {
                set.reserved = 0;
            }
            if judged {
                self.setup.check_positions(&set)?;
            }
            if self.sets.insert(name.clone(), set.hash.clone()).is_none() {
                self.notes.extend(set.notes());
            }
            if !set.skipped.is_empty() {
                self.skipped.insert(name.clone(), set.skipped.len());
            }
            for index in limited(&set, limit) {
                indices.push(self.add_entry(&set.entries[index], &positions[index])?);
            }
        }
        Ok(indices)
    }

    fn add_entry(&mut self, entry: &Entry, root: &AnyPosition) -> Result<usize, Error> {
        let Some(&index) = self.at.get(&entry.id) else {
            self.at.insert(entry.id.clone(), self.entries.len());
            self.roots.push(root.clone());
            self.entries.push(entry.clone());
            return Ok(self.entries.len() - 1);
        };
        if self.entries[index].position == entry.position {
            return Ok(index);
        }
        Err(Error::Usage(format!("two different positions of {} have the id `{}`", self.name, entry.id)))
    }
}

/// Indices of at most `limit` entries of each stage, spread evenly over the set so that no few source games dominate. Entries that
/// something was tuned on are left out, wherever they fall; a stage that would have none gets its last free one.
pub fn limited(set: &Set, limit: Option<usize>) -> Vec<usize> {
    let mut stages: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, entry) in set.entries.iter().enumerate() {
        stages.entry(&entry.stage).or_default().push(at);
    }
    let mut chosen = Vec::new();
    for entries in stages.values() {
        let size = entries.len();
        let take = limit.map_or(size, |limit| limit.min(size));
        // The last entry that is not reserved, and whether any was chosen.
        let (mut free, mut is_begun) = (None, false);
        for (seen, &at) in entries.iter().enumerate() {
            if !set.is_reserved(at) {
                free = Some(at);
            }
            // Steps of size / take: entry i is taken where i * take / size grows.
            let falls = ((seen + 1) * take) / size > (seen * take) / size;
            let is_left_out = set.is_reserved(at) && is_begun;
            if let Some(at) = free.filter(|_| falls && !is_left_out) {
                is_begun = true;
                chosen.push(at);
            }
        }
    }
    chosen.sort_unstable();
    chosen
}

/// Who judges the moves of a unit, and what it may spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Judged {
    /// Index of the judge among those of its game.
    pub judge: usize,
    /// The budget of each of its searches.
    pub allowance: Allowance,
}

/// One arm of a game.
#[derive(Clone, Debug)]
pub struct ArmPlan {
    /// Its name, the column `methods` of the record.
    pub name: String,
    /// What it is made of, the column `params`: another version or setting is another thing.
    pub params: String,
    /// Who searches.
    pub source: Source,
    /// The same as `params` in words, by what it is, where that is known.
    pub made: BTreeMap<String, String>,
}

/// Who searches for an arm.
#[derive(Clone, Debug)]
pub enum Source {
    /// Our own search with a method set.
    Host(Box<HostArm>),
    /// Another program with its switches.
    Program(Box<ProgramArm>),
    /// Anybody else.
    Other(Make),
}

/// A method set of our own search, set up.
#[derive(Clone, Debug)]
pub struct HostArm {
    /// The methods.
    pub arm: Arm,
    /// The same, set up.
    pub ready: Methods,
    /// The probabilities that methods promise.
    pub promised: BTreeMap<&'static str, f64>,
    /// What decides the claims of a method (the audit, in `suites/src/subject/host.rs`): the arm without it. Empty without an audit.
    pub without: BTreeMap<&'static str, Methods>,
}

/// Makes a subject, once for each thread.
#[derive(Clone)]
pub struct Make(pub Arc<dyn Fn() -> Box<dyn Subject> + Send + Sync>);

impl fmt::Debug for Make {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Make")
    }
}

impl ArmPlan {
    /// A method set of our own search, under its own name.
    ///
    /// # Errors
    /// A change that cannot be made, or what the first method says that cannot be set up.
    pub fn host(setup: &Setup, arm: &Arm, audited: bool) -> Result<ArmPlan, SetupError> {
        let (numbers, ready) = setup.equipped(arm)?;
        let mut without = BTreeMap::new();
        for method in arm.set.indices().filter(|_| audited) {
            without.insert(methods::name(method), setup.equip(&arm.without(method))?);
        }
        let promised = promises(&arm.set, &numbers).into_iter().collect();
        let (name, params) = (arm.to_string(), setup.identity(&arm.set, &numbers, &ready));
        let source = Source::Host(Box::new(HostArm { arm: arm.clone(), ready, promised, without }));
        Ok(ArmPlan { name, params, source, made: BTreeMap::new() })
    }

    /// Anybody else. `params` stands for everything that decides what the subject searches: version, settings.
    pub fn other(
        name: &str,
        params: &str,
        make: impl Fn() -> Box<dyn Subject> + Send + Sync + 'static,
    ) -> ArmPlan {
        let source = Source::Other(Make(Arc::new(make)));
        ArmPlan { name: name.to_owned(), params: params.to_owned(), source, made: BTreeMap::new() }
    }

    /// The method set, if the arm is our own search.
    pub fn host_arm(&self) -> Option<&HostArm> {
        match &self.source {
            Source::Host(host_arm) => Some(host_arm),
            Source::Program(_) | Source::Other(_) => None,
        }
    }

    /// The program, if the arm is one of another program with switches.
    pub fn program(&self) -> Option<&ProgramArm> {
        match &self.source {
            Source::Program(program) => Some(program),
            Source::Host(_) | Source::Other(_) => None,
        }
    }
}

#[cfg(test)]
mod tests;
