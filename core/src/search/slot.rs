//! One entry of the transposition table, 16 bytes of plain bits.
//!
//! Plain, because memory of zeros costs nothing until it is used: a table of zeros is an empty one.

use crate::score::{Score, Window};

/// What a stored value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// True value >= stored value.
    Lower,
    /// True value <= stored value.
    Upper,
    /// Equal.
    Exact,
}

impl Bound {
    /// What a fail-soft value says that a search of `window` found.
    #[inline]
    pub(super) fn of(score: Score, window: Window) -> Bound {
        if score >= window.beta {
            Bound::Lower
        } else if score <= window.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }
}

/// One stored result, 16 bytes: the key, and from the lowest bits on generation (14), bound (2), context (8), draft (8), move
/// (16) and score (16). Words of plain bits, because memory of zeros costs nothing until it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) key: u64,
    data: u64,
}

/// Slots of a generation that is not kept are empty; 0 never is.
pub(super) const EMPTY: [u64; 2] = [0; 2];

/// The last generation that there is room for.
pub(super) const LAST: u16 = (1 << 14) - 1;

impl Slot {
    #[inline]
    pub(super) fn of([key, data]: [u64; 2]) -> Slot {
        Slot { key, data }
    }

    /// The two words of an entry.
    #[inline]
    pub(super) fn pack(
        key: u64,
        generation: u16,
        bound: Bound,
        context: u8,
        draft: i32,
        mv: u16,
        score: Score,
    ) -> [u64; 2] {
        let data = u64::from(generation)
            | (bound as u64) << 14
            | u64::from(context) << 16
            | u64::from(draft as u8) << 24
            | u64::from(mv) << 32
            | u64::from(score.0 as i16 as u16) << 48;
        [key, data]
    }

    #[inline]
    pub(super) fn generation(self) -> u16 {
        self.data as u16 & LAST
    }

    /// Searches since the slot was written, 0 for the current one; `None` for an empty slot.
    #[inline]
    pub(super) fn age(self, generation: u16, kept: u16) -> Option<i32> {
        let age = generation.wrapping_sub(self.generation());
        (age < kept).then_some(i32::from(age))
    }

    #[inline]
    pub(super) fn bound(self) -> Bound {
        match self.data >> 14 & 3 {
            0 => Bound::Lower,
            1 => Bound::Upper,
            _ => Bound::Exact,
        }
    }

    #[inline]
    pub(super) fn context(self) -> u8 {
        (self.data >> 16) as u8
    }

    #[inline]
    pub(super) fn draft(self) -> i32 {
        i32::from((self.data >> 24) as u8)
    }

    #[inline]
    pub(super) fn mv(self) -> u16 {
        (self.data >> 32) as u16
    }

    #[inline]
    pub(super) fn score(self) -> Score {
        Score(i32::from((self.data >> 48) as i16))
    }
}
