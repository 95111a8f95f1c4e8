//! FMUs with states and events as blocks among equations of a tool (`tests/modelica/block.c`), beside FMUs in Co-Simulation,
//! which locate their events themselves.

use std::fmt::Write as _;
use std::process::Stdio;

use fmu_builder::Settings;
use fmu_builder::description::{Causality, Description, Variable, VariableType};
use fmu_tests::api::Status;
use fmu_tests::finished::{Fmu, Instance, printed, resolve, root};

use crate::driven::Driven;

/// Time in s between two rows, and their number.
const H: f64 = 0.05;
const ROWS: usize = 60;

/// Returns 0 for Reals, 1 for Integers and 2 for Booleans.
fn kind_of(variable: &Variable) -> usize {
    match variable.kind {
        VariableType::Real { .. } => 0,
        VariableType::Integer { .. } => 1,
        _ => 2,
    }
}

/// Returns the names of inputs that belong to no connector, and of outputs: Reals, Integers, Booleans.
fn names(description: &Description) -> (Vec<&str>, [Vec<&str>; 3]) {
    let (mut inputs, mut outputs) = (Vec::new(), [const { Vec::new() }; 3]);
    let in_terminals =
        |name: &str| description.terminals.iter().any(|port| name.starts_with(&format!("{}.", port.name)));
    for variable in description.variables.iter().filter(|variable| !in_terminals(&variable.name)) {
        let kind = kind_of(variable);
        match variable.causality {
            Causality::Input => inputs.push(&*variable.name),
            Causality::Output => outputs[kind].push(&*variable.name),
            _ => {}
        }
    }
    (inputs, outputs)
}

/// Returns the output of the program, and rows of outputs at the ends of steps, from rows of inputs. `outside`:
/// inertia, stiffness and damping at the flange.
fn among_equations(
    fmu: &Fmu,
    discrete: [&[&str]; 2],
    rows: &[Vec<f64>],
    outside: Option<[f64; 3]>,
    h: f64,
) -> (Driven, String, Vec<Vec<f64>>) {
    let description = &fmu.description;
    let driven = Driven::of(description, &fmu.file, false);
    let references = |names: &[&str]| {
        let reference = |name: &&str| description.variables.iter().find(|v| v.name == **name).unwrap().value_reference;
        let references: Vec<_> = names.iter().map(|name| reference(name).to_string()).collect();
        // C has no empty arrays.
        if references.is_empty() { "0".to_owned() } else { references.join(", ") }
    };
    let mut header = fs_err::read_to_string(driven.folder.path().join("model.h")).unwrap();
    let is_given = |kind: usize| {
        let inputs = description.variables.iter().filter(|variable| variable.causality == Causality::Input);
        inputs.filter(move |variable| kind_of(variable) == kind).map(|variable| &*variable.name).collect::<Vec<_>>()
    };
    for ((kind, names), number) in ["INTEGERS", "BOOLEANS"].into_iter().zip(discrete).zip(1..) {
        let (count, given) = (names.len(), is_given(number));
        writeln!(header, "#define {kind} {}\n#define N_DISCRETE_{kind} {count}", references(names)).unwrap();
        let count = given.len();
        writeln!(header, "#define GIVEN_{kind} {}\n#define N_GIVEN_{kind} {count}", references(&given)).unwrap();
    }
    fs_err::write(driven.folder.path().join("model.h"), header).unwrap();
    let line = |row: &Vec<f64>| format!("{:?}\n", if row.is_empty() { &[0.0][..] } else { row });
    let text: String = rows.iter().map(|row| line(row).replace(['[', ']', ','], " ")).collect();
    let input = driven.folder.path().join("rows");
    fs_err::write(&input, text).unwrap();
    let states = description.model_structure.derivatives.len();
    let mut program = driven.program("block.c");
    program.args([h.to_string(), states.to_string(), description.event_indicators.to_string()]);
    program.args(outside.iter().flatten().map(f64::to_string));
    let said = printed(program.stdin(Stdio::from(fs_err::File::open(&input).unwrap().into_file())));
    assert!(!said.contains("wrong") && !said.contains("warning"), "{said}");
    let found = said.lines().filter_map(|line| line.strip_prefix("row "));
    let found = found.map(|line| line.split(' ').map(|number| number.parse().unwrap()).collect()).collect();
    (driven, said, found)
}

