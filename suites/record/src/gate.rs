//! What the gate was asked and answered, one row a question.

use serde::Serialize;

/// How a question was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// As expected.
    Ok,
    /// Not as expected.
    Regression,
    /// The baseline does not contain it; `--update-baseline` adds it.
    NotInBaseline,
    /// Could not be asked here.
    Skipped,
}

/// One row of the gate's table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Question {
    /// The question: `signature`, `none = minimax`, `off = absent`, `fires`, `pv`, `instructions`, `accuracy`.
    pub what: &'static str,
    /// Game, and the method set where it is about one.
    pub subject: String,
    /// What was expected.
    pub expected: String,
    /// What was found.
    pub found: String,
    /// The answer.
    pub verdict: Answer,
}

impl Question {
    /// A question that was answered with yes or no.
    pub fn new(what: &'static str, subject: &str, expected: String, found: String, ok: bool) -> Question {
        let verdict = if ok { Answer::Ok } else { Answer::Regression };
        Question { what, subject: subject.to_owned(), expected, found, verdict }
    }
}
