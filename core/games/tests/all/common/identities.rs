//! Truths that hold exactly for every game: what the host without methods is, and when a method must change
//! nothing. Each takes a game and a start position; the test files next to this folder call them.

use super::*;
use secateur_core::game::MAX_MOVES;
use secateur_core::prune::{Linear, Method, ProbCut, Reach, Sigma, Step, Surplus, Truncation};
use secateur_core::search::{Missing, minimax};
use secateur_core::{Depth, Score};

type Found<G> = Outcome<<G as Rules>::Move>;

pub(crate) fn none_is_minimax_of<G: Game>(game: &G, start: &str, count: usize, depth: i32, seed: u64) {
    none_is_its_minimax(game, start, count, depth, seed, &small_table());
}

/// The host's value at each depth is that of plain minimax, which is extended in check where the host is. Returns how many
/// values the extension changes.
pub(crate) fn none_is_its_minimax<G: Game>(
    game: &G,
    start: &str,
    count: usize,
    depth: i32,
    seed: u64,
    options: &Options,
) -> usize {
    let mut search = game.clone().searcher(Methods::NONE, options.clone());
    let mut extended = 0;
    for pos in random_positions(game, start, count, seed) {
        let outcome = search.run(&pos, &Budget::Depth(depth));
        for iteration in &outcome.iterations {
            let depth = Depth(iteration.depth);
            let expected = search.minimax(&pos, depth);
            assert_eq!(iteration.score, expected, "depth {} of {}", depth.0, game.format(&pos));
            extended += usize::from(options.check_extension && expected != minimax(game, &pos, depth));
        }
    }
    extended
}

/// Asserts equal scores, lines and node counts, iteration by iteration.
fn same_tree<G: Game>(game: &G, pos: &G::Position, left: &Found<G>, right: &Found<G>, what: &str) {
    assert_eq!(left.iterations, right.iterations, "{what}: {}", game.format(pos));
    assert_eq!(left.tally.nodes, right.tally.nodes, "{what}: {}", game.format(pos));
}

