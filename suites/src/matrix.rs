//! The matrix: every cell of a suite, with everything it needs, before anything is searched.
//!
//! Making a [`Plan`] reads and checks all positions, parameters and methods, so that a run cannot start on
//! something broken. The order of its units and cells is the canonical order of the record.

#[cfg(test)]
mod tests;

use crate::arm::Arm;
use crate::error::Error;
use crate::games;
use crate::guests::{Ready, index, promises};
use crate::record::{CellKey, cells_hash};
use crate::setup::Setup;
use crate::suite::{Allowance, Block, Suite};
use secateur_core::prune::SetupError;
use secateur_core::{AnyGame, AnyPosition, Game};
use secateur_positions::{Entry, Fnv, Reading, Set, resolve_as};
use std::collections::{BTreeMap, BTreeSet};

/// Everything that a suite searches.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The suite.
    pub suite: Suite,
    /// The games in it, in order of appearance.
    pub games: Vec<GamePlan>,
    /// The units of work in canonical order.
    pub units: Vec<Unit>,
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
    /// [`Game::evaluation_id`], 16 hex digits.
    pub evaluation: String,
    /// Hashes of the position sets by name, as [`Set::hash`].
    pub sets: BTreeMap<String, String>,
    /// How many wrong lines of a set were left out, by its name; none that had none.
    pub skipped: BTreeMap<String, usize>,
    /// What to know of how the sets were read, in sentences.
    pub notes: Vec<String>,
    /// The positions, each once.
    pub entries: Vec<Entry>,
    /// The same as the game has them, parallel to `entries`: read here and nowhere else.
    pub roots: Vec<AnyPosition>,
    /// All arms of the game, `none` first.
    pub methods: Vec<Arm>,
    /// [`Setup::arm_id`] of each arm, the `params` of the record; parallel to `methods`.
    pub params: Vec<String>,
    /// Ready methods, parallel to `methods`.
    pub rosters: Vec<Ready>,
    /// The probabilities that the methods of each arm promise; parallel to `methods`.
    pub promised: Vec<BTreeMap<&'static str, f64>>,
    /// What settles the claims of an arm's methods ([`crate::audit`]): the arm without the method, by index of the arm
    /// and of the method. Empty without an audit.
    pub auditors: BTreeMap<(usize, usize), Ready>,
    /// Methods, by their index, that need not cut anything.
    pub silent: BTreeSet<usize>,
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
    /// Indices in [`GamePlan::methods`]; the first is the baseline, 0.
    pub methods: Vec<usize>,
    /// Repetitions of the baseline.
    pub repeats: u32,
    /// Depth of the oracle that judges the moves, plies; the deepest of the blocks that share the unit.
    pub oracle: Option<u32>,
    /// Whether instructions are counted.
    pub instructions: bool,
}

impl Unit {
    /// The cells as (index in [`GamePlan::methods`], repeat): every method set once, then the repetitions.
    pub fn cells(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        let again = (1..=self.repeats).map(|repeat| (0, repeat));
        self.methods.iter().map(|&methods| (methods, 0)).chain(again)
    }
}

