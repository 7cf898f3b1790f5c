//! Random numbers for sampling: one independent stream for every game.
//!
//! A game's numbers depend on seed, family and game number only, so games may be played in any order and on
//! any number of threads. Sampling has families of its own; training and fitting never draw from them.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

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
    #[must_use]
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
    #[must_use]
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
