//! Other programs beside this one: any UCI engines and any method sets on the same chess positions, with the
//! same budget, one thread and one size of table, each position searched by all before the next.
//!
//! An arm is a program with its settings; it stands in the column `methods` of the record, so that an option
//! of a foreign engine is a method to be switched like any other. Engines count nodes and depth in their own
//! way: within one engine these compare, between engines only time does.

mod lineup;
mod row;
mod run;
#[cfg(test)]
mod tests;

pub use lineup::{Arm, EngineArm, Lineup, OwnArm, SUITE};
pub use run::run;

use lineup::{allowance, start};

use crate::error::Error;
use crate::games::traits;
use crate::guests::Ready;
use crate::manifest::{GameEntry, Manifest, begun};
use crate::matrix::{limited, positions_hash};
use crate::record::{CellKey, cells_hash};
use crate::setup::Setup;
use crate::solution::solutions;
use crate::suite::Allowance;
use secateur_core::Game;
use secateur_core::game::chess::{Chess, Position};
use secateur_positions::{Entry, Fnv, resolve_as};

/// A comparison with everything that it needs, checked.
#[derive(Clone, Debug)]
pub struct Peers {
    lineup: Lineup,
    setup: Setup,
    allowance: Allowance,
    entries: Vec<Entry>,
    /// The same as the game has them.
    roots: Vec<Position>,
    set_hash: String,
    skipped: usize,
    notes: Vec<String>,
    seats: Vec<Seat>,
}

/// An arm that can be searched with.
#[derive(Clone, Debug)]
struct Seat {
    name: String,
    params: String,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Engine(EngineArm),
    Own(Box<Ready>),
}

impl Peers {
    /// Reads the positions and the parameters, and starts every engine once with its options, so that a run
    /// cannot begin on something that does not exist.
    ///
    /// # Errors
    /// The first position set, method, parameter file, engine or option that is not fit for use.
    pub fn new(mut lineup: Lineup) -> Result<Peers, Error> {
        lineup.name_arms()?;
        let allowance = allowance(&lineup)?;
        if lineup.repeats == 0 || lineup.hash_mib == 0 {
            return Err(Error::Usage("found 0 repeats or MiB of hash, expected at least 1".to_owned()));
        }
        let game = Chess::default();
        let mut setup = Setup::chosen(Chess::NAME, lineup.params.as_deref())?;
        setup.check(&game)?;
        setup.options.table_mib = lineup.hash_mib as usize;
        let set = resolve_as(&game, &lineup.positions, lineup.reading)?;
        let is_ours = lineup.arms.iter().any(|arm| arm.engine().is_none());
        if is_ours {
            setup.check_positions(&set)?;
        }
        let entries: Vec<Entry> = limited(&set, lineup.limit).into_iter().cloned().collect();
        if entries.is_empty() {
            return Err(Error::Usage(format!("{}: no positions to search", lineup.positions)));
        }
        let roots = entries.iter().map(|entry| {
            game.parse(&entry.position).map_err(|error| Error::Usage(format!("{}: {error}", entry.id)))
        });
        let roots = roots.collect::<Result<_, _>>()?;
        let mut seats = Vec::new();
        for arm in &mut lineup.arms {
            seats.push(seat(arm, &setup, lineup.hash_mib)?);
        }
        let (skipped, notes) = (set.skipped.len(), set.notes());
        Ok(Peers { lineup, setup, allowance, entries, roots, set_hash: set.hash, skipped, notes, seats })
    }

    /// What was asked, with the names of the arms.
    #[must_use]
    pub fn lineup(&self) -> &Lineup {
        &self.lineup
    }

    /// What to know of how the positions were read, in sentences.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Number of cells, at least 1.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.entries.len() * self.seats.len() * self.lineup.repeats as usize
    }

    fn key(&self, entry: &Entry, seat: &Seat, repeat: u32) -> CellKey {
        CellKey {
            game: Chess::NAME.to_owned(),
            suite: SUITE.to_owned(),
            position: entry.id.clone(),
            methods: seat.name.clone(),
            params: seat.params.clone(),
            budget_kind: self.allowance.kind().to_owned(),
            budget: self.allowance.amount(),
            repeat,
        }
    }

    /// All cells in canonical order: by position, arm and repeat.
    pub fn keys(&self) -> impl Iterator<Item = CellKey> + '_ {
        self.entries.iter().flat_map(move |entry| {
            let repeats = self.lineup.repeats;
            self.seats.iter().flat_map(move |seat| (0..repeats).map(move |r| self.key(entry, seat, r)))
        })
    }

    /// The manifest of a new run.
    #[must_use]
    pub fn manifest(&self, run: &str, argv: Vec<String>) -> Manifest {
        let game = GameEntry {
            promises: std::collections::BTreeMap::new(),
            name: Chess::NAME.to_owned(),
            params: String::new(),
            arms: self.seats.iter().map(|seat| (seat.name.clone(), seat.params.clone())).collect(),
            evaluation: format!("{:016x}", Chess::default().evaluation_id()),
            host: self.setup.options.clone(),
            traits: traits(Chess::NAME),
            sets: [(self.lineup.positions.clone(), self.set_hash.clone())].into(),
            skipped: Some(self.skipped)
                .filter(|&lines| lines > 0)
                .map(|lines| (self.lineup.positions.clone(), lines))
                .into_iter()
                .collect(),
            solutions: solutions(Chess::NAME, &self.entries),
        };
        Manifest {
            cells: cells_hash(self.keys()),
            positions: positions_hash(&self.entries),
            game: vec![game],
            // A lineup is made of names, numbers and lists of them.
            suite: toml::Table::try_from(&self.lineup).expect("a lineup has a TOML form"),
            ..begun(run, argv, 1)
        }
    }
}

/// An arm made ready; an engine is started for it, and its name for itself is kept.
fn seat(arm: &mut Arm, setup: &Setup, hash_mib: u32) -> Result<Seat, Error> {
    match arm {
        Arm::Own(arm) => {
            let methods = crate::arm::Arm::parse(&arm.methods)?;
            let roster = setup
                .equip(&methods)
                .map_err(|source| Error::Method { game: Chess::NAME.to_owned(), source })?;
            let unfit = |source| Error::Method { game: Chess::NAME.to_owned(), source };
            let params = setup.arm_id(&methods).map_err(unfit)?;
            Ok(Seat { name: arm.name.clone(), params, kind: Kind::Own(Box::new(roster)) })
        }
        Arm::Engine(arm) => {
            let engine = start(arm, hash_mib, None).map_err(|error| Error::Usage(error.to_string()))?;
            arm.id = engine.id().to_owned();
            let params = engine_params(arm, hash_mib);
            Ok(Seat { name: arm.name.clone(), params, kind: Kind::Engine(arm.clone()) })
        }
    }
}

/// The `params` of an engine: another version, command, option or table is another thing.
fn engine_params(arm: &EngineArm, hash_mib: u32) -> String {
    let mut fnv = Fnv::default();
    fnv.field(&arm.id).field(&arm.command).bytes(&hash_mib.to_le_bytes());
    for word in &arm.args {
        fnv.field(word);
    }
    // A mark, so that an argument is not taken for an option.
    fnv.field("options");
    for (name, value) in &arm.options {
        fnv.field(name).field(value);
    }
    fnv.hex()
}
