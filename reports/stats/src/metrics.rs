//! The measures of docs/METHODOLOGY.md, over the blocks of a group.

pub use crate::group::AgainstBaseline;
use crate::group::Group;
use crate::interval::{Interval, mean, mean_loss, mean_spread, ratio_of_sums, sd, wilson};
use crate::spent::tick;
use secateur_record::record::{BudgetKind, IterationRow, Record};
use std::collections::BTreeMap;

/// Whether a row has the baseline's move or one that the baseline values alike.
pub fn same_move(base: &Record, row: &Record) -> bool {
    row.best_move == base.best_move || row.move_tied == Some(true)
}

/// Compares method set `method` (an index) with the baseline over the blocks of `stage` (all for `None`). A group
/// remembers what was asked, because several parts of a report need the same intervals.
pub fn against_baseline(group: &Group<'_>, method: usize, stage: Option<&str>) -> AgainstBaseline {
    let key = (method, stage.map(str::to_owned));
    let cached = group.compared.borrow().get(&key).cloned();
    cached.unwrap_or_else(|| {
        let compared = against_baseline_anew(group, method, stage);
        group.compared.borrow_mut().insert(key, compared.clone());
        compared
    })
}

fn against_baseline_anew(group: &Group<'_>, method: usize, stage: Option<&str>) -> AgainstBaseline {
    let clusters = group.clusters(stage);
    let pairs: Vec<(&Record, &Record)> = clusters
        .iter()
        .flatten()
        .map(|&index| (group.blocks[index].base(), group.blocks[index].rows[method]))
        .collect();
    let nodes: Vec<f64> = pairs.iter().map(|(_, row)| row.nodes()).collect();
    let pair = |block: usize| (group.blocks[block].base(), group.blocks[block].rows[method]);
    let total = |items: &[usize], value: fn(&Record, &Record) -> f64| {
        [items.iter().map(|&i| pair(i)).map(|(base, row)| value(base, row)).sum(), items.len() as f64]
    };
    let totals = |value| clusters.iter().map(|items| total(items, value)).collect::<Vec<_>>();
    let sums = |items: &Vec<usize>| {
        let sum = |method: usize| items.iter().map(|&i| group.blocks[i].rows[method].nodes()).sum();
        [sum(0), sum(method)]
    };
    let speedup_means = ratio_of_sums(&clusters.iter().map(sums).collect::<Vec<_>>());
    let logs = mean_spread(&totals(|base, row| (base.some_nodes() / row.some_nodes()).ln()));
    let asked = group.asks_ties();
    let decided: Vec<_> = pairs.iter().filter(|(base, row)| !asked || !row.is_undecided(base)).collect();
    let moves = decided.iter().filter(|(base, row)| same_move(base, row)).count();
    let values = pairs.iter().filter(|(base, row)| base.score == row.score).count();
    let is_proven = |row: &Record| row.score.is_some_and(|score| group.traits.is_proven(score));
    let proven = pairs.iter().filter(|(base, row)| is_proven(base) || is_proven(row)).count();
    let apart = |items: &Vec<usize>| {
        let open = items.iter().map(|&i| pair(i)).filter(|(base, row)| !is_proven(base) && !is_proven(row));
        open.fold([0.0, 0.0], |[sum, n], (base, row)| [sum + base.value_distance(row), n + 1.0])
    };
    let distances: Vec<[f64; 2]> = clusters.iter().map(apart).filter(|[_, n]| *n > 0.0).collect();
    let has_values = pairs.iter().all(|(base, row)| base.score.is_some() && row.score.is_some());
    let whole = |row: &Record| row.score.map(|score| group.traits.whole(score));
    let wholes = pairs.iter().filter(|(base, row)| whole(base) == whole(row)).count();
    // At a fixed depth the depth is what was asked for, whatever was found.
    let open = |(base, row): &&(&Record, &Record)| {
        group.is_fixed_depth() || !group.is_finished(base) && !group.is_finished(row)
    };
    let depth = mean(&pairs.iter().filter(open).map(|(_, row)| row.depth()).collect::<Vec<_>>());
    let spent = mean(&pairs.iter().filter(open).map(|(_, row)| row.nodes()).collect::<Vec<_>>());
    let total = |field: fn(&Record) -> f64| pairs.iter().map(|(_, row)| field(row)).sum::<f64>();
    // A sum of coarse times says something where they are more than a tick on average.
    let tick = tick(pairs.iter().map(|(_, row)| row.time_ns));
    let time = total(|row| row.time_ns as f64);
    let seconds = if time > (tick * pairs.len() as u64) as f64 { time / 1e9 } else { f64::NAN };
    AgainstBaseline {
        n: pairs.len(),
        nodes: mean(&nodes),
        nodes_sd: sd(&nodes),
        speedup_means,
        speedup_geometric: logs.student().exp(),
        p_nodes: logs.p(),
        same_move: wilson(moves, decided.len()),
        same_value: wilson(values, pairs.len()).filter(|_| has_values),
        same_whole: wilson(wholes, pairs.len()).filter(|_| has_values),
        value_difference: mean_loss(&distances),
        proven,
        depth,
        probe_share: total(|r| r.probe_nodes as f64) / total(Record::nodes),
        nodes_per_second: total(Record::nodes) / seconds,
        branching: branching(spent, depth),
    }
}

