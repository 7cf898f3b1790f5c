//! Switches for a program that has none: a variable whose bits switch methods off, or one build a method.
//!
//! The sources, where they are at hand, say in which language the lines are to be written, which methods there are to
//! switch, and where.

use super::proposal::method;
use secateur_base::words::{shell_path, shell_word};
pub use secateur_switches::Language;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Files of a source that are read, at most.
const MOST: usize = 2_000;
/// Bytes of one, at most.
const LONGEST: u64 = 2 << 20;
/// Lines below a comment in which its condition is looked for.
const BELOW: usize = 3;
/// Bytes of a comment that may be a heading, at most.
const HEADING: usize = 48;
/// Words of a sentence that may be one, at most.
const TITLE: usize = 4;
/// What a makefile may be called.
const MAKEFILES: [&str; 3] = ["Makefile", "makefile", "GNUmakefile"];
/// What is proposed where no source says more.
const USUAL: [&str; 4] = ["null-move", "lmr", "futility", "razoring"];

/// What a file is written in, by the end of its name; the inline files of C++, too, which a survey has no use for.
pub fn language_of(path: &Path) -> Option<Language> {
    if path.extension().is_some_and(|end| ["ipp", "tpp", "inl"].iter().any(|other| end == *other)) {
        return Some(Language::Cpp);
    }
    Language::of_path(path.file_name()?.to_str()?).filter(|language| *language != Language::Cargo)
}

/// What most of these files are written in; C++ where any of them is and most are headers or C.
pub fn language_of_most(files: &[PathBuf]) -> Option<Language> {
    let mut counts = BTreeMap::<Language, usize>::new();
    for language in files.iter().filter_map(|file| language_of(file)) {
        *counts.entry(language).or_default() += 1;
    }
    let most = counts.iter().max_by_key(|(_, files)| **files).map(|(language, _)| *language)?;
    Some(if most == Language::C && counts.contains_key(&Language::Cpp) { Language::Cpp } else { most })
}

/// What a source says of the methods in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// What most of its files are written in; none where no file is in a language that is known here.
    pub language: Option<Language>,
    /// Where a condition of each method most likely is.
    pub methods: BTreeMap<String, Spot>,
    /// Its makefile; none where there is none.
    pub makefile: Option<Makefile>,
    /// Whether it is built by cargo.
    pub by_cargo: bool,
    /// Where it is.
    pub folder: PathBuf,
}

/// How a makefile can be asked for another build of the program, without a change to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Makefile {
    /// Its folder.
    folder: PathBuf,
    /// The variable that can take one more flag, with what stands before the flag in it: `EXTRA` and nothing, or that of the compiler
    /// and the compiler.
    flag: Option<(&'static str, String)>,
    /// Whether `EXE` is where the program goes.
    has_exe: bool,
}

impl Makefile {
    /// The makefile of a source, where it has one: in its folder, or in `src`.
    fn read(folder: &Path, language: Option<Language>) -> Option<Makefile> {
        let text = MAKEFILES.iter().find_map(|name| std::fs::read_to_string(folder.join(name)).ok())?;
        let uses =
            |name: &str| text.contains(&format!("$({name})")) || text.contains(&format!("${{{name}}}"));
        let compilers = if language == Some(Language::Cpp) {
            [("CXX", "c++"), ("CC", "cc")]
        } else {
            [("CC", "cc"), ("CXX", "c++")]
        };
        let compiler = compilers.into_iter().find(|(name, _)| uses(name));
        let flag = match compiler {
            _ if uses("EXTRA") => Some(("EXTRA", String::new())),
            // Every makefile that names its compiler by a variable takes a flag with it.
            Some((name, usual)) => Some((name, set_to(&text, name).unwrap_or(usual).to_owned() + " ")),
            None => None,
        };
        Some(Makefile { folder: folder.to_owned(), flag, has_exe: uses("EXE") })
    }

    /// The command that builds the program at `own` without a method, to lie at `target`.
    fn command(&self, program: &Path, flag: &str, target: &Path) -> String {
        let folder = shell_path(&self.folder);
        let (variable, before) =
            self.flag.as_ref().map_or(("EXTRA", ""), |(name, before)| (*name, before.as_str()));
        let value = shell_word(&format!("{before}{flag}"));
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        let whole = |path: &Path| {
            let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
            path.canonicalize().ok()
        };
        let exe = if self.has_exe { format!("EXE={} ", shell_word(&name)) } else { String::new() };
        let made = self.folder.join(&*name);
        let moved = match self.has_exe {
            true if target.parent().and_then(whole) == whole(&self.folder) => String::new(),
            true => format!(" && mv {} {}", shell_path(&made), shell_path(target)),
            false => format!(" && cp {} {}", shell_path(program), shell_path(target)),
        };
        format!("make -B -C {folder} {exe}{variable}={value}{moved}")
    }
}

