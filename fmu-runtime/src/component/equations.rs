//! A component's equations, and their arguments.

use fmu_exchange::{DefaultExperiment, Shape};

use crate::component::defaults::{BLOCK, first_line};
use crate::component::integration::system::Solver;
use crate::component::jacobian::Jacobian;
use crate::component::model_error::ModelError;
use crate::component::source::Source;
use crate::rows::declare::Variables;
use crate::rows::scalar::Scalar;

/// The equations of a component in the scalar type `T`.
///
/// Only [`evaluate`](Self::evaluate) is always needed. It is a pure function of time, states,
/// memory, inputs and parameters. Loads that are outputs of connectors are stored with the opposite sign if
/// `flows = outflow`, so they are read after they have been computed only. What else a component can do are traits of
/// their own: [`Events`](crate::Events), [`Indicators`](crate::Indicators), [`Steps`](crate::Steps),
/// [`Memory`](crate::Memory) and [`Acausal`](crate::Acausal).
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no equations",
    label = "add `impl<T: Scalar> Equations<T> for {Self}` with the function `evaluate`"
)]
pub trait Equations<T: Scalar>: Variables<T> {
    /// Description in one line.
    const DESCRIPTION: &'static str = first_line(Self::EQUATIONS);
    /// The icon as an SVG document.
    const ICON: &'static str = BLOCK;
    /// Default experiment: times and step of a first simulation.
    const EXPERIMENT: DefaultExperiment = DefaultExperiment::until(10.0, 0.01);
    /// Packages beside the component's own on which its results depend, each with its version. A change of one gives
    /// FMUs another GUID.
    const PACKAGES: &'static [(&'static str, &'static str)] = &[];

    /// True if adjoint derivatives are worth code of their own, the equations compiled once more: then they take one
    /// recorded evaluation, otherwise one for each input.
    const HAS_MANY_INPUTS: bool = false;
    /// Method that integrates the states in Co-Simulation, where [`Steps`](crate::Steps) does not.
    const SOLVER: Solver = Solver::Auto;

    /// Returns the shapes that a viewer draws.
    fn shapes(_structure: &Self::Structure) -> Vec<Shape<'static>> {
        Vec::new()
    }

    /// Returns declarations and equations in Modelica that the model of an FMU has besides its rows, such as initial
    /// conditions.
    fn modelica(_structure: &Self::Structure) -> &'static str {
        ""
    }

    /// Checks a configuration when an FMU is built: rejects values that cannot work, and warns of questionable ones.
    fn validate_configuration(
        &self,
        _structure: &Self::Structure,
        _diagnostics: &mut Diagnostics,
    ) -> Result<(), ModelError> {
        Ok(())
    }

    /// Checks the fixed parameters and computes from them, and from files, the data for the equations. Tunable
    /// parameters must not be used, so that setting them costs nothing: tunable Reals are NaN here.
    fn prepare(&self, _source: &Source<'_, Self::Structure>) -> Result<Self::Data, ModelError> {
        Ok(Self::Data::default())
    }

    /// Rejects an initial point with inconsistent values, before [`initialise`](Self::initialise).
    ///
    /// Conditions that are checked here and not there do not affect the dependency analysis, whose random
    /// points never satisfy conditions such as a right angle.
    fn check_initial_point(&self, _cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        Ok(())
    }

    /// Sets memory, calculated parameters and states without start value from the initial point.
    fn initialise(&mut self, _cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        Ok(())
    }

    /// Sets the Jacobian of outputs by inputs, where outputs are affine in them, as accelerations and loads are. Each Real
    /// of `indices` is the row or the column of that variable. Returns false, having set nothing, if the component has no
    /// such form: then the Jacobian is computed column by column.
    ///
    /// # Errors
    ///
    /// As for [`evaluate`](Self::evaluate).
    fn linear_form(
        &self,
        _cx: &Context<'_, T, Self>,
        _indices: &Self,
        _jacobian: &mut Jacobian<'_>,
    ) -> Result<bool, ModelError> {
        Ok(false)
    }

    /// Computes outputs, local variables and state derivatives.
    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError>;
}

/// The inputs of the equations besides their variables.
pub struct Context<'a, T: Scalar, E: Equations<T>> {
    /// Time in s.
    pub time: T,
    /// The structure options.
    pub structure: &'a E::Structure,
    /// The data that [`prepare`](Equations::prepare) has made.
    pub data: &'a E::Data,
}

impl<T: Scalar, E: Equations<T>> Context<'_, T, E> {
    /// Returns a zero whose derivative is that of time: 1 where derivatives of outputs along a step are computed,
    /// otherwise 0.
    pub fn time_derivative(&self) -> T {
        self.time - nalgebra::convert::<f64, T>(self.time.value())
    }
}

/// The inputs inside a Co-Simulation step: polynomials in the time since its start.
pub struct Inputs<'a, E> {
    pub(crate) order: u32,
    pub(crate) read: &'a dyn Fn(InputQuery) -> E,
}

/// A query for the inputs inside a step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum InputQuery {
    /// Values of the inputs at a time after the start, in s.
    At(f64),
    /// Coefficients of the inputs for this power of time.
    Coefficients(u32),
}

impl<E> Inputs<'_, E> {
    /// Returns the highest power of time in any input; 0 if all are held.
    pub fn order(&self) -> u32 {
        self.order
    }

    /// Returns the variables at the start of the step, with the inputs `s` seconds later.
    pub fn at(&self, s: f64) -> E {
        (self.read)(InputQuery::At(s))
    }

    /// Returns variables whose Reals are the coefficients of `s^power`, from 1 on; zero except for inputs that vary.
    pub fn coefficients(&self, power: u32) -> E {
        (self.read)(InputQuery::Coefficients(power))
    }
}

/// The outcome of an event.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Event {
    /// True if continuous states were reset.
    pub states_changed: bool,
    /// True if the event must be evaluated again with the new values.
    pub again: bool,
    /// Time of the next time event, in s, if there is one.
    pub next_time: Option<f64>,
}

/// Diagnostics of a component at the end of a step, or when an FMU is built.
#[derive(Debug, Default)]
pub struct Diagnostics {
    /// Warnings, each for one log message.
    pub(crate) warnings: Vec<String>,
    pub(crate) event: bool,
}

impl Diagnostics {
    /// Adds a warning, once.
    pub fn warn(&mut self, message: impl Into<String>) {
        let message = message.into();
        if !self.warnings.contains(&message) {
            self.warnings.push(message);
        }
    }

    /// Runs `work` with the diagnostics of a part of a model, whose name precedes its messages.
    pub fn of_part(&mut self, name: &str, work: impl FnOnce(&mut Self)) {
        let mut own = Self::default();
        work(&mut own);
        own.warnings.iter().for_each(|warning| self.warn(format!("{name}: {warning}")));
        self.event |= own.event;
    }

    /// Asks for an event at the end of this step of a solver; not needed inside [`advance`](crate::Steps::advance).
    pub fn ask_for_event(&mut self) {
        self.event = true;
    }
}
