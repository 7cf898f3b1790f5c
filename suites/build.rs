//! Writes the subject files as a table by name, so that they are data and no line of code.

use std::env::var;
use std::fs;
use std::path::PathBuf;

fn main() {
    table("subjects");
}

/// Writes the table of one folder.
fn table(folder: &str) {
    let path = PathBuf::from(var("CARGO_MANIFEST_DIR").expect("cargo names the package")).join(folder);
    println!("cargo::rerun-if-changed={folder}");
    let entries = fs::read_dir(&path).expect("the package has this folder");
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let lines = files.iter().filter_map(|path| {
        let name = path.file_name()?.to_str()?.to_owned();
        Some(format!("    ({name:?}, include_str!({:?})),\n", path.display().to_string()))
    });
    let table = format!("&[\n{}]\n", lines.collect::<String>());
    let out = PathBuf::from(var("OUT_DIR").expect("cargo names a folder")).join(format!("{folder}.rs"));
    fs::write(out, table).expect("the folder of the build can be written");
}
