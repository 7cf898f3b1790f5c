//! Do the intervals of reports hold what they promise? Experiments with a known truth, judged by the same functions.
//!
//! `coverage intervals EXPERIMENTS [FILE]` asks it of every kind of interval that reports print, on data drawn like theirs; `coverage games
//! EXPERIMENTS [FILE]` simulates games of programs that lack methods: how near estimates are, and how many games decisions take. The
//! numbers go to FILE, those of decisions to coverage-decisions.csv next to it, from which `cargo xtask docs` makes the tables of
//! docs/STATISTICS.md. An interval of 95 % should have the truth in 95 of 100 experiments, however few positions there are.

mod games;
mod scenarios;

use games::{all_decisions, all_estimates};
use scenarios::SCENARIOS;
use secateur_lab::coverage::{CoverageRow, decisions, estimates, table};
use secateur_record::files::replace;
use secateur_record::table::of_rows;
use secateur_reports::render::markdown_table;
use secateur_stats::inference::SplitMix;
use secateur_stats::interval::Interval;
use std::error::Error;
use std::io::{Write, stdout};
use std::path::Path;

/// The numbers of source games that are tried.
pub const GAMES: [usize; 6] = [3, 5, 10, 20, 50, 200];

/// The file of decisions, next to that of estimates.
const DECISIONS: &str = "coverage-decisions.csv";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let expected = "expected `intervals` or `games`, a number of experiments from 1, and at most a file";
    let (what, experiments, file) = match &arguments[..] {
        [what, experiments] => (what.as_str(), experiments, None),
        [what, experiments, file] => (what.as_str(), experiments, Some(Path::new(file))),
        _ => return Err(expected.into()),
    };
    let experiments = experiments.parse().ok().filter(|number| *number > 0).ok_or(expected)?;
    let (tables, files) = match what {
        "intervals" => {
            let rows = simulate(&GAMES, experiments);
            (vec![table(&rows)], vec![(file.map(Path::to_owned), of_rows(&rows))])
        }
        "games" => {
            let (near, decided) = (all_estimates(experiments), all_decisions(experiments));
            let next_to_it = file.map(|file| file.with_file_name(DECISIONS));
            let files = vec![(file.map(Path::to_owned), of_rows(&near)), (next_to_it, of_rows(&decided))];
            (vec![estimates(&near), decisions(&decided)], files)
        }
        _ => return Err(expected.into()),
    };
    for table in &tables {
        writeln!(stdout(), "{}", markdown_table(table))?;
    }
    for (file, text) in files {
        file.map_or(Ok(()), |file| replace(&file, text.as_bytes()))?;
    }
    Ok(())
}

/// A kind of interval on one kind of data.
struct Scenario {
    measure: &'static str,
    data: &'static str,
    /// What is known to be true.
    truth: fn() -> f64,
    /// The interval that a report would print for an experiment with so many source games.
    draw: fn(&mut SplitMix, usize) -> Option<Interval>,
}

/// Makes so many experiments of each kind; the same ones whenever it is asked.
pub fn simulate(games: &[usize], experiments: u32) -> Vec<CoverageRow> {
    let all = SCENARIOS.iter().enumerate().flat_map(|at| games.iter().map(move |&n| (at, n)));
    let run = |((index, scenario), games): ((usize, &Scenario), usize)| {
        let mut random = SplitMix((index * 1_000 + games) as u64);
        let truth = (scenario.truth)();
        let (mut printed, mut covered) = (0, 0);
        for _ in 0..experiments {
            if let Some(i) = (scenario.draw)(&mut random, games).filter(Interval::has_ends) {
                printed += 1;
                covered += u32::from(i.low <= truth && truth <= i.high);
            }
        }
        let (measure, data) = (scenario.measure.to_owned(), scenario.data.to_owned());
        CoverageRow { measure, data, games, experiments, printed, covered }
    };
    all.map(run).collect()
}

#[cfg(test)]
mod tests {
    use super::games::Kind;
    use super::*;
    use secateur_lab::coverage::Way;
    use secateur_stats::shared::world::Law;
    use std::collections::BTreeSet;

    /// Every kind of interval at sizes that suites have, and one that does not hold, so that the judge is seen to say no. With
    /// 400 experiments three standard errors are 3.3 points.
    #[test]
    fn intervals_hold_what_they_promise() {
        for row in simulate(&[5, 40], 400) {
            let covered = 100.0 * f64::from(row.covered) / f64::from(row.printed.max(1));
            match (&*row.measure, row.games) {
                // Five moves come in six steps.
                ("share (same move)", 5) => assert!(covered >= 85.0, "{covered:.1} % {row:?}"),
                (scenarios::BOOTSTRAP, 5) => assert!(covered < 90.0, "{covered:.1} % {row:?}"),
                _ => assert!(row.printed < 100 || covered >= 90.5, "{covered:.1} % {row:?}"),
            }
        }
    }

    #[test]
    fn what_is_written_is_read_and_repeats() {
        let rows = simulate(&[3, 20], 20);
        let file = tempfile::NamedTempFile::new().unwrap();
        replace(file.path(), of_rows(&rows).as_bytes()).unwrap();
        assert_eq!(secateur_record::table::rows::<CoverageRow>(file.path()).unwrap(), rows);
        assert_eq!(simulate(&[3, 20], 20), rows);
        let mut kinds: Vec<_> = rows.iter().map(|row| (&row.measure, &row.data)).collect();
        kinds.dedup();
        assert_eq!(kinds.len(), SCENARIOS.len());
    }

    #[test]
    fn every_kind_of_interval_has_a_row_and_every_number_of_games_a_column() {
        let rows = simulate(&[3, 20], 20);
        let kinds: BTreeSet<_> = rows.iter().map(|row| (&row.measure, &row.data)).collect();
        let table = table(&rows);
        assert_eq!((table.rows.len(), table.columns.len()), (kinds.len(), 4));
        assert!(table.rows.iter().any(|row| row[2] == "-" && row[0].contains("regret")), "{:?}", table.rows);
    }

    #[test]
    fn both_ways_have_a_row_and_what_only_one_has_is_a_dash() {
        let kind = Kind { law: Law::Interacting, methods: 3, draws: 0.5, pairs: 500 };
        let ways = [Way::OneByOne, Way::Shared];
        let near = estimates(&ways.map(|way| games::estimates(kind, way, 2)));
        assert_eq!(near.rows.iter().map(|row| row[8] == "-").collect::<Vec<_>>(), [true, false]);
        assert_eq!((&*near.rows[0][4], &*near.rows[1][4]), ("one by one", "shared"));
        let decided = decisions(&ways.map(|way| games::decisions(kind, way, 2)));
        assert!(
            decided.rows.iter().all(|row| row.len() == decided.columns.len() && row[5] == "500"),
            "{:?}",
            decided.rows
        );
    }
}
