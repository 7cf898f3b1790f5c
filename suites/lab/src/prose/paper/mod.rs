//! A paper: its experiments, each with the commands that repeat it here and the published figures next to ours.
//!
//! A file a paper, `papers/NAME.toml`. What is published and the words about it are typed there, with their places in the
//! paper; every number of ours is an `expression` about a run of the same file. Left out: running the
//! commands, which is the program's.

mod page;

pub use self::page::{Compared, compared};
pub use page::{costs, page};

use super::facts::{of_table, parsed};
use crate::prose::expression::{self, measured};
use crate::prose::facts::Facts;
use crate::prose::marks::Marks;
use secateur_reports::table::Table;
use secateur_stats::growth::Followed;
use serde::Deserialize;
use std::collections::BTreeSet;

/// The files that come with this program.
const BUILT_IN: &[&str] = &[
    include_str!("../../../papers/buro-1995.toml"),
    include_str!("../../../papers/jiang-buro-2003.toml"),
    include_str!("../../../papers/heinz-1998.toml"),
    include_str!("../../../papers/tabibi-netanyahu-2002.toml"),
    include_str!("../../../papers/bjornsson-marsland-2001.toml"),
    include_str!("../../../papers/lim-lee-2006.toml"),
    include_str!("../../../papers/schaeffer-1992.toml"),
    include_str!("../../../papers/shibahara-2002.toml"),
    include_str!("../../../papers/winands-2003.toml"),
    include_str!("../../../papers/pettersson-2007.toml"),
    include_str!("../../../papers/schadd-2009.toml"),
    include_str!("../../../papers/eiriksson-2011.toml"),
    include_str!("../../../papers/hoki-muramatsu-2012.toml"),
    include_str!("../../../papers/source-pages.toml"),
    include_str!("../../../papers/growth.toml"),
    include_str!("../../../papers/elo.toml"),
    include_str!("../../../papers/forecast.toml"),
    include_str!("../../../papers/generations.toml"),
];

/// A paper and its experiments.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Paper {
    /// Its name in commands: authors and year.
    pub name: String,
    /// Authors, title and place.
    pub title: String,
    /// What it claims, and what a reader of it should know of the repetition.
    pub about: String,
    /// The table of methods of an earlier study that fixes the models of this one ([`crate::studies::forecast`]), a path from the
    /// root of the repository.
    pub fixed_by: Option<String>,
    /// In the order of the paper.
    #[serde(rename = "experiment")]
    pub experiments: Vec<Experiment>,
    /// What the marks of its words compute.
    #[serde(default)]
    pub marks: Marks,
}

/// One experiment, table or figure.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Experiment {
    /// Its name in commands.
    pub name: String,
    /// Its place in the paper, and its subject.
    pub title: String,
    /// What the authors did.
    pub theirs: String,
    /// What is done here, and where it differs; of an experiment that cannot be had, why not.
    pub ours: String,
    /// What came of it; may have marks.
    #[serde(default)]
    pub found: String,
    /// The table of slopes that its runs are in ([`crate::studies::slopes`]), if every arm is followed over depths or times. What
    /// stands in one table is of one kind and corrected together.
    pub slopes: Option<String>,
    /// What of every arm is followed there.
    #[serde(default)]
    pub follows: Followed,
    /// Whether its test was chosen after its results were seen, as its table then says wherever something is shown.
    #[serde(default)]
    pub post_hoc: bool,
    /// The program whose searches are to foretell its games ([`crate::studies::foretell`]), if it is that: the run that searches
    /// comes first, the matches after it have the names of its methods at their ends, and one that counts instructions may be the
    /// last.
    pub foretells: Option<String>,
    /// The commands; none for what cannot be had.
    #[serde(default, rename = "run")]
    pub runs: Vec<Run>,
    /// The published figures next to ours.
    #[serde(default, rename = "figure")]
    pub figures: Vec<Figure>,
    /// A table as it was printed, if its numbers are used.
    pub table: Option<Printed>,
}

/// A published table: each number as it was printed. A row's first cell names it, together with every other cell of words.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Printed {
    /// Headings; one that starts with `<` is of words.
    pub columns: Vec<String>,
    /// As many cells in each as there are headings; `-` where nothing was printed.
    pub rows: Vec<Vec<String>>,
    /// What a reader must know of it, a sentence.
    pub note: String,
}

