//! `docs`: the generated parts of the documents, from the runs that are committed under `docs/runs` and from
//! the committed fit.

mod concise;
mod dice;
mod effort;
mod folder;
mod forced;
mod how_many;
mod left_out;
mod marks;
mod modern;
mod papers;
mod pentanomials;
mod posterior;
mod printed;
mod reading;
mod results;
mod switches;
mod theirs;
mod throws;
mod transfer;

use crate::prices::prices;
use folder::matches;
use secateur::cli::comparison::folders;
use secateur::cli::evidence::{searches_in, left_out};
use secateur::cli::facts::Sources;
use secateur::cli::failure::{Failure, Outcome};
use secateur::cli::figures::figures;
use secateur::cli::put::put;
use secateur::cli::reading::in_checkout;
use secateur::cli::say::{message, say};
use secateur_reports::page::{brief, forest};
use secateur_reports::prose::fill;
use secateur_reports::prose::marks::Marks;
use secateur_reports::prose::typed::typed;
use secateur_reports::render::{markdown, markdown_table};
use secateur_reports::splice::splice;
use secateur_reports::svg::captioned;
use secateur_reports::table::{Report, Section, Table};
use secateur_reports::worth::Played;
use secateur_reports::{check_gains, coverage, factorial, promises, provenance, regret, solved, worth};
use secateur_stats::coverage::read as read_simulated;
use secateur_stats::group::{Group, groups_of};
use secateur_stats::read::read;
use secateur_stats::runs::Runs;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

/// Arguments of `docs`.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  cargo xtask bench table2 --out docs/runs/table2 && cargo xtask docs")]
pub(crate) struct Flags {
    /// Only check that everything is current
    #[arg(long)]
    check: bool,
}

/// The command named in every generated part.
const COMMAND: &str = "cargo xtask docs";
const RUNS: &str = "docs/runs";
/// The run with an audit.
const AUDITED: &str = "calibration";
/// The run with every combination of several methods.
const CROSSED: &str = "factorial";
/// The documents that have prose with marks and no generated part.
const PROSE: &[&str] = &["docs/RESULTS.md", "docs/BIAS.md", "docs/developers/READERS.md", "docs/SHOGI.md"];
/// The document that quotes the examples.
const ADDING: &str = "docs/ADDING.md";
/// Its quotations: name, file, and the words that mark where one begins and ends.
const QUOTED: [(&str, &str, &str); 4] = [
    ("own-search", "examples/own_search/benches/ablation.rs", "glue"),
    ("own-method", "examples/own_method/src/main.rs", "glue"),
    ("own-method-prune", "examples/own_method/src/main.rs", "method"),
    ("own-game", "examples/own_game/src/main.rs", "glue"),
];
/// The runs of programs with switches, and the document that they stand in.
const WORTHS: [&str; 4] = ["worth-glaurung", "worth-toga2", "worth-ethereal-12", "worth-stockfish-11"];
/// The runs of every combination of a program's methods, in the same document.
const COMBINED: [&str; 2] = ["factorial-stockfish-11", "factorial-stockfish-11-nodes"];
/// The name of the part that lays the games of all of them side by side.
const STUDY: &str = "study";
/// The runs of Othello programs on the positions of Table 2, in the same document.
const OTHELLO: [&str; 3] = ["table2-ntest", "table2-gtp-rhino", "table2-gtp-rhino-by-ntest"];
const PROGRAMS: &str = "docs/PROGRAMS.md";
/// The document of the Speed against other programs, and the names of its runs, which are those of their parts.
const SPEED: &str = "docs/SPEED.md";
const CLUSTER: &str = "docs/CLUSTER.md";
/// The page of intervals and tests, with what intervals hold.
const STATISTICS: &str = "docs/STATISTICS.md";
/// The page of what the checks catch.
const TESTS: &str = "docs/developers/TESTS.md";
/// The page of measures and columns, all of it from the code.
const MEASURES: &str = "docs/MEASURES.md";
/// Rows of the table in the README.
const FRONT_ROWS: [&str; 5] = ["null-move", "mpc", "futility", "lmr", "razoring+null-move+mpc+futility+lmr"];
const COMPARED: [&str; 6] =
    ["speed", "speed-edax", "speed-edax-16", "speed-hard-20", "speed-hard-25", "speed-instructions"];
