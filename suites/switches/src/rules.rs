//! The rules: words, methods and what facts say of a site, read from `data/rules.toml`. That file explains its forms.

use std::collections::{BTreeMap, BTreeSet};

use regex_lite::Regex;
use serde::Deserialize;

use crate::site::Kind;

/// The facts that are no kind, action, word or text.
pub(crate) const FACTS: &[&str] = &[
    "direct:return",
    "direct:skip",
    "direct:flag",
    "direct:depth",
    "direct:goto",
    "deep:return",
    "deep:skip",
    "deep:depth",
    "deep:search",
    // Where it is.
    "in-loop",
    "in-quiescence",
    "in-picker",
    "in-helper",
    "within-root",
    "behind-loop",
    "behind-last-search",
    "before-searches",
    "loop-searches",
    "collects-moves",
    "holds-main-loop",
    "else-of-lmr",
    // What its condition asks.
    "one-conjunct",
    "few-conjuncts",
    "table",
    "table-twice",
    "value-beside-table",
    "margin-beside-table",
    "condition-searches",
    "asks-picked-move",
    "asks-first-move",
    "root-conjunct",
    "depth-only",
    "horizon",
    "no-moves-left",
    "score-compared",
    "table-move",
    "no-table-move",
    "count-compared",
    "alpha-and-more",
    "only-uses-reduction",
    "asks-score",
    "check-conjunct",
    "one-reply",
    "score-of-move",
    "reduction-tested",
    "mates-before",
    // What its body does.
    "only-returns",
    "only-skips",
    "searches",
    "searches-itself",
    "searches-itself-directly",
    "searches-null-window",
    "makes-null-move",
    "any-null-move",
    "loop-of-searches",
    "any-loop-of-searches",
    "counts-cuts",
    "holds-draws",
    "excludes",
    "excludes-directly",
    "calls-singular",
    "reduces",
    "reduced-search",
    "sets-reduction",
    "else-constant",
    "less-depth",
    "more-depth",
    "ply-apart",
    "clamps",
    "adds-up",
    "narrows-window",
    "may-reduce",
    // What else is said.
    "flag-named",
    "headline-names-method",
    "shaped-lmr",
];

/// Why a file of rules cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RulesError {
    /// It is no TOML, or not of this form.
    #[error("rules: {0}")]
    Form(String),
    /// A pattern that is none.
    #[error("rules: {at}: {pattern:?} is no pattern: {why}")]
    Pattern {
        /// The rule.
        at: String,
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        why: String,
    },
    /// A fact that nothing establishes.
    #[error("rules: {at}: no fact is called {fact:?}")]
    Fact {
        /// The rule.
        at: String,
        /// The fact.
        fact: String,
    },
    /// A method that the vocabulary does not have.
    #[error("rules: {at}: no [[method]] is called {method:?}")]
    Method {
        /// The rule.
        at: String,
        /// The method.
        method: String,
    },
}

/// The rules that name sites.
#[derive(Debug)]
pub struct Rules {
    /// Files longer than this are left out, bytes.
    pub longest_file: usize,
    /// Folders that hold no search of the program: tests, tools, networks, tablebases. In small letters.
    pub skipped_folders: BTreeSet<String>,
    words: BTreeMap<String, Word>,
    pub(crate) texts: Vec<TextFact>,
    pub(crate) methods: Vec<MethodRule>,
    pub(crate) never: Vec<Never>,
    pub(crate) shapes: Vec<Shape>,
}

/// Identifiers that mean one thing, compared in small letters without underscores.
#[derive(Debug)]
pub(crate) struct Word {
    is: Regex,
    not: Option<Regex>,
}

impl Word {
    pub(crate) fn fits(&self, flat: &str) -> bool {
        self.is.is_match(flat) && !self.not.as_ref().is_some_and(|not| not.is_match(flat))
    }

    /// Where in a text that fits it is named first, in bytes.
    pub(crate) fn place_in(&self, text: &str) -> Option<usize> {
        self.is.find(text).filter(|_| self.fits(text)).map(|named| named.start())
    }
}

