//! Does ablation foretell Elo? The rows, tables and picture of docs/results/elo.md, from the runs and matches of `paper elo`.

use secateur_record::play::Ended;
use secateur_reports::chart::plot::{Axis, Guide, Look, Plot, Point, Series, short};
use secateur_reports::format::{count, keep_four, only_if, or_dash, p_words, to_four};
use secateur_reports::render::markdown_table;
use secateur_reports::svg::Panel;
use secateur_reports::table::Table;
use secateur_stats::foretell::{
    ALL, ALL_BUT, Alike, BY_NAME, Foretells, PREDICTORS, alike, foretells, instructions_a_node, predictors,
};
use secateur_stats::group::groups_of;
use secateur_stats::inference::orders::{DRAWN, SEED};
use secateur_stats::interval::Interval;
use secateur_stats::metrics::iterations;
use secateur_stats::models::Foretold;
use secateur_stats::play::{pair_counts, rests_on_faults};
use secateur_stats::runs::Runs;
use std::collections::BTreeMap;

/// What the methods of `program` are said to be worth by its searches, in their order.
pub fn searched(program: &str, searches: &Runs) -> Vec<Foretold> {
    let cells = iterations(&searches.iterations);
    let groups = groups_of(searches);
    let Some(group) = groups.iter().find(|group| group.is_fixed_depth()) else { return Vec::new() };
    let published =
        searches.program(group.game).map(|program| program.published.elo.clone()).unwrap_or_default();
    predictors(group, &cells)
        .into_iter()
        .map(|(method, row)| Foretold {
            program: program.to_owned(),
            published: published.get(&method).copied(),
            method,
            ..row
        })
        .collect()
}

/// By how much a node takes more without each method, by searches of which instructions were counted.
pub fn counted(searches: &Runs) -> BTreeMap<String, f64> {
    groups_of(searches)
        .iter()
        .find(|group| group.is_fixed_depth())
        .map(instructions_a_node)
        .unwrap_or_default()
}

/// The methods of a program by its searches, by what of them was counted ([`counted`]) and by its whole matches, each with the name of its
/// method. Where there are no searches the rows are those that were found before; of a match that is not there, of which games are missing,
/// or that faults ended, and of what was not counted, is said what was said before.
pub fn rows(
    measured: Vec<Foretold>,
    before: Vec<Foretold>,
    counted: &BTreeMap<String, f64>,
    matches: &[(String, Ended)],
) -> Vec<Foretold> {
    let mut rows = if measured.is_empty() { before.clone() } else { measured };
    for row in &mut rows {
        if let Some(old) = before.iter().find(|old| old.method == row.method) {
            (row.pairs, row.elo) = (old.pairs, old.elo);
            (row.elo_low, row.elo_high) = (old.elo_low, old.elo_high);
            row.pentanomial = old.pentanomial;
            row.instructions = old.instructions;
        }
        let at_node = counted.get(&row.method);
        row.instructions = at_node.zip(row.nodes).map(|(more, nodes)| nodes + more).or(row.instructions);
    }
    for (method, ended) in
        matches.iter().filter(|(_, ended)| ended.file.complete && !rests_on_faults(&ended.rows))
    {
        let Some(row) = rows.iter_mut().find(|row| row.method == *method) else { continue };
        let counts = pair_counts(&ended.rows);
        let Some(elo) = counts.score().map(|score| score.elo()) else { continue };
        row.pairs = counts.pairs();
        row.elo = Some(elo.estimate);
        (row.elo_low, row.elo_high) = elo.ends().unzip();
        row.pentanomial = Some(counts);
    }
    rows
}

/// The same with as many digits as are kept.
pub fn rounded(mut rows: Vec<Foretold>) -> Vec<Foretold> {
    for row in &mut rows {
        let Foretold { nodes, time, instructions, growth, moves, regret, elo, elo_low, elo_high, .. } = row;
        keep_four([nodes, time, instructions, growth, moves, regret, elo, elo_low, elo_high]);
    }
    rows
}

/// How each predictor does, with as many digits as are kept.
pub fn judged(rows: &[Foretold]) -> Vec<Foretells> {
    let mut rows = foretells(rows);
    for row in &mut rows {
        let Foretells {
            rho, rho_needed, slope, slope_low, slope_high, error, error_mean, error_needed, ..
        } = row;
        keep_four([rho, rho_needed, slope, slope_low, slope_high, error, error_mean, error_needed]);
    }
    rows
}

