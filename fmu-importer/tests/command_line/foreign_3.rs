//! FMUs of FMI 3.0 of other tools: `simulate`, `sweep` and `validate`.

#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Output};

use fmu_builder::{Archive, Datum};
use fmu_importer::{Event, Interface, Simulation, Trajectory};
use fmu_tests::foreign_3::{CORRECT, Foreign, PLAIN};

const TEXT_INPUT: &str = "name=\"text\" valueReference=\"9\" causality=\"input\" variability=\"discrete\"";

fn importer(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fmu-importer")).args(arguments).output().unwrap()
}

fn said(output: &[u8]) -> &str {
    std::str::from_utf8(output).unwrap()
}

fn last(trajectory: &Trajectory, name: &str) -> f64 {
    *trajectory.column(name).unwrap_or_else(|| panic!("no {name}")).last().unwrap()
}

fn near(value: f64, expected: f64) -> bool {
    (value - expected).abs() < 1e-9
}

#[test]
fn t23_arrays_of_all_types_are_set_and_shown_by_elements() {
    let (_folder, file) = PLAIN.packed();
    let mut simulation = Simulation::load(&file).unwrap();
    for assignment in ["u=[0.5,2]", "gain=0.25", "small[2]=-7", "on=true", "gear=low", "text=\"other\""] {
        simulation.set(assignment).unwrap();
    }
    for name in ["small", "little", "large", "on", "gear", "u", "n"] {
        simulation.record(name).unwrap();
    }
    let trajectory = simulation.run().unwrap();
    assert_eq!(trajectory.time.last(), Some(&0.9));
    assert!(near(last(&trajectory, "x[1]"), 0.9 * 2.125) && near(last(&trajectory, "x[2]"), 0.9 * 3.125));
    // An element that is not set keeps its start value.
    assert_eq!([last(&trajectory, "small[1]"), last(&trajectory, "small[2]")], [1.0, -7.0]);
    assert_eq!(last(&trajectory, "little[2]"), -7.0);
    assert_eq!([last(&trajectory, "large"), last(&trajectory, "n")], [5e9, 2.0]);
    assert_eq!([last(&trajectory, "on"), last(&trajectory, "gear")], [1.0, 3.0]);
    assert_eq!(simulation.notes(), ["`blob` is a Binary, which is not used"]);

    let message = |assignment: &str| {
        let mut simulation = Simulation::load(&file).unwrap();
        simulation.set(assignment).and_then(|()| simulation.run().map(drop)).unwrap_err().to_string()
    };
    assert_eq!(message("gain=1e39"), "fmi3SetFloat32: `gain` cannot be 1e39, it is Float32");
    assert_eq!(message("small[2]=300"), "cannot set `small[2]`: `300` does not lie between -128 and 127");
    assert_eq!(
        message("small=[1,2,3]"),
        "cannot set `small=[1,2,3]`: `small` is a vector of 2, but the given value is a vector of 3"
    );
    for exact in ["large=9007199254740993", "large=18446744073709551615"] {
        let mut simulation = Simulation::load(&file).unwrap();
        simulation.set(exact).unwrap();
        simulation.run().unwrap();
    }
    assert_eq!(message("blob=00"), "cannot set `blob=00`: `blob` is a Binary, which is not used");
    let large = "cannot set `large`: `1e10` is not a whole number";
    assert_eq!(message("large=1e10"), large);
    assert!(message("n=3").starts_with("cannot set `n=3` "), "{}", message("n=3"));
}

#[test]
fn numbers_beyond_64_bits_are_not_shown() {
    let (_folder, file) = PLAIN.packed_with(&|text| {
        text.replace("start=\"5000000000\"", "start=\"99999999999999999999\" max=\"1267650600228229401496703205376\"")
    });
    let data = Datum::of_variables(&Archive::open(&file).unwrap().model().unwrap());
    let large = data.iter().find(|datum| datum.name == "large").unwrap();
    assert!(large.value.is_null() && large.max.is_null(), "{} {}", large.value, large.max);
}

