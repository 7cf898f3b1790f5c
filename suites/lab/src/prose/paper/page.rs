//! The page of a paper, in Markdown, and the costs of its runs.

use super::{Compared, Experiment, Figure, Paper, Run, comparison};
use crate::prose::facts::Facts;
use secateur_reports::render::markdown_table;
use secateur_reports::table::Table;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Commands of one part beyond which a page has only the first ones: those of a study differ by a name.
const MANY: usize = 4;
/// How many it then has.
const SHOWN: usize = 2;

/// The page of a paper from the runs that are there. `command` is what made it.
///
/// # Errors
/// A figure that names what is not in the record of a run that is there.
pub fn page(
    paper: &Paper,
    facts: &Facts,
    has: &dyn Fn(&str) -> bool,
    command: &str,
) -> Result<String, String> {
    let mut text = format!("# {}\n\n", paper.title);
    let _ = writeln!(text, "<!-- made by `{command}` from suites/lab/papers/{}.toml -->\n", paper.name);
    let _ = writeln!(text, "{}\n", paper.about.trim());
    let _ = writeln!(
        text,
        "`cargo xtask paper {0}` repeats all of it, with `--only NAME` one part. Intervals are 95 % intervals ([columns](../METHODOLOGY.md#comparison-with-the-baseline)).\n",
        paper.name
    );
    for experiment in &paper.experiments {
        text += &section(paper, experiment, facts, has)?;
    }
    Ok(text)
}

fn section(
    paper: &Paper,
    experiment: &Experiment,
    facts: &Facts,
    has: &dyn Fn(&str) -> bool,
) -> Result<String, String> {
    let Experiment {
        name,
        title,
        theirs,
        ours,
        found,
        slopes,
        follows: _,
        post_hoc: _,
        grades,
        foretells,
        runs,
        figures,
        table: printed,
    } = experiment;
    let mut text =
        format!("## {title}\n\n**Theirs.** <!--fact: {} -->{}<!--/-->\n\n", paper.name, theirs.trim());
    if let Some(printed) = printed {
        // Between marks, because what stands there is not typed in prose.
        let table = markdown_table(&printed.table());
        let _ = writeln!(text, "<!-- BEGIN: printed-{name} -->\n{table}<!-- END: printed-{name} -->\n");
    }
    let head = if runs.is_empty() && grades.is_none() { "Not repeated." } else { "Here." };
    let _ = writeln!(text, "**{head}** {}\n", ours.trim());
    if grades.is_some() {
        let _ = writeln!(text, "```sh\ncargo xtask paper {} --only {name}\n```\n", paper.name);
    }
    if !runs.is_empty() {
        // Pairs are written where one says; all else has a folder of its own.
        let out = |command: &str| if command.starts_with("pairs ") { " --out pairs.csv" } else { "" };
        let line = |run: &Run| format!("cargo xtask {}{}\n", run.command, out(&run.command));
        let shown = if runs.len() > MANY { SHOWN } else { runs.len() };
        let mut lines: String = runs.iter().take(shown).map(line).collect();
        if runs.len() > shown {
            let _ = writeln!(
                lines,
                "# and {} more, in suites/lab/papers/{}.toml",
                runs.len() - shown,
                paper.name
            );
        }
        let only = if paper.experiments.len() > 1 { format!("# --only {name}\n") } else { String::new() };
        let _ = writeln!(text, "```sh\n{only}{lines}```\n");
    }
    let of_paper = paper.printed_facts();
    let there = figures.iter().filter(|figure| figure.sources().iter().all(|run| has(run)));
    let row = |figure: &Figure| {
        let compared = comparison::compared(figure, &of_paper, facts);
        compared.map(Compared::cells).map_err(|error| format!("{}, {title}: {error}", paper.name))
    };
    let table: Table = there.map(row).collect::<Result<_, String>>()?;
    if !table.rows.is_empty() {
        // Between marks, because what stands there is not typed in prose.
        let _ = writeln!(text, "<!-- BEGIN: {name} -->\n{}<!-- END: {name} -->\n", markdown_table(&table));
    }
    let missing: Vec<String> =
        runs.iter().filter(|run| !has(&run.name)).map(|run| format!("`{}`", run.command)).collect();
    // What such an experiment found stands in a table of its own; its runs are in no tree.
    if !missing.is_empty() && foretells.is_none() && slopes.is_none() {
        let _ = writeln!(text, "**Not run** for this page: {}.\n", missing.join("; "));
    }
    if !found.trim().is_empty() && runs.iter().all(|run| has(&run.name)) {
        let _ = writeln!(text, "**Found.** {}\n", found.trim());
    }
    Ok(text)
}

