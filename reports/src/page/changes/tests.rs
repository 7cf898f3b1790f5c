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
    let changed: Vec<(&str, bool, f64)> =
        all.iter().map(|c| (c.row.position.as_str(), c.moved, c.lost())).collect();
    assert_eq!(changed, [("valued", false, 9.0), ("moved", true, 2.5)]);
    assert_eq!(all[1].saved(), "10.0x");
    assert_eq!(data(&all).lines().count(), 3);
}

/// Among many equal ones the order is that of the record, whatever sorts them.
#[test]
fn equal_changes_stay_as_they_were_recorded() {
    let names: Vec<String> = (0..200).map(|number| format!("p{}", number * 7 % 200)).collect();
    let both = |name: &String| {
        let other = Record { score: Some(300), ..row(name, "28", "mpc", 10) };
        [row(name, "28", "none", 100), other]
    };
    let records: Vec<Record> = names.iter().flat_map(both).collect();
    let groups = groups(&records);
    let changed: Vec<String> = changes(&groups).iter().map(|c| c.row.position.to_string()).collect();
    assert_eq!(changed, names);
}

/// A move that was not compared with the baseline's is not counted as changed; a value is.
#[test]
fn undecided_moves_are_no_changed_ones_and_are_counted() {
    let mut records = records();
    for position in ["open", "open-valued"] {
        records.push(row(position, "28", "none", 100));
        let score = Some(if position == "open" { 0 } else { 700 });
        records.push(Record { best_move: "c4".into(), score, ..row(position, "28", "mpc", 10) });
    }
    let groups = groups(&records);
    let all = changes(&groups);
    let changed: Vec<(&str, bool)> = all.iter().map(|c| (c.row.position.as_str(), c.moved)).collect();
    assert_eq!(changed, [("valued", false), ("open-valued", false), ("moved", true)]);
    let sentence = section::sentence(&all, &groups[0], &Boards::of(&all)).unwrap().into_string();
    assert!(
        sentence.contains("changed in 1 of 6 searches (2 other moves left out, undecided), the value in 3"),
        "{sentence}"
    );
}

#[test]
fn an_oracle_goes_before_values_and_proofs_before_all() {
    let mut records = records();
    for record in &mut records {
        record.regret = Some(if record.position == "moved" && record.methods == "mpc" { 1_000 } else { 300 });
    }
    let judged = groups(&records);
    let all = changes(&judged);
    assert_eq!((all[0].row.position.as_str(), all[0].lost(), all[0].is_judged()), ("moved", 7.0, true));
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
    let changed: Vec<&str> = changes(&groups).iter().map(|c| c.row.position.as_str()).collect();
    assert_eq!(changed, ["moved"]);
}

#[test]
fn the_worst_have_boards_where_the_position_is_known() {
    let records = records();
    let groups = groups(&records);
    let all = changes(&groups);
    let text = format!("{}XO{} X;", "-".repeat(27), "-".repeat(35));
    let moved_position = Known { position: text, again: "secateur bench --positions s:moved".to_owned() };
    let positions = Positions::from([(("othello".to_owned(), "moved".to_owned()), moved_position)]);
    let page = section(&all, &Boards::of(&all), &positions, Sides::Methods).into_string();
    assert_eq!(page.matches("<svg").count(), 1);
    assert_eq!(page.matches("<article").count(), 2);
    assert!(page.contains("href=\"#change-1\"") && page.contains("id=\"change-1\""), "{page}");
    assert!(page.contains("+2.50") && page.contains("-9.00"), "{page}");
    let command = "secateur bench --positions s:moved --methods &#39;none,mpc&#39; --depth 12";
    assert!(page.contains(command) || page.contains(&command.replace("&#39;", "'")), "{page}");
}

/// Of a program without a method those come first whose move changed, whichever side loses, and the words say which.
#[test]
fn what_a_method_changes_is_said_of_the_program_without_it() {
    let row = |position: &str, methods: &str, mv: &str, regret: i32, score: i32| Record {
        best_move: mv.into(),
        regret: Some(regret),
        score: Some(score),
        move_tied: Some(false),
        ..row(position, "28", methods, 100)
    };
    // The arm that stands for the program as it is: without a manifest the baseline is `none`.
    let records = [
        row("valued", "none", "c4", 900, 0),
        row("valued", "full[-lmr]", "c4", 900, 700),
        row("small", "none", "c4", 0, 0),
        row("small", "full[-lmr]", "d3", 50, 100),
        row("hurt", "none", "c4", 300, 0),
        row("hurt", "full[-lmr]", "d3", 0, 100),
    ];
    let groups = groups(&records);
    let mut all = changes(&groups);
    by_size(&mut all);
    let changed: Vec<&str> = all.iter().map(|change| change.row.position.as_str()).collect();
    assert_eq!(changed, ["hurt", "small", "valued"]);
    let page = section(&all, &Boards::of(&all), &Positions::new(), Sides::Without).into_string();
    for words in [
        "without lmr the move loses 3.00 discs less",
        "without lmr the move loses 0.50 discs more",
        "valued: c4, of another value",
        "hurt: c4 or d3",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    assert!(!page.contains("baseline"), "{page}");
}

/// A pawn is not a disc: a small loss in a game of large values does not hide a large one in a game of small values.
#[test]
fn games_are_ranked_by_their_own_spread_and_each_has_boards() {
    let mut records = Vec::new();
    for i in 0..40_i32 {
        for (game, scale) in [("othello", 100), ("chess", 1)] {
            let base = Record {
                game: game.into(),
                score: Some(scale * 10 * (i % 5)),
                ..row(&format!("p{i}"), "28", "none", 90)
            };
            // In Othello an eighth of its spread, in chess three of them, and one of no spread at all.
            let lost = if game == "othello" { 200 } else { 50 };
            let score = base.score.map(|score| score - lost);
            records.push(Record {
                methods: "mpc".into(),
                nodes: Some(9),
                score,
                best_move: format!("a{}", i % 8 + 1).into(),
                ..base.clone()
            });
            records.push(base);
        }
    }
    let groups = groups(&records);
    let all = changes(&groups);
    assert!(all[..40].iter().all(|change| change.row.game == "chess"), "raw loss would have Othello first");
    let (lost, severity) = (all[0].lost(), all[0].severity);
    assert!((severity - 3.49).abs() < 0.02 && (lost - 0.5).abs() < 1e-9, "{severity}");
    let page = section(&all, &Boards::of(&all), &Positions::new(), Sides::Methods).into_string();
    for game in ["chess", "othello"] {
        let boards = page.split(&format!("data-game=\"{game}\"")).nth(1).unwrap();
        let boards = boards.split("data-game=").next().unwrap();
        assert_eq!(boards.matches("<article").count(), 12, "{game}");
    }
    // A line leads to a board or nowhere, never to itself.
    for line in page.split("<tr id=\"").skip(1) {
        let row_id = line.split('"').next().unwrap();
        assert!(!line.contains(&format!("href=\"#{row_id}\"")), "{row_id}");
    }
}

#[test]
fn its_columns_are_documented() {
    let table = secateur_stats::columns::of("report --changed").unwrap();
    assert_eq!(
        table.columns.iter().map(|column| &*column.name).collect::<Vec<_>>(),
        super::columns().map(|(name, _)| name)
    );
}
