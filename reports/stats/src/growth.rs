//! How fast the tree of each method set grows: cumulative nodes by depth, with the branching factor. And how what a method does
//! changes along depth, time or releases: the nodes it saves, what its moves lose, the depth it gains.

use crate::contrast::Searches;
use crate::group::{Block, Group};
use crate::inference::{Test, sign_flip};
use crate::interval::{mean, mean_loss, mean_spread};
use crate::labels::{left_out, members};
use crate::measure::NODES;
use crate::metrics::{Iterations, depths, nodes_at, search_depth};
use crate::play::whole_pairs;
use secateur_record::play::GameRow;
use serde::Deserialize;
use std::collections::BTreeMap;

/// More lines than this cannot be told apart: then single methods, and all together, stand for the rest.
const MOST: usize = 14;

/// Cumulative nodes of one method set by depth: geometric means over the positions that reached the depth with every
/// method set shown.
#[derive(Clone, Debug)]
pub struct Curve<'a> {
    /// The method set.
    pub methods: &'a str,
    /// Depth and nodes.
    pub points: Vec<(u32, f64)>,
    /// (N_D / N_{D-2k})^(1/(2k)) of the means, k = 2 or 1.
    pub branching: Option<f64>,
}

/// The curves of a group: those of all method sets, or of single methods and all together where they are too many.
pub fn curves<'a>(group: &Group<'a>, cells: &Iterations<'_>) -> Vec<Curve<'a>> {
    let many = group.methods.len() > MOST;
    let largest = group.methods.iter().map(|m| members(m).len()).max().unwrap_or(0);
    let shown = |methods: &str| {
        let count = members(methods).len();
        !many || count <= 1 || count == largest
    };
    let wanted: Vec<usize> = (0..group.methods.len()).filter(|&i| shown(group.methods[i])).take(28).collect();
    // By depth, by position: the nodes of each wanted method set.
    let mut sums = BTreeMap::<u32, Vec<Vec<f64>>>::new();
    // Where a mate was found, further iterations are next to free.
    let open = |block: &&Block<'_>| !wanted.iter().any(|&set| group.is_finished(block.rows[set]));
    for block in group.blocks.iter().filter(open) {
        let steps = wanted.iter().map(|&arm| depths(block.rows[arm], cells));
        let Some(by_arm) = steps.collect::<Option<Vec<_>>>() else { continue };
        let shallowest = by_arm.iter().filter_map(|steps| steps.last()).map(|last| last.0).min().unwrap_or(0);
        for depth in 1..=shallowest {
            let at = |steps: &&[(u32, u64)]| nodes_at(steps, depth).map(f64::ln);
            if let Some(logs) = by_arm.iter().map(at).collect() {
                sums.entry(depth).or_default().push(logs);
            }
        }
    }
    // A depth that only some positions reached would bend the curve.
    let most = sums.values().map(Vec::len).max().unwrap_or(0);
    sums.retain(|_, positions| positions.len() == most);
    let curve = |(at, &index): (usize, &usize)| {
        let points: Vec<(u32, f64)> = sums
            .iter()
            .map(|(depth, logs)| (*depth, mean(&logs.iter().map(|l| l[at]).collect::<Vec<_>>()).exp()))
            .collect();
        let branching = branching(&points);
        Curve { methods: group.methods[index], points, branching }
    };
    wanted.iter().enumerate().map(curve).collect()
}

fn branching(points: &[(u32, f64)]) -> Option<f64> {
    let &(deepest, last) = points.last()?;
    [2, 1].into_iter().find_map(|k| {
        let &(_, first) = points.iter().find(|(depth, _)| depth + 2 * k == deepest)?;
        Some((last / first).powf(1.0 / f64::from(2 * k)))
    })
}

/// Stands before the name of a method that was left out of a set. Not a minus, with which a cell of a table would begin like a formula.
pub const LEFT_OUT: &str = "without ";

/// What of a method is followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Followed {
    /// Nodes saved, along the depths of one search.
    #[default]
    Nodes,
    /// Regret more than the baseline's, along budgets of depth.
    Regret,
    /// Fractional depth reached beyond the baseline's, along budgets of time.
    Depth,
    /// Nodes that each member saves, along the releases of one program, a run for each.
    Releases,
    /// The score of a program against itself without a member, along its releases, a match for each.
    Scores,
}

