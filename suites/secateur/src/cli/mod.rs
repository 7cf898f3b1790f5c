//! The program: parse, dispatch, exit code; and a child that is this program too and ends with it.
//!
//! Two programs have these verbs: `secateur`, which is installed, and `cargo xtask`, which adds the chores of this
//! repository. No logic lives here that a test would want to call; each verb is a file. Exit codes: [`EXIT_CODES`].

pub mod analyse;
pub mod bench;
pub mod cluster;
pub mod compare;
pub mod completions;
pub mod doctor;
pub mod evidence;
pub mod facts;
pub mod failure;
pub mod fit;
pub mod gate;
pub mod history;
pub mod lines;
pub mod list;
pub mod merge;
pub mod pairs;
pub mod paper;
pub mod play;
pub mod positions;
pub mod proposing;
pub mod reading;
pub mod report;
pub mod running;
pub mod say;
pub mod solve;
pub mod speed;
pub mod subjects;
pub mod tune;
pub mod worth;
pub mod worth_games;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use secateur_base::program::{self, name};
use std::process::{Command, ExitCode, Stdio};

/// What a command ends with, for help.
pub const EXIT_CODES: &str = "Exit codes:\n  0 ok\n  1 the tool or the file system failed\n  \
     2 wrong arguments or input, or a missing file\n  3 a verdict: a check found a difference, or something is worse\n  \
     4 incomplete (the same command resumes it), or not comparable";

/// Ablation benchmarks for forward pruning in game-tree search.
#[derive(Parser)]
#[command(
    name = "secateur",
    bin_name = "secateur",
    version,
    disable_help_subcommand = true,
    after_help = format!("What to do first:\n  {me} bench                                 measure the classic methods in our search\n  \
                  {me} subjects new ./engine --source DIR    make the subject file of your engine\n  \
                  {me} worth engine.toml                     measure what each of its methods is worth\n  \
                  {me} compare runs/before runs/after        compare two runs; exit code 3 if anything is worse\n  \
                  {me} list                                  print every name that a command takes\n\n{EXIT_CODES}", me = name())
)]
struct Flags {
    #[command(subcommand)]
    verb: Verb,
}

/// What a user asks for.
#[derive(Subcommand)]
pub enum Verb {
    /// Search the methods of a suite on its positions, and report
    Bench(bench::Flags),
    /// Print or write the report of finished runs; never searches
    Report(report::Flags),
    /// Join shards of a run, a match, `worth` or `speed`; never searches
    Merge(merge::Flags),
    /// Have a scheduler search the shards of a suite: Slurm, GNU parallel, or another
    Cluster(cluster::Flags),
    /// Compare two runs, or two method sets, position by position; never searches
    Compare(compare::Flags),
    /// Fit (a, b, sigma, r) and margins to the evaluation of a game
    Fit(fit::Flags),
    /// Draw pairs of a shallow and a deep value at positions that nothing was fitted on
    Pairs(pairs::Flags),
    /// Repeat the experiments of a paper, and print the published figures next to ours
    Paper(paper::Flags),
    /// Show a position: board, values of its moves, lines
    Analyse(analyse::Flags),
    /// Search positions to the end of the game, and check what their file says
    Solve(solve::Flags),
    /// Play a match between two method sets or installed engines
    Play(play::Flags),
    /// Tune parameters of methods by games of the program against itself
    Tune(tune::Flags),
    /// Compare exact quantities with the baseline
    Gate(gate::Flags),
    /// Keep exact quantities per commit, and print at which commit one changed
    History(history::Flags),
    /// List, check, sample or import position sets
    Positions(positions::Flags),
    /// Measure what each pruning method of a program is worth, on one page
    Worth(worth::Flags),
    /// Measure what each line of a program's search saves or spends, next to its source
    Lines(lines::Flags),
    /// Compare the speed of this program with that of others, in turns
    Speed(speed::Flags),
    /// Write a subject file for another program, and cut switches into its source if it has none; list, show
    /// and check subject files
    Subjects(subjects::Flags),
    /// List the names that commands take: suites, methods, presets, parameters, games, subjects, positions
    List(list::Flags),
    /// Print completions for a shell
    Completions(completions::Completions),
    /// Write a manual page for every command
    Man(completions::Man),
    /// Print what this machine can measure, and how to fix what it cannot
    #[command(after_help = format!("Example:\n  {me} doctor", me = name()))]
    Doctor,
}

impl Verb {
    /// Does it.
    ///
    /// # Errors
    /// As the verb says, with its exit code.
    pub fn run(self) -> failure::Outcome {
        match self {
            Verb::Bench(flags) => flags.run(),
            Verb::Report(flags) => flags.run(),
            Verb::Merge(flags) => flags.run(),
            Verb::Cluster(flags) => flags.run(),
            Verb::Compare(flags) => flags.run(),
            Verb::Fit(flags) => flags.run(),
            Verb::Pairs(flags) => flags.run(),
            Verb::Paper(flags) => flags.run(),
            Verb::Analyse(flags) => flags.run(),
            Verb::Solve(flags) => flags.run(),
            Verb::Play(flags) => flags.run(),
            Verb::Tune(flags) => flags.run(),
            Verb::Gate(flags) => flags.run(),
            Verb::History(flags) => flags.run(),
            Verb::Positions(flags) => flags.run(),
            Verb::Worth(flags) => flags.run(),
            Verb::Lines(flags) => flags.run(),
            Verb::Speed(flags) => flags.run(),
            Verb::Subjects(flags) => flags.run(),
            Verb::List(flags) => flags.run(),
            Verb::Completions(flags) => flags.run(),
            Verb::Man(flags) => flags.run(),
            Verb::Doctor => doctor::run(),
        }
    }
}

