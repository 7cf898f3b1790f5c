//! What a run was made with: tool, compiler, processor. Facts for the manifest; nothing depends on them.

use secateur_positions::Fnv;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

/// How the tool was built, known since then.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Build {
    /// Version of the tool.
    pub version: String,
    /// `rustc -vV`, lines joined by `; `.
    pub rustc: String,
    /// Compiler flags from configuration and environment, as the build got them.
    pub rustflags: String,
    /// The last `target-cpu` among the flags; empty for the target's baseline.
    pub target_cpu: String,
    /// `release` or `debug`: only the first is worth measuring.
    pub profile: String,
    /// Optimisation level.
    pub opt_level: String,
    /// Hash of the sources that decide a search, 16 hex digits; empty in runs of older versions.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub source: String,
}

impl Build {
    /// This build.
    #[must_use]
    pub fn current() -> Build {
        let flags = env!("SECATEUR_RUSTFLAGS");
        Build {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            rustc: env!("SECATEUR_RUSTC").to_owned(),
            rustflags: flags.to_owned(),
            target_cpu: target_cpu(flags).to_owned(),
            profile: env!("SECATEUR_PROFILE").to_owned(),
            opt_level: env!("SECATEUR_OPT_LEVEL").to_owned(),
            source: env!("SECATEUR_SOURCE").to_owned(),
        }
    }
}

/// The last `target-cpu` wins, as it does for the compiler.
fn target_cpu(flags: &str) -> &str {
    let after = flags.rsplit_once("target-cpu=").map_or("", |(_, rest)| rest);
    after.split_whitespace().next().unwrap_or_default()
}

/// The sources that the binary was built from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Git {
    /// Commit; empty outside a repository.
    pub sha: String,
    /// Whether what decides a search was changed after it.
    pub dirty: bool,
}

impl Git {
    /// Those of this binary, as they were when it was built.
    #[must_use]
    pub fn current() -> Git {
        Git { sha: env!("SECATEUR_GIT").to_owned(), dirty: env!("SECATEUR_DIRTY") == "true" }
    }
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

/// The computer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Machine {
    /// Name of the processor; empty if it does not say.
    pub cpu: String,
    /// Logical cores that the process may use.
    pub cores: usize,
    /// Operating system and architecture.
    pub system: String,
    /// `valgrind --version`; empty if there is none.
    pub valgrind: String,
}

impl Machine {
    /// This one.
    #[must_use]
    pub fn current() -> Machine {
        Machine {
            cpu: cpu(),
            cores: cores(),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            valgrind: output("valgrind", &["--version"]),
        }
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

    #[test]
    fn what_is_not_there_is_empty() {
        assert_eq!(output("no-such-program-anywhere", &[]), "");
        assert!(Build::current().rustc.starts_with("rustc "));
        assert!(Machine::current().cores >= 1);
    }
}