fn co_simulation(
    instance: &Instance<'_>,
    inputs: &[&str],
    rows: &[Vec<f64>],
    outputs: &[&str],
    h: f64,
) -> Vec<Vec<f64>> {
    let set = |row: &[f64]| inputs.iter().zip(row).for_each(|(name, value)| _ = instance.set(name, &[*value]));
    set(&rows[0]);
    assert_eq!(instance.fmi.setup_experiment(Some(1e-9), 0.0, None), Status::Ok);
    assert_eq!(instance.fmi.enter_initialization_mode(), Status::Ok);
    assert_eq!(instance.fmi.exit_initialization_mode(), Status::Ok);
    let step = |(i, row): (usize, &Vec<f64>)| {
        set(row);
        instance.step(i as f64 * h, h);
        outputs.iter().map(|name| instance.get(name)[0]).collect()
    };
    rows.iter().enumerate().map(step).collect()
}

/// Compares rows; returns the numbers of rows in which a clutch or brake was in the modes -1 to 2.
fn compare(
    outputs: &[&str],
    found: &[Vec<f64>],
    expected: &[Vec<f64>],
    tolerance_of: impl Fn(&str) -> f64,
) -> [usize; 4] {
    assert_eq!(found.len(), expected.len());
    let mut modes = [0; 4];
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert_eq!(found.len(), outputs.len());
        for ((name, found), expected) in outputs.iter().zip(found).zip(expected) {
            let difference = (found - expected).abs();
            let tolerance = tolerance_of(name) * (1.0 + expected.abs());
            assert!(difference <= tolerance, "row {i}: {name} is {found}, not {expected}");
            if name.ends_with(".mode")
                && let Some(count) = modes.get_mut((expected + 1.0) as usize)
            {
                *count += 1;
            }
        }
    }
    modes
}

/// Returns the tolerance of an output: loads and accelerations follow angles, which have the tolerance.
fn tolerance_of(name: &str) -> f64 {
    let vector = name.split_once('[').map_or(name, |(vector, _)| vector);
    let ends = ["tau", ".a", ".a_rel", ".a_0", ".z_a", ".f", ".t", ".force", ".torque", ".power"];
    let is_load = ends.iter().any(|end| vector.ends_with(end)) || vector.contains(".f_");
    if is_load { 1e-4 } else { 1e-6 }
}

fn system(settings: &Settings) -> Fmu {
    Fmu::of("systems", resolve("systems", settings).unwrap())
}

#[test]
fn a_gear_is_shifted_among_equations() {
    let fmu = system(&Settings::from_toml(&root().join("examples/gear-shift.toml")).unwrap());
    let (inputs, [reals, integers, booleans]) = names(&fmu.description);
    // The inputs are engine torque and normal forces, shifted up and down.
    let row = |i: usize| {
        let t = i as f64 * H;
        let value = |name: &&str| match *name {
            "torque.tau" => 10.0 + 4.0 * (2.0 * t).sin(),
            "clutch.f_normalized" => 0.1 * f64::from(i % 30 > 12) * (1.0 + 0.2 * (3.0 * t).sin()),
            "brake.f_normalized" => 0.12 * f64::from(i % 30 <= 10),
            other => panic!("what is {other}?"),
        };
        inputs.iter().map(value).collect()
    };
    let rows: Vec<_> = (0..ROWS).map(row).collect();
    let (driven, said, found) = among_equations(&fmu, [&integers, &booleans], &rows, None, H);

    let unpacked = format!("{} ({})", driven.name, driven.unpacked().display());
    let states = fmu.description.model_structure.derivatives.len();
    let (count, given) = (states + reals.len(), inputs.len());
    for message in [
        format!("size: {unpacked}: a function: {} values are given, but it has {count}", count + 1),
        format!("inputs: {unpacked}: a function: {} values are given, but it has {given}", given + 1),
        format!("number: {unpacked}: the time: fmi2SetTime: "),
        format!("states: {unpacked}: a function: {} values are given, but it has {states}", states + 1),
        format!("outputs: {unpacked}: a function: 0 values are given, but it has 1"),
        format!("coefficients: {unpacked}: a function: 1 values are given, but it has 0"),
    ] {
        assert!(said.contains(&message), "{message}\n{said}");
    }
    let outputs = [&reals[..], &integers, &booleans].concat();
    let expected = co_simulation(&fmu.instance(), &inputs, &rows, &outputs, H);
    let [backward, stuck, forward, free] = compare(&outputs, &found, &expected, tolerance_of);
    assert!([backward + forward, stuck, free].iter().all(|count| *count > 5));
}

/// Inertia, stiffness and damping at the shaft of a drive, outside of it; or as parts of the same system.
const OUTSIDE: [f64; 3] = [0.6, 4.0, 3.0];

