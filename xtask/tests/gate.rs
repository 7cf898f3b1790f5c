//! `gate` of programs with switches through the binary: by a subject file or a suite, against a baseline.

#![cfg(unix)]

use crate::common::fake::{SCRIPT, SUBJECT, output_of, set_up};
use crate::common::{file, xtask};
use std::path::Path;
use tempfile::tempdir;

/// The gate of the program, with nothing but its subject file.
fn gate(dir: &Path) -> assert_cmd::assert::Assert {
    let mut command = xtask(dir);
    command.args(["gate", "--subject", "mine.toml", "--positions", "set.epd", "--depth", "2"]);
    command.args(["--baseline", "baseline.toml"]).assert()
}

/// A subject file is all that a gate needs; given in place of a suite, it is refused with the right option.
#[test]
fn a_gate_of_a_program_needs_no_suite() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    set_up(dir);
    gate(dir).success();
    gate(dir).success();
    file(dir, "fake", &SCRIPT.replace("bits=${ABLATE:-0}", "bits=$((${ABLATE:-0} | 1))"));
    let dead = output_of(&gate(dir).code(3));
    assert!(
        dead.contains("`full` now equals the baseline's `full[-null-move]`: null-move is dead"),
        "{dead}"
    );
    let refusal = output_of(
        &xtask(dir).args(["gate", "--suite", "mine.toml", "--baseline", "b.toml"]).assert().code(2),
    );
    assert!(
        refusal.contains("found a subject file, expected a suite; `--subject mine.toml` takes it"),
        "{refusal}"
    );
}

/// A program that does not repeat itself is not held to its trees without a word.
#[test]
fn a_gate_says_what_does_not_repeat_itself() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    set_up(dir);
    // Another number of nodes for every process.
    let counting = "n=$((100 + $(wc -l < starts))); echo 1 >> starts";
    file(dir, "starts", "");
    file(
        dir,
        "fake",
        &SCRIPT.replacen("n=100", counting, 1).replace("#!/bin/sh", "#!/bin/sh\ncd \"$(dirname \"$0\")\""),
    );
    file(
        dir,
        "mine.toml",
        &SUBJECT.replace("[signature]\nargs = [\"bench\"]\nline = \"Nodes searched\"\nnodes = 100\n", ""),
    );
    let first = output_of(&gate(dir).success());
    assert!(first.contains("note: `full` does not repeat itself"), "{first}");
    let second = output_of(&gate(dir).code(3));
    assert!(
        second.contains("`full` does not repeat itself") && second.contains("says nothing about a change"),
        "{second}"
    );
}

#[test]
fn a_suite_with_a_program_is_held_to_a_file() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    set_up(dir);
    let suite = "name = \"own\"\ndescription = \"d\"\n[[block]]\ngame = \"chess\"\npositions = [\"set.epd\"]\n\
                 subject = \"mine.toml\"\nbudgets = [{ depth = 2 }]\n";
    file(dir, "own.toml", suite);
    let gate = ["gate", "--suite", "own.toml", "--baseline", "baseline.toml"];
    assert!(output_of(&xtask(dir).args(gate).assert().success()).contains("baseline written: baseline.toml"));
    assert!(output_of(&xtask(dir).args(gate).assert().success()).contains("6 checks: 6 ok."));
    file(dir, "fake", &SCRIPT.replace("n=100", "n=110"));
    let breach = output_of(&xtask(dir).args(gate).assert().code(3));
    assert!(breach.contains("(+10.00 %)") && breach.contains("REGRESSION"), "{breach}");
    file(dir, "own.toml", &suite.replace("{ depth = 2 }", "{ time = \"1ms\" }"));
    assert!(output_of(&xtask(dir).args(gate).assert().code(2)).contains("found a budget of time"));
}

/// A program whose switch `a` is its default, and whose switch `b` does nothing.
const IDLE: &str = "[subject]\ngame = \"chess\"\ncommand = \"./fake\"\nmask = \"ABLATE\"\npatience = \"4s\"\n[factor]\n\
    off = \"Margin=3\"\nidle = { bits = 4 }\nlmr = { bits = 2 }\n";

