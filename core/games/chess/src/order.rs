//! Which moves to try first.
//!
//! Table move; captures and promotions that do not lose the exchange, most valuable victim first; killers; the
//! counter-move; quiet moves by history and, while that is empty, by placement; losing captures; underpromotions.
//! No two moves get the same value, and colour-mirrored positions get mirrored orders: node counts must
//! not depend on the order of generation, which runs from A1 for both sides.

use super::Chess;
use super::eval::Evaluator;
use super::notation::pack;
use super::position::{Position, en_passant};
use super::quiescence::{FINE, captures, seen};
use super::see;
use cozy_chess::{BitBoard, Board, Color, Move, Piece, Rank, Square};
use secateur_core::game::{Hints, Moves, Scored};

const TABLE: i32 = 400_000;
const WINNING: i32 = 200_000;
const KILLER: i32 = 100_000;
const COUNTER: i32 = 90_000;
const LOSING: i32 = -100_000;
const UNDERPROMOTION: i32 = -200_000;

/// Index of a move in its side's history table.
#[inline]
pub(super) fn history_index(piece: Piece, to: Square) -> usize {
    piece as usize * 64 + to as usize
}

/// The part of a quiet move's value that its target tells, by man and square as the mover sees the board: placement, and what
/// makes values distinct.
#[derive(Clone, Debug)]
pub(super) struct Targets(Box<[[i32; 64]; 6]>);

impl Targets {
    pub(super) fn new(evaluation: &Evaluator) -> Targets {
        let placements = |piece| -> [i32; 64] {
            let places = evaluation.places(piece);
            std::array::from_fn(|to| places[to].middlegame() * FINE + to as i32 * 64)
        };
        Targets(Box::new(Piece::ALL.map(placements)))
    }
}

pub(super) fn order(game: &Chess, pos: &Position, hints: &Hints<'_, Move>, moves: &mut Moves<Chess>) {
    let board = &pos.board;
    let color = board.side_to_move();
    let flip: usize = if color == Color::White { 0 } else { 56 };
    let hinted = Known::new(hints);
    // Squares where a move is more than history and placement tell.
    let marked = board.colors(!color) | hinted.targets;
    let promoting = Rank::Eighth.relative_to(color).bitboard();
    let for_pawns = en_passant(board).map_or(promoting, |square| promoting | square.bitboard());
    // From no square yet.
    let (mut from, mut mover, mut special, mut start) = (64, Piece::Pawn, marked, 0);
    let mut merits = &[0; 64];
    let mut targets = &game.targets.0[mover as usize];
    for entry in moves.iter_mut() {
        let mv = entry.mv;
        // Generation goes man by man, so the mover is looked up once for all its moves.
        if from != mv.from as usize {
            from = mv.from as usize;
            mover = board.piece_on(mv.from).unwrap_or(Piece::Pawn);
            special = if mover == Piece::Pawn { marked | for_pawns } else { marked };
            let merits_from = &hints.history[history_index(mover, Square::A1)..];
            merits = merits_from.first_chunk().expect("a counter a square");
            targets = &game.targets.0[mover as usize];
            // Less the placement of the square that is left, and that square for its target's.
            let left = from ^ flip;
            start = 65 * left as i32 - targets[left];
        }
        // That there are no more squares than 64 is lost on the way: the masks spare the question.
        let to = mv.to as usize & 63;
        let quiet = i32::from(merits[to]) * FINE + targets[to ^ flip] + start;
        let hinted_value = if special.has(mv.to) { hinted.value(board, mv, mover) } else { None };
        entry.value = hinted_value.map_or(quiet, |value| seen(value, mv, flip as i32));
    }
}

/// The moves that no hint but the table's comes before, with the values of [`order`].
pub(super) fn opening(board: &Board, moves: &mut Moves<Chess>) {
    let flip = if board.side_to_move() == Color::White { 0 } else { 56 };
    captures(board, |mv, mover| {
        let value = tactical(board, mv, mover);
        if value > KILLER + 1 {
            moves.push(Scored { mv, value: seen(value, mv, flip) });
        }
    });
}

/// What hints say of single moves, in the form of packed moves (0 is none).
struct Known {
    table: u16,
    killers: [u16; 2],
    counter: u16,
    /// Where these moves go.
    targets: BitBoard,
}

impl Known {
    #[inline]
    fn new(hints: &Hints<'_, Move>) -> Known {
        let packed = |mv: Option<Move>| mv.map_or(0, pack);
        let all = [hints.table, hints.killers[0], hints.killers[1], hints.counter];
        let targets = all.iter().flatten().fold(BitBoard::EMPTY, |set, mv| set | mv.to.bitboard());
        Known {
            table: packed(hints.table),
            killers: hints.killers.map(packed),
            counter: packed(hints.counter),
            targets,
        }
    }

