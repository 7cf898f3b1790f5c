//! Move generation of chess against the well-known node counts (Chess Programming Wiki, "Perft Results").

use secateur_core::{Moves, Notation, Rules};
use secateur_games::chess::{Chess, Position, START};

fn perft(game: &Chess, pos: &Position, depth: usize) -> u64 {
    let mut moves = Moves::<Chess>::new();
    game.moves(pos, &mut moves);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.iter().map(|entry| perft(game, &game.play(pos, entry.mv), depth - 1)).sum()
}

fn check(fen: &str, counts: &[u64]) {
    let game = Chess::default();
    let pos = game.parse(fen).expect("a legal position");
    for (depth, &count) in (1..).zip(counts) {
        assert_eq!(perft(&game, &pos, depth), count, "{fen} depth {depth}");
        assert_eq!(perft(&game, &game.mirror(&pos), depth), count, "mirrored {fen} depth {depth}");
    }
}

#[test]
fn start_position() {
    check(START, &[20, 400, 8_902, 197_281, 4_865_609]);
}

#[test]
fn position_2_kiwipete() {
    check(
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2_039, 97_862, 4_085_603],
    );
}

#[test]
fn position_3() {
    check("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238, 674_624]);
}

#[test]
fn position_4() {
    check("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", &[6, 264, 9_467, 422_333]);
}

#[test]
fn position_5() {
    check("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &[44, 1_486, 62_379, 2_103_487]);
}

#[test]
fn position_6() {
    check(
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[46, 2_079, 89_890, 3_894_594],
    );
}
