//! Sigma as one smooth function of how far the game is and of both depths, drawn through the sigmas of all fits.
//!
//! Source: Egaroucid (Yamana 2021-2026, `multi_probcut.hpp` and `tools/probcut/model_sigma_mid.py` of 8a98e5ae): with r = A discs
//! / 64 + B d' / 60 + C d / 60, sigma = D r^3 + E r^2 + F r + G, fitted to pairs of depths of one parity. Its constants are for
//! its own evaluation; these are computed from the fits of the game that is searched, each weighted by its pairs. A is 1, because
//! D to G scale with it, and the middle of the stage is taken for the number of discs. Left out: predictions without a line
//! (a = 1, b = 0), which remain those of the fit, and sigmas of depths that were never fitted.

use super::Fit;

/// Coefficients of the cubic.
const TERMS: usize = 4;
/// Where the search for B and C begins: Egaroucid's over its A.
const BEGIN: [f64; 2] = [-6.25, 1.5];
/// The first step of that search, and the last.
const STEPS: [f64; 2] = [4.0, 0.01];
/// Share of the diagonal that is added to it, so that sigmas that know only a line still have one cubic.
const RIDGE: f64 = 1e-9;

/// The function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Surface {
    /// B and C over A.
    slopes: [f64; 2],
    /// G, F, E and D.
    cubic: [f64; TERMS],
    stages: usize,
}

/// A fitted sigma and where it is.
struct Point {
    place: [f64; 3],
    sigma: f64,
    weight: f64,
}

impl Surface {
    /// The function that is nearest to the sigmas of these fits.
    pub(super) fn through(fits: &[Fit], stages: usize) -> Surface {
        let of_one_parity = fits.iter().filter(|fit| (fit.deep - fit.shallow) % 2 == 0);
        let points: Vec<Point> = of_one_parity
            .map(|fit| Point {
                place: place(fit.stage, fit.shallow, fit.deep, stages),
                sigma: fit.sigma,
                weight: f64::from(fit.n),
            })
            .collect();
        let mut slopes = BEGIN;
        let (mut cubic, mut error) = nearest(&points, slopes);
        let mut step = STEPS[0];
        while step >= STEPS[1] {
            let around = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0], [1.0, 1.0], [-1.0, -1.0]];
            let before = error;
            for [left, right] in around {
                let tried = [slopes[0] + step * left, slopes[1] + step * right];
                let (tried_cubic, tried_error) = nearest(&points, tried);
                if tried_error < error {
                    (slopes, cubic, error) = (tried, tried_cubic, tried_error);
                }
            }
            if error >= before {
                step /= 2.0;
            }
        }
        Surface { slopes, cubic, stages }
    }

    /// Sigma of a pair at a stage, in the game's score unit.
    pub(super) fn sigma(&self, stage: usize, shallow: i32, deep: i32) -> f64 {
        dot(&self.cubic, &terms(place(stage, shallow, deep, self.stages), self.slopes))
    }
}

/// The share of the game at the middle of the stage, and both depths.
fn place(stage: usize, shallow: i32, deep: i32, stages: usize) -> [f64; 3] {
    [(stage as f64 + 0.5) / stages as f64, f64::from(shallow) / 60.0, f64::from(deep) / 60.0]
}

/// 1, r, r^2 and r^3.
fn terms(place: [f64; 3], slopes: [f64; 2]) -> [f64; TERMS] {
    let r = place[0] + slopes[0] * place[1] + slopes[1] * place[2];
    [1.0, r, r * r, r * r * r]
}

fn dot(left: &[f64; TERMS], right: &[f64; TERMS]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

/// The cubic that is nearest to the points with these slopes, and its weighted squared error.
fn nearest(points: &[Point], slopes: [f64; 2]) -> ([f64; TERMS], f64) {
    // The normal equations, the right side as the last column.
    let mut rows = [[0.0; TERMS + 1]; TERMS];
    for point in points {
        let terms = terms(point.place, slopes);
        for (row, term) in rows.iter_mut().zip(terms) {
            for (cell, other) in row.iter_mut().zip(terms.iter().chain([&point.sigma])) {
                *cell += point.weight * term * other;
            }
        }
    }
    let scale: f64 = (0..TERMS).map(|at| rows[at][at]).sum();
    for (at, row) in rows.iter_mut().enumerate() {
        row[at] += RIDGE * scale;
    }
    // The matrix is positive definite: no pivot is looked for.
    for pivot in 0..TERMS {
        let divisor = rows[pivot][pivot];
        let chosen = rows[pivot].map(|cell| cell / divisor);
        rows[pivot] = chosen;
        for (_, row) in rows.iter_mut().enumerate().filter(|(at, _)| *at != pivot) {
            let factor = row[pivot];
            row.iter_mut().zip(chosen).for_each(|(cell, other)| *cell -= factor * other);
        }
    }
    let cubic = rows.map(|row| row[TERMS]);
    let error = points.iter().map(|point| {
        let off = dot(&cubic, &terms(point.place, slopes)) - point.sigma;
        point.weight * off * off
    });
    (cubic, error.sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(sigma: impl Fn(usize, i32, i32) -> f64) -> Vec<Fit> {
        let fit = |stage, shallow, deep| {
            let sigma = sigma(stage, shallow, deep);
            Fit { stage, shallow, deep, n: 100, a: 1.0, b: 0.0, sigma, r: 0.9 }
        };
        let pairs =
            |stage| (1..=12).flat_map(move |deep| (0..deep).map(move |shallow| fit(stage, shallow, deep)));
        (0..8).flat_map(pairs).collect()
    }

    /// A function of the family is found again, Egaroucid's own among them; depths of other parity do not count.
    #[test]
    fn a_surface_through_points_of_one_is_that_one() {
        for (slopes, cubic) in
            [([-6.254, 1.5], [1.7775, 2.7907, 2.4624, -0.3264]), ([-2.0, 3.0], [100.0, 80.0, 0.0, 0.0])]
        {
            let one = Surface { slopes, cubic, stages: 8 };
            let noise = |shallow: i32, deep: i32| if (deep - shallow) % 2 == 0 { 0.0 } else { 50.0 };
            let fits = fits(|stage, shallow, deep| one.sigma(stage, shallow, deep) + noise(shallow, deep));
            let through = Surface::through(&fits, 8);
            for fit in fits.iter().filter(|fit| (fit.deep - fit.shallow) % 2 == 0) {
                let sigma = through.sigma(fit.stage, fit.shallow, fit.deep);
                assert!((sigma / fit.sigma - 1.0).abs() < 0.01, "{fit:?}: {sigma}, {through:?}");
            }
        }
    }

    /// What one pair of one stage has by chance is smoothed by those around it.
    #[test]
    fn one_pair_that_is_off_is_drawn_to_the_others() {
        let flat = fits(|_, _, _| 100.0);
        let mut bumped = flat.clone();
        let off =
            bumped.iter_mut().find(|fit| (fit.stage, fit.shallow, fit.deep) == (3, 4, 8)).expect("a fit");
        off.sigma = 200.0;
        assert!((Surface::through(&flat, 8).sigma(3, 4, 8) - 100.0).abs() < 0.01);
        let sigma = Surface::through(&bumped, 8).sigma(3, 4, 8);
        assert!((100.1..130.0).contains(&sigma), "{sigma}");
    }
}
