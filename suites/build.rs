//! Hands the compiler's version and flags, and the state of the sources, to the manifest of a run: what was really
//! used, not what a file or the folder of a later call says. Writes the suites, the parameter files of all games and the subject files
//! as tables by name, so that they are data and no line of code.

use std::env::var;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What decides the value of a search, relative to the workspace.
const SEARCH: &[&str] =
    &["core/base/src", "core/base/Cargo.toml", "core/src", "core/Cargo.toml", "core/games"];
/// What else decides a row: another text here may be another program.
const REST: &[&str] = &[
    "positions/src",
    "suites/record/src",
    "suites/record/data",
    "suites/engines/src",
    "suites/src",
    "suites/arena/src",
    "suites/gate/src",
    "suites/params",
    "Cargo.lock",
];

fn main() {
    table("data");
    table("params");
    table("subjects");
    // Cargo separates the flags by the unit separator, because a flag may hold spaces.
    let flags = var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default().replace('\u{1f}', " ");
    let rustc = Command::new(var("RUSTC").unwrap_or_else(|_| "rustc".to_owned())).arg("-vV").output();
    let version = rustc.map(|output| String::from_utf8_lossy(&output.stdout).trim().replace('\n', "; "));
    println!("cargo::rustc-env=SECATEUR_RUSTFLAGS={flags}");
    println!("cargo::rustc-env=SECATEUR_RUSTC={}", version.unwrap_or_default());
    println!("cargo::rustc-env=SECATEUR_PROFILE={}", var("PROFILE").unwrap_or_default());
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CARGO_ENCODED_RUSTFLAGS");
    let workspace = Path::new("..");
    if SEARCH.iter().all(|name| workspace.join(name).exists()) { sources(workspace) } else { published() }
}

/// A package from a registry has no workspace around it and no git, only sources that never change: their version stands
/// for them. It is that of all packages of the workspace, which are published together, each asking for its like.
fn published() {
    let version = var("CARGO_PKG_VERSION").unwrap_or_default();
    for name in ["SECATEUR_SOURCE", "SECATEUR_SEARCH"] {
        println!("cargo::rustc-env={name}={}", fnv(&[version.as_bytes()]));
    }
    println!("cargo::rustc-env=SECATEUR_GIT=");
    println!("cargo::rustc-env=SECATEUR_DIRTY=false");
}

/// The hashes of the sources, and what git says of them. A commit that leaves them alone builds nothing anew, so the commit
/// named is the one at the last change of a source: its sources are those of the binary.
fn sources(workspace: &Path) {
    let all = [SEARCH, REST].concat();
    println!("cargo::rustc-env=SECATEUR_SOURCE={}", hash(workspace, &all));
    println!("cargo::rustc-env=SECATEUR_SEARCH={}", hash(workspace, SEARCH));
    let git = |arguments: &[&str]| {
        let output = Command::new("git").arg("-C").arg(workspace).args(arguments).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        output.status.success().then_some(text)
    };
    let status = [&["status", "--porcelain", "--"], &all[..]].concat();
    let dirty = git(&status).is_some_and(|changes| !changes.is_empty());
    println!("cargo::rustc-env=SECATEUR_GIT={}", git(&["rev-parse", "HEAD"]).unwrap_or_default());
    println!("cargo::rustc-env=SECATEUR_DIRTY={dirty}");
}

/// Hash of the names and contents of all files.
fn hash(workspace: &Path, names: &[&str]) -> String {
    let mut files = Vec::new();
    for name in names {
        let path = workspace.join(name);
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
            gather(&path, &mut files);
        }
    }
    files.sort();
    let texts: Vec<(Vec<u8>, Vec<u8>)> = files
        .iter()
        .map(|file| (file.to_string_lossy().as_bytes().to_owned(), fs::read(file).unwrap_or_default()))
        .collect();
    let fields: Vec<&[u8]> = texts.iter().flat_map(|(name, text)| [&**name, &**text]).collect();
    fnv(&fields)
}

/// FNV-1a over fields that are told apart, 16 hex digits.
fn fnv(fields: &[&[u8]]) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for &byte in fields.iter().flat_map(|field| field.iter().chain(&[0xff])) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    format!("{hash:016x}")
}

fn gather(path: &Path, files: &mut Vec<PathBuf>) {
    match fs::read_dir(path) {
        Err(_) => files.push(path.to_owned()),
        // Tests decide no value.
        Ok(entries) => entries
            .flatten()
            .filter(|entry| entry.file_name() != "tests")
            .for_each(|entry| gather(&entry.path(), files)),
    }
}

/// Writes the table of one folder.
fn table(folder: &str) {
    let path = PathBuf::from(var("CARGO_MANIFEST_DIR").expect("cargo names the package")).join(folder);
    println!("cargo::rerun-if-changed={folder}");
    let entries = fs::read_dir(&path).expect("the package has this folder");
    let mut files: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    files.sort();
    let lines = files.iter().filter_map(|path| {
        let name = path.file_name()?.to_str()?.to_owned();
        Some(format!("    ({name:?}, include_str!({:?})),\n", path.display().to_string()))
    });
    let table = format!("&[\n{}]\n", lines.collect::<String>());
    let out = PathBuf::from(var("OUT_DIR").expect("cargo names a folder")).join(format!("{folder}.rs"));
    fs::write(out, table).expect("the folder of the build can be written");
}
