//! What is done before its time, and what is left until it is needed.
//!
//! Waiting for memory is most of what a probe of the table costs, so the buckets of children that will be searched are
//! fetched ahead. An order of moves, on the other hand, is for nothing where the table's move cuts, or where a plan closes the
//! rest of a node's moves ([`SkipPlan::closes`](crate::prune::SkipPlan::closes)).
//!
//! Of the moves behind the first so many, only captures, promotions and checks are searched then, and those are few. So the
//! rest is not put in order: the open moves are looked for, and each goes to the place that it would have if all were sorted.
//! What is searched, at which place and what is counted is the same. Left out: nodes with many open moves, where sorting all
//! costs no more.

use super::order::{Kept, pick};
use super::{Form, Kind, Node, Search, moments};
use crate::game::{Game, Hints, Moves, Scored};
use crate::score::Score;
use arrayvec::ArrayVec;

/// Which of a node's moves are not in order yet, or not even generated ([`Evaluation::OPENS`](crate::Evaluation::OPENS)), when the
/// first are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Late {
    /// The table's move (packed; 0 is none).
    pub(super) hint: u16,
    /// How many moves come before.
    pub(super) behind: usize,
}

impl Late {
    /// All moves are in order.
    pub(super) const NOTHING: Late = Late { hint: 0, behind: usize::MAX };
}

impl<G: Game, F: Form<G>> Search<'_, G, F> {
    /// Whether the moves behind the table's (packed) need an order only if it does not cut, as it mostly does. Its value is then
    /// set, and its bucket fetched.
    #[inline(always)]
    pub(super) fn late(&self, node: &Node<'_, G>, hint: u16, moves: &mut Moves<G>) -> Late {
        if !G::STEADY || !self.steady || hint == 0 || node.path.kind != Kind::Cut {
            return Late::NOTHING;
        }
        let mv = self.game.unpack(hint);
        let Some(scored) = moves.iter_mut().find(|scored| scored.mv == mv) else { return Late::NOTHING };
        scored.value = i32::MAX;
        if node.depth.0 > self.options.table_min_depth {
            self.table.prefetch(self.game.key_after(node.pos, mv));
        }
        Late { hint, behind: 1 }
    }

    /// Whether some moves are to be searched before the others are generated. They are then in `moves`: the table's (packed; 0 is
    /// none), which has its bucket fetched, or those that come first whatever the hints.
    #[inline(always)]
    pub(super) fn opens(&self, node: &Node<'_, G>, hint: u16, moves: &mut Moves<G>) -> bool {
        if !G::OPENS || !self.opening || node.path.kind != Kind::Cut {
            return false;
        }
        if F::ANY && self.moments.spoken(node.depth, moments::BRANCH) {
            return false;
        }
        if hint == 0 {
            if !node.in_check {
                self.game.opening(node.pos, moves);
            }
            return !moves.is_empty();
        }
        let mv = self.game.unpack(hint);
        if !self.game.is_legal(node.pos, mv) {
            return false;
        }
        moves.push(Scored { mv, value: 0 });
        if node.depth.0 > self.options.table_min_depth {
            self.table.prefetch(self.game.key_after(node.pos, mv));
        }
        true
    }

    /// What the order of a node's moves goes by, as it is before the first is searched.
    #[inline(always)]
    pub(super) fn keep(&mut self, node: &Node<'_, G>) -> Kept<G::Move> {
        self.memory.keep(self.game.side(node.pos), node.ply)
    }

    /// All moves behind those that were searched, in the order that they would have had before that.
    #[inline(never)]
    pub(super) fn rest(&self, node: &Node<'_, G>, hint: u16, kept: &Kept<G::Move>, moves: &mut Moves<G>) {
        let searched = moves.len();
        moves.clear();
        self.game.moves(node.pos, moves);
        if moves.len() > 1 {
            let hints = Hints {
                depth: self.sight(node),
                table: (hint != 0).then(|| self.game.unpack(hint)),
                killers: kept.killers,
                counter: if G::COUNTERS { kept.counter } else { None },
                history: self.memory.kept_history(),
            };
            self.game.order(node.pos, &hints, moves);
        }
        for index in 0..searched {
            pick::<G>(moves, index);
        }
    }

    /// Puts what the first of the plans from `base` on leaves open of the moves from `from` on in its place; nothing if all are to be sorted.
    #[inline(always)]
    pub(super) fn open(
        &self,
        base: usize,
        node: &Node<'_, G>,
        alpha: Score,
        moves: &mut Moves<G>,
        from: usize,
    ) -> Option<Open> {
        if self.closes(base, alpha) { Open::place(&self.game, node.pos, moves, from) } else { None }
    }

    /// Has the table's bucket of the child fetched that the hint leads to and that will most likely be searched
    /// first, while the moves are ordered.
    #[inline(never)]
    pub(super) fn foresee(&self, pos: &G::Position, mv: G::Move, moves: &Moves<G>) {
        if moves.iter().any(|scored| scored.mv == mv) {
            self.table.prefetch(self.game.key_after(pos, mv));
        }
    }

    /// The same for the move at `index`, while the one before it is searched; `sorted` if it is in its place.
    #[inline(never)]
    pub(super) fn foresee_next(&self, pos: &G::Position, moves: &mut Moves<G>, index: usize, sorted: bool) {
        if index < moves.len() {
            let mv = if sorted { moves[index].mv } else { pick::<G>(moves, index) };
            self.table.prefetch(self.game.key_after(pos, mv));
        }
    }
}

