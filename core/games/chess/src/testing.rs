//! Positions for tests: random games from varied starts, the same on every machine.

use super::{Chess, Position, START};
use cozy_chess::Move;
use secateur_core::game::{Moves, Rules, random_games};

/// Starts that reach castling, promotion, en passant, pins, checks and endgames soon; the first is the
/// start position, the next five are the perft positions of the Chess Programming Wiki.
pub(super) const FENS: [&str; 12] = [
    START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
    "4k3/8/8/8/8/8/4P3/R3K2R w KQ - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "2r3k1/pp3ppp/4p3/3n4/3P4/2R2N2/PP3PPP/6K1 b - - 0 20",
    "q3k2r/3n1ppp/4p3/8/Q7/4B3/5PPP/R4RK1 b k - 0 20",
    "8/1p3pk1/p5p1/P3r3/1P2b3/4B2P/5RP1/6K1 w - - 0 40",
];

/// All legal moves.
pub(super) fn moves(game: &Chess, pos: &Position) -> Vec<Move> {
    let mut moves = Moves::<Chess>::new();
    game.moves(pos, &mut moves);
    moves.iter().map(|entry| entry.mv).collect()
}

/// `count` positions from random games of up to 80 plies; finished games included.
pub(super) fn positions(count: usize) -> Vec<Position> {
    random_games(&Chess::default(), &FENS, 80, 1).take(count).collect()
}
