//! `completions` and `man`: what shells and `man` know of the commands, made from the commands themselves.
//!
//! Both are of `secateur`, because shells complete nothing behind a checkout's `cargo xtask`. Names of suites, methods, games,
//! parameters, sets and subjects are completed too, as they are when the completions are made.

use crate::cli::failure::{Failure, Outcome};
use crate::cli::say::{message, say};
use clap::builder::PossibleValuesParser;
use clap::{Arg, Command};
use clap_complete::Shell;
use secateur_base::program::{self, name};
use secateur_suites::program::Program;
use secateur_suites::setups::{games, methods};
use secateur_suites::suite::Suite;
use std::path::PathBuf;

/// Arguments of `completions`.
#[derive(clap::Args)]
#[command(
    after_help = format!("Examples:\n  {me} completions bash > ~/.local/share/bash-completion/completions/secateur\n  \
                        {me} completions zsh > ~/.zfunc/_secateur\n  \
                        {me} completions fish > ~/.config/fish/completions/secateur.fish", me = name())
)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

/// Arguments of `man`.
#[derive(clap::Args)]
#[command(after_help = format!("Example:\n  {me} man --out ~/.local/share/man/man1", me = name()))]
pub struct Man {
    /// Folder of the pages, one a command
    #[arg(long)]
    out: PathBuf,
}

impl Completions {
    pub fn run(self) -> Outcome {
        let mut command = with_names(installed());
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "secateur", &mut script);
        say(&String::from_utf8_lossy(&script));
        Ok(())
    }
}

impl Man {
    pub fn run(self) -> Outcome {
        std::fs::create_dir_all(&self.out).map_err(Failure::io(&self.out))?;
        clap_mangen::generate_to(installed(), &self.out).map_err(Failure::io(&self.out))?;
        message(&format!("pages in {}\n", self.out.display()));
        Ok(())
    }
}

/// The commands as the installed program has them, which these files are of whoever writes them.
fn installed() -> Command {
    program::call(program::INSTALLED);
    crate::cli::command()
}

/// The commands with the names that their arguments take; a file is taken as well, which shells complete by themselves.
fn with_names(command: Command) -> Command {
    let owned = |names: Vec<&'static str>| names.into_iter().map(str::to_owned).collect::<Vec<_>>();
    let methods: Vec<String> =
        owned(methods::names()).into_iter().chain(["none".to_owned(), "all".to_owned()]).collect();
    let games = owned(games::names());
    let subjects: Vec<String> = Program::names().into_iter().map(|name| name.to_string()).collect();
    let params =
        games.iter().flat_map(|game| games::entry(game).map(|entry| entry.data.variants).unwrap_or_default());
    let params: Vec<String> = params.map(|(name, _)| name.to_owned()).collect();
    let values = [
        (&["suite"][..], owned(Suite::names())),
        (&["methods", "first", "second", "factorial"], methods),
        (&["game"], games),
        (&["params", "first_params", "second_params"], params),
        (&["subject"], subjects),
    ];
    let named = |argument: Arg| {
        let id = argument.get_id().as_str().to_owned();
        match values.iter().find(|(ids, _)| ids.contains(&&*id)) {
            Some((_, names)) if argument.get_num_args().is_none_or(|values| values.takes_values()) => {
                argument.value_parser(PossibleValuesParser::new(names.clone()))
            }
            _ => argument,
        }
    };
    command.mut_subcommands(|below| below.mut_args(named))
}
