//! `tidy`: the workspace rules of this workspace, held by a program.
//!
//! Headers, the parts that every method needs, test programs that cargo builds, the direction of dependencies, what a package must not do, where
//! a game may be named, links and wording of documents, help and messages, and the size of committed runs. Rules are text and tokens, without types or macro expansion, so that all of them take
//! a moment. Layers and exceptions are data (`xtask/data/tidy.toml`); every exception has a reason, and one that nothing
//! needs is itself a breach, so the list can only shrink. How code looks is left to rustfmt and clippy.

mod files;
mod layers;
mod methods;
mod names;
mod prose;
mod rules;
mod tree;

use rules::{RULES, Rules};
use secateur::cli::failure::{Failure, Outcome};
use secateur::cli::say::say;
use std::fmt;
use std::path::{Path, PathBuf};
use tree::Tree;

/// One place where a rule does not hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Breach {
    /// Path in the workspace, with `/`.
    file: String,
    /// From 1.
    line: usize,
    actual: String,
    expected: String,
}

impl Breach {
    fn new(
        file: impl Into<String>,
        line: usize,
        actual: impl Into<String>,
        expected: impl Into<String>,
    ) -> Breach {
        let (file, actual, expected) = (file.into(), actual.into(), expected.into());
        Breach { file, line, actual, expected }
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: found {}, expected {}", self.file, self.line, self.actual, self.expected)
    }
}

/// Prints every breach, in the order of files and lines, and a line that sums up.
pub(crate) fn run() -> Outcome {
    let root = root()?;
    let tree = Tree::read(&root)?;
    let text = tree.text(RULES).unwrap_or_default();
    let rules = Rules::parse(text).map_err(|error| Failure::input(format!("{RULES}: {error}")))?;
    let rules = rules.with_games_of(&tree);
    let breaches = check(&tree, &rules);
    for breach in &breaches {
        say(&format!("{breach}\n"));
    }
    say(&format!(
        "source files: {}, exceptions: {}, findings: {}\n",
        tree.sources.len(),
        rules.exceptions(),
        breaches.len()
    ));
    match breaches.len() {
        0 => Ok(()),
        count => Err(Failure::gate(format!("{count} places where a workspace rule does not hold"))),
    }
}

/// What every rule finds, in the order of files and lines.
fn check(tree: &Tree, rules: &Rules) -> Vec<Breach> {
    let all = [
        files::check_headers,
        methods::check,
        layers::check_layers,
        names::check_must_not,
        prose::check,
        names::check_game_words,
        layers::check_circles,
        prose::check_links,
        files::check_recorded,
        files::check_targets,
        Rules::check,
    ];
    let mut breaches: Vec<Breach> = all.iter().flat_map(|rule| rule(tree, rules)).collect();
    breaches.sort();
    breaches
}

/// The root of the workspace: this folder, or the next one above it that has the rules.
fn root() -> Result<PathBuf, Failure> {
    let here = std::env::current_dir().map_err(Failure::io(Path::new(".")))?;
    let root = here.ancestors().find(|folder| folder.join(RULES).is_file());
    root.map(Path::to_owned)
        .ok_or_else(|| Failure::input(format!("{}: no {RULES} here or above", here.display())))
}
