//! What a survey is given: files by their path and their bytes. Nothing is read from a disk here.

/// A language that a source may be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    #[must_use]
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
