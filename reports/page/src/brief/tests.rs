//! The answer fits, whatever the run and the terminal.

use super::*;
use secateur_record::record::{BudgetKind, Record};
use secateur_stats::fixtures::row;

/// Twelve positions under `budgets` depths, with as many method sets; names grow.
fn runs(budgets: u64, methods: usize) -> Runs {
    let mut records = Vec::new();
    for budget in 1..=budgets {
        for p in 0..12 {
            for m in 0..methods {
                let name = match m {
                    0 => "none".to_owned(),
                    m => vec!["null-move"; m % 7 + 1].join("+") + &format!("+x{m}"),
                };
                let nodes = 1_000_000 / (1 + m as u64) + 7 * p;
                let own = row(&format!("p{p}"), "28", &name, nodes);
                let score = Some((m as i32) * 17 * i32::from(p % 3 == 0));
                records.push(Record { budget, score, time_ns: 1_000 * nodes, ..own });
            }
        }
    }
    Runs { records, ..Runs::default() }
}

#[test]
fn every_line_fits_and_no_number_is_broken() {
    for width in [80, 100, 137, 200] {
        for (budgets, methods) in [(1, 2), (1, 9), (6, 12), (1, 64), (40, 3)] {
            let text = whole(&runs(budgets, methods), &[], width);
            for line in text.lines() {
                assert!(line.chars().count() <= usize::from(width), "{width}: {line}");
                assert_eq!(line.matches('[').count(), line.matches(']').count(), "{line}");
            }
            assert!(text.contains("nodes saved") && text.contains("same move"), "{text}");
            // What is needed least is left out where there is no room, and only there.
            assert_eq!(text.contains("same value"), width > 100, "{width} {methods}\n{text}");
            assert_eq!(text.contains("time saved"), width > 80, "{width} {methods}\n{text}");
        }
    }
}

#[test]
fn a_run_ends_in_few_lines() {
    let last = ["page: runs/x/report.html".to_owned()];
    for (budgets, methods) in [(1, 2), (1, 64), (2, 12), (40, 3)] {
        let text = whole(&runs(budgets, methods), &last, 100);
        let end = &text[text.find("\nIn short").unwrap()..];
        let of = if budgets == 1 { text.as_str() } else { end };
        assert!(of.lines().count() <= LINES, "{} lines\n{of}", of.lines().count());
        assert!(text.ends_with("page: runs/x/report.html\n"));
        assert_eq!(text.contains("less; --full"), methods > 9, "{text}");
        assert_eq!(end.contains("more; --full prints all"), budgets == 40, "{end}");
    }
}

#[test]
fn one_position_is_no_positions() {
    let mut runs = runs(1, 3);
    runs.records.retain(|row| row.position == "p0");
    let text = whole(&runs, &[], 100);
    assert!(text.contains("1 position, compared with none") && text.contains("1 position:"), "{text}");
    assert!(!text.contains("1 positions"), "{text}");
}

#[test]
fn values_have_a_unit_and_an_oracle_goes_before_them() {
    let mut runs = runs(1, 3);
    let text = whole(&runs, &[], 100);
    assert!(text.contains("|dv|, discs") && text.contains("time saved"), "{text}");
    for record in &mut runs.records {
        record.regret = Some(i32::from(record.methods != "none") * 150);
        record.instructions = record.nodes.map(|nodes| nodes * 100);
    }
    let text = whole(&runs, &[], 120);
    assert!(text.contains("regret, discs") && text.contains("1.50") && !text.contains("|dv|"), "{text}");
    assert!(text.contains("instructions saved") && !text.contains("time saved"), "{text}");
}

#[test]
fn at_other_budgets_depths_are_compared() {
    let mut runs = runs(1, 3);
    for record in &mut runs.records {
        (record.budget_kind, record.budget) = (BudgetKind::Nodes, 1);
    }
    let text = whole(&runs, &[], 100);
    assert!(text.contains("plies gained") && text.contains("no depths are known"), "{text}");
}

#[test]
fn names_of_others_cannot_turn_lines_around() {
    let mut runs = runs(1, 3);
    for record in &mut runs.records {
        if record.methods != "none" {
            record.methods = format!("{}\u{202e}\n\u{7}", record.methods);
        }
    }
    runs.notes.push("\u{1b}[2J".to_owned());
    let text = whole(&runs, &[], 100);
    assert!(!text.chars().any(|c| c != '\n' && (c.is_control() || c == '\u{202e}')), "{text}");
}

#[test]
fn nothing_is_no_table() {
    let text = whole(&Runs::default(), &[], 100);
    assert_eq!(text, "\nIn short\n");
}
