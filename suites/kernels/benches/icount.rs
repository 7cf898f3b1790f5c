//! Instructions of every game x method and of the hot parts, under callgrind by iai-callgrind.
//!
//! `cargo bench -p secateur-benches --features runner --bench icount` (needs valgrind). For looking into a change: the gate
//! counts by itself.

#![allow(missing_docs, reason = "the macros make modules that have none")]

// The macros say `gungraun`, which is what the crate is called since it was renamed.
extern crate iai_callgrind as gungraun;

use iai_callgrind::{
    Callgrind, EventKind, LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main,
};
use secateur_benches::{Kernel, kernel};
use std::hint::black_box;

#[library_benchmark(setup = kernel)]
#[benches::othello("othello plain", "othello static", "othello none")]
#[benches::chess("chess plain", "chess static", "chess none")]
fn hosts(mut work: Kernel) -> u64 {
    black_box(work())
}

#[library_benchmark(setup = kernel)]
#[benches::othello(
    "othello null-move",
    "othello probcut",
    "othello mpc",
    "othello multi-cut",
    "othello futility",
    "othello razoring",
    "othello lmr",
    "othello all"
)]
#[benches::chess(
    "chess null-move",
    "chess probcut",
    "chess mpc",
    "chess multi-cut",
    "chess futility",
    "chess razoring",
    "chess lmr",
    "chess all"
)]
fn methods(mut work: Kernel) -> u64 {
    black_box(work())
}

#[library_benchmark(setup = kernel)]
#[benches::othello("othello moves", "othello evaluate", "othello horizon", "othello table", "othello probe")]
#[benches::chess("chess moves", "chess evaluate", "chess horizon", "chess table", "chess probe")]
fn parts(mut work: Kernel) -> u64 {
    black_box(work())
}

library_benchmark_group!(name = counts; benchmarks = hosts, methods, parts);

// Half a percent, as in the gate, against the last run on this machine.
main!(
    config = LibraryBenchmarkConfig::default()
        .tool(Callgrind::with_args(["--cache-sim=no"]).soft_limits([(EventKind::Ir, 0.5)]));
    library_benchmark_groups = counts
);