/// How what a method does changes with depth or time, at the positions of one game.
#[derive(Clone, Debug, PartialEq)]
pub struct Slope {
    /// The game.
    pub game: String,
    /// The method: alone by its name, left out of the baseline's set with [`LEFT_OUT`] before it.
    pub method: String,
    /// Least and greatest place of the line: plies, of [`Followed::Depth`] milliseconds, of [`Followed::Releases`] and [`Followed::Scores`]
    /// releases.
    pub range: (u32, u32),
    /// Positions, and the source games that they are from.
    pub positions: usize,
    /// Change a ply, of [`Followed::Depth`] a tenfold time, along releases a release, mean of the lines of all positions, over
    /// source games: of nodes that of ln(nodes saved, times), of scores that of a score of 0 to 1, over openings.
    pub slope: Test,
    /// What is followed at the least place: nodes saved, times, geometric; score units; plies; score above one half. The test is
    /// of nothing, not corrected; that of a factor, which has no sign, is asked for its p-value alone.
    pub first: Test,
    /// The same at the greatest.
    pub last: Test,
    /// The mean over all places.
    pub whole: Test,
}

/// From (sum, positions) of each source game the mean, and the test of its being nothing.
type Law = fn(&[[f64; 2]]) -> Test;

/// By Student's law.
fn student(totals: &[[f64; 2]]) -> Test {
    let spread = mean_spread(totals);
    Test { effect: spread.student(), p: spread.p() }
}

/// The same of what may be skewed.
fn skewed(totals: &[[f64; 2]]) -> Test {
    Test { effect: mean_spread(totals).skewed(), ..student(totals) }
}

/// Of losses, which have a long tail.
fn losses(totals: &[[f64; 2]]) -> Test {
    let p = sign_flip(&totals.iter().map(|total| total[0]).collect::<Vec<_>>());
    Test { effect: mean_loss(totals), p }
}

impl Slope {
    /// That of the lines of some values at some places, each with its source game; `law` makes an interval and a p-value of their sums.
    fn of_lines<'a>(
        game: &str,
        method: String,
        range: (u32, u32),
        places: &[f64],
        lines: impl ExactSizeIterator<Item = (&'a str, Vec<f64>)>,
        law: Law,
    ) -> Slope {
        let (game, positions) = (game.to_owned(), lines.len());
        let [slope, first, last, whole] = by_game(places, lines).map(|totals| law(&totals));
        Slope { game, method, range, positions, slope, first, last, whole }
    }

    /// Of lines of logarithms: the values as the factors that they are of.
    fn of_factors(self) -> Slope {
        let factor = |test: Test| Test { effect: test.effect.exp(), ..test };
        Slope { first: factor(self.first), last: factor(self.last), whole: factor(self.whole), ..self }
    }
}

/// What an arm is called, and the sign of what it does: a member that was left out of the baseline's set does what is missing without it.
fn named(group: &Group<'_>, arm: usize) -> (String, f64) {
    match left_out(group.methods[0], group.methods[arm]) {
        Some(missing) => (format!("{LEFT_OUT}{missing}"), -1.0),
        None => (group.methods[arm].to_owned(), 1.0),
    }
}

/// The slopes of every arm of a fixed-depth group that is not its baseline, from `least` plies on. What an arm saves is
/// counted against the baseline; an arm that is the baseline less one member is that member left out, and saves what
/// the set needs more without it. Positions at which a search ended early are left out, for all arms alike.
pub fn slopes(group: &Group<'_>, cells: &Iterations<'_>, least: u32) -> Vec<Slope> {
    let deepest = u32::try_from(group.budget).unwrap_or(u32::MAX);
    let logs = |block: &Block<'_>, arm: usize| -> Option<Vec<f64>> {
        let steps = depths(block.rows[arm], cells)?;
        // What is saved is a fall of the logarithm.
        (least..=deepest).map(|depth| nodes_at(steps, depth).map(|nodes| -nodes.ln())).collect()
    };
    let all = |block: &Block<'_>| -> Option<Vec<Vec<f64>>> {
        let finished = block.rows.iter().any(|row| group.is_finished(row));
        (!finished).then(|| (0..group.methods.len()).map(|arm| logs(block, arm)).collect())?
    };
    let open: Vec<(&str, Vec<Vec<f64>>)> =
        group.blocks.iter().filter_map(|block| Some((block.cluster, all(block)?))).collect();
    let places: Vec<f64> = (least..=deepest).map(f64::from).collect();
    of_arms(group, (least, deepest), &places, &open, student).into_iter().map(Slope::of_factors).collect()
}

