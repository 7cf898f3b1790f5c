//! The transposition table: results of earlier searches by position, depth and path context.
//!
//! By default a value is used only at the very depth it was searched to, never at a shallower one: that keeps the
//! value of `none` provably equal to plain minimax with the same horizon, which "deeper is as good" does not.
//! The best move of any entry of the position serves ordering. Size is fixed when the table is made and is
//! part of the record; [`Table::clear`] forgets everything without touching the memory.

use crate::score::{Score, Window};
use secateur_base::options::Drafts;

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

/// One stored result, 16 bytes.
#[derive(Clone, Copy, Debug)]
struct Slot {
    key: u64,
    score: i16,
    mv: u16,
    draft: u8,
    bound: Bound,
    context: u8,
    /// Slots of a generation that is not kept are empty; 0 never is.
    generation: u8,
}

const EMPTY: Slot =
    Slot { key: 0, score: 0, mv: 0, draft: 0, bound: Bound::Exact, context: 0, generation: 0 };

/// The first generation: so far from 0 that no kept one ever reaches it.
const FIRST: u8 = MOST_KEPT + 1;

/// Four slots that one cache line holds.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

/// What the table knows about a node.
#[derive(Clone, Copy, Debug, Default)]
pub struct Found {
    /// Value and bound searched at the depth (or as [`Drafts`] says) and context asked for.
    pub value: Option<(Score, Bound)>,
    /// Packed best move of the deepest entry of the position; 0 for none.
    pub mv: u16,
}

/// A fixed-size table.
#[derive(Debug)]
pub struct Table {
    buckets: Vec<Bucket>,
    drafts: Drafts,
    generation: u8,
    /// Generations whose slots count as written, the current one included.
    kept: u8,
}

/// What a slot loses in worth with every search that it has outlived, plies.
const AGED: i32 = 4;
/// Most generations that are kept.
const MOST_KEPT: u8 = 60;
/// Buckets that are counted to tell how full a table is. Keys spread evenly, so the first are as good as any.
const SAMPLE: usize = 1024;

impl Table {
    /// A table of `mebibytes` MiB (at least one bucket for 0).
    #[must_use]
    pub fn new(mebibytes: usize, drafts: Drafts) -> Table {
        let count = (mebibytes << 20) / size_of::<Bucket>();
        Table { buckets: vec![Bucket([EMPTY; 4]); count.max(1)], drafts, generation: FIRST, kept: 1 }
    }

    /// Forgets everything. Behaves exactly as a new table.
    pub fn clear(&mut self) {
        self.advance();
        self.kept = 1;
    }

    /// Begins another search that remembers; entries not met again grow old and give way first.
    pub fn grow_older(&mut self) {
        self.advance();
        self.kept = (self.kept + 1).min(MOST_KEPT);
    }

    fn advance(&mut self) {
        if self.generation == u8::MAX {
            self.renumber();
        }
        self.generation += 1;
    }

