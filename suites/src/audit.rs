//! The audit of a cell: its sampled claims searched again, and what came of them in the counters.
//!
//! A claim is decided by the same arm without the method that made it, to the full depth of the node. The search that
//! made the claims is the same node for node with an audit or without.

use secateur_core::Game;
use secateur_core::search::{Sample, Searcher, Verdict};
use secateur_record::record::CounterRow;
use statrs::distribution::{ContinuousCDF, Normal};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What one method's claims at one stage and depth came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sum {
    audited: u64,
    broken: u64,
    nodes: u64,
    /// Expected number of broken claims, by the model that the method rests on.
    predicted: f64,
    /// Claims within [`NEAR`] standard deviations of the promise, and the broken ones among them.
    near: u64,
    near_broken: u64,
}

/// How near to its threshold a check comes that puts the promise itself to the test, standard deviations.
pub const NEAR: f64 = 0.25;

/// Settles the `samples` of a cell, one claim in `every`, with the searcher of the method that made it (by its name),
/// and enters the results in its counters, `rows`. `promises` are the probabilities that the methods promise. A claim
/// without such a searcher, or whose search panics, stays unsettled.
pub fn audit<G: Game>(
    (samples, every): &(Vec<Sample<G>>, u64),
    rows: &mut Vec<CounterRow>,
    auditors: &mut BTreeMap<&'static str, Searcher<'_, G>>,
    promises: &BTreeMap<&'static str, f64>,
    stages: &[&str],
) {
    let mut sums: BTreeMap<(&str, usize, i32), Sum> = BTreeMap::new();
    let mut last = None;
    let mut ordered: Vec<&Sample<G>> = samples.iter().collect();
    // One method after the other, so that one table at a time is in use; the order within stays that of the search.
    ordered.sort_by_key(|sample| sample.claimed.method);
    for Sample { claimed, pos } in ordered {
        let Some(search) = auditors.get_mut(claimed.method) else { continue };
        if last.replace(claimed.method) != Some(claimed.method) {
            search.forget();
        }
        let decided = catch_unwind(AssertUnwindSafe(|| search.decide(claimed, pos)));
        if let Ok(Verdict { held, nodes, distance }) = decided {
            let sum = sums.entry((claimed.method, claimed.stage, claimed.depth)).or_default();
            sum.audited += 1;
            sum.broken += u64::from(!held);
            sum.nodes += nodes;
            if let (Some(distance), Some(promise)) = (distance, promises.get(claimed.method)) {
                let normal = Normal::standard();
                sum.predicted += normal.sf(distance);
                let is_near = distance < normal.inverse_cdf(*promise) + NEAR;
                sum.near += u64::from(is_near);
                sum.near_broken += u64::from(is_near && !held);
            }
        }
    }
    for row in rows.iter_mut() {
        row.audit_every = *every;
    }
    for ((method, stage, depth), sum) in sums {
        let row = row_of(rows, method, stages[stage], depth as u32);
        (row.audited, row.broken, row.audit_nodes) = (sum.audited, sum.broken, sum.nodes);
        row.foretold_ppm = (sum.predicted * 1e6).round() as u64;
        (row.near, row.near_broken) = (sum.near, sum.near_broken);
    }
}

/// The counter row of a method, stage and depth, which a cut has made already.
fn row_of<'r>(rows: &'r mut Vec<CounterRow>, method: &str, stage: &str, depth: u32) -> &'r mut CounterRow {
    let is_it = |row: &CounterRow| row.method == method && row.stage == stage && row.depth == depth;
    let at = rows.iter().position(is_it).unwrap_or_else(|| {
        let (method, stage) = (method.into(), stage.into());
        rows.push(CounterRow { method, stage, depth, ..CounterRow::default() });
        rows.len() - 1
    });
    &mut rows[at]
}