/// The slopes of every arm of a group that is not its baseline, from the values of all arms at some places, position by position:
/// of what an arm has more than the baseline.
fn of_arms(
    group: &Group<'_>,
    range: (u32, u32),
    places: &[f64],
    open: &[(&str, Vec<Vec<f64>>)],
    law: Law,
) -> Vec<Slope> {
    let slope_of = |arm: usize| {
        let (method, sign) = named(group, arm);
        let lines = open.iter().map(|(cluster, arms)| {
            let more = arms[0].iter().zip(&arms[arm]).map(|(base, value)| sign * (value - base));
            (*cluster, more.collect())
        });
        Slope::of_lines(group.game, method, range, places, lines, law)
    };
    if open.is_empty() { Vec::new() } else { (1..group.methods.len()).map(slope_of).collect() }
}

/// The slopes of every arm along the budgets of some groups of one game, the least first, each less its baseline at the same position and
/// budget, of a member left out the other way round. A position counts where every arm has a value at every budget, of
/// [`Followed::Depth`] with nothing finished. Losses, which have a long tail, are tested by flipping the signs of source games, gains
/// in plies by Student's law. [`Followed::Nodes`] has [`slopes`].
pub fn along(groups: &[&Group<'_>], followed: Followed, cells: &Iterations<'_>) -> Vec<Slope> {
    let [first, .., last] = groups else { return Vec::new() };
    if groups.iter().any(|group| group.methods != first.methods) {
        return Vec::new();
    }
    let by_time = followed == Followed::Depth;
    let place =
        |group: &&Group<'_>| if by_time { (group.budget as f64).log10() } else { group.budget as f64 };
    let places: Vec<f64> = groups.iter().map(place).collect();
    let value = |group: &Group<'_>, block: &Block<'_>, arm: usize| -> Option<f64> {
        let row = block.rows[arm];
        if !by_time {
            return row.regret.map(f64::from);
        }
        if group.is_finished(row) { None } else { search_depth(row, cells) }
    };
    // By arm its values, budget by budget.
    let values = |position: &str| -> Option<Vec<Vec<f64>>> {
        let at = |group: &&Group<'_>| {
            let block = group.blocks.iter().find(|block| block.base().position == position)?;
            (0..group.methods.len()).map(|arm| value(group, block, arm)).collect::<Option<Vec<f64>>>()
        };
        let budgets = groups.iter().map(at).collect::<Option<Vec<_>>>()?;
        let of_arm = |arm: usize| budgets.iter().map(|arms| arms[arm]).collect();
        Some((0..first.methods.len()).map(of_arm).collect())
    };
    let open: Vec<(&str, Vec<Vec<f64>>)> = first
        .blocks
        .iter()
        .filter_map(|block| Some((block.cluster, values(&block.base().position)?)))
        .collect();
    let unit =
        |budget: u64| u32::try_from(if by_time { budget / 1_000_000 } else { budget }).unwrap_or(u32::MAX);
    let law: Law = if by_time { skewed } else { losses };
    of_arms(first, (unit(first.budget), unit(last.budget)), &places, &open, law)
}

/// Fewer releases than this make no line.
const FEWEST_RELEASES: usize = 5;

/// Of each position its source game and a value there.
type Values = BTreeMap<String, (String, f64)>;

