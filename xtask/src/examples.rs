//! `examples`: the crates under `examples/`, each built and run against the library as it would be published.
//!
//! The packages are made by `cargo package` and unpacked side by side without the workspace around them, so that
//! whatever reads a file from outside its package fails here and not at its first user. The examples assert what must hold
//! of them, so running them is the test. Left out: an upload, or a build of each package by itself.

use secateur::cli::failure::{Failure, Outcome};
use secateur::cli::reading::in_checkout;
use secateur::cli::say::{message, say};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

/// Arguments of `examples`.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  cargo xtask examples --show")]
pub(crate) struct Flags {
    /// Print what the examples print
    #[arg(long)]
    show: bool,
}

/// The crate that the examples depend on.
const LIBRARY: &str = "secateur";
/// How each example is run. Profiles are those of `examples/Cargo.toml`.
const RUNS: [&[&str]; 5] = [
    &["run", "--quiet", "--package", "own_game"],
    &["run", "--quiet", "--package", "own_method"],
    &["bench", "--quiet", "--profile", "dev", "--package", "own_search", "--bench", "ablation"],
    &["run", "--quiet", "--package", "rust_engine"],
    // Minutes to hours each: that they still compile, and the tests of what they share, must do.
    &["test", "--quiet", "--package", "studies"],
];

impl Flags {
    pub(crate) fn run(self) -> Outcome {
        in_checkout("examples")?;
        cargo(&["fmt", "--manifest-path", "examples/Cargo.toml", "--all", "--check"], &[], None)?;
        let output = cargo(&["metadata", "--no-deps", "--format-version", "1"], &[], None)?;
        let Metadata { target_directory: target, packages } = serde_json::from_str(&output)
            .map_err(|error| Failure::system(format!("cargo metadata: {error}")))?;
        package(&packages)?;
        let place = target.join("examples");
        let mut patches = Vec::new();
        for package in needed(&packages) {
            let folder = place.join("packages").join(&package.name);
            unpack(&target.join("package").join(package.archive()), &place.join("unpacked"), &folder)?;
            patches.push(format!("patch.crates-io.{}.path={:?}", package.name, folder.display().to_string()));
        }
        for run in RUNS {
            let printed = cargo(run, &patches, Some((Path::new("examples"), &place.join("build"))))?;
            say(&if self.show { printed } else { format!("{}: ok\n", run.join(" ")) });
        }
        Ok(())
    }
}

/// What cargo says of the workspace.
#[derive(Deserialize)]
struct Metadata {
    target_directory: PathBuf,
    packages: Vec<Package>,
}

/// A member of the workspace.
#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    /// Where it may be published: anywhere, or in a list of registries, which is empty of a private one.
    publish: Option<Vec<String>>,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    /// Nothing of what a package needs to be built.
    kind: Option<String>,
}

impl Package {
    /// What it needs to be built.
    fn needs(&self) -> impl Iterator<Item = &str> {
        let normal = self.dependencies.iter().filter(|dependency| dependency.kind.is_none());
        normal.map(|dependency| dependency.name.as_str())
    }

    fn archive(&self) -> String {
        format!("{}-{}.crate", self.name, self.version)
    }
}

/// Packages everything that is public.
fn package(packages: &[Package]) -> Outcome {
    // What is packaged is what is there, committed or not.
    let mut arguments = vec!["package", "--quiet", "--no-verify", "--allow-dirty"];
    for package in packages.iter().filter(|package| package.publish.is_none()) {
        arguments.extend(["--package", &package.name]);
    }
    cargo(&arguments, &[], None).map(|_| ())
}

/// The library and the members that it needs.
fn needed(packages: &[Package]) -> Vec<&Package> {
    let mut names = BTreeSet::from([LIBRARY]);
    loop {
        let before = names.len();
        let inside = packages.iter().filter(|package| names.contains(&*package.name));
        let more: Vec<&str> = inside.flat_map(Package::needs).collect();
        names.extend(more);
        if names.len() == before {
            return packages.iter().filter(|package| names.contains(&*package.name)).collect();
        }
    }
}