impl Flags {
    pub(crate) fn run(self) -> Outcome {
        in_checkout("docs")?;
        let (files, faults) = generated()?;
        put_or_check(files, self.check)?;
        if faults.is_empty() { Ok(()) } else { Err(Failure::gate(faults.join("\n"))) }
    }
}

/// Writes the files that are not current, or only says which these are.
fn put_or_check(files: Vec<File>, check: bool) -> Outcome {
    let mut stale = Vec::new();
    for (path, text) in files {
        let before = std::fs::read_to_string(&path).unwrap_or_default();
        if before == text {
            continue;
        }
        if !check {
            let more = empty_cells(&text).saturating_sub(empty_cells(&before));
            put(&path, text)?;
            say(&format!("written: {}\n", path.display()));
            if more > 0 && !before.is_empty() {
                message(&format!(
                    "{}: {more} more cells are empty; does a run lack a file?\n",
                    path.display()
                ));
            }
        }
        stale.push(path.display().to_string());
    }
    match check && !stale.is_empty() {
        true => Err(Failure::gate(format!("not current: {}; run `{COMMAND}`", stale.join(", ")))),
        false => Ok(()),
    }
}

/// Cells of tables without a number: a run that was archived without a file gives these where there were numbers.
fn empty_cells(text: &str) -> usize {
    let tables = text.lines().filter(|line| line.starts_with('|'));
    tables.flat_map(|line| line.split('|')).filter(|cell| cell.trim() == "-").count()
}

/// A file and what it should hold.
type File = (PathBuf, String);

/// Every generated file with what it should hold, and what is wrong with the prose of the documents.
fn generated() -> Result<(Vec<File>, Vec<String>), Failure> {
    let quick = run("quick")?;
    let fixed_depth: Vec<Group<'_>> = groups_of(&quick).into_iter().filter(Group::is_fixed_depth).collect();
    let shown = brief::Found::of(&quick);
    let picture =
        fixed_depth.iter().find(|group| front(group)).and_then(|group| forest::picture(group, &shown));
    let picture =
        picture.ok_or_else(|| Failure::input("quick: found no block for the picture of the README"))?;

    let mut readme = document("README.md")?;
    let front = fixed_depth.iter().find(|group| front(group)).map(|group| {
        let mut table = brief::table_of(group, &shown);
        table.rows.retain(|row| FRONT_ROWS.contains(&row[0].as_str()));
        headed(group, &table)
    });
    let front = front.ok_or_else(|| Failure::input("quick: found no block for the table of the README"))?;
    readme = spliced(&readme, "README.md", "quick", &front)?;
    let figures = figures(&theirs::pairs_of_regression())?;
    let audited = run(AUDITED)?;
    let factorial = run(CROSSED)?;
    let crossed = groups_of(&factorial);
    let (transferred, across) = transfer::part()?;
    let results = results::pages(&quick, &audited, &factorial, &crossed, &figures, &transferred)?;
    let statistics = (STATISTICS.into(), statistics()?);
    let tests = (TESTS.into(), spliced(&document(TESTS)?, TESTS, "mutants", &printed::mutants()?)?);
    let adding = (ADDING.into(), quoting(&document(ADDING)?)?);
    let mut documents = vec![
        ("README.md".to_owned(), readme),
        (PROGRAMS.to_owned(), programs()?),
        (SPEED.to_owned(), speed()?),
        (CLUSTER.to_owned(), cluster()?),
        (modern::MODERN.to_owned(), modern::page()?),
        (posterior::POSTERIOR.to_owned(), posterior::page()?),
        (dice::DICE.to_owned(), dice::page()?),
        (forced::PAGE.to_owned(), forced::page()?),
        (how_many::PAGE.to_owned(), how_many::page()?),
        (reading::PAGE.to_owned(), reading::page(&quick)?),
    ];
    documents.extend(results);
    let (mut sources, (mut marks, lists)) = (Sources::default(), marks::all()?);
    documents.extend(papers::pages(&mut sources, &mut marks)?);
    for path in PROSE {
        documents.push(((*path).to_owned(), document(path)?));
    }
    let mut faults = filled(&mut documents, &marks, &mut sources)?;
    let listed = marks::lists(&documents, &marks);
    faults.extend(marks::stale(&lists, &listed));
    let mut files: Vec<File> = vec![statistics, tests, adding, ("docs/quick.svg".into(), picture), across];
    files.extend(listed);
    files.extend(results::study_pictures()?);
    files.push(pentanomials::file()?);
    files.push((MEASURES.into(), secateur_reports::measures::page(COMMAND)));
    files.extend(papers::prices(&sources)?);
    files.extend(documents.into_iter().map(|(path, text)| (path.into(), text)));
    files.extend(figures.pictures);
    let plots = promises::figures(&audited).into_iter();
    let plots = plots.chain(factorial::figures(&crossed));
    files.extend(plots.map(|plot| {
        let path = Path::new("docs").join(plot.file).with_extension("svg");
        (path, captioned(&plot.svg, &plot.caption))
    }));
    Ok((files, faults))
}

