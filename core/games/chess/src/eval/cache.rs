//! Values of positions evaluated before: half of the quiet positions of a search are reached by more than one order of moves.
//!
//! A value is a function of the position, so the cache changes speed only. A slot holds the key's upper bits and the value in
//! one word; the lower bits are part of its place, so all 64 bits of the key are compared.

use secateur_core::Score;
use std::cell::Cell;

/// Bits that a value takes of a slot, and the place tells of the key.
const VALUE_BITS: u32 = 16;
const SLOTS: usize = 1 << 17;

/// The cache, a MiB. Cells make it usable behind a shared reference; a searcher owns its game, so no thread sees
/// another's.
#[derive(Clone, Debug)]
pub(super) struct ValueCache {
    slots: Box<[Cell<u64>]>,
    /// Values that were computed.
    #[cfg(test)]
    pub(super) misses: Cell<u64>,
}

impl ValueCache {
    pub(super) fn new() -> ValueCache {
        // A zero is the value 0 of one key in 2^48, at slot 0 of a key of zeros: it is written over before it could matter.
        let slots = vec![Cell::new(0); SLOTS].into_boxed_slice();
        ValueCache {
            slots,
            #[cfg(test)]
            misses: Cell::new(0),
        }
    }

    /// Forgets all values.
    pub(super) fn clear(&mut self) {
        self.slots.fill(Cell::new(0));
    }

    /// The value of the position with this key, from the point of view that `compute` takes.
    #[inline]
    pub(super) fn value(&self, key: u64, compute: impl FnOnce() -> Score) -> Score {
        let slot = &self.slots[key as usize % SLOTS];
        let entry = slot.get();
        if (entry ^ key) >> VALUE_BITS == 0 {
            return Score(i32::from(entry as u16 as i16));
        }
        #[cfg(test)]
        self.misses.set(self.misses.get() + 1);
        let score = compute();
        slot.set((key >> VALUE_BITS << VALUE_BITS) | u64::from(score.0 as i16 as u16));
        score
    }
}
