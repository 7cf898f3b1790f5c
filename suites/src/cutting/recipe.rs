//! How a source is built, and which of its files a build compiles: from its makefile, meson, cmake or cargo.
//!
//! A makefile is asked with `make -n`, which lists commands. It may run some all the same, so it is asked in a copy
//! of the tree, and whoever calls this says so first. Left out: what a build needs besides its source.

use super::build::regex;
use crate::error::Error;
use crate::program::ablate::language_of;
use crate::program::tree::Tree;
use crate::shell::{Ran, shell};
use secateur_base::words::shell_path;
use secateur_switches::Language;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

/// How long the question for the commands of a build may take.
pub const ASKED_WITHIN: Duration = Duration::from_secs(120);
/// What a makefile may be called.
const MAKEFILES: [&str; 3] = ["GNUmakefile", "makefile", "Makefile"];
/// Folders within folders in which a file of a build system is looked for.
const DEEP: usize = 3;
/// What is asked of a makefile, in this order, until it compiles something. Bare `make` prints a help in some.
const TARGETS: [&str; 6] =
    ["", "all", "build", "build ARCH=x86-64-modern", "build ARCH=x86-64", "build ARCH=native"];
/// Files of build systems that write a database of what is compiled, with the commands that prepare a build and make it.
const CONFIGURED: [(&str, &str, &str); 2] = [
    ("meson.build", "meson setup build {} --buildtype=release", "meson compile -C build"),
    (
        "CMakeLists.txt",
        "cmake -S {} -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
        "cmake --build build",
    ),
];
/// Compilers that a makefile may name, and the one that stands in for them.
const COMPILERS: [(&str, &[&str]); 2] =
    [("g++", &["clang++", "g++", "c++"]), ("gcc", &["clang", "gcc", "cc"])];

/// A way to build a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// The command, for a shell, in the folder of the source.
    pub build: String,
    /// The command that lists what is compiled, without compiling it; none where the files themselves say it.
    pub listing: Option<String>,
    /// The file that it rests on, from the folder of the source.
    pub file: PathBuf,
    /// What lists the files that are compiled.
    pub lists: Lists,
}

/// What lists the files that a build compiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lists {
    /// The commands that `make -n` prints.
    Commands,
    /// `compile_commands.json`, in a folder `build`.
    Database,
    /// Every file of the package of cargo in this folder.
    Package,
    /// Nothing does: all files of the tree count.
    Nothing,
}

impl Recipe {
    /// What a user says.
    pub fn of_user(command: &str) -> Recipe {
        // A simple command of make can be asked what it would do.
        let is_make = command.trim_start().starts_with("make ") || command.trim() == "make";
        let is_simple = !command.contains([';', '&', '|', '`', '>']);
        let asked = (is_make && is_simple).then(|| format!("{command} -n -w"));
        Recipe {
            build: command.to_owned(),
            lists: if asked.is_some() { Lists::Commands } else { Lists::Nothing },
            listing: asked,
            file: PathBuf::new(),
        }
    }

    /// The ways that a tree offers, the likeliest first.
    pub fn offered(tree: &Tree, language: Language) -> Vec<Recipe> {
        let mut recipes = Vec::new();
        let named = |names: &[&str]| -> Vec<PathBuf> {
            let is_named = |file: &&PathBuf| {
                file.components().count() <= DEEP
                    && file.file_name().is_some_and(|name| names.iter().any(|known_name| name == *known_name))
            };
            let mut files: Vec<PathBuf> = tree.files.iter().filter(is_named).cloned().collect();
            files.sort_by_key(|file| (file.components().count(), !in_source(file), file.clone()));
            files
        };
        if language == Language::Rust {
            recipes.extend(named(&["Cargo.toml"]).into_iter().map(|file| Recipe {
                build: format!("cargo build --release{}", manifest_of(&file)),
                listing: None,
                lists: Lists::Package,
                file,
            }));
            return recipes;
        }
        for file in named(&MAKEFILES) {
            for target in TARGETS {
                let command = format!("make{} {target}", directory_of(&file)).trim_end().to_owned();
                recipes.push(Recipe {
                    listing: Some(format!("{command} -n -w")),
                    build: command,
                    lists: Lists::Commands,
                    file: file.clone(),
                });
            }
        }
        for (name, setup, compile) in CONFIGURED {
            for file in named(&[name]).into_iter().take(1) {
                let setup = setup.replace("{}", &folder_of(&file));
                let build = format!("{setup} && {compile}");
                recipes.push(Recipe { build, listing: Some(setup), lists: Lists::Database, file });
            }
        }
        recipes
    }

