//! Do cuts keep their promise? The tables of the audit: by method set and by stage, with what is shown of each promise.
//! Broken cuts against what the model predicts are a picture.

use crate::chart::plot::{self, Axis, Guide, Look, Plot, Series};
use crate::figure::{Figure, csv};
use crate::format::{count, only_if, or_dash, share};
use crate::svg::Panel;
use crate::table::{Section, Table};
use secateur_stats::inference::share::Share;
use secateur_stats::inference::{Shown, Test, judged};
use secateur_stats::interval::Interval;
use secateur_stats::promises::{Audited, audited, promised};
use secateur_stats::runs::Runs;
use std::collections::BTreeMap;

/// Title of the section.
pub const TITLE: &str = "Do cuts keep their promise?";

/// The section; `None` if nothing was audited.
pub fn section(runs: &Runs) -> Option<Section> {
    let all = audited(runs, |_| ());
    if all.is_empty() {
        return None;
    }
    let promise = |&(game, methods, method, ()): &_| promised(runs, game, methods, method);
    // Against what was promised, and against what was predicted.
    let both = |(arm, sum): (&_, &Audited)| {
        let share = sum.broken_share().map_or(f64::NAN, |broken| broken.share);
        let expected = [promise(arm), sum.predicted_share()].map(|expected| expected.unwrap_or(f64::NAN));
        let [one, other] = sum.p_values(promise(arm));
        [Test::of(share - expected[0], one), Test::of(share - expected[1], other)]
    };
    let family: Vec<Test> = all.iter().flat_map(both).collect();
    let tests = family.iter().filter(|test| !test.p.is_nan()).count();
    let judged = judged(family);
    let row = |((arm, sum), judged): ((&_, &Audited), &[Test])| {
        let &(game, methods, method, ()) = arm;
        let promise = promise(arm);
        [
            ("<game", game.to_owned()),
            ("<methods", methods.to_owned()),
            ("<method", method.to_owned()),
            ("cuts", count(sum.cuts)),
            ("audited", count(sum.audited())),
            ("broken", within(sum.broken_share())),
            ("predicted", or_dash(sum.predicted_share().map(percent))),
            ("promised at most", or_dash(promise.map(share))),
            ("near", only_if(sum.near_threshold() > 0, || count(sum.near_threshold()))),
            ("broken near", within(sum.near_share())),
            ("<so", promise_kept(promise.and(sum.broken_share()).is_some(), judged)),
        ]
    };
    let table = all.iter().zip(judged.chunks(2)).map(row).collect::<Table>().noted(format!(
        "A sample of cuts by position hash, each searched again to its full depth without the method. Broken: the claim was \
         false; predicted: by the fitted model, from the values of the checks; promised at most: 1 - Phi(t); near: the check \
         came within a quarter of a standard deviation of its threshold. Cuts of one position are not independent: 95 % Wilson \
         intervals with the number of independent cuts that these are worth (design effect by position). What is said of \
         promises is shown after correction for {tests} tests (Holm).",
    ));
    let tables = vec![table, by_stage(runs)];
    Some(Section { title: TITLE.to_owned(), text: Vec::new(), tables })
}

/// What is shown of a promise, if there is one, and of what was predicted.
fn promise_kept(is_tested: bool, judged: &[Test]) -> String {
    if !is_tested {
        return String::new();
    }
    if judged[0].shown() == Shown::Above {
        return "broken more often than promised".to_owned();
    }
    let kept = judged[0].shown().choose("", "kept", "not shown to be kept or broken");
    let model = judged[1].shown().choose(", but the model is too sure", ", and the model is too careful", "");
    format!("{kept}{model}")
}

/// The same by stage, for methods that promise something.
fn by_stage(runs: &Runs) -> Table {
    let row = |((game, methods, method, stage), sum): ((&str, &str, &str, &str), Audited)| {
        let predicted = sum.predicted_share()?;
        Some([
            ("<game", game.to_owned()),
            ("<methods", methods.to_owned()),
            ("<method", method.to_owned()),
            ("<stage", stage.to_owned()),
            ("audited", count(sum.audited())),
            ("broken", within(sum.broken_share())),
            ("predicted", percent(predicted)),
            ("near", count(sum.near_threshold())),
            ("broken near", within(sum.near_share())),
        ])
    };
    audited(runs, |row| row.stage.as_str()).into_iter().filter_map(row).collect()
}

