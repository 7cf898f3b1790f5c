//! The pages that answer questions with our own search and next to other programs, a file each under `docs/results`.
//!
//! What a page holds is decided by its marks: a generated part goes to the page that has its name, wherever that is, so a table can move
//! from one page to another without a word here. A part that no page wants, or two, is an error.

use super::folder::{entries, matches};
use super::printed::{self, rows};
use super::{
    AUDITED, CROSSED, RUNS, at_a_glance, at_budget, at_depth, body, document, of_report, of_sections, pooled,
    run, spliced, together,
};
use super::{effort, switches, theirs};
use secateur::cli::evidence::{committed_match, left_out};
use secateur::cli::facts::solutions;
use secateur::cli::failure::Failure;
use secateur::cli::figures::{Figures, roots};
use secateur_record::sites::{FILE, Sites};
use secateur_reports::page::brief;
use secateur_reports::prose::paper::Paper;
use secateur_reports::render::markdown_table;
use secateur_reports::svg::captioned;
use secateur_reports::{
    forecast, foretell, grades, lines, peer_answers, peers, play, promises, regret, releases, slopes, table2,
    worth,
};
use secateur_stats::forecast::Forecast;
use secateur_stats::foretell::{ALL, ALL_BUT, Foretells, Foretold};
use secateur_stats::grades::{Strength, Worth};
use secateur_stats::group::{Group, groups_of};
use secateur_stats::growth::Followed;
use secateur_stats::runs::Runs;
use std::path::Path;

/// The folder of the pages.
const FOLDER: &str = "docs/results";
/// The runs in the form of Table 2.
const TABLES: [&str; 3] = ["table2", "table2-plain", "table2-strict"];
/// The runs with a budget of nodes or time.
const BUDGETS: [&str; 6] = ["jiang", "jiang-strict", "solved", "verified", "tactical", "zugzwang"];
/// The run with other programs next to this one, to one depth.
const PEERS: &str = "peers-depth10";
/// The matches.
const MATCHES: [&str; 2] = ["play-glaurung", "play-toga2"];

/// The runs of a program's search line by line.
const LINED: [&str; 2] = ["lines-ethereal-12", "lines-stockfish-11"];

/// The runs of `worth` whose games are looked at for themselves.
const PLAYED: [&str; 2] = ["worth-clock", "worth-nodes"];

/// What `paper growth` found.
pub(super) const GROWTH: &str = "growth";
/// What `paper generations` found, and the program whose releases are drawn.
const GENERATIONS: &str = "generations";
const DRAWN: &str = "stockfish";
/// Tables of what changes: nodes of our own search and of other programs, what moves lose, what is reached in time, and nodes from release
/// to release.
const GROWN: [(&str, Followed); 7] = [
    (GROWTH, Followed::Nodes),
    ("growth-programs", Followed::Nodes),
    ("growth-regret", Followed::Regret),
    ("growth-time", Followed::Depth),
    ("growth-time-left-out", Followed::Depth),
    ("growth-time-programs", Followed::Depth),
    (GENERATIONS, Followed::Releases),
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
/// Positions from which on a block of the run at a glance is shown; the smaller one is there for its counts of instructions.
const ENOUGH: usize = 10;
/// The run with an oracle.
const JUDGED: &str = "regret";

/// The pages by path, and what they hold.
struct Pages(Vec<(String, String)>);

impl Pages {
    fn read() -> Result<Pages, Failure> {
        let names = entries(Path::new(FOLDER))?.into_keys().filter(|name| name.ends_with(".md"));
        let page = |name: String| {
            let path = format!("{FOLDER}/{name}");
            Ok((path.clone(), document(&path)?))
        };
        names.map(page).collect::<Result<_, Failure>>().map(Pages)
    }

    /// Puts a generated part into the page that has its marks.
    fn put(&mut self, name: &str, text: &str) -> Result<(), Failure> {
        let mark = format!("<!-- BEGIN: {name} -->");
        let mut wanted = self.0.iter_mut().filter(|(_, page)| page.contains(&mark));
        let one = wanted.next();
        match (one, wanted.next()) {
            (Some((path, page)), None) => *page = spliced(page, path, name, text)?,
            (None, _) => return Err(Failure::input(format!("{FOLDER}: expected a page with `{mark}`"))),
            (Some((first, _)), Some((second, _))) => {
                return Err(Failure::input(format!(
                    "{first}, {second}: found `{mark}` in both, expected it once"
                )));
            }
        }
        Ok(())
    }
}

/// Every page with its generated parts.
pub(super) fn pages(
    quick: &Runs,
    audited: &Runs,
    factorial: &Runs,
    crossed: &[Group<'_>],
    figures: &Figures,
    transferred: &str,
) -> Result<Vec<(String, String)>, Failure> {
    let mut pages = Pages::read()?;
    for name in TABLES {
        let mut report = table2(&run(name)?);
        theirs::below_table_2(&mut report);
        pages.put(name, &body(report))?;
    }
    pages.put(super::transfer::RUN, transferred)?;
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
    pages.put("injected", &printed::table("injected", &printed::INJECTED)?)?;
    pages.put("shadow", &printed::shadow()?)?;
    pages.put("errors", &printed::errors()?)?;
    for (name, table) in switches::tables()? {
        pages.put(name, &table)?;
    }
    pages.put("noise", &printed::table("noise", &printed::NOISE)?)?;
    for (name, followed) in GROWN {
        let post_hoc = is_post_hoc(name);
        pages.put(name, &slopes::markdown(&rows::<slopes::Row>(name)?, followed, post_hoc))?;
    }
    let by_program = releases::tables(&of_releases()?);
    let by_program: String = by_program.iter().map(|table| markdown_table(table) + "\n").collect();
    pages.put(&format!("{GENERATIONS}-releases"), &by_program)?;
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
    Ok(pages.0)
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
    let through = releases::picture(&of_releases()?, DRAWN);
    let all = slopes.map(|svg| file(GROWTH, &svg, slopes::CAPTION)).into_iter();
    let asked = forecast::picture(&methods, &rows::<Foretold>(FORECAST)?);
    let asked = asked.map(|svg| file(FORECAST, &svg, forecast::CAPTION));
    let all = all.chain(through.map(|svg| file(GENERATIONS, &svg, releases::CAPTION)));
    Ok(all.chain(foretold.map(|svg| file(ELO, &svg, foretell::CAPTION))).chain(asked).chain(graded).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_goes_to_the_one_page_that_wants_it() {
        let marks = "# A\n<!-- BEGIN: t -->\n<!-- END: t -->\n";
        let page = |path: &str, text: &str| (path.to_owned(), text.to_owned());
        let mut pages = Pages(vec![page("a", marks), page("b", "# B\n")]);
        pages.put("t", "| x |").unwrap();
        assert!(pages.0[0].1.contains("| x |") && pages.0[1].1 == "# B\n");
        assert!(pages.put("u", "").is_err(), "nobody wants it");
        pages.0[1].1 = marks.to_owned();
        assert!(pages.put("t", "").is_err(), "two want it");
    }
}
