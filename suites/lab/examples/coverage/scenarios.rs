//! The data of the experiments: drawn like what runs hold.
//!
//! Numbers after log-normal are standard deviations of the logarithm, of nodes within a group or of losses that are not 0. They
//! and the shares of 0 are like those in the records under docs/runs, the heavy ones beyond.

use super::Scenario;
use secateur_stats::inference::SplitMix;
use secateur_stats::inference::share::{clustered, paired_difference};
use secateur_stats::interval::{Interval, bootstrap, mean_loss, mean_spread, ratio_of_sums, wilson};

/// All of them, in the order of the table.
pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("speed-up (geometric)", "log-normal", || 1.0_f64.exp(), log_normal),
    scenario("speed-up (geometric)", "heavy tails (t, 4 d.f.)", || 1.0_f64.exp(), heavy_logs),
    scenario("speed-up (geometric)", "games of 1 to 4 positions", || 1.0_f64.exp(), games_of_logs),
    scenario("speed-up (means)", "log-normal, 1.0", || sums_truth(&EVEN), |r, n| sums(r, n, &EVEN)),
    scenario(
        "speed-up (means)",
        "heavy tails (log-normal, 1.5)",
        || sums_truth(&LONG),
        |r, n| sums(r, n, &LONG),
    ),
    scenario("speed-up (means)", "games of 1 to 4 positions", || sums_truth(&EVEN), games_of_sums),
    scenario("gain (plies)", "symmetric (normal)", || 0.5, |r, n| gains(r, n, |r| 0.5 + 0.6 * r.normal())),
    scenario(
        "gain (plies)",
        "skewed (gamma, shape 2)",
        || 0.5,
        |r, n| gains(r, n, |r| gamma_of_two(r) * 0.4 - 0.3),
    ),
    scenario(
        "mean abs. dv",
        "10 % are 0, log-normal, 1.0",
        || losses_truth(0.1, 1.0),
        |r, n| losses(r, n, 0.1, 1.0),
    ),
    scenario(
        "mean abs. dv",
        "60 % are 0, log-normal, 1.0",
        || losses_truth(0.6, 1.0),
        |r, n| losses(r, n, 0.6, 1.0),
    ),
    scenario(
        "mean regret",
        "80 % are 0, log-normal, 1.2",
        || losses_truth(0.8, 1.2),
        |r, n| losses(r, n, 0.8, 1.2),
    ),
    scenario("share (same move)", "90 %", || 0.9, same_move),
    scenario(
        "difference of shares",
        "15 % only one, 5 % only the other",
        || 0.1,
        |r, n| discordant(r, n, 0.05, 0.15),
    ),
    scenario(
        "difference of shares",
        "8 % only one, 2 % only the other",
        || 0.06,
        |r, n| discordant(r, n, 0.02, 0.08),
    ),
    scenario("broken cuts", "3 %, unlike from position to position", || 0.03, |r, n| cuts(r, n, 0.03, 0.8)),
    scenario("broken cuts", "3 %, independent", || 0.03, |r, n| cuts(r, n, 0.03, 0.0)),
    scenario(
        "broken cuts",
        "0.6 %, unlike from position to position",
        || 0.006,
        |r, n| cuts(r, n, 0.006, 0.8),
    ),
    scenario(BOOTSTRAP, "geometric speed-up, log-normal", || 1.0_f64.exp(), percentile),
];

const fn scenario(
    measure: &'static str,
    data: &'static str,
    truth: fn() -> f64,
    draw: fn(&mut SplitMix, usize) -> Option<Interval>,
) -> Scenario {
    Scenario { measure, data, truth, draw }
}

/// What reports do not use, for comparison.
pub(super) const BOOTSTRAP: &str = "(percentile bootstrap)";

/// One position a game.
fn singles(n: usize, mut draw: impl FnMut() -> f64) -> Vec<[f64; 2]> {
    (0..n).map(|_| [draw(), 1.0]).collect()
}

fn log_normal(random: &mut SplitMix, n: usize) -> Option<Interval> {
    Some(mean_spread(&singles(n, || 1.0 + 0.6 * random.normal())).student().exp())
}

fn percentile(random: &mut SplitMix, n: usize) -> Option<Interval> {
    let logs: Vec<f64> = (0..n).map(|_| 1.0 + 0.6 * random.normal()).collect();
    let games: Vec<Vec<usize>> = (0..n).map(|game| vec![game]).collect();
    let mean = |drawn: &[usize]| drawn.iter().map(|&game| logs[game]).sum::<f64>() / drawn.len() as f64;
    Some(bootstrap(&games, mean).exp())
}

