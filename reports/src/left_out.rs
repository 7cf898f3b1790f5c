//! What a set of methods loses without each of its members, beside what others published of their programs.
//!
//! The published figures are data (`reports/data/left-out.toml`). Left out: any judgement on why two programs differ, which nobody
//! can count.

use crate::format::ratio_within;
use crate::play::within;
use crate::table::Table;
use secateur_stats::elo::Estimate;
use secateur_stats::interval::Interval;
use serde::Deserialize;
use std::collections::BTreeMap;

const PUBLISHED: &str = include_str!("../data/left-out.toml");

/// What we measured of a member.
#[derive(Clone, Debug, PartialEq)]
pub struct Ours {
    /// Elo of the whole set over the set without it; `None` if no match was played.
    pub elo: Option<Estimate>,
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
    member: String,
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
#[must_use]
pub fn table(ours: &BTreeMap<String, Ours>) -> Table {
    let sources = published();
    let mut table = Table::new(&[
        "<member",
        "nodes without it, times",
        "Elo lost without it, ours",
        "Elo lost, published",
        "<as",
        "<sign",
    ]);
    for (member, ours) in ours {
        let nodes = ours.nodes.as_ref().map_or_else(dash, ratio_within);
        let elo = ours.elo.as_ref().map_or_else(dash, within);
        let steps = sources.iter().flat_map(|source| source.step.iter().map(move |step| (source, step)));
        let steps: Vec<_> = steps.filter(|(_, step)| step.member == *member).collect();
        for (source, step) in &steps {
            let figure = match step.within {
                Some(half) => format!("{} +-{half}", step.elo),
                None => step.elo.to_string(),
            };
            let as_what = format!("{}, {}, {} games", source.name, step.name, step.games);
            let sign = ours.elo.as_ref().map_or("not played", |elo| sign(elo, step)).to_owned();
            table.push(vec![member.clone(), nodes.clone(), elo.clone(), figure, as_what, sign]);
        }
        if steps.is_empty() {
            table.push(vec![member.clone(), nodes, elo, dash(), dash(), dash()]);
        }
    }
    let about = |source: &Source| format!("{}: {}.", source.name, source.about);
    table.notes = sources.iter().map(about).collect();
    table
}

fn dash() -> String {
    "-".to_owned()
}

/// How our sign lies to the published one, as far as the intervals tell.
fn sign(ours: &Estimate, step: &Step) -> &'static str {
    let (low, high) = ours.ends.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
    let theirs_open = step.within.is_some_and(|half| step.elo.abs() <= half);
    match (low > 0.0, high < 0.0) {
        _ if theirs_open => "open: theirs holds 0",
        (false, false) => "open: ours holds 0",
        (ours_gains, _) if ours_gains == (step.elo > 0.0) => "the same",
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
                assert!(modern.contains(&step.member.as_str()), "{step:?}");
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
        let of = |low: f64, high: f64| {
            let elo = Estimate { estimate: (low + high) / 2.0, ends: Some((low, high)) };
            let ours = Ours { elo: Some(elo), nodes: None };
            let table = table(&BTreeMap::from([("lmr".to_owned(), ours)]));
            assert_eq!(table.rows.len(), 1, "one figure is published");
            table.rows[0].last().unwrap().clone()
        };
        assert_eq!(
            [of(1.0, 9.0), of(-9.0, -1.0), of(-1.0, 9.0)],
            ["the same", "the other", "open: ours holds 0"]
        );
        let nobody = Ours { elo: None, nodes: None };
        let all = ["history-pruning", "delta"].map(|name| (name.to_owned(), nobody.clone()));
        let table = table(&BTreeMap::from(all));
        let last: Vec<&str> = table.rows.iter().map(|row| row.last().unwrap().as_str()).collect();
        assert_eq!(last, ["-", "not played", "not played"], "nothing is published of delta");
    }
}
