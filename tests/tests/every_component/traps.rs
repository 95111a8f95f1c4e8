//! Hosts that trap on floating-point exceptions: a division by zero, an invalid operation or an overflow would end them.

use std::ffi::c_int;
use std::hint::black_box;
use std::process::Command;

use fmu_builder::description::Causality;
use fmu_tests::api::{CO_SIMULATION, MODEL_EXCHANGE};
use fmu_tests::finished::{Fmu, Instance, archives, components, root};

use crate::points::real_outputs;

unsafe extern "C" {
    /// Of glibc: lets this thread trap.
    safe fn feenableexcept(exceptions: c_int) -> c_int;
}

/// Of x86-64: invalid operation, division by zero, overflow.
const EXCEPTIONS: c_int = 1 | 4 | 8;

/// Names the case to a process of its own, which a trap ends.
const CASE: &str = "TRAPS_CASE";

/// Component and settings.
type Case = (String, Vec<String>);

/// All components as they are, and the bushing with each source of its tables.
fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = components().into_iter().map(|component| (component, Vec::new())).collect();
    let measured = root().join("tests/tests/bushing/measured.xlsx").display().to_string();
    let sets = ["TS", "TD", "RS", "RD"];
    for (source, smoothness) in
        [("inline", "linear"), ("inline", "spline"), ("attachment", "linear"), ("file", "spline"), ("signal", "")]
    {
        let mut settings = Vec::new();
        for set in sets {
            settings.extend([format!("nonlinear_{set}=true"), format!("DCM_{set}={source}")]);
            match source {
                "inline" => {
                    settings.push(format!("{set}_table=[[0,1e6,2e6,3e6],[0.01,1e6,2e6,4e6],[0.02,2e6,2e6,3e6]]"))
                }
                "attachment" => settings.push(format!("{set}_data={measured}")),
                "file" => settings.push(format!("{set}_fileName={measured}")),
                _ => {}
            }
            if matches!(source, "attachment" | "file") {
                settings.extend([format!("sheet_{set}={set}"), format!("sr_{set}=1")]);
            }
            if !smoothness.is_empty() {
                settings.push(format!("sm_{set}={smoothness}"));
            }
        }
        cases.push(("bushing".to_owned(), settings));
    }
    // Curves on lines and splines.
    for smoothness in ["linear", "spline"] {
        let of = |set: &&str| [format!("law_{set}=curve"), format!("sm_{set}={smoothness}")];
        cases.push(("bushing".to_owned(), sets.iter().flat_map(of).collect()));
    }
    // One row each.
    cases.push(("bushing".to_owned(), sets.iter().map(|set| format!("nonlinear_{set}=true")).collect()));
    cases
}

/// Moves all Real inputs that are not an orientation, in both interfaces.
fn live(fmu: &Fmu) {
    let is_moved = |name: &str| !name.contains(".R.T") && !name.contains(".Q[") && !name.contains("angles");
    let reals = fmu.description.variables.iter().filter(|variable| variable.is_real() && is_moved(&variable.name));
    let inputs = reals.filter(|variable| variable.causality == Causality::Input);
    let inputs: Vec<&str> = inputs.map(|variable| variable.name.as_str()).collect();
    let outputs: Vec<u32> = real_outputs(&fmu.description).map(|variable| variable.value_reference).collect();
    for kind in [CO_SIMULATION, MODEL_EXCHANGE] {
        let instance: Instance<'_> = fmu.instantiate(kind).unwrap();
        instance.initialise();
        let starts: Vec<f64> = inputs.iter().map(|input| instance.get(input)[0]).collect();
        for k in 0..50 {
            // Up to and beyond the ends of the tables, and back.
            let t = 0.01 * f64::from(k);
            for (index, (input, start)) in inputs.iter().zip(&starts).enumerate() {
                instance.set(input, &[start + 0.05 * (20.0 * t + index as f64).sin()]);
            }
            if kind == CO_SIMULATION {
                instance.step(t, 0.01);
            }
            instance.bits();
            if let (Some(output), Some(input)) = (outputs.first(), inputs.first()) {
                let (_, values) = instance.fmi.directional_derivative(&[*output], &instance.references(input), &[1.0]);
                assert_eq!(values.len(), 1);
            }
        }
    }
}

/// Whether a process of its own survives a case; and what it printed.
fn survives(number: usize) -> (bool, String) {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "traps::no_fmu_raises_a_floating_point_exception"]).env(CASE, number.to_string());
    let done = child.output().unwrap();
    (done.status.success(), format!("{}\n{}", done.status, String::from_utf8_lossy(&done.stdout)))
}

#[test]
fn no_fmu_raises_a_floating_point_exception() {
    let cases = cases();
    if let Ok(number) = std::env::var(CASE) {
        let Some((component, settings)) = cases.get(number.parse::<usize>().unwrap()) else {
            feenableexcept(EXCEPTIONS);
            println!("{}", black_box(1.0) / black_box(0.0));
            return;
        };
        let fmu = Fmu::new(component, &settings.iter().map(String::as_str).collect::<Vec<_>>());
        feenableexcept(EXCEPTIONS);
        return live(&fmu);
    }
    archives();
    for (number, case) in cases.iter().enumerate() {
        let (survives, output) = survives(number);
        assert!(survives, "{case:?}: {output}");
    }
    assert!(!survives(cases.len()).0, "a division by zero is not trapped");
}
