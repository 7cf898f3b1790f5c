//! The gate's table: what was checked, expected and found.

use crate::table::{Report, Section, Table};
use secateur_record::gate::{Check, Verdict};

/// The table of all questions, and one line that sums it up.
#[must_use]
pub fn report(checks: &[Check]) -> Report {
    let mut table = Table::new(&["<check", "<subject", "<expected", "<found", "<verdict"]);
    for check in checks {
        let verdict = word(check.verdict).to_owned();
        table.push(vec![
            check.what.to_owned(),
            check.subject.clone(),
            check.expected.clone(),
            check.found.clone(),
            verdict,
        ]);
    }
    let mut report = Report::new("secateur gate");
    let section = Section { title: "Gate".to_owned(), text: vec![summary(checks)], tables: vec![table] };
    report.sections.push(section);
    report
}

/// How many questions were answered how.
#[must_use]
pub fn summary(checks: &[Check]) -> String {
    let all = [Verdict::Ok, Verdict::Breach, Verdict::Unblessed, Verdict::Skipped];
    let count = |verdict: Verdict| checks.iter().filter(|check| check.verdict == verdict).count();
    let parts: Vec<String> = all
        .into_iter()
        .filter(|&verdict| verdict == Verdict::Ok || count(verdict) > 0)
        .map(|verdict| format!("{} {}", count(verdict), word(verdict)))
        .collect();
    format!("{} checks: {}.", checks.len(), parts.join(", "))
}

/// What a blessing changes, a line each, for the message of the commit.
#[must_use]
pub fn difference(checks: &[Check]) -> String {
    let changed = checks.iter().filter(|check| matches!(check.verdict, Verdict::Breach | Verdict::Unblessed));
    let line = |check: &Check| {
        format!("- {}, {}: {} -> {}\n", check.what, check.subject, check.expected, check.found)
    };
    changed.map(line).collect()
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Ok => "ok",
        Verdict::Breach => "BREACH",
        Verdict::Unblessed => "not blessed",
        Verdict::Skipped => "skipped",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_counts_and_the_difference_lists_what_is_not_ok() {
        let check = |subject: &str, verdict| Check {
            what: "signature",
            subject: subject.to_owned(),
            expected: "1".to_owned(),
            found: "2".to_owned(),
            verdict,
        };
        let checks = [check("a", Verdict::Ok), check("b", Verdict::Breach), check("c", Verdict::Skipped)];
        assert_eq!(summary(&checks), "3 checks: 1 ok, 1 BREACH, 1 skipped.");
        assert_eq!(difference(&checks), "- signature, b: 1 -> 2\n");
        assert_eq!(report(&checks).sections[0].tables[0].rows.len(), 3);
    }
}
