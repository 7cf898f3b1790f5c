//! What methods save together: effects, interactions and shares from runs of every combination of several methods.
//!
//! An interaction is I = ln N(A and B) - ln N(A) - ln N(B) + ln N(neither), the mean over positions. Where it is 0 the
//! speed-ups multiply; above 0 both prune the same nodes in part; below 0 each makes the other better. It is measured
//! in whole trees: which nodes were cut twice is not recorded.

mod design;
mod effects;
mod tables;
#[cfg(test)]
mod tests;
mod words;

pub use design::Design;
pub use effects::{Effects, Factor, Interaction, Measure, effects};

use crate::pair::Group;
use crate::stats::holm;
use crate::table::Section;

/// Title of the section.
pub const TITLE: &str = "What do methods save together?";

/// The section of all fixed-depth groups that hold every combination of two methods or more; none without such a group.
#[must_use]
pub fn section(groups: &[Group<'_>]) -> Option<Section> {
    let designs = designs(groups);
    let nodes: Vec<Effects> =
        designs.iter().map(|design| effects(design, Measure::Nodes)).collect::<Option<_>>()?;
    let p_values: Vec<f64> = nodes.iter().flat_map(|e| &e.interactions).map(|i| i.p).collect();
    let corrected = holm(&p_values);
    let mut corrected = corrected.as_slice();
    let mut section = Section { title: TITLE.to_owned(), ..Section::default() };
    for (design, nodes) in designs.iter().zip(&nodes) {
        let (own, rest) = corrected.split_at(nodes.interactions.len());
        corrected = rest;
        section.text.push(words::introduction(design, nodes));
        section.text.extend(nodes.interactions.iter().map(|found| words::sentence(design, found)));
        section.tables.extend(tables::of(design, nodes, own));
    }
    (!designs.is_empty()).then_some(section)
}

/// The factorial experiments among groups, with two positions or more.
#[must_use]
pub fn designs<'g, 'a>(groups: &'g [Group<'a>]) -> Vec<Design<'g, 'a>> {
    let usable = |group: &&Group<'_>| group.is_fixed_depth() && group.blocks.len() > 1;
    groups.iter().filter(usable).filter_map(Design::find).collect()
}
