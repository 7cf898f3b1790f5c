//! What a page can show of a run, a match or a table: named views, of which the mark of a generated part names one or several.
//!
//! `<!-- BEGIN: quick: left-out + methods depth -->` is two views of the run `quick`, one below the other; a later one may be of another
//! source: `tune-modern: course + play-tuned: matches`. Behind the name of a view stand the words that it knows.

use super::columns::{self, Row};
use super::concise::{body, made, of_report, of_section, of_sections, tables};
use super::pages::entries;
use super::source::{Filter, GROUPS, Source};
use super::{concise, quoted};
use secateur::cli::evidence::{committed_match, left_out};
use secateur::cli::facts::{predictions, solutions};
use secateur::cli::failure::Failure;
use secateur::cli::reading::text_of;
use secateur::cli::speed::folders;
use secateur::cli::tune;
use secateur_base::number::plural;
use secateur_base::unknown::Unknown;
use secateur_lab::coverage;
use secateur_lab::prose::paper::Paper;
use secateur_lab::studies::{
    check_gains, dice, effort, evaluation, forecast, foretell, how_many, left_out as members, peer_answers,
    published, releases, slopes, transfer,
};
use secateur_lab::tune::{Course, TUNED};
use secateur_lab::{net, posterior};
use secateur_positions::builtin::is_reserved;
use secateur_record::sites::{FILE, Sites};
use secateur_record::table::rows;
use secateur_reports::compare::conclude;
use secateur_reports::evidence::Evidence;
use secateur_reports::format::{count, p_words, share_within};
use secateur_reports::page::brief;
use secateur_reports::play::{elo, won_drawn_lost};
use secateur_reports::render::markdown_table;
use secateur_reports::table::{Report, Table};
use secateur_reports::{
    factorial, lines, peers, play, pooled, promises, regret, solved, speed, table2, worth,
};
use secateur_stats::compare::{Side, side_by_side};
use secateur_stats::foretell::{ALL, ALL_BUT, Foretells};
use secateur_stats::group::{Group, groups_of};
use secateur_stats::growth::Followed;
use secateur_stats::inference::judged;
use secateur_stats::metrics::iterations;
use secateur_stats::play::{mean_depth, pair_counts};
use secateur_stats::read::read;
use secateur_stats::worth::worths;
use secateur_suites::shards::costs::Price;
use serde::de::DeserializeOwned;
use std::path::Path;

/// What a view makes of the sources before its colon.
type View = fn(&[Source], &Filter) -> Result<String, Failure>;

