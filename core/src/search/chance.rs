//! Chance nodes: the mean over a throw, searched in a window.
//!
//! A throw takes neither a ply nor depth: a chance node and its outcomes stand at the ply of the move to come, and are
//! valued for its side. Star1 and Star2 of Ballard 1983, in Hauk's formulation (2004), fail-soft: of every outcome a lower
//! and an upper bound is known, at first those of the game, and their means bound the node. Each outcome is
//! searched in the window beyond which it decides the node alone. Means are rounded once ([`expectation`]), so the bounds
//! are those of the sum that a value stands for ([`Sums`]), and the value is exactly that of expectiminimax.
//!
//! Left out: an order of outcomes other than the game's; Star2.5 (several moves probed).

use super::host::{from_table, to_table};
use super::table::Bound;
use super::{Form, Kind, Node, Path, Search, Star, moments};
use crate::game::{Game, MAX_OUTCOMES, Moves, Outcomes, expectation};
use crate::prune::Verdict;
use crate::score::{Depth, Score, Window};
use arrayvec::ArrayVec;

/// Least depth at which Star2 probes: a probe one ply above the horizon costs what it could save.
const PROBED: Depth = Depth(2);

/// What is known of one outcome.
#[derive(Clone, Copy, Debug)]
struct Known {
    weight: i64,
    lower: i64,
    upper: i64,
}

/// What is known of all outcomes together: bounds of the sum of weight times value.
#[derive(Clone, Copy, Debug)]
struct Sums {
    weights: i64,
    lower: i64,
    upper: i64,
    /// The greatest sum whose mean is at most alpha.
    low: i64,
    /// The least sum whose mean is at least beta.
    high: i64,
}

/// The least sum whose mean, rounded towards zero, is at least `value`.
fn least(value: Score, weights: i64) -> i64 {
    let value = i64::from(value.0);
    if value > 0 { value * weights } else { (value - 1) * weights + 1 }
}

impl Sums {
    fn new(bounds: &[Known], window: Window) -> Sums {
        let weights = bounds.iter().map(|one| one.weight).sum();
        let (low, high) = (least(window.alpha + Score(1), weights) - 1, least(window.beta, weights));
        let lower = bounds.iter().map(|one| one.weight * one.lower).sum();
        let upper = bounds.iter().map(|one| one.weight * one.upper).sum();
        Sums { weights, lower, upper, low, high }
    }

    /// The node's value, or a bound of it outside the window, once that much is known.
    fn decided(&self) -> Option<Score> {
        if self.lower >= self.high || self.lower == self.upper {
            Some(expectation(self.lower, self.weights))
        } else if self.upper <= self.low {
            Some(expectation(self.upper, self.weights))
        } else {
            None
        }
    }

    /// The window of an outcome: at or beyond its bounds, that outcome alone decides the node.
    fn window(&self, outcome: &Known) -> Window {
        let alpha = (self.low - (self.upper - outcome.weight * outcome.upper)).div_euclid(outcome.weight);
        let beta = -(self.lower - outcome.weight * outcome.lower - self.high).div_euclid(outcome.weight);
        let within = |bound: i64| Score(bound.clamp(outcome.lower, outcome.upper) as i32);
        Window { alpha: within(alpha), beta: within(beta) }
    }

    /// An outcome was searched in `window` and came out at `score`, a bound at or beyond the window's.
    fn learn(&mut self, outcome: &mut Known, score: Score, window: Window) {
        let before = *outcome;
        // Outside of what is known already comes only what a method guessed.
        let value = i64::from(score.0).clamp(outcome.lower, outcome.upper);
        if score > window.alpha {
            outcome.lower = value;
        }
        if score < window.beta {
            outcome.upper = value;
        }
        self.lower += outcome.weight * (outcome.lower - before.lower);
        self.upper += outcome.weight * (outcome.upper - before.upper);
    }
}

