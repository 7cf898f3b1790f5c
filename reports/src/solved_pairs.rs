//! Which method sets are shown to solve more positions than others: McNemar's test of every pair, corrected for all of them.

use crate::format::count;
use crate::stats::{Shown, Test, holm, mcnemar, p_words, shown};
use crate::table::Table;

/// What each method set of one group solved: `right[method][position]`.
pub(crate) type Right = Vec<Vec<bool>>;

/// The sentence and the table of each group; no table where nothing is shown.
pub(crate) fn pairs(groups: &[(&[&str], Right)]) -> Vec<(String, Option<Table>)> {
    let tests: Vec<Vec<Pair>> = groups.iter().map(|(_, right)| all(right)).collect();
    let p_values: Vec<f64> = tests.iter().flatten().map(|pair| mcnemar(pair.only[0], pair.only[1])).collect();
    let mut corrected = holm(&p_values).into_iter();
    let mut found = Vec::new();
    for ((names, _), pairs) in groups.iter().zip(&tests) {
        let mut table =
            Table::new(&["<solves more", "<than", "only the first", "only the second", "p (McNemar, Holm)"]);
        for Pair { first, second, only } in pairs {
            let p = corrected.next().unwrap_or(f64::NAN);
            let (more, less, only) = match shown(Test { effect: only[0] as f64 - only[1] as f64, p }) {
                Shown::Above => (first, second, *only),
                Shown::Below => (second, first, [only[1], only[0]]),
                Shown::No => continue,
            };
            let [more, less] = [more, less].map(|&method| names[method].to_owned());
            table.push(vec![more, less, count(only[0]), count(only[1]), p_words(Some(p))]);
        }
        let text = format!(
            "Of {} pairs of method sets, {} are shown to differ in how many they solve ({} tests, corrected together).",
            pairs.len(),
            table.rows.len(),
            p_values.len()
        );
        found.push((text, (!table.rows.is_empty()).then_some(table)));
    }
    found
}

/// Two method sets and the positions that only one of them solves.
struct Pair {
    first: usize,
    second: usize,
    only: [u64; 2],
}

fn all(right: &Right) -> Vec<Pair> {
    let sets = right.len();
    let of = |first: usize, second: usize| {
        let both = right[first].iter().zip(&right[second]);
        let only = |one: bool| both.clone().filter(|(a, b)| **a == one && **b != one).count() as u64;
        Pair { first, second, only: [only(true), only(false)] }
    };
    (0..sets).flat_map(|first| (first + 1..sets).map(move |second| of(first, second))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of 30 positions `a` solves 20, `b` 11 of those 20, `c` as many as `a` but one other.
    #[test]
    fn only_what_survives_the_correction_is_shown() {
        let solves = |wanted: fn(usize) -> bool| (0..30).map(wanted).collect::<Vec<bool>>();
        let right = vec![solves(|i| i < 20), solves(|i| i < 9), solves(|i| i != 0 && i < 21)];
        let found = pairs(&[(&["a", "b", "c"], right)]);
        assert!(found[0].0.contains("Of 3 pairs of method sets, 2 are shown"), "{}", found[0].0);
        let rows = &found[0].1.as_ref().unwrap().rows;
        // 2 / 2^11 three times; 13 of 14 against one, twice.
        assert_eq!(rows[0], ["a", "b", "11", "0", "0.003"]);
        assert_eq!(rows[1][..4], ["c", "b", "12", "1"]);
        assert!(pairs(&[(&["a"], vec![vec![true]])])[0].1.is_none());
    }
}
