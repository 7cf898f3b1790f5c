//! The result of a match in words: points, strength with its interval, effort of the players, ends of the games.
//!
//! Everything is counted from `games.csv`. Results count games, everything with an interval counts pairs, since the games of a pair
//! share an opening; games of pairs that repeat an opening count in neither.

mod conduct;

use self::conduct::{left_out, nanoseconds, overspent, repeated};
pub(crate) use conduct::{use_of_clock, warned};

use crate::format::{count, only_if, plural, rounded, share, signed_within};
use crate::table::{Report, Section, Table};
use secateur_record::play::{Adjudication, Effort, Ended, GameRow};
use secateur_stats::elo::{Decision, Score, bounds};
use secateur_stats::interval::Interval;
use secateur_stats::play::{counted, game_counts, mean_depth, pair_counts, plies_deeper, sequential};
use std::collections::BTreeMap;

/// The state of a match in a few words, for a progress bar: `12-5-3  Elo +88.7`.
pub fn brief(rows: &[GameRow]) -> String {
    let score = pair_counts(rows).score();
    let elo = score.map_or(String::new(), |score| format!("  Elo {}", signed(score.elo().estimate)));
    won_drawn_lost(rows) + &elo
}

/// Games that the first player won, drew and lost: `5-3-2`.
pub fn won_drawn_lost(rows: &[GameRow]) -> String {
    let [lost, drawn, won] = game_counts(rows);
    format!("{won}-{drawn}-{lost}")
}

/// Elo of the first player with its interval; empty without a pair.
pub fn elo(rows: &[GameRow]) -> String {
    pair_counts(rows).score().map_or_else(String::new, |score| within(&score.elo()))
}

/// The report of a match.
pub fn report(ended: &Ended) -> Report {
    let settings = &ended.file.settings;
    let [first, second] = settings.names();
    let title = format!("{first} against {second}: {}, {}", settings.game, settings.budget());
    let mut report = Report::new(&title);
    report.notes.extend(warned(ended));
    report.notes.extend(ended.file.cuts.iter().cloned());
    report.notes.extend(repeated(&ended.rows));
    report.notes.extend(overspent(ended));
    if settings.is_shared() {
        report.notes.push(
            "Shared games: both sides lack methods at random, so the result is even but for chance. What the games say of each method \
             is on the page of the folder that this one is in."
                .to_owned(),
        );
    }
    report.notes.extend(left_out(&ended.rows));
    if ended.rows.len() < settings.games {
        report.notes.push(format!("{} of {} games are there.", ended.rows.len(), settings.games));
    }
    let section = Section {
        title,
        text: conditions(ended),
        tables: vec![strength(ended), players(ended), ends(ended)],
    };
    report.sections.push(section);
    report
}

fn conditions(ended: &Ended) -> Vec<String> {
    let (file, settings) = (&ended.file, &ended.file.settings);
    let mut text = vec![
        format!(
            "Openings: {}, each with both colours; {} distinct for {}, seed {}.",
            file.openings,
            file.distinct_openings,
            plural(settings.games / 2, "pair"),
            settings.seed
        ),
        format!(
            "Limits: {} for every {}, {} MiB of table each, {} ms of margin.",
            settings.budget(),
            if settings.limit.repeats() { "search" } else { "player, wall time" },
            settings.hash_mib,
            settings.margin_ms
        ),
        format!("Adjudication: {}.", adjudication(&settings.adjudication)),
    ];
    if !file.throws.is_empty() {
        text.insert(1, format!("Throws: {}.", file.throws));
    }
    text
}

fn adjudication(rules: &Adjudication) -> String {
    let resign = rules.resign.map(|rule| {
        format!("a win when both players see at least {} for {} moves each", rule.score, rule.moves)
    });
    let draw = rules.draw.map(|rule| {
        format!(
            "a draw when both see at most {} for {} moves each, from move {} on",
            rule.score, rule.moves, rule.after
        )
    });
    let longest = rules.max_moves.map(|moves| format!("a draw after {moves} moves"));
    let rules: Vec<String> = [resign, draw, longest].into_iter().flatten().collect();
    if rules.is_empty() { "none, all games are played out".to_owned() } else { rules.join("; ") }
}

