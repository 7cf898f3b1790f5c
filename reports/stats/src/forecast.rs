//! Models that one study fixed, asked for the Elo of methods of programs that had no part in it.
//!
//! The design is docs/studies/forecast.md. A model is one slope a predictor, within programs, through the mean of all methods of the study
//! that fixed it; the programs that it is asked about change nothing of it. Left out: searching and playing.

use crate::foretell::{ALL, ALL_BUT, DOMINANT, errors, root_mean};
use crate::inference::holm;
use crate::inference::orders::{Agreement, agreement};
use crate::inference::spread::Spread;
use crate::models::{Foretold, MEAN, MODEL, MODELS, Model, NAME, by_program, left_out};
use crate::worth::Worth;
use serde::{Deserialize, Serialize};

/// The game of the study, of which alone its model says something.
pub const GAME: &str = "chess";
/// [`MODEL`] as it was fixed: Elo a unit of ln(time without over time with), and of the share of moves changed.
pub const FIXED: [f64; 2] = [50.3962, 131.8456];
/// How many standard deviations half an interval of 95 % of a normal law has.
const HALF: f64 = 1.96;

/// The methods in the order in which games are worth playing first: by [`MODEL`]. `None` where a method has no time or no moves, and of one
/// method alone. An order and no numbers: the study shows no more (docs/results/forecast.md).
pub fn play_first(worths: &[Worth]) -> Option<Vec<&str>> {
    let elo = |worth: &Worth| {
        let changed = 1.0 - worth.same_move?.estimate;
        Some(FIXED[0] * worth.time?.within.estimate.ln() + FIXED[1] * changed)
    };
    let mut all: Vec<(&str, f64)> =
        worths.iter().map(|worth| Some((&*worth.method, elo(worth)?))).collect::<Option<_>>()?;
    all.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    (all.len() > 1).then(|| all.into_iter().map(|(method, _)| method).collect())
}

/// How a model does in programs that it did not see: a row of `forecast-models.csv`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Forecast {
    /// A program, [`ALL`], or [`ALL_BUT`], which is not tested.
    pub program: String,
    /// One of [`MODELS`].
    pub model: String,
    /// Methods with games of which the model says something.
    pub methods: usize,
    /// Spearman's rank correlation of forecast and Elo; of all the mean within programs, weighted by methods less one.
    pub rho: Option<f64>,
    /// Its two-sided p-value, of [`MODEL`] corrected (Holm).
    pub rho_p: Option<f64>,
    /// Root mean square error, Elo.
    pub error: f64,
    /// The same without what the games themselves err; 0 where they err more.
    pub error_net: f64,
    /// Two-sided p-value that the error is that of [`MEAN`], programs as clusters, corrected (Holm).
    pub mean_p: Option<f64>,
    /// The same of [`NAME`].
    pub name_p: Option<f64>,
    /// Half of the interval of 95 % by the errors of the study that fixed the model, at programs left out, Elo.
    pub half: Option<f64>,
    /// Methods whose Elo is in the interval.
    pub held: Option<usize>,
    /// Elo where every predictor is 0.
    pub intercept: f64,
    /// Elo a unit of the first predictor.
    pub slope: Option<f64>,
    /// Elo a unit of the second.
    pub slope_moves: Option<f64>,
}

/// How every model that `known` fixes does at the methods of `asked`: all programs, the same without the method that is worth most nearly
/// everywhere, and each program.
pub fn forecasts(basis: &[Foretold], asked: &[Foretold]) -> Vec<Forecast> {
    let models: Vec<(&str, Model, Option<f64>)> = MODELS
        .iter()
        .filter_map(|(name, _)| {
            let all: Vec<&Foretold> = basis.iter().collect();
            Some((*name, Model::fixed(name, &all)?, left_out_error(name, basis).map(|error| HALF * error)))
        })
        .collect();
    let mut programs: Vec<&str> = asked.iter().map(|row| &*row.program).collect();
    programs.dedup();
    let row = |scope: &str, (name, model, half): &(&str, Model, Option<f64>)| {
        let is_wanted = |row: &&Foretold| match scope {
            ALL => true,
            ALL_BUT => row.method != DOMINANT,
            program => row.program == program,
        };
        how(scope, name, model, *half, &asked.iter().filter(is_wanted).collect::<Vec<_>>())
    };
    let scopes = [ALL, ALL_BUT].into_iter().chain(programs);
    let mut rows: Vec<Forecast> =
        scopes.flat_map(|scope| models.iter().filter_map(move |model| row(scope, model))).collect();
    test(&models, asked, &mut rows);
    rows
}

