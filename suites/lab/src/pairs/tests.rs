//! Pairs are drawn as far below the positions as was asked, from nothing that a fit has seen.

use super::*;
use secateur_core::prune::MethodSet;
use secateur_core::{Evaluation, Moves, Notation, Rules};
use secateur_games::othello::{Othello, Position};
use secateur_positions::{Entry, Provenance};
use secateur_suites::setups::setup::SetupFileError;

/// Positions with 16 discs or, where somebody had to pass, a few less.
fn positions(game: &Othello, count: usize) -> Vec<Position> {
    (0..count)
        .map(|line| {
            (0..12).fold(game.start(), |pos, ply| {
                let mut moves = Moves::<Othello>::new();
                game.moves(&pos, &mut moves);
                let index = (line / (1 + ply) + 3 * line + ply) % moves.len().max(1);
                moves.get(index).map_or(pos, |scored| game.play(&pos, scored.mv))
            })
        })
        .collect()
}

fn set(game: &Othello, count: usize) -> Set {
    let entry = |(index, position): (usize, &Position)| Entry {
        id: format!("t#{index}"),
        position: game.format(position),
        cluster: format!("game/{}", index / 2),
        stage: game.label(position),
        operations: Vec::new(),
        line: index + 1,
    };
    let entries = positions(game, count).iter().enumerate().map(entry).collect();
    Set::new("tiny", Othello::NAME, entries, Provenance::default())
}

fn tiny() -> PairsSettings {
    PairsSettings {
        positions: "tiny".to_owned(),
        play_on: 0,
        plies: 3,
        methods: "none".to_owned(),
        range: None,
        shallow: 1,
        deep: 3,
        count: 40,
        seed: 7,
        threads: 1,
        command: "the command".to_owned(),
        date: "2000-01-01".to_owned(),
    }
}

fn drawn(settings: &PairsSettings) -> (Origin, Vec<PairRow>) {
    let game = Othello::default();
    let setup = Setup::embedded("othello").expect("embedded");
    pairs(&game, &setup, &set(&game, 12), settings, &mut |_, _| {}).expect("pairs")
}

#[test]
fn all_nodes_are_as_far_below_as_was_asked() {
    let game = Othello::default();
    let set = set(&game, 12);
    for (play_on, plies) in [(0, 1), (0, 4), (1, 2), (3, 1)] {
        let (origin, rows) = drawn(&PairsSettings { play_on, plies, ..tiny() });
        assert_eq!(origin.pairs, rows.len());
        assert!(rows.len() >= 20, "{origin:?}");
        for row in &rows {
            let entry = set.entries.iter().find(|entry| entry.id == row.source).expect("a source");
            assert_eq!(row.cluster, entry.cluster);
            let discs = |stage: &str| stage.parse::<u32>().expect("a disc count");
            assert_eq!(discs(&row.stage), discs(&entry.stage) + play_on + plies);
        }
    }
}

/// Zero plies below a position is the position itself: each counts once, its values are those of the search asked for, and a
/// range leaves out what lies beyond it and nothing else.
#[test]
fn no_plies_below_are_the_positions_themselves() {
    let game = Othello::default();
    let setup = Setup::embedded("othello").expect("embedded");
    let set = set(&game, 12);
    let settings = PairsSettings { plies: 0, methods: "null-move".to_owned(), ..tiny() };
    let (origin, all) = drawn(&settings);
    assert_eq!(all.len() + origin.repeated + origin.decisive + origin.ended, 12);
    let methods = setup.equip(&Arm::parse("null-move").expect("an arm")).expect("methods");
    for row in &all {
        let entry = set.entries.iter().find(|entry| entry.id == row.source).expect("a source");
        let pos = game.parse(&entry.position).expect("a position");
        let mut search = game.clone().searcher(&methods, setup.options.clone());
        let iterations = search.run(&pos, &Budget::Depth(3)).iterations;
        assert_eq!((iterations[0].score.0, iterations[2].score.0), (row.shallow, row.deep));
    }
    let mut sizes: Vec<i32> = all.iter().map(|row| row.shallow.abs()).collect();
    sizes.sort_unstable();
    let range = sizes[sizes.len() / 2];
    let (origin, near) = drawn(&PairsSettings { range: Some(range), ..settings });
    assert!(origin.out_of_range > 0, "{sizes:?}");
    assert_eq!(near, all.into_iter().filter(|row| row.shallow.abs() <= range).collect::<Vec<_>>());
}