impl Printed {
    /// As a table of reports.
    pub fn table(&self) -> Table {
        self.rows.iter().map(|row| self.columns.iter().zip(row)).collect::<Table>().noted(&*self.note)
    }

    /// The cell of a row under a heading.
    ///
    /// # Panics
    /// If there is no such heading: whoever asks knows the table.
    pub fn cell<'a>(&self, row: &'a [String], heading: &str) -> &'a str {
        let at = self.columns.iter().position(|name| name.trim_start_matches('<') == heading);
        &row[at.unwrap_or_else(|| panic!("`{heading}`: expected one of {}", self.columns.join(", ")))]
    }

    /// The same as a number: `5,012,649` or `84 %`, which is 0.84.
    ///
    /// # Panics
    /// If it is none.
    pub fn number(&self, row: &[String], heading: &str) -> f64 {
        let cell = self.cell(row, heading);
        parsed(cell).unwrap_or_else(|| panic!("{heading}: found `{cell}`, expected a number")).0
    }
}

/// A command that searches or plays.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The folder of its record.
    pub name: String,
    /// Its words, without the folder.
    pub command: String,
}

/// A published figure.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// What it is, with its unit.
    pub what: String,
    /// The number, if one was published that stands in no [`Experiment::table`].
    pub published: Option<f64>,
    /// The number, if such a table has it: an expression about its cells.
    pub theirs: Option<String>,
    /// What was published, where that is no plain number, or how it was printed.
    pub printed: Option<String>,
    /// The same quantity of ours, as [`crate::prose::expression`] writes it.
    pub ours: String,
    /// The value that means no effect, if there is one: 1 of a ratio, 0 of a difference.
    pub neutral: Option<f64>,
}

impl Figure {
    /// The published number, and how it is written; `None` if none was published. `printed` are the
    /// [numbers of printed tables](Paper::printed_facts).
    fn theirs(&self, printed: &Facts) -> Result<Option<(f64, String)>, String> {
        let theirs = match &self.theirs {
            Some(expression) => {
                let measured = measured(expression, printed)?;
                Some((measured.number, measured.written))
            }
            None => self.published.map(|number| (number, page::plain(number))),
        };
        Ok(theirs.map(|(number, written)| (number, self.printed.clone().unwrap_or(written))))
    }

    /// The runs that our figure is from.
    pub fn sources(&self) -> BTreeSet<String> {
        expression::sources(&self.ours)
    }
}

/// CPU seconds that the committed runs took, as recorded.
const COSTS: &str = include_str!("../../../papers/costs.toml");

/// CPU seconds of the committed run of this name; `None` if there is none, or it has no times.
pub fn cost(run: &str) -> Option<f64> {
    // Written by this program, and read by the tests.
    let costs: toml::Table = toml::from_str(COSTS).expect("papers/costs.toml is fit for use");
    costs.get(run).and_then(toml::Value::as_integer).map(|seconds| seconds as f64)
}

impl Paper {
    /// Reads a file.
    ///
    /// # Errors
    /// What was found and what was expected, with line and column.
    pub fn read(text: &str) -> Result<Paper, String> {
        toml::from_str::<Paper>(text).map_err(|error| error.to_string())?.checked()
    }

