//! What games say of the methods of a program: the left-out Elo of each, with an interval for a number of games that was fixed
//! before and one that holds at all times, and whether to keep it.
//!
//! The input is pairs of games with colours reversed, of which either side lacks some methods. One by one, the whole program
//! meets the program without one method: the score of a match is all there is to know. In shared games ([`draw`]) both sides lack
//! methods at random, so a game speaks of several, and one regression gives all of them. Results of both kinds enter it together.
//!
//! Decisions ([`Advice`]) are tests that hold at all times, corrected for the number of methods (Holm 1979; Shaffer 1980): whenever one
//! stops, in at most 5 of 100 experiments one or more of the decisions are wrong. How that was checked is in docs/STATISTICS.md.
//!
//! Intervals and tests that hold at all times let one look after every game and stop when one likes. An estimate whose information grows
//! is, in the time of its information, a Brownian motion with a drift (Jennison & Turnbull 1997; Scharfstein, Tsiatis & Robins 1997); so is
//! that of a method in a regression, decided methods left out or not. A mixture of the likelihood ratios over all drifts, weighed by a
//! normal distribution, exceeds 1 / a in at most a share `a` of experiments, whenever one looks (Ville 1939; Robbins 1970; Howard, Ramdas,
//! McAuliffe & Sekhon 2021). All is done with scores, which have bounds, and shown in Elo. That the error holds in pairs of games, from the
//! first one on, is simulated by the example `coverage` of `secateur-lab`.

mod regression;
pub mod world;

use crate::elo::{Pentanomial, elo, expected_score};
use crate::inference::{LEVEL, SplitMix, holm};
use crate::interval::{Interval, z95};
use crate::worth::Advice;
use regression::Fit;
use secateur_base::hash::mixed;
use statrs::distribution::{ContinuousCDF, Normal};
use std::collections::BTreeSet;
use std::f64::consts::LN_10;

/// Methods by their numbers in a list of at most 64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lacking(u64);

impl Lacking {
    /// The first so many methods.
    pub fn first(count: usize) -> Lacking {
        (0..count).collect()
    }

    /// Adds a method, a number below 64.
    ///
    /// # Panics
    /// With a number from 64 on.
    pub fn insert(&mut self, method: usize) {
        assert!(method < 64, "method {method}, expected a number below 64");
        self.0 |= 1 << method;
    }

    /// Whether the method is one of them.
    pub fn contains(self, method: usize) -> bool {
        method < 64 && self.0 >> method & 1 == 1
    }

    /// How many they are.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether they are none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Their numbers, the least first.
    pub fn methods(self) -> impl Iterator<Item = usize> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let method = left.trailing_zeros() as usize;
            (left != 0).then(|| {
                left &= left - 1;
                method
            })
        })
    }

    /// Every two of them, the lesser number first.
    pub fn every_two(self) -> impl Iterator<Item = [usize; 2]> {
        self.methods().flat_map(move |one| {
            self.methods().filter(move |other| *other > one).map(move |other| [one, other])
        })
    }
}

impl FromIterator<usize> for Lacking {
    fn from_iter<I: IntoIterator<Item = usize>>(methods: I) -> Lacking {
        let mut lacking = Lacking::default();
        methods.into_iter().for_each(|method| lacking.insert(method));
        lacking
    }
}

/// Two games that begin alike, with colours reversed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairOfGames {
    /// The number of the opening, any: pairs of one opening are one observation.
    pub opening: usize,
    /// What the first side and the second side lack.
    pub lacking: [Lacking; 2],
    /// Half points of the first side in both games, 0 to 4.
    pub half_points: usize,
}

impl PairOfGames {
    fn score(&self) -> f64 {
        self.half_points as f64 / 4.0
    }

    /// Whether one side lacks the method and the other does not.
    fn asks(&self, method: usize) -> bool {
        self.lacking[0].contains(method) != self.lacking[1].contains(method)
    }

