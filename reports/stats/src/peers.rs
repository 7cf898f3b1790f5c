//! Other programs next to this one: what each did by position, and how one compares with another.
//!
//! Every ratio is of an arm over its reference on the positions that both finished: below 1 is fewer nodes or
//! less time. Ratios of nodes mean something within one engine only, because each counts in its own way.

use crate::interval::{Interval, mean_spread, ratio_of_sums, sums_by_game, wilson};
use secateur_record::record::Record;
use std::collections::BTreeMap;

/// What one arm did, by position.
#[derive(Clone, Debug)]
pub struct ArmResults {
    /// Positions of which every search ended well.
    pub good: BTreeMap<String, PositionResult>,
    /// The other positions.
    pub failed: usize,
    /// How often each error came.
    pub errors: BTreeMap<String, u64>,
}

/// One position: the middle one of the repeats.
#[derive(Clone, Debug)]
pub struct PositionResult {
    /// Source game.
    pub cluster: String,
    /// Plies.
    pub depth: f64,
    /// Nodes as the program counts them.
    pub nodes: f64,
    /// Wall time, nanoseconds.
    pub time: f64,
    /// The move of the first repeat.
    pub best_move: String,
}

impl ArmResults {
    /// What an arm of this name did.
    pub fn new(arm: &str, rows: &[&Record]) -> ArmResults {
        let mut by_position = BTreeMap::<&str, Vec<&Record>>::new();
        for row in rows.iter().filter(|row| row.methods == arm) {
            by_position.entry(&row.position).or_default().push(row);
        }
        let mut cells = ArmResults { good: BTreeMap::new(), failed: 0, errors: BTreeMap::new() };
        for (position, mut rows) in by_position {
            rows.sort_by_key(|row| row.repeat);
            for row in rows.iter().filter(|row| row.error.is_some()) {
                *cells
                    .errors
                    .entry(row.error.as_ref().map_or(String::new(), ToString::to_string))
                    .or_default() += 1;
            }
            if rows.iter().any(|row| row.error.is_some()) {
                cells.failed += 1;
                continue;
            }
            // NaN, which a row has that does not say, is the last of all.
            let middle = |field: fn(&Record) -> f64| {
                let mut values: Vec<f64> = rows.iter().map(|row| field(row)).collect();
                values.sort_by(f64::total_cmp);
                values[(values.len() - 1) / 2]
            };
            let cell = PositionResult {
                cluster: rows[0].cluster.to_string(),
                depth: middle(Record::depth),
                nodes: middle(Record::nodes),
                time: middle(|row| row.time_ns as f64),
                best_move: rows[0].best_move.to_string(),
            };
            cells.good.insert(position.to_owned(), cell);
        }
        // A forced move is answered without a search by many programs; of those that never tell nothing is left out.
        if cells.good.values().any(|cell| !cell.nodes.is_nan()) {
            cells.good.retain(|_, cell| !cell.nodes.is_nan());
        }
        cells
    }

    /// The sum over the positions that ended well.
    pub fn total(&self, field: fn(&PositionResult) -> f64) -> f64 {
        self.good.values().map(field).sum()
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
pub fn ratios(ours: &ArmResults, base: &ArmResults) -> Ratios {
    let pairs: Vec<(&PositionResult, &PositionResult)> =
        ours.good.iter().filter_map(|(position, cell)| Some((cell, base.good.get(position)?))).collect();
    let by_game = |pair: &dyn Fn([f64; 2]) -> [f64; 2], field: fn(&PositionResult) -> f64| {
        let fields = pairs.iter().map(|(ours, base)| (ours.cluster.as_str(), [field(ours), field(base)]));
        sums_by_game(fields.map(|(game, fields)| (game, pair(fields))))
    };
    let sums = |field| ratio_of_sums(&by_game(&|fields| fields, field));
    // A search of no nodes or no time, which engines report, must not make everything 0.
    let log = |fields: [f64; 2]| {
        let [ours, base] = fields.map(|count| if count < 1.0 { 1.0 } else { count });
        [(ours / base).ln(), 1.0]
    };
    let geometric = |field| mean_spread(&by_game(&log, field)).student().exp();
    let moves = pairs.iter().filter(|(ours, base)| ours.best_move == base.best_move).count();
    Ratios {
        positions: pairs.len(),
        nodes: sums(|cell| cell.nodes),
        nodes_geometric: geometric(|cell| cell.nodes),
        time: sums(|cell| cell.time),
        time_geometric: geometric(|cell| cell.time),
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
        assert_eq!((cells.good["a"].time, cells.failed), (5.0, 0));
        rows[1].error = Some(Failure::new("late"));
        let cells = ArmResults::new("fake", &rows.iter().collect::<Vec<_>>());
        assert_eq!((cells.good.len(), cells.failed), (0, 1));
    }
}