    /// The paper, if what its parts say of each other is right.
    ///
    /// # Errors
    /// What was found and what was expected.
    pub fn checked(self) -> Result<Paper, String> {
        let mut names = BTreeSet::new();
        for experiment in &self.experiments {
            if !names.insert(experiment.name.as_str()) {
                return Err(format!("experiment `{}`: found twice, expected once", experiment.name));
            }
            if let Some(figure) = experiment
                .figures
                .iter()
                .find(|f| f.published.is_none() && f.theirs.is_none() && f.printed.is_none())
            {
                let what = &figure.what;
                return Err(format!(
                    "figure `{what}`: expected `published = NUMBER` or `printed = \"WORDS\"`"
                ));
            }
        }
        for table in self.experiments.iter().filter_map(|experiment| experiment.table.as_ref()) {
            if let Some(row) = table.rows.iter().find(|row| row.len() != table.columns.len()) {
                let (count, expected) = (row.len(), table.columns.len());
                return Err(format!("row `{}`: found {count} cells, expected {expected}", row.join(" | ")));
            }
        }
        let used: BTreeSet<String> =
            self.experiments.iter().flat_map(|e| crate::prose::names(&e.found)).collect();
        if let Some(name) = self.marks.names().find(|name| !used.contains(*name)) {
            return Err(format!("mark `{name}`: expected it in what an experiment found"));
        }
        if let Some(name) = used.iter().find(|name| self.marks.get(name).is_none()) {
            return Err(format!("mark `{name}`: expected it under [marks]"));
        }
        let printed = self.printed_facts();
        for figure in self.experiments.iter().flat_map(|experiment| &experiment.figures) {
            figure.theirs(&printed).map_err(|error| format!("figure `{}`: {error}", figure.what))?;
        }
        for run in self.runs() {
            if self.runs().any(|other| other.name == run.name && other.command != run.command) {
                return Err(format!("run `{}`: found two commands of one name", run.name));
            }
        }
        Ok(self)
    }

    /// Whether it has published figures to compare with. A study of this project has none: its design and its answer are documents, and
    /// a page of commands would say nothing more.
    pub fn has_figures(&self) -> bool {
        self.experiments.iter().any(|experiment| !experiment.figures.is_empty())
    }

    /// The numbers of its printed tables; each table is a source by the name of its experiment.
    pub fn printed_facts(&self) -> Facts {
        let mut facts = Facts::default();
        for experiment in &self.experiments {
            if let Some(table) = &experiment.table {
                facts.add(&experiment.name, of_table(&table.table()));
            }
        }
        facts
    }

    /// A printed table of a paper that comes with this program; `None` if that has none.
    pub fn printed(paper: &str, experiment: &str) -> Option<Printed> {
        let paper = Paper::built_in().into_iter().find(|other| other.name == paper)?;
        paper.experiments.into_iter().find(|other| other.name == experiment)?.table
    }

    /// The papers that come with this program.
    pub fn built_in() -> Vec<Paper> {
        // Files of this package, which the tests read.
        BUILT_IN.iter().map(|text| Paper::read(text).expect("a file of papers is fit for use")).collect()
    }

    /// All runs, one that several experiments name as often.
    pub fn runs(&self) -> impl Iterator<Item = &Run> {
        self.experiments.iter().flat_map(|experiment| &experiment.runs)
    }

