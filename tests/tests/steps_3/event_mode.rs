//! Event mode in Co-Simulation (FMI 3.0): a step ends at an event, which the importer handles.

use fmu_builder::Settings;
use fmu_builder::description::{Causality, Description, VariableType};
use fmu_runtime::Instance;
use fmu_runtime::lifecycle::{Call, EventHandling};
use fmu_runtime::log::Status;
use fmu_tests::finished::{describe, resolve, root};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use crate::importer::{CLUTCH, Event, GRIPPER, Importer, Model, STICKS, SYSTEM, engaging_clutch};

const STEP: f64 = 0.03;

/// Makes a run of 1 s, whose events are returned.
fn run(importer: &mut Importer, look: &dyn Fn(&mut Importer) -> Vec<f64>) -> Vec<Event> {
    importer.start();
    (0..33).flat_map(|i| importer.go(f64::from(i) * STEP, f64::from(i + 1) * STEP, look)).collect()
}

#[test]
fn t6_a_clutch_sticks_at_the_exact_instant() {
    let alone = engaging_clutch();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Pair.toml");
    let text = "[parts.a]\ntype = \"Inertia\"\nJ = 1.0\nw = 7.0\n[parts.b]\ntype = \"Inertia\"\nJ = 2.0\nw = 0.0\n\
        [parts.clutch]\ntype = \"Clutch\"\nfn_max = 20.0\nf_normalized = 1.0\nflange_a = \"a.flange_b\"\nflange_b = \"b.flange_a\"\n";
    fs_err::write(&file, text).unwrap();
    let pair = resolve("systems", &Settings::from_toml(&file).unwrap()).unwrap();
    for (model, description, names) in
        [(CLUTCH, &alone, ["mode", "tau", "w_rel"]), (SYSTEM, &pair, ["clutch.mode", "clutch.tau", "clutch.w_rel"])]
    {
        let [mode, tau, w_rel] = names;
        let look =
            |importer: &mut Importer| vec![f64::from(importer.whole(mode)), importer.real(tau), importer.real(w_rel)];
        let events = run(&mut Importer::new(model, description, EventHandling::ByImporter), &look);
        let [Event { time, before, after, .. }] = &events[..] else { panic!("{} events", events.len()) };
        assert!((time - STICKS).abs() <= 1e-12, "{time} s, not {STICKS} s");
        // The torque jumps; before the event it is that of sliding.
        assert_eq!((before[0], after[0]), (-1.0, 0.0), "{mode}");
        assert!((before[1] + 10.0).abs() <= 1e-9 && after[1].abs() <= 1e-9, "{before:?}, {after:?}");
        assert!(before[2].abs() <= 1e-12 && after[2] == 0.0, "{before:?}, {after:?}");
        for events in [EventHandling::Inside, EventHandling::AtEnds] {
            assert_eq!(run(&mut Importer::new(model, description, events), &look).len(), 0);
        }
    }
}

#[test]
fn t6_a_gripper_tells_when_its_ramp_ends_and_stops_there() {
    let description = describe("gripper", &["T=0.1"]).unwrap();
    let mut importer = Importer::new(GRIPPER, &description, EventHandling::ByImporter);
    let look = |importer: &mut Importer| vec![f64::from(importer.whole("state")), importer.real("onoff")];
    importer.start();
    assert!(importer.go(0.0, 0.15, &look).is_empty());
    let active = importer.reference("active");
    importer.call(Call::fmi3EnterEventMode, Instance::enter_event_mode);
    importer.call(Call::fmi3SetBoolean, |instance| instance.set_boolean(&[active], &[1]));
    let due = importer.leave_event_mode().expect("the end of the ramp");
    assert!((due - 0.25).abs() <= 1e-12, "{due} s");
    assert_eq!(look(&mut importer), [4.0, 0.0]);
    let events = importer.go(0.15, 0.4, &look);
    let [Event { time, before, after, next: None }] = &events[..] else { panic!("{} events", events.len()) };
    assert!((time - 0.25).abs() <= 1e-12, "{time} s");
    assert_eq!((before[0], after[0]), (4.0, 1.0));
    assert!((before[1] - 1.0).abs() <= 1e-9 && after[1] == 1.0, "{before:?}, {after:?}");
}

#[test]
fn t8_event_mode_needs_its_flag() {
    let description = describe("clutch", &[]).unwrap();
    let mut importer = Importer::new(CLUTCH, &description, EventHandling::Inside);
    importer.start();
    assert_eq!(
        importer.instance.enter_event_mode().unwrap_err().message,
        "the instance was made without event mode: eventModeUsed was fmi3False"
    );
    let mut importer = Importer::new(CLUTCH, &description, EventHandling::AtEnds);
    importer.start();
    importer.call(Call::fmi3EnterEventMode, Instance::enter_event_mode);
    let step = |instance: &mut Instance| instance.do_step(0.0, 0.1).map(drop);
    assert_eq!(importer.instance.call(Call::fmi3DoStep, step), Status::Error);
}

