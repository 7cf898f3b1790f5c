//! Does ablation foretell Elo? What searches say of each method of some programs, next to what the method is worth in games.
//!
//! The design is docs/studies/elo.md: the rank correlation of each predictor with Elo within each program, one slope for all
//! programs with an intercept for each, and the error at a program whose games were not used. Programs are what is independent:
//! intervals and tests of errors take them as clusters. Left out: searching and playing.

use crate::group::{Block, Group};
use crate::growth::steepness;
use crate::inference::orders::{Agreement, Point, agreement, rank_correlation};
use crate::inference::spread::Spread;
use crate::inference::{LEVEL, correct};
use crate::interval::mean_spread;
use crate::labels::left_out as method_left_out;
use crate::metrics::{Iterations, nodes_to, same_move};
use crate::models::{Foretold, MEAN, Model, NAME, by_program, left_out};
use crate::runs::by_key;
use crate::spent::tick;
use secateur_record::record::Record;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};
use std::collections::BTreeMap;

/// What is foretold from, in the order of the tables: a name, and the column of [`Foretold`].
pub const PREDICTORS: [&str; 6] = ["nodes", "time", "instructions", "growth", "moves", "regret"];
/// The rows of [`Foretells`] about all programs together.
pub const ALL: &str = "all";
/// The rows of [`Foretells`] about all programs together, less the methods named `DOMINANT`.
pub const ALL_BUT: &str = "all but lmr";
/// The method that is worth most in nearly every program. What is said of all methods is said without it, too.
pub(crate) const DOMINANT: &str = "lmr";
/// A predictor that needs no searches: the mean Elo of the method of the same name in the other programs, and where none of them has it the
/// mean of all.
pub const BY_NAME: &str = "name";

/// What searches say of the methods left out of a group's baseline: positions, and the columns of [`Foretold`] by method.
/// Positions at which a mate ended a search early are left out of nodes, time and growth, for all arms alike.
pub fn predictors(group: &Group<'_>, cells: &Iterations<'_>) -> BTreeMap<String, Foretold> {
    let open: Vec<_> =
        group.blocks.iter().filter(|block| !block.rows.iter().any(|row| group.is_finished(row))).collect();
    let mean = |values: Option<Vec<f64>>| mean_of(&values?);
    // The sum of coarse times says something where they are more than a tick on average.
    let time = |arm: usize| {
        let times = open.iter().map(|block| block.rows[arm].time_ns);
        let (tick, sum) = (tick(times.clone()), times.sum::<u64>());
        Some(sum as f64).filter(|_| sum > tick * open.len() as u64)
    };
    let row = |arm: usize| {
        let log = |count: fn(&Record) -> Option<u64>| {
            let ratio = |block: &&Block<'_>| {
                let log_of = |arm: usize| Some((count(block.rows[arm])?.max(1) as f64).ln());
                Some(log_of(arm)? - log_of(0)?)
            };
            mean(open.iter().map(ratio).collect())
        };
        let saved = |block: &Block<'_>| -> Option<Vec<f64>> {
            let at = |arm: usize, depth: u64| nodes_to(block.rows[arm], cells, u32::try_from(depth).ok()?);
            let log_ratio = |depth| Some((at(arm, depth)? / at(0, depth)?).ln());
            (group.budget / 2..=group.budget).map(log_ratio).collect()
        };
        // A search that says nothing of an iteration has no share in it.
        let grown = open.iter().filter_map(|block| Some(steepness(&saved(block)?)));
        let all = &group.blocks;
        let changed = all.iter().filter(|block| !same_move(block.rows[0], block.rows[arm])).count();
        let regret =
            |block: &Block<'_>| Some(f64::from(block.rows[arm].regret?) - f64::from(block.rows[0].regret?));
        Foretold {
            positions: all.len(),
            depth: group.budget,
            nodes: log(|row| row.nodes),
            time: time(arm).zip(time(0)).map(|(without, all)| (without / all).ln()),
            growth: mean(Some(grown.collect())),
            moves: (!all.is_empty()).then(|| changed as f64 / all.len() as f64),
            regret: mean(all.iter().map(regret).collect()),
            ..Foretold::default()
        }
    };
    each_left_out(group).map(|(arm, method)| (method.to_owned(), row(arm))).collect()
}

