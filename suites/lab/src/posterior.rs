//! A cut by a check is a posterior: how much better than its distance alone do the facts that a method has at hand predict
//! whether it breaks?
//!
//! Logistic models of growing sets of facts are fitted to cuts that were searched again (`secateur_record::observations`) and judged on
//! cuts of other positions: by log-loss, by the broken cuts that they predict against those there are, and by the nodes that they
//! would save at as many broken cuts. To first order: cuts below a cut are counted as if they were independent, and no search
//! is run with the model. Sources: Buro 1995 (the promise Phi(t)); Cox 1958 (logistic regression).

use crate::train::logistic::logistic;
use secateur_record::observations::{CutRow, CutsOrigin};
use secateur_reports::format::{only_if, ratio_within, share, within};
use secateur_reports::table::Table;
use secateur_stats::inference::interval::{Interval, bootstrap_times, mean_spread, ratio_of_sums};
use secateur_stats::linear::{Cholesky, Square};
use secateur_stats::read::{ReadError, read_sidecar};
use statrs::distribution::{ContinuousCDF, Normal};
use std::collections::BTreeMap;
use std::path::Path;

/// The cuts of a file of the study `cuts`, and where they come from.
///
/// # Errors
/// A file that cannot be read or is not as it was written, with the line that is wrong.
pub fn read(path: &Path) -> Result<(CutsOrigin, Vec<CutRow>), ReadError> {
    Ok(read_sidecar(path)?)
}

/// What a prediction of a broken cut knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Facts {
    /// The promise itself: 1 - Phi(distance). Nothing is fitted.
    Promise,
    /// The distance, with a fitted offset and slope.
    Distance,
    /// And whether the expected type of the node speaks for the cut, with an offset and a slope for either.
    Type,
    /// And everything else that is known before the cut: static evaluation, last iteration's value, what the table says and how
    /// old that is, height, plies from the root, side.
    All,
}

impl Facts {
    /// In order of growth.
    pub const EACH: [Facts; 4] = [Facts::Promise, Facts::Distance, Facts::Type, Facts::All];

    /// What it is called in tables.
    pub fn name(self) -> &'static str {
        match self {
            Facts::Promise => "promise",
            Facts::Distance => "distance",
            Facts::Type => "and node type",
            Facts::All => "and all other facts",
        }
    }
}

/// Values farther out say no more than these, standard deviations.
const FARTHEST: f64 = 6.0;

/// The regressors of a cut with their names; none where nothing is fitted.
fn regressors(cut: &CutRow, facts: Facts) -> Vec<(&'static str, f64)> {
    let is = |true_or_not: bool| f64::from(u8::from(true_or_not));
    if facts == Facts::Promise {
        return Vec::new();
    }
    let mut x = vec![("", 1.0), ("distance", near(cut.distance))];
    let expected = is(cut.expected);
    if facts >= Facts::Type {
        x.extend([("expected", expected), ("expected x distance", expected * near(cut.distance))]);
    }
    if facts >= Facts::All {
        let (agrees, contradicts) = (is(cut.table == 1), is(cut.table == -1));
        x.extend([
            ("evaluation", near(cut.evaluation)),
            ("last value", cut.last.map_or(0.0, near)),
            ("no last value", is(cut.last.is_none())),
            ("table agrees", agrees),
            ("table contradicts", contradicts),
            ("age of the entry", cut.table_lag.map_or(0.0, |lag| f64::from(lag.min(8)))),
            ("height", f64::from(cut.height)),
            ("ply", f64::from(cut.ply)),
            ("high", is(cut.high)),
            ("expected x evaluation", expected * near(cut.evaluation)),
            ("expected x table agrees", expected * agrees),
            ("expected x table contradicts", expected * contradicts),
        ]);
    }
    x
}

/// The same without their names.
fn values(cut: &CutRow, facts: Facts) -> Vec<f64> {
    regressors(cut, facts).into_iter().map(|(_, value)| value).collect()
}

fn near(value: f64) -> f64 {
    value.clamp(-FARTHEST, FARTHEST)
}

/// A fitted prediction.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// What it knows.
    pub facts: Facts,
    /// Of its regressors, on the log-odds of a broken cut.
    pub coefficients: Vec<f64>,
}

