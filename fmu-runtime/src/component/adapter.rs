//! Any component as a model: its struct is read from the arrays, computes, and is written back.

use std::cell::RefCell;
use std::sync::Arc;

use fmu_exchange::structure::Setting;
use fmu_exchange::{AcausalModel, DECLARES, Shape, Structure, StructureOption, declared, structure};
use nalgebra::convert;
use tape::Tape;

use crate::component::capabilities::{Acausal, Events, Indicators, Memory, Steps};
use crate::component::component::{Component, Info};
use crate::component::component_model::{ComponentModel, Data, Integrate, Scratch, Step};
use crate::component::equations::{Context, Diagnostics, Equations, Event, InputQuery, Inputs};
use crate::component::files::Files;
use crate::component::flows::{FlowOutputs, Flows};
use crate::component::jacobian::Jacobian;
use crate::component::layout::Layout;
use crate::component::model_error::ModelError;
use crate::component::motion::Integration;
use crate::component::polynomial::Polynomials;
use crate::component::source::Source;
use crate::rows::declare::Variables;
use crate::rows::row::ElementVisitor;
use crate::rows::scalar::{Dual64, Recorded, Scalar};
use crate::rows::values::{Reader, Values, Writer};

/// Makes the model of a component in its default structure.
pub fn component_model<C: Component>() -> Box<dyn ComponentModel> {
    Box::new(Adapter::<C> { structure: C::Structure::default(), flows: Flows::inflow, outflows: Vec::new() })
}

struct Adapter<C: Component> {
    structure: C::Structure,
    flows: Flows,
    /// Positions of the Reals that are flows out of the component.
    outflows: Vec<usize>,
}

type Visit<'a> = &'a mut dyn FnMut(&'static str, &'static str, &mut dyn Setting);

/// Returns true if the runtime moves the component in Co-Simulation: between events, and along its states.
const fn is_integrated<C: Component>() -> bool {
    let moves = <C::In<f64> as Variables<f64>>::HAS_STATES || <C::In<f64> as Events<f64>>::IMPLEMENTED;
    moves && !<C::In<f64> as Steps<f64>>::IMPLEMENTED
}

fn data<C: Component>(data: &Data) -> &C::Data {
    data.downcast_ref().expect("data prepared by the same component")
}

#[inline]
fn read<T: Scalar, E: Equations<T>>(reals: &[T], values: &Values) -> E {
    let mut equations = E::read(Reader::new(reals, values));
    equations.read_rest(&Reader::new(reals, values));
    equations
}

/// Reads the dual numbers of a component: not inlined into each function that differentiates, since a component may
/// have many.
#[inline(never)]
fn read_duals<C: Component>(reals: &[Dual64], values: &Values) -> C::In<Dual64> {
    read(reals, values)
}

#[inline]
fn writer(values: &mut Values) -> Writer<'_, f64> {
    Writer::new(&mut values.reals, &mut values.integers, &mut values.booleans)
}

impl<C: Component> Adapter<C> {
    fn context<'a, T: Scalar>(&'a self, time: T, prepared: &'a Data) -> Context<'a, T, C::In<T>> {
        Context { time, structure: &self.structure, data: data::<C>(prepared) }
    }

    /// Evaluates, after initialising if `initial`, and ends a step if there are `diagnostics`.
    // One function for all, to keep the library small.
    #[inline(never)]
    fn compute(
        &self,
        values: &mut Values,
        data: &Data,
        time: f64,
        initial: bool,
        diagnostics: Option<&mut Diagnostics>,
    ) -> Result<(), ModelError> {
        let mut equations = if <C::In<f64> as Steps<f64>>::RARELY_STEPS {
            C::In::<f64>::read(Reader::new(&values.reals, values))
        } else {
            Self::equations_of(values)
        };
        if <C::In<f64> as Steps<f64>>::RARELY_STEPS {
            // In place, since it is large.
            equations.read_rest(&Reader::new(&values.reals, values));
        }
        let context = self.context(time, data);
        if initial {
            equations.check_initial_point(&context)?;
            equations.initialise(&context)?;
        }
        equations.evaluate(&context)?;
        if let Some(diagnostics) = diagnostics {
            equations.completed_step(&context, diagnostics);
        }
        self.store(&equations, values)
    }

