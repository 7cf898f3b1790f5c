//! Position sets as data with provenance.
//!
//! A [`Set`] is a list of positions with stable names, read from a file of positions or games or built in; what a run
//! searched is named by the set's hash. This crate reads and checks; it never searches, so sampling new sets
//! lives with the suites. Every function that needs rules takes the game as an argument.

pub mod builtin;
pub mod duplicates;
pub mod epd;
pub mod error;
mod games;
mod heap;
pub mod import;
pub mod load;
pub mod obf;
pub mod pgn;
pub mod set;
pub mod text;
pub mod wthor;

pub use builtin::{
    Index, Listing, builtin, builtins, game_of, list, listing, loaded, names, resolve, resolve_as,
};
pub use duplicates::{Report, check, check_as};
pub use error::{Error, Fault, Result};
pub use load::{Kind, Loaded, Reading, file, parse, parse_as};
pub use secateur_base::{Fnv, hash, nearest};
pub use set::{Entry, Operation, Provenance, Set, Tally, content_hash};
