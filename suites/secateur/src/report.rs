//! What runs say, in words and tables.

use secateur_reports::compare::conclude;
use secateur_reports::evidence::Evidence;
use secateur_reports::page::html;
use secateur_reports::table::Report;
use secateur_reports::{export, render};
use secateur_stats::compare::{Side, side_by_side};
use secateur_stats::group::groups_of;
use secateur_stats::measures::measure_rows;
use secateur_stats::metrics::iterations;
use secateur_stats::read::from_rows;
use secateur_stats::runs::Runs as Reported;
use secateur_suites::Runs;
use std::path::Path;

pub use secateur_stats::compare::{Comparison, Incomparable};

/// Columns of the terminal's form.
const WIDTH: u16 = 120;

/// Everything that there is to say, for a terminal.
pub fn full(runs: &Runs) -> String {
    render::terminal(&secateur_reports::full(&reported(runs)), WIDTH)
}

/// The answer alone, as `bench` prints it: one table a block and a few sentences, in `width` columns.
pub fn brief(runs: &Runs, width: u16) -> String {
    secateur_reports::page::brief::whole(&Evidence::of(&reported(runs)), &[], width)
}

/// [`full`] as Markdown.
pub fn markdown(runs: &Runs) -> String {
    render::markdown(&secateur_reports::full(&reported(runs)))
}

/// Every arm against the baseline by stage, for budgets in plies.
pub fn table2(runs: &Runs) -> String {
    render::terminal(&secateur_reports::table2(&reported(runs)), WIDTH)
}

/// What methods save together: effects and interactions, for runs with every combination of two methods or more; empty of
/// others.
pub fn factorial(runs: &Runs) -> String {
    let runs = reported(runs);
    let section = secateur_reports::factorial::section(&groups_of(&runs));
    let report = Report { sections: section.into_iter().collect(), ..Report::default() };
    render::terminal(&report, WIDTH)
}

/// One self-contained page with pictures and tables that sort.
pub fn page(runs: &Runs) -> String {
    html::page(&reported(runs), html::Extras::default())
}

/// Tidy CSV: one row for each measure of each arm, budget and stage.
pub fn csv(runs: &Runs) -> String {
    let runs = reported(runs);
    export::csv(&measure_rows(&groups_of(&runs), &iterations(&runs.iterations)))
}

/// Two runs position by position, or two arms of one run (`arms`): what is better, what is worse, what is not shown.
///
/// # Errors
/// Runs of different games, positions or budgets, with what they have; an arm that is not there.
pub fn compare(
    first: &Runs,
    second: &Runs,
    arms: Option<[&str; 2]>,
) -> Result<(String, Comparison), Incomparable> {
    let runs = [first, second].map(reported);
    let side = |at: usize| Side {
        name: if at == 0 { "first" } else { "second" },
        runs: &runs[at],
        methods: arms.map(|arms| arms[at]),
    };
    let concluded = conclude(&side_by_side(side(0), side(1), false)?);
    Ok((render::terminal(&concluded.report, WIDTH), concluded.comparison))
}

/// The runs as reports read them.
fn reported(runs: &Runs) -> Reported {
    let (rows, manifest) = (runs.rows.clone(), runs.manifest.clone());
    from_rows(Path::new(&manifest.run.clone()), rows, manifest).expect("a run has every cell once")
}
