//! The installed program: from any folder, without a checkout and without cargo.

use assert_cmd::Command;
use std::path::Path;
use std::{fs, str};
use tempfile::tempdir;

/// A copy of the program in a folder of its own, as `cargo install` leaves one, called in `dir`.
fn secateur(dir: &Path, program: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(dir).env_remove("CARGO");
    command
}

fn installed(dir: &Path) -> std::path::PathBuf {
    let program = dir.join(format!("bin/secateur{}", std::env::consts::EXE_SUFFIX));
    fs::create_dir(dir.join("bin")).unwrap();
    // A link, because the program is large; where it lies is what matters.
    fs::hard_link(assert_cmd::cargo::cargo_bin!("secateur"), &program)
        .or_else(|_| fs::copy(assert_cmd::cargo::cargo_bin!("secateur"), &program).map(|_| ()))
        .unwrap();
    program
}

#[test]
fn a_run_needs_nothing_but_the_program() {
    let dir = tempdir().unwrap();
    let program = installed(dir.path());
    let away = dir.path().join("away");
    fs::create_dir(&away).unwrap();
    let bench = ["bench", "quick", "--game", "othello", "--depth", "5", "--limit", "1"];
    let bench = [&bench[..], &["--methods", "null-move,mpc", "--instructions"]].concat();
    let run = secateur(&away, &program).args(bench).args(["--out", "run"]).assert().success();
    let output = run.get_output();
    let (text, complained) =
        (str::from_utf8(&output.stdout).unwrap(), str::from_utf8(&output.stderr).unwrap());
    assert!(text.contains("othello, depth 5 ("), "{text}");
    assert!(text.contains("secateur report run --full") && !text.contains("cargo xtask"), "{text}");
    assert!(complained.contains("instructions were not counted"), "{complained}");
    let manifest = fs::read_to_string(away.join("run/run.toml")).unwrap();
    assert!(manifest.contains("argv = [\"secateur\", \"bench\""), "{manifest}");
    assert!(away.join("run/report.html").is_file());
    secateur(&away, &program).args(["report", "run", "--full"]).assert().success();
}

#[test]
fn names_are_listed_and_completed_and_described() {
    let dir = tempdir().unwrap();
    let program = installed(dir.path());
    let output_of = |arguments: &[&str]| {
        let run = secateur(dir.path(), &program).args(arguments).assert().success();
        String::from_utf8(run.get_output().stdout.clone()).unwrap()
    };
    for (kind, name) in [
        ("suites", "quick"),
        ("methods", "null-move"),
        ("presets", "null-move[verified]"),
        ("params", "strict"),
        ("games", "othello"),
        ("subjects", "toga2"),
        ("positions", "bratko-kopec"),
    ] {
        assert!(output_of(&["list"]).contains(&format!("list {kind}")));
        assert!(output_of(&["list", kind]).lines().any(|line| line.starts_with(name)), "{kind}");
        assert!(output_of(&["list", kind]).lines().all(|line| line.chars().count() <= 100), "{kind}");
        assert!(output_of(&["list", kind, "--names"]).lines().any(|line| line == name), "{kind}");
    }
    assert_eq!(output_of(&["list", "presets", "verified", "--names"]), "null-move[verified]\n");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = output_of(&["completions", shell]);
        assert!(script.contains("secateur"), "{shell}");
        // The other two complete no values.
        let completes = ["bash", "zsh", "fish"].contains(&shell);
        assert_eq!(script.contains("table2-strict"), completes, "{shell}");
    }
    output_of(&["man", "--out", "man"]);
    let page = fs::read_to_string(dir.path().join("man/secateur-bench.1")).unwrap();
    assert!(page.contains("\\-\\-methods") && !page.contains("cargo xtask"), "{page}");
    assert!(!dir.path().join("man/secateur-tidy.1").exists());
}

#[test]
fn help_names_this_program_and_an_error_quotes_what_was_typed() {
    let dir = tempdir().unwrap();
    let program = installed(dir.path());
    let help = |arguments: &[&str]| {
        let run = secateur(dir.path(), &program).args(arguments).arg("--help").assert().success();
        String::from_utf8(run.get_output().stdout.clone()).unwrap()
    };
    let all = help(&[]);
    let (before_the_exit_codes, _) = all.split_once("Exit codes:").unwrap();
    let listed = before_the_exit_codes
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("  secateur"));
    let verbs: Vec<&str> = listed.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(verbs.len() > 20 && all.contains("  secateur bench"), "{all}");
    for verb in verbs.iter().filter(|verb| !verb.starts_with('-')) {
        let help = help(&[verb]);
        assert!(help.contains(&format!("secateur {verb}")) && !help.contains("cargo xtask"), "{help}");
    }
    let run = secateur(dir.path(), &program).args(["bench", "cargo xtask"]).assert().code(2);
    let error = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(error.contains("`cargo xtask`"), "{error}");
}

#[test]
fn a_wrong_name_is_told_the_right_ones_before_anything_is_begun() {
    let dir = tempdir().unwrap();
    let program = installed(dir.path());
    for (arguments, message) in [
        (&["bench", "quik"][..], "did you mean `quick`?"),
        (&["bench", "--methods", "nul-move"], "did you mean `null-move`?"),
        (&["bench", "--game", "ches"], "did you mean `chess`?"),
        (&["bench", "--positions", "bratko"], "bratko-kopec"),
        (&["bench", "--params", "strickt"], "growing, plain, strict, strong (othello), jiang"),
        (&["bench", "--params", "plane", "--game", "chess"], "did you mean `plain`?"),
        (&["bench", "--subject", "toga", "--depth", "2"], "toga"),
        (&["play", "--first", "none", "--second", "mpcc"], "did you mean `mpc`?"),
        (&["play", "--first", "none", "--second", "mpc", "--openings", "nosuch"], "bratko-kopec"),
        (&["list", "methods", "zugzwang"], "expected one of none"),
    ] {
        let run = secateur(dir.path(), &program).args(arguments).assert().code(2);
        let error = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(error.contains(message), "{error}");
        assert_eq!(error.matches("error:").count(), 1, "{error}");
        assert!(!error.contains(" games") && !error.contains("cells,"), "announced too early: {error}");
        assert!(!dir.path().join("runs").exists(), "{arguments:?}");
    }
}