#[test]
fn t23_model_exchange_integrates_the_states_and_handles_events() {
    let (_folder, file) = PLAIN.packed();
    let mut simulation = Simulation::load_as(&file, Interface::ModelExchange).unwrap();
    simulation.set("u=[1,1]").unwrap();
    let trajectory = simulation.run().unwrap();
    // x[1] grows at 2 / s, and is 0 again at 0.5 s.
    assert!((last(&trajectory, "x[1]") - 0.8).abs() < 1e-6, "{}", last(&trajectory, "x[1]"));
    assert!((last(&trajectory, "x[2]") - 2.7).abs() < 1e-6, "{}", last(&trajectory, "x[2]"));
}

#[test]
fn t24_event_mode_and_early_return_are_used_where_they_are_claimed() {
    let early = Foreign { behaviour: "RETURNS_EARLY", event_mode: true, ..PLAIN };
    let (_folder, file) = early.packed();
    let mut simulation = Simulation::load(&file).unwrap();
    simulation.set("u=[0,1]").unwrap();
    simulation.stop = 1.0;
    simulation.use_event_mode().unwrap();
    let trajectory = simulation.run().unwrap();
    assert!(near(last(&trajectory, "x[1]"), 1.0), "{}", last(&trajectory, "x[1]"));

    // An early return that is not allowed is the FMU's error.
    let (_folder, file) = Foreign { behaviour: "RETURNS_EARLY", ..PLAIN }.packed();
    let mut simulation = Simulation::load(&file).unwrap();
    let refused = simulation.use_event_mode().unwrap_err().to_string();
    assert_eq!(refused, "the FMU has no event mode (hasEventMode) in Co-Simulation");
    simulation.step = 0.3;
    let message = format!("{:#}", simulation.run().unwrap_err());
    assert_eq!(
        message,
        "the step from 0.3 s to 0.6 s failed: fmi3DoStep: it returns early at 0.5 s, although it was not allowed to"
    );
}

#[test]
fn t24_an_fmu_may_end_the_simulation_at_a_time_inside_of_the_step() {
    let (_folder, file) = Foreign { behaviour: "TERMINATES", ..PLAIN }.packed();
    let mut simulation = Simulation::load(&file).unwrap();
    simulation.step = 0.3;
    let mut ended = None;
    let trajectory = simulation
        .run_with(|event| {
            if let Event::Ended(time) = event {
                ended = Some(time)
            }
        })
        .unwrap();
    assert_eq!((ended, trajectory.time.last()), (Some(0.5), Some(&0.5)));

    let (_folder, file) = Foreign { behaviour: "LIES_ABOUT_TIME", ..PLAIN }.packed();
    let mut simulation = Simulation::load(&file).unwrap();
    simulation.step = 0.3;
    let message = format!("{:#}", simulation.run().unwrap_err());
    let expected = "fmi3DoStep: its last successful time is 1000000000 s, which is not between 0.3 s and 0.6 s";
    assert!(message.starts_with("the step from 0.3 s to ") && message.contains(&expected[..62]), "{message}");
}

#[test]
fn t25_correct_fmus_have_no_errors() {
    for foreign in CORRECT {
        let (_folder, file) = foreign.packed();
        let output = importer(&["validate", file.to_str().unwrap()]);
        let text = said(&output.stdout);
        assert!(output.status.success(), "{} {}: {text}{}", foreign.behaviour, foreign.states, said(&output.stderr));
        let names = [("CoSimulation", "Co-Simulation"), ("ModelExchange", "Model Exchange")];
        for (_, name) in names.iter().filter(|(interface, _)| foreign.interfaces.contains(interface)) {
            assert!(text.contains(name), "{text}");
        }
    }
}

