//! Deliberate errors that valgrind and the thread sanitizer must report, to show that they work.

use std::thread;

use c_interface::{CInstance, CO_SIMULATION};

use crate::fmu::{Fmu, Kind};
use crate::two_instances::begin;

/// Makes an error of a kind.
pub fn commit(flaw: &str, fmu: &Fmu) {
    match flaw {
        "leak" => leak(fmu),
        "use-after-free" => use_after_free(fmu),
        "race" => race(fmu),
        "division" => crate::floating_point_exceptions::divide_by_zero(),
        _ => panic!("unknown flaw {flaw}"),
    }
}

/// Instances that are never freed.
#[inline(never)]
fn leak(fmu: &Fmu) {
    (0..10).for_each(|_| fmu.instantiate(CO_SIMULATION, false).abandon());
}

/// Strings of the library, read after it was told to replace them.
fn use_after_free(fmu: &Fmu) {
    let fmi = fmu.instantiate(CO_SIMULATION, false);
    let texts = fmu.references(|variable| variable.kind == Kind::String);
    assert!(!texts.is_empty(), "{} has no String", fmu.name);
    let (_, values) = fmi.get_string_read_after(&texts, || {
        let long = vec![b'x'; 4096];
        fmi.set_string(&texts, &vec![Some(long.as_slice()); texts.len()]);
        fmi.get_string(&texts);
    });
    println!("{values:?}");
}

struct Shared<'a>(&'a CInstance);

// SAFETY: none. FMI forbids it, and a sanitizer must see it inside the library.
unsafe impl Sync for Shared<'_> {}

/// Two threads that set one instance's values at the same time.
fn race(fmu: &Fmu) {
    let fmi = fmu.instantiate(CO_SIMULATION, false);
    begin(&fmi);
    let inputs = fmu.references(|variable| variable.is_real("input"));
    let shared = Shared(&fmi);
    let set = || {
        let Shared(fmi) = &shared;
        (0..1000).for_each(|i| {
            fmi.set_real(&inputs[..1], &[f64::from(i)]);
        });
    };
    thread::scope(|scope| [0, 1].map(|_| scope.spawn(set)).into_iter().for_each(|handle| handle.join().unwrap()));
}
