//! The gate's table: what was checked, expected and found.

use crate::table::Report;
use secateur_record::gate::{Answer, Question};

/// The table of all questions, regressions first, under one line that sums it up and these sentences, which explain it.
pub fn report(checks: &[Question], explained: &[String]) -> Report {
    let mut sorted: Vec<&Question> = checks.iter().collect();
    // What somebody must look at first; within that the order in which an answer explains the ones after it.
    sorted.sort_by_key(|check| match check.verdict {
        Answer::Regression => 0,
        Answer::NotInBaseline => 1,
        Answer::Skipped => 2,
        Answer::Ok => 3,
    });
    let row = |check: &Question| {
        [
            ("<check", check.what.to_owned()),
            ("<subject", check.subject.clone()),
            ("<expected", check.expected.clone()),
            ("<found", check.found.clone()),
            ("<verdict", word(check.verdict).to_owned()),
        ]
    };
    let text = std::iter::once(summary(checks)).chain(explained.iter().cloned()).collect();
    let gate = Report::of_table("Gate", text, sorted.into_iter().map(row).collect());
    Report { title: "secateur gate".to_owned(), ..gate }
}

/// How many questions were answered how.
pub fn summary(checks: &[Question]) -> String {
    let all = [Answer::Ok, Answer::Regression, Answer::NotInBaseline, Answer::Skipped];
    let count = |verdict: Answer| checks.iter().filter(|check| check.verdict == verdict).count();
    let parts: Vec<String> = all
        .into_iter()
        .filter(|&verdict| verdict == Answer::Ok || count(verdict) > 0)
        .map(|verdict| format!("{} {}", count(verdict), word(verdict)))
        .collect();
    format!("{} checks: {}.", checks.len(), parts.join(", "))
}

/// What an update of the baseline changes, one line each, for the message of the commit.
pub fn difference(checks: &[Question]) -> String {
    let changed =
        checks.iter().filter(|check| matches!(check.verdict, Answer::Regression | Answer::NotInBaseline));
    let line = |check: &Question| {
        format!("- {}, {}: {} -> {}\n", check.what, check.subject, check.expected, check.found)
    };
    changed.map(line).collect()
}

fn word(verdict: Answer) -> &'static str {
    match verdict {
        Answer::Ok => "ok",
        Answer::Regression => "REGRESSION",
        Answer::NotInBaseline => "not in the baseline",
        Answer::Skipped => "skipped",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_counts_and_the_difference_lists_what_is_not_ok() {
        let check = |subject: &str, verdict| Question {
            what: "signature",
            subject: subject.to_owned(),
            expected: "1".to_owned(),
            found: "2".to_owned(),
            verdict,
        };
        let checks = [check("a", Answer::Ok), check("b", Answer::Regression), check("c", Answer::Skipped)];
        assert_eq!(summary(&checks), "3 checks: 1 ok, 1 REGRESSION, 1 skipped.");
        assert_eq!(difference(&checks), "- signature, b: 1 -> 2\n");
        let report = report(&checks, &["full is none".to_owned()]);
        assert_eq!(report.sections[0].text[1], "full is none");
        let rows = &report.sections[0].tables[0].rows;
        assert_eq!(
            rows.iter().map(|row| row[1].as_str()).collect::<Vec<_>>(),
            ["b", "c", "a"],
            "regressions first"
        );
    }
}