    /// The files that it compiles, from the folder of the source, asked in `copy`, a copy of the tree; `None` where nothing lists
    /// them. The recipe may come back with another compiler, where the one of the makefile is not here.
    ///
    /// # Errors
    /// What the listing says where it fails, or that it compiles nothing.
    pub fn units(&self, tree: &Tree, copy: &Path) -> Result<(Recipe, Option<BTreeSet<PathBuf>>), String> {
        match (self.lists, &self.listing) {
            (Lists::Package, _) => Ok((self.clone(), Some(package(tree, &self.file)))),
            (Lists::Commands, Some(listing)) => {
                let (units, lacking) = listed(listing, copy)?;
                // Another compiler where the makefile takes it by a variable, be it one that only this makefile has.
                let of_makefile = self.variables(&lacking, copy);
                for set in [usual_variables(&lacking), of_makefile].iter().filter(|set| !set.is_empty()) {
                    let with = |command: &str| format!("{command} {set}");
                    if let Ok((units, still_lacking)) = listed(&with(listing), copy)
                        && still_lacking.is_empty()
                    {
                        let listing = Some(with(listing));
                        return Ok((
                            Recipe { build: with(&self.build), listing, ..self.clone() },
                            Some(units),
                        ));
                    }
                }
                Ok((self.clone(), Some(units)))
            }
            (Lists::Database, Some(listing)) => {
                let ran = shell(listing, copy, ASKED_WITHIN).map_err(|error| error.to_string())?;
                if !ran.is_well {
                    return Err(ran.end());
                }
                Ok((self.clone(), database(copy)))
            }
            _ => Ok((self.clone(), None)),
        }
    }

    /// The settings of the variables by which its makefile names these compilers: `COMPILER=g++`.
    fn variables(&self, lacking: &[Lacking], copy: &Path) -> String {
        let text = makefile(&self.build, copy).and_then(|file| std::fs::read(copy.join(file)).ok());
        let text = text.map_or_else(String::new, |text| String::from_utf8_lossy(&text).into_owned());
        let set = |Lacking { name, usual }: &Lacking| {
            let names = |line: &str| {
                let (variable, value) = line.split_once('=')?;
                let variable = variable.trim_end_matches([':', '?']).trim();
                let value = value.split('#').next().unwrap_or_default().trim();
                let is_name = variable.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                (value == name && is_name && !variable.is_empty()).then(|| format!("{variable}={usual}"))
            };
            text.lines().find_map(names)
        };
        lacking.iter().filter_map(set).collect::<Vec<_>>().join(" ")
    }
}

/// The makefile that a command of make reads, from the folder of the source.
pub(super) fn makefile(build: &str, source: &Path) -> Option<PathBuf> {
    let mut arguments = build.split_whitespace();
    let folder =
        arguments.find(|argument| *argument == "-C").and_then(|_| arguments.next()).unwrap_or_default();
    let folder = Path::new(folder.trim_matches(['\'', '"']));
    let is_make = build.split_whitespace().next() == Some("make");
    let named = MAKEFILES.iter().map(|name| folder.join(name));
    named.filter(|_| is_make).find(|file| source.join(file).is_file())
}

/// A compiler that a makefile names and that is not here.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Lacking {
    /// Its name: `clang++`.
    name: String,
    /// The one that is taken in its place.
    usual: &'static str,
}

/// The settings of the variables that makefiles usually have for these compilers.
fn usual_variables(lacking: &[Lacking]) -> String {
    let set =
        |Lacking { usual, .. }: &Lacking| format!("{}={usual}", if *usual == "gcc" { "CC" } else { "CXX" });
    let settings: BTreeSet<String> = lacking.iter().map(set).collect();
    settings.into_iter().collect::<Vec<_>>().join(" ")
}

