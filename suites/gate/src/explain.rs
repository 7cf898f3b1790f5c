//! What a regression of trees means, in sentences, as far as the trees of all arms say so.
//!
//! An arm that searches what the baseline has of the same arm without a method has lost that method. Where every arm with a method
//! moved and no arm without it did, the change is within that method; where the arm without any moved too, it is in what all
//! share. Nothing is searched for this.

use secateur_base::number::either;
use secateur_record::arm::split;
use std::collections::{BTreeMap, BTreeSet};

/// Sentences of one kind that are said.
const MOST: usize = 4;

/// Tries and cuts of a method in all searches of an arm.
pub type Fired = BTreeMap<String, (u64, u64)>;

/// The searches of an arm, as far as they are compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trees {
    /// What stands for them; the same for the same searches.
    pub signature: String,
    /// By method, where it is known.
    pub fired: Fired,
}

/// What an arm is made of: the methods that it has, or those that it lacks of all.
#[derive(Debug, PartialEq, Eq)]
struct Made<'a> {
    of_full: bool,
    methods: BTreeSet<&'a str>,
    /// Changes besides.
    other: Vec<&'a str>,
}

impl<'a> Made<'a> {
    fn of(arm: &'a str) -> Made<'a> {
        let Some(rest) = arm.strip_prefix("full").filter(|rest| rest.is_empty() || rest.starts_with('['))
        else {
            let methods = split(arm, '+').into_iter().filter(|name| *name != "none").collect();
            return Made { of_full: false, methods, other: Vec::new() };
        };
        let changes = rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or_default();
        let changes = split(changes, ',').into_iter().filter(|change| !change.is_empty());
        let (off, other): (Vec<&str>, Vec<&str>) = changes.partition(|change| change.starts_with('-'));
        Made { of_full: true, methods: off.into_iter().map(|name| &name[1..]).collect(), other }
    }

    /// The methods that this has and another lacks, where that is all that is between them.
    fn more_than(&self, other: &Made<'a>) -> Vec<&'a str> {
        let (more, less) = if self.of_full { (other, self) } else { (self, other) };
        let alike = self.of_full == other.of_full && self.other == other.other;
        match alike && less.methods.is_subset(&more.methods) {
            true => more.methods.difference(&less.methods).copied().collect(),
            false => Vec::new(),
        }
    }

    fn has(&self, method: &str) -> bool {
        self.of_full != self.methods.contains(method)
    }
}

/// What the arms of one game say together: `now` as they were searched, `then` as the baseline has them.
pub fn explain(now: &BTreeMap<&str, Trees>, then: &BTreeMap<&str, Trees>) -> Vec<String> {
    let moved: Vec<&str> = now
        .iter()
        .filter(|(arm, trees)| then.get(*arm).is_some_and(|old| old.signature != trees.signature))
        .map(|(arm, _)| *arm)
        .collect();
    if moved.is_empty() {
        return Vec::new();
    }
    let mut sentences: Vec<String> =
        moved.iter().filter_map(|arm| became(arm, now, then)).take(MOST).collect();
    sentences.extend(within(&moved, now, then));
    sentences.extend(fired(&moved, now, then));
    sentences
}

/// That an arm searches what the baseline has of another, if there is a method between them and the other did not move itself. Where
/// the baseline has several alike, each of their methods may be it.
fn became<'a>(
    arm: &'a str,
    now: &BTreeMap<&'a str, Trees>,
    then: &BTreeMap<&'a str, Trees>,
) -> Option<String> {
    let (made, trees) = (Made::of(arm), &now[arm]);
    let is_still =
        |other: &str, old: &Trees| now.get(other).is_none_or(|trees| trees.signature == old.signature);
    let alike = then
        .iter()
        .filter(|(other, old)| **other != arm && old.signature == trees.signature && is_still(other, old));
    let between = alike.map(|(&other, _)| {
        let expected = Made::of(other);
        let (dead, stuck) = (made.more_than(&expected), expected.more_than(&made));
        match dead.is_empty() {
            true => (other, stuck, "switched off without effect"),
            false => (other, dead, "dead"),
        }
    });
    let alike: Vec<_> = between.filter(|(_, names, _)| !names.is_empty()).collect();
    let (_, fewest, what) = alike.iter().min_by_key(|(_, names, _)| names.len())?;
    let nearest = alike.iter().filter(|(_, names, verdict)| names.len() == fewest.len() && verdict == what);
    let (others, names): (Vec<_>, Vec<_>) =
        nearest.map(|(other, names, _)| (format!("`{other}`"), names.join(" and "))).unzip();
    let verb = either(fewest.len(), "is", "are");
    Some(format!(
        "`{arm}` now equals the baseline's {}: {} {verb} {what}.",
        others.join(" and "),
        names.join(" or ")
    ))
}

/// Where the change is, by the arms that did not move.
fn within(moved: &[&str], now: &BTreeMap<&str, Trees>, then: &BTreeMap<&str, Trees>) -> Option<String> {
    let compared: Vec<&str> = now.keys().filter(|arm| then.contains_key(*arm)).copied().collect();
    if compared.len() < 2 {
        return None;
    }
    let all: BTreeSet<&str> = compared.iter().flat_map(|arm| Made::of(arm).methods).collect();
    let is_it = |method: &&&str| {
        let (with, without): (Vec<&str>, Vec<&str>) =
            compared.iter().partition(|arm| Made::of(arm).has(method));
        let same = |arm: &&str| !moved.contains(arm);
        !without.is_empty() && without.iter().all(same) && !with.iter().any(same)
    };
    let names: Vec<&str> = all.iter().filter(is_it).copied().collect();
    match names[..] {
        [] if moved.len() == compared.len() => Some(match moved.contains(&"none") {
            true => "All arms moved, and `none` too: the change is in what all share (evaluation, order of moves, \
                     quiescence, table), or in how nodes are counted."
                .to_owned(),
            false => "All arms moved: the change is in no single method.".to_owned(),
        }),
        [] => None,
        _ => Some(format!(
            "Every arm with {} moved and no arm without it did: the change is within it.",
            names.join(" or ")
        )),
    }
}

/// Methods whose counts moved, in the first arm that knows.
fn fired(moved: &[&str], now: &BTreeMap<&str, Trees>, then: &BTreeMap<&str, Trees>) -> Option<String> {
    let is_counted = |arm: &&&str| !now[**arm].fired.is_empty() && !then[**arm].fired.is_empty();
    let arm = moved.iter().find(is_counted)?;
    let (new, old) = (&now[arm].fired, &then[arm].fired);
    let names: BTreeSet<&String> = new.keys().chain(old.keys()).collect();
    let count = |fired: &Fired, name: &String| fired.get(name).copied().unwrap_or_default();
    let differ = names.into_iter().filter(|name| count(new, name) != count(old, name));
    let changes: Vec<String> = differ
        .map(|name| {
            let ((tries, cuts), (old_tries, old_cuts)) = (count(new, name), count(old, name));
            format!("{name} {old_tries} tries and {old_cuts} cuts, now {tries} and {cuts}")
        })
        .collect();
    let summary =
        if changes.is_empty() { "no method fired more or less often".to_owned() } else { changes.join("; ") };
    Some(format!("Counts in `{arm}`: {summary}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arms<'a>(list: &[(&'a str, &str)]) -> BTreeMap<&'a str, Trees> {
        let trees = |signature: &&str| Trees { signature: (*signature).to_owned(), fired: Fired::new() };
        list.iter().map(|(arm, signature)| (*arm, trees(signature))).collect()
    }

    const EXPECTED: [(&str, &str); 5] = [
        ("full", "a"),
        ("full[-lmr]", "b"),
        ("full[-null-move]", "c"),
        ("full[-lmr,-null-move]", "d"),
        ("none", "d"),
    ];

    #[test]
    fn a_dead_method_is_named() {
        let now = arms(&[
            ("full", "c"),
            ("full[-lmr]", "d"),
            ("full[-null-move]", "c"),
            ("full[-lmr,-null-move]", "d"),
            ("none", "d"),
        ]);
        let sentences = explain(&now, &arms(&EXPECTED));
        assert_eq!(sentences[0], "`full` now equals the baseline's `full[-null-move]`: null-move is dead.");
        assert_eq!(
            sentences[1],
            "`full[-lmr]` now equals the baseline's `full[-lmr,-null-move]`: null-move is dead."
        );
        assert_eq!(
            sentences[2],
            "Every arm with null-move moved and no arm without it did: the change is within it."
        );
        // The other way round the switch does nothing any more.
        let now = arms(&[("full", "a"), ("full[-lmr]", "a"), ("full[-null-move]", "c"), ("none", "d")]);
        let sentences = explain(&now, &arms(&EXPECTED));
        assert_eq!(
            sentences,
            ["`full[-lmr]` now equals the baseline's `full`: lmr is switched off without effect."]
        );
        // Sets of methods, as our own gate has them.
        let expected = arms(&[("none", "x"), ("lmr", "y"), ("lmr+mpc", "z"), ("mpc", "w")]);
        let sentences =
            explain(&arms(&[("none", "x"), ("lmr", "y"), ("lmr+mpc", "y"), ("mpc", "x")]), &expected);
        assert_eq!(sentences[0], "`lmr+mpc` now equals the baseline's `lmr`: mpc is dead.");
        assert_eq!(sentences[1], "`mpc` now equals the baseline's `none`: mpc is dead.");
    }

    /// Two methods that cost as much have the same trees in the baseline: what moved itself is not what died.
    #[test]
    fn arms_alike_in_the_baseline_are_told_apart() {
        let expected = arms(&[("full", "a"), ("full[-lmr]", "b"), ("full[-null-move]", "b")]);
        let sentences =
            explain(&arms(&[("full", "b"), ("full[-lmr]", "c"), ("full[-null-move]", "b")]), &expected);
        assert_eq!(sentences[0], "`full` now equals the baseline's `full[-null-move]`: null-move is dead.");
        let sentences =
            explain(&arms(&[("full", "b"), ("full[-lmr]", "b"), ("full[-null-move]", "b")]), &expected);
        let either =
            "`full` now equals the baseline's `full[-lmr]` and `full[-null-move]`: lmr or null-move is dead.";
        assert_eq!(sentences[0], either);
    }

    #[test]
    fn what_did_not_move_says_where_the_change_is() {
        let moved = |list: &[(&'static str, &str)]| explain(&arms(list), &arms(&EXPECTED[..3]));
        assert!(moved(&EXPECTED[..3]).is_empty());
        let sentences = moved(&[("full", "q"), ("full[-lmr]", "b"), ("full[-null-move]", "r")]);
        assert_eq!(
            sentences,
            ["Every arm with lmr moved and no arm without it did: the change is within it."]
        );
        let sentences = moved(&[("full", "q"), ("full[-lmr]", "r"), ("full[-null-move]", "s")]);
        assert_eq!(sentences, ["All arms moved: the change is in no single method."]);
        let none = [("full", "q"), ("none", "r")];
        assert!(explain(&arms(&none), &arms(&EXPECTED))[0].contains("`none` too"));
        // One arm alone says nothing of where.
        assert!(moved(&[("full", "q")]).is_empty());
    }

    #[test]
    fn counts_that_moved_are_named() {
        let firing = |cuts: u64| {
            let fired = Fired::from([("lmr".to_owned(), (9, cuts)), ("mpc".to_owned(), (3, 1))]);
            BTreeMap::from([("full", Trees { signature: cuts.to_string(), fired })])
        };
        let sentences = explain(&firing(0), &firing(4));
        assert_eq!(sentences, ["Counts in `full`: lmr 9 tries and 4 cuts, now 9 and 0."]);
    }
}