/// Razoring that truncates and does nothing else.
fn truncate(params: &mut Params, margin: i32, half_plies: i32) {
    params.razoring.margin = Reach::Fixed(Score::INFINITE.0);
    params.razoring.truncation = Truncation { margin, half_plies };
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
        (
            "mpc",
            "t = infinity, one sigma of all",
            change(|p| (p.mpc.t, p.mpc.sigma) = (f64::INFINITY, Sigma::Surface)),
        ),
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
                p.futility.reverse_depth = 0;
            }),
        ),
        (
            "futility",
            "infinite margin of the reverse form",
            change(|p| {
                p.futility.frontier = Reach::Fixed(Score::INFINITE.0);
                p.futility.extended = Reach::Fixed(Score::INFINITE.0);
                p.futility.reverse_margin = Score::INFINITE.0;
            }),
        ),
        (
            "futility",
            "infinite margins of the node",
            change(|p| {
                p.futility.frontier = Reach::Fixed(Score::INFINITE.0);
                p.futility.extended = Reach::Fixed(Score::INFINITE.0);
                p.futility.reverse_depth = 0;
                p.futility.node.margins = vec![Score::INFINITE.0; 2];
            }),
        ),
        (
            "lmr",
            "no ply to reduce by",
            change(|p| {
                p.lmr.base = 0.0;
                p.lmr.divisor = f64::INFINITY;
                p.lmr.history = 0;
                p.lmr.drop_depth = 0;
            }),
        ),
        (
            "lmr",
            "all moves in full",
            change(|p| {
                p.lmr.full_moves = 300;
                p.lmr.drop_after = [300, 0];
            }),
        ),
        ("chinook", "infinite deficit", change(|p| p.chinook.deficit = Score::INFINITE.0)),
        ("chinook", "least depth out of reach", change(|p| p.chinook.min_depth = 60)),
        ("capture-probcut", "infinite margin", change(|p| p.capture_probcut.margin = Score::INFINITE.0)),
        ("capture-probcut", "least depth out of reach", change(|p| p.capture_probcut.min_depth = 60)),
        (
            "capture-probcut",
            "adaptive, infinite margin",
            change(|p| {
                p.capture_probcut.margin = Score::INFINITE.0;
                (p.capture_probcut.growth, p.capture_probcut.growth_deeper) = (20, 99);
                p.capture_probcut.surplus = Surplus { step: 20, offset: 0, most: 3, raise: 20 };
            }),
        ),
        (
            "null-move",
            "verified, least depth out of reach",
            change(|p| {
                p.null_move.verify = true;
                p.null_move.min_depth = 60;
            }),
        ),
        ("razoring", "infinite margin", change(|p| p.razoring.margin = Reach::Fixed(Score::INFINITE.0))),
        ("razoring", "truncation out of reach", change(|p| truncate(p, Score::INFINITE.0 - 1, 3))),
        ("razoring", "no ply to truncate by", change(|p| truncate(p, 0, 0))),
        (
            "probcut",
            "linear, a margin out of reach",
            change(|p| p.probcut.linear = Linear { from: 1, share: 50, margin: 2 * Score::INFINITE.0 }),
        ),
        ("probcut", "linear, least depth out of reach", change(|p| p.probcut.linear.from = 60)),
        ("correction-history", "no margin to be measured against it", change(|_| ())),
        ("check-extension", "no ply", change(|p| p.check_extension.plies = 0)),
        ("hindsight", "nothing was reduced", change(|_| ())),
        ("iid", "least depth out of reach", change(|p| p.iid.min_depth = 60)),
        ("iir", "no ply", change(|p| p.iir.plies = 0)),
        ("iir", "least depth out of reach", change(|p| p.iir.min_depth = 60)),
        ("reverse-futility", "infinite margin", change(|p| p.reverse_futility.margin = Score::INFINITE.0)),
        ("reverse-futility", "no depth", change(|p| p.reverse_futility.depth = 0)),
        ("small-probcut", "infinite margin", change(|p| p.small_probcut.margin = Score::INFINITE.0)),
        ("etc", "least depth out of reach", change(|p| p.etc.min_depth = 60)),
        ("singular", "infinite margin", change(|p| p.singular.margin = Score::INFINITE.0)),
        ("singular", "least depth out of reach", change(|p| p.singular.min_depth = 60)),
        ("lmp", "no depth", change(|p| p.lmp.depth = 0)),
        ("lmp", "all moves", change(|p| (p.lmp.improving, p.lmp.worsening) = ([300.0; 2], [300.0; 2]))),
        ("history-pruning", "no depth", change(|p| p.history_pruning.depth = 0)),
        ("history-pruning", "no history so bad", change(|p| p.history_pruning.limit = 20_000)),
        ("see-pruning", "no depth", change(|p| p.see_pruning.depth = 0)),
        (
            "see-pruning",
            "infinite margins",
            change(|p| (p.see_pruning.quiet, p.see_pruning.capture) = (30_000, 30_000)),
        ),
        ("rankcut", "threshold 0", change(|p| p.rankcut.threshold = 0.0)),
        ("rankcut", "nothing seen often enough", change(|p| p.rankcut.seen = i32::MAX)),
        ("delta", "infinite margin", change(|p| p.delta.margin = Score::INFINITE.0)),
        (
            "quiet-exchange",
            "infinite margins",
            change(|p| {
                (p.quiet_exchange.least, p.quiet_exchange.behind) = (-Score::INFINITE.0, Score::INFINITE.0)
            }),
        ),
        ("quiet-count", "all moves", change(|p| p.quiet_count.moves = 300)),
        ("chance-probcut", "t = infinity", change(|p| p.chance_probcut.t = f64::INFINITY)),
        ("chance-probcut", "no pairs", change(|p| p.chance_probcut.pairs.clear())),
        ("uncertainty", "all moves", change(|p| p.uncertainty.moves = MAX_MOVES)),
    ]
}

pub(crate) fn neutral_methods_change_nothing_in<G: Game>(game: &G, start: &str, depth: i32, count: usize) {
    let none = methods_of::<G>("none", &eager());
    let positions = random_positions(game, start, count, 7);
    let plain: Vec<_> = positions.iter().map(|pos| search(game, &none, pos, depth)).collect();
    for (method, why, params) in neutral() {
        let methods = methods_of::<G>(method, &params);
        let mut searcher = game.clone().searcher(&methods, small_table());
        for (pos, left) in positions.iter().zip(&plain) {
            let right = searcher.run(pos, &Budget::Depth(depth));
            same_tree(game, pos, left, &right, &format!("{method}, {why}"));
        }
    }
}

/// The counterpart of the neutral tests: with eager parameters every method cuts, or they would be vacuous.
/// `silent` are methods that have nothing to do in this game.
pub(crate) fn eager_methods_fire_in<G: Game>(game: &G, start: &str, depth: i32, silent: &[&str]) {
    let positions = random_positions(game, start, 12, 7);
    for method in METHODS {
        if silent.contains(method) {
            continue;
        }
        // It acts on what another method reduced.
        let set = if *method == "hindsight" { "hindsight+lmr" } else { method };
        let methods = methods_of::<G>(set, &eager());
        let cuts = |pos: &G::Position, depth| {
            // The frontier in the table: what lives by the table needs it full.
            let options = Options { table_min_depth: 1, ..small_table() };
            let mut search = game.clone().searcher(&methods, options);
            let counter = search.run(pos, &Budget::Depth(depth)).tally.total(method);
            counter.cuts_high + counter.cuts_low > 0
        };
        // Most cut soon, and a ply less is several times cheaper.
        let fires = (depth - 2..=depth).any(|depth| positions.iter().any(|pos| cuts(pos, depth)));
        assert!(fires, "{method} never cut");
    }
}

