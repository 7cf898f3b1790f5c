//! Whether a match was what it was meant to be: faults, limits that were not kept to, games that repeat others.

use crate::format::{plural, share};
use secateur_record::play::{Effort, Ended, GameRow, Limit, PlayerSpec};
use secateur_record::record::BudgetKind;
use secateur_stats::labels::budget;
use secateur_stats::play::{counted, faults, mean_depth, rests_on_faults};
use std::collections::BTreeMap;
use std::time::Duration;

/// What a reader must know before any number: who lost by faults, and how.
pub(crate) fn warned(ended: &Ended) -> Option<String> {
    let counts = faults(&ended.rows);
    let all: usize = counts.iter().sum();
    let mut ways: BTreeMap<&str, usize> = BTreeMap::new();
    for row in ended.rows.iter().filter(|row| row.at_fault().is_some()) {
        *ways.entry(&row.reason).or_default() += 1;
    }
    let ways: Vec<String> = ways.iter().map(|(reason, times)| format!("{reason} {times}")).collect();
    let [first, second] = ended.file.settings.names();
    let rests = match rests_on_faults(&ended.rows) {
        true => " The result rests on faults and says little about strength.",
        false => "",
    };
    (all > 0).then(|| {
        format!(
            "{all} of {} ended by faults: {} of {first}, {} of {second} ({}).{rests}",
            plural(ended.rows.len(), "game"),
            counts[0],
            counts[1],
            ways.join(", ")
        )
    })
}

/// Players that do not keep to what they were allowed, with what they spent: then the result is none at equal cost.
pub(super) fn overspent(ended: &Ended) -> Vec<String> {
    let settings = &ended.file.settings;
    let players = [&settings.first, &settings.second].into_iter().zip(settings.limits());
    let of_player = |(index, ((player, limit), name)): (usize, ((&PlayerSpec, Limit), String))| {
        if matches!(player, PlayerSpec::Subject { level: Some(_), .. }) {
            return None;
        }
        let spent = |row: &GameRow| {
            let Effort { moves, nodes, time, .. } = row.effort(index);
            let amount = if let Limit::Nodes(_) = limit { nodes } else { nanoseconds(time) };
            (moves > 0).then(|| amount / moves)
        };
        let (kind, allowed) = match limit {
            // Our own search ends below its depth only where nothing is left to search.
            Limit::Depth(_) if matches!(player, PlayerSpec::Methods { .. }) => return None,
            Limit::Depth(plies) => {
                return undershot(&name, plies, mean_depth(ended.rows.iter().map(|row| row.effort(index))));
            }
            Limit::Nodes(nodes) => (BudgetKind::Nodes, nodes),
            Limit::MoveTime(time) => (BudgetKind::Time, nanoseconds(time)),
            Limit::Clock { .. } => return by_clock(ended, &name, index, limit),
        };
        let games: Vec<u64> = ended.rows.iter().filter_map(spent).collect();
        let over: Vec<u64> = games.iter().copied().filter(|spent| !kind.allows(allowed, *spent)).collect();
        let most = over.iter().max()?;
        Some(format!(
            "{name} does not keep to its limit: in {} of {} it spent more than may pass between two looks at a counter or clock, up \
             to {} where {} are allowed. The result is none at equal cost.",
            over.len(),
            plural(games.len(), "game"),
            budget(kind, *most),
            budget(kind, allowed)
        ))
    };
    players.zip(settings.names()).enumerate().filter_map(of_player).collect()
}

/// Of its clock a program uses more than this where the clock is not too short for it: our own search .87 and Ethereal 12 .69 of 0.5+0.005;
/// of 0.2+0.002, of which it keeps half as a reserve, Ethereal 12 used .10, and Stockfish 12 .03.
pub(crate) const LITTLE: f64 = 0.25;

/// The share of its clock that a player used, and how deep it looked, in words; `None` without moves by a clock. A program that keeps a
/// reserve hardly searches at a short clock, and nothing else would say so.
pub(crate) fn use_of_clock(
    who: &str,
    efforts: impl Iterator<Item = (Limit, Effort)>,
) -> Option<(f64, String)> {
    let (mut used, mut allowed, mut depths, mut moves) = (0.0, 0.0, 0, 0);
    for (limit, effort) in efforts {
        let Some(seconds) = seconds_allowed(limit, &effort) else { continue };
        used += effort.time.as_secs_f64();
        allowed += seconds;
        depths += effort.depths;
        moves += effort.moves;
    }
    let used = used / allowed;
    (moves > 0).then(|| {
        let little = " It keeps a reserve, or games end early: at a longer clock it searches much more deeply, so these games say little of that.";
        let plies = depths as f64 / moves as f64;
        let more = if used < LITTLE { little } else { "" };
        (used, format!("{who} used {} of its clock, at a mean depth of {plies:.1} plies.{more}", share(used)))
    })
}

/// Seconds that a clock gave for the moves of a game; `None` of another limit.
fn seconds_allowed(limit: Limit, effort: &Effort) -> Option<f64> {
    let Limit::Clock { base, increment } = limit else { return None };
    Some(base.as_secs_f64() + increment.as_secs_f64() * effort.moves as f64)
}

