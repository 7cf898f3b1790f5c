//! The spread of a statistic over source games, by the jackknife: what intervals and Student's tests are made of.
//!
//! Each source game is left out once. That takes unequal games and statistics that are no means (ratios, shares) alike, and it
//! draws nothing, so it repeats. Sources: Efron & Tibshirani 1993 (jackknife, pseudo-values); Hall 1992 (the transformation
//! that removes skewness from t); Box 1953 (kurtosis and degrees of freedom). Which interval holds for which measure was found
//! by simulation (the example `coverage` of `secateur-lab`); where none does there is none.

use crate::interval::{Interval, mean, sd};
use statrs::distribution::{ChiSquared, ContinuousCDF, StudentsT};

/// Fewer source games than this give no interval at all.
pub const FEWEST: usize = 3;
/// Fewer give none where differences may be skewed.
pub const FEWEST_SKEWED: usize = 5;
/// Fewer give none where a few positions make most of the mean.
pub const FEWEST_HEAVY: usize = 30;
/// Neither do fewer games than this in which anything was lost.
pub const FEWEST_LOSSES: usize = 10;
/// By how much the skewness of a sample is enlarged where losses are rare: the largest ones are mostly not in it.
const UNSEEN: f64 = 1.4;

/// An end is at most so many times as far out as Student's. Where the transformation goes further it hangs on the skewness,
/// which no sample tells that well; simulation shows nothing lost.
const FARTHEST: f64 = 2.5;

/// A statistic with what its interval needs.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    /// Of all source games.
    pub estimate: f64,
    /// Its standard error; 0 where no game changes it.
    pub error: f64,
    /// Source games.
    pub clusters: usize,
    /// Source games that change it; exact where all games have as many positions.
    pub changed: usize,
    /// Skewness of the pseudo-values, without bias in normal samples.
    skewness: f64,
    /// Excess kurtosis of the pseudo-values, at least 0.
    kurtosis: f64,
}

/// Cochran's Q of independent estimates with their standard errors, and the p-value of the quantity being the same in all, by the
/// chi-square law with one degree of freedom fewer than there are estimates; `None` for fewer than two, and where one has no
/// error. Source: Cochran 1954.
pub fn heterogeneity(estimates: &[(f64, f64)]) -> Option<(f64, f64)> {
    let weights: Vec<f64> = estimates.iter().map(|(_, error)| error.powi(-2)).collect();
    let total: f64 = weights.iter().sum();
    let weighted = || estimates.iter().zip(&weights);
    let middle = weighted().map(|((estimate, _), weight)| weight * estimate).sum::<f64>() / total;
    let q: f64 = weighted().map(|((estimate, _), weight)| weight * (estimate - middle).powi(2)).sum();
    let law = ChiSquared::new(estimates.len() as f64 - 1.0).ok()?;
    q.is_finite().then(|| (q, law.sf(q)))
}

/// The spreads of statistics that are functions of totals: `clusters` holds the totals of each source game, `statistics` sees
/// the sums over games. Empty without clusters.
///
/// # Panics
/// If a cluster has other totals than the first.
pub fn jackknife<T: AsRef<[f64]>, S: AsRef<[f64]>>(
    clusters: &[T],
    statistics: impl Fn(&[f64]) -> S,
) -> Vec<Spread> {
    let Some(length) = clusters.first().map(|totals| totals.as_ref().len()) else { return Vec::new() };
    let sums: Vec<f64> =
        (0..length).map(|i| clusters.iter().map(|totals| totals.as_ref()[i]).sum()).collect();
    let n = clusters.len() as f64;
    let whole = statistics(&sums);
    let whole = whole.as_ref();
    let mut pseudo = vec![Vec::with_capacity(clusters.len()); whole.len()];
    let mut left = vec![0.0; length];
    for totals in clusters {
        let parts = sums.iter().zip(totals.as_ref());
        left.iter_mut().zip(parts).for_each(|(left, (sum, of_cluster))| *left = sum - of_cluster);
        for (values, (all, without)) in pseudo.iter_mut().zip(whole.iter().zip(statistics(&left).as_ref())) {
            values.push(n * all - (n - 1.0) * without);
        }
    }
    whole.iter().zip(&pseudo).map(|(&estimate, pseudo)| Spread::of(estimate, pseudo)).collect()
}

