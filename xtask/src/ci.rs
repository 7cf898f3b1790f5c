//! `ci`: what continuous integration and a contributor run, in order of how fast it can fail.

use secateur::cli::failure::{Failure, Outcome};
use secateur::cli::reading::in_checkout;
use secateur::cli::say::message;
use secateur::cli::this_program;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What gives the benches their tests, which a plain `cargo test` does not build.
const BENCHES: &str = "secateur-benches/tests";

/// Arguments of cargo; a chore is done by this program, however it was built.
const STEPS: &[&[&str]] = &[
    &["fmt", "--all", "--check"],
    &["clippy", "--workspace", "--all-targets", "--features", BENCHES, "--quiet", "--", "-D", "warnings"],
    &["doc", "--workspace", "--no-deps", "--quiet"],
    &["xtask", "tidy"],
    &["xtask", "docs", "--check"],
    // Examples are linted above; linking them costs minutes and tests nothing.
    &["test", "--workspace", "--features", BENCHES, "--lib", "--bins", "--tests"],
    &["xtask", "examples"],
    &["xtask", "torture", "--short"],
];

/// Folders whose files are declared by macros (`methods!`), where `cargo fmt` does not look.
const DECLARED: &[&str] = &["core/src/prune"];

pub(crate) fn run() -> Outcome {
    in_checkout("ci")?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let xtask = this_program()?;
    formatted()?;
    for arguments in STEPS {
        let command = format!("cargo {}", arguments.join(" "));
        message(&format!("\n== {command}\n"));
        let (program, arguments) = match arguments {
            ["xtask", chore @ ..] => (xtask.as_os_str(), chore),
            all => (cargo.as_os_str(), *all),
        };
        let status = Command::new(program).args(arguments).env("RUSTDOCFLAGS", "-D warnings").status();
        let status = status.map_err(|error| Failure::system(format!("{command}: {error}")))?;
        if !status.success() {
            return Err(Failure::gate(format!("{command} failed ({status})")));
        }
    }
    Ok(())
}

/// `rustfmt --check` of the files that macros declare.
fn formatted() -> Outcome {
    let mut files = Vec::new();
    DECLARED.iter().try_for_each(|folder| gather(Path::new(folder), &mut files)).map_err(Failure::system)?;
    message(&format!("\n== rustfmt --check of {} files that macros declare\n", files.len()));
    let status = Command::new("rustfmt").args(["--edition", "2024", "--check"]).args(&files).status();
    let status = status.map_err(|error| Failure::system(format!("rustfmt: {error}")))?;
    if status.success() { Ok(()) } else { Err(Failure::gate(format!("rustfmt failed ({status})"))) }
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            gather(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    Ok(())
}
