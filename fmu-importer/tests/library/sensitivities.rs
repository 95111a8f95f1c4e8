//! Derivatives of runs by parameters, with their jumps at events, beside differences of whole runs.

use c_interface::Status;
use fmu_builder::description::VariableType;
use fmu_builder::{Settings, Standard};
use fmu_importer::{Interface, Simulation};
use fmu_tests::corpus::Corpus;
use fmu_tests::finished::{Fmu, Instance, archive, describe, packed, resolve};

/// Largest deviation, relative to the largest derivative of a column.
const MAX_DEVIATION: f64 = 1e-6;

fn simulation(file: &std::path::Path, settings: &[&str], stop: f64) -> Simulation {
    let mut simulation = Simulation::load_as(file, Interface::ModelExchange).unwrap();
    settings.iter().for_each(|setting| simulation.set(setting).unwrap());
    (simulation.stop, simulation.step) = (stop, stop / 50.0);
    simulation.tolerance = Some(1e-11);
    simulation
}

/// Compares derivatives by parameters with central differences of the fourth order.
fn check(file: &std::path::Path, settings: &[&str], stop: f64, parameters: &[(&str, f64)]) {
    let at = |moved: &str, by: f64| {
        let mut simulation = simulation(file, settings, stop);
        for (name, value) in parameters {
            let value = if *name == moved { value + by } else { *value };
            simulation.set(&format!("{name}={value}")).unwrap();
        }
        simulation
    };
    let names: Vec<&str> = parameters.iter().map(|(name, _)| *name).collect();
    let (trajectory, derivatives) = at("", 0.0).run_and_derive(&names).unwrap();
    for ((name, value), found) in parameters.iter().zip(&derivatives) {
        let h = 1e-3 * value.abs().max(1e-3);
        let runs = [-2.0, -1.0, 1.0, 2.0].map(|part| at(name, part * h).run().unwrap());
        for (column, found) in found.iter().enumerate() {
            let values = |run: usize, row: usize| runs[run].columns[column][row];
            let expected: Vec<f64> = (0..found.len())
                .map(|row| (8.0 * (values(2, row) - values(1, row)) - (values(3, row) - values(0, row))) / (12.0 * h))
                .collect();
            let size = expected.iter().fold(0.0_f64, |size, value| size.max(value.abs()));
            for (row, (found, expected)) in found.iter().zip(&expected).enumerate() {
                let deviation = (found - expected).abs();
                assert!(
                    deviation <= MAX_DEVIATION * size + 1e-10,
                    "d {} / d {name} at {} s: {found}, not {expected}",
                    trajectory.names[column],
                    trajectory.time[row]
                );
            }
        }
    }
}

/// The clutch slides and sticks at about 1 s; then both shafts turn together.
#[test]
fn a_clutch_that_sticks_has_derivatives() {
    check(
        &archive("clutch"),
        &["w_a_start=30", "f_normalized=1"],
        2.0,
        &[("fn_max", 10.0), ("J_a", 1.0), ("J_b", 2.0)],
    );
}

#[test]
fn a_train_has_derivatives() {
    let text = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/fit/train.toml");
    let settings = Settings::from_toml(text.as_ref()).unwrap();
    let train = Fmu::of("trains", resolve("trains", &settings).unwrap());
    check(
        &train.file,
        &["drive.tau=20"],
        0.5,
        &[("motor.J", 0.12), ("load.J", 0.6), ("shaft.c", 1200.0), ("shaft.d", 1.5), ("bearing.d", 0.25)],
    );
}

/// The clutch has an indicator and, in FMI 3.0, its table as an array.
#[test]
fn both_standards_have_the_same_derivatives() {
    let description = describe("clutch", &[]).unwrap();
    let [two, three] = [Standard::Fmi2, Standard::Fmi3].map(|standard| {
        let folder = tempfile::tempdir().unwrap();
        let file = packed("clutch", &description, standard, folder.path());
        let simulation = simulation(&file, &["w_a_start=30", "f_normalized=1"], 2.0);
        simulation.run_and_derive(&["J_a", "mue_pos[1,2]"]).unwrap().1
    });
    assert!(two.iter().flatten().flatten().any(|value| *value != 0.0));
    assert_eq!(two, three);
}

