//! Where finished cells wait until they are written: threads put them there, the writer takes all that there are.
//!
//! A cell that is alone for long is written at once. What comes sooner after that waits until [`INTERVAL`] is over, so that
//! one sync does for thousands of tiny cells; so much, and no more, a kill can cost. No thread that searches waits for the
//! writer, and no thread is woken for a cell that has to wait. Left out: what a cell is, and how it is written.

use crate::error::Error;
use secateur_record::store::Sealed;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Least time between two batches: a sync takes milliseconds.
pub(super) const INTERVAL: Duration = Duration::from_millis(50);

/// Cells with which a batch is full and need not wait: some megabytes of rows.
const FULL: usize = 4096;

/// The queue.
#[derive(Debug)]
pub(super) struct BatchQueue<T = Sealed> {
    held: Mutex<Held<T>>,
    /// Told when there is a first cell, when there are many, and when the last thread ends.
    changed: Condvar,
}

#[derive(Debug)]
struct Held<T> {
    cells: Vec<T>,
    /// Threads that may put something here.
    working: usize,
}

impl<T> BatchQueue<T> {
    /// An empty queue for so many threads, each of which must call [`BatchQueue::working`].
    pub(super) fn new(threads: usize) -> BatchQueue<T> {
        BatchQueue { held: Mutex::new(Held { cells: Vec::new(), working: threads }), changed: Condvar::new() }
    }

    fn held(&self) -> MutexGuard<'_, Held<T>> {
        // Nothing that is done under the lock leaves it half done.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One of the threads is at work until the value is dropped.
    pub(super) fn working(&self) -> Working<'_, T> {
        Working(self)
    }

    /// Leaves a finished cell.
    pub(super) fn put(&self, cell: T) {
        let mut held = self.held();
        held.cells.push(cell);
        if matches!(held.cells.len(), 1 | FULL) {
            self.changed.notify_one();
        }
    }

    /// Has `write` take batch after batch until every thread has ended and nothing is left, or it fails.
    pub(super) fn each(&self, mut write: impl FnMut(&[T]) -> Result<(), Error>) -> Result<(), Error> {
        let mut due = Instant::now();
        loop {
            let batch = self.batch(due);
            if batch.is_empty() {
                return Ok(());
            }
            write(&batch)?;
            due = Instant::now() + INTERVAL;
        }
    }

    /// All that there is, as soon as there is something and `due` has come or waiting is of no more use; nothing at the end.
    fn batch(&self, due: Instant) -> Vec<T> {
        let idle = |held: &mut Held<T>| held.cells.is_empty() && held.working > 0;
        let early = |held: &mut Held<T>| held.cells.len() < FULL && held.working > 0;
        let held = self.changed.wait_while(self.held(), idle).unwrap_or_else(PoisonError::into_inner);
        let wait = due.saturating_duration_since(Instant::now());
        let (mut held, _) =
            self.changed.wait_timeout_while(held, wait, early).unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut held.cells)
    }
}

/// A thread at work.
#[derive(Debug)]
pub(super) struct Working<'t, T>(&'t BatchQueue<T>);

impl<T> Drop for Working<'_, T> {
    fn drop(&mut self) {
        self.0.held().working -= 1;
        self.0.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Threads that put `each` numbers after a pause, and the batches in which they came.
    fn batches(threads: usize, each: usize, pause: Duration) -> Vec<Vec<usize>> {
        let queue = BatchQueue::new(threads);
        let mut batches = Vec::new();
        std::thread::scope(|scope| {
            for thread in 0..threads {
                let queue = &queue;
                scope.spawn(move || {
                    let _working = queue.working();
                    for at in 0..each {
                        std::thread::sleep(pause);
                        queue.put(thread * each + at);
                    }
                });
            }
            let write = |batch: &[usize]| {
                batches.push(batch.to_vec());
                Ok(())
            };
            queue.each(write).unwrap();
        });
        batches
    }

    #[test]
    fn every_cell_is_in_one_batch_and_many_share_one() {
        for threads in [1, 2, 7] {
            let start = Instant::now();
            let taken = batches(threads, 9_000, Duration::ZERO);
            // Full ones next to those that time ends; the last comes when the threads end.
            let most = 2 + start.elapsed().div_duration_f64(INTERVAL) as usize + threads * 9_000 / FULL;
            assert!(taken.len() <= most, "{} batches where {most} are enough", taken.len());
            let mut all = taken.concat();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..threads * 9_000));
        }
    }

    #[test]
    fn a_cell_waits_no_longer_than_the_interval_for_one_that_does_not_come() {
        let queue = BatchQueue::new(1);
        std::thread::scope(|scope| {
            let (sender, heard) = std::sync::mpsc::channel();
            let thread = &queue;
            scope.spawn(move || {
                let _working = thread.working();
                thread.put(1);
                thread.put(2);
                // Works on until both are written: a writer who waited for the end would never end this.
                (0..2).for_each(|_| assert!(heard.recv_timeout(Duration::from_secs(60)).is_ok()));
            });
            let write = |batch: &[i32]| {
                batch.iter().for_each(|_| sender.send(()).unwrap_or_default());
                Ok(())
            };
            queue.each(write).unwrap();
        });
    }

    #[test]
    fn the_end_is_not_waited_for_and_an_error_ends_it() {
        let start = Instant::now();
        assert!(batches(3, 0, Duration::ZERO).is_empty());
        assert_eq!(batches(1, 2, Duration::ZERO).concat(), [0, 1]);
        let queue = BatchQueue::new(1);
        queue.put(1);
        let failed = queue.each(|_| Err(Error::Usage("the disk is full".to_owned())));
        assert!(failed.is_err());
        assert!(start.elapsed() < Duration::from_secs(30), "a writer waited for what cannot come");
    }

    #[test]
    fn a_thread_that_panics_is_not_waited_for() {
        let queue: BatchQueue<()> = BatchQueue::new(1);
        let ended = std::thread::scope(|scope| {
            let thread = scope.spawn(|| {
                let _working = queue.working();
                panic!("on purpose");
            });
            queue.each(|_| Ok(())).unwrap();
            thread.join()
        });
        assert!(ended.is_err());
    }
}