/// The spread of a single statistic.
pub fn spread<T: AsRef<[f64]>>(clusters: &[T], statistic: impl Fn(&[f64]) -> f64) -> Spread {
    let spreads = jackknife(clusters, |sums| [statistic(sums)]);
    spreads.first().copied().unwrap_or_else(|| Spread::of(f64::NAN, &[]))
}

impl Spread {
    fn of(estimate: f64, pseudo: &[f64]) -> Spread {
        let n = pseudo.len() as f64;
        let (centre, sd) = (mean(pseudo), sd(pseudo));
        // What is left of equal values after rounding is no spread.
        let flat = sd <= 1e-9 * (estimate.abs() + 1.0);
        let biased = sd * ((n - 1.0) / n).sqrt();
        let moment = |power: i32| {
            let sum: f64 = pseudo.iter().map(|x| ((x - centre) / biased).powi(power)).sum();
            if flat { 0.0 } else { sum / n }
        };
        let unbiased = if n > 2.0 { (n * (n - 1.0)).sqrt() / (n - 2.0) } else { 0.0 };
        let kurtosis = if flat { 0.0 } else { (moment(4) - 3.0).max(0.0) };
        let error = if flat { 0.0 } else { sd / n.sqrt() };
        let changed = pseudo.iter().filter(|x| x.abs() > 1e-9).count();
        let skewness = moment(3) * unbiased;
        Spread { estimate, error, clusters: pseudo.len(), changed, skewness, kurtosis }
    }

    /// Student's interval: for means of logarithms of ratios and what is linear in them.
    pub fn student(&self) -> Interval {
        self.within(FEWEST, |t| t)
    }

    /// For means of differences that may be skewed, like gains in plies: Student's interval by Hall's transformation.
    pub fn skewed(&self) -> Interval {
        self.transformed(FEWEST_SKEWED, self.skewness)
    }

    /// For means of losses, which are 0 at most positions and large at few; `losses` games have any.
    pub fn heavy(&self, losses: usize) -> Interval {
        let fewest = if losses < FEWEST_LOSSES { usize::MAX } else { FEWEST_HEAVY };
        self.transformed(fewest, UNSEEN * self.skewness)
    }

    /// For the logarithm of a ratio of sums, of which large searches decide: `effective` is the number of games that the sums
    /// amount to ([`effective`]).
    pub fn of_sums(&self, effective: f64) -> Interval {
        if self.clusters < FEWEST {
            return Interval::none(self.estimate);
        }
        let reach = t95(self.freedom().min(effective - 1.0)) * self.error;
        Interval::around(self.estimate, reach)
    }

    /// Degrees of freedom that the standard error has: n - 1 in a normal sample, fewer where single games decide.
    pub fn freedom(&self) -> f64 {
        let n = self.clusters as f64;
        (n - 1.0) / (1.0 + self.kurtosis * (n - 1.0) / (2.0 * n))
    }

    /// Two-sided p-value of the statistic being 0, by Student's law; 1 if it is 0 in every game, `NaN` for fewer than two.
    pub fn p(&self) -> f64 {
        if self.clusters < 2 || !self.estimate.is_finite() || !self.error.is_finite() {
            return f64::NAN;
        }
        if self.error == 0.0 {
            // The same in every game: no doubt is left, unless there is no difference.
            return if self.estimate.abs() < 1e-9 { 1.0 } else { 0.0 };
        }
        let law = StudentsT::new(0.0, 1.0, self.clusters as f64 - 1.0);
        law.map_or(f64::NAN, |law| (2.0 * law.sf((self.estimate / self.error).abs())).min(1.0))
    }

