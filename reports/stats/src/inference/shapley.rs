//! Shapley's value: a fair division of what several methods do together.
//!
//! Source: Shapley, A Value for n-Person Games, 1953. A method's part is what it adds, averaged over all orders in which
//! the methods could be switched on. The parts add up to the whole, whatever the interactions.

/// The part of each of `k` players in `values[all] - values[0]`. `values[set]` is the worth of the players whose bits are
/// set, so its length is 2^k.
///
/// # Panics
/// If the length of `values` is no power of two.
#[must_use]
pub fn shapley(values: &[f64]) -> Vec<f64> {
    assert!(values.len().is_power_of_two(), "a value for every set of players");
    let players = values.len().trailing_zeros();
    // Of all orders of k players, the share in which exactly these s come before a given other one: s! (k-1-s)! / k!.
    let mut weights = vec![1.0 / f64::from(players.max(1)); players.max(1) as usize];
    for s in 1..players {
        weights[s as usize] = weights[s as usize - 1] * f64::from(s) / f64::from(players - s);
    }
    (0..players)
        .map(|player| {
            let bit = 1 << player;
            let without = (0..values.len()).filter(|set| set & bit == 0);
            without.map(|set| weights[set.count_ones() as usize] * (values[set | bit] - values[set])).sum()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Any numbers; what matters is that no formula could have been fitted to them.
    fn worth(players: u32, seed: u64) -> Vec<f64> {
        let mut state = seed;
        (0..1_u32 << players)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as f64 / 1e9
            })
            .collect()
    }

    #[test]
    fn parts_add_up_to_the_whole() {
        for players in 0..=7 {
            let values = worth(players, 3);
            let parts = shapley(&values);
            assert_eq!(parts.len(), players as usize);
            let whole = values[values.len() - 1] - values[0];
            assert!((parts.iter().sum::<f64>() - whole).abs() < 1e-9);
        }
    }

    /// Averaging over all 24 orders of 4 players directly.
    #[test]
    fn it_is_the_mean_over_all_orders() {
        let values = worth(4, 11);
        let mut sums = [0.0; 4];
        let mut orders = 0.0;
        for code in 0..256_usize {
            let order = [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6];
            if order.iter().fold(0, |seen, p| seen | 1 << p) != 15 {
                continue;
            }
            orders += 1.0;
            let mut set = 0;
            for player in order {
                sums[player] += values[set | 1 << player] - values[set];
                set |= 1 << player;
            }
        }
        for (part, sum) in shapley(&values).into_iter().zip(sums) {
            assert!((part - sum / orders).abs() < 1e-12);
        }
    }

    #[test]
    fn who_adds_nothing_gets_nothing_and_twins_get_alike() {
        // Players 0 and 1 do the same thing; player 2 does none.
        let values: Vec<f64> = (0..8).map(|set| if set & 3 == 0 { 0.0 } else { 6.0 }).collect();
        assert_eq!(shapley(&values), [3.0, 3.0, 0.0]);
    }
}
