//! Simultaneous perturbation stochastic approximation: the gradient of a noisy function of any number of variables from two
//! measurements.
//!
//! Source: Spall 1992 (IEEE Transactions on Automatic Control 37:3), with the gain sequences and exponents of Spall 1998 (IEEE
//! Transactions on Aerospace and Electronic Systems 34:3): a/(A + k)^0.602 and c/k^0.101. The gains are given by what they end as, as
//! chess programs have them since Kiiski 2011: each variable by its own last perturbation, and one rate for all. Whole numbers are
//! rounded up or down by chance, both sides by the same draw, so that on average they are what is meant.

use secateur_suites::sample::gather::{Dice, Family};
use serde::{Deserialize, Serialize};

/// Sides of the die that rounding is drawn with.
const SIDES: usize = 1 << 24;

/// How far measurements lie apart and how far a result moves the variables, by iteration.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gains {
    /// Iterations in all, at least 1: what the gains end with.
    pub iterations: u64,
    /// Share of its last perturbation by which a result of one point moves a variable at the end, above 0.
    pub rate: f64,
    /// A as a share of the iterations, at least 0: the larger, the smaller the first steps.
    pub stability: f64,
    /// Exponent of the steps, above 0.
    pub alpha: f64,
    /// Exponent of the perturbations, at least 0.
    pub gamma: f64,
}

impl Gains {
    /// Whether they lead anywhere.
    ///
    /// # Errors
    /// The first that does not, in words.
    pub(crate) fn sound(&self) -> Result<(), String> {
        let Gains { rate, stability, alpha, gamma, .. } = *self;
        let all = [
            ("rate", rate, f64::MIN_POSITIVE),
            ("stability", stability, 0.0),
            ("alpha", alpha, f64::MIN_POSITIVE),
            ("gamma", gamma, 0.0),
        ];
        match all.into_iter().find(|(_, value, least)| !(value >= least && *value <= 10.0)) {
            None => Ok(()),
            Some((key, value, least)) => {
                let least = if least > 0.0 { "above" } else { "at least" };
                Err(format!("{key}: found {value}, expected a number {least} 0 and at most 10"))
            }
        }
    }

    /// Perturbation of iteration `k`, from 1, in units of the last.
    fn apart(&self, k: u64) -> f64 {
        (self.iterations as f64 / k as f64).powf(self.gamma)
    }

    /// By how much a result of one point moves a variable in iteration `k`, in units of its last perturbation.
    fn step(&self, k: u64) -> f64 {
        let (last, offset) = (self.iterations as f64, self.stability * self.iterations as f64);
        let fading = ((offset + last) / (offset + k as f64)).powf(self.alpha);
        self.rate * fading / self.apart(k)
    }
}

/// A variable: where it begins, where it may be, and how far apart it is measured at the end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Space {
    /// Where it begins.
    pub start: f64,
    /// The least that it may be.
    pub least: f64,
    /// The most.
    pub most: f64,
    /// Last perturbation to either side, above 0; of a whole number at least 0.5, or both sides might be the same.
    pub step: f64,
    /// Whether it is measured at whole numbers only.
    pub whole: bool,
}

impl Space {
    /// Whether a variable can be there.
    ///
    /// # Errors
    /// What is wrong: its key in a file, and in words.
    pub(crate) fn sound(&self) -> Result<(), (&'static str, String)> {
        let Space { start, least, most, step, .. } = *self;
        let half = (most - least) / 2.0;
        let (key, message) = match () {
            () if !(least.is_finite() && most.is_finite() && least < most) => {
                ("range", format!("found [{least}, {most}], expected two numbers, the lesser first"))
            }
            () if !(step > 0.0 && step <= half) => {
                ("step", format!("found {step}, expected more than 0 and at most {half}, half of the range"))
            }
            () if !(least..=most).contains(&start) => {
                ("start", format!("found {start}, expected one within the range"))
            }
            () => return Ok(()),
        };
        Err((key, format!("{key}: {message}")))
    }
}

