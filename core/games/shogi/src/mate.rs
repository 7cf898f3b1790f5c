//! Proofs of mate by checks alone, as problems of shogi (tsume) ask for.
//!
//! An AND/OR search over all checks and all answers, to a number of plies: what it finds is proved, and a mate that takes moves
//! without check is not looked for. No search of positions asks for it: it makes sets with exact answers.

use super::material::{attackers, gives_check};
use super::{Position, Shogi};
use haitaka::{
    BitBoard, Board, Move, Piece, PieceMoves, drop_zone, gold_attacks, king_attacks, knight_attacks,
    pawn_attacks, prom_zone, silver_attacks,
};
use secateur_core::game::{Moves, Rules};
use std::collections::BTreeMap;

/// A mate by checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mate {
    /// Plies to the mate, odd: the fewest that checks take.
    pub plies: u32,
    /// The first moves that mate in so many.
    pub keys: Vec<Move>,
}

/// The shortest mate by checks in at most `most` plies; `None` if there is none, or if it took more than `nodes` positions to say.
#[must_use]
pub fn shortest(game: &Shogi, pos: &Position, most: u32, nodes: u64) -> Option<Mate> {
    let mut prover = Prover { game, known: BTreeMap::new(), nodes };
    for plies in (1..=most).step_by(2) {
        let mut keys = Vec::new();
        for mv in checks(game, pos) {
            if prover.mated(&game.play(pos, mv), plies - 1)? {
                keys.push(mv);
            }
        }
        if !keys.is_empty() {
            return Some(Mate { plies, keys });
        }
    }
    None
}

struct Prover<'a> {
    game: &'a Shogi,
    /// What is known of positions by plies left.
    known: BTreeMap<(u64, u32), bool>,
    nodes: u64,
}

impl Prover<'_> {
    /// Whether the side to move, in check, is mated in at most so many plies, an even number. `None` where nodes run out.
    fn mated(&mut self, pos: &Position, plies: u32) -> Option<bool> {
        let at = (self.game.key(pos), plies);
        if let Some(&known) = self.known.get(&at) {
            return Some(known);
        }
        self.nodes = self.nodes.checked_sub(1)?;
        let mut moves = Moves::<Shogi>::new();
        self.game.moves(pos, &mut moves);
        let mut mated = moves.is_empty() || plies > 0;
        for scored in &moves {
            mated = mated && self.mates(&self.game.play(pos, scored.mv), plies.saturating_sub(1))?;
            if !mated {
                break;
            }
        }
        self.known.insert(at, mated);
        Some(mated)
    }

    /// Whether the side to move mates by checks in at most so many plies, an odd number.
    fn mates(&mut self, pos: &Position, plies: u32) -> Option<bool> {
        for mv in checks(self.game, pos) {
            if self.mated(&self.game.play(pos, mv), plies - 1)? {
                return Some(true);
            }
        }
        Some(false)
    }
}

/// All moves that give check.
fn checks(game: &Shogi, pos: &Position) -> Vec<Move> {
    let mut moves = Moves::<Shogi>::new();
    game.moves(pos, &mut moves);
    moves.iter().map(|scored| scored.mv).filter(|&mv| game.gives_check(pos, mv)).collect()
}

/// A move that mates at once, next to the king or by a knight; the mover is not in check.
pub(crate) fn in_one(board: &Board) -> bool {
    let us = board.side_to_move();
    let king = board.king(!us);
    let occupied = board.occupied();
    let ours = board.colors(us);
    let near = super::stage::NEAR[king as usize] & ours & !board.pieces(Piece::Pawn);
    if near.is_empty() {
        return false;
    }
    let ring = king_attacks(us, king);
    let leaps = knight_attacks(!us, king);
    let mut supported = BitBoard::EMPTY;
    for square in ring & !ours {
        if !(attackers(board, square, occupied) & ours).is_empty() {
            supported |= square.bitboard();
        }
    }
    if supported.is_empty() && leaps.is_empty() {
        return false;
    }
    let mates = |mv: Move| {
        let mut next = board.clone();
        next.play_unchecked(mv);
        !super::legal::any(&next)
    };
    let cross = gold_attacks(us, king) & gold_attacks(!us, king);
    for piece in [Piece::Gold, Piece::Silver, Piece::Knight, Piece::Rook, Piece::Bishop, Piece::Lance] {
        if !board.has_in_hand(us, piece) {
            continue;
        }
        let from_king = match piece {
            Piece::Gold => gold_attacks(!us, king) & supported,
            Piece::Silver => silver_attacks(!us, king) & supported,
            Piece::Knight => leaps,
            Piece::Rook => cross & supported,
            Piece::Bishop => ring & !cross & supported,
            _ => pawn_attacks(!us, king) & supported,
        };
        for to in from_king & !occupied & drop_zone(us, piece) {
            if mates(Move::Drop { piece, to }) {
                return true;
            }
        }
    }
    board.generate_board_moves(|set| {
        let PieceMoves::BoardMoves { piece, from, to, .. } = set else { return false };
        if piece == Piece::King {
            return false;
        }
        for square in to & ((ring & supported) | leaps) {
            let may = piece.is_promotable() && (prom_zone(us).has(from) || prom_zone(us).has(square));
            for promotion in [true, false] {
                if (promotion && !may) || (!promotion && piece.must_promote(us, square)) {
                    continue;
                }
                let mv = Move::BoardMove { from, to: square, promotion };
                if gives_check(board, mv) && mates(mv) {
                    return true;
                }
            }
        }
        false
    })
}
