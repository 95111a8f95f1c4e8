//! Many instances on many threads at the same time.

use std::sync::{Barrier, Mutex, PoisonError};
use std::thread;

use crate::fmu::Fmu;
use crate::phases::{PHASES, run};
use crate::two_instances::Play;

/// Each thread makes its instances and runs a phase with them; then the next thread takes them over.
/// All results must be those of one thread alone.
pub fn threads(fmus: &[Fmu], threads: usize, instances: usize) {
    let kind = |number: usize| (&fmus[number % fmus.len()], (number / fmus.len()) as u32);
    let alone: Vec<_> = (0..instances)
        .map(|number| {
            let (fmu, seed) = kind(number);
            run(fmu, seed)
        })
        .collect();
    let barrier = Barrier::new(threads);
    let plays: Vec<Mutex<Vec<Play<'_>>>> = (0..threads).map(|_| Mutex::default()).collect();
    let work = |thread: usize| {
        let own = |phase: usize| plays[(thread + phase) % threads].lock().unwrap_or_else(PoisonError::into_inner);
        barrier.wait();
        own(0).extend((0..instances).map(|number| {
            let (fmu, seed) = kind(number);
            Play::new(fmu, seed)
        }));
        for (number, phase) in PHASES.iter().enumerate() {
            own(number).iter_mut().for_each(phase);
            barrier.wait();
        }
        own(PHASES.len()).drain(..).map(|play| play.digest()).collect::<Vec<_>>()
    };
    let together: Vec<_> = thread::scope(|scope| {
        let work = &work;
        let handles: Vec<_> = (0..threads).map(|thread| scope.spawn(move || work(thread))).collect();
        handles.into_iter().map(|handle| handle.join().expect("a thread that ends")).collect()
    });
    for (thread, digests) in together.iter().enumerate() {
        for (number, digest) in digests.iter().enumerate() {
            let name = &kind(number).0.name;
            assert_eq!(*digest, alone[number], "{name}: instance {number} of group {thread} differs from one alone");
        }
    }
}