/// Every view: its name, the words that may stand behind it, and what it makes.
const VIEWS: &[(&str, &[&str], View)] = &[
    // Of a run of searches.
    ("left-out", &[], |of, _| Ok(left_out(of[0].searches()?))),
    ("methods", &[GROUPS], methods),
    ("glance", &[GROUPS, "only"], glance),
    ("stages", &[GROUPS], stages),
    ("regret", &[], |of, _| Ok(of_sections(regret::section(&groups_of(of[0].searches()?)).as_slice()))),
    ("solved", &[], |of, _| Ok(of_sections(solved::section(&Evidence::of(of[0].searches()?)).as_slice()))),
    ("check-gains", &[], |of, _| {
        Ok(check_gains::table(of[0].searches()?).as_ref().map(markdown_table).unwrap_or_default())
    }),
    ("promises", &[], |of, _| Ok(of_sections(promises::section(of[0].searches()?).as_slice()))),
    ("together", &[], together),
    ("effort", &[], |of, _| {
        let runs = of[0].searches()?;
        Ok(markdown_table(&effort::table(&groups_of(runs), &iterations(&runs.iterations))))
    }),
    ("transfer", &[GROUPS], |of, filter| {
        Ok(of_sections(transfer::section(&filter.groups(of[0].searches()?)?).as_slice()))
    }),
    ("exact", &[], |of, _| Ok(tables(&dice::exact(of[0].searches()?.clone()).map_err(Failure::input)?))),
    ("peers", &[], |of, _| Ok(of_sections(&peers::sections(of[0].searches()?)))),
    ("answers", &[], |of, _| {
        Ok(peer_answers::table(of[0].searches()?, &solutions()?)
            .as_ref()
            .map(markdown_table)
            .unwrap_or_default())
    }),
    ("price", &[], price),
    ("made", &[], |of, _| Ok(made(of[0].searches()?))),
    // Reports of runs, matches and programs, with the headings of their sections or without.
    ("table2", &[], |of, _| {
        let mut report = table2(of[0].searches()?);
        published::below_table_2(&mut report);
        Ok(body(report))
    }),
    ("lines", &[], |of, _| {
        Ok(body(lines::report(of[0].searches()?, &Sites::read(&of[0].folder().join(FILE))?)))
    }),
    ("worth", &["headings"], |of, filter| {
        Ok(report(worth::page(&Evidence::of(of[0].searches()?), &of[0].played()?), filter))
    }),
    ("worth-games", &[], worth_games),
    ("match", &[], |of, _| Ok(of_report(&play::report(&committed_match(&of[0].folder())?)))),
    ("matches", &["columns"], matches),
    ("compare", &["first", "second"], compare),
    ("speed", &[], speed_ratios),
    // What commands print.
    ("worth-printed", &[], |of, _| {
        Ok(fenced(&brief::of_worth(&Evidence::of(of[0].searches()?), &[], WIDTH).unwrap_or_default()))
    }),
    ("bench-printed", &[GROUPS], |of, filter| {
        let evidence = Evidence::of(of[0].searches()?);
        let groups = evidence.groups.iter().filter(|group| filter.picks(group));
        Ok(fenced(&groups.take(1).map(|group| brief::block(group, &evidence, WIDTH)).collect::<String>()))
    }),
    ("code", &["of"], |of, filter| quoted(&of[0].name, filter.value("of")?)),
    // Tables of rows, and studies of them.
    ("table", &["columns"], |of, filter| {
        let name = if filter.has("columns") { filter.value("columns")? } else { &of[0].name };
        Ok(markdown_table(&columns::table(name, &of[0].name, of[0].cells()?)?))
    }),
    ("coverage", &[], |of, _| simulated(of, coverage::table)),
    ("coverage-estimates", &[], |of, _| simulated(of, coverage::estimates)),
    ("coverage-decisions", &[], |of, _| simulated(of, coverage::decisions)),
    ("slopes", &["of"], slopes_of),
    ("releases", &[], |of, _| Ok(tables(&releases::tables(&of[0].rows()?)))),
    ("releases-played", &[], |of, _| Ok(markdown_table(&releases::played_table(&of[0].rows()?)))),
    ("releases-overall", &[], |of, _| Ok(markdown_table(&releases::overall_table(&of[0].rows()?)))),
    ("releases-agreement", &[], |of, _| Ok(markdown_table(&releases::agreement_table(&of[0].rows()?)))),
    ("grades", &[], |of, _| Ok(evaluation::markdown(&source(of, 0)?.rows()?, &source(of, 1)?.rows()?))),
    ("foretell", &[], foretold),
    ("forecast", &[], |of, _| {
        Ok(forecast::markdown(&source(of, 0)?.rows()?, &source(of, 1)?.rows()?, &source(of, 2)?.rows()?))
    }),
    ("predictions", &[], |of, _| predicted(of, published::below_prediction)),
    ("regressions", &[], |of, _| predicted(of, published::below_regression)),
    ("spreads", &[], |of, _| predicted(of, |table| table)),
    ("models", &[], |_, _| Ok(markdown_table(&dice::models().map_err(Failure::input)?))),
    ("growth-of-errors", &[], |_, _| Ok(markdown_table(&dice::growth().map_err(Failure::input)?))),
    ("cuts", &[GROUPS], cuts),
    ("net", &[], |of, _| {
        Ok(markdown_table(&net::table(
            &groups_of(of[0].searches()?),
            &source(of, 1)?.rows::<net::Confirmed>()?,
        )))
    }),
    ("members", &["set"], |of, filter| {
        let worths =
            members::worths(filter.value("set")?, &groups_of(of[0].searches()?), &source(of, 1)?.matches()?);
        let orders =
            members::orders(&worths).into_iter().map(|line| format!("\n{line}\n")).collect::<String>();
        Ok(markdown_table(&members::table(&worths)) + &orders)
    }),
    ("course", &[], |of, _| {
        let (dir, file) = (of[0].folder(), text_of(of[0].folder().join(TUNED))?);
        let course = Course::read(&dir)?;
        let (summary, steps) = (tune::summary(&course), markdown_table(&tune::table(&course)));
        Ok(format!("{summary}\n\n{steps}\n```toml\n{}```", file.trim_start()))
    }),
    ("positions-needed", &[], |of, _| {
        let mut spreads = Vec::new();
        for source in of {
            for group in groups_of(source.searches()?).iter().filter(|group| group.is_fixed_depth()) {
                spreads
                    .extend(worths(group, &[]).iter().filter_map(|worth| Some(worth.nodes.as_ref()?.spread)));
            }
        }
        Ok(markdown_table(&how_many::positions(&spreads)))
    }),
    ("games-needed", &[], |of, _| {
        let mut scores = Vec::new();
        for source in of {
            scores
                .extend(source.played()?.iter().filter_map(|played| pair_counts(&played.ended.rows).score()));
        }
        Ok(markdown_table(&how_many::games(&scores)))
    }),
];

