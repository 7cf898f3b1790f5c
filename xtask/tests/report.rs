//! `report` through the binary: every form has every method, and `bench` writes the page too; `compare`: every documented exit code;
//! `history`: two commits of which the second is dearer, and what a user gets wrong. Tactical sets: best moves and
//! moves to avoid in a position file lead to solved counts in the report, which then needs the file no more.

use crate::common::printed::root;
use crate::common::{SUITE, bench, file, xtask};
use secateur_record::manifest::Manifest;
use secateur_record::record::BudgetKind;
use secateur_record::store::RunRows;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use tempfile::tempdir;

#[test]
fn every_form_has_every_method() {
    let dir = tempdir().unwrap();
    bench(dir.path(), "out", "2");
    let form = |arguments: &[&str]| {
        let done = xtask(dir.path()).args(["report", "out"]).args(arguments).assert().success();
        String::from_utf8(done.get_output().stdout.clone()).unwrap()
    };
    for arguments in
        [&[][..], &["--full"], &["--markdown"], &["--latex"], &["--csv"], &["--json"], &["--html"]]
    {
        let text = form(arguments);
        assert!(text.contains("futility+razoring") || text.contains("razoring+futility"), "{arguments:?}");
    }
    let csv = form(&["--csv"]);
    let mut rows = csv::Reader::from_reader(csv.as_bytes());
    assert_eq!(rows.headers().unwrap().iter().next(), Some("game"));
    assert!(rows.records().all(|row| row.is_ok()));
    // The folder says what its columns are, by the names that stand in its files.
    let package = fs::read_to_string(dir.path().join("out/datapackage.json")).unwrap();
    let package: serde_json::Value = serde_json::from_str(&package).unwrap();
    for resource in package["resources"].as_array().unwrap() {
        let path = dir.path().join("out").join(resource["path"].as_str().unwrap());
        let header = csv::Reader::from_path(path).unwrap().headers().unwrap().clone();
        let fields = resource["schema"]["fields"].as_array().unwrap().iter();
        let names: Vec<&str> = fields.map(|field| field["name"].as_str().unwrap()).collect();
        assert_eq!(names, header.iter().collect::<Vec<_>>());
    }
    assert_eq!(package["resources"].as_array().unwrap().len(), 3);
    assert!(form(&["--html", "--out", "page.html"]).is_empty());
    let page = fs::read_to_string(dir.path().join("page.html")).unwrap();
    assert_eq!(page, fs::read_to_string(dir.path().join("out/report.html")).unwrap());
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>"));
}

/// `report` and `compare` leave out the positions that the pages of results leave out, and `report` says so.
#[test]
fn a_report_of_a_committed_run_has_the_positions_of_its_page() {
    let root = root();
    let page = fs::read_to_string(root.join("docs/results/quick.md")).unwrap();
    let of_page = |heading: &str| {
        let line = page.lines().find(|line| line.starts_with(&format!("**{heading}"))).unwrap();
        let tokens: Vec<&str> = line.split_whitespace().collect();
        let at = tokens.iter().position(|word| word.starts_with("positions")).unwrap();
        tokens[at - 1].trim_start_matches('(').to_owned()
    };
    let printed = |arguments: &[&str]| {
        let done = xtask(&root).args(arguments).output().unwrap();
        String::from_utf8(done.stdout).unwrap()
    };
    let report = printed(&["report", "docs/runs/quick"]);
    for heading in ["othello, 50 ms a position (quick)", "chess, 50 ms a position (quick)"] {
        let expected = format!("{heading}: {} positions,", of_page(heading));
        assert!(report.contains(&expected), "{expected}\n{report}");
    }
    let note = page.lines().find(|line| line.starts_with("Left out: ")).unwrap();
    assert!(printed(&["report", "docs/runs/quick", "--markdown"]).contains(note), "{note}");
    let compared = printed(&["compare", "docs/runs/quick", "--methods", "none", "mpc", "--markdown"]);
    let expected = format!("| othello, depth 12: mpc against none | {} |", of_page("othello, depth 12"));
    assert!(compared.contains(&expected), "{expected}\n{compared}");
}

#[test]
fn forms_do_not_mix() {
    let dir = tempdir().unwrap();
    for arguments in
        [["--html", "--csv"], ["--html", "--table2"], ["--markdown", "--json"], ["--pairs", "x.csv"]]
    {
        xtask(dir.path()).args(["report", "out"]).args(arguments).assert().code(2);
    }
}