/// What is to be measured in one iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The variables on the one side.
    pub plus: Vec<f64>,
    /// And on the other.
    pub minus: Vec<f64>,
    /// Whether each goes up on the first side.
    up: Vec<bool>,
}

/// An optimisation under way.
#[derive(Clone, Debug)]
pub struct Spsa {
    gains: Gains,
    spaces: Vec<Space>,
    seed: u64,
    /// Iterations that are done.
    done: u64,
    at: Vec<f64>,
}

impl Spsa {
    /// Begins where the variables do.
    pub fn new(gains: Gains, spaces: Vec<Space>, seed: u64) -> Spsa {
        let at = spaces.iter().map(|space| space.start).collect();
        Spsa { gains, spaces, seed, done: 0, at }
    }

    /// Iterations that are done.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Where the variables are.
    pub fn at(&self) -> &[f64] {
        &self.at
    }

    /// What the next iteration measures. It depends on the seed and on where the variables are, and changes nothing.
    pub fn ask(&self) -> Trial {
        let k = self.done + 1;
        let mut dice = Dice::new(self.seed, Family::Tune, k);
        let apart = self.gains.apart(k);
        let mut trial = Trial { plus: Vec::new(), minus: Vec::new(), up: Vec::new() };
        for (space, &at) in self.spaces.iter().zip(&self.at) {
            let up = dice.below(2) == 1;
            let shift = dice.below(SIDES) as f64 / SIDES as f64;
            let off = if up { space.step * apart } else { -space.step * apart };
            let measured = |value: f64| {
                let value = if space.whole { (value + shift).floor() } else { value };
                value.clamp(space.least, space.most)
            };
            trial.plus.push(measured(at + off));
            trial.minus.push(measured(at - off));
            trial.up.push(up);
        }
        trial
    }

    /// Takes the result of a trial that [`Spsa::ask`] gave: by how many points the first side was better, and moves there.
    pub fn tell(&mut self, trial: &Trial, result: f64) {
        self.done += 1;
        let step = self.gains.step(self.done) * result;
        for ((space, at), &up) in self.spaces.iter().zip(&mut self.at).zip(&trial.up) {
            let by = if up { space.step * step } else { -space.step * step };
            *at = (*at + by).clamp(space.least, space.most);
        }
    }

