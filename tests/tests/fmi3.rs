//! FMI 3.0 beside FMI 2.0: the same bits through FMPy, and refused instances.

use std::path::Path;
use std::sync::{Arc, Mutex};

use fmu_builder::description::{Description, Variable};
use fmu_builder::{Settings, Standard};
use fmu_runtime::arrays::ArrayType;
use fmu_runtime::instantiate::{Request, instantiate};
use fmu_runtime::lifecycle::{EventHandling, Interface};
use fmu_runtime::log::Logger;
use fmu_runtime::{CallError, DeclarationRequest, Instance, component_model, declaration, reference};
use fmu_tests::finished::{components, describe, packed, printed, python, resolve, root};
use sample::Sample;

/// Configurations besides the defaults and the examples: tables with several rows.
const MORE: [(&str, &[&str]); 2] = [
    ("bushing", &["name=Tabular", "nonlinear_TS=true", "TS_table=[[0, 1e6, 2e6, 5e5], [0.01, 2e6, 5e6, 6e5]]"]),
    ("brake", &["name=Curved", "mue_pos=[[0, 0.5], [1, 0.4], [10, 0.3]]"]),
];

/// Examples of drive trains and mechanisms.
const EXAMPLES: [&str; 6] = ["double-pendulum", "drive-unit", "engine-mount", "gear-shift", "gyroscope", "hoist"];

