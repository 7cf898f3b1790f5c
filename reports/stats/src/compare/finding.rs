//! What is weighed: cost on one side, accuracy on the other, each with its test.

use super::{Duel, SharedPosition};
use crate::clock::{Untimed, timed};
use crate::inference::share::clustered_difference;
use crate::inference::spread::Spread;
use crate::inference::{Shown, Test, mcnemar, shown, sign_flip};
use crate::interval::{Interval, mean, mean_spread};
use crate::metrics::same_move;
use secateur_record::record::{BudgetKind, Record};
use statrs::distribution::{Binomial, DiscreteCDF};

/// A measure of a comparison. The first three are costs, the others accuracy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quantity {
    /// Nodes, at a fixed depth.
    Nodes,
    /// CPU time, at a fixed depth and within one run.
    Time,
    /// Depth reached at a budget of nodes or time.
    Depth,
    /// Positions with the move of the side's own baseline, at a fixed depth.
    Moves,
    /// Positions with the value of the side's own baseline, at a fixed depth.
    Values,
    /// Mean absolute difference from the value of the side's own baseline, at a fixed depth.
    Dv,
    /// Mean oracle regret.
    Regret,
    /// Positions solved.
    Solved,
}

impl Quantity {
    /// All, in the order of tables.
    pub const ALL: [Quantity; 8] = [
        Quantity::Nodes,
        Quantity::Time,
        Quantity::Depth,
        Quantity::Moves,
        Quantity::Values,
        Quantity::Dv,
        Quantity::Regret,
        Quantity::Solved,
    ];

    /// Its name on the command line and in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Quantity::Nodes => "nodes",
            Quantity::Time => "time",
            Quantity::Depth => "depth",
            Quantity::Moves => "moves",
            Quantity::Values => "values",
            Quantity::Dv => "dv",
            Quantity::Regret => "regret",
            Quantity::Solved => "solved",
        }
    }
}

/// How a measure changed from the first to the second side.
#[derive(Clone, Copy, Debug)]
pub enum Change {
    /// The second over the first side, a mean of logarithms.
    Ratio {
        /// Of the logarithms.
        spread: Spread,
        /// The ratio.
        within: Interval,
    },
    /// The second less the first side, a mean of differences.
    Difference {
        /// Of the differences.
        spread: Spread,
        /// The difference.
        within: Interval,
    },
    /// Positions that are right or wrong.
    Positions {
        /// How many there are.
        n: usize,
        /// Those that only the second side has right.
        won: u64,
        /// Those that only the first side has right.
        lost: u64,
        /// The difference of their shares.
        within: Interval,
    },
}

/// One measure of one duel.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What was measured.
    pub quantity: Quantity,
    /// Of the first and the second side: means, or how many positions are right.
    pub sides: [f64; 2],
    /// What values are read in (`discs`, `pawns`), where the numbers are values; empty where they are not.
    pub units: String,
    /// What came of it.
    pub change: Change,
    /// Above 0 the second side is worse.
    pub effect: f64,
    /// Two-sided; `NaN` where the sides do not differ at all, which is no test.
    pub p: f64,
}

impl Finding {
    /// Above: the second side is shown to be worse.
    #[must_use]
    pub fn worse(&self) -> Shown {
        shown(Test { effect: self.effect, p: self.p })
    }

    /// The ratio, the difference or the number of positions that tests at `level` would have shown in 80 of 100 such samples;
    /// `None` if there is no such number of positions.
    #[must_use]
    pub fn detectable(&self, level: f64) -> Option<f64> {
        match self.change {
            Change::Ratio { spread, .. } => Some(spread.detectable(level).exp()),
            Change::Difference { spread, .. } => Some(spread.detectable(level)),
            Change::Positions { n, .. } => one_way(n, level),
        }
    }
}

/// Whether every search of both sides has a time.
///
/// # Errors
/// How many have none.
pub(super) fn timed_sides(duel: &Duel<'_>) -> Result<(), Untimed> {
    timed([0, 1].into_iter().map(|side| duel.positions.iter().map(|position| position.rows[side]).collect()))
}

