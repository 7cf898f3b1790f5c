//! Who throws in a game with dice: the referee, with the same throws in both games of a pair.
//!
//! The k-th throw of a game is a function of the match's seed, the number of the pair and k. So whoever has the better throws in
//! one game of a pair has the worse ones in the other, as far as the moves go alike, and what is left of luck is what differs
//! between the players. Nobody sees a throw before it is made. Left out: dice that players bring along.

use secateur_base::hash::Fnv;
use secateur_core::Game;
use secateur_suites::sample::dice::{Dice, Family};

/// The generator in words, for the record.
const GENERATOR: &str = "by the referee, ChaCha8 with the match's seed and a stream a pair, the k-th number of it for the \
                         k-th throw of either game";

/// The throws of both games of a pair.
pub(super) struct Throws(Dice);

impl Throws {
    /// The throws of a game of this pair, from the first.
    pub(super) fn new(seed: u64, pair: usize) -> Throws {
        Throws(Dice::new(seed, Family::Throws, pair as u64))
    }

    /// The throws of a game from this opening, for games that have no numbers.
    pub(super) fn of_opening(seed: u64, position: &str) -> Throws {
        Throws(Dice::new(seed, Family::Throws, Fnv::default().field(position).value()))
    }

    /// The next throw: a number below `sides`.
    pub(super) fn below(&mut self, sides: u32) -> u32 {
        // Below a number of 32 bits.
        self.0.below(sides as usize) as u32
    }
}

/// How dice are thrown in matches of a game, in words; empty in a game without.
pub(super) fn described<G: Game>(game: &G) -> String {
    if game.chances() { GENERATOR.to_owned() } else { String::new() }
}
