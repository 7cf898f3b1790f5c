//! What a run cost, for those who ask what a larger one will.
//!
//! CPU time of the searches: what an oracle, counted instructions and the start of a program take comes on top.

use secateur_record::record::{BudgetKind, Record};
use std::collections::BTreeMap;

/// CPU time of the searches of a run, seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Price {
    /// Cells.
    pub cells: u64,
    /// Units.
    pub units: u64,
    /// All searches together.
    pub seconds: f64,
    /// A unit in the middle.
    pub median: f64,
    /// A unit of which one in a hundred takes longer.
    pub p99: f64,
    /// The dearest unit: no shard takes less.
    pub most: f64,
}

impl Price {
    /// Of the records of a run.
    #[must_use]
    pub fn of(records: &[Record]) -> Price {
        let mut units: BTreeMap<(&str, &str, BudgetKind, u64), u64> = BTreeMap::new();
        for row in records {
            *units.entry((&row.game, &row.position, row.budget_kind, row.budget)).or_default() += row.time_ns;
        }
        let mut times: Vec<f64> = units.into_values().map(|time| time as f64 / 1e9).collect();
        times.sort_by(f64::total_cmp);
        let quantile =
            |share: f64| times.get((times.len() as f64 * share) as usize).or(times.last()).copied();
        Price {
            cells: records.len() as u64,
            units: times.len() as u64,
            seconds: times.iter().sum(),
            median: quantile(0.5).unwrap_or_default(),
            p99: quantile(0.99).unwrap_or_default(),
            most: quantile(1.0).unwrap_or_default(),
        }
    }

    /// CPU hours of so many cells that cost the same in the mean.
    #[must_use]
    pub fn hours(&self, cells: u64) -> f64 {
        self.seconds / self.cells.max(1) as f64 * cells as f64 / 3600.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_is_of_units() {
        let row = |position: u32, seconds: u64| Record {
            position: position.to_string().into(),
            time_ns: seconds * 1_000_000_000,
            ..Record::default()
        };
        let records: Vec<Record> =
            (0..100).flat_map(|at| [row(at, 1), row(at, if at == 7 { 89 } else { 1 })]).collect();
        let price = Price::of(&records);
        assert_eq!((price.cells, price.units, price.seconds), (200, 100, 288.0));
        assert_eq!((price.median, price.p99, price.most), (2.0, 90.0, 90.0));
        assert!((price.hours(2500) - 1.0).abs() < 1e-12);
        assert_eq!(Price::of(&[]), Price::default());
    }
}
