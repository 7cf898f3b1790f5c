//! The page on the modern methods: each alone, in pairs, crossed, and the set without each of its members, by nodes, moves and
//! games, next to what others published of their programs.
//!
//! The published figures are data (`suites/lab/papers/left-out.toml`). Left out: any judgement on why two programs differ, which cannot
//! be counted.

use super::pages::{Pages, entries};
use super::{RUNS, at_budget, at_depth, made, run, together};
use secateur::cli::evidence::committed_match;
use secateur::cli::failure::{Failure, Outcome};
use secateur::cli::reading::text_of;
use secateur::cli::tune;
use secateur_arena::play::Ended;
use secateur_base::sets::members;
use secateur_lab::tune::{Course, TUNED};
use secateur_reports::format::{p_words, ratio_within, signed_within};
use secateur_reports::play::{elo, within, won_drawn_lost};
use secateur_reports::render::markdown_table;
use secateur_reports::table::Table;
use secateur_stats::group::{Group, groups_of};
use secateur_stats::inference::{Shown, Test, judged, spearman};
use secateur_stats::interval::Interval;
use secateur_stats::measure::NODES;
use secateur_stats::pairwise::between;
use secateur_stats::play::{against_even, pair_counts};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The run with each alone and the set without each, and the one with every combination of eight.
const MODERN: &str = "modern";
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
    let runs = run(MODERN)?;
    pages.put(MODERN, &(at_depth(&runs) + &at_budget(&runs) + &made(&runs)))?;
    let crossed = run(CROSSED)?;
    pages.put(CROSSED, &(together(&groups_of(&crossed)) + &made(&crossed)))?;
    for (folder, subject) in [(LEFT_OUT, "<without"), (CLOCKED, "<without"), (AGAINST, "<against")] {
        pages.put(folder, &markdown_table(&matches(folder, subject, "Elo of `modern`")?))?;
    }
    let worths = worths(&groups_of(&runs))?;
    let orders = orders(&worths).into_iter().map(|line| format!("\n{line}\n")).collect::<String>();
    pages.put(BESIDE, &(markdown_table(&table(&worths)) + &orders))?;
    TUNED_IN.iter().try_for_each(|(course, confirming)| pages.put(course, &tuned(course, confirming)?))
}

