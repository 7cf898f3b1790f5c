//! The calibration plots: broken cuts against what the model predicts.

use super::{TITLE, percent};
use crate::figure::{Figure, csv};
use crate::svg::{COLOURS, Panel, document, escape, step};
use secateur_stats::interval::Interval;
use secateur_stats::promises::audited;
use secateur_stats::runs::Runs;
use std::collections::BTreeMap;
use std::fmt::Write;

const PANEL: Panel = Panel { width: 460.0, height: 420.0 };
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
             at least {FEWEST} audited cuts. On the diagonal the model is right; below it, it is too careful."
        ),
        svg: plot(game, points),
        file: format!("calibration-{game}.csv"),
        csv: csv(header, rows),
    }
}

/// The plot of one game as a file of its own.
fn plot(game: &str, points: &[Point<'_>]) -> String {
    let most = points.iter().map(|p| p.predicted.max(p.broken.high)).fold(0.01, f64::max) * 1.05;
    let (x, y) = (|share: f64| PANEL.x(share / most), |share: f64| PANEL.y(share / most));
    let mut svg = String::new();
    PANEL.frame(&mut svg, game, "predicted by the model, % of cuts", "broken, % of audited cuts");
    let unit = step(most, 6);
    for i in 0..=(most / unit) as u32 {
        let tick = unit * f64::from(i);
        PANEL.tick_across(&mut svg, x(tick), &percent(tick));
        PANEL.tick_upwards(&mut svg, y(tick), &percent(tick));
    }
    let (left, right) = (x(0.0), x(most));
    let _ = writeln!(
        svg,
        "<line x1=\"{left:.1}\" y1=\"{:.1}\" x2=\"{right:.1}\" y2=\"{:.1}\" style=\"stroke-dasharray:4 4\"/>",
        y(0.0),
        y(most)
    );
    let mut arms: Vec<&str> = points.iter().map(|p| p.methods).collect();
    arms.dedup();
    for p in points {
        let colour = COLOURS[arms.iter().position(|arm| *arm == p.methods).unwrap_or(0) % COLOURS.len()];
        let (cx, cy) = (x(p.predicted), y(p.broken.estimate));
        let _ = writeln!(
            svg,
            "<line x1=\"{cx:.1}\" y1=\"{:.1}\" x2=\"{cx:.1}\" y2=\"{:.1}\" style=\"stroke:{colour};stroke-opacity:.5\"/>\
             <circle cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"3.5\" fill=\"{colour}\"><title>{}</title></circle>",
            y(p.broken.low),
            y(p.broken.high),
            escape(&format!("{}, {}: {} cuts", p.methods, p.stage, p.audited))
        );
    }
    for (index, arm) in arms.iter().enumerate() {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" style=\"fill:{}\">{}</text>",
            PANEL.x(0.03),
            PANEL.y(0.95) + 14.0 * index as f64,
            COLOURS[index % COLOURS.len()],
            escape(arm)
        );
    }
    let words: Vec<String> = points
        .iter()
        .map(|p| {
            format!(
                "{} at {}: predicted {}, broken {}",
                p.methods,
                p.stage,
                percent(p.predicted),
                percent(p.broken.estimate)
            )
        })
        .collect();
    document(PANEL.width, PANEL.height, &format!("Calibration of cuts, {game}"), &words.join("; "), &svg)
}