    fn flow_outputs(&self) -> FlowOutputs {
        let mut outputs = FlowOutputs::default();
        self.declare(&mut outputs);
        outputs
    }

    /// Passes the structure options, those of the component and that of its connectors.
    fn options(&mut self, visit: Visit<'_>) {
        self.structure.visit(&mut *visit);
        if self.flow_outputs().can_exist {
            visit(Flows::NAME, Flows::TEXT, &mut self.flows);
        }
    }

    /// Reverses the sign of flows out of the component, after an evaluation.
    #[inline]
    fn reverse<T: Scalar>(&self, reals: &mut [T]) {
        for slot in &self.outflows {
            reals[*slot] = -reals[*slot];
        }
    }

    /// Stores the computed values; rejects values that are not finite: too large inputs overflow.
    #[inline]
    fn store(&self, equations: &C::In<f64>, values: &mut Values) -> Result<(), ModelError> {
        let is_finite = equations.write(writer(values));
        self.reverse(&mut values.reals);
        if is_finite { Ok(()) } else { self.name_infinite(values) }
    }

    /// Advances a component with `Steps` over a step; the inputs stay as they are where it begins.
    #[inline(always)]
    fn advance(
        equations: &mut C::In<f64>,
        values: &Values,
        begin: &Context<'_, f64, C::In<f64>>,
        step: &mut Step,
        inputs: &Polynomials,
        scratch: &mut Scratch,
    ) -> Result<(), ModelError> {
        let buffer = RefCell::new(&mut scratch.reals);
        let read = |reading| {
            let mut reals = buffer.borrow_mut();
            reals.clone_from(&values.reals);
            match reading {
                InputQuery::At(s) => inputs.add(&mut reals, s),
                InputQuery::Coefficients(power) => {
                    reals.fill(0.0);
                    inputs.add_coefficients(&mut reals, power);
                }
            }
            read(&reals, values)
        };
        let inputs = Inputs { order: inputs.order(), read: &read };
        if !step.stops_at_event {
            return equations.advance(begin, &inputs, step.h);
        }
        if let Some(s) = equations.advance_to_event(begin, &inputs, step.h)? {
            step.stop_after(s);
        }
        Ok(())
    }

    /// Advances a component with `Steps` over a step and stores the result.
    // Not inlined, so that a component that seldom moves itself stays fast.
    #[inline(never)]
    fn advance_apart(
        &self,
        values: &mut Values,
        data: &Data,
        step: &mut Step,
        inputs: &Polynomials,
        scratch: &mut Scratch,
    ) -> Result<(), ModelError> {
        let mut equations = Self::equations_of(values);
        Self::advance(&mut equations, values, &self.context(step.begin, data), step, inputs, scratch)?;
        Self::write_values(&equations, values);
        Ok(())
    }

    /// Stores the moved states and memory, before an evaluation.
    // Not inlined, so that `write` is inlined where it is needed most.
    #[inline(never)]
    fn write_values(equations: &C::In<f64>, values: &mut Values) {
        equations.write(writer(values));
    }

    fn equations_of(values: &Values) -> C::In<f64> {
        read(&values.reals, values)
    }
}

