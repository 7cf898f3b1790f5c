//! Simulated games of a program that lacks methods, whose Elo is known.

use secateur_lab::coverage::{DecisionRow, EstimateRow, Way};
use secateur_stats::inference::{LEVEL, SplitMix, holm};
use secateur_stats::interval::{Interval, z95};
use secateur_stats::shared::world::{Law, World};
use secateur_stats::shared::{Lacking, Margins, MethodElo, PairOfGames, draw, judge, next_look};
use secateur_stats::worth::Advice;
use statrs::distribution::{ContinuousCDF, Normal};

/// The program of an experiment, with what its games are drawn from: the same for both ways.
fn of_experiment(kind: Kind, experiment: u32) -> (World, SplitMix) {
    let mut random = SplitMix(u64::from(experiment));
    let world = World::drawn(&mut random, kind.law, kind.methods, kind.draws);
    (world, random)
}

/// What both sides of the pair of that number lack.
fn sides(way: Way, seed: u64, pair: usize, undecided: Lacking) -> [Lacking; 2] {
    match way {
        Way::OneByOne => {
            let method = undecided.methods().nth(pair % undecided.len().max(1));
            [Lacking::default(), method.into_iter().collect()]
        }
        Way::Shared => draw(seed, pair as u64, undecided),
    }
}

/// A kind of program and how many games are played with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Kind {
    /// What methods are worth where others are missing.
    pub(crate) law: Law,
    /// Methods of the program.
    pub(crate) methods: usize,
    /// Share of draws between equals.
    pub(crate) draws: f64,
    /// Pairs of games for all methods together.
    pub(crate) pairs: usize,
}

/// Errors of estimates, and how often their intervals held the truth.
#[derive(Default)]
struct Errors {
    count: f64,
    sum: f64,
    squares: f64,
    held: f64,
}

impl Errors {
    fn add(&mut self, within: Interval, truth: f64) {
        // A score of 0 or 1 has no Elo and no interval.
        if !within.estimate.is_finite() {
            return;
        }
        let error = within.estimate - truth;
        self.count += 1.0;
        self.sum += error;
        self.squares += error * error;
        self.held += f64::from(u8::from(within.low <= truth && truth <= within.high));
    }

    fn held(&self) -> f64 {
        rounded(100.0 * self.held / self.count)
    }

    fn root_mean_square(&self) -> f64 {
        rounded((self.squares / self.count).sqrt())
    }
}

fn rounded(value: f64) -> f64 {
    (100.0 * value).round() / 100.0
}

/// A fixed number of games with so many programs of a kind; the same ones whenever it is asked, and for both ways.
pub(crate) fn estimates(kind: Kind, way: Way, experiments: u32) -> EstimateRow {
    let Kind { law, methods, draws, pairs } = kind;
    let (mut each, mut beyond) = (Errors::default(), Errors::default());
    for experiment in 0..experiments {
        let (world, mut random) = of_experiment(kind, experiment);
        let all = Lacking::first(methods);
        let seed = u64::from(experiment);
        let games: Vec<PairOfGames> =
            (0..pairs).map(|pair| world.play(&mut random, pair, sides(way, seed, pair, all))).collect();
        let answer = judge(methods, &games, &Margins::default());
        for (method, worth) in answer.methods.iter().enumerate() {
            each.add(worth.elo, world.truth([method].into_iter().collect()));
        }
        for both in &answer.together {
            beyond.add(both.beyond_sum, world.truth_beyond_sum(both.methods));
        }
    }
    let of_pairs = |value: f64| (beyond.count > 0.0).then_some(value);
    EstimateRow {
        law,
        methods,
        draws,
        pairs,
        way,
        experiments,
        held: each.held(),
        bias: rounded(each.sum / each.count),
        error: each.root_mean_square(),
        pairs_held: of_pairs(beyond.held()),
        pairs_error: of_pairs(beyond.root_mean_square()),
    }
}

/// Decisions about so many programs of a kind, each looked at again and again, with a fifth more games each time, until all methods are
/// decided or `kind.pairs` are played.
pub(crate) fn decisions(kind: Kind, way: Way, experiments: u32) -> DecisionRow {
    let Kind { law, methods, draws, pairs } = kind;
    let margins = Margins::default();
    let (mut played, mut by_looks, mut by_one) = (0, Decided::default(), Decided::default());
    for experiment in 0..experiments {
        let (world, mut random) = of_experiment(kind, experiment);
        let seed = u64::from(experiment);
        let all = Lacking::first(methods);
        let mut undecided = all;
        let mut games = Vec::new();
        let mut look = next_look(0);
        let mut advice = Vec::new();
        while games.len() < pairs && !undecided.is_empty() {
            for pair in games.len()..look.min(pairs) {
                games.push(world.play(&mut random, pair, sides(way, seed, pair, undecided)));
            }
            look = next_look(look);
            advice = judge(methods, &games, &margins).methods.iter().map(|one| one.advice).collect();
            undecided = (0..methods).filter(|method| matches!(advice[*method], Advice::PlayOn(_))).collect();
        }
        played += games.len();
        by_looks.add(&world, &margins, &advice);
        let fixed: Vec<PairOfGames> =
            (0..games.len()).map(|pair| world.play(&mut random, pair, sides(way, seed, pair, all))).collect();
        by_one.add(&world, &margins, &one_look(&judge(methods, &fixed, &margins).methods, &margins));
    }
    DecisionRow {
        law,
        methods,
        draws,
        pairs,
        way,
        experiments,
        played: rounded(played as f64 / f64::from(experiments)),
        decided: by_looks.methods(methods, experiments),
        wrong: by_looks.programs(experiments),
        decided_by_one_look: by_one.methods(methods, experiments),
        wrong_by_one_look: by_one.programs(experiments),
    }
}

