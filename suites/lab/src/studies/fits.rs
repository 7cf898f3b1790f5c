//! Fits in tables and pictures: how sigma grows in the course of a game, how well a shallow search predicts a deep one by pair of depths
//! and stage, and the tails of the errors at positions that nothing was fitted on: does the fitted spread hold near the bounds, and beyond
//! one and two of it, on both sides?

use secateur_base::{Calibration, Fit};
use secateur_record::fitted::{Fitted, Line};
use secateur_reports::format::or_dash;
use secateur_reports::svg::{COLOURS, LEFT, Panel, TOP, document, ink, step};
use secateur_reports::table::Table;
use secateur_stats::interval::Interval;
use secateur_stats::predict::{Sample, stage_of};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The pairs that are shown, as far as they were fitted: those of Buro's papers and of deep searches.
pub const PAIRS: [(i32, i32); 7] = [(3, 5), (4, 8), (3, 7), (5, 9), (4, 10), (4, 12), (6, 12)];

const PANEL: Panel = Panel { width: 760.0, height: 380.0 };
/// Distance of two lines of the legend.
const LEADING: f64 = 16.0;

/// The fits of one pair by stage.
fn of_pair(calibration: &Calibration, pair: (i32, i32)) -> Vec<&Fit> {
    let mut fits: Vec<&Fit> = calibration.fits.iter().filter(|fit| (fit.shallow, fit.deep) == pair).collect();
    fits.sort_by_key(|fit| fit.stage);
    fits
}

/// The pairs of [`PAIRS`] that were fitted.
fn shown(calibration: &Calibration) -> impl Iterator<Item = (i32, i32)> {
    PAIRS.into_iter().filter(|&pair| !of_pair(calibration, pair).is_empty())
}

/// One line a pair: sigma (in `unit`, called `unit_name`) over the stages of the game.
pub fn chart(calibration: &Calibration, stages: &[&str], unit: f64, unit_name: &str) -> String {
    let fits = calibration.fits.iter().filter(|fit| PAIRS.contains(&(fit.shallow, fit.deep)));
    let most = fits.map(|fit| fit.sigma / unit).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let tick = step(most, 6);
    let top = (most / tick).ceil() * tick;
    let x = |stage: usize| PANEL.x((stage as f64 + 0.5) / stages.len() as f64);
    let y = |sigma: f64| PANEL.y(sigma / unit / top);
    let mut svg = String::new();
    PANEL.frame(
        &mut svg,
        "sigma of v = a v' + b + e, by stage",
        "discs on the board",
        &format!("sigma ({unit_name})"),
    );
    for (stage, name) in stages.iter().enumerate() {
        PANEL.tick_across(&mut svg, x(stage), name.trim_start_matches(|c: char| !c.is_ascii_digit()));
    }
    for index in 0..=(top / tick).round() as i32 {
        let value = f64::from(index) * tick;
        PANEL.tick_upwards(&mut svg, y(value * unit), &format!("{value}"));
    }
    let mut legend = Vec::new();
    for (pair, colour) in shown(calibration).zip(COLOURS) {
        let fits = of_pair(calibration, pair);
        let points: Vec<String> =
            fits.iter().map(|fit| format!("{:.1},{:.1}", x(fit.stage), y(fit.sigma))).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" style=\"fill:none;stroke:{colour};stroke-width:2\"/>",
            points.join(" ")
        );
        legend.push((fits.last().map_or(0.0, |fit| fit.sigma), pair, colour));
    }
    // In the order of the lines' right ends, in the corner that is free where sigma grows.
    legend.sort_by(|one, two| two.0.total_cmp(&one.0));
    for (index, (_, (shallow, deep), colour)) in legend.into_iter().enumerate() {
        let (x, y) = (LEFT + 12.0, TOP + 20.0 + LEADING * index as f64);
        let _ = writeln!(
            svg,
            "<line x1=\"{x}\" y1=\"{0}\" x2=\"{1}\" y2=\"{0}\" style=\"stroke:{colour};stroke-width:2\"/>\
             <text x=\"{2}\" y=\"{y}\" {3}>({shallow}, {deep})</text>",
            y - 4.0,
            x + 20.0,
            x + 26.0,
            ink(colour)
        );
    }
    let title = "The error of a shallow search's prediction by disc count";
    document(PANEL.width, PANEL.height, title, &description(calibration, stages, unit, unit_name), &svg)
}