/// The arms of a group that lack one method of its baseline, with the method.
fn each_left_out<'g>(group: &'g Group<'_>) -> impl Iterator<Item = (usize, &'g str)> {
    let arms = group.methods.iter().enumerate().skip(1);
    arms.filter_map(|(arm, name)| Some((arm, method_left_out(group.methods[0], name)?)))
}

/// `None` of no values.
fn mean_of(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// By how much a node takes more without each of the methods left out of a group's baseline: the mean of ln(instructions a node without it
/// over those of all), over the positions of which all arms are counted.
pub fn instructions_a_node(group: &Group<'_>) -> BTreeMap<String, f64> {
    let counted = group.counted();
    let at_node = |row: &Record| Some((row.instructions? as f64 / row.nodes?.max(1) as f64).ln());
    let ratio = |arm: usize| {
        let more = |&block: &usize| {
            let rows = &group.blocks[block].rows;
            Some(at_node(rows[arm])? - at_node(rows[0])?)
        };
        mean_of(&counted.iter().map(more).collect::<Option<Vec<f64>>>()?)
    };
    each_left_out(group).filter_map(|(arm, method)| Some((method.to_owned(), ratio(arm)?))).collect()
}

/// How one predictor does: within a program, or ([`ALL`]) over all of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Foretells {
    /// The program, [`ALL`] or [`ALL_BUT`].
    pub program: String,
    /// One of [`PREDICTORS`], or [`BY_NAME`].
    pub predictor: String,
    /// Methods that have both.
    pub methods: usize,
    /// Spearman's rank correlation within the program; of all, the mean weighted by methods less one.
    pub rho: Option<f64>,
    /// Its two-sided p-value: the share of all orders that agree as much. Of all, the share of
    /// [`DRAWN`](crate::inference::orders::DRAWN) random orders of every program, corrected (Holm).
    pub rho_p: Option<f64>,
    /// The least correlation that would be shown, in whatever direction, if no other test of the family were.
    #[serde(default)]
    pub rho_needed: Option<f64>,
    /// Elo a unit of the predictor, with an intercept a program.
    pub slope: Option<f64>,
    /// Its 95 % interval, programs as clusters.
    pub slope_low: Option<f64>,
    /// See `slope_low`.
    pub slope_high: Option<f64>,
    /// Root mean square error at programs whose games were not used, Elo.
    pub error: Option<f64>,
    /// The same of the mean of the others.
    pub error_mean: Option<f64>,
    /// Two-sided p-value that both errors are as large, programs as clusters, corrected (Holm).
    pub error_p: Option<f64>,
    /// The error that would be shown to be less than the mean's with this spread between programs, if no other test of the family were;
    /// `None` where not even an error of 0 would.
    #[serde(default)]
    pub error_needed: Option<f64>,
}

impl Foretells {
    fn of(program: &str, predictor: &str, methods: usize) -> Foretells {
        let (program, predictor) = (program.to_owned(), predictor.to_owned());
        Foretells { program, predictor, methods, ..Foretells::default() }
    }
}

/// The points of each program that a predictor has.
fn points(rows: &[Foretold], predictor: &str) -> Vec<(String, Vec<Point>)> {
    let point = |row: &Foretold| Some((row.program.clone(), [row.says(predictor)?, row.elo?]));
    by_key(rows.iter().filter_map(point))
}

