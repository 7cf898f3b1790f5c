//! How long to think: the arithmetic of a clock, without a clock.
//!
//! An unfinished iteration changes nothing, so what matters is not to begin one that will not be finished. The
//! soft end is therefore a forecast of the next iteration against an ideal; the hard end only keeps the flag up.

use super::command::Go;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// Moves that a clock without a move count must still last for.
const HORIZON: u32 = 30;
/// A forecast may run over the ideal by this factor, and by the second where the best move has just changed.
const STRETCH: [u32; 2] = [2, 3];
/// The hard end is at most this many times the ideal.
const HARD: u32 = 4;
/// Growth of the time of an iteration over the one before that a forecast may assume, per cent.
const GROWTH: (u128, u128) = (150, 600);

/// Wall time since the first call.
pub fn wall() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// How long one move may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    /// What the move should take, if it is for the engine to choose.
    pub(crate) ideal: Option<Duration>,
    /// When the search is cut off.
    pub(crate) hard: Option<Duration>,
}

impl Plan {
    /// The plan of side 0 (White) or 1 for a move that `overhead` passes on the way.
    ///
    /// On a clock, of the time left without overhead, a share by the moves to come and three quarters of the
    /// increment; cut off at four times that, or at 2 / (n + 1) of the time left with n <= 4 moves to come. Byoyomi is there for every
    /// move on top of that; where it is all that is left, it is used up.
    pub(crate) fn new(go: &Go, side: usize, overhead: Duration) -> Plan {
        if go.infinite {
            return Plan::default();
        }
        // A move time that the overhead would eat up is at least half kept.
        let fixed = go.move_time.map(|time| time.saturating_sub(overhead).max(time / 2));
        let Some(clock) = go.clock[side].or(go.clock[1 - side]) else {
            return Plan { ideal: None, hard: fixed };
        };
        if clock.is_zero() && !go.byoyomi.is_zero() {
            let free = go.byoyomi.saturating_sub(overhead).max(go.byoyomi / 2);
            return Plan { ideal: None, hard: Some(fixed.map_or(free, |fixed| fixed.min(free))) };
        }
        Plan::on_clock(go, side, (clock, overhead), fixed)
    }

    /// The plan where there is time on the clock.
    fn on_clock(
        go: &Go,
        side: usize,
        (clock, overhead): (Duration, Duration),
        fixed: Option<Duration>,
    ) -> Plan {
        let left = clock.saturating_sub(overhead);
        let moves = go.moves_to_go.unwrap_or(HORIZON).clamp(1, HORIZON);
        // What the clock cannot bear of the overhead, byoyomi must.
        let byoyomi = go.byoyomi.saturating_sub(overhead.saturating_sub(clock));
        let ideal = left / moves + go.increment[side] * 3 / 4 + byoyomi;
        let hard = (ideal * HARD).min(left * 2 / (moves.min(4) + 1) + byoyomi);
        let hard = fixed.map_or(hard, |fixed| fixed.min(hard));
        Plan { ideal: Some(ideal.min(hard)), hard: Some(hard) }
    }
}

/// Decides after every iteration whether the next one is worth beginning.
#[derive(Clone, Debug)]
pub(crate) struct Pace<M> {
    plan: Plan,
    forced: bool,
    /// Time at the end of the last three iterations, latest first.
    ends: [Duration; 3],
    best: Option<M>,
}

impl<M: Copy + PartialEq> Pace<M> {
    /// `forced`: there is one move only, and nothing to think about.
    pub(crate) fn new(plan: Plan, forced: bool) -> Pace<M> {
        Pace { plan, forced, ends: [Duration::ZERO; 3], best: None }
    }

    /// Hears that an iteration ended `elapsed` after the start with this best move; whether to go on.
    pub(crate) fn onward(&mut self, elapsed: Duration, best: Option<M>) -> bool {
        self.onward_from(Some(Duration::ZERO), elapsed, best)
    }

