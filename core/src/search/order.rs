//! Killers and history: what earlier cuts say about good quiet moves.
//!
//! The game turns these hints into ordering values ([`crate::Game::order`]); here they are only kept.
//! Sources: killer heuristic, Akl & Newborn 1977; history heuristic, Schaeffer 1989, here with a bound that
//! lets old merit fade ("gravity").

use super::budget::MAX_DEPTH;

/// Largest absolute history value.
const HISTORY_LIMIT: i32 = 16_384;

/// Ordering memory of one search.
#[derive(Clone, Debug)]
pub(super) struct Memory<M> {
    killers: Vec<[Option<M>; 2]>,
    history: [Vec<i16>; 2],
}

impl<M: Copy + PartialEq> Memory<M> {
    pub(super) fn new(history: usize) -> Memory<M> {
        Memory {
            killers: vec![[None; 2]; 2 * MAX_DEPTH as usize + 2],
            history: [vec![0; history], vec![0; history]],
        }
    }

    pub(super) fn clear(&mut self) {
        self.killers.fill([None; 2]);
        self.history.iter_mut().for_each(|table| table.fill(0));
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
