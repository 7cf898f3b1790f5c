//! A paper: its experiments, each with the commands that repeat it here and the published figures next to ours.
//!
//! A file a paper, `papers/NAME.toml`. What is published and the words about it are typed there, with their places in the
//! paper; every number of ours is an [expression](crate::prose::expression) about a run of the same file. Left out: running the
//! commands, which is the program's.

mod comparison;
mod page;

pub use comparison::{Compared, compared};
pub use page::{costs, page};

use serde::Deserialize;
use std::collections::BTreeSet;

/// The files that come with this program.
const BUILT_IN: [&str; 6] = [
    include_str!("../../../papers/buro-1995.toml"),
    include_str!("../../../papers/jiang-buro-2003.toml"),
    include_str!("../../../papers/heinz-1998.toml"),
    include_str!("../../../papers/tabibi-netanyahu-2002.toml"),
    include_str!("../../../papers/lim-lee-2006.toml"),
    include_str!("../../../papers/source-pages.toml"),
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
    /// In the order of the paper.
    #[serde(rename = "experiment")]
    pub experiments: Vec<Experiment>,
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
    /// The commands; none for what cannot be had.
    #[serde(default, rename = "run")]
    pub runs: Vec<Run>,
    /// The published figures next to ours.
    #[serde(default, rename = "figure")]
    pub figures: Vec<Figure>,
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
    /// The number, if one was published.
    pub published: Option<f64>,
    /// What was published, where that is no plain number, or how it was printed.
    pub printed: Option<String>,
    /// The same quantity of ours, as [`crate::prose::expression`] writes it.
    pub ours: String,
    /// The value that means no effect, if there is one: 1 of a ratio, 0 of a difference.
    pub neutral: Option<f64>,
}

impl Figure {
    /// The runs that our figure is from.
    #[must_use]
    pub fn sources(&self) -> BTreeSet<String> {
        comparison::sources(&self.ours)
    }
}

/// CPU seconds that the committed runs took, as recorded.
const COSTS: &str = include_str!("../../../papers/costs.toml");

/// CPU seconds of the committed run of this name; `None` if there is none, or it has no times.
#[must_use]
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
        let paper: Paper = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut names = BTreeSet::new();
        for experiment in &paper.experiments {
            if !names.insert(experiment.name.as_str()) {
                return Err(format!("experiment `{}`: found twice, expected once", experiment.name));
            }
            if let Some(figure) =
                experiment.figures.iter().find(|f| f.published.is_none() && f.printed.is_none())
            {
                let what = &figure.what;
                return Err(format!(
                    "figure `{what}`: expected `published = NUMBER` or `printed = \"WORDS\"`"
                ));
            }
        }
        for run in paper.runs() {
            if paper.runs().any(|other| other.name == run.name && other.command != run.command) {
                return Err(format!("run `{}`: found two commands of one name", run.name));
            }
        }
        Ok(paper)
    }

    /// The papers that come with this program.
    #[must_use]
    pub fn built_in() -> Vec<Paper> {
        // Files of this package, which the tests read.
        BUILT_IN.iter().map(|text| Paper::read(text).expect("a file of papers is fit for use")).collect()
    }

    /// All runs, one that several experiments name as often.
    pub fn runs(&self) -> impl Iterator<Item = &Run> {
        self.experiments.iter().flat_map(|experiment| &experiment.runs)
    }

    /// The sources that figures and words name.
    #[must_use]
    pub fn sources(&self) -> BTreeSet<String> {
        let words = |experiment: &Experiment| {
            crate::prose::sources(&format!("{}{}", experiment.ours, experiment.found))
        };
        let mut all: BTreeSet<String> = self.experiments.iter().flat_map(words).collect();
        let figures = self.experiments.iter().flat_map(|experiment| &experiment.figures);
        all.extend(figures.flat_map(Figure::sources));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        ] {
            let message = Paper::read(&text).expect_err(&text);
            assert!(message.contains(says), "{message}");
        }
    }
}
