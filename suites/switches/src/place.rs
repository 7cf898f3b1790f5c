//! Where switches go in a text: what naming hands to rewriting, so that the latter needs no tree.

use std::ops::Range;

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
