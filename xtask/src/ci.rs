//! `ci`: what continuous integration and a contributor run, in order of how fast it can fail.

use crate::failure::{Failure, Outcome};
use crate::say::complain;
use std::process::Command;

/// Arguments of cargo.
const STEPS: &[&[&str]] = &[
    &["fmt", "--all", "--check"],
    &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"],
    &["doc", "--workspace", "--no-deps", "--quiet"],
    &["xtask", "tidy"],
    &["xtask", "docs", "--check"],
    // Examples are linted above; linking them costs minutes and tests nothing.
    &["test", "--workspace", "--lib", "--bins", "--tests"],
    &["xtask", "examples"],
    &["xtask", "torture", "--short"],
    &["xtask", "fuzz", "--inputs", "2000", "--seconds", "60"],
];

pub(crate) fn run() -> Outcome {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    for arguments in STEPS {
        let words = format!("cargo {}", arguments.join(" "));
        complain(&format!("\n== {words}\n"));
        let mut command = Command::new(&cargo);
        command.args(*arguments).env("RUSTDOCFLAGS", "-D warnings");
        let status = command.status().map_err(|error| Failure::system(format!("{words}: {error}")))?;
        if !status.success() {
            return Err(Failure::gate(format!("{words} failed ({status})")));
        }
    }
    Ok(())
}
