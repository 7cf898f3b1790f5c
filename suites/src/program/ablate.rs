//! Switches for a program that has none: a variable whose bits switch methods off, or one build a method.
//!
//! The sources, where they are at hand, say in which language the lines are to be written, which methods there are to
//! switch, and where.

use super::proposal::method;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Files of a source that are read, at most.
const MOST: usize = 2_000;
/// Bytes of one, at most.
const LONGEST: u64 = 2 << 20;
/// What is proposed where no source says more.
const USUAL: [&str; 4] = ["null-move", "lmr", "futility", "razoring"];

/// What a program is written in, as far as lines for it are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Language {
    /// C.
    C,
    /// C++.
    Cpp,
    /// Rust.
    Rust,
}

impl Language {
    fn of(path: &Path) -> Option<Language> {
        match path.extension()?.to_str()? {
            "c" | "h" => Some(Language::C),
            "cc" | "cpp" | "cxx" | "hpp" | "hh" => Some(Language::Cpp),
            "rs" => Some(Language::Rust),
            _ => None,
        }
    }
}

/// What a source says of the methods in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// What most of its files are written in; none where no file is in a language that is known here.
    pub language: Option<Language>,
    /// Where each method is spoken of first: file and line, from 1.
    pub methods: BTreeMap<String, (PathBuf, usize)>,
}

impl Sources {
    /// Looks through a folder.
    ///
    /// # Errors
    /// A folder that cannot be read.
    pub fn read(folder: &Path) -> std::io::Result<Sources> {
        let mut files = Vec::new();
        collect(folder, &mut files)?;
        let (mut methods, mut languages) = (BTreeMap::new(), BTreeMap::<Language, usize>::new());
        for path in files {
            let Some(language) = Language::of(&path) else { continue };
            *languages.entry(language).or_default() += 1;
            let Ok(bytes) = std::fs::read(&path) else { continue };
            for (at, line) in String::from_utf8_lossy(&bytes).lines().enumerate() {
                // Words of a comment are no place for a condition.
                if line.trim_start().starts_with(['/', '*', '#']) {
                    continue;
                }
                if let Some(found) = line.split(|c: char| !c.is_alphanumeric() && c != '_').find_map(method) {
                    let short = path.strip_prefix(folder).unwrap_or(&path).to_owned();
                    methods.entry(found).or_insert((short, at + 1));
                }
            }
        }
        // Headers named .h are C++ where anything else is.
        let c_is_cpp = languages.contains_key(&Language::Cpp);
        let most = languages.iter().max_by_key(|(_, files)| **files).map(|(language, _)| *language);
        let language = if c_is_cpp && most == Some(Language::C) { Some(Language::Cpp) } else { most };
        Ok(Sources { language, methods })
    }

    /// Methods to switch: those of the source, else the usual ones.
    #[must_use]
    pub fn to_switch(&self) -> Vec<String> {
        let known =
            self.methods.keys().filter(|name| super::proposal::WORDS.iter().any(|(known, _)| known == name));
        let found: Vec<String> = known.cloned().collect();
        if found.is_empty() { USUAL.map(str::to_owned).to_vec() } else { found }
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Ok(data) = path.symlink_metadata() else { continue };
        if data.is_dir() && !name.starts_with('.') && !["target", "build", "node_modules"].contains(&&*name) {
            // What cannot be read is left out.
            let _ = collect(&path, files);
        } else if data.is_file() && data.len() <= LONGEST && files.len() < MOST {
            files.push(path);
        }
    }
    Ok(())
}

/// The name of a method as a constant.
fn constant(method: &str) -> String {
    method.replace('-', "_").to_uppercase()
}