/// Every block has one table, however the run came about, and the end fits a screen.
#[test]
fn a_run_ends_in_an_answer_that_fits() {
    let dir = tempdir().unwrap();
    file(dir.path(), "tiny.toml", SUITE);
    let printed = |arguments: &[&str]| {
        let done = xtask(dir.path()).args(arguments).assert().success();
        String::from_utf8(done.get_output().stdout.clone()).unwrap()
    };
    let answer = printed(&["bench", "tiny.toml", "--out", "out", "--jobs", "2"]);
    let headings = ["othello, depth 5 (tiny):", "othello, 3,000 nodes (tiny):", "chess, depth 4 (tiny):"];
    for text in [&answer, &printed(&["report", "out"]), &printed(&["bench", "--resume", "out"])] {
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
        assert!(headings.iter().all(|heading| text.matches(heading).count() == 1), "{text}");
        let last = headings.iter().max_by_key(|heading| text.find(*heading));
        assert_eq!(last, Some(&"chess, depth 4 (tiny):"), "the most positions come last: {text}");
        let end = &text[text.find("\nIn short").unwrap()..];
        assert!(end.lines().count() <= 25 && end.contains("cargo xtask report out --full"), "{end}");
    }
    assert!(answer.contains("page: out/report.html"), "{answer}");
    let full = printed(&["bench", "--resume", "out", "--full"]);
    assert_eq!(full, printed(&["report", "out", "--full"]));
    assert!(full.contains("Provenance") && !answer.contains("Provenance"), "{full}");
}

/// What is complete is printed before the rest is searched.
#[test]
fn blocks_are_printed_as_they_complete() {
    let dir = tempdir().unwrap();
    // The second block takes long enough to be interrupted.
    let suite = SUITE.replace("depth = 4", "depth = 12").replace("limit = 2", "limit = 40");
    file(dir.path(), "slow.toml", &suite);
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("xtask"))
        .args(["bench", "slow.toml", "--out", "out"])
        .current_dir(dir.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let printed: Vec<String> = lines.map_while(Result::ok).take(8).collect();
    let is_searching = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(is_searching, "{printed:?}");
    assert!(printed.iter().any(|line| line.starts_with("othello, ")), "{printed:?}");
    assert!(
        printed.iter().any(|line| line.starts_with("futility+razoring") || line.starts_with("razoring+"))
    );
}

/// A copy of run `out` under another name, changed and sealed again.
fn copy(dir: &Path, name: &str, change: impl Fn(&mut RunRows, &mut Manifest)) {
    let (mut rows, mut manifest, _) = RunRows::read(&dir.join("out")).unwrap();
    change(&mut rows, &mut manifest);
    rows.write(&dir.join(name), &manifest).unwrap();
}

/// Every method set but the baseline with three times the nodes to the same depth.
fn dearer(rows: &mut RunRows, _: &mut Manifest) {
    rows.records
        .iter_mut()
        .filter(|row| row.methods != "none" && row.budget_kind == BudgetKind::Depth)
        .for_each(|row| row.nodes = row.nodes.map(|nodes| 3 * nodes));
}

