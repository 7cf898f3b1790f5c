//! How large a run or a match has to be: what tests would show four times in five, from the spread of real ones.

use secateur_reports::format::{count, or_dash, plural, ratio};
use secateur_reports::table::Table;
use secateur_stats::elo::Score;
use secateur_stats::inference::LEVEL;
use secateur_stats::inference::spread::Spread;

/// Source games of a row.
const POSITIONS: [usize; 8] = [10, 20, 50, 100, 200, 500, 1000, 5000];
/// Games of a row.
const GAMES: [u64; 8] = [100, 200, 400, 1000, 2000, 4000, 10_000, 40_000];
/// Tests of a family: one question, and those about a program of ten methods.
const TESTS: [usize; 2] = [1, 10];
/// Which of the spreads, in order, a column takes.
const QUARTILES: [(f64, &str); 3] = [(0.25, "steady"), (0.5, "middle"), (0.75, "unsteady")];

/// The factor in nodes that a run shows by the number of its source games, for methods as steady as these were: `spreads` are of the
/// mean logarithms of ratios of nodes, one a method.
pub fn positions(spreads: &[Spread]) -> Table {
    let sorted = in_order(spreads, |spread| spread.of_games(1).error);
    let columns = || TESTS.iter().flat_map(|tests| QUARTILES.map(|quartile| (*tests, quartile)));
    let cell = |clusters: usize, (tests, (share, name)): (usize, (f64, &str))| {
        let spread = quantile(&sorted, share).map(|spread| spread.of_games(clusters));
        let factor =
            spread.map(|spread| format!("{}x", ratio(spread.detectable(LEVEL / tests as f64).exp())));
        let heading = format!("{name}, {}", plural(tests, "test"));
        ([("positions", count(clusters as u64))], (heading, or_dash(factor)))
    };
    let cells = POSITIONS.iter().flat_map(|clusters| columns().map(move |column| cell(*clusters, column)));
    Table::crossed(cells).noted(format!(
        "The factor in nodes that a run shows four times in five, one position a source game. From the {} methods of \
         the programs with switches: a quarter of them is at least as steady as *steady*, half as *middle*, three quarters as *unsteady*.",
        spreads.len()
    ))
}

/// The Elo that a match shows by the number of its games, and the interval that it leaves, for pairs that vary as in these matches.
pub fn games(scores: &[Score]) -> Table {
    let sorted = in_order(scores, |score| score.deviation);
    let cell = |games: u64, tests: usize| {
        let score = quantile(&sorted, 0.5).map(|score| score.even(games / 2));
        let reach = score.and_then(|score| score.elo().ends()).map(|(_, high)| format!("±{high:.0} Elo"));
        let elo = score.and_then(|score| score.detectable(LEVEL / tests as f64));
        let heading = format!("shows, {}", plural(tests, "test"));
        (
            [("games", count(games)), ("95 % interval", or_dash(reach))],
            (heading, or_dash(elo.map(|elo| format!("{elo:.0} Elo")))),
        )
    };
    let cells = GAMES.iter().flat_map(|games| TESTS.map(|tests| cell(*games, tests)));
    Table::crossed(cells).noted(format!(
        "The difference that a match between nearly even players shows four times in five, two games an opening. The spread of a pair is \
         the median of {} matches of these programs with and without a method.",
        scores.len()
    ))
}

fn in_order<T: Copy>(values: &[T], key: impl Fn(&T) -> f64) -> Vec<T> {
    let mut sorted = values.to_vec();
    sorted.sort_by(|a, b| key(a).total_cmp(&key(b)));
    sorted
}

/// The value below which this share of the sorted ones is, rounded up to one of them.
fn quantile<T: Copy>(sorted: &[T], share: f64) -> Option<T> {
    let at = (share * sorted.len() as f64).ceil().max(1.0) as usize;
    sorted.get(at - 1).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_stats::elo::Pentanomial;
    use secateur_stats::inference::spread::spread;

    fn scaled(scale: f64) -> Spread {
        let clusters: Vec<Vec<f64>> =
            [-2.0, -1.0, 0.0, 1.0, 2.0].iter().map(|x| vec![scale * x, 1.0]).collect();
        spread(&clusters, |sums| sums[0] / sums[1])
    }

    /// A spread of ln 2 at a thousand games and one test: exp(2.8 ln 2 / sqrt(1000)) = 1.06.
    #[test]
    fn more_positions_show_smaller_factors_and_more_tests_larger_ones() {
        let unit = 2.0_f64.ln() / 2.5_f64.sqrt();
        let table = positions(&[scaled(unit), scaled(2.0 * unit), scaled(3.0 * unit), scaled(4.0 * unit)]);
        assert_eq!((table.rows.len(), table.rows[0].len()), (8, 7));
        let cell = |row: usize, column: usize| -> f64 {
            table.rows[row][column].trim_end_matches('x').parse().unwrap()
        };
        assert_eq!(table.rows[6][1], "1.06x");
        assert!(cell(0, 1) > cell(3, 1) && cell(3, 4) > cell(3, 1) && cell(3, 3) > cell(3, 2));
    }

    #[test]
    fn a_match_four_times_as_long_has_half_the_interval() {
        let score = Pentanomial([5, 20, 50, 20, 5]).score().unwrap();
        let table = games(&[score]);
        let reach = |row: usize| -> f64 {
            table.rows[row][1].trim_start_matches('±').trim_end_matches(" Elo").parse().unwrap()
        };
        assert!((reach(3) / reach(5) - 2.0).abs() < 0.1, "{:?}", table.rows);
        assert!(games(&[]).rows[0][1] == "-", "no match, no number");
    }
}
