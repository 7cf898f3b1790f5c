//! Plays numbered games until every slot has its positions, the same ones on any number of threads.
//!
//! A game is a pure function of its number, and results are taken in the order of the numbers; threads only
//! change who plays which game. A slot is a kind of position wanted (a disc count, a game phase); games
//! serve the slots in turn.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Games that a slot may use up for each position wanted before it is given up: a slot may hold fewer
/// positions than wanted (8 discs have few distinct ones).
const GAMES_PER_POSITION: u64 = 200;

/// What is wanted.
pub struct Plan {
    /// Positions wanted in each slot.
    pub slots: Vec<usize>,
    /// Playing threads, at least 1.
    pub threads: usize,
}

impl Plan {
    /// Plays and hands over. `play` is given the playing thread's own state (one is made for each), the
    /// game's number and its slot; `take` is given what it returned, in the order of the games, and says
    /// whether the position is used. `progress` hears positions had and positions wanted.
    pub fn gather<W: Send, T: Send>(
        &self,
        worker: impl Fn() -> W,
        play: impl Fn(&mut W, u64, usize) -> Option<T> + Sync,
        mut take: impl FnMut(u64, usize, T) -> bool,
        progress: &mut dyn FnMut(usize, usize),
    ) {
        let wanted: usize = self.slots.iter().sum();
        let mut had = vec![0; self.slots.len()];
        let mut workers: Vec<W> = (0..self.threads.max(1)).map(|_| worker()).collect();
        let mut next = 0;
        loop {
            let open = |game: u64| {
                let slot = (game % self.slots.len() as u64) as usize;
                let turn = game / self.slots.len() as u64;
                let tries = GAMES_PER_POSITION * self.slots[slot] as u64;
                (had[slot] < self.slots[slot] && turn < tries).then_some((game, slot))
            };
            let largest = self.slots.iter().max().copied().unwrap_or(0) as u64;
            let end = GAMES_PER_POSITION * largest * self.slots.len() as u64;
            let batch: Vec<(u64, usize)> = (next..end).filter_map(open).take(8 * workers.len()).collect();
            let Some(&(last, _)) = batch.last() else { break };
            next = last + 1;
            for (&(game, slot), result) in batch.iter().zip(run(&mut workers, &batch, &play)) {
                // A slot filled within the batch takes no more, as if the game had not been played.
                if had[slot] < self.slots[slot] && result.is_some_and(|item| take(game, slot, item)) {
                    had[slot] += 1;
                }
            }
            progress(had.iter().sum(), wanted);
        }
    }
}

/// Results of a batch, in its order.
fn run<W: Send, T: Send>(
    workers: &mut [W],
    batch: &[(u64, usize)],
    play: &(impl Fn(&mut W, u64, usize) -> Option<T> + Sync),
) -> Vec<Option<T>> {
    let next = AtomicUsize::new(0);
    let work = |worker: &mut W| {
        let mut results = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(&(game, slot)) = batch.get(index) else { return results };
            results.push((index, play(worker, game, slot)));
        }
    };
    let mut results: Vec<(usize, Option<T>)> = std::thread::scope(|scope| {
        let work = &work;
        let handles: Vec<_> = workers.iter_mut().map(|worker| scope.spawn(move || work(worker))).collect();
        handles.into_iter().flat_map(|handle| handle.join().expect("a sampling thread panicked")).collect()
    });
    results.sort_by_key(|&(index, _)| index);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gathered(threads: usize) -> Vec<(u64, usize, u64)> {
        let plan = Plan { slots: vec![5, 20, 1], threads };
        let mut list = Vec::new();
        let play = |_: &mut (), game: u64, _: usize| (!game.is_multiple_of(4)).then_some(game * game % 97);
        let take = |game, slot, value| {
            let fresh = list.iter().all(|&(_, _, other)| other != value);
            if fresh {
                list.push((game, slot, value));
            }
            fresh
        };
        plan.gather(|| (), play, take, &mut |had, wanted| assert!(had <= wanted && wanted == 26));
        list
    }

    #[test]
    fn threads_do_not_matter() {
        let one = gathered(1);
        for (slot, wanted) in [5, 20, 1].into_iter().enumerate() {
            assert_eq!(one.iter().filter(|taken| taken.1 == slot).count(), wanted);
        }
        assert!(one.iter().all(|&(game, slot, _)| game % 3 == slot as u64));
        for threads in [2, 3, 7] {
            assert_eq!(gathered(threads), one);
        }
    }

    #[test]
    fn a_slot_that_cannot_be_filled_is_given_up() {
        let plan = Plan { slots: vec![2, 3], threads: 2 };
        let mut games = [0; 2];
        let play = |_: &mut (), _: u64, slot: usize| Some(slot);
        let take = |_, slot, _| {
            games[slot] += 1;
            slot == 1
        };
        plan.gather(|| (), play, take, &mut |_, _| ());
        assert_eq!(games, [2 * GAMES_PER_POSITION as usize, 3]);
    }
}
