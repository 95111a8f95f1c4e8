//! What a component implements: its facts and its equations.

use std::cell::RefCell;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::component::files::Files;
use crate::component::layout::Layout;
use crate::component::model_error::ModelError;
use crate::declaration::declare::Variables;
use crate::declaration::scalar::Scalar;
use crate::declaration::shape::Shape;
use crate::declaration::structure::Structure;
use crate::declaration::values::{TableShape, Values};
use crate::declaration::variable::{Attachment, Table, Text};

/// What a component is, apart from its variables and equations.
pub struct Info {
    /// Name of the component, and of its FMU unless the configuration gives another one.
    pub name: &'static str,
    /// One line.
    pub description: &'static str,
    /// SVG document.
    pub icon: &'static str,
    /// The packages that it is made of, each with its version.
    pub packages: &'static [(&'static str, &'static str)],
    /// What is proposed to the importer.
    pub experiment: DefaultExperiment,
}

/// FMI's `DefaultExperiment`, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DefaultExperiment {
    /// Start time.
    pub start_time: f64,
    /// Stop time.
    pub stop_time: f64,
    /// Communication step.
    pub step_size: f64,
    /// Relative tolerance.
    pub tolerance: f64,
}

impl Info {
    /// The runtime's package, then the component's own.
    pub fn all_packages(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let runtime = (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        std::iter::once(runtime).chain(self.packages.iter().copied())
    }
}

/// A component that can become an FMU.
pub trait Component: 'static {
    /// What it is.
    const INFO: Info;
    /// Its structure options.
    type Structure: Structure;
    /// What is prepared from parameters and files before the equations are evaluated.
    type Data: Default + Send + Sync + 'static;
    /// Its variables and equations in a scalar type.
    type In<T: Scalar>: Equations<T, Structure = Self::Structure, Data = Self::Data>;
}

/// The equations of a component in the scalar type `T`.
///
/// Only [`evaluate`](Self::evaluate) is always needed. It is a pure function of time, states,
/// memory, inputs and parameters; the memory changes in the other methods.
pub trait Equations<T: Scalar>: Variables<T> {
    /// What is prepared from parameters and files.
    type Data: Default + Send + Sync + 'static;

    /// Whether [`begin_steps`](Self::begin_steps), [`event`](Self::event) and [`advance`](Self::advance) do
    /// anything.
    const HAS_DYNAMICS: bool = false;
    /// Whether [`completed_step`](Self::completed_step) does anything.
    const HAS_MEMORY: bool = false;

    /// Number of event indicators.
    fn indicator_count(_structure: &Self::Structure) -> usize {
        0
    }

