//! Other programs next to this one: what each did by position, and how one compares with another.
//!
//! Every ratio is of an arm over its reference on the positions that both finished: below 1 is fewer nodes or
//! less time. Ratios of nodes mean something within one engine only, because each counts in its own way.

use crate::interval::{Interval, mean_spread, ratio_of_sums, sums_by_game, wilson};
use crate::speed::{middle, searches};
use secateur_record::record::Record;
use std::collections::{BTreeMap, BTreeSet};

/// What one arm did, by position.
#[derive(Clone, Debug)]
pub struct ArmResults<'r> {
    /// Positions of which every search ended well, with the searches.
    pub good: BTreeMap<&'r str, Vec<&'r Record>>,
    /// The other positions.
    pub failed: usize,
    /// How often each error came.
    pub errors: BTreeMap<String, u64>,
}

/// The middle one of the repeats.
fn middle_of(rows: &[&Record], field: fn(&Record) -> f64) -> f64 {
    middle(rows.iter().map(|row| field(row)))
}

impl<'r> ArmResults<'r> {
    /// What an arm of this name did.
    pub fn new(arm: &str, rows: &[&'r Record]) -> ArmResults<'r> {
        let (mut good, mut failed, mut errors) = (searches(rows, arm), BTreeSet::new(), BTreeMap::new());
        for row in rows.iter().filter(|row| row.methods == arm) {
            if let Some(error) = &row.error {
                failed.insert(row.position);
                *errors.entry(error.to_string()).or_default() += 1;
            }
        }
        // A forced move is answered without a search by many programs; of those that never tell nothing is left out.
        let tells = |rows: &[&Record]| !middle_of(rows, Record::nodes).is_nan();
        if good.values().any(|rows| tells(rows)) {
            good.retain(|_, rows| tells(rows));
        }
        ArmResults { good, failed: failed.len(), errors }
    }

    /// Of each position that ended well the middle one of the repeats.
    pub fn each(&self, field: fn(&Record) -> f64) -> impl Iterator<Item = f64> {
        self.good.values().map(move |rows| middle_of(rows, field))
    }
}

/// One arm over another, on the positions that both finished.
#[derive(Clone, Debug)]
pub struct Ratios {
    /// Positions.
    pub positions: usize,
    /// Ratio of the sums of nodes.
    pub nodes: Interval,
    /// Geometric mean of the ratios of nodes by position.
    pub nodes_geometric: Interval,
    /// Ratio of the sums of time.
    pub time: Interval,
    /// Geometric mean of the ratios of time by position.
    pub time_geometric: Interval,
    /// Share of positions with the same move.
    pub same_move: Option<Interval>,
}

/// Compares an arm with its reference.
pub fn ratios(ours: &ArmResults<'_>, base: &ArmResults<'_>) -> Ratios {
    let pairs: Vec<[&Vec<&Record>; 2]> =
        ours.good.iter().filter_map(|(position, rows)| Some([rows, base.good.get(position)?])).collect();
    let by_game = |pair: &dyn Fn([f64; 2]) -> [f64; 2], field: fn(&Record) -> f64| {
        let fields =
            pairs.iter().map(|both| (both[0][0].cluster.as_str(), both.map(|rows| middle_of(rows, field))));
        sums_by_game(fields.map(|(game, fields)| (game, pair(fields))))
    };
    let sums = |field| ratio_of_sums(&by_game(&|fields| fields, field));
    // A search of no nodes or no time, which engines report, must not make everything 0.
    let log = |fields: [f64; 2]| {
        let [ours, base] = fields.map(|count| if count < 1.0 { 1.0 } else { count });
        [(ours / base).ln(), 1.0]
    };
    let geometric = |field| mean_spread(&by_game(&log, field)).student().exp();
    let moves = pairs.iter().filter(|[ours, base]| ours[0].best_move == base[0].best_move).count();
    let time = |row: &Record| row.time_ns as f64;
    Ratios {
        positions: pairs.len(),
        nodes: sums(Record::nodes),
        nodes_geometric: geometric(Record::nodes),
        time: sums(time),
        time_geometric: geometric(time),
        same_move: wilson(moves, pairs.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::row;
    use secateur_record::record::Failure;

    #[test]
    fn the_middle_repeat_counts_and_an_error_in_any_costs_the_position() {
        let mut rows = Vec::new();
        for (repeat, time_ns) in [9, 1, 5].into_iter().enumerate() {
            let row = Record { repeat: repeat as u32, time_ns, ..row("a", "opening", "fake", 7) };
            rows.push(row);
        }
        let cells = ArmResults::new("fake", &rows.iter().collect::<Vec<_>>());
        assert_eq!((cells.each(|row| row.time_ns as f64).collect(), cells.failed), (vec![5.0], 0));
        rows[1].error = Some(Failure::new("late"));
        let cells = ArmResults::new("fake", &rows.iter().collect::<Vec<_>>());
        assert_eq!((cells.good.len(), cells.failed), (0, 1));
    }
}