#[test]
fn t3_t5_t9_t10_t11_t13_t14_t15_fmi_2_and_fmi_3_give_the_same_bits() {
    let Some(mut python) = python() else { return };
    let folder = tempfile::tempdir().expect("room for a folder");
    let pack = |component: &str, description: &Description| {
        for standard in [Standard::Fmi2, Standard::Fmi3] {
            let file = packed(component, description, standard, folder.path());
            if standard == Standard::Fmi3 {
                let report = fmu_builder::check(&file).unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(report.problems, Vec::<String>::new(), "{}", file.display());
            }
        }
    };
    let own = components().into_iter().filter(|component| component != "systems");
    let mut count = 0;
    for (component, assignments) in
        own.map(|component| (component, &[][..])).chain(MORE.map(|(c, a)| (c.to_owned(), a)))
    {
        let description = describe(&component, assignments).unwrap_or_else(|error| panic!("{component}: {error}"));
        pack(&component, &description);
        count += 1;
    }
    let files = EXAMPLES.map(|name| root().join("examples").join(name).with_extension("toml"));
    for file in &files {
        let mut settings = Settings::from_toml(file).unwrap_or_else(|error| panic!("{error}"));
        settings.name_after(file);
        let description = resolve("systems", &settings).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        pack("systems", &description);
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fmi3.py");
    let printed = printed(python.arg(script).arg(folder.path()));
    // The messages of an FMU are printed, too.
    let lines = printed.lines().filter(|line| !line.starts_with('['));
    assert_eq!(lines.count(), count + files.len(), "{printed}");
    let variables = |name: &str| -> usize {
        let line = printed.lines().find(|line| line.starts_with(&format!("{name} "))).expect(name);
        line.split(' ').next_back().and_then(|word| word.parse().ok()).expect("a number")
    };
    assert!(variables("JointUSP") <= 80 && variables("Bushing") <= 22, "{printed}");
}

#[test]
fn t2_t15_every_function_in_every_state() {
    let Some(mut python) = python() else { return };
    let folder = tempfile::tempdir().expect("room for a folder");
    let description = describe("clutch", &[]).unwrap();
    let file = packed("clutch", &description, Standard::Fmi3, folder.path());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fmi3_states.py");
    let printed = printed(python.arg(script).arg(file));
    // The program calls all functions but fmi3GetVersion, those that make and free instances, and
    // fmi3EvaluateDiscreteStates, which is not provided.
    assert_eq!(printed.lines().last(), Some(((9 + 8) * 69).to_string().as_str()), "{printed}");
}

type Lines = Arc<Mutex<Vec<String>>>;

/// Makes an instance of the sample for Co-Simulation, or logs why there is none.
fn made(standard: Standard, token: &str, lines: &Lines) -> Option<Instance> {
    let lines = lines.clone();
    let logger: Logger = Arc::new(move |_, _, _, text| lines.lock().unwrap().push(text.to_string_lossy().into_owned()));
    let (interface, logger) = (Some(Interface::CoSimulation), Some(logger));
    let (name, guid) = (Some("i"), Some(token));
    let events = EventHandling::Inside;
    let (location, logging_on, updates) = (None, true, None);
    let request = Request { standard, name, interface, guid, location, logger, logging_on, events, updates };
    instantiate(component_model::<Sample<f64>>(), request, || None)
}

/// Returns the token that a refusal names.
fn token(standard: Standard) -> String {
    let lines = Lines::default();
    assert!(made(standard, "{0}", &lines).is_none());
    let message = lines.lock().unwrap()[0].clone();
    let begin = match standard {
        Standard::Fmi2 => "fmi2Instantiate: fmuGUID is {0}, but the GUID of the default configuration",
        Standard::Fmi3 => {
            "fmi3InstantiateCoSimulation: instantiationToken is {0}, but the token of the default configuration"
        }
    };
    assert!(message.starts_with(begin), "{message}");
    message.rsplit(' ').next().unwrap().to_owned()
}

fn variables() -> Vec<Variable> {
    let answer = |request: DeclarationRequest<'_>| declaration(component_model::<Sample<f64>>().as_mut(), request);
    fmu_builder::describe(answer, DeclarationRequest::new("")).expect("a description").variables
}

fn message(outcome: Result<(), CallError>) -> String {
    outcome.unwrap_err().message
}

#[test]
fn t4_arrays_are_one_variable_and_wrong_ones_are_named() {
    let lines = Lines::default();
    let mut instance = made(Standard::Fmi3, &token(Standard::Fmi3), &lines).expect("an instance");
    let variables = variables();
    let of = |name: &str| variables.iter().find(|variable| variable.name == name).expect(name).value_reference;
    let (shape, axis, m) = (of("shape[1,1]"), of("axis[1]"), of("m"));
    let mut values = [0.0; 13];
    instance.get_floats(&[shape, m, axis], 13, || &mut values).unwrap();
    assert_eq!(values, [1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 3.0, 2.0, 1.0, 0.0, 0.0]);
    instance.set_real(&[axis, m], &[0.0, 0.6, 0.8, 4.0]).unwrap();
    let mut values = [0.0; 4];
    instance.get_floats(&[axis, m], 4, || &mut values).unwrap();
    assert_eq!(values, [0.0, 0.6, 0.8, 4.0]);
    // A table has a reference of its own, so that it keeps it.
    let mut values = [0.0; 4];
    instance.get_floats(&[reference::TABLES], 4, || &mut values).unwrap();
    assert_eq!(values, [0.0, 1.0, 1.0, 3.0]);
    let inner = axis + 1;
    let no_variable = format!("no Float64 variable has the value reference {inner}");
    assert_eq!(message(instance.set_real(&[inner], &[1.0])), no_variable);
    assert_eq!(message(instance.get_floats(&[inner], 1, || unreachable!())), no_variable);
    assert_eq!(message(instance.set_real(&[axis], &[1.0])), "there are 1 values, but the variables have 3");
    for count in [2, 4, usize::MAX] {
        let refused = message(instance.get_floats(&[axis], count, || unreachable!()));
        assert_eq!(refused, format!("there are {count} values, but the variables have 3"));
    }
    assert_eq!(
        message(instance.set_real(&[reference::TIME], &[1.0])),
        "\"time\" is the independent variable: it cannot be set and has no derivatives"
    );
    assert_eq!(message(instance.set_real(&[reference::EVENT_INDICATORS], &[1.0])), "event indicators can be read only");
    // Integers and enumerations are of two types.
    let (axes, trouble) = (of("axes[1]"), of("trouble"));
    assert_eq!(instance.get_integer(ArrayType::Int32, &[axes], 3).unwrap().collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(instance.get_integer(ArrayType::Enumeration, &[trouble], 1).unwrap().collect::<Vec<_>>(), [1]);
    assert_eq!(
        message(instance.get_integer(ArrayType::Int32, &[trouble], 1).map(drop)),
        format!("no Int32 variable has the value reference {trouble}")
    );
    assert_eq!(
        message(instance.set_integer(ArrayType::Enumeration, &[axes], &[1, 2, 3])),
        format!("no Enumeration variable has the value reference {axes}")
    );
    assert_eq!(
        message(instance.set_integer(ArrayType::Enumeration, &[trouble], &[i32::MAX])),
        "\"trouble\" cannot be 2147483647, it must be from 1 to 4"
    );
    assert_eq!(message(instance.no_variables("Clock", 1)), "this FMU has no Clock variables");
    assert_eq!(instance.no_variables("Clock", 0), Ok(()));
}
