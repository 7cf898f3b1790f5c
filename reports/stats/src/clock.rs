//! What the times of searches can say: a clock ticks, and a search of no more than a tick has no time.
//!
//! The CPU clock of another program's process is read in nanoseconds where the kernel has such a clock, in ticks of 10 ms elsewhere.
//! Which one it was is seen from the times themselves. A ratio of times is made only where every
//! search took more than a tick of its clock: without the others it would be one of the longer searches.

use crate::group::Group;
use crate::labels::count;
use secateur_record::record::Record;
use std::fmt;

/// The tick of a clock that is coarse, nanoseconds.
const COARSE: u64 = 10_000_000;
/// The tick of a clock that is not.
const FINE: u64 = 1;

/// The tick of the clock that took these times, nanoseconds: the longest of which all of them are multiples.
#[must_use]
pub fn tick(times: impl Iterator<Item = u64> + Clone) -> u64 {
    let is_coarse = times.clone().all(|time| time.is_multiple_of(COARSE));
    if is_coarse { COARSE } else { FINE }
}

/// Why searches have no times that could be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Untimed {
    /// Searches of no more than a tick of the clock that timed them.
    pub below: usize,
    /// All searches that were to be compared.
    pub rows: usize,
}

impl fmt::Display for Untimed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} rows below the clock's tick", count(self.below as u64), count(self.rows as u64))
    }
}

/// Whether the searches of some arms have times that can be compared, each arm by its own clock.
///
/// # Errors
/// How many have none.
pub fn timed<'r>(arms: impl Iterator<Item = Vec<&'r Record>>) -> Result<(), Untimed> {
    let mut untimed = Untimed { below: 0, rows: 0 };
    for rows in arms {
        let tick = tick(rows.iter().map(|row| row.time_ns));
        untimed.below += rows.iter().filter(|row| row.time_ns <= tick).count();
        untimed.rows += rows.len();
    }
    if untimed.below == 0 { Ok(()) } else { Err(untimed) }
}

/// [`timed`], of these arms of a group.
///
/// # Errors
/// As of [`timed`].
pub fn timed_arms(group: &Group<'_>, arms: impl Iterator<Item = usize>) -> Result<(), Untimed> {
    timed(arms.map(|arm| group.blocks.iter().map(|block| block.rows[arm]).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::row;

    #[test]
    fn a_search_of_one_tick_has_no_time() {
        let rows = |times: &[u64]| -> Vec<Record> {
            times.iter().map(|time_ns| Record { time_ns: *time_ns, ..row("p", "s", "a", 10) }).collect()
        };
        let timed_arms = |arms: &[&[u64]]| {
            let arms: Vec<Vec<Record>> = arms.iter().map(|times| rows(times)).collect();
            timed(arms.iter().map(|rows| rows.iter().collect()))
        };
        let ms = 1_000_000;
        assert_eq!(timed_arms(&[&[20 * ms, 30 * ms], &[7, 9]]), Ok(()));
        assert_eq!(timed_arms(&[&[20 * ms, 10 * ms, 0], &[7, 9]]), Err(Untimed { below: 2, rows: 5 }));
        assert_eq!(timed_arms(&[&[0, 10 * ms + 1]]), Err(Untimed { below: 1, rows: 2 }), "no time at all");
        // A fine clock may show ten milliseconds.
        assert_eq!(timed_arms(&[&[10 * ms, 10 * ms + 1]]), Ok(()));
        let many = Untimed { below: 2_100, rows: 6_630 };
        assert_eq!(many.to_string(), "2,100 of 6,630 rows below the clock's tick");
    }
}