fn heavy_logs(random: &mut SplitMix, n: usize) -> Option<Interval> {
    // A chi square with four degrees of freedom is twice a gamma of shape 2.
    let t = |random: &mut SplitMix| random.normal() / (gamma_of_two(random) / 2.0).sqrt();
    Some(mean_spread(&singles(n, || 1.0 + 0.5 * t(random))).student().exp())
}

fn games_of_logs(random: &mut SplitMix, n: usize) -> Option<Interval> {
    let game = |_| {
        let (positions, shared) = (1 + random.below(4), 0.5 * random.normal());
        [(0..positions).map(|_| 1.0 + shared + 0.5 * random.normal()).sum(), positions as f64]
    };
    Some(mean_spread(&(0..n).map(game).collect::<Vec<_>>()).student().exp())
}

/// ln N of the baseline is normal; the method's is 1 less, and noise that may hang on the size.
struct Sums {
    size: f64,
    noise: f64,
    hang: f64,
}

const EVEN: Sums = Sums { size: 1.0, noise: 0.4, hang: 0.0 };
const LONG: Sums = Sums { size: 1.5, noise: 0.8, hang: 0.3 };

impl Sums {
    fn nodes(&self, size: f64, noise: f64) -> [f64; 2] {
        let mixed = self.hang * size + (1.0 - self.hang * self.hang).sqrt() * noise;
        [(self.size * size).exp(), (self.size * size - 1.0 - self.noise * mixed).exp()]
    }
}

/// The ratio of the expectations of both log-normals.
fn sums_truth(law: &Sums) -> f64 {
    let spread = (law.size - law.noise * law.hang).powi(2) + law.noise.powi(2) * (1.0 - law.hang * law.hang);
    (0.5 * law.size * law.size - (0.5 * spread - 1.0)).exp()
}

fn sums(random: &mut SplitMix, n: usize, law: &Sums) -> Option<Interval> {
    let games: Vec<[f64; 2]> = (0..n).map(|_| law.nodes(random.normal(), random.normal())).collect();
    Some(ratio_of_sums(&games))
}

/// Positions of one game share half of the variance of size and noise.
fn games_of_sums(random: &mut SplitMix, n: usize) -> Option<Interval> {
    let game = |_| {
        let shared = [random.normal(), random.normal()];
        (0..=random.below(4)).fold([0.0, 0.0], |sum, _| {
            let [size, noise] = shared.map(|shared| 0.5_f64.sqrt() * (shared + random.normal()));
            let nodes = EVEN.nodes(size, noise);
            [sum[0] + nodes[0], sum[1] + nodes[1]]
        })
    };
    Some(ratio_of_sums(&(0..n).map(game).collect::<Vec<_>>()))
}

fn gains(random: &mut SplitMix, n: usize, draw: fn(&mut SplitMix) -> f64) -> Option<Interval> {
    Some(mean_spread(&singles(n, || draw(random))).skewed())
}

fn losses_truth(zeros: f64, spread: f64) -> f64 {
    (1.0 - zeros) * (0.5 * spread * spread).exp()
}

fn losses(random: &mut SplitMix, n: usize, zeros: f64, spread: f64) -> Option<Interval> {
    let draw = || if random.uniform() < zeros { 0.0 } else { (spread * random.normal()).exp() };
    Some(mean_loss(&singles(n, draw)))
}

fn same_move(random: &mut SplitMix, n: usize) -> Option<Interval> {
    wilson((0..n).filter(|_| random.uniform() < 0.9).count(), n)
}

fn discordant(random: &mut SplitMix, n: usize, lost: f64, won: f64) -> Option<Interval> {
    let drawn: Vec<f64> = (0..n).map(|_| random.uniform()).collect();
    let first = drawn.iter().filter(|x| **x < lost).count() as u64;
    let second = drawn.iter().filter(|x| (lost..lost + won).contains(*x)).count() as u64;
    Some(paired_difference(first, second, n))
}

/// Audited cuts: their number differs from position to position, and with `unlike` so does the share that breaks.
fn cuts(random: &mut SplitMix, n: usize, broken: f64, unlike: f64) -> Option<Interval> {
    let position = |_| {
        let cuts = (3.3 + 0.8 * random.normal()).exp().ceil();
        let share = broken * (unlike * random.normal() - 0.5 * unlike * unlike).exp();
        ((0..cuts as u32).filter(|_| random.uniform() < share).count() as f64, cuts)
    };
    Some(clustered(&(0..n).map(position).collect::<Vec<_>>())?.interval())
}

/// From the gamma distribution of shape 2 and scale 1: the sum of two exponentials.
fn gamma_of_two(random: &mut SplitMix) -> f64 {
    -(random.uniform() * random.uniform()).ln()
}
