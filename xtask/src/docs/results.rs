//! The parts that answer questions with our own search and next to other programs.

use super::folder::matches;
use super::pages::Pages;
use super::printed::rows;
use super::{
    AUDITED, CROSSED, RUNS, at_a_glance, at_budget, at_depth, body, effort, made, of_report, of_sections,
    pooled, run, theirs, together,
};
use secateur::cli::evidence::{committed_match, left_out};
use secateur::cli::facts::{Figures, roots, solutions};
use secateur::cli::failure::{Failure, Outcome};
use secateur_lab::grades::numbers::{Strength, Worth};
use secateur_lab::grades::tables as grades;
use secateur_lab::prose::paper::Paper;
use secateur_lab::studies::{forecast, foretell, peer_answers, releases, slopes};
use secateur_record::sites::{FILE, Sites};
use secateur_reports::page::brief;
use secateur_reports::render::markdown_table;
use secateur_reports::svg::captioned;
use secateur_reports::{lines, peers, play, promises, regret, table2, worth};
use secateur_stats::forecast::Forecast;
use secateur_stats::foretell::{ALL, ALL_BUT, Foretells, Foretold};
use secateur_stats::group::{Group, groups_of};
use secateur_stats::growth::Followed;
use secateur_stats::runs::Runs;
use std::path::Path;

/// The runs in the form of Table 2.
const TABLES: [&str; 3] = ["table2", "table2-plain", "table2-strict"];
/// The runs with a budget of nodes or time.
const BUDGETS: [&str; 6] = ["jiang", "jiang-strict", "solved", "verified", "tactical", "zugzwang"];
/// The run with other programs next to this one, to one depth.
const PEERS: &str = "peers-depth10";
/// The matches.
const MATCHES: [&str; 2] = ["play-glaurung", "play-toga2"];

/// The runs of a program's search line by line.
const LINED: [&str; 3] = ["lines-ethereal-12", "lines-stockfish-11", "lines-edax"];

/// The runs of `worth` whose games are looked at for themselves.
const PLAYED: [&str; 2] = ["worth-clock", "worth-nodes"];

/// What `paper growth` found.
pub(super) const GROWTH: &str = "growth";
/// What `paper generations` found, and the program whose releases are drawn.
const GENERATIONS: &str = "generations";
const GENERATIONS_GAMES: &str = "generations-games";
const DRAWN: &str = "stockfish";
/// Tables of what changes: nodes of our own search and of other programs, what moves lose, what is reached in time, and nodes and scores from
/// release to release.
const GROWN: [(&str, Followed); 8] = [
    (GROWTH, Followed::Nodes),
    ("growth-programs", Followed::Nodes),
    ("growth-regret", Followed::Regret),
    ("growth-time", Followed::Depth),
    ("growth-time-left-out", Followed::Depth),
    ("growth-time-programs", Followed::Depth),
    (GENERATIONS, Followed::Releases),
    (GENERATIONS_GAMES, Followed::Scores),
];
/// What `paper evaluation` found, and the games in which that is.
const EVALUATION: &str = "evaluation";
const GRADED: [&str; 2] = ["chess", "othello"];
/// What `paper elo` found: its methods, and how each predictor does.
const ELO: &str = "elo";
/// What `paper forecast` found: its methods, and how the models that `paper elo` fixes do.
const FORECAST: &str = "forecast";
/// The run with every guard left out.
const GUARDS: &str = "guards";
/// The runs of which a page shows all methods and what made the numbers: the game of forced captures, and newer forms of ProbCut.
const SHOWN: [&str; 2] = ["forced", "forms"];
/// Positions from which on a block of the run at a glance is shown; the smaller one is there for its counts of instructions.
const ENOUGH: usize = 10;
/// The run with an oracle.
const JUDGED: &str = "regret";

