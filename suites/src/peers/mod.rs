//! Other programs next to this one: any UCI engines and any method sets on the same chess positions, with the
//! same budget, one thread and one size of table, each position searched by all before the next.
//!
//! An arm is a program with its settings; it stands in the column `methods` of the record, so that an option
//! of a foreign engine is a method to be switched like any other. Engines count nodes and depth in their own
//! way: within one engine these compare, between engines only time does.

mod lineup;
#[cfg(test)]
mod tests;

pub use lineup::{Arm, EngineArm, HASH_MIB, Lineup, OwnArm, PATIENCE, POSITIONS, SUITE};

use lineup::{allowance, spec};

use crate::error::Error;
use crate::experiment::{Experiment, Wanted};
use crate::matrix::{ArmPlan, Plan};
use crate::setups::games;
use crate::subject::{EngineSubject, KEPT};
use secateur_core::Evaluation;
use secateur_positions::Fnv;
use std::collections::BTreeMap;
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
        let patience = Duration::from_millis(lineup.patience_ms);
        // The best that can be at the root is to win with the first ply.
        let mate = games::find(GAME)?.attainable(0).beta.0 + 1;
        let common = Common { hash_mib: lineup.hash_mib, patience, mate };
        let arms = lineup.arms.iter_mut().map(|arm| prepared(arm, &common)).collect::<Result<_, _>>()?;
        let mut plan = Experiment::of(GAME)
            .named(SUITE)
            .positions(&lineup.positions)
            .reading(lineup.reading)
            .table(lineup.hash_mib as usize)
            .with_arms(arms, allowance, lineup.repeats - 1);
        if let Some(limit) = lineup.limit {
            plan = plan.limit(limit);
        }
        if let Some(params) = &lineup.params {
            plan = plan.params(params);
        }
        let mut plan = plan.plan()?;
        if plan.is_empty() {
            return Err(Error::Usage(format!("{}: no positions to search", lineup.positions)));
        }
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
}

/// What all engines of a comparison share.
struct Common {
    hash_mib: u32,
    patience: Duration,
    mate: i32,
}

/// An arm made ready; an engine is started for it, and its name for itself is kept.
fn prepared(arm: &mut Arm, common: &Common) -> Result<Wanted, Error> {
    let &Common { hash_mib, patience, mate } = common;
    match arm {
        Arm::Own(arm) => {
            Ok(Wanted::Host(crate::setups::arm::Arm::parse(&arm.methods)?, Some(arm.name.clone())))
        }
        Arm::Engine(arm) => {
            let spec = spec(arm);
            let engine = EngineSubject::start(&spec, hash_mib, patience, None);
            arm.id = engine.map_err(|error| Error::Usage(error.to_string()))?.id().to_owned();
            let params = engine_params(arm, hash_mib);
            let make = move || -> Box<dyn crate::subject::Subject> {
                Box::new(EngineSubject::new(spec.clone(), hash_mib, patience, mate))
            };
            Ok(Wanted::Other(ArmPlan {
                made: made(arm, hash_mib),
                ..ArmPlan::other(&arm.name, &params, make)
            }))
        }
    }
}

/// What an engine is made of, in words.
fn made(arm: &EngineArm, hash_mib: u32) -> BTreeMap<String, String> {
    let parts = [
        ("program", arm.command.clone()),
        ("arguments", arm.args.join(" ")),
        ("table", format!("{hash_mib} MiB")),
        ("isolation", KEPT.to_owned()),
    ];
    let options = arm.options.iter().map(|(name, value)| (format!("option {name}"), value.clone()));
    let parts = parts.into_iter().map(|(what, value)| (what.to_owned(), value)).chain(options);
    parts.filter(|(_, value)| !value.is_empty()).collect()
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
