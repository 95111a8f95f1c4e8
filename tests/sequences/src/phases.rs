//! One pass through all functions of the C interface: a list of phases, so that many instances can be interleaved and can
//! change the thread between phases.

use c_interface::Status;

use crate::fmu::{Fmu, Kind, Variable};
use crate::two_instances::{Play, begin};
use crate::{co_simulation, fmi3, mistakes, model_exchange};

/// The first phases, whose calls are those of a usual run.
pub const REGULAR: &[fn(&mut Play<'_>)] = PHASES.split_at(7).0;

/// The phases in their order.
pub const PHASES: &[fn(&mut Play<'_>)] = &[
    initialise,
    co_simulation::steps,
    co_simulation::states,
    co_simulation::derivatives,
    model_exchange::integrate,
    model_exchange::states,
    fmi3::phase,
    mistakes::refused_calls,
    mistakes::damaged_states,
    mistakes::nulls,
    mistakes::trouble,
    again,
    finish,
];

/// All phases; gives the digest.
pub fn run(fmu: &Fmu, seed: u32) -> u64 {
    let mut play = Play::new(fmu, seed);
    PHASES.iter().for_each(|phase| phase(&mut play));
    play.digest()
}

/// Sets every value that can be set to its current value, and initialises.
fn initialise(play: &mut Play<'_>) {
    for fmi in [&play.co_simulation, &play.model_exchange] {
        let settable = |variable: &Variable| {
            ["parameter", "input"].contains(&variable.causality.as_str()) && variable.variability != "constant"
        };
        let of_kind = |kind| play.fmu.references(|variable| settable(variable) && variable.kind == kind);
        let reals = of_kind(Kind::Real);
        assert_eq!(fmi.set_real(&reals, &fmi.get_real(&reals).1), Status::Ok, "{:?}", fmi.messages());
        let integers = of_kind(Kind::Integer);
        assert_eq!(fmi.set_integer(&integers, &fmi.get_integer(&integers).1), Status::Ok);
        let items = of_kind(Kind::Enumeration);
        assert_eq!(fmi.set_items(&items, &fmi.get_items(&items).1), Status::Ok);
        let booleans = of_kind(Kind::Boolean);
        assert_eq!(fmi.set_boolean(&booleans, &fmi.get_boolean(&booleans).1), Status::Ok);
        let texts = of_kind(Kind::String);
        let values: Vec<_> = fmi.get_string(&texts).1.into_iter().map(|text| text.map(String::into_bytes)).collect();
        let values: Vec<_> = values.iter().map(Option::as_deref).collect();
        assert_eq!(fmi.set_string(&texts, &values), Status::Ok);
        begin(fmi);
    }
    let snapshots = [play.snapshot(&play.co_simulation), play.snapshot(&play.model_exchange)];
    play.note(snapshots);
}

/// After all that, a reset instance behaves like a new one.
fn again(play: &mut Play<'_>) {
    let fmu = play.fmu;
    let new = Play::new(fmu, play.seed);
    let mut digests = [0; 2];
    for (digest, fmi) in digests.iter_mut().zip([&play.co_simulation, &new.co_simulation]) {
        assert_eq!(fmi.reset(), Status::Ok);
        begin(fmi);
        for step in 0..3 {
            co_simulation::step(play, fmi, step);
        }
        *digest = play.snapshot(fmi);
    }
    assert_eq!(digests[0], digests[1], "{}: a reset instance differs from a new one", fmu.name);
    play.note(digests);
}

fn finish(play: &mut Play<'_>) {
    assert_eq!(play.co_simulation.terminate(), Status::Ok);
    play.note_messages();
}
