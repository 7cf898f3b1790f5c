//! Does ablation foretell Elo? What searches say of each method of some programs, next to what the method is worth in games.
//!
//! The design is docs/studies/elo.md: the rank correlation of each predictor with Elo within each program, one slope for all
//! programs with an intercept for each, and the error at a program whose games were not used. Left out: searching and playing.

use crate::arm::left_out as method_left_out;
use crate::group::{Block, Group};
use crate::growth::steepness;
use crate::inference::holm;
use crate::inference::rank::ranks;
use crate::interval::mean_spread;
use crate::metrics::{Iterations, same_move};
use secateur_record::record::Record;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};
use std::collections::BTreeMap;

/// What is foretold from, in the order of the tables: a name, and the column of [`Foretold`].
pub const PREDICTORS: [&str; 6] = ["nodes", "time", "instructions", "growth", "moves", "regret"];
/// The rows of [`Foretells`] about all programs together.
pub const ALL: &str = "all";
/// The most methods of a program whose orders are all counted; of more, Student's distribution stands for them.
const MOST: usize = 9;

/// A method of a program that is left out of all others: what searches say of it, and what games do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Foretold {
    /// The program.
    pub program: String,
    /// The method.
    pub method: String,
    /// Positions that were searched; 0 without searches.
    pub positions: usize,
    /// Depth of the searches, plies.
    pub depth: u64,
    /// Mean of ln(nodes without it over nodes of all).
    pub nodes: Option<f64>,
    /// ln(CPU time of all searches without it over that of all searches with it): of sums, as the clock of another program's process is coarse.
    #[serde(default)]
    pub time: Option<f64>,
    /// `nodes`, and the mean of ln(instructions a node without it over those of all): of shorter searches ([`instructions_a_node`]), as
    /// counting takes far longer than searching.
    #[serde(default)]
    pub instructions: Option<f64>,
    /// Change of `nodes` a ply, from half the depth on: a line by least squares through each position, as in [`crate::growth`].
    pub growth: Option<f64>,
    /// Share of positions at which its absence changes the move.
    pub moves: Option<f64>,
    /// Mean regret without it less that of all, score units of the judge.
    pub regret: Option<f64>,
    /// Pairs of games; 0 without a match.
    pub pairs: u64,
    /// Elo of the program over itself without the method.
    pub elo: Option<f64>,
    /// Its 95 % interval over openings.
    pub elo_low: Option<f64>,
    /// See `elo_low`.
    pub elo_high: Option<f64>,
    /// What its author published.
    pub published: Option<f64>,
}

impl Foretold {
    /// What it says by this predictor.
    #[must_use]
    pub fn says(&self, predictor: &str) -> Option<f64> {
        match predictor {
            "nodes" => self.nodes,
            "time" => self.time,
            "instructions" => self.instructions,
            "growth" => self.growth,
            "moves" => self.moves,
            "regret" => self.regret,
            _ => None,
        }
    }
}

