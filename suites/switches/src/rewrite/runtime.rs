//! What reads the environment in the program: a header for C and C++, a module for Rust.

use super::{COUNTS, Method, OFF, OFF_SITES};

/// What the runtime is told of a site.
pub(super) struct Entry {
    /// As code calls it, in small letters.
    pub(super) identifier: String,
    /// The bits of its method, or 0.
    pub(super) bits: u64,
    /// File and line.
    pub(super) at: String,
}

/// The header, once for the whole source.
pub(super) fn header(entries: &[Entry], methods: &[Method]) -> String {
    let lines = |line: &dyn Fn(&Entry) -> String| entries.iter().map(line).collect::<Vec<_>>().join("\n");
    let names = methods
        .iter()
        .map(|method| format!("    {{ \"{}\", {}ull }},\n", method.name, method.bit))
        .collect::<String>();
    fill(
        include_str!("../../data/secateur_switches.h"),
        &[
            (
                "{sites}",
                &lines(&|entry| format!("    SECATEUR_{}, /* {} */", entry.identifier, comment(&entry.at))),
            ),
            ("{bits}", &lines(&|entry| format!("    {}ull, /* {} */", entry.bits, entry.identifier))),
            ("{methods}", &names),
        ],
    )
}

/// The module, once for each crate.
pub(super) fn module(entries: &[Entry], methods: &[Method]) -> String {
    let lines = |line: &dyn Fn((usize, &Entry)) -> String| {
        entries.iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
    };
    let constant = |(number, entry): (usize, &Entry)| {
        format!(
            "/// {}\npub const {}: Site = Site({number});",
            comment(&entry.at),
            entry.identifier.to_ascii_uppercase()
        )
    };
    let names = methods
        .iter()
        .map(|method| format!("    (\"{}\", {}),\n", method.name, method.bit))
        .collect::<String>();
    fill(
        include_str!("../../data/secateur.rs.txt"),
        &[
            ("{sites}", &lines(&constant)),
            ("{count}", &entries.len().to_string()),
            ("{bits}", &lines(&|(_, entry)| format!("    {}, // {}", entry.bits, entry.identifier))),
            ("{methods}", &names),
        ],
    )
}

fn fill(template: &str, marks: &[(&str, &str)]) -> String {
    let names = [("{OFF}", OFF), ("{OFF_SITES}", OFF_SITES), ("{COUNTS}", COUNTS)];
    names.iter().chain(marks).fold(template.to_owned(), |text, (mark, value)| text.replace(mark, value))
}

/// A path within a comment, which it must not end.
fn comment(text: &str) -> String {
    text.replace("*/", "* /").chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}
