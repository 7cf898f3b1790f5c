//! Small experiments with a known truth; the large ones are in `coverage`.

use super::world::{Law, World};
use super::*;
use crate::inference::SplitMix;

fn lacking(methods: &[usize]) -> Lacking {
    methods.iter().copied().collect()
}

fn pair(opening: usize, sides: [&[usize]; 2], half_points: usize) -> PairOfGames {
    PairOfGames { opening, lacking: sides.map(lacking), half_points }
}

/// So many pairs one by one, the methods in turn.
fn one_by_one(world: &World, random: &mut SplitMix, methods: usize, pairs: usize) -> Vec<PairOfGames> {
    let mut pair = |opening| world.play(random, opening, [Lacking::default(), lacking(&[opening % methods])]);
    (0..pairs).map(&mut pair).collect()
}

fn shared(world: &World, random: &mut SplitMix, methods: usize, pairs: usize) -> Vec<PairOfGames> {
    let all = Lacking::first(methods);
    (0..pairs).map(|opening| world.play(random, opening, draw(1, opening as u64, all))).collect()
}

#[test]
fn one_by_one_is_the_match_whichever_side_is_whole() {
    let cells = [5, 20, 40, 30, 8];
    let mut pairs = Vec::new();
    for (half_points, count) in cells.into_iter().enumerate() {
        for _ in 0..count {
            let opening = pairs.len();
            pairs.push(match opening % 2 {
                0 => pair(opening, [&[], &[1]], half_points),
                _ => pair(opening, [&[1], &[]], 4 - half_points),
            });
        }
    }
    let answer = judge(2, &pairs, &Margins::default());
    let elo = Pentanomial(cells).score().unwrap().elo();
    let method = answer.methods[1];
    assert_eq!(method.pairs, 103);
    assert_eq!(method.elo, elo);
    assert!(method.at_all_times.low < method.elo.low && method.elo.high < method.at_all_times.high);
    assert_eq!((answer.methods[0].pairs, answer.methods[0].advice), (0, Advice::PlayOn(None)));
    assert!(answer.methods[0].elo.estimate.is_nan() && answer.together.is_empty());
}

#[test]
fn the_same_games_again_make_nothing_surer() {
    let mut random = SplitMix(3);
    let world = World::drawn(&mut random, Law::Additive, 4, 0.4);
    let once = shared(&world, &mut random, 4, 300);
    let reversed = |pair: &PairOfGames| PairOfGames {
        lacking: [pair.lacking[1], pair.lacking[0]],
        half_points: 4 - pair.half_points,
        ..*pair
    };
    let twice: Vec<PairOfGames> = once.iter().copied().chain(once.iter().map(reversed)).collect();
    assert_eq!(judge(4, &twice, &Margins::default()), judge(4, &once, &Margins::default()));
    // Whichever side is called the first, the games say the same.
    let turned: Vec<PairOfGames> = once.iter().map(reversed).collect();
    let estimates = |pairs: &[PairOfGames]| {
        judge(4, pairs, &Margins::default()).methods.iter().map(|one| one.elo.estimate).collect::<Vec<_>>()
    };
    for (one, other) in estimates(&once).into_iter().zip(estimates(&turned)) {
        assert!((one - other).abs() < 1e-6, "{one} {other}");
    }
}

/// Four pairs of every opening, in each of which the second side lacks the same method, end alike: they say no more than one pair.
#[test]
fn openings_are_the_observations() {
    let mut random = SplitMix(8);
    let world = World::of(vec![0.0; 4], 0.4);
    let others: [&[usize]; 4] = [&[], &[0], &[2], &[3]];
    let mut pairs = Vec::new();
    for opening in 0..200 {
        let half_points = world.play(&mut random, opening, [lacking(&[]), lacking(&[1])]).half_points;
        pairs.extend(others.map(|other| pair(opening, [other, &[1]], half_points)));
    }
    // What the others are worth is known from games of their own.
    for opening in 200..2_000 {
        let sides = [lacking(&[]), lacking(others[1 + opening % 3])];
        pairs.push(world.play(&mut random, opening, sides));
    }
    let apart: Vec<PairOfGames> =
        pairs.iter().enumerate().map(|(opening, pair)| PairOfGames { opening, ..*pair }).collect();
    let width = |pairs: &[PairOfGames], method: usize| {
        let elo = judge(4, pairs, &Margins::default()).methods[method].elo;
        elo.high - elo.low
    };
    assert!(width(&pairs, 1) > 1.4 * width(&apart, 1), "{} {}", width(&pairs, 1), width(&apart, 1));
    assert!(width(&pairs, 2) < 1.2 * width(&apart, 2), "{} {}", width(&pairs, 2), width(&apart, 2));
}