/// What a text fact looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Of {
    /// The whole condition.
    Condition,
    /// Any of its operands of `&&`.
    Conjunct,
    /// What a direct `return` returns.
    Returned,
    /// The first sentence of the comment above.
    Headline,
    /// All that comments say.
    Comment,
    /// The name of the variable that is assigned.
    Target,
    /// The name of the function that the site is in.
    Function,
}

/// A fact that a text fits a pattern.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TextFact<W = Word> {
    pub(crate) fact: String,
    pub(crate) of: Of,
    pub(crate) is: W,
}

/// A list of terms that must all hold, each of alternatives of which one must: `["kind:gate|kind:return", "!in-loop"]`.
#[derive(Debug, Default)]
pub(crate) struct When(Vec<Vec<(bool, String)>>);

impl When {
    pub(crate) fn holds(&self, facts: &BTreeSet<String>) -> bool {
        self.0.iter().all(|term| term.iter().any(|(wanted, fact)| facts.contains(fact) == *wanted))
    }
}

/// A method of the vocabulary.
#[derive(Debug)]
pub(crate) struct MethodRule {
    pub(crate) name: String,
    /// What it is called in quiescence.
    pub(crate) quiescence: String,
    pub(crate) comment: Option<Word>,
    pub(crate) identifier: Option<Word>,
    /// What its sites must be whatever words say.
    pub(crate) fits: When,
    /// Whether it searches more, not less.
    pub(crate) extends: bool,
}

/// What must never be switched.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Never<W = When> {
    pub(crate) because: String,
    pub(crate) when: W,
    /// Within a site of a method whose search this judges it is part of that method.
    #[serde(default)]
    pub(crate) part_within: bool,
    /// It only holds other sites.
    #[serde(default)]
    pub(crate) holds: bool,
}

/// What the shape of the code says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Shape<W = When> {
    pub(crate) method: String,
    pub(crate) points: f64,
    pub(crate) because: String,
    pub(crate) when: W,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    longest_file: usize,
    skipped_folders: BTreeSet<String>,
    words: BTreeMap<String, Pattern>,
    text: Vec<TextFact<Pattern>>,
    method: Vec<MethodRow>,
    never: Vec<Never<Vec<String>>>,
    shape: Vec<Shape<Vec<String>>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Pattern {
    Plain(String),
    Except { is: String, not: String },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MethodRow {
    name: String,
    quiescence: Option<String>,
    comment: Option<Pattern>,
    identifier: Option<Pattern>,
    #[serde(default)]
    fits: Vec<String>,
    #[serde(default)]
    extends: bool,
}

impl Rules {
    /// The rules that come with this library.
    ///
    /// # Panics
    /// Never: a test reads them.
    #[must_use]
    pub fn standard() -> Rules {
        Rules::from_toml(include_str!("../data/rules.toml"))
            .expect("the rules of this library are read by its tests")
    }

    /// Rules of one's own.
    ///
    /// # Errors
    /// Where the text is not of the form, or a rule names a pattern, fact or method that is none.
    pub fn from_toml(text: &str) -> Result<Rules, RulesError> {
        let file: File = toml::from_str(text)
            .map_err(|error| RulesError::Form(error.to_string().trim_end().to_owned()))?;
        let words =
            file.words.iter().map(|(name, row)| Ok((name.clone(), word(&format!("words.{name}"), row, "")?)));
        let words = words.collect::<Result<BTreeMap<_, _>, _>>()?;
        let texts = file.text.into_iter().map(|row| {
            Ok(TextFact {
                is: word(&format!("text {}", row.fact), &row.is, "")?,
                of: row.of,
                fact: format!("text:{}", row.fact),
            })
        });
        let texts = texts.collect::<Result<Vec<_>, _>>()?;
        let vocabulary = Known {
            words: &words,
            texts: &texts,
            methods: file.method.iter().map(|row| row.name.as_str()).collect(),
        };
        let never = file.never.into_iter().map(|row| {
            let when = vocabulary.when(&format!("never \"{}\"", row.because), &row.when)?;
            Ok(Never { when, because: row.because, part_within: row.part_within, holds: row.holds })
        });
        let never = never.collect::<Result<Vec<_>, RulesError>>()?;
        let shapes = file.shape.into_iter().map(|row| {
            let at = format!("shape \"{}\"", row.because);
            if !vocabulary.methods.contains(row.method.as_str()) {
                return Err(RulesError::Method { at, method: row.method });
            }
            let when = vocabulary.when(&at, &row.when)?;
            Ok(Shape { when, method: row.method, points: row.points, because: row.because })
        });
        let shapes = shapes.collect::<Result<Vec<_>, _>>()?;
        let methods = file.method.iter().map(|row| {
            let at = format!("method {}", row.name);
            let pattern =
                |row: &Option<Pattern>, flags| row.as_ref().map(|row| word(&at, row, flags)).transpose();
            Ok(MethodRule {
                name: row.name.clone(),
                quiescence: row.quiescence.clone().unwrap_or_else(|| row.name.clone()),
                comment: pattern(&row.comment, "(?i)")?,
                identifier: pattern(&row.identifier, "")?,
                fits: vocabulary.when(&at, &row.fits)?,
                extends: row.extends,
            })
        });
        let methods = methods.collect::<Result<Vec<_>, RulesError>>()?;
        let (longest_file, skipped_folders) = (file.longest_file, file.skipped_folders);
        Ok(Rules { longest_file, skipped_folders, words, texts, methods, never, shapes })
    }

    /// The names of all methods, in the order of their bits.
    pub fn methods(&self) -> impl Iterator<Item = &str> {
        let quiescence = self
            .methods
            .iter()
            .filter(|method| method.quiescence != method.name)
            .map(|method| method.quiescence.as_str());
        self.methods.iter().map(|method| method.name.as_str()).chain(quiescence)
    }

    /// Whether a method of this name searches more than the search without it does.
    #[must_use]
    pub fn extends(&self, method: &str) -> bool {
        self.methods.iter().any(|rule| rule.extends && rule.name == method)
    }

    /// The names of the classes of words that an identifier (in small letters without underscores) is in.
    pub(crate) fn classes_of<'a>(&'a self, flat: &str) -> Vec<&'a str> {
        self.words.iter().filter(|(_, word)| word.fits(flat)).map(|(name, _)| name.as_str()).collect()
    }
}