/// Broken cuts are rare: a share with its interval to a tenth of a percent, or finer.
fn within(share: Option<Share>) -> String {
    or_dash(share.map(|share| {
        let i = share.interval();
        format!("{} [{}, {}]", percent(i.estimate), digits(i.low), digits(i.high))
    }))
}

fn percent(share: f64) -> String {
    format!("{} %", digits(share))
}

fn digits(share: f64) -> String {
    let percent = 100.0 * share;
    if percent < 0.995 { format!("{percent:.2}") } else { format!("{percent:.1}") }
}

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
        let Interval { estimate, low, high } = p.broken;
        let [predicted, broken, low, high] = [p.predicted, estimate, low, high].map(|x| x.to_string());
        let [methods, method, stage] = [p.methods, p.method, p.stage].map(str::to_owned);
        [methods, method, stage, p.audited.to_string(), predicted, broken, low, high]
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

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::record::CounterRow;
    use secateur_stats::fixtures;

    fn row(stage: &str, audited: u64, broken: u64, predicted: f64) -> CounterRow {
        CounterRow {
            game: "othello".into(),
            methods: "mpc[t=1.0]<".into(),
            method: "mpc".into(),
            stage: stage.into(),
            cuts_high: 2 * audited,
            audited,
            broken,
            audit_every: 2,
            foretold_ppm: (predicted * audited as f64 * 1e6) as u64,
            near: audited / 10,
            near_broken: broken / 2,
            ..CounterRow::default()
        }
    }

    /// The cuts of a row dealt out evenly to ten positions.
    fn dealt(rows: Vec<CounterRow>) -> Vec<CounterRow> {
        let part = |row: &CounterRow, i: u64| {
            let share = |n: u64| n / 10 + u64::from(n % 10 > i);
            CounterRow {
                position: format!("p{i}").into(),
                cuts_high: share(row.cuts_high),
                audited: share(row.audited),
                broken: share(row.broken),
                foretold_ppm: share(row.foretold_ppm),
                near: share(row.near),
                near_broken: share(row.near_broken),
                ..row.clone()
            }
        };
        rows.iter().flat_map(|row| (0..10).map(move |i| part(row, i))).collect()
    }

    fn runs(rows: Vec<CounterRow>) -> Runs {
        let rows = dealt(rows);
        let manifest = "[[game]]\nname = \"othello\"\n[game.promises.\"mpc[t=1.0]<\"]\nmpc = 0.841345\n";
        Runs { counters: rows, manifests: vec![fixtures::manifest(manifest)], ..Runs::default() }
    }

    #[test]
    fn promises_are_held_against_what_was_found() {
        let table = |broken, predicted| {
            let section = section(&runs(vec![row("d12-15", 1000, broken, predicted)])).unwrap();
            section.tables[0].rows[0].clone()
        };
        let kept = table(20, 0.02);
        assert_eq!(
            kept[3..9],
            ["2,000", "1,000", "2.0 % [1.2, 3.3]", "2.0 %", "15.9 %", "100"].map(str::to_owned)
        );
        assert_eq!(kept[10], "kept");
        assert_eq!(table(20, 0.05)[10], "kept, and the model is too careful");
        assert_eq!(table(50, 0.02)[10], "kept, but the model is too sure");
        assert_eq!(table(250, 0.1)[10], "broken more often than promised");
    }

    #[test]
    fn without_an_audit_there_is_no_section() {
        let mut rows = vec![row("d12-15", 10, 1, 0.1)];
        rows[0].audit_every = 0;
        assert_eq!(section(&runs(rows)), None);
    }

    #[test]
    fn the_plot_has_a_point_for_every_stage_with_enough_cuts() {
        let rows =
            vec![row("d12-15", 1000, 20, 0.02), row("d16-19", 400, 9, 0.03), row("d20-23", 99, 9, 0.03)];
        let runs = runs(rows);
        let figures = figures(&runs);
        assert_eq!(figures.len(), 1);
        // A point each, and one in the legend.
        assert_eq!(figures[0].svg.matches("<circle").count(), 3);
        assert_eq!(figures[0].svg.matches(" cuts</title>").count(), 2);
        assert!(figures[0].svg.contains("mpc[t=1.0]&lt;") && !figures[0].svg.contains("1.0]<,"));
        assert_eq!(figures[0].csv.lines().count(), 3);
    }
}
