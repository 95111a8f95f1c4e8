//! Intermediate update: the importer is called inside a step, and the instance has the values of that time.

use std::sync::Arc;

use fmu_builder::Settings;
use fmu_builder::description::{Causality, Description};
use fmu_runtime::Outcome;
use fmu_runtime::intermediate_update::{Request, StepProgress, Update};
use fmu_runtime::lifecycle::{Call, EventHandling};
use fmu_tests::finished::{describe, resolve, root};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use crate::importer::{CLUTCH, Importer, Model, STICKS, SYSTEM, engaging_clutch};

fn request(variables: Outcome<Vec<u32>>, may_return_early: bool) -> Request {
    Request { callback: Arc::new(|_| None), variables, may_return_early }
}

/// Makes an importer that is called inside steps, after the initialisation. It may return early.
fn told(model: Model, description: &Description, events: EventHandling, variables: &[u32]) -> Importer {
    let request = request(Ok(variables.to_vec()), true);
    let mut importer = Importer::told(model, description, events, Some(request)).unwrap();
    importer.start();
    importer
}

impl Importer {
    /// Makes a step as `fmi3DoStep` does, with this function as the importer's; returns true if there is an event to
    /// handle.
    fn told_step(&mut self, point: f64, h: f64, mut update: impl FnMut(&mut Self, &Update) -> Option<f64>) -> bool {
        let mut progress = StepProgress::new(point, h);
        loop {
            let mut reached = None;
            self.call(Call::fmi3DoStep, |instance| {
                reached = Some(instance.step_segment(&mut progress)?);
                Ok(())
            });
            let return_at = update(self, &reached.unwrap());
            self.instance.end_update(&mut progress, return_at);
            if let Some(is_event) = progress.ended() {
                let time = self.time();
                assert_eq!(progress.is_early(time), time < point + h);
                return is_event;
            }
        }
    }

    fn whole_step(&mut self, point: f64, h: f64) {
        self.call(Call::fmi3DoStep, |instance| instance.do_step(point, h).map(drop));
    }

    fn time(&mut self) -> f64 {
        let mut time = [0.0];
        self.instance.get_floats(&[fmu_runtime::reference::TIME], 1, || &mut time).unwrap();
        time[0]
    }

    fn all(&mut self, names: &[String]) -> Vec<f64> {
        names.iter().map(|name| self.real(name)).collect()
    }

    fn saved(&mut self) -> usize {
        let mut state = 0;
        self.call(Call::fmi3GetFMUState, |instance| {
            state = instance.get_fmu_state(0)?;
            Ok(())
        });
        state
    }

    fn restore(&mut self, state: usize) {
        self.call(Call::fmi3SetFMUState, |instance| instance.set_fmu_state(state));
    }
}

#[test]
fn t14_values_inside_a_step_are_those_of_the_exact_motion() {
    let description = engaging_clutch();
    for events in [EventHandling::Inside, EventHandling::AtEnds, EventHandling::ByImporter] {
        let mut importer = told(CLUTCH, &description, events, &[]);
        let mut times = Vec::new();
        let h = 0.6;
        let is_event = importer.told_step(0.0, h, |importer, update| {
            let w = (7.0 - 15.0 * update.time).max(0.0);
            assert!((importer.real("w_rel") + w).abs() <= 1e-12, "{update:?}");
            let turned = 3.5 * STICKS - 7.5 * (STICKS - update.time).max(0.0).powi(2);
            assert!((importer.real("phi_rel") + turned).abs() <= 1e-12, "{update:?}");
            assert_eq!((importer.time(), update.takes_inputs), (update.time, false));
            times.push(update.time);
            None
        });
        let before: Vec<_> = (1..=6).map(|part| h * f64::from(part) / 8.0).collect();
        let ends_at_event = events == EventHandling::ByImporter;
        let after: &[f64] = if ends_at_event { &[] } else { &[h * 7.0 / 8.0, h] };
        let expected: Vec<_> = before.iter().copied().chain([STICKS]).chain(after.iter().copied()).collect();
        assert_eq!(times.len(), expected.len(), "{events:?}: {times:?}");
        assert!(times.iter().zip(&expected).all(|(time, other)| (time - other).abs() <= 1e-12), "{times:?}");
        assert_eq!((is_event, importer.time() == h), (ends_at_event, !ends_at_event));
    }
}

