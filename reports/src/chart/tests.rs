//! What the pictures show is what the records hold.

use super::plot::{Log, short};
use crate::{chart, distribution};
use secateur_record::record::{BudgetKind, IterationRow, Record};
use secateur_stats::fixtures::row;
use secateur_stats::group::groups;
use secateur_stats::metrics::iterations;

/// Forty positions; `mpc` needs a quarter of the nodes, and grows by 2 a ply where `none` grows by 3.
fn records() -> Vec<Record> {
    let record = |i: u64, methods: &str, nodes: u64| Record {
        time_ns: nodes * 1_000,
        ..row(&format!("p{i}"), "28", methods, nodes)
    };
    (0..40).flat_map(|i| [record(i, "none", 4_000 + 400 * i), record(i, "mpc", 1_000 + 100 * i)]).collect()
}

fn data(csv: &str) -> Vec<Vec<String>> {
    csv.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

#[test]
fn axes_hold_their_values_and_few_round_ticks() {
    for (low, high) in [(1.0, 1.0), (0.3, 40.0), (90.0, 110.0), (5.0, 3e9), (1e-3, 2e12)] {
        let axis = Log::around([low, high].into_iter());
        assert!(axis.share(low) >= 0.0 && axis.share(high) <= 1.0);
        let ticks = axis.ticks();
        assert!((1..=12).contains(&ticks.len()), "{low} {high}: {ticks:?}");
        assert!(ticks.iter().all(|tick| (0.0..=1.0).contains(&axis.share(*tick))));
    }
    assert!(!Log::around([f64::NAN, -1.0].into_iter()).ticks().is_empty());
    assert_eq!([short(2e6), short(1_500.0), short(0.5), short(10.0)], ["2M", "1.5k", "0.5", "10"]);
}

#[test]
fn growth_is_recovered_as_the_branching_factor() {
    let records = records();
    let rows: Vec<IterationRow> = records
        .iter()
        .flat_map(|record| {
            let growth: u64 = if record.methods == "mpc" { 2 } else { 3 };
            (1..=8).map(move |depth| IterationRow {
                depth,
                nodes: 10 * growth.pow(depth),
                ..IterationRow::of(&record.key())
            })
        })
        .collect();
    let groups = groups(&records);
    let figure = chart::nodes_by_depth(&groups[0], &iterations(&rows), "s").unwrap();
    assert!(figure.svg.contains("none, b = 3.00") && figure.svg.contains("mpc, b = 2.00"), "{}", figure.svg);
    let mpc: Vec<_> = data(&figure.csv).into_iter().filter(|row| row[0] == "mpc").collect();
    assert_eq!(mpc.len(), 8);
    assert_eq!(mpc[7][1..], ["8", "2560.0"]);
    assert!(chart::nodes_by_depth(&groups[0], &iterations(&[]), "s").is_none());
}

#[test]
fn speedups_of_single_positions_are_the_data() {
    let records = records();
    let figure = chart::speedups(&groups(&records)[0], "s").unwrap();
    let rows = data(&figure.csv);
    assert_eq!(rows.len(), 40);
    assert!(rows.iter().all(|row| row[2] == "4.0000"), "{rows:?}");
    assert!(figure.svg.contains("mpc 4 (4 to 4)"));
}

#[test]
fn latency_grows_with_the_percentile_and_keeps_three_digits() {
    let records = records();
    let figure = distribution::figure(&groups(&records)[0], "s").unwrap();
    for methods in ["none", "mpc"] {
        let times: Vec<f64> =
            data(&figure.csv).iter().filter(|r| r[0] == methods).map(|r| r[2].parse().unwrap()).collect();
        assert!(times.windows(2).all(|pair| pair[0] <= pair[1]));
        let longest =
            records.iter().filter(|r| r.methods == methods).map(|r| r.time_ns).max().unwrap() as f64;
        assert!((times[times.len() - 1] / longest - 1.0).abs() < 0.002);
    }
    let mut timed = records.clone();
    timed.iter_mut().for_each(|row| row.budget_kind = BudgetKind::Time);
    assert!(distribution::figure(&groups(&timed)[0], "s").is_none(), "there the time is given");
}
