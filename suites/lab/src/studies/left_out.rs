//! What each member of a set is worth in our matches and nodes, next to what others published of their programs.
//!
//! The published figures are data (`suites/lab/papers/left-out.toml`). Left out: any judgement on why two programs differ, which cannot
//! be counted.

use secateur_arena::play::Ended;
use secateur_base::sets::members;
use secateur_reports::format::{or_dash, ratio_within, signed_within};
use secateur_reports::play::within;
use secateur_reports::table::Table;
use secateur_stats::group::Group;
use secateur_stats::inference::{Shown, Test, judged, spearman};
use secateur_stats::interval::Interval;
use secateur_stats::measure::NODES;
use secateur_stats::pairwise::between;
use secateur_stats::play::{against_even, pair_counts};
use serde::Deserialize;
use std::collections::BTreeMap;

/// What each member of the set is worth by the matches that are there, and in nodes.
pub fn worths(set: &str, groups: &[Group<'_>], played: &BTreeMap<String, Ended>) -> BTreeMap<String, Ours> {
    let all = members(set).unwrap_or_default();
    let group = groups.iter().find(|group| group.is_fixed_depth() && group.methods.contains(&all));
    let (mut ours, mut tests) = (Vec::new(), Vec::new());
    for member in all.split('+') {
        let others: Vec<&str> = all.split('+').filter(|other| *other != member).collect();
        let others = others.join("+");
        let place = |group: &Group<'_>, arm: &str| group.methods.iter().position(|other| *other == arm);
        let nodes =
            group.and_then(|group| between(group, &NODES, place(group, &others)?, place(group, all)?));
        let ended = played.get(member);
        let elo = ended.and_then(|ended| Some(pair_counts(&ended.rows).score()?.elo()));
        tests.push(ended.map_or(Test::of(0.0, f64::NAN), even));
        ours.push((member.to_owned(), Ours { elo, shown: Shown::No, nodes }));
    }
    let shown = judged(tests).into_iter().map(|test| test.shown());
    ours.into_iter().zip(shown).map(|((member, ours), shown)| (member, Ours { shown, ..ours })).collect()
}

/// The test of a match against an even score.
pub fn even(ended: &Ended) -> Test {
    against_even(&ended.rows).map_or(Test::of(0.0, f64::NAN), |score| score.test)
}

const PUBLISHED: &str = include_str!("../../papers/left-out.toml");

/// What we measured of a member.
#[derive(Clone, Debug, PartialEq)]
pub struct Ours {
    /// Elo of the whole set over the set without it; `None` if no match was played.
    pub elo: Option<Interval>,
    /// What its match shows, corrected with those of the other members.
    pub shown: Shown,
    /// Nodes without it over nodes with all, to the same depth; `None` if it was not searched.
    pub nodes: Option<Interval>,
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
pub fn table(ours: &BTreeMap<String, Ours>) -> Table {
    let sources = published();
    let mut table = Table::default();
    let row = |member: &str, [nodes, elo]: [String; 2], published: Option<[String; 2]>, sign: &str| {
        let [figure, as_what] = published.unwrap_or_else(|| ["-"; 2].map(str::to_owned));
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
        let measured = measured.map(or_dash);
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
            table.row(row("nothing of ours", ["-"; 2].map(str::to_owned), published, "-"));
        }
    }
    let about = |source: &Source| format!("{}: {}.", source.name, source.about);
    table.notes = sources.iter().map(about).collect();
    table
}

/// Steps of a source that stand in the sentence about its order.
const LARGEST: usize = 4;

/// A sentence a source: whether our members come in the order of its steps.
pub fn orders(ours: &BTreeMap<String, Ours>) -> Vec<String> {
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