#[test]
fn every_exit_code_is_as_documented() {
    let dir = tempdir().unwrap();
    bench(dir.path(), "out", "2");
    copy(dir.path(), "same", |_, _| ());
    copy(dir.path(), "dear", dearer);
    copy(dir.path(), "torn", |_, manifest| manifest.complete = false);
    let run = |arguments: &[&str], code: i32| {
        let done = xtask(dir.path()).arg("compare").args(arguments).assert().code(code);
        let output = done.get_output();
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
    };
    assert!(run(&["out", "same"], 0).contains("every search came out the same, node for node"));
    assert!(run(&["dear", "out", "--markdown"], 0).contains("**Better in nodes"));
    let verdict = run(&["out", "dear"], 3);
    assert!(verdict.contains("Worse in nodes") && !verdict.contains("error:"), "{verdict}");
    assert!(run(&["out", "torn"], 4).contains("torn is not complete"));
    assert!(
        run(&["out", "--methods", "none", "null-move", "--allow", "time"], 0)
            .contains("null-move against none")
    );
    assert!(run(&["out", "dear", "--allow", "nodes"], 0).contains("Worse in nodes"));
    assert!(run(&["out", "dear", "--allow", "node"], 2).contains("expected one of nodes, time"));
    assert!(run(&["out"], 2).contains("--methods"));
    assert!(run(&["out", "--methods", "none", "nul-move"], 2).contains("no records of `nul-move`"));
    assert!(run(&["out", "gone"], 2).contains("gone"));

    // A page is written whatever the verdict.
    let verdict = run(&["out", "dear", "--html", "--out", "page.html"], 3);
    assert!(verdict.contains("Worse in nodes") && !verdict.contains("error:"), "{verdict}");
    let page = std::fs::read_to_string(dir.path().join("page.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("Worse in nodes"));
    assert!(run(&["out", "same", "--html", "--markdown"], 2).contains("cannot be used with"));
}

#[test]
fn the_commit_of_a_step_is_named() {
    let dir = tempdir().unwrap();
    bench(dir.path(), "out", "2");
    let (mut rows, manifest, _) = RunRows::read(&dir.path().join("out")).unwrap();
    let slower = |row: &mut secateur_record::record::Record| row.nodes = row.nodes.map(|nodes| nodes + 1);
    rows.records.iter_mut().filter(|row| row.methods == "null-move").for_each(slower);
    rows.write(&dir.path().join("dear"), &manifest).unwrap();
    let run = |arguments: &[&str], code: i32| {
        let done = xtask(dir.path()).arg("history").args(arguments).assert().code(code);
        let output = done.get_output();
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
    };
    let at = |commit, date| ["--commit", commit, "--date", date];
    let (first, second) = (at("aaaa1111", "2026-01-01T00:00:00Z"), at("bbbb2222", "2026-01-02T00:00:00Z"));
    run(&[["add", "kept", "out"].as_slice(), &first].concat(), 0);
    assert!(run(&["show", "kept"], 0).contains("No quantity has stepped"));
    run(&[["add", "kept", "dear"].as_slice(), &second].concat(), 0);
    let text = run(&["show", "kept", "--markdown"], 0);
    assert!(text.contains("last at bbbb2222") && text.contains("null-move | nodes |"), "{text}");
    assert!(!text.contains("futility | nodes |"), "what did not change is no step: {text}");
    assert!(run(&["show", "kept", "--html"], 0).contains("<polyline"));
    assert!(run(&["show", "kept", "--csv"], 0).starts_with("commit,date,suite"));
    // Another number of the same commit, a date that is none, a folder that is not there.
    assert!(run(&[["add", "kept", "dear"].as_slice(), &first].concat(), 2).contains("do not change"));
    assert!(
        run(&[["add", "kept", "out"].as_slice(), &at("c", "today")].concat(), 2)
            .contains("expected a time in UTC")
    );
    assert!(run(&["show", "gone"], 2).contains("gone"));
}

/// Two mates in two, a mate in one among losing checks, a stalemate to avoid, and one without a solution.
const MATES: &str = "6k1/8/8/8/8/8/R7/1R4K1 w - - bm Ra7 Rb7; id \"two rooks\";\n\
    7k/5p1p/5Q2/8/8/8/6PK/8 b - - bm Kg8; id \"only move\";\n\
    6k1/5ppp/8/8/8/8/1Q3PPP/4R1K1 w - - bm Re8# Qb8+; id \"back rank\";\n\
    7k/8/5KQ1/8/8/8/8/8 w - - am Kf7; id \"stalemate\";\n\
    4k3/8/8/8/8/8/4P3/4K3 w - - id \"no solution\";\n";

fn searched_mates(dir: &Path, depth: &str) -> String {
    file(dir, "mates.epd", MATES);
    let args = ["--positions", "mates.epd", "--methods", "none,null-move", "--depth", depth, "--out", depth];
    // A method that had nothing to cut in so small a set breaches a gate after the report; that is another matter.
    let done = xtask(dir).arg("bench").args(args).output().unwrap();
    let out = String::from_utf8(done.stdout).unwrap();
    assert!(out.contains("solved of"), "{out}\n{}", String::from_utf8_lossy(&done.stderr));
    out
}

#[test]
fn solved_positions_are_counted_and_the_file_is_not_needed_again() {
    let dir = tempdir().unwrap();
    let out = searched_mates(dir.path(), "5");
    assert!(out.contains("solved of 4") && out.contains("Solved of 4: none 4."), "{out}");
    std::fs::remove_file(dir.path().join("mates.epd")).unwrap();
    let report = xtask(dir.path()).args(["report", "5", "--markdown"]).output().unwrap();
    let report = String::from_utf8(report.stdout).unwrap();
    let row =
        |id: &str| report.lines().find(|line| line.contains(id) && line.contains("d1 ")).map(str::to_owned);
    assert!(report.contains("4 positions with a known solution") && report.contains("4 of 4"), "{report}");
    assert!(report.contains("| a2a7 b2b7 |") || report.contains("a2a7 b1b7"), "{report}");
    assert!(report.contains("not f6f7"), "{report}");
    assert!(row("back rank").is_some(), "a mate in one is found at once: {report}");
    assert!(!report.contains("| no solution |"), "{report}");
}

#[test]
fn a_run_without_solutions_has_no_such_table() {
    let dir = tempdir().unwrap();
    file(dir.path(), "plain.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - id \"no solution\";\n");
    let args =
        ["bench", "--positions", "plain.epd", "--methods", "none,futility", "--depth", "4", "--out", "r"];
    let done = xtask(dir.path()).args(args).output().unwrap();
    let out = String::from_utf8(done.stdout).unwrap();
    assert!(out.contains("In short") && !out.contains("olved"), "{out}");
}