/// How every predictor does, by itself: the programs first, then [`ALL`], then [`ALL_BUT`], which was looked at after [`ALL`] and so is
/// not tested.
pub fn foretells(rows: &[Foretold]) -> Vec<Foretells> {
    let (mut of_programs, mut whole, mut without) = (Vec::new(), Vec::new(), Vec::new());
    let others: Vec<Foretold> = rows.iter().filter(|row| row.method != DOMINANT).cloned().collect();
    for predictor in PREDICTORS {
        let programs = points(rows, predictor);
        if programs.iter().map(|(_, points)| points.len()).sum::<usize>() < 3 {
            continue;
        }
        of_programs.extend(programs.iter().map(|(program, points)| within(program, predictor, points)));
        whole.push(over_all(ALL, predictor, rows));
        without.push(over_all(ALL_BUT, predictor, &others).row);
    }
    if whole.is_empty() {
        return Vec::new();
    }
    let family = whole.iter_mut().flat_map(|whole| [&mut whole.row.rho_p, &mut whole.row.error_p]);
    let family: Vec<&mut f64> = family.flatten().collect();
    let first_step = LEVEL / family.len().max(1) as f64;
    correct(family);
    for Whole { row, freedom, difference } in &mut whole {
        row.rho_needed =
            row.rho.map(|_| Normal::standard().inverse_cdf(1.0 - first_step / 2.0) / freedom.sqrt());
        row.error_needed = row.error_mean.zip(difference.as_ref()).and_then(|(mean, difference)| {
            let law = StudentsT::new(0.0, 1.0, difference.clusters as f64 - 1.0).ok()?;
            let needed = mean * mean - law.inverse_cdf(1.0 - first_step / 2.0) * difference.error;
            (needed > 0.0).then(|| needed.sqrt())
        });
    }
    for row in &mut without {
        (row.rho_p, row.error_p) = (None, None);
    }
    let (name, name_without) = (by_name(rows, ALL), by_name(&others, ALL_BUT));
    of_programs.extend(whole.into_iter().map(|whole| whole.row).chain(name));
    of_programs.extend(without.into_iter().chain(name_without));
    of_programs
}

fn within(program: &str, predictor: &str, points: &[Point]) -> Foretells {
    let [rho, rho_p] = rank_correlation(points).map_or([None; 2], |numbers| numbers.map(Some));
    Foretells { rho, rho_p, ..Foretells::of(program, predictor, points.len()) }
}

/// A row about all programs, with what its power is computed from.
struct Whole {
    row: Foretells,
    /// Methods less one, summed over programs.
    freedom: f64,
    /// Of the squared errors of both predictions, a method.
    difference: Option<Spread>,
}

fn over_all(name: &str, predictor: &str, rows: &[Foretold]) -> Whole {
    let programs: Vec<Vec<Point>> = points(rows, predictor).into_iter().map(|(_, points)| points).collect();
    let agreement = agreement(&programs);
    let slope = slope(&programs);
    let ends = slope.map(|slope| slope.student()).filter(|within| within.has_ends());
    let (error, error_mean, difference) = errors(&by_slope(&programs));
    let row = Foretells {
        rho: agreement.as_ref().map(|agreement| agreement.rho),
        rho_p: agreement.as_ref().map(Agreement::p),
        slope: slope.map(|slope| slope.estimate),
        slope_low: ends.map(|within| within.low),
        slope_high: ends.map(|within| within.high),
        error,
        error_mean,
        error_p: difference.as_ref().map(Spread::p),
        ..Foretells::of(name, predictor, programs.iter().map(Vec::len).sum())
    };
    Whole { row, freedom: agreement.map_or(0.0, |agreement| agreement.freedom), difference }
}

/// The root of the mean of squares; `None` of none.
pub(crate) fn root_mean(squares: impl Iterator<Item = f64>) -> Option<f64> {
    mean_of(&squares.collect::<Vec<f64>>()).map(f64::sqrt)
}