#[test]
fn threads_change_nothing_and_the_seed_does() {
    let one = drawn(&tiny());
    assert_eq!(drawn(&PairsSettings { threads: 2, ..tiny() }), one);
    assert_ne!(drawn(&PairsSettings { seed: 8, ..tiny() }).1, one.1);
    // More of the same: the pairs begin alike.
    let more = drawn(&PairsSettings { count: 45, ..tiny() }).1;
    assert_eq!(more[..one.1.len().min(more.len())], one.1[..one.1.len().min(more.len())]);
}

#[test]
fn values_are_those_of_full_width_searches() {
    let game = Othello::default();
    let setup = Setup::embedded("othello").expect("embedded");
    let (positions, settings) = (positions(&game, 12), tiny());
    let plain = setup.methods(&MethodSet::NONE).expect("none");
    let job = Job {
        positions: &positions,
        draws: 45,
        walk: 3..=3,
        seed: settings.seed,
        threads: 1,
        baselines: &[(plain, 3)],
        deeper: None,
        options: &setup.options,
        unthrown: false,
    };
    let nodes = collect(&game, &job, &mut |_, _| {});
    let (_, rows) = drawn(&settings);
    let value = |position: &str, depth| {
        let pos = game.parse(position).expect("a position");
        let mut search = game.clone().searcher(Methods::NONE, secateur_core::search::Options::default());
        search.run(&pos, &Budget::Depth(depth)).last().score.0
    };
    for row in &rows {
        let belongs = nodes.iter().any(|node| {
            (node.values[0][1], node.values[0][3]) == (row.shallow, row.deep)
                && (value(&node.position, 1), value(&node.position, 3)) == (row.shallow, row.deep)
        });
        assert!(belongs, "{row:?} belongs to no node");
    }
}

#[test]
fn good_moves_play_a_position_on() {
    let game = Othello::default();
    let setup = Setup::embedded("othello").expect("embedded");
    for from in positions(&game, 6) {
        assert_eq!(played_on(&game, from, 0, &setup), from);
        let one = played_on(&game, from, 1, &setup);
        let search = |pos: &Position, depth| {
            let mut search = game.clone().searcher(Methods::NONE, setup.options.clone());
            search.run(pos, &Budget::Depth(depth)).last().score
        };
        // What it reaches is worth, seen from the other side, what the position was.
        assert_eq!(search(&one, PLAYER_DEPTH - 1).0, -search(&from, PLAYER_DEPTH).0);
        assert_eq!(played_on(&game, one, 2, &setup), played_on(&game, from, 3, &setup));
    }
}

#[test]
fn no_position_counts_twice() {
    let game = Othello::default();
    let setup = Setup::embedded("othello").expect("embedded");
    // One ply below one position there are at most as many nodes as moves.
    let settings = PairsSettings { plies: 1, count: 200, ..tiny() };
    let set = set(&game, 1);
    let mut moves = Moves::<Othello>::new();
    game.moves(&game.parse(&set.entries[0].position).expect("a position"), &mut moves);
    match pairs(&game, &setup, &set, &settings, &mut |_, _| {}) {
        Ok((origin, rows)) => {
            assert!(rows.len() <= moves.len());
            assert!(origin.repeated > 100, "{origin:?}");
        }
        Err(error) => assert!(matches!(error, FitError::TooFew { count, .. } if count <= moves.len())),
    }
}

#[test]
fn what_was_fitted_on_is_refused() {
    let game = Othello::default();
    let set = set(&game, 12);
    let setup = Setup::embedded("othello").expect("embedded");
    let setup = Setup { fitted_on: Some(set.hash.clone()), ..setup };
    let result = pairs(&game, &setup, &set, &tiny(), &mut |_, _| {});
    assert!(matches!(result, Err(FitError::Setup(SetupFileError::FittedOn { .. }))));
}

#[test]
fn bad_settings_are_refused() {
    let game = Othello::default();
    let setup = Setup::embedded("othello").expect("embedded");
    for settings in [
        PairsSettings { play_on: 21, ..tiny() },
        PairsSettings { range: Some(0), ..tiny() },
        PairsSettings { methods: "nosuch".to_owned(), ..tiny() },
        PairsSettings { plies: 21, ..tiny() },
        PairsSettings { shallow: -1, ..tiny() },
        PairsSettings { shallow: 3, ..tiny() },
        PairsSettings { deep: 65, ..tiny() },
        PairsSettings { count: 2, ..tiny() },
    ] {
        let result = pairs(&game, &setup, &set(&game, 12), &settings, &mut |_, _| {});
        assert!(matches!(result, Err(FitError::Setting { .. })), "{settings:?}");
    }
    assert!(matches!(run("go", &tiny(), Path::new("x"), &mut |_, _| {}), Err(FitError::Game(_))));
}
