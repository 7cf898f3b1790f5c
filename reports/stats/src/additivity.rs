//! Do Elo values add up? The program without two methods against the program without each.
//!
//! If what a method is worth did not depend on the other, the program would lose without both what it loses without each, in
//! sum. What it loses beyond that they were standing in for each other; the nodes that both save are a guess at how much. Source of the
//! question: the notes next to Stockfish's table of values, which do not add up.

use crate::interval::{Interval, z95};
use statrs::distribution::{ContinuousCDF, Normal};

/// What two methods are worth in games, one by one and together.
#[derive(Clone, Debug, PartialEq)]
pub struct Sum {
    /// The two methods.
    pub pair: [String; 2],
    /// Elo that the program loses without each.
    pub each: [Interval; 2],
    /// Elo that it loses without both.
    pub both: Interval,
    /// What it loses without both and not one by one, Elo; above 0 each stands in for the other.
    pub excess: Interval,
    /// Two-sided p-value of that being 0, by the normal distribution; of one test until it is corrected with others.
    pub p: f64,
}

impl Sum {
    /// The p-value of this test alone.
    #[must_use]
    pub fn single(&self) -> f64 {
        2.0 * Normal::standard().sf(z95() * self.excess.estimate.abs() / half(self.excess))
    }
}

/// The pairs that were played, of which each method was played by itself too; `elos` are by methods.
#[must_use]
pub fn sums(elos: &[(&[String], Interval)]) -> Vec<Sum> {
    let alone = |name: &String| elos.iter().find(|(methods, _)| *methods == [name.clone()]).map(|elo| elo.1);
    let sum = |(methods, both): &(&[String], Interval)| {
        let [one, other] = methods else { return None };
        let each = [alone(one)?, alone(other)?];
        let estimate = both.estimate - each[0].estimate - each[1].estimate;
        // Three matches of games of their own.
        let half =
            [each[0], each[1], *both].map(half).into_iter().map(|half| half * half).sum::<f64>().sqrt();
        let excess = Interval { estimate, low: estimate - half, high: estimate + half };
        let pair = [one.clone(), other.clone()];
        let sum = Sum { pair, each, both: *both, excess, p: f64::NAN };
        Some(Sum { p: sum.single(), ..sum })
    };
    elos.iter().filter_map(sum).collect()
}

/// Half of the width of an interval.
fn half(interval: Interval) -> f64 {
    (interval.high - interval.low) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lost_twice_is_told_from_what_adds_up() {
        let names = |text: &str| text.split('+').map(str::to_owned).collect::<Vec<_>>();
        let (a, b, both, lonely) = (names("a"), names("b"), names("a+b"), names("a+c"));
        let elo =
            |estimate: f64, half: f64| Interval { estimate, low: estimate - half, high: estimate + half };
        let elos: [(&[String], Interval); 4] =
            [(&a, elo(30.0, 3.0)), (&b, elo(20.0, 4.0)), (&both, elo(90.0, 12.0)), (&lonely, elo(1.0, 1.0))];
        let pair_sums = sums(&elos);
        assert_eq!(pair_sums.len(), 1, "a pair with a method that was not played by itself is left out");
        assert_eq!(pair_sums[0].pair, ["a", "b"]);
        // 90 - 30 - 20, and 3, 4 and 12 make 13.
        assert_eq!(pair_sums[0].excess, elo(40.0, 13.0));
        // 40 is 6.03 standard errors of 13 / 1.96.
        assert!((1e-10..1e-8).contains(&pair_sums[0].p), "{}", pair_sums[0].p);
    }
}
