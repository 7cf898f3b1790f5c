//! A program of somebody else that searches, as a child process that speaks one of several protocols.
//!
//! Nothing that such a program does may stop a run: it may hang, die, flood, or talk nonsense, and each of
//! these is an [`EngineError`] of its own kind, within the patience that the caller gives. What a protocol has no words for
//! is known before anything is searched ([`Abilities`]); what a program makes of it is found out once ([`Probe`]). Whether a
//! move is legal is not asked here: only the caller has the rules at hand. Pondering and analysis of several lines
//! are left out.

mod cecp;
mod client;
mod cpu;
mod discs;
mod edax;
mod engine;
mod error;
mod gtp;
mod nboard;
pub mod number;
mod observed;
mod options;
mod probe;
mod process;
mod protocol;
mod recognise;
#[cfg(test)]
mod tests;
mod uci;
mod usi;

pub use engine::Engine;
pub use error::{EngineError, Fault, ends_with};
pub use observed::{Act, Answer, Bound, Count, EngineScore, Info, is_move_text};
pub use options::{Choice, Kind, Yielded};
pub use probe::{Outcome, Probe, Repeats, Trial};
pub use process::{call, find, folders, kill_group, own_group};
pub use protocol::{Abilities, Ask, Go, Notation, Protocol, Says};
pub use recognise::{Recognised, recognise};
pub use uci::{commands, replayed};

use std::path::PathBuf;

/// How to start an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spec {
    /// What messages and tables call it.
    pub name: String,
    /// What it speaks.
    pub protocol: Protocol,
    /// Program: a path, with blanks or without, or a bare name that [`find`] looks for.
    pub command: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// The folder that it is started in, if not in that of this program: where it looks for its files.
    pub folder: Option<PathBuf>,
    /// Variables of its environment besides those of this program.
    pub env: Vec<(String, String)>,
    /// Options by name (case does not matter) and value, set in this order.
    pub options: Vec<(String, String)>,
    /// Whether somebody asked for the table that it gets: then an engine that does not take it is refused.
    pub table_is_asked: bool,
}

/// What every engine gets, as far as it has the option: one thread, this table, no book, no thinking while others think, and a
/// line for every depth, however soon it comes after the last: by the clock, engines of the family of YaneuraOu leave lines out.
pub fn manners(hash_mib: usize) -> Vec<(String, String)> {
    let hash = hash_mib.to_string();
    [
        ("Hash", hash.as_str()),
        ("USI_Hash", hash.as_str()),
        ("Threads", "1"),
        ("Number of Threads", "1"),
        ("OwnBook", "false"),
        ("USI_OwnBook", "false"),
        ("Ponder", "false"),
        ("USI_Ponder", "false"),
        ("MultiPV", "1"),
        ("USI_MultiPV", "1"),
        ("PvInterval", "0"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .to_vec()
}