/// What a mark asks for.
pub(super) fn part(mark: &str) -> Result<String, Failure> {
    let (mut sources, mut text) = (Vec::new(), String::new());
    for term in mark.split(" + ") {
        let view = match term.split_once(": ") {
            Some((named, view)) => {
                sources = named.split(", ").map(Source::named).collect::<Result<Vec<_>, _>>()?;
                view
            }
            None => term,
        };
        if sources.is_empty() {
            return Err(Failure::input(format!("found `{mark}`, expected `RUN: VIEW`")));
        }
        let mut asked = view.split_whitespace();
        let name = asked.next().unwrap_or_default();
        let names = || VIEWS.iter().map(|(name, ..)| *name).collect::<Vec<_>>();
        let (_, keys, make) = VIEWS
            .iter()
            .find(|(other, ..)| *other == name)
            .ok_or_else(|| Failure::input(Unknown::new("view", name, &names())))?;
        let filter = Filter::parse(asked, keys).map_err(Failure::input)?;
        let made = make(&sources, &filter)
            .map_err(|failure| Failure::input(format!("{term}: {}", failure.message())))?;
        if made.trim().is_empty() {
            return Err(Failure::input(format!(
                "{term}: there is nothing to show; name a view of what the source has"
            )));
        }
        text += &format!("{}\n\n", made.trim_matches('\n'));
    }
    Ok(text)
}

/// The source at a place of the list before the colon.
fn source(of: &[Source], at: usize) -> Result<&Source, Failure> {
    of.get(at).ok_or_else(|| {
        Failure::input(format!("found {}, expected {} at least", plural(of.len(), "source"), at + 1))
    })
}

/// Sentences and pooled tables of groups, and what was left out.
fn methods(of: &[Source], filter: &Filter) -> Result<String, Failure> {
    let runs = of[0].searches()?;
    let mut text = String::new();
    for group in filter.groups(runs)? {
        let section = concise::concise(&pooled::section(&group, runs));
        text += &format!("\n**{}** ({} positions)\n\n", section.title, group.blocks.len());
        text += &section.tables.iter().map(markdown_table).collect::<String>();
    }
    Ok(text + "\n" + &left_out(runs))
}

/// Positions from which on a group is shown at a glance; smaller ones are there for their counts of instructions.
const ENOUGH: usize = 10;

/// Groups in one table each, with all rows or some.
fn glance(of: &[Source], filter: &Filter) -> Result<String, Failure> {
    let shown = Evidence::of(of[0].searches()?);
    let mut text = String::new();
    for group in shown.groups.iter().filter(|group| filter.picks(group) && group.blocks.len() >= ENOUGH) {
        let mut table = brief::table_of(group, &shown);
        if filter.has("only") {
            let rows: Vec<&str> = filter.value("only")?.split(',').collect();
            let missing = |row: &&&str| table.rows.iter().all(|other| other[0] != **row);
            if let Some(row) = rows.iter().find(missing) {
                return Err(Failure::input(format!("only: found no row `{row}`")));
            }
            table.rows.retain(|row| rows.contains(&row[0].as_str()));
        }
        text += &format!(
            "**{}**, {} positions\n\n{}\n",
            group.heading(),
            group.blocks.len(),
            markdown_table(&table)
        );
    }
    Ok(text)
}

/// What a program says of its searches, as far as it says anything: by stage to a depth, else of all positions.
fn stages(of: &[Source], filter: &Filter) -> Result<String, Failure> {
    let runs = of[0].searches()?;
    let section = |group: &Group<'_>| match group.is_fixed_depth() {
        true => pooled::by_stage(group),
        false => pooled::section(group, runs),
    };
    Ok(of_sections(&filter.groups(runs)?.iter().map(section).collect::<Vec<_>>()))
}

