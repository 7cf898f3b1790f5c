//! What a search knows of positions and moves beyond the rules: which moves to try first, and which beyond the horizon.
//!
//! Table move; captures, the larger first, kings counted more; moves that crown; killers; the others by history and, while
//! that is empty, by how far they go forward. Squares are the mover's, so mirrored positions are ordered alike.
//!
//! Beyond the horizon captures are played until there is nothing to take. Captures are forced, so there is no standing
//! pat and nothing is left out: the value is the minimax value of a small tree that depends on the position alone, fail-soft.
//! Left out: what the other side threatens to take next, which a quiet position is evaluated with.

use crate::board::{Board, CROWNING, Move, SQUARES, square};
use crate::endgame::{Database, USUAL_PIECES, Value};
use crate::position;
use crate::text::direction;
use crate::{Draughts, KING, MAN, Position};
use secateur_base::MATE;
use secateur_core::game::{Evaluation, Force, Has, Hints, MAX_MOVES, Meter, Moves, Rules};
use secateur_core::{Score, Window};

/// One position in this many is never learnt from.
const RESERVED_SHARE: u64 = 8;
/// Evaluations stay within this.
const FAR: i32 = 5_000;
/// A position that the database knows to be won, without the way there.
const WON: Score = Score(Draughts::DECISIVE.0);

const TABLE: i32 = 1 << 28;
const TACTICAL: i32 = 1 << 26;
const KILLER: i32 = 1 << 24;

/// Length of a history table for one side: man or king, square, direction or capture.
pub(crate) const HISTORY: usize = 2 * SQUARES * 8;