/// Checks a drive with a shaft that leads outside, beside one with all inside; returns the modes of its clutch.
fn check_drive(parts: &str, coupling: &str, value: impl Fn(&str, f64) -> f64) -> [usize; 4] {
    let folder = tempfile::tempdir().unwrap();
    let built = |more: &str| {
        let file = folder.path().join("system.toml");
        fs_err::write(&file, format!("{parts}{more}")).unwrap();
        system(&Settings::from_toml(&file).unwrap())
    };
    let unit = built(&format!(
        "[parts.shaft]\ntype = \"Flange_b\"\nflange = \"output.flange_b\"\ncoupling = \"{coupling}\"\n"
    ));
    let [inertia, c, d] = OUTSIDE;
    let whole = built(&format!(
        "[parts.wheel]\ntype = \"Inertia\"\nJ = {inertia:?}\nflange_a = \"output.flange_b\"\n\
         [parts.road]\ntype = \"SpringDamper\"\nc = {c:?}\nd = {d:?}\nflange_a = \"wheel.flange_b\"\n\
         [parts.ground]\ntype = \"Fixed\"\nflange = \"road.flange_b\"\n"
    ));
    let (inputs, [reals, integers, booleans]) = names(&unit.description);
    let row = |i: usize| inputs.iter().map(|name| value(name, i as f64)).collect();
    let rows: Vec<Vec<f64>> = (0..ROWS).map(row).collect();
    let (.., found) = among_equations(&unit, [&integers, &booleans], &rows, Some(OUTSIDE), H);
    let outputs = [&reals[..], &integers, &booleans].concat();
    let expected = co_simulation(&whole.instance(), &inputs, &rows, &outputs, H);
    compare(&outputs, &found, &expected, tolerance_of)
}

/// This is the drive unit of the examples. Its clutch sticks and slips, which depends on the inertia outside.
#[test]
fn a_drive_unit_moves_what_is_at_its_shaft() {
    let text = fs_err::read_to_string(root().join("examples/drive-unit.toml")).unwrap();
    let (parts, _) = text.split_once("[parts.shaft]").unwrap();
    let value = |name: &str, i: f64| match name {
        "torque.tau" => 50.0 * (2.0 * i * H).sin() - 15.0,
        "clutch.f_normalized" => 0.12 * f64::from(i % 20.0 > 3.0) * (1.0 + 0.2 * (3.0 * i * H).sin()),
        other => panic!("what is {other}?"),
    };
    let [backward, stuck, forward, free] = check_drive(parts, "torque_in", value);
    assert!([backward + forward, stuck, free].iter().all(|count| *count > 5), "{backward} {stuck} {forward} {free}");
}

/// Sticking depends on the acceleration outside, which would follow from it: such a part has no model. Springs have.
#[test]
fn a_drive_is_moved_at_its_shaft() {
    let parts = "name = \"Drive\"\n\
        [parts.torque]\ntype = \"Torque\"\nflange = \"engine.flange_a\"\n\
        [parts.engine]\ntype = \"Inertia\"\nJ = 0.18\nw_start = 15.0\n\
        [parts.elastic]\ntype = \"SpringDamper\"\nc = 200.0\nd = 1.0\nflange_a = \"engine.flange_b\"\nflange_b = \"gear.flange_a\"\n\
        [parts.gear]\ntype = \"IdealGear\"\nratio = 4.0\n\
        [parts.output]\ntype = \"Inertia\"\nJ = 0.4\nflange_a = \"gear.flange_b\"\n";
    let torque = |_: &str, i: f64| 50.0 * (2.0 * i * H).sin();
    check_drive(parts, "motion_in", torque);
    check_drive(parts, "torque_in", torque);
}

/// Sources, tables and blocks are inside: their times are events of the tool, and velocities have derivatives by time.
#[test]
fn sources_inside_move_what_is_at_the_shaft() {
    let sources = "name = \"Driven\"\n\
        [parts.path]\ntype = \"KinematicPTP2\"\nq_end = 3.0\nqd_max = 2.0\nqdd_max = 5.0\nstartTime = 0.31\n\
        [parts.move]\ntype = \"Position\"\nphi = \"path.q\"\nflange = \"output.flange_a\"\n";
    let elastic = "[parts.sine]\ntype = \"Sine\"\namplitude = 40.0\nf = 0.7\nstartTime = 0.2\n\
        [parts.torque]\ntype = \"Torque\"\ntau = \"sine.y\"\nflange = \"output.flange_b\"\n\
        [parts.lag]\ntype = \"FirstOrder\"\nu = \"path.q\"\nT = 0.3\n";
    let spring = "[parts.output]\ntype = \"SpringDamper\"\nc = 300.0\nd = 2.0\nflange_b = \"rotor.flange_a\"\n\
        [parts.rotor]\ntype = \"Inertia\"\nJ = 0.5\n";
    let rigid = "[parts.output]\ntype = \"Inertia\"\nJ = 0.4\n";
    let no_inputs = |name: &str, _: f64| panic!("what is {name}?");
    check_drive(&format!("{sources}{elastic}{spring}"), "torque_in", no_inputs);
    check_drive(&format!("{sources}{rigid}"), "torque_in", no_inputs);
}

