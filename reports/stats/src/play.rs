//! The result of a match in numbers: points by pair of games, faults, the sequential test, measures for programs.
//!
//! Everything is counted from `games.csv`. W-D-L counts all games; everything with an interval counts pairs, since the
//! games of a pair share an opening.

use crate::elo::sprt::{Decision, Hypotheses};
use crate::elo::{Counts, Estimate, Score};
use crate::measures::MeasureRow;
use secateur_record::play::{Ended, GameRow, Limit};
use std::collections::BTreeMap;

/// The pairs of which both games are there, by the points of the first player.
#[must_use]
pub fn pair_counts(rows: &[GameRow]) -> Counts {
    let mut halves: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for row in rows {
        halves.entry(row.pair).or_default().push(row.half_points());
    }
    let mut cells = [0; 5];
    for points in halves.values().filter(|points| points.len() == 2) {
        cells[points.iter().sum::<usize>()] += 1;
    }
    Counts::Pairs(cells)
}

/// Games lost, drawn and won by the first player.
#[must_use]
pub fn game_counts(rows: &[GameRow]) -> [u64; 3] {
    let mut cells = [0; 3];
    for row in rows {
        cells[row.half_points()] += 1;
    }
    cells
}

/// Share of the games of a match that may end by a fault before its result counts as resting on faults. It moves the
/// score by at most that much, about 7 Elo in an even match: less than so many games as have a fault among them can tell.
pub const TOLERATED: f64 = 0.01;

/// Games that a fault of the first and of the second player ended.
#[must_use]
pub fn faults(rows: &[GameRow]) -> [usize; 2] {
    let mut counts = [0; 2];
    for player in rows.iter().filter_map(GameRow::at_fault) {
        counts[player] += 1;
    }
    counts
}

/// The numbers of a match for programs, one measure a row; `n` counts games, for what has an interval pairs.
#[must_use]
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
    let row = |measure: &str, n: usize, within: Option<Estimate>| MeasureRow {
        game: settings.game.clone(),
        suite: "play".to_owned(),
        budget_kind: kind.to_owned(),
        budget: amount,
        methods: format!("{first} x {second}"),
        stage: "all".to_owned(),
        measure: measure.to_owned(),
        n,
        estimate: within.as_ref().map(|within| within.estimate).filter(|x| x.is_finite()),
        low: within.as_ref().and_then(|within| within.ends).map(|ends| ends.0).filter(|x| x.is_finite()),
        high: within.as_ref().and_then(|within| within.ends).map(|ends| ends.1).filter(|x| x.is_finite()),
        // A match has no name; when it began tells it from others.
        run: ended.file.started.clone(),
    };
    let plain = |measure: &str, count: f64| {
        row(measure, ended.rows.len(), Some(Estimate { estimate: count, ends: None }))
    };
    let [lost, drawn, won] = game_counts(&ended.rows).map(|count| count as f64);
    let [by_first, by_second] = faults(&ended.rows).map(|count| count as f64);
    let score = pair_counts(&ended.rows).score();
    let trials = score.as_ref().map_or(0, |score| score.trials as usize);
    vec![
        plain("games_won", won),
        plain("games_drawn", drawn),
        plain("games_lost", lost),
        plain("faults_first", by_first),
        plain("faults_second", by_second),
        row("score", trials, score.as_ref().map(Score::mean)),
        row("elo", trials, score.as_ref().map(Score::elo)),
        row("normalised_elo", trials, score.as_ref().and_then(Score::normalised_elo)),
    ]
}

/// What a sequential test says of these games, with its ratio.
#[must_use]
pub fn sequential(rows: &[GameRow], [elo0, elo1]: [f64; 2]) -> (Decision, f64) {
    let ratio = Hypotheses { elo0, elo1 }.ratio(&pair_counts(rows));
    (Hypotheses::decide(ratio), ratio)
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
        assert_eq!(pair_counts(&rows), Counts::Pairs([1, 0, 0, 1, 0]));
        assert_eq!(game_counts(&rows), [2, 1, 2]);
    }

    #[test]
    fn the_loser_of_a_fault_is_named() {
        let fault = |game, points, reason: &str| GameRow { reason: reason.to_owned(), ..row(game, points) };
        let rows = [fault(1, 0.0, "crash"), fault(2, 1.0, "time"), fault(3, 1.0, "claim"), row(4, 1.0)];
        assert_eq!(faults(&rows), [1, 2]);
        assert_eq!(faults(&[row(1, 0.0), fault(2, 0.0, "checkmate")]), [0, 0]);
    }
}
