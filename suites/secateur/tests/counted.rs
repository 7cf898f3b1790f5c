//! Instructions of an experiment in a program of one's own: this test, which is called again under callgrind.
//!
//! One test and no more: what is called again runs everything that stands in this file.

use secateur::{Experiment, counted};
use std::io::Write;

#[test]
fn an_experiment_of_this_program_is_counted_in_this_program() {
    let experiment = Experiment::of("othello").positions("othello-44").limit(1).depth(3);
    let experiment = experiment.arm("none").arm("futility").instructions();
    let (runs, uncounted) = counted(&experiment).unwrap();
    if let Some(reason) = uncounted {
        let _ = writeln!(std::io::stderr(), "skipped: {reason}");
        return;
    }
    let counts: Vec<u64> = runs.rows.records.iter().filter_map(|row| row.instructions).collect();
    assert_eq!(counts.len(), runs.rows.records.len());
    assert!(counts.iter().all(|count| *count > 10_000), "{counts:?}");
    assert_eq!(runs.manifest.instructions, "callgrind");
    // More nodes take more.
    assert!(runs.nodes("none") > runs.nodes("futility"), "{:?}", runs.rows.records);
}
