//! The evaluation: the race, where every stone stands, how often the die lets it move, and what may take it.
//!
//! A sum of weights in logits of winning, mapped to a score by a table. All terms are seen from the side to throw or to move, so a position
//! and its mirror are worth the same; cells count up to reflection. The race is one term among them, a curve through
//! knots of its score. Numbers are integers and were learnt from games of the program against itself (`train einstein` of
//! the commands); the table was rounded once, when they were written, so that no float is asked here. Left out: how stones stand to each
//! other beyond who takes whom next.
//!
//! The race: who is first in the corner if nothing is taken. Zweistein (Hsueh and Hsu 2025, arXiv
//! 2502.15547) evaluates by it; it has no parameters. Of a side, only the distances of its six stones count. Alone on the
//! board it needs X throws, a random number that dynamic programming over all 5^6 distances finds; the side to throw wins the
//! race against Y if X <= Y. The paper leaves open how a side chooses between two stones; here it takes the one with the
//! lesser mean of X, the lower stone of equals. With the die thrown, its X is that of the best move. Probabilities are
//! integers in units of 2^-24, rounded down once a step: no float, the same on every machine. Left out: taking stones.

use crate::board::{GONE, Position, SQUARES, STONES, choice, targets, way};
use crate::{CERTAIN, WIN};
use secateur_core::Score;
use std::sync::{Arc, LazyLock};

/// Knots of the curve over the score of the race, and scores between two of them.
const KNOTS: usize = 33;
const SPAN: i32 = 2 * WIN / (KNOTS as i32 - 1);
/// Cells of the board up to reflection, by the longer and the shorter way that is left.
const CELLS: usize = 15;
/// Numbers of the die that let a stone move, 0 to 6.
const FACES: usize = 7;
/// Steps to the corner, 1 to 4.
const STEPS: usize = 4;

/// Where the terms begin: the race before and after the throw, cells by side and stone, and by side and steps the numbers that let a stone
/// move and those that let the other side take it.
const CELL: usize = RACE;
const MOBILE: usize = CELL + 2 * STONES * CELLS;
const TAKEN: usize = MOBILE + 2 * STEPS * FACES;
/// Weights of the race alone, which come first: its curve before the throw and after it.
pub const RACE: usize = 2 * KNOTS;
/// Weights in all.
pub const WEIGHTS: usize = TAKEN + 2 * STEPS * FACES;
/// What a term counts that is there once; terms of the race count parts of it.
pub const ONCE: i32 = SPAN;

/// A logit in the units of weights.
pub const LOGIT: i32 = 1_024;
/// Knots of the table from logits to scores, and units between two of them: up to eight logits.
pub const SQUASHED: usize = 129;
const STRIDE: i32 = 64;

/// Beyond this a race counts as no surer when learning begins: the logit of certainty has no end.
const SURE: i32 = WIN - WIN / 100;

/// Numbers of the evaluation: weights, and the table from logits to scores.
#[derive(Debug)]
pub struct Weights {
    weights: Vec<i16>,
    squash: Vec<i16>,
    id: u64,
}

static EMBEDDED: LazyLock<Arc<Weights>> = LazyLock::new(|| {
    let bytes = include_bytes!("../data/einstein.weights");
    Arc::new(Weights::read(bytes).expect("the file of the build is whole"))
});

impl Weights {
    /// The numbers that come along.
    pub fn embedded() -> Arc<Weights> {
        Arc::clone(&EMBEDDED)
    }

    /// From weights in [`LOGIT`]ths; `None` unless there are [`WEIGHTS`] of them. Scores rise from 0 at even as the winning
    /// probability does.
    pub fn new(weights: Vec<i16>) -> Option<Weights> {
        let score = |knot: usize| {
            let logit = f64::from(STRIDE) * knot as f64 / f64::from(LOGIT);
            (f64::from(WIN) * (logit / 2.0).tanh()).round() as i16
        };
        Weights::made(weights, (0..SQUASHED).map(score).collect())
    }

    /// Weights that say of every position what its race says, as near as the knots allow: what learning begins with.
    pub fn race() -> Vec<i16> {
        let knot = |knot: i32| {
            let score = f64::from((knot * SPAN - WIN).clamp(-SURE, SURE)) / f64::from(WIN);
            (2.0 * score.atanh() * f64::from(LOGIT)).round() as i16
        };
        (0..WEIGHTS).map(|weight| if weight < RACE { knot((weight % KNOTS) as i32) } else { 0 }).collect()
    }

