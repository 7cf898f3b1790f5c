//! The repository of an engine under `examples/engine_repo`, and the action that it uses: the steps of the action are run here as
//! GitHub would run them, but for those that install and build, and an engine without one of its methods must fail them.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::{TempDir, tempdir};
use yaml_rust2::{Yaml, YamlLoader};

const ACTION: &str = ".github/actions/ablation/action.yml";
const REPO: &str = "examples/engine_repo";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

fn yaml(path: &str) -> Yaml {
    let text = fs::read_to_string(root().join(path)).unwrap();
    let mut read = YamlLoader::load_from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert_eq!(read.len(), 1, "{path}");
    read.remove(0)
}

/// Names of a table.
fn keys(table: &Yaml) -> Vec<&str> {
    table.as_hash().unwrap().keys().map(|key| key.as_str().unwrap()).collect()
}

#[test]
fn the_action_is_a_composite_one_and_the_workflow_gives_it_what_it_asks_for() {
    let action = yaml(ACTION);
    assert!(action["name"].as_str().is_some() && action["description"].as_str().is_some());
    assert_eq!(action["runs"]["using"].as_str(), Some("composite"));
    for step in action["runs"]["steps"].as_vec().unwrap() {
        // A step of a composite action that runs words must say in which shell.
        assert_eq!(step["run"].as_str().is_some(), step["shell"].as_str().is_some(), "{step:?}");
        assert!(step["run"].as_str().is_some() != step["uses"].as_str().is_some(), "{step:?}");
        // Words of a caller are values of the environment, and never part of what a shell reads.
        assert!(step["run"].as_str().is_none_or(|run| !run.contains("${{")), "{step:?}");
    }
    let workflow = yaml(&format!("{REPO}/.github/workflows/ablation.yml"));
    let steps = workflow["jobs"]["gate"]["steps"].as_vec().unwrap();
    let of_ours =
        |step: &&Yaml| step["uses"].as_str().is_some_and(|uses| uses.contains("/actions/ablation@"));
    let given = keys(&steps.iter().find(of_ours).unwrap()["with"]);
    for name in keys(&action["inputs"]) {
        let input = &action["inputs"][name];
        assert!(input["description"].as_str().is_some(), "{name}");
        assert!(given.contains(&name) || input["required"].as_bool() != Some(true), "{name} is not given");
        assert!(!input["default"].is_badvalue() || input["required"].as_bool() == Some(true), "{name}");
    }
    assert!(given.iter().all(|name| keys(&action["inputs"]).contains(name)), "{given:?}");
}

/// A copy of the example next to a secateur that is built already.
fn copied() -> TempDir {
    let dir = tempdir().unwrap();
    let status = Command::new("cp").arg("-R").arg(root().join(REPO)).arg(dir.path().join("repo")).status();
    assert!(status.unwrap().success());
    // A history is by commit.
    for words in [
        ["init", "--quiet", "."].as_slice(),
        &[
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.org",
            "commit",
            "--quiet",
            "--allow-empty",
            "-m",
            "t",
        ],
    ] {
        let done = Command::new("git").args(words).current_dir(dir.path().join("repo")).status();
        assert!(done.unwrap().success(), "{words:?}");
    }
    let release = dir.path().join("secateur/target/release");
    fs::create_dir_all(&release).unwrap();
    std::os::unix::fs::symlink(assert_cmd::cargo::cargo_bin!("xtask"), release.join("xtask")).unwrap();
    dir
}

/// Runs the step of the action that holds the engine, in the copy; its exit code and its table come back.
fn gate(dir: &Path) -> (Option<i32>, String) {
    let action = yaml(ACTION);
    let steps = action["runs"]["steps"].as_vec().unwrap();
    let step = steps.iter().find(|step| step["name"].as_str() == Some("Gate")).unwrap();
    let values: BTreeMap<&str, String> = BTreeMap::from([
        ("SECATEUR", dir.join("secateur").display().to_string()),
        ("TOLERANCE", "5".to_owned()),
        ("HISTORY", "ablation/history".to_owned()),
        ("SUITE", "ablation/gate.toml".to_owned()),
        ("BASELINE", "ablation/baseline.toml".to_owned()),
        ("REPORT", "ablation-report".to_owned()),
    ]);
    let mut names = keys(&step["env"]);
    names.sort_unstable();
    assert_eq!(names, values.keys().copied().collect::<Vec<_>>());
    let mut command = Command::new("bash");
    // What GitHub gives `shell: bash`.
    command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"].as_str().unwrap()]);
    command.current_dir(dir.join("repo")).envs(values).env("GITHUB_STEP_SUMMARY", dir.join("summary"));
    let output = command.output().unwrap();
    let table = fs::read_to_string(dir.join("repo/ablation-report/gate.md")).unwrap();
    assert_eq!(fs::read_to_string(dir.join("summary")).unwrap(), table);
    (output.status.code(), table + &String::from_utf8_lossy(&output.stderr))
}

#[test]
fn the_example_passes_its_gate_and_an_engine_without_a_method_does_not() {
    let listed = [PathBuf::from("/usr/games/glaurung"), PathBuf::from("/usr/bin/glaurung")];
    if !listed.iter().any(|path| path.exists()) {
        let _ = writeln!(std::io::stderr(), "skipped: the example needs glaurung (apt-get install glaurung)");
        return;
    }
    let dir = copied();
    let (code, said) = gate(dir.path());
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(said.matches("| signature |").count(), 4, "{said}");
    let page = fs::read_to_string(dir.path().join("repo/ablation-report/report.html")).unwrap();
    assert!(page.contains("Glaurung"), "the report is that of the run");
    assert!(said.contains("1 commit,") && said.contains("No quantity has stepped"), "{said}");
    let trends = fs::read_to_string(dir.path().join("repo/ablation-report/history.html")).unwrap();
    assert!(trends.contains("<polyline"), "the history of the commit is kept and drawn");
    // Without late-move reductions in all arms, and without callgrind, which has nothing to say of it.
    let dir = copied();
    let edit = |name: &str, from: &str, to: &str| {
        let path = dir.path().join("repo/ablation").join(name);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(path, text.replacen(from, to, 1)).unwrap();
    };
    edit("gate.toml", "instructions = true\n", "");
    // As many moves as no position has, and another number than the switch: a switch that sets nothing new is refused.
    let off = "options = { \"Full Depth Moves (PV nodes)\" = \"99\", \"Full Depth Moves (non-PV nodes)\" = \"99\" }";
    edit("engine.toml", "game = \"chess\"\n", &format!("game = \"chess\"\n{off}\n"));
    let (code, said) = gate(dir.path());
    assert_eq!(code, Some(3), "{said}");
    let first =
        said.lines().find(|line| line.starts_with("| signature") || line.starts_with("| instructions"));
    assert!(first.is_some_and(|line| line.contains("BREACH")), "breaches first: {said}");
    assert!(dir.path().join("repo/ablation-report/baseline.toml").is_file());
}
