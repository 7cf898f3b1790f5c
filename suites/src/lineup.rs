//! Several programs next to each other: subjects and method sets of our own search on the same positions, with the same budget, one
//! thread and one size of table, each position searched by all before the next.
//!
//! An arm of another program is one of its subject file, or a command with its UCI options, which is a subject without switches.
//! It stands in the column `methods` of the record, so that an option of a foreign engine is a method to be switched like any
//! other. Programs count nodes and depth in their own way: within one these compare, between them only time does.

#[cfg(test)]
mod tests;

use crate::allowance::Allowance;
use crate::error::Error;
use crate::experiment::Experiment;
use crate::manifest::suite;
use crate::matrix::{ArmPlan, Plan, Source};
use crate::program::{Program, Switching};
use crate::speed;
use crate::suite::Suite;
use secateur_record::manifest::Manifest;
use secateur_record::peers::{Arm, EngineArm, Lineup, SUITE};
use secateur_record::speed::Part;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The plan of a lineup, whose manifest keeps what was asked. Every program is started once, so that a run cannot begin on
/// something that does not exist.
///
/// # Errors
/// The first position set, method, parameter file, program or option that is not fit for use.
pub fn planned(mut lineup: Lineup) -> Result<Plan, Error> {
    lineup.name_arms()?;
    let allowance = allowance(&lineup)?;
    if lineup.repeats == 0 || lineup.hash_mib == 0 {
        return Err(Error::Usage("found 0 repeats or MiB of hash, expected at least 1".to_owned()));
    }
    let mut experiment = Experiment::of(&lineup.game)
        .named(SUITE)
        .over(vec![lineup.positions.clone()], lineup.limit)
        .reading(lineup.reading)
        .table(lineup.hash_mib as usize)
        .budget(Ok(allowance))
        .in_turns(lineup.repeats)
        .by_wall_time();
    for arm in &mut lineup.arms {
        experiment = match arm {
            Arm::Own(arm) => experiment.arm_as(crate::setups::arm::Arm::parse(&arm.methods)?, &arm.name),
            Arm::Engine(arm) => {
                let patience = Duration::from_millis(lineup.patience_ms);
                experiment.ready(started(arm, (&lineup.game, lineup.hash_mib, patience), allowance)?)
            }
        };
    }
    if let Some(params) = &lineup.params {
        experiment = experiment.params(params);
    }
    let mut plan = experiment.plan()?;
    if plan.is_empty() {
        return Err(Error::Usage(format!("{}: no positions to search", lineup.positions)));
    }
    // A lineup is made of names, numbers and lists of them.
    plan.document = toml::Table::try_from(&lineup).expect("a lineup has a TOML form");
    Ok(plan)
}

/// The plan of the run in `dir`: of programs side by side, of a part of `speed`, or of its suite with `changes`, and of a shard
/// no more than its part.
///
/// # Errors
/// If it is not one that this build can run.
pub fn plan(manifest: &Manifest, dir: &Path, changes: impl FnOnce(Suite) -> Suite) -> Result<Plan, Error> {
    let whole = match (manifest.lineup(), Part::of(manifest)) {
        (Some(lineup), _) => planned(lineup)?,
        (None, Some(part)) => speed::replanned(&part, dir)?,
        (None, None) => Plan::new(changes(suite(manifest, dir)?))?,
    };
    whole.part_of(manifest, dir)
}

/// An arm of another program; it is started for this, and its name for itself is kept.
fn started(
    arm: &mut EngineArm,
    (game, hash_mib, patience): (&str, u32, Duration),
    allowance: Allowance,
) -> Result<ArmPlan, Error> {
    let (program, switching) = match arm.subject.as_str() {
        "" => {
            let command = (arm.command.clone().into(), arm.args.clone());
            let program = Program::of_command(&arm.name, command, &arm.options)?;
            (Program { patience, ..program }, Switching::full())
        }
        subject => {
            let program = Program::load(subject)?.installed()?;
            let switching = program.arm(&arm.switching)?;
            (program, switching)
        }
    };
    if program.game != game {
        let (name, program_game) = (&arm.name, &program.game);
        return Err(Error::Usage(format!(
            "{name}: found a subject of {program_game}, expected {game}: one game at a time"
        )));
    }
    let (mut plan, entry) = program.lined_up(&switching, hash_mib, allowance)?;
    if let Source::Program(searched) = &mut plan.source {
        searched.counts_cpu = false;
    }
    (arm.id, arm.yielded, arm.cut) = (entry.id, entry.yielded, entry.cut.map(Box::new));
    Ok(ArmPlan { name: arm.name.clone(), ..plan })
}

/// The budget of every search.
fn allowance(lineup: &Lineup) -> Result<Allowance, Error> {
    let amount = i64::try_from(lineup.budget).unwrap_or(i64::MAX);
    let made = match lineup.budget_kind.as_str() {
        "depth" => Allowance::depth(amount),
        "nodes" => Allowance::nodes(amount),
        "time" if amount > 0 => Ok(Allowance::Time(lineup.budget)),
        other => Err(format!("found budget `{other}` {amount}, expected depth, nodes or time above 0")),
    };
    made.map_err(Error::Usage)
}

impl Program {
    /// A UCI engine of chess by its command alone: it has no switches, only options.
    ///
    /// # Errors
    /// None that a caller can cause.
    pub fn of_command(
        name: &str,
        (command, args): (PathBuf, Vec<String>),
        options: &[(String, String)],
    ) -> Result<Program, Error> {
        let file = "[subject]\ngame = \"chess\"\ncommand = \"named below\"\n";
        Ok(Program {
            name: name.to_owned(),
            command,
            args,
            options: options.to_vec(),
            ..Program::parse(Path::new("command.toml"), file)?
        })
    }
}
