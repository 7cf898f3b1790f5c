//! Tells the library at which level its searches are optimised: a package may have its own in a profile, so that of
//! whoever links it says nothing of them.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=SECATEUR_OPT_LEVEL={}", std::env::var("OPT_LEVEL").unwrap_or_default());
}