/// Compares values at the ends of parts of 20 steps of 50 ms with those of another instance that steps to the same times at once, and the motion with
/// that of an instance that nobody asks.
fn compare(model: Model, description: &Description, inputs: &[(String, f64)], outputs: &[String], tolerance: f64) {
    let h = 0.05;
    let updates = [Some(request(Ok(Vec::new()), true)), None, None];
    let [mut inside, mut other, mut alone] = updates.map(|updates| {
        let mut importer = Importer::told(model, description, EventHandling::Inside, updates).unwrap();
        importer.start_within(Some(1e-10));
        importer
    });
    let near = |one: &[f64], two: &[f64], time: f64| {
        for ((a, b), name) in one.iter().zip(two).zip(outputs) {
            let is_near = (a - b).abs() <= tolerance * a.abs().max(1.0);
            assert!(is_near, "{}: {name} at {time} s: {a} and {b}; {inputs:?}", description.configuration);
        }
    };
    for i in 0..20 {
        let point = f64::from(i) * h;
        for (k, (name, size)) in inputs.iter().enumerate() {
            let value = size * (f64::from(i / 3) * 2.0 + k as f64).sin();
            [&mut inside, &mut other, &mut alone].into_iter().for_each(|importer| importer.set(name, value));
        }
        let begin = other.saved();
        let mut last = point;
        let mut count = 0;
        inside.told_step(point, h, |inside, update| {
            assert!(last <= update.time && update.time <= point + h, "{update:?}");
            (last, count) = (update.time, count + 1);
            // At an event accelerations jump.
            let part = (update.time - point) / h * 8.0;
            if (part - part.round()).abs() <= 1e-9 {
                other.restore(begin);
                other.whole_step(point, update.time - point);
                near(&inside.all(outputs), &other.all(outputs), update.time);
            }
            None
        });
        assert!(count >= 8 && last == point + h);
        alone.whole_step(point, h);
        near(&inside.all(outputs), &alone.all(outputs), point + h);
    }
}

