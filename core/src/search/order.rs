//! Killers, counter-moves and history: what earlier cuts say about good quiet moves.
//!
//! The game turns these hints into ordering values ([`crate::Evaluation::order`]); here they are only kept.
//! Sources: killer heuristic, Akl & Newborn 1977; counter-move heuristic, Uiterwijk 1992; history heuristic,
//! Schaeffer 1989, here with a bound that lets old merit fade ("gravity").

use super::budget::MAX_DEPTH;

/// Largest absolute history value.
const HISTORY_LIMIT: i32 = 16_384;

/// Ordering memory of one search.
#[derive(Clone, Debug)]
pub(super) struct Memory<M> {
    killers: Vec<[Option<M>; 2]>,
    history: [Vec<i16>; 2],
    /// By side and history index of the opponent's move: what refuted it last.
    counters: [Vec<Option<M>>; 2],
    /// History index of the move made at each ply of the current line.
    line: Vec<u16>,
}

/// Stands for no move on the line: the root's predecessor, a null move, a probe.
const NOTHING: u16 = u16::MAX;

impl<M: Copy + PartialEq> Memory<M> {
    pub(super) fn new(history: usize) -> Memory<M> {
        Memory {
            killers: vec![[None; 2]; 2 * MAX_DEPTH as usize + 2],
            history: [vec![0; history], vec![0; history]],
            counters: [vec![None; history], vec![None; history]],
            line: vec![NOTHING; 2 * MAX_DEPTH as usize + 2],
        }
    }

    pub(super) fn clear(&mut self) {
        self.killers.fill([None; 2]);
        self.history.iter_mut().for_each(|table| table.fill(0));
        self.counters.iter_mut().for_each(|table| table.fill(None));
        self.line.fill(NOTHING);
    }

    /// Notes which move, by history index, leads from `ply` to the next; `None` for none in particular.
    #[inline]
    pub(super) fn made(&mut self, ply: u32, index: Option<usize>) {
        self.line[ply as usize] = index.map_or(NOTHING, |index| index as u16);
    }

    #[inline]
    fn previous(&self, ply: u32) -> Option<usize> {
        let index = if ply == 0 { NOTHING } else { self.line[ply as usize - 1] };
        (index != NOTHING).then_some(usize::from(index))
    }

    /// What last refuted the move that led to `ply`, where `side` is to move.
    #[inline]
    pub(super) fn counter(&self, side: usize, ply: u32) -> Option<M> {
        self.previous(ply).and_then(|index| self.counters[side][index])
    }

    /// Notes that the quiet move `mv` of `side` refuted the move that led to `ply`.
    pub(super) fn countered(&mut self, side: usize, ply: u32, mv: M) {
        if let Some(index) = self.previous(ply) {
            self.counters[side][index] = Some(mv);
        }
    }

    #[inline]
    pub(super) fn killers(&self, ply: u32) -> [Option<M>; 2] {
        self.killers[ply as usize]
    }

    #[inline]
    pub(super) fn history(&self, side: usize) -> &[i16] {
        &self.history[side]
    }

    /// Notes that the quiet move `mv` cut at `ply`.
    pub(super) fn killed(&mut self, ply: u32, mv: M) {
        let slot = &mut self.killers[ply as usize];
        if slot[0] != Some(mv) {
            *slot = [Some(mv), slot[0]];
        }
    }

    /// Rewards (positive `bonus`) or punishes a quiet move; |bonus| up to the limit.
    pub(super) fn credit(&mut self, side: usize, index: usize, bonus: i32) {
        let entry = &mut self.history[side][index];
        let old = i32::from(*entry);
        *entry = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_stays_within_its_limit() {
        let mut memory = Memory::<u8>::new(1);
        for bonus in [400, -400] {
            for _ in 0..10_000 {
                memory.credit(0, 0, bonus);
                assert!(i32::from(memory.history(0)[0]).abs() <= HISTORY_LIMIT);
            }
            assert_eq!(i32::from(memory.history(0)[0]).signum(), bonus.signum());
        }
    }

    #[test]
    fn killers_are_distinct_and_recent_first() {
        let mut memory = Memory::<u8>::new(1);
        for mv in [1, 2, 2, 3] {
            memory.killed(4, mv);
        }
        assert_eq!(memory.killers(4), [Some(3), Some(2)]);
    }
}
