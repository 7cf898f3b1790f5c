//! What other programs answered where a solution is known: depth is not work, so a time to a depth needs this next to it.

use secateur_record::manifest::Solution;
use secateur_record::peers::SUITE;
use secateur_reports::format::share_within;
use secateur_reports::table::Table;
use secateur_stats::interval::wilson;
use secateur_stats::runs::Runs;
use std::collections::BTreeMap;

/// One row an arm of a run of other programs, in their order: the positions whose first search ended with a solution. `None`
/// where no position of the run has one.
pub fn table(runs: &Runs, solutions: &BTreeMap<String, Solution>) -> Option<Table> {
    let mut arms: Vec<(&str, usize, usize)> = Vec::new();
    for row in runs.records.iter().filter(|row| row.suite == SUITE && row.repeat == 0 && row.error.is_none())
    {
        let Some(solution) = solutions.get(&*row.position) else { continue };
        let at = arms.iter().position(|arm| arm.0 == row.methods).unwrap_or(arms.len());
        if at == arms.len() {
            arms.push((&row.methods, 0, 0));
        }
        arms[at].1 += usize::from(solution.accepts(&row.best_move));
        arms[at].2 += 1;
    }
    let row = |(arm, solved, all): (&str, usize, usize)| {
        let share = share_within(wilson(solved, all));
        [("<arm", arm.to_owned()), ("solved", format!("{solved} of {all}")), ("share", share)]
    };
    let note =
        "Solved: the search ends with a best move of the set and none to avoid; 95 % Wilson intervals.";
    arms.into_iter().map(row).collect::<Table>().noted(note).unless_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::record::Record;
    use secateur_stats::fixtures::row;

    #[test]
    fn arms_are_counted_over_the_positions_with_a_solution() {
        let row = |position: &str, arm: &str, best_move: &str| Record {
            suite: SUITE.into(),
            best_move: best_move.into(),
            ..row(position, "all", arm, 1)
        };
        let records =
            vec![row("a", "y", "d3"), row("a", "x", "c4"), row("b", "y", "e6"), row("c", "y", "d3")];
        let runs = Runs { records, ..Runs::default() };
        let best = |mv: &str| Solution { best: vec![mv.to_owned()], ..Solution::default() };
        let solutions = BTreeMap::from([("a".to_owned(), best("d3")), ("b".to_owned(), best("f5"))]);
        let table = table(&runs, &solutions).unwrap();
        assert_eq!(table.rows[0][..2], ["y", "1 of 2"]);
        assert_eq!(table.rows[1][..2], ["x", "0 of 1"]);
        assert_eq!(super::table(&runs, &BTreeMap::new()), None);
    }
}
