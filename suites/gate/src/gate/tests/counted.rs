//! The extra loop counted for real: this test program runs itself under callgrind, once for each search.
//!
//! The counts that the other tests judge are made up, so that they need no valgrind; this one shows that a slowdown
//! of nothing but time reaches the gate as instructions, and that a search counted twice is counted the same.

use super::*;
use crate::instructions::callgrind;
use crate::instructions::measured::measured_search;
use crate::instructions::request::start_instrumentation;
use std::process::Stdio;

/// Tells the program under callgrind what to search.
const ASKED: &str = "SECATEUR_TEST_FAULT";

/// Not a test: what the program does under callgrind.
#[test]
#[ignore = "run by the test below, under callgrind"]
fn the_counted_program() {
    let fault = match std::env::var(ASKED).as_deref() {
        Ok("slow") => Fault::Slow,
        Ok("none") => Fault::None,
        _ => return,
    };
    let setup = Setup::embedded("chess").unwrap();
    let methods = setup.methods(&"futility".parse().unwrap()).unwrap();
    let mut nodes = 0;
    start_instrumentation();
    measured_search(&mut || {
        let found = broken(&methods, &setup.options, fault);
        nodes = found.cells.iter().map(|cell| cell.nodes).sum();
    });
    assert!(nodes > 1_000);
}

/// Instructions of a search with futility, as callgrind counts them.
fn counted(fault: &str) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("callgrind.out");
    let mut command = callgrind::command(&file, &std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", "gate::tests::counted::the_counted_program"]).env(ASKED, fault);
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    assert!(status.success(), "{status}");
    match callgrind::parts(&std::fs::read_to_string(&file).unwrap()).unwrap()[..] {
        [count] => count,
        ref parts => panic!("one search gave {} counts", parts.len()),
    }
}

#[test]
fn a_loop_that_costs_only_time_is_a_breach() {
    if let Err(missing) = callgrind::available() {
        // The judgement is tested without it.
        let _ = writeln!(std::io::stderr(), "not counted: {missing}");
        return;
    }
    let right = counted("none");
    // Where the system puts things moves a few instructions of the allocator.
    let again = counted("none");
    assert!(again.abs_diff(right) < right / 100_000, "a count repeats: {right} {again}");
    let verdict = |count: u64| {
        let checks = judge(&measured(Fault::None, count), &measured(Fault::None, right).exact());
        let checks: Vec<Question> = checks.into_iter().filter(|check| check.what == "instructions").collect();
        assert_eq!(checks.len(), 1);
        checks[0].verdict
    };
    let slow = counted("slow");
    assert_eq!((verdict(right), verdict(slow)), (Answer::Ok, Answer::Regression), "{right} {slow}");
}
