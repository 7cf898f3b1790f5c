//! Plays numbered games until every slot has its positions, the same ones on any number of threads; the random numbers of a game, and
//! the shallow searcher that plays both sides.
//!
//! A game is a pure function of its number, and results are taken in the order of the numbers; threads only
//! change who plays which game. A slot is a kind of position wanted (a disc count, a game phase); games
//! serve the slots in turn.
//!
//! A game's random numbers depend on seed, family and game number only, so games may be played in any order and on any number of threads.
//! Sampling has families of its own; training and fitting never draw from them.

use super::entry;
use crate::pool::all_by;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use secateur_core::prune::Methods;
use secateur_core::search::{Budget, Options, Searcher};
use secateur_core::{Game, Moves, Score};
use secateur_positions::Entry;
use std::collections::BTreeSet;

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
            let results = all_by(&mut workers, &batch, |worker, &(game, slot)| play(worker, game, slot));
            for (&(game, slot), result) in batch.iter().zip(results) {
                // A slot filled within the batch takes no more, as if the game had not been played.
                if had[slot] < self.slots[slot] && result.is_some_and(|item| take(game, slot, item)) {
                    had[slot] += 1;
                }
            }
            progress(had.iter().sum(), wanted);
        }
    }

    /// The positions of games, one each, ordered by slot and then by game; none of `taken` (canonical forms), to which the new ones are
    /// added. A slot that cannot be filled stays short.
    pub(super) fn sample<G: Game, W: Send>(
        &self,
        (game, family): (&G, Family),
        worker: impl Fn() -> W,
        play: impl Fn(&mut W, u64, usize) -> Option<G::Position> + Sync,
        taken: &mut BTreeSet<String>,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Vec<Entry> {
        let mut sampled: Vec<(usize, u64, G::Position)> = Vec::new();
        let take = |number, slot, pos: G::Position| {
            let fresh = taken.insert(game.canonical(&pos));
            sampled.extend(fresh.then_some((slot, number, pos)));
            fresh
        };
        self.gather(worker, play, take, progress);
        sampled.sort_by_key(|&(slot, number, _)| (slot, number));
        sampled.iter().map(|(_, number, pos)| entry(game, family, *number, pos)).collect()
    }
}

/// What a stream is for. The numbers are arbitrary; they only have to differ from each other and from the
/// seed constants of training.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Positions on which methods are judged.
    Test,
    /// Positions on which parameters are fitted.
    Fit,
    /// Openings of matches.
    Play,
    /// What is thrown in games with dice: a stream for each pair of games.
    Throws,
    /// Directions in which a tuner looks.
    Tune,
}

impl Family {
    fn constant(self) -> u64 {
        match self {
            Family::Test => 0x5EC4_7E0A_0000_7E57,
            Family::Fit => 0x5EC4_7E0A_0000_0F17,
            Family::Play => 0x5EC4_7E0A_0000_91A7,
            Family::Throws => 0x5EC4_7E0A_0000_D1CE,
            Family::Tune => 0x5EC4_7E0A_0000_70E5,
        }
    }

    /// Start of the names of the family's games, which are the clusters of positions.
    pub fn name(self) -> &'static str {
        match self {
            Family::Test => "test",
            Family::Fit => "fit",
            Family::Play => "play",
            Family::Throws => "throws",
            Family::Tune => "tune",
        }
    }
}

/// The random numbers of one game.
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// The numbers of the game with this number, in `family`.
    pub fn new(seed: u64, family: Family, game: u64) -> Dice {
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ family.constant());
        rng.set_stream(game);
        Dice(rng)
    }

    /// A number below `sides`, uniform but for 2^-32: the high half of a product (Lemire 2019).
    pub fn below(&mut self, sides: usize) -> usize {
        let sides = u64::try_from(sides).unwrap_or(u64::MAX);
        ((u128::from(self.0.next_u64()) * u128::from(sides)) >> 64) as usize
    }

    /// One of the items, each as likely; `None` of none.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() {
            return None;
        }
        items.get(self.below(items.len())).copied()
    }
}

/// Plays one game at a time; owns a search and its small table.
pub struct Player<'p, G: Game> {
    search: Searcher<'p, G>,
}

impl<'p, G: Game> Player<'p, G> {
    /// A player without any method, with a table of 1 MiB.
    pub fn new(game: &G) -> Self {
        Player::with(game, Methods::NONE, Options { table_mib: 1, ..Options::default() })
    }

