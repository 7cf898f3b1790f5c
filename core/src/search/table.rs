//! The transposition table: results of earlier searches by position, depth and path context.
//!
//! By default a value is used only at the very depth it was searched to, never at a shallower one: that keeps the
//! value of `none` provably equal to plain minimax with the same horizon, which "deeper is as good" does not.
//! The best move of any entry of the position serves ordering. Size is fixed when the table is made and is
//! part of the record; [`Table::clear`] forgets everything without touching the memory.
//!
//! An entry is 16 bytes of plain bits: memory of zeros costs nothing until it is used, and a table of zeros is an empty one.

use crate::score::{Score, Window};
use secateur_base::options::Drafts;

/// The first generation: so far from 0 that no kept one ever reaches it.
const FIRST: u16 = MOST_KEPT + 1;

/// Slots of a bucket, which one cache line holds.
const BUCKET: usize = 4;

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
    slots: Vec<[u64; 2]>,
    /// The slot that the first bucket begins with: the first at the beginning of a cache line.
    first: usize,
    buckets: usize,
    drafts: Drafts,
    generation: u16,
    /// Generations whose slots count as written, the current one included.
    kept: u16,
    /// Whether the current generation began by forgetting, so that the next search needs no other.
    fresh: bool,
}

/// What a slot loses in worth with every search that it has outlived, plies.
const AGED: i32 = 4;
/// Most generations that are kept.
const MOST_KEPT: u16 = 60;
/// Buckets that are counted to tell how full a table is. Keys spread evenly, so the first are as good as any.
const SAMPLE: usize = 1024;

impl Table {
    /// A table of `mebibytes` MiB (at least one bucket for 0).
    pub fn new(mebibytes: usize, drafts: Drafts) -> Table {
        let buckets = ((mebibytes << 20) / (BUCKET * size_of::<[u64; 2]>())).max(1);
        let slots = vec![EMPTY; BUCKET * buckets + BUCKET - 1];
        // Allocators align to a slot at least.
        let first = (BUCKET - slots.as_ptr().addr() / size_of::<[u64; 2]>() % BUCKET) % BUCKET;
        Table { slots, first, buckets, drafts, generation: FIRST, kept: 1, fresh: false }
    }

    /// Forgets everything. Behaves exactly as a new table.
    pub fn clear(&mut self) {
        if self.generation == LAST {
            self.slots.fill(EMPTY);
            self.generation = FIRST;
        } else {
            self.generation += 1;
        }
        (self.kept, self.fresh) = (1, true);
    }

    /// A table as [`Table::new`] makes it that also has the memory which that is only promised: for searches whose time is
    /// taken.
    pub fn warmed(mebibytes: usize, drafts: Drafts) -> Table {
        // Zeros over zeros are what a compiler may leave out.
        let mut table = std::hint::black_box(Table::new(mebibytes, drafts));
        table.slots.fill(EMPTY);
        table
    }

    /// Begins another search that remembers; entries not met again grow old and give way first.
    pub fn grow_older(&mut self) {
        if std::mem::take(&mut self.fresh) {
            return;
        }
        if self.generation == LAST {
            self.renumber();
        }
        self.generation += 1;
        self.kept = (self.kept + 1).min(MOST_KEPT);
    }

    /// Gives small numbers to the generations that are kept when the numbers have come to their end. When that is
    /// depends on all searches before, so nothing may be forgotten by it.
    #[cold]
    fn renumber(&mut self) {
        let shift = LAST - (FIRST - 1);
        let mut slots = std::mem::take(&mut self.slots);
        for slot in &mut slots {
            match self.age(Slot::of(*slot)) {
                Some(_) => slot[1] -= u64::from(shift),
                None => *slot = EMPTY,
            }
        }
        self.slots = slots;
        self.generation -= shift;
    }

    /// The place of the first slot of a key's bucket.
    #[inline]
    fn place(&self, key: u64) -> usize {
        self.first + BUCKET * ((u128::from(key) * self.buckets as u128) >> 64) as usize
    }

    /// The slots where a key may be.
    #[inline]
    fn bucket(&self, key: u64) -> impl Iterator<Item = Slot> {
        let place = self.place(key);
        self.slots[place..place + BUCKET].iter().map(|&slot| Slot::of(slot))
    }

