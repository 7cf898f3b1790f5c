//! Pages of hostile names, and of nothing.

use super::*;
use secateur_record::manifest::Manifest;
use secateur_record::record::{IterationRow, Record};
use secateur_stats::fixtures::row;

const EVIL: &str = "</script><script>alert(1)</script>\" onload=\"x' & <b>";

/// A run in which everything that comes from a file is hostile.
fn hostile() -> Runs {
    let mut records = Vec::new();
    for i in 0..6 {
        for (methods, nodes) in [("none", 1_000), (EVIL, 100), ("mpc", 200), ("x", 90)] {
            let position = format!("{EVIL}{i}");
            let record = row(&position, EVIL, methods, nodes + i);
            records.push(Record { game: EVIL.into(), suite: EVIL.into(), best_move: EVIL.into(), ..record });
        }
    }
    records.push(Record { methods: format!("mpc+{EVIL}").into(), ..records[0].clone() });
    let iterations = iterations(&records);
    let manifest = Manifest { run: EVIL.into(), started: EVIL.into(), ..Manifest::default() };
    Runs { manifests: vec![manifest], records, iterations, notes: vec![EVIL.to_owned()], ..Runs::default() }
}

/// Six iterations of every row.
fn iterations(records: &[Record]) -> Vec<IterationRow> {
    let iteration = |row: &Record, depth: u32| IterationRow {
        depth,
        nodes: row.nodes.unwrap() * u64::from(depth),
        ..IterationRow::of(&row.key())
    };
    records.iter().flat_map(|row| (1..=6).map(move |depth| iteration(row, depth))).collect()
}

#[test]
fn nothing_from_a_file_becomes_markup() {
    let page = page(&hostile(), Extras::default());
    assert_eq!(page.matches("<script").count(), 1, "only ours");
    assert_eq!(page.matches("</script>").count(), 1);
    assert!(!page.contains("<b>") && !page.contains("onload=\""));
    assert!(page.contains("&lt;/script&gt;&lt;script&gt;alert(1)"));
}

#[test]
fn nothing_is_fetched() {
    let page = page(&hostile(), Extras::default());
    for words in ["http://", "https://", "src=", "@import", "url("] {
        let is_there = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "").contains(words);
        assert!(!is_there, "{words}");
    }
}

#[test]
fn pictures_have_words_and_data() {
    let mut runs = hostile();
    // Two complete method sets and their join: an interaction.
    runs.records.retain(|row| row.methods == "none" || row.methods == "mpc" || row.methods == "x");
    let joined: Vec<Record> = runs
        .records
        .iter()
        .filter(|row| row.methods == "mpc")
        .map(|row| Record { methods: "mpc+x".into(), nodes: row.nodes.map(|nodes| nodes / 2), ..row.clone() })
        .collect();
    runs.records.extend(joined);
    runs.iterations = iterations(&runs.records);
    let figures = figures(&Evidence::of(&runs));
    let files: Vec<&str> = figures.iter().map(|f| f.file.split('-').next().unwrap_or_default()).collect();
    assert_eq!(files, ["front", "nodes", "speedups", "interactions", "latency"]);
    for figure in &figures {
        assert!(figure.svg.contains("<title>") && figure.svg.contains("<desc>"), "{}", figure.file);
        assert!(!figure.svg.contains("NaN") && !figure.svg.contains("inf"), "{}", figure.svg);
        assert!(figure.csv.lines().count() > 1, "{}", figure.file);
    }
    let page = page(&runs, Extras::default());
    assert!(page.contains("--html --pairs pairs.csv"), "where the scatter plots of MPC would be");
    assert_eq!(page.matches("<figcaption>").count(), figures.len());
    let changed = usize::from(page.contains("changed.csv"));
    assert_eq!(page.matches("download=").count(), figures.len() + 1 + changed);
}

#[test]
fn a_run_without_rows_is_a_page() {
    let page = page(&Runs::default(), Extras::default());
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<h1>secateur report</h1>"));
}