/// Most open moves.
const MOST: usize = 8;

/// The open moves of a node, which are in their places; the others are in the order in which they were.
pub(super) struct Open {
    /// Place in the order of the first move that is closed unless it is among them.
    pub(super) from: usize,
    /// Where each was, and its place in the order, the first place first.
    moves: ArrayVec<(usize, usize), MOST>,
}

impl Open {
    /// Puts the open ones of the moves from `from` on in their places; nothing if there are too many.
    #[inline(never)]
    pub(super) fn place<G: Game>(
        game: &G,
        pos: &G::Position,
        moves: &mut Moves<G>,
        from: usize,
    ) -> Option<Open> {
        let mut open = ArrayVec::new();
        let mut at = from;
        loop {
            at += game.calm(pos, &moves[at..]);
            let Some(open_move) = moves.get(at) else { break };
            // Among equals the first generated comes first.
            let earlier = moves[from..at].iter().filter(|other| other.value >= open_move.value).count();
            let later = moves[at + 1..].iter().filter(|other| other.value > open_move.value).count();
            open.try_push((at, from + earlier + later)).ok()?;
            at += 1;
        }
        carry::<G>(moves, &open);
        open.sort_unstable_by_key(|&(_, place)| place);
        Some(Open { from, moves: open })
    }

    /// How many moves from `index` on are closed, in a node of so many moves.
    #[inline]
    pub(super) fn closed(&self, index: usize, moves: usize) -> usize {
        let next = self.moves.iter().map(|&(_, place)| place).find(|&place| place >= index);
        next.unwrap_or(moves) - index
    }

    /// Puts them back where they were.
    #[inline(never)]
    pub(super) fn take_back<G: Game>(self, moves: &mut Moves<G>) {
        let back: ArrayVec<(usize, usize), MOST> =
            self.moves.iter().map(|&(at, place)| (place, at)).collect();
        carry::<G>(moves, &back);
    }
}

/// Carries moves from the first of each two places to the second; the others keep their order.
fn carry<G: Game>(moves: &mut Moves<G>, ways: &ArrayVec<(usize, usize), MOST>) {
    let mut ways = ways.clone();
    ways.sort_unstable_by_key(|&(at, _)| at);
    let mut carried: ArrayVec<_, MOST> =
        ways.iter().rev().map(|&(at, place)| (place, moves.remove(at))).collect();
    carried.sort_unstable_by_key(|&(place, _)| place);
    for (place, scored) in carried {
        moves.insert(place, scored);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{AnyGame, AnyMove, Scored};

    /// The moves `0..count`, each with a value; few values, so that there are ties.
    fn moves(count: u16) -> Moves<AnyGame> {
        (0..count)
            .map(|index| Scored { mv: AnyMove(index), value: i32::from(index) * i32::from(index) % 7 })
            .collect()
    }

    #[test]
    fn what_is_carried_there_and_back_is_as_it_was() {
        for ways in [vec![], vec![(3, 3)], vec![(2, 9), (5, 0)], vec![(9, 1), (1, 9), (4, 2)]] {
            let ways: ArrayVec<(usize, usize), MOST> = ways.into_iter().collect();
            let (before, mut now) = (moves(10), moves(10));
            carry::<AnyGame>(&mut now, &ways);
            for &(at, place) in &ways {
                assert_eq!(now[place], before[at], "{ways:?}");
            }
            let unmoved = |list: &Moves<AnyGame>, left: fn(&(usize, usize)) -> usize| -> Vec<AnyMove> {
                let kept = |index: &usize| !ways.iter().any(|way| left(way) == *index);
                (0..list.len()).filter(kept).map(|index| list[index].mv).collect()
            };
            assert_eq!(unmoved(&now, |way| way.1), unmoved(&before, |way| way.0), "{ways:?}");
            let mut places = ways.clone();
            places.sort_unstable_by_key(|&(_, place)| place);
            Open { from: 0, moves: places }.take_back::<AnyGame>(&mut now);
            assert_eq!(now, before, "{ways:?}");
        }
    }

    #[test]
    fn closed_moves_are_those_up_to_the_next_open_one() {
        let open = Open { from: 4, moves: [(7, 5), (6, 6), (9, 8)].into_iter().collect() };
        assert_eq!([4, 5, 6, 7, 8, 9].map(|index| open.closed(index, 12)), [1, 0, 0, 1, 0, 3]);
    }
}
