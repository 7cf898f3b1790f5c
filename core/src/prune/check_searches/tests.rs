//! The formulas of checks, with and without a model, against numbers worked out by hand.

use super::*;
use crate::prune::Fit;

const CHECK: Check = Check {
    shallow: 4,
    iterations: (1, 99),
    a: 1.02,
    b: 2.36,
    sigma: 82.0,
    margin: 82.0,
    against: 0.0,
    glance: None,
    modelled: true,
};

const RULES: Rules = Rules {
    t: 1.0,
    against: 0.0,
    per_ply: 0.0,
    sigma: Sigma::Pair,
    sides: Sides::High,
    glance: f64::INFINITY,
    nesting: 0,
    guards: Guards { pv: true, check: true, mate: true, solved: true, store: true, last: false },
};

#[test]
fn a_number_out_of_range_is_named_and_those_at_its_ends_are_taken() {
    let fault = |rules: Rules, by_stage: &[f64]| rules.fault(by_stage, 2).unwrap_or_default();
    for value in [0.0, f64::INFINITY] {
        assert_eq!(fault(Rules { t: value, glance: value, nesting: 1, ..RULES }, &[-1.0, 1.0]), "");
    }
    for value in [-0.1, f64::NEG_INFINITY, f64::NAN] {
        assert!(fault(Rules { t: value, ..RULES }, &[]).starts_with(&format!("t = {value}: ")));
        assert!(fault(Rules { glance: value, ..RULES }, &[]).starts_with(&format!("glance = {value}: ")));
    }
    for value in [f64::INFINITY, f64::NAN] {
        assert!(fault(Rules { against: value, ..RULES }, &[]).starts_with("against = "));
        assert!(fault(Rules { per_ply: value, ..RULES }, &[]).starts_with("per-ply = "));
        assert!(fault(RULES, &[0.0, value]).starts_with("by-stage = "));
    }
    assert_eq!(fault(RULES, &[0.0; 3]), "by-stage: found 3 numbers, expected at most 2 stages");
    assert_eq!(fault(Rules { nesting: 2, ..RULES }, &[]), "nesting = 2: expected 0 or 1");
}

#[test]
fn a_linear_check_is_a_share_of_the_depth_with_a_margin_a_ply() {
    let scan = Linear { from: 3, share: 40, margin: 10 };
    let checks = Checks::linear::<super::super::probcut::ProbCut>(scan, &RULES, 2).unwrap();
    let listed: Vec<(usize, i32, f64)> = checks.by_stage[1][..11]
        .iter()
        .enumerate()
        .flat_map(|(height, checks)| {
            checks.iter().map(move |check| (height, check.shallow, check.high(Score(7), Kind::All)))
        })
        .collect();
    let expected = [(3, 1), (4, 1), (5, 2), (6, 2), (7, 2), (8, 3), (9, 3), (10, 4)];
    assert_eq!(listed, expected.map(|(height, shallow)| (height, shallow, 7.0 + 10.0 * height as f64)));
}

#[test]
fn the_two_bounds_are_dual() {
    let mirrored = Check { b: -CHECK.b, ..CHECK };
    for alpha in -300..300 {
        assert_eq!(CHECK.low(Score(alpha), Kind::All), -mirrored.high(Score(-alpha), Kind::Cut));
    }
}

#[test]
fn a_type_that_speaks_against_a_cut_asks_for_more() {
    let check = Check { against: 41.0, ..CHECK };
    for (kind, high, low) in [(Kind::Cut, 176.0, -25.0), (Kind::All, 216.0, 15.0), (Kind::Pv, 216.0, -25.0)] {
        assert_eq!((check.high(Score(100), kind), check.low(Score(100), kind)), (high, low), "{kind:?}");
    }
}

#[test]
fn buros_formula_with_jiangs_numbers() {
    // (82 + 100 - 2.36) / 1.02 = 176.1; (-82 + 100 - 2.36) / 1.02 = 15.3
    assert_eq!(CHECK.high(Score(100), Kind::Cut), 176.0);
    assert_eq!(CHECK.low(Score(100), Kind::All), 15.0);
}

/// A pair whose own sigma is larger than all others asks for less where one sigma is drawn through all.
#[test]
fn one_sigma_for_all_takes_the_place_of_each() {
    let fit = |stage, shallow, deep| {
        let sigma = if (stage, shallow, deep) == (3, 4, 8) { 200.0 } else { 100.0 };
        Fit { stage, shallow, deep, n: 100, a: 1.0, b: 0.0, sigma, r: 0.9 }
    };
    let pairs = || (1..=10).flat_map(|deep| (0..deep).map(move |shallow| (shallow, deep)));
    let fits = (0..8).flat_map(|stage| pairs().map(move |(shallow, deep)| fit(stage, shallow, deep)));
    let calibration = Calibration { fits: fits.collect(), ..Calibration::default() };
    let margin = |sigma| {
        let rules = Rules { sigma, ..RULES };
        let pairs = vec![Pair::always((4, 8))];
        let checks = Checks::new::<super::super::mpc::Mpc>(pairs, &rules, &[], &calibration, 8).unwrap();
        checks.by_stage[3][8][0].margin
    };
    assert_eq!(margin(Sigma::Pair), 200.0);
    let smooth = margin(Sigma::Surface);
    assert!((100.1..150.0).contains(&smooth), "{smooth}");
}
