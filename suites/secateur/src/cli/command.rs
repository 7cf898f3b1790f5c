//! The commands as the program has them that was called: the same ones, with help that names them as they can be typed.

use crate::cli::invocation::{INSTALLED, Invocation, invocation, turned};
use clap::Command;

/// The commands with their help, as the program that was called is named.
#[must_use]
pub fn named_as_called(command: Command) -> Command {
    named_as(command, invocation())
}

/// The commands of `secateur`, as the program of this name has them.
#[must_use]
pub fn command_of(invocation: Invocation) -> Command {
    named_as(crate::cli::command(), invocation)
}

fn named_as(command: Command, invocation: Invocation) -> Command {
    match invocation {
        Invocation::Cargo => command,
        Invocation::Installed => renamed(command).name(INSTALLED).bin_name(INSTALLED).display_name(INSTALLED),
    }
}

/// A command and those below it, with every text turned.
fn renamed(mut command: Command) -> Command {
    if let Some(help) = command.get_after_help().map(ToString::to_string) {
        command = command.after_help(turned(&help, Invocation::Installed).into_owned());
    }
    let arguments: Vec<clap::Id> =
        command.get_arguments().map(|argument| argument.get_id().clone()).collect();
    for id in arguments {
        command = command.mut_arg(&id, |argument| {
            let [short, long] = [argument.get_help(), argument.get_long_help()].map(|help| {
                help.map(ToString::to_string).map(|help| turned(&help, Invocation::Installed).into_owned())
            });
            let argument = if let Some(help) = short { argument.help(help) } else { argument };
            if let Some(help) = long { argument.long_help(help) } else { argument }
        });
    }
    let below: Vec<String> = command.get_subcommands().map(|below| below.get_name().to_owned()).collect();
    for name in below {
        command = command.mut_subcommand(&name, renamed);
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every help of a command and of those below it.
    fn helps(command: &mut Command, all: &mut Vec<String>) {
        all.push(command.render_long_help().to_string());
        command.get_subcommands_mut().for_each(|below| helps(below, all));
    }

    #[test]
    fn no_help_names_the_program_by_its_other_name() {
        for (invocation, other) in
            [(Invocation::Cargo, "  secateur "), (Invocation::Installed, "cargo xtask")]
        {
            let mut command = command_of(invocation);
            command.build();
            let mut all = Vec::new();
            helps(&mut command, &mut all);
            assert!(all.len() > 20);
            for help in all {
                assert!(!help.contains(other), "{help}");
            }
        }
    }
}
