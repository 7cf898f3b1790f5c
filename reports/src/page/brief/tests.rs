//! The answer fits, whatever the run and the terminal.

use super::*;
use secateur_record::record::{BudgetKind, Record};
use secateur_stats::fixtures::row;
use secateur_stats::group::groups_of;
use secateur_stats::runs::Runs;

fn whole(runs: &Runs, last: &[String], width: u16) -> String {
    super::whole(&Evidence::of(runs), last, width)
}

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
                let record = row(&format!("p{p}"), "28", &name, nodes);
                let score = Some((m as i32) * 17 * i32::from(p % 3 == 0));
                records.push(Record { budget, score, time_ns: 1_000 * nodes, ..record });
            }
        }
    }
    Runs { records, ..Runs::default() }
}

#[test]
fn every_line_fits_and_no_number_is_broken() {
    for width in [40, 60, 80, 100, 137, 200] {
        for (budgets, methods) in [(1, 2), (1, 9), (6, 12), (1, 64), (40, 3)] {
            let text = whole(&runs(budgets, methods), &[], width);
            for line in text.lines() {
                assert!(line.chars().count() <= usize::from(width), "{width}: {line}");
                assert_eq!(line.matches('[').count(), line.matches(']').count(), "{line}");
            }
            let heads =
                |heading: &str| text.lines().any(|line| line.starts_with("method") && line.contains(heading));
            assert!(heads("nodes saved") && heads("same move") | (width <= 60), "{width} {methods}\n{text}");
            // What is needed least is left out where there is no room, and only there; and that is said.
            assert_eq!(heads("same value"), width > 100, "{width} {methods}\n{text}");
            assert_eq!(heads("time saved"), width > 80, "{width} {methods}\n{text}");
            let left_out = text
                .split("no room for: ")
                .nth(1)
                .map(|rest| rest.split(". --wide").next().unwrap_or_default());
            let left_out = left_out.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
            for heading in ["same move", "|dv|, discs", "same value", "time saved"] {
                assert_ne!(heads(heading), left_out.contains(heading), "{width}: {left_out}\n{text}");
            }
        }
    }
    let text = whole(&runs(2, 12), &[], WIDE);
    assert!(
        text.contains("same value") && text.contains("time saved") && !text.contains("no room"),
        "{text}"
    );
}

/// The block with the most positions at a fixed depth stands right above the answer, wherever the suite has it.
#[test]
fn the_last_table_is_the_one_that_matters() {
    let mut runs = runs(3, 3);
    runs.records.retain(|row| row.budget == 2 || ["p0", "p1"].contains(&&*row.position));
    let groups = groups_of(&runs);
    let order: Vec<u64> = weightiest_last(&groups).iter().map(|group| group.budget).collect();
    assert_eq!(order, [1, 3, 2]);
    let text = whole(&runs, &[], 100);
    assert!(
        text.rfind("depth 2 (table2): 12 positions") > text.rfind("depth 3 (table2): 2 positions"),
        "{text}"
    );
    assert!(weightiest_last(&[]).is_empty());
}

/// Every method that no other beats is named, and no other.
#[test]
fn the_answer_names_the_whole_frontier() {
    let mut records = Vec::new();
    for p in 0..40 {
        // Nodes and moves that are changed: b is beaten by c, e changes too many, all others are on the frontier.
        for (name, nodes, changed) in
            [("none", 1000, 0), ("a", 600, 0), ("b", 500, 9), ("c", 400, 4), ("d", 200, 8), ("e", 100, 16)]
        {
            let record = row(&format!("p{p}"), "28", name, 10 * nodes + p);
            let best_move = if p < changed { "a1" } else { "d3" };
            records.push(Record {
                best_move: best_move.into(),
                move_tied: (p < changed).then_some(false),
                ..record
            });
        }
    }
    let text = whole(&Runs { records, ..Runs::default() }, &[], 200);
    let end = text[text.find("\nIn short").unwrap()..].split_whitespace().collect::<Vec<_>>().join(" ");
    for name in ["a (1.6", "c (2.4", "d (4.9"] {
        assert!(end.contains(name), "{name}: {end}");
    }
    assert!(!end.contains(", b (") && !end.contains("e (9"), "{end}");
    assert!(end.contains("keeping less than three moves of four and one value of four: e."), "{end}");
}

