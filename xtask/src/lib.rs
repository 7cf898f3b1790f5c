//! The commands of secateur: parse, dispatch, exit code.
//!
//! Two programs are this library and nothing else: `xtask`, which `cargo xtask` builds and runs, and `secateur`, which is
//! installed. No logic lives here that a test would want to call; each verb is a file. Exit codes: 0 ok, 1 the tool or
//! the file system failed, 2 bad usage or input, 3 a gate was breached, 4 incomplete or not comparable.

mod analyse;
mod bench;
mod blocks;
mod ci;
mod cluster;
mod command;
mod compare;
mod comparison;
mod completions;
mod coverage;
mod cuts;
mod docs;
mod doctor;
mod door;
mod evidence;
mod examples;
mod facts;
mod failure;
mod families;
mod figures;
mod fit;
mod fuzz;
mod gate;
mod guard;
mod history;
mod import;
mod instructions;
mod list;
mod merge;
mod pairs;
mod paper;
mod peers;
mod places;
mod play;
mod positions;
mod prices;
mod progress;
mod put;
mod reading;
mod release;
mod report;
mod running;
mod say;
mod shard;
mod solve;
mod speed;
mod subjects;
mod tidy;
mod torture;
mod train;
mod tune;
mod values;
mod verdict;
mod worth;

pub use door::Door;

use clap::{FromArgMatches, Parser, Subcommand};
use std::process::ExitCode;

/// Ablation benchmarks for forward pruning in game-tree search.
#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    version,
    disable_help_subcommand = true,
    after_help = "Begin with:\n  cargo xtask bench                                                  our search, in both games\n  \
                  cargo xtask worth toga2                                            what methods are worth in another program\n  \
                  cargo xtask subjects show toga2                                    the file that it takes, to write your own\n  \
                  cargo xtask compare runs/before runs/after                         two runs; 3 if anything is worse\n  \
                  cargo xtask list                                                   every name that a command takes"
)]
struct Flags {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Search the methods of a suite on its positions, and report
    Bench(bench::Flags),
    /// Print or write the report of finished runs; never searches
    Report(report::Flags),
    /// Put shards of a run together; never searches
    Merge(merge::Flags),
    /// Have a scheduler search the shards of a suite: Slurm, GNU parallel, or another
    Cluster(cluster::Flags),
    /// Compare two runs, or two method sets, position by position; never searches
    Compare(compare::Flags),
    /// Simulate experiments with a known truth: do the intervals of reports hold it?
    Coverage(coverage::Flags),
    /// Search the same positions with other UCI engines and with this program, and compare
    Peers(peers::Flags),
    /// Fit (a, b, sigma, r) and margins to the evaluation of a game
    Fit(fit::Flags),
    /// Draw pairs of a shallow and a deep value at positions that nothing was fitted on
    Pairs(pairs::Flags),
    /// Repeat the experiments of a paper, and lay the published figures beside ours
    Paper(paper::Flags),
    /// Search the cuts of a check again, one by one, with what was known when they were made
    Cuts(cuts::Flags),
    /// Look into a position: board, values of its moves, lines
    Analyse(analyse::Flags),
    /// Search positions to their end, and check what their file says of them
    Solve(solve::Flags),
    /// Play a match between two method sets or installed engines
    Play(play::Flags),
    /// Tune parameters of methods by games of the program against itself
    Tune(tune::Flags),
    /// Train the evaluation of a game by self-play
    Train(train::Flags),
    /// Check exact quantities against what was blessed
    Gate(gate::Flags),
    /// Keep exact quantities by commit, and say at which commit something stepped
    History(history::Flags),
    /// Say what a version changed, or give the sources a new one
    Release(release::Flags),
    /// List, check, sample or import position sets
    Positions(positions::Flags),
    /// Say what each pruning method of a program is worth, on one page
    Worth(worth::Flags),
    /// Compare the speed of this program with that of others, in turns
    Speed(speed::Flags),
    /// List other programs that can be searched with, and what their files say
    Subjects(subjects::Flags),
    /// List the names that commands take: suites, methods, presets, parameters, games, subjects, positions
    List(list::Flags),
    /// Print completions for a shell
    Completions(completions::Completions),
    /// Write a manual page for every command
    Man(completions::Man),
    /// Bring the generated parts of the documents up to date
    Docs(docs::Flags),
    /// Check the house rules that neither compiler nor linter knows
    #[command(after_help = "Example:\n  cargo xtask tidy")]
    Tidy,
    /// Say what this machine can and cannot measure, and how to mend it
    #[command(after_help = "Example:\n  cargo xtask doctor")]
    Doctor,
    /// Kill, wound and starve this program and see whether its records survive
    Torture(torture::Flags),
    /// Give mutated texts to every reader of this program
    Fuzz(fuzz::Flags),
    /// Build and run the crates under `examples/` against the library as it would be published
    Examples(examples::Flags),
    /// Everything that continuous integration checks
    #[command(after_help = "Example:\n  cargo xtask ci")]
    Ci,
}

/// The program, called by this name. What it prints for people names the command as they would type it.
#[must_use]
pub fn main_of(door: Door) -> ExitCode {
    door::enter(door);
    if let Err(code) = guard::follow() {
        return code;
    }
    // Before anything that this processor may not know.
    if secateur_instruments::processor::is_too_old() { ExitCode::FAILURE } else { run() }
}

#[inline(never)]
fn run() -> ExitCode {
    let read = command::command().try_get_matches().and_then(|matches| Flags::from_arg_matches(&matches));
    let flags = match read {
        Ok(flags) => flags,
        Err(error) => return say::parsed(&error),
    };
    let result = match flags.verb {
        Verb::Bench(flags) => flags.run(),
        Verb::Report(flags) => flags.run(),
        Verb::Merge(flags) => flags.run(),
        Verb::Cluster(flags) => flags.run(),
        Verb::Compare(flags) => flags.run(),
        Verb::Coverage(flags) => flags.run(),
        Verb::Peers(flags) => flags.run(),
        Verb::Fit(flags) => flags.run(),
        Verb::Pairs(flags) => flags.run(),
        Verb::Paper(flags) => flags.run(),
        Verb::Cuts(flags) => flags.run(),
        Verb::Analyse(flags) => flags.run(),
        Verb::Solve(flags) => flags.run(),
        Verb::Play(flags) => flags.run(),
        Verb::Tune(flags) => flags.run(),
        Verb::Train(flags) => flags.run(),
        Verb::Gate(flags) => flags.run(),
        Verb::History(flags) => flags.run(),
        Verb::Release(flags) => flags.run(),
        Verb::Positions(flags) => flags.run(),
        Verb::Worth(flags) => flags.run(),
        Verb::Speed(flags) => flags.run(),
        Verb::Subjects(flags) => flags.run(),
        Verb::List(flags) => flags.run(),
        Verb::Completions(flags) => flags.run(),
        Verb::Man(flags) => flags.run(),
        Verb::Docs(flags) => flags.run(),
        Verb::Torture(flags) => flags.run(),
        Verb::Fuzz(flags) => flags.run(),
        Verb::Examples(flags) => flags.run(),
        Verb::Tidy => tidy::run(),
        Verb::Doctor => doctor::run(),
        Verb::Ci => ci::run(),
    };
    say::ended(match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    })
}
