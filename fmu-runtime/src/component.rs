//! What a component implements: its facts and its equations.

use std::path::Path;

use crate::declare::Variables;
use crate::description::DefaultExperiment;
use crate::fault::Fault;
use crate::scalar::Scalar;
use crate::shape::Shape;
use crate::structure::Structure;
use crate::values::{TableShape, Values};
use crate::variable::{Table, Text};

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

    /// Whether [`event`](Self::event) and [`advance`](Self::advance) do anything.
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
    fn review(&self, _structure: &Self::Structure, _notices: &mut Notices) -> Result<(), Fault> {
        Ok(())
    }

    /// Checks the parameters and makes of them, and of files, what the equations work with.
    fn prepare(&self, _source: &Source<'_, Self::Structure>) -> Result<Self::Data, Fault> {
        Ok(Self::Data::default())
    }

    /// Sets memory, calculated parameters and states without start value from the initial point.
    fn initialise(&mut self, _cx: &Context<'_, T, Self>) -> Result<(), Fault> {
        Ok(())
    }

    /// Computes outputs, local variables and state derivatives.
    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), Fault>;

    /// Computes the event indicators after an evaluation.
    fn indicators(&self, _cx: &Context<'_, T, Self>, _indicators: &mut [T]) {}

    /// Updates memory and states at an event: in event mode, and where a Co-Simulation step begins.
    fn event(&mut self, _cx: &Context<'_, T, Self>, _event: &mut Event) -> Result<(), Fault> {
        Ok(())
    }

    /// Moves states and memory from `cx.time` over the step `h`, events inside it included
    /// (Co-Simulation). `inputs` gives the inputs inside the step.
    fn advance(&mut self, _cx: &Context<'_, T, Self>, _inputs: &Inputs<'_, Self>, _h: f64) -> Result<(), Fault> {
        Ok(())
    }

    /// Updates memory that follows the motion, after each evaluation that ends a step. Outputs must
    /// not jump by it.
    fn completed_step(&mut self, _cx: &Context<'_, T, Self>, _notices: &mut Notices) {}
}

/// What the equations see besides their variables.
pub struct Context<'a, T: Scalar, E: Equations<T>> {
    /// Time in s.
    pub time: T,
    /// The structure options.
    pub structure: &'a E::Structure,
    /// What was prepared.
    pub data: &'a E::Data,
}

/// The inputs inside a Co-Simulation step.
pub struct Inputs<'a, E> {
    pub(crate) at: &'a dyn Fn(f64) -> E,
}

impl<E> Inputs<'_, E> {
    /// The variables where the step began, with the inputs as they are `s` seconds later.
    pub fn at(&self, s: f64) -> E {
        (self.at)(s)
    }
}

/// What [`Equations::prepare`] works from.
pub struct Source<'a, S> {
    /// The structure options.
    pub structure: &'a S,
    /// The folder of the FMU's resources, if there is one.
    pub resources: Option<&'a Path>,
    pub(crate) values: &'a Values,
    pub(crate) tables: &'a [TableShape],
}

impl<S> Source<'_, S> {
    /// The value of a String parameter.
    pub fn text(&self, text: Text) -> &str {
        &self.values.strings[text.0]
    }

    /// The rows of a table parameter.
    pub fn table<const COLUMNS: usize>(&self, table: Table<COLUMNS>) -> &[[f64; COLUMNS]] {
        let shape = self.tables[table.0];
        let elements = &self.values.reals[shape.offset..shape.offset + shape.rows * COLUMNS];
        elements.as_chunks().0
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

/// Warnings of a component, one log line each.
#[derive(Debug, Default)]
pub struct Notices(pub(crate) Vec<String>);

impl Notices {
    /// Adds a warning.
    pub fn warn(&mut self, message: impl Into<String>) {
        self.0.push(message.into());
    }
}
