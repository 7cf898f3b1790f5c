//! `paper`: the experiments of a paper, one after another, and the published figures next to ours.
//!
//! Every run is a command of this program in a process of its own, with a folder of its own; what is there already is left
//! alone or gone on with, as that command does. Left out: what an experiment searches and how, which its suite or its words
//! in the paper's file say.

use crate::cli;
use crate::cli::analyse::WIDE;
use crate::cli::evidence::committed_match;
use crate::cli::facts::facts_of;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::reading::text_of;
use crate::cli::running::interrupt;
use crate::cli::say::{message, put, say};
use secateur_base::Unknown;
use secateur_base::number::plural;
use secateur_base::program::name;
use secateur_base::words::shell_word;
use secateur_lab::prose::fill;
use secateur_lab::prose::paper::{Experiment, Paper, Run, compared, cost, page};
use secateur_lab::studies::{forecast, foretell, releases, slopes};
use secateur_record::archive::is_file;
use secateur_record::error::from_toml;
use secateur_record::manifest::Manifest;
use secateur_record::play::{Ended, SETTINGS};
use secateur_record::table::{self, of_rows};
use secateur_reports::format::or_dash;
use secateur_reports::render::terminal;
use secateur_reports::table::{Report, Table};
use secateur_stats::growth::Followed;
use secateur_stats::models::Foretold;
use secateur_stats::read::read;
use secateur_suites::shards::shard::Shard;
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Arguments of `paper`.
#[derive(clap::Args)]
#[command(
    after_help = format!("Examples:\n  {me} paper\n  {me} paper buro-1995\n  {me} paper buro-1995 --only table-1,time-odds --limit 10\n  \
                  {me} paper jiang-buro-2003 --list\n  {me} paper buro-1995 --shard 3/20 --out shards/3\n  \
                  {me} paper growth --limit 2\n\n\
                  Papers, and studies of this project: {papers}.\n\n\
                  What is searched already is not searched again: after Ctrl-C the same command resumes.", me = name(), papers = names())
)]
pub struct Flags {
    /// Name of a paper, or a .toml file in the form of suites/lab/papers [default: list all]
    paper: Option<String>,
    /// Run only these experiments, by name
    #[arg(long, value_delimiter = ',', value_name = "NAMES", requires = "paper")]
    only: Vec<String>,
    /// Maximum positions per stage of each set, and maximum pairs of games
    #[arg(long, requires = "paper")]
    limit: Option<u32>,
    /// Run only this shard of every run and match
    #[arg(long, value_name = "K/N", requires = "paper")]
    shard: Option<Shard>,
    /// Threads of every run [default: all cores]
    #[arg(long)]
    jobs: Option<usize>,
    /// Folder of the runs [default: runs/paper-NAME]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Print what would be run and what it costs, and run nothing
    #[arg(long)]
    list: bool,
}

impl Flags {
    pub fn run(self) -> Outcome {
        let Some(name) = &self.paper else {
            say(&table_of(&Paper::built_in()));
            return Ok(());
        };
        let whole = named(name)?;
        let paper = self.chosen(whole.clone())?;
        let folder = self.out.clone().unwrap_or_else(|| PathBuf::from(format!("runs/paper-{}", paper.name)));
        let runs = distinct(&paper);
        announce(&paper, &runs, self.limit);
        if self.list {
            return Ok(());
        }
        let stop = interrupt("the run under way ends, what is left is not begun")?;
        let [whole, asked] = [&whole, &paper].map(|paper| Study { paper, folder: &folder });
        let rows_before = whole.earlier_rows()?;
        let ran = runs.iter().enumerate().try_for_each(|(number, run)| {
            if asked.stands(&rows_before, run) {
                message(&format!("{}: already in {}\n", run.name, asked.methods_file().display()));
                return Ok(());
            }
            let Some(arguments) = self.arguments(run, &folder.join(&run.name)) else { return Ok(()) };
            let quoted: Vec<String> = arguments.iter().map(|word| shell_word(word)).collect();
            let (total, command) = (runs.len(), quoted.join(" "));
            let me = secateur_base::program::name();
            message(&format!("[{}/{total}] {}: {me} {command}\n", number + 1, run.name));
            perform(&arguments, &stop)
        });
        // A part of the results is printed too.
        if ran.is_err() && self.shard.is_none() {
            asked.followed()?;
            whole.foretold(&rows_before)?;
        }
        ran?;
        if self.shard.is_some() {
            return Ok(());
        }
        asked.followed()?;
        whole.foretold(&rows_before)?;
        asked.compare()
    }

