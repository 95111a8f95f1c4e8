//! Comparison of values between platforms: the same calls give the same values on each.

use std::fmt::Write;

use fmu_builder::description::{Causality, VariableType};
use fmu_builder::{ModelDescription, Platform};
use fmu_exchange::{INTERFACE_VERSION, NO_DECLARATION};

use crate::fixture::{Fmu, components, components_here, sample, small_systems, systems_here};
use crate::machine::Machine;

/// Returns calls of both interfaces up to the end of twenty steps of `h` seconds, with varying inputs.
fn calls(model: &ModelDescription, location: &str, h: f64) -> String {
    let mut calls = String::new();
    let mut inputs = Vec::new();
    let mut reals = String::new();
    for variable in &model.variables {
        if let VariableType::Real { start, .. } = variable.kind {
            write!(reals, " {}", variable.value_reference).unwrap();
            if variable.causality == Causality::Input {
                inputs.push((variable.value_reference, start.unwrap_or_default()));
            }
        }
    }
    writeln!(calls, "instantiate 1 {} {location}", model.guid).unwrap();
    writeln!(calls, "setup 0\nenter\nexit\nget{reals}").unwrap();
    for step in 0..20 {
        for (index, (reference, start)) in inputs.iter().enumerate() {
            // Changes are small enough for rotation matrices to remain valid.
            let change = 2e-5 * (1 + index % 7) as f64 * (1.0 + step as f64 / 20.0);
            writeln!(calls, "set {reference} {:?}", start + change).unwrap();
        }
        writeln!(calls, "get{reals}\nstep {:?} {h:?}\nget{reals}", step as f64 * h).unwrap();
    }
    writeln!(calls, "terminate\nfree").unwrap();
    writeln!(calls, "instantiate 0 {} {location}\nsetup 0\nenter\nexit\nget{reals}\nfree", model.guid).unwrap();
    calls
}

fn run(fmu: &Fmu, platform: Platform, h: f64) -> Option<Vec<String>> {
    let machine = Machine::of(platform)?;
    let location = machine.location(&fmu.folder.join("resources"));
    let lines = machine.run(&fmu.library(platform), calls(&fmu.model, &location, h));
    let bad = lines.iter().find(|line| line.starts_with("status") && *line != "status 0" || line.starts_with("log"));
    assert_eq!(bad, None, "{} {}", fmu.name(), platform.folder());
    Some(lines)
}

/// Returns what a library declares, in hexadecimal digits, and the status.
fn declaration(fmu: &Fmu, platform: Platform) -> Option<Vec<String>> {
    Some(Machine::of(platform)?.run(&fmu.library(platform), format!("declare {INTERFACE_VERSION}\n")))
}

fn numbers(line: &str) -> Option<Vec<f64>> {
    let numbers = line.strip_prefix("values ")?.split(' ');
    Some(numbers.map(|number| number.parse().unwrap()).collect())
}

/// Compares with an FMU that has the library of this computer; returns the number of values that changed.
fn compare(fmu: &Fmu, platform: Platform, here: &Fmu, h: f64) -> usize {
    let [declared, expected] = [declaration(fmu, platform), declaration(here, Platform::Linux64)];
    let here = run(here, Platform::Linux64, h).unwrap();
    let Some(there) = run(fmu, platform, h) else { return usize::MAX };
    let (declared, expected) = (declared.unwrap(), expected.unwrap());
    if fmu.is_small {
        let digits: String = NO_DECLARATION.bytes().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(declared, [digits, "status 1".to_owned()], "{}", fmu.name());
    } else {
        assert_eq!(declared, expected, "{}: another declaration on {}", fmu.name(), platform.folder());
    }
    assert!(expected[0].len() > 100, "nothing declared");
    assert_eq!(here.len(), there.len());
    let mut moved = 0;
    let mut last: Vec<f64> = Vec::new();
    for (here, there) in here.iter().zip(&there) {
        let Some(expected) = numbers(here) else {
            assert_eq!(here, there);
            continue;
        };
        let found = numbers(there).unwrap();
        for (index, (expected, found)) in expected.iter().zip(&found).enumerate() {
            let deviation = (expected - found).abs() / expected.abs().max(1.0);
            assert!(
                deviation <= 1e-12,
                "{} {}: value {index} is {found}, not {expected}",
                fmu.name(),
                platform.folder()
            );
        }
        moved += last.iter().zip(&expected).filter(|(before, now)| before != now).count();
        last = expected;
    }
    moved
}

#[test]
#[ignore = "expensive: compiles for other platforms"]
fn windows_gives_the_values_of_linux() {
    for (fmu, here) in components().iter().zip(components_here()).chain(sample().iter().zip(sample())) {
        assert!(compare(fmu, Platform::Win64, here, 0.01) > 100, "{}", fmu.name());
    }
}

#[test]
#[ignore = "expensive: compiles for other platforms"]
fn another_processor_gives_the_same_values() {
    for fmu in sample() {
        assert!(compare(fmu, Platform::Aarch64Linux, fmu, 0.01) > 100, "{}", fmu.name());
    }
}

#[test]
#[ignore = "expensive: compiles for other platforms"]
fn systems_of_dual_numbers_give_the_values_of_ordinary_ones() {
    for (fmu, here) in small_systems().iter().zip(systems_here()) {
        let h = here.model.default_experiment.stop_time.unwrap() / 20.0;
        assert!(compare(fmu, Platform::Linux64, here, h) > 100, "{}", fmu.name());
    }
}
