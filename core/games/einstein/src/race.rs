//! Who wins the race to the corner if nobody takes anything: a term of the evaluation.
//!
//! Zweistein (Hsueh and Hsu 2025, arXiv 2502.15547) evaluates by it; it has no parameters. Of a side, only the distances of its six
//! stones count. Alone on the board it needs X throws, a random number that dynamic programming over all 5^6 distances finds; the side to
//! throw wins the race against Y if X <= Y. The paper leaves open how a side chooses between two stones; here it
//! takes the one with the lesser mean of X, the lower stone of equals. With the die thrown, its X is that of the best move.
//! Probabilities are integers in units of 2^-24, rounded down once a step: no float, the same on every machine.
//! Left out: taking stones.

use super::board::{GONE, Position, STONES, choice, way};
use super::{CERTAIN, WIN};
use secateur_core::Score;
use std::sync::LazyLock;

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
pub(super) fn evaluate(position: &Position) -> Score {
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
    use crate::text::parse;

    fn worth(text: &str) -> i32 {
        evaluate(&parse(text).unwrap()).0
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
