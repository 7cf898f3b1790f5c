//! What games say to do with each method: keep it, drop it, or play on; and what the harness itself says about nothing.
//!
//! Nothing of this rests on a search.

use super::games::limit;
use super::{Judged, Match, OfMethod};
use crate::format::{p_words, share, signed_within};
use crate::play::use_of_clock;
use crate::table::{Section, Table};
use secateur_record::play::GameRow;
use secateur_stats::inference::Shown;
use secateur_stats::interval::Interval;
use secateur_stats::labels::count;
use secateur_stats::play::TOLERATED;
use secateur_stats::worth::{Advice, Games};

/// Title of the section.
pub(crate) const TITLE: &str = "What to do";

/// What games say of a method.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub(crate) method: String,
    pub(crate) advice: Advice,
    /// `keep at 1+0.01s`.
    pub(crate) label: String,
    /// Elo that the program loses without it.
    pub(crate) elo: Interval,
    pub(crate) games: usize,
}

/// What games say of each method of which there are any that count, in the order of the matches.
pub(crate) fn said(judged: &Judged<'_, '_, '_>) -> Vec<Said> {
    let one = |one: &OfMethod<'_>| {
        Some(Said {
            method: one.method.clone(),
            advice: judged.advice(&one.method)?,
            label: judged.advice_label(&one.method)?,
            elo: judged.elo(&one.method)?,
            games: one.games,
        })
    };
    judged.each.iter().filter_map(one).collect()
}

/// The section; `None` where there is nothing to say of games.
pub(super) fn section(judged: &Judged<'_, '_, '_>) -> Option<Section> {
    let row = |one: &Said| {
        [
            ("<method", one.method.clone()),
            ("<games say", one.label.clone()),
            ("Elo", signed_within(&one.elo)),
            ("games", count(one.games as u64)),
        ]
    };
    let table = said(judged).iter().map(row).collect::<Table>().noted(meaning(judged)).unless_empty();
    let (text, tables) = (conduct(judged), Vec::from_iter(table));
    (!tables.is_empty() || !text.is_empty()).then(|| Section { title: TITLE.to_owned(), text, tables })
}

/// What the words and the intervals mean.
pub(crate) fn meaning(judged: &Judged<'_, '_, '_>) -> String {
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
pub(crate) fn conduct(judged: &Judged<'_, '_, '_>) -> Vec<String> {
    let null = judged.null.as_ref().map(null_run);
    let by_clock = judged.all_played().any(|one| !one.ended.file.settings.limit.repeats());
    let rows = || judged.all_played().flat_map(|one| &one.ended.rows);
    let lost = forfeits(rows());
    let games = rows().count();
    let bound = share(TOLERATED);
    let told = (by_clock && games > 0).then(|| {
        format!(
            "Lost on time: {lost} of {} games ({}). A match with more than {bound} of its games ended by faults has no result.",
            count(games as u64),
            share(lost as f64 / games as f64)
        )
    });
    null.into_iter().chain(told).chain(clock_used(judged)).chain(shared(judged)).collect()
}

/// How much of its clock the program used and how deep it looked; `None` without games by a clock.
fn clock_used(judged: &Judged<'_, '_, '_>) -> Option<String> {
    let efforts = judged.all_played().flat_map(|one| {
        let ended = &one.ended;
        let efforts = ended.rows.iter().flat_map(|row| [0, 1].map(|player| row.effort(player)));
        efforts.map(|effort| (ended.file.settings.limit, effort))
    });
    use_of_clock("The program", efforts).map(|(_, sentence)| sentence)
}

/// How games were shared, where they were.
fn shared(judged: &Judged<'_, '_, '_>) -> Option<String> {
    let rows = || judged.shared.iter().flat_map(|one| &one.ended.rows);
    let games = rows().count();
    let lacked: usize = rows().flat_map(|row| &row.lacking).map(Vec::len).sum();
    (games > 0).then(|| {
        format!(
            "Shared games: in {} games each side lacked {:.1} methods on average, drawn at random, so a game speaks of several. One \
             regression gives every method and every two of them.",
            count(games as u64),
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