    /// The only method that is lacking, and the half points of the side that has it; `None` where the pair is no game of the
    /// whole program against the program without one method.
    fn one_by_one(&self) -> Option<(usize, usize)> {
        let (lacking, half_points) = match self.lacking {
            [none, lacking] if none.is_empty() => (lacking, self.half_points),
            [lacking, none] if none.is_empty() => (lacking, 4 - self.half_points),
            _ => return None,
        };
        (lacking.len() == 1).then(|| lacking.methods().next().map(|method| (method, half_points)))?
    }
}

/// What decides a method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margins {
    /// A method that is shown to be worth more than so many Elo is kept.
    pub worth_at_least: f64,
    /// A method that is shown to be worth less than so many Elo is dropped.
    pub equal_within: f64,
}

impl Default for Margins {
    fn default() -> Margins {
        Margins { worth_at_least: 3.0, equal_within: 5.0 }
    }
}

/// What games say of a method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MethodElo {
    /// Pairs of games of which one side lacks it and the other does not.
    pub pairs: usize,
    /// Elo that the program loses without it, with the 95 % interval of a number of games that was fixed before; no ends where
    /// there is no interval.
    pub elo: Interval,
    /// Two-sided p-value of the method being worth nothing, for a number of games that was fixed before and this method alone; `NaN`
    /// before the first pair.
    pub p: f64,
    /// The same with a 95 % interval that holds at all times; for one method, whatever is said of others.
    pub at_all_times: Interval,
    /// What to do, for all methods together: in at most 5 of 100 experiments one or more are wrong. The games that an undecided
    /// method still needs are of those of which one side lacks it.
    pub advice: Advice,
}

/// What games say of two methods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TogetherElo {
    /// Their numbers, the lesser first.
    pub methods: [usize; 2],
    /// Elo that the program loses without both, less what it loses without the first and without the second, with a 95 % interval; above 0
    /// each stands in for the other. A priori it is like that of other pairs, so what few games say of it is drawn to their mean.
    pub beyond_sum: Interval,
    /// Elo that the program loses without both, with a 95 % interval.
    pub both: Interval,
}

/// What games say of the methods of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// One entry a method, in the order of their numbers.
    pub methods: Vec<MethodElo>,
    /// Every two methods that a side lacked at once; none one by one.
    pub together: Vec<TogetherElo>,
    /// Standard deviation, about their mean, of what two methods are worth beyond their sum, as far as the games tell; `None` one by one.
    pub scale: Option<f64>,
}

/// What games so far say of so many methods. The same games again, which is the same opening with the same sides, count once.
///
/// # Panics
/// If a side lacks a method with a number that is not below `methods`, or has more than 4 half points.
pub fn judge(methods: usize, pairs: &[PairOfGames], margins: &Margins) -> Answer {
    let pairs = distinct(pairs);
    for pair in &pairs {
        assert!(pair.half_points <= 4, "{pair:?}: expected 0 to 4 half points");
        let beyond = pair.lacking.iter().flat_map(|side| side.methods()).find(|method| *method >= methods);
        assert!(beyond.is_none(), "{pair:?}: expected methods below {methods}");
    }
    let asked: Vec<usize> =
        (0..methods).map(|method| pairs.iter().filter(|pair| pair.asks(method)).count()).collect();
    let one_by_one: Option<Vec<(usize, usize)>> = pairs.iter().map(|pair| pair.one_by_one()).collect();
    let (levels, together, scale) = match one_by_one {
        Some(points) => (matches(methods, &points), Vec::new(), None),
        None => {
            let fit = Fit::of(methods, &pairs);
            let level = |method: usize| {
                let located = fit.located(method);
                (asked[method] > 0).then(|| (located.fixed(), located))
            };
            ((0..methods).map(level).collect(), fit.together().collect(), Some(fit.scale))
        }
    };
    let located: Vec<Option<Located>> = levels.iter().map(|level| level.map(|level| level.1)).collect();
    let advice = advise(&located, &asked, margins);
    let answer = |method: usize| MethodElo {
        pairs: asked[method],
        elo: levels[method].map_or(Interval::none(f64::NAN), |level| level.0),
        p: located[method].map_or(f64::NAN, |located| located.p_even()),
        at_all_times: located[method].map_or(Interval::none(f64::NAN), |located| located.at_all_times()),
        advice: advice[method],
    };
    Answer { methods: (0..methods).map(answer).collect(), together, scale }
}