#[test]
fn cells_sort_by_their_numbers() {
    for (cell, expected) in [
        ("1,234,567", Some(1_234_567.0)),
        ("6.66 [6.1, 7.2]", Some(6.66)),
        ("84 % [71, 92]", Some(84.0)),
        ("+0.52 [+0.31, +0.70]", Some(0.52)),
        ("-0.52", Some(-0.52)),
        ("<0.001", Some(0.001)),
        ("-", None),
        ("null-move", None),
        ("040856bee4922dac", None),
        ("", None),
    ] {
        assert_eq!(number(cell), expected, "{cell}");
    }
}

#[test]
fn anchors_have_no_surprises() {
    assert_eq!(anchor("chess, depth 8 (quick)"), "chess-depth-8-quick");
    assert_eq!(anchor("\"<x>\" onload="), "x-onload");
}

/// The answer stands before everything else: a picture and sentences for every block, then what can be filtered.
#[test]
fn the_first_screen_answers() {
    let mut runs = hostile();
    for record in runs.records.iter_mut().filter(|record| record.methods == "mpc") {
        (record.best_move, record.score) = ("a1".into(), Some(333));
    }
    let page = page(&runs, Extras::default());
    let at = |words: &str| page.find(words).unwrap_or_else(|| panic!("{words}"));
    let order =
        ["class=\"answer\"", "nodes saved, times", "<nav>", "id=\"matrix\"", "id=\"changed-positions\""];
    assert!(order.windows(2).all(|pair| at(pair[0]) < at(pair[1])), "in this order: {order:?}");
    assert!(page.contains("data-pick=\"game\"") && page.contains("data-least=\"lost more than\""));
    assert!(page.contains("The move changed in") && page.contains("href=\"#change-1\""));
    // Every picture says in words what it shows, and what is under the pointer.
    assert!(page.contains("<desc>") && page.matches("<g><title>").count() >= 9);
}

#[test]
fn identifiers_and_names_of_regions_are_there_once() {
    let page = page(&hostile(), Extras::default());
    for attribute in [" id=\"", " aria-label=\""] {
        let mut values: Vec<&str> =
            page.split(attribute).skip(1).filter_map(|rest| rest.split('"').next()).collect();
        let all = values.len();
        values.sort_unstable();
        values.dedup();
        assert!(all > 1 && values.len() == all, "{attribute}");
    }
}

/// A program compared with itself without its methods: verdicts above everything, and no sentence that says the reverse.
#[test]
fn the_page_of_a_program_says_what_each_method_is_worth() {
    let mut records = Vec::new();
    for i in 0..12_u64 {
        for (arm, nodes, lost) in [
            ("full", 100, 0),
            ("full[-lmr]", 300, 0),
            ("full[-nmp]", 100, 9),
            ("none", 900, 0),
            ("lmr", 150, 0),
            ("nmp", 300, 0),
        ] {
            let record = row(&format!("p{i}"), "28", arm, nodes * (i + 1) + i % 3);
            let best_move = if lost > 0 && i < 2 { "a1" } else { "d3" };
            records.push(Record { best_move: best_move.into(), move_tied: Some(false), ..record });
        }
    }
    let iterations = iterations(&records);
    let manifest = secateur_stats::fixtures::manifest(
        "run = \"r\"\n[[game]]\nname = \"othello\"\nbaseline = \"full\"\n",
    );
    let runs = Runs { manifests: vec![manifest], records, iterations, ..Runs::default() };
    let text = page(&runs, Extras::default());
    let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words}\n{text}"));
    let order = [
        "<h1>What each method is worth",
        "class=\"verdicts\"",
        "nodes saved, times",
        "<nav>",
        "id=\"changed-positions\"",
        "id=\"everything\"",
    ];
    assert!(order.windows(2).all(|pair| at(pair[0]) < at(pair[1])), "in this order: {order:?}");
    assert!(text.contains(">saves<") && text.contains(">no saving shown beyond what others save<"), "{text}");
    assert!(text.contains("alone 3.00x") && text.contains("id=\"how-it-grows-with-depth\""), "{text}");
    let visible_part = text.split("<script").next().unwrap();
    assert!(
        !visible_part.contains('`')
            && !text.contains("Shown to cost nodes")
            && !text.contains("No method is shown"),
        "{text}"
    );
    assert!(!text.contains("score units"), "{text}");
    let changed = &text[at("id=\"changed-positions\"")..at("id=\"what-the-arms-were\"")];
    assert_eq!(changed.matches("<article").count(), 2, "only arms without one method stand there");
}