/// What searches say of the methods left out of a group's baseline: positions, and the columns of [`Foretold`] by method.
/// Positions at which a mate ended a search early are left out of nodes, time and growth, for all arms alike.
#[must_use]
pub fn predictors(group: &Group<'_>, cells: &Iterations<'_>) -> BTreeMap<String, Foretold> {
    let open: Vec<_> =
        group.blocks.iter().filter(|block| !block.rows.iter().any(|row| group.is_finished(row))).collect();
    let mean = |values: Option<Vec<f64>>| {
        values.filter(|all| !all.is_empty()).map(|all| all.iter().sum::<f64>() / all.len() as f64)
    };
    let time = |arm: usize| open.iter().map(|block| block.rows[arm].time_ns as f64).sum::<f64>();
    let of = |arm: usize| {
        let log = |count: fn(&Record) -> Option<u64>| {
            let ratio = |block: &&Block<'_>| {
                let of = |arm: usize| Some((count(block.rows[arm])?.max(1) as f64).ln());
                Some(of(arm)? - of(0)?)
            };
            mean(open.iter().map(ratio).collect())
        };
        let at = |block: &Block<'_>, arm: usize, depth: u64| {
            let row = block.rows[arm];
            let own = cells.get(&(&*row.game, &*row.position, &*row.methods, row.budget_kind, row.budget))?;
            own.iter().find(|(d, _)| u64::from(*d) == depth).map(|(_, nodes)| (*nodes).max(1) as f64)
        };
        let saved = |block: &Block<'_>| -> Option<Vec<f64>> {
            let of = |depth| Some((at(block, arm, depth)? / at(block, 0, depth)?).ln());
            (group.budget / 2..=group.budget).map(of).collect()
        };
        // A search that says nothing of an iteration has no share in it.
        let grown = open.iter().filter_map(|block| Some(steepness(&saved(block)?)));
        let all = &group.blocks;
        let changed = all.iter().filter(|block| !same_move(block.rows[0], block.rows[arm])).count();
        let regret =
            |block: &Block<'_>| Some(f64::from(block.rows[arm].regret?) - f64::from(block.rows[0].regret?));
        Foretold {
            program: String::new(),
            method: String::new(),
            positions: all.len(),
            depth: group.budget,
            nodes: log(|row| row.nodes),
            time: (time(0) > 0.0 && time(arm) > 0.0).then(|| (time(arm) / time(0)).ln()),
            instructions: None,
            growth: mean(Some(grown.collect())),
            moves: (!all.is_empty()).then(|| changed as f64 / all.len() as f64),
            regret: mean(all.iter().map(regret).collect()),
            pairs: 0,
            elo: None,
            elo_low: None,
            elo_high: None,
            published: None,
        }
    };
    let arms = group.methods.iter().enumerate().skip(1);
    arms.filter_map(|(arm, name)| Some((method_left_out(group.methods[0], name)?.to_owned(), of(arm))))
        .collect()
}

/// By how much a node takes more without each of the methods left out of a group's baseline: the mean of ln(instructions a node without it
/// over those of all), over the positions of which all arms are counted.
#[must_use]
pub fn instructions_a_node(group: &Group<'_>) -> BTreeMap<String, f64> {
    let counted = group.counted();
    let at_node = |row: &Record| Some((row.instructions? as f64 / row.nodes?.max(1) as f64).ln());
    let of = |arm: usize| {
        let more = |&block: &usize| {
            let rows = &group.blocks[block].rows;
            Some(at_node(rows[arm])? - at_node(rows[0])?)
        };
        let all = counted.iter().map(more).collect::<Option<Vec<f64>>>()?;
        (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
    };
    let arms = group.methods.iter().enumerate().skip(1);
    arms.filter_map(|(arm, name)| Some((method_left_out(group.methods[0], name)?.to_owned(), of(arm)?)))
        .collect()
}

/// How one predictor does: within a program, or ([`ALL`]) over all of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Foretells {
    /// The program, or [`ALL`].
    pub program: String,
    /// One of [`PREDICTORS`].
    pub predictor: String,
    /// Methods that have both.
    pub methods: usize,
    /// Spearman's rank correlation within the program; of all, the mean weighted by methods less one.
    pub rho: Option<f64>,
    /// Its two-sided p-value: the share of all orders, within programs, that agree as much. Of all, corrected (Holm).
    pub rho_p: Option<f64>,
    /// Elo a unit of the predictor, with an intercept a program.
    pub slope: Option<f64>,
    /// Its 95 % interval.
    pub slope_low: Option<f64>,
    /// See `slope_low`.
    pub slope_high: Option<f64>,
    /// Root mean square error at programs whose games were not used, Elo.
    pub error: Option<f64>,
    /// The same of the mean of the others.
    pub error_mean: Option<f64>,
    /// Two-sided p-value that both errors are as large, programs as clusters, corrected (Holm).
    pub error_p: Option<f64>,
}

