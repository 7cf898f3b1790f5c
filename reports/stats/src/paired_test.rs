//! A paired test of two arms: both searched the same positions, and the difference at each position is what is tested.
//!
//! Intervals of two arms that were measured at the same positions say nothing about their difference: what makes one position
//! harder for both is in both of them. So whoever compares two arms takes the difference here, with its interval and its
//! p-value, and corrects the p-values of a family of such tests together ([`crate::inference::judged`]). Source games, not
//! positions, are the observations. Left out: arms of different runs, which may have been made by different programs.

use crate::depth::search_depth;
use crate::group::Group;
use crate::inference::share::clustered_difference;
use crate::inference::sign_flip;
use crate::interval::{Interval, mean_spread};
use crate::metrics::{Iterations, same_move};
use crate::solved::Solutions;
use secateur_record::record::Record;
use secateur_record::solution::Solution;
use std::collections::BTreeMap;

/// What two arms are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// Nodes of the first over nodes of the second, geometric.
    Nodes,
    /// Instructions likewise.
    Instructions,
    /// Time likewise.
    Time,
    /// How many times fewer nodes than its own baseline the first takes, over the same of the second, geometric: for arms at
    /// different budgets, whose node counts cannot be compared.
    NodesSaved,
    /// Share of positions with the baseline's move, first less second.
    SameMove,
    /// Share of positions with the baseline's value, first less second.
    SameValue,
    /// Mean regret, first less second, score units.
    Regret,
    /// Share of positions solved, first less second; positions with a known solution.
    Solved,
    /// Mean fractional depth at a fixed budget, first less second, plies; positions that neither finished.
    Depth,
}

impl Compared {
    /// Every measure with its name in `docs/tests.toml`.
    pub const ALL: [(Compared, &'static str); 9] = [
        (Compared::Nodes, "nodes"),
        (Compared::Instructions, "instructions"),
        (Compared::Time, "time"),
        (Compared::NodesSaved, "nodes_saved"),
        (Compared::SameMove, "same_move"),
        (Compared::SameValue, "same_value"),
        (Compared::Regret, "regret"),
        (Compared::Solved, "solved"),
        (Compared::Depth, "depth"),
    ];

    /// Whether it is a ratio of the two arms, and not a difference.
    #[must_use]
    pub fn is_ratio(self) -> bool {
        matches!(self, Compared::Nodes | Compared::Instructions | Compared::Time | Compared::NodesSaved)
    }
}

/// An arm in its group.
#[derive(Clone, Copy, Debug)]
pub struct ArmOf<'g, 'a> {
    /// Its game, suite and budget.
    pub group: &'g Group<'a>,
    /// Its index among the method sets of the group.
    pub method: usize,
}

/// What a paired test found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedTest {
    /// First over second for counts, first less second for the rest, with its 95 % interval.
    pub estimate: Interval,
    /// Its sign is the direction: of a ratio the logarithm.
    pub effect: f64,
    /// Two-sided p-value of no difference, not corrected.
    pub p: f64,
    /// Positions that both arms have a value at; of moves those at which it was decided whether both keep the baseline's.
    pub n: usize,
}

/// The difference of two arms over the positions that both finished; of `stage`, or of all. `iterations` are needed for
/// [`Compared::Depth`], `solutions` for [`Compared::Solved`].
///
/// # Errors
/// In words: no position in common, or a value that the record does not have.
pub fn paired_test(
    [first, second]: [ArmOf<'_, '_>; 2],
    compared: Compared,
    stage: Option<&str>,
    iterations: &Iterations<'_>,
    solutions: &Solutions,
) -> Result<PairedTest, String> {
    let others: BTreeMap<&str, usize> = second
        .group
        .blocks
        .iter()
        .enumerate()
        .map(|(index, block)| (&*block.base().position, index))
        .collect();
    let are_open = [first.group.is_open(), second.group.is_open()];
    let mut clusters = BTreeMap::<&str, Vec<f64>>::new();
    let mut missing = 0;
    for block in first.group.blocks.iter().filter(|block| stage.is_none_or(|stage| block.stage == stage)) {
        let Some(other) = others.get(&*block.base().position).map(|&index| &second.group.blocks[index])
        else {
            continue;
        };
        let rows = [(block.base(), block.rows[first.method]), (other.base(), other.rows[second.method])];
        if compared == Compared::Depth && rows.iter().any(|(_, row)| first.group.is_finished(row)) {
            continue;
        }
        if compared == Compared::SameMove
            && (are_open[0](block, first.method) || are_open[1](other, second.method))
        {
            continue;
        }
        let base = block.base();
        let key = (base.run, base.game, base.position);
        let solution = solutions.get(&key);
        if compared == Compared::Solved && solution.is_none() {
            continue;
        }
        match difference(rows, compared, iterations, solution) {
            Some(value) if value.is_finite() => clusters.entry(block.cluster).or_default().push(value),
            _ => missing += 1,
        }
    }
    let n = clusters.values().map(Vec::len).sum();
    match (n, missing) {
        (0, 0) => Err("found no position that both arms searched".to_owned()),
        (_, 1..) => Err(format!("{missing} positions have no value to compare by")),
        _ => Ok(tested(&clusters.into_values().collect::<Vec<_>>(), compared, n)),
    }
}

