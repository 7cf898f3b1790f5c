//! `doctor`: what can be measured on this machine and what not.

use crate::cli::failure::Outcome;
use crate::cli::report::width;
use crate::cli::say::say;
use secateur_gate::doctor::{State, findings};
use secateur_reports::render;
use secateur_reports::table::{Report, Section, Table};

/// Looks at the machine and prints what was found; never fails.
pub fn run() -> Outcome {
    let mut table = Table::new(&["<what", "<found", "<state", "<meaning"]);
    for finding in findings() {
        let state = match finding.state {
            State::Good => "good",
            State::Doubtful => "doubtful",
            State::Absent => "absent",
        };
        table.push(vec![finding.what.to_owned(), finding.found, state.to_owned(), finding.advice]);
    }
    let mut report = Report::new("secateur doctor");
    let text = vec![
        "Nodes, values and moves are exact on every machine; this is about time and instructions.".to_owned(),
    ];
    report.sections.push(Section { title: "This machine".to_owned(), text, tables: vec![table] });
    say(&render::terminal(&report, width()));
    Ok(())
}
