//! Retrograde analysis: the values of a slice and its counterpart from those of the slices that moves lead to.
//!
//! Every position begins with the number of its moves that are not known to be bad. What is decided at once (a capture, a
//! crowning, no move) spreads backwards: a lost position makes those before it won, a won one takes a move from them, and who
//! has none left has lost. What is never reached is a draw (Thompson 1986; Lake, Schaeffer & Lu 1994 for this game).

use super::super::board::{Board, CROWNING, VALID, bits};
use super::index::Slice;
use super::{Database, HOLE, Value};

/// States of a position: fewer than [`OPEN`] moves left, or decided.
const OPEN: u8 = 0xF0;
const DRAWN: u8 = 0xFC;
const LOST: u8 = 0xFD;
const WON: u8 = 0xFE;
const NONE: u8 = 0xFF;

/// The slice and, where that is another, its counterpart.
struct Pair<'a> {
    database: &'a Database,
    slices: [Slice; 2],
    states: [Vec<u8>; 2],
    /// Decided positions whose predecessors have not heard of it: which of the two, and the number.
    queue: Vec<(u8, u32)>,
}

/// Adds a slice and its counterpart to a database that has all that moves lead to from there.
pub(super) fn add(database: &mut Database, slice: Slice) {
    let slices = [slice, slice.turned()];
    let states = slices.map(|slice| vec![NONE; slice.len()]);
    let mut pair = Pair { database, slices, states, queue: Vec::new() };
    pair.begin();
    pair.spread();
    let Pair { states, .. } = pair;
    for (slice, states) in slices.into_iter().zip(states) {
        let value = |&state: &u8| match state {
            WON => Value::Won as u8,
            LOST => Value::Lost as u8,
            NONE => HOLE,
            _ => Value::Drawn as u8,
        };
        database.put(slice, states.iter().map(value));
        if slices[0] == slices[1] {
            break;
        }
    }
}

impl Pair<'_> {
    /// Which of the two the other side's positions are in.
    fn counterpart(&self, side: usize) -> usize {
        if self.slices[0] == self.slices[1] { 0 } else { 1 - side }
    }

    fn begin(&mut self) {
        for side in 0..=self.counterpart(0) {
            for rank in 0..self.states[side].len() {
                let Some(board) = self.slices[side].board(rank) else { continue };
                let state = self.first_state(&board);
                self.states[side][rank] = state;
                if matches!(state, WON | LOST) {
                    self.queue.push((side as u8, rank as u32));
                }
            }
        }
    }

    /// What is known of a position by moves that take or crown; the number of other moves, one more if a draw is sure.
    fn first_state(&self, board: &Board) -> u8 {
        let (mut open, mut drawn, mut won, mut captures) = (0, false, false, false);
        board.each_move(|mv| {
            captures |= mv.is_capture();
            if mv.is_capture() || mv.to & CROWNING & !board.kings != 0 && mv.from & board.kings == 0 {
                match self.database.value(&board.play(mv)) {
                    Some(Value::Lost) => won = true,
                    Some(Value::Drawn) => drawn = true,
                    _ => {}
                }
            } else {
                open += 1;
            }
        });
        match () {
            () if won => WON,
            () if captures => {
                if drawn {
                    DRAWN
                } else {
                    LOST
                }
            }
            () if open == 0 && !drawn => LOST,
            () => open + u8::from(drawn),
        }
    }

    fn spread(&mut self) {
        while let Some((side, rank)) = self.queue.pop() {
            let side = usize::from(side);
            let lost = self.states[side][rank as usize] == LOST;
            let Some(board) = self.slices[side].board(rank as usize) else { continue };
            let before = self.counterpart(side);
            each_predecessor(&board, |earlier| {
                let number = self.slices[before].rank(&earlier);
                let state = &mut self.states[before][number];
                if *state >= OPEN {
                    return;
                }
                *state = match *state {
                    _ if lost => WON,
                    1 => LOST,
                    left => left - 1,
                };
                if *state >= OPEN {
                    self.queue.push((before as u8, number as u32));
                }
            });
        }
    }
}

/// Calls `each` with the boards from which a move that neither takes nor crowns leads to this one.
fn each_predecessor(board: &Board, mut each: impl FnMut(Board)) {
    let after = board.passed();
    let empty = after.empty();
    for at in bits(after.mover) {
        let king = at & after.kings != 0;
        let ways = [at >> 4, at >> 5, if king { at << 4 } else { 0 }, if king { at << 5 } else { 0 }];
        for from in ways.into_iter().filter(|from| from & empty & VALID != 0) {
            let kings = if king { after.kings ^ at ^ from } else { after.kings };
            let earlier = Board { mover: after.mover ^ at ^ from, other: after.other, kings };
            if !earlier.must_take() {
                each(earlier);
            }
        }
    }
}