/// The lines that read the variable `ABLATE` once and switch these methods by its bits.
#[must_use]
pub fn lines(language: Language, methods: &[String]) -> String {
    let mut text = String::new();
    let first = methods.first().map_or_else(|| "NULL_MOVE".to_owned(), |method| constant(method));
    if language == Language::Rust {
        text += "use std::sync::LazyLock;\n\n";
        for (bit, method) in methods.iter().enumerate() {
            let _ = writeln!(text, "pub const {}: u64 = {};", constant(method), 1_u64 << bit);
        }
        text += "\nstatic ABLATE: LazyLock<u64> =\n    LazyLock::new(|| std::env::var(\"ABLATE\").ok().and_then(|bits| \
                 bits.parse().ok()).unwrap_or(0));\n\n";
        text +=
            "/// Whether a method is on.\npub fn on(method: u64) -> bool {\n    *ABLATE & method == 0\n}\n\n";
        let _ = writeln!(
            text,
            "// where the method is, with its name:\nif on({first}) && depth >= 3 && !in_check {{"
        );
        return text;
    }
    let (header, named) = if language == Language::C {
        ("#include <stdlib.h>", "ABLATE_")
    } else {
        ("#include <cstdlib>", "ABLATE_")
    };
    let _ = writeln!(text, "{header}\n\nenum {{");
    for (bit, method) in methods.iter().enumerate() {
        let _ = writeln!(text, "    {named}{} = {},", constant(method), 1_u64 << bit);
    }
    text += "};\n\n";
    if language == Language::C {
        text += "/* Whether a method is on. Call it once before threads start. */\nstatic inline int on(unsigned long method) {\n    \
                 static unsigned long bits = 0;\n    static int is_read = 0;\n    if (!is_read) {\n        \
                 const char *text = getenv(\"ABLATE\");\n        bits = text ? strtoul(text, NULL, 10) : 0;\n        \
                 is_read = 1;\n    }\n    return !(bits & method);\n}\n\n";
    } else {
        text += "// Whether a method is on.\ninline bool on(unsigned long method) {\n    static const unsigned long bits = [] {\n        \
                 const char *text = std::getenv(\"ABLATE\");\n        return text ? std::strtoul(text, nullptr, 10) : 0;\n    \
                 }();\n    return !(bits & method);\n}\n\n";
    }
    let _ = writeln!(
        text,
        "/* where the method is, with its name: */\nif (on({named}{first}) && depth >= 3 && !in_check) {{"
    );
    text
}

/// The commands that make one build a method, as OpenBench asks of a makefile (`EXE=`), and the line of a source that they
/// need.
#[must_use]
pub fn builds(name: &str, methods: &[String]) -> String {
    let mut text = String::new();
    for method in methods {
        let _ = writeln!(text, "make clean; make EXE={name}-no-{method} EXTRA=-DNO_{}", constant(method));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn compiled(program: &str, args: &[&str], name: &str, text: &str, main: &str) {
        if Command::new(program).arg("--version").output().is_err() {
            return;
        }
        let dir = tempfile::tempdir().unwrap();
        let (source, binary) = (dir.path().join(name), dir.path().join("program"));
        let lines = text.split("where the method is").next().unwrap();
        let lines = lines.trim_end().trim_end_matches("//").trim_end_matches("/*");
        std::fs::write(&source, format!("{lines}\n{main}")).unwrap();
        let done = Command::new(program).args(args).arg(&source).arg("-o").arg(&binary).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        for (bits, code) in [(None, 3), (Some("1"), 2), (Some("2"), 1), (Some("3"), 0)] {
            let mut run = Command::new(&binary);
            run.env_remove("ABLATE");
            if let Some(bits) = bits {
                run.env("ABLATE", bits);
            }
            assert_eq!(run.status().unwrap().code(), Some(code), "{program}: {bits:?}");
        }
    }

    /// The lines that are shown are lines that work: each method is on unless its bit is set.
    #[test]
    fn the_lines_compile_and_switch() {
        let methods = ["null-move".to_owned(), "lmr".to_owned()];
        let text = |language| lines(language, &methods);
        let c = "int main(void) { return on(ABLATE_NULL_MOVE) + 2 * on(ABLATE_LMR); }";
        compiled("cc", &["-Wall", "-Werror"], "a.c", &text(Language::C), c);
        compiled("c++", &["-Wall", "-Werror"], "a.cpp", &text(Language::Cpp), c);
        let rust = "fn main() { std::process::exit(i32::from(on(NULL_MOVE)) + 2 * i32::from(on(LMR))); }";
        compiled("rustc", &["--edition=2024"], "a.rs", &text(Language::Rust), rust);
        for language in [Language::C, Language::Cpp, Language::Rust] {
            assert!(text(language).lines().count() <= 24, "{}", text(language));
        }
    }

    #[test]
    fn a_source_says_its_language_its_methods_and_where_they_are() {
        let dir = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
        file(
            "search.cpp",
            "// Null move pruning\nint x;\nif (!pv && doNullMove(board)) {\n}\nint lmrDepth = 3;\n",
        );
        file("types.h", "enum { Overseer };\n");
        file("more.h", "int probcutBeta;\n");
        let found = Sources::read(dir.path()).unwrap();
        assert_eq!(found.language, Some(Language::Cpp));
        assert_eq!(found.to_switch(), ["lmr", "null-move", "probcut"]);
        assert_eq!(found.methods["null-move"], (PathBuf::from("search.cpp"), 3));
        let empty = tempfile::tempdir().unwrap();
        let nothing = Sources::read(empty.path()).unwrap();
        assert_eq!((nothing.language, nothing.to_switch()), (None, USUAL.map(str::to_owned).to_vec()));
        assert!(Sources::read(&empty.path().join("none")).is_err());
    }
}
