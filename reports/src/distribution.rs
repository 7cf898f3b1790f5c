//! Percentiles of nodes, of time per node and of time by method set, from hdrhistogram.
//!
//! A histogram quantises (three significant digits) and loses the pairing, so it is never the record and
//! never the source of a ratio; it shows tails that means hide.

use crate::format::{count, only_if};
use crate::table::{Section, Table};
use hdrhistogram::Histogram;
use secateur_stats::clock::timed_arms;
use secateur_stats::group::Group;

/// Largest value that a histogram here can hold; anything beyond is counted apart.
const LARGEST: u64 = 1 << 40;

/// A histogram and how many values did not fit into it.
pub(crate) fn histogram(values: impl Iterator<Item = u64>) -> (Histogram<u64>, u64) {
    let mut histogram = Histogram::new_with_bounds(1, LARGEST, 3).expect("bounds in order, three digits");
    let mut outside = 0;
    for value in values {
        if histogram.record(value).is_err() {
            outside += 1;
        }
    }
    (histogram, outside)
}

/// Title of the section.
pub const TITLE: &str = "Distributions";

/// The section of all groups.
#[must_use]
pub fn section(groups: &[Group<'_>]) -> Section {
    let mut table = Table::default();
    let mut outside = 0;
    for group in groups {
        for (index, method) in group.methods.iter().enumerate() {
            outside += add_row(&mut table, group, index, method);
        }
    }
    if outside > 0 {
        table.notes.push(format!("{outside} values were outside the histograms' range."));
    }
    table.notes.push("Percentiles over positions, to three significant digits.".to_owned());
    Section { title: TITLE.to_owned(), text: Vec::new(), tables: vec![table] }
}

/// Adds the percentiles of one method set, and says how many values did not fit.
fn add_row(table: &mut Table, group: &Group<'_>, index: usize, method: &str) -> u64 {
    let rows = || group.blocks.iter().map(|block| block.rows[index]);
    let per_node = |ns: u64, nodes: u64| (ns / nodes.max(1)).max(1);
    let untimed = timed_arms(group, std::iter::once(index)).err();
    let (nodes, lost) = histogram(rows().filter_map(|row| row.nodes));
    let times = rows().filter(|_| untimed.is_none());
    let (time, more) = histogram(times.filter_map(|row| Some(per_node(row.time_ns, row.nodes?))));
    let (latency, late) = histogram(rows().map(|row| row.time_ns.max(1)));
    let if_any = |histogram: &Histogram<u64>, n| only_if(!histogram.is_empty(), || count(n));
    let at = |histogram: &Histogram<u64>, q| if_any(histogram, histogram.value_at_quantile(q));
    let millis = |ns: u64| format!("{:.1}", ns as f64 / 1e6);
    table.row([
        ("<game", group.game.to_owned()),
        ("<budget", group.budget_label()),
        ("<methods", method.to_owned()),
        ("nodes p50", at(&nodes, 0.5)),
        ("p90", at(&nodes, 0.9)),
        ("p99", at(&nodes, 0.99)),
        ("max", if_any(&nodes, nodes.max())),
        ("ns/node p50", untimed.map_or_else(|| at(&time, 0.5), |untimed| untimed.to_string())),
        ("p90", at(&time, 0.9)),
        ("max", if_any(&time, time.max())),
        ("ms p50", millis(latency.value_at_quantile(0.5))),
        ("p90", millis(latency.value_at_quantile(0.9))),
        ("p99", millis(latency.value_at_quantile(0.99))),
        ("max", millis(latency.max())),
    ]);
    lost + more + late
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_out_of_range_are_counted_not_dropped() {
        let (histogram, outside) = histogram([5, 7, u64::MAX].into_iter());
        assert_eq!(histogram.len(), 2);
        assert_eq!(outside, 1);
        assert_eq!(histogram.max(), 7);
    }
}
