//! What a search knows of positions and moves beyond the rules. The order of moves: the table's, captures and promotions that do not lose, killers, the counter-move, history, what loses;
//! and the moves beyond the horizon.
//!
//! Beyond the horizon come captures and promotions; in check every evasion, drops in between included. There are no other drops. A
//! drop that attacks changes no material, every position has dozens, and one that is answered by a drop never comes to rest. As
//! pieces that were taken come back as evasions, what is quiet is not sure to be reached: after [`CHECKED`] plies checks are not
//! looked at, after [`Captures::MOST_BEYOND`] nothing is.

use crate::legal::king;
use crate::material::{exchange, gain, taken};
use crate::text::pack;
use crate::weights::seen;
use crate::{MATE, Position, Shogi, material, position};
use haitaka::{BitBoard, Board, Color, Move, Piece, PieceMoves};
use secateur_base::Fnv;
use secateur_core::game::{Below, Evaluation, Force, Hints, Meter, Moves, Notation, Scored};
use secateur_core::search::{Captures, quiesce};
use secateur_core::{Score, Window};

/// One position in this many is never learnt from.
const RESERVED_SHARE: u64 = 8;
/// Evaluations stay within this.
pub(crate) const FAR: i32 = 20_000;

// Classes, so far apart that history never mixes them.
const TABLE: i32 = 60_000;
const WINNING: i32 = 40_000;
const KILLER: i32 = 35_000;
const COUNTER: i32 = 34_000;
const LOSING: i32 = -30_000;

/// Length of one side's history: kinds of pieces that move or are dropped by squares that they go to.
pub(crate) const HISTORY: usize = 2 * 14 * 81;

/// A value that is unique among the moves of a position, by the squares as the mover sees them.
#[inline]
pub(crate) fn distinct(value: i32, mv: Move, color: Color) -> i32 {
    let turned = match mv {
        Move::Drop { piece, to } => (81 + piece as i32) << 7 | seen(color, to as usize) as i32,
        Move::BoardMove { from, to, promotion } => {
            i32::from(promotion) << 14
                | (seen(color, from as usize) as i32) << 7
                | seen(color, to as usize) as i32
        }
    };
    value << 15 | turned
}

impl Evaluation for Shogi {
    const STAGES: &'static [&'static str] = position::STAGES;
    const RECURRING: usize = 1;
    const DECISIVE: Score = Score(29_000);
    const HISTORY: usize = HISTORY;
    const COUNTERS: bool = true;

    fn evaluation_id(&self) -> u64 {
        self.weights.id()
    }

    fn stage(&self, pos: &Position) -> usize {
        position::stage(&pos.board)
    }

    #[inline]
    fn evaluate(&self, pos: &Position) -> Score {
        let balance = if pos.board.side_to_move() == Color::Black { pos.placed } else { -pos.placed };
        Score((balance + self.weights.turn()).clamp(-FAR, FAR))
    }

    fn balance(&self, pos: &Position) -> Score {
        Score(material::balance(&pos.board))
    }

    #[inline]
    fn horizon(&self, pos: &Position, window: Window, ply: u32, meter: &mut Meter) -> Score {
        quiesce(self, pos, window, ply, meter, &mut ())
    }

    fn quiesce(
        &self,
        pos: &Position,
        window: Window,
        ply: u32,
        meter: &mut Meter,
        below: &mut impl Below<Shogi>,
    ) -> Score {
        quiesce(self, pos, window, ply, meter, below)
    }

    #[inline]
    fn attainable(&self, ply: u32) -> Window {
        Window::between_mates(MATE, ply)
    }

    /// One position in eight; its mirror image with it.
    fn is_reserved(&self, pos: &Position) -> bool {
        Fnv::default().field(&self.canonical(pos)).value().is_multiple_of(RESERVED_SHARE)
    }

    /// Pieces on the board but pawns and the king, and all in hand.
    fn force(&self, pos: &Position, of_mover: bool) -> Force {
        let board = &pos.board;
        let side = if of_mover { board.side_to_move() } else { !board.side_to_move() };
        let (mut count, mut worth) = (0, 0);
        for piece in Piece::ALL.into_iter().filter(|&piece| !matches!(piece, Piece::Pawn | Piece::King)) {
            let pieces = board.colored_pieces(side, piece).len() + u32::from(board.num_in_hand(side, piece));
            let each = match piece.unpromote() {
                Piece::Bishop | Piece::Rook => 5,
                _ => 3,
            };
            (count, worth) = (count + pieces, worth + each * pieces);
        }
        Force { count, worth }
    }

    #[inline]
    fn order(&self, pos: &Position, hints: &Hints<'_, Move>, moves: &mut Moves<Shogi>) {
        let board = &pos.board;
        let us = board.side_to_move();
        let packed = |mv: Option<Move>| mv.map_or(0, pack);
        let (table, killers, counter) =
            (packed(hints.table), hints.killers.map(packed), packed(hints.counter));
        let weights = self.weights();
        let kings = [us, !us].map(|color| seen(us, king(board, color) as usize));
        let placed =
            |piece: Piece, square: usize| weights.on_board(piece, seen(us, square), kings[0], kings[1]);
        for scored in moves {
            let mv = scored.mv;
            let bits = pack(mv);
            let value = if bits == table {
                TABLE
            } else if self.tactical(pos, mv) {
                let won = exchange(board, mv);
                if won < 0 { LOSING + won.max(-2_000) } else { WINNING + 2 * gain(board, mv) }
            } else if bits == killers[0] {
                KILLER + 1
            } else if bits == killers[1] {
                KILLER
            } else if bits == counter {
                COUNTER
            } else {
                let merit = i32::from(hints.history[self.history_index(pos, mv)]);
                let better = match mv {
                    Move::Drop { piece, to } => placed(piece, to as usize) - weights.in_hand(piece),
                    Move::BoardMove { from, to, .. } => {
                        let piece = board.piece_on(from).unwrap_or(Piece::Pawn);
                        if piece == Piece::King {
                            0
                        } else {
                            placed(piece, to as usize) - placed(piece, from as usize)
                        }
                    }
                };
                merit + better.clamp(-2_000, 2_000)
            };
            scored.value = distinct(value, mv, us);
        }
    }

    /// Whether a move takes or promotes.
    #[inline]
    fn tactical(&self, pos: &Position, mv: Move) -> bool {
        match mv {
            Move::Drop { .. } => false,
            Move::BoardMove { to, promotion, .. } => {
                promotion || pos.board.colors(!pos.board.side_to_move()).has(to)
            }
        }
    }

    #[inline]
    fn gain(&self, pos: &Position, mv: Move) -> Score {
        Score(material::gain(&pos.board, mv))
    }

    fn exchange(&self, pos: &Position, mv: Move) -> Score {
        Score(material::exchange(&pos.board, mv))
    }

    /// The pawns of both sides, by what the mover sees of them, so that mirrored positions have mirrored structures.
    fn structure(&self, pos: &Position) -> Option<u64> {
        let board = &pos.board;
        let us = board.side_to_move();
        let pawns = |color: Color| {
            let pawns = board.colored_pieces(color, Piece::Pawn);
            let seen = if us == Color::Black { pawns } else { pawns.rotate() };
            seen.0 as u64 ^ ((seen.0 >> 64) as u64).wrapping_mul(0xff51_afd7_ed55_8ccd)
        };
        let mixed =
            pawns(us).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ pawns(!us).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        Some((mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9))
    }

    #[inline]
    fn history_index(&self, pos: &Position, mv: Move) -> usize {
        match mv {
            Move::Drop { piece, to } => (14 + piece as usize) * 81 + to as usize,
            Move::BoardMove { from, to, .. } => {
                pos.board.piece_on(from).unwrap_or(Piece::Pawn) as usize * 81 + to as usize
            }
        }
    }
}

