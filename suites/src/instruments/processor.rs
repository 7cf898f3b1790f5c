//! Whether this processor has what the build was made for.
//!
//! The build takes instructions of x86-64-v3 for granted (`.cargo/config.toml`); a processor without them dies at the first
//! one without a word. The standard library's question (`is_x86_feature_detected!`) is answered by the compiler for what it
//! was told to assume, so the processor is asked itself.

use std::io::{Write, stderr};
use std::process::ExitCode;

/// Says what is missing on standard error, and whether anything is. To be called first in `main`, which must do nothing
/// else before: nothing here needs more than any x86-64 processor has.
#[inline(never)]
#[must_use]
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
#[must_use]
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
    #[test]
    fn the_processor_that_runs_the_tests_has_what_they_were_built_for() {
        assert_eq!(super::missing(), None);
    }
}
