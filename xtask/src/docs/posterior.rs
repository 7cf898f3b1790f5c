//! The page on what predicts that a cut breaks: models fitted to some cuts, judged on those of other positions.

use super::modern::matches;
use super::pages::{Pages, entries};
use super::printed::rows;
use super::{RUNS, at_depth, made, run, tables};
use secateur::cli::failure::{Failure, Outcome};
use secateur_lab::net::{Confirmed, net, price};
use secateur_lab::posterior::{Facts, Judged, Model, frontier, judged, read, worth_by_height};
use secateur_positions::builtin::is_reserved;
use secateur_record::observations::CutRow;
use secateur_reports::format::{only_if, ratio, ratio_within, share, within};
use secateur_reports::render::markdown_table;
use secateur_reports::table::Table;
use secateur_stats::group::{Group, groups_of};
use secateur_stats::runs::Runs;
use std::collections::BTreeMap;
use std::path::Path;

/// The folder of the cuts. Those of sets for fitting are fitted to, the others judged on.
const CUTS: &str = "cuts";
/// The program that takes them, and how it was called when the committed ones were taken.
const TAKES: [&str; 2] =
    ["cargo run --release --manifest-path examples/studies/Cargo.toml --bin cuts --", "cargo xtask cuts"];
/// The run with thresholds that follow node type and height.
const SEARCHED: &str = "posterior";
/// The positions on which the forms were asked again, a row each.
const CONFIRMED: &str = "posterior-confirm-positions";
/// Matches of a form against one threshold, a folder each.
const PLAYED: &str = "play-posterior";
/// How the names of sets for fitting end.
const FITTING: &str = "-fit";
/// Thresholds of the frontier, standard deviations.
const THRESHOLDS: [f64; 4] = [1.0, 1.25, 1.5, 2.0];

/// Puts in all parts of the page.
pub(super) fn put(pages: &mut Pages) -> Outcome {
    for (game, [fitting, held_out]) in parts()? {
        let (fitted, held) = (fitting.cuts, held_out.cuts);
        let models = models(&game, &fitted)?;
        let mut text =
            tables(&[prediction(&models, &held), saving(&models, &fitted, &held), weights(&models, &fitted)]);
        text += &taken("Fitted to", &fitting.commands, fitted.len());
        text += &taken("Judged on", &held_out.commands, held.len());
        pages.put(&game, &text)?;
    }
    let runs = run(SEARCHED)?;
    pages.put(SEARCHED, &(at_depth(&runs) + &made(&runs)))?;
    pages.put(CONFIRMED, &markdown_table(&net_of_the_frontier(&runs)?))?;
    pages.put(PLAYED, &markdown_table(&matches(PLAYED, "<by", "Elo of the form")?))
}

/// What values cost in nodes by the plain thresholds of a run, and what the forms save at equal values on the positions that confirm
/// them.
fn net_of_the_frontier(runs: &Runs) -> Result<Table, Failure> {
    let rows: Vec<Confirmed> = rows(CONFIRMED)?;
    let row = |group: Group<'_>| {
        let of_game: Vec<Confirmed> = rows.iter().filter(|row| row.game == group.game).cloned().collect();
        let price = price(&group, |arm| arm.starts_with("mpc[t=") && !arm.contains(','))?;
        (!of_game.is_empty()).then(|| {
            [
                ("<game", group.game.to_owned()),
                ("five points of values, times", ratio((0.05 * price).exp())),
                ("positions", of_game.len().to_string()),
                ("nodes at equal values, times", ratio_within(&net(&of_game, price))),
            ]
        })
    };
    Ok(groups_of(runs).into_iter().filter_map(row).collect::<Table>().noted(
        "Five points of values, times: by what factor the plain thresholds above save more nodes for each five points of the values that they \
         keep less, a line through their logarithms. Nodes at equal values: of the one threshold over those of the form at the positions of the confirmation, with \
         the difference of values kept taken at that price; 95 % interval over source games, of one test and not corrected, the price without an error of its own.",
    ))
}

/// Cuts of several files.
#[derive(Default)]
struct Taken {
    /// How each file is made again.
    commands: Vec<String>,
    cuts: Vec<CutRow>,
}

/// By game, the cuts that are fitted to and those that are judged on.
fn parts() -> Result<BTreeMap<String, [Taken; 2]>, Failure> {
    let mut parts: BTreeMap<String, [Taken; 2]> = BTreeMap::new();
    for (_, path) in entries(&Path::new(RUNS).join(CUTS))? {
        if path.extension().is_some_and(|extension| extension == "csv") {
            let (origin, rows) = read(&path)?;
            let part = parts.entry(origin.game.clone()).or_default();
            let taken = &mut part[usize::from(!origin.positions.ends_with(FITTING))];
            taken.commands.push(format!("`{}`", origin.command.replace(TAKES[1], TAKES[0])));
            taken.cuts.extend(rows.into_iter().filter(|row| !is_reserved(&row.source)));
        }
    }
    Ok(parts)
}

fn models(game: &str, cuts: &[CutRow]) -> Result<Vec<Model>, Failure> {
    let fit = |facts| {
        let stuck = || {
            Failure::input(format!("{CUTS}: {game}: the fit of `{}` does not converge", Facts::name(facts)))
        };
        Model::fit(cuts, facts).ok_or_else(stuck)
    };
    Facts::EACH.into_iter().map(fit).collect()
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

/// Where cuts come from.
fn taken(what: &str, commands: &[String], count: usize) -> String {
    format!(
        "{what} {count} cuts, none of positions on which thresholds were chosen: {}.\n\n",
        commands.join("; ")
    )
}
