//! The calibration plots: broken cuts against what the model predicts.

use super::{TITLE, digits, percent};
use crate::chart::plot::{self, Axis, Guide, Look, Plot, Series};
use crate::figure::{Figure, csv};
use crate::svg::Panel;
use secateur_stats::interval::Interval;
use secateur_stats::promises::audited;
use secateur_stats::runs::Runs;
use std::collections::BTreeMap;

/// Fewer audited cuts than this make no point of the plot.
const FEWEST: u64 = 100;

/// One point of the plot.
struct Point<'a> {
    methods: &'a str,
    method: &'a str,
    stage: &'a str,
    predicted: f64,
    broken: Interval,
    audited: u64,
}

/// The calibration plot of each game: the share of broken cuts against what the model predicts, a point for each method set
/// and stage.
#[must_use]
pub fn figures(runs: &Runs) -> Vec<Figure> {
    let mut games = BTreeMap::<&str, Vec<Point<'_>>>::new();
    for ((game, methods, method, stage), sum) in audited(runs, |row| row.stage.as_str()) {
        let (Some(predicted), Some(broken)) = (sum.predicted_share(), sum.broken_share()) else { continue };
        if sum.audited() >= FEWEST {
            let (broken, audited) = (broken.interval(), sum.audited());
            let point = Point { methods, method, stage, predicted, broken, audited };
            games.entry(game).or_default().push(point);
        }
    }
    games.iter().map(|(game, points)| figure(game, points)).collect()
}

fn figure(game: &str, points: &[Point<'_>]) -> Figure {
    let rows = points.iter().map(|p| {
        let [low, high] = [p.broken.low, p.broken.high].map(|x| x.to_string());
        let [methods, method, stage] = [p.methods, p.method, p.stage].map(str::to_owned);
        [
            methods,
            method,
            stage,
            p.audited.to_string(),
            p.predicted.to_string(),
            p.broken.estimate.to_string(),
            low,
            high,
        ]
    });
    let header = ["methods", "method", "stage", "audited", "predicted", "broken", "low", "high"];
    Figure {
        section: TITLE.to_owned(),
        caption: format!(
            "Broken cuts in {game} against the share that the fitted model predicts, a point for each method set and stage with \
             at least {FEWEST} audited cuts, with 95 % intervals, on logarithmic axes. On the dashed line the model is right; below it, it is \
             too careful. A point on the lower edge had no broken cut."
        ),
        svg: plot(game, points),
        file: format!("calibration-{game}.csv"),
        csv: csv(header, rows),
    }
}

/// The plot of one game as a file of its own. Both axes are logarithmic, because most shares are small and none may hide in a corner.
fn plot(game: &str, points: &[Point<'_>]) -> String {
    let mut arms: Vec<&str> = points.iter().map(|p| p.methods).collect();
    arms.dedup();
    let series = arms.iter().map(|arm| Series {
        name: (*arm).to_owned(),
        points: points.iter().filter(|p| p.methods == *arm).map(Point::drawn).collect(),
    });
    let broken = points.iter().flat_map(|p| [p.broken.estimate, p.broken.high]);
    let plot = Plot {
        panel: Panel { width: 560.0, height: 420.0 },
        heading: &format!("{game}: how many cuts break, against how many the model expects to"),
        across: Axis::log(
            "predicted by the model, % of the audited cuts",
            points.iter().map(|p| p.predicted),
            digits,
        ),
        upwards: Axis::log("broken, % of the audited cuts", broken, digits),
        look: Look::Points,
        guides: vec![Guide::Equal],
        series: series.collect(),
    };
    let descriptions = points.iter().map(|p| {
        let (predicted, broken) = (percent(p.predicted), percent(p.broken.estimate));
        format!("{} at {}: predicted {predicted}, broken {broken}", p.methods, p.stage)
    });
    plot.svg(&format!("Calibration of cuts, {game}"), &descriptions.collect::<Vec<_>>().join("; "))
}

impl Point<'_> {
    fn drawn(&self) -> plot::Point {
        let title = format!("{}, {}: {} cuts", self.methods, self.stage, self.audited);
        plot::Point { title, ..plot::Point::new(self.predicted, self.broken) }
    }
}
