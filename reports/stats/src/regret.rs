//! Oracle regret: what the moves of each method set lose by the judgement of a deeper, or exact, full-width search.
//!
//! Same move counts every other move alike; regret says what it costs, and calls two moves of equal worth equal. It has a
//! long tail, so the mean stands next to the median, the 95th percentile and the share of blunders. Where the judge knows results, by
//! exact values or a proven win, the share of moves that throw one away stands next to them.

use crate::contrast::{Estimate, Searches};
use crate::group::Group;
use crate::interval::{Interval, mean_loss, wilson};
use crate::measure::REGRET;

/// A move that loses more than this, a disc or a pawn, is a blunder.
const BLUNDER: i32 = 100;

/// The regret of one method set in one group, in the unit of scores.
#[derive(Clone, Debug)]
pub struct Regret {
    /// Mean with its interval over source games, where there is one.
    pub mean: Interval,
    /// Mean less that of the baseline, its test not corrected.
    pub excess: Estimate,
    /// Median.
    pub median: i32,
    /// 95th percentile.
    pub tail: i32,
    /// Share of positions on which more than a disc or a pawn is lost.
    pub blunders: Option<Interval>,
    /// Share of positions on which a won or a drawn game is thrown away: the best move is worth a proven result more than the move
    /// chosen. `None` where scores are not proven, or where no method set of the group throws one away.
    pub thrown: Option<Interval>,
}

/// The regret of method set `method` (an index) over the blocks of a group; `None` if a position has none, or there are
/// no positions.
pub fn regret(group: &Group<'_>, method: usize) -> Option<Regret> {
    let at = |index: usize| group.blocks[index].rows[method].regret;
    let mut sorted: Vec<i32> = (0..group.blocks.len()).map(at).collect::<Option<_>>()?;
    sorted.sort_unstable();
    let last = sorted.len().checked_sub(1)?;
    let total = |items: &[usize], method: usize| -> Option<f64> {
        items.iter().map(|&i| group.blocks[i].rows[method].regret.map(f64::from)).sum()
    };
    let clusters = group.clusters(None);
    let losses = clusters.iter().map(|items| Some([total(items, method)?, items.len() as f64]));
    let mean = mean_loss(&losses.collect::<Option<Vec<_>>>()?);
    let excess = Searches::of(group).contrast(&REGRET, method, 0).whole()?;
    let quantile = |q: f64| sorted[(q * last as f64).round() as usize];
    let blunders = share(&sorted, |regret| regret > BLUNDER);
    let thrown = throws(group).and_then(|least| share(&sorted, |regret| regret > least));
    Some(Regret { mean, excess, median: quantile(0.5), tail: quantile(0.95), blunders, thrown })
}

/// The regret above which a result has been thrown away, if somebody in the group has: half of what is proven. No two values of one
/// result are as far apart, and no two of different results as near.
fn throws(group: &Group<'_>) -> Option<i32> {
    let least = group.traits.decisive? / 2;
    let mut all = group.blocks.iter().flat_map(|block| block.rows.iter().filter_map(|row| row.regret));
    all.any(|regret| regret > least).then_some(least)
}

/// The share of those that are so, with its interval.
fn share(regrets: &[i32], is_so: impl Fn(i32) -> bool) -> Option<Interval> {
    wilson(regrets.iter().filter(|regret| is_so(**regret)).count(), regrets.len())
}

/// The method sets of a group with their regrets; none unless all of them have one.
pub fn regrets<'a>(group: &Group<'a>) -> Option<Vec<(&'a str, Regret)>> {
    let regret_of = |(index, methods): (usize, &&'a str)| Some((*methods, regret(group, index)?));
    group.methods.iter().enumerate().map(regret_of).collect()
}