fn named(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn t14_values_inside_a_step_are_those_of_a_step_that_ends_there() {
    let strategy = (-8.0..8.0f64, 0.5..30.0f64, 0.5..40.0f64);
    let mut runner = TestRunner::deterministic();
    for _ in 0..20 {
        let (w, force, torque) = strategy.new_tree(&mut runner).unwrap().current();
        let settings = [
            "mue_pos=[[0, 0.5], [2, 0.4], [20, 0.35]]".to_owned(),
            "peak=1.1".to_owned(),
            format!("fn_max={force}"),
            format!("w_a_start={w}"),
        ];
        let settings: Vec<_> = settings.iter().map(String::as_str).collect();
        let description = describe("clutch", &settings).unwrap();
        let inputs = [("f_normalized", 1.0), ("flange_a.tau", torque), ("flange_b.tau", 0.5 * torque)];
        let inputs = inputs.map(|(name, size)| (name.to_owned(), size));
        compare(CLUTCH, &description, &inputs, &named(&["phi_rel", "w_rel"]), 1e-9);
    }
    for name in ["gear-shift", "hoist", "engine-mount"] {
        let file = root().join("examples").join(name).with_extension("toml");
        let description = resolve("systems", &Settings::from_toml(&file).unwrap()).unwrap();
        let of = |causality: Causality| {
            let reals = description.variables.iter().filter(move |variable| variable.causality == causality);
            reals.filter(|variable| variable.is_real()).map(|variable| variable.name.clone())
        };
        let inputs: Vec<_> = of(Causality::Input).map(|name| (name, 2.0)).collect();
        compare(SYSTEM, &description, &inputs, &of(Causality::Output).collect::<Vec<_>>(), 1e-6);
    }
}

#[test]
fn t14_inputs_set_inside_a_step_act_from_there() {
    let description = describe("clutch", &["fn_max=20", "w_a_start=3"]).unwrap();
    let reference = |name: &str| description.variables.iter().find(|v| v.name == name).unwrap().value_reference;
    let variables = ["flange_a.tau", "w_rel"].map(reference);
    let mut importer = told(CLUTCH, &description, EventHandling::Inside, &variables);
    let mut steps = Importer::new(CLUTCH, &description, EventHandling::Inside);
    steps.start();
    let (h, mut time, mut torque) = (0.1, 0.0, 0.0);
    importer.told_step(0.0, h, |importer, update| {
        assert_eq!(update.takes_inputs, update.time < h, "{update:?}");
        // The other instance makes steps of the same lengths.
        steps.set("flange_a.tau", torque);
        steps.whole_step(time, update.time - time);
        assert!((importer.real("w_rel") - steps.real("w_rel")).abs() <= 1e-14, "{update:?}");
        (time, torque) = (update.time, 300.0 * update.time);
        importer.set("flange_a.tau", torque);
        None
    });
    // With w' = tau / J_a and J_a = 1, the change is a sum of 300 t_k h / 8 over the segments.
    let moved: f64 = (0..8).map(|k| 300.0 * f64::from(k) * h / 8.0 * h / 8.0).sum();
    assert!((importer.real("w_rel") + 3.0 + moved).abs() <= 1e-12);
}

#[test]
fn t14_a_step_returns_early_where_the_importer_asks() {
    let description = engaging_clutch();
    // The times are between two calls, at that of the call, in the past, and beyond the step.
    for (asked, reached) in [(0.26_f64, 0.26), (0.25, 0.25), (-1.0, 0.2), (7.0, 0.4)] {
        let mut importer = told(CLUTCH, &description, EventHandling::Inside, &[]);
        importer.told_step(0.0, 0.4, |_, update| {
            assert_eq!(update.can_return_early, update.time < reached || asked < 0.0, "{update:?}");
            (update.time >= 0.2).then_some(asked)
        });
        assert!((importer.time() - reached).abs() <= 1e-15, "{} s, asked for {asked} s", importer.time());
        assert!((importer.real("w_rel") + 7.0 - 15.0 * reached).abs() <= 1e-12);
        let point = importer.time();
        importer.told_step(point, 0.6 - point, |_, _| None);
        assert_eq!(importer.real("w_rel"), 0.0);
    }
    let request = request(Ok(Vec::new()), false);
    let mut importer = Importer::told(CLUTCH, &description, EventHandling::Inside, Some(request)).unwrap();
    importer.start();
    importer.told_step(0.0, 0.4, |_, update| {
        assert!(!update.can_return_early);
        None
    });
}

#[test]
fn t14_a_state_saved_inside_a_step_goes_on_from_there() {
    let description = engaging_clutch();
    let mut importer = told(CLUTCH, &description, EventHandling::Inside, &[]);
    let mut saved = None;
    importer.told_step(0.0, 0.4, |importer, update| {
        if saved.is_none() && update.time > 0.2 {
            saved = Some((importer.saved(), update.time));
        }
        None
    });
    let (state, time) = saved.unwrap();
    importer.restore(state);
    assert_eq!(importer.time(), time);
    importer.whole_step(time, 0.3 - time);
    assert!((importer.real("w_rel") + 2.5).abs() <= 1e-12);
}

#[test]
fn t15_wrong_variables_and_calls_are_refused() {
    let description = engaging_clutch();
    let reference = |name: &str| description.variables.iter().find(|v| v.name == name).unwrap().value_reference;
    let refused = |variables: Outcome<Vec<u32>>| {
        let updates = Some(request(variables, true));
        Importer::told(CLUTCH, &description, EventHandling::Inside, updates).err().expect("a refusal")
    };
    let begin = "fmi3InstantiateCoSimulation: requiredIntermediateVariables: ";
    assert_eq!(refused(Ok(vec![9999])), format!("{begin}no Float64 variable has the value reference 9999"));
    assert_eq!(
        refused(Ok(vec![reference("w_rel"), reference("fn_max")])),
        format!("{begin}\"fn_max\" is neither an output nor a continuous input")
    );
    let mut importer = told(CLUTCH, &description, EventHandling::Inside, &[]);
    let fn_max = reference("fn_max");
    importer.told_step(0.0, 0.1, |importer, _| {
        let failure = importer.instance.set_real(&[fn_max], &[3.0]).unwrap_err().message;
        assert!(
            failure.starts_with("\"fn_max\" cannot be set to 3.0 in state \"intermediate update mode\": "),
            "{failure}"
        );
        importer.set("f_normalized", 0.5);
        None
    });
    let mut alone = Importer::new(CLUTCH, &description, EventHandling::Inside);
    alone.start();
    assert_eq!(
        alone.instance.step_segment(&mut StepProgress::new(0.0, 0.1)).unwrap_err().message,
        "the instance was made without a function for intermediate updates"
    );
    let late = importer.instance.step_segment(&mut StepProgress::new(5.0, 0.1)).unwrap_err().message;
    assert!(late.starts_with("currentCommunicationPoint is 5.0 s, but the last step ended at 0.1 s"), "{late}");
}
