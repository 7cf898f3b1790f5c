//! Safety of the king: the attack on the squares around it, and the pawns before it.
//!
//! Left out: safe checks, pawn storms, defenders. They cost more attack sets than they returned here.

use super::{EvalParams, Taper};
use cozy_chess::{BitBoard, Board, Color, Piece};

const RANK_1: u64 = 0xff;
const FILE_A: u64 = 0x0101_0101_0101_0101;

/// Attacks of one side on the enemy king's ring, added up piece by piece.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pressure {
    attackers: i32,
    weight: Taper,
}

impl Pressure {
    /// Adds a piece that attacks the squares `hits` of the ring.
    #[inline]
    pub(super) fn add(&mut self, hits: BitBoard, weight: Taper) {
        self.attackers += i32::from(!hits.is_empty());
        self.weight += weight * hits.len() as i32;
    }

    /// What the attack costs the attacked side. One attacker alone mates nobody.
    #[inline]
    pub(super) fn danger(self, params: &EvalParams) -> Taper {
        if self.attackers < 2 {
            return Taper::ZERO;
        }
        params.danger[(self.weight.middlegame() / 2).clamp(0, 23) as usize]
    }
}

/// The pawns before the king and the files that they leave open.
#[inline]
pub(super) fn shelter(board: &Board, color: Color, files: [u8; 2], params: &EvalParams) -> Taper {
    let king = board.king(color).bitboard().0;
    let own = board.colored_pieces(color, Piece::Pawn).0;
    let wide = king | ((king & !FILE_A) >> 1) | ((king & !(FILE_A << 7)) << 1);
    let (near, far) = match color {
        Color::White => (wide << 8, wide << 16),
        Color::Black => (wide >> 8, wide >> 16),
    };
    // All three squares of `wide` are on one rank: its bits, moved to the first rank, are its files.
    let rank = board.king(color) as u32 & !7;
    let open = ((wide >> rank) & RANK_1) as u8 & !files[color as usize];
    params.shield[0] * (near & own).count_ones() as i32
        + params.shield[1] * (far & own).count_ones() as i32
        + params.king_file * open.count_ones() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shelter_counts_pawns_and_open_files() {
        let mut params = EvalParams::DEFAULT;
        params.shield = [Taper::new(100, 0), Taper::new(10, 0)];
        params.king_file = Taper::new(1, 0);
        for (fen, expected) in [
            ("4k3/8/8/8/8/8/5PPP/6K1 w - - 0 1", 300),
            ("4k3/8/8/8/8/6P1/5P1P/6K1 w - - 0 1", 210),
            ("4k3/8/8/8/6P1/8/5P2/6K1 w - - 0 1", 101),
            ("4k3/8/8/8/8/8/7P/7K w - - 0 1", 101),
            ("4k3/8/8/8/8/8/P7/7K w - - 0 1", 2),
        ] {
            let board: Board = fen.parse().expect("a legal position");
            let pawns = super::super::pawns::PawnCache::new().probe(&board, &params);
            let found = shelter(&board, Color::White, pawns.files, &params);
            assert_eq!(found.middlegame(), expected, "{fen}");
        }
    }
}
