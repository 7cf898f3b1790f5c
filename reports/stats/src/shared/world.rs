//! A program of which it is known what each method is worth, and games of it that lack methods: what the answers of this module
//! are held against.

use super::{Lacking, PairOfGames};
use crate::elo::{elo, expected_score};
use crate::inference::SplitMix;
use serde::{Deserialize, Serialize};

/// What methods are worth where others are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Law {
    /// The same.
    Additive,
    /// More: twice as much where all others are missing.
    HalfOverlapping,
    /// Every third pair of methods is worth 15 Elo more or less than its sum.
    Interacting,
}

/// What a third of the pairs of [`Law::Interacting`] are worth beyond their sum, or less, Elo.
const INTERACTION: f64 = 15.0;
/// What White's first move is worth in an opening, either way, Elo.
const OPENING: f64 = 40.0;

/// A program whose methods are worth what is known.
#[derive(Clone, Debug)]
pub struct World {
    /// Elo by which the program is weaker without each method, before openings.
    alone: Vec<f64>,
    /// The same of every two beyond their sum.
    beyond: Vec<Vec<f64>>,
    /// Share of draws between equals.
    draws: f64,
}

impl World {
    /// A third of the methods is worth nothing, the others 25 Elo on average.
    pub fn drawn(random: &mut SplitMix, law: Law, methods: usize, draws: f64) -> World {
        let alone: Vec<f64> =
            (0..methods).map(|at| if at % 3 == 0 { 0.0 } else { -25.0 * random.uniform().ln() }).collect();
        let total: f64 = alone.iter().sum();
        let mut beyond = vec![vec![0.0; methods]; methods];
        for one in 0..methods {
            for other in one + 1..methods {
                beyond[one][other] = match law {
                    Law::Additive => 0.0,
                    Law::HalfOverlapping => alone[one] * alone[other] / total,
                    Law::Interacting => match random.below(6) {
                        0 => INTERACTION,
                        1 => -INTERACTION,
                        _ => 0.0,
                    },
                };
            }
        }
        World { alone, beyond, draws }
    }

    /// A program whose methods are worth so many Elo, two together as much as their sum.
    pub fn of(alone: Vec<f64>, draws: f64) -> World {
        let beyond = vec![vec![0.0; alone.len()]; alone.len()];
        World { alone, beyond, draws }
    }

    /// Makes two methods, the lesser number first, worth so many Elo beyond their sum.
    pub fn set_beyond_sum(&mut self, [one, other]: [usize; 2], elo: f64) {
        self.beyond[one][other] = elo;
    }

    fn lost(&self, lacking: Lacking) -> f64 {
        let alone: f64 = lacking.methods().map(|method| self.alone[method]).sum();
        alone + lacking.every_two().map(|[one, other]| self.beyond[one][other]).sum::<f64>()
    }

    /// Elo that the program loses without these methods: of the score that is expected, whatever the opening.
    pub fn truth(&self, lacking: Lacking) -> f64 {
        let lost = self.lost(lacking);
        elo((expected_score(lost + OPENING) + expected_score(lost - OPENING)) / 2.0)
    }

    /// The same of two methods beyond their sum.
    pub fn truth_beyond_sum(&self, two: [usize; 2]) -> f64 {
        let each: f64 = two.into_iter().map(|method| self.truth([method].into_iter().collect())).sum();
        self.truth(two.into_iter().collect()) - each
    }

    /// A pair of games from an opening: its half points of the first side, 0 to 4, whose methods `lacking[0]` are missing.
    pub fn play(&self, random: &mut SplitMix, opening: usize, lacking: [Lacking; 2]) -> PairOfGames {
        let better = self.lost(lacking[1]) - self.lost(lacking[0]);
        let half_points = [OPENING, -OPENING].map(|first| {
            let expected = expected_score(better + first);
            let drawn = self.draws * 2.0 * expected.min(1.0 - expected);
            match random.uniform() {
                point if point < drawn => 1,
                point if point < expected + drawn / 2.0 => 2,
                _ => 0,
            }
        });
        PairOfGames { opening, lacking, half_points: half_points.iter().sum() }
    }
}