/// How every two predictors go together, with as many digits as are kept.
pub fn together(rows: &[Foretold]) -> Vec<Alike> {
    alike(rows).into_iter().map(|pair| Alike { r: to_four(pair.r), ..pair }).collect()
}

pub(crate) fn number(x: Option<f64>, digits: usize) -> String {
    or_dash(x.map(|x| format!("{x:.digits$}")))
}

pub(crate) fn within(x: Option<f64>, ends: Option<(f64, f64)>, digits: usize) -> String {
    let ends = ends.map_or(String::new(), |(low, high)| format!(" [{low:.digits$}, {high:.digits$}]"));
    number(x, digits) + &ends
}

/// Every predictor with its words in tables and at an axis, and whether it is a logarithm, which the axis writes as the factor that it is.
const WRITTEN: [(&str, &str, &str, bool); 7] = [
    ("nodes", "nodes, ln", "nodes without the method, as a factor of those with it", true),
    ("time", "time, ln", "CPU time without the method, as a factor of that with it", true),
    (
        "instructions",
        "instructions, ln",
        "instructions without the method, as a factor of those with it",
        true,
    ),
    ("growth", "growth a ply", "growth of ln(nodes saved) a ply", false),
    ("moves", "moves changed", "share of moves that change without the method", false),
    (BY_NAME, "the method's Elo in the others", "Elo of the method in the other programs", false),
    (REGRET, "regret, pawns", "regret without the method less that with it, pawns", false),
];
const REGRET: &str = "regret";

fn written(predictor: &str) -> (&'static str, &'static str, &'static str, bool) {
    *WRITTEN.iter().find(|(name, ..)| *name == predictor).unwrap_or(&WRITTEN[6])
}

/// A predictor in the words of the tables.
fn in_words(predictor: &str) -> &'static str {
    written(predictor).1
}

/// What of a predictor's numbers is one in tables and pictures.
fn unit(predictor: &str) -> f64 {
    if predictor == REGRET { PAWN } else { 1.0 }
}

/// Score units of the judge to a pawn.
const PAWN: f64 = 100.0;

/// The table of methods.
pub fn methods_table(rows: &[Foretold]) -> Table {
    let cells = |row: &Foretold| {
        let searched = [
            ("<program", row.program.clone()),
            ("<method", row.method.clone()),
            ("depth", row.depth.to_string()),
            ("n", row.positions.to_string()),
        ];
        let predicted = PREDICTORS.map(|predictor| {
            let digits = if predictor == "growth" { 3 } else { 2 };
            (in_words(predictor), number(row.says(predictor).map(|x| x / unit(predictor)), digits))
        });
        let played = [
            ("pairs", only_if(row.elo.is_some(), || row.pairs.to_string())),
            ("Elo", within(row.elo, row.elo_low.zip(row.elo_high), 0)),
            ("pairs by points", row.pentanomial.map_or("not kept".to_owned(), String::from)),
            ("published Elo", number(row.published, 1)),
        ];
        searched.into_iter().chain(predicted).chain(played).collect::<Vec<_>>()
    };
    rows.iter().map(cells).collect::<Table>().noted(
        "Each method is left out of all others. Nodes: ln of the nodes without it over those of all, mean over positions; time: the same of \
         the CPU time of all searches; instructions: nodes, and the same of instructions a node in shorter searches; growth: change of the first a ply, from half the depth on; moves changed: share; regret: what is lost \
         more without it, by the judge. Elo: of the program over itself without the method, 95 % interval over openings, without those that something of ours was fitted on; `-` of matches that \
         are not played yet. Pairs by points: those in which the program got 0, 0.5, 1, 1.5 and 2 points; of matches that are not kept there are the score and its interval only.",
    )
}

