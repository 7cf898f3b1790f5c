//! The identities of `common/identities.rs` for EinStein würfelt nicht!, and those that only a game with dice has.

use crate::common::identities::*;
use crate::common::{
    eager, identity_baselines, methods_of, moves_of, random_positions, search, set, small_table,
};
use secateur_core::prune::{Methods, equip};
use secateur_core::search::{Budget, Options, Star, minimax};
use secateur_core::{Depth, Evaluation, Game, Notation, Rules};
use secateur_games::einstein::{Einstein, START};

fn game() -> Einstein {
    Einstein::default()
}

#[test]
fn none_is_expectiminimax() {
    none_is_minimax_of(&game(), START, 60, 3, 1);
}

/// Both stars say the same of the root and of each of its moves, with a table and without.
#[test]
fn both_stars_are_expectiminimax() {
    let game = &game();
    let mut nodes = [0; 2];
    for pos in random_positions(game, START, 12, 3) {
        for (star, count) in [Star::One, Star::Two].into_iter().zip(&mut nodes) {
            for table_values in [true, false] {
                let options = Options { star, table_values, ..small_table() };
                let mut search = game.clone().searcher(Methods::NONE, options);
                let outcome = search.run(&pos, &Budget::Depth(3));
                assert_eq!(outcome.last().score, minimax(game, &pos, Depth(3)));
                *count += outcome.tally.nodes;
                for mv in moves_of(game, &pos).iter().map(|scored| scored.mv) {
                    let child = game.play(&pos, mv);
                    let expected = -minimax(game, &child, Depth(2));
                    assert_eq!(search.move_value(&pos, mv, Depth(3)).0, expected);
                }
            }
        }
    }
    assert!(nodes[0] != nodes[1], "the probes of Star2 do nothing");
}

#[test]
fn neutral_methods_change_nothing() {
    neutral_methods_change_nothing_in(&game(), START, 3, 6);
}

#[test]
fn eager_methods_fire() {
    // There is no check, no pawns, no exchange and no quiescence, and every stone that is taken is worth nothing by itself.
    let silent = [
        "capture-probcut",
        "check-extension",
        "correction-history",
        "see-pruning",
        "delta",
        "quiet-exchange",
        "quiet-count",
    ];
    eager_methods_fire_in(&game(), START, 5, &silent);
}

#[test]
fn a_silent_method_changes_no_tree() {
    a_silent_method_changes_nothing(&game(), START, 3, 6);
}

#[test]
fn mirrored_colours_change_nothing() {
    mirrored_is_the_same(&game(), START, 3);
}

#[test]
fn checks_that_cannot_succeed_change_no_value() {
    hopeless_checks_change_no_value(&game(), START, 4);
}

#[test]
fn every_principal_variation_replays() {
    every_line_replays(&game(), START, 3);
}

#[test]
fn runs_do_not_depend_on_earlier_runs() {
    runs_are_independent(&game(), START, 4);
}

#[test]
fn a_node_budget_is_kept_and_repeats() {
    node_budgets_repeat(&game(), START, 5_000);
}

#[test]
fn host_options_change_no_value_of_none() {
    host_options_change_no_value(&game(), START, 4);
}

/// A check before a throw that cannot succeed is made and changes no value; one that can cuts, and says so to the audit.
#[test]
fn checks_before_a_throw_cut_and_are_audited() {
    let mut params = eager();
    let stages = Einstein::STAGES.len();
    let none = methods_of::<Einstein>("none", &params);
    let eager_one = methods_of::<Einstein>("chance-probcut", &params);
    params.chance_probcut.t = 1.0;
    let far = identity_baselines(stages, f64::from(Einstein::DECISIVE.0) * 0.4);
    let hopeless = equip(&set("chance-probcut"), &params, &far, stages).unwrap();
    let (mut tries, mut saved, mut samples) = (0, 0, 0);
    for pos in random_positions(&game(), START, 12, 47) {
        let [plain, checked, cut] =
            [&none, &hopeless, &eager_one].map(|methods| search(&game(), methods, &pos, 4));
        let scores: Vec<_> = plain.iterations.iter().map(|iteration| iteration.score).collect();
        assert!(checked.iterations.iter().map(|iteration| iteration.score).eq(scores));
        tries += checked.tally.total("chance-probcut").tries;
        saved += i64::from(cut.tally.nodes < plain.tally.nodes);
        let mut audited = game().searcher(&eager_one, small_table());
        audited.audit_every(1);
        assert_eq!(
            audited.run(&pos, &Budget::Depth(4)).tally.nodes,
            cut.tally.nodes,
            "an audit costs nothing"
        );
        let mut judge = game().searcher(Methods::NONE, small_table());
        for sample in audited.take_samples().0 {
            assert!(game().awaits(&sample.pos), "{}", game().format(&sample.pos));
            let decided = judge.decide(&sample.claimed, &sample.pos);
            samples += usize::from(decided.distance.is_some_and(|distance| distance > 0.0));
        }
    }
    assert!(tries > 0 && saved > 6 && samples > 10, "{tries} tries, {saved} saved, {samples} decided");
}
