//! Which cells are counted together in one process.
//!
//! A process costs start-up, so small cells share one; a large run must not be lost with one, so a chunk is bounded.
//! Chunks depend on the matrix and on the recorded nodes alone: any number of jobs and any interruption give the
//! same processes, and so the same counts to the last instruction.

use secateur_record::record::{CellKey, Record};
use secateur_suites::matrix::{Plan, Unit};
use secateur_suites::suite::Allowance;
use std::collections::BTreeMap;

/// Nodes after which a chunk ends: some seconds under callgrind.
const NODES: u64 = 3_000_000;

/// Cells of one process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    /// Indices in the order of [`Plan::keys`].
    pub(super) cells: Vec<usize>,
    /// Their rows in `records.csv`.
    pub(super) rows: Vec<usize>,
}

/// The chunks of our own search that are not yet filled in. Cells that failed or whose budget is time have no count.
pub(super) fn chunks(plan: &Plan, records: &[Record]) -> Vec<Chunk> {
    let at: BTreeMap<CellKey, usize> =
        records.iter().enumerate().map(|(row, record)| (record.key(), row)).collect();
    let mut all = Vec::new();
    let mut open = Chunk { cells: Vec::new(), rows: Vec::new() };
    let mut nodes = 0;
    let cells = plan.units.iter().flat_map(|unit| unit.cells().map(move |cell| (unit, cell)));
    for (index, (unit, cell)) in cells.enumerate() {
        let row = at.get(&plan.key(unit, cell)).copied();
        let is_ours = plan.games[unit.game].arms[cell.0].program().is_none();
        let Some(row) = row.filter(|&row| is_ours && is_counted(unit) && records[row].error.is_none()) else {
            continue;
        };
        open.cells.push(index);
        open.rows.push(row);
        nodes += records[row].nodes.unwrap_or(0);
        if nodes >= NODES {
            all.push(std::mem::replace(&mut open, Chunk { cells: Vec::new(), rows: Vec::new() }));
            nodes = 0;
        }
    }
    all.push(open);
    all.retain(|chunk| chunk.rows.iter().any(|&row| records[row].instructions.is_none()));
    all
}

/// Whether the searches of a unit are to be counted, and can be: what ends by a clock takes as many as it has time for.
pub(super) fn is_counted(unit: &Unit) -> bool {
    unit.instructions && !matches!(unit.allowance, Allowance::Time(_) | Allowance::Level(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::record::{BudgetKind, Failure};
    use secateur_suites::suite::Suite;
    use std::path::Path;

    fn plan() -> Plan {
        let text = "name = \"t\"\ndescription = \"\"\n[[block]]\ngame = \"chess\"\npositions = [\"bratko-kopec\"]\n\
                    methods = [\"null-move\"]\nbudgets = [{ depth = 3 }, { time = \"1ms\" }]\nlimit = 2\n\
                    instructions = true\n[[block]]\ngame = \"chess\"\npositions = [\"bratko-kopec\"]\n\
                    methods = [\"null-move\"]\nbudgets = [{ nodes = 9 }]\nlimit = 2\n";
        Plan::new(Suite::parse(Path::new("t.toml"), text).unwrap()).unwrap()
    }

    fn records(plan: &Plan, nodes: u64) -> Vec<Record> {
        plan.keys().map(|key| Record { nodes: Some(nodes), ..Record::of(&key) }).collect()
    }

    #[test]
    fn each_cell_that_asks_for_a_count_is_in_one_chunk() {
        let plan = plan();
        for nodes in [1, 2_000_000, 9_000_000] {
            let records = records(&plan, nodes);
            let found = chunks(&plan, &records);
            let cells: Vec<usize> = found.iter().flat_map(|chunk| chunk.cells.clone()).collect();
            let keys: Vec<CellKey> = plan.keys().collect();
            let expected: Vec<usize> =
                (0..keys.len()).filter(|&i| keys[i].budget_kind == BudgetKind::Depth).collect();
            assert_eq!(cells, expected);
            let sizes = [(1, expected.len()), (2_000_000, 2), (9_000_000, 1)];
            assert!(sizes.contains(&(nodes, found[0].cells.len())), "{found:?}");
        }
    }

    #[test]
    fn what_is_filled_in_or_failed_is_left_out() {
        let plan = plan();
        let mut records = records(&plan, 2_000_000);
        let whole = chunks(&plan, &records);
        for &row in &whole[0].rows {
            records[row].instructions = Some(1);
        }
        assert_eq!(chunks(&plan, &records), whole[1..]);
        records[whole[1].rows[0]].error = Some(Failure::new("panic"));
        let cells: Vec<usize> = chunks(&plan, &records).into_iter().flat_map(|chunk| chunk.cells).collect();
        assert!(!cells.contains(&whole[1].cells[0]));
    }
}
