//! Does a cut keep its promise? The audit's counters against what was promised and what the model foretells.
//!
//! A threshold of t standard deviations promises that a cut is right with probability Phi(t) at least: that is the
//! probability of a cut whose check comes out exactly there. So there are three shares of broken cuts: of all cuts, which
//! must not exceed 1 - Phi(t); foretold by the model from the values of the checks; and of the cuts near the threshold,
//! where the promise itself is tested.

use crate::figure::{Figure, csv};
use crate::format::{count, share};
use crate::interval::{Interval, wilson};
use crate::read::Runs;
use crate::svg::{COLOURS, Panel, document, escape, step};
use crate::table::{Section, Table};
use secateur_suites::record::CounterRow;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Title of the section.
pub const TITLE: &str = "Do cuts keep their promise?";

/// Audited cuts of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Audited {
    /// Cuts made.
    pub cuts: u64,
    /// Cuts audited.
    pub audited: u64,
    /// The broken ones.
    pub broken: u64,
    /// Broken ones that the model foretells, in millionths.
    pub foretold_ppm: u64,
    /// Audited cuts near the threshold.
    pub near: u64,
    /// The broken ones among them.
    pub near_broken: u64,
}

impl Audited {
    fn add(&mut self, row: &CounterRow) {
        self.cuts = self.cuts.saturating_add(row.cuts_high).saturating_add(row.cuts_low);
        self.audited = self.audited.saturating_add(row.audited);
        self.broken = self.broken.saturating_add(row.broken);
        self.foretold_ppm = self.foretold_ppm.saturating_add(row.foretold_ppm);
        self.near = self.near.saturating_add(row.near);
        self.near_broken = self.near_broken.saturating_add(row.near_broken);
    }

    /// Share of the audited cuts that are broken.
    #[must_use]
    pub fn broken_share(&self) -> Option<Interval> {
        wilson(self.broken as usize, self.audited as usize)
    }

    /// Share that the model foretells; `None` without a model.
    #[must_use]
    pub fn foretold_share(&self) -> Option<f64> {
        (self.foretold_ppm > 0).then(|| self.foretold_ppm as f64 / 1e6 / self.audited as f64)
    }
}

/// Audited cuts by game, method set and method, and within by what `part` makes of a row.
fn sums<'r, K: Ord>(
    runs: &'r Runs,
    part: impl Fn(&'r CounterRow) -> K,
) -> BTreeMap<(&'r str, &'r str, &'r str, K), Audited> {
    let mut sums = BTreeMap::<_, Audited>::new();
    for row in runs.counters.iter().filter(|row| row.audit_every > 0) {
        sums.entry((&*row.game, &*row.methods, &*row.method, part(row))).or_default().add(row);
    }
    sums.retain(|_, sum| sum.audited > 0);
    sums
}

/// What a method of an arm promises to break at most; `None` if it promises nothing.
fn promised(runs: &Runs, game: &str, methods: &str, method: &str) -> Option<f64> {
    let of = |manifest: &toml::Table| {
        let games = manifest.get("game")?.as_array()?;
        let entry =
            games.iter().find(|entry| entry.get("name").and_then(toml::Value::as_str) == Some(game))?;
        entry.get("promises")?.get(methods)?.get(method)?.as_float()
    };
    runs.manifests.iter().find_map(of).map(|kept| 1.0 - kept)
}

/// The section; `None` if nothing was audited.
#[must_use]
pub fn section(runs: &Runs) -> Option<Section> {
    let all = sums(runs, |_| ());
    if all.is_empty() {
        return None;
    }
    let mut table = Table::new(&[
        "<game",
        "<methods",
        "<method",
        "cuts",
        "audited",
        "broken",
        "foretold",
        "promised at most",
        "near",
        "broken near",
        "<so",
    ]);
    for (&(game, methods, method, ()), sum) in &all {
        let promise = promised(runs, game, methods, method);
        table.push(vec![
            game.to_owned(),
            methods.to_owned(),
            method.to_owned(),
            count(sum.cuts),
            count(sum.audited),
            within(sum.broken_share()),
            sum.foretold_share().map_or("-".to_owned(), percent),
            promise.map_or("-".to_owned(), share),
            if sum.near > 0 { count(sum.near) } else { "-".to_owned() },
            within(wilson(sum.near_broken as usize, sum.near as usize)),
            verdict(sum, promise).to_owned(),
        ]);
    }
    table.notes.push(
        "A sample of cuts by position hash, each searched again to its full depth without the method. Broken: the claim was \
         false; foretold: by the fitted model, from the values of the checks; promised at most: 1 - Phi(t); near: the check \
         came within a quarter of a standard deviation of its threshold. 95 % Wilson intervals, which take cuts as independent."
            .to_owned(),
    );
    let tables = vec![table, by_stage(runs)];
    Some(Section { title: TITLE.to_owned(), text: Vec::new(), tables })
}

/// What is to be said of a promise.
fn verdict(sum: &Audited, promise: Option<f64>) -> &'static str {
    let (Some(promise), Some(broken)) = (promise, sum.broken_share()) else { return "" };
    match sum.foretold_share() {
        _ if broken.low > promise => "broken more often than promised",
        Some(foretold) if broken.low > foretold => "kept, but the model is too sure",
        Some(foretold) if broken.high < foretold => "kept, and the model is too careful",
        _ => "kept",
    }
}

