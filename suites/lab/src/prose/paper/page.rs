//! The page of a paper, in Markdown: published figures next to ours with what may be said of the two, and the costs of its runs.

use super::{Experiment, Figure, Paper, Run};
use crate::prose::expression::{Measured, measured};
use crate::prose::facts::Facts;
use secateur_reports::format::ratio;
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
    let Experiment { name, title, runs, .. } = experiment;
    let mut text = format!(
        "## {title}\n\n**Theirs.** <!--fact: {} -->{}<!--/-->\n\n",
        paper.name,
        experiment.theirs.trim()
    );
    if let Some(printed) = &experiment.table {
        // Between marks, because what stands there is not typed in prose.
        let table = markdown_table(&printed.table());
        let _ = writeln!(text, "<!-- BEGIN: printed-{name} -->\n{table}<!-- END -->\n");
    }
    let head = if runs.is_empty() { "Not repeated." } else { "Here." };
    let _ = writeln!(text, "**{head}** {}\n", experiment.ours.trim());
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
    let available = experiment.figures.iter().filter(|figure| figure.sources().iter().all(|run| has(run)));
    let row = |figure: &Figure| {
        compared(figure, &of_paper, facts).map_err(|error| format!("{}, {title}: {error}", paper.name))
    };
    let table: Table = available.map(row).collect::<Result<_, String>>()?;
    if !table.rows.is_empty() {
        // Between marks, because what stands there is not typed in prose.
        let _ = writeln!(text, "<!-- BEGIN: {name} -->\n{}<!-- END -->\n", markdown_table(&table));
    }
    let missing: Vec<String> =
        runs.iter().filter(|run| !has(&run.name)).map(|run| format!("`{}`", run.command)).collect();
    // What such an experiment found stands in a table of its own; its runs are in no tree.
    if !missing.is_empty() && experiment.foretells.is_none() && experiment.slopes.is_none() {
        let _ = writeln!(text, "**Not run** for this page: {}.\n", missing.join("; "));
    }
    if !experiment.found.trim().is_empty() && runs.iter().all(|run| has(&run.name)) {
        let _ = writeln!(text, "**Found.** {}\n", experiment.found.trim());
    }
    Ok(text)
}

/// What runs cost, CPU seconds by name, as this program carries it: TOML, made from the committed records.
pub fn costs(seconds: &BTreeMap<String, f64>, command: &str) -> String {
    let mut text = format!("# CPU seconds of the committed runs, as recorded; made by `{command}`.\n");
    for (name, seconds) in seconds {
        let _ = writeln!(text, "\"{name}\" = {seconds:.0}");
    }
    text
}

