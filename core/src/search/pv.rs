//! The principal variation as a triangular table.
//!
//! Every node on an open window clears its row before anything else: a row left over from a sibling is how
//! truncated lines and moves of the wrong side come about.

use super::budget::MAX_DEPTH;

/// Rows for every ply that an open window can reach; forced passes cost no depth, so twice the depth.
const PLIES: usize = 2 * MAX_DEPTH as usize + 2;

/// Best lines by ply.
#[derive(Clone, Debug)]
pub(super) struct PvTable<M> {
    rows: Vec<Vec<M>>,
}

impl<M: Copy> PvTable<M> {
    pub(super) fn new() -> PvTable<M> {
        PvTable { rows: (0..PLIES).map(|_| Vec::with_capacity(PLIES)).collect() }
    }

    pub(super) fn clear(&mut self, ply: u32) {
        self.rows[ply as usize].clear();
    }

    /// Makes `mv`, followed by the child's line, the line at `ply`.
    pub(super) fn set(&mut self, ply: u32, mv: M) {
        let (upper, lower) = self.rows.split_at_mut(ply as usize + 1);
        let line = &mut upper[ply as usize];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&lower[0]);
    }

    pub(super) fn line(&self) -> &[M] {
        &self.rows[0]
    }
}