#[test]
fn t25_what_a_library_claims_is_tried() {
    let found = |foreign: Foreign| {
        let (_folder, file) = foreign.packed();
        let output = importer(&["validate", file.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(1));
        said(&output.stdout).to_owned()
    };
    let wrong = found(Foreign { behaviour: "WRONG_DERIVATIVE", ..PLAIN });
    let expected = "Model Exchange: providesDirectionalDerivatives: the derivative of `der(x)[1]` with respect to `u[1]` is 2, \
                    but a difference gives 1";
    assert!(wrong.contains(expected), "{wrong}");
    let (_folder, file) = PLAIN.packed_with(&|text| {
        text.replace("valueReference=\"2\" dependencies=\"3\"", "valueReference=\"2\" dependencies=\"1\"")
    });
    let output = importer(&["validate", file.to_str().unwrap()]);
    let text = said(&output.stdout);
    let expected = "Model Exchange: providesDirectionalDerivatives: the derivative of `der(x)[1]` with respect to `u[1]` is 1, \
                    but the ModelStructure does not list `u[1]` among the dependencies of `der(x)[1]`";
    assert!(text.contains(expected), "{text}");
    let both =
        "providesEvaluateDiscreteStates=\"true\" providesAdjointDerivatives=\"true\" canSerializeFMUState=\"true\" ";
    let claims = |text: String| {
        text.replace("<ModelExchange ", &format!("<ModelExchange {both}"))
            .replace("<CoSimulation ", &format!("<CoSimulation {both}maxOutputDerivativeOrder=\"1\" "))
    };
    let truthful = Foreign { event_mode: true, ..PLAIN };
    for (behaviour, expected) in [
        (
            "WRONG_OUTPUT_DERIVATIVE",
            "warning: Co-Simulation: maxOutputDerivativeOrder: the derivative of `x[1]` is 5, but its slope is 0 over the \
             step before and 0 over the step after",
        ),
        (
            "WRONG_EVALUATION",
            "error: Model Exchange: providesEvaluateDiscreteStates: after fmi3EvaluateDiscreteStates and \
             fmi3UpdateDiscreteStates `x[2]` is 2 instead of 0",
        ),
        (
            "WRONG_EVALUATION",
            "error: Co-Simulation: providesEvaluateDiscreteStates: after fmi3EvaluateDiscreteStates and \
             fmi3UpdateDiscreteStates `x[2]` is 2 instead of 0",
        ),
        (
            "WRONG_ADJOINT",
            "error: Model Exchange: providesAdjointDerivatives: the derivative of `der(x)[1]` with respect to `u[1]` is \
             1, but 2 as an adjoint one",
        ),
        (
            "FORGETS_STATE",
            "error: Co-Simulation: canGetAndSetFMUState: after fmi3SetFMUState `x[2]` is 0.3 instead of 0.2",
        ),
        ("FORGETS_STATE", "error: Model Exchange: canGetAndSetFMUState: after fmi3SetFMUState `x[2]` is "),
        (
            "LOSES_BYTES",
            "error: Co-Simulation: canSerializeFMUState: from its bytes, after fmi3SetFMUState `x[2]` is 0 instead of 0.2",
        ),
        (
            "LOSES_BYTES",
            "error: Model Exchange: canSerializeFMUState: from its bytes, after fmi3SetFMUState `x[2]` is 0 instead of ",
        ),
    ] {
        let (_folder, file) = Foreign { behaviour, ..truthful }.packed_with(&claims);
        let output = importer(&["validate", file.to_str().unwrap()]);
        let text = said(&output.stdout);
        assert!(text.contains(expected), "{text}");
        assert_eq!(output.status.code(), Some(i32::from(expected.starts_with("error"))));
    }
    let (_folder, file) = truthful.packed_with(&claims);
    let output = importer(&["validate", file.to_str().unwrap()]);
    let text = said(&output.stdout);
    assert!(output.status.success() && !text.contains("Derivative") && !text.contains("Evaluate"), "{text}");
    // A library that has no event mode, whatever its description says.
    let (_folder, file) =
        PLAIN.packed_with(&|text| text.replace("<CoSimulation ", "<CoSimulation hasEventMode=\"true\" "));
    let output = importer(&["validate", file.to_str().unwrap()]);
    let text = said(&output.stdout);
    let expected =
        "Co-Simulation: hasEventMode: fmi3InstantiateCoSimulation returned no instance: this FMU has no event mode";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn t25_claims_that_fmi_2_does_not_have_are_tried() {
    const UPDATES: &str = "providesIntermediateUpdate=\"true\"";
    const EARLY: &str = "providesIntermediateUpdate=\"true\" canReturnEarlyAfterIntermediateUpdate=\"true\"";
    const ELEMENTS: &str = "providesPerElementDependencies=\"true\"";
    const NO_STEPS: &str = "needsCompletedIntegratorStep=\"false\"";
    let validated = |behaviour: &str, interface: &str, claims: &str| {
        let (_folder, file) = Foreign { behaviour, ..PLAIN }.packed_with(&|text| {
            let steps = format!("<{interface} {claims} ");
            let text = text.replace(&format!("<{interface} "), &steps);
            text.replace("causality=\"output\"", "causality=\"output\" intermediateUpdate=\"true\"")
        });
        let output = importer(&["validate", file.to_str().unwrap()]);
        (output.status.code(), said(&output.stdout).to_owned())
    };
    let early = "canReturnEarlyAfterIntermediateUpdate: ";
    #[rustfmt::skip]
    let cases = [
        ("NO_UPDATES", "CoSimulation", UPDATES, "warning: Co-Simulation: providesIntermediateUpdate: no update comes in 3 steps".to_owned()),
        ("UPDATES_OUTSIDE", "CoSimulation", UPDATES,
         "error: Co-Simulation: providesIntermediateUpdate: an update comes at 1.05 s, in the step from 0 s to 0.1 s".to_owned()),
        ("STALE_UPDATES", "CoSimulation", UPDATES,
         "warning: Co-Simulation: providesIntermediateUpdate: in the update at 0.05 s `x[2]` is 0 instead of 0.05".to_owned()),
        ("UPDATES_GO_BACK", "CoSimulation", UPDATES,
         "error: Co-Simulation: providesIntermediateUpdate: an update comes at 0.025 s, after that of the finished step to 0.05 s".to_owned()),
        ("REFUSES_INSIDE", "CoSimulation", UPDATES,
         "error: Co-Simulation: providesIntermediateUpdate: fmi3GetFloat64 returned fmi3Error: the FMU gave no reason".to_owned()),
        ("IGNORES_RETURN", "CoSimulation", EARLY,
         format!("error: Co-Simulation: {early}asked in an update to return at 0.05 s, fmi3DoStep returns at 0.1 s")),
        ("NEVER_LETS_RETURN", "CoSimulation", EARLY,
         format!("warning: Co-Simulation: {early}no update in 3 steps lets fmi3DoStep return early")),
        ("WRONG_DEPENDENCIES", "ModelExchange", ELEMENTS,
         "error: Model Exchange: providesPerElementDependencies: a difference gives 1 for the derivative of `der(x)[2]` with \
          respect to `u[2]`, but fmi3GetVariableDependencies does not list `u[2]` among the dependencies of `der(x)[2]`".to_owned()),
        ("MORE_ELEMENTS", "ModelExchange", ELEMENTS,
         "error: Model Exchange: providesPerElementDependencies: fmi3GetVariableDependencies: it gives element 3 of `u`, \
          which has 2 elements".to_owned()),
        ("NEEDS_COMPLETED_STEPS", "ModelExchange", NO_STEPS,
         "error: Model Exchange: needsCompletedIntegratorStep: without fmi3CompletedIntegratorStep `x[2]` is 0.01 instead of 100.01".to_owned()),
    ];
    for (behaviour, interface, claims, finding) in cases {
        let (status, text) = validated(behaviour, interface, claims);
        let found = text.lines().find(|line| line.contains("error: ") || line.contains("warning: "));
        assert!(found.is_some_and(|line| line.ends_with(&finding)), "{behaviour}: {text}");
        assert_eq!(status, Some(i32::from(finding.starts_with("error"))), "{behaviour}");
    }
    for (behaviour, interface, claims) in [
        ("ORDINARY", "CoSimulation", EARLY),
        ("TRIES_STEPS", "CoSimulation", UPDATES),
        ("ORDINARY", "ModelExchange", &[ELEMENTS, NO_STEPS].join(" ")),
    ] {
        let (status, text) = validated(behaviour, interface, claims);
        assert!(status == Some(0) && !text.contains("warning: "), "{behaviour} {claims}: {text}");
    }
    let once = |text: String| {
        let claims = format!("<CoSimulation canBeInstantiatedOnlyOncePerProcess=\"true\" {EARLY} ");
        let text = text.replace("<CoSimulation ", &claims);
        text.replace("causality=\"output\"", "causality=\"output\" intermediateUpdate=\"true\"")
    };
    let alone = Foreign { behaviour: "STARTS_ONCE", interfaces: &["CoSimulation"], event_mode: true, ..PLAIN };
    let (_folder, file) = alone.packed_with(&once);
    let output = importer(&["validate", file.to_str().unwrap()]);
    assert!(output.status.success() && !said(&output.stdout).contains("warning: "), "{}", said(&output.stdout));
}

#[test]
fn a_step_with_updates_for_ever_ends_at_the_limit() {
    let (_folder, file) = Foreign { behaviour: "UPDATES_FOR_EVER", ..PLAIN }.packed_with(&|text| {
        let text = text.replace("<CoSimulation ", "<CoSimulation providesIntermediateUpdate=\"true\" ");
        text.replace("causality=\"output\"", "causality=\"output\" intermediateUpdate=\"true\"")
    });
    let output = importer(&["validate", file.to_str().unwrap(), "--timeout", "1"]);
    let text = said(&output.stdout);
    let problem = "Foreign.fmu: error: fmi3DoStep has not returned after 1 s\n";
    assert!(output.status.code() == Some(1) && text.ends_with(problem), "{text}{}", said(&output.stderr));
}

#[test]
fn t23_sweeps_and_files_are_as_for_fmi_2() {
    let (folder, file) = PLAIN.packed();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let sweep = "fmu = \"Foreign.fmu\"\n[parameters]\ngain = [1, 2]\n\"u[1]\" = 3\n[results]\nx = \"final\"\n";
    fs_err::write(path("sweep.toml"), sweep).unwrap();
    let output = importer(&["sweep", &path("sweep.toml"), "--output", &path("sweep.csv")]);
    assert!(output.status.success(), "{}", said(&output.stderr));
    let rows = fs_err::read_to_string(path("sweep.csv")).unwrap();
    let finals: Vec<f64> =
        rows.lines().skip(1).flat_map(|row| row.split(',').filter_map(|cell| cell.parse().ok())).collect();
    for expected in [2.7, 3.6, 5.4, 6.3] {
        assert!(finals.iter().any(|value| near(*value, expected)), "{expected}: {rows}");
    }

    fs_err::write(path("input.csv"), "time,u[1],u[2]\n0,0,1\n0.45,0,1\n0.9,0,1\n").unwrap();
    let input = path("input.csv");
    let output = importer(&["simulate", file.to_str().unwrap(), "--input", &input, "--output", &path("output.csv")]);
    assert!(output.status.success(), "{}", said(&output.stderr));
    let note =
        "note: FMI 3.0 holds continuous inputs during a communication step; a shorter step follows them more closely\n";
    assert!(said(&output.stderr).contains(note), "{}", said(&output.stderr));
    let rows = fs_err::read_to_string(path("output.csv")).unwrap();
    let last: Vec<f64> = rows.lines().last().unwrap().split(',').map(|cell| cell.parse().unwrap()).collect();
    assert!(near(last[0], 0.9) && near(last[1], 0.9) && near(last[2], 1.8), "{rows}");
    assert!(Path::new(&path("output.csv")).exists());
}

#[test]
fn t23_a_column_may_hold_texts_but_no_binaries() {
    let (folder, file) = PLAIN.packed_with(&|text| {
        text.replace("name=\"text\" valueReference=\"9\" causality=\"parameter\" variability=\"fixed\"", TEXT_INPUT)
            .replace("causality=\"local\" variability=\"discrete\"/>", "causality=\"input\" variability=\"discrete\"/>")
    });
    let input = folder.path().join("input.csv");
    // In Co-Simulation, what changes inside of a step counts from its end on.
    fs_err::write(&input, "time,u[2],text\n0,0,start\n0.4,0,hold\n0.6,0,\"on, and on\"\n0.9,0,\n").unwrap();
    for interface in [Interface::CoSimulation, Interface::ModelExchange] {
        let mut simulation = Simulation::load_as(&file, interface).unwrap();
        simulation.read_inputs(&input).unwrap();
        let trajectory = simulation.run().unwrap();
        assert!((last(&trajectory, "x[2]") - 0.7).abs() < 1e-6, "{interface:?}: {}", last(&trajectory, "x[2]"));
    }
    for (column, expected) in [
        ("blob", "`blob` is a Binary, which is not used"),
        ("u", "`u` is an array, whose elements have a column each, such as `u[1]`"),
    ] {
        fs_err::write(&input, format!("time,{column}\n0,1\n")).unwrap();
        let output = importer(&["simulate", file.to_str().unwrap(), "--input", input.to_str().unwrap()]);
        let place = format!("{} cannot be used as input: column 2 must be an input of the FMU: ", input.display());
        assert_eq!((output.status.code(), said(&output.stderr)), (Some(1), &*format!("error: {place}{expected}\n")));
    }
}
