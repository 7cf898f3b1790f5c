//! `compare`: two runs, or two method sets, paired by position; a verdict and an exit code.

use crate::cli::evidence::{positions, searches_in};
use crate::cli::failure::{Failure, Outcome};
use crate::cli::reading::hold_something;
use crate::cli::report::width;
use crate::cli::say::hand;
use secateur_base::program::name;
use secateur_reports::compare::{Conclusion, conclude, conclude_whole};
use secateur_reports::page::html;
use secateur_reports::render;
use secateur_stats::compare::{Side, SideBySide, Unsliced, side_by_side, sliced};
use secateur_stats::measure::{Budgets, MEASURES};
use secateur_stats::read::large;
use secateur_stats::runs::Runs;
use std::path::PathBuf;

/// Arguments of `compare`.
#[derive(clap::Args)]
#[command(
    after_help = format!("Examples:\n  {me} compare runs/before runs/after\n  {me} compare runs/quick \
                        --methods null-move null-move+mpc\n  {me} compare runs/before runs/after --allow nodes\n  {me} compare runs/before \
                        runs/after --html --out compare.html\n\nExit codes: 0 better or not shown to differ, 3 shown to be \
                        worse in something that is not allowed, 4 not comparable", me = name())
)]
pub struct Flags {
    /// The old run and the new one; a single run with --methods
    #[arg(required = true, num_args = 1..=2)]
    runs: Vec<PathBuf>,
    /// Compare two method sets: OLD of the first run with NEW of the second
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"])]
    methods: Vec<String>,
    /// Compare runs whose parameters or evaluations differ
    #[arg(long)]
    across: bool,
    #[arg(long, value_name = "WHAT", value_parser = judged, help = format!("Accept that this is worse: {}; repeatable", judged_names().join(", ")))]
    allow: Vec<String>,
    /// Print Markdown instead of the form for a terminal
    #[arg(long, conflicts_with = "html")]
    markdown: bool,
    /// Write one self-contained page: the verdict, a picture of the paired differences, and every changed
    /// position
    #[arg(long)]
    html: bool,
    /// Write to this file [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Flags {
    pub fn run(self) -> Outcome {
        if self.runs.len() == 1 && self.methods.is_empty() {
            return Err(Failure::input("one run: name a second, or two method sets with --methods OLD NEW"));
        }
        hold_something(&self.runs)?;
        let (concluded, page) = if large(&self.runs) { (self.of_large()?, None) } else { self.of_rows()? };
        let report = &concluded.report;
        let text = page.unwrap_or_else(|| match self.markdown {
            true => render::markdown(report),
            false => render::terminal(report, width()),
        });
        hand(self.out.as_deref(), &text)?;
        match concluded.worse.iter().all(|worse| self.allow.iter().any(|allowed| allowed == worse)) {
            true => Ok(()),
            false => Err(Failure::gate(concluded.line)),
        }
    }

    fn methods(&self, side: usize) -> Option<&str> {
        self.methods.get(side).map(String::as_str)
    }

    /// Some arms at a time.
    fn of_large(&self) -> Result<Conclusion, Failure> {
        if self.html {
            return Err(Failure::input(
                "--html: these runs are too large for a page, which would hold all their positions",
            ));
        }
        let whole = sliced(&self.runs, [0, 1].map(|side| self.methods(side)), self.across);
        let whole = whole.map_err(|error| match error {
            Unsliced::Read(error) => Failure::from(error),
            Unsliced::Incomparable(error) => Failure::from(error),
        })?;
        let names = told_apart(&self.runs);
        Ok(conclude_whole([&names[0], &names[names.len() - 1]], &whole))
    }

    /// All rows at once; with the page if that is asked for.
    fn of_rows(&self) -> Result<(Conclusion, Option<String>), Failure> {
        let names = told_apart(&self.runs);
        let sides: Vec<Runs> = self.runs.iter().map(|run| searches_in(run)).collect::<Result<_, _>>()?;
        let last = sides.len() - 1;
        let side = |run: usize, side: usize| Side {
            name: &names[run],
            runs: &sides[run],
            methods: self.methods(side),
        };
        let compared: SideBySide<'_> = side_by_side(side(0, 0), side(last, 1), self.across)?;
        let concluded = conclude(&compared);
        let page = || html::of_two(&compared, &concluded, &sides.iter().flat_map(positions).collect());
        let page = self.html.then(page);
        Ok((concluded, page))
    }
}

/// The folders by what tells them apart: their paths without what both begin with.
fn told_apart(runs: &[PathBuf]) -> Vec<String> {
    let parts: Vec<Vec<_>> = runs.iter().map(|run| run.components().collect()).collect();
    let shared = match parts.as_slice() {
        [first, second] => first.iter().zip(second).take_while(|(one, other)| one == other).count(),
        _ => usize::MAX,
    };
    let own_part = |parts: &Vec<std::path::Component<'_>>| {
        parts[shared.min(parts.len().saturating_sub(1))..].iter().collect::<PathBuf>().display().to_string()
    };
    parts.iter().map(own_part).collect()
}

/// The name of a measure that a comparison judges by.
fn judged(name: &str) -> Result<String, String> {
    match judged_names().contains(&name) {
        true => Ok(name.to_owned()),
        false => Err(format!("expected one of {}", judged_names().join(", "))),
    }
}

/// The names of the measures that a comparison judges by.
fn judged_names() -> Vec<&'static str> {
    let measures = MEASURES.iter().filter(|measure| measure.budgets != Budgets::Asked);
    measures.map(|measure| measure.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_called_by_what_differs() {
        let names_of = |runs: &[&str]| told_apart(&runs.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(names_of(&["/home/me/runs/before", "/home/me/runs/after"]), ["before", "after"]);
        assert_eq!(names_of(&["a/x/out", "b/x/out"]), ["a/x/out", "b/x/out"]);
        assert_eq!(names_of(&["runs", "runs/new"]), ["runs", "new"]);
        assert_eq!(names_of(&["runs/one", "runs/one"]), ["one", "one"]);
        assert_eq!(names_of(&["runs/one"]), ["one"]);
    }
}
