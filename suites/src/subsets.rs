//! All combinations of a few things, in the order in which tables show them.

use std::cmp::Reverse;
use std::ops::RangeInclusive;

/// How many arms are crossed: fewer interact with nothing, and more than 256 combinations no table could show.
pub(crate) const SIZE: RangeInclusive<usize> = 2..=8;

/// Whether so many arms can be crossed; else what was found and expected.
pub(crate) fn size(arms: usize) -> Result<(), String> {
    if SIZE.contains(&arms) {
        return Ok(());
    }
    Err(format!("found a list of {arms}, expected {} to {} arms", SIZE.start(), SIZE.end()))
}

/// Every subset of so many things, as their indices: the empty one first, then by size, those of one size in the order of the
/// things.
pub(crate) fn subsets(count: usize) -> Vec<Vec<usize>> {
    // With the first as the highest bit, larger numbers of one size come first.
    let has = |bits: usize, at: usize| bits >> (count - 1 - at) & 1 == 1;
    let mut sets: Vec<usize> = (0..1 << count).collect();
    sets.sort_by_key(|bits| (bits.count_ones(), Reverse(*bits)));
    sets.into_iter().map(|bits| (0..count).filter(|&at| has(bits, at)).collect()).collect()
}
