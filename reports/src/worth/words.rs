//! What is said of a method: what searches show and what games say in a few words, the reason in a sentence, and what stands out
//! among all methods.
//!
//! What games say to do with each method, keep it, drop it, or play on, and what the harness itself says about nothing, rests on no search.

use super::games::limit;
use super::{Judged, Match, Measured, OfMethod};
use crate::format::{p_words, plural, ratio, ratio_within, share, signed_within};
use crate::play::use_of_clock;
use crate::table::{Section, Table};
use secateur_record::play::{GameRow, MatchSettings};
use secateur_stats::contrast::Estimate;
use secateur_stats::forecast::{GAME, play_first};
use secateur_stats::inference::Shown;
use secateur_stats::labels::count;
use secateur_stats::play::TOLERATED;
use secateur_stats::spent::is_even;
use secateur_stats::worth::{Advice, Finding, Games, PLAY_ON_TO, Worth};

/// What searches show of a method, in a few words.
pub(crate) fn label(finding: &Finding) -> String {
    let label = words_of(finding)[1].to_owned();
    if let Finding::Covered(Some(partner)) = finding { format!("{label} ({partner} most)") } else { label }
}

/// The same in one word, for a tool.
pub(crate) fn key(finding: &Finding) -> &'static str {
    words_of(finding)[0]
}

/// One word for tools, and a few for people.
fn words_of(finding: &Finding) -> [&'static str; 2] {
    match finding {
        Finding::Shown { nodes: Shown::Above, time: Shown::Below } => {
            ["saves-nodes-spends-time", "saves nodes, spends time"]
        }
        Finding::Shown { nodes: Shown::Below, time: Shown::Above } => {
            ["spends-nodes-saves-time", "spends nodes, saves time"]
        }
        Finding::Shown { nodes: Shown::Above, .. } => ["saves"; 2],
        Finding::Shown { nodes: Shown::Below, .. } => ["spends"; 2],
        Finding::Shown { nodes: Shown::No, time: Shown::Above } => ["saves-time", "saves time"],
        Finding::Shown { nodes: Shown::No, .. } => ["spends-time", "spends time"],
        Finding::Covered(_) => ["no-saving-beyond-others", "no saving shown beyond what others save"],
        Finding::ChangesNothing => ["changes-nothing", "changes nothing: is the switch read?"],
        Finding::Undecided => ["undecided"; 2],
    }
}

/// What games say, in a few words.
pub(super) fn advised(advice: Advice, settings: &MatchSettings) -> String {
    let limit = limit(settings);
    match advice {
        Advice::Keep => format!("keep at {limit}"),
        Advice::Drop => format!("drop at {limit}"),
        Advice::BetterWith => format!("better with it at {limit}"),
        Advice::BetterWithout => format!("better without it at {limit}"),
        Advice::PlayOn(Some(more)) if settings.margins.is_some() => {
            format!("play on: about {} games more decide it", count(two_digits(more)))
        }
        Advice::PlayOn(Some(more)) => {
            format!("play on: +-{PLAY_ON_TO:.0} Elo takes about {} games more", count(two_digits(more)))
        }
        Advice::PlayOn(None) => "not decided".to_owned(),
    }
}

/// What games say, as one word for a tool.
pub(crate) fn advice_key(advice: Advice) -> &'static str {
    match advice {
        Advice::Keep => "keep",
        Advice::Drop => "drop",
        Advice::BetterWith => "better-with",
        Advice::BetterWithout => "better-without",
        Advice::PlayOn(_) => "play-on",
    }
}

/// A number with its first two digits.
fn two_digits(n: u64) -> u64 {
    let scale = 10_u64.pow((n.max(1).ilog10() + 1).saturating_sub(2));
    n.div_ceil(scale) * scale
}