/// The difference at one position, from the baselines and the rows of both arms.
fn difference(
    [(first_base, first), (second_base, second)]: [(&Record, &Record); 2],
    compared: Compared,
    iterations: &Iterations<'_>,
    solution: Option<&Solution>,
) -> Option<f64> {
    let ratio = |one: u64, other: u64| (one.max(1) as f64 / other.max(1) as f64).ln();
    let saved = |base: &Record, row: &Record| (base.some_nodes() / row.some_nodes()).ln();
    let one = |is: bool| f64::from(u8::from(is));
    Some(match compared {
        Compared::Nodes => (first.some_nodes() / second.some_nodes()).ln(),
        Compared::Instructions => ratio(first.instructions?, second.instructions?),
        Compared::Time => ratio(first.time_ns, second.time_ns),
        Compared::NodesSaved => saved(first_base, first) - saved(second_base, second),
        Compared::SameMove => one(same_move(first_base, first)) - one(same_move(second_base, second)),
        Compared::SameValue => {
            let same = |base: &Record, row: &Record| Some(one(base.score? == row.score?));
            same(first_base, first)? - same(second_base, second)?
        }
        Compared::Regret => f64::from(first.regret?) - f64::from(second.regret?),
        Compared::Solved => {
            let solves = |row: &Record| Some(one(solution?.solves(&row.best_move, row.score)));
            solves(first)? - solves(second)?
        }
        Compared::Depth => search_depth(first, iterations)? - search_depth(second, iterations)?,
    })
}

