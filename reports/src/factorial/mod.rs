//! What methods save together: effects, interactions and shares from runs of every combination of several methods.
//!
//! An interaction is I = ln N(A and B) - ln N(A) - ln N(B) + ln N(neither), the mean over positions. Where it is 0 the
//! speed-ups multiply; above 0 both prune the same nodes in part; below 0 each makes the other better. It is measured
//! in whole trees: which nodes were cut twice is not recorded.

mod design;
mod effects;
mod heat;
mod tables;
#[cfg(test)]
mod tests;
mod words;

pub use design::Design;
pub use effects::{Effects, Factor, Interaction, Measure, effects};

use crate::arm::name;
use crate::figure::Figure;
use crate::pair::Group;
use crate::table::Section;

/// Title of the section.
pub const TITLE: &str = "What do methods save together?";

/// The section of all fixed-depth groups that hold every combination of two methods or more; none without such a group.
#[must_use]
pub fn section(groups: &[Group<'_>]) -> Option<Section> {
    let mut whole = Section { title: TITLE.to_owned(), ..Section::default() };
    let parts = parts(groups);
    let found = !parts.is_empty();
    for part in parts {
        whole.text.extend(part.text);
        whole.tables.extend(part.tables);
    }
    found.then_some(whole)
}

/// The same as a section for each group, titled `chess, depth 8`.
#[must_use]
pub fn parts(groups: &[Group<'_>]) -> Vec<Section> {
    let designs = designs(groups);
    let main = main(&designs);
    let mut nodes: Vec<Effects> =
        designs.iter().filter_map(|design| effects(design, Measure::Nodes)).collect();
    // What is not told is not tested either.
    let told = nodes.iter_mut().enumerate().filter(|(at, _)| main[*at] == *at);
    Effects::correct(told.map(|(_, nodes)| nodes));
    let mut parts = Vec::new();
    for (at, (design, nodes)) in designs.iter().zip(&nodes).enumerate() {
        let mut part = Section { title: design.group.heading(), ..Section::default() };
        if main[at] == at {
            part.text.push(words::introduction(design, nodes));
            part.text.extend(nodes.interactions.iter().map(|found| words::sentence(design, found)));
            part.tables = tables::of_main(design, nodes);
        } else {
            part.text.push(words::aside(design, nodes, &designs[main[at]]));
            part.tables = tables::of_aside(design, nodes);
        }
        parts.push(part);
    }
    parts
}

/// The interactions as heat maps, one for each group whose interactions are told.
#[must_use]
pub fn figures(groups: &[Group<'_>]) -> Vec<Figure> {
    let designs = designs(groups);
    let main = main(&designs);
    let told = designs.iter().enumerate().filter(|(at, _)| main[*at] == *at);
    told.filter_map(|(_, design)| Some(heat::figure(design, &effects(design, Measure::Nodes)?, TITLE)))
        .collect()
}

/// The factorial experiments among groups, with two positions or more.
#[must_use]
pub fn designs<'g, 'a>(groups: &'g [Group<'a>]) -> Vec<Design<'g, 'a>> {
    let usable = |group: &&Group<'_>| group.is_fixed_depth() && group.blocks.len() > 1;
    groups.iter().filter(usable).filter_map(Design::find).collect()
}

/// For each design the one whose interactions stand for it: of those with the same methods in the same game and suite the
/// deepest that has half the positions of the largest at least. The others are there for what is too dear to measure at
/// its depth, and ten sentences on each would bury those that count.
fn main(designs: &[Design<'_, '_>]) -> Vec<usize> {
    let kind = |design: &Design<'_, '_>| {
        let mut methods: Vec<String> = design.factors.iter().map(|factor| name(factor).to_owned()).collect();
        methods.sort();
        (design.group.game.to_owned(), design.group.suite.to_owned(), methods)
    };
    let kinds: Vec<_> = designs.iter().map(kind).collect();
    let positions = |at: usize| designs[at].group.blocks.len();
    let of = |at: usize| {
        let alike = || (0..designs.len()).filter(|&other| kinds[other] == kinds[at]);
        let most = alike().map(positions).max().unwrap_or(0);
        let fit = alike().filter(|&other| 2 * positions(other) >= most);
        fit.max_by_key(|&other| designs[other].group.budget).unwrap_or(at)
    };
    (0..designs.len()).map(of).collect()
}
