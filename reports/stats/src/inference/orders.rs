//! Spearman's correlation of two measures over things in several groups, and its exact law: all orders of the things within each group.
//!
//! The groups are programs, the things their methods. Where there are too many orders to count some are drawn.

use super::SplitMix;
use super::rank::ranks;

/// Two measures of one thing.
pub(crate) type Point = [f64; 2];

/// The most things whose orders are all counted; of more, [`DRAWN`] of them are drawn.
const MOST: usize = 12;
/// Random orders that stand for all where these are too many to count, and the seed of their draw.
pub const DRAWN: usize = 20_000;
/// See [`DRAWN`].
pub const SEED: u64 = 1;

/// The rank correlation of two measures, with what its law over all orders is found from.
struct Orders {
    rho: f64,
    /// Things less one.
    weight: f64,
    /// Ranks by both measures, doubled, so that those of ties are whole numbers.
    ranks: [Vec<u64>; 2],
    /// The correlation of ranks with this sum of products is (sum - middle) / spread.
    middle: f64,
    spread: f64,
}

/// `None` for fewer than three things, or where a measure is the same for all.
fn orders(points: &[Point]) -> Option<Orders> {
    let n = points.len();
    let ranks = [0, 1].map(|which| {
        let values: Vec<f64> = points.iter().map(|point| point[which]).collect();
        ranks(&values).into_iter().map(|rank| (2.0 * rank).round() as u64).collect::<Vec<u64>>()
    });
    let sums = [0, 1].map(|which: usize| ranks[which].iter().sum::<u64>() as f64);
    let centred = |which: usize| {
        let squares: u64 = ranks[which].iter().map(|rank| rank * rank).sum();
        squares as f64 - sums[which] * sums[which] / n as f64
    };
    let (spread, middle) = ((centred(0) * centred(1)).sqrt(), sums[0] * sums[1] / n as f64);
    if n < 3 || spread <= 0.0 {
        return None;
    }
    let rho = (product(&ranks[0], &ranks[1]) as f64 - middle) / spread;
    Some(Orders { rho, weight: n as f64 - 1.0, ranks, middle, spread })
}

/// The rank correlation of two measures of some things, and the share of all orders of the things that agree as much, or as little; `None`
/// for fewer than three things, or where a measure is the same for all.
pub fn rank_correlation(pairs: &[[f64; 2]]) -> Option<[f64; 2]> {
    orders(pairs).map(|orders| [orders.rho, orders.p()])
}

fn product(one: &[u64], other: &[u64]) -> u64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

impl Orders {
    /// Two-sided p-value: the share of all orders of the things that agree as much, or as little; of more than [`MOST`] things of
    /// [`DRAWN`] random ones.
    fn p(&self) -> f64 {
        if self.ranks[0].len() > MOST {
            return drawn(std::slice::from_ref(self));
        }
        let (mut as_much, mut all) = (0_u64, 0_u64);
        for (sum, orders) in self.sums().into_iter().enumerate() {
            all += orders;
            let is_as_much = ((sum as f64 - self.middle) / self.spread).abs() >= self.rho.abs() - 1e-9;
            as_much += if is_as_much { orders } else { 0 };
        }
        as_much as f64 / all as f64
    }

    /// How many orders have each sum of products of ranks: things are placed one by one, and of those that are placed only the set
    /// and the sum matter.
    fn sums(&self) -> Vec<u64> {
        let [x, y] = &self.ranks;
        let mut ways: Vec<Vec<u64>> = vec![Vec::new(); 1 << x.len()];
        ways[0] = vec![1];
        for placed in 0..ways.len() - 1 {
            let from = std::mem::take(&mut ways[placed]);
            let next = x[placed.count_ones() as usize];
            for (thing, rank) in y.iter().enumerate().filter(|(thing, _)| placed >> thing & 1 == 0) {
                let (to, shift) = (&mut ways[placed | 1 << thing], (next * rank) as usize);
                to.resize(to.len().max(from.len() + shift), 0);
                to[shift..].iter_mut().zip(&from).for_each(|(to, from)| *to += from);
            }
        }
        ways.pop().unwrap_or_default()
    }
}

