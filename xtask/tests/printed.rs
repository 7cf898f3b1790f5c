//! What documents print and what costs little is really run: lists, reports of committed runs, and the plan of every suite.

use crate::common::printed::{Printed, commands, root};
use crate::common::xtask;
use std::collections::BTreeSet;
use std::path::Path;
use tempfile::tempdir;

/// What readers have and this repository has not, by what it stands for here.
const STAND_INS: [(&str, &str); 7] = [
    ("runs/quick-20261121T120000Z", "docs/runs/quick"),
    ("runs/quick", "docs/runs/quick"),
    ("runs/before", "docs/runs/quick"),
    ("runs/after", "docs/runs/quick"),
    ("runs/factorial", "docs/runs/factorial"),
    ("my.epd", "docs/studies/elo-chess.epd"),
    ("my.toml", "suites/data/quick.toml"),
];

/// What is run of a command: itself, the plan of a bench, or nothing where it takes long, needs another program or changes the tree.
fn run(printed: &Printed) -> Option<Vec<String>> {
    let mut args = printed.args.clone();
    let words_of = |args: &[String]| args.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
    let all = words_of(&args);
    let is_placeholder = |word: &String| word.chars().all(|letter| letter.is_ascii_uppercase());
    if args.iter().any(is_placeholder) && !all.starts_with("man ") {
        return None;
    }
    match args.first()?.as_str() {
        "list" | "completions" | "man" => Some(args),
        "report"
            if all.contains("docs/runs") || all.contains("runs/quick") || all == "report --json-schema" =>
        {
            Some(args)
        }
        "compare" if args.len() > 1 => Some(args),
        "positions" if all == "positions list" => Some(args),
        "subjects" if all == "subjects list" || all.starts_with("subjects show") => Some(args),
        "paper" if all == "paper" => Some(args),
        "bench"
            if !["--subject", "--resume", "--shard", "--list"].iter().any(|option| all.contains(option)) =>
        {
            args.push("--list".to_owned());
            Some(args)
        }
        _ => None,
    }
}

/// A folder in which the paths of documents lead somewhere, and which may be written to.
fn stage(dir: &Path) {
    let root = root();
    std::fs::create_dir(dir.join("runs")).unwrap();
    for name in ["docs", "suites", "positions", "examples"] {
        std::os::unix::fs::symlink(root.join(name), dir.join(name)).unwrap();
    }
    for (name, source) in STAND_INS {
        std::os::unix::fs::symlink(root.join(source), dir.join(name)).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn cheap_commands_of_documents_do_what_they_say() {
    let dir = tempdir().unwrap();
    stage(dir.path());
    let (mut done, mut verbs) = (BTreeSet::new(), BTreeSet::new());
    for printed in commands() {
        let Some(args) = run(&printed) else { continue };
        if !done.insert(args.clone()) {
            continue;
        }
        let output = xtask(dir.path()).args(&args).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {args:?}: {stderr}", printed.place);
        verbs.insert(args[0].clone());
    }
    let expected =
        ["bench", "compare", "completions", "list", "man", "paper", "positions", "report", "subjects"];
    assert_eq!(verbs.iter().map(String::as_str).collect::<Vec<_>>(), expected, "{} commands", done.len());
}
