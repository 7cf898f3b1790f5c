//! Writes the parameter files of all games as one table by name, so that the numbers of a game are data and no line of code.

use std::env::var;
use std::fs;
use std::path::PathBuf;

fn main() {
    let folder = PathBuf::from(var("CARGO_MANIFEST_DIR").expect("cargo names the package")).join("params");
    println!("cargo::rerun-if-changed=params");
    let entries = fs::read_dir(&folder).expect("the package has a folder of parameters");
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let lines = files.iter().filter_map(|path| {
        let name = path.file_name()?.to_str()?.to_owned();
        Some(format!("    ({name:?}, include_str!({:?})),\n", path.display().to_string()))
    });
    let table = format!("&[\n{}]\n", lines.collect::<String>());
    let out = PathBuf::from(var("OUT_DIR").expect("cargo names a folder")).join("params.rs");
    fs::write(out, table).expect("the folder of the build can be written");
}
