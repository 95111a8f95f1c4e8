//! Getting and setting Real, Integer and Boolean values and stepping never allocate.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::mem::MaybeUninit;

use fmu_builder::describe;
use fmu_builder::description::{Causality, Description, Variability, Variable, VariableType};
use fmu_runtime::arrays::ArrayType;
use fmu_runtime::lifecycle::{Call, Interface};
use fmu_runtime::log::Status;
use fmu_runtime::{ComponentModel, DeclarationRequest, Instance, Outcome, component_model, declaration};
use fmu_tests::in_process;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, counting on each thread.
struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

// SAFETY: every call is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the caller satisfies the requirements of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the pointer comes from `alloc` above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

fn instance(component_model: fn() -> Box<dyn ComponentModel>, description: &Description) -> Instance {
    let mut instance = in_process::instance(component_model(), description, Interface::CoSimulation);
    call(&mut instance, Call::fmi2SetupExperiment, &mut |instance| instance.setup_experiment(None, 0.0, Some(1e3)));
    call(&mut instance, Call::fmi2EnterInitializationMode, &mut Instance::enter_initialization_mode);
    call(&mut instance, Call::fmi2ExitInitializationMode, &mut Instance::exit_initialization_mode);
    instance
}

fn call(instance: &mut Instance, call: Call, body: &mut dyn FnMut(&mut Instance) -> Outcome) {
    assert_eq!(instance.call(call, body), Status::Ok, "{call:?}");
}

/// Stores the results of a call.
fn fill<V>(output: &mut [V], values: impl Iterator<Item = V>) -> Outcome {
    output.iter_mut().zip(values).for_each(|(place, value)| *place = value);
    Ok(())
}

/// Returns the allocations while `work` runs for the second time; the first run may allocate for good.
fn allocations(mut work: impl FnMut()) -> usize {
    work();
    let before = COUNT.get();
    work();
    COUNT.get() - before
}

/// Returns the allocations of forty steps in which all values are set and read. `drive` moves Real and Boolean inputs;
/// it gets the number of the step, too.
fn allocations_of_steps(
    component_model: fn() -> Box<dyn ComponentModel>,
    structure: &str,
    drive: impl Fn(&mut [f64], &mut [i32], usize),
) -> usize {
    let ask = |request: DeclarationRequest<'_>| declaration(component_model().as_mut(), request);
    let description = describe(ask, DeclarationRequest::new(structure)).expect("a description");
    let all = |wanted: &dyn Fn(&Variable) -> bool| -> Vec<u32> {
        let variables = description.variables.iter().filter(|variable| wanted(variable));
        variables.map(|variable| variable.value_reference).collect()
    };
    let is_boolean = |variable: &Variable| matches!(variable.kind, VariableType::Boolean { .. });
    let is_input = |variable: &Variable| variable.causality == Causality::Input;
    let real_vr = all(&Variable::is_real);
    let is_tunable = |variable: &Variable| {
        variable.causality == Causality::Parameter && variable.variability == Variability::Tunable
    };
    let tunable_vr = all(&|variable| variable.is_real() && is_tunable(variable));
    let input_vr = all(&|variable| variable.is_real() && is_input(variable));
    let integer_vr =
        all(&|variable| matches!(variable.kind, VariableType::Integer { .. } | VariableType::Enumeration { .. }));
    let boolean_vr = all(&is_boolean);
    let switch_vr = all(&|variable| is_boolean(variable) && is_input(variable));
    let (mut reals, mut inputs) = (vec![0.0; real_vr.len()], vec![0.0; input_vr.len()]);
    let mut tunables = vec![0.0; tunable_vr.len()];
    let (mut integers, mut booleans) = (vec![0; integer_vr.len()], vec![0; boolean_vr.len()]);
    let mut switches = vec![0; switch_vr.len()];
    let mut output = vec![MaybeUninit::uninit(); real_vr.len()];

    let mut instance = instance(component_model, &description);
    let instance = &mut instance;
    let mut point = 0.0;
    allocations(|| {
        for i in 0..40 {
            call(instance, Call::fmi2GetReal, &mut |instance| fill(&mut inputs, instance.get_real(&input_vr)?));
            drive(&mut inputs, &mut switches, i);
            call(instance, Call::fmi2SetReal, &mut |instance| instance.set_real(&input_vr, &inputs));
            call(instance, Call::fmi2GetReal, &mut |instance| fill(&mut tunables, instance.get_real(&tunable_vr)?));
            tunables.iter_mut().for_each(|value| *value *= 1.001);
            call(instance, Call::fmi2SetReal, &mut |instance| instance.set_real(&tunable_vr, &tunables));
            call(instance, Call::fmi2GetInteger, &mut |instance| {
                fill(&mut integers, instance.get_integer(ArrayType::Int32, &integer_vr, integer_vr.len())?)
            });
            call(instance, Call::fmi2SetInteger, &mut |instance| {
                instance.set_integer(ArrayType::Int32, &integer_vr, &integers)
            });
            call(instance, Call::fmi2GetBoolean, &mut |instance| {
                fill(&mut booleans, instance.get_boolean(&boolean_vr, boolean_vr.len())?.map(i32::from))
            });
            call(instance, Call::fmi2SetBoolean, &mut |instance| instance.set_boolean(&boolean_vr, &booleans));
            call(instance, Call::fmi2SetBoolean, &mut |instance| instance.set_boolean(&switch_vr, &switches));
            call(instance, Call::fmi2DoStep, &mut |instance| instance.do_step(point, 0.01).map(drop));
            point += 0.01;
            call(instance, Call::fmi2GetReal, &mut |instance| fill(&mut reals, instance.get_real(&real_vr)?));
            assert!(instance.try_get_cached_reals(&real_vr, &mut output));
            assert!(instance.try_set_reals_fast(&input_vr, &inputs));
            call(instance, Call::fmi2GetReal, &mut |instance| fill(&mut reals, instance.get_real(&real_vr)?));
        }
    })
}