/// Which methods games are worth playing first without, where a study shows that searches order them.
fn first(measured: &Measured<'_>) -> Option<String> {
    let order = play_first(measured.worths)
        .filter(|_| measured.group.game == GAME && measured.group.is_fixed_depth())?;
    Some(format!(
        " Games to play first: without {}, in this order. The model that orders them held in programs that it had not seen, on average, and gives \
         no number (docs/results/forecast.md).",
        order.join(", ")
    ))
}

impl Judged<'_> {
    /// What the searches cannot say, and what would add it; nothing where games say of every method what it is worth.
    pub fn missing(&self, measured: &Measured<'_>) -> Option<String> {
        let worths = measured.worths;
        let unplayed: Vec<&str> =
            worths.iter().map(|worth| &*worth.method).filter(|method| self.games(method).is_none()).collect();
        let games = match unplayed.len() {
            0 => return None,
            left if left < worths.len() => {
                format!("no game that counts was played without {}", unplayed.join(", "))
            }
            _ if self.each.is_empty() => "no game was played".to_owned(),
            _ => "no game that counts was played".to_owned(),
        };
        let judged = worths.iter().any(|worth| worth.regret.is_some());
        let (by_depth, even) = (measured.group.is_fixed_depth(), is_even(measured.group));
        let searches = match (by_depth, judged) {
            (true, _) if !even => {
                "Not all searches reached this depth, so their nodes say little of savings at one depth"
            }
            (true, false) => "Searches say what a method saves at one depth, not whether to keep it",
            (true, true) => {
                "Searches say what a method saves at one depth and what its moves lose, not whether to keep it"
            }
            (false, true) => "Searches say what moves lose, not whether to keep a method",
            (false, false) if !even => {
                "At this budget the arms do not spend the same, so searches say nothing of savings (--depth 8 compares nodes)"
            }
            (false, false) => {
                "At this budget every arm spends the same, so searches say nothing of savings (--depth 8 compares nodes)"
            }
        };
        let has_word = judged || by_depth && !even;
        let unjudged = if has_word { "" } else { ", and the moves that changed were not judged" };
        let judge = if judged { "" } else { ", --oracle full+2 what those moves lose" };
        let first = if self.each.is_empty() { first(measured) } else { None };
        let first = first.unwrap_or_default();
        Some(format!("{searches}: {games}{unjudged}. --games 200 adds Elo{judge}.{first}"))
    }

    /// How sure all this is, in a few sentences.
    pub fn sureness(&self, measured: &Measured<'_>) -> String {
        let group = measured.group;
        let games = group.clusters(None).len();
        let from =
            if games == group.blocks.len() { String::new() } else { format!(" of {games} source games") };
        let [nodes, costs, alone, overlaps] = measured.tests;
        let families = [
            (nodes, "nodes without each method"),
            (costs, "time, instructions and regret"),
            (alone, "each method alone"),
            (overlaps, "overlaps"),
        ];
        let families: Vec<String> = families
            .into_iter()
            .filter(|(tests, _)| *tests > 0)
            .map(|(tests, family)| format!("{family} ({tests} tests)"))
            .collect();
        let corrected = match families.is_empty() {
            true => String::new(),
            false => format!(
                " Tests are corrected for their number (Holm) within each family: {}.",
                families.join("; ")
            ),
        };
        format!(
            "Every difference is paired by position ({}{from}) and has a test.{corrected} Games enter none of these. \
             Undecided is not the same as nothing: see what the run could have shown.",
            plural(group.blocks.len(), "position"),
        )
    }
}

