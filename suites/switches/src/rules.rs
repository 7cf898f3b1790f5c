//! The rules: words, methods and what facts say of a site, read from `data/rules.toml`. That file explains its forms.

use std::collections::{BTreeMap, BTreeSet};

use regex_lite::Regex;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::site::Kind;

/// Whether a fact that is no kind, word or text has this name.
pub(crate) fn is_fact(name: &str) -> bool {
    include_str!("../data/facts.txt").lines().any(|line| line == name)
}

/// Why a file of rules cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RulesError {
    /// It is no TOML, not of this form, or has a pattern that is none.
    #[error("rules: {0}")]
    Form(String),
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
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Files longer than this are left out, bytes.
    pub longest_file: usize,
    /// Folders that hold no search of the program: tests, tools, networks, tablebases. In small letters.
    pub skipped_folders: BTreeSet<String>,
    words: BTreeMap<String, Word>,
    #[serde(rename = "text")]
    pub(crate) texts: Vec<TextFact>,
    #[serde(rename = "method")]
    pub(crate) methods: Vec<MethodRule>,
    pub(crate) never: Vec<Never>,
    #[serde(rename = "shape")]
    pub(crate) shapes: Vec<Shape>,
}

/// A pattern as it is written.
#[derive(Deserialize)]
#[serde(untagged)]
enum Pattern {
    Plain(String),
    Except { is: String, not: String },
}

/// Identifiers that mean one thing, compared in small letters without underscores.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Pattern")]
pub(crate) struct Word {
    is: Regex,
    not: Option<Regex>,
}

impl TryFrom<Pattern> for Word {
    type Error = String;
    fn try_from(pattern: Pattern) -> Result<Word, String> {
        Word::with_flags(pattern, "")
    }
}

impl Word {
    fn with_flags(pattern: Pattern, flags: &str) -> Result<Word, String> {
        let (is, not) = match pattern {
            Pattern::Plain(is) => (is, None),
            Pattern::Except { is, not } => (is, Some(not)),
        };
        let read = |text: String| {
            let pattern = Regex::new(&format!("{flags}{text}"));
            pattern.map_err(|error| format!("{text:?} is no pattern: {error}"))
        };
        Ok(Word { is: read(is)?, not: not.map(read).transpose()? })
    }

    /// One that reads large letters as small ones.
    fn in_any_case<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Option<Word>, D::Error> {
        let pattern = Option::<Pattern>::deserialize(deserializer)?;
        pattern.map(|pattern| Word::with_flags(pattern, "(?i)")).transpose().map_err(D::Error::custom)
    }

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
    /// Any of these, without blanks.
    Packed,
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
pub(crate) struct TextFact {
    pub(crate) fact: String,
    pub(crate) of: Of,
    pub(crate) is: Word,
}

/// A list of terms that must all hold, each of alternatives of which one must: `["kind:gate|kind:return", "!in-loop"]`.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "Vec<String>")]
pub(crate) struct When(Vec<Vec<(bool, String)>>);

impl From<Vec<String>> for When {
    fn from(terms: Vec<String>) -> When {
        let fact = |fact: &str| match fact.strip_prefix('!') {
            Some(fact) => (false, fact.to_owned()),
            None => (true, fact.to_owned()),
        };
        When(terms.iter().map(|term| term.split('|').map(fact).collect()).collect())
    }
}

impl When {
    pub(crate) fn holds(&self, facts: &BTreeSet<String>) -> bool {
        self.0.iter().all(|term| term.iter().any(|(wanted, fact)| facts.contains(fact) == *wanted))
    }
}

/// A method of the vocabulary.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MethodRule {
    pub(crate) name: String,
    /// What it is called in quiescence, if that is another name.
    pub(crate) quiescence: Option<String>,
    #[serde(default, deserialize_with = "Word::in_any_case")]
    pub(crate) comment: Option<Word>,
    pub(crate) identifier: Option<Word>,
    /// What its sites must be whatever words say.
    #[serde(default)]
    pub(crate) fits: When,
    /// Whether it searches more, not less.
    #[serde(default)]
    pub(crate) extends: bool,
}

/// What must never be switched.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Never {
    pub(crate) because: String,
    pub(crate) when: When,
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
pub(crate) struct Shape {
    pub(crate) method: String,
    pub(crate) points: f64,
    pub(crate) because: String,
    pub(crate) when: When,
}

impl Rules {
    /// The rules that come with this library.
    ///
    /// # Panics
    /// Never: a test reads them.
    pub fn standard() -> Rules {
        Rules::from_toml(include_str!("../data/rules.toml"))
            .expect("the rules of this library are read by its tests")
    }

    /// Rules of one's own.
    ///
    /// # Errors
    /// Where the text is not of the form, or a rule names a pattern, fact or method that is none.
    pub fn from_toml(text: &str) -> Result<Rules, RulesError> {
        let rules: Rules = toml::from_str(text)
            .map_err(|error| RulesError::Form(error.to_string().trim_end().to_owned()))?;
        let never = rules.never.iter().map(|rule| (format!("never \"{}\"", rule.because), &rule.when));
        let shape = |rule: &Shape| format!("shape \"{}\"", rule.because);
        let shapes = rules.shapes.iter().map(|rule| (shape(rule), &rule.when));
        let methods = rules.methods.iter().map(|rule| (format!("method {}", rule.name), &rule.fits));
        for (at, when) in never.chain(shapes).chain(methods) {
            if let Some((_, fact)) = when.0.iter().flatten().find(|(_, fact)| !rules.has_fact(fact)) {
                return Err(RulesError::Fact { at, fact: fact.clone() });
            }
        }
        if let Some(rule) = rules.shapes.iter().find(|rule| !rules.has_method(&rule.method)) {
            return Err(RulesError::Method { at: shape(rule), method: rule.method.clone() });
        }
        Ok(rules)
    }

    fn has_method(&self, name: &str) -> bool {
        self.methods.iter().any(|method| method.name == name)
    }

    fn has_fact(&self, fact: &str) -> bool {
        match fact.split_once(':') {
            Some(("condition" | "calls" | "body" | "changes" | "target" | "value", word)) => {
                self.words.contains_key(word)
            }
            Some(("within", method)) => self.has_method(method),
            Some(("kind", kind)) => Kind::ALL.iter().any(|(_, name)| *name == kind),
            Some(("text", name)) => self.texts.iter().any(|text| text.fact == name),
            _ => is_fact(fact),
        }
    }

    /// The names of all methods, in the order of their bits.
    pub fn methods(&self) -> impl Iterator<Item = &str> {
        let quiescence = self.methods.iter().filter_map(|method| method.quiescence.as_deref());
        self.methods.iter().map(|method| method.name.as_str()).chain(quiescence)
    }

    /// Whether a method of this name searches more than the search without it does.
    pub fn extends(&self, method: &str) -> bool {
        self.methods.iter().any(|rule| rule.extends && rule.name == method)
    }

    /// The names of the classes of words that an identifier (in small letters without underscores) is in.
    pub(crate) fn classes_of<'a>(&'a self, flat: &str) -> Vec<&'a str> {
        self.words.iter().filter(|(_, word)| word.fits(flat)).map(|(name, _)| name.as_str()).collect()
    }
}
