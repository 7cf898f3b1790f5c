//! Switches for the pruning of a game program, cut from its source in C, C++ or Rust.
//!
//! Nearly no program can switch its pruning off. This library gives it switches: it is given the texts of a source and returns a
//! patch. One build of the patched source holds every switch, and environment variables that are read once choose
//! ([`OFF`], [`OFF_SITES`]). With none of them set the program searches as the untouched one does.
//!
//! One `if` goes through four steps, each a module:
//! 1. `parse`: a file becomes a tree in one vocabulary for all three languages (tree-sitter), searched without recursion.
//! 2. `find`: the functions that search, by who calls whom; in them every place that returns, skips, reduces or extends, a [`Site`],
//!    with facts about it such as "its condition asks beta" or "its body searches to a smaller depth".
//! 3. `name`: the rules of `data/rules.toml` turn facts into points for methods, or say why a site must never be switched.
//! 4. `rewrite`: the condition `C` becomes `SECATEUR_ON(site) && (C) && SECATEUR_HIT(site)`; a header or a module, and the patch.
//!
//! [`survey`] is the first three steps and [`rewrite`] the fourth; between them stands an [`Assignment`] that a user may edit. Nothing
//! here reads a file, builds or searches: the caller does.

mod assignment;
mod find;
mod name;
mod parse;
mod rewrite;
mod rules;
mod site;

pub use assignment::{AssignedSite, Assignment, AssignmentError, Switch};
pub use rewrite::{
    COUNTS, Entries, Method, NumberedSite, OFF, OFF_SITES, Rewritten, entries, removal, rewrite,
};
pub use rules::{Rules, RulesError};
pub use site::{Confidence, Finding, Kind, SearchFunction, Site, Survey};

/// What decides which sites a source has and what is written for them, for whoever keeps what was built.
pub const MADE_BY: [&str; 4] = [
    env!("CARGO_PKG_VERSION"),
    include_str!("../data/rules.toml"),
    include_str!("../data/secateur_switches.h"),
    include_str!("../data/secateur.rs.txt"),
];

/// Finds the sites of a source and names their methods. Files longer than [`Rules::longest_file`] are left out with a warning; whatever
/// the bytes are, this returns.
pub fn survey(files: &[SourceFile], rules: &Rules) -> Survey {
    let mut parsed = parse::files(files, rules);
    let functions = find::functions(&parsed.trees);
    let lexicon = find::Lexicon::new(rules);
    find::loops_in_closures(&mut parsed.trees, &functions, &lexicon);
    find::loops_in_functions(&mut parsed.trees, &functions, &lexicon);
    let program = find::program(&parsed.trees, &functions, &lexicon);
    let places = find::places(&program, rules);
    name::named(&parsed, &program, places, rules)
}

/// A language that a source may be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// C; a header too, unless its program has files of C++.
    C,
    /// C++.
    Cpp,
    /// Rust.
    Rust,
    /// A manifest of Cargo: tells the edition and the root of its crate.
    Cargo,
}

impl Language {
    /// The language of a path by its ending; a `.h` is C, which a survey reads as C++ if the program has a file of C++. `None` for
    /// all that a survey has no use for.
    pub fn of_path(path: &str) -> Option<Language> {
        let name = path.rsplit('/').next().unwrap_or(path);
        if name == "Cargo.toml" {
            return Some(Language::Cargo);
        }
        match name.rsplit_once('.')?.1 {
            "c" | "h" => Some(Language::C),
            "cc" | "cpp" | "cxx" | "c++" | "hpp" | "hh" | "hxx" => Some(Language::Cpp),
            "rs" => Some(Language::Rust),
            _ => None,
        }
    }
}

/// A file of the source of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Relative to the root of the source, with `/` between its parts: what the patch will name.
    pub path: String,
    /// As it is on disk, in whatever encoding.
    pub text: Vec<u8>,
    /// What it is written in.
    pub language: Language,
}