/// The verbs of a user by what they are for, in the order of help.
pub const GROUPS: &[(&str, &[&str])] = &[
    ("Measure", &["bench", "worth", "lines", "play", "speed", "gate"]),
    ("Read", &["report", "compare", "history", "list"]),
    ("Look", &["analyse", "solve", "positions", "subjects", "doctor"]),
    ("Make", &["fit", "pairs", "tune", "paper", "cluster", "merge"]),
    ("Shell", &["completions", "man"]),
];

/// A program whose help lists its verbs under headings.
pub fn grouped(command: clap::Command, groups: &[&[(&str, &[&str])]]) -> clap::Command {
    let mut text = String::new();
    for (heading, verbs) in groups.iter().copied().flatten() {
        text += &format!("{heading}:\n");
        for verb in *verbs {
            let about = command.find_subcommand(verb).and_then(clap::Command::get_about);
            text += &format!("  {verb:<12} {}\n", about.map(ToString::to_string).unwrap_or_default());
        }
        text.push('\n');
    }
    command.before_help(text.trim_end().to_owned()).help_template(
        "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}Options:\n{options}{after-help}",
    )
}

/// The commands of `secateur`.
pub fn command() -> clap::Command {
    grouped(Flags::command(), &[GROUPS])
}

/// The program as it is installed.
pub fn main() -> ExitCode {
    enter(
        program::INSTALLED,
        |matches| Flags::from_arg_matches(matches).map(|flags| flags.verb.run()),
        command,
    )
}

/// Runs a program of this name: what it prints for people names the command as they would type it.
pub fn enter(
    name: &'static str,
    run: impl FnOnce(&clap::ArgMatches) -> Result<failure::Outcome, clap::Error>,
    command: impl FnOnce() -> clap::Command,
) -> ExitCode {
    program::call(name);
    secateur_suites::sample::at_need();
    if let Err(code) = follow() {
        return code;
    }
    // Before anything that this processor may not know.
    if secateur_suites::instruments::machine::is_too_old() {
        ExitCode::FAILURE
    } else {
        dispatch(run, command())
    }
}

/// Options whose values are times and clocks.
const TIMES: [&str; 3] = ["time", "tc", "movetime"];

/// The command with options that take `-2` as their value, or `-5ms` for a time, so that the error is about the value, not about an
/// option `-2`.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let command = command.mut_args(|argument| match argument.get_action().takes_values() {
        true if TIMES.contains(&argument.get_id().as_str()) => argument.allow_hyphen_values(true),
        true => argument.allow_negative_numbers(true),
        false => argument,
    });
    command.mut_subcommands(with_negative_numbers)
}

#[inline(never)]
fn dispatch(
    run: impl FnOnce(&clap::ArgMatches) -> Result<failure::Outcome, clap::Error>,
    command: clap::Command,
) -> ExitCode {
    let read = with_negative_numbers(command).try_get_matches().and_then(|matches| run(&matches));
    let result = match read {
        Ok(result) => result,
        Err(error) => return say::parsed(&error),
    };
    say::ended(match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    })
}

/// The variable that names the parent to a child.
const PARENT: &str = "SECATEUR_PARENT";

/// Where this program is.
pub fn this_program() -> Result<std::path::PathBuf, failure::Failure> {
    let path = std::env::current_exe();
    path.map_err(|error| failure::Failure::system(format!("this program's own path cannot be read: {error}")))
}

/// Makes a command of this program a child that ends with this process, however that ends.
///
/// The child reads its parent in a variable and asks the system itself to be ended when that is gone: nothing has to run in a dying
/// process, and nothing between fork and exec. It is in a process group of its own, so that one Ctrl-C is one: who waits for it
/// passes it on ([`interrupt`]). Programs of others are ended by their engines' own guard.
pub fn bind(command: &mut Command) {
    command.env(PARENT, std::process::id().to_string()).stdin(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
}

/// To be called when the program begins: an exit code if its parent is gone already.
#[cfg(target_os = "linux")]
fn follow() -> Result<(), ExitCode> {
    use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal, test_kill_process};
    let Some(parent) = std::env::var(PARENT).ok().and_then(|text| text.parse().ok()).and_then(Pid::from_raw)
    else {
        return Ok(());
    };
    if getppid() == Some(parent) {
        // What cannot be asked for is not there; then the child is an ordinary one.
        let _ = set_parent_process_death_signal(Some(Signal::TERM));
    }
    // Of a child's child the variable names another process, which is there.
    if test_kill_process(parent).is_ok() { Ok(()) } else { Err(ExitCode::FAILURE) }
}

#[cfg(not(target_os = "linux"))]
fn follow() -> Result<(), ExitCode> {
    Ok(())
}

/// Asks a child to end as Ctrl-C does.
pub fn interrupt(child: &std::process::Child) {
    #[cfg(unix)]
    if let Some(pid) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        // One that has ended needs no asking.
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::INT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verb_stands_under_one_heading() {
        let command = Flags::command();
        let mut verbs: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, verbs)| verbs.iter().copied()).collect();
        verbs.sort_unstable();
        listed.sort_unstable();
        assert_eq!(verbs, listed);
    }

    #[test]
    fn help_names_every_exit_code() {
        let help = command().render_long_help().to_string();
        let codes = help.split_once("Exit codes:\n").expect("exit codes").1;
        assert!((0..=4).all(|code| codes.contains(&format!("  {code} "))), "{help}");
        assert!(help.contains("What to do first:"), "{help}");
    }
}
