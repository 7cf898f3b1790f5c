//! `tidy`: the rules of this workspace, held by a program.
//!
//! Headers, the parts that every method needs, test programs that cargo builds, the direction of dependencies, what a package
//! must not do, where a game may be named, links, named files and wording of documents, help and messages, and the size of
//! committed runs. Rules are text and tokens, without types or macro expansion, so that all of them take a moment. Layers and
//! exceptions are data (`xtask/data/tidy.toml`); every exception has a reason, and one that nothing needs is itself a breach, so
//! the list can only shrink. How code looks is left to rustfmt and clippy.

mod files;
mod layers;
mod methods;
mod names;
mod prose;
mod tree;

use self::tree::Tree;
use secateur::cli::failure::{Failure, Outcome};
use secateur::cli::say::say;
use serde::Deserialize;
use std::fmt;
use std::path::{Path, PathBuf};
use toml::Spanned;

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
    let rules = Rules::parse(text).map_err(Failure::at(RULES))?;
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
        prose::check_named_paths,
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
    let current = std::env::current_dir().map_err(Failure::io(Path::new(".")))?;
    let root = current.ancestors().find(|folder| folder.join(RULES).is_file());
    root.map(Path::to_owned)
        .ok_or_else(|| Failure::input(format!("{}: no {RULES} here or above", current.display())))
}

/// Where layers and exceptions stand.
const RULES: &str = "xtask/data/tidy.toml";
/// The folder with a package of every game.
const GAMES: &str = "core/games/";
/// Stands for the name of any game.
const GAME: &str = "{game}";

/// What `tidy.toml` says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Rules {
    /// Packages from the bottom to the top. Each may need those below it, none next to or above it. `{game}` is any game.
    layers: Vec<Vec<Spanned<String>>>,
    methods: Methods,
    games: Games,
    #[serde(default)]
    must_not: Vec<MustNot>,
    #[serde(default)]
    game_word: Vec<Exception>,
    #[serde(default)]
    circle: Vec<Circle>,
    #[serde(skip)]
    text: String,
}

/// Where the parts of a method stand. `{method}` is its name, `{field}` that of its parameters.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Methods {
    table: String,
    file: String,
    document: String,
    neutral: String,
}

/// What there is to know of games in generic code.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Games {
    /// In lower case: the packages in [`GAMES`], unless a test says otherwise.
    #[serde(default)]
    names: Vec<String>,
    /// Files and folders that belong to one game. `{game}` is its name.
    own: Vec<String>,
}

/// What the code of a package must not name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct MustNot {
    /// Folders, each with `/` at its end. `{game}` is any game.
    folders: Vec<Spanned<String>>,
    /// The rule in words: "do no IO".
    rule: String,
    /// Paths or parts of paths, `std::fs`; a macro with `!`.
    paths: Vec<String>,
    #[serde(default)]
    except: Vec<Exception>,
}

/// A file that need not keep a rule.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Exception {
    file: Spanned<String>,
    reason: String,
}

/// Modules of a package that may import each other in a circle.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Circle {
    package: Spanned<String>,
    modules: Vec<String>,
    reason: String,
}

impl Rules {
    /// Reads `tidy.toml`.
    ///
    /// # Errors
    /// Where it is not as it should be.
    fn parse(text: &str) -> Result<Rules, toml::de::Error> {
        toml::from_str(text).map(|rules| Rules { text: text.to_owned(), ..rules })
    }

    /// The same rules with the games that are there: a new one is a folder, and no line here.
    fn with_games_of(mut self, tree: &Tree) -> Rules {
        let packages =
            tree.texts().filter_map(|(path, _)| path.strip_prefix(GAMES)?.strip_suffix("/Cargo.toml"));
        self.games.names = packages.map(str::to_owned).collect();
        self
    }

    /// What `listed` stands for: itself, or one of each game.
    fn each(&self, listed: &str) -> Vec<String> {
        if !listed.contains(GAME) {
            return vec![listed.to_owned()];
        }
        self.games.names.iter().map(|game| listed.replace(GAME, game)).collect()
    }

    /// A breach by the data itself, at `at`.
    fn breach(&self, at: &Spanned<String>, actual: &str, expected: &str) -> Breach {
        let line = self.text[..at.span().start].matches('\n').count() + 1;
        Breach::new(RULES, line, actual, expected)
    }

    /// The breaches that no exception allows, and the exceptions that allow nothing.
    fn except(&self, all: Vec<Breach>, exceptions: &[Exception]) -> Vec<Breach> {
        let allows = |exception: &Exception, breach: &Breach| *exception.file.get_ref() == breach.file;
        let stale = exceptions.iter().filter(|exception| !all.iter().any(|breach| allows(exception, breach)));
        let stale = stale.map(|exception| {
            let what = format!("an exception for {} that nothing needs", exception.file.get_ref());
            self.breach(&exception.file, &what, "it to be taken out")
        });
        let mut left: Vec<Breach> = stale.collect();
        left.extend(
            all.into_iter().filter(|breach| !exceptions.iter().any(|exception| allows(exception, breach))),
        );
        left
    }

    /// How many exceptions there are.
    fn exceptions(&self) -> usize {
        self.reasons().len()
    }

    /// Every exception has a reason.
    fn check(_: &Tree, rules: &Rules) -> Vec<Breach> {
        let unreasoned = rules.reasons().into_iter().filter(|(_, reason)| reason.trim().is_empty());
        unreasoned.map(|(at, _)| rules.breach(at, "an exception without a reason", "a reason")).collect()
    }

    /// Place and reason of every exception.
    fn reasons(&self) -> Vec<(&Spanned<String>, &str)> {
        let lists = std::iter::once(&self.game_word).chain(self.must_not.iter().map(|rule| &rule.except));
        let mut all: Vec<_> = lists.flatten().map(|one| (&one.file, one.reason.as_str())).collect();
        all.extend(self.circle.iter().map(|one| (&one.package, one.reason.as_str())));
        all
    }
}

/// Rules for the tests of the rules: `more` stands after what every rule needs.
#[cfg(test)]
fn rules(more: &str) -> Rules {
    let base = "layers = [['a'], ['b', 'c'], ['d']]\n[games]\nnames = ['go']\nown = ['a/src/{game}/', 'a/src/{game}.rs']\n\
                [methods]\ntable = 'methods.rs'\nfile = 'prune/{field}.rs'\ndocument = 'METHODS.md'\n\
                neutral = 'neutral.rs'\n";
    Rules::parse(&format!("{base}{more}")).unwrap_or_else(|error| panic!("{error}"))
}

#[cfg(test)]
mod tests {
    use super::tree::tree;
    use super::*;

    #[test]
    fn an_exception_allows_its_file_and_must_be_needed() {
        let rules = rules(
            "[[game-word]]\nfile = 'x.rs'\nreason = 'old'\n[[game-word]]\nfile = 'y.rs'\nreason = ''\n",
        );
        let left = rules
            .except(vec![Breach::new("x.rs", 1, "", ""), Breach::new("z.rs", 1, "", "")], &rules.game_word);
        let files: Vec<(&str, usize)> =
            left.iter().map(|breach| (breach.file.as_str(), breach.line)).collect();
        assert_eq!(files, [(RULES, 14), ("z.rs", 1)]);
        assert!(left[0].actual.contains("y.rs"));
        let unreasoned = Rules::check(&tree(&[]), &rules);
        assert_eq!(unreasoned.len(), 1);
        assert_eq!((unreasoned[0].line, rules.exceptions()), (14, 2));
    }
}
