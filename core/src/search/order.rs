//! Killers, counter-moves and history: what earlier cuts say about good quiet moves; and moves brought up in their order.
//!
//! The game turns these hints into ordering values ([`crate::Evaluation::order`]); here they are only kept.
//! Sources: killer heuristic, Akl & Newborn 1977; counter-move heuristic, Uiterwijk 1992; history heuristic,
//! Schaeffer 1989, here with a bound that lets old merit fade ("gravity"); history of pairs of moves, counter-move and follow-up
//! history (Stockfish 2014 to 2016), which is kept only where a method asks for it ([`crate::prune::Asks::pairs`]).

use super::budget;
use crate::game::{Game, MAX_MOVES, Moves, Rules, Scored};
use arrayvec::ArrayVec;

/// Largest absolute history value.
const HISTORY_LIMIT: i32 = 16_384;

/// Ordering memory of one search.
#[derive(Clone, Debug)]
pub(super) struct Memory<M> {
    /// By ply: quiet moves that cut, the last first.
    pub(super) killers: Vec<[Option<M>; 2]>,
    /// By side and history index.
    pub(super) history: [Vec<i16>; 2],
    /// By side and history index of the opponent's move: what refuted it last.
    counters: [Vec<Option<M>>; 2],
    /// History index of the move made at each ply of the current line.
    line: Vec<u16>,
    /// By side: the same as history of a move behind each move one ply before, and behind each two plies before.
    pairs: [Vec<i16>; 2],
    /// How many plies before a move it is paired with, 0 to [`PLIES`].
    back: u32,
    /// Histories of the nodes on the line whose first move is searched before the others are generated ([`Memory::keep`]).
    pub(super) kept: Vec<i16>,
}

/// What the order of a node's moves goes by next to the history.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept<M> {
    pub(super) killers: [Option<M>; 2],
    pub(super) counter: Option<M>,
}

/// The farthest ply before a move that it is paired with: the opponent's move, and the own one before.
pub(super) const PLIES: u32 = 2;

/// Stands for no move on the line: the root's predecessor, a null move, a probe.
const NOTHING: u16 = u16::MAX;

impl<M: Copy + PartialEq> Memory<M> {
    /// A memory for so many history indices; `back` are the plies before a move that it is paired with.
    pub(super) fn new(history: usize, back: u32) -> Memory<M> {
        let pairs = back as usize * history * history;
        Memory {
            pairs: [vec![0; pairs], vec![0; pairs]],
            back,
            killers: vec![[None; 2]; budget::PLIES],
            history: [vec![0; history], vec![0; history]],
            counters: [vec![None; history], vec![None; history]],
            line: vec![NOTHING; budget::PLIES],
            kept: Vec::new(),
        }
    }

    /// Keeps what the order of a node's moves goes by now: a copy costs less than an order that may not be needed.
    #[inline]
    pub(super) fn keep(&mut self, side: usize, ply: u32) -> Kept<M> {
        self.kept.extend_from_slice(&self.history[side]);
        Kept { killers: self.killers[ply as usize], counter: self.counter(side, ply) }
    }

    /// The history that was kept last.
    #[inline]
    pub(super) fn kept_history(&self) -> &[i16] {
        &self.kept[self.kept.len() - self.history[0].len()..]
    }

    pub(super) fn clear(&mut self) {
        self.killers.fill([None; 2]);
        self.history.iter_mut().for_each(|table| table.fill(0));
        self.counters.iter_mut().for_each(|table| table.fill(None));
        self.line.fill(NOTHING);
        self.pairs.iter_mut().for_each(|table| table.fill(0));
    }

    /// Notes which move, by history index, leads from `ply` to the next; `None` for none in particular.
    #[inline]
    pub(super) fn made(&mut self, ply: u32, index: Option<usize>) {
        self.line[ply as usize] = index.map_or(NOTHING, |index| index as u16);
    }

    /// History index of the move so many plies before `ply`.
    #[inline]
    fn before(&self, ply: u32, plies: u32) -> Option<usize> {
        let index = ply.checked_sub(plies).map_or(NOTHING, |ply| self.line[ply as usize]);
        (index != NOTHING).then_some(usize::from(index))
    }

