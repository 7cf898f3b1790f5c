//! What checks earn beside null move at a budget: the depth that ProbCut and Multi-ProbCut add to null move alone, and how
//! often their checks succeed.
//!
//! Jiang & Buro 2003, section 4: a check succeeds in 80 to 90 % of the cases in positions where the search gets deeper, and in
//! fewer than 60 % where it does not. So the gain stands apart for both kinds of positions. Left out are positions in which
//! an arm settled the position (`depth.rs`): such a search runs on to any depth.

use crate::arm::{members, name};
use crate::depth::is_settled;
use crate::format::{count, share};
use crate::interval::{Interval, mean_spread};
use crate::metrics::{Iterations, fractional_depth, iterations};
use crate::pair::{Group, groups_of};
use crate::published::OF_JIANG;
use crate::read::Runs;
use crate::table::Table;
use std::collections::BTreeMap;

/// Success of checks above which Jiang & Buro saw the search get deeper, and below which not.
const SUCCESS: [f64; 2] = [0.8, 0.6];

/// Tries and cuts of the checks, by method set and position.
type Tries<'r> = BTreeMap<(&'r str, &'r str), (u64, u64)>;

/// One row a method set with null move and ProbCut or Multi-ProbCut, against the first with null move alone; none where no
/// group of their game at a budget of nodes or time has both.
#[must_use]
pub fn table(runs: &Runs) -> Option<Table> {
    let cells = iterations(&runs.iterations);
    let mut tries = Tries::new();
    for row in runs.counters.iter().filter(|row| row.repeat == 0 && is_checked(&row.method)) {
        let sum = tries.entry((&*row.methods, &*row.position)).or_default();
        *sum = (sum.0 + row.tries, sum.1 + row.cuts_high + row.cuts_low);
    }
    let mut table = Table::new(&[
        "<methods",
        "positions",
        "gain in depth (plies)",
        "checks",
        "success",
        "positions with 80 % or more",
        "gain there",
        "positions with less than 60 %",
        "gain in these",
    ]);
    for group in groups_of(runs).iter().filter(|group| group.game == OF_JIANG && !group.is_fixed_depth()) {
        let alone = |methods: &&str| matches!(members(methods)[..], [one] if name(one) == "null-move");
        let Some(base) = group.methods.iter().position(alone) else { continue };
        for (own, methods) in group.methods.iter().enumerate() {
            let names: Vec<&str> = members(methods).into_iter().map(name).collect();
            if names.contains(&"null-move") && names.iter().any(|name| is_checked(name)) {
                table.push(row(group, [base, own], &cells, &tries));
            }
        }
        table.notes.push(format!(
            "Gain: fractional depth over that of `{}` on the same positions, without those in which a mate was found or \
             nothing was left to search; 95 % intervals of gains over source games. Success: cuts of ProbCut and MPC over their \
             checks, of all positions together; beside it the positions by their own success.",
            group.methods[base]
        ));
    }
    (!table.rows.is_empty()).then_some(table)
}

fn is_checked(method: &str) -> bool {
    matches!(method, "probcut" | "mpc")
}

