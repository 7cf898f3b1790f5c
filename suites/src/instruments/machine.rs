//! What this program is, and where it runs: tool, compiler, processor. Facts for the manifest; nothing depends on them.

use secateur_base::Fnv;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

pub use secateur_record::machine::{Compilation, Git, Machine};

/// This build.
#[must_use]
pub fn compilation() -> Compilation {
    let flags = env!("SECATEUR_RUSTFLAGS");
    Compilation {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        rustc: env!("SECATEUR_RUSTC").to_owned(),
        rustflags: flags.to_owned(),
        target_cpu: target_cpu(flags).to_owned(),
        profile: env!("SECATEUR_PROFILE").to_owned(),
        opt_level: secateur_core::OPT_LEVEL.to_owned(),
        source: env!("SECATEUR_SOURCE").to_owned(),
    }
}

/// Hash of the sources of the search in this build, 16 hex digits: searches of the same sources visit the same trees.
#[must_use]
pub fn search_sources() -> &'static str {
    env!("SECATEUR_SEARCH")
}

/// The last `target-cpu` wins, as it does for the compiler.
fn target_cpu(flags: &str) -> &str {
    let after = flags.rsplit_once("target-cpu=").map_or("", |(_, rest)| rest);
    after.split_whitespace().next().unwrap_or_default()
}

/// The sources of this binary, as they were when it was built.
#[must_use]
pub fn git() -> Git {
    Git { sha: env!("SECATEUR_GIT").to_owned(), dirty: env!("SECATEUR_DIRTY") == "true" }
}

/// Hash of a program's file, 16 hex digits; empty if it cannot be read.
#[must_use]
pub fn hash_of_file(path: &Path) -> String {
    std::fs::read(path).map(|bytes| Fnv::default().words(&bytes).hex()).unwrap_or_default()
}

/// [`hash_of_file`] of the running program.
#[must_use]
pub fn binary() -> &'static str {
    static HASH: OnceLock<String> = OnceLock::new();
    HASH.get_or_init(|| std::env::current_exe().map(|path| hash_of_file(&path)).unwrap_or_default())
}

/// This computer.
#[must_use]
pub fn machine() -> Machine {
    Machine {
        cpu: cpu(),
        cores: cores(),
        system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        valgrind: output("valgrind", &["--version"]),
    }
}

/// Logical cores that the process may use, at least 1.
#[must_use]
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn cpu() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = info.lines().find_map(|line| line.strip_prefix("model name"));
    match line.and_then(|line| line.split_once(':')) {
        Some((_, name)) => name.trim().to_owned(),
        None => output("sysctl", &["-n", "machdep.cpu.brand_string"]),
    }
}

/// What a program prints, on one line; empty if it is not there or fails.
fn output(program: &str, arguments: &[&str]) -> String {
    let Ok(output) = Command::new(program).args(arguments).output() else { return String::new() };
    let text = String::from_utf8_lossy(&output.stdout);
    if output.status.success() { text.trim().replace('\n', "; ") } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_processor_named_is_the_one_used() {
        assert_eq!(target_cpu("-C target-cpu=x86-64-v3 -C x -Ctarget-cpu=native -g"), "native");
        assert_eq!(target_cpu("-C opt-level=3"), "");
    }

    /// This package is not optimised in any profile, and no search is in it.
    #[test]
    fn the_level_of_optimisation_is_that_of_the_search() {
        assert_ne!(compilation().opt_level, "0");
    }

    #[test]
    fn what_is_not_there_is_empty() {
        assert_eq!(output("no-such-program-anywhere", &[]), "");
        assert!(compilation().rustc.starts_with("rustc "));
        assert!(machine().cores >= 1);
    }
}