    /// Gives small numbers to the generations that are kept when the numbers have come to their end. When that is
    /// depends on all searches before, so nothing may be forgotten by it.
    #[cold]
    fn renumber(&mut self) {
        let shift = u8::MAX - (FIRST - 1);
        let mut buckets = std::mem::take(&mut self.buckets);
        for slot in buckets.iter_mut().flat_map(|bucket| &mut bucket.0) {
            match self.age(slot) {
                Some(_) => slot.generation -= shift,
                None => *slot = EMPTY,
            }
        }
        self.buckets = buckets;
        self.generation -= shift;
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    /// Looks up a position at a depth (`draft`) and context.
    #[must_use]
    #[inline]
    pub fn probe(&self, key: u64, draft: i32, context: u8) -> Found {
        let mut found = Found::default();
        let mut deepest = -1;
        for slot in &self.buckets[self.index(key)].0 {
            if slot.key == key && self.age(slot).is_some() {
                let deep_enough = match self.drafts {
                    Drafts::Exact => i32::from(slot.draft) == draft,
                    Drafts::AtLeast => i32::from(slot.draft) >= draft,
                };
                if deep_enough && slot.context == context {
                    found.value = Some((Score(i32::from(slot.score)), slot.bound));
                }
                if slot.mv != 0 && i32::from(slot.draft) > deepest {
                    deepest = i32::from(slot.draft);
                    found.mv = slot.mv;
                }
            }
        }
        found
    }

    /// Whether any search of the position, of whatever depth and context, says that its value is at least `bound`.
    #[must_use]
    pub fn foretells(&self, key: u64, bound: Score) -> bool {
        let promises = |slot: &Slot| slot.bound != Bound::Upper && i32::from(slot.score) >= bound.0;
        let slots = &self.buckets[self.index(key)].0;
        slots.iter().any(|slot| slot.key == key && self.age(slot).is_some() && promises(slot))
    }

    /// Stores a result, in place of: the same position, context and (or as [`Drafts`] says) depth; else an empty
    /// slot; else the shallowest, where each search since counts as a few plies.
    #[inline]
    pub fn store(&mut self, key: u64, draft: i32, context: u8, score: Score, bound: Bound, mut mv: u16) {
        let index = self.index(key);
        let slots = &self.buckets[index].0;
        let mut victim = 0;
        let mut worst = i32::MAX;
        for (i, slot) in slots.iter().enumerate() {
            let age = self.age(slot);
            let same = slot.key == key && slot.context == context && age.is_some();
            if same && (self.drafts == Drafts::AtLeast || i32::from(slot.draft) == draft) {
                if self.drafts == Drafts::AtLeast && mv == 0 {
                    mv = slot.mv;
                }
                victim = i;
                break;
            }
            let worth = age.map_or(i32::MIN, |age| i32::from(slot.draft) - AGED * age);
            if worth < worst {
                worst = worth;
                victim = i;
            }
        }
        let generation = self.generation;
        self.buckets[index].0[victim] =
            Slot { key, score: score.0 as i16, mv, draft: draft as u8, bound, context, generation };
    }

    /// How full the table is, in thousandths: of the slots of its first buckets, those that hold something.
    #[must_use]
    pub fn fill(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(SAMPLE)];
        let kept = |bucket: &Bucket| bucket.0.iter().filter(|slot| self.age(slot).is_some()).count();
        let held: usize = sample.iter().map(kept).sum();
        (held * 1000 / (sample.len() * 4)) as u32
    }

    /// Searches since a slot was written, 0 for the current one; `None` for an empty slot.
    #[inline]
    fn age(&self, slot: &Slot) -> Option<i32> {
        let age = self.generation.wrapping_sub(slot.generation);
        (age < self.kept).then_some(i32::from(age))
    }

    /// Asks the processor to fetch the bucket of `key` ahead of its use.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket = std::ptr::from_ref(&self.buckets[self.index(key)]);
            // SAFETY: a prefetch has no architectural effect, and the address is that of a live bucket.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXACT: Drafts = Drafts::Exact;
    const KEY: u64 = 0x1234_5678_9abc_def0;

    #[test]
    fn values_answer_only_for_their_depth_and_context() {
        let mut table = Table::new(1, EXACT);
        table.store(KEY, 8, 0, Score(-120), Bound::Lower, 7);
        assert_eq!(table.probe(KEY, 8, 0).value, Some((Score(-120), Bound::Lower)));
        assert_eq!(table.probe(KEY, 7, 0).value, None);
        assert_eq!(table.probe(KEY, 8, 1).value, None);
        assert_eq!(table.probe(KEY, 7, 1).mv, 7, "the move serves every depth and context");
        assert_eq!(table.probe(!KEY, 8, 0).mv, 0);
    }

