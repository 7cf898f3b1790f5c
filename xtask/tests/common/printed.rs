//! The commands that documents print: what stands in blocks of code and in backquotes, and what a run was made by.

use std::path::{Path, PathBuf};

/// How the commands of this workspace are called in documents.
const NAMES: [&str; 2] = ["cargo xtask ", "secateur "];

/// A command as a document prints it.
#[derive(Debug)]
pub(crate) struct Printed {
    /// Path below the root, and line from 1.
    pub(crate) place: String,
    /// Behind the name of the program.
    pub(crate) args: Vec<String>,
    /// Whether it stands in a sentence, where it may be the mere name of a verb.
    pub(crate) is_mention: bool,
}

/// The folder of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the folder of the workspace").to_owned()
}

/// All commands of all documents but the history of changes, which names what was.
pub(crate) fn commands() -> Vec<Printed> {
    let mut files = Vec::new();
    for folder in
        ["", "docs", "docs/developers", "docs/papers", "docs/results", "docs/studies", "examples/engine_repo"]
    {
        let entries = std::fs::read_dir(root().join(folder)).expect("a folder of documents");
        files.extend(entries.map(|entry| entry.expect("an entry").path()));
    }
    files.retain(|path| {
        path.extension().is_some_and(|ending| ending == "md") && !path.ends_with("CHANGELOG.md")
    });
    files.sort();
    files.iter().flat_map(|path| of_document(path)).collect()
}

fn of_document(path: &Path) -> Vec<Printed> {
    let text = std::fs::read_to_string(path).expect("a document");
    let name = path.strip_prefix(root()).expect("a path below the root").display().to_string();
    let (mut all, mut in_block, mut begun) = (Vec::new(), false, String::new());
    for (at, line) in text.lines().enumerate() {
        let mut add = |command: &str, is_mention: bool| {
            let command = command.trim();
            if let Some(rest) = NAMES.iter().find_map(|name| command.strip_prefix(name)) {
                all.push(Printed {
                    place: format!("{name}:{}", at + 1),
                    args: shell_words(rest),
                    is_mention,
                });
            }
        };
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
        } else if in_block {
            begun += line.trim_end().trim_end_matches('\\');
            if !line.trim_end().ends_with('\\') {
                begun.split(" && ").for_each(|command| add(command, false));
                begun.clear();
            }
        } else if let Some(command) = line.strip_prefix("| command | ") {
            add(command.trim_end().trim_end_matches('|'), false);
        } else {
            line.split('`').skip(1).step_by(2).for_each(|command| add(command, true));
        }
    }
    all
}

/// The words of a line as a shell takes them, up to a comment, a pipe or another command.
fn shell_words(line: &str) -> Vec<String> {
    let (mut all, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in line.chars() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, ' ') => all.extend(word.take()),
            (None, '|' | ';' | '>' | '&') => break,
            (None, '#') if word.is_none() => break,
            _ => word.get_or_insert_default().push(letter),
        }
    }
    all.extend(word);
    all
}

#[test]
fn commands_are_read_as_a_shell_reads_them() {
    assert_eq!(
        shell_words("bench --methods 'a,b[x]' --depth 8   # why"),
        ["bench", "--methods", "a,b[x]", "--depth", "8"]
    );
    assert_eq!(
        shell_words("speed --subject 'toga2;Null Move=Never' | less"),
        ["speed", "--subject", "toga2;Null Move=Never"]
    );
    assert!(commands().len() > 300, "documents print commands");
}
