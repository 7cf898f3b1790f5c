//! What units are expected to cost, so that shards can cost the same.
//!
//! Nodes, because they repeat on every machine. They come from a file, from a run, or, where neither is there, from the
//! budget alone. A first estimate of a plan that was never searched is a run by itself: [`scout`] searches every position
//! once, without methods and with few nodes, and what its iterations took is drawn out to the depth that is asked for. What a
//! wrong estimate costs is balance, never a result.
//!
//! [`Price`] is what a run did cost: CPU time of its searches. What an oracle, counted instructions and the start of a program take
//! comes on top.

use crate::Error;
use crate::allowance::Allowance;
use crate::matrix::{Plan, Unit};
use secateur_base::fault;
use secateur_record::archive::is_file;
use secateur_record::error::fault_on_line;
use secateur_record::files::replace;
use secateur_record::label::Label;
use secateur_record::manifest::FILE;
use secateur_record::record::{BudgetKind, IterationRow, Record};
use secateur_record::rows::{csv, rows_of};
use secateur_record::seal::{sealed_table, unsealed_table};
use secateur_record::store::RunRows;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Nodes with which a position is scouted: hundredths of a second.
const SCOUTED: i64 = 20_000;
/// Nodes in a microsecond of a budget of time; and how much slower a search is whose instructions are counted.
const NODES_OF_MICROSECOND: u64 = 3;
const COUNTED: u64 = 20;
/// Nodes of a search of no plies, and what another ply multiplies them by where it was not measured, as a ratio:
/// only the order of magnitude matters.
const ROOT: u64 = 30;
const PLY: (u64, u64) = (5, 2);

/// What the seals of a file of costs are of.
const OF: &str = "costs";

/// A row of a file of costs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Row {
    game: Label,
    position: Label,
    budget_kind: BudgetKind,
    budget: u64,
    /// Of one search, the mean over the arms.
    nodes: u64,
}

type Budgeted = (Label, BudgetKind, u64);

/// Expected nodes of a search by unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Costs {
    /// By game and budget, then position.
    measured: BTreeMap<Budgeted, BTreeMap<Label, u64>>,
    /// Depths and nodes of the iterations of a position, by game and position.
    ladders: BTreeMap<(Label, Label), Vec<(u32, u64)>>,
    /// What another ply multiplies the nodes by, by game.
    growth: BTreeMap<Label, f64>,
}

impl Costs {
    /// Of a file that [`Costs::write`] wrote, or of a run folder. A file without seals, which somebody wrote by hand, is taken
    /// as it is.
    ///
    /// # Errors
    /// A file or run that cannot be read or is not as it was written.
    pub fn read(path: &Path) -> Result<Costs, Error> {
        if is_file(&path.join(FILE)) {
            return Ok(Costs::of_run(RunRows::read(path)?.0));
        }
        let sealed = std::fs::read(path).map_err(Error::unreadable(path))?;
        let text = String::from_utf8_lossy(&sealed);
        let wrong = |(line, message)| Error::from(fault_on_line(path, &text, line, message));
        let (table, _) = unsealed_table(OF, &sealed).map_err(wrong)?;
        let mut costs = Costs::default();
        for Row { game, position, budget_kind, budget, nodes } in rows_of(path, &table)? {
            costs.measured.entry((game, budget_kind, budget)).or_default().insert(position, nodes);
        }
        if costs.measured.is_empty() {
            return Err(fault(path, "", 0, "found no rows of costs").into());
        }
        Ok(costs)
    }

    fn of_run(rows: RunRows) -> Costs {
        let mut sums: BTreeMap<Budgeted, BTreeMap<Label, (u64, u64)>> = BTreeMap::new();
        for Record { game, position, budget_kind, budget, nodes, .. } in rows.records {
            let (sum, count) =
                sums.entry((game, budget_kind, budget)).or_default().entry(position).or_default();
            *sum += nodes.unwrap_or_default();
            *count += 1;
        }
        let mean = |(sum, count): (u64, u64)| sum / count.max(1);
        let means = sums.into_iter().map(|(budgeted, sums)| {
            (budgeted, sums.into_iter().map(|(position, sum)| (position, mean(sum))).collect())
        });
        let mut ladders: BTreeMap<(Label, Label), Vec<(u32, u64)>> = BTreeMap::new();
        let mut baseline: Option<Label> = None;
        for IterationRow { game, position, methods, depth, nodes, repeat, .. } in rows.iterations {
            // The first arm is the baseline, whose tree is the largest.
            if *baseline.get_or_insert(methods) == methods && repeat == 0 {
                ladders.entry((game, position)).or_default().push((depth, nodes.max(1)));
            }
        }
        let growth = growth(&ladders);
        Costs { measured: means.collect(), ladders, growth }
    }