/// A box goes from one gripper to the next: their signals are Boolean inputs, whose changes are events of the tool.
#[test]
fn grippers_hold_and_let_go_among_equations() {
    // Grippers are stiff: the steps of the program must be short.
    const STIFF: f64 = 0.0097;
    let fmu = system(&Settings::from_toml(&root().join("examples/pick-and-place.toml")).unwrap());
    let (inputs, [reals, integers, booleans]) = names(&fmu.description);
    let row = |i: usize| {
        let t = i as f64 * STIFF;
        let value = |name: &&str| match *name {
            "turn.w" => 0.3 * (2.0 * t).sin(),
            "rise.v" => 0.05 * (3.0 * t).sin(),
            "tray.active" => f64::from(u8::from(i < 20)),
            "hand.active" => f64::from(u8::from((15..45).contains(&i))),
            "shelf.active" => f64::from(u8::from(i >= 40)),
            name if name.ends_with(".a") => 0.0,
            other => panic!("what is {other}?"),
        };
        inputs.iter().map(value).collect()
    };
    let rows: Vec<Vec<f64>> = (0..ROWS).map(row).collect();
    let outputs = [&reals[..], &integers, &booleans].concat();
    let (.., found) = among_equations(&fmu, [&integers, &booleans], &rows, None, STIFF);
    let expected = co_simulation(&fmu.instance(), &inputs, &rows, &outputs, STIFF);
    let is_load = |name: &str| name.ends_with(".f") || name.contains(".f[");
    compare(&outputs, &found, &expected, |name| if is_load(name) { 1e-4 } else { 1e-6 });
    let state = outputs.iter().position(|name| *name == "hand.state").unwrap();
    let count = |of: f64| expected.iter().filter(|row| row[state] == of).count();
    assert!(
        count(expected[0][state]) > 5 && count(expected[30][state]) > 5 && expected[0][state] != expected[30][state]
    );
}

/// A Boolean input of a system switches at events.
#[test]
fn a_switch_is_an_input_of_a_block() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("system.toml");
    let parts = "name = \"Switched\"\n\
        [parts.high]\ntype = \"Ramp\"\nheight = 6.0\nduration = 1.3\n\
        [parts.low]\ntype = \"Constant\"\nk = -2.0\n\
        [parts.switch]\ntype = \"Switch\"\nu1 = \"high.y\"\nu3 = \"low.y\"\n\
        [parts.torque]\ntype = \"Torque\"\ntau = \"switch.y\"\nflange = \"rotor.flange_a\"\n\
        [parts.rotor]\ntype = \"Inertia\"\nJ = 0.5\n";
    fs_err::write(&file, parts).unwrap();
    let fmu = system(&Settings::from_toml(&file).unwrap());
    let (inputs, [reals, integers, booleans]) = names(&fmu.description);
    assert_eq!(inputs, ["switch.u2"]);
    let rows: Vec<_> = (0..ROWS).map(|i| vec![f64::from(u8::from(i % 7 > 2))]).collect();
    let outputs = [&reals[..], &integers, &booleans].concat();
    let (.., found) = among_equations(&fmu, [&integers, &booleans], &rows, None, BETWEEN);
    let expected = co_simulation(&fmu.instance(), &inputs, &rows, &outputs, BETWEEN);
    compare(&outputs, &found, &expected, tolerance_of);
}

