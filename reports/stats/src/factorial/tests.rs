//! Effects that are known by construction.

use super::*;
use crate::fixtures::{combined as records, row};
use crate::group::groups;
use crate::measure::{INSTRUCTIONS, MOVES, Measure, NODES, REGRET, TIME};
use secateur_record::record::Record;

fn effects_of(records: &[Record], measure: &Measure) -> Effects {
    let groups = groups(records);
    effects(&designs(&groups)[0], measure).unwrap()
}

const SCALE: [u64; 5] = [7, 20, 31, 12, 50];

/// a halves the tree, b makes a fifth of it, c doubles it, whatever else is on.
fn independent(position: u64, bits: usize) -> u64 {
    let factor = [20, 10, 4, 2, 40, 20, 8, 4][bits];
    SCALE[position as usize] * factor
}

#[test]
fn independent_methods_do_not_interact() {
    let effects = effects_of(&records(5, independent), &NODES);
    let expected = [2.0_f64.ln(), 5.0_f64.ln(), 0.5_f64.ln()];
    let whole: f64 = expected.iter().sum();
    for (factor, expected) in effects.factors.iter().zip(expected) {
        for saving in [factor.alone, factor.main, factor.last.effect, factor.part] {
            for end in [saving.estimate, saving.low, saving.high] {
                assert!((end - expected).abs() < 1e-9, "{factor:?}");
            }
        }
        assert!((factor.share.estimate - expected / whole).abs() < 1e-9);
    }
    for interaction in &effects.interactions {
        assert!(
            interaction.alone.effect.estimate.abs() < 1e-9 && interaction.mean.effect.estimate.abs() < 1e-9
        );
    }
}

/// A move that was not compared with the baseline's is no changed one: its block is left out and counted.
#[test]
fn moves_are_divided_over_blocks_that_are_decided() {
    let moved = |decided: bool| {
        let mut records = records(5, independent);
        for (index, record) in records.iter_mut().enumerate() {
            // All together play another move everywhere, which the baseline was asked about at all positions but two.
            if index % 8 == 7 {
                record.best_move = "c5".into();
                record.move_tied = (decided || index / 8 > 1).then_some(index / 8 == 2);
            }
        }
        records
    };
    let records = moved(false);
    let groups = groups(&records);
    let design = &designs(&groups)[0];
    assert_eq!(design.undecided(), 2);
    let whole = effects(design, &MOVES).unwrap().whole.effect.estimate;
    assert!((whole + 2.0 / 3.0).abs() < 1e-9, "one of three is tied: {whole}");
    assert!((effects_of(&moved(true), &MOVES).whole.effect.estimate + 4.0 / 5.0).abs() < 1e-9);
    assert_eq!(
        effects(design, &NODES).unwrap().whole.effect.estimate,
        effects_of(&moved(true), &NODES).whole.effect.estimate
    );
}

/// Whatever the numbers are: shares add up to one, parts to the whole, and so do those of the costs.
#[test]
fn shares_add_up_on_any_numbers() {
    let mut state = 5_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        1 + (state >> 40)
    };
    let drawn: Vec<u64> = (0..5 * 8).map(|_| random()).collect();
    let mut records = records(5, |position, bits| drawn[position as usize * 8 + bits]);
    for record in &mut records {
        record.regret = Some((record.nodes.unwrap() % 40) as i32);
        record.time_ns = record.nodes.unwrap() * 7 % 10_000 + 1;
    }
    for measure in [&NODES, &TIME, &REGRET] {
        let effects = effects_of(&records, measure);
        let parts: f64 = effects.factors.iter().map(|factor| factor.part.estimate).sum();
        let shares: f64 = effects.factors.iter().map(|factor| factor.share.estimate).sum();
        assert!((parts - effects.whole.effect.estimate).abs() < 1e-9);
        assert!((shares - 1.0).abs() < 1e-9, "{measure:?} {shares}");
    }
    records[3].regret = None;
    let groups = groups(&records);
    assert!(effects(&designs(&groups)[0], &REGRET).is_none(), "one hole and there is no table");
    assert!(effects(&designs(&groups)[0], &INSTRUCTIONS).is_none());
}

fn design(methods: &[&str]) -> Option<(Vec<String>, Vec<usize>)> {
    let records: Vec<Record> = methods.iter().map(|m| row("p", "28", m, 10)).collect();
    let groups = groups(&records);
    let design = Design::find(&groups[0])?;
    Some((design.factors.iter().map(|&f| f.to_owned()).collect(), design.sets))
}

#[test]
fn every_combination_is_needed() {
    let full = ["none", "mpc", "null-move[r=3]", "mpc+null-move[r=3]"];
    let (factors, sets) = design(&full).unwrap();
    assert_eq!(factors, ["mpc", "null-move[r=3]"]);
    assert_eq!(sets, [0, 1, 2, 3]);
    assert!(design(&full[..3]).is_none());
    assert!(design(&["none", "mpc"]).is_none());
}

#[test]
fn the_largest_wins_and_order_within_a_set_does_not_matter() {
    let methods = ["none", "a", "b", "c", "b+a", "c+a", "b+c", "c+b+a", "d", "a+d"];
    let (factors, sets) = design(&methods).unwrap();
    assert_eq!(factors, ["a", "b", "c"]);
    assert_eq!(sets, [0, 1, 2, 4, 3, 5, 6, 7]);
}

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