    fn made(weights: Vec<i16>, squash: Vec<i16>) -> Option<Weights> {
        let fits = weights.len() == WEIGHTS && squash.len() == SQUASHED && squash.is_sorted();
        let mut id = 0xcbf2_9ce4_8422_2325_u64;
        for &number in weights.iter().chain(&squash) {
            id = (id ^ u64::from(number.cast_unsigned())).wrapping_mul(0x0100_0000_01b3);
        }
        fits.then_some(Weights { weights, squash, id })
    }

    /// Reads what [`Weights::to_bytes`] wrote; `None` of anything else.
    pub fn read(bytes: &[u8]) -> Option<Weights> {
        let number = |pair: &[u8]| i16::from_le_bytes([pair[0], pair[1]]);
        let numbers: Vec<i16> = bytes.chunks_exact(2).map(number).collect();
        let is_whole = bytes.len() == 2 * (WEIGHTS + SQUASHED);
        is_whole.then(|| Weights::made(numbers[..WEIGHTS].to_vec(), numbers[WEIGHTS..].to_vec()))?
    }

    /// The file: weights, then the table, 16 bits each, the lower byte first.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.weights.iter().chain(&self.squash).flat_map(|number| number.to_le_bytes()).collect()
    }

    /// Hash of all numbers.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// What the weights say of a position that is not over, for the side to throw or to move.
    pub fn evaluate(&self, position: &Position) -> Score {
        let mut sum = 0;
        terms(position, |weight, count| sum += i32::from(self.weights[weight]) * count);
        let logits = sum / ONCE;
        let (knot, part) = (logits.abs() / STRIDE, logits.abs() % STRIDE);
        let at = |knot: i32| i32::from(self.squash[(knot as usize).min(SQUASHED - 1)]);
        let score = at(knot) + (at(knot + 1) - at(knot)) * part / STRIDE;
        Score((logits.signum() * score).clamp(-CERTAIN, CERTAIN))
    }
}

/// The place of a cell up to reflection.
fn cell(side: usize, square: u8) -> usize {
    let (files, ranks) = way(side, square);
    let (long, short) = (usize::from(files.max(ranks)), usize::from(files.min(ranks)));
    long * (long + 1) / 2 + short
}

/// How many numbers of the die let each stone of a side move.
fn faces(position: &Position, side: usize) -> [usize; STONES] {
    let mut faces = [0; STONES];
    // Of the one to move the die is thrown, if it is.
    if side == position.side() && position.die != 0 {
        let movers = position.movers();
        (0..STONES).for_each(|stone| faces[stone] = usize::from(movers >> stone & 1) * (FACES - 1));
        return faces;
    }
    // Numbers of stones that are gone let both neighbours move.
    let (mut lower, mut gone) = (None, 0);
    for (stone, &square) in position.squares[side].iter().enumerate() {
        if square == GONE {
            gone += 1;
        } else {
            faces[stone] = 1 + gone;
            if let Some(lower) = lower.replace(stone) {
                faces[lower] += gone;
            }
            gone = 0;
        }
    }
    if let Some(lower) = lower {
        faces[lower] += gone;
    }
    faces
}

/// Every term of a position that is not over: its weight, and how much of it there is, in parts of [`ONCE`].
pub fn terms(position: &Position, mut term: impl FnMut(usize, i32)) {
    let ahead = race(position).0 + WIN;
    let knot = usize::from(position.die != 0) * KNOTS + (ahead / SPAN) as usize;
    term(knot, SPAN - ahead % SPAN);
    term(knot + 1, ahead % SPAN);
    let mover = position.side();
    let faces = [faces(position, mover), faces(position, 1 - mover)];
    // By the side to move first: how many numbers let a stone of the other take the stone on a square.
    let mut takers = [[0; SQUARES as usize]; 2];
    for (seen, side) in [1 - mover, mover].into_iter().enumerate() {
        for (&square, numbers) in position.squares[side].iter().zip(faces[1 - seen]) {
            if square != GONE {
                targets(side, square).for_each(|target| takers[seen][usize::from(target)] += numbers);
            }
        }
    }
    for (seen, side) in [mover, 1 - mover].into_iter().enumerate() {
        for (stone, &square) in position.squares[side].iter().enumerate() {
            if square == GONE {
                continue;
            }
            let place = cell(side, square);
            let (files, ranks) = way(side, square);
            let steps = usize::from(files.max(ranks)).max(1) - 1;
            term(CELL + (seen * STONES + stone) * CELLS + place, ONCE);
            term(MOBILE + (seen * STEPS + steps) * FACES + faces[seen][stone], ONCE);
            let numbers = takers[seen][usize::from(square)];
            term(TAKEN + (seen * STEPS + steps) * FACES + numbers.min(FACES - 1), ONCE);
        }
    }
}

// Sums of weights times counts stay within 32 bits: two knots and three terms a stone.
const _: () = assert!((i16::MAX as i64) * (ONCE as i64) * (1 + 3 * 12) < i32::MAX as i64);
const _: () = assert!(2 * WIN % (KNOTS as i32 - 1) == 0);

