//! Move generation against the well-known node counts (Chess Programming Wiki, "Perft Results").

use super::testing::FENS;
use super::{Chess, Position};
use crate::game::{Moves, Notation, Rules};

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
    check(FENS[0], &[20, 400, 8_902, 197_281, 4_865_609]);
}

#[test]
fn position_2_kiwipete() {
    check(FENS[1], &[48, 2_039, 97_862, 4_085_603]);
}

#[test]
fn position_3() {
    check(FENS[2], &[14, 191, 2_812, 43_238, 674_624]);
}

#[test]
fn position_4() {
    check(FENS[3], &[6, 264, 9_467, 422_333]);
}

#[test]
fn position_5() {
    check(FENS[4], &[44, 1_486, 62_379, 2_103_487]);
}

#[test]
fn position_6() {
    check(FENS[5], &[46, 2_079, 89_890, 3_894_594]);
}