    /// Expected cost of a unit, nodes.
    pub fn of_unit(&self, plan: &Plan, unit: &Unit) -> u64 {
        let game = &plan.games[unit.game];
        let one = self.search(&game.name, &game.entries[unit.entry].id, unit.allowance);
        let all = one.saturating_mul(unit.cells().count() as u64);
        let judged = unit.oracle.map_or(0, |judged| match (judged.allowance.kind(), unit.allowance.kind()) {
            // It searches the moves that were chosen, of which there are few.
            (BudgetKind::Depth, BudgetKind::Depth) => {
                let plies = judged.allowance.amount().saturating_sub(unit.allowance.amount());
                drawn_out(one.saturating_mul(2), plies)
            }
            _ => all,
        });
        let counted = if unit.instructions { all.saturating_mul(COUNTED) } else { 0 };
        all.saturating_add(judged).saturating_add(counted).max(1)
    }

    /// Expected nodes of one search.
    fn search(&self, game: &str, position: &str, allowance: Allowance) -> u64 {
        let (kind, amount) = (allowance.kind(), allowance.amount());
        match kind {
            BudgetKind::Nodes => return amount,
            BudgetKind::Time => return amount / 1000 * NODES_OF_MICROSECOND,
            BudgetKind::Depth | BudgetKind::Level => {}
        }
        let budgeted = self.measured.get(&(game.into(), kind, amount));
        let mean = |all: &BTreeMap<Label, u64>| all.values().sum::<u64>() / all.len().max(1) as u64;
        let measured = budgeted.and_then(|all| all.get(position).copied());
        let scouted = || {
            let &(depth, nodes) = self.ladders.get(&(game.into(), position.into()))?.last()?;
            let plies = amount as f64 - f64::from(depth);
            Some((nodes as f64 * self.growth.get(game)?.powf(plies)).clamp(1.0, 1e15) as u64)
        };
        measured.or_else(scouted).or_else(|| budgeted.map(mean)).unwrap_or_else(|| drawn_out(ROOT, amount))
    }

    /// Writes what the units of a plan are expected to cost: one file for all shards, so that all of them divide alike.
    ///
    /// # Errors
    /// The file system.
    pub fn write(&self, plan: &Plan, path: &Path) -> Result<(), Error> {
        let row = |unit: &Unit| {
            let game = &plan.games[unit.game];
            let position = Label::from(&game.entries[unit.entry].id);
            let nodes = self.search(&game.name, &position, unit.allowance);
            let (budget_kind, budget) = (unit.allowance.kind(), unit.allowance.amount());
            Row { game: (&game.name).into(), position, budget_kind, budget, nodes }
        };
        let rows: Vec<Row> = plan.units.iter().map(row).collect();
        Ok(replace(path, &sealed_table(OF, &csv(&rows, true)))?)
    }
}

/// Nodes after so many plies more.
fn drawn_out(nodes: u64, plies: u64) -> u64 {
    (0..plies).fold(nodes.saturating_mul(16), |nodes, _| nodes.saturating_mul(PLY.0) / PLY.1) / 16
}

/// What two plies multiply the nodes of the last iterations by, its root, the median over the positions of a game: of two
/// plies, because odd and even ones differ.
fn growth(ladders: &BTreeMap<(Label, Label), Vec<(u32, u64)>>) -> BTreeMap<Label, f64> {
    let mut all: BTreeMap<Label, Vec<f64>> = BTreeMap::new();
    for ((game, _), ladder) in ladders {
        if let [.., (_, before), _, (_, last)] = ladder.as_slice() {
            all.entry(*game).or_default().push((*last as f64 / *before as f64).sqrt());
        }
    }
    let median = |mut ratios: Vec<f64>| {
        ratios.sort_by(f64::total_cmp);
        ratios[ratios.len() / 2]
    };
    all.into_iter().map(|(game, ratios)| (game, median(ratios))).collect()
}

/// The plan of a first estimate: the baseline at every position of which a depth is asked for, with few nodes. Nothing is in
/// it where budgets say what searches cost.
///
/// # Errors
/// A budget that no search can have.
pub fn scout(plan: &Plan) -> Result<Plan, Error> {
    let allowance = Allowance::nodes(SCOUTED).map_err(Error::Usage)?;
    let mut seen = BTreeSet::new();
    let wanted = |unit: &&Unit| {
        unit.allowance.kind() == BudgetKind::Depth
            && plan.games[unit.game].arms[unit.methods[0]].host_arm().is_some()
            && seen.insert((unit.game, unit.entry))
    };
    let units: Vec<Unit> = plan
        .units
        .iter()
        .filter(wanted)
        .map(|unit| Unit::new(unit.game, unit.entry, allowance, vec![unit.methods[0]]))
        .collect();
    let mut scouts = plan.clone();
    (scouts.units, scouts.part) = (units, None);
    Ok(scouts)
}

/// CPU time of the searches of a run, seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Price {
    /// Cells.
    pub cells: u64,
    /// Units.
    pub units: u64,
    /// All searches together.
    pub seconds: f64,
    /// A unit in the middle.
    pub median: f64,
    /// A unit of which one in a hundred takes longer.
    pub p99: f64,
    /// The dearest unit: no shard takes less.
    pub most: f64,
}

