//! What was observed so far in a search, depth by depth, whatever the protocol.
//!
//! It is bounded: a broken engine must not fill the memory with what it says, nor bring sums of it to overflow.

use super::counts;
use super::info::{Act, Answer, EngineScore, Info};
use super::number::Unread;
use std::collections::BTreeMap;
use std::time::Duration;

/// Depths that are kept apart.
const MOST_DEPTHS: usize = 512;
/// What counts of nodes are expected to be.
const GROWING: &str = "counts since the search began, which never fall";
/// Moves of a line.
const LONGEST_LINE: usize = 256;
/// From this loss on, in hundredths, a program counts as seeing itself lost.
const LOST: i32 = -1_000;
/// Largest value in hundredths, so that sums and signs of values cannot overflow.
const LARGEST: i32 = 10_000_000;

/// What was observed so far in a search.
#[derive(Debug, Default)]
pub(super) struct Observed {
    depths: BTreeMap<u32, Info>,
    nodes: u64,
    /// The last count that was named without a depth.
    last_nodes: u64,
    counts: Vec<counts::Count>,
    /// The first number that could not be read.
    unread: Option<Unread>,
}

impl Observed {
    /// Nodes that were named without a depth.
    pub(super) fn nodes(&mut self, nodes: u64) {
        if nodes == 0 {
            return;
        }
        if nodes < self.last_nodes {
            let counts = format!("{nodes} behind {}", self.last_nodes);
            self.unread.get_or_insert(Unread::new("nodes", &counts, GROWING));
        }
        self.last_nodes = nodes;
        self.nodes = self.nodes.max(nodes);
    }

    /// That a deeper iteration names fewer nodes than one before it, if one does: then it counts each by itself, or its counter ran
    /// over, and the largest count is not that of the search.
    fn fallen(&self) -> Option<Unread> {
        let mut before: Option<&Info> = None;
        for info in self.depths.values().filter(|info| info.nodes > 0) {
            if let Some(before) = before.filter(|before| before.nodes > info.nodes) {
                let counts = format!(
                    "{} at depth {} behind {} at depth {}",
                    info.nodes, info.depth, before.nodes, before.depth
                );
                return Some(Unread::new("nodes", &counts, GROWING));
            }
            before = Some(info);
        }
        None
    }

    /// Takes in a line of any protocol that counts what a method did.
    pub(super) fn count(&mut self, line: &str) {
        let counted = counts::observe(line, &mut self.counts);
        self.read(counted);
    }

    /// What was read of a line, if all of it could be: else the search has no answer that could be kept.
    pub(super) fn read<T>(&mut self, line: Result<T, Unread>) -> Option<T> {
        match line {
            Ok(value) => Some(value),
            Err(unread) => {
                self.unread.get_or_insert(unread);
                None
            }
        }
    }

    /// Whether anything was said of any depth.
    pub(super) fn is_empty(&self) -> bool {
        self.depths.is_empty()
    }

    /// Takes in what was said of a depth. A later word may leave out what an earlier one said.
    pub(super) fn tell(&mut self, info: Info) {
        self.nodes = self.nodes.max(info.nodes);
        let depth = info.depth;
        if self.depths.len() >= MOST_DEPTHS && !self.depths.contains_key(&depth) {
            return;
        }
        let kept = self.depths.entry(depth).or_insert_with(|| Info { depth, ..Info::default() });
        kept.seldepth = kept.seldepth.max(info.seldepth);
        kept.nodes = kept.nodes.max(info.nodes);
        kept.time = kept.time.max(info.time);
        if info.score.is_some() {
            (kept.score, kept.bound) = (info.score, info.bound);
        }
        if !info.pv.is_empty() {
            kept.pv = info.pv;
            kept.pv.truncate(LONGEST_LINE);
        }
    }

    /// Whether the last value says that the game is lost.
    pub(super) fn is_lost(&self) -> bool {
        let last = self.depths.values().rev().find_map(|info| info.score);
        last.is_some_and(|score| match score {
            EngineScore::Mate(moves) => moves <= 0,
            EngineScore::Cp(value) => value <= LOST,
        })
    }

    /// All of it, with the move, or what was done in place of one, and the first number that could not be read: then nothing is
    /// kept but the move.
    pub(super) fn answer(
        mut self,
        mv: Result<String, Act>,
        wall: Duration,
        cpu: Option<Duration>,
    ) -> (Answer, Option<Unread>) {
        let unread = self.unread.take().or_else(|| self.fallen());
        if unread.is_some() {
            self = Observed::default();
        }
        let infos: Vec<Info> = self.depths.into_values().collect();
        let first = || infos.iter().rev().find_map(|info| info.pv.first().cloned());
        let (act, best_move) = match mv {
            Ok(mv) => (Act::Moves, mv),
            Err(act) => (act, first().unwrap_or_default()),
        };
        (Answer { act, best_move, infos, nodes: self.nodes, wall, cpu, counts: self.counts }, unread)
    }
}

/// A value in hundredths, kept within bounds.
pub(super) fn hundredths(value: f64) -> EngineScore {
    // A cast of a float saturates.
    EngineScore::Cp((value.round() as i32).clamp(-LARGEST, LARGEST))
}
