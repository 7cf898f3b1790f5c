//! What single methods must keep to in every game, beyond what holds for all of them (`common/identities.rs`).

use crate::common::{eager, methods_of, random_positions, search, small_table};
use secateur_core::prune::{Asks, Depths, Methods, Place, Prune, SkipPlan, Truncation, Verdict};
use secateur_core::search::{AnySearch, Budget, Counter, Kind, Node, Options, Path, Search, Tally};
use secateur_core::{Depth, Evaluation, Game, Moves, Notation, Rules, Score, Window};
use secateur_games::chess::{Chess, START};
use secateur_games::othello::Othello;

const WILD: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const OTHELLO: &str = "---------------------------OX------XO--------------------------- X";
/// Othello with 6 and 8 squares left.
const ENDS: [&str; 2] = [
    "XXXXXXXOXXXXXXOOXXXXXOXOXXXXOXXOXXXOXXXOXXOXXXXO--OOOOOO----OOOO X",
    "XXXXXXXOXXXXXXOOXXXXXOXOXXXXOXXOXXXOXXXOXXOXXXXO--OOOOO-----OOO- X",
];

/// Multi-Cut with C = 1 and R = 0 asks of the first move what the search would ask: it cuts and changes no value.
fn one_full_refutation_is_a_refutation<G: Game>(game: &G, start: &str, depth: i32) {
    let mut params = eager();
    params.multi_cut.cuts = 1;
    params.multi_cut.reduction = 0;
    params.multi_cut.min_depth = 2;
    let [none, cut] = ["none", "multi-cut"].map(|name| methods_of::<G>(name, &params));
    let mut cuts = 0;
    for pos in random_positions(game, start, 12, 61) {
        let (plain, pruned) = (search(game, &none, &pos, depth), search(game, &cut, &pos, depth));
        for (left, right) in plain.iterations.iter().zip(&pruned.iterations) {
            assert_eq!(left.score, right.score, "depth {} of {}", left.depth, game.format(&pos));
        }
        cuts += pruned.tally.total("multi-cut").cuts_high;
    }
    assert!(cuts > 0);
}

/// ProbCut and MPC look both ways: each of the two bounds is tried and cuts.
fn checks_cut_on_both_sides<G: Game>(game: &G, start: &str, depth: i32) {
    for name in ["probcut", "mpc"] {
        let methods = methods_of::<G>(name, &eager());
        let (mut high, mut low) = (0, 0);
        for pos in random_positions(game, start, 8, 67) {
            let counter = search(game, &methods, &pos, depth).tally.total(name);
            high += counter.cuts_high;
            low += counter.cuts_low;
        }
        assert!(high > 0 && low > 0, "{name}: {high} cuts at beta, {low} at alpha");
    }
}