impl<G: Game, F: Form<G>> Search<'_, G, F> {
    /// [`Search::value`] of a position that awaits chance, above the horizon.
    #[inline(never)]
    pub(super) fn chance(
        &mut self,
        pos: &G::Position,
        depth: Depth,
        window: Window,
        ply: u32,
        path: Path,
    ) -> Score {
        if let Some(score) = self.arrive(pos, window, ply) {
            return score;
        }
        let tabled = depth.0 >= self.options.table_min_depth;
        let key = if tabled || G::REPETITION { self.game.key(pos) } else { 0 };
        let (slot, context) = (self.slot(key, path, depth), self.context(path, depth));
        if tabled
            && self.options.table_values
            && let Some((score, bound)) = self.table.probe(slot, depth.0, context).value
        {
            let score = from_table::<G>(score, ply);
            if bound.decides(score, window) {
                self.tally.tt_hits += 1;
                return score;
            }
        }
        self.throws += 1;
        let score = self.throw(pos, depth, window, ply, path, key);
        self.throws -= 1;
        if path.kind == Kind::Pv {
            // What the outcomes left: the line ends here.
            self.pv.clear(ply);
        }
        let unstored = self.is_unstored(path, score, window);
        if tabled && !self.stopped && !unstored {
            let stored = to_table::<G>(score, ply);
            self.table.store(slot, depth.0, context, stored, Bound::of(score, window), 0);
        }
        score
    }

    /// Asks the methods, then searches the outcomes.
    fn throw(
        &mut self,
        pos: &G::Position,
        depth: Depth,
        window: Window,
        ply: u32,
        path: Path,
        key: u64,
    ) -> Score {
        if F::ANY && ply > 0 && self.moments.spoken(depth, moments::CHANCE) {
            let node = Node::new(&self.game, pos, depth, window, ply, path, key);
            if let Verdict::Cut(score) = self.before_chance(&node) {
                return score;
            }
        }
        let mut outcomes = Outcomes::<G>::new();
        self.game.outcomes(pos, &mut outcomes);
        let attainable = self.game.attainable(ply);
        let (lower, upper) = (i64::from(attainable.alpha.0), i64::from(attainable.beta.0));
        let unsearched = |weight: u32| Known { weight: weight.into(), lower, upper };
        let mut all_bounds: ArrayVec<Known, MAX_OUTCOMES> =
            outcomes.iter().map(|outcome| unsearched(outcome.weight)).collect();
        let mut sums = Sums::new(&all_bounds, window);
        if self.options.star == Star::Two && depth >= PROBED {
            for (outcome, bounds) in outcomes.iter().zip(&mut all_bounds) {
                let window = sums.window(bounds);
                let Some(score) = self.first_move(&outcome.pos, depth, window, ply, path) else { continue };
                if self.stopped {
                    return Score::ZERO;
                }
                // At most alpha, the move says nothing of the others; above, the outcome is worth as much at least.
                sums.learn(bounds, score, Window { alpha: window.alpha, beta: -Score::INFINITE });
                if let Some(score) = sums.decided() {
                    return score;
                }
            }
        }
        for (outcome, bounds) in outcomes.iter().zip(&mut all_bounds) {
            if bounds.lower == bounds.upper {
                continue;
            }
            let window = sums.window(bounds);
            let score = self.value(&outcome.pos, depth, window, ply, path);
            if self.stopped {
                return Score::ZERO;
            }
            sums.learn(bounds, score, window);
            if let Some(score) = sums.decided() {
                return score;
            }
        }
        expectation(sums.lower, sums.weights)
    }

    /// Value of the first move in the order of an outcome, fail-soft; `None` where there is none.
    fn first_move(
        &mut self,
        pos: &G::Position,
        depth: Depth,
        window: Window,
        ply: u32,
        path: Path,
    ) -> Option<Score> {
        let mut moves = Moves::<G>::new();
        self.game.moves(pos, &mut moves);
        if moves.is_empty() {
            return None;
        }
        self.tally.nodes += 1;
        let key = self.game.key(pos);
        let tabled = depth.0 >= self.options.table_min_depth;
        let hint = if tabled { self.table.probe(self.slot(key, path, depth), depth.0, 0).mv } else { 0 };
        let node = Node::new(&self.game, pos, depth, window, ply, path, key);
        if F::ANY && self.moments.asks.looks_back() {
            self.note(&node);
        }
        self.order(&node, hint, &mut moves);
        let mv = super::pick::<G>(&mut moves, 0);
        Some(self.turn(&node, node.parent(), mv, 0, window))
    }
}