/// What methods save together, a heading for each group: what was crossed, and the tables. Sentences about each pair say what the table of
/// pairs says.
fn together(of: &[Source], _: &Filter) -> Result<String, Failure> {
    let mut text = String::new();
    for part in factorial::parts(&groups_of(of[0].searches()?)) {
        text += &format!("\n### {}\n", part.title);
        text += &part.text.first().map(|lead| format!("\n{lead}\n")).unwrap_or_default();
        text += &part.tables.iter().map(|table| format!("\n{}", markdown_table(table))).collect::<String>();
    }
    Ok(text)
}

/// Sizes of larger runs in the table of what they would cost.
const CELLS: [u64; 2] = [100_000, 10_000_000];
/// Cores that somebody may have.
const CORES: [u64; 3] = [1, 20, 200];

/// What the run of this suite cost, with the positions that are left out elsewhere, and what larger ones like it would.
fn price(of: &[Source], _: &Filter) -> Result<String, Failure> {
    let price = Price::of(&read(&[of[0].folder()])?.records);
    let row = |cells: u64| {
        let hours = CORES.map(|cores| time(price.hours(cells) / cores as f64, price.most));
        let headings = ["CPU hours", "on 20 cores", "on 200 cores"];
        [("cells", count(cells))].into_iter().chain(headings.into_iter().zip(hours)).collect::<Vec<_>>()
    };
    let table: Table = [price.cells].into_iter().chain(CELLS).map(row).collect();
    Ok(format!(
        "The suite `{}` is {} cells in {} units. A unit takes {:.1} s in the median, one in a hundred more than {:.0} s, the dearest \
         {:.0} s.\n\n{}",
        of[0].name,
        count(price.cells),
        count(price.units),
        price.median,
        price.p99,
        price.most,
        markdown_table(&table)
    ))
}