/// A figure in words, as a row of a table: what it is, as published, as measured with its interval, and what may be said of the two.
pub type Compared = [(&'static str, String); 4];

/// A figure next to ours. `printed` are the [numbers of the paper's tables](super::Paper::printed_facts).
///
/// # Errors
/// An expression that cannot be read, or names what is not in the record.
pub fn compared(figure: &Figure, printed: &Facts, facts: &Facts) -> Result<Compared, String> {
    let Measured { number, within, written } = measured(&figure.ours, facts)?;
    let theirs = figure.theirs(printed)?;
    let verdict = theirs.as_ref().map_or("-", |(theirs, _)| verdict(*theirs, number, within, figure.neutral));
    let published = theirs.map(|(_, written)| written).or_else(|| figure.printed.clone()).unwrap_or_default();
    Ok([
        ("<what", figure.what.clone()),
        ("published", published),
        ("here", written),
        ("<verdict", verdict.to_owned()),
    ])
}

/// A number as a paper would print it.
pub(super) fn plain(number: f64) -> String {
    if number.fract() == 0.0 {
        format!("{number:.0}")
    } else if number < 0.0 {
        format!("-{}", ratio(-number))
    } else {
        ratio(number)
    }
}

/// What an interval says of a published number. Direction first: whether both say that there is an effect, and the same.
fn verdict(published: f64, ours: f64, within: Option<(f64, f64)>, neutral: Option<f64>) -> &'static str {
    let Some((low, high)) = within else {
        return match neutral {
            Some(neutral) if (published - neutral) * (ours - neutral) < 0.0 => "opposite sign, no interval",
            Some(_) => "same sign, no interval",
            None => "no interval",
        };
    };
    // An interval is no proof of a number in it.
    if (low..=high).contains(&published) {
        return match neutral {
            Some(neutral) if (low..=high).contains(&neutral) => "nothing shown: holds both",
            Some(_) => "same sign, no difference shown",
            None => "no difference shown",
        };
    }
    match neutral {
        Some(neutral) if (low..=high).contains(&neutral) => "no effect shown here",
        Some(neutral) if (published - neutral) * (ours - neutral) < 0.0 => "opposite sign",
        Some(neutral) if (ours - neutral).abs() < (published - neutral).abs() => "same sign, less here",
        Some(_) => "same sign, more here",
        None if ours < published => "lower here",
        None => "higher here",
    }
}

#[cfg(test)]
mod tests {
    use super::super::Figure;
    use super::*;
    use crate::prose::facts::Fact;
    use crate::prose::marks::Marks;
    use secateur_stats::growth::Followed;
    use secateur_stats::interval::Interval;

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
        assert!(whole.contains("**Here.** two\n\n```sh\n# --only 1"), "{whole}");
        let many =
            "xtask play --seed 1\ncargo xtask play --seed 2\n# and 7 more, in suites/lab/papers/p.toml\n```";
        assert!(whole.contains(many), "{whole}");
        let without = page(&paper, &Facts::default(), &|_| false, "c").unwrap();
        assert!(without.contains("**Not run** for this page: `bench quick`."), "{without}");
        assert!(!without.contains("| nodes |"), "a run that is not there has no figures: {without}");
        assert!(page(&paper, &Facts::default(), &|_| true, "c").is_err());
    }

    #[test]
    fn verdicts_compare_the_published_number_with_the_interval() {
        for (published, within, neutral, says) in [
            (6.0, (5.0, 7.0), Some(1.0), "same sign, no difference shown"),
            (6.0, (0.6, 7.0), Some(1.0), "nothing shown: holds both"),
            (6.0, (5.0, 7.0), None, "no difference shown"),
            (6.0, (2.0, 3.0), Some(1.0), "same sign, less here"),
            (2.0, (5.0, 7.0), Some(1.0), "same sign, more here"),
            (0.5, (5.0, 7.0), Some(1.0), "opposite sign"),
            (6.0, (0.5, 2.0), Some(1.0), "no effect shown here"),
            (6.0, (2.0, 3.0), None, "lower here"),
            (1.0, (2.0, 3.0), None, "higher here"),
        ] {
            let ours = (within.0 + within.1) / 2.0;
            assert_eq!(verdict(published, ours, Some(within), neutral), says, "{published} {within:?}");
        }
        assert_eq!(verdict(2.0, 3.0, None, Some(1.0)), "same sign, no interval");
        assert_eq!(verdict(2.0, 0.5, None, Some(1.0)), "opposite sign, no interval");
        assert_eq!(verdict(2.0, 3.0, None, None), "no interval");
    }

    #[test]
    fn a_figure_is_laid_beside_the_record() {
        let mut facts = Facts::default();
        let within = Interval { estimate: 5.0, low: 4.5, high: 5.5 };
        facts.add("r", vec![Fact::within(["probcut", "speedup"], within)]);
        let mut figure = Figure {
            what: "speed-up".to_owned(),
            published: Some(6.0),
            theirs: None,
            printed: None,
            ours: "r: probcut speedup as within".to_owned(),
            neutral: Some(1.0),
        };
        let row = |figure: &Figure| {
            compared(figure, &Facts::default(), &facts).map(|row| row.map(|(_, cell)| cell))
        };
        let texts = row(&figure).unwrap();
        assert_eq!(texts, ["speed-up", "6", "5.00 [4.50, 5.50]", "same sign, less here"]);
        figure.printed = Some("\"about six\"".to_owned());
        assert_eq!(row(&figure).unwrap()[1], "\"about six\"");
        figure.ours = "other: probcut".to_owned();
        assert!(row(&figure).is_err());
    }
}
