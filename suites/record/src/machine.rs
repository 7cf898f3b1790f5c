//! What a run was made with, as its manifest tells it: tool, compiler, sources, processor. Whoever runs asks for them.

use serde::{Deserialize, Serialize};

/// How the tool was built, known since then.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Compilation {
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
    /// Level at which the search is optimised. Runs of November 2026 in schema 3 say that of another package, 0.
    pub opt_level: String,
    /// Hash of the sources that decide a search, 16 hex digits; empty in runs of older versions.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub source: String,
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