/// What each member of the set is worth by the matches that are there, and in nodes.
fn worths(groups: &[Group<'_>]) -> Result<BTreeMap<String, Ours>, Failure> {
    let all = members(SET).unwrap_or_default();
    let group = groups.iter().find(|group| group.is_fixed_depth() && group.methods.contains(&all));
    let played = entries(&Path::new(RUNS).join(LEFT_OUT))?;
    let (mut ours, mut tests) = (Vec::new(), Vec::new());
    for member in all.split('+') {
        let others: Vec<&str> = all.split('+').filter(|other| *other != member).collect();
        let others = others.join("+");
        let place = |group: &Group<'_>, arm: &str| group.methods.iter().position(|other| *other == arm);
        let nodes =
            group.and_then(|group| between(group, &NODES, place(group, &others)?, place(group, all)?));
        let rows = played.get(member).map(|path| committed_match(path)).transpose()?;
        let elo = rows.as_ref().and_then(|ended| Some(pair_counts(&ended.rows).score()?.elo()));
        tests.push(rows.as_ref().map_or(Test::of(0.0, f64::NAN), test));
        ours.push((member.to_owned(), Ours { elo, shown: Shown::No, nodes }));
    }
    let shown = judged(tests);
    Ok(ours
        .into_iter()
        .zip(shown)
        .map(|((member, ours), test)| (member, Ours { shown: test.shown(), ..ours }))
        .collect())
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
    let file = text_of(dir.join(TUNED))?;
    Ok(format!(
        "{}\n\n{}\n```toml\n{}```\n\n{}",
        tune::summary(&course),
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
    let judged = judged(played.iter().map(|(_, ended)| test(ended)).collect());
    let row = |((name, ended), judged): ((String, Ended), Test)| {
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
    against_even(&ended.rows).map_or(Test::of(0.0, f64::NAN), |score| score.test)
}

const PUBLISHED: &str = include_str!("../../../suites/lab/papers/left-out.toml");

/// What we measured of a member.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ours {
    /// Elo of the whole set over the set without it; `None` if no match was played.
    pub(super) elo: Option<Interval>,
    /// What its match shows, corrected with those of the other members.
    pub(super) shown: Shown,
    /// Nodes without it over nodes with all, to the same depth; `None` if it was not searched.
    pub(super) nodes: Option<Interval>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    source: Vec<Source>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    name: String,
    about: String,
    step: Vec<Step>,
}

/// A published figure.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    /// What comes nearest to it among ours; `None` if nothing does.
    member: Option<String>,
    name: String,
    /// Elo lost without it, in games.
    elo: f64,
    /// Half of the 95 % interval, if the source gives one.
    within: Option<f64>,
    games: u64,
}

fn published() -> Vec<Source> {
    let file: File = toml::from_str(PUBLISHED).expect("the build's own data");
    file.source
}

/// A row for every published figure of each member, and one for a member of which none is known.
pub(super) fn table(ours: &BTreeMap<String, Ours>) -> Table {
    let sources = published();
    let mut table = Table::default();
    let row = |member: &str, [nodes, elo]: [String; 2], published: Option<[String; 2]>, sign: &str| {
        let [figure, as_what] = published.unwrap_or_else(|| [dash(), dash()]);
        [
            ("<member", member.to_owned()),
            ("nodes without it, times", nodes),
            ("Elo lost without it, ours", elo),
            ("Elo lost, published", figure),
            ("<as", as_what),
            ("<sign", sign.to_owned()),
        ]
    };
    for (member, ours) in ours {
        let measured = [ours.nodes.as_ref().map(ratio_within), ours.elo.as_ref().map(within)];
        let measured = measured.map(|text| text.unwrap_or_else(dash));
        let steps = sources.iter().flat_map(|source| source.step.iter().map(move |step| (source, step)));
        let steps: Vec<_> = steps.filter(|(_, step)| step.member.as_ref() == Some(member)).collect();
        for (source, step) in &steps {
            let sign = if ours.elo.is_some() { sign(ours.shown, step) } else { "not played" };
            table.row(row(member, measured.clone(), Some(step.figure_and_source(source)), sign));
        }
        if steps.is_empty() {
            table.row(row(member, measured, None, "-"));
        }
    }
    for source in &sources {
        for step in source.step.iter().filter(|step| step.member.is_none()) {
            let published = Some(step.figure_and_source(source));
            table.row(row("nothing of ours", [dash(), dash()], published, "-"));
        }
    }
    let about = |source: &Source| format!("{}: {}.", source.name, source.about);
    table.notes = sources.iter().map(about).collect();
    table
}

/// Steps of a source that stand in the sentence about its order.
const LARGEST: usize = 4;

/// A sentence a source: whether our members come in the order of its steps.
pub(super) fn orders(ours: &BTreeMap<String, Ours>) -> Vec<String> {
    let sentence = |source: &Source| {
        let pair = |step: &Step| {
            let member = step.member.clone()?;
            let elo = ours.get(&member)?.elo.as_ref()?.estimate;
            Some((member, step.elo, elo))
        };
        let mut pairs: Vec<(String, f64, f64)> = source.step.iter().filter_map(pair).collect();
        let rho = spearman(&pairs.iter().map(|(_, theirs, ours)| [*theirs, *ours]).collect::<Vec<_>>())?;
        pairs.sort_by(|a, b| b.1.total_cmp(&a.1));
        let largest: Vec<&(String, f64, f64)> = pairs.iter().take(LARGEST).collect();
        let mut by_ours = largest.clone();
        by_ours.sort_by(|a, b| b.2.total_cmp(&a.2));
        let list = |pairs: &[&(String, f64, f64)]| {
            pairs.iter().map(|(member, ..)| format!("`{member}`")).collect::<Vec<_>>().join(", ")
        };
        Some(format!(
            "{}: rank correlation of our Elo with theirs {} (Spearman, {} steps). The {} largest of theirs, from the largest on: {}; \
             the same by our games: {}.",
            source.name,
            signed_within(&rho),
            pairs.len(),
            largest.len(),
            list(&largest),
            list(&by_ours)
        ))
    };
    published().iter().filter_map(sentence).collect()
}

impl Step {
    /// The figure, and what it is of.
    fn figure_and_source(&self, source: &Source) -> [String; 2] {
        let figure = match self.within {
            Some(half) => format!("{} +-{half}", self.elo),
            None => self.elo.to_string(),
        };
        [figure, format!("{}, {}, {} games", source.name, self.name, self.games)]
    }
}

fn dash() -> String {
    "-".to_owned()
}

/// How our sign lies to the published one, where both are shown.
fn sign(ours: Shown, step: &Step) -> &'static str {
    if step.within.is_some_and(|half| step.elo.abs() <= half) {
        return "open: theirs holds 0";
    }
    let same = if step.elo > 0.0 { Shown::Above } else { Shown::Below };
    match ours {
        Shown::No => "open: ours shows none",
        ours if ours == same => "the same",
        _ => "the other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_base::sets::members;

    #[test]
    fn the_published_figures_are_of_members_and_their_intervals_of_their_games() {
        let modern: Vec<&str> = members("modern").unwrap().split('+').collect();
        for source in published() {
            assert!(!source.about.is_empty());
            for step in &source.step {
                assert!(step.member.as_deref().is_none_or(|member| modern.contains(&member)), "{step:?}");
                assert!(
                    step.games > 1000 && step.elo > 0.0 && step.within.is_none_or(|half| half > 0.0),
                    "{step:?}"
                );
                // Between draws alone and none at all, 95 % of so many games are so wide.
                let widest = 1.96 * 0.5 / (step.games as f64).sqrt() * 1600.0 / std::f64::consts::LN_10;
                assert!(step.within.is_none_or(|half| half < widest), "{step:?}");
            }
        }
    }

    #[test]
    fn signs_are_told_only_where_the_intervals_do() {
        let elo = |estimate: f64| Some(Interval { estimate, low: estimate - 9.0, high: estimate + 9.0 });
        let sign = |shown: Shown| {
            let ours = Ours { elo: elo(5.0), shown, nodes: None };
            let table = table(&BTreeMap::from([("lmr".to_owned(), ours)]));
            assert_eq!(table.rows[1][0], "nothing of ours", "one figure is published of it");
            table.rows[0].last().unwrap().clone()
        };
        assert_eq!(
            [sign(Shown::Above), sign(Shown::Below), sign(Shown::No)],
            ["the same", "the other", "open: ours shows none"]
        );
        let unplayed = Ours { elo: None, shown: Shown::No, nodes: None };
        let all = ["history-pruning", "delta"].map(|name| (name.to_owned(), unplayed.clone()));
        let table = table(&BTreeMap::from(all));
        let last: Vec<&str> = table.rows.iter().map(|row| row.last().unwrap().as_str()).collect();
        assert_eq!(last[..3], ["-", "not played", "not played"], "nothing is published of delta");
        let played = [("reverse-futility", 68.0), ("see-pruning", 55.0), ("lmp", 31.0), ("null-move", 11.0)];
        let ours =
            |(name, value): (&str, f64)| (name.to_owned(), Ours { elo: elo(value), ..unplayed.clone() });
        let sentence = &orders(&played.into_iter().map(ours).collect())[0];
        assert!(sentence.contains("-1.00 (Spearman, 4 steps)"), "theirs is the reverse: {sentence}");
        assert!(
            sentence.ends_with("our games: `reverse-futility`, `see-pruning`, `lmp`, `null-move`."),
            "{sentence}"
        );
    }
}
