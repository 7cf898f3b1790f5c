//! Hands the compiler's version and flags to the manifest of a run: what was really used, not what a file
//! says should be.

use std::env::var;
use std::process::Command;

fn main() {
    // Cargo separates the flags by the unit separator, because a flag may hold spaces.
    let flags = var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default().replace('\u{1f}', " ");
    let rustc = Command::new(var("RUSTC").unwrap_or_else(|_| "rustc".to_owned())).arg("-vV").output();
    let version = rustc.map(|output| String::from_utf8_lossy(&output.stdout).trim().replace('\n', "; "));
    println!("cargo::rustc-env=SECATEUR_RUSTFLAGS={flags}");
    println!("cargo::rustc-env=SECATEUR_RUSTC={}", version.unwrap_or_default());
    println!("cargo::rustc-env=SECATEUR_PROFILE={}", var("PROFILE").unwrap_or_default());
    println!("cargo::rustc-env=SECATEUR_OPT_LEVEL={}", var("OPT_LEVEL").unwrap_or_default());
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CARGO_ENCODED_RUSTFLAGS");
}
