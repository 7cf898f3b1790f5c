//! Rows that are known to have changed, and rows that are known not to have.

use super::*;
use secateur_record::record::BudgetKind;
use secateur_stats::fixtures::row;
use secateur_stats::group::groups;

/// One position for each way of being changed, and one that is not.
fn records() -> Vec<Record> {
    let moved = |record: Record, mv: &str, score: i32| Record {
        best_move: mv.into(),
        score: Some(score),
        move_tied: Some(false),
        ..record
    };
    vec![
        row("same", "28", "none", 100),
        row("same", "28", "mpc", 10),
        row("moved", "28", "none", 100),
        moved(row("moved", "28", "mpc", 10), "c4", 250),
        row("tied", "28", "none", 100),
        Record { move_tied: Some(true), ..moved(row("tied", "28", "mpc", 10), "c4", 0) },
        row("valued", "28", "none", 100),
        Record { score: Some(-900), ..row("valued", "28", "mpc", 50) },
    ]
}

#[test]
fn what_changed_is_found_and_the_worst_comes_first() {
    let records = records();
    let groups = groups(&records);
    let all = changes(&groups);
    let found: Vec<(&str, bool, f64)> =
        all.iter().map(|c| (c.row.position.as_str(), c.moved, c.lost)).collect();
    assert_eq!(found, [("valued", false, 9.0), ("moved", true, 2.5)]);
    assert_eq!(all[1].saved(), "10.0x");
    assert_eq!(data(&all).lines().count(), 3);
}

#[test]
fn an_oracle_goes_before_values_and_proofs_before_all() {
    let mut records = records();
    for record in &mut records {
        record.regret = Some(if record.position == "moved" && record.methods == "mpc" { 1_000 } else { 300 });
    }
    let judged = groups(&records);
    let all = changes(&judged);
    assert_eq!((all[0].row.position.as_str(), all[0].lost, all[0].judged), ("moved", 7.0, true));
    let mut records = self::records();
    records[3].score = Some(1_000_000);
    let groups = groups(&records);
    let all = changes(&groups);
    let decisive = secateur_record::games::traits("othello").unwrap().decisive.is_some();
    assert_eq!(all[0].lost_words() == "a proven value", decisive);
}

#[test]
fn at_equal_budgets_another_move_is_no_change_unless_it_is_judged() {
    let mut records = records();
    for record in &mut records {
        record.budget_kind = BudgetKind::Nodes;
    }
    assert!(changes(&groups(&records)).is_empty());
    for record in &mut records {
        record.regret = Some(i32::from(record.best_move == "c4"));
    }
    let groups = groups(&records);
    let found: Vec<&str> = changes(&groups).iter().map(|c| c.row.position.as_str()).collect();
    assert_eq!(found, ["moved"]);
}

#[test]
fn the_worst_have_boards_where_the_position_is_known() {
    let records = records();
    let groups = groups(&records);
    let all = changes(&groups);
    let text = format!("{}XO{} X;", "-".repeat(27), "-".repeat(35));
    let positions = Positions::from([(("othello".to_owned(), "moved".to_owned()), text)]);
    let page = section(&all, &positions, Sides::Methods).into_string();
    assert_eq!(page.matches("<svg").count(), 1);
    assert_eq!(page.matches("<article").count(), 2);
    assert!(page.contains("href=\"#change-1\"") && page.contains("id=\"change-1\""), "{page}");
    assert!(page.contains("+2.50") && page.contains("-9.00"), "{page}");
}
