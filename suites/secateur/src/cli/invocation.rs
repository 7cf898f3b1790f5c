//! By which name the program was called: the same commands are `cargo xtask` in a checkout and `secateur` where they are
//! installed, and help, errors and advice name them as they can be typed.
//!
//! Texts are written for `cargo xtask` everywhere and turned here, where they are printed. Left out: files. A record or a
//! document says the same whoever made it.

use std::borrow::Cow;
use std::sync::OnceLock;

/// A name of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invocation {
    /// `cargo xtask`, in a checkout.
    Cargo,
    /// `secateur`, installed.
    Installed,
}

static INVOCATION: OnceLock<Invocation> = OnceLock::new();

/// What texts call the program.
const WRITTEN: &str = "cargo xtask";
/// What it is called where it is installed.
pub const INSTALLED: &str = "secateur";
/// Keeps the name for as long as the program runs.
pub fn enter(invocation: Invocation) {
    // Nobody comes in twice.
    let _ = INVOCATION.set(invocation);
}

pub fn invocation() -> Invocation {
    INVOCATION.get().copied().unwrap_or(Invocation::Cargo)
}

/// The words that call the program.
pub fn words() -> Vec<String> {
    match invocation() {
        Invocation::Cargo => WRITTEN.split(' ').map(str::to_owned).collect(),
        Invocation::Installed => vec![INSTALLED.to_owned()],
    }
}

/// A text as this program may print it.
pub fn named(text: &str) -> Cow<'_, str> {
    turned(text, invocation())
}

pub fn turned(text: &str, invocation: Invocation) -> Cow<'_, str> {
    match invocation {
        Invocation::Installed if text.contains(WRITTEN) => Cow::Owned(text.replace(WRITTEN, INSTALLED)),
        _ => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_can_be_typed() {
        let text = "go on with: cargo xtask bench --resume x";
        assert_eq!(turned(text, Invocation::Cargo), text);
        assert_eq!(turned(text, Invocation::Installed), "go on with: secateur bench --resume x");
    }
}
