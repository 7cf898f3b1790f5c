//! Which moves to try first.
//!
//! Table move; captures, the larger first, kings counted more; moves that crown; killers; the others by history and, while
//! that is empty, by how far they go forward. Squares are the mover's, so mirrored positions are ordered alike.

use super::board::{Board, CROWNING, Move, SQUARES, square};
use super::packed::direction;
use super::{Draughts, KING, MAN};
use secateur_core::game::{Hints, Scored};

const TABLE: i32 = 1 << 28;
const TACTICAL: i32 = 1 << 26;
const KILLER: i32 = 1 << 24;

/// Length of a history table for one side: man or king, square, direction or capture.
pub(crate) const HISTORY: usize = 2 * SQUARES * 8;

/// Index of a move in its side's history table.
#[inline]
pub(crate) fn history_index(board: &Board, mv: Move) -> usize {
    let king = usize::from(mv.from & board.kings != 0);
    let way = if mv.is_capture() { 4 } else { usize::from(direction(mv)) };
    (king * SQUARES + square(mv.from)) * 8 + way
}

/// What a move wins at once, in the scale of the balance.
#[inline]
pub(crate) fn gain(board: &Board, mv: Move) -> i32 {
    let kings = (mv.taken & board.kings).count_ones() as i32;
    let crowned = mv.from & board.kings == 0 && mv.to & CROWNING != 0;
    let men = mv.size() as i32 - kings;
    men * MAN + kings * KING + if crowned { KING - MAN } else { 0 }
}

/// Gives every move its value.
#[inline]
pub(crate) fn order(board: &Board, hints: &Hints<'_, Move>, moves: &mut [Scored<Move>]) {
    if moves.len() < 2 {
        return;
    }
    for scored in moves {
        let mv = scored.mv;
        scored.value = if hints.table == Some(mv) {
            TABLE
        } else if Draughts::is_tactical(board, mv) {
            TACTICAL + gain(board, mv)
        } else if hints.killers[0] == Some(mv) {
            KILLER + 1
        } else if hints.killers[1] == Some(mv) {
            KILLER
        } else {
            // A step forward is worth something, a man's before it is next to the last row more than a king's.
            let forward = i32::from(mv.to > mv.from && mv.to & CROWNING == 0);
            16 * i32::from(hints.history[history_index(board, mv)]) + forward
        };
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn quiet_moves_of_a_position_have_counters_of_their_own() {
        for board in testing::boards(2_000) {
            let moves = testing::moves(&board);
            let places: BTreeSet<usize> = moves.iter().map(|&mv| history_index(&board, mv)).collect();
            assert!(places.iter().all(|&place| place < HISTORY));
            assert!(moves[0].is_capture() || places.len() == moves.len());
        }
    }

    #[test]
    fn the_classes_come_in_their_order() {
        let game = Draughts::default();
        use secateur_core::game::{Notation, Rules};
        let pos = game.parse("B:W32,24:B25,1,9,10").expect("a position");
        let mv = |text| game.parse_move(&pos, text).expect("a legal move");
        let mut history = vec![0; HISTORY];
        history[history_index(pos.board(), mv("10-15"))] = 700;
        let hints = Hints {
            depth: 3,
            table: Some(mv("9-13")),
            killers: [Some(mv("10-14")), None],
            counter: None,
            history: &history,
        };
        let mut moves = secateur_core::game::Moves::<Draughts>::new();
        game.moves(&pos, &mut moves);
        order(pos.board(), &hints, &mut moves);
        let mut moves = moves.to_vec();
        moves.sort_by_key(|scored| -scored.value);
        let first: Vec<String> = moves.iter().map(|scored| game.format_move(&pos, scored.mv)).collect();
        assert_eq!(first[0], "9-13");
        assert!(first[1..3].iter().all(|text| text.starts_with("25-")), "{first:?}");
        assert_eq!(first[3..5], ["10-14", "10-15"]);
    }
}