/// Two methods that stand in for each other: without pairs of methods in the regression both would be worth twice as much.
#[test]
fn left_out_elo_is_that_of_the_whole_and_pairs_are_found() {
    let mut world = World::of(vec![0.0, 10.0, 20.0, 30.0], 0.4);
    world.set_beyond_sum([0, 3], 80.0);
    let (mut errors, mut held, mut shown) = ([0.0; 4], 0, 0);
    for seed in 0..8 {
        let pairs = shared(&world, &mut SplitMix(seed), 4, 6_000);
        let answer = judge(4, &pairs, &Margins::default());
        for (method, estimate) in answer.methods.iter().enumerate() {
            let truth = world.truth(lacking(&[method]));
            errors[method] += (estimate.elo.estimate - truth) / 8.0;
            held += usize::from(estimate.elo.low < truth && truth < estimate.elo.high);
        }
        assert_eq!(answer.together.len(), 6);
        shown += answer
            .together
            .iter()
            .filter(|one| (one.beyond_sum.low > 0.0) == (one.methods == [0, 3]))
            .count();
    }
    // Without pairs of methods in the regression the first method would be worth a sixth of 80 Elo instead of nothing.
    assert!(errors.iter().all(|error| error.abs() < 6.0) && held >= 28, "{errors:?} {held}");
    assert!(shown >= 45, "{shown} of 48");
}

#[test]
fn decisions_are_those_of_the_margins() {
    let mut random = SplitMix(11);
    let world = World::of(vec![60.0, 0.0, -40.0, 4.0], 0.4);
    let pairs = one_by_one(&world, &mut random, 4, 16_000);
    let advice =
        |margins| judge(4, &pairs, &margins).methods.iter().map(|one| one.advice).collect::<Vec<_>>();
    let usual = advice(Margins::default());
    assert_eq!((usual[0], usual[2]), (Advice::Keep, Advice::Drop));
    assert!(matches!(usual[3], Advice::PlayOn(_)), "{usual:?}");
    let wide = advice(Margins { worth_at_least: 80.0, equal_within: 90.0 });
    assert!(wide.iter().all(|advice| *advice == Advice::Drop), "{wide:?}");
    // The games that are said to be needed decide, if the score stays what it is.
    let Advice::PlayOn(Some(games)) = advice(Margins { worth_at_least: 55.0, equal_within: 57.0 })[0] else {
        panic!("{:?}", judge(4, &pairs, &Margins { worth_at_least: 55.0, equal_within: 57.0 }))
    };
    assert!(games > 100);
}

#[test]
fn what_both_sides_lack_is_drawn_by_number() {
    let all = Lacking::first(12);
    let drawn: Vec<[Lacking; 2]> = (0..4_000).map(|pair| draw(7, pair, all)).collect();
    assert_eq!(drawn, (0..4_000).map(|pair| draw(7, pair, all)).collect::<Vec<_>>());
    assert_ne!(drawn[..50], (0..50).map(|pair| draw(8, pair, all)).collect::<Vec<_>>()[..]);
    let mut equal = 0;
    for [one, other] in &drawn {
        assert!(one.methods().all(|method| !other.contains(method)), "{one:?} {other:?}");
        assert!(!one.is_empty() || !other.is_empty());
        equal += usize::from(one.len() == other.len());
    }
    // Neither by rule, nor never.
    assert!((400..2_400).contains(&equal), "{equal}");
    let each = |method: usize| drawn.iter().filter(|pair| pair[0].contains(method)).count();
    let counts: Vec<usize> = (0..12).map(each).collect();
    assert!(
        counts.iter().all(|count| count * 10 > counts[0] * 7 && count * 7 < counts[0] * 10),
        "{counts:?}"
    );
    // What is decided is there on both sides.
    let left = lacking(&[2, 5]);
    let few: Vec<[Lacking; 2]> = (0..500).map(|pair| draw(7, pair, left)).collect();
    assert!(few.iter().flatten().all(|side| side.methods().all(|method| left.contains(method))));
    assert!(few.iter().any(|pair| pair[0].is_empty()) && few.iter().any(|pair| !pair[0].is_empty()));
    assert_eq!(draw(7, 0, Lacking::default()), [Lacking::default(); 2]);
}

/// A program against itself, looked at after every pair: at some time an interval of a fixed number of games excludes the truth
/// in far more than 5 of 100 experiments, one that holds at all times does not.
#[test]
fn looking_after_every_pair_is_allowed_only_with_intervals_that_hold_at_all_times() {
    let world = World::of(vec![0.0], 0.4);
    let mut wrong = [0; 2];
    for experiment in 0..200 {
        let mut random = SplitMix(experiment);
        let pairs: Vec<PairOfGames> = one_by_one(&world, &mut random, 1, 600);
        let mut counts = [0; 5];
        let mut excluded = [false; 2];
        for pair in pairs {
            counts[pair.half_points] += 1;
            let Some((fixed, located)) = of_match(counts) else { continue };
            for (excluded, within) in excluded.iter_mut().zip([fixed, located.at_all_times()]) {
                *excluded |= within.low > 0.0 || within.high < 0.0;
            }
        }
        for (wrong, excluded) in wrong.iter_mut().zip(excluded) {
            *wrong += usize::from(excluded);
        }
    }
    assert!(wrong[0] > 40 && wrong[1] <= 14, "{wrong:?}");
}
