//! The identities of `common/identities.rs` for Othello.

use crate::common::identities::*;
use crate::common::{random_positions, small_table};
use secateur_core::prune::Methods;
use secateur_core::search::{Budget, Options, Ordering};
use secateur_core::{Game, Notation};
use secateur_games::othello::Othello;

const START: &str = "---------------------------OX------XO--------------------------- X";

#[test]
fn none_is_minimax() {
    let game = Othello::default();
    none_is_minimax_of(&game, START, 300, 4, 1);
    none_is_minimax_of(&game, START, 40, 5, 2);
}

#[test]
fn neutral_methods_change_nothing() {
    let game = Othello::default();
    neutral_methods_change_nothing_in(&game, START, 6, 6);
}

#[test]
fn eager_methods_fire() {
    let game = Othello::default();
    // There is nothing to capture, no check, no pawns, no quiescence and no die.
    let silent = [
        "capture-probcut",
        "check-extension",
        "correction-history",
        "see-pruning",
        "delta",
        "quiet-exchange",
        "quiet-count",
        "chance-probcut",
    ];
    eager_methods_fire_in(&game, START, 6, &silent);
}

#[test]
fn a_silent_method_changes_no_tree() {
    let game = Othello::default();
    a_silent_method_changes_nothing(&game, START, 6, 6);
}

#[test]
fn mirrored_colours_change_nothing() {
    let game = Othello::default();
    mirrored_is_the_same(&game, START, 6);
}

#[test]
fn checks_that_cannot_succeed_change_no_value() {
    let game = Othello::default();
    hopeless_checks_change_no_value(&game, START, 6);
}

#[test]
fn every_principal_variation_replays() {
    let game = Othello::default();
    every_line_replays(&game, START, 6);
}

#[test]
fn runs_do_not_depend_on_earlier_runs() {
    let game = Othello::default();
    runs_are_independent(&game, START, 6);
}

#[test]
fn a_node_budget_is_kept_and_repeats() {
    let game = Othello::default();
    node_budgets_repeat(&game, START, 20_000);
}

#[test]
fn host_options_change_no_value_of_none() {
    let game = Othello::default();
    host_options_change_no_value(&game, START, 7);
}

#[test]
fn variants_of_checks_keep_to_their_rules() {
    variants_of_checks_keep_to_their_rules_in(&Othello::default(), START, 6);
}

/// Looking ahead to order moves saves nodes and changes no value.
#[test]
fn ordering_changes_no_value() {
    let game = Othello::default();
    let mut nodes = [0; 2];
    for pos in random_positions(&game, START, 12, 43) {
        let scores = [Ordering::Looking, Ordering::Static].map(|ordering| {
            let options = Options { ordering, ..small_table() };
            game.clone().searcher(Methods::NONE, options).run(&pos, &Budget::Depth(7))
        });
        assert_eq!(scores[0].last().score, scores[1].last().score, "{}", game.format(&pos));
        nodes.iter_mut().zip(&scores).for_each(|(sum, outcome)| *sum += outcome.tally.nodes);
    }
    assert!(nodes[1] > nodes[0], "{nodes:?}");
}