/// Makes a small change of the first input.
fn creep(inputs: &mut [f64], _: &mut [i32], _: usize) {
    inputs[0] += 1e-4;
}

#[test]
fn the_allocator_counts_an_allocation() {
    assert!(allocations(|| drop(vec![1_u8])) > 0);
}

#[test]
fn design_6_the_bushing_is_stepped_without_allocating() {
    assert_eq!(allocations_of_steps(component_model::<bushing::Bushing<f64>>, "", creep), 0);
}

#[test]
fn design_6_the_gripper_is_switched_without_allocating() {
    let switch = |inputs: &mut [f64], switches: &mut [i32], i: usize| {
        creep(inputs, switches, i);
        switches.fill(i32::from((i / 7).is_multiple_of(2)));
    };
    assert_eq!(allocations_of_steps(component_model::<gripper::Gripper<f64>>, "", switch), 0);
}

/// In each form the normal force appears and vanishes, and the drive changes its direction.
#[test]
fn design_6_the_clutch_and_the_brake_are_stepped_without_allocating() {
    let drive = |inputs: &mut [f64], _: &mut [i32], i: usize| {
        let last = inputs.len() - 1;
        inputs[0] = if i % 20 < 15 { 1.0 } else { 0.0 };
        inputs[last] = if i % 6 < 3 { 5.0 } else { -5.0 };
    };
    let clutch = component_model::<clutch::Clutch<f64>>;
    let brake = component_model::<brake::Brake<f64>>;
    for form in [["torque_in", "torque_in"], ["motion_in", "torque_in"], ["motion_in", "motion_in"]] {
        let [a, b] = form;
        let structure = format!("structure flange_a {a}\nstructure flange_b {b}\n");
        assert_eq!(allocations_of_steps(clutch, &structure, drive), 0, "{form:?}");
        let structure = format!("structure flange_a {a}\nstructure useSupport true\nstructure support {b}\n");
        assert_eq!(allocations_of_steps(brake, &structure, drive), 0, "{form:?}");
    }
    assert_eq!(allocations_of_steps(brake, "", drive), 0);
}

#[test]
fn design_6_the_joints_are_stepped_without_allocating() {
    let joints: [fn() -> Box<dyn ComponentModel>; 7] = [
        component_model::<joint_rrp::JointRRP<f64>>,
        component_model::<joint_rrr::JointRRR<f64>>,
        component_model::<joint_ssp::JointSSP<f64>>,
        component_model::<joint_ssr::JointSSR<f64>>,
        component_model::<joint_ups::JointUPS<f64>>,
        component_model::<joint_usp::JointUSP<f64>>,
        component_model::<joint_usr::JointUSR<f64>>,
    ];
    for joint in joints {
        assert_eq!(allocations_of_steps(joint, "", creep), 0, "{}", joint().info().name);
    }
}