/// What one method set costs in instructions.
#[derive(Clone, Debug)]
pub struct InstructionCost {
    /// Mean instructions.
    pub instructions: f64,
    /// Instructions over nodes, all positions together.
    pub per_node: f64,
    /// Ratio of mean instructions, baseline over method.
    pub speedup: Interval,
}

/// The instructions of method set `method` (an index) at the positions at which every arm has a count, if there are any.
pub fn instruction_cost(group: &Group<'_>, method: usize) -> Option<InstructionCost> {
    let count = |index: usize, method: usize| group.blocks[index].rows[method].instructions;
    let all = group.counted();
    if all.is_empty() {
        return None;
    }
    let sum = |items: &[usize], method| -> f64 {
        items.iter().filter_map(|&i| count(i, method)).map(|n| n as f64).sum()
    };
    let total = sum(&all, method);
    let nodes: f64 = all.iter().map(|&i| group.blocks[i].rows[method].nodes()).sum();
    let clusters = group.clusters(None).into_iter().map(|items| -> Vec<usize> {
        items.into_iter().filter(|item| all.binary_search(item).is_ok()).collect()
    });
    let totals =
        clusters.filter(|items| !items.is_empty()).map(|items| [sum(&items, 0), sum(&items, method)]);
    let speedup = ratio_of_sums(&totals.collect::<Vec<_>>());
    Some(InstructionCost { instructions: total / all.len() as f64, per_node: total / nodes, speedup })
}

/// Buro's branching factor: nodes^(1/depth).
pub fn branching(nodes: f64, depth: f64) -> f64 {
    nodes.powf(1.0 / depth)
}

/// Iterations of the cells of one position and method set under one budget, cumulative nodes by depth.
pub type Iterations<'a> = BTreeMap<(&'a str, &'a str, &'a str, BudgetKind, u64), Vec<(u32, u64)>>;

/// Sorts iteration rows by cell (repetitions left out).
pub fn iterations(rows: &[IterationRow]) -> Iterations<'_> {
    let mut cells = Iterations::new();
    for row in rows.iter().filter(|row| row.repeat == 0) {
        let key = (&*row.game, &*row.position, &*row.methods, row.budget_kind, row.budget);
        cells.entry(key).or_default().push((row.depth, row.nodes));
    }
    cells.values_mut().for_each(|depths| depths.sort_unstable());
    cells
}

/// The iterations of one search.
pub fn depths<'c>(row: &'c Record, cells: &'c Iterations<'c>) -> Option<&'c [(u32, u64)]> {
    let key = (&*row.game, &*row.position, &*row.methods, row.budget_kind, row.budget);
    cells.get(&key).map(Vec::as_slice)
}

/// Nodes of one search up to the end of an iteration, at least 1.
pub fn nodes_to(row: &Record, cells: &Iterations<'_>, depth: u32) -> Option<f64> {
    nodes_at(depths(row, cells)?, depth)
}

/// The same of its iterations.
pub(crate) fn nodes_at(depths: &[(u32, u64)], depth: u32) -> Option<f64> {
    let iteration = depths.iter().find(|(reached, _)| *reached == depth);
    iteration.map(|(_, nodes)| (*nodes).max(1) as f64)
}

/// Half the iterations that the headline branching factor spans.
const HALF_SPAN: u32 = 2;
/// Iterations, from the last one back, that [`fractional_depth`] looks at.
pub(crate) const SPANNED: usize = 2 * HALF_SPAN as usize + 1;

/// The headline branching factor of one cell: (N_D / N_{D-2k})^(1/(2k)) with k = 2, or 1 in a shallow
/// search. An even span, because odd and even iterations grow differently.
pub fn headline_branching(depths: &[(u32, u64)]) -> Option<f64> {
    let &(deepest, last) = depths.last()?;
    (1..=HALF_SPAN).rev().find_map(|k| {
        let &(_, first) = depths.iter().find(|(depth, _)| depth + 2 * k == deepest)?;
        Some((last as f64 / first as f64).powf(1.0 / f64::from(2 * k)))
    })
}

