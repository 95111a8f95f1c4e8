//! Memory that instances leave behind.

use c_interface::{CO_SIMULATION, FmuState, Status};

use crate::fmu::Fmu;
use crate::two_instances::{H, begin};

/// Makes, uses and frees instances; less than one byte for each may remain.
pub fn instances(fmu: &Fmu, count: usize) {
    // The allocator and the library allocate some memory for good at first.
    (0..count / 10).for_each(|_| one(fmu));
    let left_by = |count: usize| {
        let before = resident();
        (0..count).for_each(|_| one(fmu));
        resident().saturating_sub(before)
    };
    let mut left = left_by(count);
    if left >= count {
        // Memory that the allocator keeps is not allocated a second time.
        left = left_by(count);
    }
    println!("{}: {count} instances leave {left} bytes", fmu.name);
    assert!(left < count, "{}: instances leave {} bytes each", fmu.name, left / count);
}

fn one(fmu: &Fmu) {
    let fmi = fmu.instantiate(CO_SIMULATION, true);
    begin(&fmi);
    let mut state = FmuState::NULL;
    assert_eq!(fmi.get_state(&mut state), Status::Ok);
    assert_eq!(fmi.do_step(0.0, H), Status::Ok);
    assert_eq!(fmi.set_state(state), Status::Ok);
    assert_eq!(fmi.free_state(&mut state), Status::Ok);
    // With a message.
    assert_eq!(fmi.do_step(-1.0, H), Status::Error);
}

/// Bytes of this process in memory, without files.
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/smaps_rollup").expect("Linux tells the memory of a process");
    let line = text.lines().find_map(|line| line.strip_prefix("Anonymous:")).expect("a line Anonymous");
    line.trim().trim_end_matches(" kB").parse::<usize>().expect("a number") * 1024
}