/// Of the squared errors of two predictions of every program: the roots of their means, and the difference of both a method, programs as
/// clusters, where there are three.
pub(crate) fn errors(programs: &[Vec<[f64; 2]>]) -> (Option<f64>, Option<f64>, Option<Spread>) {
    let root = |which: usize| root_mean(programs.iter().flatten().map(|pair| pair[which]));
    let difference =
        |pairs: &Vec<[f64; 2]>| [pairs.iter().map(|[ours, mean]| ours - mean).sum(), pairs.len() as f64];
    let differences: Vec<[f64; 2]> =
        programs.iter().filter(|pairs| !pairs.is_empty()).map(difference).collect();
    (root(0), root(1), (differences.len() > 2).then(|| mean_spread(&differences)))
}

/// What [`BY_NAME`] foretells: its errors and those of the others' mean. Looked at after the rest, and so not tested.
fn by_name(rows: &[Foretold], name: &str) -> Option<Foretells> {
    let rows: Vec<&Foretold> = rows.iter().filter(|row| row.elo.is_some()).collect();
    let all = left_out(&rows, [&|others| Model::fixed(NAME, others), &|others| Model::fixed(MEAN, others)]);
    let is_whole = all.len() == rows.len();
    let (error, error_mean, _) = errors(&by_program(all.into_iter()));
    is_whole.then(|| Foretells { error, error_mean, ..Foretells::of(name, BY_NAME, rows.len()) })
}

/// How two predictors go together over methods.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Alike {
    /// One of [`PREDICTORS`].
    pub predictor: String,
    /// A later one.
    pub other: String,
    /// Methods that have both.
    pub methods: usize,
    /// Pearson's correlation over all methods, each less the mean of its program.
    pub r: f64,
}

/// Every two predictors.
pub fn alike(rows: &[Foretold]) -> Vec<Alike> {
    let pairs = PREDICTORS
        .iter()
        .enumerate()
        .flat_map(|(at, one)| PREDICTORS[at + 1..].iter().map(move |other| (one, other)));
    let correlation = |(one, other): (&&str, &&str)| {
        let both = |row: &'_ Foretold| row.says(one).zip(row.says(other)).map(|(x, y)| [x, y]);
        let programs = by_program(rows.iter().filter_map(|row| Some((&*row.program, both(row)?))));
        let [xx, xy, yy] = products(&programs)
            .into_iter()
            .fold([0.0; 3], |sums, of_program| [0, 1, 2].map(|at| sums[at] + of_program[at]));
        let methods = programs.iter().map(Vec::len).sum();
        let r = xy / (xx * yy).sqrt();
        r.is_finite().then(|| Alike { predictor: (*one).to_owned(), other: (*other).to_owned(), methods, r })
    };
    pairs.filter_map(correlation).collect()
}

/// Of every program the sums of squares and products about its means: of what is said, of both, of Elo.
fn products(programs: &[Vec<Point>]) -> Vec<[f64; 3]> {
    let of_program = |points: &Vec<Point>| {
        let [x, y] = means(points);
        points.iter().fold([0.0; 3], |sums, point| {
            let [dx, dy] = [point[0] - x, point[1] - y];
            [sums[0] + dx * dx, sums[1] + dx * dy, sums[2] + dy * dy]
        })
    };
    programs.iter().map(of_program).collect()
}

/// The slope of the line with an intercept a program, programs as clusters; `None` where nothing is left to tell.
fn slope(programs: &[Vec<Point>]) -> Option<Spread> {
    let sums: Vec<[f64; 2]> =
        products(programs).iter().map(|[xx, xy, _]| [*xy, *xx]).filter(|[_, xx]| *xx > 0.0).collect();
    (!sums.is_empty()).then(|| mean_spread(&sums))
}

fn means(points: &[[f64; 2]]) -> [f64; 2] {
    [0, 1].map(|which| points.iter().map(|point| point[which]).sum::<f64>() / points.len() as f64)
}

