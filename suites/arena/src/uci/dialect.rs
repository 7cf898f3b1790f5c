//! What differs between the two protocols, and the games that they are for. USI is UCI with other greetings, SFEN for FEN, black before
//! white, and mates counted in plies.

use super::bench::BENCH_DEPTH;
use super::settings::{FULL_STRENGTH, FullStrength};
use secateur_core::Game;
use secateur_games::chess::Chess;
use secateur_games::shogi::Shogi;
use std::borrow::Cow;

/// A game that a session can be about.
pub(super) trait Dialect: Game + Default + Send + 'static {
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
    // Two methods that keep nearly all moves of full width; nobody tuned a set for games.
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
