//! The engine for programs that speak UCI, or USI for shogi: any graphical board, match runner or analysis tool.
//!
//! The first line says which: `usi` begins a session of shogi, anything else one of chess (`Dialect` is all that differs).
//! Three threads: one reads lines, one understands them (`session`), one searches (`worker`),
//! so that `stop`, `isready` and `quit` are answered while a search goes on. Settings are derived from the parameters themselves
//! (`settings`), so that a new method or parameter is an option here without a line of code. Left out: Chess960,
//! which is refused, a book, and in USI `go mate` (no proof by checks with drops is looked for) and declared wins.
//!
//! Sources of the protocols: Kahlen & Meyer-Kahlen, Description of the universal chess interface, 2006; Romstad, The Universal Shogi
//! Interface, 2007, with the byoyomi of Shogidokoro.

pub(crate) mod command;
mod output;
mod session;
mod settings;
pub(crate) mod time;
mod worker;

#[cfg(test)]
mod tests;

pub use session::{bench, serve};
pub use settings::{FULL_STRENGTH, FullStrength};
pub use time::wall;
pub use worker::BENCH_DEPTH;

use secateur_core::Game;
use secateur_games::chess::Chess;
use secateur_games::shogi::Shogi;
use std::borrow::Cow;

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

/// A game that a session can be about, with what differs between the two protocols. USI is UCI with other greetings, SFEN for FEN, black
/// before white, and mates counted in plies.
trait Dialect: Game + Default + Send + 'static {
    /// What the engine begins with.
    const FULL: FullStrength;
    /// The last word of the greeting.
    const OK: &'static str;
    /// What stands for a move where there is none.
    const NO_MOVE: &'static str;
    /// The answer to `go mate`, if none is looked for.
    const REFUSES_MATE: Option<&'static str>;
    /// Set and depth of the fixed piece of work.
    const BENCH: (&'static str, i32);

    /// The clock of a side, of which White's is the first.
    fn colour(side: usize) -> usize;

    /// The length of a mate of so many plies, as it is said.
    fn mate(plies: i32, won: bool) -> i32;

    /// A position as the game reads it.
    fn whole(text: &str) -> Cow<'_, str>;
}

impl Dialect for Chess {
    const FULL: FullStrength = FULL_STRENGTH;
    const OK: &'static str = "uciok";
    const NO_MOVE: &'static str = "0000";
    const REFUSES_MATE: Option<&'static str> = None;
    const BENCH: (&'static str, i32) = ("bratko-kopec", BENCH_DEPTH);

    fn colour(side: usize) -> usize {
        side
    }

    /// In moves: who mates has the last ply.
    fn mate(plies: i32, won: bool) -> i32 {
        (plies + i32::from(won)) / 2
    }

    /// Users leave out the number of the move, and send positions in which a draw could be claimed: those are searched as one move
    /// before that, because a move is what is asked for.
    fn whole(fen: &str) -> Cow<'_, str> {
        let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
        let Some(clock) = fields.get(4).and_then(|clock| clock.parse::<u32>().ok()) else {
            return Cow::Borrowed(fen);
        };
        match fields.len() {
            6 if clock < CLAIMED => Cow::Borrowed(fen),
            5 | 6 => {
                let number = fields.get(5).copied().unwrap_or("1");
                Cow::Owned(format!("{} {} {number}", fields[..4].join(" "), clock.min(CLAIMED - 1)))
            }
            _ => Cow::Borrowed(fen),
        }
    }
}

impl Dialect for Shogi {
    // Two methods that keep nearly all moves of full width; no set was tuned for games.
    const FULL: FullStrength = FullStrength { params: "", methods: "null-move+lmr" };
    const OK: &'static str = "usiok";
    const NO_MOVE: &'static str = "resign";
    const REFUSES_MATE: Option<&'static str> = Some("checkmate notimplemented");
    const BENCH: (&'static str, i32) = ("shogi-test", 3);

    /// Black is the first side.
    fn colour(side: usize) -> usize {
        1 - side
    }

    fn mate(plies: i32, _: bool) -> i32 {
        plies
    }

    fn whole(text: &str) -> Cow<'_, str> {
        Cow::Borrowed(text)
    }
}

/// Half-moves without a capture or a pawn's move after which a draw can be claimed.
const CLAIMED: u32 = 100;