/// Plies beyond the horizon after which a side in check stands pat as well.
const CHECKED: u32 = 4;

impl Captures for Shogi {
    const MOST_BEYOND: u32 = 16;

    #[inline]
    fn has_moves(&self, pos: &Position) -> bool {
        crate::legal::any(&pos.board)
    }

    #[inline(always)]
    fn evades(&self, pos: &Position, beyond: u32) -> bool {
        !pos.board.checkers().is_empty() && beyond < CHECKED
    }

    #[inline(always)]
    fn loud(&self, pos: &Position, evades: bool, moves: &mut Moves<Shogi>) {
        let board = &pos.board;
        if evades {
            crate::legal::each(board, |set| {
                set.into_iter().for_each(|mv| push(board, moves, mv));
                false
            });
        } else {
            captures(board, |mv| push(board, moves, mv));
        }
    }

    #[inline(always)]
    fn loses(&self, pos: &Position, mv: Move) -> bool {
        exchange(&pos.board, mv) < 0
    }
}

/// Captures and promotions. A piece that gains by it always promotes where it takes.
fn captures(board: &Board, mut take: impl FnMut(Move)) {
    let us = board.side_to_move();
    let enemy = board.colors(!us);
    let camp = haitaka::prom_zone(us);
    board.generate_board_moves(|set| {
        let PieceMoves::BoardMoves { piece, from, to, .. } = set else { return false };
        // Silver, knight and lance may be better as they are: they are tried both ways where they take.
        let always = matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Rook);
        let promotes = piece.is_promotable();
        let zone = match (promotes, camp.has(from)) {
            (false, _) => BitBoard::EMPTY,
            (true, true) => BitBoard::FULL,
            (true, false) => camp,
        };
        for square in to & (enemy | zone) {
            let takes = enemy.has(square);
            let may = zone.has(square);
            if may {
                take(Move::BoardMove { from, to: square, promotion: true });
            }
            if takes && (!may || !(always || piece.must_promote(us, square))) {
                take(Move::BoardMove { from, to: square, promotion: false });
            }
        }
        false
    });
}

#[inline]
fn push(board: &Board, moves: &mut Moves<Shogi>, mv: Move) {
    let us: Color = board.side_to_move();
    let value = match mv {
        Move::Drop { piece, .. } => -material::IN_HAND[piece as usize],
        Move::BoardMove { from, to, promotion } => {
            let won = if board.colors(!us).has(to) { board.piece_on(to).map_or(0, taken) } else { 0 };
            let mover = board.piece_on(from).unwrap_or(Piece::Pawn) as i32;
            8 * won + if promotion { 800 } else { 0 } - mover
        }
    };
    moves.push(Scored { mv, value: distinct(value, mv, us) });
}
