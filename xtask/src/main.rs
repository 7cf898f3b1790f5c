//! `cargo xtask`: the verbs of `secateur`, built with whatever was changed last, and the chores of this repository.

mod ci;
mod docs;
mod examples;
mod site;
mod tidy;
mod torture;
mod train;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use secateur::cli::{EXIT_CODES, GROUPS, Verb, failure, grouped};
use std::process::ExitCode;

/// Ablation benchmarks for forward pruning in game-tree search.
#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    version,
    disable_help_subcommand = true,
    after_help = format!("Begin with:\n  cargo xtask bench    the classic pruning methods\n  cargo xtask ci       every test\n\n{EXIT_CODES}")
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
const CHORES: &[(&str, &[&str])] =
    &[("This repository", &["ci", "docs", "site", "tidy", "train", "torture", "examples"])];

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
#[path = "../tests/common/printed.rs"]
mod printed;

#[cfg(test)]
mod tests {
    use super::*;
    use clap::error::ErrorKind;
    use secateur_suites::program::Program;
    use secateur_suites::suite::Suite;

    /// Whether a name that a command is given is there: one without a dot or a stroke is built in, a path into this repository leads to
    /// something. Other paths are the reader's own.
    fn is_known(word: &str, built_in: &[String]) -> bool {
        let name = word.split([':', ';', '@']).next().unwrap_or(word);
        let is_placeholder = name.chars().all(|letter| letter.is_ascii_uppercase());
        let ours =
            ["docs/", "suites/", "examples/", "positions/"].iter().any(|folder| name.starts_with(folder));
        match ours {
            true => printed::root().join(name).exists(),
            false => {
                is_placeholder || name.contains(['.', '/', '<']) || built_in.iter().any(|other| other == name)
            }
        }
    }

    /// What commands are given by name, by verb and argument, with what is built in of each kind.
    fn named() -> Vec<(&'static [&'static str], &'static str, Vec<String>)> {
        let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect::<Vec<_>>();
        let subjects = || owned(Program::names());
        let sets = || secateur_positions::names().expect("the names of the built-in sets");
        vec![
            (&["bench", "cluster"], "suite", owned(Suite::names())),
            (&["bench", "speed", "gate"], "subject", subjects()),
            (&["worth", "subjects"], "subject", subjects()),
            (&["bench", "worth", "speed", "pairs"], "positions", sets()),
            (&["solve", "analyse"], "positions", sets()),
        ]
    }

    /// Every command that a document prints is one of this program: verbs, options, and what they name.
    #[test]
    fn commands_of_documents_are_commands() {
        let named = named();
        let mut faults = Vec::new();
        for printed in printed::commands() {
            let printed::Printed { place, args, is_mention } = &printed;
            let of_example = args.iter().any(|word| word == "COMMAND" || word == "VERB");
            let line = std::iter::once("cargo xtask").chain(args.iter().map(String::as_str));
            let matches = match Flags::command().try_get_matches_from(line) {
                Ok(matches) => matches,
                Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
                    continue;
                }
                // The mere name of a verb, in a sentence.
                Err(error)
                    if *is_mention
                        && matches!(
                            error.kind(),
                            ErrorKind::MissingRequiredArgument
                                | ErrorKind::MissingSubcommand
                                | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
                        ) =>
                {
                    continue;
                }
                Err(_) if of_example => continue,
                Err(error) => {
                    faults.push(format!("{place}: {args:?}: {error}"));
                    continue;
                }
            };
            let Some((verb, flags)) = matches.subcommand() else { continue };
            for (_, argument, built_in) in named.iter().filter(|(verbs, ..)| verbs.contains(&verb)) {
                let values = flags.try_get_raw(argument).ok().flatten().into_iter().flatten();
                for value in values.filter_map(|value| value.to_str()) {
                    for word in value.split(',').filter(|word| !is_known(word, built_in)) {
                        faults.push(format!("{place}: {args:?}: {argument}: no `{word}`"));
                    }
                }
            }
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }

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
