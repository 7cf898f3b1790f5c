//! What methods save together: effects, interactions and shares from runs of every combination of several methods.
//!
//! An interaction is I = ln N(A and B) - ln N(A) - ln N(B) + ln N(neither), the mean over positions. Where it is 0 the
//! speed-ups multiply; above 0 both prune the same nodes in part; below 0 each makes the other better. It is measured
//! in whole trees: which nodes were cut twice is not recorded.

mod design;
mod effects;
#[cfg(test)]
mod tests;

pub use design::Design;
pub use effects::{Effects, Factor, Interaction, effects, untimed};

use crate::arm::name;
use crate::group::Group;

/// The factorial experiments among groups, with two positions or more.
#[must_use]
pub fn designs<'g, 'a>(groups: &'g [Group<'a>]) -> Vec<Design<'g, 'a>> {
    let usable = |group: &&Group<'_>| group.is_fixed_depth() && group.blocks.len() > 1;
    groups.iter().filter(usable).filter_map(Design::find).collect()
}

/// For each design the one whose interactions stand for it: of those with the same methods in the same game and suite the
/// deepest that has half the positions of the largest at least. The others are there for what is too dear to measure at
/// its depth, and ten sentences on each would bury those that count.
#[must_use]
pub fn standing_for(designs: &[Design<'_, '_>]) -> Vec<usize> {
    let kind = |design: &Design<'_, '_>| {
        let mut methods: Vec<String> = design.factors.iter().map(|factor| name(factor).to_owned()).collect();
        methods.sort();
        (design.group.game.to_owned(), design.group.suite.to_owned(), methods)
    };
    let kinds: Vec<_> = designs.iter().map(kind).collect();
    let positions = |at: usize| designs[at].group.blocks.len();
    let representative_of = |at: usize| {
        let alike = || (0..designs.len()).filter(|&other| kinds[other] == kinds[at]);
        let most = alike().map(positions).max().unwrap_or(0);
        let fit = alike().filter(|&other| 2 * positions(other) >= most);
        fit.max_by_key(|&other| designs[other].group.budget).unwrap_or(at)
    };
    (0..designs.len()).map(representative_of).collect()
}
