//! How fast one program is next to another on the same positions, and how far the same program is from itself.
//!
//! Every number is a ratio of this program over the other: the geometric mean over positions with Student's interval over source
//! games, of the middle one of the rounds, and next to it the ratio of the sums, in which the longest searches weigh most. The
//! noise is the same ratio of a program over itself, of its odd rounds over its even ones, which took turns like two programs. A
//! position that is not solved has no time to a solution: the ratio is of those that both solve, and all count for who was
//! sooner, where a position that only one solves goes to that one, and the mean time in which one that is not solved counts as
//! twice what it was given (PAR2).

use crate::inference::sign_flip;
use crate::interval::{Interval, mean_spread, ratio_of_sums, sums_by_game};
use crate::solved::solved;
use crate::spent::tick;
use secateur_record::manifest::Solution;
use secateur_record::record::{CellKey, IterationRow, Record};
use std::collections::{BTreeMap, BTreeSet};

/// Shorter times to a solution are not told apart, nanoseconds: most programs name their times in milliseconds.
const SHORTEST: f64 = 1e6;

/// Shorter searches have no time that could be compared, nanoseconds: clocks of other processes are not read more finely.
const TOO_SHORT: f64 = 1e5;

/// What a search is measured by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// CPU time, nanoseconds.
    Time,
    /// Nodes, as each program counts them.
    Nodes,
    /// Nodes a nanosecond.
    Rate,
    /// Instructions.
    Instructions,
    /// Instructions a node.
    InstructionsPerNode,
}

impl Quantity {
    /// `tick` is that of the clock which timed the program.
    fn value(self, row: &Record, tick: u64) -> f64 {
        let has_time = row.time_ns > tick && row.time_ns as f64 >= TOO_SHORT;
        let time = if has_time { row.time_ns as f64 } else { f64::NAN };
        let instructions = row.instructions.map_or(f64::NAN, |count| count as f64);
        match self {
            Quantity::Time => time,
            Quantity::Nodes => row.some_nodes(),
            Quantity::Rate => row.some_nodes() / time,
            Quantity::Instructions => instructions,
            Quantity::InstructionsPerNode => instructions / row.some_nodes(),
        }
    }
}

/// The values of one program at one position, by round; infinite where a search did not come to one.
#[derive(Clone, Debug, PartialEq)]
pub struct Rounds {
    /// Source game.
    pub cluster: String,
    /// In order.
    pub values: Vec<f64>,
}

/// The values of one program by position.
pub type Values = BTreeMap<String, Rounds>;

impl Rounds {
    /// The middle of all rounds, or of every second one from `from` on; the lower one of two.
    fn middle(&self, from: usize, step: usize) -> f64 {
        middle(self.values.iter().copied().skip(from).step_by(step))
    }
}

/// The middle of some values, the lower one of two; what is no number is the last of all.
pub(crate) fn middle(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len().saturating_sub(1) / 2).copied().unwrap_or(f64::NAN)
}

/// Searches of one arm by position; positions of which any search failed are left out.
pub(crate) fn searches<'r>(rows: &[&'r Record], arm: &str) -> BTreeMap<&'r str, Vec<&'r Record>> {
    let mut all: BTreeMap<&str, Vec<&Record>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.methods == arm) {
        all.entry(&row.position).or_default().push(row);
    }
    all.retain(|_, rows| rows.iter().all(|row| row.error.is_none()));
    all.values_mut().for_each(|rows| rows.sort_by_key(|row| row.repeat));
    all
}