impl<C: Component> ComponentModel for Adapter<C> {
    fn info(&self) -> &'static Info {
        const { &C::INFO }
    }

    fn equations(&self) -> &'static str {
        declared(<C::In<f64> as Variables<f64>>::EQUATIONS)
    }

    fn set_structure(&mut self, option: &str, word: &str) -> Result<(), String> {
        structure::set(&mut |visit| self.options(visit), option, word)?;
        self.outflows = if self.flows == Flows::outflow { self.flow_outputs().slots } else { Vec::new() };
        Ok(())
    }

    fn structure(&mut self) -> Vec<StructureOption> {
        if !DECLARES {
            return Vec::new();
        }
        let mut default = Self { structure: C::Structure::default(), flows: Flows::inflow, outflows: Vec::new() };
        structure::options(&mut |visit| self.options(visit), &mut |visit| default.options(visit))
    }

    fn flows(&self) -> Flows {
        self.flows
    }

    fn declare(&self, visitor: &mut dyn ElementVisitor) {
        <C::In<f64> as Variables<f64>>::declare(&self.structure, visitor);
    }

    fn indicator_count(&self) -> usize {
        let exist = C::In::<f64>::has_indicators(&self.structure);
        if exist { <C::In<f64> as Indicators<f64>>::COUNT } else { 0 }
    }

    fn acausal(&self) -> Option<AcausalModel> {
        (DECLARES && <C::In<f64> as Acausal<f64>>::IMPLEMENTED).then(|| C::In::<f64>::acausal_model(&self.structure))
    }

    fn has_memory(&self) -> bool {
        <C::In<f64> as Memory<f64>>::IMPLEMENTED
    }

    fn has_events(&self) -> bool {
        <C::In<f64> as Events<f64>>::IMPLEMENTED
    }

    fn integrates_states(&self) -> bool {
        is_integrated::<C>() || <C::In<f64> as Steps<f64>>::IMPLEMENTED
    }

    fn is_integrated(&self) -> bool {
        is_integrated::<C>()
    }

    fn integration(&self, layout: &Layout) -> Option<Box<dyn Integrate>> {
        if !is_integrated::<C>() {
            return None;
        }
        Some(Box::new(Integration::new(C::In::<f64>::SOLVER, [self.indicator_count(), 0, 0], layout)))
    }

    fn shapes(&self) -> Vec<Shape<'_>> {
        if DECLARES { C::In::<f64>::shapes(&self.structure) } else { Vec::new() }
    }

    fn modelica(&self) -> &'static str {
        if DECLARES { C::In::<f64>::modelica(&self.structure) } else { "" }
    }

    fn validate_configuration(&self, values: &Values) -> Result<Vec<String>, ModelError> {
        if !DECLARES {
            return Ok(Vec::new());
        }
        let mut diagnostics = Diagnostics::default();
        Self::equations_of(values).validate_configuration(&self.structure, &mut diagnostics)?;
        Ok(diagnostics.warnings)
    }

    fn prepare(
        &self,
        values: &Values,
        layout: &Layout,
        files: Option<&Files>,
        direction: &[f64],
    ) -> Result<Data, ModelError> {
        let source = Source::new(&self.structure, values, layout, files, direction);
        let reals = layout.without_tunables(&values.reals[..values.before_tables]);
        let equations: C::In<f64> = read(&reals, values);
        let data = equations.prepare(&source)?;
        source.refuse_unread_direction()?;
        Ok(Arc::new(data))
    }

    fn initialise(&self, values: &mut Values, data: &Data, time: f64) -> Result<(), ModelError> {
        self.compute(values, data, time, true, None)
    }

    fn begin_steps(&self, values: &mut Values, _: &mut Polynomials, data: &Data, time: f64) {
        if <C::In<f64> as Steps<f64>>::IMPLEMENTED {
            let mut equations = Self::equations_of(values);
            equations.begin_steps(&self.context(time, data));
            Self::write_values(&equations, values);
        }
    }

    fn evaluate(&self, values: &mut Values, data: &Data, time: f64) -> Result<(), ModelError> {
        self.compute(values, data, time, false, None)
    }

    fn indicators(&self, values: &Values, data: &Data, time: f64, indicators: &mut [f64]) {
        Self::equations_of(values).indicators(&self.context(time, data), indicators);
    }

    fn event(&self, values: &mut Values, data: &Data, time: f64) -> Result<Event, ModelError> {
        let mut event = Event::default();
        if <C::In<f64> as Events<f64>>::IMPLEMENTED {
            let mut equations = Self::equations_of(values);
            equations.event(&self.context(time, data), &mut event)?;
            Self::write_values(&equations, values);
        }
        Ok(event)
    }

    fn step(
        &self,
        values: &mut Values,
        data: &Data,
        step: &mut Step,
        inputs: &mut Polynomials,
        scratch: &mut Scratch,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), ModelError> {
        let order = inputs.order();
        if is_integrated::<C>() {
            scratch.integrate(self, values, data, step, inputs, diagnostics)?;
            step.is_stale = order == 0 && !self.has_memory();
            if step.is_stale {
                inputs.hold();
                return Ok(());
            }
        } else if <C::In<f64> as Steps<f64>>::RARELY_STEPS {
            if C::In::<f64>::has_steps(&self.structure) {
                self.advance_apart(values, data, step, inputs, scratch)?;
            }
        } else if <C::In<f64> as Steps<f64>>::IMPLEMENTED {
            let mut equations = Self::equations_of(values);
            let begin = self.context(step.begin, data);
            Self::advance(&mut equations, values, &begin, step, inputs, scratch)?;
            if order == 0 {
                inputs.hold();
                let end = Context { time: step.end, ..begin };
                equations.evaluate(&end)?;
                equations.completed_step(&end, diagnostics);
                return self.store(&equations, values);
            }
            Self::write_values(&equations, values);
        }
        if order == 0 {
            inputs.hold();
        } else {
            inputs.advance(&mut values.reals, step.h);
            self.check_finite(values)?;
        }
        self.compute(values, data, step.end, false, Some(diagnostics))
    }

    fn complete(
        &self,
        values: &mut Values,
        data: &Data,
        time: f64,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), ModelError> {
        self.compute(values, data, time, false, Some(diagnostics))
    }

    fn linear_form(
        &self,
        values: &Values,
        data: &Data,
        time: f64,
        indices: &[f64],
        jacobian: &mut Jacobian<'_>,
    ) -> Result<bool, ModelError> {
        let equations = Self::equations_of(values);
        let is_set = equations.linear_form(&self.context(time, data), &read(indices, values), jacobian)?;
        if is_set {
            self.outflows.iter().for_each(|slot| jacobian.reverse(indices[*slot]));
        }
        Ok(is_set)
    }

    fn differentiate(
        &self,
        reals: &mut [Dual64],
        values: &mut Values,
        data: &Data,
        time: Dual64,
        initial: bool,
    ) -> Result<(), ModelError> {
        let mut equations = read_duals::<C>(reals, values);
        let context = self.context(time, data);
        if initial {
            equations.initialise(&context)?;
        }
        equations.evaluate(&context)?;
        equations.write(Writer::new(reals, &mut values.integers, &mut values.booleans));
        self.reverse(reals);
        Ok(())
    }

    fn adjoint(
        &self,
        values: &mut Values,
        data: &Data,
        time: f64,
        tape: &mut Tape,
        (unknowns, seeds): (&[u32], &[f64]),
        knowns: &[u32],
    ) -> Result<Option<Vec<f64>>, ModelError> {
        if !<C::In<f64> as Equations<f64>>::HAS_MANY_INPUTS || cfg!(fmu_small) {
            return Ok(None);
        }
        tape.begin(&values.reals[..values.before_tables], knowns);
        tape.record(|reals| -> Result<(), ModelError> {
            let context = self.context(convert::<_, Recorded>(time), data);
            let mut equations: C::In<Recorded> = read(reals, values);
            equations.evaluate(&context)?;
            equations.write(Writer::new(reals, &mut values.integers, &mut values.booleans));
            self.reverse(reals);
            Ok(())
        })?;
        Ok(Some(tape.sweep(unknowns, seeds)))
    }

    fn differentiate_indicators(
        &self,
        reals: &[Dual64],
        values: &Values,
        data: &Data,
        time: Dual64,
        indicators: &mut [Dual64],
    ) {
        read_duals::<C>(reals, values).indicators(&self.context(time, data), indicators);
    }

    fn law_sizes(&self) -> [usize; 2] {
        <C::In<f64> as Acausal<f64>>::LAW
    }

    fn law(
        &self,
        values: &Values,
        data: &Data,
        branch: i32,
        arguments: &[Dual64],
        results: &mut [Dual64],
    ) -> Result<(), ModelError> {
        if !<C::In<f64> as Acausal<f64>>::IMPLEMENTED {
            return Ok(());
        }
        let reals: Vec<_> = values.reals[..values.before_tables].iter().map(|value| Dual64::from_re(*value)).collect();
        let equations = read_duals::<C>(&reals, values);
        equations.law(&self.context(Dual64::from_re(0.0), data), branch, arguments, results)
    }
}
