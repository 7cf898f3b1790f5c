//! Pairs and the figures made of them, through the binary: from a position set to the documents.

mod common;

use common::xtask;
use secateur::cli::facts::{pictures, predictions};
use secateur_reports::render::markdown_table;
use std::fs;
use std::path::Path;
use tempfile::tempdir;

/// Draws 40 pairs 2 plies below positions with `discs` discs, searched 1 and 3 plies deep.
fn draw(dir: &Path, discs: u32, out: &str, jobs: &str) {
    let set = format!("othello-{discs}");
    let fixed = ["pairs", "othello", "--plies", "2", "--pair", "1,3", "--count", "40", "--positions", &set];
    xtask(dir).args(fixed).args(["--out", out, "--jobs", jobs]).assert().success();
}

fn read(dir: &Path, name: &str) -> String {
    fs::read_to_string(dir.join(name)).unwrap()
}

#[test]
fn pairs_come_with_their_origin_and_do_not_depend_on_threads() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    draw(dir, 28, "new/one.csv", "1");
    draw(dir, 28, "two.csv", "2");
    let text = read(dir, "new/one.csv");
    assert_eq!(text, read(dir, "two.csv"));
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("source,cluster,stage,shallow,deep"));
    assert_eq!(text.lines().count(), 41);
    assert!(lines.all(|line| line.starts_with("othello-28#") && line.split(',').nth(2) == Some("30")));
    let origin: toml::Table = read(dir, "new/one.toml").parse().unwrap();
    let number = |key: &str| origin[key].as_integer();
    assert_eq!(["plies", "shallow", "deep", "pairs"].map(number), [2, 1, 3, 40].map(Some));
    let command = origin["command"].as_str().unwrap();
    assert!(command.contains("--pair 1,3") && command.contains("--seed 1995"), "{command}");
    // The command in the file makes the file again.
    let repeated = command.replace("new/one.csv", "three.csv");
    xtask(dir).args(repeated.split(' ').skip(2)).assert().success();
    assert_eq!(read(dir, "three.csv"), text);
}

#[test]
fn what_makes_no_sense_is_refused_and_nothing_written() {
    let dir = tempdir().unwrap();
    let refused = |arguments: &[&str], word: &str| {
        let run = xtask(dir.path()).arg("pairs").args(arguments).assert().code(2);
        let error = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(error.contains(word), "{arguments:?} lacks {word:?}:\n{error}");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    };
    let out = ["--out", "x.csv"];
    let with = |arguments: &[&'static str]| [arguments, &out[..]].concat();
    refused(&with(&["othello"]), "--positions");
    refused(&with(&["go", "--positions", "othello-28"]), "go");
    refused(&with(&["othello", "--positions", "othelo-28"]), "othello-28");
    refused(&with(&["othello", "--positions", "othello-fit"]), "othello-fit");
    refused(&with(&["othello", "--positions", "othello-28", "--pair", "4"]), "4,8");
    refused(&with(&["othello", "--positions", "othello-28", "--pair", "8,4"]), "pair");
    refused(&with(&["othello", "--positions", "othello-28", "--plies", "21"]), "plies");
    refused(&with(&["othello", "--positions", "othello-28", "--count", "0"]), "count");
    refused(&["othello", "--positions", "othello-28", "--out", "x.toml"], ".csv");
}

/// The parts of the documents that pairs make, of pairs two plies nearer to the end than the committed ones. That all documents are made
/// of such parts `cargo xtask docs --check` says.
#[test]
fn the_documents_follow_the_pairs() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    fs::create_dir_all(dir.join("suites/params")).unwrap();
    for fit in ["suites/params/othello.fit.toml", "suites/params/chess.plain.fit.toml"] {
        fs::copy(root.join(fit), dir.join(fit)).unwrap();
    }
    draw(dir, 28, "docs/runs/scatter/othello-28.csv", "2");
    draw(dir, 44, "docs/runs/scatter/othello-44.csv", "2");
    // Documents are made from where the command stands; no other test of this program asks where that is.
    std::env::set_current_dir(dir).unwrap();
    let made = pictures().unwrap();
    let picture = |name: &str| {
        let (_, svg) = made.iter().find(|(path, _)| path.ends_with(name)).expect("a picture");
        svg
    };
    let svg = picture("scatter.svg");
    assert!(svg.contains("30 discs, (1, 3)") && svg.contains("46 discs, (1, 3)"));
    assert_eq!(svg.matches("n = 40").count(), 4, "in both plots and in words");
    assert_eq!(svg.split("class=\"points\"").skip(1).map(dots).sum::<usize>(), 80);
    let tables = predictions("scatter", &[]).unwrap();
    assert!(markdown_table(&tables[0]).contains("| 30 | (1, 3) | 40 |"));
    assert!(picture("sigma.svg").contains("(4, 8): from"));
}

/// Dots of the first path of a text.
fn dots(text: &str) -> usize {
    text.split("/>").next().map_or(0, |path| path.matches("h0").count())
}
