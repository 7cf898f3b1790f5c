//! How many positions there are with so many pieces, by a formula that knows nothing of how positions are numbered here.
//!
//! A man of either side may stand on 28 squares, 24 of them open to men of both; kings on any. Boards with pieces of one side
//! alone count, as they do in the numbers that Chinook's authors published (Schaeffer et al. 2007, supporting text).

/// Squares of the board.
const SQUARES: u64 = 32;
/// Squares on which men of both sides may stand.
const SHARED: u64 = 24;
/// Squares on which men of one side alone may stand: the row that they begin from.
const OWN: u64 = 4;

/// Ways to choose `k` of `n`.
fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |product, at| product * n.saturating_sub(at) / (at + 1))
}

/// Positions with exactly so many pieces of both sides together, 1 to 10, for one side to move.
#[must_use]
pub fn positions(pieces: u64) -> u64 {
    let mut sum = 0;
    for black in 0..=pieces {
        for white in 0..=pieces - black {
            let men: u64 = (0..=black.min(OWN))
                .map(|home| {
                    choose(OWN, home)
                        * choose(SHARED, black - home)
                        * choose(SHARED + OWN + home - black, white)
                })
                .sum();
            let left = SQUARES - black - white;
            let kings = pieces - black - white;
            sum += (0..=kings).map(|us| men * choose(left, us) * choose(left - us, kings - us)).sum::<u64>();
        }
    }
    sum
}

/// Those of them with pieces of one side alone, whose value is known without a database.
#[must_use]
pub fn one_sided(pieces: u64) -> u64 {
    let kings = |men: u64| choose(SQUARES - men, pieces - men);
    2 * (0..=pieces).map(|men| choose(SHARED + OWN, men) * kings(men)).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chinook's numbers.
    #[test]
    fn the_formula_gives_the_published_counts() {
        let published = [
            120,
            6_972,
            261_224,
            7_092_774,
            148_688_232,
            2_503_611_964,
            34_779_531_480,
            406_309_208_481,
            4_048_627_642_976,
            34_778_882_769_216,
        ];
        assert_eq!([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(positions), published);
        assert_eq!(one_sided(1), positions(1));
    }
}