impl Plan {
    /// Reads and checks everything that the suite names.
    ///
    /// # Errors
    /// The first position set, parameter file or method that is not fit for use.
    pub fn new(suite: Suite) -> Result<Plan, Error> {
        let mut plan = Plan { suite, games: Vec::new(), units: Vec::new() };
        let mut seen: BTreeMap<(usize, usize, Allowance), usize> = BTreeMap::new();
        for block in plan.suite.blocks.clone() {
            if let Some(oracle) = block.oracle
                && let Some(budget) = block.budgets.iter().find(|budget| oracle.depth(**budget).is_none())
            {
                return Err(Error::Usage(format!(
                    "oracle {oracle}: a budget of {} has no depth to be deeper than; give the oracle a depth",
                    budget.kind()
                )));
            }
            let game = plan.game(&block.game)?;
            let methods = plan.games[game].add_methods(&block, plan.suite.audit > 0)?;
            for entry in plan.games[game].add_positions(&block, plan.suite.reading)? {
                for &allowance in &block.budgets {
                    let at = *seen.entry((game, entry, allowance)).or_insert_with(|| {
                        plan.units.push(Unit {
                            game,
                            entry,
                            allowance,
                            methods: vec![0],
                            repeats: 0,
                            oracle: None,
                            instructions: false,
                        });
                        plan.units.len() - 1
                    });
                    let oracle = block.oracle.and_then(|oracle| oracle.depth(allowance));
                    let unit = &mut plan.units[at];
                    unit.extend(&methods, block.repeats);
                    unit.oracle = unit.oracle.max(oracle);
                    unit.instructions |= block.instructions;
                }
            }
        }
        Ok(plan)
    }

    /// Index of a game, which is added if it is new.
    fn game(&mut self, name: &str) -> Result<usize, Error> {
        if let Some(index) = self.games.iter().position(|game| game.name == name) {
            return Ok(index);
        }
        let setup = Setup::chosen(name, self.suite.params.get(name).map(String::as_str))?;
        let known = games::find(name)?;
        setup.check(&known)?;
        let evaluation = format!("{:016x}", known.evaluation_id());
        self.games.push(GamePlan {
            name: name.to_owned(),
            game: known,
            setup,
            evaluation,
            sets: BTreeMap::new(),
            skipped: BTreeMap::new(),
            notes: Vec::new(),
            entries: Vec::new(),
            roots: Vec::new(),
            methods: Vec::new(),
            params: Vec::new(),
            rosters: Vec::new(),
            promised: Vec::new(),
            auditors: BTreeMap::new(),
            silent: BTreeSet::new(),
        });
        self.games.last_mut().expect("just added").add_method(&Arm::default(), false)?;
        Ok(self.games.len() - 1)
    }

    /// The key of a cell of a unit.
    #[must_use]
    pub fn key(&self, unit: &Unit, (methods, repeat): (usize, u32)) -> CellKey {
        let game = &self.games[unit.game];
        CellKey {
            game: game.name.clone(),
            suite: self.suite.name.clone(),
            position: game.entries[unit.entry].id.clone(),
            methods: game.methods[methods].to_string(),
            params: game.params[methods].clone(),
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
    #[must_use]
    pub fn len(&self) -> usize {
        self.units.iter().map(|unit| unit.cells().count()).sum()
    }

    /// Whether there is nothing to search, which no suite allows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.units.is_empty()
    }

    /// Whether an oracle judges any move.
    #[must_use]
    pub fn is_judged(&self) -> bool {
        self.units.iter().any(|unit| unit.oracle.is_some())
    }

    /// Hash of which cells there are, 16 hex digits. Names of position sets do not count.
    #[must_use]
    pub fn cells_hash(&self) -> String {
        cells_hash(self.keys())
    }

    /// Hash of the positions themselves, 16 hex digits.
    #[must_use]
    pub fn positions_hash(&self) -> String {
        positions_hash(self.games.iter().flat_map(|game| &game.entries))
    }
}

/// Hash of positions in their order, 16 hex digits.
pub(crate) fn positions_hash<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> String {
    let mut fnv = Fnv::default();
    for entry in entries {
        fnv.field(&entry.id).field(&entry.position).field(&entry.cluster).field(&entry.stage);
    }
    fnv.hex()
}

impl Unit {
    fn extend(&mut self, methods: &[usize], repeats: u32) {
        for &index in methods {
            if !self.methods.contains(&index) {
                self.methods.push(index);
            }
        }
        self.repeats = self.repeats.max(repeats);
    }
}

impl GamePlan {
    fn add_methods(&mut self, block: &Block, audited: bool) -> Result<Vec<usize>, Error> {
        let silent = |name: &String| index(name);
        self.silent.extend(block.expect_silent.iter().filter_map(silent));
        block.methods.iter().map(|arm| self.add_method(arm, audited)).collect()
    }