/// Everything that a duel can be judged by. `same_run` says that times were taken in turns.
#[must_use]
pub(super) fn findings(duel: &Duel<'_>, same_run: bool) -> Vec<Finding> {
    let mut found = Vec::new();
    if duel.budget_kind == BudgetKind::Depth {
        found.extend(logs(duel, Quantity::Nodes, |row| row.nodes));
        let has_times = same_run && timed_sides(duel).is_ok();
        found.extend(has_times.then(|| logs(duel, Quantity::Time, |row| Some(row.time_ns))).flatten());
        let based = |keeps: fn(&Record, &Record) -> bool| {
            move |position: &SharedPosition<'_>, side: usize| {
                Some(keeps(position.bases[side]?, position.rows[side]))
            }
        };
        let decided = |position: &SharedPosition<'_>| !position.open.contains(&true);
        found.extend(counts(duel, Quantity::Moves, decided, based(same_move)));
        found.extend(counts(
            duel,
            Quantity::Values,
            |_| true,
            |position, side| {
                let (base, row) = (position.bases[side]?.score?, position.rows[side].score?);
                Some(base == row)
            },
        ));
        let off = |position: &SharedPosition<'_>, side: usize| {
            Some(position.bases[side]?.value_distance(position.rows[side])).filter(|apart| apart.is_finite())
        };
        found.extend(losses(duel, Quantity::Dv, |position| !has_proven(duel, position), off));
    } else {
        let has_depths =
            duel.positions.iter().flat_map(|position| position.rows).all(|row| row.depth.is_some());
        found.extend(has_depths.then(|| depth(duel)));
    }
    let regret = |position: &SharedPosition<'_>, side: usize| position.rows[side].regret.map(f64::from);
    found.extend(losses(duel, Quantity::Regret, |_| true, regret));
    // Of a set some positions of which have solutions, those count.
    let known = |position: &SharedPosition<'_>| position.solved.iter().all(Option::is_some);
    found.extend(counts(duel, Quantity::Solved, known, |position, side| position.solved[side]));
    found
}

/// Ratios of a count, as logarithms; none where a row has no count.
fn logs(duel: &Duel<'_>, quantity: Quantity, field: fn(&Record) -> Option<u64>) -> Option<Finding> {
    let both = |position: &SharedPosition<'_>| Some([field(position.rows[0])?, field(position.rows[1])?]);
    let counts: Vec<[u64; 2]> = duel.positions.iter().map(both).collect::<Option<_>>()?;
    let spread = spread(duel, |position| {
        let [first, second] = both(position)?.map(|count| count.max(1) as f64);
        Some((second / first).ln())
    });
    let sides = [0, 1].map(|side| mean(&counts.iter().map(|counts| counts[side] as f64).collect::<Vec<_>>()));
    let same = counts.iter().all(|[first, second]| first == second);
    let p = if same { f64::NAN } else { spread.p() };
    let change = Change::Ratio { spread, within: spread.student().exp() };
    Some(Finding { quantity, sides, units: String::new(), change, effect: spread.estimate, p })
}

/// Depths of the positions that neither side finished.
fn depth(duel: &Duel<'_>) -> Finding {
    let open: Vec<&SharedPosition<'_>> = duel
        .positions
        .iter()
        .filter(|position| !position.rows.iter().any(|row| duel.is_finished(row)))
        .collect();
    let of = |side: usize| open.iter().map(|position| position.rows[side].depth()).collect::<Vec<_>>();
    let gain = spread(duel, |position| {
        let [first, second] = position.rows;
        let finished = duel.is_finished(first) || duel.is_finished(second);
        (!finished).then(|| second.depth() - first.depth())
    });
    let p = if of(0) == of(1) { f64::NAN } else { gain.p() };
    Finding {
        quantity: Quantity::Depth,
        sides: [0, 1].map(|side| mean(&of(side))),
        units: String::new(),
        change: Change::Difference { spread: gain, within: gain.skewed() },
        effect: -gain.estimate,
        p,
    }
}

