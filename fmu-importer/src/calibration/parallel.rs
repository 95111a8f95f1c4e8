//! Tasks on several threads.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Returns the results of tasks by their numbers, several of which are made at a time.
pub fn results<R: Send>(tasks: usize, threads: usize, one: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut own = Vec::new();
        loop {
            let task = next.fetch_add(1, Ordering::Relaxed);
            if task >= tasks {
                return own;
            }
            own.push((task, one(task)));
        }
    };
    let mut all = thread::scope(|scope| {
        let others: Vec<_> = (1..threads.min(tasks)).map(|_| scope.spawn(work)).collect();
        let mut all = work();
        for other in others {
            all.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        all
    });
    all.sort_by_key(|(task, _)| *task);
    all.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_task_is_made_once_and_results_are_in_their_order() {
        for (tasks, threads) in [(0, 2), (1, 4), (7, 1), (100, 3)] {
            assert_eq!(results(tasks, threads, |task| task), (0..tasks).collect::<Vec<_>>());
        }
    }
}
