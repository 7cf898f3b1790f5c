//! Writes the data files as one table by name, so that a set is data and no line of code.

use std::env::var;
use std::fs;
use std::path::PathBuf;

fn main() {
    let folder = PathBuf::from(var("CARGO_MANIFEST_DIR").expect("cargo names the package")).join("data");
    println!("cargo::rerun-if-changed=data");
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("the package has a folder of data")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending != "toml"))
        .collect();
    files.sort();
    let lines = files.iter().filter_map(|path| {
        let name = path.file_name()?.to_str()?.to_owned();
        Some(format!("    ({name:?}, include_str!({:?})),\n", path.display().to_string()))
    });
    let table = format!("&[\n{}]\n", lines.collect::<String>());
    let out = PathBuf::from(var("OUT_DIR").expect("cargo names a folder")).join("files.rs");
    fs::write(out, table).expect("the folder of the build can be written");
}
