//! The calls that OpenModelica's runtime makes for an imported FMU, in its order, give what the order of FMI gives.

use fmu_builder::description::{Causality, Variability, Variable, VariableType};
use fmu_tests::api::{MODEL_EXCHANGE, Status};
use fmu_tests::finished::{Fmu, Instance};

use crate::points::{admissible, continuous_inputs, for_each_structure, real_outputs};

const H: f64 = 1.0 / 128.0;

fn ok(instance: &Instance<'_>, status: Status) {
    assert_eq!(status, Status::Ok, "{:?}", instance.fmi.messages());
}

/// The trajectory that both orders play: values before the initialisation, then inputs and states by time.
struct Course<'a> {
    fmu: &'a Fmu,
    inputs: Vec<u32>,
    outputs: Vec<u32>,
    states: usize,
    indicators: usize,
}

/// What an importer sees at a point.
type Seen = [Vec<f64>; 3];

impl<'a> Course<'a> {
    fn new(fmu: &'a Fmu) -> Self {
        Self {
            fmu,
            inputs: continuous_inputs(&fmu.description),
            outputs: real_outputs(&fmu.description).map(|variable| variable.value_reference).collect(),
            states: fmu.description.model_structure.derivatives.len(),
            indicators: fmu.description.event_indicators,
        }
    }

    fn all(&self, wanted: impl Fn(&Variable) -> bool) -> Vec<u32> {
        let variables = self.fmu.description.variables.iter().filter(|variable| wanted(variable));
        variables.map(|variable| variable.value_reference).collect()
    }

    fn see(&self, instance: &Instance<'_>) -> Seen {
        let fmi = &instance.fmi;
        let seen =
            [fmi.get_derivatives(self.states), fmi.get_event_indicators(self.indicators), fmi.get_real(&self.outputs)];
        seen.map(|(status, values)| {
            ok(instance, status);
            values
        })
    }

    /// Inputs a little away from those of the beginning.
    fn inputs_at(&self, start: &[f64], k: usize) -> Vec<f64> {
        start.iter().enumerate().map(|(i, value)| value + 1e-6 * (k * (i % 3 + 1)) as f64).collect()
    }

    /// The order of FMI: four steps by Euler's method. Returns inputs and states of each point with what is seen there.
    fn ordinary(&self, instance: &Instance<'_>) -> Vec<(Vec<f64>, Vec<f64>, Seen)> {
        let fmi = &instance.fmi;
        instance.settle();
        ok(instance, fmi.enter_continuous_time_mode());
        let start = fmi.get_real(&self.inputs).1;
        let mut points = Vec::new();
        for k in 0..5 {
            let inputs = self.inputs_at(&start, k);
            let mut states = fmi.get_continuous_states(self.states).1;
            if k > 0 {
                let rates = fmi.get_derivatives(self.states).1;
                states.iter_mut().zip(rates).for_each(|(state, rate)| *state += H * rate);
            }
            ok(instance, fmi.set_time(k as f64 * H));
            ok(instance, fmi.set_real(&self.inputs, &inputs));
            ok(instance, fmi.set_continuous_states(&states));
            ok(instance, fmi.completed_integrator_step().0);
            points.push((inputs, states, self.see(instance)));
        }
        points
    }

    /// One evaluation of the block that OpenModelica makes.
    fn evaluate(&self, instance: &Instance<'_>, time: f64, inputs: &[f64], states: &[f64], continuous: bool) -> Seen {
        let fmi = &instance.fmi;
        ok(instance, fmi.set_time(time));
        ok(instance, fmi.set_real(&self.inputs, inputs));
        if !states.is_empty() {
            ok(instance, fmi.set_continuous_states(states));
        }
        let seen = self.see(instance);
        if continuous {
            ok(instance, fmi.completed_integrator_step().0);
        }
        seen
    }
}

#[test]
fn p19_the_calls_of_openmodelica_give_what_the_order_of_fmi_gives() {
    for_each_structure(|fmu| {
        let course = Course::new(fmu);
        let (_, ordinary) = admissible(fmu, MODEL_EXCHANGE);
        let is_parameter = |variable: &Variable| variable.causality == Causality::Parameter;
        let is_integer = |variable: &Variable| {
            matches!(variable.kind, VariableType::Integer { .. } | VariableType::Enumeration { .. })
        };
        let is_boolean = |variable: &Variable| matches!(variable.kind, VariableType::Boolean { .. });
        let is_discrete_input = |variable: &Variable| {
            variable.causality == Causality::Input && variable.variability == Variability::Discrete
        };

        let reals = course.all(|variable| is_parameter(variable) && variable.is_real());
        let integers = course.all(|variable| is_parameter(variable) && is_integer(variable));
        let booleans = course.all(|variable| is_parameter(variable) && is_boolean(variable));
        let switches = course.all(|variable| is_discrete_input(variable) && is_boolean(variable));
        let given = &ordinary.fmi;
        let parameters = (given.get_real(&reals).1, given.get_integer(&integers).1, given.get_boolean(&booleans).1);
        let active = given.get_boolean(&switches).1;
        let points = course.ordinary(&ordinary);

        let instance = fmu.model_exchange();
        let fmi = &instance.fmi;
        ok(&instance, fmi.setup_experiment(None, 0.0, None));
        ok(&instance, fmi.enter_initialization_mode());
        ok(&instance, fmi.exit_initialization_mode());
        // Parameters come late, and inputs come first now.
        ok(&instance, fmi.set_real(&reals, &parameters.0));
        ok(&instance, fmi.set_integer(&integers, &parameters.1));
        ok(&instance, fmi.set_boolean(&booleans, &parameters.2));
        ok(&instance, fmi.set_real(&course.inputs, &points[0].0));
        ok(&instance, fmi.set_boolean(&switches, &active));
        let states = fmi.get_continuous_states(course.states).1;
        let late =
            fmi.messages().iter().filter(|message| message.text.contains("set after the initialisation")).count();
        assert!(late <= 2, "{late}");
        // Event mode, in which the solver already looks ahead.
        course.evaluate(&instance, 0.0, &points[0].0, &states, false);
        course.evaluate(&instance, H / 4.0, &points[1].0, &states, false);
        course.evaluate(&instance, 0.0, &points[0].0, &states, false);
        // The first event, which is not iterated.
        ok(&instance, fmi.enter_event_mode());
        ok(&instance, fmi.new_discrete_states().0);
        ok(&instance, fmi.enter_continuous_time_mode());
        for (k, (inputs, states, expected)) in points.iter().enumerate() {
            let time = k as f64 * H;
            // Steps that are rejected, and iterations at one instant.
            for (ahead, other) in [(H, 1), (H / 2.0, 3), (H / 4.0, 4), (0.0, 2)] {
                let (other, states, _) = &points[other];
                course.evaluate(&instance, time + ahead, other, states, true);
            }
            assert_eq!(&course.evaluate(&instance, time, inputs, states, true), expected, "{k}");
        }
    });
}
