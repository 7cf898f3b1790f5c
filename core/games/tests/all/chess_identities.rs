//! The identities of `common/identities.rs` for chess.

use crate::common::identities::*;
use crate::common::small_table;
use secateur_core::search::Options;
use secateur_games::chess::{Chess, START};

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