/// Unpacks an archive by way of `scratch` and brings `folder` up to it.
fn unpack(archive: &Path, scratch: &Path, folder: &Path) -> Outcome {
    fs::create_dir_all(scratch).map_err(Failure::io(scratch))?;
    let arguments = [OsString::from("-xzf"), archive.into(), "-C".into(), scratch.into()];
    let status = Command::new("tar").args(arguments).status().map_err(Failure::io(Path::new("tar")))?;
    if !status.success() {
        return Err(Failure::system(format!("{}: not unpacked ({status})", archive.display())));
    }
    let from = scratch.join(archive.file_stem().unwrap_or_default());
    mirror(&from, folder).and_then(|()| fs::remove_dir_all(&from)).map_err(Failure::io(folder))
}

/// Makes `to` like `from`, and leaves files alone that are: cargo builds anew what is newer, and in an archive all files
/// are of one old date.
pub(crate) fn mirror(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(to)? {
        let old = entry?.path();
        let kept = from.join(old.file_name().unwrap_or_default());
        match (old.is_dir(), kept.is_dir()) {
            (true, false) => fs::remove_dir_all(&old)?,
            (false, _) if !kept.is_file() => fs::remove_file(&old)?,
            _ => {}
        }
    }
    for entry in fs::read_dir(from)? {
        let (new, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
        let old = to.join(name);
        if new.is_dir() {
            mirror(&new, &old)?;
        } else {
            if fs::read(&old).ok() != Some(fs::read(&new)?) {
                fs::copy(&new, &old)?;
            }
        }
    }
    Ok(())
}

/// What cargo prints, called with these arguments and patches, in a folder with a target folder if not here.
fn cargo(arguments: &[&str], patches: &[String], place: Option<(&Path, &Path)>) -> Result<String, Failure> {
    let shown = format!("cargo {}", arguments.join(" "));
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    if let Some((folder, target)) = place {
        command.current_dir(folder).env("CARGO_TARGET_DIR", target);
    }
    command.args(patches.iter().flat_map(|patch| ["--config", patch])).args(arguments);
    let done = command.output().map_err(|error| Failure::system(format!("{shown}: {error}")))?;
    if done.status.success() {
        return Ok(String::from_utf8_lossy(&done.stdout).into_owned());
    }
    message(&String::from_utf8_lossy(&done.stdout));
    message(&String::from_utf8_lossy(&done.stderr));
    Err(Failure::gate(format!("{shown} failed ({})", done.status)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, needs: &[&str]) -> Package {
        let dependency = |name: &&str| Dependency { name: (*name).to_owned(), kind: None };
        let dependencies = needs.iter().map(dependency).collect();
        Package { name: name.to_owned(), version: "0.1.0".to_owned(), publish: None, dependencies }
    }

    #[test]
    fn only_what_the_library_needs_is_put_in_place() {
        let packages =
            [package("core", &["base", "serde"]), package("base", &[]), package("xtask", &[LIBRARY])];
        let packages: Vec<Package> = packages.into_iter().chain([package(LIBRARY, &["core"])]).collect();
        let names: Vec<&str> = needed(&packages).iter().map(|package| package.name.as_str()).collect();
        assert_eq!(names, ["core", "base", LIBRARY]);
    }

    #[test]
    fn a_folder_becomes_like_another_and_keeps_what_is_alike() {
        let dir = tempfile::tempdir().unwrap();
        let (from, to) = (dir.path().join("from"), dir.path().join("to"));
        for (folder, name, text) in [
            (&from, "a/same", "1"),
            (&to, "a/same", "1"),
            (&from, "a/other", "2"),
            (&to, "a/other", "3"),
            (&to, "gone/file", "4"),
            (&to, "file", "5"),
            (&from, "file/now-a-folder", "6"),
            (&to, "folder/now-a-file", "7"),
            (&from, "folder", "8"),
        ] {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let date = |path: &str| fs::metadata(to.join(path)).unwrap().modified().unwrap();
        let same = date("a/same");
        mirror(&from, &to).unwrap();
        assert_eq!(date("a/same"), same);
        assert_eq!(fs::read_to_string(to.join("a/other")).unwrap(), "2");
        assert_eq!(fs::read_to_string(to.join("file/now-a-folder")).unwrap(), "6");
        assert_eq!(fs::read_to_string(to.join("folder")).unwrap(), "8");
        assert!(!to.join("gone").exists());
    }
}
