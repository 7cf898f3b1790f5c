//! Models of cuts that follow a known law.

use super::*;
use secateur_stats::inference::random::SplitMix;

/// Cuts of a known law: log-odds of a broken one are -1 - distance, less 2 where the type speaks for the cut.
fn made(count: usize, seed: u64) -> Vec<CutRow> {
    let mut random = SplitMix(seed);
    let mut unit = move || random.below(1 << 20) as f64 / f64::from(1 << 20);
    (0..count)
        .map(|index| {
            let (distance, expected) = (3.0 * unit(), unit() < 0.5);
            let odds = -1.0 - distance - if expected { 2.0 } else { 0.0 };
            CutRow {
                source: format!("p{}", index / 20),
                cluster: format!("g{}", index / 20),
                stage: String::new(),
                every: 1,
                iteration: 8,
                ply: 2,
                height: 6,
                high: index % 2 == 0,
                expected,
                distance,
                shown: distance,
                evaluation: unit(),
                last: Some(unit()),
                table: 0,
                table_lag: None,
                nodes: 100,
                broken: unit() < logistic(odds),
            }
        })
        .collect()
}

#[test]
fn a_known_law_is_found_again() {
    let cuts = made(40_000, 1);
    let model = Model::fit(&cuts, Facts::Type).expect("converges");
    for (fitted, law) in model.coefficients.iter().zip([-1.0, -1.0, -2.0, 0.0]) {
        assert!((fitted - law).abs() < 0.2, "{:?}", model.coefficients);
    }
}

#[test]
fn what_matters_gains_and_what_does_not_gains_nothing() {
    let (fitted, held) = (made(20_000, 2), made(20_000, 3));
    let models: Vec<Model> = Facts::EACH.map(|facts| Model::fit(&fitted, facts).expect("converges")).to_vec();
    let judgements = judged(&models, &held);
    let gain = |facts: Facts| judgements.iter().find(|judged| judged.facts == facts).unwrap().gain;
    assert!(gain(Facts::Distance).estimate == 0.0 && gain(Facts::Promise).high < 0.0);
    assert!(gain(Facts::Type).low > 0.0);
    assert!(gain(Facts::All).estimate < gain(Facts::Type).estimate + 1e-3);
    // Some two hundred cuts break where the type speaks for them.
    let right = judgements[2].ratio.map(|ratio| (ratio.estimate - 1.0).abs() < 0.4);
    assert_eq!(right, [true, true], "{:?}", judgements[2].ratio);
    let [expected, other] = judgements[1].ratio;
    assert!(expected.low > 1.0 && other.high < 1.0, "one offset for both is wrong for both");
}

#[test]
fn the_frontier_of_the_distance_is_its_own_and_the_types_lies_beyond() {
    let cuts = made(20_000, 4);
    let points = |facts| frontier(&Model::fit(&cuts, facts).expect("converges"), None, &cuts, &[1.0, 2.0]);
    for point in points(Facts::Distance) {
        // As many broken cuts admit those down to the next broken one, which are a few more.
        assert!((1.0..1.01).contains(&point.saved.estimate), "{point:?}");
    }
    for point in points(Facts::Type) {
        assert!(point.saved.low > 1.05, "{point:?}");
    }
}

#[test]
fn what_saves_more_comes_first() {
    let mut cuts = made(20_000, 5);
    for (index, cut) in cuts.iter_mut().enumerate() {
        (cut.height, cut.nodes) = if index % 4 == 0 { (8, 1_000) } else { (6, 100) };
    }
    let sizes = worth_by_height(&cuts);
    assert_eq!(sizes, BTreeMap::from([(6, 100.0), (8, 1_000.0)]));
    let model = Model::fit(&cuts, Facts::Distance).expect("converges");
    let [plain, weighed] = [None, Some(&sizes)].map(|sizes| frontier(&model, sizes, &cuts, &[1.5])[0]);
    assert!(weighed.saved.low > plain.saved.high, "{plain:?} {weighed:?}");
}

#[test]
fn nothing_is_fitted_to_nothing() {
    assert_eq!(Model::fit(&[], Facts::All), None);
}