/// How what each member of a program's set saves in nodes changes a release, from the fixed-depth group of each release: of the
/// members that `FEWEST_RELEASES` or more have, at the positions that all of these searched.
pub fn along_releases(releases: &[(u32, &Group<'_>)]) -> Vec<Slope> {
    let mut saved = BTreeMap::<&str, BTreeMap<u32, Values>>::new();
    for (release, group) in releases {
        let searches = Searches::of(group);
        for (arm, methods) in group.methods.iter().enumerate().skip(1) {
            let Some(member) = left_out(group.methods[0], methods) else { continue };
            let positions = group.blocks.iter().filter_map(|block| {
                let [without, all] = [arm, 0].map(|arm| NODES.value(&searches.at(block, arm)).ok());
                let value = NODES.mean.difference(without?, all?);
                Some((block.base().position.to_string(), (block.cluster.to_owned(), value)))
            });
            saved.entry(member).or_default().insert(*release, positions.collect());
        }
    }
    let game = releases.first().map_or("", |(_, group)| group.game);
    through_releases(game, &saved).into_iter().map(Slope::of_factors).collect()
}

/// How the score of a program against itself without a member changes a release, from the match of each release with the member and its
/// games: of the members that `FEWEST_RELEASES` or more have, over the openings that all of these played.
pub fn along_scores(game: &str, matches: &[(u32, &str, &[GameRow])]) -> Vec<Slope> {
    let mut scores = BTreeMap::<&str, BTreeMap<u32, Values>>::new();
    for (release, member, games) in matches {
        let above_half = |(opening, (_, half_points)): (String, (usize, usize))| {
            (opening.clone(), (opening, half_points as f64 / 4.0 - 0.5))
        };
        let openings = whole_pairs(games).into_iter().map(above_half);
        scores.entry(member).or_default().insert(*release, openings.collect());
    }
    through_releases(game, &scores)
}

fn through_releases(game: &str, members: &BTreeMap<&str, BTreeMap<u32, Values>>) -> Vec<Slope> {
    let slope = |(member, releases): (&&str, &BTreeMap<u32, Values>)| {
        let (&from, oldest) = releases.first_key_value()?;
        let (&to, _) = releases.last_key_value()?;
        let lines = oldest.iter().filter_map(|(position, (source_game, _))| {
            let values = releases.values().map(|of_release| Some(of_release.get(position)?.1));
            Some((source_game.as_str(), values.collect::<Option<Vec<f64>>>()?))
        });
        let lines: Vec<(&str, Vec<f64>)> = lines.collect();
        let places: Vec<f64> = releases.keys().copied().map(f64::from).collect();
        (places.len() >= FEWEST_RELEASES && !lines.is_empty()).then(|| {
            Slope::of_lines(
                game,
                format!("{LEFT_OUT}{member}"),
                (from, to),
                &places,
                lines.into_iter(),
                student,
            )
        })
    };
    members.iter().filter_map(slope).collect()
}

/// Of the lines of all positions, each with its source game: the slope, the first, the last and the mean value, as (sum, positions) of each
/// game.
fn by_game<'a>(places: &[f64], lines: impl Iterator<Item = (&'a str, Vec<f64>)>) -> [Vec<[f64; 2]>; 4] {
    let mut sums = BTreeMap::<&str, [[f64; 2]; 4]>::new();
    for (game, values) in lines {
        let [Some(first), Some(last)] = [values.first(), values.last()] else { continue };
        let of_line = [line(places, &values), *first, *last, mean(&values)];
        for (sum, value) in sums.entry(game).or_default().iter_mut().zip(of_line) {
            *sum = [sum[0] + value, sum[1] + 1.0];
        }
    }
    [0, 1, 2, 3].map(|column| sums.values().map(|sums| sums[column]).collect())
}

/// The slope of the straight line through values at successive depths, by least squares.
pub(crate) fn steepness(values: &[f64]) -> f64 {
    line(&(0..values.len()).map(|at| at as f64).collect::<Vec<_>>(), values)
}