/// Certainty.
const ONE: u32 = 1 << 24;
/// More throws than any side needs: six stones four steps away arrive with the nineteenth at the latest.
const THROWS: usize = 20;
/// Distances of a stone: taken, or 1 to 4 steps from the corner.
const DISTANCES: usize = 5;

/// How probable it is to have arrived after 0, 1, 2, ... throws.
type Arrived = [u32; THROWS];

/// The numbers of all distances of one side.
struct Races(Vec<Arrived>);

/// Place of a stone in the index of a side's distances.
const PLACE: [usize; STONES] = [1, 5, 25, 125, 625, 3_125];

/// Steps to the corner, diagonal ones allowed; 0 for a stone that was taken.
fn distance(side: usize, square: u8) -> usize {
    if square == GONE {
        return 0;
    }
    let (files, ranks) = way(side, square);
    usize::from(files.max(ranks))
}

fn index(side: usize, squares: &[u8; STONES]) -> usize {
    squares.iter().zip(PLACE).map(|(&square, place)| distance(side, square) * place).sum()
}

impl Races {
    fn new() -> Races {
        let count = DISTANCES.pow(STONES as u32);
        let mut races = Races(vec![[0; THROWS]; count]);
        // A step lowers the index, so all that a side can come to is known before it.
        for index in 1..count {
            let mut sums = [0_u64; THROWS];
            for die in 1..=STONES as u8 {
                let next = races.best(index, choice(&stand(index), die));
                for throws in 1..THROWS {
                    sums[throws] += u64::from(next[throws - 1]);
                }
            }
            races.0[index] = sums.map(|sum| (sum / STONES as u64) as u32);
        }
        races
    }

    /// What comes after the better step of those that `movers` may make.
    fn best(&self, index: usize, movers: u8) -> &Arrived {
        const HOME: &Arrived = &[ONE; THROWS];
        let stones = (0..STONES).filter(|stone| movers >> stone & 1 == 1);
        let after = stones.map(|stone| match index / PLACE[stone] % DISTANCES {
            1 => HOME,
            _ => &self.0[index - PLACE[stone]],
        });
        // The sooner it has arrived, the more of it: the sum falls as the mean grows.
        let soon = |arrived: &Arrived| arrived.iter().map(|&part| u64::from(part)).sum::<u64>();
        after
            .reduce(|best, other| if soon(other) > soon(best) { other } else { best })
            .expect("a stone is left")
    }
}

/// Stones at the distances of an index, on squares that tell whether they are there.
fn stand(index: usize) -> [u8; STONES] {
    PLACE.map(|place| if (index / place).is_multiple_of(DISTANCES) { GONE } else { 0 })
}

static RACES: LazyLock<Races> = LazyLock::new(Races::new);

