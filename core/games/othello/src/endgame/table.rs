//! The solver's transposition table: bounds of exact results in discs, and the move that gave them.
//!
//! Unlike the host's table an entry holds both bounds and has no depth, since all results reach to the end
//! of the game. It has the confidence of the search that it is of: bounds serve searches of that confidence or a
//! lower one, the move serves all. An entry that took more nodes to find outlasts one that took fewer.

use super::super::board::Board;
use secateur_base::hash::folded;
use secateur_core::search::prefetch;

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// The result is at least this.
    pub(super) lower: i8,
    /// The result is at most this.
    pub(super) upper: i8,
    /// Index of the best or refuting move; 64 for none.
    pub(super) mv: u8,
    /// How sure the bounds are.
    pub(super) confidence: u8,
}

/// What a search of a position found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finding {
    /// The result, or a bound if it is not within the window.
    pub(super) value: i32,
    /// The window.
    pub(super) alpha: i32,
    pub(super) beta: i32,
    /// Index of the best or refuting move; 64 for none.
    pub(super) mv: u8,
    /// Nodes that it took.
    pub(super) nodes: u64,
    /// How sure it is.
    pub(super) confidence: u8,
}

/// The confidence of exact results; those of selective searches are lower.
pub(super) const EXACT: u8 = u8::MAX;

/// One entry, 16 bytes.
#[derive(Clone, Copy, Debug)]
struct Slot {
    key: u64,
    bounds: Known,
    /// Logarithm of the nodes spent.
    effort: u8,
    /// Entries of another generation are empty; 0 is never current.
    generation: u16,
}

/// Nothing is known.
const UNKNOWN: Known = Known { lower: -64, upper: 64, mv: 64, confidence: EXACT };

const EMPTY: Slot = Slot { key: 0, bounds: UNKNOWN, effort: 0, generation: 0 };

/// The entries among which a position has its place.
trait Bucket: Copy {
    const EMPTY: Self;
    fn slots(&self) -> &[Slot];
    fn slots_mut(&mut self) -> &mut [Slot];
}

/// Four entries that one cache line holds: the one that took the fewest nodes gives way.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Line([Slot; 4]);

impl Bucket for Line {
    const EMPTY: Line = Line([EMPTY; 4]);

    #[inline(always)]
    fn slots(&self) -> &[Slot] {
        &self.0
    }

    #[inline(always)]
    fn slots_mut(&mut self) -> &mut [Slot] {
        &mut self.0
    }
}

/// One entry, which gives way to whatever comes: there is nothing to choose.
impl Bucket for Slot {
    const EMPTY: Slot = EMPTY;

    #[inline(always)]
    fn slots(&self) -> &[Slot] {
        std::slice::from_ref(self)
    }

    #[inline(always)]
    fn slots_mut(&mut self) -> &mut [Slot] {
        std::slice::from_mut(self)
    }
}

/// A fixed-size table.
#[derive(Debug)]
struct Table<B> {
    buckets: Vec<B>,
    generation: u16,
}

impl<B: Bucket> Table<B> {
    /// A table of `mebibytes` MiB (at least one bucket for 0).
    fn new(mebibytes: usize) -> Table<B> {
        let count = (mebibytes << 20) / size_of::<B>();
        Table { buckets: vec![B::EMPTY; count.max(1)], generation: 1 }
    }

    /// Forgets everything. Behaves exactly as a new table.
    fn clear(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.buckets.fill(B::EMPTY);
            self.generation = 1;
        }
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    /// Looks up a position for a search of this confidence; of a lower one only the move is known.
    #[inline]
    fn probe(&self, key: u64, confidence: u8) -> Option<Known> {
        let slots = self.buckets[self.index(key)].slots();
        let slot = slots.iter().find(|slot| slot.key == key && slot.generation == self.generation)?;
        let bounds = slot.bounds;
        Some(if bounds.confidence >= confidence { bounds } else { Known { mv: bounds.mv, ..UNKNOWN } })
    }

    /// Stores what a search found.
    #[inline]
    fn store(&mut self, key: u64, finding: &Finding) {
        let &Finding { value, alpha, beta, mv, nodes, confidence } = finding;
        let lower = if value > alpha { value as i8 } else { -64 };
        let upper = if value < beta { value as i8 } else { 64 };
        let effort = (64 - nodes.leading_zeros()) as u8;
        let (generation, index) = (self.generation, self.index(key));
        let slots = self.buckets[index].slots_mut();
        let current = |slot: &Slot| slot.generation == generation;
        if let Some(slot) = slots.iter_mut().find(|slot| slot.key == key && current(slot)) {
            let bounds = slot.bounds;
            // A fail-low result knows no good move: an earlier one is kept.
            let mv = if value > alpha || bounds.mv >= 64 { mv } else { bounds.mv };
            slot.effort = slot.effort.max(effort);
            slot.bounds = if confidence < bounds.confidence {
                Known { mv, ..bounds }
            } else {
                let bounds = if confidence > bounds.confidence { UNKNOWN } else { bounds };
                Known { lower: bounds.lower.max(lower), upper: bounds.upper.min(upper), mv, confidence }
            };
            return;
        }
        let worth = |slot: &Slot| if current(slot) { i32::from(slot.effort) } else { -1 };
        let mut victim = 0;
        for index in 1..slots.len() {
            if worth(&slots[index]) < worth(&slots[victim]) {
                victim = index;
            }
        }
        slots[victim] = Slot { key, bounds: Known { lower, upper, mv, confidence }, effort, generation };
    }