fn description(calibration: &Calibration, stages: &[&str], unit: f64, unit_name: &str) -> String {
    let line = |pair: (i32, i32)| {
        let fits = of_pair(calibration, pair);
        let end = |fit: &Fit| format!("{:.2} {unit_name} in {}", fit.sigma / unit, stages[fit.stage]);
        let (first, last) = (fits.first()?, fits.last()?);
        Some(format!("({}, {}): from {} to {}. ", pair.0, pair.1, end(first), end(last)))
    };
    let each: String = shown(calibration).filter_map(line).collect();
    format!("One line for each pair of depths. {}", each.trim_end())
}

/// A row a stage: positions, and for every pair sigma in the unit with r in brackets.
pub fn spreads(fitted: &Fitted, stages: &[&str], unit: f64) -> Table {
    let calibration = &fitted.baselines.none;
    let mut cells = Vec::new();
    for (stage, name) in stages.iter().enumerate() {
        let sample = fitted.samples.iter().find(|s| s.baseline == "none" && s.stage == *name);
        let nodes = or_dash(sample.map(|sample| sample.positions.to_string()));
        for (shallow, deep) in shown(calibration) {
            let Some(fit) = calibration.fit(stage, shallow, deep) else { continue };
            let lead = [("<stage", (*name).to_owned()), ("nodes", nodes.clone())];
            let cell = format!("{:.2} ({:.3})", fit.sigma / unit, fit.r);
            cells.push((lead, (format!("({shallow}, {deep})"), cell)));
        }
    }
    let mut table = Table::crossed(cells).noted(
        "sigma in discs, r in brackets; no entry where the deep search would reach the end of the game. \
         Stages with few nodes borrow those of their neighbours.",
    );
    if let Some(origin) = &fitted.provenance {
        table.notes.push(format!(
            "`{}` ({}), evaluation {}, {} positions of {} with {} nodes drawn below each.",
            origin.command,
            origin.date,
            origin.evaluation,
            origin.positions_count,
            origin.positions,
            origin.draws
        ));
    }
    table
}