fn in_source(file: &Path) -> bool {
    let first = file.components().next().map(|part| part.as_os_str().to_string_lossy().to_lowercase());
    first.is_some_and(|first| ["src", "source", "sources"].contains(&&*first))
}

fn folder_of(file: &Path) -> String {
    match file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => shell_path(folder),
        None => ".".to_owned(),
    }
}

fn directory_of(file: &Path) -> String {
    let folder = folder_of(file);
    if folder == "." { String::new() } else { format!(" -C {folder}") }
}

fn manifest_of(file: &Path) -> String {
    if file == Path::new("Cargo.toml") {
        return String::new();
    }
    format!(" --manifest-path {}", shell_path(file))
}

/// The files that the commands of a makefile compile, and the compilers among these commands that are not here.
fn listed(listing: &str, copy: &Path) -> Result<(BTreeSet<PathBuf>, Vec<Lacking>), String> {
    let ran: Ran = shell(listing, copy, ASKED_WITHIN).map_err(|error| error.to_string())?;
    let (units, compilers) = compiled(&ran.text, copy);
    if units.is_empty() {
        return Err(match ran.is_well {
            true => "it compiles no file of the source".to_owned(),
            false => ran.end(),
        });
    }
    let absent = |name: &String| secateur_engines::find(Path::new(name)).is_err();
    let lacking = |name: String| {
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-' || c == '.');
        let (usual, _) = COMPILERS.into_iter().find(|(_, names)| names.contains(&stem))?;
        Some(Lacking { name, usual })
    };
    Ok((units, compilers.into_iter().filter(absent).filter_map(lacking).collect()))
}

/// Files that commands name, from `folder`, and the programs that the commands with such files begin with.
fn compiled(text: &str, folder: &Path) -> (BTreeSet<PathBuf>, BTreeSet<String>) {
    let root = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let (mut units, mut compilers) = (BTreeSet::new(), BTreeSet::new());
    let mut folders = vec![root.clone()];
    for line in text.replace("\\\n", " ").lines() {
        if let Some((_, path)) = line.split_once("Entering directory ") {
            folders.push(PathBuf::from(path.trim_matches(['\'', '`', '"', ' '])));
            continue;
        }
        if line.contains("Leaving directory ") {
            folders.pop();
            continue;
        }
        let mut folder = folders.last().unwrap_or(&root).clone();
        for command in line.split([';', '&', '|']) {
            let tokens: Vec<String> =
                command.split_whitespace().map(|word| word.trim_matches(['\'', '"']).to_owned()).collect();
            if let [cd, to, ..] = tokens.as_slice()
                && cd == "cd"
            {
                folder = folder.join(to);
                continue;
            }
            let before = units.len();
            for word in tokens.iter().skip(1).filter(|word| language_of(Path::new(word)).is_some()) {
                units.extend(matching(&folder, word).into_iter().filter_map(|file| {
                    let file = file.canonicalize().ok()?;
                    file.strip_prefix(&root).map(Path::to_owned).ok()
                }));
            }
            if units.len() > before {
                compilers.extend(tokens.first().filter(|name| !name.contains('=')).cloned());
            }
        }
    }
    (units, compilers)
}

/// The files that a word means: itself, or where it has a `*` in its last part, what is there.
fn matching(folder: &Path, word: &str) -> Vec<PathBuf> {
    let path = folder.join(word);
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let Some((before, after)) = name.split_once('*') else {
        return if path.is_file() { vec![path] } else { Vec::new() };
    };
    let fits = |entry: std::io::Result<std::fs::DirEntry>| {
        let name = entry.ok()?.file_name().to_string_lossy().into_owned();
        let is_long = name.len() >= before.len() + after.len();
        (is_long && name.starts_with(before) && name.ends_with(after)).then(|| path.with_file_name(&name))
    };
    let folder = path.parent().unwrap_or(folder);
    std::fs::read_dir(folder).into_iter().flatten().filter_map(fits).collect()
}

/// What is wanted of an entry of `compile_commands.json`.
#[derive(Deserialize)]
struct Compiled {
    directory: PathBuf,
    file: PathBuf,
}

