//! The runner of iai-callgrind (gungraun, since it was renamed) as a program of this package, so that none need be installed.
//!
//! Exit codes: 0 ok; 1 it failed; 3 a limit was exceeded.

use iai_callgrind_runner::error::Error;
use iai_callgrind_runner::runner::run::run;
use std::io::{Write, stderr};
use std::process::ExitCode;

fn main() -> ExitCode {
    let Err(error) = run() else { return ExitCode::SUCCESS };
    let _ = writeln!(stderr(), "{error:?}");
    match error.downcast_ref::<Error>() {
        Some(Error::RegressionError(_)) => ExitCode::from(3),
        _ => ExitCode::FAILURE,
    }
}