/// Derivatives that an FMU does not have, or that do not exist.
#[cfg(unix)]
#[test]
fn what_has_no_derivatives_is_told() {
    let indicators = |count: usize, of_indicators: &str| {
        Corpus::model_exchange("")
            .with("INDICATOR=of(c)->time-0.55")
            .with(&format!("OF_INDICATORS={of_indicators}"))
            .replaced("<fmiModelDescription ", &format!("<fmiModelDescription numberOfEventIndicators=\"{count}\" "))
    };
    let plain = || Corpus::model_exchange("");
    let begin = "the derivatives by parameters are not known: ";
    let event = "the step from 0.54 s to 0.56 s failed: the event at 0.55 s";
    for (corpus, parameter, expected) in [
        (plain(), "v", "there is no variable `v`; did you mean `u`?".to_owned()),
        (plain(), "y", "`y` is an output".to_owned()),
        (
            plain().replaced("<Real derivative=\"1\"/>", "<Real/>"),
            "u",
            format!("{begin}`der(x)` is not the derivative of a variable"),
        ),
        (plain(), "u", "the library has no mechanics_sensitivity".to_owned()),
        (
            indicators(0, "0").with("ENDS=1"),
            "u",
            "the FMU ends the simulation: its derivatives are not complete".to_owned(),
        ),
        (indicators(1, "NAN"), "u", format!("{event} has no derivative: its indicator 1 only touches zero")),
        (
            indicators(2, "1, 2"),
            "u",
            format!("{event} has no derivative: two modes end there that change at different times"),
        ),
        (indicators(1, "1").with("JUMPS=1"), "u", format!("{event} changes states, whose derivatives are not known")),
    ] {
        let (_folder, file) = corpus.write();
        let error = simulation(&file, &[], 1.0).run_and_derive(&[parameter]).expect_err(&expected);
        assert_eq!(format!("{error:#}"), expected);
    }
    let (_folder, file) = indicators(1, "1").write();
    simulation(&file, &[], 1.0).run_and_derive(&["u"]).unwrap();
}

/// A system keeps what it prepares for derivatives by parameters.
#[test]
fn derivatives_do_not_depend_on_what_was_asked_before() {
    let text = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/fit/train.toml");
    let train = Fmu::of("trains", resolve("trains", &Settings::from_toml(text.as_ref()).unwrap()).unwrap());
    let is_derivative = |kind: &VariableType| matches!(kind, VariableType::Real { derivative: Some(_), .. });
    let unknowns: Vec<u32> = (train.description.variables.iter())
        .filter(|variable| is_derivative(&variable.kind))
        .map(|variable| variable.value_reference)
        .collect();
    let begin = |instance: &Instance<'_>, mass: f64| {
        assert_eq!(instance.set("motor.J", &[mass]), Status::Ok);
        assert_eq!(instance.set("drive.tau", &[20.0]), Status::Ok);
        instance.initialise();
        instance.settle();
        assert_eq!(instance.fmi.enter_continuous_time_mode(), Status::Ok);
    };
    let along = |instance: &Instance<'_>, direction: &[(&str, f64)]| {
        let (names, seeds): (Vec<_>, Vec<_>) = direction.iter().copied().unzip();
        let knowns: Vec<u32> = names.into_iter().flat_map(|name| instance.references(name)).collect();
        let (status, [values, _]) = instance.fmi.sensitivity(&unknowns, &knowns, &seeds, 0);
        assert_eq!(status, Status::Ok, "{:?}", instance.fmi.messages());
        values.into_iter().map(f64::to_bits).collect::<Vec<_>>()
    };
    let directions: [&[(&str, f64)]; 5] = [
        &[("motor.J", 1.0)],
        &[("load.J", 1.0)],
        &[("motor.J", 1.0), ("load.J", -2.0)],
        &[("motor.J", 2.0)],
        &[("motor.J", 1.0), ("motor.w", 3.0)],
    ];
    let fresh = |mass: f64, direction: &[(&str, f64)]| {
        let instance = train.model_exchange();
        begin(&instance, mass);
        along(&instance, direction)
    };
    let used = train.model_exchange();
    let check = |mass: f64| {
        // Twice, and once more after more directions than are kept.
        for round in 0..3 {
            for direction in directions {
                assert_eq!(
                    along(&used, direction),
                    fresh(mass, direction),
                    "{direction:?}, {mass} kg.m2, round {round}"
                );
            }
            (1..=120).for_each(|seed| drop(along(&used, &[("shaft.c", f64::from(seed))])));
        }
    };
    begin(&used, 0.1);
    check(0.1);
    let saved = used.save();
    assert_eq!(used.fmi.reset(), Status::Ok);
    begin(&used, 0.4);
    check(0.4);
    assert_eq!(used.fmi.set_state(saved), Status::Ok);
    check(0.1);
}
