//! The gate and the doctor through the binary. What the gate compares is tested where it is written.

use crate::common::{file, xtask};
use tempfile::tempdir;

#[test]
fn the_gate_says_where_it_runs() {
    let dir = tempdir().unwrap();
    let run = xtask(dir.path()).arg("gate").assert().code(2);
    let error = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(
        error.contains("git clone") && error.contains("gate --subject SUBJECT --baseline FILE"),
        "{error}"
    );
}

#[test]
fn a_broken_baseline_is_pointed_at_and_kept() {
    let dir = tempdir().unwrap();
    std::fs::create_dir_all(dir.path().join("suites/gate")).unwrap();
    let path = file(dir.path(), "suites/gate/baseline.toml", "[arm.\"chess none\"]\nnodes = \"many\"\n");
    for arguments in [&["gate"][..], &["gate", "--update-baseline"]] {
        let run = xtask(dir.path()).args(arguments).assert().code(2);
        let error = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(error.contains("baseline.toml:2:9"), "{error}");
        assert!(std::fs::read_to_string(&path).unwrap().contains("many"));
    }
}

#[test]
fn the_doctor_looks_at_what_measuring_needs() {
    let dir = tempdir().unwrap();
    let run = xtask(dir.path()).arg("doctor").assert().success();
    let out = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    for what in ["processor", "target-cpu", "governor", "load", "memory", "callgrind", "instruction counter"]
    {
        assert!(out.contains(what), "{out}");
    }
}
