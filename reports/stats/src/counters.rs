//! What each method did: how often it was asked, how often it cut, what its own searches cost.

use crate::runs::Runs;
use secateur_record::record::{BudgetKind, CounterRow};
use std::collections::BTreeMap;

/// Sums over all cells, depths and stages, by game, method set and method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CounterSum {
    /// Tests made.
    pub tries: u64,
    /// Cuts at beta.
    pub high: u64,
    /// Cuts at alpha, moves skipped, depths shortened.
    pub low: u64,
    /// Nodes of the method's own searches.
    pub probe_nodes: u64,
}

/// The sums of all counters.
#[must_use]
pub fn counter_sums(runs: &Runs) -> BTreeMap<(&str, &str, &str), CounterSum> {
    let mut sums = BTreeMap::<_, CounterSum>::new();
    for row in &runs.counters {
        let sum = sums.entry((&*row.game, &*row.methods, &*row.method)).or_default();
        sum.tries = sum.tries.saturating_add(row.tries);
        sum.high = sum.high.saturating_add(row.cuts_high);
        sum.low = sum.low.saturating_add(row.cuts_low);
        sum.probe_nodes = sum.probe_nodes.saturating_add(row.probe_nodes);
    }
    sums
}

/// What a method of one arm did under one budget.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Firing {
    /// Tests made.
    pub tries: u64,
    /// Cuts, moves skipped, depths shortened.
    pub cuts: u64,
    /// Nodes of the method's own searches.
    pub probe_nodes: u64,
    /// Cuts audited.
    pub audited: u64,
    /// Those of them that are broken.
    pub broken: u64,
    /// Nodes that the cuts saved, by the audited ones, before what the method's own searches cost.
    pub saved: f64,
}

/// What methods did, by game, method set, method and budget.
pub type Firings<'a> = BTreeMap<(&'a str, &'a str, &'a str, BudgetKind, u64), Firing>;

/// The counters of every method set under every budget by itself.
#[must_use]
pub fn firings(runs: &Runs) -> Firings<'_> {
    let mut firings = Firings::new();
    for row in &runs.counters {
        let CounterRow { game, methods, method, budget_kind, budget, .. } = row;
        let fire = firings.entry((game, methods, method, *budget_kind, *budget)).or_default();
        fire.tries = fire.tries.saturating_add(row.tries);
        fire.cuts = fire.cuts.saturating_add(row.cuts_high.saturating_add(row.cuts_low));
        fire.probe_nodes = fire.probe_nodes.saturating_add(row.probe_nodes);
        fire.audited = fire.audited.saturating_add(row.audited);
        fire.broken = fire.broken.saturating_add(row.broken);
        fire.saved += row.audit_nodes as f64 * row.audit_every as f64;
    }
    firings
}