/// What a makefile sets a variable to, where that is words alone.
fn set_to<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let value = |line: &'t str| {
        let behind_name = line.trim().strip_prefix(name)?.trim_start().trim_start_matches([':', '?']);
        let value = behind_name.strip_prefix('=')?.split('#').next()?.trim();
        (!value.is_empty() && !value.contains(['$', '\'', '\\'])).then_some(value)
    };
    text.lines().find_map(value)
}

/// A line of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Its file, from the folder of the source.
    pub file: PathBuf,
    /// From 1.
    pub line: usize,
    /// What stands there.
    pub text: String,
    /// How much speaks for it: see [`Sources::read`].
    rank: u8,
}

impl Sources {
    /// Looks through a folder. Of the lines that speak of a method, the first with the highest rank is taken: a condition below a
    /// comment that names it, before a condition with its name, before any other line, and all of these in a file of the search
    /// before those elsewhere.
    ///
    /// # Errors
    /// A folder that cannot be read.
    pub fn read(folder: &Path) -> std::io::Result<Sources> {
        let mut files = Vec::new();
        collect(folder, &mut files)?;
        let language = language_of_most(&files);
        let mut methods = BTreeMap::new();
        for path in files.into_iter().filter(|path| language_of(path).is_some()) {
            let Ok(bytes) = std::fs::read(&path) else { continue };
            let (file, text) = (path.strip_prefix(folder).unwrap_or(&path), String::from_utf8_lossy(&bytes));
            for (method, spot) in spots(file, &text) {
                match methods.get(&method) {
                    Some(Spot { rank, .. }) if *rank >= spot.rank => {}
                    _ => drop(methods.insert(method, spot)),
                }
            }
        }
        let makefile = [folder.to_owned(), folder.join("src")]
            .iter()
            .find_map(|folder| Makefile::read(folder, language));
        let by_cargo = folder.join("Cargo.toml").is_file();
        Ok(Sources { language, methods, makefile, by_cargo, folder: folder.to_owned() })
    }

    /// Methods to switch: those of the source, else the usual ones.
    pub fn to_switch(&self) -> Vec<String> {
        let methods =
            self.methods.keys().filter(|name| super::proposal::WORDS.iter().any(|(word, _)| word == name));
        let names: Vec<String> = methods.cloned().collect();
        if names.is_empty() { USUAL.map(str::to_owned).to_vec() } else { names }
    }
}

/// Each line of a file that speaks of a method.
fn spots(file: &Path, text: &str) -> Vec<(String, Spot)> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let is_condition = |at: usize| {
        let line = lines.get(at).map_or("", |line| line.trim_start_matches(['}', ' ']));
        line.trim_start_matches("else ").starts_with("if")
    };
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    let searches = u8::from(["search", "midgame"].iter().any(|word| stem.contains(word)));
    let mut spots = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let (method, at, rank) = if line.starts_with(['/', '*']) {
            // Words of a comment are no place for a condition, but the condition may follow, below the rest of the comment.
            let more = lines[at..].iter().take_while(|line| line.starts_with(['/', '*'])).count();
            let next = (at + more..at + more + BELOW).find(|&at| is_condition(at));
            let heading = heading(line);
            match (next, heading) {
                (Some(at), Some(method)) => (method, at, 4),
                _ => continue,
            }
        } else {
            // What Othello programs call selectivity is a number, and everywhere.
            let tokens = line.split(|c: char| !c.is_alphanumeric() && c != '_');
            let mut named = tokens.filter(|word| !word.to_lowercase().contains("selectivity"));
            match named.find_map(method).filter(|_| !line.starts_with('#')) {
                Some(method) => (method, at, if is_condition(at) { 2 } else { 0 }),
                None => continue,
            }
        };
        let (file, text) = (file.to_owned(), lines[at].to_owned());
        spots.push((method, Spot { file, line: at + 1, text, rank: rank + searches }));
    }
    spots
}