/// What to do about each method, from the matches of the whole program against the program without each: pairs by the half points of the
/// whole, 0 to 4. The same as [`judge`] says of these pairs.
pub fn decide(matches: &[[u64; 5]], margins: &Margins) -> Vec<Advice> {
    let located: Vec<Option<Located>> = matches.iter().map(|cells| Some(of_match(*cells)?.1)).collect();
    let pairs: Vec<usize> = matches.iter().map(|cells| cells.iter().sum::<u64>() as usize).collect();
    advise(&located, &pairs, margins)
}

/// All but pairs that have the opening and the sides of an earlier one: where searches repeat, those are the same games.
fn distinct(pairs: &[PairOfGames]) -> Vec<&PairOfGames> {
    let mut before = BTreeSet::new();
    let is_new = |pair: &&PairOfGames| {
        let [one, other] = pair.lacking;
        before.insert((pair.opening, one.min(other), one.max(other)))
    };
    pairs.iter().filter(is_new).collect()
}

/// The match of the whole program against the program without each method, from the half points of the whole.
fn matches(methods: usize, points: &[(usize, usize)]) -> Vec<Option<(Interval, Located)>> {
    let mut counts = vec![[0; 5]; methods];
    points.iter().for_each(|(method, half_points)| counts[*method][*half_points] += 1);
    counts.into_iter().map(of_match).collect()
}

/// Elo with its interval for a number of games fixed before, and the score for what holds at all times.
fn of_match(cells: [u64; 5]) -> Option<(Interval, Located)> {
    let score = Pentanomial(cells).score()?;
    // A few pairs that all ended alike do not show that pairs always end so: from the first pair on holds only what has one pair
    // more, of which both games were won or lost.
    let pairs = score.trials as f64;
    let variance = (pairs * score.deviation.powi(2) + 0.25) / (pairs + 1.0);
    let located = Located { mean: score.mean, error: (variance / pairs).sqrt() };
    Some((score.elo(), located))
}

/// What to do about each method, for all of them together.
fn advise(located: &[Option<Located>], pairs: &[usize], margins: &Margins) -> Vec<Advice> {
    // Between the margins neither decision is wrong; if they are the other way round, both are.
    let tests = if margins.worth_at_least > margins.equal_within { 2.0 } else { 1.0 };
    let p = |located: &Located| {
        [located.p_at_most(margins.worth_at_least), located.p_at_least(margins.equal_within)]
            .map(|p| tests * p)
    };
    let least = |located: &Option<Located>| {
        located.as_ref().map_or(1.0, |located| p(located).into_iter().fold(1.0, f64::min))
    };
    let corrected = holm(&located.iter().map(least).collect::<Vec<_>>());
    let undecided = corrected.iter().filter(|p| **p > LEVEL).count();
    let advise = |((located, corrected), pairs): ((&Option<Located>, &f64), &usize)| {
        let Some(located) = located else { return Advice::PlayOn(None) };
        if *corrected > LEVEL {
            let decides = |times: f64| least(&Some(located.with_games(times))) * undecided as f64 <= LEVEL;
            return Advice::PlayOn(
                times_until(decides).map(|times| (2.0 * *pairs as f64 * (times - 1.0)).ceil() as u64),
            );
        }
        let [keep, drop] = p(located);
        if keep < drop { Advice::Keep } else { Advice::Drop }
    };
    located.iter().zip(&corrected).zip(pairs).map(advise).collect()
}

/// The least number of times the games at which something is decided that more games decide; `None` beyond a thousand.
fn times_until(decides: impl Fn(f64) -> bool) -> Option<f64> {
    let (mut low, mut high) = (1.0, 1000.0);
    if !decides(high) {
        return None;
    }
    while high - low > 0.01 * low {
        let middle = f64::midpoint(low, high);
        if decides(middle) { high = middle } else { low = middle }
    }
    Some(high)
}

/// Standard deviation of the mixture in scores: about 10 Elo. Decisions about 5 to 20 Elo then need within 10 % of the fewest
/// games that any mixture needs.
const MIXTURE: f64 = 10.0 * LN_10 / 1600.0;

