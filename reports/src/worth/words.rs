//! What is said of a method: the verdict in a few words, its reason in a sentence, and what stands out among all methods.

use super::games::limit;
use super::{Match, in_units};
use crate::format::{ratio, ratio_within, share, signed_within};
use secateur_stats::group::Group;
use secateur_stats::inference::Shown;
use secateur_stats::labels::count;
use secateur_stats::worth::{Effect, Verdict, Worth};

/// More positions than this nobody will search.
const MOST: u64 = 1_000_000;

/// The verdict in a few words: `keep`, `redundant next to null-move`.
pub(super) fn label(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Keep => "keep".to_owned(),
        Verdict::Trade => "a trade: games decide".to_owned(),
        Verdict::Redundant(Some(partner)) => format!("redundant next to {partner}"),
        Verdict::Redundant(None) => "redundant next to the others".to_owned(),
        Verdict::Costs => "costs more than it saves".to_owned(),
        Verdict::SpendsNodes => "costs nodes: games decide".to_owned(),
        Verdict::SpendsTime => "costs time: games decide".to_owned(),
        Verdict::NotShown(Some(needed)) if *needed <= MOST => {
            format!("not shown: needs about {} positions", count(two_digits(*needed)))
        }
        Verdict::NotShown(Some(_)) => format!("not shown: more than {} positions would not do", count(MOST)),
        Verdict::NotShown(None) => "not shown".to_owned(),
        Verdict::Idle => "changes nothing: is the switch read?".to_owned(),
    }
}

/// A number with its first two digits.
fn two_digits(n: u64) -> u64 {
    let scale = 10_u64.pow((n.max(1).ilog10() + 1).saturating_sub(2));
    n.div_ceil(scale) * scale
}

/// What the verdict rests on, in sentences. Numbers with their intervals; a direction is named only where it is shown.
#[must_use]
pub fn reason(group: &Group<'_>, worth: &Worth, played: Option<&Match<'_>>) -> String {
    let mut parts = Vec::new();
    if let Some(nodes) = &worth.nodes {
        let time = worth
            .time
            .as_ref()
            .map_or_else(String::new, |time| format!(" and {} times the time", ratio_within(&time.within)));
        parts.push(format!(
            "Without it the program needs {} times the nodes{time}.",
            ratio_within(&nodes.within)
        ));
    }
    if let Some(alone) = &worth.alone {
        parts.push(format!(
            "With all others off it needs {} times fewer nodes than no method at all.",
            ratio_within(&alone.within)
        ));
    }
    let moves = worth
        .same_move
        .map(|kept| format!("It changes the move at {} of the positions", share(1.0 - kept.estimate)));
    let regret = worth.regret.as_ref().map(|regret| {
        let lost = format!("{} {}s", signed_within(&in_units(group, &regret.within)), group.traits.unit);
        match regret.shown() {
            Shown::Above => format!("moves lose more with it ({lost} on average)"),
            Shown::Below => format!("moves lose more without it ({lost} on average with it)"),
            Shown::No => format!("that it adds regret is not shown ({lost})"),
        }
    });
    parts.extend(match (moves, regret) {
        (Some(moves), Some(regret)) => Some(format!("{moves}; {regret}.")),
        (Some(only), None) | (None, Some(only)) => Some(only + "."),
        (None, None) => None,
    });
    if let Some((one, games)) = played.and_then(|one| Some((one, one.found?))) {
        let limit = limit(&one.played.ended.file.settings);
        parts.push(format!("In games at {limit} {} Elo.", signed_within(&games.elo)));
    }
    parts.join(" ")
}

/// The largest, and who saves the same; nothing that is not shown.
pub(super) fn sentences(worths: &[Worth]) -> Vec<String> {
    let mut text = Vec::new();
    let shown = |effect: &Option<Effect>| effect.map_or(Shown::No, |effect| effect.shown());
    let saving = worths.iter().filter(|worth| shown(&worth.nodes) == Shown::Above);
    let known = saving.filter_map(|worth| Some((worth, worth.nodes?.within)));
    if let Some((worth, most)) = known.max_by(|a, b| a.1.estimate.total_cmp(&b.1.estimate)) {
        text.push(format!(
            "Most nodes are saved by {}: without it the program needs {} times as many.",
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
