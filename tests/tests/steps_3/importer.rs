//! An importer of an instance of FMI 3.0 for Co-Simulation.

use std::ops::Range;
use std::sync::{Arc, Mutex};

use fmu_builder::description::Description;
use fmu_runtime::arrays::ArrayType;
use fmu_runtime::instantiate::{Request, instantiate};
use fmu_runtime::lifecycle::{Call, EventHandling, Interface};
use fmu_runtime::log::{Logger, Status};
use fmu_runtime::{CONFIGURATION, ComponentModel, Instance, Outcome, Standard, component_model, intermediate_update};
use fmu_tests::finished::describe;

pub type Model = fn() -> Box<dyn ComponentModel>;

pub const CLUTCH: Model = component_model::<clutch::Clutch<f64>>;
pub const GRIPPER: Model = component_model::<gripper::Gripper<f64>>;
pub const SYSTEM: Model = || systems::system(Vec::new());

/// Time in s at which the engaging clutch sticks: `J w' = -tau` with `J = J_a J_b / (J_a + J_b) = 2/3` and `tau = 10`
/// until `w = 7` is used up.
pub const STICKS: f64 = 7.0 * (2.0 / 3.0) / 10.0;

/// Describes a clutch that engages while its shafts turn at different speeds.
pub fn engaging_clutch() -> Description {
    describe("clutch", &["w_a_start=7", "J_b=2", "fn_max=20", "f_normalized=1"]).unwrap()
}

/// An importer of one instance.
pub struct Importer {
    pub instance: Instance,
    pub description: Description,
    events: EventHandling,
}

/// An event in a run: its time, and values before and after it.
pub struct Event {
    pub time: f64,
    pub before: Vec<f64>,
    pub after: Vec<f64>,
    /// Time of the next event, as far as it is known.
    pub next: Option<f64>,
}

impl Importer {
    pub fn new(model: Model, description: &Description, events: EventHandling) -> Self {
        Self::told(model, description, events, None).expect("an instance")
    }

    /// Makes an importer with intermediate updates; none if they are refused.
    pub fn told(
        model: Model,
        description: &Description,
        events: EventHandling,
        updates: Option<intermediate_update::Request>,
    ) -> Result<Self, String> {
        let resources = tempfile::tempdir().expect("room for a folder");
        fs_err::write(resources.path().join(CONFIGURATION), &description.configuration).expect("room for a file");
        let location = format!("file://{}", resources.path().display());
        let lines = Arc::new(Mutex::new(String::new()));
        let log = lines.clone();
        let logger: Logger = Arc::new(move |_, _, _, text| log.lock().unwrap().push_str(&text.to_string_lossy()));
        let request = Request {
            standard: Standard::Fmi3,
            name: Some("i"),
            interface: Some(Interface::CoSimulation),
            guid: Some(&description.guid),
            location: Some(location.as_bytes()),
            logger: Some(logger),
            logging_on: false,
            events,
            updates,
        };
        match instantiate(model(), request, || None) {
            Some(instance) => Ok(Self { instance, description: description.clone(), events }),
            None => Err(lines.lock().unwrap().clone()),
        }
    }

    pub fn call(&mut self, call: Call, body: impl FnOnce(&mut Instance) -> Outcome) {
        assert_eq!(self.instance.call(call, body), Status::Ok, "{call:?}");
    }

    pub fn reference(&self, name: &str) -> u32 {
        let found = self.description.variables.iter().find(|variable| variable.name == name);
        found.unwrap_or_else(|| panic!("no {name}")).value_reference
    }

    pub fn real(&mut self, name: &str) -> f64 {
        let reference = self.reference(name);
        self.instance.get_real(&[reference]).unwrap().next().unwrap()
    }

    pub fn whole(&mut self, name: &str) -> i32 {
        let reference = self.reference(name);
        self.instance.get_integer(ArrayType::Int32, &[reference], 1).unwrap().next().unwrap()
    }

    /// Sets a Real; one that is an element of an array with the others of it.
    pub fn set(&mut self, name: &str, value: f64) {
        let position = self.description.variables.iter().position(|variable| variable.name == name).expect(name);
        let holds = |(_, members): &(u32, Range<usize>)| members.contains(&position);
        let (array, members) = self.description.arrays().into_iter().find(holds).expect(name);
        let elements: Vec<_> =
            self.description.variables[members.clone()].iter().map(|it| it.value_reference).collect();
        let mut values: Vec<_> = self.instance.get_real(&elements).unwrap().collect();
        values[position - members.start] = value;
        self.call(Call::fmi3SetFloat64, |instance| instance.set_real(&[array], &values));
    }

    pub fn start(&mut self) {
        self.start_within(None);
    }

    /// Initialises with a relative tolerance of the integrator.
    pub fn start_within(&mut self, tolerance: Option<f64>) {
        self.call(Call::fmi3EnterInitializationMode, |instance| {
            instance.setup_experiment(tolerance, 0.0, None)?;
            instance.enter_initialization_mode()
        });
        self.call(Call::fmi3ExitInitializationMode, Instance::exit_initialization_mode);
        if self.events != EventHandling::Inside {
            self.leave_event_mode();
        }
    }

    /// Iterates event mode until nothing changes any more; returns the time of the next event.
    pub fn leave_event_mode(&mut self) -> Option<f64> {
        let mut next = None;
        for _ in 0..100 {
            let mut again = false;
            self.call(Call::fmi3UpdateDiscreteStates, |instance| {
                let event = instance.new_discrete_states()?;
                (again, next) = (event.again, event.next_time);
                Ok(())
            });
            if !again {
                self.call(Call::fmi3EnterStepMode, Instance::enter_step_mode);
                return next;
            }
        }
        panic!("events do not end");
    }

    pub fn event_mode(&mut self) -> Option<f64> {
        self.call(Call::fmi3EnterEventMode, Instance::enter_event_mode);
        self.leave_event_mode()
    }

    /// Goes from one time to another; returns the events between, with the observed values.
    pub fn go(&mut self, mut time: f64, end: f64, look: &dyn Fn(&mut Self) -> Vec<f64>) -> Vec<Event> {
        let mut events = Vec::new();
        while time < end {
            let h = end - time;
            let mut is_event = false;
            self.call(Call::fmi3DoStep, |instance| {
                is_event = instance.do_step(time, h)?;
                Ok(())
            });
            let reached =
                self.instance.real_status(fmu_runtime::co_simulation::StatusKind::LastSuccessfulTime).unwrap();
            assert!(reached > time && reached <= time + h, "{reached} s after {time} s");
            assert!(reached == time + h || is_event && self.events == EventHandling::ByImporter);
            time = if reached == time + h { end } else { reached };
            if is_event {
                assert_ne!(self.events, EventHandling::Inside);
                let before = look(self);
                let next = self.event_mode();
                events.push(Event { time: reached, before, after: look(self), next });
            }
        }
        events
    }
}