impl Price {
    /// Of the records of a run.
    pub fn of(records: &[Record]) -> Price {
        let mut units: BTreeMap<(&str, &str, BudgetKind, u64), u64> = BTreeMap::new();
        for row in records {
            *units.entry((&row.game, &row.position, row.budget_kind, row.budget)).or_default() += row.time_ns;
        }
        let mut times: Vec<f64> = units.into_values().map(|time| time as f64 / 1e9).collect();
        times.sort_by(f64::total_cmp);
        let quantile =
            |share: f64| times.get((times.len() as f64 * share) as usize).or(times.last()).copied();
        Price {
            cells: records.len() as u64,
            units: times.len() as u64,
            seconds: times.iter().sum(),
            median: quantile(0.5).unwrap_or_default(),
            p99: quantile(0.99).unwrap_or_default(),
            most: quantile(1.0).unwrap_or_default(),
        }
    }

    /// CPU hours of so many cells that cost the same in the mean.
    pub fn hours(&self, cells: u64) -> f64 {
        self.seconds / self.cells.max(1) as f64 * cells as f64 / 3600.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::error::damages;

    fn row(position: &str, methods: &str, nodes: u64) -> Record {
        Record {
            game: "g".into(),
            position: position.into(),
            methods: methods.into(),
            budget: 8,
            nodes: Some(nodes),
            ..Record::default()
        }
    }

    #[test]
    fn no_damage_of_a_file_of_costs_is_believed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("costs.csv");
        let row = |position: &str, nodes| Row {
            game: "g".into(),
            position: position.into(),
            budget: 8,
            nodes,
            ..Row::default()
        };
        let plain = csv(&[row("a", 10), row("b,\"c\"", 200)], true);
        let good = sealed_table(OF, &plain);
        std::fs::write(&path, &good).unwrap();
        let costs = Costs::read(&path).unwrap();
        assert_eq!(costs.search("g", "b,\"c\"", Allowance::depth(8).unwrap()), 200);
        let lines: Vec<&[u8]> = good.split_inclusive(|byte| *byte == b'\n').collect();
        let moved = [[lines[0], lines[2], lines[1]].concat(), [lines[0], lines[2]].concat()];
        let mut refused = 0;
        for bytes in damages(&good).chain(moved) {
            std::fs::write(&path, &bytes).unwrap();
            match Costs::read(&path) {
                // A line that ends in another way, or a seal's column of another name, leaves the rows.
                Ok(read_costs) => assert_eq!(read_costs, costs, "{}", String::from_utf8_lossy(&bytes)),
                Err(error) => {
                    assert!(error.to_string().contains("costs.csv:"), "{error}");
                    refused += 1;
                }
            }
        }
        assert!(refused > 8 * plain.len());
        // What somebody wrote by hand.
        std::fs::write(&path, plain).unwrap();
        assert_eq!(Costs::read(&path).unwrap(), costs);
    }

    #[test]
    fn what_was_measured_goes_before_what_is_drawn_out_and_that_before_the_mean() {
        let records = vec![row("a", "none", 10), row("a", "mpc", 30), row("b", "none", 100)];
        let step = |position: &str, depth, nodes| IterationRow {
            game: "g".into(),
            position: position.into(),
            methods: "none".into(),
            depth,
            nodes,
            ..IterationRow::default()
        };
        let iterations = vec![step("c", 1, 10), step("c", 2, 20), step("c", 3, 90)];
        let costs = Costs::of_run(RunRows { records, iterations, ..RunRows::default() });
        let depth = |plies| Allowance::depth(plies).unwrap();
        let cost = |position, allowance| costs.search("g", position, allowance);
        assert_eq!((cost("a", depth(8)), cost("b", depth(8))), (20, 100));
        assert_eq!(cost("c", depth(5)), 810, "three times as many for each ply");
        assert_eq!(cost("d", depth(8)), 60, "the mean of what is known");
        assert_eq!(cost("d", depth(3)), 468, "30 (5/2)^3");
        assert_eq!(cost("a", Allowance::nodes(500).unwrap()), 500);
        assert_eq!(cost("a", Allowance::time("2ms").unwrap()), 6000);
    }

    #[test]
    fn a_price_is_of_units() {
        let row = |position: u32, seconds: u64| Record {
            position: position.to_string().into(),
            time_ns: seconds * 1_000_000_000,
            ..Record::default()
        };
        let records: Vec<Record> =
            (0..100).flat_map(|at| [row(at, 1), row(at, if at == 7 { 89 } else { 1 })]).collect();
        let price = Price::of(&records);
        assert_eq!((price.cells, price.units, price.seconds), (200, 100, 288.0));
        assert_eq!((price.median, price.p99, price.most), (2.0, 90.0, 90.0));
        assert!((price.hours(2500) - 1.0).abs() < 1e-12);
        assert_eq!(Price::of(&[]), Price::default());
    }
}
