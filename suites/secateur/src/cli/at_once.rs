//! Games at a time: how many, and whether each has a core of its own.

use secateur_arena::play::Limit;
use secateur_suites::instruments::cores::{Reserved, games_at_a_time, physical, reserve};
use secateur_suites::instruments::machine::cores;

/// How games are played at a time.
pub struct AtOnce {
    /// How many, at least 1.
    pub jobs: usize,
    reserved: Option<Reserved>,
    by_clock: bool,
}

impl AtOnce {
    /// As many as asked for; else all cores for games that no clock decides, and all physical cores but one for others, which then
    /// have a core each where the system binds them.
    pub fn of(asked: Option<usize>, limit: Limit) -> AtOnce {
        let by_clock = !limit.repeats();
        let jobs = asked.unwrap_or_else(|| if by_clock { games_at_a_time() } else { cores() });
        let reserved = if by_clock { reserve(jobs) } else { None };
        AtOnce { jobs, reserved, by_clock }
    }

    /// A logical processor for each game; none where they are not bound.
    pub fn cores(&self) -> &[usize] {
        self.reserved.as_ref().map_or(&[], |reserved| &reserved.processors)
    }

    /// `3 at a time, each on a core of its own`.
    pub fn words(&self) -> String {
        let count = format!("{} at a time", self.jobs);
        if !self.by_clock {
            return count;
        }
        let physical = physical().len();
        match &self.reserved {
            Some(_) => format!("{count}, each on a core of its own"),
            None if physical == 0 => format!("{count}, on no core of their own: this system binds none"),
            None if self.jobs > physical => {
                format!(
                    "{count}, on {physical} physical cores: games wait for each other while their clocks run"
                )
            }
            None => format!("{count}, on no core of their own: another run has it"),
        }
    }
}
