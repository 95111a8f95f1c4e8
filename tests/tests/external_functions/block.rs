//! A system with states and events as a block among equations of a tool (`tests/modelica/block.c`), beside the same FMU in
//! Co-Simulation, which locates its events itself.

use std::fmt::Write as _;
use std::process::Stdio;

use fmu_builder::Settings;
use fmu_builder::description::{Causality, Description, Variable, VariableType};
use fmu_tests::finished::{Fmu, Instance, printed, resolve, root};

use crate::driven::Driven;

/// Seconds between two rows, and their number.
const H: f64 = 0.05;
const ROWS: usize = 60;

fn names(description: &Description, wanted: impl Fn(&Variable) -> bool) -> Vec<&str> {
    description.variables.iter().filter(|variable| wanted(variable)).map(|variable| &*variable.name).collect()
}

/// Engine torque and normal forces, shifted up and down.
fn row(inputs: &[&str], i: usize) -> Vec<f64> {
    let t = i as f64 * H;
    let value = |name: &&str| match *name {
        "torque.tau" => 10.0 + 4.0 * (2.0 * t).sin(),
        "clutch.f_normalized" => 0.1 * f64::from(i % 30 > 12) * (1.0 + 0.2 * (3.0 * t).sin()),
        "brake.f_normalized" => 0.12 * f64::from(i % 30 <= 10),
        other => panic!("what is {other}?"),
    };
    inputs.iter().map(value).collect()
}

fn co_simulation(instance: &Instance<'_>, inputs: &[&str], outputs: &[&str]) -> Vec<Vec<f64>> {
    let set = |i| inputs.iter().zip(row(inputs, i)).for_each(|(name, value)| _ = instance.set(name, &[value]));
    set(0);
    instance.initialise();
    let step = |i| {
        set(i);
        instance.step(i as f64 * H, H);
        outputs.iter().map(|name| instance.get(name)[0]).collect()
    };
    (0..ROWS).map(step).collect()
}

#[test]
fn a_gear_is_shifted_among_equations() {
    let settings = Settings::from_toml(&root().join("examples/gear-shift.toml")).unwrap();
    let fmu = Fmu::of("systems", resolve("systems", &settings).unwrap());
    let description = &fmu.description;
    let is = |causality| move |variable: &Variable| variable.causality == causality;
    let is_output = is(Causality::Output);
    let is_real = |variable: &Variable| matches!(variable.kind, VariableType::Real { .. });
    let is_integer = |variable: &Variable| matches!(variable.kind, VariableType::Integer { .. });
    let inputs = names(description, is(Causality::Input));
    let reals = names(description, |variable| is_output(variable) && is_real(variable));
    let integers = names(description, |variable| is_output(variable) && is_integer(variable));
    let booleans = names(description, |variable| is_output(variable) && !is_integer(variable) && !is_real(variable));

    let driven = Driven::of(description, &fmu.file, false);
    let references = |names: &[&str]| {
        let reference = |name: &&str| description.variables.iter().find(|v| v.name == **name).unwrap().value_reference;
        names.iter().map(|name| reference(name).to_string()).collect::<Vec<_>>().join(", ")
    };
    let mut header = fs_err::read_to_string(driven.folder.path().join("model.h")).unwrap();
    for (kind, names) in [("INTEGERS", &integers), ("BOOLEANS", &booleans)] {
        let count = names.len();
        writeln!(header, "#define {kind} {}\n#define N_DISCRETE_{kind} {count}", references(names)).unwrap();
    }
    fs_err::write(driven.folder.path().join("model.h"), header).unwrap();
    let text: String = (0..ROWS).map(|i| format!("{:?}\n", row(&inputs, i)).replace(['[', ']', ','], " ")).collect();
    let input = driven.folder.path().join("rows");
    fs_err::write(&input, text).unwrap();
    let states = description.model_structure.derivatives.len();
    let mut program = driven.program("block.c");
    program.args([H.to_string(), states.to_string(), description.event_indicators.to_string()]);
    let said = printed(program.stdin(Stdio::from(fs_err::File::open(input).unwrap().into_file())));

    assert!(!said.contains("wrong") && !said.contains("warning"), "{said}");
    let unpacked = format!("{} ({})", driven.name, driven.unpacked().display());
    let count = states + reals.len();
    for message in [
        format!("size: {unpacked}: a function: {} values are given, but it has {count}", count + 1),
        format!("number: {unpacked}: the time: fmi2SetTime: "),
        format!("states: {unpacked}: a function: {} values are given, but it has {states}", states + 1),
        format!("outputs: {unpacked}: a function: 0 values are given, but it has 1"),
    ] {
        assert!(said.contains(&message), "{message}\n{said}");
    }
    let outputs = [&reals[..], &integers, &booleans].concat();
    let expected = co_simulation(&fmu.instance(), &inputs, &outputs);
    let rows = said.lines().filter_map(|line| line.strip_prefix("row "));
    let found: Vec<Vec<f64>> =
        rows.map(|line| line.split(' ').map(|number| number.parse().unwrap()).collect()).collect();
    assert_eq!(found.len(), ROWS);
    let mut modes = [0; 4];
    for (i, (found, expected)) in found.iter().zip(&expected).enumerate() {
        for ((name, found), expected) in outputs.iter().zip(found).zip(expected) {
            let tolerance = if name.ends_with("tau") { 1e-4 } else { 1e-6 };
            let difference = (found - expected).abs();
            assert!(difference <= tolerance * (1.0 + expected.abs()), "row {i}: {name} is {found}, not {expected}");
            if name.ends_with(".mode") {
                modes[(expected + 1.0) as usize] += 1;
            }
        }
    }
    let [backward, stuck, forward, free] = modes;
    assert!([backward + forward, stuck, free].iter().all(|count| *count > 5), "{modes:?}");
}
