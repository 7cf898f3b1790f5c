//! `docs`: the generated parts of the documents, from the runs that are committed under `docs/runs` and from
//! the committed fit.

mod concise;
mod dice;
mod modern;
mod pages;
mod posterior;
mod printed;
mod results;
mod switches;
mod theirs;

use self::pages::matches_of_worth;
use pages::Pages;
use secateur::cli::evidence::{left_out, searches_in};
use secateur::cli::facts::{Sources, figures};
use secateur::cli::failure::{Failure, Outcome};
use secateur::cli::reading::{in_checkout, text_of};
use secateur::cli::say::{message, put, say};
use secateur::cli::speed::folders;
use secateur_lab::coverage;
use secateur_lab::coverage::read as read_simulated;
use secateur_lab::prose::fill;
use secateur_lab::prose::marks::Marks;
use secateur_lab::prose::typed::typed;
use secateur_lab::studies::check_gains;
use secateur_reports::evidence::Evidence;
use secateur_reports::format::count;
use secateur_reports::page::{brief, plots};
use secateur_reports::render::{markdown, markdown_table};
use secateur_reports::svg::captioned;
use secateur_reports::table::{Report, Section, Table};
use secateur_reports::worth::Played;
use secateur_reports::{factorial, promises, provenance, regret, solved, worth};
use secateur_stats::group::{Group, groups_of};
use secateur_stats::read::read;
use secateur_stats::runs::Runs;
use secateur_suites::shards::costs::Price;
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
/// Quotations of the examples: name, file, and the words that mark where one begins and ends.
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
/// The page of measures and columns, all of it from the code.
const MEASURES: &str = "docs/MEASURES.md";
/// Rows of the table in the README.
const FRONT_ROWS: [&str; 5] = ["null-move", "mpc", "futility", "lmr", "razoring+null-move+mpc+futility+lmr"];
/// The comparisons of speed.
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
    let shown = Evidence::of(&quick);
    let front = shown.groups.iter().find(|group| group.is_fixed_depth() && front(group));
    let front = front.ok_or_else(|| Failure::input("quick: found no block for the README"))?;
    let picture = plots::picture(front, &shown);
    let picture = picture.ok_or_else(|| Failure::input("quick: found no picture for the README"))?;
    let mut table = brief::table_of(front, &shown);
    table.rows.retain(|row| FRONT_ROWS.contains(&row[0].as_str()));
    let figures = figures(&theirs::pairs_of_regression())?;
    let audited = run(AUDITED)?;
    let factorial = run(CROSSED)?;
    let crossed = groups_of(&factorial);
    let mut pages = Pages::read()?;
    pages.put("front", &headed(front, &table))?;
    results::put(&mut pages, &quick, &audited, &factorial, &crossed, &figures)?;
    results::put_reading(&mut pages, &quick)?;
    let across = results::put_transfer(&mut pages)?;
    for put in [programs, speed, prices, statistics, quotations, printed::put, modern::put, posterior::put] {
        put(&mut pages)?;
    }
    dice::put(&mut pages)?;
    results::put_how_many(&mut pages)?;
    let [unmarked, mut documents] = pages.parted();
    let (mut sources, (mut marks, lists)) = (Sources::default(), pages::all_marks()?);
    documents.extend(pages::of_papers(&mut sources, &mut marks)?);
    let mut faults = filled(&mut documents, &marks, &mut sources)?;
    let listed = pages::lists_of_marks(&documents, &marks);
    faults.extend(pages::stale_lists(&lists, &listed));
    let mut files: Vec<File> = vec![("docs/quick.svg".into(), picture), across];
    files.extend(listed);
    files.extend(results::study_pictures()?);
    files.push(printed::matches_file()?);
    files.push((MEASURES.into(), secateur_reports::measures::page(COMMAND)));
    files.extend(pages::costs_of_papers(&sources)?);
    files.extend(unmarked.into_iter().chain(documents).map(|(path, text)| (path.into(), text)));
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
fn at_a_glance(group: &Group<'_>, shown: &Evidence<'_>) -> String {
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
fn programs(pages: &mut Pages) -> Outcome {
    let read =
        |name: &&str| Ok((run(&format!("{name}/searches"))?, matches_of_worth(&Path::new(RUNS).join(name))?));
    let measured: Vec<(Runs, Vec<Played>)> = WORTHS.iter().map(read).collect::<Result<_, Failure>>()?;
    for (name, (runs, played)) in WORTHS.iter().zip(&measured) {
        pages.put(name, &of_report(&worth::page(&Evidence::of(runs), played)))?;
    }
    for name in COMBINED {
        let runs = run(name)?;
        let groups = groups_of(&runs);
        // Nodes are saved to a depth; with fixed nodes it is the depth that differs.
        let by_depth = groups.iter().filter(|group| !group.is_fixed_depth());
        let sections: Vec<Section> =
            by_depth.map(|group| secateur_reports::pooled::section(group, &runs)).collect();
        pages.put(name, &(together(&groups) + &of_sections(&sections) + &made(&runs)))?;
    }
    pages.put(STUDY, &of_sections(worth::study(&measured).as_slice()))?;
    OTHELLO.iter().try_for_each(|name| pages.put(name, &program_tables(&run(name)?)))
}

/// How fast this program is next to others: ratios alone, and what made them.
fn speed(pages: &mut Pages) -> Outcome {
    for name in COMPARED {
        let comparisons = folders(&Path::new(RUNS).join(name))?;
        let mut text = String::new();
        for section in secateur_reports::speed::ratios(&comparisons) {
            text += &format!("### {}\n\n{}", section.title, of_sections(std::slice::from_ref(&section)));
        }
        let made = secateur_reports::speed::made(&comparisons);
        pages.put(name, &(text + &of_sections(made.as_slice())))?;
    }
    Ok(())
}

/// What runs like the largest cost; of all of it, with the positions that are left out elsewhere.
fn prices(pages: &mut Pages) -> Outcome {
    pages.put("prices", &price_of(CROSSED, &read(&[Path::new(RUNS).join(CROSSED)])?))
}

/// What a program says of its searches, as far as it says anything, and what its moves lose.
fn program_tables(runs: &Runs) -> String {
    let groups = groups_of(runs);
    let form = |group: &Group<'_>| match group.is_fixed_depth() {
        true => secateur_reports::pooled::by_stage(group),
        false => secateur_reports::pooled::section(group, runs),
    };
    let mut sections: Vec<Section> = groups.iter().map(form).collect();
    sections.extend(regret::section(&groups));
    left_out(runs) + &of_sections(&sections) + &made(runs)
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

/// The code of the examples, which is compiled and run.
fn quotations(pages: &mut Pages) -> Outcome {
    QUOTED.iter().try_for_each(|(name, file, mark)| {
        let source = text_of(file)?;
        let missing =
            || Failure::input(format!("{file}: expected `// {mark} begins` and, below, `// {mark} ends`"));
        pages.put(name, &format!("```rust\n{}\n```", marked(&source, mark).ok_or_else(missing)?))
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
    let rows: Vec<R> = read_simulated(&text_of(path)?).map_err(Failure::at(path))?;
    Ok(markdown_table(&table(&rows)))
}

/// What intervals hold, as it was simulated.
fn statistics(pages: &mut Pages) -> Outcome {
    pages.put("coverage", &simulated("docs/coverage.csv", coverage::table)?)?;
    pages.put("coverage-games", &simulated("docs/coverage-games.csv", coverage::estimates)?)?;
    pages.put("coverage-decisions", &simulated("docs/coverage-decisions.csv", coverage::decisions)?)
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
        notes if notes.is_empty() => text,
        notes => text + "\n" + &notes,
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
    let solved = solved::section(&Evidence::of(runs));
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
        text += &part.text.first().map(|lead| format!("\n{lead}\n")).unwrap_or_default();
        text += &part.tables.iter().map(|table| format!("\n{}", markdown_table(table))).collect::<String>();
    }
    text
}

/// Tables one below the other.
fn tables(tables: &[Table]) -> String {
    tables.iter().map(|table| markdown_table(table) + "\n").collect()
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
    let text: String = section.text.iter().map(|line| format!("{line}\n\n")).collect();
    // A table that follows a line of text without a blank one is no table.
    let tables = tables(&section.tables);
    match section.title == provenance::TITLE {
        true => concise::folded(&(text + &tables)),
        false => text + &tables,
    }
}

/// What made a run, folded.
fn made(runs: &Runs) -> String {
    of_sections(&[provenance::section(runs)])
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

/// Sizes of runs in the table of docs/CLUSTER.md of what they cost.
const CELLS: [u64; 2] = [100_000, 10_000_000];
/// Cores that somebody may have.
const CORES: [u64; 3] = [1, 20, 200];

/// What the run of this suite cost, and what larger ones like it would.
pub(crate) fn price_of(suite: &str, runs: &Runs) -> String {
    let price = Price::of(&runs.records);
    let mut text = format!(
        "The suite `{suite}` is {} cells in {} units. A unit takes {:.1} s in the median, one in a hundred more than {:.0} s, the dearest \
         {:.0} s.\n\n| cells | CPU hours | on 20 cores | on 200 cores |\n| ---: | ---: | ---: | ---: |\n",
        count(price.cells),
        count(price.units),
        price.median,
        price.p99,
        price.most
    );
    for cells in [price.cells].into_iter().chain(CELLS) {
        let hours = CORES.map(|cores| time(price.hours(cells) / cores as f64, price.most));
        text += &format!("| {} | {} |\n", count(cells), hours.join(" | "));
    }
    text
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
        let message = format!("{:?}", put_or_check(files(), true).unwrap_err());
        assert!(message.contains("old; run") && !message.contains("kept"), "{message}");
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