    /// What a viewer draws.
    fn shapes(_structure: &Self::Structure) -> Vec<Shape<'static>> {
        Vec::new()
    }

    /// Looks over a configuration when an FMU is built: refuses what cannot work, warns of what is
    /// questionable.
    fn review(&self, _structure: &Self::Structure, _notices: &mut Diagnostics) -> Result<(), ModelError> {
        Ok(())
    }

    /// Checks the fixed parameters and makes of them, and of files, what the equations work with. What
    /// is tunable must not enter, so that setting it costs nothing: tunable Reals are no numbers here.
    fn prepare(&self, _source: &Source<'_, Self::Structure>) -> Result<Self::Data, ModelError> {
        Ok(Self::Data::default())
    }

    /// Refuses an initial point whose values do not fit together, before [`initialise`](Self::initialise).
    ///
    /// What is refused here and not there is no hindrance where dependencies are looked for at random
    /// points, at which conditions such as a right angle never hold.
    fn admit(&self, _cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        Ok(())
    }

    /// Sets memory, calculated parameters and states without start value from the initial point.
    fn initialise(&mut self, _cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        Ok(())
    }

    /// Remembers what only steps need, when the initialisation has ended in Co-Simulation. Outputs must
    /// not jump by it.
    fn begin_steps(&mut self, _cx: &Context<'_, T, Self>) {}

    /// Computes outputs, local variables and state derivatives.
    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError>;

    /// Computes the event indicators after an evaluation.
    fn indicators(&self, _cx: &Context<'_, T, Self>, _indicators: &mut [T]) {}

    /// Updates memory and states at an event: in event mode, and where [`advance`](Self::advance) asks
    /// for it.
    fn event(&mut self, _cx: &Context<'_, T, Self>, _event: &mut Event) -> Result<(), ModelError> {
        Ok(())
    }

    /// Moves states and memory from `cx.time` over the step `h`, events at its beginning and inside it
    /// included (Co-Simulation). `inputs` gives the inputs inside the step.
    fn advance(&mut self, cx: &Context<'_, T, Self>, _inputs: &Inputs<'_, Self>, _h: f64) -> Result<(), ModelError> {
        self.settle(cx)
    }

    /// Repeats the event at a point until it asks for no more.
    fn settle(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        for _ in 0..EVENTS {
            let mut event = Event::default();
            self.event(cx, &mut event)?;
            if !event.again {
                return Ok(());
            }
        }
        Err(ModelError::singular(format!("the events do not settle: {EVENTS} follow each other at one point")))
    }

    /// Updates memory that follows the motion, after each evaluation that ends a step. Outputs must
    /// not jump by it.
    fn completed_step(&mut self, _cx: &Context<'_, T, Self>, _notices: &mut Diagnostics) {}
}

/// More events at one point than any component means.
const EVENTS: usize = 10_000;

/// What the equations see besides their variables.
pub struct Context<'a, T: Scalar, E: Equations<T>> {
    /// Time in s.
    pub time: T,
    /// The structure options.
    pub structure: &'a E::Structure,
    /// What was prepared.
    pub data: &'a E::Data,
}

impl<T: Scalar, E: Equations<T>> Context<'_, T, E> {
    /// Zero, with the derivative of the time: 1 where derivatives of outputs along a step are computed, else 0.
    pub fn time_derivative(&self) -> T {
        self.time - nalgebra::convert(self.time.value())
    }
}

/// The inputs inside a Co-Simulation step: polynomials of the time since its beginning.
pub struct Inputs<'a, E> {
    pub(crate) order: u32,
    pub(crate) read: &'a dyn Fn(Reading) -> E,
}

/// What is asked of the inputs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reading {
    /// Their values so many seconds after the beginning.
    At(f64),
    /// Their coefficients of this power of the time.
    Coefficients(u32),
}

impl<E> Inputs<'_, E> {
    /// The highest power of the time in any input; 0 if all are held.
    pub fn order(&self) -> u32 {
        self.order
    }

    /// The variables where the step began, with the inputs as they are `s` seconds later.
    pub fn at(&self, s: f64) -> E {
        (self.read)(Reading::At(s))
    }

    /// Variables whose Reals are the coefficients of `s^power`, from 1 on; zero for all that is no
    /// moving input.
    pub fn coefficients(&self, power: u32) -> E {
        (self.read)(Reading::Coefficients(power))
    }
}

/// What [`Equations::prepare`] works from.
pub struct Source<'a, S> {
    /// The structure options.
    pub structure: &'a S,
    values: &'a Values,
    layout: &'a Layout,
    files: Option<&'a Files>,
    /// Of the elements of all tables; empty if nothing is differentiated by them.
    direction: &'a [f64],
    /// For each table whether it is moved and nobody has asked for its direction.
    unread: RefCell<Vec<bool>>,
}

impl<'a, S> Source<'a, S> {
    pub(crate) fn new(
        structure: &'a S,
        values: &'a Values,
        layout: &'a Layout,
        files: Option<&'a Files>,
        direction: &'a [f64],
    ) -> Self {
        let is_moved = |table: &TableShape| {
            let elements = direction.get(table.elements(values.before_tables));
            elements.is_some_and(|elements| elements.iter().any(|element| *element != 0.0))
        };
        let unread = RefCell::new(layout.tables.iter().map(is_moved).collect());
        Self { structure, values, layout, files, direction, unread }
    }