/// What the words rest on, in sentences. Numbers with their intervals; a direction is named only where it is shown.
pub fn reason(measured: &Measured<'_>, worth: &Worth, played: Option<&OfMethod<'_>>) -> String {
    let group = measured.group;
    let mut parts = Vec::new();
    if let Some(nodes) = &worth.nodes {
        let time = worth
            .time
            .as_ref()
            .map_or_else(String::new, |time| format!(", the time by {}", ratio_within(&time.within)));
        parts.push(format!("Without it the nodes are multiplied by {}{time}.", ratio_within(&nodes.within)));
        if nodes.shown() == Shown::No && !nodes.is_nothing() {
            parts.extend(
                measured
                    .could_have_shown(worth)
                    .map(|factor| format!("This run could have shown a factor of {}.", ratio(factor))),
            );
        }
    }
    if let Some(alone) = &worth.alone {
        parts.push(format!(
            "With all others off it cuts the nodes by a factor of {}.",
            ratio_within(&alone.within)
        ));
    }
    let moves = worth
        .same_move
        .map(|kept| format!("It changes the move at {} of the positions", share(1.0 - kept.estimate)));
    let regret = worth.regret.as_ref().map(|regret| {
        let lost = format!("{} {}s", signed_within(&group.in_units(&regret.within)), group.traits.unit);
        match regret.shown() {
            Shown::Above => format!("moves lose more with it ({lost} on average)"),
            Shown::Below => format!("moves lose more without it ({lost} on average with it)"),
            Shown::No => format!("added regret: {lost}, not significant"),
        }
    });
    parts.extend(match (moves, regret) {
        (Some(moves), Some(regret)) => Some(format!("{moves}; {regret}.")),
        (Some(only), None) | (None, Some(only)) => Some(only + "."),
        (None, None) => None,
    });
    if let Some((one, games)) = played.and_then(|one| Some((one, one.result?))) {
        let limit = limit(one.settings);
        parts.push(format!("In games at {limit} {} Elo.", signed_within(&games.elo)));
    }
    parts.join(" ")
}

/// The largest, and who saves the same; nothing that is not shown.
pub(super) fn sentences(worths: &[Worth]) -> Vec<String> {
    let mut text = Vec::new();
    let shown = |effect: &Option<Estimate>| effect.map_or(Shown::No, |effect| effect.shown());
    let saving = worths.iter().filter(|worth| shown(&worth.nodes) == Shown::Above);
    let savings = saving.filter_map(|worth| Some((worth, worth.nodes?.within)));
    if let Some((worth, most)) = savings.max_by(|a, b| a.1.estimate.total_cmp(&b.1.estimate)) {
        text.push(format!(
            "Most nodes are saved by {}: without it the program needs {} times the nodes.",
            worth.method,
            ratio_within(&most)
        ));
    }
    for worth in worths {
        let (Some(company), Some(alone), Some(overlap)) = (worth.nodes, worth.alone, worth.overlap) else {
            continue;
        };
        let more = match overlap.shown() {
            Shown::Above => "less",
            Shown::Below => "more",
            Shown::No => continue,
        };
        let mut sentence = format!(
            "{} saves {more} with the others on ({} times) than alone ({})",
            worth.method,
            ratio(company.within.estimate),
            ratio(alone.within.estimate)
        );
        let partner = worth.partner().filter(|_| overlap.shown() == Shown::Above);
        if let Some((name, shared)) = worth.partners.iter().find(|(name, _)| Some(name.as_str()) == partner) {
            sentence += &format!(
                "; most of what is saved twice it shares with {name} (a factor of {})",
                ratio(shared.within.estimate)
            );
        }
        text.push(sentence + ".");
    }
    text
}

/// Title of the section.
pub(crate) const TITLE: &str = "What to do";

/// The section; `None` where there is nothing to say of games.
pub(super) fn section(judged: &Judged<'_>) -> Option<Section> {
    let row = |one: &OfMethod<'_>| {
        let (_, elo) = one.said?;
        Some([
            ("<method", one.method.clone()),
            ("<games say", one.label()?),
            ("Elo", signed_within(&elo)),
            ("games", count(one.games as u64)),
        ])
    };
    let table: Table = judged.each.iter().filter_map(row).collect();
    let table = table.noted(meaning(judged)).unless_empty();
    let (text, tables) = (conduct(judged), Vec::from_iter(table));
    (!tables.is_empty() || !text.is_empty()).then(|| Section { title: TITLE.to_owned(), text, tables })
}

