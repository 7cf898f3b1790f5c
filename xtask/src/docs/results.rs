//! The parts that answer questions with our own search and next to other programs: of the pages of results, of what would be shown by how
//! much, of how to read what commands print, and of which pruning transfers from game to game.

use super::pages::{Pages, matches_of_worth};
use super::printed::rows;
use super::{
    AUDITED, CROSSED, File, RUNS, WORTHS, at_a_glance, at_budget, at_depth, body, front, made, of_report,
    of_sections, pooled, run, tables, theirs, together,
};
use secateur::cli::evidence::{committed_match, left_out};
use secateur::cli::facts::{Figures, roots, solutions};
use secateur::cli::failure::{Failure, Outcome};
use secateur_lab::prose::paper::Paper;
use secateur_lab::studies::evaluation::{Strength, Worth};
use secateur_lab::studies::{
    evaluation, forecast, foretell, how_many, peer_answers, releases, slopes, transfer,
};
use secateur_record::sites::{FILE, Sites};
use secateur_reports::compare::conclude;
use secateur_reports::evidence::Evidence;
use secateur_reports::format::ratio;
use secateur_reports::page::brief;
use secateur_reports::render::markdown_table;
use secateur_reports::svg::captioned;
use secateur_reports::table::Table;
use secateur_reports::{lines, peers, play, promises, regret, table2, worth};
use secateur_stats::compare::{Side, side_by_side};
use secateur_stats::elo::Score;
use secateur_stats::forecast::Forecast;
use secateur_stats::foretell::{ALL, ALL_BUT, Foretells, Foretold};
use secateur_stats::group::{Group, groups_of};
use secateur_stats::growth::Followed;
use secateur_stats::inference::spread::Spread;
use secateur_stats::measures::{MeasureRow, measure_rows};
use secateur_stats::metrics::iterations;
use secateur_stats::play::pair_counts;
use secateur_stats::runs::Runs;
use secateur_stats::worth::worths;
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
/// Tables of what changes: nodes of our own search and of other programs, what moves lose, what is reached in time, and nodes and
/// scores from release to release.
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
/// What the study of evaluations found, and the games in which that is.
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
        let (runs, played) =
            (run(&format!("{name}/searches"))?, matches_of_worth(&Path::new(RUNS).join(name))?);
        pages.put(name, &body(worth::page(&Evidence::of(&runs), &played)))?;
    }
    let shown = Evidence::of(quick);
    let large = shown.groups.iter().filter(|group| group.is_fixed_depth() && group.blocks.len() >= ENOUGH);
    let glance: String = large.map(|group| at_a_glance(group, &shown) + "\n").collect();
    pages.put("quick", &(left_out(quick) + "\n" + &glance + &at_budget(quick)))?;
    pages.put("thresholds", &pooled(&run("thresholds")?, |group| group.is_fixed_depth()))?;
    for (name, followed) in GROWN {
        let post_hoc = is_post_hoc(name);
        pages.put(name, &slopes::markdown(&rows::<slopes::Row>(name)?, followed, post_hoc))?;
    }
    let by_release = format!("{GENERATIONS}-releases");
    pages.put(&by_release, &tables(&releases::tables(&rows(&by_release)?)))?;
    let played = format!("{GENERATIONS_GAMES}-releases");
    pages.put(&played, &markdown_table(&releases::played_table(&rows(&played)?)))?;
    let overall = format!("{GENERATIONS_GAMES}-overall");
    pages.put(&overall, &markdown_table(&releases::overall_table(&rows(&overall)?)))?;
    let published = format!("{GENERATIONS}-published");
    pages.put(&published, &markdown_table(&releases::agreement_table(&rows(&published)?)))?;
    let (strengths, worths) = graded()?;
    pages.put(EVALUATION, &evaluation::markdown(&strengths, &worths))?;
    let asked: Vec<Foretold> = rows(FORECAST)?;
    let (methods, predictors) = foretold()?;
    let models: Vec<Forecast> = rows(&format!("{FORECAST}-models"))?;
    pages.put(FORECAST, &forecast::markdown(&methods, &asked, &models))?;
    // By program there are few methods, and hardly an order that is more than chance: these rows stay in the file.
    let predictors: Vec<Foretells> =
        predictors.into_iter().filter(|row| [ALL, ALL_BUT].contains(&row.program.as_str())).collect();
    let pairs = rows(&format!("{ELO}-together"))?;
    pages.put(ELO, &foretell::markdown(&methods, &predictors, &pairs))?;
    pages.put(EFFORT, &effort_text()?)?;
    pages.put(GUARDS, &at_depth(&run(GUARDS)?))?;
    for name in SHOWN {
        let runs = run(name)?;
        pages.put(name, &(at_depth(&runs) + &made(&runs)))?;
    }
    let [predicted, tails] = figures.scatter.clone();
    let scatter = [theirs::below_prediction(predicted), tails];
    pages.put("scatter", &tables(&scatter))?;
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

