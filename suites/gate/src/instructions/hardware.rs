//! The counter of retired instructions that most processors have and Linux gives to programs (perf_event_open).
//!
//! It runs at the speed of the search, counts user mode of the searching thread alone, and wobbles by some
//! hundreds; it is absent in many virtual machines and forbidden in many containers.

use super::Count;
use super::program::{self, Line};
use std::io;
use std::path::Path;
use std::process::Command;

/// An open counter of the calling thread.
pub struct Counter(
    #[cfg(target_os = "linux")] perf_event::Counter,
    /// There is none: nobody has one of these.
    #[cfg(not(target_os = "linux"))]
    std::convert::Infallible,
);

impl Counter {
    /// Opens the counter.
    ///
    /// # Errors
    /// Why there is none, on one line.
    #[cfg(not(target_os = "linux"))]
    pub fn open() -> Result<Counter, String> {
        Err("the processor's instruction counter is read on Linux only".to_owned())
    }

    /// Opens the counter.
    ///
    /// # Errors
    /// Why there is none, on one line.
    #[cfg(target_os = "linux")]
    pub fn open() -> Result<Counter, String> {
        use perf_event::events::Hardware;
        let counter = perf_event::Builder::new(Hardware::INSTRUCTIONS).build();
        counter.map(Counter).map_err(|error| {
            let hint = match error.kind() {
                io::ErrorKind::PermissionDenied => "forbidden; try: sysctl kernel.perf_event_paranoid=2",
                _ => "virtual machines often have none; use --instructions=callgrind",
            };
            format!("the processor's instruction counter is not available ({error}): {hint}")
        })
    }

    /// Instructions of `work`.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn around(&mut self, _: impl FnOnce()) -> io::Result<u64> {
        match self.0 {}
    }

    /// Instructions of `work`.
    #[cfg(target_os = "linux")]
    pub(super) fn around(&mut self, work: impl FnOnce()) -> io::Result<u64> {
        self.0.reset()?;
        self.0.enable()?;
        work();
        self.0.disable()?;
        self.0.read()
    }
}

/// Whether the counter can be opened.
///
/// # Errors
/// Why not, on one line.
pub(super) fn available() -> Result<(), String> {
    Counter::open().map(drop)
}

/// Counts the instructions of cells in one process.
pub(super) fn count(program: &Path, suite: &str, cells: &[usize]) -> Result<Vec<Count>, String> {
    let mut command = Command::new(program);
    command.arg("--hardware").args(program::arguments(suite, cells));
    let lines = program::lines(&mut command)?;
    let count = |(&cell, line): (&usize, &Line)| match line.instructions {
        Some(instructions @ 1..) if line.cell == cell => Ok(Count { cell, nodes: line.nodes, instructions }),
        found => Err(format!("the processor counted {found:?} instructions for cell {cell}")),
    };
    if lines.len() != cells.len() {
        return Err(format!("found {} counts for {} cells", lines.len(), cells.len()));
    }
    cells.iter().zip(&lines).map(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counter_counts_or_says_why_not() {
        match Counter::open() {
            Err(reason) => assert!(reason.contains("not available") && !reason.contains('\n'), "{reason}"),
            Ok(mut counter) => {
                let mut sum = |n: u64| {
                    counter.around(|| {
                        std::hint::black_box((0..n).map(std::hint::black_box).sum::<u64>());
                    })
                };
                let (few, many) = (sum(1_000).unwrap(), sum(100_000).unwrap());
                assert!(many > 50 * few && few > 1_000, "{few}, {many}");
            }
        }
    }
}
