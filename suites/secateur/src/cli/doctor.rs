//! `doctor`: what can be measured on this machine and what not.

use crate::cli::failure::Outcome;
use crate::cli::report::width;
use crate::cli::say::say;
use secateur_gate::doctor::{Finding, State, findings};
use secateur_reports::render;
use secateur_reports::table::Report;

/// Looks at the machine and prints what was found; never fails.
pub fn run() -> Outcome {
    let row = |finding: Finding| {
        let state = match finding.state {
            State::Good => "good",
            State::Doubtful => "doubtful",
            State::Absent => "absent",
        };
        [
            ("<what", finding.what.to_owned()),
            ("<found", finding.found),
            ("<state", state.to_owned()),
            ("<meaning", finding.advice),
        ]
    };
    let text = vec![
        "Nodes, values and moves are exact on every machine; this is about time and instructions.".to_owned(),
    ];
    let table = findings().into_iter().map(row).collect();
    say(&render::terminal(&Report::of_table("This machine", text, table), width()));
    Ok(())
}