/// The rows of the study of evaluations: its matches, and what methods are worth.
fn graded() -> Result<(Vec<Strength>, Vec<Worth>), Failure> {
    Ok((rows(&format!("{EVALUATION}-games"))?, rows(EVALUATION)?))
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
        let svg = evaluation::picture(&strengths, &worths, game)?;
        Some(file(&format!("{EVALUATION}-{game}"), &svg, evaluation::CAPTION))
    });
    let saved = rows(&format!("{GENERATIONS}-releases"))?;
    let through = releases::picture(&saved, &rows(&format!("{GENERATIONS_GAMES}-releases"))?, DRAWN);
    let all = slopes.map(|svg| file(GROWTH, &svg, slopes::CAPTION)).into_iter();
    let asked = forecast::picture(&methods, &rows::<Foretold>(FORECAST)?);
    let asked = asked.map(|svg| file(FORECAST, &svg, forecast::CAPTION));
    let all = all.chain(through.map(|svg| file(GENERATIONS, &svg, releases::CAPTION)));
    Ok(all.chain(foretold.map(|svg| file(ELO, &svg, foretell::CAPTION))).chain(asked).chain(graded).collect())
}

/// The run.
pub(super) const EFFORT: &str = "effort";
/// Least share of moves kept that is asked for, a column each.
const KEPT: [f64; 4] = [0.98, 0.95, 0.9, 0.8];

/// The best of as many settings of every method, by what the suite `effort` says for equal demands on the moves, and then all of them.
pub(super) fn effort_text() -> Result<String, Failure> {
    let runs = run(EFFORT)?;
    let measures = measure_rows(&groups_of(&runs), &iterations(&runs.iterations));
    let whole: Vec<&MeasureRow> = measures.iter().filter(|row| row.stage == "all").collect();
    let text = markdown_table(&best(&whole)) + &pooled(&runs, |group| group.is_fixed_depth());
    Ok(text + "\n" + &made(&runs))
}

/// For every game and method the setting that saves most among those that keep enough moves.
fn best(rows: &[&MeasureRow]) -> Table {
    let mut methods: Vec<(&str, &str)> = Vec::new();
    for row in rows.iter().filter(|row| row.methods != "none" && row.measure == "nodes_saved") {
        let key = (row.game.as_str(), name(&row.methods));
        if !methods.contains(&key) {
            methods.push(key);
        }
    }
    let row = |(game, method): (&str, &str)| {
        let arms: Vec<&MeasureRow> =
            rows.iter().copied().filter(|row| row.game == game && name(&row.methods) == method).collect();
        let full = cell(rows, game, "none", "regret");
        let settings = arms.iter().filter(|row| row.measure == "nodes_saved");
        let kept = KEPT.map(|least| {
            let best = best_of(&arms, |arm| cell(&arms, game, arm, "same_move").is_some_and(|x| x >= least));
            (format!("{:.0} % of the moves", 100.0 * least), best)
        });
        let no_loss = best_of(&arms, |arm| cell(&arms, game, arm, "regret") <= full && full.is_some());
        let lead = [("<game", game), ("<method", method), ("settings", &settings.count().to_string())];
        let lead = lead.map(|(heading, cell)| (heading.to_owned(), cell.to_owned()));
        let last = ("loses no more than none".to_owned(), no_loss);
        lead.into_iter().chain(kept).chain([last]).collect::<Vec<_>>()
    };
    methods.into_iter().map(row).collect()
}

/// The name of an arm's method without its setting.
fn name(arm: &str) -> &str {
    arm.split('[').next().unwrap_or(arm)
}

/// A number of an arm.
fn cell(rows: &[&MeasureRow], game: &str, arm: &str, measure: &str) -> Option<f64> {
    let wanted = |row: &&&MeasureRow| row.game == game && row.methods == arm && row.measure == measure;
    rows.iter().find(wanted).and_then(|row| row.estimate)
}

/// The setting with the largest speed-up among those allowed, with that speed-up.
fn best_of(rows: &[&MeasureRow], allowed: impl Fn(&str) -> bool) -> String {
    let speedups = rows.iter().filter(|row| row.measure == "nodes_saved" && allowed(&row.methods));
    let best = speedups.filter_map(|row| Some((row.estimate?, *row))).max_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or("-".to_owned(), |(speedup, row)| {
        let setting = row.methods.split_once('[').map_or("", |(_, rest)| rest.trim_end_matches(']'));
        // The pairs are the same in every setting.
        let setting = setting.rsplit_once("]],").map_or(setting, |(_, last)| last);
        format!("{} ({setting})", ratio(speedup))
    })
}