    /// Asks the processor to fetch the entries of `key` ahead of their use.
    #[inline]
    fn prefetch(&self, key: u64) {
        prefetch(&self.buckets[self.index(key)]);
    }
}

/// Up to this many empty squares results go to the near table.
const NEAR: u32 = 10;
/// Size of the near table, MiB: within a processor's second-level cache, and so is the way to it. In one
/// large table most of a small node's time would go into waiting for memory.
const NEAR_MIB: usize = 1;

/// From this many on they go to the middle table,
const MIDDLE_FROM: u32 = NEAR + 1;
/// and up to this many.
const MIDDLE: u32 = 13;
/// Size of the middle table, MiB. The children of a node that has its moves ordered by the evaluation are all looked up
/// at once, which in the far table is ten waits for memory.
const MIDDLE_MIB: usize = 2;

/// Three tables: many small results, soon forgotten, and fewer that took longer to find.
#[derive(Debug)]
pub(super) struct Tables {
    near: Table<Slot>,
    middle: Table<Line>,
    far: Table<Line>,
}

impl Tables {
    /// Tables of about `mebibytes` MiB.
    pub(super) fn new(mebibytes: usize) -> Tables {
        Tables {
            near: Table::new(NEAR_MIB.min(mebibytes)),
            middle: Table::new(MIDDLE_MIB.min(mebibytes)),
            far: Table::new(mebibytes),
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.near.clear();
        self.middle.clear();
        self.far.clear();
    }

    /// Looks up a position with so many empty squares for a search of this confidence; of a lower one only the move is known.
    #[inline]
    pub(super) fn probe(&self, empties: u32, key: u64, confidence: u8) -> Option<Known> {
        match empties {
            0..=NEAR => self.near.probe(key, confidence),
            MIDDLE_FROM..=MIDDLE => self.middle.probe(key, confidence),
            _ => self.far.probe(key, confidence),
        }
    }

    /// Stores what a search of a position with so many empty squares found.
    #[inline]
    pub(super) fn store(&mut self, empties: u32, key: u64, finding: &Finding) {
        match empties {
            0..=NEAR => self.near.store(key, finding),
            MIDDLE_FROM..=MIDDLE => self.middle.store(key, finding),
            _ => self.far.store(key, finding),
        }
    }

    /// Asks the processor to fetch what is known of a position with so many empty squares.
    #[inline]
    pub(super) fn prefetch(&self, empties: u32, key: u64) {
        match empties {
            0..=NEAR => self.near.prefetch(key),
            MIDDLE_FROM..=MIDDLE => self.middle.prefetch(key),
            _ => self.far.prefetch(key),
        }
    }
}

/// The key of a board: either word changes about half of the bits.
#[inline]
pub(super) fn key(board: Board) -> u64 {
    let first = folded(board.player ^ 0x2545_F491_4F6C_DD1D, 0x9FB2_1C65_1E98_DF25);
    folded(first ^ board.opponent.rotate_left(29), 0xD6E8_FEB8_6659_FD93) ^ first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_close_in_and_moves_of_failures_are_kept() {
        let mut table = Table::<Line>::new(1);
        table.store(7, &exact(4, 3, 4, 19));
        assert_eq!(table.probe(7, EXACT), bounds(4, 64, 19, EXACT));
        table.store(7, &exact(10, 11, 12, 20));
        assert_eq!(table.probe(7, EXACT), bounds(4, 10, 19, EXACT));
        table.store(7, &exact(8, 5, 9, 21));
        assert_eq!(table.probe(7, EXACT), bounds(8, 8, 21, EXACT));
        assert_eq!(table.probe(8, EXACT), None);
        table.clear();
        assert_eq!(table.probe(7, EXACT), None);
    }

    fn bounds(lower: i8, upper: i8, mv: u8, confidence: u8) -> Option<Known> {
        Some(Known { lower, upper, mv, confidence })
    }

    fn exact(value: i32, alpha: i32, beta: i32, mv: u8) -> Finding {
        Finding { value, alpha, beta, mv, nodes: 100, confidence: EXACT }
    }

    #[test]
    fn bounds_serve_their_own_confidence_and_lower_ones_and_moves_serve_all() {
        let mut table = Table::<Line>::new(1);
        table.store(7, &Finding { confidence: 1, ..exact(4, 3, 4, 19) });
        assert_eq!(table.probe(7, 1), bounds(4, 64, 19, 1));
        assert_eq!(table.probe(7, 2), bounds(-64, 64, 19, EXACT));
        // What is surer takes the place of bounds, which it may contradict.
        table.store(7, &Finding { confidence: 2, ..exact(0, 3, 4, 64) });
        assert_eq!(table.probe(7, 1), bounds(-64, 0, 19, 2));
        table.store(7, &Finding { confidence: 1, ..exact(8, 3, 4, 20) });
        assert_eq!(table.probe(7, 1), bounds(-64, 0, 20, 2));
    }

    #[test]
    fn the_cheapest_entry_gives_way() {
        let mut table = Table::<Line>::new(0);
        for key in 1..=5 {
            table.store(key, &Finding { nodes: 1 << key, ..exact(0, -1, 1, 0) });
        }
        assert_eq!(table.probe(1, EXACT), None);
        assert!((2..=5).all(|key| table.probe(key, EXACT).is_some()));
    }
}
