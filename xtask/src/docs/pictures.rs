//! The pictures of the documents, each a file, from the committed runs and tables.

use super::File;
use super::source::Source;
use secateur::cli::facts;
use secateur::cli::failure::Failure;
use secateur_lab::studies::{evaluation, forecast, foretell, releases, slopes, transfer};
use secateur_reports::evidence::Evidence;
use secateur_reports::page::plots;
use secateur_reports::svg::captioned;
use secateur_reports::{factorial, promises};
use secateur_stats::group::{Group, groups_of};
use serde::de::DeserializeOwned;
use std::path::Path;

/// The games in which evaluations were graded.
const GRADED: [&str; 2] = ["chess", "othello"];
/// The program whose releases are drawn.
const DRAWN: &str = "stockfish";

/// All of them.
pub(super) fn all() -> Result<Vec<File>, Failure> {
    let mut files: Vec<File> = facts::pictures()?.into();
    let mut add = |name: &str, picture: Option<String>, caption: Option<&str>| {
        let svg = picture.ok_or_else(|| {
            Failure::input(format!("{name}.svg: its runs have nothing to draw; is a file missing?"))
        })?;
        let text = caption.map_or(svg.clone(), |caption| captioned(&svg, caption));
        files.push((Path::new("docs").join(name).with_extension("svg"), text));
        Ok::<(), Failure>(())
    };
    let quick = Source::named("quick")?;
    let shown = Evidence::of(quick.searches()?);
    let front = shown
        .groups
        .iter()
        .find(|group| group.is_fixed_depth() && (group.game, group.budget) == ("chess", 8));
    add("quick", front.and_then(|group| plots::picture(group, &shown)), None)?;
    let across = Source::named("transfer")?;
    let groups: Vec<Group<'_>> =
        groups_of(across.searches()?).into_iter().filter(Group::is_fixed_depth).collect();
    add("transfer", Some(transfer::picture(&groups)), None)?;
    add("growth", slopes::picture(&rows::<slopes::Row>("growth")?, "chess"), Some(slopes::CAPTION))?;
    let through =
        releases::picture(&rows("generations-releases")?, &rows("generations-games-releases")?, DRAWN);
    add("generations", through, Some(releases::CAPTION))?;
    let methods = rows("elo")?;
    add("elo", foretell::picture(&methods, &rows("elo-predictors")?), Some(foretell::CAPTION))?;
    add("forecast", forecast::picture(&methods, &rows("forecast")?), Some(forecast::CAPTION))?;
    let (strengths, worths) = (rows("evaluation-games")?, rows("evaluation")?);
    for game in GRADED {
        let picture = evaluation::picture(&strengths, &worths, game);
        add(&format!("evaluation-{game}"), picture, Some(evaluation::CAPTION))?;
    }
    let plots = promises::figures(Source::named("calibration")?.searches()?).into_iter();
    for plot in plots.chain(factorial::figures(&groups_of(Source::named("factorial")?.searches()?))) {
        add(&plot.file, Some(plot.svg), Some(&plot.caption))?;
    }
    Ok(files)
}

fn rows<R: DeserializeOwned>(name: &str) -> Result<Vec<R>, Failure> {
    Source::named(name)?.rows()
}