/// The same by stage, for methods that promise something.
fn by_stage(runs: &Runs) -> Table {
    let mut table = Table::new(&[
        "<game",
        "<methods",
        "<method",
        "<stage",
        "audited",
        "broken",
        "foretold",
        "near",
        "broken near",
    ]);
    for (&(game, methods, method, stage), sum) in &sums(runs, |row| row.stage.as_str()) {
        let Some(foretold) = sum.foretold_share() else { continue };
        table.push(vec![
            game.to_owned(),
            methods.to_owned(),
            method.to_owned(),
            stage.to_owned(),
            count(sum.audited),
            within(sum.broken_share()),
            percent(foretold),
            count(sum.near),
            within(wilson(sum.near_broken as usize, sum.near as usize)),
        ]);
    }
    table
}

/// Broken cuts are rare: a share with its interval to a tenth of a percent, or finer.
fn within(interval: Option<Interval>) -> String {
    interval.map_or_else(
        || "-".to_owned(),
        |i| format!("{} [{}, {}]", percent(i.estimate), digits(i.low), digits(i.high)),
    )
}

fn percent(share: f64) -> String {
    format!("{} %", digits(share))
}

fn digits(share: f64) -> String {
    let percent = 100.0 * share;
    if percent < 0.995 { format!("{percent:.2}") } else { format!("{percent:.1}") }
}

const PANEL: Panel = Panel { width: 460.0, height: 420.0 };
/// Fewer audited cuts than this make no point of the plot.
const FEWEST: u64 = 100;

/// One point of the plot.
struct Point<'a> {
    methods: &'a str,
    method: &'a str,
    stage: &'a str,
    foretold: f64,
    broken: Interval,
    audited: u64,
}

/// The calibration plot of each game: the share of broken cuts against what the model foretells, a point for each method set
/// and stage.
#[must_use]
pub fn figures(runs: &Runs) -> Vec<Figure> {
    let mut games = BTreeMap::<&str, Vec<Point<'_>>>::new();
    for ((game, methods, method, stage), sum) in sums(runs, |row| row.stage.as_str()) {
        let (Some(foretold), Some(broken)) = (sum.foretold_share(), sum.broken_share()) else { continue };
        if sum.audited >= FEWEST {
            let point = Point { methods, method, stage, foretold, broken, audited: sum.audited };
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
            p.foretold.to_string(),
            p.broken.estimate.to_string(),
            low,
            high,
        ]
    });
    let header = ["methods", "method", "stage", "audited", "foretold", "broken", "low", "high"];
    Figure {
        section: TITLE.to_owned(),
        caption: format!(
            "Broken cuts in {game} against the share that the fitted model foretells, a point for each method set and stage with \
             at least {FEWEST} audited cuts. On the diagonal the model is right; below it, it is too careful."
        ),
        svg: plot(game, points),
        file: format!("calibration-{game}.csv"),
        csv: csv(header, rows),
    }
}

/// The plot of one game as a file of its own.
fn plot(game: &str, points: &[Point<'_>]) -> String {
    let most = points.iter().map(|p| p.foretold.max(p.broken.high)).fold(0.01, f64::max) * 1.05;
    let (x, y) = (|share: f64| PANEL.x(share / most), |share: f64| PANEL.y(share / most));
    let mut svg = String::new();
    PANEL.frame(&mut svg, game, "foretold by the model, % of cuts", "broken, % of audited cuts");
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
        let (cx, cy) = (x(p.foretold), y(p.broken.estimate));
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
                "{} at {}: foretold {}, broken {}",
                p.methods,
                p.stage,
                percent(p.foretold),
                percent(p.broken.estimate)
            )
        })
        .collect();
    document(PANEL.width, PANEL.height, &format!("Calibration of cuts, {game}"), &words.join("; "), &svg)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(stage: &str, audited: u64, broken: u64, foretold: f64) -> CounterRow {
        CounterRow {
            game: "othello".into(),
            methods: "mpc[t=1.0]<".into(),
            method: "mpc".into(),
            stage: stage.into(),
            cuts_high: 2 * audited,
            audited,
            broken,
            audit_every: 2,
            foretold_ppm: (foretold * audited as f64 * 1e6) as u64,
            near: audited / 10,
            near_broken: broken / 2,
            ..CounterRow::default()
        }
    }

    fn runs(rows: Vec<CounterRow>) -> Runs {
        let manifest = "[[game]]\nname = \"othello\"\n[game.promises.\"mpc[t=1.0]<\"]\nmpc = 0.841345\n";
        Runs { counters: rows, manifests: vec![manifest.parse().unwrap()], ..Runs::default() }
    }

    #[test]
    fn promises_are_held_against_what_was_found() {
        let table = |broken, foretold| {
            let section = section(&runs(vec![row("d12-15", 1000, broken, foretold)])).unwrap();
            section.tables[0].rows[0].clone()
        };
        let kept = table(20, 0.02);
        assert_eq!(
            kept[3..9],
            ["2,000", "1,000", "2.0 % [1.3, 3.1]", "2.0 %", "15.9 %", "100"].map(str::to_owned)
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
        assert_eq!(figures[0].svg.matches("<circle").count(), 2);
        assert!(figures[0].svg.contains("mpc[t=1.0]&lt;") && !figures[0].svg.contains("1.0]<,"));
        assert_eq!(figures[0].csv.lines().count(), 3);
    }
}