#[test]
fn a_run_ends_in_few_lines() {
    let last = ["page: runs/x/report.html".to_owned()];
    for (budgets, methods) in [(1, 2), (1, 64), (2, 12), (40, 3)] {
        let text = whole(&runs(budgets, methods), &last, 100);
        let end = &text[text.find("\nIn short").unwrap()..];
        let counted_text = if budgets == 1 { text.as_str() } else { end };
        assert!(
            counted_text.lines().count() <= LINES,
            "{} lines\n{counted_text}",
            counted_text.lines().count()
        );
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
    assert!(
        text.contains("regret over none, discs") && text.contains("1.50") && !text.contains("|dv|"),
        "{text}"
    );
    assert!(text.contains("instructions saved") && !text.contains("time saved"), "{text}");
}

/// A method that loses what the baseline loses has a regret of nothing over it; what the baseline loses has a row.
#[test]
fn regret_is_what_is_lost_over_the_baseline() {
    let mut runs = runs(1, 3);
    for record in &mut runs.records {
        record.regret = Some(12);
    }
    let text = whole(&runs, &[], 120);
    let rows: Vec<&str> =
        text.lines().skip_while(|line| !line.starts_with("method")).skip(1).take(3).collect();
    assert!(rows[0].starts_with("none") && rows[0].contains("0.12 in all"), "{text}");
    assert!(rows[1..].iter().all(|row| row.contains("0.00") && !row.contains("0.12")), "{text}");
}

/// Times are the geometric means that nodes are: one search that takes long does not decide.
#[test]
fn nodes_and_times_are_the_same_kind_of_mean() {
    let mut runs = runs(1, 2);
    for record in &mut runs.records {
        let long = record.position == "p3";
        let nodes = match (&*record.methods, long) {
            ("none", true) => 900_000_000,
            (_, true) => 10_000_000,
            ("none", false) => 2_000,
            _ => 1_000,
        };
        (record.nodes, record.time_ns) = (Some(nodes), nodes * 10);
    }
    let text = whole(&runs, &[], 137);
    let row = text.lines().find(|line| line.starts_with("null-move+null-move+x1")).unwrap();
    let geometric = ((11.0 * 2f64.ln() + 90f64.ln()) / 12.0).exp();
    let saved = format!("{}x [", crate::format::ratio(geometric));
    assert_eq!(row.matches(&saved).count(), 2, "{saved}: {text}");
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
            record.methods = format!("{}\u{202e}\n\u{7}", record.methods).into();
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

/// No line is wider than the terminal, no cell is broken, and what has no room is named.
#[test]
fn a_table_of_words_fits_and_says_what_it_leaves_out() {
    let mut table = Table::new(&["<method", "<verdict", "nodes", "same move"]);
    let verdict = "not shown: needs about 48,000 positions";
    for name in ["history-pruning", "lmr"] {
        table.push([name, verdict, "1.29 [1.15, 1.44]", "97 % [83, 99]"].map(str::to_owned).to_vec());
    }
    let lines = table_lines(&table, |heading| u8::from(heading != "verdict"), 80);
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{lines:#?}");
    assert!(lines[2].starts_with(&format!("lmr              {verdict}  ")), "{lines:#?}");
    assert!(lines[1].ends_with("1.29 [1.15, 1.44]"), "{lines:#?}");
    assert_eq!(lines[3], "no room for: same move. --wide prints all columns");
    assert_eq!(table_lines(&table, |_| 1, 200).len(), 3, "all columns");
}
