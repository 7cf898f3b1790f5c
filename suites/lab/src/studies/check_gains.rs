//! What checks earn with null move on at a budget: the depth that ProbCut and Multi-ProbCut add to null move alone, and how
//! often their checks succeed.
//!
//! Jiang & Buro 2003, section 3: a check of ProbCut succeeds in 80 to 90 % of the cases in positions where the search gets deeper, and in
//! fewer than 60 % where it does not. So the gain stands apart for both kinds of positions. Left out are positions in which
//! an arm finished the position (`reports/stats/src/depth.rs`): such a search runs on to any depth.

use secateur_record::record::CounterRow;
use secateur_reports::format::{count, only_if, share, within};
use secateur_reports::table::Table;
use secateur_stats::group::{Group, groups_of};
use secateur_stats::interval::{Interval, mean_spread};
use secateur_stats::labels::{members, name};
use secateur_stats::metrics::{Iterations, depths, fractional_depth, iterations};
use secateur_stats::runs::Runs;
use std::collections::BTreeMap;

/// Success of checks above which Jiang & Buro saw the search get deeper, and below which not.
const SUCCESS: [f64; 2] = [0.8, 0.6];

/// Checks that were made, and cuts by them, to either side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Checks {
    tries: u64,
    cuts: u64,
}

impl Checks {
    fn of<'r>(rows: impl Iterator<Item = &'r CounterRow>) -> Checks {
        rows.fold(Checks::default(), |sum, row| {
            sum.and(Checks { tries: row.tries, cuts: row.cuts_high + row.cuts_low })
        })
    }

    fn and(self, other: Checks) -> Checks {
        Checks { tries: self.tries + other.tries, cuts: self.cuts + other.cuts }
    }
}

/// What all checks did, by method set and position.
fn tries(runs: &Runs) -> BTreeMap<(&str, &str), Checks> {
    let mut tries = BTreeMap::<_, Checks>::new();
    for row in runs.counters.iter().filter(|row| row.repeat == 0 && is_checked(&row.method)) {
        let sum = tries.entry((&*row.methods, &*row.position)).or_default();
        *sum = sum.and(Checks::of(std::iter::once(row)));
    }
    tries
}

/// What the checks of `arm` do at their height if they have only one, and what null move does there in `base`.
///
/// Jiang & Buro 2003, section 3: ProbCut makes more cuts than plain null move at the check height.
fn at_check_height(runs: &Runs, base: &str, arm: &str) -> Option<[Checks; 2]> {
    let rows = || runs.counters.iter().filter(|row| row.repeat == 0);
    let mut heights = rows().filter(|row| row.methods == arm && is_checked(&row.method)).map(|row| row.depth);
    let height = heights.next()?;
    heights.all(|other| other == height).then(|| {
        let sum = |methods: &str, wanted: fn(&str) -> bool| {
            let at_height = rows().filter(|row| row.methods == methods && row.depth == height);
            Checks::of(at_height.filter(|row| wanted(&row.method)))
        };
        [sum(arm, is_checked), sum(base, |method| method == "null-move")]
    })
}

/// Whether a method cuts by a check search.
fn is_checked(method: &str) -> bool {
    matches!(method, "probcut" | "mpc")
}

/// What is gained in some of the positions.
struct Gain {
    /// How many they are.
    positions: u64,
    /// Mean gain in fractional depth; without ends where there are too few games.
    depth: Interval,
}

/// What a method set with checks gains over one without.
struct CheckGains {
    /// In all positions that no method set finished.
    all: Gain,
    /// In those of them where checks often succeed.
    often: Gain,
    /// In those where they seldom do.
    seldom: Gain,
    checks: Checks,
}

/// What method set `arm` gains over `base`, both indices.
fn gained(
    group: &Group<'_>,
    [base, arm]: [usize; 2],
    cells: &Iterations<'_>,
    tries: &BTreeMap<(&str, &str), Checks>,
) -> CheckGains {
    let depth = |index: usize, method: usize| {
        let row = group.blocks[index].rows[method];
        fractional_depth(depths(row, cells)?, row.nodes?)
    };
    let quiet = |index: &usize| !group.blocks[*index].rows.iter().any(|row| group.is_finished(row));
    let gained: BTreeMap<usize, f64> = (0..group.blocks.len())
        .filter(quiet)
        .filter_map(|index| Some((index, depth(index, arm)? - depth(index, base)?)))
        .collect();
    let asked = |index: usize| {
        let row = group.blocks[index].rows[arm];
        tries.get(&(&*row.methods, &*row.position)).copied().unwrap_or_default()
    };
    let gain_of = |all: bool, wanted: fn(f64) -> bool| {
        let in_class = |index: &usize| {
            let Checks { tries, cuts } = asked(*index);
            // Where nothing was checked nothing failed.
            gained.contains_key(index)
                && (tries == 0 && all || tries > 0 && wanted(cuts as f64 / tries as f64))
        };
        let clusters: Vec<[f64; 2]> = group
            .clusters(None)
            .into_iter()
            .map(|items| items.into_iter().filter(in_class).collect::<Vec<_>>())
            .filter(|items| !items.is_empty())
            .map(|items| [items.iter().map(|index| gained[index]).sum(), items.len() as f64])
            .collect();
        let positions = clusters.iter().map(|[_, n]| n).sum::<f64>() as u64;
        Gain { positions, depth: mean_spread(&clusters).skewed() }
    };
    CheckGains {
        all: gain_of(true, |_| true),
        often: gain_of(false, |success| success >= SUCCESS[0]),
        seldom: gain_of(false, |success| success < SUCCESS[1]),
        checks: gained.keys().map(|&index| asked(index)).fold(Checks::default(), Checks::and),
    }
}

/// One row a method set with null move and ProbCut or Multi-ProbCut, against the first with null move alone; none where no
/// group at a budget of nodes or time has both.
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
                let CheckGains { all, often, seldom, checks } = gained(group, [base, arm], &cells, &tries);
                let at_height = at_check_height(runs, group.methods[base], methods);
                let part = |at: Checks| format!("{} of {}", count(at.cuts), count(at.tries));
                let [here, alone] = at_height.map_or(["-"; 2].map(str::to_owned), |both| both.map(part));
                table.row([
                    ("<methods", (*methods).to_owned()),
                    ("positions", count(all.positions)),
                    ("gain in depth (plies)", plies(&all)),
                    ("checks", count(checks.tries)),
                    (
                        "success",
                        only_if(checks.tries > 0, || share(checks.cuts as f64 / checks.tries as f64)),
                    ),
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
    only_if(gained.positions > 0, || within(&gained.depth, |plies| format!("{plies:+.2}")))
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