/// A group in one table.
fn at_a_glance(group: &Group<'_>, shown: &brief::Found<'_>) -> String {
    headed(group, &brief::table_of(group, shown))
}

fn headed(group: &Group<'_>, table: &Table) -> String {
    format!("**{}**, {} positions\n\n{}", group.heading(), group.blocks.len(), markdown_table(table))
}

/// Whether the README shows this block of `quick`.
fn front(group: &Group<'_>) -> bool {
    (group.game, group.budget) == ("chess", 8)
}

/// The run of this name in the folder of runs.
fn run(name: &str) -> Result<Runs, Failure> {
    searches_in(&Path::new(RUNS).join(name))
}

/// What methods are worth in the programs of other authors.
fn programs() -> Result<String, Failure> {
    let of = |name: &&str| Ok((run(&format!("{name}/searches"))?, matches(&Path::new(RUNS).join(name))?));
    let measured: Vec<(Runs, Vec<Played>)> = WORTHS.iter().map(of).collect::<Result<_, Failure>>()?;
    let mut text = document(PROGRAMS)?;
    for (name, (runs, played)) in WORTHS.iter().zip(&measured) {
        text = spliced(&text, PROGRAMS, name, &of_report(&worth::page(runs, played)))?;
    }
    for name in COMBINED {
        let runs = run(name)?;
        let groups = groups_of(&runs);
        // Nodes are saved to a depth; with fixed nodes it is the depth that differs.
        let by_depth = groups.iter().filter(|group| !group.is_fixed_depth());
        let mut sections: Vec<Section> =
            by_depth.map(|group| secateur_reports::pooled::section(group, &runs)).collect();
        sections.push(provenance::section(&runs));
        text = spliced(&text, PROGRAMS, name, &(together(&groups) + &of_sections(&sections)))?;
    }
    text = spliced(&text, PROGRAMS, STUDY, &of_sections(worth::study(&measured).as_slice()))?;
    OTHELLO.iter().try_fold(text, |text, name| spliced(&text, PROGRAMS, name, &told(&run(name)?)))
}

/// How fast this program is next to others: ratios alone, and what made them; and how merges and reports grow with a run.
fn speed() -> Result<String, Failure> {
    let page = spliced(&document(SPEED)?, SPEED, "growth", &printed::grown()?)?;
    COMPARED.iter().try_fold(page, |page, name| {
        let found = folders(&Path::new(RUNS).join(name))?;
        let mut text = String::new();
        for section in secateur_reports::speed::ratios(&found) {
            text += &format!("### {}\n\n{}", section.title, of_sections(std::slice::from_ref(&section)));
        }
        let made = secateur_reports::speed::made(&found);
        spliced(&page, SPEED, name, &(text + &of_sections(made.as_slice())))
    })
}