/// A player that hardly uses its clock, or that uses more than it has, as far as the margin lets it.
pub(super) fn by_clock(ended: &Ended, name: &str, player: usize, limit: Limit) -> Option<String> {
    let efforts = || ended.rows.iter().map(|row| row.effort(player));
    let is_over = |effort: &Effort| {
        seconds_allowed(limit, effort).is_some_and(|seconds| effort.time.as_secs_f64() > seconds)
    };
    let over = efforts().filter(is_over).count();
    if over > 0 {
        return Some(format!(
            "{name} used more than its clock gave in {over} of {}, and did not lose them because each answer came within the margin of \
             {} ms. The result is none at equal time.",
            plural(ended.rows.len(), "game"),
            ended.file.settings.margin_ms
        ));
    }
    let (used, sentence) = use_of_clock(name, efforts().map(|effort| (limit, effort)))?;
    (used < LITTLE).then_some(sentence)
}

pub(super) fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// What a player reached of the depth of a match, where it is clearly less. Sums do not say why: a mate or the end of the game ends a
/// search early too.
pub(super) fn undershot(name: &str, plies: u32, mean: f64) -> Option<String> {
    (mean <= f64::from(plies) - 0.5).then(|| {
        format!(
            "{name} reached {mean:.2} plies a move on average, where depth {plies} was asked. Where no mate and no end of a game ended its \
             searches early, the result is none at equal depth."
        )
    })
}

/// Whose numbers are not kept in some games, and why.
pub(super) fn left_out(rows: &[GameRow]) -> Option<String> {
    let reasons: Vec<&str> = rows.iter().filter_map(GameRow::left_out).collect();
    let first = reasons.first()?;
    Some(format!(
        "In {} of {} a player said a number that cannot be read. Its depth and nodes in these games are left out; the moves count. \
         The first: {first}.",
        reasons.len(),
        plural(rows.len(), "game")
    ))
}

/// That games repeat others, if some do.
pub(super) fn repeated(rows: &[GameRow]) -> Option<String> {
    let counted = counted(rows).len();
    (counted < rows.len()).then(|| {
        format!(
            "{} of {} games are of pairs that begin as an earlier pair did and count for nothing: the results below are those of {} games.",
            rows.len() - counted,
            rows.len(),
            counted
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_reached_stands_next_to_the_depth_that_was_asked() {
        let mean = |games: &[(u64, u64)]| {
            let effort = |&(depths, moves): &(u64, u64)| Effort { depths, moves, ..Effort::default() };
            mean_depth(games.iter().map(effort))
        };
        let note = undershot("s", 4, mean(&[(30, 10), (60, 20)])).unwrap();
        assert!(note.contains("reached 3.00 plies") && note.contains("depth 4 was asked"), "{note}");
        assert_eq!(undershot("s", 4, mean(&[(39, 10)])), None);
        assert_eq!(undershot("s", 4, mean(&[])), None, "who names no depth");
    }

    /// By 1+0.01: forty moves may take 1.4 seconds.
    #[test]
    fn a_clock_that_is_hardly_used_or_overstepped_is_told() {
        let limit = Limit::clock("1+0.01").unwrap();
        let mut ended = crate::worth::tests::played(&["a"], [1, 1, 0], None).ended;
        let mut warning_at = |milliseconds: u64| {
            let effort =
                Effort { moves: 40, depths: 200, nodes: 1, time: Duration::from_millis(milliseconds) };
            ended.rows.iter_mut().for_each(|row| row.set_effort(effort, Effort::default()));
            by_clock(&ended, "s", 0, limit)
        };
        assert_eq!(warning_at(700), None);
        let little = warning_at(140).unwrap();
        assert!(
            little.starts_with("s used 10.0 % of its clock, at a mean depth of 5.0 plies. It keeps"),
            "{little}"
        );
        let over = warning_at(1_500).unwrap();
        assert!(
            over.starts_with("s used more than its clock gave in ")
                && over.contains("within the margin of 50 ms"),
            "{over}"
        );
        assert_eq!(by_clock(&ended, "s", 1, limit), None, "no moves");
    }

    #[test]
    fn a_player_that_does_not_keep_to_its_limit_is_named() {
        let warnings_at = |limit: Limit, level: Option<u32>| {
            let mut ended = crate::worth::tests::played(&["a"], [1, 1, 0], None).ended;
            let (subject, arm) = ("s".to_owned(), "full".to_owned());
            ended.file.settings.first = PlayerSpec::Subject { subject, arm, level };
            ended.file.settings.limit = limit;
            for row in &mut ended.rows {
                (row.first_moves, row.first_nodes, row.first_time_ns) = (10, 409_600, 10_000_000_000);
                (row.second_moves, row.second_nodes, row.second_time_ns) = (10, 5_000, 500_000_000);
            }
            overspent(&ended).join("\n")
        };
        let nodes = warnings_at(Limit::Nodes(500), None);
        assert!(nodes.contains("s full does not keep to its limit: in 2 of 2 games"), "{nodes}");
        assert!(nodes.contains("up to 40,960 nodes where 500 nodes are allowed"), "{nodes}");
        let time = warnings_at(Limit::MoveTime(std::time::Duration::from_millis(50)), None);
        assert!(time.contains("up to 1 s a position where 50 ms a position are allowed"), "{time}");
        assert!(!nodes.contains("none does not") && !time.contains("none does not"));
        for kept in [
            warnings_at(Limit::Nodes(500), Some(3)),
            warnings_at(Limit::Nodes(40_000), None),
            warnings_at(Limit::Depth(1), None),
        ] {
            assert_eq!(kept, "");
        }
    }
}