    /// Value of a move that a hint means or that takes or promotes; none if it is but quiet. Not inlined: most moves do without
    /// it.
    #[inline(never)]
    fn value(&self, board: &Board, mv: Move, mover: Piece) -> Option<i32> {
        let packed = pack(mv);
        let takes = board.colors(!board.side_to_move()).has(mv.to)
            || (mover == Piece::Pawn && en_passant(board) == Some(mv.to) && mv.from.file() != mv.to.file());
        if packed == self.table {
            Some(TABLE)
        } else if takes || mv.promotion.is_some() {
            Some(tactical(board, mv, mover))
        } else if packed == self.killers[0] {
            Some(KILLER + 1)
        } else if packed == self.killers[1] {
            Some(KILLER)
        } else if packed == self.counter {
            Some(COUNTER)
        } else {
            None
        }
    }
}

/// The class of a capture or promotion is decided by the exchange, the rank in it by what is taken.
#[inline]
fn tactical(board: &Board, mv: Move, mover: Piece) -> i32 {
    let victim = board.piece_on(mv.to);
    let gain = see::gain_of(mv, victim, mover);
    match mv.promotion {
        Some(piece) if piece != Piece::Queen => UNDERPROMOTION + 8 * gain + piece as i32,
        _ => {
            let class = if see::loses(board, mv, mover, victim) { LOSING } else { WINNING };
            class + 8 * gain - mover as i32
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use secateur_core::game::{Evaluation, Notation, Rules};
    use std::collections::BTreeSet;

    fn ordered(game: &Chess, pos: &Position, hints: &Hints<'_, Move>) -> Vec<Move> {
        let mut moves = Moves::<Chess>::new();
        game.moves(pos, &mut moves);
        game.order(pos, hints, &mut moves);
        let values: BTreeSet<i32> = moves.iter().map(|entry| entry.value).collect();
        assert_eq!(values.len(), moves.len(), "values are distinct in {}", game.format(pos));
        let mut moves = moves.to_vec();
        moves.sort_by_key(|entry| -entry.value);
        moves.into_iter().map(|entry| entry.mv).collect()
    }

    fn flipped(mv: Move) -> Move {
        Move { from: mv.from.flip_rank(), to: mv.to.flip_rank(), promotion: mv.promotion }
    }

    #[test]
    fn mirrored_positions_are_ordered_alike() {
        let game = Chess::default();
        let history = vec![0; Chess::HISTORY];
        let hints = Hints { depth: 3, table: None, killers: [None; 2], counter: None, history: &history };
        for pos in testing::positions(1000) {
            let image: Vec<Move> =
                ordered(&game, &game.mirror(&pos), &hints).into_iter().map(flipped).collect();
            assert_eq!(ordered(&game, &pos, &hints), image);
        }
    }

    #[test]
    fn the_opening_is_where_the_order_begins() {
        let game = Chess::default();
        let history = vec![-1000; Chess::HISTORY];
        let hints = Hints { depth: 3, table: None, killers: [None; 2], counter: None, history: &history };
        let (mut opened, mut quiet) = (0, 0);
        for pos in testing::positions(2000) {
            if game.in_check(&pos) {
                continue;
            }
            let mut opening = Moves::<Chess>::new();
            game.opening(&pos, &mut opening);
            opening.sort_by_key(|entry| -entry.value);
            let mut all = Moves::<Chess>::new();
            game.moves(&pos, &mut all);
            game.order(&pos, &hints, &mut all);
            all.sort_by_key(|entry| -entry.value);
            assert_eq!(opening[..], all[..opening.len()], "{}", game.format(&pos));
            // Killers come next.
            assert!(
                all[opening.len()..].iter().all(|entry| entry.value < (KILLER - 1) * FINE),
                "{}",
                game.format(&pos)
            );
            opened += usize::from(!opening.is_empty());
            quiet += usize::from(opening.is_empty());
        }
        assert!(opened > 500 && quiet > 100, "{opened} {quiet}");
    }

    #[test]
    fn the_classes_come_in_their_order() {
        let game = Chess::default();
        let pos = game.parse("4k3/P7/3p4/4p3/8/8/3QR3/4K3 w - - 0 1").expect("a legal position");
        let mv = |text| game.parse_move(&pos, text).expect("a legal move");
        let mut history = vec![0; Chess::HISTORY];
        history[game.history_index(&pos, mv("e1f2"))] = 5000;
        let hints = Hints {
            depth: 3,
            table: Some(mv("d2h6")),
            killers: [Some(mv("e1f1")), Some(mv("d2b4"))],
            counter: Some(mv("d2c3")),
            history: &history,
        };
        let order = ordered(&game, &pos, &hints);
        let place = |text| order.iter().position(|&other| other == mv(text)).expect("generated");
        let texts = ["d2h6", "a7a8q", "e1f1", "d2b4", "d2c3", "e1f2", "d2a2", "e2e5", "a7a8n"];
        let places: Vec<usize> = texts.into_iter().map(place).collect();
        assert!(places.is_sorted(), "{texts:?} at {places:?}");
    }
}