/// The rank correlation within programs.
pub(crate) struct Agreement {
    /// The mean over programs, weighted by methods less one.
    pub(crate) rho: f64,
    /// Methods less one, summed over programs.
    pub(crate) freedom: f64,
    programs: Vec<Orders>,
}

impl Agreement {
    /// Two-sided p-value, by random orders within every program.
    pub(crate) fn p(&self) -> f64 {
        stratified(&self.programs)
    }
}

/// `None` where no program has an order.
pub(crate) fn agreement(programs: &[Vec<Point>]) -> Option<Agreement> {
    let programs: Vec<Orders> = programs.iter().filter_map(|points| orders(points)).collect();
    let freedom: f64 = programs.iter().map(|orders| orders.weight).sum();
    let rho = programs.iter().map(|orders| orders.weight * orders.rho).sum::<f64>() / freedom;
    (freedom > 0.0).then_some(Agreement { rho, freedom, programs })
}

/// Two-sided p-value of the weighted mean of correlations where every program's order is drawn anew: the share of [`DRAWN`] random
/// orders of all programs, as all of them are too many to count, with the true one among them.
fn stratified(programs: &[Orders]) -> f64 {
    match programs {
        [one] => one.p(),
        all => drawn(all),
    }
}

fn drawn(programs: &[Orders]) -> f64 {
    let mut random = SplitMix(SEED);
    let mut shuffled: Vec<Vec<u64>> = programs.iter().map(|program| program.ranks[1].clone()).collect();
    let actual: f64 = programs.iter().map(|program| program.weight * program.rho).sum();
    let mut as_much = 1_usize;
    for _ in 0..DRAWN {
        let mut sum = 0.0;
        for (program, order) in programs.iter().zip(&mut shuffled) {
            for at in (1..order.len()).rev() {
                order.swap(at, random.below(at + 1));
            }
            sum +=
                program.weight * (product(&program.ranks[0], order) as f64 - program.middle) / program.spread;
        }
        as_much += usize::from(sum.abs() >= actual.abs() - 1e-9);
    }
    as_much as f64 / (DRAWN + 1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every order of twelve things is counted. Of twelve in order but for one swap of neighbours 1 + 2 of a tail of 13 orders (the
    /// order itself, and one for each of eleven swaps, which are as near) agree as much, and as many disagree.
    #[test]
    fn every_order_is_counted_up_to_twelve() {
        let in_order = |n: usize| -> Vec<Point> { (0..n).map(|at| [at as f64, at as f64]).collect() };
        let factorial = |n: u64| (1..=n).product::<u64>() as f64;
        let mut swapped = in_order(12);
        (swapped[4][1], swapped[5][1]) = (swapped[5][1], swapped[4][1]);
        assert!((orders(&in_order(12)).unwrap().p() - 2.0 / factorial(12)).abs() < 1e-15);
        assert!((orders(&swapped).unwrap().p() - 24.0 / factorial(12)).abs() < 1e-14);
        // Ties have the middle of their ranks: of 1.5, 1.5, 3, 4 against 1 to 4 two orders of 24 agree as much, and two disagree.
        let tied: Vec<Point> = [[1.0, 1.0], [1.0, 2.0], [3.0, 3.0], [4.0, 4.0]].into();
        assert!((orders(&tied).unwrap().p() - 4.0 / 24.0).abs() < 1e-15);
    }

    /// Of more things than orders can be counted some are drawn, which gives about the same p-value as counting, and repeats.
    #[test]
    fn drawn_orders_say_what_counted_ones_say() {
        let swapped = |n: usize| -> Vec<Point> {
            let place = |at: usize| if at.is_multiple_of(3) { (at + 7) % n } else { at };
            (0..n).map(|at| [at as f64, place(at) as f64]).collect()
        };
        let counted = orders(&swapped(MOST)).unwrap();
        assert!((drawn(std::slice::from_ref(&counted)) - counted.p()).abs() < 0.01, "{}", counted.p());
        let many = orders(&swapped(MOST + 1)).unwrap();
        assert!(many.p() > 1.0 / DRAWN as f64 && many.p() < 0.2 && many.p().to_bits() == many.p().to_bits());
        assert!(orders(&swapped(2)).is_none());
    }
}