/// Two null moves lead back: nothing but the side to move, and a right that ends with any move, has changed.
fn passing_twice_leads_back<G: Game>(game: &G, start: &str, expiring: impl Fn(&str) -> bool) {
    let mut compared = 0;
    for pos in random_positions(game, start, 60, 71) {
        let Some(passed) = game.null(&pos) else { continue };
        assert_ne!(game.key(&passed), game.key(&pos));
        assert_ne!(game.side(&passed), game.side(&pos));
        let Some(back) = game.null(&passed) else { continue };
        if !expiring(&game.format(&pos)) {
            assert_eq!(game.key(&back), game.key(&pos), "{}", game.format(&pos));
            assert_eq!(game.evaluate(&back), game.evaluate(&pos));
            compared += 1;
        }
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn multi_cut_of_one_full_probe_changes_no_value() {
    one_full_refutation_is_a_refutation(&Chess::default(), WILD, 4);
    one_full_refutation_is_a_refutation(&Othello::default(), OTHELLO, 6);
}

/// What only orders moves, believes results of the very depth, or puts a decision off changes no value of a full-width search; in
/// chess, neither does delta pruning whose margin exceeds what a position can be worth beyond its material.
fn sound_methods_change_no_value<G: Game>(game: &G, start: &str, depth: i32, methods: &[&str]) {
    let mut params = eager();
    params.uncertainty.everywhere = false;
    params.delta.margin = 1500;
    let none = methods_of::<G>("none", &params);
    let positions = random_positions(game, start, 8, 73);
    let options = Options { table_min_depth: 1, ..small_table() };
    let run = |methods: &Methods, pos: &G::Position| {
        game.clone().searcher(methods, options.clone()).run(pos, &Budget::Depth(depth))
    };
    let plain: Vec<_> = positions.iter().map(|pos| run(&none, pos)).collect();
    for method in methods {
        let set = methods_of::<G>(method, &params);
        let mut fired = 0;
        for (pos, plain) in positions.iter().zip(&plain) {
            let outcome = run(&set, pos);
            for (left, right) in plain.iterations.iter().zip(&outcome.iterations) {
                assert_eq!(left.score, right.score, "{method}, depth {} of {}", left.depth, game.format(pos));
            }
            let counter = outcome.tally.total(method);
            fired += counter.cuts_high + counter.cuts_low;
        }
        assert!(fired > 0, "{method} never acted");
    }
}

#[test]
fn sound_methods_change_no_value_of_none() {
    sound_methods_change_no_value(&Chess::default(), WILD, 5, &["iid", "etc", "uncertainty", "delta"]);
    sound_methods_change_no_value(&Othello::default(), OTHELLO, 6, &["iid", "etc", "uncertainty"]);
}

/// A searcher that has searched finds what a new one finds: what is learnt of pairs of moves is forgotten with the rest, and
/// a player who does not forget goes on from it.
#[test]
fn histories_of_pairs_are_forgotten() {
    let game = Chess::default();
    let mut params = eager();
    params.lmr.history = 64;
    let without = methods_of::<Chess>("history-pruning+lmr", &params);
    (params.history_pruning.pairs, params.lmr.pairs) = (2, 2);
    let set = methods_of::<Chess>("history-pruning+lmr", &params);
    let mut reused = game.clone().searcher(&set, small_table());
    let positions = random_positions(&game, WILD, 6, 79);
    let mut differs = 0;
    for pos in positions.iter().chain(positions.iter().rev()) {
        let outcome = reused.run(pos, &Budget::Depth(5));
        assert_eq!(outcome.iterations, search(&game, &set, pos, 5).iterations, "{}", game.format(pos));
        differs += usize::from(outcome.iterations != search(&game, &without, pos, 5).iterations);
    }
    assert!(differs > 0, "the pairs were never looked at");
}

/// Pairs that are kept and not looked at change nothing; and neither does asking for them where moves of the line are not kept.
#[test]
fn histories_of_pairs_change_nothing_by_being_kept() {
    let same = |one: &Methods, two: &Methods, game: &Chess| {
        for pos in random_positions(game, WILD, 6, 83) {
            let [left, right] = [one, two].map(|methods| search(game, methods, &pos, 5));
            assert_eq!(left.iterations, right.iterations, "{}", game.format(&pos));
        }
    };
    let usual = eager();
    let mut kept = eager();
    // History pruning that never acts keeps them next to reductions that do not ask.
    (kept.history_pruning.pairs, kept.history_pruning.depth) = (2, 0);
    same(
        &methods_of::<Chess>("lmr", &usual),
        &methods_of::<Chess>("history-pruning+lmr", &kept),
        &Chess::default(),
    );
    let game = Othello::default();
    let mut asked = eager();
    asked.history_pruning.pairs = 2;
    for pos in random_positions(&game, OTHELLO, 6, 83) {
        let [left, right] = [&usual, &asked].map(|params| {
            search(&game, &methods_of::<Othello>("history-pruning", params), &pos, 6).iterations
        });
        assert_eq!(left, right, "{}", game.format(&pos));
    }
}

#[test]
fn both_bounds_are_tested() {
    checks_cut_on_both_sides(&Chess::default(), WILD, 5);
    checks_cut_on_both_sides(&Othello::default(), OTHELLO, 6);
}

#[test]
fn a_null_move_changes_the_side_alone() {
    passing_twice_leads_back(&Chess::default(), WILD, |fen| fen.split(' ').nth(3) != Some("-"));
    passing_twice_leads_back(&Othello::default(), OTHELLO, |_| false);
}

/// What methods counted by stage and depth.
type Counters = Vec<(&'static str, usize, i32, Counter)>;

/// The counters of a search with methods, and value and nodes of its iterations.
fn counted<G: Game>(
    game: &G,
    methods: &Methods,
    pos: &G::Position,
    set: impl FnOnce(&mut dyn AnySearch<G>),
) -> (Counters, Vec<(i32, u64)>) {
    let mut search = game.clone().searcher(methods, small_table());
    set(search.as_mut());
    let outcome = search.run(pos, &Budget::Depth(5));
    let iterations = outcome.iterations.iter().map(|one| (one.score.0, one.nodes)).collect();
    (outcome.tally.active().collect(), iterations)
}

/// An audit asks a method about every move that it leaves out; without one, what closes a node is not asked again.
#[test]
fn moves_left_out_unasked_count_as_those_asked_about() {
    let game = Chess::default();
    let mut closed = 0;
    for name in ["lmp", "lmp+history-pruning+futility+see-pruning+lmr"] {
        let methods = methods_of::<Chess>(name, &eager());
        for pos in random_positions(&game, WILD, 6, 73) {
            let quick = counted(&game, &methods, &pos, |_| {});
            let asked = counted(&game, &methods, &pos, |search| search.audit_every(1 << 40));
            assert_eq!(quick, asked, "{name} in {}", game.format(&pos));
            closed += quick.0.iter().filter(|row| row.0 == "lmp").map(|row| row.3.cuts_low).sum::<u64>();
        }
    }
    assert!(closed > 1000, "{closed}");
}

#[test]
fn a_search_that_counts_no_methods_is_the_same() {
    let (game, othello) = (Chess::default(), Othello::default());
    for pos in random_positions(&game, WILD, 4, 79) {
        let methods = methods_of::<Chess>("modern", &eager());
        let (counters, iterations) = counted(&game, &methods, &pos, |_| {});
        let uncounted = counted(&game, &methods, &pos, |search| search.count_methods(false));
        assert!(counters.len() > 5);
        assert_eq!(uncounted, (Vec::new(), iterations), "{}", game.format(&pos));
    }
    for pos in random_positions(&othello, OTHELLO, 4, 79) {
        let methods = methods_of::<Othello>("mpc+lmr", &eager());
        let (_, iterations) = counted(&othello, &methods, &pos, |_| {});
        let uncounted = counted(&othello, &methods, &pos, |search| search.count_methods(false));
        assert_eq!(uncounted, (Vec::new(), iterations), "{}", othello.format(&pos));
    }
}

/// A stored search answers a node for small ProbCut if it was shallower by `plies`, and not if it was by one more.
#[test]
fn a_stored_depth_suffices_or_falls_short_by_a_ply() {
    let game = Chess::default();
    let start = game.parse(WILD).expect("a position");
    let mut params = eager();
    for plies in 1..=2 {
        params.small_probcut.plies = plies;
        let methods = methods_of::<Chess>("small-probcut", &params);
        let mut search = Search::new(game.clone(), &methods.of::<Chess>(), small_table());
        for pos in random_positions(&game, WILD, 6, 101).iter().filter(|pos| !game.in_check(pos)) {
            search.run(&start, &Budget::Depth(1));
            let value = search.value(pos, Depth(2), Window::FULL, 1, Path::ROOT);
            if value.abs() > Score(10_000) {
                continue;
            }
            let window = Window::at_least(Score(value.0 - params.small_probcut.margin));
            let mut nodes = |depth| {
                let before = search.tally.nodes;
                search.value(pos, Depth(depth), window, 1, Path::ROOT.child(Kind::Cut));
                search.tally.nodes - before
            };
            assert_eq!(nodes(2 + plies), 1, "{}", game.format(pos));
            assert!(nodes(3 + plies) > 1, "{}", game.format(pos));
        }
    }
}

/// A method that is not to extend a node whose depth reaches the end of the game.
struct Unsolved<'m, G: Game>(&'m dyn Prune<G>);

impl<G: Game> Prune<G> for Unsolved<'_, G> {
    fn asks(&self) -> Asks {
        self.0.asks()
    }

    fn branch(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        moves: &mut Moves<G>,
    ) -> Verdict {
        self.0.branch(search, place, node, moves)
    }

    fn extend(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        mv: G::Move,
        index: usize,
    ) -> i32 {
        let plies = self.0.extend(search, place, node, mv, index);
        assert!(plies == 0 || !node.is_solved_by_depth(&search.game), "{}", search.game.format(node.pos));
        plies
    }
}

/// What an iteration that saw no end has found singular is not extended by the next, which sees it.
#[test]
fn nothing_is_extended_where_the_end_is_in_sight() {
    let game = Othello::default();
    let methods = methods_of::<Othello>("singular", &eager());
    let singular = Unsolved(methods.of::<Othello>()[0]);
    let mut search = Search::new(game.clone(), &[&singular], small_table());
    let mut cuts = 0;
    for text in ENDS {
        let pos = game.parse(text).expect("a position");
        let depth = game.remaining(&pos).expect("an end");
        cuts += search.run(&pos, &Budget::Depth(depth)).tally.total("singular").cuts_high;
    }
    assert!(cuts > 0, "nothing was singular");
}

/// A method that searches the node of the first ply a ply deep after others have been asked about it, and prunes nothing.
struct Between;

impl<G: Game> Prune<G> for Between {
    fn asks(&self) -> Asks {
        Asks { name: "between", approach: Depths::from(2), ..Asks::default() }
    }

    fn approach(&self, search: &mut Search<'_, G>, place: Place, node: &mut Node<'_, G>, _: bool) {
        if node.ply == 1 {
            search.probe_here(place, node, Depth(1), node.window, node.path);
        }
    }
}

/// What a line was truncated by is given back below a node even where another method has searched the node in between: the tree is
/// that of the two searches one after the other.
#[test]
fn a_search_in_between_forgets_no_truncation() {
    let game = Chess::default();
    let start = game.parse(START).expect("a position");
    let mut params = eager();
    params.razoring.truncation = Truncation { margin: 50, half_plies: 2 };
    let methods = methods_of::<Chess>("razoring", &params);
    let truncation = methods.of::<Chess>()[0];
    let untruncated = methods_of::<Chess>("razoring", &eager());
    let mut truncated = 0;
    for pos in random_positions(&game, WILD, 12, 103) {
        // Hopeless at the node, and not behind a capture.
        let window = Window::at_least(game.balance(&pos) + Score(100));
        let nodes = |methods: &[&dyn Prune<Chess>], first: bool| {
            let mut search = Search::new(game.clone(), methods, small_table());
            search.run(&start, &Budget::Depth(4));
            let before = search.tally.nodes;
            if first {
                search.value(&pos, Depth(1), window, 1, Path::ROOT.child(Kind::Cut));
            }
            let value = search.value(&pos, Depth(4), window, 1, Path::ROOT.child(Kind::Cut));
            (value, search.tally.nodes - before)
        };
        let (apart, within) = (nodes(&[truncation], true), nodes(&[truncation, &Between], false));
        assert_eq!(apart, within, "{}", game.format(&pos));
        truncated += usize::from(apart != nodes(&untruncated.of::<Chess>(), true));
    }
    assert!(truncated > 6, "truncation changed {truncated} trees");
}

/// A method that is asked about every move that its plan would close.
struct OneByOne<'a, G: Game>(&'a dyn Prune<G>);