    /// A player that prunes.
    pub fn with(game: &G, methods: &'p Methods, options: Options) -> Self {
        Player { search: game.clone().searcher(methods, options) }
    }

    /// The game that it plays.
    pub fn game(&self) -> &G {
        self.search.game()
    }

    /// The legal moves in the game's order.
    pub fn moves(&self, pos: &G::Position) -> Vec<G::Move> {
        let mut moves = Moves::<G>::new();
        self.game().moves(pos, &mut moves);
        moves.iter().map(|scored| scored.mv).collect()
    }

    /// Best move and its value; `None` at the end of a game.
    pub fn best(&mut self, pos: &G::Position, budget: &Budget) -> Option<(G::Move, Score)> {
        let outcome = self.search.run(pos, budget);
        let last = outcome.last();
        Some((last.best_move()?, last.score))
    }

    /// Every move with its value, searched `depth` plies deep (the move itself is one of them).
    fn values(&mut self, pos: &G::Position, depth: i32) -> Vec<(G::Move, Score)> {
        let moves = self.moves(pos);
        let mut value = |mv: G::Move| {
            let child = self.game().play(pos, mv);
            let over = self.moves(&child).is_empty() && !self.game().awaits(&child);
            let score = if over {
                -self.game().outcome(&child, 1)
            } else {
                -self.search.run(&child, &Budget::Depth((depth - 1).max(1))).last().score
            };
            (mv, score)
        };
        moves.into_iter().map(&mut value).collect()
    }

    /// One of the moves whose value is within `margin` of the best, each as likely. `depth` of at least 2.
    pub fn near_best(
        &mut self,
        pos: &G::Position,
        depth: i32,
        margin: i32,
        dice: &mut Dice,
    ) -> Option<G::Move> {
        let values = self.values(pos, depth);
        let best = values.iter().map(|&(_, score)| score).max()?;
        let near: Vec<G::Move> =
            values.iter().filter(|&&(_, score)| score.0 >= best.0 - margin).map(|&(mv, _)| mv).collect();
        dice.pick(&near)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_core::{Notation, Rules};
    use secateur_games::othello::Othello;
    use std::collections::BTreeSet;

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

    fn rolls(seed: u64, family: Family, game: u64) -> Vec<usize> {
        let mut dice = Dice::new(seed, family, game);
        (0..16).map(|_| dice.below(1000)).collect()
    }

    #[test]
    fn streams_repeat_and_differ() {
        assert_eq!(rolls(1, Family::Test, 5), rolls(1, Family::Test, 5));
        assert_ne!(rolls(1, Family::Test, 5), rolls(1, Family::Test, 6));
        assert_ne!(rolls(1, Family::Test, 5), rolls(1, Family::Fit, 5));
        assert_ne!(rolls(1, Family::Test, 5), rolls(2, Family::Test, 5));
    }

    #[test]
    fn every_side_comes_up() {
        let mut dice = Dice::new(7, Family::Fit, 0);
        let mut seen = [0; 6];
        for _ in 0..6000 {
            seen[dice.below(6)] += 1;
        }
        assert!(seen.iter().all(|&count| (850..1150).contains(&count)), "{seen:?}");
        assert_eq!(dice.pick::<u8>(&[]), None);
        assert_eq!(dice.pick(&[3]), Some(3));
    }

    /// With no margin the move is a best one; with a huge one every move comes up.
    #[test]
    fn the_margin_is_kept() {
        let game = Othello::default();
        let mut player = Player::new(&game);
        let mut dice = Dice::new(3, Family::Test, 0);
        let mut pos = game.start();
        for _ in 0..7 {
            let moves = player.moves(&pos);
            let strict = player.near_best(&pos, 3, 0, &mut dice).unwrap();
            let (_, value) = player.best(&pos, &Budget::Depth(3)).unwrap();
            let reply = player.best(&game.play(&pos, strict), &Budget::Depth(2)).unwrap();
            assert_eq!(-reply.1, value);
            pos = game.play(&pos, moves[moves.len() / 2]);
        }
        let all: BTreeSet<String> = (0..200)
            .filter_map(|_| player.near_best(&pos, 2, 20_000, &mut dice))
            .map(|mv| game.format_move(&pos, mv))
            .collect();
        assert_eq!(all.len(), player.moves(&pos).len());
    }
}