/// The root mean square error of a model at programs that are left out of what fixes it.
fn left_out_error(name: &str, rows: &[Foretold]) -> Option<f64> {
    let all = left_out(&rows.iter().collect::<Vec<_>>(), [&|others| Model::fixed(name, others)]);
    root_mean(all.into_iter().map(|(_, [square])| square))
}

fn how(program: &str, name: &str, model: &Model, half: Option<f64>, rows: &[&Foretold]) -> Option<Forecast> {
    let points: Vec<(&Foretold, [f64; 2])> =
        rows.iter().filter_map(|row| Some((*row, [model.elo(row)?, row.elo?]))).collect();
    let gap = |[forecast, elo]: &[f64; 2]| forecast - elo;
    let error = root_mean(points.iter().map(|(_, point)| gap(point).powi(2)))?;
    // A standard error of the games is half the interval over 1.96.
    let of_games =
        points.iter().filter_map(|(row, _)| Some(((row.elo_high? - row.elo_low?) / (2.0 * HALF)).powi(2)));
    let of_games: f64 = of_games.sum::<f64>() / points.len() as f64;
    let agreement = agreement(&by_program(points.iter().map(|(row, point)| (&*row.program, *point))));
    let held = |half: f64| points.iter().filter(|(_, point)| gap(point).abs() <= half).count();
    Some(Forecast {
        program: program.to_owned(),
        model: name.to_owned(),
        methods: points.len(),
        rho: agreement.as_ref().map(|agreement| agreement.rho),
        rho_p: agreement.as_ref().filter(|_| program != ALL_BUT).map(Agreement::p),
        error,
        error_net: (error * error - of_games).max(0.0).sqrt(),
        mean_p: None,
        name_p: None,
        half,
        held: half.map(held),
        intercept: model.intercept,
        slope: model.slopes.first().copied(),
        slope_moves: model.slopes.get(1).copied(),
    })
}