/// The rows of these arms, of the rounds that all of them searched, at positions at which none of them failed: of a run that was
/// stopped, arms have searched different ones. An arm that only failed is not waited for.
pub fn in_common<'r>(rows: &[&'r Record], arms: &[&str]) -> Vec<&'r Record> {
    let ended = |arm: &&&str| rows.iter().any(|row| row.methods == ***arm && row.error.is_none());
    let arms: Vec<&str> = arms.iter().filter(ended).copied().collect();
    let (mut rounds, mut failed) = (BTreeMap::<(&str, u32), BTreeSet<&str>>::new(), BTreeSet::<&str>::new());
    let mine: Vec<&Record> =
        rows.iter().copied().filter(|row| arms.contains(&row.methods.as_str())).collect();
    for row in &mine {
        rounds.entry((&row.position, row.repeat)).or_default().insert(&row.methods);
        if row.error.is_some() {
            failed.insert(&row.position);
        }
    }
    let is_shared = |row: &&Record| {
        rounds[&(row.position.as_str(), row.repeat)].len() == arms.len()
            && !failed.contains(row.position.as_str())
    };
    mine.into_iter().filter(is_shared).collect()
}

/// What the searches of an arm are measured by, by position.
pub fn measured(rows: &[&Record], arm: &str, quantity: Quantity) -> Values {
    let tick = tick(rows.iter().filter(|row| row.methods == arm).map(|row| row.time_ns));
    let rounds_of = |rows: Vec<&Record>| Rounds {
        cluster: rows[0].cluster.to_string(),
        values: rows.iter().map(|row| quantity.value(row, tick)).collect(),
    };
    searches(rows, arm).into_iter().map(|(position, rows)| (position.to_owned(), rounds_of(rows))).collect()
}

/// The times from which on an arm named the right move to the end, by position, nanoseconds: infinite where it did not.
pub fn times_to_solution(
    rows: &[&Record],
    iterations: &BTreeMap<CellKey, Vec<&IterationRow>>,
    solutions: &BTreeMap<String, Solution>,
    arm: &str,
) -> Values {
    let time = |row: &Record, solution: &Solution| {
        let steps = iterations.get(&row.key()).map_or(&[][..], Vec::as_slice);
        let solving = solved(solution, steps).filter(|_| solution.solves(&row.best_move, row.score));
        solving.map_or(f64::INFINITY, |step| (step.time_ns as f64).max(SHORTEST))
    };
    let rounds_of = |(position, rows): (&str, Vec<&Record>)| {
        let solution = solutions.get(position)?;
        let values = rows.iter().map(|row| time(row, solution)).collect();
        Some((position.to_owned(), Rounds { cluster: rows[0].cluster.to_string(), values }))
    };
    searches(rows, arm).into_iter().filter_map(rounds_of).collect()
}

/// A geometric mean of ratios.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Over {
    /// Positions at which both have a value.
    pub positions: usize,
    /// The ratio; not a number without positions.
    pub ratio: Interval,
}

/// One program over another.
pub fn over(ours: &Values, theirs: &Values) -> Over {
    geometric(both(ours, theirs))
}

/// One program over another in sum, over the positions at which both have a value; not a number without any.
pub fn over_in_sum(ours: &Values, theirs: &Values) -> f64 {
    let [own, other] = both(ours, theirs)
        .filter(|(_, ours, other)| ours.is_finite() && other.is_finite())
        .fold([0.0, 0.0], |[ours, other], (_, one, two)| [ours + one, other + two]);
    own / other
}

/// Source game and middle rounds of the positions that both searched.
fn both<'v>(ours: &'v Values, theirs: &'v Values) -> impl Iterator<Item = (&'v str, f64, f64)> {
    ours.iter().filter_map(|(position, ours)| {
        let theirs = theirs.get(position)?;
        Some((ours.cluster.as_str(), ours.middle(0, 1), theirs.middle(0, 1)))
    })
}

/// The geometric mean of one program at the positions at which the other has a value, too; not a number without any.
pub fn typical(values: &Values, other: &Values) -> f64 {
    let shared = values
        .iter()
        .filter(|(position, _)| other.get(*position).is_some_and(|rounds| rounds.middle(0, 1).is_finite()));
    geometric(shared.map(|(_, rounds)| (rounds.cluster.as_str(), rounds.middle(0, 1), 1.0))).ratio.estimate
}

/// A program over itself: its odd rounds over its even ones; `None` if there was one round only.
pub fn over_itself(values: &Values) -> Option<Over> {
    let twice = values.values().filter(|rounds| rounds.values.len() > 1);
    let pairs = twice.map(|rounds| (rounds.cluster.as_str(), rounds.middle(0, 2), rounds.middle(1, 2)));
    Some(geometric(pairs)).filter(|over| over.positions > 0)
}