/// What the words and the intervals mean.
pub(crate) fn meaning(judged: &Judged<'_>) -> String {
    let intervals = match judged.margins() {
        Some([least, most]) => format!(
            "Keep: shown to be worth more than {least} Elo; drop: shown to be worth less than {most} Elo; a method that is decided got no \
             more games. Intervals and decisions hold at all times: whenever one stops, at most 5 of 100 experiments have one or more \
             wrong decisions."
        ),
        None => "Keep: the program loses games without the method, shown after correction for all methods (Holm); drop: it wins games \
                 without it. Intervals are 95 % and hold for a number of games that was fixed before the first."
            .to_owned(),
    };
    format!(
        "Elo is what the program loses without the method, in games against itself. {intervals} Games at equal nodes or depth say what is \
         better with these, not whether to keep it. Searches enter none of this."
    )
}

/// How the games went, as far as it bears on what they say: the program against itself, and games lost on time.
pub(crate) fn conduct(judged: &Judged<'_>) -> Vec<String> {
    let null = judged.null.as_ref().map(null_run);
    let by_clock = judged.all_played().any(|one| !one.ended.file.settings.limit.repeats());
    let rows = || judged.all_played().flat_map(|one| &one.ended.rows);
    let lost = forfeits(rows());
    let games = rows().count();
    let bound = share(TOLERATED);
    let lost_on_time = (by_clock && games > 0).then(|| {
        format!(
            "Lost on time: {lost} of {} ({}). A match with more than {bound} of its games ended by faults has no result.",
            plural(games, "game"),
            share(lost as f64 / games as f64)
        )
    });
    null.into_iter().chain(lost_on_time).chain(clock_used(judged)).chain(shared(judged)).collect()
}

/// How much of its clock the program used and how deep it looked; `None` without games by a clock.
fn clock_used(judged: &Judged<'_>) -> Option<String> {
    let efforts = judged.all_played().flat_map(|one| {
        let ended = &one.ended;
        let efforts = ended.rows.iter().flat_map(|row| [0, 1].map(|player| row.effort(player)));
        efforts.map(|effort| (ended.file.settings.limit, effort))
    });
    use_of_clock("The program", efforts).map(|(_, sentence)| sentence)
}

/// How games were shared, where they were.
fn shared(judged: &Judged<'_>) -> Option<String> {
    let rows = || judged.shared.iter().flat_map(|one| &one.ended.rows);
    let games = rows().count();
    let lacked: usize = rows().flat_map(|row| &row.lacking).map(Vec::len).sum();
    (games > 0).then(|| {
        format!(
            "Shared games: in {} each side lacked {:.1} methods on average, drawn at random, so a game speaks of several. One \
             regression gives every method and every two of them.",
            plural(games, "game"),
            lacked as f64 / (2 * games) as f64
        )
    })
}

/// Games that a player lost on time.
pub(crate) fn forfeits<'r>(rows: impl Iterator<Item = &'r GameRow>) -> usize {
    rows.filter(|row| row.reason == "time").count()
}

/// What the program against itself says.
fn null_run(one: &Match<'_>) -> String {
    let (ended, begin) = (&one.played.ended, "Null run, the program against itself: ");
    let games = count(ended.rows.len() as u64);
    let limit = limit(&ended.file.settings);
    let Some(result) = &one.result else {
        return format!("{begin}{games} games at {limit}, too few or ended by faults, say nothing.");
    };
    let Games { elo, p, .. } = result;
    if p.is_nan() {
        return format!("{begin}{games} games at {limit}, and all pairs ended alike.");
    }
    let verdict = match result.shown() {
        Shown::No => "no difference, as it should be",
        _ => "the harness favours a player, so differences of this size say nothing in other games either",
    };
    format!(
        "{begin}{} Elo in {games} games at {limit} (p {}): {verdict}.",
        signed_within(elo),
        p_words(Some(*p))
    )
}
