//! Getting and setting Real, Integer and Boolean values and stepping never allocate.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use fmu_builder::Settings;
use fmu_runtime::ffi::Callback;
use fmu_runtime::instance::Instance;
use fmu_runtime::instantiate::{Request, instantiate};
use fmu_runtime::lifecycle::{Call, Interface};
use fmu_runtime::log::Status;
use fmu_runtime::{Machine, Outcome, declaration, describe, machine};

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, counting on each thread.
struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

// SAFETY: every call is handed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the caller keeps to what `alloc` demands.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the pointer comes from `alloc` above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

fn instance(machine: fn() -> Box<dyn Machine>, interface: Interface) -> Box<Instance> {
    let describe = |text: &str| Ok(describe(|text| declaration(machine().as_mut(), text), text).expect("a description"));
    let guid = Settings::default().resolve(&describe).unwrap().guid;
    let request = Request {
        name: Some("instance"),
        interface: Some(interface),
        guid: Some(&guid),
        location: None,
        callback: Callback::SILENT,
        logging_on: true,
    };
    let mut instance = instantiate(machine(), request, None).expect("an instance");
    call(&mut instance, Call::fmi2SetupExperiment, &mut |instance| instance.setup_experiment(None, 0.0, Some(1e3)));
    call(&mut instance, Call::fmi2EnterInitializationMode, &mut Instance::enter_initialization_mode);
    call(&mut instance, Call::fmi2ExitInitializationMode, &mut Instance::exit_initialization_mode);
    instance
}

fn call(instance: &mut Instance, call: Call, body: &mut dyn FnMut(&mut Instance) -> Outcome) {
    assert_eq!(instance.call(call, body), Status::Ok, "{call:?}");
}

/// Allocations while `work` runs for the second time; the first run may make room for good.
fn allocations(mut work: impl FnMut(f64)) -> usize {
    work(0.0);
    let before = COUNT.get();
    work(1.0);
    COUNT.get() - before
}

/// Value references of all variables of the base types.
struct All {
    reals: Vec<u32>,
    inputs: Vec<u32>,
    integers: Vec<u32>,
    booleans: Vec<u32>,
}

fn step_often(mut instance: Box<Instance>, all: &All) -> usize {
    let mut reals = vec![0.0; all.reals.len()];
    let mut integers = vec![0; all.integers.len()];
    let mut booleans = vec![0; all.booleans.len()];
    let (mut inputs, mut point) = (vec![0.0; all.inputs.len()], 0.0);
    allocations(|_| {
        for _ in 0..100 {
            let instance = &mut instance;
            call(instance, Call::fmi2GetReal, &mut |instance| instance.get_real(&all.inputs, &mut inputs));
            inputs[0] += 1e-4;
            call(instance, Call::fmi2SetReal, &mut |instance| instance.set_real(&all.inputs, &inputs));
            call(instance, Call::fmi2GetInteger, &mut |instance| instance.get_integer(&all.integers, &mut integers));
            call(instance, Call::fmi2SetInteger, &mut |instance| instance.set_integer(&all.integers, &integers));
            call(instance, Call::fmi2GetBoolean, &mut |instance| instance.get_boolean(&all.booleans, &mut booleans));
            call(instance, Call::fmi2SetBoolean, &mut |instance| instance.set_boolean(&all.booleans, &booleans));
            call(instance, Call::fmi2DoStep, &mut |instance| instance.do_step(point, 0.01));
            point += 0.01;
            call(instance, Call::fmi2GetReal, &mut |instance| instance.get_real(&all.reals, &mut reals));
        }
    })
}

fn all(machine: fn() -> Box<dyn Machine>) -> All {
    use fmu_runtime::description::{Causality, Kind};
    let description = describe(|text| declaration(machine().as_mut(), text), "").expect("a description");
    let of = |wanted: fn(&Kind) -> bool, causality: Option<Causality>| {
        let variables = description.variables.iter().filter(|variable| wanted(&variable.kind));
        let variables = variables.filter(|variable| causality.is_none_or(|causality| causality == variable.causality));
        variables.map(|variable| variable.value_reference).collect()
    };
    let is_real = |kind: &Kind| matches!(kind, Kind::Real { .. });
    All {
        reals: of(is_real, None),
        inputs: of(is_real, Some(Causality::Input)),
        integers: of(|kind| matches!(kind, Kind::Integer { .. } | Kind::Enumeration { .. }), None),
        booleans: of(|kind| matches!(kind, Kind::Boolean { .. }), None),
    }
}

#[test]
fn the_counter_counts() {
    assert!(allocations(|_| drop(vec![1_u8])) > 0);
}

#[test]
fn design_6_the_bushing_steps_without_allocating() {
    let machine = machine::<bushing::Bushing<f64>>;
    assert_eq!(step_often(instance(machine, Interface::CoSimulation), &all(machine)), 0);
}
