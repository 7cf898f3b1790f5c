//! Shards through the binary: cut, killed, published, merged, and under GNU parallel.

use crate::common::{SUITE, assert_same, bench, file, rows, xtask};
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::tempdir;

fn stderr(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}

#[test]
fn shards_are_published_and_merged_and_what_is_missing_is_said() {
    let dir = tempdir().unwrap();
    bench(dir.path(), "whole", "1");
    for shard in ["1/2", "2/2"] {
        let search = ["bench", "tiny.toml", "--shard", shard, "--publish", "shards", "--jobs", "1"];
        let first = stderr(&xtask(dir.path()).args(search).assert().success());
        assert!(first.contains("published as"), "{first}");
        let second = stderr(&xtask(dir.path()).args(search).assert().success());
        assert!(second.contains("agrees in every exact column"), "{second}");
        let packs = fs::read_dir(dir.path().join("shards")).unwrap();
        let packs: Vec<_> = packs.map(|pack| pack.unwrap().path()).collect();
        let merge = xtask(dir.path()).args(["merge", "merged"]).args(&packs).assert();
        if shard == "1/2" {
            let error = stderr(&merge.code(4));
            assert!(error.contains("1 shard is missing: 2/2"), "{error}");
            let report = xtask(dir.path()).args(["report", "merged"]).assert().success();
            let text = String::from_utf8_lossy(&report.get_output().stdout).into_owned();
            assert!(text.contains("units are there, each with all of its cells"), "{text}");
        } else {
            merge.success();
        }
    }
    assert_same(dir.path(), "whole", "merged");
    xtask(dir.path()).args(["bench", "--resume", "runs/tiny-1-of-2"]).assert().success();
    xtask(dir.path()).args(["bench", "tiny.toml", "--shard", "3/2"]).assert().code(2);
    xtask(dir.path()).args(["bench", "tiny.toml", "--shard", "1/999"]).assert().code(2);
    let pack = dir.path().join("shards/1-of-2.tar");
    let text = fs::read(&pack).unwrap();
    // A digit of the last row of counters.csv.
    let at = text.iter().rposition(|byte| *byte == b'0').unwrap();
    fs::write(&pack, [&text[..at], b"1", &text[at + 1..]].concat()).unwrap();
    let error = stderr(&xtask(dir.path()).args(["merge", "again", "shards/1-of-2.tar"]).assert().code(2));
    assert!(error.contains("1-of-2.tar/records.csv:") && error.contains("sealed"), "{error}");
}