/// Positions that are right or wrong, of those that count; `None` unless each of them says so on both sides.
fn counts(
    duel: &Duel<'_>,
    quantity: Quantity,
    is_counted: impl Fn(&SharedPosition<'_>) -> bool,
    right: impl Fn(&SharedPosition<'_>, usize) -> Option<bool>,
) -> Option<Finding> {
    let both = |position: &SharedPosition<'_>| Some([right(position, 0)?, right(position, 1)?]);
    let counted = duel.positions.iter().filter(|position| is_counted(position));
    let found: Vec<[bool; 2]> = counted.map(both).collect::<Option<_>>()?;
    let n = found.len();
    if n == 0 {
        return None;
    }
    let only = |wanted: [bool; 2]| found.iter().filter(|both| **both == wanted).count() as u64;
    let (lost, won) = (only([true, false]), only([false, true]));
    let sides = [0, 1].map(|side| found.iter().filter(|both| both[side]).count() as f64);
    // Positions of one source game are not independent, so whole games change sign.
    let change = |[first, second]: [bool; 2]| f64::from(second) - f64::from(first);
    let games = duel.clusters().into_iter();
    let games = games.map(|mut positions| {
        positions.retain(&is_counted);
        positions.iter().filter_map(both).map(change).collect::<Vec<f64>>()
    });
    let games: Vec<Vec<f64>> = games.filter(|own| !own.is_empty()).collect();
    let sums: Vec<f64> = games.iter().map(|own| own.iter().sum()).collect();
    let p = if lost + won == 0 { f64::NAN } else { sign_flip(&sums) };
    let change = Change::Positions { n, won, lost, within: clustered_difference(&games) };
    Some(Finding { quantity, sides, units: String::new(), change, effect: lost as f64 - won as f64, p })
}

/// Whether a value that is compared there is proven: a mate is no number of pawns.
fn has_proven(duel: &Duel<'_>, position: &SharedPosition<'_>) -> bool {
    let rows = position.bases.iter().flatten().chain(&position.rows);
    rows.filter_map(|row| row.score).any(|score| duel.traits.is_proven(score))
}

/// Means of losses over the positions that count, in what the game's values are read in; `None` unless each of them has one on both sides.
fn losses(
    duel: &Duel<'_>,
    quantity: Quantity,
    counts: impl Fn(&SharedPosition<'_>) -> bool,
    of: impl Fn(&SharedPosition<'_>, usize) -> Option<f64>,
) -> Option<Finding> {
    let per_unit = f64::from(duel.traits.per_unit.max(1));
    let of = |position: &SharedPosition<'_>, side: usize| Some(of(position, side)? / per_unit);
    let all = |side: usize| {
        let counted = duel.positions.iter().filter(|position| counts(position));
        counted.map(|position| of(position, side)).collect::<Option<Vec<f64>>>()
    };
    let (first, second) = (all(0)?, all(1)?);
    if first.is_empty() {
        return None;
    }
    let more = |position: &SharedPosition<'_>| {
        if counts(position) { Some(of(position, 1)? - of(position, 0)?) } else { None }
    };
    let spread = spread(duel, more);
    let sums: Vec<f64> =
        duel.clusters().iter().map(|positions| positions.iter().filter_map(more).sum()).collect();
    let changed = sums.iter().filter(|sum| **sum != 0.0).count();
    Some(Finding {
        quantity,
        sides: [mean(&first), mean(&second)],
        units: duel.traits.units(),
        change: Change::Difference { spread, within: spread.heavy(changed) },
        effect: spread.estimate,
        p: if first == second { f64::NAN } else { sign_flip(&sums) },
    })
}

/// The mean of a difference over positions, by source game.
fn spread(duel: &Duel<'_>, difference: impl Fn(&SharedPosition<'_>) -> Option<f64>) -> Spread {
    let totals = duel.clusters().into_iter().filter_map(|positions| {
        let values: Vec<f64> = positions.iter().filter_map(&difference).collect();
        (!values.is_empty()).then(|| [values.iter().sum(), values.len() as f64])
    });
    mean_spread(&totals.collect::<Vec<_>>())
}

/// How many of `n` positions must be expected to change one way, and none the other, so that McNemar's test shows it at
/// `level` in 80 of 100 samples; `None` if even all of them would not.
fn one_way(n: usize, level: f64) -> Option<f64> {
    let n = n as u64;
    let least = (1..=n).find(|&k| mcnemar(k, 0) <= level)?;
    let power = |share: f64| Binomial::new(share, n).map_or(0.0, |law| law.sf(least - 1));
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        *if power(middle) < 0.8 { &mut low } else { &mut high } = middle;
    }
    Some((high * n as f64).ceil())
}

/// A ratio that is no interval yet, for columns next to the judged ones.
#[must_use]
pub fn untested_ratio(duel: &Duel<'_>, field: fn(&Record) -> Option<u64>) -> Option<Interval> {
    let log = |position: &SharedPosition<'_>| {
        let [first, second] = position.rows;
        Some((field(second)?.max(1) as f64 / field(first)?.max(1) as f64).ln())
    };
    let whole = duel.positions.iter().all(|position| log(position).is_some());
    whole.then(|| spread(duel, log).student().exp())
}

#[cfg(test)]
mod tests {
    use super::one_way;

    /// Six of six is the least that McNemar's test shows at 5 %: 2 / 2^6 = 0.031.
    #[test]
    fn what_a_sample_can_show_one_way() {
        let expected = one_way(60, 0.05).unwrap();
        // With 8 of 60 expected, six or more come in 80 of 100 samples.
        assert!((7.0..=9.0).contains(&expected), "{expected}");
        assert!(one_way(60, 0.005).unwrap() > expected);
        assert_eq!(one_way(5, 0.05), None);
    }
}