    /// The variables as they would be used: whole where they have to be.
    pub fn decided(&self) -> Vec<f64> {
        let decided = |(space, at): (&Space, &f64)| if space.whole { at.round() } else { *at };
        self.spaces.iter().zip(&self.at).map(decided).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAINS: Gains = Gains { iterations: 4000, rate: 0.05, stability: 0.1, alpha: 0.602, gamma: 0.101 };

    fn space(start: f64, [least, most]: [f64; 2], step: f64, whole: bool) -> Space {
        Space { start, least, most, step, whole }
    }

    fn spaces() -> Vec<Space> {
        vec![
            space(85.0, [0.0, 300.0], 10.0, true),
            space(1.0, [0.0, 5.0], 0.2, false),
            space(6.0, [2.0, 12.0], 0.5, true),
        ]
    }

    /// Two games between players whose strength is a quadratic of their numbers, best at `best`: points of the first less
    /// those of the second. Whoever is better by one wins 73 % of them, and nothing is drawn.
    fn two_games(trial: &Trial, best: &[f64], spaces: &[Space], dice: &mut Dice) -> f64 {
        let strength = |values: &[f64]| -> f64 {
            let off = values.iter().zip(best).zip(spaces).map(|((value, best), space)| {
                let apart = (value - best) / (4.0 * space.step);
                -apart * apart
            });
            off.sum()
        };
        let ahead = strength(&trial.plus) - strength(&trial.minus);
        let chance = 1.0 / (1.0 + (-ahead).exp());
        let game =
            |dice: &mut Dice| if (dice.below(SIDES) as f64) < chance * SIDES as f64 { 1.0 } else { -1.0 };
        game(dice) + game(dice)
    }

    fn tuned(seed: u64, best: &[f64]) -> Spsa {
        let mut spsa = Spsa::new(GAINS, spaces(), seed);
        let mut dice = Dice::new(seed, Family::Test, 1);
        while spsa.done() < GAINS.iterations {
            let trial = spsa.ask();
            let result = two_games(&trial, best, &spaces(), &mut dice);
            spsa.tell(&trial, result);
        }
        spsa
    }

    #[test]
    fn a_noisy_quadratic_is_climbed_from_every_seed() {
        let best = [160.0, 2.4, 3.0];
        for seed in 0..20 {
            let spsa = tuned(seed, &best);
            for ((at, best), space) in spsa.at().iter().zip(&best).zip(spaces()) {
                let (before, after) = ((space.start - best).abs(), (at - best).abs());
                assert!(after < before / 2.0 && after < 4.0 * space.step, "seed {seed}: {at} for {best}");
            }
            assert!(spsa.decided()[0].fract() == 0.0 && spsa.decided()[2].fract() == 0.0);
        }
    }

    #[test]
    fn where_everything_is_equal_nothing_drifts_on_average() {
        let ends = (0..40).map(|seed| {
            let mut spsa = Spsa::new(GAINS, spaces(), seed);
            let mut dice = Dice::new(seed, Family::Test, 2);
            while spsa.done() < 400 {
                let trial = spsa.ask();
                let coin = |dice: &mut Dice| dice.below(2) as f64 * 2.0 - 1.0;
                let result = coin(&mut dice) + coin(&mut dice);
                spsa.tell(&trial, result);
            }
            (spsa.at()[0] - 85.0) / 10.0
        });
        let ends: Vec<f64> = ends.collect();
        let mean = ends.iter().sum::<f64>() / ends.len() as f64;
        let spread =
            (ends.iter().map(|end| (end - mean).powi(2)).sum::<f64>() / (ends.len() - 1) as f64).sqrt();
        assert!(spread > 0.1, "chance alone moves it: {spread}");
        assert!(mean.abs() < 3.0 * spread / (ends.len() as f64).sqrt(), "{mean} with a spread of {spread}");
    }

    #[test]
    fn measurements_are_whole_apart_and_on_average_what_is_meant() {
        let at = 41.3;
        let (mut sum, count) = (0.0, 4000);
        for seed in 0..count {
            let spsa =
                Spsa::new(Gains { iterations: 1, ..GAINS }, vec![space(at, [0.0, 90.0], 0.5, true)], seed);
            let Trial { plus, minus, .. } = spsa.ask();
            assert!(plus[0].fract() == 0.0 && minus[0].fract() == 0.0);
            assert!((plus[0] - minus[0]).abs() >= 1.0, "the same on both sides");
            sum += plus[0] + minus[0];
        }
        assert!((sum / (2.0 * count as f64) - at).abs() < 0.05, "{sum}");
    }

    #[test]
    fn nothing_leaves_its_range_and_gains_end_as_they_are_told() {
        let mut spsa = Spsa::new(GAINS, vec![space(9.9, [0.0, 10.0], 3.0, false)], 3);
        for _ in 0..50 {
            let trial = spsa.ask();
            assert!(trial.plus.iter().chain(&trial.minus).all(|value| (0.0..=10.0).contains(value)));
            let result = if trial.up[0] { 2.0 } else { -2.0 };
            spsa.tell(&trial, result);
        }
        assert_eq!(spsa.at(), [10.0]);
        assert_eq!((GAINS.apart(4000), GAINS.step(4000)), (1.0, GAINS.rate));
        assert!(GAINS.apart(1) > 2.0 && GAINS.step(1) > 1.5 * GAINS.step(4000));
    }
}