/// Observed variables: names, with true for Reals and false for Integers.
type Looked<'a> = [(&'a str, bool)];

/// Makes two runs of so many steps with the same inputs at the communication points, with events inside and handled
/// outside: the values at the points must agree. Returns the number of events.
fn compare(
    model: Model,
    description: &Description,
    inputs: &[(&str, f64)],
    looked_at: &Looked<'_>,
    tolerance: f64,
    steps: u32,
) -> usize {
    let look = |importer: &mut Importer| {
        looked_at
            .iter()
            .map(|(name, is_real)| if *is_real { importer.real(name) } else { importer.whole(name).into() })
            .collect::<Vec<_>>()
    };
    let mut count = 0;
    let [inside, outside] = [EventHandling::Inside, EventHandling::ByImporter].map(|events| {
        let mut importer = Importer::new(model, description, events);
        // The torque of a stiff shaft is far less exact than its twist.
        importer.start_within(Some(1e-8));
        let mut values = Vec::new();
        for i in 0..steps {
            let begin = f64::from(i) * STEP;
            for (k, (name, size)) in inputs.iter().enumerate() {
                importer.set(name, size * (f64::from(i / 4) * 2.0 + k as f64).sin());
            }
            if events == EventHandling::ByImporter && i % 4 == 0 {
                importer.event_mode();
            }
            count += importer.go(begin, begin + STEP, &look).len();
            values.push(look(&mut importer));
        }
        values
    });
    for (i, (inside, outside)) in inside.iter().zip(&outside).enumerate() {
        for ((name, _), (a, b)) in looked_at.iter().zip(inside.iter().zip(outside)) {
            let near = (a - b).abs() <= tolerance * a.abs().max(1.0);
            assert!(near, "{}: {name} at point {}: {a} and {b}; {inputs:?}", description.configuration, i + 1);
        }
    }
    count
}

#[test]
fn t7_clutches_move_the_same_whoever_handles_their_events() {
    let mut total = 0;
    let strategy = (0usize..4, -8.0..8.0f64, 0.5..30.0f64, 0.5..40.0f64);
    let mut runner = TestRunner::deterministic();
    for _ in 0..60 {
        let (coupling, w, force, torque) = strategy.new_tree(&mut runner).unwrap().current();
        let words = ["torque_in", "motion_in"];
        let mut settings: Vec<_> =
            ["mue_pos=[[0, 0.5], [2, 0.4], [20, 0.35]]".to_owned(), "peak=1.1".to_owned(), format!("fn_max={force}")]
                .into();
        let mut inputs = vec![("f_normalized", 1.0)];
        let sides = [
            ("flange_a", "w_a_start", w, ["flange_a.tau", "flange_a.w", "flange_a.a"]),
            ("flange_b", "w_b_start", -0.3 * w, ["flange_b.tau", "flange_b.w", "flange_b.a"]),
        ];
        for (i, (flange, start, w, [tau, speed, a])) in sides.into_iter().enumerate() {
            let word = words[(coupling >> i) & 1];
            settings.push(format!("{flange}={word}"));
            if word == "torque_in" {
                settings.push(format!("{start}={w}"));
                inputs.push((tau, torque));
            } else {
                inputs.extend([(speed, w), (a, torque)]);
            }
        }
        let settings: Vec<_> = settings.iter().map(String::as_str).collect();
        let description = describe("clutch", &settings).unwrap();
        let looked_at = [("mode", false), ("phi_rel", true), ("w_rel", true), ("tau", true)];
        total += compare(CLUTCH, &description, &inputs, &looked_at, 1e-9, 33);
    }
    assert!(total > 40, "{total} events");
}

#[test]
fn t7_systems_move_the_same_whoever_handles_their_events() {
    for (name, steps, least) in [("gear-shift", 33, 2), ("hoist", 33, 1), ("launch", 33, 1), ("engine-v6", 4, 80)] {
        let file = root().join("examples").join(name).with_extension("toml");
        let description = resolve("systems", &Settings::from_toml(&file).unwrap()).unwrap();
        let of = |causality: Causality| {
            let variables = description.variables.iter().filter(move |variable| variable.causality == causality);
            variables.filter_map(|variable| match variable.kind {
                VariableType::Real { .. } => Some((variable.name.as_str(), true)),
                VariableType::Integer { .. } => Some((variable.name.as_str(), false)),
                _ => None,
            })
        };
        let inputs: Vec<_> = of(Causality::Input).map(|(name, _)| (name, 2.0)).collect();
        let looked_at: Vec<_> = of(Causality::Output).collect();
        let count = compare(SYSTEM, &description, &inputs, &looked_at, 1e-4, steps);
        assert!(count >= least, "{name}: {count} events");
    }
}