/// The family of the design: the order of [`MODEL`] over all programs, and its error against [`MEAN`] and [`NAME`].
fn test(models: &[(&str, Model, Option<f64>)], asked: &[Foretold], rows: &mut [Forecast]) {
    let named = |name: &str| models.iter().find(|(model, ..)| *model == name).map(|(_, model, _)| model);
    let against = |other: &str| {
        let (ours, other) = named(MODEL).zip(named(other))?;
        let squares = |row: &'_ Foretold| {
            let elo = row.elo?;
            Some([(ours.elo(row)? - elo).powi(2), (other.elo(row)? - elo).powi(2)])
        };
        let all = asked.iter().filter_map(|row| Some((&*row.program, squares(row)?)));
        errors(&by_program(all)).2.as_ref().map(Spread::p)
    };
    let (mean_p, name_p) = (against(MEAN), against(NAME));
    let Some(row) = rows.iter_mut().find(|row| row.program == ALL && row.model == MODEL) else { return };
    (row.mean_p, row.name_p) = (mean_p, name_p);
    let family: Vec<f64> = [row.rho_p, mean_p, name_p].into_iter().flatten().collect();
    let mut corrected = holm(&family).into_iter();
    for p in [&mut row.rho_p, &mut row.mean_p, &mut row.name_p] {
        *p = p.and_then(|_| corrected.next());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inference::SplitMix;

    /// A method of which searches say `time` and `moves`, and games `elo`, to `error`.
    fn row(program: &str, method: &str, [time, moves]: [f64; 2], elo: f64, error: f64) -> Foretold {
        Foretold {
            time: Some(time),
            moves: Some(moves),
            nodes: Some(time),
            elo: Some(elo),
            elo_low: Some(elo - HALF * error),
            elo_high: Some(elo + HALF * error),
            program: program.to_owned(),
            method: method.to_owned(),
            ..Foretold::default()
        }
    }

    /// Programs that are each shifted by some Elo, whose methods are worth 20 + 50 a unit of time and 100 a unit of moves, and
    /// `noise` more or less.
    fn world(names: &[&str], seed: u64, noise: f64, sign: f64) -> Vec<Foretold> {
        let mut random = SplitMix(seed);
        let mut uniform = || random.below(1000) as f64 / 1000.0;
        let mut rows = Vec::new();
        for program in names {
            for method in ["lmr", "see", "null", "razoring", "futility", "delta"] {
                let x = [2.0 * uniform(), uniform()];
                let elo = 20.0 + sign * (50.0 * x[0] + 100.0 * x[1]) + noise * (uniform() - 0.5);
                rows.push(row(program, method, x, elo, 5.0));
            }
        }
        rows
    }

    const KNOWN: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
    const ASKED: [&str; 4] = ["w", "x", "y", "z"];

    fn model<'a>(rows: &'a [Forecast], program: &str, name: &str) -> &'a Forecast {
        rows.iter().find(|row| row.program == program && row.model == name).unwrap()
    }

    #[test]
    fn a_law_that_holds_is_foretold() {
        let rows = forecasts(&world(&KNOWN, 1, 0.0, 1.0), &world(&ASKED, 2, 0.0, 1.0));
        let row = model(&rows, ALL, MODEL);
        assert!(row.error < 1e-9 && row.error_net < 1e-9 && row.methods == 24, "{row:?}");
        let close = |x: Option<f64>, y: f64| (x.unwrap() - y).abs() < 1e-9;
        assert!(close(Some(row.intercept), 20.0) && close(row.slope, 50.0) && close(row.slope_moves, 100.0));
        assert_eq!((row.rho, row.held), (Some(1.0), Some(24)));
        assert!(row.rho_p.unwrap() < 0.001 && row.mean_p.unwrap() < 0.05, "{row:?}");
        assert!(model(&rows, ALL, MEAN).error > 20.0 && model(&rows, "w", MODEL).methods == 6);
        // What was looked at besides is not tested.
        assert!(model(&rows, ALL_BUT, MODEL).rho_p.is_none() && model(&rows, ALL, "nodes").mean_p.is_none());
    }

    #[test]
    fn a_law_that_is_the_other_way_round_is_no_forecast() {
        let rows = forecasts(&world(&KNOWN, 3, 10.0, 1.0), &world(&ASKED, 4, 10.0, -1.0));
        let row = model(&rows, ALL, MODEL);
        assert!(row.rho.unwrap() < -0.9 && row.error > model(&rows, ALL, MEAN).error, "{row:?}");
    }

    /// Elo that has nothing to do with searches: each test of the family is shown in about a twentieth of the worlds at most.
    #[test]
    fn chance_is_seldom_shown() {
        let worlds = 30;
        let chance = |seed: u64| {
            let shuffled = |rows: Vec<Foretold>, seed: u64| {
                let mut random = SplitMix(seed);
                let elo = |row: Foretold| Foretold { elo: Some(random.below(200) as f64), ..row };
                rows.into_iter().map(elo).collect::<Vec<_>>()
            };
            let asked = shuffled(world(&ASKED, seed, 0.0, 1.0), seed + 7000);
            let rows = forecasts(&world(&KNOWN, seed + 1000, 10.0, 1.0), &asked);
            model(&rows, ALL, MODEL).rho_p.unwrap() <= 0.05
        };
        let shown = (0..worlds).filter(|seed| chance(*seed)).count();
        assert!(shown <= 4, "{shown} of {worlds}");
    }

    #[test]
    fn what_games_err_is_taken_out() {
        // Games that err by 40 and a model that is right: all of the error is that of the games.
        let mut asked = world(&ASKED, 5, 0.0, 1.0);
        for (at, row) in asked.iter_mut().enumerate() {
            let error = if at % 2 == 0 { 40.0 } else { -40.0 };
            let elo = row.elo.unwrap() + error;
            (row.elo, row.elo_low, row.elo_high) =
                (Some(elo), Some(elo - HALF * 40.0), Some(elo + HALF * 40.0));
        }
        let rows = forecasts(&world(&KNOWN, 6, 0.0, 1.0), &asked);
        let forecast = model(&rows, ALL, MODEL);
        assert!((forecast.error - 40.0).abs() < 1e-6 && forecast.error_net < 0.01, "{forecast:?}");
        // The games of a method change nothing of the model.
        assert!((forecast.slope.unwrap() - 50.0).abs() < 1e-9);
    }

    #[test]
    fn a_name_goes_before_the_mean() {
        let mut fitted_to = world(&KNOWN, 7, 0.0, 1.0);
        for row in fitted_to.iter_mut().filter(|row| row.method == "lmr") {
            row.elo = Some(300.0);
        }
        let named = Model::fixed(NAME, &fitted_to.iter().collect::<Vec<_>>()).unwrap();
        assert_eq!(named.elo(&row("z", "lmr", [0.0, 0.0], 0.0, 1.0)), Some(300.0));
        let mean = Model::fixed(MEAN, &fitted_to.iter().collect::<Vec<_>>()).unwrap();
        let unknown = row("z", "corrections", [9.0, 9.0], 0.0, 1.0);
        assert_eq!(named.elo(&unknown), mean.elo(&unknown));
        // Nothing is known of programs, and so nothing is said.
        assert_eq!(Model::fixed(MODEL, &[]), None);
        assert!(forecasts(&[], &fitted_to).is_empty());
    }
}
