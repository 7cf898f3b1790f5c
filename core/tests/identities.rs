//! Truths that hold exactly, for both games: what the host without methods is, and when a method must
//! change nothing.

mod common;

use common::*;
use secateur_core::game::Game;
use secateur_core::game::chess::Chess;
use secateur_core::game::othello::Othello;
use secateur_core::prune::{Baselines, METHODS, Params, Reach, Roster, roster};
use secateur_core::search::{Budget, Search, minimax};
use secateur_core::{Depth, Score};

const OTHELLO: &str = "---------------------------OX------XO--------------------------- X";
const CHESS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// Wild positions reach captures, promotions and castling sooner than the start position does.
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn none_is_minimax<G: Game>(game: &G, start: &str, count: usize, depth: i32, seed: u64) {
    let mut search = Search::new(game.clone(), &(), small_table());
    for pos in random_positions(game, start, count, seed) {
        let outcome = search.run(&pos, &Budget::Depth(depth));
        for iteration in &outcome.iterations {
            let expected = minimax(game, &pos, Depth(iteration.depth));
            assert_eq!(iteration.score, expected, "depth {} of {}", iteration.depth, game.format(&pos));
        }
    }
}

#[test]
fn none_is_minimax_in_othello() {
    let game = Othello::default();
    none_is_minimax(&game, OTHELLO, 900, 4, 1);
    none_is_minimax(&game, OTHELLO, 100, 5, 2);
}

#[test]
fn none_is_minimax_in_chess() {
    let game = Chess::default();
    none_is_minimax(&game, CHESS, 500, 2, 3);
    none_is_minimax(&game, KIWIPETE, 450, 2, 4);
    none_is_minimax(&game, CHESS, 50, 3, 5);
}

/// Asserts equal scores, lines and node counts, iteration by iteration.
fn same_tree<G: Game>(game: &G, a: &Roster, b: &Roster, pos: &G::Position, depth: i32, what: &str) {
    let left = search(game, a, pos, depth);
    let right = search(game, b, pos, depth);
    assert_eq!(left.iterations, right.iterations, "{what}: {}", game.format(pos));
    assert_eq!(left.tally.nodes, right.tally.nodes, "{what}: {}", game.format(pos));
}

/// Parameters with which each method can never prune.
fn neutral() -> Vec<(&'static str, &'static str, Params)> {
    let eager = eager();
    let change = |edit: fn(&mut Params)| {
        let mut params = eager.clone();
        edit(&mut params);
        params
    };
    vec![
        ("probcut", "t = infinity", change(|p| p.probcut.t = f64::INFINITY)),
        ("probcut", "root below the check height", change(|p| p.probcut.deep = 9)),
        ("mpc", "t = infinity", change(|p| p.mpc.t = f64::INFINITY)),
        ("mpc", "no pairs", change(|p| p.mpc.pairs.clear())),
        ("multi-cut", "M = 0", change(|p| p.multi_cut.moves = 0)),
        ("multi-cut", "C > M", change(|p| p.multi_cut.cuts = 5)),
        ("multi-cut", "least depth out of reach", change(|p| p.multi_cut.min_depth = 60)),
        ("null-move", "least depth out of reach", change(|p| p.null_move.min_depth = 60)),
        (
            "futility",
            "infinite margins",
            change(|p| {
                p.futility.frontier = Reach::Fixed(Score::INFINITE.0);
                p.futility.extended = Reach::Fixed(Score::INFINITE.0);
            }),
        ),
        ("razoring", "infinite margin", change(|p| p.razoring.margin = Reach::Fixed(Score::INFINITE.0))),
    ]
}

fn neutral_methods_change_nothing<G: Game>(game: &G, start: &str, depth: i32) {
    let none = roster_of::<G>("none", &eager());
    for pos in random_positions(game, start, 12, 7) {
        for (method, why, params) in neutral() {
            same_tree(game, &none, &roster_of::<G>(method, &params), &pos, depth, &format!("{method}, {why}"));
        }
    }
}

#[test]
fn neutral_methods_change_nothing_in_othello() {
    neutral_methods_change_nothing(&Othello::default(), OTHELLO, 6);
}

#[test]
fn neutral_methods_change_nothing_in_chess() {
    neutral_methods_change_nothing(&Chess::default(), KIWIPETE, 4);
}

/// The counterpart of the neutral tests: with eager parameters every method cuts, or they would be vacuous.
fn eager_methods_fire<G: Game>(game: &G, start: &str, depth: i32) {
    let positions = random_positions(game, start, 12, 7);
    for (index, method) in METHODS.iter().enumerate() {
        let methods = roster_of::<G>(method, &eager());
        let cuts: u64 = positions
            .iter()
            .map(|pos| search(game, &methods, pos, depth).tally.total(index))
            .map(|counter| counter.cuts_high + counter.cuts_low)
            .sum();
        assert!(cuts > 0, "{method} never cut");
    }
}

