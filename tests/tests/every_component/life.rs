//! The life of an instance, call by call, so that it can be interrupted after any call.

use fmu_builder::description::{Causality, VariableType};
use fmu_tests::api::{CO_SIMULATION, MODEL_EXCHANGE, Status};
use fmu_tests::finished::{Fmu, Instance};

use crate::points::{Random, admissible, for_each_structure, real_outputs, set_randomly, steered};

const STEPS: usize = 3;
/// Exact in binary, so that moving the start moves every time exactly.
const H: f64 = 1.0 / 128.0;

/// The actions of an importer.
#[derive(Clone)]
enum Call {
    /// Start values.
    Values(Random),
    Setup,
    EnterInitialization,
    ExitInitialization,
    /// Other inputs; in Co-Simulation optionally with derivatives.
    Inputs(Random),
    /// A step of Co-Simulation, from a time since the start.
    Step(f64),
    /// Events until there are no more.
    Events,
    ContinuousTime,
    /// A step of Model Exchange by Euler's method.
    Move(f64),
    EnterEvents,
    Terminate,
}

/// Variations that must have little effect.
#[derive(Clone, Copy)]
pub struct Course {
    /// The start time, in s.
    pub start: f64,
    /// Whether inputs have derivatives from the second step on.
    pub rates: bool,
    /// Whether each step of Co-Simulation is split into two, between which nothing changes.
    pub halves: bool,
}

/// The default one.
pub const COURSE: Course = Course { start: 0.0, rates: true, halves: false };

/// A life with random values, the same each time.
#[derive(Clone)]
pub struct Life<'a> {
    fmu: &'a Fmu,
    kind: i32,
    calls: Vec<Call>,
    course: Course,
    /// Value references of what is observed or moved.
    outputs: Vec<u32>,
    steered: Vec<u32>,
    states: usize,
    indicators: usize,
}

