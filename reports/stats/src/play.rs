//! The result of a match in numbers: points by pair of games, faults, the sequential test, measures for programs.
//!
//! Everything is counted from `games.csv`. The unit of independence is the opening: both games of a pair share one, so everything
//! with an interval counts pairs, and of pairs that share an opening the first alone counts, in every number. `play` draws as many
//! openings as there are pairs; matches of earlier versions began again with the first when a set ran out, and players whose
//! searches repeat then played the same games again.
//!
//! If what a method is worth did not depend on another, a program would lose without both what it loses without each, in sum
//! ([`sums`]). What it loses beyond that they were standing in for each other; the nodes that both save are a guess at how much.
//! Source of the question: the notes next to Stockfish's table of values, which do not add up.

use crate::elo::{Decision, Hypotheses, Pentanomial, Score};
use crate::inference::Test;
use crate::inference::mean::Mean;
use crate::interval::{Interval, mean_spread, z95};
use crate::measures::MeasureRow;
use secateur_record::play::{Effort, Ended, GameRow, Limit};
use statrs::distribution::{ContinuousCDF, Normal};
use std::collections::{BTreeMap, BTreeSet};

/// The games that count, in their order: all but those of pairs that begin as an earlier pair did.
pub fn counted(rows: &[GameRow]) -> Vec<&GameRow> {
    let mut first: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows.iter().filter(|row| !row.opening.is_empty()) {
        let pair = first.entry(&row.opening).or_insert(row.pair);
        *pair = row.pair.min(*pair);
    }
    let counts = |row: &&GameRow| first.get(&*row.opening).is_none_or(|pair| *pair == row.pair);
    rows.iter().filter(counts).collect()
}

/// The pairs of which both games are there, by the points of the first player; one an opening.
pub fn pair_counts(rows: &[GameRow]) -> Pentanomial {
    let mut cells = [0; 5];
    whole_pairs(rows).values().for_each(|(_, points)| cells[*points] += 1);
    Pentanomial(cells)
}

/// By opening, or by number where it has no name: the pair, and the half points of the first player in both games, 0 to 4.
pub(crate) fn whole_pairs(rows: &[GameRow]) -> BTreeMap<String, (usize, usize)> {
    let mut halves: BTreeMap<usize, (&str, Vec<usize>)> = BTreeMap::new();
    for row in counted(rows) {
        halves.entry(row.pair).or_insert_with(|| (&row.opening, Vec::new())).1.push(row.half_points());
    }
    let whole = halves.into_iter().filter(|(_, (_, points))| points.len() == 2);
    let named = |(pair, (opening, points)): (usize, (&str, Vec<usize>))| {
        let key = if opening.is_empty() { format!("pair {pair}") } else { opening.to_owned() };
        (key, (pair, points.iter().sum()))
    };
    whole.map(named).collect()
}

/// A test of the score of a match, over its openings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoreTest {
    /// By how much the score differs; a score is 0 to 1.
    pub test: Test,
    /// Its standard error.
    pub error: f64,
    /// Openings.
    pub n: usize,
}

/// The score of the first player against an even one; `None` where no two openings ended differently.
pub fn against_even(rows: &[GameRow]) -> Option<ScoreTest> {
    let score = pair_counts(rows).score()?;
    let (low, high) = score.mean().ends()?;
    let effect = Interval { estimate: score.mean - 0.5, low: low - 0.5, high: high - 0.5 };
    let test = Test { effect, p: score.p()? };
    Some(ScoreTest { test, error: score.error()?, n: score.trials as usize })
}

/// The score of the first player of one match less that of another, opening by opening, over those that both played; `None` for
/// fewer than two.
pub fn against(one: &[GameRow], other: &[GameRow]) -> Option<ScoreTest> {
    let (one, other) = (whole_pairs(one), whole_pairs(other));
    let difference = |(opening, (_, points)): (&String, &(usize, usize))| {
        Some((*points as f64 - other.get(opening)?.1 as f64) / 4.0)
    };
    let totals: Vec<[f64; 2]> = one.iter().filter_map(difference).map(|points| [points, 1.0]).collect();
    let mean = mean_spread(&totals);
    let test = || Test { effect: mean.student(), p: mean.p() };
    (totals.len() > 1).then(|| ScoreTest { test: test(), error: mean.error, n: totals.len() })
}