impl<G: Game> Prune<G> for OneByOne<'_, G> {
    fn asks(&self) -> Asks {
        self.0.asks()
    }

    fn plan(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>, alpha: Score) -> SkipPlan {
        SkipPlan { closes: false, ..self.0.plan(search, place, node, alpha) }
    }

    fn skip(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        alpha: Score,
        mv: G::Move,
        index: usize,
    ) -> Option<Score> {
        self.0.skip(search, place, node, alpha, mv, index)
    }
}

/// Where a plan closes the rest of the moves, and most of them get no order, the tree and the counters are those of a method that is
/// asked about each in its turn.
fn closing_is_skipping_one_by_one<G: Game>(game: &G, start: &str, depth: i32, others: &str) {
    let mut params = eager();
    (params.lmp.depth, params.lmp.improving, params.lmp.worsening) = (5, [3.0, 1.0], [2.0, 0.5]);
    let methods = methods_of::<G>(others, &params);
    let closing = methods.of::<G>();
    let name = |method: &dyn Prune<G>| method.asks().name;
    let lmp = closing.iter().position(|method| name(*method) == "lmp").expect("it is among them");
    let apart = OneByOne(closing[lmp]);
    let mut single = closing.clone();
    single[lmp] = &apart;
    let mut closed = 0;
    for pos in random_positions(game, start, 8, 107) {
        let run = |methods: &[&dyn Prune<G>]| {
            Search::new(game.clone(), methods, small_table()).run(&pos, &Budget::Depth(depth))
        };
        let (left, right) = (run(&closing), run(&single));
        assert_eq!(left.iterations, right.iterations, "{others}: {}", game.format(&pos));
        assert_eq!(left.tally.nodes, right.tally.nodes, "{others}: {}", game.format(&pos));
        for method in &closing {
            let count = |tally: &Tally| tally.total(name(*method));
            assert_eq!(count(&left.tally), count(&right.tally), "{} of {others}", name(*method));
        }
        closed += left.tally.total("lmp").cuts_low;
    }
    assert!(closed > 1000, "{others}: {closed} moves were closed");
}

#[test]
fn closed_moves_need_no_order() {
    for others in
        ["lmp", "lmp+see-pruning+futility+lmr", "null-move+reverse-futility+lmp+history-pruning+lmr"]
    {
        closing_is_skipping_one_by_one(&Chess::default(), WILD, 5, others);
        closing_is_skipping_one_by_one(&Othello::default(), OTHELLO, 7, others);
    }
}