/// For every program and method the squared error of what the other programs foretell, by their slope through their mean and by
/// their mean alone. In this order of sums, so that the committed tables repeat to the last digit.
fn by_slope(programs: &[Vec<Point>]) -> Vec<Vec<[f64; 2]>> {
    let one = |at: usize| {
        let others: Vec<Vec<Point>> =
            (0..programs.len()).filter(|other| *other != at).map(|other| programs[other].clone()).collect();
        let Some(Spread { estimate: slope, .. }) = slope(&others) else { return Vec::new() };
        let [x, y] = means(&others.concat());
        let errors = |point: &Point| {
            let error = y + slope * (point[0] - x) - point[1];
            [error * error, (y - point[1]).powi(2)]
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
            pairs: 200,
            elo: Some(elo),
            ..Foretold::default()
        }
    }

    fn all(rows: &[Foretold]) -> Foretells {
        foretells(rows).into_iter().find(|row| row.program == ALL).unwrap()
    }

    /// Elo is 10 + 100 times the logarithm in every program, each with an intercept of its own that does not matter to the slope.
    #[test]
    fn a_law_that_holds_is_found_in_every_program() {
        let four =
            |program: &str, shift: f64| [0.1, 0.4, 0.9, 1.3].map(|x| row(program, x, shift + 100.0 * x));
        let rows: Vec<Foretold> =
            ["a", "b", "c", "d"].iter().zip([10.0, 12.0, 8.0, 10.0]).flat_map(|(p, s)| four(p, s)).collect();
        let law = all(&rows);
        assert!((law.slope.unwrap() - 100.0).abs() < 1e-9 && law.slope_high.unwrap() < 100.1, "{law:?}");
        assert_eq!((law.methods, law.rho), (16, Some(1.0)));
        assert!(law.rho_p.unwrap() < 0.01 && law.error.unwrap() < 5.0, "{law:?}");
        assert!(law.error_mean.unwrap() > 40.0 && law.error_p.unwrap() < 0.05, "{law:?}");
        let one = foretells(&rows).into_iter().find(|row| row.program == "a").unwrap();
        // Two of the 24 orders of four things agree or disagree as much.
        assert!((one.rho_p.unwrap() - 2.0 / 24.0).abs() < 1e-12, "{one:?}");
    }

    /// What says the opposite in another program foretells nothing of it.
    #[test]
    fn a_law_that_turns_foretells_less_than_the_mean() {
        let rows_of = |program: &str, sign: f64| {
            [0.1, 0.4, 0.9, 1.3].map(|x| row(program, x, 50.0 + sign * 100.0 * (x - 0.7)))
        };
        let rows: Vec<Foretold> = [("a", 1.0), ("b", -1.0), ("c", 1.0), ("d", -1.0)]
            .iter()
            .flat_map(|(p, s)| rows_of(p, *s))
            .collect();
        let law = all(&rows);
        assert!(law.error.unwrap() > law.error_mean.unwrap() && law.rho.unwrap().abs() < 1e-12, "{law:?}");
        assert!(law.slope.unwrap().abs() < 1e-9 && law.rho_p.unwrap() > 0.9, "{law:?}");
    }

    /// The slope of Anscombe's first set with one program is that of the plain regression, 0.5, and of one program nothing tells how
    /// far programs differ.
    #[test]
    fn the_slope_is_that_of_the_plain_regression_and_its_interval_is_over_programs() {
        let x = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0];
        let y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
        let points: Vec<Point> = x.iter().zip(y).map(|(x, y)| [*x, y]).collect();
        let fitted = slope(std::slice::from_ref(&points)).unwrap();
        assert!((fitted.estimate - 0.5).abs() < 1e-3 && !fitted.student().has_ends(), "{fitted:?}");
        // Programs that all have their own slope, each without an error of its own: what is uncertain is which programs were asked.
        let programs = [20.0, 40.0, 60.0, 80.0].map(|slope| [0.0, 1.0, 2.0].map(|x| [x, slope * x]).to_vec());
        let within = slope(&programs).unwrap().student();
        // Mean 50, standard error 12.91, 3.182 of them with three degrees of freedom.
        assert!(
            (within.estimate - 50.0).abs() < 1e-9 && (within.high - 50.0 - 3.182 * 12.91).abs() < 0.05,
            "{within:?}"
        );
    }

    /// What one method alone contributes is seen: without it the others say nothing here. And its name alone foretells it.
    #[test]
    fn what_rests_on_one_method_is_seen_without_it() {
        let rows_of = |program: &str| {
            let named = |method: &str, nodes: f64, elo: f64| Foretold {
                method: method.to_owned(),
                ..row(program, nodes, elo)
            };
            [named("lmr", 2.0, 200.0), named("a", 0.1, 20.0), named("b", 0.2, 10.0), named("c", 0.3, 20.0)]
        };
        let rows: Vec<Foretold> = ["a", "b", "c", "d"].iter().flat_map(|program| rows_of(program)).collect();
        let judged = foretells(&rows);
        let get = |program: &str, predictor: &str| {
            judged.iter().find(|row| row.program == program && row.predictor == predictor).unwrap()
        };
        let (whole, without) = (get(ALL, "nodes"), get(ALL_BUT, "nodes"));
        assert_eq!((whole.methods, without.methods), (16, 12));
        assert!(whole.error.unwrap() < 10.0 && whole.error_mean.unwrap() > 70.0, "{whole:?}");
        assert!(
            without.error.unwrap() > without.error_mean.unwrap() - 1.0 && without.rho_p.is_none(),
            "{without:?}"
        );
        assert_eq!(get(ALL, BY_NAME).error, Some(0.0), "the same in every program");
        // Moves go with nodes here, and are no second finding.
        let moved: Vec<Foretold> =
            rows.iter().map(|row| Foretold { moves: row.nodes.map(|x| 0.1 * x), ..row.clone() }).collect();
        let alike = alike(&moved);
        assert!(
            alike.len() == 1 && alike[0].other == "moves" && (alike[0].r - 1.0).abs() < 1e-12,
            "{alike:?}"
        );
    }

    /// What would be shown is reported where nothing is: a correlation as large as reported is shown, a smaller one is not.
    #[test]
    fn what_could_be_shown_is_where_tests_turn() {
        let rows_of = |program: &str, elos: [f64; 4]| -> Vec<Foretold> {
            [0.1, 0.4, 0.9, 1.3].iter().zip(elos).map(|(nodes, elo)| row(program, *nodes, elo)).collect()
        };
        let rows: Vec<Foretold> = ["a", "b", "c", "d", "e"]
            .iter()
            .flat_map(|program| rows_of(program, [10.0, 30.0, 20.0, 40.0]))
            .collect();
        let law = all(&rows);
        assert!(law.rho.unwrap() > law.rho_needed.unwrap() && law.rho_p.unwrap() < LEVEL, "{law:?}");
        let rows: Vec<Foretold> =
            ["a", "b", "c"].iter().flat_map(|program| rows_of(program, [10.0, 40.0, 20.0, 30.0])).collect();
        let law = all(&rows);
        assert!(law.rho.unwrap() < law.rho_needed.unwrap() && law.rho_p.unwrap() > LEVEL, "{law:?}");
        assert!(law.error_needed.is_none_or(|needed| needed <= law.error_mean.unwrap()));
    }

    #[test]
    fn what_is_the_same_for_all_says_nothing() {
        let rows = [0.2, 0.2, 0.2, 0.2].map(|x| row("a", x, 3.0));
        assert!(foretells(&rows).iter().all(|row| row.rho.is_none() && row.slope.is_none()));
        assert!(foretells(&[row("a", 1.0, 2.0), row("b", 1.0, 2.0)]).is_empty());
    }
}