/// Waits until a few records are written.
fn under_way(dir: &Path) {
    let patience = Instant::now() + Duration::from_secs(60);
    let count = || fs::read_to_string(dir.join("records.csv")).unwrap_or_default().lines().count();
    while count() < 3 && Instant::now() < patience {
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_killed_shard_goes_on() {
    let dir = tempdir().unwrap();
    file(dir.path(), "slow.toml", &SUITE.replace("depth = 5", "depth = 8").replace("tiny", "slow"));
    let search = ["bench", "slow.toml", "--shard", "2/2", "--jobs", "1", "--out"];
    xtask(dir.path()).args(search).arg("whole").assert().success();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("xtask"))
        .args(search)
        .arg("killed")
        .current_dir(dir.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    under_way(&dir.path().join("killed"));
    child.kill().unwrap();
    child.wait().unwrap();
    xtask(dir.path()).args(search).arg("killed").assert().success();
    assert_same(dir.path(), "whole", "killed");
}

/// Programs of Slurm that say what they are told to: the controller, accounting, and whoever takes jobs.
fn slurm(dir: &Path, squeue: &str, sacct: &str) -> String {
    let bin = dir.join("slurm");
    fs::create_dir_all(&bin).unwrap();
    for (name, deed) in [("squeue", squeue), ("sacct", sacct), ("sbatch", "echo 7")] {
        let path = file(&bin, name, &format!("#!/bin/sh\n{deed}\n"));
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    format!("{}:{}", bin.display(), std::env::var("PATH").unwrap())
}

#[test]
fn status_says_what_squeue_and_sacct_say_and_whom_it_asked() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    file(dir, "tiny.toml", SUITE);
    let path = slurm(dir, "echo '1 RUNNING'; echo '2 PENDING'", "echo '7_3|TIMEOUT'; echo '7_1|RUNNING'");
    let begin = ["cluster", "slurm", "tiny.toml", "--shards", "4", "--dir", "c"];
    let notes = stderr(&xtask(dir).env("PATH", &path).args(begin).assert().success());
    assert!(notes.contains("submitted as job 7") && notes.contains("alone takes"), "{notes}");
    let status = |path: &str| {
        let run = xtask(dir).env("PATH", path).args(["cluster", "status", "c"]).assert().success();
        String::from_utf8_lossy(&run.get_output().stdout).into_owned()
    };
    let text = status(&path);
    for part in [
        "running: 1 of 4 (1)",
        "waiting: 1 of 4 (2)",
        "missing: 2 of 4 (3-4); TIMEOUT: 3",
        "squeue and sacct",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let path = slurm(dir, "echo '1 RUNNING'", "echo 'Slurm accounting storage is disabled' >&2; exit 1");
    let text = status(&path);
    assert!(text.contains("missing: 3 of 4 (2-4)\n") && text.contains("no accounting (sacct"), "{text}");
    let path = slurm(dir, "exit 1", "echo '7_1|RUNNING'; echo '7_[2-4]|PENDING'");
    let text = status(&path);
    assert!(text.contains("waiting: 3 of 4 (2-4)") && text.contains("sacct alone"), "{text}");
    let path = slurm(dir, "exit 1", "exit 1");
    xtask(dir).env("PATH", path).args(["cluster", "status", "c"]).assert().failure();
}

/// The controller says how many tasks an array holds; more shards are several, when they are submitted and again.
#[test]
fn shards_beyond_the_limit_of_an_array_are_arrays_of_their_own() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    file(dir, "tiny.toml", SUITE);
    let path = slurm(dir, "exit 0", "exit 0");
    for (name, deed) in [
        ("sbatch", "echo \"$@\" >> \"$PWD/submitted\"; wc -l < \"$PWD/submitted\""),
        ("scontrol", "echo 'MaxArraySize            = 3'"),
    ] {
        let path = file(&dir.join("slurm"), name, &format!("#!/bin/sh\n{deed}\n"));
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let begin = ["cluster", "slurm", "tiny.toml", "--shards", "4", "--dir", "c"];
    let notes = stderr(&xtask(dir).env("PATH", &path).args(begin).assert().success());
    assert!(notes.contains("submitted as job 1, 2:"), "{notes}");
    xtask(dir).env("PATH", &path).args(["cluster", "retry", "c"]).assert().success();
    let submitted = fs::read_to_string(dir.join("submitted")).unwrap();
    let lines: Vec<&str> = submitted.lines().collect();
    assert_eq!(lines.len(), 4, "{submitted}");
    for line in lines {
        let ends = if line.contains("+2 --array=1-2 ") { "c/job.sh --behind 2" } else { "c/job.sh" };
        assert!(line.contains("--array=1-2 ") && line.ends_with(ends), "{line}");
    }
}

#[test]
fn an_earlier_run_says_what_units_cost() {
    let dir = tempdir().unwrap();
    bench(dir.path(), "before", "1");
    let begin = ["cluster", "prepare", "tiny.toml", "--shards", "3", "--dir", "c", "--costs", "before"];
    let notes = stderr(&xtask(dir.path()).args(begin).assert().success());
    assert!(notes.contains("the dearest shard is") && !dir.path().join("c/estimate").exists(), "{notes}");
    let more = ["cluster", "prepare", "tiny.toml", "--shards", "14", "--dir", "d", "--costs", "before"];
    let notes = stderr(&xtask(dir.path()).args(more).assert().success());
    assert!(notes.contains("alone takes"), "{notes}");
}

#[test]
fn gnu_parallel_runs_the_shards_and_again_those_that_failed() {
    if Command::new("parallel").arg("--version").output().is_err() {
        writeln!(std::io::stderr(), "GNU parallel is not installed: not tried").unwrap();
        return;
    }
    let dir = tempdir().unwrap();
    bench(dir.path(), "merged", "1");
    let begin = ["cluster", "parallel", "tiny.toml", "--shards", "3", "--dir", "c", "--at-once", "2"];
    // A folder in the place of a pack: that shard cannot be published.
    fs::create_dir_all(dir.path().join("c/shards/2-of-3.tar")).unwrap();
    let error = stderr(&xtask(dir.path()).args(begin).assert().code(4));
    assert!(error.contains("missing: 2;"), "{error}");
    let status = xtask(dir.path()).args(["cluster", "status", "c"]).assert().success();
    let text = String::from_utf8_lossy(&status.get_output().stdout).into_owned();
    assert!(text.contains("done: 2 of 3 (1,3)") && text.contains("failed: 1 of 3 (2)"), "{text}");
    xtask(dir.path()).args(["cluster", "fetch", "c", "--out", "part"]).assert().code(4);
    fs::remove_dir(dir.path().join("c/shards/2-of-3.tar")).unwrap();
    let before = fs::read(dir.path().join("c/runs/1/run.toml")).unwrap();
    xtask(dir.path()).args(["cluster", "retry", "c"]).assert().success();
    assert_eq!(
        fs::read(dir.path().join("c/runs/1/run.toml")).unwrap(),
        before,
        "what is done is not begun again"
    );
    fs::create_dir(dir.path().join("out")).unwrap();
    xtask(dir.path()).args(["cluster", "fetch", "c", "--out", "out/merged"]).assert().success();
    assert_same(dir.path(), "merged", "out/merged");
    assert!(rows(dir.path(), "out/merged", "records.csv").len() > 50);
    let other = ["cluster", "prepare", "tiny.toml", "--shards", "4", "--dir", "c"];
    let error = stderr(&xtask(dir.path()).args(other).assert().code(4));
    assert!(error.contains("begun with other settings"), "{error}");
}