/// Decisions by the intervals of a number of games that was fixed before, corrected for the methods as those of many looks are.
fn one_look(methods: &[MethodElo], margins: &Margins) -> Vec<Advice> {
    let error = |elo: Interval| (elo.high - elo.low) / (2.0 * z95());
    let p = |elo: Interval| {
        let above = (elo.estimate - margins.worth_at_least) / error(elo);
        let below = (margins.equal_within - elo.estimate) / error(elo);
        [above, below].map(|errors| Normal::standard().sf(errors))
    };
    let least: Vec<f64> = methods.iter().map(|one| p(one.elo).into_iter().fold(1.0, f64::min)).collect();
    let advice = |(method, corrected): (&MethodElo, f64)| match p(method.elo) {
        _ if corrected > LEVEL => Advice::PlayOn(None),
        [keep, drop] if keep < drop => Advice::Keep,
        _ => Advice::Drop,
    };
    methods.iter().zip(holm(&least)).map(advice).collect()
}

#[derive(Default)]
struct Decided {
    methods: usize,
    wrong_programs: usize,
}

impl Decided {
    fn add(&mut self, world: &World, margins: &Margins, advice: &[Advice]) {
        let truth = |method: usize| world.truth([method].into_iter().collect());
        let is_wrong = |(method, advice): (usize, &Advice)| match advice {
            Advice::Keep | Advice::BetterWith => truth(method) <= margins.worth_at_least,
            Advice::Drop | Advice::BetterWithout => truth(method) >= margins.equal_within,
            Advice::PlayOn(_) => false,
        };
        self.methods += advice.iter().filter(|advice| !matches!(advice, Advice::PlayOn(_))).count();
        self.wrong_programs += usize::from(advice.iter().enumerate().any(is_wrong));
    }

    fn methods(&self, methods: usize, experiments: u32) -> f64 {
        rounded(100.0 * self.methods as f64 / (methods as f64 * f64::from(experiments)))
    }

    fn programs(&self, experiments: u32) -> f64 {
        rounded(100.0 * self.wrong_programs as f64 / f64::from(experiments))
    }
}

/// Pairs of games a method in the table of estimates, and in that of decisions.
const PAIRS: [usize; 2] = [250, 8_000];

/// Programs of every law with so many methods, with few draws and with many.
fn kinds(methods: usize, pairs_a_method: usize) -> Vec<Kind> {
    let laws = [Law::Additive, Law::HalfOverlapping, Law::Interacting];
    let two =
        |law: Law| [0.3, 0.7].map(|draws| Kind { law, methods, draws, pairs: pairs_a_method * methods });
    laws.into_iter().flat_map(two).collect()
}

fn both_ways<R>(kinds: Vec<Kind>, row: impl Fn(Kind, Way) -> R) -> Vec<R> {
    kinds.into_iter().flat_map(|two| [Way::OneByOne, Way::Shared].map(|way| row(two, way))).collect()
}

/// [`estimates()`] of every kind of program with six methods and with twelve.
pub(crate) fn all_estimates(experiments: u32) -> Vec<EstimateRow> {
    let all = [6, 12].into_iter().flat_map(|methods| kinds(methods, PAIRS[0])).collect();
    both_ways(all, |kind, way| estimates(kind, way, experiments))
}

/// [`decisions()`] of every kind of program with six methods.
pub(crate) fn all_decisions(experiments: u32) -> Vec<DecisionRow> {
    both_ways(kinds(6, PAIRS[1]), |kind, way| decisions(kind, way, experiments))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With 60 programs of six methods three standard errors of a share of 95 % are 3.4 points.
    #[test]
    fn intervals_of_left_out_elo_hold_and_shared_games_are_nearer_to_it() {
        for law in [Law::Additive, Law::HalfOverlapping, Law::Interacting] {
            let kind = Kind { law, methods: 6, draws: 0.5, pairs: 900 };
            let [alone, shared] = [Way::OneByOne, Way::Shared].map(|way| estimates(kind, way, 60));
            assert!(alone.held > 91.6 && shared.held > 91.6, "{alone:?} {shared:?}");
            assert!(shared.error < 0.95 * alone.error, "{alone:?} {shared:?}");
            assert!(shared.bias.abs() < 3.0 && shared.pairs_held.unwrap() > 91.6, "{shared:?}");
        }
    }

    #[test]
    fn decisions_are_seldom_wrong_however_often_one_looks() {
        let kind = Kind { law: Law::Interacting, methods: 4, draws: 0.5, pairs: 6_000 };
        let [alone, shared] = [Way::OneByOne, Way::Shared].map(|way| decisions(kind, way, 30));
        // 5 % of 30 programs are 1.5; three standard errors more are 5.
        for row in [&alone, &shared] {
            assert!(row.wrong <= 17.0 && row.decided > 10.0 && row.played <= 6_000.0, "{row:?}");
        }
    }
}