/// The files of `compile_commands.json`, from `copy`.
fn database(copy: &Path) -> Option<BTreeSet<PathBuf>> {
    let text = std::fs::read_to_string(copy.join("build/compile_commands.json")).ok()?;
    let root = copy.canonicalize().ok()?;
    let entries: Vec<Compiled> = serde_json::from_str(&text).ok()?;
    let in_copy = |entry: Compiled| {
        let file = entry.directory.join(entry.file).canonicalize().ok()?;
        file.strip_prefix(&root).map(Path::to_owned).ok()
    };
    let units: BTreeSet<PathBuf> = entries.into_iter().filter_map(in_copy).collect();
    (!units.is_empty()).then_some(units)
}

/// The sources of a package of cargo, and of those below its folder.
fn package(tree: &Tree, manifest: &Path) -> BTreeSet<PathBuf> {
    let folder = manifest.parent().unwrap_or(Path::new(""));
    let is_compiled = |file: &&PathBuf| {
        let Ok(inner) = file.strip_prefix(folder) else { return false };
        let is_aside = |part: Component<'_>| {
            ["tests", "benches", "examples", "build.rs"].iter().any(|name| part.as_os_str() == *name)
        };
        language_of(file) == Some(Language::Rust) && !inner.components().any(is_aside)
    };
    tree.files.iter().filter(is_compiled).cloned().collect()
}

