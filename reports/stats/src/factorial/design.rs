//! Finding a factorial experiment in a group: methods of which every combination was searched.

use crate::arm::members;
use crate::group::Group;
use std::collections::{BTreeMap, BTreeSet};

/// More factors than this are not looked for: a table of effects could not be read.
const MOST: usize = 8;

/// A group with every combination of `factors`.
#[derive(Clone, Debug)]
pub struct Design<'g, 'a> {
    /// Where it was found.
    pub group: &'g Group<'a>,
    /// The methods, two or more, in the order of the records.
    pub factors: Vec<&'a str>,
    /// `sets[bits]` is the index in [`Group::methods`] of the set of the factors whose bits are set.
    pub sets: Vec<usize>,
}

impl<'g, 'a> Design<'g, 'a> {
    /// The largest factorial experiment in a group; of several as large the first.
    #[must_use]
    pub fn find(group: &'g Group<'a>) -> Option<Design<'g, 'a>> {
        let by_members: BTreeMap<BTreeSet<&str>, usize> = group
            .methods
            .iter()
            .enumerate()
            // Whatever its name, the baseline is the set without any.
            .map(|(index, methods)| match index {
                0 => (BTreeSet::new(), 0),
                _ => (members(methods).into_iter().collect(), index),
            })
            .collect();
        let single = |methods: &&'a str| match members(methods)[..] {
            [one] => Some(one),
            _ => None,
        };
        let singles: Vec<&str> = group.methods[1..].iter().filter_map(single).take(2 * MOST).collect();
        let mut smallest: Option<Vec<&str>> = None;
        for choice in 1..1_u32 << singles.len() {
            let size = choice.count_ones() as usize;
            if !(2..=MOST).contains(&size) || smallest.as_ref().is_some_and(|best| best.len() >= size) {
                continue;
            }
            let factors = chosen(&singles, choice as usize);
            if combinations(&factors).all(|set| by_members.contains_key(&set)) {
                smallest = Some(factors);
            }
        }
        let factors = smallest?;
        let sets = combinations(&factors).map(|set| by_members[&set]).collect();
        Some(Design { group, factors, sets })
    }

    /// The bits of all factors.
    #[must_use]
    pub fn all(&self) -> usize {
        self.sets.len() - 1
    }

    /// How many positions are left out of what is said of moves, because nobody decided whether another move is as good.
    #[must_use]
    pub fn undecided(&self) -> usize {
        let is_open = self.group.is_open();
        self.group.blocks.iter().filter(|block| self.sets.iter().any(|&set| is_open(block, set))).count()
    }

    /// Pairs of factors, by index.
    pub fn factor_pairs(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let count = self.factors.len();
        (0..count).flat_map(move |a| (a + 1..count).map(move |b| (a, b)))
    }
}

fn chosen<'a>(names: &[&'a str], bits: usize) -> Vec<&'a str> {
    names.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, name)| *name).collect()
}

fn combinations<'a>(factors: &[&'a str]) -> impl Iterator<Item = BTreeSet<&'a str>> {
    (0..1_usize << factors.len()).map(|bits| chosen(factors, bits).into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::row;
    use crate::group::groups;
    use secateur_record::record::Record;

    fn found(methods: &[&str]) -> Option<(Vec<String>, Vec<usize>)> {
        let records: Vec<Record> = methods.iter().map(|m| row("p", "28", m, 10)).collect();
        let groups = groups(&records);
        let design = Design::find(&groups[0])?;
        Some((design.factors.iter().map(|&f| f.to_owned()).collect(), design.sets))
    }

    #[test]
    fn every_combination_is_needed() {
        let full = ["none", "mpc", "null-move[r=3]", "mpc+null-move[r=3]"];
        let (factors, sets) = found(&full).unwrap();
        assert_eq!(factors, ["mpc", "null-move[r=3]"]);
        assert_eq!(sets, [0, 1, 2, 3]);
        assert!(found(&full[..3]).is_none());
        assert!(found(&["none", "mpc"]).is_none());
    }

    #[test]
    fn the_largest_wins_and_order_within_a_set_does_not_matter() {
        let methods = ["none", "a", "b", "c", "b+a", "c+a", "b+c", "c+b+a", "d", "a+d"];
        let (factors, sets) = found(&methods).unwrap();
        assert_eq!(factors, ["a", "b", "c"]);
        assert_eq!(sets, [0, 1, 2, 4, 3, 5, 6, 7]);
    }
}