/// A row: depths, stage and pairs, and a, b, sigma and r of their line.
fn row(
    (shallow, deep): (i32, i32),
    stage: &str,
    pairs: usize,
    [a, b, sigma, r]: [String; 4],
) -> [(&'static str, String); 7] {
    let pair = ("<pair", format!("({shallow}, {deep})"));
    let stage = ("<stage", stage.to_owned());
    [pair, stage, ("pairs", pairs.to_string()), ("a", a), ("b", b), ("sigma", sigma), ("r", r)]
}

/// One row a sample, with 95 % intervals over source games.
pub fn of_samples(samples: &[Sample]) -> Table {
    let of_sample = |sample: &Sample| {
        let within = |digits: usize, term: fn(&Line) -> f64| {
            let i = sample.interval_of(term);
            format!("{:.digits$} [{:.digits$}, {:.digits$}]", i.estimate, i.low, i.high)
        };
        let b = format!("{:.1}", sample.line.b);
        let line = [within(3, |line| line.a), b, within(1, |line| line.sigma), within(3, |line| line.r)];
        row((sample.origin.shallow, sample.origin.deep), &sample.stage, sample.points.len(), line)
    };
    let commands: BTreeSet<String> =
        samples.iter().map(|sample| format!("`{}`", sample.origin.command)).collect();
    samples.iter().map(of_sample).collect::<Table>().noted(format!(
        "95 % intervals over source games. Ours: {}.",
        commands.into_iter().collect::<Vec<_>>().join("; ")
    ))
}

/// One row for each of the pairs of depths and each stage that was fitted, with the null move on. Empty without that baseline.
pub fn of_fit(fitted: &Fitted, stages: &[&str], pairs: &[(i32, i32)]) -> Table {
    let Some(calibration) = &fitted.baselines.null_move else { return Table::default() };
    let each = pairs.iter().flat_map(|pair| stages.iter().enumerate().map(move |stage| (*pair, stage)));
    let of_fit = |((shallow, deep), (index, stage)): ((i32, i32), (usize, &&str))| {
        let fit = calibration.fit(index, shallow, deep)?;
        let [a, r] = [fit.a, fit.r].map(|x| format!("{x:.3}"));
        let [b, sigma] = [fit.b, fit.sigma].map(|x| format!("{x:.1}"));
        Some(row((shallow, deep), stage, fit.n as usize, [a, b, sigma, r]))
    };
    let mut table: Table = each.filter_map(of_fit).collect();
    if let Some(origin) = &fitted.provenance {
        table.notes.push(format!(
            "Ours: `{}` ({}), evaluation {}, {} positions of {}.",
            origin.command, origin.date, origin.evaluation, origin.positions_count, origin.positions
        ));
    }
    table
}

/// Most that v' is away from 0 where bounds mostly lie, in the unit for people.
const NEAR: f64 = 10.0;

/// What a normal error of the fitted spread would not do: one row a sample with the spread near the bounds, and the shares
/// of errors beyond one and two sigmas of the fit on each side.
pub fn tails(samples: &[Sample], (stages, calibration): (&[&str], &Calibration), unit: f64) -> Table {
    let row = |sample: &Sample| {
        let fit =
            calibration.fit(stage_of(stages, &sample.stage)?, sample.origin.shallow, sample.origin.deep)?;
        let spread = |i: Interval| format!("{:.2} [{:.2}, {:.2}]", i.estimate, i.low, i.high);
        let beyond = |i: Interval| {
            format!("{:.1} % [{:.1}, {:.1}]", 100.0 * i.estimate, 100.0 * i.low, 100.0 * i.high)
        };
        let [[below, above], [far_below, far_above]] =
            [1.0, 2.0].map(|band| sample.misses(fit, unit, band).map(beyond));
        Some([
            ("discs", sample.stage.clone()),
            ("sigma", spread(sample.interval_of(|line| line.sigma))),
            ("sigma, v' near 0", spread(sample.spread_near(NEAR))),
            ("1 sigma below", below),
            ("1 sigma above", above),
            ("2 sigma below", far_below),
            ("2 sigma above", far_above),
        ])
    };
    samples.iter().filter_map(row).collect::<Table>().noted(format!(
        "Sigma of the pairs themselves, in discs: of all, and of those with |v'| up to {NEAR} discs. Then the errors beyond \
         one and two sigmas of the fit of the stage; of a normal error 15.9 and 2.3 % are, on each side. 95 % bootstrap \
         intervals over source games."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_base::{Baselines, Calibration, Fit};
    use secateur_stats::fixtures::{self, model, pairs_file};
    use secateur_stats::predict::read;

    fn calibration() -> Calibration {
        let fit = |stage: usize, (shallow, deep): (i32, i32), sigma: f64| Fit {
            stage,
            shallow,
            deep,
            n: 99,
            a: 1.0,
            b: 0.0,
            sigma,
            r: 0.98,
        };
        let mut fits: Vec<Fit> =
            (0..4).map(|stage| fit(stage, (4, 8), 100.0 + 50.0 * stage as f64)).collect();
        fits.extend((0..4).map(|stage| fit(stage, (3, 5), 90.0 + 50.0 * stage as f64)));
        fits.extend((0..2).map(|stage| fit(stage, (4, 12), 120.0)));
        fits.push(fit(0, (1, 2), 9_000.0));
        Calibration { fits, ..Calibration::default() }
    }

    const STAGES: [&str; 5] = ["d04-07", "d08-11", "d12-15", "d16-19", "d20-23"];

    /// Where the corners of every line are, in plot coordinates.
    fn corners(svg: &str) -> Vec<Vec<(f64, f64)>> {
        let corner = |text: &str| {
            let (x, y) = text.split_once(',').expect("a pair");
            (x.parse().expect("a number"), y.parse().expect("a number"))
        };
        let lines = svg.split("<polyline points=\"").skip(1).filter_map(|rest| rest.split('"').next());
        lines.map(|points| points.split(' ').map(corner).collect()).collect()
    }

    #[test]
    fn every_pair_has_its_line_inside_the_plot() {
        let svg = chart(&calibration(), &STAGES, 100.0, "discs");
        let lines = corners(&svg);
        assert_eq!(
            lines.iter().map(Vec::len).collect::<Vec<_>>(),
            [4, 4, 2],
            "not (1, 2), which is not shown"
        );
        for (x, y) in lines.iter().flatten() {
            assert!((58.0..=744.0).contains(x) && (34.0..=334.0).contains(y), "{x} {y}");
        }
        // A larger sigma is higher, and equal ones are level.
        assert!(lines[1].windows(2).all(|two| two[1].1 < two[0].1 && two[1].0 > two[0].0));
        assert_eq!(lines[2][0].1, lines[2][1].1);
        assert!(svg.contains("(4, 8): from 1.00 discs in d04-07 to 2.50 discs in d16-19"), "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }

    #[test]
    fn the_legend_has_the_order_of_the_lines_ends() {
        let svg = chart(&calibration(), &STAGES, 100.0, "discs");
        let at = |name: &str| svg.find(&format!(">{name}</text>")).expect(name);
        assert!(at("(4, 8)") < at("(3, 5)") && at("(3, 5)") < at("(4, 12)"));
    }

    #[test]
    fn the_table_has_what_was_fitted_and_no_more() {
        let fitted = Fitted { provenance: None, samples: Vec::new(), baselines: Default::default() };
        assert!(spreads(&fitted, &STAGES, 100.0).rows.is_empty());
        let mut fitted = fitted;
        fitted.baselines.none = calibration();
        let table = spreads(&fitted, &STAGES, 100.0);
        let headings: Vec<&str> = table.columns.iter().map(|(heading, _)| heading.as_str()).collect();
        assert_eq!(headings, ["stage", "nodes", "(3, 5)", "(4, 8)", "(4, 12)"]);
        assert_eq!(table.rows.len(), 4);
        assert_eq!(table.rows[2], ["d12-15", "-", "1.90 (0.980)", "2.00 (0.980)", "-"]);
    }

    #[test]
    fn nothing_fitted_is_an_empty_chart() {
        let svg = chart(&Calibration::default(), &STAGES, 100.0, "discs");
        assert!(svg.ends_with("</svg>\n") && !svg.contains("polyline") && !svg.contains("NaN"));
    }

    #[test]
    fn rows_are_of_what_was_fitted() {
        let fit = Fit { stage: 1, shallow: 3, deep: 5, n: 77, a: 1.0, b: -2.0, sigma: 40.0, r: 0.95 };
        let null_move = Some(Calibration { fits: vec![fit], ..Calibration::default() });
        let baselines = Baselines { none: Calibration::default(), null_move };
        let fitted = Fitted { provenance: None, samples: Vec::new(), baselines };
        let stages = ["opening", "middlegame", "endgame"];
        let made = of_fit(&fitted, &stages, &[(3, 5), (4, 8)]);
        assert_eq!(made.rows, [["(3, 5)", "middlegame", "77", "1.000", "-2.0", "40.0", "0.950"]]);
        let without = Fitted { baselines: Baselines::default(), ..fitted };
        assert!(of_fit(&without, &stages, &[(3, 5)]).rows.is_empty());
    }

    /// Every sixth error is 2 discs on one side: beyond one sigma of 1.5 discs, and not beyond two.
    #[test]
    fn tails_are_counted_by_side_and_distance() {
        let dir = tempfile::tempdir().unwrap();
        let samples = read(&pairs_file(dir.path()), 100.0).unwrap();
        let row = &tails(&samples, (fixtures::STAGES, &model(150.0)), 100.0).rows[0];
        assert!(row[3].starts_with("16.7 %") && row[4].starts_with("16.7 %"), "{row:?}");
        assert!(row[5].starts_with("0.0 %") && row[6].starts_with("0.0 %"), "{row:?}");
        assert!(
            tails(&samples, (&["opening"], &model(150.0)), 100.0).rows.is_empty(),
            "no fit of that stage"
        );
    }
}
