//! Calls of one kind after another, for callgrind to count their instructions.

use std::hint::black_box;

use c_interface::{CO_SIMULATION, FmuState, Status};

use crate::fmu::{Fmu, Variable};
use crate::two_instances::{H, Play, begin};

/// callgrind dumps its counts whenever this function is entered.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn between_sections(number: u32) {
    black_box(number);
}

/// Each kind of call as often as `count`, in the order of the xtask's table.
///
/// Everything is called once before, so that no symbols are resolved and no memory is allocated while counting.
pub fn calls(fmu: &Fmu, count: u32) {
    let play = Play::new(fmu, 0);
    let fmi = fmu.instantiate(CO_SIMULATION, false);
    begin(&fmi);
    // The motion is computed beforehand, since callgrind is slow.
    let motion: Vec<_> = (0..count).map(|step| play.motion(Variable::is_continuous, step).1).collect();
    let (references, _) = play.motion(Variable::is_continuous, 0);
    let outputs = fmu.references(|variable| variable.is_real("output"));
    let all: Vec<_> = references.iter().chain(outputs.iter()).copied().cycle().take(50).collect();
    let many: Vec<_> = references.iter().copied().cycle().take(50).collect();
    let (_, starts) = fmi.get_real(&references);
    let (_, many_starts) = fmi.get_real(&many);
    let (one, mut value) = (&references[..1], [0.0]);
    let mut values = vec![0.0; 50];
    let mut loads = vec![0.0; outputs.len()];
    let mut state = FmuState::NULL;
    let mut time = 0.0;
    let mut sections: [&mut dyn FnMut(usize) -> Status; 6] = [
        &mut |_| fmi.get_real_into(one, &mut value),
        &mut |_| fmi.get_real_into(&all, &mut values),
        &mut |_| fmi.set_real(one, &starts[..1]),
        &mut |_| fmi.set_real(&many, &many_starts),
        &mut |step| {
            assert_eq!(fmi.set_real(&references, &motion[step]), Status::Ok);
            assert_eq!(fmi.do_step(time, H), Status::Ok, "{:?}", fmi.messages());
            time += H;
            fmi.get_real_into(&outputs, &mut loads)
        },
        &mut |_| {
            assert_eq!(fmi.get_state(&mut state), Status::Ok);
            fmi.set_state(state)
        },
    ];
    for (number, section) in sections.iter_mut().enumerate() {
        assert_eq!(section(0), Status::Ok);
        between_sections(number as u32);
        (0..count as usize).for_each(|step| assert_eq!(section(step), Status::Ok));
        between_sections(number as u32);
    }
    assert_eq!(fmi.free_state(&mut state), Status::Ok);
    println!("{}", fmu.name);
}
