//! The engine for programs that speak UCI, or USI for shogi: any graphical board, match runner or analysis tool.
//!
//! The first line says which: `usi` begins a session of shogi, anything else one of chess (`dialect` is all that differs).
//! Three threads: one reads lines, one understands them (`session`), one searches (`worker`; a single search is in `think`,
//! one for a mate in `mate`), so that `stop`, `isready` and `quit` are answered while a search goes on. Settings are derived from the parameters themselves
//! (`settings`), so that a new method or parameter is an option here without a line of code. Left out: Chess960,
//! which is refused, a book, and in USI `go mate` (no proof by checks with drops is looked for) and declared wins.
//!
//! Sources of the protocols: Kahlen & Meyer-Kahlen, Description of the universal chess interface, 2006; Romstad, The Universal Shogi
//! Interface, 2007, with the byoyomi of Shogidokoro.

mod bench;
pub(crate) mod command;
mod dialect;
mod info;
mod mate;
mod output;
mod session;
mod settings;
mod think;
pub(crate) mod time;
mod worker;

#[cfg(test)]
mod tests;

pub use bench::BENCH_DEPTH;
pub use session::{bench, serve};
pub use settings::{FULL_STRENGTH, FullStrength};
pub use time::wall;

/// Why the engine cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum UciError {
    /// The settings of full strength cannot be set up with the numbers of this build.
    #[error("{0}")]
    UciSettings(String),
    /// A thread could not be started.
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    /// Nobody reads what is written.
    #[error("cannot write: {0}")]
    Output(std::io::Error),
}
