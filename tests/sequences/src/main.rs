//! Function sequences on unpacked FMUs, to be run as they are, under valgrind, or as the instrumented
//! host of instrumented libraries; `cargo xtask sequences` and `cargo xtask instructions` do that.
//!
//! Usage: `sequences run | standards | traps | instances COUNT | threads THREADS INSTANCES | calls COUNT | flaw KIND
//! FOLDER=LIBRARY ...`. A number that is wrong panics.

mod calls;
mod co_simulation;
mod floating_point_exceptions;
mod fmi3;
mod fmu;
mod memory;
mod mistakes;
mod model_exchange;
mod phases;
mod seeded_errors;
mod standards;
mod threads;
mod two_instances;

use std::hint::black_box;
use std::panic::set_hook;
use std::process::exit;

fn main() {
    // Otherwise other threads would wait at a barrier for the one that failed.
    set_hook(Box::new(|panic| {
        eprintln!("{panic}");
        exit(101)
    }));
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize| -> usize { arguments[index].parse().expect("a number") };
    let first = match arguments.first().map(String::as_str) {
        Some("run" | "standards" | "traps") => 1,
        Some("instances" | "calls" | "flaw") => 2,
        Some("threads") => 3,
        other => panic!("unknown command {other:?}"),
    };
    let fmus = fmu::open_all(&arguments[first..]);
    match arguments[0].as_str() {
        "run" => fmus.iter().for_each(|fmu| println!("{}: {:016x}", fmu.name, phases::run(fmu, 0))),
        "standards" => standards::compare(&fmus),
        "traps" => floating_point_exceptions::run(&fmus),
        "instances" => fmus.iter().for_each(|fmu| memory::instances(fmu, number(1))),
        "calls" => fmus.iter().for_each(|fmu| calls::calls(fmu, number(1) as u32)),
        "threads" => threads::threads(&fmus, number(1), number(2)),
        _ => seeded_errors::commit(&arguments[1], &fmus[0]),
    }
    // When a library is unloaded, memory that it keeps until the end would look like a leak.
    black_box(&fmus);
    exit(0)
}