/// Fractional depth at a budget that ended after `spent` nodes: D + ln(spent / N_D) / ln(b), clipped to
/// [D, D + s], where b is the headline branching factor, because N_{D+s} was never measured; s are the plies from one
/// iteration to the next.
pub fn fractional_depth(depths: &[(u32, u64)], spent: u64) -> Option<f64> {
    let &[.., (before, _), (depth, nodes)] = depths else { return None };
    let growth = headline_branching(depths).filter(|b| *b > 1.0)?;
    let part = (spent as f64 / nodes as f64).ln() / growth.ln();
    Some(f64::from(depth) + part.clamp(0.0, f64::from(depth - before)))
}

/// The fractional depth of one search, where its iterations are known; the depth of the last one where they are too few to tell how
/// the search grows.
pub fn search_depth(row: &Record, cells: &Iterations<'_>) -> Option<f64> {
    let depths = depths(row, cells)?;
    fractional_depth(depths, row.nodes?).or_else(|| depths.last().map(|(depth, _)| f64::from(*depth)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::row;
    use crate::group::groups;

    #[test]
    fn ties_count_as_the_same_move() {
        let base = row("a", "28", "none", 1);
        let mut other = row("a", "28", "mpc", 1);
        assert!(same_move(&base, &other));
        other.best_move = "c4".into();
        other.move_tied = Some(false);
        assert!(!same_move(&base, &other));
        other.move_tied = Some(true);
        assert!(same_move(&base, &other));
    }

    /// One mate among nineteen values a tenth of a pawn apart: it is counted, and moves no mean.
    #[test]
    fn mates_are_counted_and_are_no_distance() {
        let mut records = Vec::new();
        for i in 0..20 {
            for (methods, score) in [("none", 0), ("mpc", if i == 7 { 29_990 } else { 10 })] {
                let record = row(&format!("p{i}"), "28", methods, 100);
                records.push(Record { game: "chess".into(), score: Some(score), ..record });
            }
        }
        let c = against_baseline(&groups(&records)[0], 1, None);
        assert_eq!((c.value_difference.estimate, c.proven, c.n), (10.0, 1, 20));
        records.iter_mut().for_each(|record| record.score = Some(29_990));
        let c = against_baseline(&groups(&records)[0], 1, None);
        assert!(c.value_difference.estimate.is_nan() && c.proven == 20 && c.same_value.is_some());
    }

    #[test]
    fn a_move_that_nobody_decided_on_is_left_out_and_counted() {
        let mut rows: Vec<Record> = Vec::new();
        for (position, best_move, tied) in
            [("a", "c4", Some(true)), ("b", "c4", Some(false)), ("c", "c4", None), ("d", "", None)]
        {
            rows.push(row(position, "28", "none", 100));
            let mut other = row(position, "28", "mpc", 50);
            other.move_tied = tied;
            if !best_move.is_empty() {
                other.best_move = best_move.into();
            }
            rows.push(other);
        }
        let same_move = |rows: &[Record]| {
            let groups = groups(rows);
            (against_baseline(&groups[0], 1, None).same_move.unwrap().estimate, groups[0].undecided(1))
        };
        assert_eq!(same_move(&rows), (2.0 / 3.0, 1));
        // Where ties were not asked for, a move is the same if it is.
        rows.iter_mut().for_each(|row| row.move_tied = None);
        assert_eq!(same_move(&rows), (0.25, 0));
    }

    #[test]
    fn the_two_speedups_differ_as_they_should() {
        let records = [
            row("a", "28", "none", 100),
            row("a", "28", "mpc", 50),
            row("b", "28", "none", 900),
            row("b", "28", "mpc", 100),
        ];
        let groups = groups(&records);
        let c = against_baseline(&groups[0], 1, None);
        assert!((c.speedup_means.estimate - 1000.0 / 150.0).abs() < 1e-12);
        assert!((c.speedup_geometric.estimate - 18.0_f64.sqrt()).abs() < 1e-12);
        assert_eq!(c.n, 2);
    }

    #[test]
    fn branching_spans_an_even_number_of_iterations() {
        let steady: Vec<(u32, u64)> = (1..=8).map(|d| (d, 3_u64.pow(d))).collect();
        assert!((headline_branching(&steady).unwrap() - 3.0).abs() < 1e-12);
        // Odd iterations cost ten times, even ones twice: the square root of twenty a ply.
        let zigzag = [(1, 10), (2, 20), (3, 200), (4, 400), (5, 4_000)];
        assert!((headline_branching(&zigzag).unwrap() - 20.0_f64.sqrt()).abs() < 1e-9);
        assert_eq!(headline_branching(&[(1, 10), (2, 20)]), None);
    }

    #[test]
    fn fractional_depth_stays_within_its_ply() {
        let steady: Vec<(u32, u64)> = (1..=5).map(|d| (d, 4_u64.pow(d))).collect();
        assert_eq!(fractional_depth(&steady, 1024), Some(5.0));
        assert!((fractional_depth(&steady, 2048).unwrap() - 5.5).abs() < 1e-12);
        assert_eq!(fractional_depth(&steady, 1 << 20), Some(6.0));
    }
}
