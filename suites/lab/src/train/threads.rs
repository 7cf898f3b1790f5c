//! Work shared out to threads in runs of equal length, with the results in the order of the items.

/// What `work` makes of every item. Each thread has a state of its own, which is made here, as games need not be shared; `work` must
/// not depend on what was done with it before, so that the results do not depend on `threads`.
pub(crate) fn shared_out<I: Sync, S: Send, T: Send>(
    items: &[I],
    threads: usize,
    state: impl Fn() -> S,
    work: impl Fn(&mut S, &I) -> T + Sync,
) -> Vec<T> {
    let share = items.len().div_ceil(threads.max(1)).max(1);
    let work = &work;
    std::thread::scope(|scope| {
        let run = |items| {
            let mut state = state();
            scope.spawn(move || {
                let results: Vec<T> = <[I]>::iter(items).map(|item| work(&mut state, item)).collect();
                results
            })
        };
        let threads: Vec<_> = items.chunks(share).map(run).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a training thread panicked")).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order_whatever_the_threads() {
        let items: Vec<usize> = (0..23).collect();
        for threads in [0, 1, 2, 7, 23, 50] {
            let doubled = shared_out(&items, threads, || 2, |factor, item| *factor * item);
            assert_eq!(doubled, items.iter().map(|item| 2 * item).collect::<Vec<_>>());
            assert!(shared_out(&items[..0], threads, || (), |(), item| *item).is_empty());
        }
    }
}