/// Newton steps; a fit that needs more does not converge.
const STEPS: usize = 50;
/// Pull of every coefficient towards 0, cuts: too weak to matter, and enough where a fact never varies.
const RIDGE: f64 = 1e-3;
/// A prediction is never surer than this.
const SUREST: f64 = 1e-6;

impl Model {
    /// Fits by maximum likelihood, a cut counting for as many as it stands for; `None` where that does not converge or there is
    /// no cut.
    pub fn fit(cuts: &[CutRow], facts: Facts) -> Option<Model> {
        let rows: Vec<Vec<f64>> = cuts.iter().map(|cut| values(cut, facts)).collect();
        let width = rows.first()?.len();
        let mut coefficients = vec![0.0; width];
        for _ in 0..if width == 0 { 0 } else { STEPS } {
            let mut gradient: Vec<f64> = coefficients.iter().map(|c| -RIDGE * c).collect();
            let mut curvature = Square::zero(width);
            (0..width).for_each(|i| curvature.add(i, i, RIDGE));
            for (cut, x) in cuts.iter().zip(&rows) {
                let p = logistic(dot(x, &coefficients));
                let weight = cut.every as f64;
                let (left, steep) = (weight * (f64::from(u8::from(cut.broken)) - p), weight * p * (1.0 - p));
                for i in 0..width {
                    gradient[i] += left * x[i];
                    (0..=i).for_each(|j| curvature.add(i, j, steep * x[i] * x[j]));
                }
            }
            let step = Cholesky::of(&curvature).solved(gradient)?;
            let largest = step.iter().fold(0.0_f64, |most, s| most.max(s.abs()));
            // Newton's step may overshoot where nearly all cuts hold.
            let scale = (2.0 / largest).min(1.0);
            coefficients.iter_mut().zip(&step).for_each(|(c, s)| *c += scale * s);
            if largest < 1e-8 {
                return Some(Model { facts, coefficients });
            }
        }
        (width == 0).then_some(Model { facts, coefficients })
    }

    /// The facts by name, each with its coefficient; the offset has none. Empty where nothing is fitted.
    pub fn terms(&self, cuts: &[CutRow]) -> Vec<(&'static str, f64)> {
        let Some(cut) = cuts.first() else { return Vec::new() };
        let names = regressors(cut, self.facts).into_iter().map(|(name, _)| name);
        names.zip(self.coefficients.iter().copied()).collect()
    }

    /// Probability that a cut breaks.
    pub fn predict(&self, cut: &CutRow) -> f64 {
        let p = match self.facts {
            Facts::Promise => Normal::standard().sf(cut.distance),
            _ => logistic(dot(&values(cut, self.facts), &self.coefficients)),
        };
        p.clamp(SUREST, 1.0 - SUREST)
    }
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// How well a model predicts cuts that it was not fitted to.
#[derive(Clone, Copy, Debug)]
pub struct Judged {
    /// What it knows.
    pub facts: Facts,
    /// Mean log-loss of a cut, nats.
    pub loss: f64,
    /// By how much that is less than the fitted distance's.
    pub gain: Interval,
    /// Broken cuts that it predicts over those there are: where the node type speaks for the cut, and where it does not.
    pub ratio: [Interval; 2],
}

/// Judges models on `cuts`.
///
/// # Panics
/// If there is none that knows the distance only.
pub fn judged(models: &[Model], cuts: &[CutRow]) -> Vec<Judged> {
    let plain = models.iter().find(|model| model.facts == Facts::Distance).expect("the distance is a model");
    let loss = |model: &Model, cut: &CutRow| {
        let p = model.predict(cut);
        -(if cut.broken { p } else { 1.0 - p }).ln()
    };
    let judge = |model: &Model| {
        let totals = |value: &dyn Fn(&CutRow) -> f64| {
            let sums = by_cluster(cuts, |cut| [cut.every as f64 * value(cut), cut.every as f64]);
            mean_spread(&sums)
        };
        let ratio = [true, false].map(|expected| {
            let those = |cut: &CutRow| cut.every as f64 * f64::from(u8::from(cut.expected == expected));
            let sums = by_cluster(cuts, |cut| {
                [those(cut) * model.predict(cut), those(cut) * f64::from(u8::from(cut.broken))]
            });
            ratio_of_sums(&sums)
        });
        Judged {
            facts: model.facts,
            loss: totals(&|cut| loss(model, cut)).estimate,
            gain: totals(&|cut| loss(plain, cut) - loss(model, cut)).student(),
            ratio,
        }
    };
    models.iter().map(judge).collect()
}

/// Sums over the cuts of each source game.
fn by_cluster(cuts: &[CutRow], values: impl Fn(&CutRow) -> [f64; 2]) -> Vec<[f64; 2]> {
    let mut sums: BTreeMap<&str, [f64; 2]> = BTreeMap::new();
    for cut in cuts {
        let sum = sums.entry(&cut.cluster).or_default();
        values(cut).iter().zip(sum).for_each(|(value, sum)| *sum += value);
    }
    sums.into_values().collect()
}

/// What a model saves at as many broken cuts as a threshold on the distance alone.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// The threshold, standard deviations.
    pub t: f64,
    /// Share of the cuts at or beyond the threshold that break.
    pub broken: f64,
    /// Nodes that the model's cuts would save over those that the threshold's would.
    pub saved: Interval,
}

