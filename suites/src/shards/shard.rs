//! Which units a shard takes.
//!
//! Units go, the most expensive first, to the shard that has least to do yet, so that shards cost the same as far as costs are
//! known; equal costs are told apart by a hash of the unit, which spreads neighbours. It depends on the plan, the costs and
//! the number of shards alone, never on what is finished. One unit in [`EVERY`] goes to a second shard as well: that
//! machines agree is measured. Left out: moving work between shards that are under way.

use crate::Error;
use crate::matrix::{Plan, Unit};
use crate::shards::costs::Costs;
use secateur_base::Fnv;
use secateur_base::hash::mixed;
use secateur_record::part::{Take, numbers};
use secateur_record::record::BudgetKind;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;
use std::str::FromStr;

/// One unit in so many is searched by two shards.
pub const EVERY: u64 = 64;

/// One of several shards, as it is written: `3/20`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Its number, from 1.
    pub number: u32,
    /// How many there are.
    pub of: u32,
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let shard = numbers(text).map(|(number, count)| Shard { number, of: count });
        shard.ok_or_else(|| format!("found `{text}`, expected a shard and how many there are: 3/20"))
    }
}

/// All units by shard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Division {
    /// Units of each shard, doubles included.
    pub shards: Vec<Vec<u32>>,
    /// Expected cost of each, in the unit of the costs.
    pub loads: Vec<u64>,
    /// Units that two shards have.
    pub doubles: Vec<u32>,
}

/// How even a division is expected to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outlook {
    /// The dearest unit: no shard that has it takes less.
    pub dearest: u32,
    /// What it is expected to cost.
    pub alone: u64,
    /// The dearest shard over the one in the middle.
    pub uneven: f64,
    /// The most shards with which the dearest unit alone is no more than [`UNEVEN`] times a shard's share.
    pub useful: u32,
}

/// How many times the median the last shard may take.
pub const UNEVEN: u64 = 3;

impl Division {
    /// How even it is, by the costs that it was made with.
    ///
    /// A unit is never split, so where one of them alone is dearer than that many shards' share, fewer shards are the only
    /// remedy: which is said.
    pub fn outlook(&self, plan: &Plan, costs: &Costs) -> Outlook {
        let cost = |number: u32| plan.units.get(number as usize).map_or(0, |unit| costs.of_unit(plan, unit));
        let all = self.shards.iter().flatten().copied();
        let dearest = all.max_by_key(|number| (cost(*number), Reverse(*number))).unwrap_or_default();
        let alone = cost(dearest).max(1);
        let mut loads = self.loads.clone();
        loads.sort_unstable();
        let middle = loads.get(loads.len() / 2).copied().unwrap_or_default().max(1);
        let total = loads.iter().fold(0_u64, |sum, load| sum.saturating_add(*load));
        let useful = (total / alone).saturating_mul(UNEVEN).clamp(1, plan.units.len().max(1) as u64);
        Outlook {
            dearest,
            alone,
            uneven: loads.last().copied().unwrap_or_default() as f64 / middle as f64,
            useful: u32::try_from(useful).unwrap_or(u32::MAX),
        }
    }
}

/// Refuses a number of shards that a plan cannot be divided into.
///
/// # Errors
/// None, or more than it has units.
pub fn may_divide(plan: &Plan, shards: u32) -> Result<(), Error> {
    let units = plan.units.len();
    match shards as usize {
        1.. if shards as usize <= units => Ok(()),
        _ => Err(Error::Usage(format!(
            "found {shards} shards of {units} units (a position under one budget), expected at least 1 and no more than units"
        ))),
    }
}

/// Divides a plan into so many shards.
///
/// # Errors
/// More shards than units.
pub fn divide(plan: &Plan, costs: &Costs, shards: u32) -> Result<Division, Error> {
    may_divide(plan, shards)?;
    let count = shards as usize;
    let mut order: Vec<(Reverse<u64>, u64, u32)> = (0..)
        .zip(&plan.units)
        .map(|(number, unit)| (Reverse(costs.of_unit(plan, unit)), hash(plan, unit), number))
        .collect();
    order.sort_unstable();
    let mut division =
        Division { shards: vec![Vec::new(); count], loads: vec![0; count], doubles: Vec::new() };
    let mut idle: BinaryHeap<Reverse<(u64, usize)>> = (0..count).map(|shard| Reverse((0, shard))).collect();
    let mut give = |unit: u32, cost: u64, not: Option<usize>| {
        let mut least = idle.pop();
        if let Some(Reverse((_, shard))) = least
            && Some(shard) == not
        {
            let next = idle.pop();
            idle.extend(least);
            least = next;
        }
        let Reverse((load, shard)) = least?;
        division.shards[shard].push(unit);
        division.loads[shard] = load.saturating_add(cost);
        idle.push(Reverse((division.loads[shard], shard)));
        Some(shard)
    };
    let mut doubles = Vec::new();
    for (Reverse(cost), hash, unit) in order {
        let home = give(unit, cost, None);
        if shards > 1 && hash % EVERY == 0 && is_exact(plan, &plan.units[unit as usize]) {
            doubles.extend(give(unit, cost, home).map(|_| unit));
        }
    }
    doubles.sort_unstable();
    division.doubles = doubles;
    Ok(division)
}

/// The part of a plan that a shard searches.
///
/// # Errors
/// Those of [`divide`].
pub fn cut(plan: Plan, shard: Shard, costs: &Costs) -> Result<Plan, Error> {
    let mut division = divide(&plan, costs, shard.of)?;
    let take = std::mem::take(&mut division.shards[shard.number as usize - 1]);
    Ok(plan.taken(&shard.to_string(), Take::of(take)))
}

/// Whether two searches of a unit must agree: nothing in it depends on a clock, or on a program of somebody else.
fn is_exact(plan: &Plan, unit: &Unit) -> bool {
    let arms = &plan.games[unit.game].arms;
    unit.allowance.kind() != BudgetKind::Time
        && unit.methods.iter().all(|&arm| arms[arm].host_arm().is_some())
}

/// A hash of what a unit is, wherever it stands in the plan.
fn hash(plan: &Plan, unit: &Unit) -> u64 {
    let game = &plan.games[unit.game];
    let mut fnv = Fnv::default();
    fnv.field(&game.name).field(&game.entries[unit.entry].id).field(unit.allowance.kind().name());
    // Of FNV-1a the low bits depend on few.
    mixed(fnv.bytes(&unit.allowance.amount().to_le_bytes()).value())
}
