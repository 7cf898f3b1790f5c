//! Every command of README.md, in its order: whoever adds one there has to say here how it is tried.

#![cfg(unix)]

use crate::common::printed::{commands, root};
use crate::common::xtask;
use std::path::Path;
use std::process::Command;
use tempfile::tempdir;

/// What README calls the source of an engine, and the one that is tried in its place.
const SOURCE: (&str, &str) = ("~/src/engine", "examples/sprouts/c");
/// Commands that others try: `ci` is the tests themselves and `site` a step of the book's workflow.
const ELSEWHERE: [&str; 2] = ["ci", "site"];

/// What is run of a command: itself, but with the smallest limits of a search, since only its form is tried.
fn run(args: &[String]) -> Option<Vec<String>> {
    let more: &[&str] = match args.first()?.as_str() {
        verb if ELSEWHERE.contains(&verb) => return None,
        "subjects" => &[],
        "worth" => &["--limit", "1", "--out", "worth"],
        "bench" => &["--list"],
        "analyse" => &["--nodes", "20000"],
        verb => panic!("README prints `{verb}`: say here how it is tried"),
    };
    let source = root().join(SOURCE.1).display().to_string();
    // The depth that README gives is for an engine with an optimised build and minutes of time.
    let args = args
        .iter()
        .map(|word| word.replace(SOURCE.0, &source))
        .map(|word| if word == "8" { "4".to_owned() } else { word });
    Some(args.chain(more.iter().map(|word| (*word).to_owned())).collect())
}

fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

#[test]
#[allow(clippy::print_stderr, reason = "what is skipped is said")]
fn every_command_of_readme_runs() {
    if let Some(missing) = ["gcc", "make"].into_iter().find(|program| !is_installed(program)) {
        eprintln!("skipped: no {missing} is installed, so no engine could be built");
        return;
    }
    let dir = tempdir().unwrap();
    let of_readme = commands().into_iter().filter(|printed| printed.place.starts_with("README.md:"));
    // The name of a verb in a sentence is no command.
    let whole = of_readme.filter(|printed| printed.args.len() > 1 || !printed.is_mention);
    let mut done = 0;
    for printed in whole {
        let Some(args) = run(&printed.args) else { continue };
        let output = xtask(dir.path()).args(&args).output().unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {args:?}: {complaint}", printed.place);
        done += 1;
    }
    assert!(done >= 6, "{done} commands");
    assert!(Path::new(&dir.path().join("worth/worth.html")).exists(), "the page that README shows");
}