/// How every predictor does, by itself: the programs first, then [`ALL`].
#[must_use]
pub fn foretells(rows: &[Foretold]) -> Vec<Foretells> {
    let mut together: Vec<Foretells> = Vec::new();
    let mut found = Vec::new();
    for predictor in PREDICTORS {
        let mut programs: Vec<(String, Vec<[f64; 2]>)> = Vec::new();
        for row in rows {
            let Some(point) = row.says(predictor).zip(row.elo).map(|(x, y)| [x, y]) else { continue };
            match programs.iter_mut().find(|(known, _)| *known == row.program) {
                Some((_, points)) => points.push(point),
                None => programs.push((row.program.clone(), vec![point])),
            }
        }
        if programs.iter().map(|(_, points)| points.len()).sum::<usize>() < 3 {
            continue;
        }
        found.extend(programs.iter().map(|(program, points)| within(program, predictor, points)));
        together
            .push(over_all(predictor, &programs.into_iter().map(|(_, points)| points).collect::<Vec<_>>()));
    }
    let family: Vec<f64> = together.iter().flat_map(|row| [row.rho_p, row.error_p]).flatten().collect();
    let mut corrected = holm(&family).into_iter();
    for p in together.iter_mut().flat_map(|row| [&mut row.rho_p, &mut row.error_p]) {
        *p = p.and_then(|_| corrected.next());
    }
    found.extend(together);
    found
}

fn within(program: &str, predictor: &str, points: &[[f64; 2]]) -> Foretells {
    let orders = orders(points);
    Foretells {
        program: program.to_owned(),
        predictor: predictor.to_owned(),
        methods: points.len(),
        rho: orders.as_ref().map(|orders| orders.rho),
        rho_p: orders.map(|orders| orders.p),
        slope: None,
        slope_low: None,
        slope_high: None,
        error: None,
        error_mean: None,
        error_p: None,
    }
}

fn over_all(predictor: &str, programs: &[Vec<[f64; 2]>]) -> Foretells {
    let orders: Vec<Orders> = programs.iter().filter_map(|points| orders(points)).collect();
    let weight: f64 = orders.iter().map(|orders| orders.weight).sum();
    let rho = orders.iter().map(|orders| orders.weight * orders.rho).sum::<f64>() / weight;
    let line = line(programs);
    let errors = left_out(programs);
    let of = |which: usize| {
        let all: Vec<f64> = errors.iter().flatten().map(|pair| pair[which]).collect();
        (!all.is_empty()).then(|| (all.iter().sum::<f64>() / all.len() as f64).sqrt())
    };
    let difference =
        |pairs: &Vec<[f64; 2]>| [pairs.iter().map(|[own, mean]| own - mean).sum(), pairs.len() as f64];
    let differences: Vec<[f64; 2]> =
        errors.iter().filter(|pairs| !pairs.is_empty()).map(difference).collect();
    Foretells {
        program: ALL.to_owned(),
        predictor: predictor.to_owned(),
        methods: programs.iter().map(Vec::len).sum(),
        rho: (weight > 0.0).then_some(rho),
        rho_p: (weight > 0.0).then(|| stratified(&orders)),
        slope: line.map(|line| line[0]),
        slope_low: line.map(|line| line[0] - line[1]),
        slope_high: line.map(|line| line[0] + line[1]),
        error: of(0),
        error_mean: of(1),
        error_p: (differences.len() > 2).then(|| mean_spread(&differences).p()),
    }
}

/// The rank correlation of two measures, with its two-sided p-value.
struct Orders {
    rho: f64,
    p: f64,
    /// Things less one.
    weight: f64,
}

