//! Progress with an estimate: a bar on a terminal, a line now and then elsewhere.
//!
//! Searches come block by block, the cheap ones often first, so that a rate of cells an hour promises too much until the
//! end. The time left is that of cells like those to come: of the same game, method set and budget, or, until there is one,
//! of the nearest budget.

use crate::cli::say::message;
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use secateur_base::visible::visible;
use secateur_record::label::Label;
use secateur_record::record::{BudgetKind, CellKey, Record};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Time between two lines where there is no terminal.
const INTERVAL: Duration = Duration::from_secs(10);

/// How far some work is.
pub struct Progress {
    bar: ProgressBar,
    start: Instant,
    /// Done before this process began; the estimate leaves it out.
    head_start: u64,
    next_line: Instant,
    /// What the rest costs, where things are known to differ in that.
    costs: Option<Costs>,
}

impl Progress {
    /// Work of `total` things, `done` of them already.
    pub fn new(total: u64, done: u64) -> Progress {
        let bar = ProgressBar::new(total).with_position(done);
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}").expect("a valid template");
        bar.set_style(style);
        bar.reset_eta();
        let start = Instant::now();
        Progress { bar, start, head_start: done, next_line: start + INTERVAL, costs: None }
    }

    /// The same of searches, whose costs are told by [`Progress::searched`].
    pub fn of_searches(total: u64, done: u64, costs: Costs) -> Progress {
        let mut progress = Progress::new(total, done);
        progress.costs = Some(costs);
        progress
    }

    /// A search is over.
    pub fn searched(&mut self, row: &Record) {
        if let Some(costs) = &mut self.costs {
            costs.searched(row);
        }
    }

    /// `done` things are done; `what` is the last.
    pub fn set(&mut self, done: u64, what: &str) {
        let left =
            self.estimate(done).map_or(String::new(), |left| format!("about {} left", HumanDuration(left)));
        let what = visible(what);
        self.bar.set_position(done);
        self.bar.set_message(format!("{left}  {what}"));
        if self.bar.is_hidden() && Instant::now() >= self.next_line {
            self.next_line = Instant::now() + INTERVAL;
            message(&format!("{done}/{} {left}  {what}\n", self.bar.length().unwrap_or(0)));
        }
    }

    /// `done` of `total` things of a phase are done; another total, or more after the last, is a new phase.
    pub fn phase(&mut self, done: u64, total: u64, what: &str) {
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
        if let Some(costs) = &self.costs {
            return costs.share().map(|share| self.start.elapsed().mul_f64(share));
        }
        let searched = done.checked_sub(self.head_start).filter(|cells| *cells > 0)?;
        let rest = self.bar.length()?.saturating_sub(done);
        Some(self.start.elapsed().mul_f64(rest as f64 / searched as f64))
    }

    /// Writes something else while the bar is out of the way.
    pub fn suspended(&self, write: impl FnOnce()) {
        self.bar.suspend(write);
    }
}

/// Takes the bar away, however the work ends.
impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Searches that cost about the same: game, budget, method set.
type Class = (Label, BudgetKind, u64, Label);

/// What searches cost and how many of them are to come.
#[derive(Default)]
pub struct Costs(BTreeMap<Class, Seen>);

/// The searches of a class.
#[derive(Clone, Copy, Default)]
struct Seen {
    /// Those to come.
    rest: u64,
    done: u64,
    /// CPU time of the latter, nanoseconds.
    time: f64,
}

impl Costs {
    /// Of the cells that are to be searched.
    pub fn of(cells: impl Iterator<Item = CellKey>) -> Costs {
        let mut all: BTreeMap<Class, Seen> = BTreeMap::new();
        for cell in cells {
            all.entry((cell.game, cell.budget_kind, cell.budget, cell.methods)).or_default().rest += 1;
        }
        Costs(all)
    }

    fn searched(&mut self, row: &Record) {
        let class = (row.game, row.budget_kind, row.budget, row.methods);
        let seen = self.0.entry(class).or_default();
        seen.rest = seen.rest.saturating_sub(1);
        seen.done += 1;
        seen.time += row.time_ns as f64;
    }

    /// What the rest costs, in units of what is done.
    fn share(&self) -> Option<f64> {
        let done: f64 = self.0.values().map(|seen| seen.time).sum();
        let rest: f64 = self.0.iter().map(|(class, seen)| seen.rest as f64 * self.mean(class)).sum();
        (done > 0.0).then(|| rest / done)
    }

    /// What a search of a class costs: the mean of its own; until there is one, of those of the nearest class that has been
    /// searched, times what a budget costs more.
    fn mean(&self, class: &Class) -> f64 {
        let far = |(game, kind, budget, methods): &Class| {
            (*kind != class.1, *game != class.0, *methods != class.3, budget.abs_diff(class.2))
        };
        let nearest = self.0.iter().filter(|(_, seen)| seen.done > 0).min_by_key(|(other, _)| far(other));
        nearest.map_or(0.0, |(other, seen)| {
            let more = if other.1 == class.1 { weight(class) / weight(other) } else { 1.0 };
            seen.time / seen.done as f64 * more
        })
    }
}

/// What a budget costs: a ply more about twice as much.
fn weight((_, kind, budget, _): &Class) -> f64 {
    match kind {
        BudgetKind::Depth => ((*budget).min(64) as f64).exp2(),
        _ => (*budget).max(1) as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cheap searches first, dear ones of another depth behind them: the estimate of a rate rises all the way.
    #[test]
    fn the_estimate_does_not_rise_all_the_way() {
        let row = |game: &str, depth: u64, methods: &str, seconds: u64| Record {
            game: game.into(),
            budget: depth,
            methods: methods.into(),
            time_ns: seconds * 1_000_000_000,
            ..Record::default()
        };
        let mut rows = Vec::new();
        for (game, depth, seconds) in
            [("othello", 4, 1), ("othello", 6, 6), ("chess", 5, 9), ("chess", 7, 40)]
        {
            for _ in 0..20 {
                rows.extend([row(game, depth, "none", 2 * seconds), row(game, depth, "mpc", seconds)]);
            }
        }
        let mut costs = Costs::of(rows.iter().map(Record::key));
        let (mut spent, mut ends, mut by_rate) = (0.0, Vec::new(), Vec::new());
        for (at, row) in rows.iter().enumerate() {
            costs.searched(row);
            spent += row.time_ns as f64;
            ends.push(spent * (1.0 + costs.share().unwrap()));
            by_rate.push(spent * rows.len() as f64 / (at + 1) as f64);
        }
        let rises = |ends: &[f64]| ends.windows(2).filter(|pair| pair[1] > 1.001 * pair[0]).count();
        assert!(rises(&ends) < 10 && rises(&by_rate) > 50, "{} {}", rises(&ends), rises(&by_rate));
        assert!((ends.last().unwrap() / spent - 1.0).abs() < 1e-9);
        assert!(Costs::of(std::iter::empty()).share().is_none());
    }
}