/// Plies of a search, the mean over all moves of the games of which a player said its depths: 0 stands where it did not. Not finite where
/// it said none.
pub fn mean_depth(efforts: impl Iterator<Item = Effort>) -> f64 {
    let named = efforts.filter(|effort| effort.depths > 0);
    let (depths, moves) = named.fold((0_u64, 0_u64), |(depths, moves), effort| {
        (depths.saturating_add(effort.depths), moves.saturating_add(effort.moves))
    });
    depths as f64 / moves as f64
}

/// Plies by which the searches of the first player are deeper than those of the second: game by game, the mean over the openings of
/// whole pairs. `None` where a player names no depth, or where there are fewer than two openings.
pub fn plies_deeper(rows: &[GameRow]) -> Option<Interval> {
    let lead = |row: &GameRow| {
        let [first, second] = [0, 1].map(|player| mean_depth([row.effort(player)].into_iter()));
        first - second
    };
    let whole: BTreeSet<usize> = whole_pairs(rows).into_values().map(|(pair, _)| pair).collect();
    let mut openings: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for row in counted(rows).into_iter().filter(|row| whole.contains(&row.pair) && lead(row).is_finite()) {
        openings.entry(row.pair).or_default().push(lead(row));
    }
    let leads: Vec<Vec<f64>> = openings.into_values().collect();
    (leads.len() > 1).then(|| Mean::Arithmetic.estimate(&leads))?.map(|estimate| estimate.within)
}

/// Games lost, drawn and won by the first player, of those that count.
pub fn game_counts(rows: &[GameRow]) -> [u64; 3] {
    let mut cells = [0; 3];
    for row in counted(rows) {
        cells[row.half_points()] += 1;
    }
    cells
}

/// Share of the games of a match that may end by a fault before its result counts as resting on faults. It moves the
/// score by at most that much, about 7 Elo in an even match: less than so many games as have a fault among them can tell.
pub const TOLERATED: f64 = 0.01;

/// Games that a fault of the first and of the second player ended.
pub fn faults(rows: &[GameRow]) -> [usize; 2] {
    let mut counts = [0; 2];
    for player in rows.iter().filter_map(GameRow::at_fault) {
        counts[player] += 1;
    }
    counts
}

/// Whether so many games ended by faults that the result says nothing of strength.
pub fn rests_on_faults(rows: &[GameRow]) -> bool {
    faults(rows).iter().sum::<usize>() as f64 > TOLERATED * rows.len() as f64
}

/// The numbers of a match for programs, one measure a row; `n` counts games, for what has an interval pairs.
pub fn match_rows(ended: &Ended) -> Vec<MeasureRow> {
    let settings = &ended.file.settings;
    let (kind, amount) = match settings.limit {
        Limit::Depth(plies) => ("depth", u64::from(plies)),
        Limit::Nodes(nodes) => ("nodes", nodes),
        Limit::MoveTime(time) | Limit::Clock { base: time, .. } => {
            ("time", u64::try_from(time.as_nanos()).unwrap_or(u64::MAX))
        }
    };
    let [first, second] = settings.names();
    let row = |measure: &str, n: usize, number: Option<Interval>| {
        let all = MeasureRow {
            game: settings.game.clone(),
            suite: "play".to_owned(),
            budget_kind: kind.to_owned(),
            budget: amount,
            methods: format!("{first} x {second}"),
            stage: "all".to_owned(),
            measure: measure.to_owned(),
            n,
            // A match has no name; when it began tells it from others.
            run: ended.file.started.clone(),
            ..MeasureRow::default()
        };
        all.with(number)
    };
    let games = counted(&ended.rows).len();
    let plain = |measure: &str, count: f64| row(measure, games, Some(Interval::none(count)));
    let [lost, drawn, won] = game_counts(&ended.rows).map(|count| count as f64);
    let [by_first, by_second] = faults(&ended.rows).map(|count| count as f64);
    let score = pair_counts(&ended.rows).score();
    let trials = score.as_ref().map_or(0, |score| score.trials as usize);
    vec![
        plain("games_won", won),
        plain("games_drawn", drawn),
        plain("games_lost", lost),
        plain("games_repeated", (ended.rows.len() - games) as f64),
        plain("faults_first", by_first),
        plain("faults_second", by_second),
        row("score", trials, score.as_ref().map(Score::mean)),
        row("elo", trials, score.as_ref().map(Score::elo)),
        row("normalised_elo", trials, score.as_ref().and_then(Score::normalised_elo)),
        row("plies_deeper", trials, plies_deeper(&ended.rows)),
    ]
}