    #[test]
    fn a_table_says_how_full_it_is() {
        let mut table = Table::new(1, EXACT);
        assert_eq!(table.fill(), 0);
        // A quarter of the slots, then all of them, wherever the keys say.
        let spread = |table: &mut Table, count: u64| {
            for index in 0..count {
                table.store(index.wrapping_mul(u64::MAX / count), 3, 0, Score(1), Bound::Exact, 2);
            }
        };
        spread(&mut table, 1 << 14);
        assert!((245..=255).contains(&table.fill()), "{}", table.fill());
        spread(&mut table, 1 << 17);
        assert!(table.fill() > 990, "{}", table.fill());
        table.grow_older();
        assert!(table.fill() > 990, "what is remembered takes room");
        table.clear();
        assert_eq!(table.fill(), 0);
    }

    #[test]
    fn clearing_forgets_through_every_generation() {
        let mut table = Table::new(1, EXACT);
        for _ in 0..600 {
            table.store(KEY, 3, 0, Score(1), Bound::Exact, 2);
            assert!(table.probe(KEY, 3, 0).value.is_some());
            table.clear();
            assert!(table.probe(KEY, 3, 0).value.is_none());
            assert_eq!(table.probe(KEY, 3, 0).mv, 0);
        }
    }

    /// A game of many searches, begun after any number of searches before it.
    #[test]
    fn what_is_remembered_does_not_depend_on_what_was_forgotten() {
        let game = |before: usize| {
            let mut table = Table::new(0, EXACT);
            (0..before).for_each(|_| table.grow_older());
            table.store(9, 9, 0, Score(9), Bound::Exact, 9);
            table.clear();
            let mut said = Vec::new();
            for search in 1..=300_u64 {
                table.grow_older();
                table.store(search % 7, (search * 5 % 11) as i32, 0, Score(search as i32), Bound::Exact, 1);
                said.extend(
                    (0..10).map(|key| (0..11).map(|draft| table.probe(key, draft, 0).value).collect()),
                );
            }
            said
        };
        let fresh: Vec<Vec<_>> = game(0);
        assert!((1..260).all(|before| game(before) == fresh));
    }

    #[test]
    fn the_shallowest_entry_gives_way() {
        let mut table = Table::new(0, EXACT);
        for draft in 1..=5 {
            table.store(draft as u64, draft, 0, Score(draft), Bound::Exact, 1);
        }
        assert!(table.probe(1, 1, 0).value.is_none());
        for draft in 2..=5 {
            assert_eq!(table.probe(draft as u64, draft, 0).value, Some((Score(draft), Bound::Exact)));
        }
    }

    #[test]
    fn deeper_values_answer_where_they_may() {
        let mut table = Table::new(1, Drafts::AtLeast);
        table.store(KEY, 8, 0, Score(5), Bound::Exact, 7);
        assert!(table.probe(KEY, 7, 0).value.is_some());
        assert!(table.probe(KEY, 9, 0).value.is_none());
        table.store(KEY, 9, 0, Score(6), Bound::Upper, 0);
        let found = table.probe(KEY, 8, 0);
        assert_eq!((found.value, found.mv), (Some((Score(6), Bound::Upper)), 7), "one entry, its move kept");
    }

    #[test]
    fn old_entries_stay_until_room_is_needed() {
        let mut table = Table::new(0, EXACT);
        table.store(1, 6, 0, Score(1), Bound::Exact, 1);
        for _ in 0..300 {
            table.grow_older();
            for key in 2..=4 {
                table.store(key, 3, 0, Score(2), Bound::Exact, 1);
            }
            assert!((2..=4).all(|key| table.probe(key, 3, 0).value.is_some()));
        }
        let mut table = Table::new(0, EXACT);
        table.store(1, 6, 0, Score(1), Bound::Exact, 1);
        table.grow_older();
        assert!(table.probe(1, 6, 0).value.is_some(), "remembered");
        for key in 2..=5 {
            table.store(key, 3, 0, Score(2), Bound::Exact, 1);
        }
        assert!(table.probe(1, 6, 0).value.is_none(), "old: six plies are worth less than three new ones");
        table.clear();
        assert!((2..=5).all(|key| table.probe(key, 3, 0).value.is_none()));
    }
}