    /// The paper with the experiments that are asked for.
    fn chosen(&self, mut paper: Paper) -> Result<Paper, Failure> {
        for name in &self.only {
            if !paper.experiments.iter().any(|experiment| experiment.name == *name) {
                let names: Vec<&str> = paper.experiments.iter().map(|e| e.name.as_str()).collect();
                let unknown = Unknown::new("experiment", name, &names);
                return Err(Failure::input(format!("--only: {unknown}")));
            }
        }
        paper.experiments.retain(|experiment| self.only.is_empty() || self.only.contains(&experiment.name));
        Ok(paper)
    }

    /// The words of a run with what is asked for; `None` for a run that another shard does.
    fn arguments(&self, run: &Run, folder: &Path) -> Option<Vec<String>> {
        let mut arguments: Vec<String> = run.command.split_whitespace().map(str::to_owned).collect();
        let verb = arguments.first().cloned().unwrap_or_default();
        let mut set = |flag: &str, value: String| {
            if let Some(at) = arguments.iter().position(|word| word == flag) {
                arguments.drain(at..(at + 2).min(arguments.len()));
            }
            arguments.extend([flag.to_owned(), value]);
        };
        match (verb.as_str(), self.limit) {
            ("bench", Some(limit)) => set("--limit", limit.to_string()),
            ("play", Some(limit)) => set("--games", (2 * limit).to_string()),
            ("pairs", Some(limit)) => set("--count", limit.to_string()),
            _ => {}
        }
        let divides = matches!(verb.as_str(), "bench" | "play");
        match (self.shard, divides) {
            (Some(shard), true) => set("--shard", shard.to_string()),
            (Some(shard), false) if shard.number > 1 => return None,
            _ => {}
        }
        if let (Some(jobs), true) = (self.jobs, divides) {
            set("--jobs", jobs.to_string());
        }
        // What draws pairs writes a file, not a folder.
        let out = if verb == "pairs" { folder.with_extension("csv") } else { folder.to_owned() };
        set("--out", out.display().to_string());
        Some(arguments)
    }
}

/// The paper of this name or file.
fn named(name: &str) -> Result<Paper, Failure> {
    if name.ends_with(".toml") {
        let text = text_of(name)?;
        let paper: Paper = from_toml(Path::new(name), &text, &text).map_err(Failure::input)?;
        return paper.checked().map_err(Failure::at(name));
    }
    let papers = Paper::built_in();
    let names: Vec<&str> = papers.iter().map(|paper| paper.name.as_str()).collect();
    match papers.iter().find(|paper| paper.name == name) {
        Some(paper) => Ok(paper.clone()),
        None => Err(Failure::input(Unknown::new("paper", name, &names))),
    }
}

/// The runs of a paper, each once, in its order.
fn distinct(paper: &Paper) -> Vec<&Run> {
    let mut seen = BTreeSet::new();
    paper.runs().filter(|run| seen.insert(run.name.as_str())).collect()
}

