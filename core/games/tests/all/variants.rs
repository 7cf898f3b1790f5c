//! The published forms of the methods and their guards: each switch does something, and nothing but what it says.

use crate::common::*;
use secateur_core::prune::{
    Adaptive, Behind, Linear, METHODS, MethodSet, Methods, NodeForm, Nodes, Params, Reach, Surplus, Trigger,
    Truncation, Worth,
};
use secateur_core::search::{Budget, Claim, Sample, Search, minimax};
use secateur_core::{Depth, Game, Moves, Notation, Rules};
use secateur_games::chess::Chess;
use secateur_games::othello::Othello;

const WILD: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const START: &str = "---------------------------OX------XO--------------------------- X";

fn with(edit: fn(&mut Params)) -> Params {
    let mut params = eager();
    edit(&mut params);
    params
}

/// Nodes of all searches of some positions, and tries and cuts of one method in them.
fn totals<G: Game>(game: &G, start: &str, methods: &str, params: &Params, depth: i32) -> (u64, u64, u64) {
    let set = methods_of::<G>(methods, params);
    let last = methods.rsplit('+').next().expect("a method");
    let mut sum = (0, 0, 0);
    for pos in random_positions(game, start, 12, 53) {
        let tally = search(game, &set, &pos, depth).tally;
        let counter = tally.total(last);
        sum.0 += tally.nodes;
        sum.1 += counter.tries;
        sum.2 += counter.cuts_high + counter.cuts_low;
    }
    sum
}

/// A change of parameters, with the game and the method set that it must make a difference to.
type Case = (&'static str, &'static str, fn(&mut Params));