/// What shards cost and merges take.
fn cluster() -> Result<String, Failure> {
    // What a run costs is told of all of it.
    let crossed = read(&[Path::new(RUNS).join(CROSSED)])?;
    let text = spliced(&document(CLUSTER)?, CLUSTER, "prices", &prices(CROSSED, &crossed))?;
    ["trial", "overhead"].into_iter().try_fold(text, |text, name| {
        spliced(&text, CLUSTER, name, &printed::table(name, &printed::TRIAL)?)
    })
}

/// What a program says of its searches, as far as it says anything, and what its moves lose.
fn told(runs: &Runs) -> String {
    let groups = groups_of(runs);
    let form = |group: &Group<'_>| match group.is_fixed_depth() {
        true => secateur_reports::table2::section(group),
        false => secateur_reports::pooled::section(group, runs),
    };
    let mut sections: Vec<Section> = groups.iter().map(form).collect();
    sections.extend(regret::section(&groups));
    sections.push(provenance::section(runs));
    left_out(runs) + &of_sections(&sections)
}

/// Fills the marks in the prose of the documents; what is wrong with them, with file and line.
fn filled(
    documents: &mut [(String, String)],
    marks: &Marks,
    sources: &mut Sources,
) -> Result<Vec<String>, Failure> {
    let facts = sources.facts(&marks.sources())?;
    let mut all = Vec::new();
    for (path, text) in documents {
        let (done, mut faults) = fill(text, marks, facts);
        *text = concise::notes_once(&done);
        faults.extend(typed(text));
        all.extend(faults.iter().map(|fault| format!("{path}:{}: {}", fault.line, fault.message)));
    }
    Ok(all)
}

fn document(path: &str) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(Failure::io(Path::new(path)))
}

fn spliced(document: &str, path: &str, name: &str, body: &str) -> Result<String, Failure> {
    splice(document, name, COMMAND, body).map_err(|error| Failure::input(format!("{path}: {error}")))
}

/// The recipes with the code of the examples, which is compiled and run.
fn quoting(recipes: &str) -> Result<String, Failure> {
    QUOTED.iter().try_fold(recipes.to_owned(), |text, (name, file, mark)| {
        let source = document(file)?;
        let missing =
            || Failure::input(format!("{file}: expected `// {mark} begins` and, below, `// {mark} ends`"));
        spliced(&text, ADDING, name, &format!("```rust\n{}\n```", marked(&source, mark).ok_or_else(missing)?))
    })
}

/// The lines between two marks, as far to the left as they go.
fn marked(source: &str, mark: &str) -> Option<String> {
    let is = |line: &&str, end: &str| line.trim() == format!("// {mark} {end}");
    let after = source.lines().skip_while(|line| !is(line, "begins")).skip(1);
    let lines: Vec<&str> = after.clone().take_while(|line| !is(line, "ends")).collect();
    after.clone().find(|line| is(line, "ends"))?;
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let left = lines.iter().filter(|line| !line.is_empty()).map(indent).min()?;
    Some(lines.iter().map(|line| line.get(left..).unwrap_or_default()).collect::<Vec<_>>().join("\n"))
}

/// A table of what was simulated: a committed file, and what makes a table of its rows.
fn simulated<R: DeserializeOwned>(path: &str, table: fn(&[R]) -> Table) -> Result<String, Failure> {
    let rows: Vec<R> =
        read_simulated(&document(path)?).map_err(|error| Failure::input(format!("{path}: {error}")))?;
    Ok(markdown_table(&table(&rows)))
}

/// What intervals hold, as it was simulated.
fn statistics() -> Result<String, Failure> {
    let held = simulated("docs/coverage.csv", coverage::table)?;
    let text = spliced(&document(STATISTICS)?, STATISTICS, "coverage", &held)?;
    let near = simulated("docs/coverage-games.csv", coverage::estimates)?;
    let text = spliced(&text, STATISTICS, "coverage-games", &near)?;
    let games = simulated("docs/coverage-decisions.csv", coverage::decisions)?;
    spliced(&text, STATISTICS, "coverage-decisions", &games)
}