    /// Looks up a position at a depth (`draft`) and context.
    #[inline]
    pub fn probe(&self, key: u64, draft: i32, context: u8) -> Found {
        let mut answer = Found::default();
        let mut deepest = -1;
        for slot in self.bucket(key) {
            if slot.key == key && self.age(slot).is_some() {
                let deep_enough = match self.drafts {
                    Drafts::Exact => slot.draft() == draft,
                    Drafts::AtLeast => slot.draft() >= draft,
                };
                if deep_enough && slot.context() == context {
                    answer.value = Some((slot.score(), slot.bound()));
                }
                if slot.mv() != 0 && slot.draft() > deepest {
                    deepest = slot.draft();
                    answer.mv = slot.mv();
                }
            }
        }
        answer
    }

    /// Whether any search of the position, of whatever depth and context, says that its value is at least `bound`.
    pub fn foretells(&self, key: u64, bound: Score) -> bool {
        let promises = |slot: Slot| slot.bound() != Bound::Upper && slot.score() >= bound;
        self.bucket(key).any(|slot| slot.key == key && self.age(slot).is_some() && promises(slot))
    }

    /// Value, bound, draft and best move (0 for none) of the deepest entry of a position that was found in this context.
    pub fn deepest(&self, key: u64, context: u8) -> Option<(Score, Bound, i32, u16)> {
        let is_same = |slot: &Slot| slot.key == key && slot.context() == context && self.age(*slot).is_some();
        let slot = self.bucket(key).filter(is_same).max_by_key(|slot| slot.draft())?;
        Some((slot.score(), slot.bound(), slot.draft(), slot.mv()))
    }

    /// Stores a result, in place of: the same position, context and (or as [`Drafts`] says) depth; else an empty
    /// slot; else the shallowest, where each search since counts as a few plies.
    #[inline]
    pub fn store(&mut self, key: u64, draft: i32, context: u8, score: Score, bound: Bound, mut mv: u16) {
        let (generation, kept) = (self.generation, self.kept);
        let mut victim = 0;
        let mut worst = i32::MAX;
        let place = self.place(key);
        let bucket = &mut self.slots[place..place + BUCKET];
        for (i, slot) in bucket.iter().map(|&slot| Slot::of(slot)).enumerate() {
            let age = slot.age(generation, kept);
            let same = slot.key == key && slot.context() == context && age.is_some();
            if same && (self.drafts == Drafts::AtLeast || slot.draft() == draft) {
                if self.drafts == Drafts::AtLeast && mv == 0 {
                    mv = slot.mv();
                }
                victim = i;
                break;
            }
            let worth = age.map_or(i32::MIN, |age| slot.draft() - AGED * age);
            if worth < worst {
                worst = worth;
                victim = i;
            }
        }
        bucket[victim] = Slot::pack(key, generation, bound, context, draft, mv, score);
    }

    /// How full the table is, in thousandths: of the slots of its first buckets, those that hold something.
    pub fn fill(&self) -> u32 {
        let sample = &self.slots[self.first..][..BUCKET * self.buckets.min(SAMPLE)];
        let held = sample.iter().filter(|slot| self.age(Slot::of(**slot)).is_some()).count();
        (held * 1000 / sample.len()) as u32
    }

    #[inline]
    fn age(&self, slot: Slot) -> Option<i32> {
        slot.age(self.generation, self.kept)
    }

    /// Asks the processor to fetch the bucket of `key` ahead of its use.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(&self.slots[self.place(key)]);
    }
}

/// Asks the processor to fetch what a reference points to ahead of its use.
#[inline(always)]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch has no architectural effect, and the address is that of a live value.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

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
    pub fn of(score: Score, window: Window) -> Bound {
        if score >= window.beta {
            Bound::Lower
        } else if score <= window.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }

    /// Whether a stored value of this kind answers a search of `window`.
    #[inline]
    pub fn decides(self, score: Score, window: Window) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
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
        for _ in 0..3 * u32::from(LAST) {
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
            let mut answers = Vec::new();
            for search in 1..=300_u64 {
                table.grow_older();
                table.store(search % 7, (search * 5 % 11) as i32, 0, Score(search as i32), Bound::Exact, 1);
                answers.extend(
                    (0..10).map(|key| (0..11).map(|draft| table.probe(key, draft, 0).value).collect()),
                );
            }
            answers
        };
        let fresh: Vec<Vec<_>> = game(0);
        // Before, in and after the games in which the numbers of the generations come to their end.
        let end = usize::from(LAST - FIRST);
        assert!((1..5).chain(end - 310..end + 5).all(|before| game(before) == fresh));
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
        let entry = table.probe(KEY, 8, 0);
        assert_eq!((entry.value, entry.mv), (Some((Score(6), Bound::Upper)), 7), "one entry, its move kept");
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
