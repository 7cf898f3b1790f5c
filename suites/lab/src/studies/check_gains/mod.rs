//! What checks earn with null move on at a budget: the depth that ProbCut and Multi-ProbCut add to null move alone, and how
//! often their checks succeed.
//!
//! Jiang & Buro 2003, section 3: a check of ProbCut succeeds in 80 to 90 % of the cases in positions where the search gets deeper, and in
//! fewer than 60 % where it does not. So the gain stands apart for both kinds of positions. Left out are positions in which
//! an arm finished the position (`depth.rs`): such a search runs on to any depth.

pub mod table;

use secateur_stats::group::Group;
use secateur_stats::interval::{Interval, mean_spread};
use secateur_stats::metrics::{Iterations, fractional_depth};
use secateur_stats::runs::Runs;
use std::collections::BTreeMap;

/// Success of checks above which Jiang & Buro saw the search get deeper, and below which not.
const SUCCESS: [f64; 2] = [0.8, 0.6];

/// Tries and cuts of the checks, by method set and position.
pub type Tries<'r> = BTreeMap<(&'r str, &'r str), (u64, u64)>;

/// The tries and cuts of all checks.
#[must_use]
pub fn tries(runs: &Runs) -> Tries<'_> {
    let mut tries = Tries::new();
    for row in runs.counters.iter().filter(|row| row.repeat == 0 && is_checked(&row.method)) {
        let sum = tries.entry((&*row.methods, &*row.position)).or_default();
        *sum = (sum.0 + row.tries, sum.1 + row.cuts_high + row.cuts_low);
    }
    tries
}

/// Cuts and tries at one height.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AtHeight {
    /// Cuts, to either side.
    pub cuts: u64,
    /// Tries.
    pub tries: u64,
}

/// What the checks of `arm` do at their height if they have only one, and what null move does there in `base`.
///
/// Jiang & Buro 2003, section 3: ProbCut makes more cuts than plain null move at the check height.
#[must_use]
pub fn at_check_height(runs: &Runs, base: &str, arm: &str) -> Option<[AtHeight; 2]> {
    let rows = || runs.counters.iter().filter(|row| row.repeat == 0);
    let mut heights = rows().filter(|row| row.methods == arm && is_checked(&row.method)).map(|row| row.depth);
    let height = heights.next()?;
    heights.all(|other| other == height).then(|| {
        let sum = |methods: &str, wanted: &dyn Fn(&str) -> bool| {
            let mut sum = AtHeight::default();
            for row in
                rows().filter(|row| row.methods == methods && row.depth == height && wanted(&row.method))
            {
                sum.cuts += row.cuts_high + row.cuts_low;
                sum.tries += row.tries;
            }
            sum
        };
        [sum(arm, &is_checked), sum(base, &|method| method == "null-move")]
    })
}

/// Whether a method cuts by a check search.
#[must_use]
pub fn is_checked(method: &str) -> bool {
    matches!(method, "probcut" | "mpc")
}

/// What is gained in some of the positions.
#[derive(Clone, Copy, Debug)]
pub struct Gain {
    /// How many they are.
    pub positions: u64,
    /// Mean gain in fractional depth; without ends where there are too few games.
    pub depth: Interval,
}

/// What a method set with checks gains over one without.
#[derive(Clone, Copy, Debug)]
pub struct CheckGains {
    /// In all positions that no method set finished.
    pub all: Gain,
    /// In those of them where checks often succeed.
    pub often: Gain,
    /// In those where they seldom do.
    pub seldom: Gain,
    /// Checks made.
    pub tries: u64,
    /// Cuts by them.
    pub cuts: u64,
}

/// What method set `arm` gains over `base`, both indices.
#[must_use]
pub fn gained(
    group: &Group<'_>,
    [base, arm]: [usize; 2],
    cells: &Iterations<'_>,
    tries: &Tries<'_>,
) -> CheckGains {
    let depth = |index: usize, method: usize| {
        let row = group.blocks[index].rows[method];
        let key = (&*row.game, &*row.position, &*row.methods, row.budget_kind, row.budget);
        fractional_depth(cells.get(&key)?, row.nodes?)
    };
    let quiet = |index: &usize| !group.blocks[*index].rows.iter().any(|row| group.is_finished(row));
    let gained: BTreeMap<usize, f64> = (0..group.blocks.len())
        .filter(quiet)
        .filter_map(|index| Some((index, depth(index, arm)? - depth(index, base)?)))
        .collect();
    let asked = |index: usize| {
        let row = group.blocks[index].rows[arm];
        tries.get(&(&*row.methods, &*row.position)).copied().unwrap_or_default()
    };
    let gain_of = |all: bool, wanted: &dyn Fn(f64) -> bool| {
        let in_class = |index: &usize| {
            let (tries, cuts) = asked(*index);
            // Where nothing was checked nothing failed.
            gained.contains_key(index)
                && (tries == 0 && all || tries > 0 && wanted(cuts as f64 / tries as f64))
        };
        let clusters: Vec<[f64; 2]> = group
            .clusters(None)
            .into_iter()
            .map(|items| items.into_iter().filter(in_class).collect::<Vec<_>>())
            .filter(|items| !items.is_empty())
            .map(|items| [items.iter().map(|index| gained[index]).sum(), items.len() as f64])
            .collect();
        let positions = clusters.iter().map(|[_, n]| n).sum::<f64>() as u64;
        Gain { positions, depth: mean_spread(&clusters).skewed() }
    };
    let (tries, cuts) =
        gained.keys().map(|&index| asked(index)).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    CheckGains {
        all: gain_of(true, &|_| true),
        often: gain_of(false, &|success| success >= SUCCESS[0]),
        seldom: gain_of(false, &|success| success < SUCCESS[1]),
        tries,
        cuts,
    }
}
