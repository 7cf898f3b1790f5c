//! The order of moves: the table's, captures and promotions that do not lose, killers, the counter-move, history, what loses;
//! and the search beyond the horizon.
//!
//! Beyond the horizon come captures and promotions until the position is quiet: fail-soft alpha-beta over a tree that
//! depends on the position alone. A side not in check may stand pat; captures and promotions that lose by exchange are left
//! out, unless the host wants them. A side in check tries every evasion, drops in between included, because it cannot stand
//! pat: so mates are seen. There are no other drops. A drop that attacks changes no material, every position has dozens, and
//! one that is answered by a drop never comes to rest. As pieces that were taken come back as evasions, what is quiet is not
//! sure to be reached: after [`CHECKED`] plies checks are not looked at, after [`LIMIT`] nothing is. No moves out of check,
//! which is lost as well, is seen at the horizon itself only.

use crate::legal::king;
use crate::material::{exchange, gain, taken};
use crate::text::pack;
use crate::weights::seen;
use crate::{MATE, Position, Shogi};
use haitaka::{BitBoard, Board, Color, Move, Piece, PieceMoves};
use secateur_core::game::{Below, Evaluation, Hints, Meter, Moves, QuietNode, Rules, Scored};
use secateur_core::prune::pick_in_order;
use secateur_core::{Score, Window};

// Classes, so far apart that history never mixes them.
const TABLE: i32 = 60_000;
const WINNING: i32 = 40_000;
const KILLER: i32 = 35_000;
const COUNTER: i32 = 34_000;
const LOSING: i32 = -30_000;

/// Length of one side's history: kinds of pieces that move or are dropped by squares that they go to.
pub(crate) const HISTORY: usize = 2 * 14 * 81;

/// Index of a move in the history.
#[inline]
pub(crate) fn history_index(pos: &Position, mv: Move) -> usize {
    match mv {
        Move::Drop { piece, to } => (14 + piece as usize) * 81 + to as usize,
        Move::BoardMove { from, to, .. } => {
            pos.board.piece_on(from).unwrap_or(Piece::Pawn) as usize * 81 + to as usize
        }
    }
}

/// Whether a move takes or promotes.
#[inline]
pub(crate) fn is_tactical(pos: &Position, mv: Move) -> bool {
    match mv {
        Move::Drop { .. } => false,
        Move::BoardMove { to, promotion, .. } => {
            promotion || pos.board.colors(!pos.board.side_to_move()).has(to)
        }
    }
}

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

/// Gives every move its value.
pub(crate) fn order(game: &Shogi, pos: &Position, hints: &Hints<'_, Move>, moves: &mut Moves<Shogi>) {
    let board = &pos.board;
    let us = board.side_to_move();
    let packed = |mv: Option<Move>| mv.map_or(0, pack);
    let (table, killers, counter) = (packed(hints.table), hints.killers.map(packed), packed(hints.counter));
    let weights = game.weights();
    let kings = [us, !us].map(|color| seen(us, king(board, color) as usize));
    let placed = |piece: Piece, square: usize| weights.on_board(piece, seen(us, square), kings[0], kings[1]);
    for scored in moves {
        let mv = scored.mv;
        let bits = pack(mv);
        let value = if bits == table {
            TABLE
        } else if is_tactical(pos, mv) {
            let won = exchange(board, mv);
            if won < 0 { LOSING + won.max(-2_000) } else { WINNING + 2 * gain(board, mv) }
        } else if bits == killers[0] {
            KILLER + 1
        } else if bits == killers[1] {
            KILLER
        } else if bits == counter {
            COUNTER
        } else {
            let merit = i32::from(hints.history[history_index(pos, mv)]);
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

/// Plies beyond the horizon after which the search gives up.
const LIMIT: u32 = 16;
/// Plies beyond the horizon after which a side in check stands pat as well.
const CHECKED: u32 = 4;

/// Value of a position at the horizon.
#[inline]
pub(crate) fn horizon(
    game: &Shogi,
    pos: &Position,
    window: Window,
    ply: u32,
    meter: &mut Meter,
    below: &mut impl Below<Shogi>,
) -> Score {
    if pos.board.checkers().is_empty() && !crate::legal::any(&pos.board) {
        meter.qnodes += 1;
        meter.seldepth = meter.seldepth.max(ply);
        return Score(ply as i32 - MATE);
    }
    Quiescence { game, meter, horizon: ply, below }.value(pos, window, ply)
}

struct Quiescence<'a, B> {
    game: &'a Shogi,
    meter: &'a mut Meter,
    horizon: u32,
    below: &'a mut B,
}

impl<B: Below<Shogi>> Quiescence<'_, B> {
    fn value(&mut self, pos: &Position, window: Window, ply: u32) -> Score {
        self.meter.qnodes += 1;
        self.meter.seldepth = self.meter.seldepth.max(ply);
        let board = &pos.board;
        let beyond = ply - self.horizon;
        let evades = !board.checkers().is_empty() && beyond < CHECKED;
        let mut best = if evades { Score(ply as i32 - MATE) } else { self.game.evaluate(pos) };
        if best >= window.beta || beyond >= LIMIT {
            return best;
        }
        let mut moves = Moves::<Shogi>::new();
        if evades {
            crate::legal::each(board, |set| {
                set.into_iter().for_each(|mv| push(board, &mut moves, mv));
                false
            });
        } else {
            captures(board, |mv| push(board, &mut moves, mv));
        }
        let mut alpha = window.alpha.max(best);
        let mut node = QuietNode::new(pos, ply, beyond, best);
        for index in 0..moves.len() {
            let mv = pick_in_order::<Shogi>(&mut moves, index);
            if !evades {
                if !self.below.losing() && exchange(board, mv) < 0 {
                    continue;
                }
                if let Some(claim) = self.below.skip(self.game, &node, alpha, mv) {
                    best = best.max(claim);
                    continue;
                }
            }
            node.tried += 1;
            let child = self.game.play(pos, mv);
            let score = -self.value(&child, -Window { alpha, beta: window.beta }, ply + 1);
            if score > best {
                best = score;
                if score >= window.beta {
                    break;
                }
                alpha = alpha.max(score);
            }
        }
        best
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
        Move::Drop { piece, .. } => -crate::material::IN_HAND[piece as usize],
        Move::BoardMove { from, to, promotion } => {
            let won = if board.colors(!us).has(to) { board.piece_on(to).map_or(0, taken) } else { 0 };
            let mover = board.piece_on(from).unwrap_or(Piece::Pawn) as i32;
            8 * won + if promotion { 800 } else { 0 } - mover
        }
    };
    moves.push(Scored { mv, value: distinct(value, mv, us) });
}