/// These files and all that they include by `#include "..."`, from the folder of the source.
///
/// # Errors
/// The file system.
pub fn with_included(tree: &Tree, units: BTreeSet<PathBuf>) -> Result<BTreeSet<PathBuf>, Error> {
    let mut by_name: BTreeMap<&std::ffi::OsStr, Vec<&PathBuf>> = BTreeMap::new();
    for file in &tree.files {
        by_name.entry(file.file_name().unwrap_or_default()).or_default().push(file);
    }
    let include = regex(r#"(?m)^[ \t]*#[ \t]*include[ \t]*"([^"\r\n]*)"#);
    let (mut all, mut open) = (BTreeSet::new(), units.into_iter().collect::<Vec<_>>());
    while let Some(file) = open.pop() {
        if !tree.files.contains(&file) || !all.insert(file.clone()) {
            continue;
        }
        let text = tree.contents(&file)?;
        for included in include.captures_iter(&String::from_utf8_lossy(&text)) {
            let name = &included[1];
            let wanted = plain(&file.with_file_name("").join(name));
            let next_to_it = tree.files.binary_search(&wanted).is_ok().then_some(wanted);
            // A folder of the command line: whatever ends with the whole name.
            let suffix = plain(Path::new(name));
            let elsewhere = || {
                let same = by_name.get(suffix.file_name().unwrap_or_default())?;
                same.iter().find(|file| file.ends_with(&suffix)).map(|file| (*file).clone())
            };
            open.extend(next_to_it.or_else(elsewhere));
        }
    }
    Ok(all)
}

/// A relative path without `.` and `..` in it.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::Normal(name) => plain.push(name),
            _ => {}
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> (tempfile::TempDir, Tree) {
        let dir = tempfile::tempdir().unwrap();
        for (file, text) in files {
            let path = dir.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let tree = Tree::read(dir.path()).unwrap();
        (dir, tree)
    }

    fn names(files: &BTreeSet<PathBuf>) -> Vec<&str> {
        files.iter().map(|file| file.to_str().unwrap()).collect()
    }

    #[test]
    fn the_commands_of_make_say_what_is_compiled() {
        let (dir, _) = tree(&[
            ("src/a.c", ""),
            ("src/b.cpp", ""),
            ("src/sub/c.c", ""),
            ("src/sub/d.c", ""),
            ("e.c", ""),
        ]);
        let root = dir.path().canonicalize().unwrap();
        let text = format!(
            "make: Entering directory '{0}/src'\ngcc -O3 -o x a.c \\\n  sub/*.c -lm\necho b.c\nmake[1]: Entering directory '{0}'\n\
             cd src && clang++-14 \"b.cpp\"; rm -f none.c /etc/passwd.c\nmake[1]: Leaving directory '{0}'\nCC=gcc ./none.sh ../../outside.c\n",
            root.display()
        );
        let (units, compilers) = compiled(&text, dir.path());
        assert_eq!(names(&units), ["src/a.c", "src/b.cpp", "src/sub/c.c", "src/sub/d.c"]);
        assert_eq!(compilers.into_iter().collect::<Vec<_>>(), ["clang++-14", "gcc"]);
    }

    #[test]
    fn what_is_included_counts_and_what_lies_next_to_it_does_not() {
        let (_dir, tree) = tree(&[
            ("src/main.cpp", "#include \"search.h\"\n# include <vector>\n#include \"lib/io.hpp\"\n"),
            (
                "src/search.h",
                "#include \"../src/search.cpp\"\n#include \"missing.h\"\n#include \"/etc/passwd\"\n",
            ),
            ("src/search.cpp", ""),
            ("third/lib/io.hpp", "#include \"../../../../outside.h\"\n"),
            ("src/old_search.cpp", ""),
        ]);
        let units = with_included(&tree, BTreeSet::from([PathBuf::from("src/main.cpp")])).unwrap();
        assert_eq!(names(&units), ["src/main.cpp", "src/search.cpp", "src/search.h", "third/lib/io.hpp"]);
    }

    #[test]
    fn a_tree_offers_what_it_is_built_by() {
        let builds = |files: &[(&str, &str)], language| -> Vec<String> {
            let (_dir, tree) = tree(files);
            Recipe::offered(&tree, language).into_iter().map(|recipe| recipe.build).collect()
        };
        let make = builds(&[("tests/Makefile", ""), ("src/Makefile", "")], Language::C);
        assert_eq!(make[..3], ["make -C src", "make -C src all", "make -C src build"]);
        assert!(make.contains(&"make -C tests".to_owned()));
        assert_eq!(
            builds(&[("Cargo.toml", ""), ("Makefile", "")], Language::Rust),
            ["cargo build --release"]
        );
        let cmake = builds(&[("my src/CMakeLists.txt", "")], Language::Cpp);
        assert!(cmake[0].starts_with("cmake -S 'my src' -B build "), "{cmake:?}");
        assert!(builds(&[("meson.build", "")], Language::C)[0].starts_with("meson setup build . "));
        assert!(builds(&[("a.c", "")], Language::C).is_empty());
        assert_eq!(
            Recipe::of_user("make -C src ARCH=x").listing.as_deref(),
            Some("make -C src ARCH=x -n -w")
        );
        assert_eq!(Recipe::of_user("make && rm -rf x").listing, None);
    }

    #[test]
    fn a_compiler_that_is_not_here_is_replaced_where_the_makefile_takes_another() {
        if secateur_engines::find(Path::new("make")).is_err() {
            return;
        }
        let makefile = "CXX = clang++-999\nall:\n\t$(CXX) -o x a.cpp\n";
        let (dir, tree) = tree(&[("Makefile", makefile), ("a.cpp", "")]);
        let units = |recipe: &Recipe| recipe.units(&tree, dir.path()).unwrap();
        let recipe = Recipe::offered(&tree, Language::Cpp).remove(0);
        let (recipe, files) = units(&recipe);
        assert_eq!(recipe.build, "make CXX=g++");
        assert_eq!(names(&files.unwrap()), ["a.cpp"]);
        // By a variable of its own, also where somebody says how it is built; and by none.
        let makefile = "# COMPILER = g++\nCOMPILER ?= clang++-999 # or g++\nall:\n\t$(COMPILER) -o x a.cpp\n";
        std::fs::create_dir(dir.path().join("src")).unwrap();
        std::fs::write(dir.path().join("src/makefile"), makefile.replace("a.cpp", "../a.cpp")).unwrap();
        let (recipe, files) = units(&Recipe::of_user("make -C src all"));
        assert_eq!(recipe.build, "make -C src all COMPILER=g++");
        assert_eq!(names(&files.unwrap()), ["a.cpp"]);
        std::fs::write(dir.path().join("Makefile"), "all:\n\tclang++-999 -o x a.cpp\n").unwrap();
        assert_eq!(units(&Recipe::of_user("make all")).0.build, "make all");
    }
}