/// `None` for fewer than three things, or where a measure is the same for all.
fn orders(points: &[[f64; 2]]) -> Option<Orders> {
    let n = points.len();
    let middle = (n as f64 + 1.0) / 2.0;
    let centred = |which: usize| -> Vec<f64> {
        let values: Vec<f64> = points.iter().map(|point| point[which]).collect();
        ranks(&values).into_iter().map(|rank| rank - middle).collect()
    };
    let (x, y) = (centred(0), centred(1));
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let spread = (product(&x, &x) * product(&y, &y)).sqrt();
    if n < 3 || spread <= 0.0 {
        return None;
    }
    let rho = product(&x, &y) / spread;
    let p = if n > MOST {
        let freedom = n as f64 - 2.0;
        let t = rho.abs() * (freedom / (1.0 - rho * rho).max(0.0)).sqrt();
        2.0 * StudentsT::new(0.0, 1.0, freedom).ok()?.sf(t)
    } else {
        let (mut as_much, mut all) = (0_u32, 0_u32);
        let mut order = y;
        permute(&mut order, 0, &mut |order| {
            all += 1;
            as_much += u32::from((product(&x, order) / spread).abs() >= rho.abs() - 1e-9);
        });
        f64::from(as_much) / f64::from(all)
    };
    Some(Orders { rho, p, weight: n as f64 - 1.0 })
}

/// Every order of the things from `from` on.
fn permute(order: &mut Vec<f64>, from: usize, each: &mut impl FnMut(&[f64])) {
    if from + 1 >= order.len() {
        return each(order);
    }
    for other in from..order.len() {
        order.swap(from, other);
        permute(order, from + 1, each);
        order.swap(from, other);
    }
}

/// Two-sided p-value of the weighted mean of correlations where every program's order is drawn anew. A correlation of n things has the
/// variance 1/(n - 1) over all orders; the tails of the sum are those of the normal distribution, as all orders of all programs are too
/// many to count.
fn stratified(programs: &[Orders]) -> f64 {
    if let [one] = programs {
        return one.p;
    }
    let variance: f64 = programs.iter().map(|program| program.weight).sum();
    let sum: f64 = programs.iter().map(|program| program.weight * program.rho).sum();
    2.0 * Normal::standard().sf(sum.abs() / variance.sqrt())
}

/// Slope of the line with an intercept a program, and half the width of its 95 % interval; `None` where nothing is left to tell.
fn line(programs: &[Vec<[f64; 2]>]) -> Option<[f64; 2]> {
    let mut sums = [0.0; 3];
    for points in programs {
        let [x, y] = means(points);
        for point in points {
            let [dx, dy] = [point[0] - x, point[1] - y];
            sums = [sums[0] + dx * dx, sums[1] + dx * dy, sums[2] + dy * dy];
        }
    }
    let freedom = programs.iter().map(Vec::len).sum::<usize>() as f64 - programs.len() as f64 - 1.0;
    if sums[0] <= 0.0 || freedom < 1.0 {
        return None;
    }
    let slope = sums[1] / sums[0];
    let error = ((sums[2] - slope * sums[1]).max(0.0) / freedom / sums[0]).sqrt();
    let t = StudentsT::new(0.0, 1.0, freedom).ok()?.inverse_cdf(0.975);
    Some([slope, t * error])
}

fn means(points: &[[f64; 2]]) -> [f64; 2] {
    [0, 1].map(|which| points.iter().map(|point| point[which]).sum::<f64>() / points.len() as f64)
}