/// Each example of the Standard Library, and one with its sources beside its parts, beside itself in Co-Simulation.
#[test]
fn examples_have_their_events_in_the_tool() {
    let mut files: Vec<_> =
        fs_err::read_dir(root().join("examples/msl")).unwrap().map(|entry| entry.unwrap().path()).collect();
    // The contacts of PreLoad vibrate faster than this driver's steps of fixed length follow.
    files.retain(|file| {
        file.extension().is_some_and(|extension| extension == "toml") && !file.ends_with("translational-pre-load.toml")
    });
    files.push(root().join("examples/coupled-clutches.toml"));
    let mut count = 0;
    for file in files {
        let fmu = system(&Settings::from_toml(&file).unwrap());
        let (inputs, [reals, integers, booleans]) = names(&fmu.description);
        assert!(inputs.is_empty(), "{}: {inputs:?}", file.display());
        // Most mechanisms have no events.
        if file.to_string_lossy().contains("multibody") && integers.is_empty() && booleans.is_empty() {
            continue;
        }
        count += 1;
        let rows = vec![Vec::new(); (UNTIL / BETWEEN) as usize];
        let outputs = [&reals[..], &integers, &booleans].concat();
        let (.., found) = among_equations(&fmu, [&integers, &booleans], &rows, None, BETWEEN);
        let expected = co_simulation(&fmu.instance(), &inputs, &rows, &outputs, BETWEEN);
        for (k, name) in outputs.iter().enumerate() {
            let values = || expected.iter().map(|row| row[k]);
            let range = values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min);
            for (i, (found, expected)) in found.iter().zip(values()).enumerate() {
                let difference = (found[k] - expected).abs();
                // The fastest of the examples: the steps of fixed length of this driver follow the engine less exactly.
                let coarse = if file.ends_with("multibody-engine1b-analytic.toml") { 1e-4 } else { 0.0 };
                let bound = tolerance_of(name).max(coarse) * (1.0 + range);
                assert!(difference <= bound, "{}: {name} in row {i}: {}, not {expected}", file.display(), found[k]);
            }
        }
    }
    assert!(count > 20, "{count} examples");
}

/// Time in s between two rows, at no multiple of which anything happens, and the time at which they end.
const BETWEEN: f64 = 0.047;
const UNTIL: f64 = 1.45;

/// Maxwell elements and friction move along a path of straight lines, beside the FMU in Co-Simulation, which has their
/// solution in closed form.
#[test]
fn a_bushing_with_rubber_has_its_states_in_the_tool() {
    let options = ["maxwell_T=2", "maxwell_R=1", "friction_T=true"];
    let fmu = Fmu::new("bushing", &options);
    let positions = |i: usize| {
        let wave = |k: f64| 2e-4 * (0.9 * k * i as f64).sin();
        [vec![0.1, 0.2, 0.3], turned(0.4), vec![0.1 + wave(1.0), 0.2 + wave(1.3), 0.3 + wave(0.7)], turned(0.42)]
    };
    let row = |i: usize| {
        let (now, next) = (positions(i), positions(i + 1));
        let velocities = (0..3).map(|k| (next[2][k] - now[2][k]) / H);
        let at_rest = [0.0; 6];
        [now.concat(), at_rest.into(), velocities.collect(), vec![0.0; 3]].concat()
    };
    let rows: Vec<Vec<f64>> = (0..=ROWS).map(row).collect();
    let expected = {
        let instance = fmu.instance();
        let set = |row: &[f64]| {
            for (name, at) in [("frame_a", 0), ("frame_b", 12)] {
                instance.set(&format!("{name}.r_0"), &row[at..at + 3]);
                instance.set(&format!("{name}.R.T"), &row[at + 3..at + 12]);
                instance.set(&format!("{name}.v_0"), &row[24 + at / 2..27 + at / 2]);
                instance.set(&format!("{name}.R.w"), &row[27 + at / 2..30 + at / 2]);
            }
        };
        set(&rows[0]);
        instance.initialise();
        let step = |i: usize| {
            set(&rows[i]);
            instance.set_rates("frame_b.r_0", &rows[i][30..33]);
            instance.step(i as f64 * H, H);
            OUTPUTS.map(|name| instance.get(name)).concat()
        };
        (0..ROWS).map(step).collect::<Vec<_>>()
    };
    const OUTPUTS: [&str; 5] = ["frame_a.f", "frame_a.t", "frame_b.f", "frame_b.t", "lossPower"];
    let (.., found) = among_equations(&fmu, [&[], &[]], &rows, None, H);
    let found: Vec<_> = found.into_iter().map(|row| row[..13].to_vec()).collect();
    let names = OUTPUTS.map(|name| vec![name; if name == "lossPower" { 1 } else { 3 }]).concat();
    compare(&names, &found, &expected, |_| 1e-6);
    let largest = |k: usize| expected.iter().map(|row| row[k].abs()).fold(0.0, f64::max);
    assert!(largest(0) > 100.0 && largest(12) > 0.1, "{} {}", largest(0), largest(12));
}

/// Returns the rotation matrix of a frame that is turned about its x axis.
fn turned(angle: f64) -> Vec<f64> {
    let (s, c) = angle.sin_cos();
    vec![1.0, 0.0, 0.0, 0.0, c, s, 0.0, -s, c]
}