/// The sentences and the pooled tables of the groups that `wanted` picks.
fn pooled(runs: &Runs, wanted: fn(&Group<'_>) -> bool) -> String {
    let groups = groups_of(runs);
    let mut text = String::new();
    for group in groups.iter().filter(|group| wanted(group)) {
        let section = concise::concise(&secateur_reports::pooled::section(group, runs));
        text += &format!("\n**{}** ({} positions)\n\n", section.title, group.blocks.len());
        text += &section.tables.iter().map(markdown_table).collect::<String>();
    }
    match left_out(runs) {
        words if words.is_empty() => text,
        words => text + "\n" + &words,
    }
}

/// What a run says at fixed depth: every method, and what its moves lose.
fn at_depth(runs: &Runs) -> String {
    let lost = regret::section(&groups_of(runs));
    pooled(runs, |group| group.is_fixed_depth()) + "\n" + &of_sections(lost.as_slice())
}

/// What a run at a fixed budget says, with what was solved if its positions have solutions.
fn at_budget(runs: &Runs) -> String {
    let mut text = pooled(runs, |group| !group.is_fixed_depth());
    let solved = solved::section(&groups_of(runs), runs);
    text += "\n";
    text += &of_sections(solved.as_slice());
    if let Some(table) = check_gains::table(runs) {
        text += &markdown_table(&table);
    }
    text
}

/// What methods save together, a heading for each group: what was crossed, and the tables. Sentences about each pair say what the table of
/// pairs says.
fn together(groups: &[Group<'_>]) -> String {
    let mut text = String::new();
    for part in factorial::parts(groups) {
        text += &format!("\n### {}\n", part.title);
        text += &part.text.first().map(|words| format!("\n{words}\n")).unwrap_or_default();
        text += &part.tables.iter().map(|table| format!("\n{}", markdown_table(table))).collect::<String>();
    }
    text
}

/// A report without headings: first what a reader must know of it.
fn of_report(report: &Report) -> String {
    let notes: String = report.notes.iter().map(|note| format!("> {note}\n\n")).collect();
    notes + &of_sections(&report.sections)
}

/// Sections without their titles, as pages show them.
fn of_sections(sections: &[Section]) -> String {
    sections.iter().map(|section| of_section(&concise::concise(section))).collect()
}

fn of_section(section: &Section) -> String {
    let text: String = section.text.iter().map(|words| format!("{words}\n\n")).collect();
    // A table that follows a line of text without a blank one is no table.
    let tables: String = section.tables.iter().map(|table| markdown_table(table) + "\n").collect();
    match section.title == provenance::TITLE {
        true => concise::folded(&(text + &tables)),
        false => text + &tables,
    }
}

/// A report without its title, one heading deeper; what made it is folded at the end.
fn body(mut report: Report) -> String {
    let made: Vec<Section> =
        report.sections.extract_if(.., |section| section.title == provenance::TITLE).collect();
    let lines = markdown(&report);
    let lines = lines.lines().skip(1).map(|line| match line.strip_prefix("## ") {
        Some(heading) => format!("### {heading}"),
        None => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n") + "\n\n" + &of_sections(&made)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_current_is_told_of_or_written() {
        let dir = tempfile::tempdir().unwrap();
        let [kept, old] = ["kept", "old"].map(|name| dir.path().join(name));
        std::fs::write(&kept, "a").unwrap();
        std::fs::write(&old, "b").unwrap();
        let files = || vec![(kept.clone(), "a".to_owned()), (old.clone(), "c".to_owned())];
        let told = format!("{:?}", put_or_check(files(), true).unwrap_err());
        assert!(told.contains("old; run") && !told.contains("kept"), "{told}");
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "b", "a check writes nothing");
        put_or_check(files(), false).unwrap();
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "c");
        put_or_check(files(), true).unwrap();
    }

    #[test]
    fn what_stands_between_marks_is_quoted_from_the_left() {
        let source = "a\n    // glue begins\n    b {\n\n        c\n    }\n    // glue ends\nd\n";
        assert_eq!(marked(source, "glue").as_deref(), Some("b {\n\n    c\n}"));
        assert_eq!(marked(source, "method"), None);
        assert_eq!(marked("// glue begins\nb\n", "glue"), None, "a mark without its other end");
    }
}