/// CPU time in words.
fn time(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// What runs of this program cost when they were committed; nothing is known of a run that is not.
fn price(runs: &[&Run]) -> String {
    let costs: Vec<f64> = runs.iter().filter_map(|run| cost(&run.name)).collect();
    let unknown = runs.len() - costs.len();
    let more = if unknown > 0 { format!(" and {unknown} unknown") } else { String::new() };
    format!("{}{more}", time(costs.iter().fold(0.0, |sum, cost| sum + cost)))
}

fn table_of(papers: &[Paper]) -> String {
    let row = |paper: &Paper| {
        let names: Vec<&str> = paper.experiments.iter().map(|experiment| experiment.name.as_str()).collect();
        let runs = distinct(paper);
        [
            ("<paper", paper.name.clone()),
            ("<experiments", names.join(", ")),
            ("runs", runs.len().to_string()),
            ("CPU time", price(&runs)),
        ]
    };
    let note = "CPU time is that of the committed runs. Pages: docs/papers.";
    printed("Papers", Vec::new(), papers.iter().map(row).collect::<Table>().noted(note))
}

fn announce(paper: &Paper, runs: &[&Run], limit: Option<u32>) {
    let row = |run: &&Run| {
        let cost = or_dash(cost(&run.name).map(time));
        [("<run", run.name.clone()), ("<command", run.command.clone()), ("CPU time", cost)]
    };
    let whole = if limit.is_some() { "less with --limit; whole, " } else { "" };
    let text = format!(
        "{}, {whole}{} of CPU time where the committed ones were made.",
        plural(runs.len(), "run"),
        price(runs)
    );
    say(&printed(&paper.title, vec![text], runs.iter().map(row).collect()));
}

fn printed(title: &str, text: Vec<String>, table: Table) -> String {
    terminal(&Report::of_table(title, text, table), WIDE)
}

/// How often it is asked whether a run has ended, or is to end.
const GLANCE: Duration = Duration::from_millis(20);

/// Runs a command of this program and waits for it; what ends this process ends it.
fn perform(arguments: &[String], stop: &AtomicBool) -> Outcome {
    let program = cli::this_program()?;
    let mut command = Command::new(&program);
    cli::bind(command.args(arguments));
    let mut child = command.spawn().map_err(Failure::io(&program))?;
    let mut is_asked = false;
    let status = loop {
        if let Some(status) = child.try_wait().map_err(Failure::io(&program))? {
            break status;
        }
        if stop.load(Ordering::SeqCst) && !std::mem::replace(&mut is_asked, true) {
            cli::interrupt(&child);
        }
        std::thread::sleep(GLANCE);
    };
    let hint = "the same command resumes";
    match status.code() {
        Some(0) if !stop.load(Ordering::SeqCst) => Ok(()),
        // A suite whose method never fired, or a page that says that something is worse: a result, not an end.
        Some(3) => Ok(()),
        Some(0 | 4) => Err(Failure::stopped(format!("stopped; {hint}"))),
        Some(2) => Err(Failure::input(format!(
            "`{}` failed, as it says above: fix that, and {hint}",
            arguments.join(" ")
        ))),
        Some(code) => Err(Failure::system(format!("`{}` ended with {code}; {hint}", arguments.join(" ")))),
        None => Err(Failure::incomplete(format!("`{}` was killed; {hint}", arguments.join(" ")))),
    }
}

/// A paper, or a part of it, and the folder of its runs.
#[derive(Clone, Copy)]
struct Study<'a> {
    paper: &'a Paper,
    folder: &'a Path,
}