fn tested(clusters: &[Vec<f64>], compared: Compared, n: usize) -> PairedTest {
    let totals: Vec<[f64; 2]> =
        clusters.iter().map(|values| [values.iter().sum(), values.len() as f64]).collect();
    let sums: Vec<f64> = totals.iter().map(|totals| totals[0]).collect();
    let found = mean_spread(&totals);
    let (estimate, p) = match compared {
        _ if compared.is_ratio() => (found.student().exp(), found.p()),
        Compared::Depth => (found.skewed(), found.p()),
        Compared::Regret => (found.heavy(sums.iter().filter(|sum| **sum != 0.0).count()), sign_flip(&sums)),
        _ => (clustered_difference(clusters), sign_flip(&sums)),
    };
    PairedTest { estimate, effect: found.estimate, p, n }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::row;
    use crate::group::groups;

    /// Positions at which the first arm saves between 2 and 40 times, and a second arm that takes 4 % fewer nodes at each.
    fn records() -> Vec<Record> {
        let mut records = Vec::new();
        for i in 0..40_u64 {
            let (position, nodes) = (format!("p{i}"), 250_000 + 125_000 * (37 * i % 39));
            for (arm, nodes) in [("none", 10_000_000), ("a", nodes), ("b", nodes * (959 + i % 3) / 1_000)] {
                records.push(row(&position, "28", arm, nodes));
            }
        }
        records
    }

    fn test(records: &[Record], compared: Compared) -> Result<PairedTest, String> {
        let groups = groups(records);
        let arm = |name: &str| ArmOf {
            group: &groups[0],
            method: groups[0].methods.iter().position(|own| *own == name).unwrap(),
        };
        paired_test([arm("a"), arm("b")], compared, None, &Iterations::new(), &Solutions::new())
    }

    #[test]
    fn a_small_steady_difference_is_found_where_intervals_overlap() {
        let records = records();
        let nodes = test(&records, Compared::Nodes).unwrap();
        assert!((1.03..1.05).contains(&nodes.estimate.estimate) && nodes.estimate.low > 1.03, "{nodes:?}");
        assert!(nodes.p < 1e-9 && nodes.n == 40);
        let groups = groups(&records);
        let [a, b] =
            [1, 2].map(|arm| crate::metrics::against_baseline(&groups[0], arm, None).speedup_geometric);
        assert!(a.high > b.low, "unpaired, nothing is seen: {a:?} {b:?}");
        let saved = test(&records, Compared::NodesSaved).unwrap();
        assert!((saved.effect + nodes.effect).abs() < 1e-12, "the same baseline cancels");
    }

    #[test]
    fn shares_and_losses_are_paired_by_source_game() {
        let mut records = records();
        for (index, record) in records.iter_mut().enumerate() {
            let (position, arm) = (index / 3, index % 3);
            record.regret = Some(if arm == 1 && position % 4 == 0 { 12 } else { 0 });
            if arm == 1 && position % 4 == 0 {
                (record.best_move, record.move_tied) = ("a1".into(), Some(false));
            }
        }
        let moves = test(&records, Compared::SameMove).unwrap();
        assert!((moves.estimate.estimate + 0.25).abs() < 1e-12 && moves.estimate.high < 0.0);
        assert!((moves.p - 2.0 / 1024.0).abs() < 1e-12, "ten of ten, McNemar: {}", moves.p);
        assert!((test(&records, Compared::Regret).unwrap().effect - 3.0).abs() < 1e-12);
        // The same ten positions in one source game are one observation.
        for record in &mut records {
            record.cluster = if record.position[1..].parse::<u32>().unwrap() % 4 == 0 {
                "one".into()
            } else {
                record.position
            };
        }
        let moves = test(&records, Compared::SameMove).unwrap();
        assert!(moves.p == 1.0 && !moves.estimate.has_ends(), "too few to say anything: {moves:?}");
    }

    /// Five positions that only the second arm solves, one that only the first does, and one whose solution nobody knows.
    #[test]
    fn solved_positions_are_paired() {
        let mut records = records();
        let mut known = Solutions::new();
        for (index, record) in records.iter_mut().enumerate() {
            let (position, arm) = (index / 3, index % 3);
            let solves = position > 6 || arm != if position == 5 { 2 } else { 1 };
            record.best_move = if solves { "a1" } else { "a2" }.into();
            if position != 6 {
                let solution = Solution { best: vec!["a1".to_owned()], ..Solution::default() };
                known.insert((record.run, record.game, record.position), solution);
            }
        }
        let groups = groups(&records);
        let arms = [1, 2].map(|method| ArmOf { group: &groups[0], method });
        let found = paired_test(arms, Compared::Solved, None, &Iterations::new(), &known).unwrap();
        assert_eq!(found.n, 39);
        assert!((found.estimate.estimate + 4.0 / 39.0).abs() < 1e-12, "{found:?}");
        // The 5:1 of six positions: McNemar's exact test.
        assert!((found.p - 14.0 / 64.0).abs() < 1e-12, "{found:?}");
    }

    /// A move that nobody compared with the baseline's is left out of both arms.
    #[test]
    fn undecided_moves_are_left_out_of_the_pair() {
        let mut records = records();
        for (index, record) in records.iter_mut().enumerate() {
            let (position, arm) = (index / 3, index % 3);
            if arm == 1 && position < 10 {
                (record.best_move, record.move_tied) = ("a1".into(), (position < 6).then_some(position < 2));
            }
        }
        let moves = test(&records, Compared::SameMove).unwrap();
        assert_eq!(moves.n, 36);
        assert!((moves.estimate.estimate + 4.0 / 36.0).abs() < 1e-12, "{moves:?}");
    }

    #[test]
    fn what_is_not_there_is_said() {
        assert!(test(&records(), Compared::Regret).unwrap_err().contains("40 positions have no value"));
        let mut other = records();
        other.iter_mut().for_each(|record| record.budget = 13);
        let (one, two) = (records(), other);
        let (one, two) = (groups(&one), groups(&two));
        let arm = |groups: &'_ [Group<'_>]| groups[0].methods.len() - 1;
        let arms = [ArmOf { group: &one[0], method: arm(&one) }, ArmOf { group: &two[0], method: arm(&two) }];
        let across =
            paired_test(arms, Compared::NodesSaved, None, &Iterations::new(), &Solutions::new()).unwrap();
        assert!((across.estimate.estimate - 1.0).abs() < 1e-12 && across.p == 1.0);
        assert!(
            paired_test(arms, Compared::Nodes, Some("44"), &Iterations::new(), &Solutions::new()).is_err()
        );
    }
}
