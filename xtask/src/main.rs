//! `cargo xtask`: the verbs of `secateur`, built with whatever was changed last, and the chores of this repository.

mod ci;
mod coverage;
mod cuts;
mod docs;
mod examples;
mod prices;
mod site;
mod stress;
mod tidy;
mod torture;
mod train;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use secateur::cli::{GROUPS, Verb, failure, grouped};
use std::process::ExitCode;

/// Ablation benchmarks for forward pruning in game-tree search.
#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    version,
    disable_help_subcommand = true,
    after_help = "Begin with:\n  cargo xtask bench    the pruning methods in both games\n  cargo xtask ci       every test"
)]
struct Flags {
    #[command(subcommand)]
    verb: Either,
}

#[derive(Subcommand)]
#[expect(clippy::large_enum_variant, reason = "there is one, once")]
enum Either {
    #[command(flatten)]
    Verb(Verb),
    #[command(flatten)]
    Chore(Chore),
}

#[derive(Subcommand)]
enum Chore {
    /// Simulate experiments with a known truth: do the intervals of reports hold it?
    Coverage(coverage::Flags),
    /// Search the cuts of a check again, one by one, with what was known when they were made
    Cuts(cuts::Flags),
    /// Train the evaluation of a game by self-play
    Train(train::Flags),
    /// Bring the generated parts of the documents up to date
    Docs(docs::Flags),
    /// Build the book with example pages in it, in one folder
    Site(site::Flags),
    /// Check the workspace rules that neither compiler nor linter knows
    #[command(after_help = "Example:\n  cargo xtask tidy")]
    Tidy,
    /// Kill, damage and starve this program and see whether its records survive
    Torture(torture::Flags),
    /// Build and run the crates under `examples/` against the library as it would be published
    Examples(examples::Flags),
    /// Everything that continuous integration checks
    #[command(after_help = "Example:\n  cargo xtask ci")]
    Ci,
}

impl Chore {
    fn run(self) -> failure::Outcome {
        match self {
            Chore::Coverage(flags) => flags.run(),
            Chore::Cuts(flags) => flags.run(),
            Chore::Train(flags) => flags.run(),
            Chore::Docs(flags) => flags.run(),
            Chore::Site(flags) => flags.run(),
            Chore::Tidy => tidy::run(),
            Chore::Torture(flags) => flags.run(),
            Chore::Examples(flags) => flags.run(),
            Chore::Ci => ci::run(),
        }
    }
}

/// What only this repository needs.
const CHORES: &[(&str, &[&str])] = &[(
    "This repository",
    &["ci", "docs", "site", "tidy", "train", "cuts", "coverage", "torture", "examples"],
)];

fn main() -> ExitCode {
    let command = || grouped(Flags::command(), &[GROUPS, CHORES]);
    let run = |matches: &clap::ArgMatches| {
        Flags::from_arg_matches(matches).map(|flags| match flags.verb {
            Either::Verb(verb) => verb.run(),
            Either::Chore(chore) => chore.run(),
        })
    };
    secateur::cli::enter("cargo xtask", run, command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chore_stands_under_its_heading() {
        let command = Flags::command();
        let mut verbs: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        let all = GROUPS.iter().chain(CHORES);
        let mut listed: Vec<&str> = all.flat_map(|(_, verbs)| verbs.iter().copied()).collect();
        verbs.sort_unstable();
        listed.sort_unstable();
        assert_eq!(verbs, listed);
    }
}
