//! Safety of the king: the attack on the squares around it, and the pawns before it.
//!
//! Left out: defenders. Safe checks are among the threats.

use super::params::{DANGER, KING_FILE, SHIELD, STORM};
use super::sink::Sink;
use crate::squares::squares;
use cozy_chess::{BitBoard, Board, Color, Piece};

const RANK_1: u64 = 0xff;
const FILE_A: u64 = 0x0101_0101_0101_0101;

/// Attacks of one side on the enemy king's ring, added up piece by piece.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pressure {
    attackers: i32,
    weight: i32,
}

impl Pressure {
    /// Adds a piece that attacks the squares `hits` of the ring.
    #[inline]
    pub(super) fn add(&mut self, hits: BitBoard, weight: i32) {
        self.attackers += i32::from(!hits.is_empty());
        self.weight += weight * hits.len() as i32;
    }

    /// What the attack costs the attacked side, counted for the attacker. One attacker alone mates nobody.
    #[inline]
    pub(super) fn count<S: Sink>(self, sink: &mut S) {
        if self.attackers >= 2 {
            sink.add(DANGER, (self.weight / 2).clamp(0, DANGER.len as i32 - 1) as usize, -1);
        }
    }
}

/// Counts the shelter of both kings, White's minus Black's; `files` are those on which a side has a pawn, one bit a file.
pub(super) fn shelters<S: Sink>(sink: &mut S, board: &Board, files: [u8; 2]) {
    for color in [Color::Black, Color::White] {
        sink.turn();
        shelter(sink, board, color, files);
    }
}

/// The pawns before the king, the files that they leave open, and the enemy pawns on those files.
pub(super) fn shelter<S: Sink>(sink: &mut S, board: &Board, color: Color, files: [u8; 2]) {
    let king = board.king(color).bitboard().0;
    let pawns = board.colored_pieces(color, Piece::Pawn).0;
    let wide = king | ((king & !FILE_A) >> 1) | ((king & !(FILE_A << 7)) << 1);
    let (near, far) = match color {
        Color::White => (wide << 8, wide << 16),
        Color::Black => (wide >> 8, wide >> 16),
    };
    // All three squares of `wide` are on one rank: its bits, moved to the first rank, are its files.
    let rank = board.king(color) as u32 & !7;
    let open = ((wide >> rank) & RANK_1) as u8 & !files[color as usize];
    let (all, enemy) =
        (0x0101_0101_0101_0101 * ((wide >> rank) & RANK_1), board.colored_pieces(!color, Piece::Pawn).0);
    for square in squares(BitBoard(all & enemy)) {
        sink.add(STORM, super::pawns::rank(square, color), 1);
    }
    sink.add(SHIELD, 0, (near & pawns).count_ones() as i32);
    sink.add(SHIELD, 1, (far & pawns).count_ones() as i32);
    sink.add(KING_FILE, 0, open.count_ones() as i32);
}

#[cfg(test)]
mod tests {
    use super::super::sink::Sum;
    use super::super::{EvalParams, Taper};
    use super::*;

    #[test]
    fn shelter_counts_pawns_and_open_files() {
        let mut params = EvalParams::zero();
        for (index, value) in [(SHIELD.at, 100), (SHIELD.at + 1, 10), (KING_FILE.at, 1)] {
            params.values_mut()[index] = Taper::new(value, 0);
        }
        for (fen, expected) in [
            ("4k3/8/8/8/8/8/5PPP/6K1 w - - 0 1", 300),
            ("4k3/8/8/8/8/6P1/5P1P/6K1 w - - 0 1", 210),
            ("4k3/8/8/8/6P1/8/5P2/6K1 w - - 0 1", 101),
            ("4k3/8/8/8/8/8/7P/7K w - - 0 1", 101),
            ("4k3/8/8/8/8/8/P7/7K w - - 0 1", 2),
        ] {
            let board: Board = fen.parse().expect("a legal position");
            let pawns = super::super::pawns::PawnCache::new().probe(&board, &params);
            let mut sum = Sum::new(&params);
            shelter(&mut sum, &board, Color::White, pawns.files);
            assert_eq!(sum.total.middlegame(), expected, "{fen}");
        }
    }
}