    /// Where the pair is kept of a move and the one so many plies before it.
    #[inline]
    fn pair(&self, ply: u32, plies: u32, index: usize) -> Option<usize> {
        let kinds = self.history[0].len();
        let before = self.before(ply, plies)?;
        Some(((plies - 1) as usize * kinds + before) * kinds + index)
    }

    /// History of the pairs of a move and those up to `plies` before it, as far as they are kept.
    pub(super) fn paired(&self, side: usize, ply: u32, index: usize, plies: u32) -> i32 {
        let paired_with = |back| self.pair(ply, back, index).map_or(0, |at| i32::from(self.pairs[side][at]));
        (1..=plies.min(self.back)).map(paired_with).sum()
    }

    /// Rewards or punishes the pairs of a move and those before it.
    #[inline(never)]
    pub(super) fn credit_pairs(&mut self, side: usize, ply: u32, index: usize, bonus: i32) {
        for plies in 1..=self.back {
            if let Some(at) = self.pair(ply, plies, index) {
                add(&mut self.pairs[side][at], bonus);
            }
        }
    }

    /// What last refuted the move that led to `ply`, where `side` is to move.
    #[inline]
    pub(super) fn counter(&self, side: usize, ply: u32) -> Option<M> {
        self.before(ply, 1).and_then(|index| self.counters[side][index])
    }

    /// Notes that the quiet move `mv` of `side` refuted the move that led to `ply`.
    pub(super) fn countered(&mut self, side: usize, ply: u32, mv: M) {
        if let Some(index) = self.before(ply, 1) {
            self.counters[side][index] = Some(mv);
        }
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
        add(&mut self.history[side][index], bonus);
    }
}

/// A merit with a bonus; the nearer the limit, the less of it.
#[inline(always)]
fn add(entry: &mut i16, bonus: i32) {
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
}

/// Bits that say how early a move stands: room for [`MAX_MOVES`].
const PLACE: u32 = MAX_MOVES.next_power_of_two().ilog2();

/// The move at `index` in the order of search; ask for 0, 1, 2, ... in turn. It is the best of the moves from `index` on, which it is
/// brought to the front of. Among equals the first generated wins, so the order is the same however often it is asked.
#[inline]
pub fn pick<G: Rules>(moves: &mut Moves<G>, index: usize) -> G::Move {
    let unpicked = &mut moves[index..];
    // Value and, below it, how early a move stands: one maximum without a branch that no processor can predict.
    let rank =
        |(i, scored): (usize, &Scored<G::Move>)| (i64::from(scored.value) << PLACE) + (MAX_MOVES - i) as i64;
    let best = unpicked.iter().enumerate().map(rank).fold(i64::MIN, i64::max);
    let best = MAX_MOVES - (best & ((1 << PLACE) - 1)) as usize;
    let chosen = unpicked[best];
    // Mostly it is there already, and moving nothing is a call too.
    if best > 0 {
        unpicked.copy_within(..best, 1);
        unpicked[0] = chosen;
    }
    chosen.mv
}

/// Moves that are picked one by one before the rest are sorted: most nodes that cut at all do so before.
pub(super) const PICKED: usize = 3;
/// Least number of moves that are sorted at once; fewer are picked for less.
pub(super) const SORTED: usize = 12;
/// So many more are picked where a plan closes what comes behind them, which then needs no order.
const MORE_PICKED: usize = 8;

/// From where on moves are put in their places at once, where a plan closes the rest from `closing` on.
#[inline]
pub(super) fn sorting(closing: usize) -> usize {
    if closing <= PICKED + MORE_PICKED { closing } else { PICKED }
}

/// Moves of nearly all positions of nearly all games: the array that is sorted is filled with zeros first, so it is no longer than
/// it must be.
const USUAL: usize = 256;

/// Puts the moves from `from` on into the order that [`pick`] would bring them in.
#[inline(never)]
pub(super) fn sort<G: Game>(moves: &mut Moves<G>, from: usize) {
    let unsorted = &mut moves[from..];
    if unsorted.len() <= USUAL {
        sort_within::<G, USUAL>(unsorted)
    } else {
        sort_within::<G, MAX_MOVES>(unsorted)
    }
}

