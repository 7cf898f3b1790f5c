//! Effects that are known by construction.

use super::*;
use crate::fixtures::combined as records;
use crate::group::groups;
use crate::measure::{INSTRUCTIONS, MOVES, Measure, NODES, REGRET, TIME};
use secateur_record::record::Record;

fn found(records: &[Record], measure: &Measure) -> Effects {
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
    let effects = found(&records(5, independent), &NODES);
    let expected = [2.0_f64.ln(), 5.0_f64.ln(), 0.5_f64.ln()];
    let whole: f64 = expected.iter().sum();
    for (factor, expected) in effects.factors.iter().zip(expected) {
        for saving in [factor.alone, factor.main, factor.last, factor.part] {
            for end in [saving.estimate, saving.low, saving.high] {
                assert!((end - expected).abs() < 1e-9, "{factor:?}");
            }
        }
        assert!((factor.share.estimate - expected / whole).abs() < 1e-9);
    }
    for interaction in &effects.interactions {
        assert!(interaction.alone.estimate.abs() < 1e-9 && interaction.mean.estimate.abs() < 1e-9);
    }
}

/// A move that nobody compared with the baseline's is no changed one: its block is left out and counted.
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
    let whole = effects(design, &MOVES).unwrap().whole.estimate;
    assert!((whole + 2.0 / 3.0).abs() < 1e-9, "one of three is tied: {whole}");
    assert!((found(&moved(true), &MOVES).whole.estimate + 4.0 / 5.0).abs() < 1e-9);
    assert_eq!(effects(design, &NODES).unwrap().whole.estimate, found(&moved(true), &NODES).whole.estimate);
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
        let effects = found(&records, measure);
        let parts: f64 = effects.factors.iter().map(|factor| factor.part.estimate).sum();
        let shares: f64 = effects.factors.iter().map(|factor| factor.share.estimate).sum();
        assert!((parts - effects.whole.estimate).abs() < 1e-9);
        assert!((shares - 1.0).abs() < 1e-9, "{measure:?} {shares}");
    }
    records[3].regret = None;
    let groups = groups(&records);
    assert!(effects(&designs(&groups)[0], &REGRET).is_none(), "one hole and there is no table");
    assert!(effects(&designs(&groups)[0], &INSTRUCTIONS).is_none());
}