/// The table of predictors: the programs by their rank correlations, and all together.
pub fn predictors_table(rows: &[Foretells]) -> Table {
    let needed = |row: &Foretells, value: Option<f64>, p: Option<f64>, digits: usize| match (value, p) {
        (None, Some(_)) if row.program == ALL => "nowhere".to_owned(),
        _ => number(value, digits),
    };
    let is_shown = |row: &&Foretells| row.program.starts_with(ALL) || row.rho.is_some();
    let of_predictor = |predictor| rows.iter().filter(move |row| row.predictor == predictor).filter(is_shown);
    let cells = |row: &Foretells| {
        let unit = unit(&row.predictor);
        let ends = row.slope_low.zip(row.slope_high).map(|(low, high)| (unit * low, unit * high));
        [
            ("<predictor", in_words(&row.predictor).to_owned()),
            ("<program", row.program.clone()),
            ("methods", row.methods.to_string()),
            ("rank correlation", number(row.rho, 2)),
            ("p", p_words(row.rho_p)),
            ("shown from", number(row.rho_needed, 2)),
            ("Elo a unit", within(row.slope.map(|x| unit * x), ends, 0)),
            ("error, Elo", number(row.error, 0)),
            ("of the mean", number(row.error_mean, 0)),
            ("p (error)", p_words(row.error_p)),
            ("shown below", needed(row, row.error_needed, row.error_p, 0)),
        ]
    };
    let note = format!(
        "Rank correlation: Spearman's. Its p: of a program the share of all orders of its methods that agree as much, counted one by one and \
         not corrected; of all the share of {} random orders within programs (seed {SEED}), corrected together with the tests of errors (Holm). \
         Elo a unit: one slope, an intercept a program, 95 % interval with programs as clusters. Error: root mean \
         square at programs whose games were not used, by the slope of the others, next to that of the others' mean Elo. Shown from, shown \
         below: the least correlation and the largest error that this family of tests would have shown, with the spread that there is between \
         programs; nowhere: not even an error of 0. Rows of `{ALL_BUT}` and of the method's Elo in the other programs (their mean where none has the method) were looked at after the others and are not \
         tested.",
        count(DRAWN as u64)
    );
    let predictors = PREDICTORS.into_iter().chain([BY_NAME]);
    predictors.flat_map(of_predictor).map(cells).collect::<Table>().noted(note)
}

/// How every two predictors go together.
pub fn together_table(pairs: &[Alike]) -> Table {
    let row = |pair: &Alike| {
        [
            ("<predictor", in_words(&pair.predictor).to_owned()),
            ("<and", in_words(&pair.other).to_owned()),
            ("methods", pair.methods.to_string()),
            ("correlation", format!("{:.2}", pair.r)),
        ]
    };
    let note = "Pearson's, over all methods, each less the mean of its program.";
    pairs.iter().map(row).collect::<Table>().noted(note)
}

/// All tables in Markdown.
pub fn markdown(rows: &[Foretold], predictors: &[Foretells], pairs: &[Alike]) -> String {
    [predictors_table(predictors), together_table(pairs), methods_table(rows)]
        .map(|table| markdown_table(&table))
        .join("\n")
}

/// The predictor with the least error at programs that were left out; `None` if none has one.
pub fn best(predictors: &[Foretells]) -> Option<&Foretells> {
    let all = predictors.iter().filter(|row| row.program == ALL && row.error.is_some());
    all.min_by(|one, other| one.error.unwrap_or(f64::NAN).total_cmp(&other.error.unwrap_or(f64::NAN)))
}

/// What the picture is read by, below it.
pub const CAPTION: &str = "A point is a method of a program: Elo that the program gains by having it, with the 95 % interval of its games, over what the \
    best of the predictors says from searches alone. Right of 1 the method saves, above 0 it wins.";

/// Elo, with its interval, over something that is known of a method: a series a program.
pub(crate) fn by_program(rows: &[Foretold], x: impl Fn(&Foretold) -> Option<f64>) -> Vec<Series> {
    let mut series: Vec<Series> = Vec::new();
    for row in rows {
        let Some((x, elo)) = x(row).zip(row.elo) else { continue };
        let title = format!("{} {}", row.program, row.method);
        let point = Point { title, ..Point::new(x, Interval::of(elo, row.elo_low.zip(row.elo_high))) };
        match series.iter_mut().find(|series| series.name == row.program) {
            Some(series) => series.points.push(point),
            None => series.push(Series { name: row.program.clone(), points: vec![point] }),
        }
    }
    series
}

/// Elo, with its interval, over the best predictor, a colour a program.
pub fn picture(rows: &[Foretold], predictors: &[Foretells]) -> Option<String> {
    let predictor = &*best(predictors)?.predictor;
    let (_, _, label, is_factor) = written(predictor);
    let unit = unit(predictor);
    let at = |row: &Foretold| row.says(predictor).map(|x| if is_factor { x.exp() } else { x / unit });
    let series = by_program(rows, at);
    let across = |x: Vec<f64>| {
        if is_factor { Axis::log(label, x.into_iter(), short) } else { Axis::linear(label, x.into_iter()) }
    };
    let described = |point: &Point| format!("{}: {:.0} at {:.2}.", point.title, point.y.estimate, point.x);
    let heading = "What a method is worth in games, by what its searches say";
    drawn(heading, series, across, vec![Guide::At(0.0)], described)
}

