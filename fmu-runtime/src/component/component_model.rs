//! The interface to all components: evaluates the equations on an instance's values.

use std::any::Any;
use std::sync::Arc;

use fmu_exchange::configuration::Configuration;
use fmu_exchange::{AcausalModel, Number, Shape, StructureOption};
use tape::Tape;

use crate::component::component::Info;
use crate::component::equations::{Diagnostics, Event};
use crate::component::files::Files;
use crate::component::flows::Flows;
use crate::component::jacobian::Jacobian;
use crate::component::layout::Layout;
use crate::component::model_error::ModelError;
use crate::component::names::real_name;
use crate::component::polynomial::Polynomials;
use crate::component::sparsity::Sparsity;
use crate::rows::row::ElementVisitor;
use crate::rows::scalar::Dual64;
use crate::rows::values::{Values, are_finite};

/// The data prepared from parameters and files, shared with the saved FMU states.
pub type Data = Arc<dyn Any + Send + Sync>;

/// A Co-Simulation step, in s.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Time at the start of the step.
    pub begin: f64,
    /// Time at the end of the step.
    pub end: f64,
    /// Length of the step.
    pub h: f64,
    /// Time in s up to which the equations may be evaluated, beyond the end of the step.
    pub limit: f64,
    /// True if the step ends at the first event inside, which is left to the importer.
    pub stops_at_event: bool,
    /// True if there is an event where the step has ended.
    pub is_event: bool,
    /// True if computed values are not those of the end: they are computed when they are asked for.
    pub is_stale: bool,
}

impl Step {
    /// Makes a step of the length `h` between two times, all in s.
    #[inline]
    pub fn new((begin, end, h): (f64, f64, f64), limit: f64, stops_at_event: bool) -> Self {
        Self { begin, end, h, limit, stops_at_event, is_event: false, is_stale: false }
    }

    /// Ends the step at an event `s` after its beginning, in s.
    pub fn stop_after(&mut self, s: f64) {
        self.is_event = true;
        if s < self.h {
            (self.end, self.h) = (self.begin + s, s);
        }
    }
}

/// The integration of the states in one instance.
pub trait Integrate: Send {
    /// Moves the states over a step if nothing has changed and the integrator's open step covers it; otherwise returns
    /// false.
    fn interpolate(&self, values: &mut Values, inputs: &Polynomials, step: &Step) -> bool;

    /// Moves states and memory among the `values` over a step, with the events at its beginning and inside. The
    /// inputs stay as they are where it begins.
    fn advance(
        &mut self,
        model: &dyn ComponentModel,
        data: &Data,
        values: &mut Values,
        inputs: &Polynomials,
        step: &mut Step,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), ModelError>;
}

/// Buffers of the steps of one instance.
#[derive(Default)]
pub struct Scratch {
    /// Buffer for the Reals with the inputs at another time.
    pub reals: Vec<f64>,
    /// Integration of the states, if the runtime does that.
    pub integration: Option<Box<dyn Integrate>>,
}

impl Scratch {
    /// Integrates the states over a step, with the events at its beginning and inside. The inputs stay as they are where
    /// it begins. Returns true if there was nothing to compute.
    #[inline]
    pub fn integrate(
        &mut self,
        model: &dyn ComponentModel,
        values: &mut Values,
        data: &Data,
        step: &mut Step,
        inputs: &Polynomials,
        diagnostics: &mut Diagnostics,
    ) -> Result<bool, ModelError> {
        let integration = self.integration.as_mut().expect("buffers of this component");
        if integration.interpolate(values, inputs, step) {
            return Ok(true);
        }
        integration.advance(model, data, values, inputs, step, diagnostics).map(|()| false)
    }
}

