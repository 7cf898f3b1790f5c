//! Progress with an estimate: a bar on a terminal, a line now and then elsewhere.

use crate::say::complain;
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

/// Time between two lines where there is no terminal.
const INTERVAL: Duration = Duration::from_secs(10);

/// How far some work is.
pub(crate) struct Progress {
    bar: ProgressBar,
    start: Instant,
    /// Done before this process began; the estimate leaves it out.
    head_start: u64,
    next_line: Instant,
}

impl Progress {
    /// Work of `total` things, `done` of them already.
    pub(crate) fn new(total: u64, done: u64) -> Progress {
        let bar = ProgressBar::new(total).with_position(done);
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}").expect("a valid template");
        bar.set_style(style);
        bar.reset_eta();
        let start = Instant::now();
        Progress { bar, start, head_start: done, next_line: start + INTERVAL }
    }

    /// `done` things are done; `what` is the last.
    pub(crate) fn set(&mut self, done: u64, what: &str) {
        let left =
            self.estimate(done).map_or(String::new(), |left| format!("about {} left", HumanDuration(left)));
        self.bar.set_position(done);
        self.bar.set_message(format!("{left}  {what}"));
        if self.bar.is_hidden() && Instant::now() >= self.next_line {
            self.next_line = Instant::now() + INTERVAL;
            complain(&format!("{done}/{} {left}  {what}\n", self.bar.length().unwrap_or(0)));
        }
    }

    /// `done` of `total` things of a phase are done; another total, or more after the last, is a new phase.
    pub(crate) fn phase(&mut self, done: u64, total: u64, what: &str) {
        self.restart(total);
        self.set(done, what);
    }

    fn restart(&mut self, total: u64) {
        if self.bar.length() != Some(total) || self.bar.position() >= total {
            self.bar.set_length(total);
            self.start = Instant::now();
            self.head_start = 0;
        }
    }

    /// Time left if the rest goes on at the rate of this process so far.
    fn estimate(&self, done: u64) -> Option<Duration> {
        let own = done.checked_sub(self.head_start).filter(|own| *own > 0)?;
        let rest = self.bar.length()?.saturating_sub(done);
        Some(self.start.elapsed().mul_f64(rest as f64 / own as f64))
    }

    /// Writes something else while the bar is out of the way.
    pub(crate) fn beside(&self, write: impl FnOnce()) {
        self.bar.suspend(write);
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