/// [`sort`] of at most `N` moves.
#[inline(always)]
fn sort_within<G: Game, const N: usize>(rest: &mut [Scored<G::Move>]) {
    let mut unsorted = ArrayVec::<_, N>::new();
    unsorted.try_extend_from_slice(rest).expect("there is room for all moves");
    // Value from high to low, and below it how early a move stands.
    let descending = |value: i32| u64::from(!(value as u32 ^ 1 << 31));
    let mut ranks = [0_u64; N];
    let ranks = &mut ranks[..rest.len()];
    for ((rank, scored), place) in ranks.iter_mut().zip(rest.iter()).zip(0..) {
        *rank = descending(scored.value) << PLACE | place;
    }
    ranks.sort_unstable();
    for (scored, rank) in rest.iter_mut().zip(ranks) {
        *scored = unsorted[(*rank & ((1 << PLACE) - 1)) as usize];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{AnyGame, AnyMove};

    #[test]
    fn history_stays_within_its_limit() {
        let mut memory = Memory::<u8>::new(1, 0);
        for bonus in [400, -400] {
            for _ in 0..10_000 {
                memory.credit(0, 0, bonus);
                assert!(i32::from(memory.history[0][0]).abs() <= HISTORY_LIMIT);
            }
            assert_eq!(i32::from(memory.history[0][0]).signum(), bonus.signum());
        }
    }

    #[test]
    fn killers_are_distinct_and_recent_first() {
        let mut memory = Memory::<u8>::new(1, 0);
        for mv in [1, 2, 2, 3] {
            memory.killed(4, mv);
        }
        assert_eq!(memory.killers[4], [Some(3), Some(2)]);
    }

    #[test]
    fn pairs_are_told_apart_by_the_moves_before_and_forgotten() {
        let mut memory = Memory::<u8>::new(3, 2);
        memory.made(3, Some(1));
        memory.made(4, Some(2));
        memory.credit_pairs(0, 5, 0, 100);
        assert_eq!([1, 2].map(|plies| memory.paired(0, 5, 0, plies)), [100, 200]);
        assert_eq!([memory.paired(1, 5, 0, 2), memory.paired(0, 5, 1, 2)], [0, 0], "side and move count");
        memory.made(3, Some(0));
        assert_eq!(memory.paired(0, 5, 0, 2), 100, "only the last move is the same");
        memory.made(4, None);
        assert_eq!(memory.paired(0, 5, 0, 2), 0, "no pair behind a null move");
        assert_eq!([memory.paired(0, 0, 0, 2), memory.paired(0, 1, 0, 2)], [0, 0], "nor at the root");
        memory.credit_pairs(0, 0, 0, 100);
        memory.made(4, Some(2));
        for _ in 0..10_000 {
            memory.credit_pairs(0, 5, 0, -400);
        }
        assert!((-HISTORY_LIMIT..-HISTORY_LIMIT / 2).contains(&memory.paired(0, 5, 0, 1)));
        memory.clear();
        memory.made(4, Some(2));
        assert_eq!(memory.paired(0, 5, 0, 2), 0);
    }

    #[test]
    fn picking_is_a_stable_sort() {
        for count in 1..=64_usize {
            let mut moves = Moves::<AnyGame>::new();
            for index in 0..count {
                // Few different values, so that there are ties, and the ends of the scale among them.
                let value = [0, i32::MIN, 7, i32::MAX, -1][index * index % 7 % 5];
                moves.push(Scored { mv: AnyMove(index as u16), value });
            }
            let mut sorted = moves.clone();
            sorted.sort_by_key(|scored| std::cmp::Reverse(scored.value));
            for from in 0..=count {
                let mut finished = moves.clone();
                (0..from).for_each(|index| _ = pick::<AnyGame>(&mut finished, index));
                sort::<AnyGame>(&mut finished, from);
                assert_eq!(finished, sorted, "{count} from {from}");
            }
            let picked: Vec<AnyMove> = (0..count).map(|index| pick::<AnyGame>(&mut moves, index)).collect();
            assert!(picked.iter().zip(&sorted).all(|(mv, scored)| *mv == scored.mv), "{count}");
            assert_eq!(moves, sorted);
        }
    }
}