/// A mean score of the program as it is against itself without a method.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Located {
    /// The mean, 0 to 1.
    pub mean: f64,
    /// Its standard error, above 0.
    pub error: f64,
}

impl Located {
    /// Elo with the 95 % interval of a number of games that was fixed before the first one.
    fn fixed(&self) -> Interval {
        self.within(z95())
    }

    /// Two-sided p-value, of a number of games that was fixed before the first one, of an even score.
    fn p_even(&self) -> f64 {
        2.0 * Normal::standard().sf((self.mean - 0.5).abs() / self.error)
    }

    /// Elo with a 95 % interval that holds at all times.
    fn at_all_times(&self) -> Interval {
        let weight = self.weight();
        self.within(((-2.0 * LEVEL.ln() - (1.0 - weight).ln()) / weight).sqrt())
    }

    fn within(&self, errors: f64) -> Interval {
        let end = |errors: f64| elo((self.mean + errors * self.error).clamp(0.0, 1.0));
        Interval { estimate: elo(self.mean), low: end(-errors), high: end(errors) }
    }

    /// How much of the mixture's variance the games leave to it: near 0 with few games, near 1 with many.
    fn weight(&self) -> f64 {
        MIXTURE * MIXTURE / (MIXTURE * MIXTURE + self.error * self.error)
    }

    /// p-value, at all times, of the method being worth at most so many Elo.
    fn p_at_most(&self, elo: f64) -> f64 {
        self.p_one_sided(self.mean - expected_score(elo))
    }

    /// p-value, at all times, of the method being worth at least so many Elo.
    fn p_at_least(&self, elo: f64) -> f64 {
        self.p_one_sided(expected_score(elo) - self.mean)
    }

    /// 1 / the likelihood ratio, mixed over half of a normal distribution.
    fn p_one_sided(&self, distance: f64) -> f64 {
        let (weight, errors) = (self.weight(), distance / self.error);
        let log = 0.5 * (1.0 - weight).ln() + 0.5 * errors * errors * weight;
        let half = 2.0 * Normal::standard().cdf(errors * weight.sqrt());
        if errors < 0.0 { 1.0 } else { ((-log).exp() / half).min(1.0) }
    }

    /// The same mean from so many times the games.
    fn with_games(&self, times: f64) -> Located {
        Located { mean: self.mean, error: self.error / times.sqrt() }
    }
}

/// Methods that a side lacks on average, before pairs in which neither side lacks anything are drawn again.
pub const ABSENT: f64 = 1.0;
/// The largest share of pairs in which a side lacks a method: where few methods are undecided, games without one of them say more
/// than games without several.
const MOST: f64 = 1.0 / 6.0;

/// Pairs of shared games before the first look at what they decide.
pub const FIRST_LOOK: usize = 400;

/// Pairs of shared games at which one looks again: a fifth more, so looks are few and a decided method soon leaves the draw. What is
/// drawn between two looks does not depend on when its games end.
pub fn next_look(pairs: usize) -> usize {
    if pairs < FIRST_LOOK { FIRST_LOOK } else { pairs + pairs / 5 }
}

/// What both sides of a pair of games lack: each of `undecided` methods is lacked by the first side, by the second or by neither,
/// [`ABSENT`] on either side on average if they are at least six. How many is not drawn, so the numbers of both sides are as they
/// fall; a pair in which neither side lacks anything is drawn again. Two sides never lack the same method, which would say nothing
/// about it. `pair` counts from any number; `seed` is that of the match.
pub fn draw(seed: u64, pair: u64, undecided: Lacking) -> [Lacking; 2] {
    let mut random = SplitMix(mixed(seed) ^ mixed(pair.wrapping_add(1)));
    let share = (ABSENT / undecided.len().max(1) as f64).min(MOST);
    loop {
        let mut sides = [Lacking::default(); 2];
        for method in undecided.methods() {
            match random.uniform() {
                point if point < share => sides[0].insert(method),
                point if point < 2.0 * share => sides[1].insert(method),
                _ => {}
            }
        }
        if undecided.is_empty() || sides.iter().any(|side| !side.is_empty()) {
            return sides;
        }
    }
}

#[cfg(test)]
mod tests;