    /// The true value that tests at `level` would have shown with this standard error in 80 of 100 experiments.
    pub fn detectable(&self, level: f64) -> f64 {
        let Ok(law) = StudentsT::new(0.0, 1.0, self.clusters as f64 - 1.0) else { return f64::NAN };
        (law.inverse_cdf(1.0 - level / 2.0) + law.inverse_cdf(0.8)) * self.error
    }

    /// The spread that `clusters` source games would have that vary as these do.
    pub fn of_games(&self, clusters: usize) -> Spread {
        let error = self.error * (self.clusters as f64 / clusters as f64).sqrt();
        Spread { error, clusters, ..*self }
    }

    /// The same in larger units, of `per_unit` each.
    pub fn in_units(&self, per_unit: f64) -> Spread {
        Spread { estimate: self.estimate / per_unit, error: self.error / per_unit, ..*self }
    }

    /// Hall's monotone transformation of t, a cubic without the skewness, undone at the tabled points.
    fn transformed(&self, fewest: usize, skewness: f64) -> Interval {
        let root = (self.clusters as f64).sqrt();
        let (a, b) = (skewness / 3.0 / root, skewness / 6.0 / root);
        let undo = |t: f64| {
            let undone = if a.abs() < 1e-9 { t } else { ((1.0 + 3.0 * a * (t - b)).cbrt() - 1.0) / a };
            undone.clamp(-FARTHEST * t.abs(), FARTHEST * t.abs())
        };
        self.within(fewest, undo)
    }

    fn within(&self, fewest: usize, point: impl Fn(f64) -> f64) -> Interval {
        if self.clusters < fewest || !self.error.is_finite() {
            return Interval::none(self.estimate);
        }
        let t = t95(self.clusters as f64 - 1.0);
        let [low, high] = [t, -t].map(|t| self.estimate - self.error * point(t));
        Interval { estimate: self.estimate, low, high }
    }
}

/// The two-sided 95 % point of Student's law; at least one degree of freedom.
pub fn t95(freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom.max(1.0)).map_or(f64::NAN, |law| law.inverse_cdf(0.975))
}