impl Study<'_> {
    /// How what methods do changes with depth or time in the runs of which that is asked: the tables, and a file of the name of each
    /// in the folder.
    fn followed(self) -> Outcome {
        let experiments = &self.paper.experiments;
        let names: BTreeSet<&String> = experiments.iter().filter_map(|e| e.slopes.as_ref()).collect();
        for table in names {
            let of_table: Vec<&Experiment> =
                experiments.iter().filter(|e| e.slopes.as_ref() == Some(table)).collect();
            let follows = of_table.first().map(|e| e.follows).unwrap_or_default();
            let post_hoc = of_table.iter().any(|e| e.post_hoc);
            let there = of_table.iter().flat_map(|e| &e.runs).map(|run| self.folder.join(&run.name));
            let there: Vec<PathBuf> =
                there.filter(|dir| is_file(&dir.join("run.toml")) || is_file(&dir.join(SETTINGS))).collect();
            let rows = if follows == Followed::Scores {
                let matches = there.iter().map(|dir| committed_match(dir)).collect::<Result<Vec<_>, _>>()?;
                let played = releases::played(&matches);
                self.keep(&format!("{table}-releases"), [releases::played_table(&played)], &played)?;
                let scores = releases::scores(&matches);
                let overall = releases::overall(&scores);
                self.keep(&format!("{table}-overall"), [releases::overall_table(&overall)], &overall)?;
                slopes::corrected(scores)
            } else {
                let runs =
                    there.iter().map(|run| read(std::slice::from_ref(run))).collect::<Result<Vec<_>, _>>()?;
                if follows == Followed::Releases {
                    let rows = releases::rows(&runs);
                    let agreed = releases::agreements(&rows);
                    self.keep(&format!("{table}-releases"), releases::tables(&rows), &rows)?;
                    self.keep(&format!("{table}-published"), [releases::agreement_table(&agreed)], &agreed)?;
                }
                slopes::rows(&runs, follows)
            };
            self.keep(table, [slopes::table(&rows, follows, post_hoc)], &rows)?;
        }
        Ok(())
    }

    /// Prints tables of a study, and writes their rows to a file of this name in the folder; nothing where there is no row.
    fn keep<R: Serialize>(self, file: &str, tables: impl IntoIterator<Item = Table>, rows: &[R]) -> Outcome {
        if rows.is_empty() {
            return Ok(());
        }
        tables.into_iter().for_each(|table| say(&printed(&self.paper.title, Vec::new(), table)));
        let path = self.folder.join(file).with_extension("csv");
        put(&path, format!("# {} paper {}\n{}", name(), self.paper.name, of_rows(rows)))?;
        say(&format!("written: {}\n", path.display()));
        Ok(())
    }

    /// The file of the table of methods of a study in its folder.
    fn methods_file(self) -> PathBuf {
        self.folder.join(&self.paper.name).with_extension("csv")
    }

    /// The rows of methods that this folder has from before, or from another machine whose table was put there: hours of games need not
    /// be played again for the rest.
    fn earlier_rows(self) -> Result<Vec<Foretold>, Failure> {
        let path = self.methods_file();
        let foretells = self.paper.experiments.iter().any(|experiment| experiment.foretells.is_some());
        if foretells && path.is_file() { Ok(table::rows(&path)?) } else { Ok(Vec::new()) }
    }

    /// The method of a program whose match a run is.
    fn matched<'r>(self, program: &str, run: &'r Run) -> Option<&'r str> {
        run.name.strip_prefix(&format!("{}-games-{program}-", self.paper.name))
    }

    /// The name of the run that counts the instructions of a program.
    fn counting(self, program: &str) -> String {
        format!("{}-instructions-{program}", self.paper.name)
    }

    /// Whether the table of methods has what a run would find, and the folder has no such run to resume.
    fn stands(self, rows_before: &[Foretold], run: &Run) -> bool {
        let of_run = |experiment: &&Experiment| experiment.runs.iter().any(|other| other.name == run.name);
        let experiment = self.paper.experiments.iter().find(of_run);
        let program = experiment.and_then(|experiment| experiment.foretells.as_ref());
        let Some(program) = program.filter(|_| !under_way(&self.folder.join(&run.name))) else {
            return false;
        };
        let mut rows = rows_before.iter().filter(|row| row.program == *program);
        match self.matched(program, run) {
            Some(method) => rows.any(|row| row.method == method && row.elo.is_some()),
            None if run.name == self.counting(program) => rows.any(|row| row.instructions.is_some()),
            None => rows.next().is_some(),
        }
    }

    /// What searches foretell of games in the programs of which that is asked: two tables, and the same as `elo.csv` and
    /// `elo-predictors.csv` in the folder, and how the predictors go together as `elo-together.csv`; where an earlier study fixed the
    /// models, how these do as `forecast-models.csv`. Searches and matches that are there count, asked for now or not, and of others
    /// the earlier rows; a match of which neither is there says nothing.
    fn foretold(self, earlier: &[Foretold]) -> Outcome {
        let Study { paper, folder } = self;
        let mut rows = Vec::new();
        for experiment in &paper.experiments {
            let Some((program, searches)) = experiment.foretells.as_ref().zip(experiment.runs.first()) else {
                continue;
            };
            let before: Vec<Foretold> =
                earlier.iter().filter(|row| row.program == *program).cloned().collect();
            let there = |run: &str| {
                let dir = folder.join(run);
                is_file(&dir.join("run.toml")).then(|| read(&[dir])).transpose()
            };
            let searches = there(&searches.name)?;
            let searched = searches.map_or_else(Vec::new, |runs| foretell::searched(program, &runs));
            let of_method = |run: &Run| {
                let method = self.matched(program, run)?.to_owned();
                let dir = folder.join(&run.name);
                is_file(&dir.join("play.toml")).then(|| Ok((method, committed_match(&dir)?)))
            };
            let matches: Vec<(String, Ended)> =
                experiment.runs.iter().filter_map(of_method).collect::<Result<_, Failure>>()?;
            let counts = there(&self.counting(program))?;
            let counted = counts.map(|runs| foretell::counted(&runs)).unwrap_or_default();
            rows.extend(foretell::rows(searched, before, &counted, &matches));
        }
        if rows.is_empty() {
            return Ok(());
        }
        let rows = foretell::rounded(rows);
        let file = |part: &str| format!("{}{part}", paper.name);
        self.keep(&paper.name, [foretell::methods_table(&rows)], &rows)?;
        if let Some(fixed_by) = &paper.fixed_by {
            let models = forecast::judged(&table::rows::<Foretold>(Path::new(fixed_by))?, &rows);
            return self.keep(&file("-models"), [forecast::models_table(&models)], &models);
        }
        let predictors = foretell::judged(&rows);
        let pairs = foretell::together(&rows);
        self.keep(&file("-predictors"), [foretell::predictors_table(&predictors)], &predictors)?;
        self.keep(&file("-together"), [foretell::together_table(&pairs)], &pairs)
    }

    /// Says what the runs in a folder give next to what was published, and writes the page there.
    fn compare(self) -> Outcome {
        let Study { paper, folder } = self;
        let facts = facts_of(folder, &paper.sources())?;
        let has = |run: &str| facts.has(run);
        let of_paper = paper.printed_facts();
        let mut table = Table::default();
        for Experiment { title, figures, .. } in &paper.experiments {
            let there = figures.iter().filter(|figure| figure.sources().iter().all(|run| has(run)));
            for figure in there {
                // With few positions a figure may not be there: a table without an interval, a method that was left out.
                match compared(figure, &of_paper, &facts) {
                    Ok(compared) => table.row(compared),
                    Err(error) => message(&format!("{title}: {error}\n")),
                }
            }
        }
        if table.rows.is_empty() {
            return Ok(());
        }
        say(&printed(&paper.title, Vec::new(), table));
        if let Ok(text) = page(paper, &facts, &has, "cargo xtask paper") {
            let all_there = paper.marks.sources().iter().all(|source| has(source));
            let text = if all_there { fill(&text, &paper.marks, &facts).0 } else { text };
            let path = folder.join("page.md");
            put(&path, text)?;
            say(&format!("page: {}\n", path.display()));
        }
        Ok(())
    }
}