#[test]
fn switches_that_switch_nothing_are_named_and_enter_no_baseline_unnoticed() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    set_up(dir);
    file(dir, "mine.toml", IDLE);
    // It answers at every position, with a move that is legal at those of the set only.
    let checked = output_of(&xtask(dir).args(["subjects", "check", "mine.toml"]).assert().success());
    assert!(checked.contains("`off` is already off in this program"), "{checked}");
    let idle = "`full` and `full[-idle]` search the same trees";
    let common = ["mine.toml", "--positions", "set.epd", "--depth", "2"];
    for (verb, out) in [(&["worth"][..], "worth"), (&["bench", "--subject"], "bench")] {
        let text = output_of(&xtask(dir).args(verb).args(common).args(["--out", out]).assert().success());
        assert!(text.contains("note: `off` is already off in mine"), "{text}");
        // All of them in one line.
        let notes: Vec<&str> = text.lines().filter(|line| line.starts_with("note: `full` and ")).collect();
        assert!(notes.len() == 1 && notes[0].contains("search the same trees"), "{text}");
        assert!(notes[0].contains("`full[-off]`") && notes[0].contains("`full[-idle]`"), "{text}");
        assert!(!notes[0].contains("full[-lmr]`"), "{text}");
    }
    let page = std::fs::read_to_string(dir.join("worth/worth.md")).unwrap();
    assert!(page.contains("variable ABLATE: 4") && page.contains("option Margin: 3"), "{page}");
    file(
        dir,
        "own.toml",
        "name = \"own\"\ndescription = \"d\"\n[[block]]\ngame = \"chess\"\npositions = [\"set.epd\"]\n\
         subject = \"mine.toml\"\nbudgets = [{ depth = 2 }]\narms = [\"full\", \"full[-idle]\", \"full[-lmr]\"]\n",
    );
    let gate = ["gate", "--suite", "own.toml", "--baseline", "baseline.toml"];
    let refused = output_of(&xtask(dir).args(gate).assert().code(3));
    assert!(refused.contains(idle) && !dir.join("baseline.toml").exists(), "{refused}");
    xtask(dir).args(gate).args(["--same", "full[-idle]"]).assert().success();
    assert!(std::fs::read_to_string(dir.join("baseline.toml")).unwrap().contains("same-as = \"full\""));
    xtask(dir).args(gate).assert().success();
    // One that has begun to switch nothing is a breach, and updates no baseline either.
    file(dir, "fake", &SCRIPT.replace("$((bits & 2)) = 2", "$((bits & 2)) = 9"));
    let breach = output_of(&xtask(dir).args(gate).assert().code(3));
    assert!(breach.contains("searches the trees of `full`"), "{breach}");
    let joined = breach.split_whitespace().collect::<Vec<_>>().join(" ");
    let stuck = "`full[-lmr]` now equals the baseline's `full`: lmr is switched off without effect.";
    assert!(joined.contains(stuck), "{joined}");
    // One that prunes nothing in any arm is dead.
    let dead = SCRIPT.replace("n=100", "n=200").replace("$((bits & 2)) = 2", "$((bits & 2)) = 9");
    file(dir, "fake", &dead.replace("cuts 4", "cuts 0"));
    let breach = output_of(&xtask(dir).args(gate).assert().code(3));
    let joined = breach.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(joined.contains("`full` now equals the baseline's `full[-lmr]`: lmr is dead."), "{joined}");
    assert!(joined.contains("Counts in `full`: lmr 20 tries and 8 cuts, now 20 and 0."), "{joined}");
    let before = std::fs::read_to_string(dir.join("baseline.toml")).unwrap();
    xtask(dir).args(gate).arg("--update-baseline").assert().code(3);
    assert_eq!(std::fs::read_to_string(dir.join("baseline.toml")).unwrap(), before);
}