#[test]
fn eager_methods_fire_in_othello() {
    eager_methods_fire(&Othello::default(), OTHELLO, 6);
}

#[test]
fn eager_methods_fire_in_chess() {
    eager_methods_fire(&Chess::default(), KIWIPETE, 4);
}

fn off_is_absent<G: Game>(game: &G, start: &str, depth: i32) {
    let off = roster_of::<G>("none", &eager());
    for pos in random_positions(game, start, 20, 11) {
        let absent = Search::new(game.clone(), &(), small_table()).run(&pos, &Budget::Depth(depth));
        let switched = search(game, &off, &pos, depth);
        assert_eq!(absent.iterations, switched.iterations, "{}", game.format(&pos));
        assert_eq!(absent.tally.nodes, switched.tally.nodes);
    }
}

#[test]
fn switched_off_is_absent() {
    off_is_absent(&Othello::default(), OTHELLO, 6);
    off_is_absent(&Chess::default(), KIWIPETE, 3);
}

fn mirrored_is_the_same<G: Game>(game: &G, start: &str, depth: i32) {
    let all = METHODS.join("+");
    for pos in random_positions(game, start, 20, 13) {
        for methods in ["none", &all] {
            let methods = roster_of::<G>(methods, &eager());
            let left = search(game, &methods, &pos, depth);
            let right = search(game, &methods, &game.mirror(&pos), depth);
            let values = |o: &secateur_core::search::Outcome<G::Move>| {
                o.iterations.iter().map(|i| (i.score, i.nodes)).collect::<Vec<_>>()
            };
            assert_eq!(values(&left), values(&right), "{}", game.format(&pos));
        }
    }
}

#[test]
fn mirrored_colours_change_nothing() {
    mirrored_is_the_same(&Othello::default(), OTHELLO, 6);
    mirrored_is_the_same(&Chess::default(), KIWIPETE, 4);
}

/// t so large that no check ever succeeds costs nodes but changes no value.
#[test]
fn a_hopeless_threshold_costs_nodes_and_changes_no_value() {
    let game = Othello::default();
    let mut params = eager();
    params.probcut.t = 1e4;
    let none = roster_of::<Othello>("none", &params);
    // With sigma 0.1 disc the bounds stay within the range of scores, so the checks are really made.
    let baselines: Baselines = identity_baselines(Othello::STAGES.len(), 0.2);
    let probcut = roster(set("probcut"), &params, &baselines, Othello::STAGES.len()).unwrap();
    let mut more = 0;
    for pos in random_positions(&game, OTHELLO, 20, 17) {
        let plain = search(&game, &none, &pos, 6);
        let checked = search(&game, &probcut, &pos, 6);
        let scores = |o: &secateur_core::search::Outcome<_>| {
            o.iterations.iter().map(|i| (i.depth, i.score)).collect::<Vec<_>>()
        };
        assert_eq!(scores(&plain), scores(&checked), "{}", game.format(&pos));
        more += i32::from(checked.tally.nodes > plain.tally.nodes);
    }
    assert!(more > 0, "the checks were never made");
}

fn every_line_replays<G: Game>(game: &G, start: &str, depth: i32) {
    let methods = roster_of::<G>(&METHODS.join("+"), &eager());
    for pos in random_positions(game, start, 30, 19) {
        let outcome = search(game, &methods, &pos, depth);
        for iteration in &outcome.iterations {
            let mut at = pos.clone();
            for &mv in &iteration.pv {
                assert!(moves_of(game, &at).iter().any(|scored| scored.mv == mv), "{}", game.format(&pos));
                at = game.play(&at, mv);
            }
        }
    }
}

#[test]
fn every_principal_variation_replays_legally() {
    every_line_replays(&Othello::default(), OTHELLO, 6);
    every_line_replays(&Chess::default(), KIWIPETE, 4);
}

#[test]
fn runs_do_not_depend_on_earlier_runs() {
    let game = Chess::default();
    let methods = roster_of::<Chess>("null-move+mpc", &eager());
    let positions = random_positions(&game, KIWIPETE, 6, 23);
    let mut reused = Search::new(game.clone(), &methods, small_table());
    for pos in positions.iter().chain(positions.iter().rev()) {
        let again = reused.run(pos, &Budget::Depth(4));
        assert_eq!(again.iterations, search(&game, &methods, pos, 4).iterations);
    }
}

#[test]
fn a_node_budget_is_kept_and_repeats() {
    let game = Othello::default();
    let none = roster_of::<Othello>("none", &eager());
    for pos in random_positions(&game, OTHELLO, 10, 29) {
        let run = || Search::new(game.clone(), &none, small_table()).run(&pos, &Budget::Nodes(20_000));
        let (one, two) = (run(), run());
        assert_eq!(one.iterations, two.iterations);
        assert!(one.tally.nodes <= 20_000);
        assert_eq!(one.tally.nodes, two.tally.nodes);
    }
}
