//! The identities of `common/identities.rs` for shogi.

use crate::common::identities::*;
use secateur_games::shogi::Shogi;

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
/// Pieces in both hands, promotions and an attack on either king.
const WILD: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";
/// Few pieces, so that few can be dropped and searches of five plies are small.
const SPARSE: &str = "2g1k4/1r7/p1pp1ppp1/9/9/9/1PPP1PP1P/7R1/4K1G2 b - 1";
/// The most moves that a position can have, more than twice as many as of any other game.
const MOST: &str = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";

#[test]
fn none_is_minimax() {
    let game = Shogi::default();
    none_is_minimax_of(&game, START, 24, 2, 1);
    none_is_minimax_of(&game, WILD, 16, 1, 2);
    none_is_minimax_of(&game, WILD, 1, 2, 3);
    none_is_minimax_of(&game, MOST, 2, 1, 4);
}

#[test]
fn neutral_methods_change_nothing() {
    neutral_methods_change_nothing_in(&Shogi::default(), WILD, 3, 3);
}

#[test]
fn eager_methods_fire() {
    eager_methods_fire_in(&Shogi::default(), WILD, 5, &["chance-probcut"]);
}

#[test]
fn a_silent_method_changes_no_tree() {
    a_silent_method_changes_nothing(&Shogi::default(), WILD, 3, 2);
}

#[test]
fn mirrored_colours_change_nothing() {
    mirrored_is_the_same(&Shogi::default(), WILD, 3);
}

#[test]
fn checks_that_cannot_succeed_change_no_value() {
    hopeless_checks_change_no_value(&Shogi::default(), SPARSE, 4);
}

#[test]
fn every_principal_variation_replays() {
    every_line_replays(&Shogi::default(), WILD, 3);
}

#[test]
fn runs_do_not_depend_on_earlier_runs() {
    runs_are_independent(&Shogi::default(), WILD, 3);
}

#[test]
fn a_node_budget_is_kept_and_repeats() {
    node_budgets_repeat(&Shogi::default(), SPARSE, 20_000);
}

#[test]
fn host_options_change_no_value_of_none() {
    host_options_change_no_value(&Shogi::default(), START, 5);
}

#[test]
fn variants_of_checks_keep_to_their_rules() {
    variants_of_checks_keep_to_their_rules_in(&Shogi::default(), SPARSE, 5);
}