/// Hours in words; less than the dearest unit nothing takes.
fn time(hours: f64, least: f64) -> String {
    let seconds = (hours * 3600.0).max(least);
    match seconds {
        ..100.0 => format!("{seconds:.0} s"),
        ..6000.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}

fn report(report: Report, filter: &Filter) -> String {
    if filter.has("headings") { body(report) } else { of_report(&report) }
}

/// The games of several programs side by side.
fn worth_games(of: &[Source], _: &Filter) -> Result<String, Failure> {
    let measured = of.iter().map(|source| Ok((source.searches()?, source.played()?)));
    let measured = measured.collect::<Result<Vec<_>, Failure>>()?;
    Ok(of_sections(worth::study(&measured).as_slice()))
}

/// A row for each match of a folder: its name, its players and what came of them, with the p-value of an even score, corrected for the
/// matches of the folder.
fn matches(of: &[Source], filter: &Filter) -> Result<String, Failure> {
    let played = of[0].matches()?;
    let tests: Vec<_> = played.values().map(members::even).collect();
    let mut rows: Vec<Row> = Vec::new();
    for ((name, ended), judged) in played.into_iter().zip(judged(tests)) {
        let settings = &ended.file.settings;
        let [first, second] = settings.names().map(|name| name.to_string());
        let counts = pair_counts(&ended.rows);
        let mean = counts.score().map(|score| score.mean()).filter(|mean| mean.ends().is_some());
        let depth = |player| format!("{:.2}", mean_depth(ended.rows.iter().map(|row| row.effort(player))));
        let cells = [
            ("name", name),
            ("first", first),
            ("second", second),
            ("limit", settings.limit.to_string()),
            ("budget", settings.budget()),
            ("seed", settings.seed.to_string()),
            ("openings", counts.score().map_or(0, |score| score.trials as usize).to_string()),
            ("result", won_drawn_lost(&ended.rows)),
            ("pairs", format!("{}, {}, {}", counts.0[0], counts.0[2], counts.0[4])),
            ("score", share_within(mean)),
            ("elo", elo(&ended.rows)),
            ("depths", [0, 1].map(depth).join(" to ")),
            ("p", p_words(Some(judged.p))),
        ];
        rows.push(cells.into_iter().map(|(column, cell)| (column.to_owned(), cell)).collect());
    }
    let columns = if filter.has("columns") { filter.value("columns")? } else { &of[0].name };
    Ok(markdown_table(&columns::table(columns, &of[0].name, rows)?))
}

/// What `compare` says of two method sets of a run.
fn compare(of: &[Source], filter: &Filter) -> Result<String, Failure> {
    let (name, runs) = (&*of[0].name, of[0].searches()?);
    let [first, second] = [filter.value("first")?, filter.value("second")?];
    let [first, second] = [first, second].map(|methods| Side { name, runs, methods: Some(methods) });
    Ok(of_report(&conclude(&side_by_side(first, second, false)?).report))
}

/// How fast this program is next to others: ratios alone, and what made them.
fn speed_ratios(of: &[Source], _: &Filter) -> Result<String, Failure> {
    let comparisons = folders(&of[0].folder())?;
    let ratios = speed::ratios(&comparisons);
    let parts = ratios.iter().map(|section| format!("### {}\n\n{}", section.title, of_section(section)));
    Ok(parts.collect::<String>() + &of_sections(speed::made(&comparisons).as_slice()))
}

/// Columns of the terminal.
const WIDTH: u16 = 130;

/// A text as a terminal shows it.
fn fenced(text: &str) -> String {
    format!("```text\n{}\n```", text.trim_matches('\n'))
}

/// A table of what was simulated.
fn simulated<R: DeserializeOwned>(of: &[Source], table: fn(&[R]) -> Table) -> Result<String, Failure> {
    Ok(markdown_table(&table(&rows(Path::new(&of[0].name))?)))
}

/// How a number changes: nodes, what moves lose, the depth reached in time, and nodes and scores from release to release.
fn slopes_of(of: &[Source], filter: &Filter) -> Result<String, Failure> {
    let followed = match filter.value("of")? {
        "nodes" => Followed::Nodes,
        "regret" => Followed::Regret,
        "depth" => Followed::Depth,
        "releases" => Followed::Releases,
        "scores" => Followed::Scores,
        other => {
            let numbers = ["nodes", "regret", "depth", "releases", "scores"];
            return Err(Failure::input(Unknown::new("number", other, &numbers)));
        }
    };
    // Whether the test was chosen after its results were seen.
    let papers = Paper::built_in();
    let mut experiments = papers.iter().flat_map(|paper| &paper.experiments);
    let post_hoc =
        experiments.any(|experiment| experiment.post_hoc && experiment.slopes.as_ref() == Some(&of[0].name));
    Ok(slopes::markdown(&of[0].rows::<slopes::Row>()?, followed, post_hoc))
}

/// The methods, how each predictor does, and pairs of programs.
fn foretold(of: &[Source], _: &Filter) -> Result<String, Failure> {
    // By program there are few methods, and hardly an order that is more than chance: these rows stay in the file.
    let mut predictors: Vec<Foretells> = source(of, 1)?.rows()?;
    predictors.retain(|row| [ALL, ALL_BUT].contains(&row.program.as_str()));
    Ok(foretell::markdown(&of[0].rows()?, &predictors, &source(of, 2)?.rows()?))
}

/// How well a shallow search predicts a deep one, the first table next to what others published.
fn predicted(of: &[Source], beside: fn(Table) -> Table) -> Result<String, Failure> {
    let mut shown = predictions(&of[0].name, &published::pairs_of_regression())?;
    shown[0] = beside(std::mem::take(&mut shown[0]));
    Ok(tables(&shown))
}

/// The program that takes cuts, and how it was called when the committed ones were taken.
const TAKES: [&str; 2] =
    ["cargo run --release --manifest-path examples/studies/Cargo.toml --bin cuts --", "cargo xtask cuts"];
/// How the names of sets for fitting end.
const FITTING: &str = "-fit";

/// What predicts that a cut breaks: models fitted to the cuts of sets for fitting, judged on those of all other positions of the game.
fn cuts(of: &[Source], filter: &Filter) -> Result<String, Failure> {
    let (mut commands, mut cuts) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    for (_, path) in entries(&of[0].folder())? {
        if path.extension().is_some_and(|extension| extension == "csv") {
            let (origin, rows) = posterior::read(&path)?;
            if filter.game().is_none_or(|game| origin.game == game) {
                let part = usize::from(!origin.positions.ends_with(FITTING));
                commands[part].push(format!("`{}`", origin.command.replace(TAKES[1], TAKES[0])));
                cuts[part].extend(rows.into_iter().filter(|row| !is_reserved(&row.source)));
            }
        }
    }
    let taken = |what: &str, part: usize| {
        format!(
            "{what} {} cuts, none of positions on which thresholds were chosen: {}.\n\n",
            cuts[part].len(),
            commands[part].join("; ")
        )
    };
    let judged = posterior::tables(&cuts[0], &cuts[1]).map_err(Failure::input)?;
    Ok(tables(&judged) + &taken("Fitted to", 0) + &taken("Judged on", 1))
}
