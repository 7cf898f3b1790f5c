//! Other programs beside this one: any UCI engines and any method sets on the same chess positions, with the
//! same budget, one thread and one size of table, each position searched by all before the next.
//!
//! An arm is a program with its settings; it stands in the column `methods` of the record, so that an option
//! of a foreign engine is a method to be switched like any other. Engines count nodes and depth in their own
//! way: within one engine these compare, between engines only time does.

mod lineup;
#[cfg(test)]
mod tests;

pub use lineup::{Arm, EngineArm, Lineup, OwnArm, SUITE};

use lineup::{allowance, spec};

use crate::clock::wall_time;
use crate::error::Error;
use crate::manifest::{Manifest, of_plan};
use crate::matrix::{ArmPlan, Manner, Plan, Unit};
use crate::record::CellKey;
use crate::run::{Ended, Progress, run as run_plan};
use crate::setup::Setup;
use crate::store::Store;
use crate::subject::EngineSubject;
use crate::suite::Suite;
use secateur_core::Game;
use secateur_positions::Fnv;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The game that UCI engines play.
const GAME: &str = "chess";

/// A comparison with everything that it needs, checked: a plan whose arms are engines and method sets.
#[derive(Clone, Debug)]
pub struct Peers {
    lineup: Lineup,
    plan: Plan,
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
        let mut plan = Plan::empty(Suite::named(SUITE), toml::Table::new());
        plan.manner = Manner { clock: wall_time, turns: true };
        let mut setup = Setup::chosen(GAME, lineup.params.as_deref())?;
        setup.options.table_mib = lineup.hash_mib as usize;
        let game = plan.add_game(setup)?;
        let is_ours = lineup.arms.iter().any(|arm| arm.engine().is_none());
        let names = [lineup.positions.clone()];
        let entries = plan.games[game].add_positions(&names, lineup.limit, lineup.reading, is_ours)?;
        if entries.is_empty() {
            return Err(Error::Usage(format!("{}: no positions to search", lineup.positions)));
        }
        let patience = Duration::from_millis(lineup.patience_ms);
        for arm in &mut lineup.arms {
            let game = &mut plan.games[game];
            // The best that can be at the root is to win with the first ply.
            let mate = game.game.attainable(0).beta.0 + 1;
            let made = seat(arm, &game.setup, &Common { hash_mib: lineup.hash_mib, patience, mate })?;
            game.arms.push(made);
        }
        let methods: Vec<usize> = (0..lineup.arms.len()).collect();
        let unit = Unit { repeats: lineup.repeats - 1, all: true, ..Unit::new(game, 0, allowance, methods) };
        plan.units = entries.into_iter().map(|entry| Unit { entry, ..unit.clone() }).collect();
        // A lineup is made of names, numbers and lists of them.
        plan.document = toml::Table::try_from(&lineup).expect("a lineup has a TOML form");
        Ok(Peers { lineup, plan })
    }

    /// What was asked, with the names of the arms.
    #[must_use]
    pub fn lineup(&self) -> &Lineup {
        &self.lineup
    }

    /// What is searched.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// What to know of how the positions were read, in sentences.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.plan.games[0].notes
    }

    /// Number of cells, at least 1.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.plan.len()
    }

    /// All cells in canonical order: by position, arm and repeat.
    pub fn keys(&self) -> impl Iterator<Item = CellKey> + '_ {
        self.plan.keys()
    }

    /// The manifest of a new run.
    #[must_use]
    pub fn manifest(&self, run: &str, argv: Vec<String>) -> Manifest {
        of_plan(run, &self.plan, argv, 1)
    }
}

/// Searches every cell that `store` does not have, one after another, until `stop` is set. Then the search under way is
/// given up, whether it hangs or not; everything before it is written. A cell that an engine fails in is finished too, with
/// its error.
///
/// # Errors
/// The file system; own arms that another program searched otherwise.
pub fn run(
    peers: &Peers,
    store: Store,
    stop: &Arc<AtomicBool>,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Ended, Error> {
    run_plan(&peers.plan, store, 1, None, stop, progress)
}

/// What all engines of a comparison share.
struct Common {
    hash_mib: u32,
    patience: Duration,
    mate: i32,
}

/// An arm made ready; an engine is started for it, and its name for itself is kept.
fn seat(arm: &mut Arm, setup: &Setup, common: &Common) -> Result<ArmPlan, Error> {
    let &Common { hash_mib, patience, mate } = common;
    match arm {
        Arm::Own(arm) => {
            let methods = crate::arm::Arm::parse(&arm.methods)?;
            let own = ArmPlan::host(setup, &methods, false);
            let own = own.map_err(|source| Error::Method { game: setup.game.clone(), source })?;
            Ok(ArmPlan { name: arm.name.clone(), ..own })
        }
        Arm::Engine(arm) => {
            let spec = spec(arm);
            let engine = EngineSubject::start(&spec, hash_mib, None);
            arm.id = engine.map_err(|error| Error::Usage(error.to_string()))?.id().to_owned();
            let params = engine_params(arm, hash_mib);
            let make = move || -> Box<dyn crate::subject::Subject> {
                Box::new(EngineSubject::new(spec.clone(), hash_mib, patience, mate))
            };
            Ok(ArmPlan::other(&arm.name, &params, make))
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