/// A method that is asked at every moment and says nothing changes nothing, alone or with others: the form of the search without
/// hooks and the one with hooks visit the same nodes, and the counters of a method do not depend on which others are asked.
pub(crate) fn a_silent_method_changes_nothing<G: Game>(game: &G, start: &str, depth: i32, count: usize) {
    let sets = METHODS.iter().copied().chain(["none", "null-move+futility"]);
    for (seed, methods) in sets.enumerate() {
        let methods = methods_of::<G>(methods, &eager());
        let accompanied = methods.with_silent();
        for pos in random_positions(game, start, count, 43 + seed as u64) {
            let alone = search(game, &methods, &pos, depth);
            let both = search(game, &accompanied, &pos, depth);
            same_tree(game, &pos, &alone, &both, "silent");
            assert!(alone.tally.active().eq(both.tally.active()));
        }
    }
}

pub(crate) fn mirrored_is_the_same<G: Game>(game: &G, start: &str, depth: i32) {
    let all = METHODS.join("+");
    let mut forms = eager();
    forms.mpc.sigma = Sigma::Surface;
    forms.capture_probcut.growth = 30;
    forms.capture_probcut.surplus = Surplus { step: 30, offset: 5, most: 3, raise: 30 };
    let sets = [("none", &eager()), (&all, &eager()), ("mpc+capture-probcut", &forms)]
        .map(|(methods, params)| methods_of::<G>(methods, params));
    for pos in random_positions(game, start, 20, 13) {
        for methods in &sets {
            let left = search(game, methods, &pos, depth);
            let right = search(game, methods, &game.mirror(&pos), depth);
            let values = |o: &Found<G>| o.iterations.iter().map(|i| (i.score, i.nodes)).collect::<Vec<_>>();
            assert_eq!(values(&left), values(&right), "{}", game.format(&pos));
        }
    }
}

/// What may be left out, and what may take over later, changes nothing as long as it does not happen; then it does.
pub(crate) fn variants_of_checks_keep_to_their_rules_in<G: Game>(game: &G, start: &str, depth: i32) {
    let usual = eager();
    let with = |edit: fn(&mut Params)| {
        let mut params = usual.clone();
        edit(&mut params);
        params
    };
    let far = with(|p| p.mpc.glance = f64::INFINITY);
    let near = with(|p| p.mpc.glance = 0.0);
    let smooth = with(|p| p.mpc.sigma = Sigma::Surface);
    let later = with(|p| p.probcut.growing = vec![Step { from: 60, shallow: 2, deep: 4 }]);
    let alike = with(|p| p.probcut.growing = vec![Step { from: 2, shallow: 1, deep: 3 }]);
    let grown = with(|p| p.probcut.growing = vec![Step { from: 5, shallow: 2, deep: 4 }]);
    let (mut all, mut left, mut grew) = (0, 0, 0);
    for pos in random_positions(game, start, 12, 41) {
        let run = |name: &str, params: &Params| search(game, &methods_of::<G>(name, params), &pos, depth);
        let [mpc, probcut] = ["mpc", "probcut"].map(|name| run(name, &usual));
        same_tree(game, &pos, &mpc, &run("mpc", &far), "an infinite glance");
        same_tree(game, &pos, &mpc, &run("mpc", &smooth), "one sigma for all, drawn through equal ones");
        same_tree(game, &pos, &probcut, &run("probcut", &later), "a pair for later");
        same_tree(game, &pos, &probcut, &run("probcut", &alike), "the same pair again");
        let (before, after) = (probcut.iterations, run("probcut", &grown).iterations);
        let early = before.len().min(4);
        assert_eq!(before[..early], after[..early], "the pair of later iterations acts early");
        grew += usize::from(before != after);
        all += mpc.tally.total("mpc").tries;
        left += run("mpc", &near).tally.total("mpc").tries;
    }
    assert!(0 < left && left < all, "a glance left {left} of {all} checks");
    assert!(grew > 0, "the pair of later iterations never acts");
}

