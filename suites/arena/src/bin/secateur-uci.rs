//! The engine as a program: UCI, or USI, on standard input and output, or `secateur-uci bench [DEPTH]`.
//!
//! Exit codes: 0 ok; 1 the program failed; 2 bad usage.

use secateur_arena::uci::{bench, serve};
use std::io::{BufReader, Write, stderr, stdin, stdout};
use std::process::ExitCode;

const USAGE: &str = "usage: secateur-uci [bench [DEPTH]]\n\
    Without arguments: the Universal Chess Interface on standard input and output; shogi, if the first line is `usi`.\n\
    bench: searches built-in positions to DEPTH (8) and says how many nodes that took.";

fn main() -> ExitCode {
    secateur_suites::instruments::machine::main(run)
}

#[inline(never)]
fn run(arguments: &[&str]) -> ExitCode {
    let done = match *arguments {
        [] => serve(BufReader::new(stdin()), stdout()),
        ["bench"] => bench(None, stdout()),
        ["bench", depth] => match depth.parse() {
            Ok(depth @ 1..) => bench(Some(depth), stdout()),
            _ => return usage(&format!("found depth '{depth}', expected a whole number from 1")),
        },
        ["-h" | "--help"] => {
            let _ = writeln!(stdout(), "{USAGE}");
            return ExitCode::SUCCESS;
        }
        ["-V" | "--version"] => {
            let _ = writeln!(stdout(), "secateur-uci {}", env!("CARGO_PKG_VERSION"));
            return ExitCode::SUCCESS;
        }
        _ => return usage("the arguments are not understood"),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(stderr(), "secateur-uci: {error}");
            ExitCode::FAILURE
        }
    }
}

fn usage(error: &str) -> ExitCode {
    let _ = writeln!(stderr(), "secateur-uci: {error}\n{USAGE}");
    ExitCode::from(2)
}