/// One row: `base` and `own` are indices of method sets.
fn row(group: &Group<'_>, [base, own]: [usize; 2], cells: &Iterations<'_>, tries: &Tries<'_>) -> Vec<String> {
    let depth = |index: usize, method: usize| {
        let row = group.blocks[index].rows[method];
        let key = (&*row.game, &*row.position, &*row.methods, row.budget_kind, row.budget);
        fractional_depth(cells.get(&key)?, row.nodes)
    };
    let quiet = |index: &usize| !group.blocks[*index].rows.iter().any(|row| is_settled(&group.traits, row));
    let gained: BTreeMap<usize, f64> = (0..group.blocks.len())
        .filter(quiet)
        .filter_map(|index| Some((index, depth(index, own)? - depth(index, base)?)))
        .collect();
    let asked = |index: usize| {
        let row = group.blocks[index].rows[own];
        tries.get(&(&*row.methods, &*row.position)).copied().unwrap_or_default()
    };
    let gain_of = |wanted: &dyn Fn(f64) -> bool| {
        let in_class = |index: &usize| {
            let (tries, cuts) = asked(*index);
            gained.contains_key(index) && wanted(cuts as f64 / tries.max(1) as f64)
        };
        let clusters: Vec<[f64; 2]> = group
            .clusters(None)
            .into_iter()
            .map(|items| items.into_iter().filter(in_class).collect::<Vec<_>>())
            .filter(|items| !items.is_empty())
            .map(|items| [items.iter().map(|index| gained[index]).sum(), items.len() as f64])
            .collect();
        let n = clusters.iter().map(|[_, n]| n).sum::<f64>() as u64;
        let found = mean_spread(&clusters).skewed();
        (n, if n > 0 { plies(&found) } else { "-".to_owned() })
    };
    let all: Vec<(u64, u64)> = gained.keys().map(|&index| asked(index)).collect();
    let (tries, cuts) = all.iter().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    let (good, bad) = (gain_of(&|success| success >= SUCCESS[0]), gain_of(&|success| success < SUCCESS[1]));
    vec![
        group.methods[own].to_owned(),
        count(gained.len() as u64),
        gain_of(&|_| true).1,
        count(tries),
        if tries > 0 { share(cuts as f64 / tries as f64) } else { "-".to_owned() },
        count(good.0),
        good.1,
        count(bad.0),
        bad.1,
    ]
}

/// `+0.72 [+0.61, +0.83]`; without the interval where there are too few games for one.
fn plies(found: &Interval) -> String {
    match found.has_ends() {
        true => format!("{:+.2} [{:+.2}, {:+.2}]", found.estimate, found.low, found.high),
        false => format!("{:+.2}", found.estimate),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::tests::row as record;
    use secateur_record::record::{BudgetKind, CounterRow, IterationRow, Record};

    /// Iterations that double the nodes every ply, so that twice the nodes are one ply more.
    fn runs(mate: bool) -> Runs {
        let mut runs = Runs::default();
        for (position, success) in [("a", 9), ("b", 5), ("c", 7)] {
            for (methods, last) in [("none", 5), ("null-move[crafty]", 6), ("null-move[crafty]+mpc", 8)] {
                let record = Record {
                    game: "chess".into(),
                    budget_kind: BudgetKind::Nodes,
                    budget: 1,
                    cluster: position.into(),
                    score: if mate && position == "c" { 29_000 } else { 0 },
                    ..record(position, "endgame", methods, 1 << last)
                };
                for depth in 1..=last {
                    runs.iterations.push(IterationRow {
                        game: record.game.clone(),
                        position: record.position.clone(),
                        methods: record.methods.clone(),
                        budget_kind: record.budget_kind,
                        budget: record.budget,
                        depth,
                        nodes: 1 << depth,
                        ..IterationRow::default()
                    });
                }
                runs.records.push(record);
            }
            runs.counters.push(CounterRow {
                position: position.into(),
                methods: "null-move[crafty]+mpc".into(),
                method: "mpc".into(),
                tries: 10,
                cuts_high: success,
                ..CounterRow::default()
            });
        }
        runs
    }

    #[test]
    fn gains_are_over_null_move_and_success_is_by_position() {
        let table = table(&runs(false)).unwrap();
        assert_eq!(table.rows.len(), 1);
        // Three games are too few for an interval of gains.
        assert_eq!(table.rows[0][..5], ["null-move[crafty]+mpc", "3", "+2.00", "30", "70.0 %"]);
        assert_eq!(table.rows[0][5..], ["1", "+2.00", "1", "+2.00"]);
        assert!(table.notes[0].contains("`null-move[crafty]`"));
    }

    #[test]
    fn mates_are_left_out_and_so_is_what_has_no_null_move_alone() {
        let mut runs = runs(true);
        assert_eq!(table(&runs).unwrap().rows[0][1], "2");
        runs.records.retain(|record| record.methods != "null-move[crafty]");
        assert_eq!(table(&runs), None);
    }
}