/// A t so large that no check can succeed, but finite: the checks are made and change no value. (They need not
/// cost nodes on balance: what they leave in the table and in history can order moves better.)
pub(crate) fn hopeless_checks_change_no_value<G: Game>(game: &G, start: &str, depth: i32) {
    let mut params = eager();
    params.probcut.t = 1.0;
    let stages = G::STAGES.len();
    // A bound this far from any evaluation is out of reach, yet below the range of proven scores.
    let sigma = f64::from(G::DECISIVE.0) * 0.66;
    let none = methods_of::<G>("none", &params);
    let probcut = equip(&set("probcut"), &params, &identity_baselines(stages, sigma), stages).unwrap();
    let mut tries = 0;
    for pos in random_positions(game, start, 12, 17) {
        let plain = search(game, &none, &pos, depth);
        let checked = search(game, &probcut, &pos, depth);
        let scores = |o: &Found<G>| o.iterations.iter().map(|i| (i.depth, i.score)).collect::<Vec<_>>();
        assert_eq!(scores(&plain), scores(&checked), "{}", game.format(&pos));
        tries += checked.tally.total(ProbCut::NAME).tries;
    }
    assert!(tries > 0, "the checks were never made");
}

pub(crate) fn every_line_replays<G: Game>(game: &G, start: &str, depth: i32) {
    let methods = methods_of::<G>(&METHODS.join("+"), &eager());
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

/// A search starts from nothing, whatever was searched before.
pub(crate) fn runs_are_independent<G: Game>(game: &G, start: &str, depth: i32) {
    let methods = methods_of::<G>("null-move+mpc", &eager());
    let positions = random_positions(game, start, 6, 23);
    let mut reused = game.clone().searcher(&methods, small_table());
    for pos in positions.iter().chain(positions.iter().rev()) {
        let outcome = reused.run(pos, &Budget::Depth(depth));
        assert_eq!(outcome.iterations, search(game, &methods, pos, depth).iterations);
    }
}

/// A node budget is never exceeded once the first iteration is done, and repeats exactly.
pub(crate) fn node_budgets_repeat<G: Game>(game: &G, start: &str, nodes: u64) {
    let none = methods_of::<G>("none", &eager());
    for pos in random_positions(game, start, 10, 29) {
        let run = || game.clone().searcher(&none, small_table()).run(&pos, &Budget::Nodes(nodes));
        let (one, two) = (run(), run());
        assert_eq!(one.iterations, two.iterations);
        assert_eq!(one.tally.nodes, two.tally.nodes);
        assert!(one.last().nodes <= nodes);
    }
}

/// Enhanced transposition cut-offs and table values save nodes but change no value of the full-width search.
pub(crate) fn host_options_change_no_value<G: Game>(game: &G, start: &str, depth: i32) {
    let mut nodes = [0; 6];
    for pos in random_positions(game, start, 12, 31) {
        let plain = Options { table_values: false, ..small_table() };
        let enhanced = Options { etc_min_depth: 2, ..small_table() };
        let deepened = Options { missing: Missing::Deepen, missing_from: 3, ..small_table() };
        let aspiring = Options { aspiration: 10, ..small_table() };
        let stepping = Options { iteration_step: 2, ..small_table() };
        let outcomes = [small_table(), plain, enhanced, deepened, aspiring, stepping]
            .map(|options| game.clone().searcher(Methods::NONE, options).run(&pos, &Budget::Depth(depth)));
        for (other, count) in outcomes.iter().zip(&mut nodes) {
            let scores = |outcome: &Found<G>| outcome.iterations.iter().map(|i| (i.depth, i.score)).collect();
            let (values, usual): (Vec<_>, Vec<_>) = (scores(other), scores(&outcomes[0]));
            assert!(values.iter().all(|one| usual.contains(one)), "{}", game.format(&pos));
            assert_eq!(values.last(), usual.last(), "{}", game.format(&pos));
            *count += other.tally.nodes;
        }
        let depths = |outcome: &Found<G>| outcome.iterations.iter().map(|i| i.depth).collect::<Vec<_>>();
        let all = depths(&outcomes[0]);
        assert!(outcomes[..5].iter().all(|outcome| depths(outcome) == all));
        // From the last one back, so that all have its parity.
        let mut every_second: Vec<i32> = all.iter().rev().step_by(2).copied().collect();
        every_second.reverse();
        assert_eq!(depths(&outcomes[5]), every_second);
    }
    let [usual, plain, enhanced, deepened, aspiring, stepping] = nodes;
    assert!(plain > usual && enhanced != usual, "an option did nothing: {nodes:?}");
    assert!(deepened != usual && aspiring != usual && stepping != usual, "an option did nothing: {nodes:?}");
}