/// A recorded evaluation has its memory from the last one; only the result is allocated, and freed again.
#[test]
fn adjoint_derivatives_keep_their_memory() {
    let model = component_model::<bushing::Bushing<f64>>;
    let ask = |request: DeclarationRequest<'_>| declaration(model().as_mut(), request);
    let description = describe(ask, DeclarationRequest::new("")).expect("a description");
    let all = |causality: Causality| -> Vec<u32> {
        let variables = description.variables.iter();
        let wanted = variables.filter(|variable| variable.is_real() && variable.causality == causality);
        wanted.map(|variable| variable.value_reference).collect()
    };
    let (inputs, outputs) = (all(Causality::Input), all(Causality::Output));
    let seeds = vec![1.0; outputs.len()];
    let mut instance = instance(model, &description);
    let mut at = 0.0;
    let count = allocations(|| {
        at += 1e-3;
        instance.set_real(&inputs[..1], &[at]).expect("an input");
        let found = instance.adjoint_derivative(&outputs, &inputs, &seeds, inputs.len()).expect("derivatives");
        assert_eq!(found.len(), inputs.len());
    });
    assert_eq!(count, 2);
}

#[test]
fn design_6_the_sample_is_stepped_without_allocating() {
    assert_eq!(allocations_of_steps(component_model::<sample::Sample<f64>>, "", creep), 0);
}

/// Two brakes hold one shaft redundantly, a clutch closes and opens, a spring is stiff.
#[test]
fn design_6_a_system_is_stepped_without_allocating() {
    let parts = [
        ("a.type", "Inertia"),
        ("b.type", "Inertia"),
        ("c.type", "Inertia"),
        ("clutch.type", "Clutch"),
        ("clutch.flange_a", "a.flange_b"),
        ("clutch.flange_b", "b.flange_a"),
        ("one.type", "Brake"),
        ("one.flange_a", "b.flange_b"),
        ("other.type", "Brake"),
        ("other.flange_a", "b.flange_b"),
        ("spring.type", "SpringDamper"),
        ("spring.flange_a", "b.flange_b"),
        ("spring.flange_b", "c.flange_a"),
        ("torque.type", "Torque"),
        ("torque.flange", "a.flange_a"),
    ];
    let structure: String = parts.iter().map(|(option, word)| format!("structure {option} {word}\n")).collect();
    // The inputs are three normal forces, then the torque.
    let drive = |inputs: &mut [f64], _: &mut [i32], i: usize| {
        inputs[0] = if i % 20 < 15 { 1.0 } else { 0.0 };
        (inputs[1], inputs[2]) = (if i % 8 < 4 { 0.6 } else { 0.0 }, 0.4);
        inputs[3] = if i % 6 < 3 { 5.0 } else { -5.0 };
    };
    assert_eq!(allocations_of_steps(|| systems::system(Vec::new()), &structure, drive), 0);
}

#[test]
fn a_mechanism_is_stepped_without_allocating() {
    let parts = [
        ("world.type", "World"),
        ("base.type", "Revolute"),
        ("base.frame_a", "world.frame_b"),
        ("arm.type", "BodyShape"),
        ("arm.frame_a", "base.frame_b"),
        ("slide.type", "Prismatic"),
        ("slide.frame_a", "arm.frame_b"),
        ("hand.type", "Body"),
        ("hand.frame_a", "slide.frame_b"),
        ("brake.type", "Brake"),
        ("brake.flange_a", "base.axis"),
        ("motor.type", "Force"),
        ("motor.flange", "slide.axis"),
        ("rod.type", "JointRRP"),
        ("rod.frame_a", "arm.frame_a"),
        ("rod.frame_b", "hand.frame_a"),
        ("spring.type", "Translational.SpringDamper"),
        ("spring.flange_a", "rod.bearing"),
        ("spring.flange_b", "rod.axis"),
    ];
    let structure: String = parts.iter().map(|(option, word)| format!("structure {option} {word}\n")).collect();
    let drive = |inputs: &mut [f64], _: &mut [i32], i: usize| {
        inputs[0] = if i % 20 < 15 { 30.0 } else { 0.0 };
        inputs[1] = if i % 6 < 3 { 5.0 } else { -5.0 };
    };
    assert_eq!(allocations_of_steps(|| systems::system(Vec::new()), &structure, drive), 0);
}