    fn add_method(&mut self, arm: &Arm, audited: bool) -> Result<usize, Error> {
        if let Some(index) = self.methods.iter().position(|known| known == arm) {
            return Ok(index);
        }
        let roster = self.equip(arm)?;
        let index = self.methods.len();
        for method in arm.set.indices().filter(|_| audited) {
            self.auditors.insert((index, method), self.equip(&arm.without(method))?);
        }
        let params = arm.params(&self.setup.params).map_err(|source| self.unfit(source))?;
        self.params.push(self.setup.arm_id(arm).map_err(|source| self.unfit(source))?);
        self.promised.push(promises(arm.set, &params).into_iter().collect());
        self.rosters.push(roster);
        self.methods.push(arm.clone());
        Ok(index)
    }

    fn equip(&self, arm: &Arm) -> Result<Ready, Error> {
        self.setup.equip(arm).map_err(|source| self.unfit(source))
    }

    fn unfit(&self, source: SetupError) -> Error {
        Error::Method { game: self.name.clone(), source }
    }

    /// The probabilities that the methods of each arm promise, by arm and method, in words.
    #[must_use]
    pub fn promises(&self) -> BTreeMap<String, BTreeMap<String, f64>> {
        let named = |(method, promise): (&&str, &f64)| ((*method).to_owned(), *promise);
        let promising = self.methods.iter().zip(&self.promised).filter(|(_, promised)| !promised.is_empty());
        promising.map(|(arm, promised)| (arm.to_string(), promised.iter().map(named).collect())).collect()
    }

    /// The identity of each arm by its text.
    #[must_use]
    pub fn identities(&self) -> BTreeMap<String, String> {
        self.methods.iter().map(Arm::to_string).zip(self.params.iter().cloned()).collect()
    }

    /// Adds the positions of a block and gives their indices.
    fn add_positions(&mut self, block: &Block, reading: Reading) -> Result<Vec<usize>, Error> {
        let mut indices = Vec::new();
        for name in &block.positions {
            let set = resolve_as(&self.game, name, reading)?;
            self.setup.check_positions(&set)?;
            if self.sets.insert(name.clone(), set.hash.clone()).is_none() {
                self.notes.extend(set.notes());
            }
            if !set.skipped.is_empty() {
                self.skipped.insert(name.clone(), set.skipped.len());
            }
            for entry in limited(&set, block.limit) {
                indices.push(self.add_entry(entry)?);
            }
        }
        Ok(indices)
    }

    fn add_entry(&mut self, entry: &Entry) -> Result<usize, Error> {
        let Some(index) = self.entries.iter().position(|known| known.id == entry.id) else {
            let root = self.game.parse(&entry.position);
            self.roots.push(root.map_err(|error| Error::Usage(format!("{}: {error}", entry.id)))?);
            self.entries.push(entry.clone());
            return Ok(self.entries.len() - 1);
        };
        if self.entries[index].position == entry.position {
            return Ok(index);
        }
        Err(Error::Usage(format!("two different positions of {} have the id `{}`", self.name, entry.id)))
    }
}

/// At most `limit` entries of each stage, spread evenly over the set so that no few source games dominate.
pub(crate) fn limited(set: &Set, limit: Option<usize>) -> Vec<&Entry> {
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in &set.entries {
        *sizes.entry(&entry.stage).or_default() += 1;
    }
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut taken = Vec::new();
    for entry in &set.entries {
        let size = sizes[entry.stage.as_str()];
        let take = limit.map_or(size, |limit| limit.min(size));
        let index = seen.entry(&entry.stage).or_default();
        *index += 1;
        // Steps of size / take: entry i is taken where i * take / size grows.
        if (*index * take) / size > ((*index - 1) * take) / size {
            taken.push(entry);
        }
    }
    taken
}
