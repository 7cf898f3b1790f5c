//! Which method sets are shown to solve more positions than others: McNemar's test of every pair, corrected for all of them.

use crate::format::{count, p_words};
use crate::table::Table;
use secateur_stats::inference::Shown;
use secateur_stats::solved::{Disagreement, SolvedMatrix, disagreements};

/// The sentence and the table of each group; no table where nothing is shown.
pub(crate) fn difference_tables(groups: &[(&[&str], SolvedMatrix)]) -> Vec<(String, Option<Table>)> {
    let rights: Vec<&SolvedMatrix> = groups.iter().map(|(_, right)| right).collect();
    let tests = disagreements(&rights);
    let all = tests.iter().flatten().count();
    let mut tables = Vec::new();
    for ((names, _), pairs) in groups.iter().zip(&tests) {
        let mut table =
            Table::new(&["<solves more", "<than", "only the first", "only the second", "p (McNemar, Holm)"]);
        for pair in pairs {
            let Disagreement { first, second, only, p } = pair;
            let (more, less, only) = match pair.shown() {
                Shown::Above => (first, second, *only),
                Shown::Below => (second, first, [only[1], only[0]]),
                Shown::No => continue,
            };
            let [more, less] = [more, less].map(|&method| names[method].to_owned());
            table.push(vec![more, less, count(only[0]), count(only[1]), p_words(Some(*p))]);
        }
        let text = format!(
            "Of {} pairs of method sets, {} are shown to differ in how many they solve ({} tests, corrected together).",
            pairs.len(),
            table.rows.len(),
            all
        );
        tables.push((text, (!table.rows.is_empty()).then_some(table)));
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of 30 positions `a` solves 20, `b` 11 of those 20, `c` as many as `a` but one other.
    #[test]
    fn only_what_survives_the_correction_is_shown() {
        let solves = |wanted: fn(usize) -> bool| (0..30).map(wanted).collect::<Vec<bool>>();
        let right = vec![solves(|i| i < 20), solves(|i| i < 9), solves(|i| i != 0 && i < 21)];
        let tables = difference_tables(&[(&["a", "b", "c"], right)]);
        assert!(tables[0].0.contains("Of 3 pairs of method sets, 2 are shown"), "{}", tables[0].0);
        let rows = &tables[0].1.as_ref().unwrap().rows;
        // 2 / 2^11 three times; 13 of 14 against one, twice.
        assert_eq!(rows[0], ["a", "b", "11", "0", "0.003"]);
        assert_eq!(rows[1][..4], ["c", "b", "12", "1"]);
        assert!(difference_tables(&[(&["a"], vec![vec![true]])])[0].1.is_none());
    }
}
