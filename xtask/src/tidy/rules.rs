//! The data of the rules, and exceptions: places where a rule does not hold for now, each with a reason.

use super::Breach;
use super::tree::Tree;
use serde::Deserialize;
use toml::Spanned;

/// Where layers and exceptions stand.
pub(super) const RULES: &str = "xtask/data/tidy.toml";
/// The folder with a package of every game.
const GAMES: &str = "core/games/";
/// Stands for the name of any game.
const GAME: &str = "{game}";

/// What `tidy.toml` says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Rules {
    /// Packages from the bottom to the top. Each may need those below it, none next to or above it. `{game}` is any game.
    pub(super) layers: Vec<Vec<Spanned<String>>>,
    pub(super) methods: Methods,
    pub(super) games: Games,
    #[serde(default)]
    pub(super) must_not: Vec<MustNot>,
    #[serde(default)]
    pub(super) game_word: Vec<Exception>,
    #[serde(default)]
    pub(super) circle: Vec<Circle>,
    #[serde(skip)]
    text: String,
}

/// Where the parts of a method stand. `{method}` is its name, `{field}` that of its parameters.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Methods {
    pub(super) table: String,
    pub(super) file: String,
    pub(super) document: String,
    pub(super) neutral: String,
}

/// What there is to know of games in generic code.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Games {
    /// In lower case: the packages in [`GAMES`], unless a test says otherwise.
    #[serde(default)]
    pub(super) names: Vec<String>,
    /// Files and folders that belong to one game. `{game}` is its name.
    pub(super) own: Vec<String>,
}

/// What the code of a package must not name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct MustNot {
    /// Folders, each with `/` at its end. `{game}` is any game.
    pub(super) folders: Vec<Spanned<String>>,
    /// The rule in words: "do no IO".
    pub(super) rule: String,
    /// Paths or parts of paths, `std::fs`; a macro with `!`.
    pub(super) paths: Vec<String>,
    #[serde(default)]
    pub(super) except: Vec<Exception>,
}

/// A file that need not keep a rule.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Exception {
    pub(super) file: Spanned<String>,
    pub(super) reason: String,
}

/// Modules of a package that may import each other in a circle.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Circle {
    pub(super) package: Spanned<String>,
    pub(super) modules: Vec<String>,
    pub(super) reason: String,
}

impl Rules {
    /// Reads `tidy.toml`.
    ///
    /// # Errors
    /// Where it is not as it should be.
    pub(super) fn parse(text: &str) -> Result<Rules, toml::de::Error> {
        toml::from_str(text).map(|rules| Rules { text: text.to_owned(), ..rules })
    }

    /// The same rules with the games that are there: a new one is a folder, and no line here.
    pub(super) fn with_games_of(mut self, tree: &Tree) -> Rules {
        let packages =
            tree.texts().filter_map(|(path, _)| path.strip_prefix(GAMES)?.strip_suffix("/Cargo.toml"));
        self.games.names = packages.map(str::to_owned).collect();
        self
    }

    /// What `listed` stands for: itself, or one of each game.
    pub(super) fn each(&self, listed: &str) -> Vec<String> {
        if !listed.contains(GAME) {
            return vec![listed.to_owned()];
        }
        self.games.names.iter().map(|game| listed.replace(GAME, game)).collect()
    }

    /// A breach by the data itself, at `at`.
    pub(super) fn breach(&self, at: &Spanned<String>, actual: &str, expected: &str) -> Breach {
        let line = self.text[..at.span().start].matches('\n').count() + 1;
        Breach::new(RULES, line, actual, expected)
    }

    /// The breaches that no exception allows, and the exceptions that allow nothing.
    pub(super) fn except(&self, all: Vec<Breach>, exceptions: &[Exception]) -> Vec<Breach> {
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
    pub(super) fn exceptions(&self) -> usize {
        self.reasons().len()
    }

    /// Every exception has a reason.
    pub(super) fn check(_: &Tree, rules: &Rules) -> Vec<Breach> {
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
pub(super) fn rules(more: &str) -> Rules {
    let base = "layers = [['a'], ['b', 'c'], ['d']]\n[games]\nnames = ['go']\nown = ['a/src/{game}/', 'a/src/{game}.rs']\n\
                [methods]\ntable = 'methods.rs'\nfile = 'prune/{field}.rs'\ndocument = 'METHODS.md'\n\
                neutral = 'neutral.rs'\n";
    Rules::parse(&format!("{base}{more}")).unwrap_or_else(|error| panic!("{error}"))
}

#[cfg(test)]
mod tests {
    use super::super::tree::tree;
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
