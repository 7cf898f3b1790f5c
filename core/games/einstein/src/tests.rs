//! The rules against counts found in another way, and exact values against searches to the end of the game.

use super::*;
use secateur_core::Depth;
use secateur_core::search::{Budget, Star, minimax};

fn game() -> Einstein {
    Einstein::default()
}

/// Leaves after so many moves, every number of the die counted by itself.
fn perft(pos: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut outcomes = Outcomes::<Einstein>::new();
    game().outcomes(pos, &mut outcomes);
    let leaves = |pos: &Position| pos.steps().map(|step| perft(&pos.play(step), depth - 1)).sum::<u64>();
    outcomes.iter().map(|outcome| u64::from(outcome.weight) * leaves(&outcome.pos)).sum()
}

/// The counts were found twice: here, and by a program of thirty lines that keeps a board of characters and walks through all
/// six numbers of every throw.
#[test]
fn perft_is_as_counted_elsewhere() {
    let start = game().parse(START).unwrap();
    for (depth, leaves) in (1..).zip([18, 324, 6_162, 117_369]) {
        assert_eq!(perft(&start, depth), leaves, "depth {depth}");
        assert_eq!(perft(&start.mirrored(), depth), leaves, "mirrored, depth {depth}");
        assert_eq!(perft(&start.reflected(), depth), leaves, "reflected, depth {depth}");
    }
}

/// The lot sets up every stone in its corner, in every order that there is, and the usual start is one of them.
#[test]
fn layouts_are_starts_of_games() {
    let start = game().parse(START).unwrap();
    let (mut state, mut seen) = (1_u64, std::collections::BTreeSet::new());
    let mut below = |n: u32| {
        state = folded(state ^ 0x9E37_79B9_7F4A_7C15, 0xA076_1D64_78BD_642F);
        ((state >> 32) % u64::from(n)) as u32
    };
    for _ in 0..20_000 {
        let pos = game().parse(&game().layout(&mut below).unwrap()).unwrap();
        assert!(game().awaits(&pos) && pos.side() == 0);
        for side in 0..2 {
            let sorted = |pos: &Position| {
                let mut squares = pos.squares[side];
                squares.sort_unstable();
                squares
            };
            assert_eq!(sorted(&pos), sorted(&start));
            seen.insert((side, pos.squares[side]));
        }
    }
    assert_eq!(seen.len(), 2 * 720, "every order of six stones, on either side");
}

#[test]
fn what_was_thrown_is_told_as_the_least_that_does_the_same() {
    let pos = game().parse("...../...../...../25.../....A b -").unwrap();
    let told = |die: u8| game().dice(&pos.with_die(die));
    assert_eq!([0, 2, 4, 6].map(told), [None, Some("1".into()), Some("3".into()), Some("5".into())]);
}

#[test]
fn weights_of_a_throw_are_those_of_the_die() {
    // Stones 2 and 5 are left: 1 and 2 move stone 2, 3 and 4 either, 5 and 6 stone 5.
    let pos = game().parse("...../...../...../25.../....A b -").unwrap();
    assert_eq!(pos.throws().collect::<Vec<_>>(), [(1, 2), (3, 2), (5, 2)]);
    let steps = |die: u8| pos.with_die(die).steps().map(|step| text::format_move(&step)).collect::<Vec<_>>();
    assert_eq!(steps(2), ["a2b2", "a2a3", "a2b3"]);
    assert_eq!(steps(4).len(), 6);
    assert_eq!(game().key(&pos.with_die(3)), game().key(&pos.with_die(4)));
    assert_ne!(game().key(&pos.with_die(2)), game().key(&pos.with_die(3)));
    assert_eq!(game().canonical(&pos.with_die(4)), game().canonical(&pos.with_die(3).mirrored()));
}

#[test]
fn games_end_in_the_corner_or_without_stones() {
    let after = |text: &str, mv: &str| {
        let pos = game().parse(text).unwrap();
        let next = pos.play(game().parse_move(&pos, mv).unwrap());
        assert!(!game().awaits(&next) && next.steps().next().is_none());
        game().ending(&next, 1).unwrap()
    };
    let corner = after("...../...1./...../.A.../..... b 3", "d4e5");
    assert_eq!(corner, Ending { winner: Some(0), why: "corner" });
    let stones = after("...../...A./..1../...../..... r 3", "d4c3");
    assert_eq!(stones, Ending { winner: Some(1), why: "stones" });
}

/// Exact values are those of searches to the end of the game, by either star and by plain expectiminimax.
#[test]
fn exact_values_are_those_of_whole_searches() {
    let mut solved = 0;
    for text in [
        "...../...../..1../.A.../..... b 3",
        "...../..1../.2B../.A.../..... r -",
        "...A./..1../...2./.B.../..... b 6",
        "..1../...3./..B../.A.../..... r 1",
    ] {
        let pos = game().parse(text).unwrap();
        let exact = game().solved(&pos).unwrap();
        let depth = pos.most_moves();
        for star in [Star::One, Star::Two] {
            let options = Options { table_mib: 1, star, ..Options::default() };
            let outcome = game().searcher(Methods::NONE, options).run(&pos, &Budget::Depth(depth));
            assert_eq!(outcome.last().score, exact, "{text}");
        }
        if depth <= 9 {
            assert_eq!(minimax(&game(), &pos, Depth(depth)), exact, "{text}");
            solved += 1;
        }
        assert_eq!(game().solved(&pos.mirrored()), Some(exact));
        assert_eq!(game().solved(&pos.reflected()), Some(exact));
    }
    assert!(solved > 0, "nothing was searched plainly");
    assert_eq!(game().solved(&game().parse(START).unwrap()), None);
}
