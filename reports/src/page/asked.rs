//! The picture that answers what a suite asks, before the list of its method sets.
//!
//! A factorial asks what methods share, a sweep of a parameter what it buys and costs, the same sets at several depths how they
//! grow. Every other suite is answered by the list ([`super::plots::forest`]).

use crate::chart::{self, Words};
use crate::figure::{Figure, csv, ends};
use secateur_stats::group::Group;
use secateur_stats::interval::Interval;
use secateur_stats::labels::{members, name};
use secateur_stats::metrics::against_baseline;
use std::collections::BTreeSet;

/// Forms of one set of methods from which on they are a sweep, and the part of all sets that they must be.
const SWEPT: usize = 4;
/// Depths from which on they are a question.
const DEPTHS: usize = 3;
/// Lines that can be told apart.
const LINES: usize = 8;

/// For each group the picture to be shown first, taken out of `figures` where it is one of them.
pub(crate) fn asked(groups: &[Group<'_>], figures: &mut Vec<Figure>) -> Vec<Option<Figure>> {
    // Of a factorial at several depths it is still asked what methods share.
    let is_crossed = |group: &Group<'_>, figures: &[Figure]| {
        figures.iter().any(|figure| figure.file.starts_with(&format!("interactions-{}-", group.game)))
    };
    let crossed: Vec<bool> = groups.iter().map(|group| is_crossed(group, figures)).collect();
    let mut take = |file: String| {
        let at = figures.iter().position(|figure| figure.file == file)?;
        Some(figures.remove(at))
    };
    let mut answer = |(group, crossed): (&Group<'_>, bool)| {
        let file_of = |what: &str| format!("{what}-{}-{}.csv", group.game, group.budget);
        match group.is_fixed_depth() {
            false => None,
            true if crossed => take(file_of("interactions")),
            true => growth(groups, group)
                .or_else(|| is_sweep(&group.methods).then(|| take(file_of("front"))).flatten()),
        }
    };
    groups.iter().zip(crossed).map(&mut answer).collect()
}

/// Whether most method sets are forms of one set with other parameters.
fn is_sweep(methods: &[&str]) -> bool {
    let plain = |set: &&str| members(set).into_iter().map(name).collect::<Vec<_>>().join("+");
    let all: Vec<String> = methods.iter().skip(1).map(plain).collect();
    let most = all.iter().map(|set| all.iter().filter(|other| *other == set).count()).max().unwrap_or(0);
    most >= SWEPT && 2 * most > all.len()
}

/// What each method set saves by depth, where this is the first of several groups that differ in depth alone.
fn growth(groups: &[Group<'_>], first: &Group<'_>) -> Option<Figure> {
    let alike = |group: &&Group<'_>| {
        group.is_fixed_depth()
            && (group.game, group.suite) == (first.game, first.suite)
            && group.methods == first.methods
            && !group.blocks.is_empty()
    };
    let mut family: Vec<&Group<'_>> = groups.iter().filter(alike).collect();
    let is_first = family.first().is_some_and(|group| std::ptr::eq(*group, first));
    family.sort_by_key(|group| group.budget);
    let depths: BTreeSet<u64> = family.iter().map(|group| group.budget).collect();
    if !is_first || depths.len() < DEPTHS || first.methods.len() < 2 {
        return None;
    }
    let saved = |index: usize| -> Vec<(u32, Interval)> {
        let point = |group: &&Group<'_>| {
            (
                u32::try_from(group.budget).unwrap_or(u32::MAX),
                against_baseline(group, index, None).speedup_geometric,
            )
        };
        family.iter().map(point).collect()
    };
    let mut curves: Vec<(&str, Vec<(u32, Interval)>)> =
        (1..first.methods.len()).map(|index| (first.methods[index], saved(index))).collect();
    let deepest = |curve: &(&str, Vec<(u32, Interval)>)| curve.1.last().map_or(0.0, |last| last.1.estimate);
    curves.sort_by(|one, other| deepest(other).total_cmp(&deepest(one)));
    let more = curves.len().saturating_sub(LINES);
    let shown = &curves[..curves.len() - more];
    let labels = Words {
        heading: &format!("{}: what is saved at each depth", first.game),
        across: chart::DEPTHS.0,
        at: chart::DEPTHS.1,
        upwards: &format!("nodes cut against {}, x", first.methods[0]),
        title: &format!("{}: what each method set saves by depth", first.game),
        what: "Factor by which nodes are cut",
    };
    let svg = chart::by_depth(&labels, shown)?;
    let rows = curves.iter().flat_map(|(name, points)| {
        points.iter().map(|(depth, i)| {
            let [estimate, low, high] = ends(i);
            [(*name).to_owned(), depth.to_string(), estimate, low, high]
        })
    });
    let left = if more > 0 {
        format!(" The {more} that save least at the last depth are left out.")
    } else {
        String::new()
    };
    Some(Figure {
        section: String::new(),
        caption: format!(
            "What each method set saves at each depth, geometric means with 95 % intervals.{left}"
        ),
        svg,
        file: format!("saved-by-depth-{}.csv", first.game),
        csv: csv(["methods", "depth", "nodes_saved", "low", "high"], rows),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_stats::fixtures::row;
    use secateur_stats::group::groups;

    fn figure(file: &str) -> Figure {
        Figure {
            section: "s".to_owned(),
            caption: String::new(),
            svg: String::new(),
            file: file.to_owned(),
            csv: String::new(),
        }
    }

    #[test]
    fn a_sweep_is_one_set_in_many_forms() {
        assert!(is_sweep(&["none", "mpc[t=1.0]", "mpc[t=1.2]", "mpc[t=1.4]", "mpc"]));
        assert!(!is_sweep(&[
            "none",
            "mpc[t=1.0]",
            "mpc[t=1.2]",
            "mpc",
            "lmr",
            "null-move",
            "futility",
            "razoring"
        ]));
        assert!(!is_sweep(&["none", "mpc", "lmr", "null-move", "futility"]));
    }

    #[test]
    fn the_first_picture_is_that_of_the_question() {
        let mut records = Vec::new();
        for depth in [4, 5, 6] {
            for i in 0..4 {
                for (methods, nodes) in [("none", 1000), ("mpc", 1000 / depth)] {
                    let mut record = row(&format!("p{i}"), "28", methods, nodes);
                    record.budget = depth;
                    records.push(record);
                }
            }
        }
        let all = groups(&records);
        let game = all[0].game;
        let pictures = asked(&all, &mut Vec::new());
        let first = pictures[0].as_ref().expect("three depths grow");
        assert!(first.svg.contains("mpc 6.02 at depth 6"), "{}", first.svg);
        assert!(pictures[1].is_none() && pictures[2].is_none());
        // Of a factorial it is what methods share, at whatever depths, and it stands once.
        let mut figures = vec![figure(&format!("interactions-{game}-5.csv"))];
        let pictures = asked(&all, &mut figures);
        assert!(pictures[0].is_none() && pictures[2].is_none() && figures.is_empty());
        assert!(pictures[1].as_ref().is_some_and(|figure| figure.file.starts_with("interactions")));
        assert_eq!(asked(&all[..1], &mut figures), [None]);
    }
}