fn strength(ended: &Ended) -> Table {
    let rows = &ended.rows;
    let [lost, drawn, won] = game_counts(rows);
    let counted = counted(rows);
    let total = counted.len() as f64;
    let counts = pair_counts(rows);
    let cells = counts.0;
    let score = counts.score();
    let mut table = Table::default();
    let mut line = |name: &str, value: String| {
        table.row([("<Strength of the first player", name.to_owned()), ("<", value)]);
    };
    line("Games: won-drawn-lost", format!("{won}-{drawn}-{lost} of {}", counted.len()));
    line("Score", share((won as f64 + 0.5 * drawn as f64) / total));
    line("Pairs with 0, 0.5, 1, 1.5, 2 points", format!("{cells:?}"));
    line("Elo", score.map_or_else(none, |score| within(&score.elo())));
    let normalised = score.map(|score| score.normalised_elo().map_or_else(alike, |elo| within(&elo)));
    line("Normalised Elo", normalised.unwrap_or_else(none));
    let superior = score.map(|score| score.superiority().map_or_else(alike, share));
    line("Likelihood of superiority", superior.unwrap_or_else(none));
    if let Some(lead) = plies_deeper(rows) {
        line("Plies deeper than the second", signed_within(&lead));
    }
    line("Drawn games", share(drawn as f64 / total));
    let (better, worse) = (cells[3] + cells[4], cells[0] + cells[1]);
    let ratio = if worse == 0 { String::new() } else { format!(": {:.2}", better as f64 / worse as f64) };
    line("Pairs won to pairs lost", format!("{better} to {worse}{ratio}"));
    let margins: Vec<f64> = counted.iter().filter_map(|row| row.margin).map(f64::from).collect();
    if !margins.is_empty() {
        line("Mean disc difference", format!("{:+.2}", margins.iter().sum::<f64>() / margins.len() as f64));
    }
    if let Some(elo) = ended.file.settings.sprt {
        line(&format!("Sequential test, nElo {} against {}", elo[0], elo[1]), tested(rows, elo));
    }
    table.notes.push(meaning(score.as_ref(), counted.len()));
    table
}

fn tested(rows: &[GameRow], elo: [f64; 2]) -> String {
    let (decision, ratio) = sequential(rows, elo);
    let (low, high) = bounds();
    let decided = match decision {
        Decision::Open => "open".to_owned(),
        Decision::Null => format!("{} accepted", elo[0]),
        Decision::Alternative => format!("{} accepted", elo[1]),
    };
    format!("LLR {ratio:.3} [{low:.2}, {high:.2}]: {decided}")
}

fn none() -> String {
    "no pairs yet".to_owned()
}

fn alike() -> String {
    "not defined: all pairs ended alike".to_owned()
}

/// What the interval of so many games can tell.
fn meaning(score: Option<&Score>, games: usize) -> String {
    let Some((low, high)) = score.and_then(|score| score.elo().ends()) else {
        return "Too few different results for an interval: nothing can be said about the difference."
            .to_owned();
    };
    let half = (high - low) / 2.0;
    if !half.is_finite() {
        return format!(
            "{games} games bound the difference on one side only: the result is too lopsided for so few games."
        );
    }
    let wanted = (games as f64 * (half / 10.0).powi(2)).ceil().max(2.0);
    format!(
        "After {games} games the true difference lies within about {half:.0} Elo of the estimate in 95 of 100 \
         matches; +-10 Elo would take about {} games.",
        count(wanted as u64)
    )
}

/// `+70.4 +-35.2 [+35.2, +105.6]`.
pub fn within(value: &Interval) -> String {
    let estimate = signed(value.estimate);
    match value.ends() {
        None => format!("{estimate} (no interval: all pairs ended alike)"),
        Some((low, high)) => {
            let half = (high - low) / 2.0;
            let half = if half.is_finite() { format!(" +-{half:.1}") } else { String::new() };
            format!("{estimate}{half} [{}, {}]", signed(low), signed(high))
        }
    }
}

fn signed(x: f64) -> String {
    if x.is_finite() { format!("{x:+.1}") } else { format!("{}infinite", if x < 0.0 { "-" } else { "+" }) }
}

fn players(ended: &Ended) -> Table {
    let mut table = Table::default();
    for (index, name) in ended.file.settings.names().iter().enumerate() {
        let efforts = || ended.rows.iter().map(|row| row.effort(index));
        // Of the games in which it said a number: 0 is what stands where it did not.
        let mean = |value_and_per: fn(Effort) -> [u64; 2]| {
            let known_efforts = efforts().map(value_and_per).filter(|[value, _]| *value > 0);
            let [sum, times] = known_efforts.fold([0_u64; 2], |[sum, times], [value, per]| {
                [sum.saturating_add(value), times.saturating_add(per)]
            });
            sum as f64 / times as f64
        };
        let points = ended.rows.iter().map(|row| if index == 0 { row.points } else { 1.0 - row.points });
        let lost = |row: &&GameRow| row.half_points() == 2 * index;
        let faults = |reasons: &[&str]| {
            ended.rows.iter().filter(lost).filter(|row| reasons.contains(&row.reason.as_str())).count()
        };
        let number = |x: f64, digits: usize| only_if(x.is_finite(), || format!("{x:.digits$}"));
        let milliseconds = mean(|effort| [nanoseconds(effort.time), effort.moves]) / 1e6;
        // The time is next to the nodes, so that a program that takes longer than it may is seen beside its opponent.
        table.row([
            ("<Player", name.clone()),
            ("Points", number(points.sum(), 1)),
            ("Mean depth", number(mean_depth(efforts()), 2)),
            ("Nodes a move", rounded(mean(|effort| [effort.nodes, effort.moves]))),
            ("Milliseconds a move", number(milliseconds, 1)),
            ("Nodes/s", rounded(mean(|effort| [effort.nodes, nanoseconds(effort.time)]) * 1e9)),
            ("Time losses", faults(&["time"]).to_string()),
            ("Other faults", faults(&["illegal-move", "crash", "hang", "claim"]).to_string()),
        ]);
    }
    table
}

