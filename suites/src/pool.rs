//! Work for many items, done by several threads at once. Left out: an end to an item that is under way, which its work has to look for.

use crate::Error;
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;

/// Has `work` done for every item, in their order, by at most `jobs` threads, until `stop` is set; `take` hears of each by its index
/// what came of it.
///
/// # Errors
/// The first of `take`; what is under way then is finished and not heard of.
pub fn each<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    stop: &AtomicBool,
    work: impl Fn(&T) -> R + Sync,
    take: impl FnMut(usize, R) -> Result<(), Error>,
) -> Result<(), Error> {
    each_by(&mut vec![(); jobs.clamp(1, items.len().max(1))], items, stop, |(), item| work(item), take)
}

/// What `work` makes of every item, in their order: by workers that each keep something from one item to the next, on which no result
/// may depend.
pub fn all_by<W: Send, T: Sync, R: Send>(
    workers: &mut [W],
    items: &[T],
    work: impl Fn(&mut W, &T) -> R + Sync,
) -> Vec<R> {
    let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
    let Ok(()) =
        each_by::<_, _, _, Infallible>(workers, items, &AtomicBool::new(false), work, |at, result| {
            results[at] = Some(result);
            Ok(())
        });
    results.into_iter().flatten().collect()
}

fn each_by<W: Send, T: Sync, R: Send, E>(
    workers: &mut [W],
    items: &[T],
    stop: &AtomicBool,
    work: impl Fn(&mut W, &T) -> R + Sync,
    mut take: impl FnMut(usize, R) -> Result<(), E>,
) -> Result<(), E> {
    let (next, halt) = (AtomicUsize::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let (sender, receiver) = channel();
        for worker in workers {
            let (sender, next, halt, work) = (sender.clone(), &next, &halt, &work);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) && !halt.load(Ordering::Relaxed) {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { return };
                    if sender.send((at, work(worker, item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        while let Ok((at, result)) = receiver.recv() {
            let taken = take(at, result);
            if taken.is_err() {
                halt.store(true, Ordering::Relaxed);
                return taken;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_done_once_and_the_first_error_ends_it() {
        let items: Vec<usize> = (0..50).collect();
        let on = AtomicBool::new(false);
        for jobs in [0, 1, 7, 99] {
            let mut heard = Vec::new();
            let take = |at, square| {
                heard.push((at, square));
                Ok(())
            };
            each(&items, jobs, &on, |item| item * item, take).unwrap();
            heard.sort_unstable();
            assert!(heard.iter().copied().eq((0..50).map(|at| (at, at * at))), "{jobs} jobs");
        }
        let mut heard = 0;
        let fails = |at, _: usize| {
            heard += 1;
            if at == 3 { Err(Error::Count("no".to_owned())) } else { Ok(()) }
        };
        assert!(each(&items, 1, &on, |item| *item, fails).is_err());
        assert_eq!(heard, 4, "after an error nothing is heard");
        each(&items, 2, &AtomicBool::new(true), |item| *item, |_, _| panic!("it was stopped")).unwrap();
    }
}