/// The system has a free body on a stiff bushing and a spring, bodies that hang from it by joints with several axes,
/// and two loops with masses and friction at their axes.
#[test]
fn free_bodies_and_loops_are_stepped_without_allocating() {
    let parts = "world World
        hull BodyShape r[1]=0.4
        mount Bushing frame_a=world.frame_b frame_b=hull.frame_a
        spring SpringDamperParallel frame_a=world.frame_b frame_b=hull.frame_b d=1
        ball Spherical frame_a=hull.frame_b
        arm BodyShape frame_a=ball.frame_b r[1]=0.3
        foot FixedTranslation frame_a=world.frame_b r[2]=-0.5
        leg JointUPS frame_a=foot.frame_b frame_b=arm.frame_b
        wrist Universal frame_a=arm.frame_b
        hand Body frame_a=wrist.frame_b
        push WorldForce frame_b=hand.frame_a
        crank Revolute frame_a=world.frame_b w_start=3
        web BodyShape frame_a=crank.frame_b r[1]=0.1
        ground FixedTranslation frame_a=world.frame_b r[1]=-0.4
        rods JointRRR frame_a=web.frame_b frame_b=ground.frame_b rRod1_ia[1]=0.45 rRod2_ib[1]=0.3 phi_guess=90
        rocker Body frame_a=rods.frame_ib r_CM[1]=0.15
        rotor Inertia J=0.1 flange_a=rods.axis
        brake Brake flange_a=rods.axis fn_max=0.5
        drive Mass m=0.5 flange_a=leg.axis";
    assert_eq!(allocations_of_steps(|| systems::system(Vec::new()), &configuration(parts), creep), 0);
}

/// Springs, a damper and a contact meet at a flange without inertia, springs and dampers in space at points without mass.
#[test]
fn flanges_and_points_without_inertia_are_stepped_without_allocating() {
    let parts = "a Inertia w_start=3
        b Inertia
        torque Torque flange=a.flange_a
        near Spring c=40 flange_a=a.flange_b
        far SpringDamper c=15 d=0.4 flange_a=near.flange_b flange_b=b.flange_a
        gap ElastoBacklash c=500 d=0.7 b=0.05 flange_a=near.flange_b flange_b=b.flange_a
        world World
        bar FixedTranslation r[1]=0.3 frame_a=world.frame_b
        body Body r_0_start[2]=-0.6 r_0_start[3]=0.2
        one MultiBody.Spring c=20 s_unstretched=0.1 frame_a=world.frame_b
        two MultiBody.Spring c=20 s_unstretched=0.1 frame_a=bar.frame_b frame_b=one.frame_b
        three MultiBody.Spring c=40 s_unstretched=0.1 frame_a=one.frame_b frame_b=body.frame_a
        damp MultiBody.Damper d=2 frame_a=world.frame_b frame_b=one.frame_b
        post FixedTranslation r[1]=-0.2 r[3]=-0.4 frame_a=world.frame_b
        tie1 SpringDamperParallel c=20 d=1 frame_a=world.frame_b
        tie2 SpringDamperParallel c=20 d=1 frame_a=bar.frame_b frame_b=tie1.frame_b
        tie3 SpringDamperParallel c=20 d=1 frame_a=post.frame_b frame_b=tie1.frame_b
        tie4 MultiBody.Spring c=20 frame_a=body.frame_a frame_b=tie1.frame_b";
    assert_eq!(allocations_of_steps(|| systems::system(Vec::new()), &configuration(parts), creep), 0);
}

/// Returns the configuration of a system from lines with a part each: its name, its type, then options or start values.
fn configuration(parts: &str) -> String {
    let (mut structure, mut starts) = (String::new(), String::new());
    for line in parts.lines() {
        let mut words = line.split_whitespace();
        let [part, kind] = [words.next(), words.next()].map(|word| word.expect("a name and a type"));
        structure += &format!("structure {part}.type {kind}\n");
        for word in words {
            let (key, value) = word.split_once('=').expect("key=value");
            match value.parse::<f64>() {
                Ok(value) => starts += &format!("start {part}.{key} {:016x} {value:?}\n", value.to_bits()),
                Err(_) => structure += &format!("structure {part}.{key} {value}\n"),
            }
        }
    }
    structure + &starts
}

/// The system has a hundred inertias with dampers between them, or clutches at every tenth place.
#[test]
fn design_6_a_long_chain_is_stepped_without_allocating() {
    let mut structure = String::from("structure torque.type Torque\nstructure torque.flange i0.flange_a\n");
    for i in 0..100 {
        structure += &format!("structure i{i}.type Inertia\n");
        if i > 0 {
            let part = if i % 10 == 5 { "Clutch" } else { "Damper" };
            structure += &format!("structure p{i}.type {part}\n");
            structure +=
                &format!("structure p{i}.flange_a i{}.flange_b\nstructure p{i}.flange_b i{i}.flange_a\n", i - 1);
        }
    }
    // The inputs are the torque, then the normal forces.
    let drive = |inputs: &mut [f64], _: &mut [i32], i: usize| {
        assert_eq!(inputs.len(), 11);
        inputs[0] = if i % 6 < 3 { 5.0 } else { -5.0 };
        inputs[1..].iter_mut().enumerate().for_each(|(k, n)| *n = if (i + k) % 8 < 5 { 1.0 } else { 0.0 });
    };
    assert_eq!(allocations_of_steps(|| systems::system(Vec::new()), &structure, drive), 0);
}