/// The slope of the straight line through values at some places, by least squares.
fn line(places: &[f64], values: &[f64]) -> f64 {
    let middle = mean(places);
    let moments = places.iter().zip(values).map(|(place, value)| {
        let x = place - middle;
        [x * value, x * x]
    });
    let [above, below] = moments.fold([0.0; 2], |sums, [a, b]| [sums[0] + a, sums[1] + b]);
    above / below
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{manifest, row};
    use crate::group::groups_of;
    use crate::runs::Runs;
    use secateur_record::record::{BudgetKind, Record};

    /// A method that takes a share of the nodes that falls by a tenth a ply, a little differently at each position, and a set
    /// that needs twice the nodes without a member at whatever depth.
    #[test]
    fn slopes_are_those_of_the_lines_and_left_out_members_have_the_sign_of_what_they_save() {
        let mut records: Vec<Record> = Vec::new();
        let names: Vec<String> = (0..12).map(|at| format!("p{at}")).collect();
        let mut cells = Iterations::new();
        for (at, name) in names.iter().enumerate() {
            for arm in ["a+b", "a", "a+b+c"] {
                records.push(Record { budget: 9, ..row(name, "28", arm, 1_000) });
                let nodes = |depth: u32| {
                    let full = 1e6 * 2f64.powi(depth as i32);
                    let steep = 0.1 + 0.001 * (at as f64 - 5.5);
                    let factor = match arm {
                        "a" => 2.0,
                        "a+b+c" => (-steep * f64::from(depth)).exp(),
                        _ => 1.0,
                    };
                    (full * factor).round() as u64
                };
                let depths: Vec<(u32, u64)> = (1..=9).map(|depth| (depth, nodes(depth))).collect();
                let kind = records[0].budget_kind;
                cells.insert(("othello", name, arm, kind, 9), depths);
            }
        }
        let set = manifest("[[game]]\nname = \"othello\"\nbaseline = \"a+b\"\n");
        let runs = Runs { manifests: vec![set], records: records.clone(), ..Runs::default() };
        let slopes = slopes(&groups_of(&runs)[0], &cells, 4);
        let slope_of = |method: &str| slopes.iter().find(|slope| slope.method == method).unwrap();
        let (left, added) = (slope_of("without b"), slope_of("a+b+c"));
        assert!(
            (left.first.effect.estimate - 2.0).abs() < 1e-6 && (left.last.effect.estimate - 2.0).abs() < 1e-6,
            "{left:?}"
        );
        assert!(left.slope.effect.estimate.abs() < 1e-6 && left.last.p < 1e-9);
        assert!((added.slope.effect.estimate - 0.1).abs() < 1e-6 && added.slope.p < 1e-9, "{added:?}");
        assert!((added.last.effect.estimate - 0.9_f64.exp()).abs() < 1e-4 && added.positions == 12);
        assert!(added.slope.effect.low < 0.1 && added.slope.effect.high > 0.1);
    }

    /// A method whose moves lose two more units at every other ply, one unit more or less by position, and one that never loses more.
    #[test]
    fn regret_is_followed_along_the_budgets_and_less_that_of_the_baseline() {
        let mut records: Vec<Record> = Vec::new();
        for at in 0..12 {
            let name = format!("p{at}");
            for budget in [4, 6, 8] {
                for arm in ["none", "a", "b"] {
                    let lost = if arm == "a" { budget as i32 + at % 3 - 1 } else { 0 };
                    let regret = Some(5 + lost);
                    records.push(Record { budget, regret, ..row(&name, "28", arm, 1_000) });
                }
            }
        }
        // One position without a judge at one budget does not count.
        if let Some(last) = records.last_mut() {
            last.regret = None;
        }
        let runs = Runs { records, ..Runs::default() };
        let groups = groups_of(&runs);
        let all: Vec<&Group<'_>> = groups.iter().collect();
        assert_eq!(all.iter().map(|group| group.budget).collect::<Vec<_>>(), [4, 6, 8]);
        let slopes = along(&all, Followed::Regret, &Iterations::new());
        let [a, b] = slopes.as_slice() else { panic!("{slopes:?}") };
        assert!(
            (a.slope.effect.estimate - 1.0).abs() < 1e-9 && a.range == (4, 8) && a.positions == 11,
            "{a:?}"
        );
        assert!(
            a.slope.p < 0.01
                && a.last.p < 0.01
                && (a.last.effect.estimate - a.first.effect.estimate - 4.0).abs() < 1e-9
        );
        assert!(
            b.slope.effect.estimate.abs() < 1e-9
                && [b.slope, b.first, b.last].iter().all(|test| (test.p - 1.0).abs() < 1e-9),
            "{b:?}"
        );
        assert!(along(&all[..1], Followed::Regret, &Iterations::new()).is_empty());
    }

    /// In ten times the time the baseline comes two plies deeper and a method four; a position that a search finished does not count.
    #[test]
    fn depth_is_followed_along_times() {
        let (mut records, mut cells) = (Vec::new(), Iterations::new());
        let names: Vec<String> = (0..8).map(|at| format!("p{at}")).collect();
        for (at, name) in names.iter().enumerate() {
            for (budget, depths) in [(10_000_000, [5, 6]), (100_000_000, [7, 10])] {
                for (arm, depth) in ["none", "a"].into_iter().zip(depths) {
                    let (nodes, time_ns) = (4_u64.pow(depth), if at == 0 { 5_000_000 } else { budget });
                    let (budget_kind, depth_of) = (BudgetKind::Time, Some(depth));
                    records.push(Record {
                        budget_kind,
                        budget,
                        depth: depth_of,
                        time_ns,
                        ..row(name, "28", arm, nodes)
                    });
                    let steps = (1..=depth).map(|ply| (ply, 4_u64.pow(ply))).collect();
                    cells.insert(("othello", name, arm, budget_kind, budget), steps);
                }
            }
        }
        let runs = Runs { records, ..Runs::default() };
        let groups = groups_of(&runs);
        let slopes = along(&groups.iter().collect::<Vec<_>>(), Followed::Depth, &cells);
        assert_eq!(slopes.iter().map(|slope| &*slope.method).collect::<Vec<_>>(), ["a"]);
        let [a] = slopes.as_slice() else { panic!("{slopes:?}") };
        assert_eq!((a.range, a.positions), ((10, 100), 7));
        let [slope, first, last] = [a.slope, a.first, a.last].map(|test| test.effect.estimate);
        assert!(
            (slope - 2.0).abs() < 1e-9 && (first - 1.0).abs() < 1e-9 && (last - 3.0).abs() < 1e-9,
            "{a:?}"
        );
    }

    /// A member that saves half as much again with every release, and one that three releases have.
    #[test]
    fn members_are_followed_through_releases() {
        let of_release = |release: u32| {
            let mut records: Vec<Record> = Vec::new();
            for at in 0..12 {
                let name = format!("p{at}");
                let nodes = |factor: f64| (1e5 * f64::from(release) * factor).round() as u64;
                let tilt = 1.0 + 0.01 * (f64::from(at) - 5.5);
                let mut arms = vec![("a+b", 1.0), ("a", 1.5_f64.powi(release as i32) * tilt)];
                if release > 12 {
                    arms.push(("b", 2.0));
                }
                for (arm, factor) in arms {
                    records.push(row(&name, "28", arm, nodes(factor)));
                }
            }
            let set = manifest("[[game]]\nname = \"othello\"\nbaseline = \"a+b\"\n");
            Runs { manifests: vec![set], records, ..Runs::default() }
        };
        let runs: Vec<Runs> = (8..=15).map(of_release).collect();
        let groups: Vec<Vec<Group<'_>>> = runs.iter().map(groups_of).collect();
        let releases: Vec<(u32, &Group<'_>)> = (8..).zip(groups.iter().map(|groups| &groups[0])).collect();
        let slopes = along_releases(&releases);
        let [slope] = slopes.as_slice() else { panic!("three releases make no line: {slopes:?}") };
        assert_eq!((&*slope.method, slope.range, slope.positions), ("without b", (8, 15), 12));
        assert!(
            (slope.slope.effect.estimate - 1.5_f64.ln()).abs() < 1e-3 && slope.slope.p < 1e-9,
            "{slope:?}"
        );
        assert!((slope.last.effect.estimate / 1.5_f64.powi(15) - 1.0).abs() < 0.01, "{slope:?}");
        assert!(along_releases(&releases[..4]).is_empty(), "four releases make no line");
    }
}
