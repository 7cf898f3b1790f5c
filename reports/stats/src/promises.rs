//! What each method did, by its counters: how often it was asked, how often it cut, what its own searches cost, and whether its cuts keep
//! their promise, by the audit's counters against what was promised and what the model predicts.
//!
//! A threshold of t standard deviations promises that a cut is right with probability Phi(t) at least: that is the
//! probability of a cut whose check comes out exactly there. So there are three shares of broken cuts: of all cuts, which
//! must not exceed 1 - Phi(t); predicted by the model from the values of the checks; and of the cuts near the threshold,
//! where the promise itself is tested.

use crate::inference::share::{Share, clustered};
use crate::runs::Runs;
use secateur_record::label::Label;
use secateur_record::manifest::Manifest;
use secateur_record::record::CounterRow;
use std::collections::BTreeMap;

/// Audited cuts of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Audited {
    /// Cuts made.
    pub cuts: u64,
    /// Broken ones that the model predicts, in millionths.
    pub foretold_ppm: u64,
    /// By position the broken and all audited cuts, and the same near the threshold: cuts of one tree are not independent.
    positions: BTreeMap<Label, [u64; 4]>,
}

/// A sum of counts that files may make as large as they like.
fn sum(counts: impl Iterator<Item = u64>) -> u64 {
    counts.fold(0, u64::saturating_add)
}

impl Audited {
    fn add(&mut self, row: &CounterRow) {
        self.cuts = self.cuts.saturating_add(row.cuts_high).saturating_add(row.cuts_low);
        self.foretold_ppm = self.foretold_ppm.saturating_add(row.foretold_ppm);
        let position = self.positions.entry(row.position).or_default();
        let counts = [row.broken, row.audited, row.near_broken, row.near];
        position.iter_mut().zip(counts).for_each(|(sum, count)| *sum = sum.saturating_add(count));
    }

    /// Cuts audited.
    pub fn audited(&self) -> u64 {
        sum(self.positions.values().map(|counts| counts[1]))
    }

    /// Audited cuts near the threshold.
    pub fn near_threshold(&self) -> u64 {
        sum(self.positions.values().map(|counts| counts[3]))
    }

    /// Share of the audited cuts that are broken.
    pub fn broken_share(&self) -> Option<Share> {
        clustered(&self.positions.values().map(|c| (c[0] as f64, c[1] as f64)).collect::<Vec<_>>())
    }

    /// The same of the cuts near the threshold.
    pub fn near_share(&self) -> Option<Share> {
        clustered(&self.positions.values().map(|c| (c[2] as f64, c[3] as f64)).collect::<Vec<_>>())
    }

    /// Share that the model predicts; `None` without a model.
    pub fn predicted_share(&self) -> Option<f64> {
        (self.foretold_ppm > 0).then(|| self.foretold_ppm as f64 / 1e6 / self.audited() as f64)
    }

    /// p-values of the broken share being what was promised and what was predicted; `NaN` where there is none.
    pub fn p_values(&self, promise: Option<f64>) -> [f64; 2] {
        let against = |expected: Option<f64>| {
            self.broken_share().zip(expected).map_or(f64::NAN, |(broken, expected)| broken.p(expected))
        };
        [against(promise), against(promise.and(self.predicted_share()))]
    }
}

/// Audited cuts by game, method set and method, and within by what `part` makes of a row.
pub fn audited<'r, K: Ord>(
    runs: &'r Runs,
    part: impl Fn(&'r CounterRow) -> K,
) -> BTreeMap<(&'r str, &'r str, &'r str, K), Audited> {
    let mut sums = BTreeMap::<_, Audited>::new();
    for row in runs.counters.iter().filter(|row| row.audit_every > 0) {
        sums.entry((&*row.game, &*row.methods, &*row.method, part(row))).or_default().add(row);
    }
    sums.retain(|_, sum| sum.audited() > 0);
    sums
}

/// What a method of an arm promises to break at most; `None` if it promises nothing.
pub fn promised(runs: &Runs, game: &str, methods: &str, method: &str) -> Option<f64> {
    let kept_in = |manifest: &Manifest| manifest.game(game)?.promises.get(methods)?.get(method).copied();
    runs.manifests.iter().find_map(kept_in).map(|kept| 1.0 - kept)
}

/// What a method did, summed over cells, depths and stages.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Firing {
    /// Tests made.
    pub tries: u64,
    /// Cuts at beta.
    pub high: u64,
    /// Cuts at alpha, moves skipped, depths shortened.
    pub low: u64,
    /// Nodes of the method's own searches.
    pub probe_nodes: u64,
    /// Cuts audited.
    pub audited: u64,
    /// Those of them that are broken.
    pub broken: u64,
    /// Nodes that the cuts saved, by the audited ones, before what the method's own searches cost.
    pub saved: f64,
}

impl Firing {
    /// Cuts, moves skipped, depths shortened.
    pub fn cuts(&self) -> u64 {
        self.high.saturating_add(self.low)
    }
}

/// What methods did, by what `part` makes of a row.
pub fn firings<'r, K: Ord>(runs: &'r Runs, part: impl Fn(&'r CounterRow) -> K) -> BTreeMap<K, Firing> {
    let mut firings = BTreeMap::<K, Firing>::new();
    for row in &runs.counters {
        let fire = firings.entry(part(row)).or_default();
        fire.tries = fire.tries.saturating_add(row.tries);
        fire.high = fire.high.saturating_add(row.cuts_high);
        fire.low = fire.low.saturating_add(row.cuts_low);
        fire.probe_nodes = fire.probe_nodes.saturating_add(row.probe_nodes);
        fire.audited = fire.audited.saturating_add(row.audited);
        fire.broken = fire.broken.saturating_add(row.broken);
        fire.saved += row.audit_nodes as f64 * row.audit_every as f64;
    }
    firings
}
