//! Do searches foretell Elo in programs that were never seen? The tables and the picture of docs/results/forecast.md, from what
//! `paper forecast` found and from the methods of the study that fixed its models.

use crate::studies::foretell::{by_program, drawn, number, within};
use secateur_reports::chart::plot::{Axis, Guide, Point};
use secateur_reports::format::{keep_four, or_dash, p_words, to_four};
use secateur_reports::render::markdown_table;
use secateur_reports::table::Table;
use secateur_stats::forecast::{Forecast, forecasts};
use secateur_stats::foretell::{ALL, ALL_BUT};
use secateur_stats::models::{Foretold, MEAN, MODEL, Model, NAME};

/// How the models that `fitted` fixes do at the methods of `asked`, with as many digits as are kept.
pub fn judged(fitted: &[Foretold], asked: &[Foretold]) -> Vec<Forecast> {
    let mut rows = forecasts(fitted, asked);
    for Forecast { rho, error, error_net, half, intercept, slope, slope_moves, .. } in &mut rows {
        keep_four([rho, half, slope, slope_moves]);
        [error, error_net, intercept].into_iter().for_each(|x| *x = to_four(*x));
    }
    rows
}

fn in_words(model: &str) -> &str {
    match model {
        MODEL => "time saved and moves changed",
        "nodes" => "nodes saved",
        "time" => "time saved",
        MEAN => "the mean of all",
        NAME => "the method's name",
        other => other,
    }
}

/// The table of models, over all programs and in each.
pub fn models_table(rows: &[Forecast]) -> Table {
    // Of single programs, which have few methods, the model that is tested is enough.
    let shown = rows.iter().filter(|row| row.model == MODEL || [ALL, ALL_BUT].contains(&&*row.program));
    let cells = |row: &Forecast| {
        [
            ("<programs", row.program.clone()),
            ("<forecast by", in_words(&row.model).to_owned()),
            ("methods", row.methods.to_string()),
            ("rank correlation", number(row.rho, 2)),
            ("p", p_words(row.rho_p)),
            ("error, Elo", format!("{:.0}", row.error)),
            ("less that of the games", format!("{:.0}", row.error_net)),
            ("p against the mean", p_words(row.mean_p)),
            ("p against the name", p_words(row.name_p)),
            ("half interval", number(row.half, 0)),
            ("held", or_dash(row.held.map(|held| held.to_string()))),
        ]
    };
    let fixed = rows.iter().find(|row| row.model == MODEL).and_then(|row| {
        let (time, moves) = row.slope.zip(row.slope_moves)?;
        Some(format!(
            "Elo foretold = {:.1} + {time:.1} ln(time without over time with) + {moves:.1} (share of moves changed). ",
            row.intercept
        ))
    });
    shown.map(cells).collect::<Table>().noted(format!(
        "{}The models were fixed before, on other programs. Rank correlation: Spearman's, within programs; p of `{ALL}` and \"{}\" are corrected \
         together (Holm), those of single programs and of other models are not. Error: root mean square over methods; less that of the games: what \
         remains when the error of the measured Elo is taken out. Half interval: 1.96 times the error at programs left out where the model was \
         fixed; held: methods whose measured Elo is in it.",
        fixed.unwrap_or_default(),
        in_words(MODEL)
    ))
}

/// The table of methods: what was foretold of each, and what games say.
pub fn methods_table(fitted: &[Foretold], asked: &[Foretold]) -> Table {
    let model = Model::fixed(MODEL, &fitted.iter().collect::<Vec<_>>());
    let cells = |row: &Foretold| {
        [
            ("<program", row.program.clone()),
            ("<method", row.method.clone()),
            ("depth", row.depth.to_string()),
            ("n", row.positions.to_string()),
            ("nodes, ln", number(row.nodes, 2)),
            ("time, ln", number(row.time, 2)),
            ("moves changed", number(row.moves, 2)),
            ("forecast, Elo", number(model.as_ref().and_then(|model| model.elo(row)), 0)),
            ("Elo", within(row.elo, row.elo_low.zip(row.elo_high), 0)),
            ("pairs", row.pairs.to_string()),
            ("pairs by points", or_dash(row.pentanomial.map(String::from))),
        ]
    };
    asked.iter().map(cells).collect::<Table>().noted(
        "Each method is left out of all others. Nodes and time: ln of what the program needs without it over what it needs with it. Elo: of the \
         program over itself without the method, 95 % interval over openings. Pairs by points: those in which the program got 0, 0.5, 1, 1.5 and 2 points.",
    )
}

/// Both tables in Markdown.
pub fn markdown(fitted: &[Foretold], asked: &[Foretold], rows: &[Forecast]) -> String {
    [models_table(rows), methods_table(fitted, asked)].map(|table| markdown_table(&table)).join("\n")
}

/// What the picture is read by, below it.
pub const CAPTION: &str = "A point is a method of a program: Elo that the program gains by having it, with the 95 % interval of its games, over what a model \
    fixed on other programs foretold from searches. On the dashed line the forecast is right.";

/// Elo over its forecast, a colour a program; `None` without points.
pub fn picture(fitted: &[Foretold], asked: &[Foretold]) -> Option<String> {
    let model = Model::fixed(MODEL, &fitted.iter().collect::<Vec<_>>())?;
    let series = by_program(asked, |row| model.elo(row));
    let across = |x: Vec<f64>| Axis::linear("Elo foretold", x.into_iter().chain([0.0]));
    let described =
        |point: &Point| format!("{}: {:.0}, foretold {:.0}.", point.title, point.y.estimate, point.x);
    let heading = "What a method is worth in games, by what was foretold of it";
    drawn(heading, series, across, vec![Guide::Equal, Guide::At(0.0)], described)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_with_games_is_told_and_drawn() {
        let row = |program: &str, method: &str, x: f64, elo: Option<f64>| Foretold {
            program: program.to_owned(),
            method: method.to_owned(),
            time: Some(x),
            nodes: Some(x),
            moves: Some(x * x),
            elo,
            elo_low: elo.map(|elo| elo - 20.0),
            elo_high: elo.map(|elo| elo + 20.0),
            ..Foretold::default()
        };
        let each = |program: &str, shift: f64| {
            [("lmr", 1.5), ("see", 0.5), ("razoring", 0.1)]
                .map(|(method, x)| row(program, method, x, Some(shift + 60.0 * x)))
        };
        let fitted = ["a", "b", "c"].map(|program| each(program, 0.0)).concat();
        let mut asked = ["w", "x"].map(|program| each(program, 10.0)).concat();
        asked.push(row("x", "unplayed", 0.3, None));
        let rows = judged(&fitted, &asked);
        let text = markdown(&fitted, &asked, &rows);
        assert!(text.contains("| all | time saved and moves changed | 6 | 1.00 |"), "{text}");
        assert!(text.contains("| x | unplayed | 0 | 0 | 0.30 | 0.30 | 0.09 | 18 | - |"), "{text}");
        let svg = picture(&fitted, &asked).unwrap();
        assert_eq!(svg.matches("<title>w ").count() + svg.matches("<title>x ").count(), 6, "{svg}");
        assert_eq!(picture(&fitted, &[]), None);
    }
}