/// Puts in what runs and matches of each size would show, from the spread of the programs with switches and of the matches in the tree.
pub(super) fn put_how_many(pages: &mut Pages) -> Outcome {
    let (mut spreads, mut scores): (Vec<Spread>, Vec<Score>) = Default::default();
    for name in WORTHS {
        let searches = run(&format!("{name}/searches"))?;
        for group in groups_of(&searches).iter().filter(|group| group.is_fixed_depth()) {
            spreads.extend(worths(group, &[]).iter().filter_map(|worth| Some(worth.nodes.as_ref()?.spread)));
        }
        let played = matches_of_worth(&Path::new(RUNS).join(name))?;
        scores.extend(played.iter().filter_map(|played| pair_counts(&played.ended.rows).score()));
    }
    pages.put("positions", &markdown_table(&how_many::positions(&spreads)))?;
    pages.put("games", &markdown_table(&how_many::games(&scores)))
}

/// The run whose page of worth is explained.
const WORTH_SEARCHES: &str = "worth-toga2/searches";
/// Columns of the terminal.
const WIDTH: u16 = 130;
/// The method sets of the quick run that are compared.
const SETS_COMPARED: [&str; 2] = ["null-move", "null-move+mpc"];

/// Puts in what `worth`, `bench` and `compare` print of committed runs, for the page that explains how to read it.
pub(super) fn put_reading(pages: &mut Pages, quick: &Runs) -> Outcome {
    let searches = run(WORTH_SEARCHES)?;
    let evidence = Evidence::of(quick);
    let block = evidence.groups.iter().find(|group| front(group));
    let block = block.map(|group| brief::block(group, &evidence, WIDTH));
    let missing = || Failure::input("quick: found no block of the README");
    let sides = SETS_COMPARED.map(|methods| Side { name: "quick", runs: quick, methods: Some(methods) });
    let [first, second] = sides;
    let compared = conclude(&side_by_side(first, second, false)?).report;
    pages
        .put("worth", &fenced(&brief::of_worth(&Evidence::of(&searches), &[], WIDTH).unwrap_or_default()))?;
    pages.put("bench", &fenced(&block.ok_or_else(missing)?))?;
    pages.put("compare", &of_report(&compared))
}

/// A text as a terminal shows it.
fn fenced(text: &str) -> String {
    format!("```text\n{}\n```", text.trim_matches('\n'))
}

/// The run, and the part of the page.
const TRANSFER: &str = "transfer";

/// Puts in which pruning transfers from game to game, the same methods in all games, and gives the picture as a file.
pub(super) fn put_transfer(pages: &mut Pages) -> Result<File, Failure> {
    let runs = run(TRANSFER)?;
    let groups: Vec<Group<'_>> = groups_of(&runs).into_iter().filter(Group::is_fixed_depth).collect();
    let section = transfer::section(&groups).ok_or_else(|| {
        Failure::input(format!("{TRANSFER}: expected two games at least, each to a fixed depth"))
    })?;
    pages.put(TRANSFER, &(left_out(&runs) + &of_sections(&[section]) + &made(&runs)))?;
    Ok(("docs/transfer.svg".into(), transfer::picture(&groups)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(methods: &str, measure: &str, estimate: f64) -> MeasureRow {
        MeasureRow {
            game: "chess".into(),
            suite: EFFORT.into(),
            budget_kind: "depth".into(),
            budget: 7,
            methods: methods.into(),
            stage: "all".into(),
            measure: measure.into(),
            n: 60,
            estimate: Some(estimate),
            low: None,
            high: None,
            run: EFFORT.into(),
        }
    }

    /// The fastest is taken only where its moves are good enough, by either measure.
    #[test]
    fn what_saves_most_must_keep_enough() {
        let mut rows = vec![row("none", "regret", 2.0)];
        for (arm, speedup, kept, regret) in
            [("mpc[pairs=[[2,4]],t=0.5]", 9.0, 0.85, 3.0), ("mpc[pairs=[[2,4]],t=1.0]", 4.0, 0.96, 2.0)]
        {
            rows.push(row(arm, "nodes_saved", speedup));
            rows.push(row(arm, "same_move", kept));
            rows.push(row(arm, "regret", regret));
        }
        let text = markdown_table(&best(&rows.iter().collect::<Vec<_>>()));
        let wanted = "| chess | mpc | 2 | - | 4.00 (t=1.0) | 4.00 (t=1.0) | 9.00 (t=0.5) | 4.00 (t=1.0) |";
        assert!(text.contains(wanted), "{text}");
    }
}
