//! Random numbers that can be drawn again: a stream for every trial, so that one can be repeated alone.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use secateur_positions::Fnv;

/// The random numbers of one trial.
#[derive(Clone, Debug)]
pub(crate) struct Dice(ChaCha8Rng);

impl Dice {
    /// The numbers of trial `number` of a kind of trials under a seed.
    #[must_use]
    pub(crate) fn new(seed: u64, kind: &str, number: u64) -> Dice {
        let kind = Fnv::default().bytes(kind.as_bytes()).value();
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ kind);
        rng.set_stream(number);
        Dice(rng)
    }

    /// A number below `sides`; 0 of no sides.
    pub(crate) fn below(&mut self, sides: usize) -> usize {
        ((u128::from(self.0.next_u64()) * sides as u128) >> 64) as usize
    }

    /// Whether something that happens once in `times` happens.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of the items, each as likely; there must be one.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// A number of `low..=high`, every order of magnitude as likely as another. Both are positive.
    pub(crate) fn log_uniform(&mut self, low: f64, high: f64) -> f64 {
        let share = self.0.next_u64() as f64 / u64::MAX as f64;
        low * (high.max(low) / low).powf(share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trials_repeat_and_differ() {
        let draw = |seed, kind, number| {
            let mut dice = Dice::new(seed, kind, number);
            [dice.below(1 << 40), dice.below(1 << 40)]
        };
        assert_eq!(draw(1, "a", 2), draw(1, "a", 2));
        for (seed, kind, number) in [(2, "a", 2), (1, "b", 2), (1, "a", 3)] {
            assert_ne!(draw(seed, kind, number), draw(1, "a", 2));
        }
    }

    #[test]
    fn log_uniform_numbers_spread_over_the_orders() {
        let mut dice = Dice::new(1, "x", 0);
        let drawn: Vec<f64> = (0..300).map(|_| dice.log_uniform(1.0, 1000.0)).collect();
        assert!(drawn.iter().all(|number| (1.0..=1000.0).contains(number)));
        for decade in [1.0, 10.0, 100.0] {
            let share = drawn.iter().filter(|n| (decade..decade * 10.0).contains(*n)).count();
            assert!((60..140).contains(&share), "{decade}: {share}");
        }
    }
}
