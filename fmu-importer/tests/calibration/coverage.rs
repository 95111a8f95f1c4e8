//! Intervals hold the truth as often as they say.

use std::num::NonZero;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use super::recovery::{Truth, fit, measure};
use super::{Case, EXAMPLES};

/// Number of trials.
const TRIALS: u64 = 100;

/// Trials of 95 % intervals in which the truth may be outside: five are expected, more than ten have a probability of 1 %.
const MISSES: usize = 10;

/// Errors of measurement as a part of the root mean square of each output.
const NOISE: f64 = 0.02;

/// Fits each example to data with other errors again and again.
#[test]
#[ignore = "expensive: three hundred fits"]
fn intervals_of_95_percent_hold_the_truth() {
    for (name, component, truth) in EXAMPLES {
        let next = AtomicU64::new(0);
        let work = || {
            let case = Case::of_example(name, component);
            let truths = Truth::of(&case, name);
            let mut misses = vec![0; truth.len()];
            loop {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if seed >= TRIALS {
                    return misses;
                }
                measure(&case, &truths, NOISE, seed);
                let found = fit(&case);
                for ((misses, (_, value)), [low, high]) in misses.iter_mut().zip(truth).zip(&found.intervals) {
                    *misses += usize::from(!(low..=high).contains(&value));
                }
            }
        };
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let misses = thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            let all: Vec<Vec<usize>> = workers.into_iter().map(|worker| worker.join().unwrap()).collect();
            (0..truth.len()).map(|number| all.iter().map(|own| own[number]).sum()).collect::<Vec<usize>>()
        });
        println!("{name}: of {TRIALS} intervals of each parameter, {misses:?} do not hold the truth");
        for ((parameter, _), misses) in truth.iter().zip(&misses) {
            assert!(*misses <= MISSES, "{name}: {misses} of {TRIALS} intervals of {parameter} do not hold the truth");
        }
    }
}
