//! Searches cells of a suite and says how many nodes each took: the program that is run under valgrind.
//!
//! `cargo xtask bench --instructions` and `cargo xtask gate` call it. Exit codes: 0 ok; 1 the
//! search or the output failed; 2 bad usage or input.

use secateur_gate::instructions::{HardwareCounter, SOURCES, measure};
use secateur_record::manifest::{FILE, Manifest};
use secateur_suites::instruments::machine::compilation;
use secateur_suites::lineup;
use secateur_suites::matrix::Plan;
use secateur_suites::suite::Suite;
use std::io::{self, Write, stderr, stdout};
use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: cell [--hardware] SUITE CELL,CELL,...\n\
    SUITE: a built-in suite, a .toml file, or the run.toml of a run. CELL: place in its matrix, from 0.\n\
    Prints a line for each cell: CELL NODES, with --hardware also the instructions that the processor counted.";

fn main() -> ExitCode {
    secateur_suites::instruments::machine::main(run)
}

#[inline(never)]
fn run(arguments: &[&str]) -> ExitCode {
    if arguments == [SOURCES] {
        let _ = writeln!(stdout(), "{}", compilation().source);
        return ExitCode::SUCCESS;
    }
    let (hardware, suite, cells) = match *arguments {
        [suite, cells] => (false, suite, cells),
        ["--hardware", suite, cells] => (true, suite, cells),
        _ => return fail(2, USAGE),
    };
    let Ok(cells) = cells.split(',').map(str::parse).collect::<Result<Vec<usize>, _>>() else {
        return fail(2, &format!("found the cells `{cells}`, expected numbers\n{USAGE}"));
    };
    let plan = match load(suite) {
        Ok(plan) => plan,
        Err(error) => return fail(2, &error.to_string()),
    };
    // A thread of its own has memory of its own: what was allocated for names and paths, which differs between
    // folders, would else decide where the search's few allocations find room, and how many instructions that takes.
    let work = std::thread::spawn(move || {
        let counter = hardware.then(HardwareCounter::open).transpose().map_err(io::Error::other)?;
        measure(&plan, &cells, counter, &mut stdout().lock())
    });
    match work.join() {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(error)) => fail(1, &error.to_string()),
        Err(_) => fail(1, "a search panicked"),
    }
}

fn load(suite: &str) -> Result<Plan, secateur_suites::Error> {
    let path = Path::new(suite);
    match path.file_name().is_some_and(|name| name == FILE) {
        true => {
            let dir = path.parent().unwrap_or(Path::new(""));
            lineup::plan(&Manifest::read(dir)?, dir, |suite| suite)
        }
        false => Plan::new(Suite::load(suite)?),
    }
}

fn fail(code: u8, message: &str) -> ExitCode {
    // If standard error is closed, there is no place for a message.
    let _ = writeln!(stderr(), "cell: {message}");
    ExitCode::from(code)
}
