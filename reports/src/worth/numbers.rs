//! All of it for tools: as JSON, and a number to a row.

use super::words::{self, advice_key, key, label, reason};
use super::{Judged, Measured, OfMethod, Played, title};
use crate::evidence::Evidence;
use secateur_stats::contrast::Estimate;
use secateur_stats::interval::Interval;
use secateur_stats::measures::MeasureRow;
use secateur_stats::play::{Sum, match_rows};
use secateur_stats::worth::{Advice, Finding};

/// Version of the layout of [`json`]; raised when a member changes its meaning, name or place.
pub const LAYOUT: u32 = 3;

/// What searches show and games say, and every number, unrounded, for a tool; an end of an interval that is not finite is null.
pub fn json(evidence: &Evidence<'_>, played: &[Played]) -> String {
    let judged = Judged::of(evidence, played);
    let mut methods = Vec::new();
    for measured in &judged.measured {
        for worth in measured.worths {
            let finding = worth.finding();
            let partner = if let Finding::Covered(partner) = &finding { partner.clone() } else { None };
            let played = judged.played(&worth.method);
            let (advice, elo) = played.and_then(|one| one.said).unzip();
            let games = advice.map(advice_key);
            let more = if let Some(Advice::PlayOn(more)) = advice { more } else { None };
            methods.push(serde_json::json!({
                "game": measured.group.game, "suite": measured.group.suite,
                "budget_kind": measured.group.budget_kind.to_string(), "budget": measured.group.budget,
                "positions": measured.group.blocks.len(), "method": worth.method, "searches": key(&finding), "covered_by": partner,
                "could_have_shown": measured.could_have_shown(worth), "games": games, "games_more": more,
                "games_elo": elo,
                "games_played": played.map(|one| one.games),
                "games_words": played.and_then(OfMethod::label), "words": label(&finding),
                "reason": reason(measured, worth, played),
            }));
        }
    }
    let families = judged.measured.iter().map(|measured| {
        let [nodes, costs, alone, overlaps] = measured.tests;
        serde_json::json!({
            "budget": measured.group.budget, "suite": measured.group.suite, "nodes": nodes, "costs": costs, "alone": alone,
            "overlaps": overlaps,
        })
    });
    let all = serde_json::json!({
        "layout": LAYOUT, "title": title(&judged), "program": judged.program, "notes": evidence.runs.notes,
        "tests": families.collect::<Vec<_>>(), "games": of_games(&judged), "methods": methods, "measures": rows_of(&judged),
    });
    format!("{all:#}\n")
}

/// How the games went, for a tool; null where none was played.
fn of_games(judged: &Judged<'_>) -> Option<serde_json::Value> {
    let itself = judged.null.as_ref().map(|one| {
        let result = one.result.as_ref();
        serde_json::json!({
            "games": one.played.ended.rows.len(), "elo": result.map(|games| games.elo), "p": result.map(|games| games.p),
        })
    });
    let rows = judged.all_played().flat_map(|one| &one.ended.rows);
    let pair = |sum: &Sum| {
        serde_json::json!({
            "methods": sum.pair, "elo_of_both": sum.both, "beyond_their_sum": sum.excess.effect, "p": sum.excess.p,
        })
    };
    let shared = judged.decisions.as_ref().filter(|_| !judged.shared.is_empty()).map(|decisions| {
        let games = judged.shared.iter().map(|one| one.ended.rows.len()).sum::<usize>();
        serde_json::json!({ "games": games, "scale_of_pairs": decisions.scale() })
    });
    judged.all_played().next().map(|_| {
        serde_json::json!({
            "shared": shared, "pairs": judged.sums.iter().map(pair).collect::<Vec<_>>(), "lost_on_time": words::forfeits(rows), "null_run": itself, "margins": judged.margins(), "words": words::conduct(judged),
        })
    })
}

/// The numbers of the page, unrounded, one to a row.
pub fn rows(evidence: &Evidence<'_>, played: &[Played]) -> Vec<MeasureRow> {
    rows_of(&Judged::of(evidence, played))
}

/// The same for those who have judged already.
pub fn rows_of(judged: &Judged<'_>) -> Vec<MeasureRow> {
    let mut rows: Vec<MeasureRow> = judged.measured.iter().flat_map(rows_of_group).collect();
    for one in judged.all_played() {
        let named = |row| MeasureRow { methods: one.name(), ..row };
        let counted = match_rows(&one.ended).into_iter().map(named);
        if one.is_shared() {
            // Which side wins says nothing; what methods are worth does.
            let (points, counts): (Vec<MeasureRow>, Vec<MeasureRow>) =
                counted.partition(|row| ["score", "elo", "normalised_elo"].contains(&&*row.measure));
            rows.extend(counts);
            let elo = points.into_iter().filter(|row| row.measure == "elo");
            rows.extend(elo.flat_map(|row| judged.each.iter().filter_map(move |each| of_each(&row, each))));
        } else {
            rows.extend(counted);
        }
    }
    rows
}

/// Elo of a method in shared games, in the form of a row of the match.
fn of_each(row: &MeasureRow, each: &OfMethod<'_>) -> Option<MeasureRow> {
    let of_method = MeasureRow { methods: each.method.clone(), n: each.games / 2, ..row.clone() };
    Some(of_method.with(Some(each.result?.elo)))
}

fn rows_of_group(measured: &Measured<'_>) -> Vec<MeasureRow> {
    let Measured { group, worths, .. } = measured;
    let row = |methods: &str, measure: &str, interval: Interval| {
        MeasureRow::of(group, methods, "all", measure, group.blocks.len()).with(Some(interval))
    };
    let within = |effect: &Option<Estimate>| effect.as_ref().map(|effect| effect.within);
    let mut rows = Vec::new();
    for worth in *worths {
        let intervals = [
            ("nodes_without", within(&worth.nodes)),
            ("nodes_alone", within(&worth.alone)),
            ("time_without", within(&worth.time)),
            ("instructions_without", within(&worth.instructions)),
            ("same_move", worth.same_move),
            ("regret_without", within(&worth.regret).map(|regret| regret.turned(|x| 0.0 - x))),
            ("solved_without", worth.solved.map(|(.., difference)| difference)),
            ("ln_overlap", within(&worth.overlap).map(|overlap| overlap.ln())),
        ];
        rows.extend(
            intervals.into_iter().filter_map(|(name, interval)| Some(row(&worth.method, name, interval?))),
        );
        for (partner, shared) in &worth.partners {
            let methods = format!("{} x {partner}", worth.method);
            rows.push(row(&methods, "nodes_without_both", shared.within));
        }
    }
    rows
}