/// Futility at the node, each form against the one with both guards and the word of quiescence.
#[test]
fn each_part_of_futility_at_the_node_changes_some_tree() {
    let nodes = |edit: fn(&mut NodeForm)| {
        let mut params = eager();
        (params.futility.frontier, params.futility.extended) = (Reach::Fixed(32_000), Reach::Fixed(32_000));
        params.futility.reverse_depth = 0;
        params.futility.node = NodeForm { margins: vec![50, 100], ..NodeForm::default() };
        edit(&mut params.futility.node);
        let (nodes, tries, cuts) = totals(&Chess::default(), WILD, "futility", &params, 4);
        assert!(tries > cuts && cuts > 0, "{tries} tries, {cuts} cuts");
        nodes
    };
    let whole = nodes(|_| ());
    type Part = (&'static str, fn(&mut NodeForm));
    let parts: [Part; 4] = [
        ("depth 1 alone", |form| form.margins.truncate(1)),
        ("after captures", |form| form.after_captures = true),
        ("with checks", |form| form.with_checks = true),
        ("worth its evaluation", |form| form.worth = Worth::Evaluation),
    ];
    for (what, edit) in parts {
        assert_ne!(nodes(edit), whole, "{what}");
    }
}

#[test]
fn every_switch_changes_some_tree() {
    let chess: &[Case] = &[
        ("null-move", "verified", |p| p.null_move.verify = true),
        ("null-move", "no zugzwang guard", |p| p.null_move.zugzwang_guard = false),
        ("null-move", "no twice guard", |p| p.null_move.twice_guard = false),
        ("null-move", "no pv guard", |p| p.null_move.guards.pv = false),
        ("null-move", "not stored", |p| p.null_move.guards.store = false),
        ("mpc+null-move", "last", |p| p.null_move.guards.last = true),
        ("probcut", "no pv guard", |p| p.probcut.guards.pv = false),
        ("probcut", "no check guard", |p| p.probcut.guards.check = false),
        ("mpc", "not stored", |p| p.mpc.guards.store = false),
        ("multi-cut", "cut and all", |p| p.multi_cut.nodes = Nodes::CutAndAll),
        ("multi-cut", "table", |p| p.multi_cut.trigger = Trigger::Table),
        ("multi-cut", "no pv guard", |p| p.multi_cut.guards.pv = false),
        ("multi-cut", "no check guard", |p| p.multi_cut.guards.check = false),
        ("futility", "no pv guard", |p| p.futility.guards.pv = false),
        ("futility", "no check guard", |p| p.futility.guards.check = false),
        ("futility", "node", |p| p.futility.node.margins = vec![50, 100]),
        ("razoring", "no check guard", |p| p.razoring.guards.check = false),
        ("razoring", "quiescence", |p| p.razoring.quiescence = vec![50, 50]),
        ("capture-probcut", "stored", |p| p.capture_probcut.guards.store = true),
        ("capture-probcut", "growing", |p| p.capture_probcut.growth = 30),
        ("capture-probcut", "surplus", |p| {
            p.capture_probcut.surplus = Surplus { step: 30, offset: 0, most: 3, raise: 30 };
        }),
        ("chinook", "no check guard", |p| p.chinook.guards.check = false),
        ("chinook", "by the evaluation", |p| p.chinook.behind = Behind::Evaluation),
        ("chinook", "a ply less", |p| p.chinook.reduction = 1),
        ("chinook", "nested", |p| (p.chinook.reduction, p.chinook.nesting) = (1, true)),
        ("razoring", "truncation", |p| p.razoring.truncation.margin = 50),
        ("razoring", "more truncation", |p| p.razoring.truncation = Truncation { margin: 50, half_plies: 6 }),
        ("probcut", "linear", |p| p.probcut.linear = Linear { from: 3, ..Linear::default() }),
    ];
    let game = Chess::default();
    // The endgame has pawns only, so that the zugzwang guard is asked.
    let start =
        |what: &str| if what.contains("zugzwang") { "8/2p5/3p4/KP5k/5p2/8/4P1P1/8 w - - 0 1" } else { WILD };
    for (methods, what, edit) in chess {
        // What the table has of a cut is asked for by transpositions, which come later.
        let depth = if what.contains("stored") { 6 } else { 5 };
        changes_a_tree_and_cuts(&game, start(what), (methods, what), &with(*edit), depth);
    }
    let othello: &[Case] = &[
        ("null-move", "verified", |p| p.null_move.verify = true),
        ("mpc", "no pv guard", |p| p.mpc.guards.pv = false),
        ("mpc", "more asked against the type", |p| p.mpc.against = 2.0),
        ("mpc", "more asked at first", |p| p.mpc.by_stage = vec![2.0; 4]),
        ("mpc", "less asked high up", |p| (p.mpc.t, p.mpc.per_ply) = (2.0, 0.5)),
        ("multi-cut", "cut and all", |p| p.multi_cut.nodes = Nodes::CutAndAll),
        ("multi-cut", "nested", |p| p.multi_cut.nesting = true),
        ("razoring", "quiescence", |p| p.razoring.quiescence = vec![50, 50]),
    ];
    let game = Othello::default();
    for (methods, what, edit) in othello {
        // A probe that holds a cut node high enough for another is three plies further on.
        let depth = if *what == "nested" { 8 } else { 6 };
        changes_a_tree_and_cuts(&game, START, (methods, what), &with(*edit), depth);
    }
}

/// With these parameters in place of the eager ones, the tree of some position is another, and the last method cuts in one. No more
/// positions are searched than that takes.
fn changes_a_tree_and_cuts<G: Game>(
    game: &G,
    start: &str,
    (methods, what): (&str, &str),
    params: &Params,
    depth: i32,
) {
    let [before, after] = [&eager(), params].map(|params| methods_of::<G>(methods, params));
    let last = methods.rsplit('+').next().expect("a method");
    let (mut changes, mut cuts) = (false, false);
    for pos in random_positions(game, start, 12, 53) {
        let [before, after] = [&before, &after].map(|set| search(game, set, &pos, depth).tally);
        let counter = after.total(last);
        changes |= before.nodes != after.nodes;
        cuts |= counter.cuts_high + counter.cuts_low > 0;
        if changes && cuts {
            return;
        }
    }
    assert!(changes, "{methods}: {what} changes nothing in {}", G::NAME);
    assert!(cuts, "{methods}: {what} never cuts in {}", G::NAME);
}

#[test]
fn the_solved_guard_matters_at_the_end_only() {
    let game = Othello::default();
    let off = with(|p| p.mpc.guards.solved = false);
    let methods = |params: &Params| methods_of::<Othello>("mpc", params);
    let nodes = |params: &Params, text: &str| {
        search(&game, &methods(params), &game.parse(text).expect("a position"), 6).tally.nodes
    };
    assert_eq!(nodes(&eager(), START), nodes(&off, START));
    let end = "XXXXXXXOXXXXXXOOXXXXXOXOXXXXOXXOXXXOXXXOXXOXXXXO--OOOOOO----OOOO X";
    assert_ne!(nodes(&eager(), end), nodes(&off, end));
}

/// A check can hold a check only if it is deep enough for one.
#[test]
fn checks_nest_once_where_they_can() {
    let shallow = with(|p| p.mpc.nesting = 1);
    let deep = with(|p| p.mpc.pairs = vec![(1, 3), (3, 5)]);
    let nested = with(|p| {
        p.mpc.pairs = vec![(1, 3), (3, 5)];
        p.mpc.nesting = 1;
    });
    let game = Othello::default();
    let counts = |params: &Params| totals(&game, START, "mpc", params, 6);
    assert_eq!(counts(&eager()), counts(&shallow), "(1, 3) and (2, 4) leave no room");
    assert_ne!(counts(&deep).0, counts(&nested).0);
    assert!(counts(&nested).1 > counts(&deep).1, "checks within checks are tries too");
}

/// A verified cut is one that a plain null move would have made too, and it costs more.
#[test]
fn verification_cuts_less_and_costs_more() {
    let game = Chess::default();
    let plain = totals(&game, WILD, "null-move", &eager(), 5);
    let verified = totals(&game, WILD, "null-move", &with(|p| p.null_move.verify = true), 5);
    assert!(plain.0 < verified.0, "{plain:?} {verified:?}");
}

/// A reduction out of reach is the same as a fixed one at depths where the rule adds nothing.
#[test]
fn adaptive_rules_agree_with_fixed_where_they_should() {
    let game = Chess::default();
    let nodes = |params: &Params, depth| totals(&game, WILD, "null-move", params, depth).0;
    assert_eq!(nodes(&eager(), 4), nodes(&with(|p| p.null_move.adaptive = Adaptive::Heinz), 4));
    assert_eq!(nodes(&eager(), 4), nodes(&with(|p| p.null_move.adaptive = Adaptive::Crafty), 4));
}

/// The table's trigger leaves out tries, never adds any; without table values there is nothing to trigger it.
#[test]
fn the_trigger_only_leaves_out() {
    let game = Chess::default();
    let always = totals(&game, WILD, "multi-cut", &eager(), 5);
    let triggered = totals(&game, WILD, "multi-cut", &with(|p| p.multi_cut.trigger = Trigger::Table), 5);
    assert!(0 < triggered.1 && triggered.1 < always.1, "{triggered:?} of {always:?}");
}

/// With C = 1 and R = 0 a cut has searched a move to its full depth: no value changes.
#[test]
fn one_refutation_at_full_depth_is_no_guess() {
    let params = with(|p| {
        p.multi_cut.cuts = 1;
        p.multi_cut.reduction = 0;
    });
    let game = Othello::default();
    for pos in random_positions(&game, START, 12, 59) {
        let none = search(&game, &methods_of::<Othello>("none", &params), &pos, 5);
        let one = search(&game, &methods_of::<Othello>("multi-cut", &params), &pos, 5);
        let scores = |outcome: &secateur_core::search::Outcome<_>| {
            outcome.iterations.iter().map(|iteration| iteration.score).collect::<Vec<_>>()
        };
        assert_eq!(scores(&none), scores(&one), "{}", game.format(&pos));
    }
}

/// A capture form whose margin is out of reach cuts nothing, but has tried: its probes change no value.
#[test]
fn captures_that_cannot_clear_the_margin_change_no_value() {
    let game = Chess::default();
    let params = with(|p| p.capture_probcut.margin = 20_000);
    let tried = with(|p| p.capture_probcut.margin = 400);
    for pos in random_positions(&game, WILD, 8, 61) {
        let none = search(&game, &methods_of::<Chess>("none", &params), &pos, 4);
        let far = search(&game, &methods_of::<Chess>("capture-probcut", &params), &pos, 4);
        assert_eq!(none.last().score, far.last().score, "{}", game.format(&pos));
    }
    assert!(totals(&game, WILD, "capture-probcut", &tried, 5).1 > 0);
}

/// Held and broken claims of a method, audited by full-width searches; the audit leaves the search as it is, node for
/// node.
fn held_and_broken<G: Game>(game: &G, start: &str, methods: &str, depth: i32) -> (usize, usize) {
    // Checks that hardly ask for more than the bound are often wrong.
    let params = with(|p| {
        p.probcut.t = 0.0;
        p.mpc.t = 0.0;
    });
    let set = methods_of::<G>(methods, &params);
    let mut audited = game.clone().searcher(&set, small_table());
    audited.audit_every(2);
    let mut judge = game.clone().searcher(Methods::NONE, small_table());
    let (mut held, mut broken) = (0, 0);
    for pos in random_positions(game, start, 15, 67) {
        let plain = search(game, &set, &pos, depth);
        let outcome = audited.run(&pos, &Budget::Depth(depth));
        assert_eq!(plain.iterations, outcome.iterations);
        assert_eq!(plain.tally.nodes, outcome.tally.nodes);
        let (samples, every) = audited.take_samples();
        assert_eq!(every, 2);
        judge.forget();
        for Sample { claimed, pos } in &samples {
            assert_eq!(claimed.method, methods);
            let decided = judge.decide(claimed, pos);
            assert!(decided.nodes > 0);
            if decided.held { held += 1 } else { broken += 1 }
        }
    }
    (held, broken)
}

#[test]
fn audits_find_broken_claims_and_change_nothing() {
    let mut wrong = 0;
    for methods in ["probcut", "mpc", "multi-cut", "null-move", "futility", "lmr", "chinook"] {
        let (held, broken) = held_and_broken(&Chess::default(), WILD, methods, 4);
        assert!(held > 0, "{methods}: {held} held");
        wrong += usize::from(broken > 0);
    }
    assert!(wrong >= 3, "{wrong} of seven methods ever cut wrongly");
    for methods in ["probcut", "mpc", "futility"] {
        let (held, broken) = held_and_broken(&Othello::default(), START, methods, 5);
        assert!(held > 0 && broken > 0, "{methods}: {held} held, {broken} broken");
    }
}

/// Claims of a set are decided by what is left of it, and its methods count what they do there, although that searcher was never
/// started.
#[test]
fn claims_of_a_set_are_decided_by_the_rest_of_it() {
    let game = Chess::default();
    let params = eager();
    let set = methods_of::<Chess>("null-move+mpc", &params);
    let mut audited = game.clone().searcher(&set, small_table());
    audited.audit_every(1);
    let remaining = methods_of::<Chess>("mpc", &params);
    let mut judge = Search::new(game.clone(), &remaining.of::<Chess>(), small_table());
    let mut decided = 0;
    for pos in random_positions(&game, WILD, 8, 67) {
        audited.run(&pos, &Budget::Depth(5));
        let (samples, _) = audited.take_samples();
        for Sample { claimed, pos } in samples.iter().filter(|sample| sample.claimed.method == "null-move") {
            judge.decide(claimed, pos);
            decided += 1;
        }
    }
    assert!(decided > 0 && judge.tally.total("mpc").tries > 0, "{decided} decided");
}

/// A cut of a check rests on a model's estimate that lies t standard deviations beyond the bound, but for rounding; no other does.
#[test]
fn cuts_of_checks_say_what_they_rest_on() {
    let game = Chess::default();
    let linear = with(|p| p.probcut.linear = Linear { from: 3, ..Linear::default() });
    let usual = eager();
    for (name, params, modelled) in [
        ("probcut", &usual, true),
        ("mpc", &usual, true),
        ("probcut", &linear, false),
        ("multi-cut", &usual, false),
    ] {
        let methods = methods_of::<Chess>(name, params);
        let mut search = game.clone().searcher(&methods, small_table());
        search.audit_every(1);
        let mut claims = 0;
        for pos in random_positions(&game, WILD, 4, 67) {
            search.run(&pos, &Budget::Depth(4));
            for Sample { claimed, .. } in search.take_samples().0 {
                let distance = claimed.grounds.map(|grounds| grounds.distance(grounds.value, claimed.claim));
                // Half a score unit of a deviation of 100.
                assert_eq!(
                    distance.is_some_and(|distance| distance >= 0.5 - 0.005),
                    modelled,
                    "{name}: {claimed:?}"
                );
                claims += 1;
            }
        }
        assert!(claims > 0, "{name}");
    }
}

/// A margin that cannot be exceeded breaks no promise, one of zero does.
#[test]
fn a_sound_method_breaks_no_promise() {
    let game = Othello::default();
    let audit = |margin: i32| {
        let mut params = eager();
        params.futility.frontier = Reach::Fixed(margin);
        params.futility.extended = Reach::Fixed(margin);
        params.futility.reverse_depth = 0;
        let methods = methods_of::<Othello>("futility", &params);
        let mut search = game.clone().searcher(&methods, small_table());
        search.audit_every(1);
        let mut judge = game.clone().searcher(Methods::NONE, small_table());
        let mut broken = 0;
        for pos in random_positions(&game, START, 8, 71) {
            search.run(&pos, &Budget::Depth(4));
            let (samples, _) = search.take_samples();
            for Sample { claimed, pos } in &samples {
                assert!(
                    matches!(claimed.claim, Claim::AtLeast(_)),
                    "a skipped move is good for the opponent"
                );
                broken += usize::from(!judge.decide(claimed, pos).held);
            }
        }
        broken
    };
    assert_eq!(audit(13_000), 0);
    assert!(audit(0) > 0);
}

/// Sampling by hash keeps to its rate when there is more than it has room for.
#[test]
fn a_full_sample_is_halved() {
    let game = Chess::default();
    let methods = methods_of::<Chess>("futility", &eager());
    let mut search = game.clone().searcher(&methods, small_table());
    search.audit_every(1);
    let pos = game.parse(WILD).expect("a position");
    let outcome = search.run(&pos, &Budget::Depth(6));
    let counter = outcome.tally.total("futility");
    let cuts = (counter.cuts_high + counter.cuts_low) as f64;
    let (samples, every) = search.take_samples();
    assert!(every > 1 && every.is_power_of_two(), "one in {every}");
    let share = samples.len() as f64 * every as f64 / cuts;
    assert!((0.8..1.25).contains(&share), "{} samples of {cuts} cuts, one in {every}", samples.len());
}

#[test]
fn the_value_of_a_move_is_that_of_minimax() {
    let game = Othello::default();
    let mut search = game.clone().searcher(Methods::NONE, small_table());
    for pos in random_positions(&game, START, 6, 73) {
        search.run(&pos, &Budget::Depth(4));
        let mut moves = Moves::<Othello>::new();
        game.moves(&pos, &mut moves);
        for scored in &moves {
            let depth = Depth(4 - game.plies(scored.mv));
            let expected = -minimax(&game, &game.play(&pos, scored.mv), depth);
            assert_eq!(search.move_value(&pos, scored.mv, Depth(4)).0, expected);
        }
    }
}

#[test]
fn a_set_promises_what_its_methods_promise() {
    let set: MethodSet = "mpc+futility".parse().expect("a set");
    let mpc = METHODS.iter().position(|method| *method == "mpc").expect("a method");
    assert_eq!(set.clone().without(mpc).to_string(), "futility");
    assert_eq!(set.clone().without(mpc).with(mpc), set);
    let promises = secateur_core::prune::promises(&set, &with(|p| p.mpc.t = 1.5));
    assert_eq!(promises.len(), 1);
    assert!((promises[0].1 - 0.933_192_8).abs() < 1e-6 && promises[0].0 == mpc);
}