    /// Whether random points are looked at, to find the dependencies. These must hold whatever an importer
    /// puts into tables and files: prepare rows by which everything depends on everything that it can.
    pub fn is_dependency_analysis(&self) -> bool {
        self.files.is_none()
    }

    /// Fails where derivatives by a table are wanted that the component does not provide.
    pub(crate) fn refuse_unread_direction(&self) -> Result<(), ModelError> {
        let unread = self.unread.borrow();
        let Some((table, _)) = self.layout.tables.iter().zip(&*unread).find(|(_, unread)| **unread) else {
            return Ok(());
        };
        let name = table.name;
        Err(ModelError::invalid(format!(
            "elements of \"{name}\" cannot be knowns: derivatives by them are not provided"
        )))
    }

    /// The value of a String parameter.
    pub fn text(&self, text: Text) -> &str {
        &self.values.strings[text.0]
    }

    /// The rows of a table parameter.
    pub fn table<const COLUMNS: usize>(&self, table: Table<COLUMNS>) -> &[[f64; COLUMNS]] {
        self.values.reals[self.layout.tables[table.0].elements(0)].as_chunks().0
    }

    /// The direction in which the elements of a table parameter are moved, row by row, where
    /// derivatives by them are asked for. Who makes of it what the dual numbers of an evaluation need
    /// provides these derivatives.
    pub fn direction<const COLUMNS: usize>(&self, table: Table<COLUMNS>) -> Option<&[[f64; COLUMNS]]> {
        self.unread.borrow_mut()[table.0] = false;
        let elements = self.layout.tables[table.0].elements(self.values.before_tables);
        Some(self.direction.get(elements)?.as_chunks().0)
    }

    /// What `read` makes of name and content of an attachment; kept, by file and `part`, for the
    /// next preparation.
    ///
    /// Nothing where no content decides: when the dependencies are looked for, and when an FMU is
    /// built whose attachment is not named yet. Anything admissible will do then.
    pub fn attachment<V: Send + Sync + 'static>(
        &self,
        attachment: Attachment,
        part: &str,
        read: impl FnOnce(&str, &[u8]) -> Result<V, String>,
    ) -> Result<Option<Arc<V>>, String> {
        let Some(files) = self.files else { return Ok(None) };
        match &self.layout.attachments[attachment.0] {
            Some((name, fingerprint)) => files.attachment(name, fingerprint, part, read).map(Some),
            None if files.is_build() => Ok(None),
            None => Err("the configuration names no file".to_owned()),
        }
    }

    /// The same for the file whose path is the value of a String parameter, absolute or relative to
    /// the resources. It is not read when an FMU is built.
    pub fn file<V: Send + Sync + 'static>(
        &self,
        path: Text,
        part: &str,
        read: impl FnOnce(&str, &[u8]) -> Result<V, String>,
    ) -> Result<Option<Arc<V>>, String> {
        let files = self.files.filter(|files| !files.is_build());
        files.map(|files| files.file(self.text(path), part, read)).transpose()
    }

    /// Warns of something questionable: the one who builds an FMU, or in the log.
    pub fn warn(&self, message: impl Into<String>) {
        if let Some(files) = self.files {
            files.warn(message.into());
        }
    }
}

/// The outcome of an event.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Event {
    /// Whether continuous states were reset.
    pub states_changed: bool,
    /// Whether the event must be evaluated again with the new values.
    pub again: bool,
    /// When the next time event is due, in s, if there is one.
    pub next_time: Option<f64>,
}

/// What a component has to say at the end of a step, or when an FMU is built.
#[derive(Debug, Default)]
pub struct Diagnostics {
    /// One log line each.
    pub(crate) warnings: Vec<String>,
    pub(crate) event: bool,
}

impl Diagnostics {
    /// Adds a warning.
    pub fn warn(&mut self, message: impl Into<String>) {
        self.warnings.push(message.into());
    }

    /// Asks for an event at the end of this step of a solver. Only Model Exchange has such events:
    /// [`advance`](Equations::advance) sees to its own.
    pub fn ask_for_event(&mut self) {
        self.event = true;
    }
}
