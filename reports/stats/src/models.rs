//! What is known of methods by searches and by games, and the models that foretell the one from the other: one slope a predictor, within
//! programs, through the mean of all methods. Left out: how well they do, which [`crate::foretell`] and [`crate::forecast`] say.

use crate::elo::Pentanomial;
use crate::linear::{Cholesky, Square};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The model of the design of docs/studies/forecast.md: the one that is tested there.
pub const MODEL: &str = "time and moves";
/// The mean Elo of all methods of the study.
pub const MEAN: &str = "mean";
/// The mean Elo of the methods of the same name; the mean of all where there is none.
pub const NAME: &str = "name";
/// The models in the order of the tables, each with its predictors ([`Foretold::says`]).
pub const MODELS: [(&str, &[&str]); 5] =
    [(MODEL, &["time", "moves"]), ("nodes", &["nodes"]), ("time", &["time"]), (MEAN, &[]), (NAME, &[])];

/// A method of a program that is left out of all others: what searches say of it, and what games do.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
    /// ln(CPU time of all searches without it over that of all searches with it): of sums, as the clock of another program's
    /// process is coarse.
    #[serde(default)]
    pub time: Option<f64>,
    /// `nodes`, and the mean of ln(instructions a node without it over those of all): of shorter searches, as counting takes far longer
    /// than searching.
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
    /// The pairs of games by their points; `None` of matches of which only the score and its interval are kept.
    #[serde(default)]
    pub pentanomial: Option<Pentanomial>,
    /// What its author published.
    pub published: Option<f64>,
}

impl Foretold {
    /// What it says by this predictor.
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

/// What there is of every program, the programs by name.
pub(crate) fn by_program<'a, T>(all: impl Iterator<Item = (&'a str, T)>) -> Vec<Vec<T>> {
    let mut programs: BTreeMap<&str, Vec<T>> = BTreeMap::new();
    all.for_each(|(program, one)| programs.entry(program).or_default().push(one));
    programs.into_values().collect()
}

/// A model whose numbers are fixed.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    predictors: Vec<&'static str>,
    /// Elo where every predictor is 0.
    pub intercept: f64,
    /// Elo a unit of each predictor.
    pub slopes: Vec<f64>,
    /// Elo by the method's name, which goes before everything else.
    names: BTreeMap<String, f64>,
}

impl Model {
    /// The model of this name, from methods whose Elo is known; `None` where they are too few or too alike to tell its slopes.
    pub fn fixed(name: &str, rows: &[&Foretold]) -> Option<Model> {
        let (_, predictors) = MODELS.iter().find(|(model, _)| *model == name)?;
        let (predictors, by_name) = (predictors.to_vec(), name == NAME);
        let known_methods = rows
            .iter()
            .filter_map(|row| Some((row.program.as_str(), &*row.method, says(row, &predictors)?, row.elo?)));
        let known_methods: Vec<_> = known_methods.collect();
        let programs =
            by_program(known_methods.iter().map(|(program, _, x, elo)| (*program, (x.as_slice(), *elo))));
        let all: Vec<(&[f64], f64)> = programs.iter().flatten().copied().collect();
        if all.is_empty() {
            return None;
        }
        let size = predictors.len();
        let (mut squares, mut products) = (Square::zero(size), vec![0.0; size]);
        for points in &programs {
            let (means, mean) = means(points, size);
            for (x, elo) in points {
                for row in 0..size {
                    products[row] += (x[row] - means[row]) * (elo - mean);
                    for column in 0..size {
                        squares.add(row, column, (x[row] - means[row]) * (x[column] - means[column]));
                    }
                }
            }
        }
        let slopes = Cholesky::of(&squares).solved(products)?;
        let (means, mean) = means(&all, size);
        let intercept = mean - slopes.iter().zip(&means).map(|(slope, x)| slope * x).sum::<f64>();
        let mut names: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for (_, method, _, elo) in known_methods.iter().filter(|_| by_name) {
            names.entry((*method).to_owned()).or_default().push(*elo);
        }
        let names =
            names.into_iter().map(|(method, elos)| (method, elos.iter().sum::<f64>() / elos.len() as f64));
        let names = names.collect();
        Some(Model { predictors, intercept, slopes, names })
    }

    /// Elo of a method; `None` if its searches do not say what the model asks for.
    pub fn elo(&self, row: &Foretold) -> Option<f64> {
        let x = says(row, &self.predictors)?;
        let by_line = self.intercept + self.slopes.iter().zip(&x).map(|(slope, x)| slope * x).sum::<f64>();
        Some(self.names.get(&row.method).copied().unwrap_or(by_line))
    }
}

fn says(row: &Foretold, predictors: &[&str]) -> Option<Vec<f64>> {
    predictors.iter().map(|predictor| row.says(predictor)).collect()
}

fn means(points: &[(&[f64], f64)], size: usize) -> (Vec<f64>, f64) {
    let n = points.len() as f64;
    let mean = |at: usize| points.iter().map(|(x, _)| x[at]).sum::<f64>() / n;
    ((0..size).map(mean).collect(), points.iter().map(|(_, elo)| elo).sum::<f64>() / n)
}

/// What fixes a model by some methods.
type Fixing<'f> = &'f dyn Fn(&[&Foretold]) -> Option<Model>;

/// Of every method, with its program, the squared errors of models that the methods of the other programs fix.
pub(crate) fn left_out<'r, const N: usize>(
    rows: &[&'r Foretold],
    fixing: [Fixing<'_>; N],
) -> Vec<(&'r str, [f64; N])> {
    let squares = |row: &&'r Foretold| {
        let others: Vec<&Foretold> =
            rows.iter().copied().filter(|other| other.program != row.program).collect();
        let square = |fix: Fixing<'_>| Some((fix(&others)?.elo(row)? - row.elo?).powi(2));
        let squares: Vec<f64> = fixing.into_iter().map(square).collect::<Option<_>>()?;
        Some((row.program.as_str(), squares.try_into().ok()?))
    };
    rows.iter().filter_map(squares).collect()
}