/// What a sequential test says of these games, with its ratio.
pub fn sequential(rows: &[GameRow], [elo0, elo1]: [f64; 2]) -> (Decision, f64) {
    let ratio = Hypotheses { elo0, elo1 }.ratio(pair_counts(rows));
    (Hypotheses::decide(ratio), ratio)
}

/// What two methods are worth in games, one by one and together.
#[derive(Clone, Debug, PartialEq)]
pub struct Sum {
    /// The two methods.
    pub pair: [String; 2],
    /// Elo that the program loses without each.
    pub each: [Interval; 2],
    /// Elo that it loses without both.
    pub both: Interval,
    /// What it loses without both and not one by one, Elo; above 0 each stands in for the other. The test is by the normal
    /// distribution.
    pub excess: Test,
}

/// The test of what two methods are worth beyond their sum, by itself.
pub fn beyond_sum(effect: Interval) -> Test {
    Test { effect, p: 2.0 * Normal::standard().sf(z95() * effect.estimate.abs() / half(effect)) }
}

/// The pairs that were played, of which each method was played by itself too; `elos` are by methods.
pub fn sums(elos: &[(&[String], Interval)]) -> Vec<Sum> {
    let alone = |name: &String| elos.iter().find(|(methods, _)| *methods == [name.clone()]).map(|elo| elo.1);
    let sum = |(methods, both): &(&[String], Interval)| {
        let [one, other] = methods else { return None };
        let each = [alone(one)?, alone(other)?];
        let estimate = both.estimate - each[0].estimate - each[1].estimate;
        // Three matches of games of their own.
        let half =
            [each[0], each[1], *both].map(half).into_iter().map(|half| half * half).sum::<f64>().sqrt();
        let excess = beyond_sum(Interval::around(estimate, half));
        Some(Sum { pair: [one.clone(), other.clone()], each, both: *both, excess })
    };
    elos.iter().filter_map(sum).collect()
}

