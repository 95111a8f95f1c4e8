//! Calls while floating-point exceptions are trapped, as in importers that look for them: a division by zero, an invalid operation
//! or an overflow ends the process, even if its result is not used.

use crate::co_simulation;
use crate::fmu::Fmu;
use crate::phases::REGULAR;
use crate::two_instances::Play;

/// Steps beyond those of the phases.
const STEPS: u32 = 300;

/// All regular calls of each FMU, with its name before them, since the process may end there. Threads have the traps of the one
/// that starts them.
pub fn run(fmus: &[Fmu]) {
    trap();
    for fmu in fmus {
        println!("{}", fmu.name);
        let mut play = Play::new(fmu, 0);
        REGULAR.iter().for_each(|phase| phase(&mut play));
        for _ in 0..STEPS {
            co_simulation::step(&play, &play.co_simulation, play.step);
            play.step += 1;
        }
    }
}

/// Makes what must not happen in an FMU: shows that it is noticed.
pub fn divide_by_zero() {
    trap();
    println!("{}", std::hint::black_box(1.0) / std::hint::black_box(0.0));
}

#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
fn trap() {
    unsafe extern "C" {
        safe fn feenableexcept(exceptions: std::ffi::c_int) -> std::ffi::c_int;
    }
    const INVALID: i32 = 1;
    const DIVIDED_BY_ZERO: i32 = 4;
    const OVERFLOW: i32 = 8;
    assert_ne!(feenableexcept(INVALID | DIVIDED_BY_ZERO | OVERFLOW), -1);
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu")))]
fn trap() {
    panic!("traps are enabled with the C library of GNU on x86-64 only");
}
