//! A component's equations, and what they work with.

use crate::component::model_error::ModelError;
use crate::component::source::Source;
use crate::declaration::declare::Variables;
use crate::declaration::scalar::Scalar;
use crate::declaration::shape::Shape;

/// The equations of a component in the scalar type `T`.
///
/// Only [`evaluate`](Self::evaluate) is always needed. It is a pure function of time, states,
/// memory, inputs and parameters. What else a component can do are traits of their own: [`Events`](crate::Events),
/// [`Indicators`](crate::Indicators), [`Steps`](crate::Steps) and [`Memory`](crate::Memory).
pub trait Equations<T: Scalar>: Variables<T> {
    /// What is prepared from parameters and files.
    type Data: Default + Send + Sync + 'static;

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

    /// Computes outputs, local variables and state derivatives.
    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError>;
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
    /// [`advance`](crate::Steps::advance) sees to its own.
    pub fn ask_for_event(&mut self) {
        self.event = true;
    }
}