/// Whether a folder has a run or a match that is not complete.
fn under_way(run: &Path) -> bool {
    run.is_dir()
        && !Manifest::read(run).is_ok_and(|manifest| manifest.complete)
        && !Ended::read(run).is_ok_and(|ended| ended.file.complete)
}

/// The names of all papers and studies.
fn names() -> String {
    Paper::built_in().iter().map(|paper| paper.name.as_str()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        flags: Flags,
    }

    fn flags(arguments: &str) -> Flags {
        Line::parse_from(std::iter::once("paper").chain(arguments.split_whitespace())).flags
    }

    #[test]
    fn every_command_of_every_paper_is_one_of_this_program() {
        for paper in Paper::built_in() {
            for run in paper.runs() {
                for asked in ["x", "x --limit 3 --jobs 1", "x --shard 1/4"] {
                    let arguments =
                        flags(asked).arguments(run, Path::new("runs/x")).expect("the first shard has all");
                    let line = std::iter::once("xtask".to_owned()).chain(arguments);
                    let parsed = crate::cli::command().try_get_matches_from(line);
                    assert!(
                        parsed.is_ok(),
                        "{}: {} ({asked}): {}",
                        paper.name,
                        run.command,
                        parsed.unwrap_err()
                    );
                }
            }
        }
    }

    #[test]
    fn what_is_asked_takes_the_place_of_what_the_paper_says() {
        let run = |command: &str| Run { name: "r".to_owned(), command: command.to_owned() };
        let line = |asked: &str, command: &str| {
            flags(asked).arguments(&run(command), Path::new("o/r")).map(|arguments| arguments.join(" "))
        };
        assert_eq!(line("x --limit 3", "bench jiang --limit 40").unwrap(), "bench jiang --limit 3 --out o/r");
        assert_eq!(
            line("x --limit 3", "play --games 140 --nodes 1").unwrap(),
            "play --nodes 1 --games 6 --out o/r"
        );
        assert_eq!(line("x --shard 2/3", "bench table2").unwrap(), "bench table2 --shard 2/3 --out o/r");
        assert_eq!(line("x --shard 2/3", "pairs chess"), None, "the first shard does it");
        assert_eq!(line("x", "pairs chess").unwrap(), "pairs chess --out o/r.csv");
    }

    #[test]
    fn its_help_names_every_paper() {
        let mut command = crate::cli::command();
        let help = command.find_subcommand_mut("paper").unwrap().render_help().to_string();
        for paper in Paper::built_in() {
            assert!(help.contains(&paper.name), "{}: {help}", paper.name);
        }
    }

    #[test]
    fn what_a_table_tells_is_not_done_again() {
        let folder = tempfile::tempdir().unwrap();
        let paper = named("elo").unwrap();
        let study = Study { paper: &paper, folder: folder.path() };
        assert_eq!(study.earlier_rows().unwrap(), []);
        let text = "# from another machine\nprogram,method,positions,depth,nodes,time,growth,moves,regret,pairs,elo,elo_low,elo_high,published\n\
                    weiss,lmr,39,12,1.9,2.0,0.2,0.2,26,200,154.5,121.8,190.0,\nweiss,see,39,12,0.1,0.1,0.0,0.1,7,0,,,,\n";
        std::fs::write(folder.path().join("elo.csv"), text).unwrap();
        let rows_before = study.earlier_rows().unwrap();
        let runs = distinct(&paper);
        let stands_at = |name: &str| {
            let run = runs.iter().find(|run| run.name == name).expect("a run of the study");
            study.stands(&rows_before, run)
        };
        let standing =
            ["searches-weiss", "games-weiss-lmr", "games-weiss-see", "instructions-weiss", "searches-fruit"]
                .map(|run| stands_at(&format!("elo-{run}")));
        assert_eq!(standing, [true, true, false, false, false]);
        std::fs::create_dir(folder.path().join("elo-games-weiss-lmr")).unwrap();
        assert!(!stands_at("elo-games-weiss-lmr"), "a match that was begun goes on");
    }

    #[test]
    fn names_that_nothing_has_are_said() {
        let error = format!("{:?}", named("buro").unwrap_err());
        assert!(error.contains("unknown paper `buro`: did you mean `buro-1995`?"), "{error}");
        assert!(named("buro-1995").is_ok());
        let paper = named("buro-1995").unwrap();
        assert_eq!(flags("x --only table-1").chosen(paper.clone()).unwrap().experiments.len(), 1);
        assert!(Line::try_parse_from(["paper", "--list"]).is_ok(), "all of them");
        assert!(flags("x --only table-9").chosen(paper).is_err());
    }
}