/// Half of the width of an interval.
fn half(interval: Interval) -> f64 {
    (interval.high - interval.low) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(game: usize, points: f64) -> GameRow {
        GameRow { game, pair: game.div_ceil(2), points, reason: "discs".to_owned(), ..GameRow::default() }
    }

    #[test]
    fn pairs_count_only_when_whole() {
        let rows = [row(1, 1.0), row(2, 0.5), row(4, 0.0), row(3, 0.0), row(5, 1.0)];
        assert_eq!(pair_counts(&rows), Pentanomial([1, 0, 0, 1, 0]));
        assert_eq!(game_counts(&rows), [2, 1, 2]);
    }

    /// A match of 30 openings, and the same played over again as it was when a set ran out: nothing gets surer.
    #[test]
    fn a_repeated_opening_counts_once_in_every_number() {
        let games = |pairs: usize| -> Vec<GameRow> {
            let game_row = |game: usize| {
                let opening = (game.div_ceil(2) - 1) % 30;
                let points = [1.0, 0.5, 0.0, 1.0, 1.0][(2 * opening + game % 2) % 5];
                GameRow { opening: format!("line /{opening}"), ..row(game, points) }
            };
            (1..=2 * pairs).map(game_row).collect()
        };
        let (once, twice) = (games(30), games(60));
        assert_eq!(pair_counts(&twice), pair_counts(&once));
        assert_eq!(game_counts(&twice), game_counts(&once));
        assert_eq!(pair_counts(&twice).pairs(), 30, "n is the number of openings");
        assert_eq!(sequential(&twice, [0.0, 5.0]), sequential(&once, [0.0, 5.0]));
        // Whatever the order in which games ended, the earlier pair counts.
        let mut late = twice.clone();
        late.reverse();
        assert_eq!(pair_counts(&late), pair_counts(&once));
        assert_eq!((counted(&twice).len(), against_even(&twice)), (60, against_even(&once)));
    }

    #[test]
    fn the_lead_in_depth_is_a_mean_over_openings() {
        let game = |number: usize, first_depths: u64| GameRow {
            first_moves: 10,
            first_depths,
            second_moves: 10,
            second_depths: 80,
            ..row(number, 0.5)
        };
        // Leads of .8 and 1.2 in every pair; in the last game the first player names no depth, and one game has no second.
        let mut games: Vec<GameRow> =
            (1..=40).map(|number| game(number, 88 + 4 * (number as u64 % 2))).collect();
        games.extend([game(41, 90), game(42, 0), game(43, 800)]);
        let lead = plies_deeper(&games).unwrap();
        assert!((lead.estimate - 1.0).abs() < 1e-12, "{lead:?}");
        games[0].first_depths += 40;
        let lead = plies_deeper(&games).unwrap();
        assert!(lead.low < 1.0 && 1.0 + 4.0 / 41.0 < lead.high, "{lead:?}");
        assert_eq!(plies_deeper(&games[..2]), None, "one opening has no spread");
        let unnamed: Vec<GameRow> = (1..=40).map(|number| row(number, 0.5)).collect();
        assert_eq!(plies_deeper(&unnamed), None, "no player names a depth");
    }

    #[test]
    fn two_matches_are_paired_by_opening() {
        let games = |more: f64| -> Vec<GameRow> {
            let row = |game: usize| {
                let points = if game % 4 < 2 { 0.5 } else { more };
                GameRow { opening: format!("line /{}", game.div_ceil(2)), ..row(game, points) }
            };
            (1..=40).map(row).collect()
        };
        let test = against(&games(1.0), &games(0.5)).unwrap();
        assert!(
            (test.test.effect.estimate - 0.25).abs() < 1e-12 && test.test.p < 0.001 && test.n == 20,
            "{test:?}"
        );
        assert_eq!(
            against(&games(1.0), &games(1.0)).map(|test| (test.test.effect.estimate, test.test.p)),
            Some((0.0, 1.0))
        );
        assert_eq!(against(&games(1.0), &[]), None);
    }

    #[test]
    fn the_loser_of_a_fault_is_named() {
        let fault = |game, points, reason: &str| GameRow { reason: reason.to_owned(), ..row(game, points) };
        let rows = [fault(1, 0.0, "crash"), fault(2, 1.0, "time"), fault(3, 1.0, "claim"), row(4, 1.0)];
        assert_eq!(faults(&rows), [1, 2]);
        assert_eq!(faults(&[row(1, 0.0), fault(2, 0.0, "checkmate")]), [0, 0]);
    }

    #[test]
    fn what_is_lost_twice_is_told_from_what_adds_up() {
        let names = |text: &str| text.split('+').map(str::to_owned).collect::<Vec<_>>();
        let (a, b, both, lonely) = (names("a"), names("b"), names("a+b"), names("a+c"));
        let elo =
            |estimate: f64, half: f64| Interval { estimate, low: estimate - half, high: estimate + half };
        let elos: [(&[String], Interval); 4] =
            [(&a, elo(30.0, 3.0)), (&b, elo(20.0, 4.0)), (&both, elo(90.0, 12.0)), (&lonely, elo(1.0, 1.0))];
        let pair_sums = sums(&elos);
        assert_eq!(pair_sums.len(), 1, "a pair with a method that was not played by itself is left out");
        assert_eq!(pair_sums[0].pair, ["a", "b"]);
        // 90 - 30 - 20, and 3, 4 and 12 make 13.
        assert_eq!(pair_sums[0].excess.effect, elo(40.0, 13.0));
        // 40 is 6.03 standard errors of 13 / 1.96.
        assert!((1e-10..1e-8).contains(&pair_sums[0].excess.p), "{}", pair_sums[0].excess.p);
    }
}