/// Runs a test on a life in Co-Simulation and one in Model Exchange of each component in each structure.
pub fn for_each_life(test: impl Fn(&Life<'_>)) {
    for_each_structure(|fmu| {
        for kind in [CO_SIMULATION, MODEL_EXCHANGE] {
            test(&Life::new(fmu, kind));
        }
    });
}

impl<'a> Life<'a> {
    fn new(fmu: &'a Fmu, kind: i32) -> Self {
        let mut life = Self {
            fmu,
            kind,
            calls: vec![Call::Setup, Call::EnterInitialization, Call::ExitInitialization],
            course: COURSE,
            outputs: real_outputs(&fmu.description).map(|variable| variable.value_reference).collect(),
            steered: steered(&fmu.description),
            states: fmu.description.model_structure.derivatives.len(),
            indicators: fmu.description.event_indicators,
        };
        let (mut random, _) = admissible(fmu, kind);
        life.calls.insert(0, Call::Values(random.clone()));
        if kind == MODEL_EXCHANGE {
            life.calls.extend([Call::Events, Call::ContinuousTime]);
        }
        for i in 0..STEPS {
            random.between(0.0, 1.0);
            let (at, inputs) = (i as f64 * H, Call::Inputs(random.clone()));
            if kind == CO_SIMULATION {
                life.calls.extend([inputs, Call::Step(at)]);
            } else {
                let rest = [Call::Move(at), Call::EnterEvents, inputs, Call::Events, Call::ContinuousTime];
                life.calls.extend(rest);
            }
        }
        life.calls.push(Call::Terminate);
        life
    }

    /// The same life with a variation.
    pub fn with(&self, course: Course) -> Self {
        Self { course, ..self.clone() }
    }

    /// Co-Simulation or Model Exchange.
    pub fn kind(&self) -> i32 {
        self.kind
    }

    /// An instance that is not yet initialised.
    pub fn instance(&self) -> Instance<'a> {
        self.fmu.instantiate(self.kind).unwrap()
    }

    /// The number of calls.
    pub fn length(&self) -> usize {
        self.calls.len()
    }

    /// Makes the calls from `k` on; returns all visible values after each call, as bits.
    pub fn live(&self, instance: &Instance<'_>, k: usize) -> Vec<Vec<u64>> {
        (k..self.length()).map(|k| self.call(instance, k)).collect()
    }

    /// Makes the call `k`; returns all visible values after it, as bits.
    pub fn call(&self, instance: &Instance<'_>, k: usize) -> Vec<u64> {
        self.make(instance, k);
        self.observe(instance, k)
    }

    /// Makes the call `k`.
    pub fn make(&self, instance: &Instance<'_>, k: usize) {
        let fmi = &instance.fmi;
        let status = match &self.calls[k] {
            Call::Values(random) => {
                set_randomly(instance, &mut random.clone(), &self.fmu.description).unwrap();
                Status::Ok
            }
            Call::Setup => fmi.setup_experiment(None, self.course.start, None),
            Call::EnterInitialization => fmi.enter_initialization_mode(),
            Call::ExitInitialization => fmi.exit_initialization_mode(),
            Call::Inputs(random) => self.set_inputs(instance, random.clone(), k),
            Call::Step(at) if self.course.halves => {
                assert_eq!(fmi.do_step(self.course.start + at, H / 2.0), Status::Ok, "{:?}", fmi.messages());
                fmi.do_step(self.course.start + at + H / 2.0, H / 2.0)
            }
            Call::Step(at) => fmi.do_step(self.course.start + at, H),
            Call::Events => {
                instance.settle();
                Status::Ok
            }
            Call::ContinuousTime => fmi.enter_continuous_time_mode(),
            Call::Move(at) => self.move_on(instance, self.course.start + at + H),
            Call::EnterEvents => fmi.enter_event_mode(),
            Call::Terminate => fmi.terminate(),
        };
        assert_eq!(status, Status::Ok, "{:?}", fmi.messages());
    }

    fn observe(&self, instance: &Instance<'_>, k: usize) -> Vec<u64> {
        let mut seen = instance.bits();
        let mut see = |(status, values): (Status, Vec<f64>)| {
            assert_eq!(status, Status::Ok, "{:?}", instance.fmi.messages());
            seen.extend(values.into_iter().map(f64::to_bits));
        };
        // Values that may not be read earlier.
        let begins = |call: &Call| matches!(call, Call::ExitInitialization);
        if !self.calls[..=k].iter().any(begins) {
            return seen;
        }
        if self.kind == CO_SIMULATION {
            see(instance.fmi.get_real_output_derivatives(&self.outputs, &vec![1; self.outputs.len()]));
        } else {
            see(instance.fmi.get_derivatives(self.states));
            see(instance.fmi.get_continuous_states(self.states));
            see(instance.fmi.get_nominals(self.states));
            see(instance.fmi.get_event_indicators(self.indicators));
        }
        seen
    }

    /// Changes variables of frames a little, since not every pose has a solution, and all others enough for events.
    fn set_inputs(&self, instance: &Instance<'_>, mut random: Random, k: usize) -> Status {
        let inputs = self.fmu.description.variables.iter().filter(|variable| variable.causality == Causality::Input);
        for variable in inputs {
            let name = variable.name.as_str();
            let reference = [variable.value_reference];
            let status = match variable.kind {
                VariableType::Real { .. } => {
                    let present = instance.fmi.get_real(&reference).1[0];
                    let reach = if name.contains("frame") { 1e-5 } else { 0.5 * present.abs().max(1.0) };
                    instance.fmi.set_real(&reference, &[present + random.between(-reach, reach)])
                }
                VariableType::Boolean { .. } => {
                    let present = instance.fmi.get_boolean(&reference).1[0];
                    instance.fmi.set_boolean(&reference, &[1 - present])
                }
                _ => panic!("{name} is an input of a kind that this test does not know"),
            };
            assert_eq!(status, Status::Ok, "{name}: {:?}", instance.fmi.messages());
        }
        let is_step = |call: &Call| matches!(call, Call::Step(_));
        if !self.course.rates || !self.calls[..k].iter().any(is_step) {
            return Status::Ok;
        }
        for order in [1, 2] {
            let rates: Vec<f64> = self.steered.iter().map(|_| random.between(-1e-3, 1e-3)).collect();
            let orders = vec![order; rates.len()];
            let status = instance.fmi.set_real_input_derivatives(&self.steered, &orders, &rates);
            assert_eq!(status, Status::Ok, "{:?}", instance.fmi.messages());
        }
        Status::Ok
    }

    fn move_on(&self, instance: &Instance<'_>, end: f64) -> Status {
        let fmi = &instance.fmi;
        let (_, rates) = fmi.get_derivatives(self.states);
        let (_, states) = fmi.get_continuous_states(self.states);
        let moved: Vec<f64> = states.iter().zip(rates).map(|(state, rate)| state + H * rate).collect();
        assert_eq!(fmi.set_time(end), Status::Ok);
        assert_eq!(fmi.set_continuous_states(&moved), Status::Ok);
        fmi.completed_integrator_step().0
    }
}