    /// The sources that figures and words name.
    pub fn sources(&self) -> BTreeSet<String> {
        let figures = self.experiments.iter().flat_map(|experiment| &experiment.figures);
        let mut all: BTreeSet<String> = figures.flat_map(Figure::sources).collect();
        all.extend(self.marks.sources());
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::record::{BudgetKind, Record};
    use secateur_reports::page::html;
    use secateur_reports::{export, full, render, table2};
    use secateur_stats::fixtures::row;
    use secateur_stats::runs::Runs;

    #[test]
    fn the_files_are_read_and_figures_name_runs_of_their_own_paper() {
        let papers = Paper::built_in();
        let names: BTreeSet<&str> = papers.iter().map(|paper| paper.name.as_str()).collect();
        assert_eq!(names.len(), papers.len());
        for paper in &papers {
            let runs: BTreeSet<&str> = paper.runs().map(|run| run.name.as_str()).collect();
            for experiment in &paper.experiments {
                assert!(
                    !experiment.runs.is_empty() || experiment.figures.is_empty(),
                    "{}: figures without a run",
                    experiment.title
                );
                for figure in &experiment.figures {
                    for source in figure.sources() {
                        assert!(runs.contains(source.as_str()), "{}: {source}", figure.what);
                    }
                }
            }
        }
    }

    #[test]
    fn studies_of_this_project_have_no_published_figures() {
        let papers = Paper::built_in();
        let studies = papers.iter().filter(|paper| !paper.has_figures()).map(|paper| paper.name.as_str());
        assert_eq!(studies.collect::<Vec<_>>(), ["growth", "elo", "forecast", "generations"]);
    }

    #[test]
    fn a_figure_takes_its_number_from_the_table_that_was_printed() {
        let text = "name = \"a\"\ntitle = \"t\"\nabout = \"b\"\n[[experiment]]\nname = \"e\"\ntitle = \"t\"\ntheirs = \"x\"\nours = \"y\"\n\
                    [[experiment.figure]]\nwhat = \"w\"\ntheirs = \"e: 12 plain / e: 12 own as .2\"\nours = \"r: x\"\n\
                    [experiment.table]\ncolumns = [\"<discs\", \"plain\", \"own\"]\nrows = [[\"12\", \"5,012\", \"752\"]]\nnote = \"\"\n";
        let paper = Paper::read(text).unwrap();
        let figure = paper.experiments[0].figures[0].theirs(&paper.printed_facts()).unwrap().unwrap();
        assert_eq!((format!("{:.3}", figure.0).as_str(), figure.1.as_str()), ("6.665", "6.66"));
        let wrong = |from: &str, to: &str| Paper::read(&text.replace(from, to)).unwrap_err();
        assert!(wrong("12 own", "13 own").contains("figure `w`"));
        assert!(wrong(", \"752\"", "").contains("found 2 cells, expected 3"));
    }

    #[test]
    fn a_wrong_file_is_said() {
        let head = "name = \"a\"\ntitle = \"t\"\nabout = \"b\"\n";
        let experiment = "[[experiment]]\nname = \"e\"\ntitle = \"t\"\ntheirs = \"x\"\nours = \"y\"\n";
        let run = |command: &str| format!("[[experiment.run]]\nname = \"r\"\ncommand = \"{command}\"\n");
        assert!(Paper::read(&format!("{head}{experiment}")).is_ok());
        for (text, says) in [
            (format!("{head}{experiment}{experiment}"), "found twice"),
            (
                format!("{head}{experiment}[[experiment.figure]]\nwhat = \"w\"\nours = \"r: x\"\n"),
                "published",
            ),
            (format!("{head}{experiment}{}{}", run("bench a"), run("bench b")), "two commands"),
            (format!("{head}experiments = 3\n"), "unknown field `experiments`"),
            (format!("{head}{experiment}found = \"a <!--?m-->\"\n"), "mark `m`: expected it under [marks]"),
            (format!("{head}{experiment}[marks]\nm.is = \"r: x\"\n"), "mark `m`: expected it in what"),
        ] {
            let message = Paper::read(&text).expect_err(&text);
            assert!(message.contains(says), "{message}");
        }
    }

    /// A report of anybody's run names no paper, and no program that is not in the run.
    #[test]
    fn nobody_is_named_in_a_strangers_report() {
        let sets =
            [("none", 900), ("null-move", 300), ("mpc", 400), ("probcut", 350), ("null-move+mpc", 250)];
        let budgets = [(BudgetKind::Depth, 12), (BudgetKind::Nodes, 2000)];
        let mut records = Vec::new();
        for (game, (kind, budget)) in
            ["chess", "othello"].iter().flat_map(|game| budgets.map(|kind| (game, kind)))
        {
            for position in ["a", "b", "c", "d"] {
                records.extend(sets.map(|(methods, nodes)| Record {
                    game: (*game).into(),
                    budget_kind: kind,
                    budget,
                    ..row(position, "28", methods, nodes)
                }));
            }
        }
        let runs = Runs { records, ..Runs::default() };
        let reports = [full(&runs), table2(&runs)];
        let mut texts: Vec<String> =
            reports.iter().flat_map(|report| [render::markdown(report), export::latex(report)]).collect();
        texts.push(html::page(&runs, html::Extras::default()));
        assert!(texts[0].contains("null-move and mpc"), "the interaction is explained");
        let papers = Paper::built_in().into_iter().filter(|paper| paper.name != "source-pages");
        let parts = papers.flat_map(|paper| paper.name.split('-').map(str::to_owned).collect::<Vec<_>>());
        let authors = parts.filter(|word| word.parse::<u32>().is_err());
        for author in authors.chain(["crafty", "edax"].map(str::to_owned)) {
            let named = regex_lite::Regex::new(&format!(r"(?i)\b{author}\b")).unwrap();
            for text in &texts {
                assert!(
                    !named.is_match(text),
                    "{author}: {:?}",
                    named.find(text).map(|m| &text[m.start()..])
                );
            }
        }
    }
}