/// The method that a comment is headed by: a short one, or a sentence of few words in it, not a sentence that speaks of it too.
fn heading(comment: &str) -> Option<String> {
    let text = comment.trim_start_matches(['/', '*', '!', ' ']);
    let is_title = |sentence: &&str| sentence.split_whitespace().count() <= TITLE;
    let whole = Some(text).filter(|text| text.len() <= HEADING).and_then(method);
    whole.or_else(|| text.split_inclusive(". ").filter(is_title).find_map(method))
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
pub fn lines(language: Language, methods: &[String]) -> String {
    let (template, prefix) = match language {
        Language::C => (include_str!("../../data/switches/c.txt"), "ABLATE_"),
        Language::Rust => (include_str!("../../data/switches/rust.txt"), ""),
        _ => (include_str!("../../data/switches/cpp.txt"), "ABLATE_"),
    };
    let name = |method: &String| format!("{prefix}{}", constant(method));
    let bits = methods.iter().enumerate().map(|(bit, method)| match language {
        Language::Rust => format!("pub const {}: u64 = {};\n", name(method), 1_u64 << bit),
        _ => format!("    {} = {},\n", name(method), 1_u64 << bit),
    });
    let first = methods.first().map_or_else(|| format!("{prefix}NULL_MOVE"), name);
    template.replace("{methods}", &bits.collect::<String>()).replace("{first}", &first)
}

/// How one build a method is made: the commands, as OpenBench asks of a makefile (`EXE=`), of cargo, or, where the source has
/// neither, the flag of each. `own` is the program as it is, `target` gives the path that the build without a method must have.
/// Everything is built anew each time, and the program as it is last: objects of another build would go into it otherwise.
pub fn builds(
    sources: Option<&Sources>,
    program: &Path,
    target: impl Fn(&str) -> PathBuf,
    methods: &[String],
) -> String {
    let usual = Makefile { folder: PathBuf::from("."), flag: Some(("EXTRA", String::new())), has_exe: true };
    let (makefile, is_rust) = match sources {
        Some(sources) => (sources.makefile.as_ref(), sources.language == Some(Language::Rust)),
        None => (Some(&usual), false),
    };
    let by_cargo = sources.filter(|sources| sources.by_cargo);
    let manifest = by_cargo.map(|sources| shell_path(&sources.folder.join("Cargo.toml")));
    let (mut text, last) = match (makefile, &manifest) {
        (Some(Makefile { folder, flag, .. }), _) => {
            let lacking =
                format!("the makefile in {} has no $(EXTRA): add it to its flags\n", folder.display());
            let note = if flag.is_none() { lacking } else { String::new() };
            (note, format!("make -B -C {}\n", shell_path(folder)))
        }
        (None, Some(manifest)) => {
            (String::new(), format!("cargo build --release --manifest-path {manifest}\n"))
        }
        (None, None) => {
            let flag = if is_rust { "--cfg no_method" } else { "-DNO_METHOD" };
            let note = "no makefile is there: build it as you do, with";
            (format!("{note} {flag} added, for each as named:\n"), String::new())
        }
    };
    let as_it_is = shell_path(program);
    for method in methods {
        let (target, constant) = (target(method), constant(method));
        let (define, cfg) = (format!("-DNO_{constant}"), format!("--cfg no_{}", constant.to_lowercase()));
        let path = shell_path(&target);
        text += &match (makefile, &manifest) {
            (Some(makefile), _) => makefile.command(program, &define, &target),
            (None, Some(manifest)) => {
                format!(
                    "RUSTFLAGS='{cfg}' cargo build --release --manifest-path {manifest} && cp {as_it_is} {path}"
                )
            }
            (None, None) if is_rust => format!("{cfg}: {path}"),
            (None, None) => format!("{define}: {path}"),
        };
        text.push('\n');
    }
    text + &last
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

    /// Each way of building is one that the source has, and says what is missing from it.
    #[test]
    fn builds_are_by_what_the_source_is_built_with() {
        let dir = tempfile::tempdir().unwrap();
        let methods = ["lmr".to_owned()];
        let commands = || {
            let sources = Sources::read(dir.path()).unwrap();
            let target = |method: &str| Path::new("/bin").join(format!("engine-no-{method}"));
            builds(Some(&sources), Path::new("/bin/engine"), target, &methods)
        };
        std::fs::write(dir.path().join("a.c"), "int x;\n").unwrap();
        let bare = commands();
        assert!(bare.contains("no makefile") && bare.contains("-DNO_LMR: /bin/engine-no-lmr"), "{bare}");
        assert!(!bare.contains("make -B"), "{bare}");
        std::fs::create_dir(dir.path().join("src")).unwrap();
        let makefile = |text: &str| std::fs::write(dir.path().join("src/makefile"), text).unwrap();
        makefile("all:\n\tgcc -O3 *.c\n");
        assert!(commands().contains("has no $(EXTRA)"), "{}", commands());
        makefile("CFLAGS = -O3 $(EXTRA)\nall:\n\t$(CC) $(CFLAGS) -o $(EXE)\n");
        let line = commands().lines().next().unwrap().to_owned();
        assert!(line.contains("src EXE=engine-no-lmr EXTRA=-DNO_LMR && mv "), "{line}");
        assert!(line.ends_with("src/engine-no-lmr /bin/engine-no-lmr"), "{line}");
        // Without them the compiler takes the flag, and what comes out is where it always is.
        makefile("CC ?= clang -m64 # mine\nall:\n\t$(CC) $(CFLAGS) -o engine\n");
        let line = commands().lines().next().unwrap().to_owned();
        assert!(
            line.ends_with("src CC='clang -m64 -DNO_LMR' && cp /bin/engine /bin/engine-no-lmr"),
            "{line}"
        );
        std::fs::remove_file(dir.path().join("src/makefile")).unwrap();
        std::fs::write(dir.path().join("Cargo.toml"), "").unwrap();
        assert!(
            commands().contains("--cfg no_lmr") && commands().contains("cp /bin/engine /bin/engine-no-lmr"),
            "{}",
            commands()
        );
    }

    /// The commands as they are printed make a program a method, and leave the program as it is with all of them, whatever objects
    /// were left.
    #[test]
    fn the_commands_build_what_they_name() {
        let is_there = |name: &str| Command::new(name).arg("--version").output().is_ok();
        if !is_there("make") || !is_there("cc") {
            return;
        }
        let makefiles = [
            "EXE = engine\nCFLAGS = $(EXTRA)\nall: $(EXE)\n$(EXE): a.o\n\t$(CC) -o $(EXE) a.o\nclean:\n\trm -f *.o $(EXE)\n",
            "all: engine\nengine: a.o\n\t$(CC) -o engine a.o\n",
        ];
        for text in makefiles {
            let dir = tempfile::tempdir().unwrap();
            let src = dir.path().join("src");
            std::fs::create_dir(&src).unwrap();
            let code = "int main(void) {\n    int on = 0;\n#ifndef NO_LMR\n    on += 1;\n#endif\n#ifndef NO_NULL_MOVE\n    on += 2;\n\
                        #endif\n    return on;\n}\n";
            std::fs::write(src.join("a.c"), code).unwrap();
            std::fs::write(src.join("Makefile"), text).unwrap();
            let sources = Sources::read(dir.path()).unwrap();
            let exe = src.join("engine");
            let target = |method: &str| dir.path().join(format!("engine-no-{method}"));
            let commands = builds(Some(&sources), &exe, target, &["lmr".to_owned(), "null-move".to_owned()]);
            let done = Command::new("sh").args(["-e", "-c", &commands]).output().unwrap();
            assert!(done.status.success(), "{commands}: {}", String::from_utf8_lossy(&done.stderr));
            for (exe, code) in [(exe.clone(), 3), (target("lmr"), 2), (target("null-move"), 1)] {
                assert_eq!(Command::new(&exe).status().unwrap().code(), Some(code), "{}", exe.display());
            }
            // What is made next is the program as it is.
            std::fs::remove_file(&exe).unwrap();
            assert!(Command::new("make").arg("-C").arg(&src).output().unwrap().status.success());
            assert_eq!(Command::new(&exe).status().unwrap().code(), Some(3));
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
        let sources = Sources::read(dir.path()).unwrap();
        assert_eq!(sources.language, Some(Language::Cpp));
        assert_eq!(sources.to_switch(), ["lmr", "null-move", "probcut"]);
        let null = &sources.methods["null-move"];
        assert_eq!((null.file.to_str(), null.line), (Some("search.cpp"), 3));
        assert_eq!(null.text, "if (!pv && doNullMove(board)) {");
        // A condition in the search, below a comment with the name, goes before what comes first; words of a sentence do not.
        file("board.cpp", "void MakeNullMove() {}\nif (selectivity) x();\n");
        file("a-search.cpp", "// What is done in a position that comes after a null move or so\nif (x) {\n");
        let sources = Sources::read(dir.path()).unwrap();
        let null = &sources.methods["null-move"];
        assert_eq!((null.file.to_str(), null.line), (Some("search.cpp"), 3));
        assert!(!sources.methods.contains_key("mpc"));
        // As Ethereal has it: a title within a comment of many lines, and the condition below all of them.
        let text = "int LMRTable[64][64];      // Late Move Reductions\n\n// Step 13 (~249 elo). Late Move Reductions. Compute the reduction,\n\
                    // allow the later steps\n// to perform\n// the searches\nif (isQuiet && depth > 2) {\n";
        file("search.cpp", text);
        let sources = Sources::read(dir.path()).unwrap();
        assert_eq!(
            (sources.methods["lmr"].line, &*sources.methods["lmr"].text),
            (7, "if (isQuiet && depth > 2) {")
        );
        let empty = tempfile::tempdir().unwrap();
        let nothing = Sources::read(empty.path()).unwrap();
        assert_eq!((nothing.language, nothing.to_switch()), (None, USUAL.map(str::to_owned).to_vec()));
        assert!(Sources::read(&empty.path().join("none")).is_err());
    }
}