    /// The same where the clock began to run `begun` after the start of the search: with nothing, while it does not run,
    /// the search goes on.
    pub(crate) fn onward_from(
        &mut self,
        begun: Option<Duration>,
        elapsed: Duration,
        best: Option<M>,
    ) -> bool {
        let changed = best != self.best;
        self.best = best;
        self.ends = [elapsed, self.ends[0], self.ends[1]];
        let (Some(begun), Some(ideal), Some(hard)) = (begun, self.plan.ideal, self.plan.hard) else {
            return true;
        };
        let end = (ideal * STRETCH[usize::from(changed)]).min(hard);
        !self.forced && elapsed < begun + ideal && self.forecast() <= begun + end
    }

    /// When the next iteration would end, if it grows as the last one did.
    fn forecast(&self) -> Duration {
        let [now, before, first] = self.ends;
        let (last, earlier) = (now.saturating_sub(before), before.saturating_sub(first));
        let growth = last.as_nanos() * 100 / earlier.as_nanos().max(1);
        let growth = growth.clamp(GROWTH.0, GROWTH.1) as u32;
        now + last * growth / 100
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(number: u64) -> Duration {
        Duration::from_millis(number)
    }

    fn clock(left: u64, increment: u64, moves: Option<u32>) -> Go {
        let increment = [ms(increment), ms(0)];
        Go { clock: [Some(ms(left)), Some(ms(7))], increment, moves_to_go: moves, ..Go::default() }
    }

    fn plan(go: &Go) -> (u64, u64) {
        let plan = Plan::new(go, 0, ms(10));
        let micros = |time: Option<Duration>| time.unwrap().as_micros() as u64;
        (micros(plan.ideal), micros(plan.hard))
    }

    #[test]
    fn a_share_of_the_clock_and_most_of_the_increment() {
        assert_eq!(plan(&clock(1000, 10, None)), (40_500, 162_000));
        assert_eq!(plan(&clock(60_010, 0, None)), (2_000_000, 8_000_000));
        assert_eq!(plan(&clock(40_010, 0, Some(40))), (40_000_000 / 30, 4 * 40_000_000 / 30));
    }

    #[test]
    fn the_last_moves_before_a_control_share_what_is_left() {
        assert_eq!(plan(&clock(1010, 0, Some(1))), (1_000_000, 1_000_000));
        assert_eq!(plan(&clock(1010, 0, Some(2))), (500_000, 666_666));
        assert_eq!(plan(&clock(1010, 0, Some(4))), (250_000, 400_000));
    }

    #[test]
    fn byoyomi_comes_on_top_of_the_clock_and_is_used_up_without_one() {
        let go = |left, byoyomi| Go { byoyomi: ms(byoyomi), ..clock(left, 0, None) };
        let alone = |byoyomi| Plan::new(&go(0, byoyomi), 0, ms(10));
        assert_eq!(alone(150), Plan { ideal: None, hard: Some(ms(140)) });
        assert_eq!(alone(12), Plan { ideal: None, hard: Some(ms(6)) });
        assert_eq!(alone(4), Plan { ideal: None, hard: Some(ms(2)) });
        // 3 s of clock are 100 ms a move, and 150 ms are there for each.
        assert_eq!(plan(&go(3_010, 150)), (250_000, 1_000_000));
        for left in 0..2000 {
            let plan = Plan::new(&go(left, 100), 0, ms(10));
            assert!(plan.hard.unwrap() + ms(10) <= ms(left + 100), "{left}");
        }
    }

    #[test]
    fn no_clock_is_overrun() {
        assert_eq!(plan(&clock(20, 100, None)), (4000, 4000), "an increment comes after the move");
        assert_eq!(plan(&clock(5, 0, None)), (0, 0));
        for left in 0..2000 {
            for moves in [None, Some(1), Some(2), Some(3), Some(9), Some(99)] {
                for increment in [0, 10, 500] {
                    let (ideal, hard) = plan(&clock(left, increment, moves));
                    assert!(ideal <= hard && hard <= 1000 * left.saturating_sub(10));
                }
            }
        }
    }

    #[test]
    fn a_game_at_one_second_and_ten_milliseconds_never_runs_out() {
        // Every move takes all that the hard end allows, and the whole overhead is lost on the way.
        let mut left = ms(1000);
        for _ in 0..400 {
            let go = Go { clock: [Some(left), None], increment: [ms(10), ms(0)], ..Go::default() };
            let used = Plan::new(&go, 0, ms(10)).hard.unwrap() + ms(10);
            assert!(used < left, "{left:?}");
            left = left - used + ms(10);
        }
    }

    #[test]
    fn a_move_time_is_kept_and_other_limits_read_no_clock() {
        let fixed = |time| Plan::new(&Go { move_time: Some(ms(time)), ..Go::default() }, 0, ms(10));
        assert_eq!(fixed(100), Plan { ideal: None, hard: Some(ms(90)) });
        assert_eq!(fixed(12), Plan { ideal: None, hard: Some(ms(6)) });
        assert_eq!(Plan::new(&Go { depth: Some(3), ..Go::default() }, 1, ms(10)), Plan::default());
        assert_eq!(Plan::new(&Go { infinite: true, ..clock(9, 9, None) }, 0, ms(1)), Plan::default());
        let other = Go { clock: [None, Some(ms(3010))], ..Go::default() };
        assert_eq!(
            Plan::new(&other, 0, ms(10)).ideal,
            Some(ms(100)),
            "a clock of the other side is better than none"
        );
    }

    /// Ends of iterations, milliseconds, and whether the last of them leads to another.
    fn onward(ideal: u64, ends: &[u64], moves: &[u8]) -> bool {
        let plan = Plan { ideal: Some(ms(ideal)), hard: Some(ms(4 * ideal)) };
        let mut pace = Pace::new(plan, false);
        let mut last = true;
        for (&end, &mv) in ends.iter().zip(moves) {
            last = pace.onward(ms(end), Some(mv));
        }
        last
    }

    #[test]
    fn an_iteration_begins_only_if_it_will_probably_end() {
        // 10, then 30 more: the next should take 90 and end at 130.
        assert!(onward(65, &[0, 10, 40], &[1, 1, 1]));
        assert!(!onward(64, &[0, 10, 40], &[1, 1, 1]));
        assert!(onward(44, &[0, 10, 40], &[1, 1, 2]), "a new best move is worth waiting for");
        assert!(!onward(43, &[0, 10, 40], &[1, 1, 2]));
        assert!(!onward(40, &[0, 39, 40], &[1, 1, 1]), "the ideal is reached");
    }

    #[test]
    fn pondering_takes_no_time_and_what_it_found_out_is_used() {
        let plan = Plan { ideal: Some(ms(65)), hard: Some(ms(260)) };
        let mut pace = Pace::new(plan, false);
        for end in [0, 1000] {
            assert!(pace.onward_from(None, ms(end), Some(1)), "no clock runs");
        }
        // The next would take three times the 3,000 of this one.
        assert!(!pace.onward_from(Some(ms(3990)), ms(4000), Some(1)));
        let after = |end| {
            let mut pace = Pace::new(plan, false);
            pace.onward_from(None, ms(0), Some(1));
            pace.onward_from(None, ms(10), Some(1));
            pace.onward_from(Some(ms(20)), ms(end), Some(1))
        };
        // 32 after 10 leads to 102, which ends at 144; 33 to 108 and 151. Twice the ideal is 150 here.
        assert!(after(42) && !after(43));
        assert!(!after(85), "the ideal is reached");
    }

    #[test]
    fn a_forced_move_is_played_and_a_fixed_time_is_used_up() {
        let plan = Plan { ideal: Some(ms(500)), hard: Some(ms(900)) };
        assert!(!Pace::new(plan, true).onward(ms(0), Some(1)));
        assert!(Pace::new(Plan { ideal: None, hard: Some(ms(1)) }, true).onward(ms(999), Some(1)));
    }
}
