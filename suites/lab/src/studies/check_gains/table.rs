//! The table of what checks earn with null move on at a budget.

use crate::studies::check_gains::{AtHeight, CheckGains, Gain, at_check_height, gained, is_checked, tries};
use secateur_reports::format::{count, only_if, share};
use secateur_reports::table::Table;
use secateur_stats::arm::{members, name};
use secateur_stats::group::groups_of;
use secateur_stats::metrics::iterations;
use secateur_stats::runs::Runs;

/// One row a method set with null move and ProbCut or Multi-ProbCut, against the first with null move alone; none where no
/// group at a budget of nodes or time has both.
#[must_use]
pub fn table(runs: &Runs) -> Option<Table> {
    let cells = iterations(&runs.iterations);
    let tries = tries(runs);
    let mut table = Table::default();
    for group in groups_of(runs).iter().filter(|group| !group.is_fixed_depth()) {
        let alone = |methods: &&str| matches!(members(methods)[..], [one] if name(one) == "null-move");
        let Some(base) = group.methods.iter().position(alone) else { continue };
        for (arm, methods) in group.methods.iter().enumerate() {
            let names: Vec<&str> = members(methods).into_iter().map(name).collect();
            if names.contains(&"null-move") && names.iter().any(|name| is_checked(name)) {
                let CheckGains { all, often, seldom, tries, cuts } =
                    gained(group, [base, arm], &cells, &tries);
                let at_height = at_check_height(runs, group.methods[base], methods);
                let part = |at: AtHeight| format!("{} of {}", count(at.cuts), count(at.tries));
                let [here, alone] = at_height.map_or(["-"; 2].map(str::to_owned), |both| both.map(part));
                table.row([
                    ("<methods", (*methods).to_owned()),
                    ("positions", count(all.positions)),
                    ("gain in depth (plies)", plies(&all)),
                    ("checks", count(tries)),
                    ("success", only_if(tries > 0, || share(cuts as f64 / tries as f64))),
                    ("positions with 80 % or more", count(often.positions)),
                    ("gain there", plies(&often)),
                    ("positions with less than 60 %", count(seldom.positions)),
                    ("gain in these", plies(&seldom)),
                    ("cuts at the check height", here),
                    ("null move's there, alone", alone),
                ]);
            }
        }
        table.notes.push(format!(
            "Gain: fractional depth over that of `{}` on the same positions, without those in which a mate was found or \
             nothing was left to search; 95 % intervals of gains over source games. Success: cuts of ProbCut and MPC over their \
             checks, of all positions together; next to it the positions by their own success, those without a check left out. Cuts at the \
             check height: of checks with one height, and of null move where it is alone, both of their tries at that height.",
            group.methods[base]
        ));
    }
    table.unless_empty()
}

/// `+0.72 [+0.61, +0.83]`; without the interval where there are too few games for one.
fn plies(gained: &Gain) -> String {
    let gain = &gained.depth;
    match (gained.positions, gain.has_ends()) {
        (0, _) => "-".to_owned(),
        (_, true) => format!("{:+.2} [{:+.2}, {:+.2}]", gain.estimate, gain.low, gain.high),
        (_, false) => format!("{:+.2}", gain.estimate),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::record::{BudgetKind, CounterRow, IterationRow, Record};
    use secateur_stats::fixtures::row as record;

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
                    score: Some(if mate && position == "c" { 29_000 } else { 0 }),
                    ..record(position, "endgame", methods, 1 << last)
                };
                for depth in 1..=last {
                    runs.iterations.push(IterationRow {
                        game: record.game,
                        position: record.position,
                        methods: record.methods,
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
        assert_eq!(table.rows[0][5..9], ["1", "+2.00", "1", "+2.00"]);
        assert_eq!(table.rows[0][9..], ["21 of 30", "0 of 0"]);
        assert!(table.notes[0].contains("`null-move[crafty]`"));
    }

    /// A position without a check is none where checks fail.
    #[test]
    fn where_nothing_was_checked_nothing_failed() {
        let mut runs = runs(false);
        runs.counters.retain(|row| row.position != "b");
        assert_eq!(
            table(&runs).unwrap().rows[0][1..9],
            ["3", "+2.00", "20", "80.0 %", "1", "+2.00", "0", "-"]
        );
    }

    #[test]
    fn mates_are_left_out_and_so_is_what_has_no_null_move_alone() {
        let mut runs = runs(true);
        assert_eq!(table(&runs).unwrap().rows[0][1], "2");
        runs.records.retain(|record| record.methods != "null-move[crafty]");
        assert_eq!(table(&runs), None);
    }
}