/// The geometric mean of ratios of finite values, over source games.
fn geometric<'a>(pairs: impl Iterator<Item = (&'a str, f64, f64)>) -> Over {
    let pairs: Vec<_> = pairs.filter(|(_, ours, theirs)| ours.is_finite() && theirs.is_finite()).collect();
    let logs = pairs.iter().map(|(game, ours, theirs)| (*game, [(ours / theirs).ln(), 1.0]));
    Over { positions: pairs.len(), ratio: mean_spread(&sums_by_game(logs)).student().exp() }
}

/// How near the selective searches of a program come to its own at full width.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accuracy {
    /// Positions that it searched in both ways.
    pub positions: u64,
    /// Where both have the same move.
    pub same_move: u64,
    /// Where both have a value.
    pub valued: u64,
    /// Where it is the same.
    pub same_value: u64,
    /// Mean absolute difference of the values, in the unit of the score; not a number without any.
    pub off_by: f64,
}

/// Compares the first rounds of an arm.
pub fn accuracy(selective: &[&Record], full_width: &[&Record], arm: &str) -> Accuracy {
    let (mut accuracy, mut off, all) = (Accuracy::default(), 0.0, searches(full_width, arm));
    for (position, rows) in searches(selective, arm) {
        let Some(full) = all.get(position) else { continue };
        let (one, other) = (rows[0], full[0]);
        accuracy.positions += 1;
        accuracy.same_move += u64::from(one.best_move == other.best_move);
        if let (Some(one), Some(other)) = (one.score, other.score) {
            accuracy.valued += 1;
            accuracy.same_value += u64::from(one == other);
            off += f64::from(one.abs_diff(other));
        }
    }
    accuracy.off_by = off / accuracy.valued as f64;
    accuracy
}

/// Who solves what of the positions that both searched.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Solved by both.
    pub both: u64,
    /// Solved by ours, and by theirs, alone.
    pub alone: [u64; 2],
    /// Solved by neither.
    pub neither: u64,
    /// Positions at which ours, and theirs, was sooner; one that is solved by one alone goes to that one.
    pub sooner: [u64; 2],
    /// p-value of both being sooner as often: a sign test over source games.
    pub p: f64,
}

/// Counts the positions that both searched.
pub fn tally(ours: &Values, theirs: &Values) -> Tally {
    let mut tally = Tally::default();
    let mut games = BTreeMap::<&str, f64>::new();
    for (position, ours) in ours {
        let Some(other) = theirs.get(position) else { continue };
        let cluster = ours.cluster.as_str();
        let (ours, other) = (ours.middle(0, 1), other.middle(0, 1));
        match (ours.is_finite(), other.is_finite()) {
            (true, true) => tally.both += 1,
            (true, false) => tally.alone[0] += 1,
            (false, true) => tally.alone[1] += 1,
            (false, false) => tally.neither += 1,
        }
        tally.sooner[0] += u64::from(ours < other);
        tally.sooner[1] += u64::from(other < ours);
        *games.entry(cluster).or_default() += f64::from(ours < other) - f64::from(other < ours);
    }
    tally.p = sign_flip(&games.into_values().collect::<Vec<f64>>());
    tally
}