/// Mean nodes that a cut saves, by its height.
pub fn worth_by_height(cuts: &[CutRow]) -> BTreeMap<i32, f64> {
    let mut sums: BTreeMap<i32, [f64; 2]> = BTreeMap::new();
    for cut in cuts {
        let sum = sums.entry(cut.height).or_default();
        *sum = [sum[0] + worth(cut), sum[1] + 1.0];
    }
    sums.into_iter().map(|(height, [nodes, count])| (height, nodes / count)).collect()
}

/// The frontier of a model on `cuts`, next to that of the distance, at thresholds `ts`. At each, the model's cuts are the
/// surest ones that have no more broken ones among them. With `worth_of` heights, it is not the surest that come first, but
/// those that save most for the risk; a height that is missing there is worth what the highest is.
pub fn frontier(
    model: &Model,
    worth_of: Option<&BTreeMap<i32, f64>>,
    cuts: &[CutRow],
    ts: &[f64],
) -> Vec<Point> {
    let order = |key: &dyn Fn(&CutRow) -> f64| {
        let mut order: Vec<usize> = (0..cuts.len()).collect();
        order.sort_by(|&a, &b| key(&cuts[a]).total_cmp(&key(&cuts[b])));
        order
    };
    let per = |cut: &CutRow| {
        let nodes = |worth: &BTreeMap<i32, f64>| worth.get(&cut.height).or(worth.values().last()).copied();
        worth_of.and_then(nodes).unwrap_or(1.0)
    };
    let mut names: Vec<&str> = cuts.iter().map(|cut| &*cut.cluster).collect();
    names.sort_unstable();
    names.dedup();
    let cluster = |cut: &CutRow| names.binary_search(&&*cut.cluster).unwrap_or_default();
    let weighed = |cut: &CutRow| Weighed {
        cluster: cluster(cut),
        broken: cut.every * u64::from(cut.broken),
        saved: cut.every as f64 * worth(cut),
    };
    let surest: Vec<Weighed> =
        order(&|cut| model.predict(cut) / per(cut)).into_iter().map(|index| weighed(&cuts[index])).collect();
    let point = |&t: &f64| {
        let taken: Vec<&CutRow> = cuts.iter().filter(|cut| cut.distance >= t).collect();
        let all: u64 = taken.iter().map(|cut| cut.every).sum();
        let mut base = vec![(0, 0.0); names.len()];
        for cut in taken.iter().map(|cut| weighed(cut)) {
            base[cut.cluster].0 += cut.broken;
            base[cut.cluster].1 += cut.saved;
        }
        let broken: u64 = base.iter().map(|(broken, _)| broken).sum();
        let saved = bootstrap_times(names.len(), |times| gain(&surest, &base, times));
        Point { t, broken: broken as f64 / all as f64, saved }
    };
    ts.iter().map(point).collect()
}

/// A cut for as many as it stands for: its source game, how many of them break, and the nodes that they save.
#[derive(Clone, Copy, Debug)]
struct Weighed {
    cluster: usize,
    broken: u64,
    saved: f64,
}

