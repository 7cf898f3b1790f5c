//! What this program is, and where it runs: tool, compiler, processor. Facts for the manifest; nothing depends on them.
//!
//! The build of rows that are made here takes a while to find out (the program's file is hashed, another program is asked for its
//! version) and is the same as long as the process lives: it is done once, and by whom it is wanted soon, next to other work.
//!
//! The build takes instructions of x86-64-v3 for granted (`.cargo/config.toml`); a processor without them dies at the first one without a
//! word. The standard library's question (`is_x86_feature_detected!`) is answered by the compiler for what it was told to assume, so the
//! processor is asked itself.

use secateur_base::Fnv;
use secateur_record::build::{Build, Compilation, Git, Machine};
use std::io::{Write, stderr};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::OnceLock;

/// This build.
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
pub fn search_sources() -> &'static str {
    env!("SECATEUR_SEARCH")
}

/// The last `target-cpu` wins, as it does for the compiler.
fn target_cpu(flags: &str) -> &str {
    let after = flags.rsplit_once("target-cpu=").map_or("", |(_, rest)| rest);
    after.split_whitespace().next().unwrap_or_default()
}

/// The sources of this binary, as they were when it was built.
pub fn git() -> Git {
    Git { sha: env!("SECATEUR_GIT").to_owned(), dirty: env!("SECATEUR_DIRTY") == "true" }
}

/// Hash of a program's file, 16 hex digits; empty if it cannot be read.
pub fn hash_of_file(path: &Path) -> String {
    std::fs::read(path).map(|bytes| Fnv::default().words(&bytes).hex()).unwrap_or_default()
}

/// [`hash_of_file`] of the running program.
pub fn binary() -> &'static str {
    static HASH: OnceLock<String> = OnceLock::new();
    HASH.get_or_init(|| std::env::current_exe().map(|path| hash_of_file(&path)).unwrap_or_default())
}

/// This computer.
pub fn machine() -> Machine {
    Machine {
        cpu: cpu(),
        cores: cores(),
        system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        valgrind: output("valgrind", &["--version"]),
    }
}

/// Logical cores that the process may use, at least 1.
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

/// This program on this computer.
pub fn current() -> Build {
    static CURRENT: OnceLock<Build> = OnceLock::new();
    CURRENT.get_or_init(identified).clone()
}

/// Begins to find out what [`current`] will be asked for.
pub fn prepare() {
    // Not waited for: an early caller of `current` finds out there, or waits.
    drop(std::thread::spawn(current));
}

fn identified() -> Build {
    let build = Build {
        id: String::new(),
        binary: binary().to_owned(),
        compiled: compilation(),
        git: git(),
        machine: machine(),
    };
    // Flat structs of texts, numbers and flags have a TOML form.
    let text = toml::to_string(&build).expect("a build has a TOML form");
    let id = Fnv::default().bytes(text.as_bytes()).hex()[..8].to_owned();
    Build { id, ..build }
}

/// Says what is missing on standard error, and whether anything is. To be called first in `main`, which must do nothing
/// else before: nothing here needs more than any x86-64 processor has.
#[inline(never)]
pub fn is_too_old() -> bool {
    let Some(name) = missing() else { return false };
    // No formatting: whatever this calls is in the standard library, which is built for every processor.
    let mut out = stderr();
    for text in [
        "error: this processor has no ",
        name,
        ", which this build assumes; build again with RUSTFLAGS=\"-C target-cpu=native\"\n",
    ] {
        let _ = out.write_all(text.as_bytes());
    }
    true
}

/// Runs a program of few words with its arguments as text, unless this processor lacks what the build assumes.
pub fn main(program: impl FnOnce(&[&str]) -> ExitCode) -> ExitCode {
    if is_too_old() { ExitCode::FAILURE } else { with_arguments(program) }
}

#[inline(never)]
fn with_arguments(program: impl FnOnce(&[&str]) -> ExitCode) -> ExitCode {
    let arguments = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    let arguments: Vec<String> = arguments.collect();
    program(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The first feature that the build assumes and the processor lacks.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
fn missing() -> Option<&'static str> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    let (basic, extended) = (__cpuid(0).eax, __cpuid(0x8000_0000).eax);
    let one = if basic >= 1 { __cpuid(1).ecx } else { 0 };
    let seven = if basic >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
    let more = if extended >= 0x8000_0001 { __cpuid(0x8000_0001).ecx } else { 0 };
    let has = |register: u32, bit: u32| register >> bit & 1 == 1;
    // Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2A, CPUID; bit 27 of leaf 1 says that the
    // system keeps the wide registers.
    if cfg!(target_feature = "popcnt") && !has(one, 23) {
        return Some("POPCNT");
    }
    if cfg!(target_feature = "avx2") && !(has(one, 27) && has(one, 28) && has(seven, 5)) {
        return Some("AVX2");
    }
    if cfg!(target_feature = "bmi1") && !has(seven, 3) {
        return Some("BMI1");
    }
    if cfg!(target_feature = "bmi2") && !has(seven, 8) {
        return Some("BMI2");
    }
    if cfg!(target_feature = "fma") && !has(one, 12) {
        return Some("FMA");
    }
    if cfg!(target_feature = "movbe") && !has(one, 22) {
        return Some("MOVBE");
    }
    if cfg!(target_feature = "f16c") && !has(one, 29) {
        return Some("F16C");
    }
    if cfg!(target_feature = "lzcnt") && !has(more, 5) {
        return Some("LZCNT");
    }
    if cfg!(target_feature = "avx512f") && !has(seven, 16) {
        return Some("AVX-512");
    }
    None
}

/// Other processors are built for as they are.
#[cfg(not(target_arch = "x86_64"))]
fn missing() -> Option<&'static str> {
    None
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

    #[test]
    fn one_program_on_one_computer_is_one_build() {
        prepare();
        let (one, two) = (current(), identified());
        assert_eq!(one, two);
        assert_eq!((one.id.len(), one.binary.len(), one.compiled.source.len()), (8, 16, 16));
        let text = toml::to_string(&one).unwrap();
        assert_eq!(toml::from_str::<Build>(&text).unwrap(), one);
    }

    #[test]
    fn the_processor_that_runs_the_tests_has_what_they_were_built_for() {
        assert_eq!(super::missing(), None);
    }
}