/// Mean time to a solution of ours over theirs, over all positions that both searched, with its interval over source games. A position
/// that is not solved within `given` nanoseconds counts as twice that (PAR2).
pub fn penalised(ours: &Values, theirs: &Values, given: f64) -> Interval {
    let counted = |time: f64| if time <= given { time } else { 2.0 * given };
    let pairs = both(ours, theirs).map(|(game, ours, other)| (game, [ours, other].map(counted)));
    ratio_of_sums(&sums_by_game(pairs))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::row;

    fn values(lists: &[(&str, &[f64])]) -> Values {
        let rounds =
            |cluster: &str, values: &[f64]| Rounds { cluster: cluster.to_owned(), values: values.to_vec() };
        lists.iter().map(|(name, list)| ((*name).to_owned(), rounds(name, list))).collect()
    }

    /// By hand: ratios of 2, 2 and 1/2 have the geometric mean 2^(1/3), and the middle round decides each.
    #[test]
    fn ratios_are_geometric_means_of_middle_rounds() {
        let ours = values(&[("a", &[2.0, 99.0, 2.0]), ("b", &[4.0]), ("c", &[1.0]), ("d", &[7.0])]);
        let theirs = values(&[("a", &[1.0]), ("b", &[2.0, 2.0]), ("c", &[2.0]), ("e", &[7.0])]);
        let ratio = over(&ours, &theirs);
        assert_eq!(ratio.positions, 3);
        assert!((ratio.ratio.estimate - 2_f64.cbrt()).abs() < 1e-12 && ratio.ratio.has_ends());
        assert!((over_in_sum(&ours, &theirs) - 7.0 / 5.0).abs() < 1e-12, "longer searches weigh more");
        let turned = over(&theirs, &ours);
        assert!((ratio.ratio.estimate * turned.ratio.estimate - 1.0).abs() < 1e-12);
        assert!((ratio.ratio.low * turned.ratio.high - 1.0).abs() < 1e-9, "which is first does not matter");
        let (our_time, other) = (typical(&ours, &theirs), typical(&theirs, &ours));
        assert!(
            (our_time - 2.0).abs() < 1e-12 && (our_time / other - ratio.ratio.estimate).abs() < 1e-12,
            "{our_time} {other}"
        );
    }

    #[test]
    fn a_program_is_held_against_its_own_other_rounds() {
        let repeated =
            over_itself(&values(&[("a", &[3.0, 1.0]), ("b", &[1.0, 3.0]), ("c", &[5.0])])).unwrap();
        assert!((repeated.ratio.estimate - 1.0).abs() < 1e-12, "{repeated:?}");
        assert_eq!(repeated.positions, 2);
        assert_eq!(over_itself(&values(&[("c", &[5.0])])), None);
    }

    /// What is not solved is no time: it is counted, never averaged.
    #[test]
    fn what_only_one_solves_is_counted_and_in_no_ratio() {
        let no = f64::INFINITY;
        let ours = values(&[("a", &[4.0]), ("b", &[no]), ("c", &[2.0]), ("d", &[no]), ("e", &[3.0, no])]);
        let theirs = values(&[("a", &[2.0]), ("b", &[9.0]), ("c", &[no]), ("d", &[no]), ("e", &[3.0])]);
        let tally = tally(&ours, &theirs);
        assert_eq!((tally.both, tally.alone, tally.neither), (2, [1, 1], 1));
        assert_eq!((tally.sooner, tally.p), ([1, 2], 1.0));
        assert!((over(&ours, &theirs).ratio.estimate - 2_f64.sqrt()).abs() < 1e-12);
        assert!((over_in_sum(&ours, &theirs) - 7.0 / 5.0).abs() < 1e-12);
        // Of ten each: 4 + 20 + 2 + 20 + 3 over 2 + 9 + 20 + 20 + 3.
        let par2 = penalised(&ours, &theirs, 10.0);
        assert!((par2.estimate - 49.0 / 54.0).abs() < 1e-12 && par2.has_ends(), "{par2:?}");
        assert!(penalised(&ours, &values(&[]), 10.0).estimate.is_nan());
    }

    #[test]
    fn accuracy_is_what_a_program_shares_with_itself_at_full_width() {
        let cell = |position: &str, best_move: &str, score: Option<i32>| Record {
            best_move: best_move.into(),
            score,
            ..row(position, "s", "x", 10)
        };
        let full = [cell("a", "d3", Some(200)), cell("b", "c4", Some(-100)), cell("c", "e6", None)];
        let selective = [
            cell("a", "d3", Some(200)),
            cell("b", "f5", Some(-400)),
            cell("c", "e6", Some(0)),
            cell("d", "a1", Some(0)),
        ];
        let kept = accuracy(&selective.iter().collect::<Vec<_>>(), &full.iter().collect::<Vec<_>>(), "x");
        assert_eq!(kept, Accuracy { positions: 3, same_move: 2, valued: 2, same_value: 1, off_by: 150.0 });
    }

    #[test]
    fn searches_too_short_for_a_clock_have_no_time() {
        let rows = [99_999, 100_000].map(|time_ns| Record { time_ns, ..row("a", "s", "x", 10) });
        let value = |row: &Record, quantity| measured(&[row], "x", quantity)["a"].values[0];
        assert!(value(&rows[0], Quantity::Time).is_nan() && value(&rows[0], Quantity::Rate).is_nan());
        assert_eq!((value(&rows[1], Quantity::Time), value(&rows[0], Quantity::Nodes)), (1e5, 10.0));
        let short = measured(&[&rows[0]], "x", Quantity::Time);
        assert_eq!(over(&short, &measured(&[&rows[1]], "x", Quantity::Time)).positions, 0);
    }

    /// A run was stopped when only one of two had searched the second position, and the second round of the first.
    #[test]
    fn a_run_that_was_stopped_compares_what_all_have() {
        let cell = |position: &str, arm: &str, repeat: u32| Record { repeat, ..row(position, "s", arm, 10) };
        let rows = [cell("a", "x", 0), cell("a", "y", 0), cell("a", "x", 1), cell("b", "x", 0)];
        let rows: Vec<&Record> = rows.iter().collect();
        let kept = |arms: &[&str]| in_common(&rows, arms).into_iter().map(Record::key).collect::<Vec<_>>();
        assert_eq!(kept(&["x", "y"]), [rows[0].key(), rows[1].key()]);
        assert_eq!(kept(&["x", "nobody"]).len(), 3, "who never came to an end is not waited for");
        let failed =
            Record { error: Some(secateur_record::record::Failure::new("died")), ..cell("a", "y", 1) };
        let rows: Vec<&Record> = rows.iter().copied().chain([&failed]).collect();
        assert!(in_common(&rows, &["x", "y"]).is_empty(), "a failed round costs its position");
    }

    #[test]
    fn a_failed_round_costs_its_position() {
        let mut rows = vec![row("a", "s", "x", 10), row("a", "s", "x", 20), row("b", "s", "x", 30)];
        rows[1].repeat = 1;
        let values_of = |rows: &[Record]| measured(&rows.iter().collect::<Vec<_>>(), "x", Quantity::Nodes);
        assert_eq!(values_of(&rows)["a"].values, [10.0, 20.0]);
        rows[1].error = Some(secateur_record::record::Failure::new("died"));
        assert_eq!(values_of(&rows).keys().collect::<Vec<_>>(), ["b"]);
        assert!(
            measured(&rows.iter().collect::<Vec<_>>(), "x", Quantity::Instructions)["b"].values[0].is_nan()
        );
    }

    #[test]
    fn a_solution_counts_from_where_it_stays_and_a_millisecond_is_the_least() {
        let record = Record { best_move: "d3".into(), ..row("a", "s", "x", 10) };
        let step = |depth: u32, best_move: &str| IterationRow {
            depth,
            best_move: best_move.into(),
            time_ns: 700_000 * u64::from(depth),
            ..IterationRow::of(&record.key())
        };
        let times = |moves: &[&str]| {
            let steps: Vec<IterationRow> = (1..).zip(moves).map(|(depth, mv)| step(depth, mv)).collect();
            let by_key = BTreeMap::from([(record.key(), steps.iter().collect())]);
            let solution = Solution { best: vec!["d3".to_owned()], ..Solution::default() };
            let solutions = BTreeMap::from([("a".to_owned(), solution)]);
            times_to_solution(&[&record], &by_key, &solutions, "x")["a"].values[0]
        };
        assert_eq!(times(&["c4", "d3", "d3"]), 1_400_000.0);
        assert_eq!(times(&["d3"]), 1e6);
        assert_eq!(times(&["d3", "c4"]), f64::INFINITY);
    }
}
