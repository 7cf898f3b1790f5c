//! What methods save together, in tables, sentences and heat maps; the numbers are those of [`secateur_stats::factorial`].

mod heat_map;
mod sentences;
mod tables;
#[cfg(test)]
mod tests;

pub(crate) use heat_map::grid;

use crate::figure::Figure;
use crate::table::Section;
use secateur_stats::factorial::{Effects, designs, effects, standing_for};
use secateur_stats::group::Group;
use secateur_stats::measure::NODES;

/// Title of the section.
pub const TITLE: &str = "What do methods save together?";

/// The section of all fixed-depth groups that hold every combination of two methods or more; none without such a group.
#[must_use]
pub fn section(groups: &[Group<'_>]) -> Option<Section> {
    let mut whole = Section { title: TITLE.to_owned(), ..Section::default() };
    let parts = parts(groups);
    let has_parts = !parts.is_empty();
    for part in parts {
        whole.text.extend(part.text);
        whole.tables.extend(part.tables);
    }
    has_parts.then_some(whole)
}

/// The same as a section for each group, titled `chess, depth 8`.
#[must_use]
pub fn parts(groups: &[Group<'_>]) -> Vec<Section> {
    let designs = designs(groups);
    let main = standing_for(&designs);
    let mut nodes: Vec<Effects> = designs.iter().filter_map(|design| effects(design, &NODES)).collect();
    // What is not told is not tested either.
    let told = nodes.iter_mut().enumerate().filter(|(at, _)| main[*at] == *at);
    Effects::correct(told.map(|(_, nodes)| nodes));
    let mut parts = Vec::new();
    for (at, (design, nodes)) in designs.iter().zip(&nodes).enumerate() {
        let mut part = Section { title: design.group.heading(), ..Section::default() };
        if main[at] == at {
            part.text.push(sentences::introduction(design, nodes));
            part.text.extend(nodes.interactions.iter().map(|term| sentences::sentence(design, term)));
            part.tables = tables::of_main(design, nodes);
        } else {
            part.text.push(sentences::aside(design, nodes, &designs[main[at]]));
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
    let main = standing_for(&designs);
    let told = designs.iter().enumerate().filter(|(at, _)| main[*at] == *at);
    told.filter_map(|(_, design)| Some(heat_map::figure(design, &effects(design, &NODES)?, TITLE))).collect()
}
