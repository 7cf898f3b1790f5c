//! The identities of `common/identities.rs` for English draughts.

use crate::common::identities::*;
use secateur_games::draughts::Draughts;

const START: &str = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
/// Reaches captures of several pieces and kings sooner than the start position does.
const WILD: &str = "B:W13,18,20,22,K5,26,27:B2,K28,7,10,11,12,15";

#[test]
fn none_is_minimax() {
    let game = Draughts::default();
    none_is_minimax_of(&game, START, 200, 4, 1);
    none_is_minimax_of(&game, WILD, 300, 4, 2);
    none_is_minimax_of(&game, WILD, 40, 6, 3);
}

#[test]
fn neutral_methods_change_nothing() {
    neutral_methods_change_nothing_in(&Draughts::default(), START, 6, 6);
}

#[test]
fn eager_methods_fire() {
    // There is no check, no exchange of pieces on a square, no die, and nothing below the horizon may be left out.
    let silent = [
        "capture-probcut",
        "check-extension",
        "see-pruning",
        "delta",
        "quiet-exchange",
        "quiet-count",
        "chance-probcut",
    ];
    eager_methods_fire_in(&Draughts::default(), START, 7, &silent);
}

#[test]
fn a_silent_method_changes_no_tree() {
    a_silent_method_changes_nothing(&Draughts::default(), START, 6, 6);
}

#[test]
fn mirrored_colours_change_nothing() {
    mirrored_is_the_same(&Draughts::default(), WILD, 6);
}

#[test]
fn checks_that_cannot_succeed_change_no_value() {
    hopeless_checks_change_no_value(&Draughts::default(), START, 6);
}

#[test]
fn every_principal_variation_replays() {
    every_line_replays(&Draughts::default(), WILD, 6);
}

#[test]
fn runs_do_not_depend_on_earlier_runs() {
    runs_are_independent(&Draughts::default(), START, 6);
}

#[test]
fn a_node_budget_is_kept_and_repeats() {
    node_budgets_repeat(&Draughts::default(), START, 20_000);
}

#[test]
fn host_options_change_no_value_of_none() {
    host_options_change_no_value(&Draughts::default(), START, 8);
}

#[test]
fn variants_of_checks_keep_to_their_rules() {
    variants_of_checks_keep_to_their_rules_in(&Draughts::default(), START, 7);
}