/// Elo of methods over something that is known of them, a colour a program; `None` of fewer than three.
pub(crate) fn drawn(
    heading: &str,
    series: Vec<Series>,
    across: impl FnOnce(Vec<f64>) -> Axis<'static>,
    guides: Vec<Guide>,
    described: impl Fn(&Point) -> String,
) -> Option<String> {
    let points: Vec<&Point> = series.iter().flat_map(|series| &series.points).collect();
    if points.len() < 3 {
        return None;
    }
    let elo = points.iter().flat_map(|point| [point.y.estimate, point.y.low, point.y.high]).chain([0.0]);
    let (across, upwards) = (
        across(points.iter().map(|point| point.x).collect()),
        Axis::linear("Elo of the program over itself without the method", elo),
    );
    let description: Vec<String> = points.into_iter().map(described).collect();
    let panel = Panel { width: 640.0, height: 400.0 };
    let plot = Plot { panel, heading, across, upwards, look: Look::Points, guides, series };
    Some(plot.svg(heading, &description.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_stats::elo::Pentanomial;

    fn row(program: &str, method: &str, nodes: f64, elo: f64) -> Foretold {
        Foretold {
            program: program.to_owned(),
            method: method.to_owned(),
            positions: 40,
            depth: 9,
            nodes: Some(nodes),
            time: None,
            instructions: None,
            growth: Some(0.1),
            moves: Some(0.2),
            regret: Some(nodes * 5.0),
            pairs: 200,
            elo: Some(elo),
            elo_low: Some(elo - 30.0),
            elo_high: Some(elo + 30.0),
            pentanomial: Some(Pentanomial([1, 20, 90, 60, 29])),
            published: None,
        }
    }

    #[test]
    fn games_that_were_told_before_stay_where_they_are_not_played_again() {
        let before = vec![row("one", "lmr", 1.0, 120.0), row("one", "see", 0.2, 5.0)];
        let searched = |method| Foretold {
            elo: None,
            pairs: 0,
            elo_low: None,
            elo_high: None,
            pentanomial: None,
            ..row("one", method, 0.9, 0.0)
        };
        let none = BTreeMap::new();
        let foretold = rows(vec![searched("lmr"), searched("null")], before.clone(), &none, &[]);
        assert_eq!(foretold[0], Foretold { regret: Some(4.5), nodes: Some(0.9), ..before[0].clone() });
        assert_eq!(foretold[1], searched("null"));
        assert_eq!(rows(Vec::new(), before.clone(), &none, &[]), before);
        // A count belongs to its methods alone, and is kept where it is not counted again.
        let counted = BTreeMap::from([("lmr".to_owned(), -0.25)]);
        let foretold = rows(Vec::new(), before.clone(), &counted, &[]);
        assert_eq!(foretold[0], Foretold { instructions: Some(0.75), ..before[0].clone() });
        assert_eq!(foretold[1], before[1]);
        assert_eq!(rows(Vec::new(), foretold.clone(), &none, &[]), foretold);
    }

    #[test]
    fn the_picture_and_the_tables_have_every_method_with_games() {
        let mut rows: Vec<Foretold> = Vec::new();
        for (program, shift) in [("one", 0.0), ("two", 9.0), ("three", -9.0)] {
            rows.extend(
                [("lmr", 1.2), ("see", 0.4), ("null", 0.7)]
                    .map(|(m, x)| row(program, m, x, 100.0 * x + shift)),
            );
        }
        rows.push(Foretold { elo: None, pairs: 0, ..row("one", "razoring", 0.1, 0.0) });
        let predictors = judged(&rows);
        let svg = picture(&rows, &predictors).unwrap();
        assert_eq!(svg.matches("<title>one").count() + svg.matches("<title>t").count(), 9, "{svg}");
        let text = markdown(&rows, &predictors, &together(&rows));
        assert!(
            text.contains("| one | razoring | 9 | 40 | 0.10 |")
                && text.contains("| nodes, ln | all | 9 | 1.00 |")
                && text.contains("| nodes, ln | all but lmr | 6 | - |")
                && text.contains("| 1 20 90 60 29 |")
                && text.contains("| nodes, ln | regret, pawns | 10 | 1.00 |"),
            "{text}"
        );
        // Nothing grows differently or changes other moves anywhere, so these say nothing of Elo.
        assert!(text.contains("| growth a ply | all | 9 | - |"), "{text}");
        assert!(["nodes", "regret"].contains(&&*best(&predictors).unwrap().predictor));
    }
}