/// What rules may name.
struct Known<'a> {
    words: &'a BTreeMap<String, Word>,
    texts: &'a [TextFact],
    methods: BTreeSet<&'a str>,
}

impl Known<'_> {
    fn when(&self, at: &str, terms: &[String]) -> Result<When, RulesError> {
        let fact = |alternative: &str| {
            let (wanted, fact) =
                alternative.strip_prefix('!').map_or((true, alternative), |fact| (false, fact));
            let exists = match fact.split_once(':') {
                Some(("condition" | "calls" | "body" | "changes" | "target" | "value", word)) => {
                    self.words.contains_key(word)
                }
                Some(("within", method)) => self.methods.contains(method),
                Some(("kind", kind)) => Kind::ALL.iter().any(|(_, name)| *name == kind),
                Some(("text", _)) => self.texts.iter().any(|text| text.fact == fact),
                _ => FACTS.contains(&fact),
            };
            if exists {
                Ok((wanted, fact.to_owned()))
            } else {
                Err(RulesError::Fact { at: at.to_owned(), fact: fact.to_owned() })
            }
        };
        terms.iter().map(|term| term.split('|').map(fact).collect()).collect::<Result<_, _>>().map(When)
    }
}

fn word(at: &str, row: &Pattern, flags: &str) -> Result<Word, RulesError> {
    let (is, not) = match row {
        Pattern::Plain(is) => (is, None),
        Pattern::Except { is, not } => (is, Some(not)),
    };
    let pattern = |text: &String| {
        Regex::new(&format!("{flags}{text}")).map_err(|error| RulesError::Pattern {
            at: at.to_owned(),
            pattern: text.clone(),
            why: error.to_string(),
        })
    };
    Ok(Word { is: pattern(is)?, not: not.map(pattern).transpose()? })
}