/// Nodes saved by the surest cuts over those of the cuts beyond a threshold, at as many broken ones, where each source game
/// counts so many `times`. `base` has the threshold's broken cuts and saved nodes by source game.
fn gain(surest: &[Weighed], base: &[(u64, f64)], times: &[u64]) -> f64 {
    let allowed: u64 = base.iter().zip(times).map(|((broken, _), times)| broken * times).sum();
    let spared: f64 = base.iter().zip(times).map(|((_, saved), &times)| saved * times as f64).sum();
    let (mut broken, mut saved) = (0, 0.0);
    for cut in surest {
        let times = times[cut.cluster];
        broken += cut.broken * times;
        if broken > allowed {
            break;
        }
        saved += cut.saved * times as f64;
    }
    saved / spared
}

/// What a cut saves, nodes.
fn worth(cut: &CutRow) -> f64 {
    cut.nodes as f64
}

/// Thresholds of the frontier, standard deviations.
const THRESHOLDS: [f64; 4] = [1.0, 1.25, 1.5, 2.0];

/// What models that were fitted to cuts are by cuts of other positions: how well each predicts, what each would save, and the models.
///
/// # Errors
/// A fit that does not converge.
pub fn tables(fitted: &[CutRow], held_out: &[CutRow]) -> Result<[Table; 3], String> {
    let fit = |facts| {
        let stuck = || format!("the fit of `{}` does not converge", Facts::name(facts));
        Model::fit(fitted, facts).ok_or_else(stuck)
    };
    let models = Facts::EACH.into_iter().map(fit).collect::<Result<Vec<Model>, String>>()?;
    Ok([prediction(&models, held_out), saving(&models, fitted, held_out), weights(&models, fitted)])
}

/// How well each model predicts.
fn prediction(models: &[Model], cuts: &[CutRow]) -> Table {
    let row = |model: Judged| {
        let gain = || within(&model.gain, |x| format!("{x:+.5}"));
        let [expected, others] = model.ratio.map(|ratio| ratio_within(&ratio));
        [
            ("<knows", model.facts.name().to_owned()),
            ("log-loss", format!("{:.5}", model.loss)),
            ("less than the distance's", only_if(model.facts != Facts::Distance, gain)),
            ("predicted / broken, expected", expected),
            ("predicted / broken, others", others),
        ]
    };
    judged(models, cuts).into_iter().map(row).collect()
}

/// What each model would save, with its surest cuts first and with those first that save most for the risk.
fn saving(models: &[Model], fitted: &[CutRow], cuts: &[CutRow]) -> Table {
    let sizes = worth_by_height(fitted);
    let forms = models.iter().flat_map(|model| [(model, false), (model, true)]);
    // The surest by the distance alone are those of the threshold itself.
    let forms = forms.filter(|(model, weighed)| {
        model.facts > Facts::Distance || (model.facts == Facts::Distance && *weighed)
    });
    let column = |(model, weighed): (&Model, bool)| {
        let heading = format!("{}{}", model.facts.name(), if weighed { ", by nodes" } else { "" });
        (heading, frontier(model, weighed.then_some(&sizes), cuts, &THRESHOLDS))
    };
    let columns: Vec<_> = forms.map(column).collect();
    let row = |(at, t): (usize, &f64)| {
        let broken = columns.first().map_or_else(String::new, |(_, points)| share(points[at].broken));
        let saved = columns.iter().map(|(form, points)| (form.as_str(), ratio_within(&points[at].saved)));
        [("t", format!("{t:.2}")), ("broken", broken)].into_iter().chain(saved).collect::<Vec<_>>()
    };
    THRESHOLDS.iter().enumerate().map(row).collect()
}

