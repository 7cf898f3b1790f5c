//! A site: one place in a search that prunes, reduces or extends, with what is known of it.

use std::collections::BTreeMap;
use std::ops::Range;

/// What a site does where its condition is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Leaves the node.
    Return,
    /// Skips a move, or the rest of them.
    Skip,
    /// Sets a variable that makes later moves be skipped.
    Flag,
    /// Assigns such a variable an expression, without an `if`.
    FlagValue,
    /// Changes a depth, a reduction or an extension.
    Depth,
    /// One term of a reduction or an extension.
    Term,
    /// One alternative of an expression (`||`, `max`) that makes an extension.
    Extension,
    /// Chooses between two depths: `c ? r : 0`, `if c { r } else { 0 }`.
    Choice,
    /// Assigns a reduction that nothing makes conditional.
    Reduction,
    /// Leads to a search, or to other sites.
    Gate,
    /// A branch of a `switch` or a `match` that leaves the node.
    Case,
    /// Jumps past other sites.
    Jump,
}

impl Kind {
    /// As rules and reports call it.
    pub const fn name(self) -> &'static str {
        Kind::ALL[self as usize].1
    }

    /// All kinds with their names, in the order of their declaration.
    pub const ALL: [(Kind, &str); 12] = [
        (Kind::Return, "return"),
        (Kind::Skip, "skip"),
        (Kind::Flag, "flag"),
        (Kind::FlagValue, "flag-value"),
        (Kind::Depth, "depth"),
        (Kind::Term, "term"),
        (Kind::Extension, "extension"),
        (Kind::Choice, "choice"),
        (Kind::Reduction, "reduction"),
        (Kind::Gate, "gate"),
        (Kind::Case, "case"),
        (Kind::Jump, "jump"),
    ];
}

/// How sure a name is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confidence {
    /// The shape of the code says so, a comment or a name says so too, nothing speaks for another method, and this is its only site. In
    /// three trials of programs not seen before, nearly all wrong switches lacked one of these.
    Sure,
    /// The evidence suffices; the user should look.
    Likely,
    /// The evidence for these methods is about the same, the first proposed: the user has to choose.
    OneOf(Vec<String>),
}

/// What a survey makes of a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// A switch of this method.
    Method {
        /// Its name in the vocabulary of the rules.
        name: String,
        /// How sure that is.
        confidence: Confidence,
    },
    /// Within a site of a method, and part of it: it has a switch of its own, and no method's switch needs it.
    Part {
        /// The method, if a name is known.
        method: Option<String>,
    },
    /// It prunes, reduces or extends, and no method is known for it: it has a switch of its own.
    Unnamed,
    /// A condition around sites of these methods, or around the search itself: no switch.
    Holds(Vec<String>),
    /// What must stay: rules of the game, limits, the search itself.
    Never {
        /// Why.
        reason: String,
    },
}

/// One place in a search.
#[derive(Clone, Debug)]
pub struct Site {
    /// Its position in [`Survey::sites`].
    pub id: usize,
    /// What it is known by when the source changes: file, function, a hash of its condition, and a number where these are equal.
    pub key: String,
    /// The path of its file.
    pub file: String,
    /// Its line, from 1.
    pub line: usize,
    /// Its column in bytes, from 1.
    pub column: usize,
    /// The function that it is in.
    pub function: String,
    /// What it does.
    pub kind: Kind,
    /// The text of its condition or term, without comments, blanks drawn together.
    pub condition: String,
    /// What it is held to be.
    pub finding: Finding,
    /// What speaks for that, the strongest first.
    pub evidence: Vec<String>,
    /// What a reader should know before using its switch, such as an `else` that runs when the site is off.
    pub notes: Vec<String>,
    /// The next site around it.
    pub parent: Option<usize>,
    pub(crate) place: Place,
}

impl Site {
    /// The method whose switch this is.
    pub fn method(&self) -> Option<&str> {
        match &self.finding {
            Finding::Method { name, .. } => Some(name),
            _ => None,
        }
    }

    /// Whether it can have a switch at all.
    pub fn is_switchable(&self) -> bool {
        matches!(self.finding, Finding::Method { .. } | Finding::Part { .. } | Finding::Unnamed)
    }
}

/// A function that searches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchFunction {
    /// The path of its file.
    pub file: String,
    /// Its line, from 1.
    pub line: usize,
    /// Its name, without its class.
    pub name: String,
    /// Whether it is the quiescence that searches end in.
    pub quiescence: bool,
}

/// What was found in a source.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// The functions that search.
    pub functions: Vec<SearchFunction>,
    /// The sites, by file and line.
    pub sites: Vec<Site>,
    /// What a reader should know: files that were left out, places that could not be parsed.
    pub warnings: Vec<String>,
    /// The names of methods in the order of their bits.
    pub(crate) order: Vec<String>,
    /// Where files take what the runtime needs, by path.
    pub(crate) layouts: BTreeMap<String, Layout>,
}

impl Survey {
    /// The sites of each method, by its name.
    pub fn methods(&self) -> BTreeMap<&str, Vec<&Site>> {
        let mut methods = BTreeMap::<_, Vec<_>>::new();
        for site in &self.sites {
            if let Some(name) = site.method() {
                methods.entry(name).or_default().push(site);
            }
        }
        methods
    }
}

/// Where a site's switch goes, in bytes of its file. All that the rewriting needs of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A condition `C`: `on && (C) && hit`.
    Condition {
        /// Of `C`.
        span: Range<usize>,
        /// Whether `C` has to stand in brackets as an operand of `&&`.
        brackets: bool,
        /// Whether `C` does something besides answering, which must happen too when the site is off: `(C) && on && hit`.
        first: bool,
    },
    /// A statement or block, where the condition before it cannot be wrapped: `if (on && hit) S`.
    Body {
        /// Of `S`.
        span: Range<usize>,
        /// Whether `S` is a block.
        block: bool,
    },
    /// What `if let Some(x) = E` asks, where the condition cannot be wrapped: `(E).filter(|_| on && hit)`.
    Option {
        /// Of `E`.
        span: Range<usize>,
    },
    /// A condition whose alternative is to be taken when the site is off: `(!on || (C))`.
    Otherwise {
        /// Of the condition.
        span: Range<usize>,
    },
    /// A value `E`: `(on && hit ? (E) : neutral)`.
    Value {
        /// Of `E`.
        span: Range<usize>,
        /// What stands for it when the site is off.
        neutral: &'static str,
    },
    /// In front of the statements of a `case`: `if (!(on && hit)) break;`.
    Case {
        /// The place.
        at: usize,
    },
    /// Behind the pattern of an arm of `match`: `if on && hit`.
    Guard {
        /// The end of the pattern.
        at: usize,
    },
    /// A switch is not possible.
    None {
        /// Why.
        reason: &'static str,
    },
}

/// Where a file takes what the runtime needs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    /// Where an `#include` goes, in bytes.
    pub(crate) include_at: usize,
    /// Of Rust: the paths of the roots of the crates that it is part of.
    pub(crate) crate_roots: Vec<String>,
}
