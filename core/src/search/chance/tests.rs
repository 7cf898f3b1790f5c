//! Star1 and Star2 against expectiminimax, in trees of chance where nothing else is regular.

use super::*;
use crate::game::{Chance, Evaluation, Notation, ParseError, Rules, Scored};
use crate::search::{Budget, Options, minimax};
use secateur_base::random::SplitMix;

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