/// Puts in what runs of our own search and of other programs say.
pub(super) fn put(
    pages: &mut Pages,
    quick: &Runs,
    audited: &Runs,
    factorial: &Runs,
    crossed: &[Group<'_>],
    figures: &Figures,
) -> Outcome {
    for name in TABLES {
        let mut report = table2(&run(name)?);
        theirs::below_table_2(&mut report);
        pages.put(name, &body(report))?;
    }
    for name in LINED {
        let sites = Sites::read(&Path::new(RUNS).join(name).join(FILE))?;
        pages.put(name, &body(lines::report(&run(name)?, &sites)))?;
    }
    for name in PLAYED {
        let (runs, played) = (run(&format!("{name}/searches"))?, matches(&Path::new(RUNS).join(name))?);
        pages.put(name, &body(worth::page(&runs, &played)))?;
    }
    let (shown, groups) = (brief::Found::of(quick), groups_of(quick));
    let large = groups.iter().filter(|group| group.is_fixed_depth() && group.blocks.len() >= ENOUGH);
    let glance: String = large.map(|group| at_a_glance(group, &shown) + "\n").collect();
    pages.put("quick", &(left_out(quick) + "\n" + &glance + &at_budget(quick)))?;
    pages.put("thresholds", &pooled(&run("thresholds")?, |group| group.is_fixed_depth()))?;
    for (name, followed) in GROWN {
        let post_hoc = is_post_hoc(name);
        pages.put(name, &slopes::markdown(&rows::<slopes::Row>(name)?, followed, post_hoc))?;
    }
    let by_program = releases::tables(&of_releases()?);
    let by_program: String = by_program.iter().map(|table| markdown_table(table) + "\n").collect();
    pages.put(&format!("{GENERATIONS}-releases"), &by_program)?;
    let played = releases::played_table(&played_releases()?);
    pages.put(&format!("{GENERATIONS_GAMES}-releases"), &markdown_table(&played))?;
    let overall = format!("{GENERATIONS_GAMES}-overall");
    pages.put(&overall, &markdown_table(&releases::overall_table(&rows(&overall)?)))?;
    let published = format!("{GENERATIONS}-published");
    pages.put(&published, &markdown_table(&releases::agreement_table(&rows(&published)?)))?;
    let (strengths, worths) = graded()?;
    pages.put(EVALUATION, &grades::markdown(&strengths, &worths))?;
    let asked: Vec<Foretold> = rows(FORECAST)?;
    let (methods, predictors) = foretold()?;
    let models: Vec<Forecast> = rows(&format!("{FORECAST}-models"))?;
    pages.put(FORECAST, &forecast::markdown(&methods, &asked, &models))?;
    // By program there are few methods, and hardly an order that is more than chance: these rows stay in the file.
    let predictors: Vec<Foretells> =
        predictors.into_iter().filter(|row| [ALL, ALL_BUT].contains(&row.program.as_str())).collect();
    let pairs = rows(&format!("{ELO}-together"))?;
    pages.put(ELO, &foretell::markdown(&methods, &predictors, &pairs))?;
    pages.put(effort::RUN, &effort::text()?)?;
    pages.put(GUARDS, &at_depth(&run(GUARDS)?))?;
    for name in SHOWN {
        let runs = run(name)?;
        pages.put(name, &(at_depth(&runs) + &made(&runs)))?;
    }
    let [predicted, tails] = figures.scatter.clone();
    let scatter = [theirs::below_prediction(predicted), tails];
    pages.put("scatter", &scatter.iter().map(|table| markdown_table(table) + "\n").collect::<String>())?;
    pages.put("fit-othello", &figures.fit)?;
    pages.put("fit-chess", &markdown_table(&theirs::below_regression(figures.chess_fit.clone())))?;
    pages.put("pairs", &markdown_table(&theirs::below_regression(roots()?)))?;
    for name in BUDGETS {
        pages.put(name, &at_budget(&run(name)?))?;
    }
    pages.put(AUDITED, &(left_out(audited) + &of_sections(promises::section(audited).as_slice())))?;
    let judged = run(JUDGED)?;
    let lost = regret::section(&groups_of(&judged));
    pages.put(JUDGED, &(left_out(&judged) + &of_sections(lost.as_slice())))?;
    pages.put(CROSSED, &(left_out(factorial) + &together(crossed)))?;
    let runs = run(PEERS)?;
    let solved = peer_answers::table(&runs, &solutions()?).as_ref().map(markdown_table).unwrap_or_default();
    pages.put(PEERS, &(of_sections(&peers::sections(&runs)) + &solved))?;
    for name in MATCHES {
        let ended = committed_match(&Path::new(RUNS).join(name))?;
        pages.put(name, &of_report(&play::report(&ended)))?;
    }
    Ok(())
}

/// Whether the test of a table of slopes was chosen after its results were seen.
fn is_post_hoc(table: &str) -> bool {
    let papers = Paper::built_in();
    let mut experiments = papers.iter().flat_map(|paper| &paper.experiments);
    experiments.any(|experiment| experiment.post_hoc && experiment.slopes.as_deref() == Some(table))
}

/// The rows of `paper evaluation`: its matches, and what methods are worth.
fn graded() -> Result<(Vec<Strength>, Vec<Worth>), Failure> {
    Ok((rows(&format!("{EVALUATION}-games"))?, rows(EVALUATION)?))
}

/// What each method saves in each release, by `paper generations`.
fn of_releases() -> Result<Vec<releases::Release>, Failure> {
    rows(&format!("{GENERATIONS}-releases"))
}

/// What each method is worth in games in each release, by the same.
fn played_releases() -> Result<Vec<releases::Played>, Failure> {
    rows(&format!("{GENERATIONS_GAMES}-releases"))
}

/// The rows of `paper elo`.
fn foretold() -> Result<(Vec<Foretold>, Vec<Foretells>), Failure> {
    Ok((rows(ELO)?, rows(&format!("{ELO}-predictors"))?))
}

/// The pictures of the studies.
pub(super) fn study_pictures() -> Result<Vec<super::File>, Failure> {
    let file =
        |name: &str, svg: &str, caption: &str| (format!("docs/{name}.svg").into(), captioned(svg, caption));
    let slopes = slopes::picture(&rows::<slopes::Row>(GROWTH)?, "chess");
    let (methods, predictors) = foretold()?;
    let foretold = foretell::picture(&methods, &predictors);
    let (strengths, worths) = graded()?;
    let graded = GRADED.into_iter().filter_map(|game| {
        let svg = grades::picture(&strengths, &worths, game)?;
        Some(file(&format!("{EVALUATION}-{game}"), &svg, grades::CAPTION))
    });
    let through = releases::picture(&of_releases()?, &played_releases()?, DRAWN);
    let all = slopes.map(|svg| file(GROWTH, &svg, slopes::CAPTION)).into_iter();
    let asked = forecast::picture(&methods, &rows::<Foretold>(FORECAST)?);
    let asked = asked.map(|svg| file(FORECAST, &svg, forecast::CAPTION));
    let all = all.chain(through.map(|svg| file(GENERATIONS, &svg, releases::CAPTION)));
    Ok(all.chain(foretold.map(|svg| file(ELO, &svg, foretell::CAPTION))).chain(asked).chain(graded).collect())
}
