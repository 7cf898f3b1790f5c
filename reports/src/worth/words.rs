//! What is said of a method: what searches show and what games say in a few words, the reason in a sentence, and what stands out
//! among all methods.

use super::games::limit;
use super::{Measured, OfMethod};
use crate::format::{ratio, ratio_within, share, signed_within};
use secateur_record::play::MatchSettings;
use secateur_stats::contrast::Estimate;
use secateur_stats::inference::Shown;
use secateur_stats::labels::count;
use secateur_stats::worth::{Advice, Finding, PLAY_ON_TO, Worth};

/// What searches show, in a few words: `saves`, `undecided`.
pub(crate) fn label(finding: &Finding) -> String {
    match finding {
        Finding::Shown { nodes: Shown::Above, time: Shown::Below } => "saves nodes, spends time",
        Finding::Shown { nodes: Shown::Below, time: Shown::Above } => "spends nodes, saves time",
        Finding::Shown { nodes: Shown::Above, .. } => "saves",
        Finding::Shown { nodes: Shown::Below, .. } => "spends",
        Finding::Shown { nodes: Shown::No, time: Shown::Above } => "saves time",
        Finding::Shown { nodes: Shown::No, .. } => "spends time",
        Finding::Covered(None) => "no saving shown beyond what others save",
        Finding::Covered(Some(partner)) => {
            return format!("no saving shown beyond what others save ({partner} most)");
        }
        Finding::ChangesNothing => "changes nothing: is the switch read?",
        Finding::Undecided => "undecided",
    }
    .to_owned()
}

/// What searches show, as one word for a tool and for the style of the page.
pub(crate) fn key(finding: &Finding) -> &'static str {
    match finding {
        Finding::Shown { nodes: Shown::No, time: Shown::Above } => "saves-time",
        Finding::Shown { nodes: Shown::No, .. } => "spends-time",
        Finding::Shown { nodes: Shown::Above, time: Shown::Below } => "saves-nodes-spends-time",
        Finding::Shown { nodes: Shown::Below, time: Shown::Above } => "spends-nodes-saves-time",
        Finding::Shown { nodes: Shown::Above, .. } => "saves",
        Finding::Shown { nodes: Shown::Below, .. } => "spends",
        Finding::Covered(_) => "no-saving-beyond-others",
        Finding::ChangesNothing => "changes-nothing",
        Finding::Undecided => "undecided",
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

/// What the words rest on, in sentences. Numbers with their intervals; a direction is named only where it is shown.
#[must_use]
pub fn reason(measured: &Measured<'_, '_>, worth: &Worth, played: Option<&OfMethod<'_>>) -> String {
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