/// What a fitted model makes of each fact.
fn weights(models: &[Model], cuts: &[CutRow]) -> Table {
    let row = |model: &Model| {
        let term = |(name, weight): (_, f64)| format!("{weight:+.3} {name}").trim_end().to_owned();
        let terms: Vec<String> = model.terms(cuts).into_iter().map(term).collect();
        [("<knows", model.facts.name().to_owned()), ("<log-odds of a broken cut", terms.join(", "))]
    };
    models.iter().filter(|model| !model.coefficients.is_empty()).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_stats::inference::SplitMix;

    /// Cuts of a known law: log-odds of a broken one are -1 - distance, less 2 where the type speaks for the cut.
    fn made(count: usize, seed: u64) -> Vec<CutRow> {
        let mut random = SplitMix(seed);
        let mut unit = move || random.below(1 << 20) as f64 / f64::from(1 << 20);
        (0..count)
            .map(|index| {
                let (distance, expected) = (3.0 * unit(), unit() < 0.5);
                let odds = -1.0 - distance - if expected { 2.0 } else { 0.0 };
                CutRow {
                    source: format!("p{}", index / 20),
                    cluster: format!("g{}", index / 20),
                    stage: String::new(),
                    every: 1,
                    iteration: 8,
                    ply: 2,
                    height: 6,
                    high: index % 2 == 0,
                    expected,
                    distance,
                    shown: distance,
                    evaluation: unit(),
                    last: Some(unit()),
                    table: 0,
                    table_lag: None,
                    nodes: 100,
                    broken: unit() < logistic(odds),
                }
            })
            .collect()
    }

    #[test]
    fn a_known_law_is_found_again() {
        let cuts = made(40_000, 1);
        let model = Model::fit(&cuts, Facts::Type).expect("converges");
        for (fitted, law) in model.coefficients.iter().zip([-1.0, -1.0, -2.0, 0.0]) {
            assert!((fitted - law).abs() < 0.2, "{:?}", model.coefficients);
        }
    }

    #[test]
    fn what_matters_gains_and_what_does_not_gains_nothing() {
        let (fitted, held) = (made(20_000, 2), made(20_000, 3));
        let models: Vec<Model> =
            Facts::EACH.map(|facts| Model::fit(&fitted, facts).expect("converges")).to_vec();
        let judgements = judged(&models, &held);
        let gain = |facts: Facts| judgements.iter().find(|judged| judged.facts == facts).unwrap().gain;
        assert!(gain(Facts::Distance).estimate == 0.0 && gain(Facts::Promise).high < 0.0);
        assert!(gain(Facts::Type).low > 0.0);
        assert!(gain(Facts::All).estimate < gain(Facts::Type).estimate + 1e-3);
        // Some two hundred cuts break where the type speaks for them.
        let right = judgements[2].ratio.map(|ratio| (ratio.estimate - 1.0).abs() < 0.4);
        assert_eq!(right, [true, true], "{:?}", judgements[2].ratio);
        let [expected, other] = judgements[1].ratio;
        assert!(expected.low > 1.0 && other.high < 1.0, "one offset for both is wrong for both");
    }

    #[test]
    fn the_frontier_of_the_distance_is_its_own_and_the_types_lies_beyond() {
        let cuts = made(20_000, 4);
        let points =
            |facts| frontier(&Model::fit(&cuts, facts).expect("converges"), None, &cuts, &[1.0, 2.0]);
        for point in points(Facts::Distance) {
            // As many broken cuts admit those down to the next broken one, which are a few more.
            assert!((1.0..1.01).contains(&point.saved.estimate), "{point:?}");
        }
        for point in points(Facts::Type) {
            assert!(point.saved.low > 1.05, "{point:?}");
        }
    }

    #[test]
    fn what_saves_more_comes_first() {
        let mut cuts = made(20_000, 5);
        for (index, cut) in cuts.iter_mut().enumerate() {
            (cut.height, cut.nodes) = if index % 4 == 0 { (8, 1_000) } else { (6, 100) };
        }
        let sizes = worth_by_height(&cuts);
        assert_eq!(sizes, BTreeMap::from([(6, 100.0), (8, 1_000.0)]));
        let model = Model::fit(&cuts, Facts::Distance).expect("converges");
        let [plain, weighed] = [None, Some(&sizes)].map(|sizes| frontier(&model, sizes, &cuts, &[1.5])[0]);
        assert!(weighed.saved.low > plain.saved.high, "{plain:?} {weighed:?}");
    }

    #[test]
    fn nothing_is_fitted_to_nothing() {
        assert_eq!(Model::fit(&[], Facts::All), None);
    }
}