fn ends(ended: &Ended) -> Table {
    let mut reasons: BTreeMap<&str, [u64; 3]> = BTreeMap::new();
    for row in &ended.rows {
        reasons.entry(&row.reason).or_default()[row.half_points()] += 1;
    }
    let row = |(reason, [lost, drawn, won]): (&str, [u64; 3])| {
        let [won, drawn, lost] = [won, drawn, lost].map(|games| games.to_string());
        [("<End of the game", reason.to_owned()), ("Won", won), ("Drawn", drawn), ("Lost", lost)]
    };
    let mut table: Table = reasons.into_iter().map(row).collect();
    let plies: usize = ended.rows.iter().map(|row| row.plies).sum();
    if !ended.rows.is_empty() {
        let mean = plies as f64 / ended.rows.len() as f64;
        table.notes.push(format!("Mean length after the opening: {mean:.1} plies."));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(game: usize, points: f64) -> GameRow {
        GameRow { game, pair: game.div_ceil(2), points, reason: "discs".to_owned(), ..GameRow::default() }
    }

    #[test]
    fn the_progress_bar_counts_pairs_only_when_whole() {
        let rows = [row(1, 1.0), row(2, 0.5), row(4, 0.0), row(3, 0.0), row(5, 1.0)];
        assert_eq!(brief(&rows), "2-1-2  Elo -88.7");
    }

    #[test]
    fn a_page_says_whose_switches_were_cut() {
        let mut ended = crate::worth::tests::played(&["a"], [1, 1, 0], None).ended;
        assert_eq!(report(&ended).notes, Vec::<String>::new());
        ended.file.cuts = vec!["s: its switches were cut from its source automatically".to_owned()];
        assert_eq!(report(&ended).notes, ended.file.cuts);
    }

    #[test]
    fn numbers_that_were_left_out_enter_no_mean_and_are_told() {
        let rated = GameRow { first_moves: 10, first_depths: 40, first_nodes: 1_000, ..row(1, 1.0) };
        let mut untold = GameRow { first_moves: 90, ..row(2, 0.0) };
        untold.leave_out("info nodes: found `2.5k`, expected a whole number");
        let example = crate::worth::tests::played(&["a"], [1, 1, 0], None).ended;
        let ended = Ended { rows: vec![rated, untold], ..example };
        let table = players(&ended);
        assert_eq!(
            (table.rows[0][2].as_str(), table.rows[0][3].as_str()),
            ("4.00", "100"),
            "{:?}",
            table.rows
        );
        assert_eq!((table.rows[1][2].as_str(), table.rows[1][3].as_str()), ("-", "-"), "who says nothing");
        let note = left_out(&ended.rows).unwrap();
        assert!(note.starts_with("In 1 of 2 games") && note.contains("found `2.5k`"), "{note}");
        assert_eq!(left_out(&ended.rows[..1]), None);
    }

    #[test]
    fn games_that_repeat_others_are_named_and_not_counted() {
        let games = |pairs: usize| -> Vec<GameRow> {
            let game_row = |game: usize| GameRow {
                opening: format!("line /{}", (game.div_ceil(2) - 1) % 10),
                ..row(game, [1.0, 0.5, 0.0, 1.0][(game - 1) % 4])
            };
            (1..=2 * pairs).map(game_row).collect()
        };
        assert_eq!(repeated(&games(10)), None);
        let sentence = repeated(&games(20)).unwrap();
        assert!(sentence.starts_with("20 of 40 games") && sentence.ends_with("of 20 games."), "{sentence}");
        assert_eq!(brief(&games(20)), brief(&games(10)));
    }

    #[test]
    fn extremes_are_said_in_words_and_nothing_is_nan() {
        for rows in
            [vec![], vec![row(1, 1.0), row(2, 1.0)], vec![row(1, 0.5), row(2, 0.5)], vec![row(1, 0.0)]]
        {
            let score = pair_counts(&rows).score();
            let text = [
                brief(&rows),
                meaning(score.as_ref(), rows.len()),
                score.map_or_else(none, |score| within(&score.elo())),
            ]
            .join("\n");
            assert!(!text.contains("NaN") && !text.contains("inf "), "{text}");
        }
        let rows = [1.0, 1.0, 1.0, 0.5].into_iter().zip(1..).map(|(points, game)| row(game, points));
        let open = pair_counts(&rows.collect::<Vec<_>>()).score();
        assert!(meaning(open.as_ref(), 4).contains("one side only"));
        let wins = pair_counts(&[row(1, 1.0), row(2, 1.0)]).score().unwrap();
        assert_eq!(within(&wins.elo()), "+infinite (no interval: all pairs ended alike)");
    }
}
