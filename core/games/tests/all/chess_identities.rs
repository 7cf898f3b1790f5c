//! The identities of `common/identities.rs` for chess, and its move generation against the well-known node counts (Chess
//! Programming Wiki, "Perft Results").

use crate::common::identities::*;
use crate::common::small_table;
use secateur_core::search::Options;
use secateur_core::{Moves, Notation, Rules};
use secateur_games::chess::{Chess, Position, START};

/// Reaches captures, promotions and castling sooner than the start position does.
const WILD: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn none_is_minimax() {
    let game = Chess::default();
    none_is_minimax_of(&game, START, 24, 2, 3);
    none_is_minimax_of(&game, WILD, 4, 2, 4);
    none_is_minimax_of(&game, WILD, 40, 1, 6);
    none_is_minimax_of(&game, START, 1, 3, 5);
}

/// The usual host: its values are those of minimax over the tree that it extends.
#[test]
fn none_is_minimax_of_the_extended_tree() {
    let game = Chess::default();
    let usual = Options { check_extension: true, aspiration: 25, table_min_depth: 1, ..small_table() };
    let changed = none_is_its_minimax(&game, WILD, 8, 2, 7, &usual);
    assert!(changed > 0, "no check is extended: {changed}");
}

#[test]
fn neutral_methods_change_nothing() {
    let game = Chess::default();
    neutral_methods_change_nothing_in(&game, WILD, 4, 4);
}

#[test]
fn eager_methods_fire() {
    let game = Chess::default();
    eager_methods_fire_in(&game, WILD, 5, &["chance-probcut"]);
}

#[test]
fn a_silent_method_changes_no_tree() {
    let game = Chess::default();
    a_silent_method_changes_nothing(&game, WILD, 4, 3);
}

#[test]
fn mirrored_colours_change_nothing() {
    let game = Chess::default();
    mirrored_is_the_same(&game, WILD, 4);
}

#[test]
fn checks_that_cannot_succeed_change_no_value() {
    let game = Chess::default();
    hopeless_checks_change_no_value(&game, WILD, 4);
}

#[test]
fn every_principal_variation_replays() {
    let game = Chess::default();
    every_line_replays(&game, WILD, 4);
}

#[test]
fn runs_do_not_depend_on_earlier_runs() {
    let game = Chess::default();
    runs_are_independent(&game, WILD, 4);
}

#[test]
fn a_node_budget_is_kept_and_repeats() {
    let game = Chess::default();
    node_budgets_repeat(&game, WILD, 20_000);
}

#[test]
fn host_options_change_no_value_of_none() {
    let game = Chess::default();
    host_options_change_no_value(&game, WILD, 4);
}

#[test]
fn variants_of_checks_keep_to_their_rules() {
    let game = Chess::default();
    variants_of_checks_keep_to_their_rules_in(&game, WILD, 5);
}

fn perft(game: &Chess, pos: &Position, depth: usize) -> u64 {
    let mut moves = Moves::<Chess>::new();
    game.moves(pos, &mut moves);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.iter().map(|entry| perft(game, &game.play(pos, entry.mv), depth - 1)).sum()
}

fn check(fen: &str, counts: &[u64]) {
    let game = Chess::default();
    let pos = game.parse(fen).expect("a legal position");
    for (depth, &count) in (1..).zip(counts) {
        assert_eq!(perft(&game, &pos, depth), count, "{fen} depth {depth}");
        assert_eq!(perft(&game, &game.mirror(&pos), depth), count, "mirrored {fen} depth {depth}");
    }
}

#[test]
fn start_position() {
    check(START, &[20, 400, 8_902, 197_281, 4_865_609]);
}

#[test]
fn position_2_kiwipete() {
    check(
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2_039, 97_862, 4_085_603],
    );
}

#[test]
fn position_3() {
    check("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238, 674_624]);
}

#[test]
fn position_4() {
    check("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", &[6, 264, 9_467, 422_333]);
}

#[test]
fn position_5() {
    check("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &[44, 1_486, 62_379, 2_103_487]);
}

#[test]
fn position_6() {
    check(
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[46, 2_079, 89_890, 3_894_594],
    );
}
