//! The page on the modern methods: each alone, in pairs, crossed, and the set without each of its members, by nodes, moves and
//! games.

use super::folder::entries;
use super::left_out::{self, Ours};
use super::pages::Pages;
use super::{RUNS, at_budget, at_depth, document, made, run, together};
use secateur::cli::evidence::committed_match;
use secateur::cli::failure::{Failure, Outcome};
use secateur::cli::tune;
use secateur_arena::play::Ended;
use secateur_base::sets::members;
use secateur_lab::tune::{Course, TUNED};
use secateur_reports::format::p_words;
use secateur_reports::play::{elo, won_drawn_lost};
use secateur_reports::render::markdown_table;
use secateur_reports::table::Table;
use secateur_stats::group::{Group, groups_of};
use secateur_stats::inference::{Judged, Shown, Test, judged};
use secateur_stats::measure::NODES;
use secateur_stats::pairwise::between;
use secateur_stats::play::{against_even, pair_counts};
use std::collections::BTreeMap;
use std::path::Path;

/// The run with each alone and the set without each, and the one with every combination of eight.
const RUN: &str = "modern";
const CROSSED: &str = "factorial-modern";
/// The matches of the set against itself without a member, a folder each, named by the member.
const LEFT_OUT: &str = "play-modern";
/// The same by the clock, for the members that were worth most at equal nodes and the two oldest.
const CLOCKED: &str = "play-modern-clock";
/// Matches of the set against something else.
const AGAINST: &str = "play-modern-against";
/// The set, and the name of the part that lays what its members are worth next to published figures.
const SET: &str = "modern";
const BESIDE: &str = "left-out";
/// The courses that parameters of the set were tuned in, and the match of what came of each against the usual ones.
const TUNED_IN: [(&str, &str); 2] = [("tune-modern", "play-tuned"), ("tune-clock", "play-tuned-clock")];

/// Puts in all parts of the page.
pub(super) fn put(pages: &mut Pages) -> Outcome {
    let runs = run(RUN)?;
    pages.put(RUN, &(at_depth(&runs) + &at_budget(&runs) + &made(&runs)))?;
    let crossed = run(CROSSED)?;
    pages.put(CROSSED, &(together(&groups_of(&crossed)) + &made(&crossed)))?;
    for (folder, subject) in [(LEFT_OUT, "<without"), (CLOCKED, "<without"), (AGAINST, "<against")] {
        pages.put(folder, &markdown_table(&matches(folder, subject, "Elo of `modern`")?))?;
    }
    let worths = worths(&groups_of(&runs))?;
    let orders = left_out::orders(&worths).into_iter().map(|line| format!("\n{line}\n")).collect::<String>();
    pages.put(BESIDE, &(markdown_table(&left_out::table(&worths)) + &orders))?;
    TUNED_IN.iter().try_for_each(|(course, confirming)| pages.put(course, &tuned(course, confirming)?))
}

/// What each member of the set is worth by the matches that are there, and in nodes.
fn worths(groups: &[Group<'_>]) -> Result<BTreeMap<String, Ours>, Failure> {
    let all = members(SET).unwrap_or_default();
    let group = groups.iter().find(|group| group.is_fixed_depth() && group.methods.contains(&all));
    let played = entries(&Path::new(RUNS).join(LEFT_OUT))?;
    let (mut ours, mut tests) = (Vec::new(), Vec::new());
    for member in all.split('+') {
        let rest: Vec<&str> = all.split('+').filter(|other| *other != member).collect();
        let rest = rest.join("+");
        let place = |group: &Group<'_>, arm: &str| group.methods.iter().position(|other| *other == arm);
        let nodes = group.and_then(|group| between(group, &NODES, place(group, &rest)?, place(group, all)?));
        let rows = played.get(member).map(|path| committed_match(path)).transpose()?;
        let elo = rows.as_ref().and_then(|ended| Some(pair_counts(&ended.rows).score()?.elo()));
        tests.push(rows.as_ref().map_or(Test { effect: 0.0, p: f64::NAN }, test));
        ours.push((member.to_owned(), Ours { elo, shown: Shown::No, nodes }));
    }
    let shown = judged(&tests).into_iter().map(|judged| judged.shown);
    Ok(ours.into_iter().zip(shown).map(|((member, ours), shown)| (member, Ours { shown, ..ours })).collect())
}

/// A course of the tuner, the file that came of it, and whether that plays better.
fn tuned(course: &str, confirming: &str) -> Result<String, Failure> {
    let dir = Path::new(RUNS).join(course);
    let course = Course::read(&dir)?;
    let ended = committed_match(&Path::new(RUNS).join(confirming))?;
    let settings = &ended.file.settings;
    let what = format!("tuned against usual, {}, seed {}", settings.budget(), settings.seed);
    let row = [
        ("<match", what),
        ("won-drawn-lost", won_drawn_lost(&ended.rows)),
        ("Elo of the tuned", elo(&ended.rows)),
    ];
    let file = document(&dir.join(TUNED).display().to_string())?;
    Ok(format!(
        "{}\n\n{}\n```toml\n{}```\n\n{}",
        tune::words(&course),
        markdown_table(&tune::table(&course)),
        file.trim_start(),
        markdown_table(&[row].into_iter().collect())
    ))
}

/// A row a match of a folder, named by the match's own, with the Elo of the first player and the p-value of an even score,
/// corrected for the matches of the folder.
pub(super) fn matches(folder: &str, subject: &str, elo_of: &str) -> Result<Table, Failure> {
    let folders = entries(&Path::new(RUNS).join(folder))?.into_iter();
    let played = folders.map(|(name, path)| Ok((name, committed_match(&path)?)));
    let played = played.collect::<Result<Vec<(String, Ended)>, Failure>>()?;
    let judged = judged(&played.iter().map(|(_, ended)| test(ended)).collect::<Vec<_>>());
    let row = |((name, ended), judged): ((String, Ended), Judged)| {
        let openings = pair_counts(&ended.rows).score().map_or(0, |score| score.trials as usize);
        [
            (subject, name),
            ("limit", ended.file.settings.limit.to_string()),
            ("openings", openings.to_string()),
            ("won-drawn-lost", won_drawn_lost(&ended.rows)),
            (elo_of, elo(&ended.rows)),
            ("p (Holm)", p_words(Some(judged.p))),
        ]
    };
    Ok(played.into_iter().zip(judged).map(row).collect())
}

/// The test of a match against an even score.
fn test(ended: &Ended) -> Test {
    against_even(&ended.rows)
        .map_or(Test { effect: 0.0, p: f64::NAN }, |test| Test { effect: test.effect, p: test.p })
}