/// What runs cost, CPU seconds by name, as this program carries it: TOML, made from the committed records.
#[must_use]
pub fn costs(seconds: &BTreeMap<String, f64>, command: &str) -> String {
    let mut text = format!("# CPU seconds of the committed runs, as recorded; made by `{command}`.\n");
    for (name, seconds) in seconds {
        let _ = writeln!(text, "\"{name}\" = {seconds:.0}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::Figure;
    use super::*;
    use crate::prose::facts::Fact;
    use crate::prose::marks::Marks;
    use secateur_stats::growth::Followed;

    #[test]
    fn costs_are_read_back_by_name() {
        let text = costs(&BTreeMap::from([("buro-t/1.50".to_owned(), 79.6)]), "c");
        let read: toml::Table = toml::from_str(&text).unwrap();
        assert_eq!(read["buro-t/1.50"].as_integer(), Some(80));
    }

    #[test]
    fn a_page_has_what_was_run_and_says_what_cannot_be_had() {
        let run = Run { name: "r".to_owned(), command: "bench quick".to_owned() };
        let alike = |index: usize| Run { name: format!("s{index}"), command: format!("play --seed {index}") };
        let figure = |ours: &str| Figure {
            what: "nodes".to_owned(),
            published: Some(7.0),
            theirs: None,
            printed: None,
            ours: ours.to_owned(),
            neutral: None,
        };
        let experiment = |name: &str, runs: Vec<Run>, figures| Experiment {
            name: name.to_owned(),
            title: format!("Table {name}"),
            theirs: "fifty".to_owned(),
            ours: "two".to_owned(),
            found: "so".to_owned(),
            slopes: None,
            follows: Followed::default(),
            post_hoc: false,
            grades: (name == "3").then(|| "chess".to_owned()),
            foretells: None,
            runs,
            figures,
            table: None,
        };
        let paper = Paper {
            name: "p".to_owned(),
            title: "P".to_owned(),
            about: "b".to_owned(),
            fixed_by: None,
            experiments: vec![
                experiment("1", vec![run], vec![figure("r: x as count")]),
                experiment("2", Vec::new(), Vec::new()),
                experiment("3", Vec::new(), Vec::new()),
                experiment("4", (1..=9).map(alike).collect(), Vec::new()),
            ],
            marks: Marks::default(),
        };
        let mut facts = Facts::default();
        facts.add("r", vec![Fact::number(["x"], 7.0)]);
        let whole = page(&paper, &facts, &|_| true, "c").unwrap();
        assert!(whole.contains("| nodes | 7 | 7 | no interval |"), "{whole}");
        assert!(
            whole.contains("**Not repeated.** two") && whole.contains("# --only 1\ncargo xtask bench quick")
        );
        assert!(whole.contains("**Here.** two\n\n```sh\ncargo xtask paper p --only 3"), "{whole}");
        let many =
            "xtask play --seed 1\ncargo xtask play --seed 2\n# and 7 more, in suites/lab/papers/p.toml\n```";
        assert!(whole.contains(many), "{whole}");
        let without = page(&paper, &Facts::default(), &|_| false, "c").unwrap();
        assert!(without.contains("**Not run** for this page: `bench quick`."), "{without}");
        assert!(!without.contains("| nodes |"), "a run that is not there has no figures: {without}");
        assert!(page(&paper, &Facts::default(), &|_| true, "c").is_err());
    }
}
