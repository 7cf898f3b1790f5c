//! By which name the program was called: the same verbs are `secateur` where they are installed and `cargo xtask` in a
//! checkout, and help, errors and advice name them as they can be typed.
//!
//! Left out: files. A record or a document says the same by either name.

use std::sync::{Mutex, PoisonError};

/// The installed program, and every program that uses the library.
pub const INSTALLED: &str = "secateur";

static NAME: Mutex<&str> = Mutex::new(INSTALLED);

/// Has texts name the program so from now on: what a program begins with.
pub fn call(name: &'static str) {
    *NAME.lock().unwrap_or_else(PoisonError::into_inner) = name;
}

/// The words that call the program.
pub fn name() -> &'static str {
    *NAME.lock().unwrap_or_else(PoisonError::into_inner)
}