/// For every program and method the squared error of what the other programs foretell, by their slope through their mean and by
/// their mean alone.
fn left_out(programs: &[Vec<[f64; 2]>]) -> Vec<Vec<[f64; 2]>> {
    let one = |at: usize| {
        let others: Vec<Vec<[f64; 2]>> = programs
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at)
            .map(|(_, points)| points.clone())
            .collect();
        let Some([slope, _]) = line(&others) else { return Vec::new() };
        let [x, y] = means(&others.concat());
        let errors = |point: &[f64; 2]| {
            let own = y + slope * (point[0] - x) - point[1];
            [own * own, (y - point[1]).powi(2)]
        };
        programs[at].iter().map(errors).collect()
    };
    (0..programs.len()).map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(program: &str, nodes: f64, elo: f64) -> Foretold {
        Foretold {
            program: program.to_owned(),
            method: format!("m{nodes}"),
            positions: 1,
            depth: 8,
            nodes: Some(nodes),
            time: None,
            instructions: None,
            growth: None,
            moves: None,
            regret: None,
            pairs: 200,
            elo: Some(elo),
            elo_low: None,
            elo_high: None,
            published: None,
        }
    }

    fn all(rows: &[Foretold]) -> Foretells {
        foretells(rows).into_iter().find(|row| row.program == ALL).unwrap()
    }

    /// Elo is 10 + 100 times the logarithm in every program, each with an intercept of its own that does not matter to the slope.
    #[test]
    fn a_law_that_holds_is_found_in_every_program() {
        let of = |program: &str, shift: f64| [0.1, 0.4, 0.9, 1.3].map(|x| row(program, x, shift + 100.0 * x));
        let rows: Vec<Foretold> =
            ["a", "b", "c", "d"].iter().zip([10.0, 12.0, 8.0, 10.0]).flat_map(|(p, s)| of(p, s)).collect();
        let found = all(&rows);
        assert!(
            (found.slope.unwrap() - 100.0).abs() < 1e-9 && found.slope_high.unwrap() < 100.1,
            "{found:?}"
        );
        assert_eq!((found.methods, found.rho), (16, Some(1.0)));
        assert!(found.rho_p.unwrap() < 0.01 && found.error.unwrap() < 5.0, "{found:?}");
        assert!(found.error_mean.unwrap() > 40.0 && found.error_p.unwrap() < 0.05, "{found:?}");
        let one = foretells(&rows).into_iter().find(|row| row.program == "a").unwrap();
        // Two of the 24 orders of four things agree or disagree as much.
        assert!((one.rho_p.unwrap() - 2.0 / 24.0).abs() < 1e-12, "{one:?}");
    }

    /// What says the opposite in another program foretells nothing of it.
    #[test]
    fn a_law_that_turns_foretells_less_than_the_mean() {
        let of = |program: &str, sign: f64| {
            [0.1, 0.4, 0.9, 1.3].map(|x| row(program, x, 50.0 + sign * 100.0 * (x - 0.7)))
        };
        let rows: Vec<Foretold> =
            [("a", 1.0), ("b", -1.0), ("c", 1.0), ("d", -1.0)].iter().flat_map(|(p, s)| of(p, *s)).collect();
        let found = all(&rows);
        assert!(
            found.error.unwrap() > found.error_mean.unwrap() && found.rho.unwrap().abs() < 1e-12,
            "{found:?}"
        );
        assert!(found.slope.unwrap().abs() < 1e-9 && found.rho_p.unwrap() > 0.9, "{found:?}");
    }

    /// The slope of Anscombe's first set with one program is that of the plain regression, 0.5.
    #[test]
    fn the_slope_is_that_of_the_plain_regression() {
        let x = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0];
        let y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
        let points: Vec<[f64; 2]> = x.iter().zip(y).map(|(x, y)| [*x, y]).collect();
        let [slope, half] = line(&[points]).unwrap();
        // Standard error 0.1179 with nine degrees of freedom.
        assert!((slope - 0.5).abs() < 1e-3 && (half - 2.262 * 0.1179).abs() < 1e-3, "{slope} {half}");
    }

    /// Of more methods than orders can be counted the p-value hardly differs from that of their number.
    #[test]
    fn many_methods_are_tested_like_few() {
        let points = |n: usize| -> Vec<[f64; 2]> {
            let swapped = |i: usize| if i.is_multiple_of(3) { (i + 4) % n } else { i };
            (0..n).map(|i| [i as f64, swapped(i) as f64]).collect()
        };
        let (few, many) = (orders(&points(MOST)).unwrap(), orders(&points(MOST + 1)).unwrap());
        assert!(few.p < 1.0 && many.p < 1.0 && (few.p - many.p).abs() < 0.3, "{} {}", few.p, many.p);
        assert_eq!(orders(&points(2)).map(|orders| orders.p), None);
    }

    #[test]
    fn what_is_the_same_for_all_says_nothing() {
        let rows = [0.2, 0.2, 0.2, 0.2].map(|x| row("a", x, 3.0));
        assert!(foretells(&rows).iter().all(|row| row.rho.is_none() && row.slope.is_none()));
        assert!(foretells(&[row("a", 1.0, 2.0), row("b", 1.0, 2.0)]).is_empty());
    }
}