/// A component in one structure.
pub trait ComponentModel: Any + Send + Sync {
    /// Returns the description of the component.
    fn info(&self) -> &'static Info;
    /// Returns the equations of the component as text.
    fn equations(&self) -> &'static str;
    /// Sets a structure option.
    fn set_structure(&mut self, option: &str, word: &str) -> Result<(), String>;
    /// Returns the structure options.
    fn structure(&mut self) -> Vec<StructureOption>;
    /// Returns the sign of loads and heat flows that are outputs of connectors.
    fn flows(&self) -> Flows;
    /// Passes the declaration to `visitor`.
    fn declare(&self, visitor: &mut dyn ElementVisitor);
    /// Returns the number of event indicators.
    fn indicator_count(&self) -> usize;
    /// Returns the number of lasting indicators, the last ones. The integrator need not look for a turn of them inside a
    /// step, since behind an event they keep their sign for longer than a step.
    fn lasting_indicators(&self) -> usize {
        0
    }
    /// Returns the number of those among the lasting indicators, again the last ones, that bound where the equations hold: a step
    /// does not go beyond their events, whose times need a small tolerance.
    fn bounding_indicators(&self) -> usize {
        0
    }
    /// Returns the model around the law, if the component has one.
    fn acausal(&self) -> Option<AcausalModel> {
        None
    }
    /// Returns true if the end of a step updates the memory.
    fn has_memory(&self) -> bool;
    /// Returns true if there can be events inside a step.
    fn has_events(&self) -> bool;
    /// Returns true if the component or the runtime integrates continuous-time states in Co-Simulation.
    fn integrates_states(&self) -> bool;
    /// Returns true if the runtime moves the component in Co-Simulation, between events and along its states.
    fn is_integrated(&self) -> bool;
    /// Makes the integration of an instance, if it is [integrated](Self::is_integrated). Others have no code for that.
    fn integration(&self, layout: &Layout) -> Option<Box<dyn Integrate>>;
    /// Returns the shapes that a viewer draws.
    fn shapes(&self) -> Vec<Shape<'_>>;
    /// Returns Modelica code that the model in Modelica has besides the rows.
    fn modelica(&self) -> &'static str {
        ""
    }

    /// Returns which parts of the component can affect which.
    fn influences(&self) -> Sparsity {
        Sparsity::whole()
    }

    /// Returns true if the model has signals of its own that change with time, which evaluations at random points may
    /// not show.
    fn has_sources(&self) -> bool {
        false
    }

    /// Returns true if the initial values are solved for together, from everything.
    fn starts_together(&self) -> bool {
        false
    }

    /// Checks a configuration; returns warnings.
    fn validate_configuration(&self, values: &Values) -> Result<Vec<String>, ModelError>;
    /// Prepares parameters and files; without `files`, none is read. `direction`, if not empty, is the
    /// direction of the elements of the tables for derivatives with respect to them.
    fn prepare(
        &self,
        values: &Values,
        layout: &Layout,
        files: Option<&Files>,
        direction: &[f64],
    ) -> Result<Data, ModelError>;
    /// Sets memory and calculated values, then evaluates.
    fn initialise(&self, values: &mut Values, data: &Data, time: f64) -> Result<(), ModelError>;
    /// Returns the warnings of the initial state, which is evaluated.
    fn start_warnings(&self, _values: &Values, _data: &Data, _time: f64) -> Vec<String> {
        Vec::new()
    }
    /// Ends initialisation in Co-Simulation.
    fn begin_steps(&self, values: &mut Values, inputs: &mut Polynomials, data: &Data, time: f64);
    /// Computes outputs, local variables and derivatives.
    fn evaluate(&self, values: &mut Values, data: &Data, time: f64) -> Result<(), ModelError>;
    /// Computes the derivatives of the states; returns true if all other values are computed, too.
    fn derivatives(&self, values: &mut Values, data: &Data, time: f64) -> Result<bool, ModelError> {
        self.evaluate(values, data, time)?;
        Ok(true)
    }
    /// Computes the event indicators of values that are evaluated.
    fn indicators(&self, values: &Values, data: &Data, time: f64, indicators: &mut [f64]);
    /// Computes the event indicators of values that are not evaluated, with the derivatives of the states; returns true
    /// if all other values are computed, too.
    fn evaluate_indicators(
        &self,
        values: &mut Values,
        data: &Data,
        time: f64,
        indicators: &mut [f64],
    ) -> Result<bool, ModelError> {
        self.evaluate(values, data, time)?;
        self.indicators(values, data, time, indicators);
        Ok(true)
    }
    /// Computes the event indicators of values that are not evaluated, without the derivatives of the states.
    fn indicators_only(
        &self,
        values: &mut Values,
        data: &Data,
        time: f64,
        indicators: &mut [f64],
    ) -> Result<(), ModelError> {
        self.evaluate_indicators(values, data, time, indicators).map(|_| ())
    }
    /// Updates memory and states at an event.
    fn event(&self, values: &mut Values, data: &Data, time: f64) -> Result<Event, ModelError>;
    /// Returns the time in s after which [lasting](Self::lasting_indicators) indicators may have changed back.
    fn step_limit(&self, _values: &mut Values, _data: &Data, _time: f64) -> f64 {
        f64::INFINITY
    }
    /// Passes the messages of the last events to the diagnostics.
    fn report(&self, _values: &mut Values, _data: &Data, _diagnostics: &mut Diagnostics) {}
    /// Takes derivatives of inputs for the next step as values, if any are; returns true if so.
    fn take_derivatives(&self, _values: &mut Values, _inputs: &mut Polynomials) -> bool {
        false
    }
    /// Returns how many of the values behind an input are its derivatives.
    fn derivatives_behind(&self, _input: usize) -> usize {
        0
    }
    /// Makes a Co-Simulation step: events at its start, states, inputs and memory up to its end,
    /// evaluation there.
    fn step(
        &self,
        values: &mut Values,
        data: &Data,
        step: &mut Step,
        inputs: &mut Polynomials,
        scratch: &mut Scratch,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), ModelError>;
    /// Evaluates at the end of a step and updates the memory.
    fn complete(
        &self,
        values: &mut Values,
        data: &Data,
        time: f64,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), ModelError>;
    /// Sets the entries of a matrix of derivatives, with the index of each Real in it; false if the component does not
    /// know them.
    fn linear_form(
        &self,
        _values: &Values,
        _data: &Data,
        _time: f64,
        _indices: &[f64],
        _jacobian: &mut Jacobian<'_>,
    ) -> Result<bool, ModelError> {
        Ok(false)
    }
    /// Replaces `reals`, given with a direction, by the values and derivatives that the equations compute along it; with
    /// initialisation if `initial`. The Reals of `values` are not used.
    fn differentiate(
        &self,
        reals: &mut [Dual64],
        values: &mut Values,
        data: &Data,
        time: Dual64,
        initial: bool,
    ) -> Result<(), ModelError>;
    /// Returns the derivatives by the Reals `knowns` of the sum of the Reals `unknowns`, each times its seed, from one
    /// evaluation that `tape` records; none if the component has few inputs.
    fn adjoint(
        &self,
        _values: &mut Values,
        _data: &Data,
        _time: f64,
        _tape: &mut Tape,
        (_unknowns, _seeds): (&[u32], &[f64]),
        _knowns: &[u32],
    ) -> Result<Option<Vec<f64>>, ModelError> {
        Ok(None)
    }
    /// Computes the event indicators with their derivatives at a point that was differentiated.
    fn differentiate_indicators(
        &self,
        reals: &[Dual64],
        values: &Values,
        data: &Data,
        time: Dual64,
        indicators: &mut [Dual64],
    );
    /// Computes the event indicators with their derivatives at a point that is not differentiated, and may stay so.
    fn differentiate_indicators_afresh(
        &self,
        reals: &mut [Dual64],
        values: &mut Values,
        data: &Data,
        time: Dual64,
        indicators: &mut [Dual64],
    ) -> Result<(), ModelError> {
        self.differentiate(reals, values, data, time, false)?;
        self.differentiate_indicators(reals, values, data, time, indicators);
        Ok(())
    }
    /// Replaces `reals` as [`differentiate`](Self::differentiate) without initialisation, where the direction may have
    /// `parameters`, and computes the event indicators with their derivatives.
    fn differentiate_by_parameters(
        &self,
        reals: &mut [Dual64],
        values: &mut Values,
        data: &Data,
        time: Dual64,
        _parameters: &[(usize, f64)],
        indicators: &mut [Dual64],
    ) -> Result<(), ModelError> {
        self.differentiate_indicators_afresh(reals, values, data, time, indicators)
    }
    /// Refuses variables that are not finite: too large inputs overflow.
    #[inline]
    fn check_finite(&self, values: &Values) -> Result<(), ModelError> {
        if are_finite(&values.reals[..values.before_tables]) { Ok(()) } else { self.name_infinite(values) }
    }
    /// Names the first Real that is not finite.
    #[cold]
    #[inline(never)]
    fn name_infinite(&self, values: &Values) -> Result<(), ModelError> {
        let Some(slot) = values.reals.iter().position(|value| !value.is_finite()) else { return Ok(()) };
        let name = real_name(&|visitor| self.declare(visitor), slot);
        let value = Number(values.reals[slot]);
        Err(ModelError::invalid(format!("\"{name}\" would be {value}: an input or parameter is too large")))
    }
    /// Returns the numbers of arguments and results of the law.
    fn law_sizes(&self) -> [usize; 2] {
        [0, 0]
    }
    /// Computes the results of the law, with their derivatives along the direction of the arguments.
    fn law(
        &self,
        _values: &Values,
        _data: &Data,
        _branch: i32,
        _arguments: &[Dual64],
        _results: &mut [Dual64],
    ) -> Result<(), ModelError> {
        Ok(())
    }
}

/// Puts a model into the structure of a configuration and lays out its values; rejects the configuration of
/// another component or version.
pub fn configure(model: &mut dyn ComponentModel, configuration: &Configuration<'_>) -> Result<Layout, String> {
    let info = model.info();
    if let Some(component) = configuration.component.filter(|component| *component != info.name) {
        return Err(format!(
            "the configuration is for the component \"{component}\", but this library is \"{}\"",
            info.name
        ));
    }
    for (name, version) in &configuration.versions {
        let own = info.all_packages().find(|(package, _)| package == name).map_or("none", |(_, version)| version);
        if own != *version {
            return Err(format!(
                "the configuration was made for version {version} of {name}, but this library has {own}"
            ));
        }
    }
    configuration.structure.iter().try_for_each(|(option, word)| model.set_structure(option, word))?;
    let layout = Layout::new(&|visitor| model.declare(visitor), configuration)?;
    if !layout.states.is_empty() && !model.integrates_states() {
        return Err("states that are members of groups are not integrated: implement Steps".to_owned());
    }
    Ok(layout)
}