impl Evaluation for Draughts {
    const HAS: Has = Has { structure: true, ..Has::NOTHING };
    const STAGES: &'static [&'static str] = position::STAGES;
    const DECISIVE: Score = Score(29_000);
    const HISTORY: usize = HISTORY;

    fn evaluation_id(&self) -> u64 {
        self.weights.id()
    }

    #[inline]
    fn stage(&self, pos: &Position) -> usize {
        position::stage(&pos.board)
    }

    #[inline]
    fn evaluate(&self, pos: &Position) -> Score {
        Score(self.weights.evaluate(&pos.board).clamp(-FAR, FAR))
    }

    #[inline]
    fn balance(&self, pos: &Position) -> Score {
        let [mover, other] = pos.board.counts().map(|[men, kings]| MAN * men as i32 + KING * kings as i32);
        Score(mover - other)
    }

    #[inline]
    fn horizon(&self, pos: &Position, window: Window, ply: u32, meter: &mut Meter) -> Score {
        meter.qnodes += 1;
        meter.seldepth = meter.seldepth.max(ply);
        let takers = pos.board.takers();
        if takers == 0 {
            return if pos.board.is_mobile() { self.evaluate(pos) } else { Score(ply as i32 - MATE) };
        }
        let mut moves = arrayvec::ArrayVec::<(i32, Move), MAX_MOVES>::new();
        pos.board.each_move(|mv| moves.push((self.gain(pos, mv).0, mv)));
        let (mut best, mut alpha) = (-Score::INFINITE, window.alpha);
        while let Some(at) = first(&moves) {
            let (_, mv) = moves.remove(at);
            let child = self.play(pos, mv);
            let score = -self.horizon(&child, -Window { alpha, beta: window.beta }, ply + 1, meter);
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

    #[inline]
    fn attainable(&self, ply: u32) -> Window {
        Window::between_mates(MATE, ply)
    }

    /// One position in eight, by its men and kings.
    fn is_reserved(&self, pos: &Position) -> bool {
        position::identity(&pos.board).is_multiple_of(RESERVED_SHARE)
    }

    fn is_solvable(&self, pos: &Position) -> bool {
        let most = self.database.as_ref().map_or(USUAL_PIECES, |database| database.pieces());
        pos.board.pieces() as usize <= most && pos.board.mover != 0
    }

    /// Won, drawn or lost: the value of the game without the rule of no progress. Who asks first in a program waits some
    /// seconds for the values to be found.
    fn solved(&self, pos: &Position) -> Option<Score> {
        let most = self.database.as_ref().map_or(USUAL_PIECES, |database| database.pieces());
        if pos.board.pieces() as usize > most {
            return None;
        }
        let database = self.database.as_deref().unwrap_or_else(|| Database::usual());
        Some(match database.value(&pos.board)? {
            Value::Won => WON,
            Value::Drawn => Score::ZERO,
            Value::Lost => -WON,
        })
    }

    /// Whoever must take cannot pass: what a null move would keep is lost anyway.
    #[inline]
    fn null_plausible(&self, pos: &Position) -> bool {
        !pos.board.must_take()
    }

    /// Kings.
    fn force(&self, pos: &Position, of_mover: bool) -> Force {
        let kings = pos.board.counts()[usize::from(!of_mover)][1];
        Force { count: kings, worth: 3 * kings }
    }

    #[inline]
    fn order(&self, pos: &Position, hints: &Hints<'_, Move>, moves: &mut Moves<Self>) {
        if moves.len() < 2 {
            return;
        }
        for scored in moves {
            let mv = scored.mv;
            scored.value = if hints.table == Some(mv) {
                TABLE
            } else if self.tactical(pos, mv) {
                TACTICAL + self.gain(pos, mv).0
            } else if hints.killers[0] == Some(mv) {
                KILLER + 1
            } else if hints.killers[1] == Some(mv) {
                KILLER
            } else {
                // A step forward is worth something, a man's before it is next to the last row more than a king's.
                let forward = i32::from(mv.to > mv.from && mv.to & CROWNING == 0);
                16 * i32::from(hints.history[self.history_index(pos, mv)]) + forward
            };
        }
    }

    /// Whether a move takes or crowns.
    #[inline]
    fn tactical(&self, pos: &Position, mv: Move) -> bool {
        mv.is_capture() || mv.to & CROWNING != 0 && mv.from & pos.board.kings == 0
    }

    /// What a move wins at once, in the scale of the balance.
    #[inline]
    fn gain(&self, pos: &Position, mv: Move) -> Score {
        let kings = (mv.taken & pos.board.kings).count_ones() as i32;
        let crowned = mv.from & pos.board.kings == 0 && mv.to & CROWNING != 0;
        let men = mv.size() as i32 - kings;
        Score(men * MAN + kings * KING + if crowned { KING - MAN } else { 0 })
    }

    /// The men of both sides as the mover sees them.
    fn structure(&self, pos: &Position) -> Option<u64> {
        let Board { mover, other, kings } = pos.board;
        Some(position::identity(&Board { mover: mover & !kings, other: other & !kings, kings: 0 }))
    }

    #[inline]
    fn history_index(&self, pos: &Position, mv: Move) -> usize {
        let king = usize::from(mv.from & pos.board.kings != 0);
        let way = if mv.is_capture() { 4 } else { usize::from(direction(mv)) };
        (king * SQUARES + square(mv.from)) * 8 + way
    }
}

/// The first of the best captures.
fn first(moves: &[(i32, Move)]) -> Option<usize> {
    let mut largest: Option<usize> = None;
    for (at, (value, _)) in moves.iter().enumerate() {
        if largest.is_none_or(|best| moves[best].0 < *value) {
            largest = Some(at);
        }
    }
    largest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use secateur_core::game::Notation;
    use std::collections::BTreeSet;

    #[test]
    fn quiet_moves_of_a_position_have_counters_of_their_own() {
        let game = Draughts::default();
        for board in testing::boards(2_000) {
            let moves = testing::moves(&board);
            let pos = Position::new(board, true, 0);
            let places: BTreeSet<usize> = moves.iter().map(|&mv| game.history_index(&pos, mv)).collect();
            assert!(places.iter().all(|&place| place < HISTORY));
            assert!(moves[0].is_capture() || places.len() == moves.len());
        }
    }

    #[test]
    fn the_classes_come_in_their_order() {
        let game = Draughts::default();
        let pos = game.parse("B:W32,24:B25,1,9,10").expect("a position");
        let mv = |text| game.parse_move(&pos, text).expect("a legal move");
        let mut history = vec![0; HISTORY];
        history[game.history_index(&pos, mv("10-15"))] = 700;
        let hints = Hints {
            depth: 3,
            table: Some(mv("9-13")),
            killers: [Some(mv("10-14")), None],
            counter: None,
            history: &history,
        };
        let mut moves = Moves::<Draughts>::new();
        game.moves(&pos, &mut moves);
        game.order(&pos, &hints, &mut moves);
        let mut moves = moves.to_vec();
        moves.sort_by_key(|scored| -scored.value);
        let first: Vec<String> = moves.iter().map(|scored| game.format_move(&pos, scored.mv)).collect();
        assert_eq!(first[0], "9-13");
        assert!(first[1..3].iter().all(|text| text.starts_with("25-")), "{first:?}");
        assert_eq!(first[3..5], ["10-14", "10-15"]);
    }
}