/// What the race says of a position that is not over, for the side to throw or to move.
fn race(position: &Position) -> Score {
    let (races, side) = (&*RACES, position.side());
    let mover = index(side, &position.squares[side]);
    let other = &races.0[index(1 - side, &position.squares[1 - side])];
    let mut won = 0_i64;
    let mut add = |throws: usize, probability: u32| {
        // With the n-th own throw, if the other has not arrived with its first n - 1.
        won += i64::from(probability) * i64::from(ONE - other[throws - 1]);
    };
    if position.die == 0 {
        let arrived = &races.0[mover];
        (1..THROWS).for_each(|throws| add(throws, arrived[throws] - arrived[throws - 1]));
    } else {
        let arrived = races.best(mover, position.movers());
        add(1, arrived[0]);
        (2..THROWS).for_each(|throws| add(throws, arrived[throws - 1] - arrived[throws - 2]));
    }
    let certain = i64::from(ONE) * i64::from(ONE);
    let score = (2 * won - certain) / (certain / i64::from(WIN));
    Score((score as i32).clamp(-CERTAIN, CERTAIN))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Einstein;
    use crate::board::choice;
    use secateur_core::game::{Notation, ParseError};

    fn parse(text: &str) -> Result<Position, ParseError> {
        Einstein::default().parse(text)
    }

    fn positions() -> Vec<Position> {
        let texts = [
            "..CBA/...ED/6...F/45.../123.. b -",
            "..CBA/...ED/6...F/45.../123.. r 4",
            "...../..1../.2B../.A.../..... r -",
            "..1../...3./..B../.A.../..... r 1",
            "...A./..1../...2./.B.../..... b 6",
        ];
        texts.map(|text| parse(text).unwrap()).into()
    }

    /// With weights of all terms different, no two that symmetry does not join may be taken for each other.
    #[test]
    fn mirrors_and_reflections_are_worth_the_same() {
        let weights =
            Weights::new((0..WEIGHTS as i16).map(|weight| weight * 37 % 401 - 200).collect()).unwrap();
        let mut values = std::collections::BTreeSet::new();
        for pos in positions() {
            let value = weights.evaluate(&pos);
            assert_eq!(weights.evaluate(&pos.mirrored()), value);
            assert_eq!(weights.evaluate(&pos.reflected()), value);
            assert_eq!(weights.evaluate(&pos.with_die(pos.plain_die())), value);
            values.insert(value.0);
        }
        assert!(values.len() >= 4, "{values:?}");
    }

    #[test]
    fn the_race_alone_is_the_race() {
        let weights = Weights::new(Weights::race()).unwrap();
        for pos in positions() {
            let (race, learnt) = (race(&pos).0, weights.evaluate(&pos).0);
            assert!((race - learnt).abs() < 300, "{race} {learnt}");
        }
    }

    #[test]
    fn files_are_read_back_and_others_refused() {
        let weights = Weights::new((0..WEIGHTS as i16).collect()).unwrap();
        let bytes = weights.to_bytes();
        let reread = Weights::read(&bytes).unwrap();
        assert_eq!((reread.id(), reread.to_bytes()), (weights.id(), bytes.clone()));
        assert!(Weights::read(&bytes[1..]).is_none() && Weights::new(vec![0; 3]).is_none());
        assert!(Weights::embedded().id() != weights.id());
    }

    #[test]
    fn the_weights_of_the_build_are_those_of_their_provenance() {
        let text = include_str!("../data/einstein.provenance.toml");
        assert!(text.contains(&format!("\nweights = \"{:016x}\"\n", Weights::embedded().id())), "{text}");
    }

    /// Neither side can be surer than sure, whatever the weights.
    #[test]
    fn evaluations_stay_below_a_win() {
        for extreme in [i16::MAX, -i16::MAX] {
            let weights = Weights::new(vec![extreme; WEIGHTS]).unwrap();
            for pos in positions() {
                assert_eq!(weights.evaluate(&pos).0, i32::from(extreme.signum()) * 9_993);
            }
        }
    }

    /// What a stone's numbers are: of two stones left, each moves with those on its side and with those between.
    #[test]
    fn numbers_of_the_die_are_counted() {
        let pos = parse("...../...../...../25.../....A b -").unwrap();
        assert_eq!(faces(&pos, 0), [0, 4, 0, 0, 4, 0]);
        assert_eq!(faces(&pos.with_die(1), 0), [0, 6, 0, 0, 0, 0]);
        assert_eq!(faces(&pos.with_die(1), 1), [6, 0, 0, 0, 0, 0]);
        for left in 1_u8..64 {
            let square = |stone: usize| if left >> stone & 1 == 1 { stone as u8 } else { GONE };
            let squares = std::array::from_fn(square);
            let movers = (1..=6).map(|number| choice(&squares, number));
            let counted = movers.fold([0; STONES], |sums: [usize; STONES], movers| {
                std::array::from_fn(|stone| sums[stone] + usize::from(movers >> stone & 1))
            });
            assert_eq!(faces(&Position { squares: [squares; 2], ..pos }, 0), counted, "{left:06b}");
        }
    }

    fn worth(text: &str) -> i32 {
        race(&parse(text).unwrap()).0
    }

    #[test]
    fn races_of_single_stones_are_counted() {
        // Two steps against two: who throws wins. A step behind: it loses.
        assert_eq!(worth("...../...../..1../..A../..... b -"), CERTAIN);
        assert_eq!(worth("...../...../..1../..A../..... r 5"), CERTAIN);
        assert_eq!(worth("...../...../..1../.A.../..... b 2"), -CERTAIN);
    }

    #[test]
    fn a_race_of_two_stones_goes_by_the_die() {
        // Blue arrives at once with 1 (stone 1, one step) or later; 2 to 6 move stone 2, four steps away. Red needs one throw.
        let before = worth("...../...1./...../.A.../2.... b -");
        assert_eq!(
            before,
            ((2 * i64::from(ONE / 6) - i64::from(ONE)) * i64::from(WIN) / i64::from(ONE)) as i32
        );
        assert_eq!(worth("...../...1./...../.A.../2.... b 1"), CERTAIN);
        assert_eq!(worth("...../...1./...../.A.../2.... b 4"), -CERTAIN);
    }

    #[test]
    fn every_race_ends() {
        assert!(RACES.0[1..].iter().all(|arrived| arrived[0] == 0 && arrived[THROWS - 1] == ONE));
        assert!(RACES.0[1..].iter().all(|arrived| arrived.is_sorted()));
    }
}