/// Star1 and Star2 against expectiminimax, in trees of chance where nothing else is regular.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Chance, Evaluation, Notation, ParseError, Rules, Scored};
    use crate::search::{Budget, Options, minimax};
    use secateur_base::hash::SplitMix;

    /// A game whose every number is a hash: up to four moves, up to five outcomes of unlike weights, throws after most moves. Few
    /// states, so that they recur and the table has something to say.
    #[derive(Clone)]
    struct Hashed;

    #[derive(Clone, Copy, Debug, PartialEq)]
    struct At {
        state: u64,
        side: usize,
        waiting: bool,
    }

    const MOST: i32 = 1_000;
    const STATES: u64 = 20_000;

    fn mixed(state: u64, salt: u64) -> u64 {
        SplitMix(state ^ salt.rotate_left(32)).word()
    }

    impl Rules for Hashed {
        type Position = At;
        type Move = u16;

        const CHANCE: bool = true;

        fn awaits(&self, at: &At) -> bool {
            at.waiting
        }
        fn outcomes(&self, at: &At, outcomes: &mut Outcomes<Self>) {
            for number in 0..1 + mixed(at.state, 1) % 5 {
                let hash = mixed(at.state, 20 + number);
                let weight = 1 + (hash >> 40) as u32 % 4;
                outcomes.push(Chance { weight, pos: At { state: hash % STATES, waiting: false, ..*at } });
            }
        }
        fn key(&self, at: &At) -> u64 {
            mixed(at.state, 2 + at.side as u64 + 2 * u64::from(at.waiting))
        }
        fn side(&self, at: &At) -> usize {
            at.side
        }
        fn moves(&self, at: &At, moves: &mut Moves<Self>) {
            let count = [0, 1, 2, 3, 3, 4, 4, 4][mixed(at.state, 7) as usize % 8];
            moves.extend((1..=count).map(|mv| Scored { mv, value: 0 }));
        }
        fn play(&self, at: &At, mv: u16) -> At {
            let hash = mixed(at.state, 40 + u64::from(mv));
            At { state: hash % STATES, side: 1 - at.side, waiting: !(hash >> 40).is_multiple_of(5) }
        }
        fn pack(&self, mv: u16) -> u16 {
            mv
        }
        fn unpack(&self, bits: u16) -> u16 {
            bits
        }
        fn outcome(&self, at: &At, _: u32) -> Score {
            Score(if mixed(at.state, 8).is_multiple_of(2) { MOST } else { -MOST })
        }
    }

    impl Notation for Hashed {
        fn parse(&self, _: &str) -> Result<At, ParseError> {
            unreachable!("its positions have no texts")
        }
        fn format(&self, at: &At) -> String {
            format!("{at:?}")
        }
        fn parse_move(&self, _: &At, _: &str) -> Result<u16, ParseError> {
            unreachable!("its moves have no texts")
        }
        fn format_move(&self, _: &At, mv: u16) -> String {
            mv.to_string()
        }
    }

    impl Evaluation for Hashed {
        fn evaluation_id(&self) -> u64 {
            1
        }
        fn evaluate(&self, at: &At) -> Score {
            Score((mixed(at.state, 9 + u64::from(at.waiting)) % 1_999) as i32 - 999)
        }
        fn attainable(&self, _: u32) -> Window {
            Window { alpha: Score(-MOST), beta: Score(MOST) }
        }
    }

    impl Game for Hashed {
        const NAME: &'static str = "hashed";
    }

    fn roots() -> impl Iterator<Item = At> {
        (0..60).map(|state| At { state: mixed(state, 99) % STATES, side: 0, waiting: state % 3 == 0 })
    }

    fn variants() -> Vec<Options> {
        let usual = Options { table_mib: 1, ..Options::default() };
        [Star::One, Star::Two]
            .into_iter()
            .flat_map(|star| {
                [
                    Options { star, ..usual.clone() },
                    Options { star, table_min_depth: 1, ..usual.clone() },
                    Options { star, table_values: false, ..usual.clone() },
                    Options { star, aspiration: 60, etc_min_depth: 1, ..usual.clone() },
                ]
            })
            .collect()
    }

    #[test]
    fn the_host_is_expectiminimax() {
        let mut nodes = Vec::new();
        for options in variants() {
            let mut search = Search::full_width(Hashed, options.clone());
            let mut count = 0;
            for root in roots() {
                let outcome = search.run(&root, &Budget::Depth(4));
                for iteration in &outcome.iterations {
                    let expected = minimax(&Hashed, &root, Depth(iteration.depth));
                    assert_eq!(iteration.score, expected, "{options:?}, {root:?}, depth {}", iteration.depth);
                }
                let mut moves = Moves::<Hashed>::new();
                Hashed.moves(&root, &mut moves);
                for scored in moves.iter().filter(|_| !root.waiting) {
                    let expected = -minimax(&Hashed, &Hashed.play(&root, scored.mv), Depth(3));
                    assert_eq!(search.move_value(&root, scored.mv, Depth(4)), expected);
                    assert!(search.move_reaches(&root, scored.mv, Depth(4), expected));
                    assert!(!search.move_reaches(&root, scored.mv, Depth(4), expected + Score(1)));
                }
                count += outcome.tally.nodes;
            }
            nodes.push(count);
        }
        assert!(nodes[0] != nodes[4], "the probes do nothing: {nodes:?}");
        assert!(nodes[2] > nodes[0], "the table does nothing: {nodes:?}");
    }

    #[test]
    fn what_a_window_returns_is_a_bound() {
        let [mut inside, mut below, mut above] = [0; 3];
        for options in variants() {
            let mut search = Search::full_width(Hashed, options);
            for root in roots() {
                let exact = minimax(&Hashed, &root, Depth(3));
                for offset in [-700, -200, -40, -3, -1, 0, 1, 3, 40, 200, 700] {
                    for width in [1, 2, 30, 500] {
                        let window =
                            Window { alpha: Score(exact.0 + offset), beta: Score(exact.0 + offset + width) };
                        search.forget();
                        search.start(&[]);
                        let score =
                            search.value(&root, Depth(3), window, 0, Path { kind: Kind::Cut, ..Path::ROOT });
                        let holds = if score <= window.alpha {
                            below += 1;
                            exact <= score
                        } else if score >= window.beta {
                            above += 1;
                            exact >= score
                        } else {
                            inside += 1;
                            exact == score
                        };
                        assert!(holds, "{root:?} is worth {exact:?}, found {score:?} in {window:?}");
                    }
                }
            }
        }
        assert!(inside > 1_000 && below > 1_000 && above > 1_000, "{inside} {below} {above}");
    }

    #[test]
    fn the_least_sum_is_the_inverse_of_the_mean() {
        for weights in [1, 2, 6, 36] {
            for value in -40..=40 {
                let sum = least(Score(value), weights);
                assert!(expectation(sum, weights).0 >= value && expectation(sum - 1, weights).0 < value);
            }
        }
    }

    #[test]
    fn lines_end_before_a_throw() {
        let mut search = Search::full_width(Hashed, Options::default());
        let mut longest = 0;
        for root in roots() {
            for iteration in search.run(&root, &Budget::Depth(4)).iterations {
                let mut at = root;
                for &mv in &iteration.pv {
                    assert!(!at.waiting, "{root:?}: a move before the throw");
                    at = Hashed.play(&at, mv);
                }
                longest = longest.max(iteration.pv.len());
                let mut moves = Moves::<Hashed>::new();
                Hashed.moves(&at, &mut moves);
                assert!(at.waiting || moves.is_empty() || iteration.pv.len() == iteration.depth as usize);
            }
        }
        assert!(longest > 1, "no line got past its first move");
    }
}