/// How many equal games the sum of these values amounts to (Kish 1965): n if they are equal, 1 if one is all.
pub fn effective(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let (sum, squares) = (values.clone().sum::<f64>(), values.map(|x| x * x).sum::<f64>());
    sum * sum / squares
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean_of(values: &[f64]) -> Spread {
        let clusters: Vec<Vec<f64>> = values.iter().map(|x| vec![*x, 1.0]).collect();
        spread(&clusters, |sums| sums[0] / sums[1])
    }

    /// Of a mean the jackknife is the textbook: s / sqrt(n), and t = 2.776 with four degrees of freedom.
    #[test]
    fn of_a_mean_it_is_students_interval() {
        let mean = mean_of(&[-1.0, 0.0, 1.0, 2.0, 3.0]);
        assert!((mean.error - (2.5_f64 / 5.0).sqrt()).abs() < 1e-12);
        let i = mean.student();
        assert!((i.high - (1.0 + 2.776_45 * mean.error)).abs() < 1e-4 && (i.low + i.high - 2.0).abs() < 1e-9);
        assert!((mean.skewed().high - i.high).abs() < 1e-9, "a symmetric sample needs no transformation");
        assert!((mean_of(&[1.0; 6]).student().low - 1.0).abs() < 1e-12, "equal values leave no doubt");
    }

    #[test]
    fn a_long_tail_moves_the_interval_towards_it() {
        let tail = [0.1, 0.2, 0.2, 0.3, 0.3, 0.4, 0.5, 4.0];
        let (plain, moved) = (mean_of(&tail).student(), mean_of(&tail).skewed());
        assert!(moved.high > plain.high && moved.low > plain.low, "{plain:?} {moved:?}");
        let mirrored = mean_of(&tail.map(|x| -x)).skewed();
        assert!((mirrored.low + moved.high).abs() < 1e-9 && (mirrored.high + moved.low).abs() < 1e-9);
    }

    /// Shares of a whole that one game alone makes: left out, nothing is left to divide.
    #[test]
    fn what_hangs_on_one_game_has_neither_interval_nor_test() {
        let ratio = spread(&[vec![1.0], vec![0.0], vec![0.0], vec![0.0]], |sums| sums[0] / sums[0]);
        assert!(ratio.estimate == 1.0 && ratio.p().is_nan() && !ratio.student().has_ends());
    }

    #[test]
    fn too_few_games_have_no_interval() {
        let ends = |i: Interval| i.low.is_finite() && i.high.is_finite();
        assert!(!ends(mean_of(&[1.0, 2.0]).student()) && ends(mean_of(&[1.0, 2.0, 4.0]).student()));
        assert!(!ends(mean_of(&[1.0, 2.0, 4.0, 5.0]).skewed()));
        let losses: Vec<f64> = (0..40).map(|i| f64::from(i % 4)).collect();
        assert!(ends(mean_of(&losses).heavy(10)) && !ends(mean_of(&losses).heavy(9)));
        assert!(!ends(mean_of(&losses[..29]).heavy(20)));
        assert!(spread::<[f64; 1]>(&[], |sums| sums[0]).estimate.is_nan());
    }

    /// Where one search is most of both sums, the interval must not trust the others.
    #[test]
    fn sums_count_the_games_that_make_them() {
        assert!((effective([2.0, 2.0, 2.0].into_iter()) - 3.0).abs() < 1e-12);
        assert!((effective([1e9, 1.0, 1.0].into_iter()) - 1.0).abs() < 1e-6);
        let mean = mean_of(&[-0.1, 0.0, 0.1, 0.2]);
        let width = |i: Interval| i.high - i.low;
        assert!((width(mean.of_sums(100.0)) - width(mean.student())).abs() < 1e-9);
        assert!(width(mean.of_sums(2.0)) > 3.0 * width(mean.student()));
    }

    /// With the detectable difference in place of the estimate, t is its 97.5 % point and its 80 % point more.
    #[test]
    fn four_times_the_games_halve_the_error_and_more_than_halve_what_is_detected() {
        let few = mean_of(&[-1.0, 0.0, 1.0, 2.0, 3.0]);
        let many = few.of_games(20);
        assert!((many.error - few.error / 2.0).abs() < 1e-12 && many.clusters == 20);
        assert!(many.detectable(0.05) < few.detectable(0.05) / 2.0, "Student's points shrink too");
    }

    #[test]
    fn what_could_have_been_shown_lies_beyond_the_interval() {
        let mean = mean_of(&[-1.0, 0.0, 1.0, 2.0, -2.0, 0.5, -0.5]);
        let reach = mean.student().high - mean.estimate;
        assert!((mean.detectable(0.05) - reach - 0.905_703 * mean.error).abs() < 1e-3);
        assert!(mean.detectable(0.005) > mean.detectable(0.05));
    }

    /// Two estimates 2 apart with errors of 1 have Q = 2, which 0.157 of even ones exceed; what weighs nothing changes nothing.
    #[test]
    fn estimates_that_differ_more_than_their_errors_are_not_the_same() {
        let (q, p) = heterogeneity(&[(0.0, 1.0), (2.0, 1.0)]).unwrap();
        assert!((q - 2.0).abs() < 1e-9 && (p - 0.1573).abs() < 1e-4, "{q} {p}");
        let (q, p) = heterogeneity(&[(0.0, 1.0), (2.0, 1.0), (50.0, 1e6)]).unwrap();
        assert!((q - 2.0).abs() < 1e-6 && (p - (-1.0_f64).exp()).abs() < 1e-6, "two degrees: {q} {p}");
        assert_eq!([heterogeneity(&[(0.0, 1.0)]), heterogeneity(&[(0.0, 1.0), (2.0, 0.0)])], [None, None]);
    }
}
