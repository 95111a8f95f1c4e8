//! A system as a component of the runtime.

use std::any::Any;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, TryLockError};

use fmu_runtime::model::{Data, Files, Flows, Integrate, Integration, Layout, Polynomials, Scratch, Sparsity, Step};
use fmu_runtime::{
    ComponentModel, DECLARES, DefaultExperiment, Diagnostics, Dual64, ElementVisitor, Event, Info, ModelError, Offsets,
    Shape, Solver, Source, StructureOption, Values, declared,
};
use mechanics::constant;
use mechanics::friction::INDICATORS;

use crate::MULTIBODY;
use crate::equations::{Buffers, Prepared, System};
use crate::part::{AnyPart, Arrays, ElementLaw, PartData, View};
use crate::real::{FromValues, Real};
use crate::topology::Topology;
use crate::topology::drivetrain::{PartScalar, is_moved};
use crate::topology::mounted::axes_differ;
use crate::topology::no_effect::nothing_happens;
use crate::topology::rings::ring_notes;
use crate::topology::wiring::NamedPart;

const INFO: Info = Info {
    name: "System",
    description: "Connected parts",
    icon: declared(include_str!("../icon.svg")),
    package: (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")),
    packages: &[mechanics::PACKAGE],
    experiment: DefaultExperiment::until(1.0, 1e-2),
};

/// Makes a system that has no parts yet. Besides the [built-in types](crate::parts), its parts can have these `own`
/// ones.
pub fn system(own: Vec<Box<dyn AnyPart>>) -> Box<dyn ComponentModel> {
    let types = crate::parts::types().into_iter().chain(own).collect();
    Box::new(SystemModel { topology: Topology::new(types) })
}

struct SystemModel {
    topology: Topology,
}

/// Data of a system that follow from parameters and tables.
struct SystemData {
    values: Prepared<Real>,
    /// Equations prepared in dual numbers, made when derivatives are asked for first.
    duals: OnceLock<Prepared<Dual64>>,
    /// Equations prepared with derivatives by parameters, for each direction that was asked for.
    by_parameters: Mutex<Vec<ByParameters>>,
    laws: Vec<ElementLaw>,
    parts: Vec<Box<PartData>>,
    pools: (BufferPool<Real>, BufferPool<Dual64>),
    /// True if the values are random ones, for an analysis.
    at_random: bool,
}

impl SystemData {
    /// Returns equations and buffers for evaluations in dual numbers, without derivatives by parameters, which need another
    /// preparation.
    fn in_duals(&self) -> (&Prepared<Dual64>, &BufferPool<Dual64>) {
        // They are dual numbers already where values are computed in these.
        let own = (&self.values as &dyn Any).downcast_ref();
        (own.unwrap_or_else(|| self.duals.get_or_init(|| self.values.values())), &self.pools.1)
    }
}

/// Changes of parameters by their slots, and equations prepared with them.
type ByParameters = (Vec<(usize, f64)>, Arc<(Prepared<Dual64>, BufferPool<Dual64>)>);

/// Largest number of directions of parameters for which equations are kept. With more, the last one gives way, so that a
/// cycle through all finds the others again.
const MAX_DIRECTIONS: usize = 32;

/// Buffers of evaluations, kept for the next one, so that they need not be allocated again. Only derivatives by several threads
/// need others.
struct BufferPool<T: FromValues>(Mutex<Option<Box<Kept<T>>>>);

/// Buffers, and numbers in place of Reals and of event indicators.
type Kept<T> = (Buffers<T>, [<T as FromValues>::Copied; 2]);

impl<T: FromValues> BufferPool<T> {
    fn with<V>(&self, make: impl FnOnce() -> Buffers<T>, work: impl FnOnce(&mut Kept<T>) -> V) -> V {
        let make = || (make(), <[T::Copied; 2]>::default());
        match self.0.try_lock() {
            Ok(mut kept) => work(kept.get_or_insert_with(|| Box::new(make()))),
            Err(TryLockError::Poisoned(kept)) => work(kept.into_inner().get_or_insert_with(|| Box::new(make()))),
            Err(TryLockError::WouldBlock) => work(&mut make()),
        }
    }
}

fn view<'a>(values: &'a Values, copied: &'a mut <Real as FromValues>::Copied) -> View<'a, Real> {
    View { reals: Real::read(&values.reals, copied), integers: &values.integers, booleans: &values.booleans }
}

fn arrays<'a>(values: &'a mut Values, copied: &'a mut <Real as FromValues>::Copied) -> Arrays<'a, Real> {
    let reals = Real::take(&mut values.reals, copied);
    Arrays { reals, integers: &mut values.integers, booleans: &mut values.booleans }
}

impl SystemModel {
    fn topology(&self) -> &Topology {
        self.topology.complete()
    }

    /// Runs `work` on the equations at a time.
    fn at<T: PartScalar, V>(
        &self,
        data: &SystemData,
        (prepared, pools): (&Prepared<T>, &BufferPool<T>),
        time: T,
        work: impl FnOnce(System<'_, T>, &mut Kept<T>) -> V,
    ) -> V {
        let wiring = self.topology().wiring();
        let SystemData { laws, parts: data_of_parts, .. } = data;
        let system = System { parts: self.topology().parts(), wiring, prepared, laws, data: data_of_parts, time };
        pools.with(|| prepared.buffers(wiring, data.at_random), |kept| work(system, kept))
    }

    /// Finds how many conditions of rings are independent, and what shows their passages.
    fn find_ring_ranks(&self, data: &mut SystemData, values: &Values) -> Result<(), ModelError> {
        let mut values = values.clone();
        let found = self.at(data, (&data.values, &data.pools.0), constant(0.0), |system, (buffers, [copied, _])| {
            if data.at_random {
                // Nothing fits at random points, but everything must be able to move.
                let mut rings = system.prepared.rings.clone();
                for block in &mut rings.blocks {
                    block.rank = block.rows.min(buffers.block_size(block.block) - 1);
                }
                return Ok(rings);
            }
            let rings = system.find_ring_ranks(&mut system.fed(arrays(&mut values, copied)), buffers)?;
            match system.immobile_ring(&rings, buffers) {
                Some(problem) => Err(ModelError::invalid(problem)),
                None => Ok(rings),
            }
        })?;
        data.values.rings = found;
        data.pools = (BufferPool(Mutex::default()), BufferPool(Mutex::default()));
        Ok(())
    }

    /// Finds the initial state and evaluates there.
    fn start(&self, values: &mut Values, data: &Data, time: f64) -> Result<(), ModelError> {
        self.values(data, values, time, |system, arrays, buffers| {
            let mut arrays = system.fed(arrays);
            system.initialise(&mut arrays, buffers, known(data).at_random)?;
            system.evaluate(&mut arrays, buffers)
        })
    }

    /// Prepares again in dual numbers, with the derivatives of the parameters.
    fn prepare_in_duals(
        &self,
        data: &SystemData,
        arrays: &mut Arrays<'_, Dual64>,
    ) -> Result<Prepared<Dual64>, ModelError> {
        let (parts, wiring) = (self.topology().parts(), self.topology().wiring());
        wiring.feeds.copy(arrays);
        let prepared = Prepared::new(parts, wiring, arrays.view(), data.at_random);
        let mut prepared = prepared.map_err(|error| ModelError::invalid(self.topology().describe(error, wiring)))?;
        prepared.rings = data.values.rings.clone();
        Ok(prepared)
    }

    /// Runs `work` on the equations in values, which it can change.
    fn values<V>(
        &self,
        data: &Data,
        values: &mut Values,
        time: f64,
        work: impl FnOnce(System<'_, Real>, Arrays<'_, Real>, &mut Buffers<Real>) -> V,
    ) -> V {
        self.values_and_indicators(data, values, time, &mut [], |system, arrays, buffers, _| {
            work(system, arrays, buffers)
        })
    }

    /// Runs `work` on the equations in values and in event indicators, both of which it can change.
    fn values_and_indicators<V>(
        &self,
        data: &Data,
        values: &mut Values,
        time: f64,
        indicators: &mut [f64],
        work: impl FnOnce(System<'_, Real>, Arrays<'_, Real>, &mut Buffers<Real>, &mut [Real]) -> V,
    ) -> V {
        let data = known(data);
        let prepared = (&data.values, &data.pools.0);
        self.at(data, prepared, constant(time), |system, (buffers, [copied, copied_indicators])| {
            let own = Real::take(indicators, copied_indicators);
            let result = work(system, arrays(values, copied), buffers, own);
            Real::put_back(copied, &mut values.reals);
            Real::put_back(copied_indicators, indicators);
            result
        })
    }
}

fn known(data: &Data) -> &SystemData {
    data.downcast_ref().expect("data prepared by the same system")
}

impl ComponentModel for SystemModel {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn equations(&self) -> &'static str {
        if !DECLARES {
            return "";
        }
        if MULTIBODY && self.topology.parts().iter().any(|named| named.part.properties().is_multibody) {
            return concat!(include_str!("equations.md"), include_str!("equations_in_space.md"));
        }
        include_str!("equations.md")
    }

    fn set_structure(&mut self, option: &str, word: &str) -> Result<(), String> {
        self.topology.set(option, word)
    }

    fn structure(&mut self) -> Vec<StructureOption> {
        if !DECLARES {
            return Vec::new();
        }
        self.topology.options()
    }

    fn flows(&self) -> Flows {
        self.topology().flows()
    }

    fn declare(&self, visitor: &mut dyn ElementVisitor) {
        self.topology().declare(visitor);
    }

    fn indicator_count(&self) -> usize {
        let wiring = self.topology().wiring();
        let of_parts = wiring.eventful.iter().map(|(_, count)| count).sum::<usize>();
        INDICATORS * wiring.friction_pairs.len() + of_parts + self.lasting_indicators()
    }

    fn lasting_indicators(&self) -> usize {
        self.topology().wiring().rings.parts.len() + self.topology().wiring().loops
    }

    fn bounding_indicators(&self) -> usize {
        self.topology().wiring().loops
    }

    fn has_memory(&self) -> bool {
        let wiring = self.topology().wiring();
        // Derivatives of inputs that are not given again are 0 from then on.
        !(wiring.remembering.is_empty() && wiring.feeds.rates.is_empty())
    }

    fn has_events(&self) -> bool {
        let wiring = self.topology().wiring();
        !(wiring.friction_pairs.is_empty() && wiring.eventful.is_empty() && self.lasting_indicators() == 0)
    }

    fn integrates_states(&self) -> bool {
        true
    }

    fn is_integrated(&self) -> bool {
        true
    }

    fn integration(&self, layout: &Layout) -> Option<Box<dyn Integrate>> {
        let indicators = [self.indicator_count(), self.lasting_indicators(), self.bounding_indicators()];
        Some(Box::new(Integration::new(Solver::Auto, indicators, layout)))
    }

    fn shapes(&self) -> Vec<Shape<'_>> {
        if !DECLARES {
            return Vec::new();
        }
        self.topology().wiring().look.shapes()
    }

    fn influences(&self) -> Sparsity {
        self.topology().influences()
    }

    fn has_sources(&self) -> bool {
        let follows_time = |named: &NamedPart| named.part.properties().follows_time;
        self.topology().wiring().signals.has_sources || self.topology().parts().iter().any(follows_time)
    }

    fn starts_together(&self) -> bool {
        self.topology().starts_together()
    }

    fn validate_configuration(&self, values: &Values) -> Result<Vec<String>, ModelError> {
        if !DECLARES {
            return Ok(Vec::new());
        }
        match &self.topology().wiring().problem {
            Some(problem) if self.topology().is_connected() => Err(ModelError::invalid(problem.clone())),
            _ => Ok(self.topology().part_warnings(view(values, &mut Default::default()))),
        }
    }

    fn prepare(
        &self,
        values: &Values,
        layout: &Layout,
        files: Option<&Files>,
        direction: &[f64],
    ) -> Result<Data, ModelError> {
        if direction.iter().any(|element| *element != 0.0) {
            return Err(ModelError::invalid(
                "elements of tables cannot be knowns: derivatives with respect to them are not provided",
            ));
        }
        let wiring = self.topology().wiring();
        if let Some(problem) = &wiring.problem {
            return Err(ModelError::invalid(problem.clone()));
        }
        let parts = self.topology().parts();
        let mut copied = Default::default();
        let view = view(values, &mut copied);
        if let Some(problem) = self.topology().part_problem(view) {
            return Err(ModelError::invalid(problem));
        }
        let problem = |error| ModelError::invalid(self.topology().describe(error, wiring));
        let in_values = Prepared::new(parts, wiring, view, files.is_none()).map_err(problem)?;
        if let Some(problem) = in_values.tree().and_then(|tree| axes_differ(parts, wiring, tree, view)) {
            return Err(ModelError::invalid(problem));
        }
        let source = Source::new(&(), values, layout, files, &[]);
        let of_part = |name: &str, error| ModelError::invalid(format!("{name}.{error}"));
        let law = |i: &usize| {
            let (NamedPart { name, part, .. }, offsets) = (&parts[*i], wiring.offsets[*i]);
            let of_part = |error| of_part(name, error);
            part.law(view, offsets, &source.of_part(name)).map_err(of_part)
        };
        let laws = wiring.friction_pairs.iter().map(law).collect::<Result<_, ModelError>>()?;
        let prepare = |(NamedPart { name, part, .. }, offsets): (&NamedPart, &Offsets)| {
            part.prepare(view, *offsets, &source.of_part(name)).map_err(|error| of_part(name, error))
        };
        let of_parts = parts.iter().zip(&wiring.offsets).map(prepare).collect::<Result<_, _>>()?;
        let pools = (BufferPool(Mutex::default()), BufferPool(Mutex::default()));
        let mut data = SystemData {
            values: in_values,
            duals: OnceLock::new(),
            by_parameters: Mutex::default(),
            laws,
            parts: of_parts,
            pools,
            at_random: files.is_none(),
        };
        if MULTIBODY && !data.values.rings.places.is_empty() {
            self.find_ring_ranks(&mut data, values)?;
        }
        Ok(Arc::new(data) as Arc<dyn Any + Send + Sync>)
    }

    fn initialise(&self, values: &mut Values, data: &Data, time: f64) -> Result<(), ModelError> {
        self.start(values, data, time)?;
        self.check_finite(values)
    }

    fn start_warnings(&self, values: &Values, data: &Data, time: f64) -> Vec<String> {
        if !DECLARES {
            return Vec::new();
        }
        let wiring = self.topology().wiring();
        let idle = nothing_happens(self.topology().parts(), wiring);
        let mut warnings: Vec<_> = idle.into_iter().collect();
        if MULTIBODY && !known(data).values.rings.places.is_empty() {
            warnings.extend(
                known(data)
                    .values
                    .tree()
                    .into_iter()
                    .flat_map(|tree| ring_notes(tree, &known(data).values.rings, self.topology().parts(), wiring)),
            );
        }
        if !warnings.is_empty() || !self.topology().starts_together() {
            return warnings;
        }
        let mut there = values.clone();
        let found = self.values(data, &mut there, time, |system, arrays, buffers| {
            system.unstable_start(&mut system.fed(arrays), buffers)
        });
        // What cannot be evaluated was refused before.
        found.ok().flatten().into_iter().collect()
    }

    fn begin_steps(&self, values: &mut Values, inputs: &mut Polynomials, _: &Data, _: f64) {
        for (input, count) in &self.topology().wiring().feeds.rates {
            (*input..input + count).for_each(|rate| inputs.run_on(rate, values.reals[rate + 1]));
        }
    }

    fn evaluate(&self, values: &mut Values, data: &Data, time: f64) -> Result<(), ModelError> {
        self.values(data, values, time, |system, arrays, buffers| system.evaluate(&mut system.fed(arrays), buffers))?;
        self.check_finite(values)
    }

    fn derivatives(&self, values: &mut Values, data: &Data, time: f64) -> Result<bool, ModelError> {
        self.values(data, values, time, |system, arrays, buffers| {
            system.derivatives(&mut system.fed(arrays), buffers)
        })?;
        Ok(false)
    }

    fn indicators(&self, values: &Values, data: &Data, time: f64, indicators: &mut [f64]) {
        // A system that cannot be solved was refused when the values were evaluated.
        let data = known(data);
        let prepared = (&data.values, &data.pools.0);
        let _ = self.at(data, prepared, constant(time), |system, (buffers, [copied, copied_indicators])| {
            let own = Real::take(indicators, copied_indicators);
            let result = system.indicators(view(values, copied), buffers, own);
            Real::put_back(copied_indicators, indicators);
            result
        });
    }

    fn evaluate_indicators(
        &self,
        values: &mut Values,
        data: &Data,
        time: f64,
        indicators: &mut [f64],
    ) -> Result<bool, ModelError> {
        self.values_and_indicators(data, values, time, indicators, |system, arrays, buffers, indicators| {
            system.derivatives_and_indicators(&mut system.fed(arrays), buffers, indicators)
        })?;
        Ok(false)
    }

    fn indicators_only(
        &self,
        values: &mut Values,
        data: &Data,
        time: f64,
        indicators: &mut [f64],
    ) -> Result<(), ModelError> {
        self.values_and_indicators(data, values, time, indicators, |system, arrays, buffers, indicators| {
            system.indicators_afresh(&mut system.fed(arrays), buffers, indicators)
        })
    }

    fn event(&self, values: &mut Values, data: &Data, time: f64) -> Result<Event, ModelError> {
        self.values(data, values, time, |system, arrays, buffers| system.event(&mut system.fed(arrays), buffers))
    }

    fn take_derivatives(&self, values: &mut Values, inputs: &mut Polynomials) -> bool {
        let rates = &self.topology().wiring().feeds.rates;
        rates.iter().for_each(|(input, count)| inputs.derive(&mut values.reals, *input, *count));
        !rates.is_empty()
    }

    fn derivatives_behind(&self, input: usize) -> usize {
        let mut rates = self.topology().wiring().feeds.rates.iter();
        rates.find(|(given, _)| *given == input).map_or(0, |(_, count)| *count)
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
        self.take_derivatives(values, inputs);
        let is_interpolated = scratch.integrate(self, values, data, step, inputs, diagnostics)?;
        let is_fed = inputs.order() > 0;
        inputs.advance(&mut values.reals, step.h);
        if is_fed {
            self.check_finite(values)?;
        }
        if self.has_memory() {
            return self.complete(values, data, step.end, diagnostics);
        }
        step.is_stale = true;
        if !is_interpolated {
            self.report(values, data, diagnostics);
        }
        Ok(())
    }

    fn complete(
        &self,
        values: &mut Values,
        data: &Data,
        time: f64,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), ModelError> {
        self.evaluate(values, data, time)?;
        self.values(data, values, time, |system, mut arrays, _| system.completed_step(&mut arrays, diagnostics));
        self.report(values, data, diagnostics);
        Ok(())
    }

    fn step_limit(&self, values: &mut Values, data: &Data, time: f64) -> f64 {
        self.values(data, values, time, |system, arrays, buffers| system.step_limit(system.fed(arrays).view(), buffers))
    }

    fn report(&self, values: &mut Values, data: &Data, diagnostics: &mut Diagnostics) {
        if self.lasting_indicators() > 0 {
            self.values(data, values, 0.0, |system, mut arrays, _| {
                system.report_dead_centres(&mut arrays, diagnostics);
                if MULTIBODY {
                    system.report_singular_positions(&mut arrays, diagnostics);
                }
            });
        }
    }

    fn differentiate(
        &self,
        reals: &mut [Dual64],
        values: &mut Values,
        data: &Data,
        time: Dual64,
        initial: bool,
    ) -> Result<(), ModelError> {
        let prepared = data;
        let data = known(prepared);
        // A search for dependencies prepares for the same values. Without a direction it needs nothing else.
        if initial && data.at_random && reals.iter().all(|real| real.eps == 0.0) {
            values.reals.iter_mut().zip(&*reals).for_each(|(value, real)| *value = real.re);
            self.start(values, prepared, time.re)?;
            reals.iter_mut().zip(&values.reals).for_each(|(real, value)| *real = Dual64::from_re(*value));
            return Ok(());
        }
        let Values { integers, booleans, .. } = values;
        let mut arrays = Arrays { reals, integers, booleans };
        if initial {
            let (parts, wiring) = (self.topology().parts(), self.topology().wiring());
            wiring.feeds.copy(&mut arrays);
            // Most directions leave the drive train as it is.
            let is_known = data.at_random && data.values.tree().is_none() && !is_moved(parts, wiring, arrays.view());
            let made = if is_known { None } else { Some(self.prepare_in_duals(data, &mut arrays)?) };
            let prepared = made.as_ref().unwrap_or_else(|| data.in_duals().0);
            let pools = BufferPool(Mutex::default());
            return self.at(data, (prepared, &pools), time, |system, (buffers, _)| {
                let mut arrays = system.fed(arrays);
                system.initialise(&mut arrays, buffers, data.at_random)?;
                system.evaluate(&mut arrays, buffers)
            });
        }
        self.at(data, data.in_duals(), time, |system, (buffers, _)| system.evaluate(&mut system.fed(arrays), buffers))
    }

    fn differentiate_indicators(
        &self,
        reals: &[Dual64],
        values: &Values,
        data: &Data,
        time: Dual64,
        indicators: &mut [Dual64],
    ) {
        let data = known(data);
        let view = View { reals, integers: &values.integers, booleans: &values.booleans };
        // As for `indicators`.
        let _ =
            self.at(data, data.in_duals(), time, |system, (buffers, _)| system.indicators(view, buffers, indicators));
    }

    fn differentiate_by_parameters(
        &self,
        reals: &mut [Dual64],
        values: &mut Values,
        data: &Data,
        time: Dual64,
        parameters: &[(usize, f64)],
        indicators: &mut [Dual64],
    ) -> Result<(), ModelError> {
        let data = known(data);
        let Values { integers, booleans, .. } = values;
        let mut arrays = Arrays { reals, integers, booleans };
        let mut kept = data.by_parameters.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().find(|(direction, _)| direction == parameters).map(|(_, found)| found.clone());
        let found = match found {
            Some(found) => found,
            None => {
                let made = Arc::new((self.prepare_in_duals(data, &mut arrays)?, BufferPool(Mutex::default())));
                kept.truncate(MAX_DIRECTIONS - 1);
                kept.push((parameters.to_vec(), made.clone()));
                made
            }
        };
        drop(kept);
        self.at(data, (&found.0, &found.1), time, |system, (buffers, _)| {
            let mut arrays = system.fed(arrays);
            system.evaluate(&mut arrays, buffers)?;
            system.indicators(arrays.view(), buffers, indicators)
        })
    }

    fn differentiate_indicators_afresh(
        &self,
        reals: &mut [Dual64],
        values: &mut Values,
        data: &Data,
        time: Dual64,
        indicators: &mut [Dual64],
    ) -> Result<(), ModelError> {
        let data = known(data);
        let Values { integers, booleans, .. } = values;
        let arrays = Arrays { reals, integers, booleans };
        self.at(data, data.in_duals(), time, |system, (buffers, _)| {
            system.indicators_afresh(&mut system.fed(arrays), buffers, indicators)
        })
    }
}
