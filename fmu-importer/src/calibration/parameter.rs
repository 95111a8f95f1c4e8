//! The parameters to be found, and the quantities in which they are searched for.

use anyhow::Result;
use fmu_builder::description::{Causality, Variable, VariableType};

use super::plan::{ParameterPlan, Scale};
use crate::sweep::bound_broken;
use crate::values::toml_file::TomlFile;
use crate::values::value::Value;
use crate::values::variables;

/// A parameter with what is known of it.
#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: String,
    pub unit: Option<String>,
    /// Positions of the variables that get the value.
    pub positions: Vec<usize>,
    pub start: f64,
    /// Bounds; infinite without any.
    pub bounds: [f64; 2],
    pub scale: Scale,
    /// Mean and standard deviation of what is known beforehand.
    pub prior: Option<[f64; 2]>,
}

impl Parameter {
    /// Reads an entry against the variables of an FMU.
    pub fn read(source: &TomlFile, plan: &ParameterPlan<'_>, all: &[Variable]) -> Result<Self> {
        let name = &plan.entry.name;
        let error = |what: String| source.error(plan.entry.span.clone(), what);
        let eligible = |variable: &Variable| {
            matches!(variable.causality, Causality::Parameter | Causality::Input) && variable.is_real()
        };
        let mut positions = Vec::new();
        let own = [name.clone()];
        for name in if plan.variables.is_empty() { &own[..] } else { &plan.variables } {
            let found = variables::find(name, all, eligible);
            positions.extend(found.map_err(|what| error(format!("Real parameters can be found: {what:#}")))?.positions);
        }
        let first = &all[positions[0]];
        let (unit, own) = match &first.kind {
            VariableType::Real { unit, start, .. } => (unit.clone(), *start),
            _ => (None, None),
        };
        let start = plan.start.or(own).unwrap_or(0.0);
        let bounds =
            [plan.min.unwrap_or_else(|| least(all, &positions)), plan.max.unwrap_or_else(|| most(all, &positions))];
        for value in [Some(start), plan.min, plan.max].into_iter().flatten() {
            for position in &positions {
                if let Some(broken) = bound_broken(&all[*position], value) {
                    return Err(error(broken));
                }
            }
        }
        let [min, max] = bounds;
        if min >= max {
            return Err(error(format!("min of `{name}` is {min}, which must be below max, {max}")));
        }
        if !(min..=max).contains(&start) {
            return Err(error(format!("start of `{name}` is {start}, which must be from {min} to {max}")));
        }
        let scale = plan.scale.unwrap_or(Scale::Linear(if start == 0.0 { 1.0 } else { start.abs() }));
        if scale == Scale::Log && (start <= 0.0 || plan.min.is_some_and(|min| min <= 0.0)) {
            let what = if start <= 0.0 { ("start", start) } else { ("min", min) };
            return Err(error(format!(
                "{} of `{name}` is {}, but must be above 0 for scale = \"log\"",
                what.0, what.1
            )));
        }
        Ok(Self { name: name.clone(), unit, positions, start, bounds, scale, prior: plan.prior })
    }

    /// Returns the quantity that is searched for.
    pub fn inner(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear(scale) => value / scale,
            Scale::Log => value.ln(),
        }
    }

    /// Returns the value of the parameter, within its bounds.
    pub fn value(&self, inner: f64) -> f64 {
        let value = match self.scale {
            Scale::Linear(scale) => inner * scale,
            Scale::Log => inner.exp(),
        };
        value.clamp(self.bounds[0], self.bounds[1])
    }

    /// Returns the derivative of the parameter by the quantity that is searched for.
    pub fn slope(&self, inner: f64) -> f64 {
        match self.scale {
            Scale::Linear(scale) => scale,
            Scale::Log => inner.exp(),
        }
    }

    /// Returns the bounds of the quantity that is searched for; infinite without any.
    pub fn inner_bounds(&self) -> [f64; 2] {
        match self.scale {
            Scale::Linear(scale) => self.bounds.map(|bound| bound / scale),
            Scale::Log => self.bounds.map(|bound| if bound <= 0.0 { f64::NEG_INFINITY } else { bound.ln() }),
        }
    }

    /// Returns the variables with this value.
    pub fn assignments(&self, inner: f64) -> impl Iterator<Item = (usize, Value)> {
        let value = self.value(inner);
        self.positions.iter().map(move |position| (*position, Value::Real(value)))
    }
}

fn least(all: &[Variable], positions: &[usize]) -> f64 {
    positions.iter().filter_map(|at| all[*at].attributes.min).fold(f64::NEG_INFINITY, f64::max)
}

fn most(all: &[Variable], positions: &[usize]) -> f64 {
    positions.iter().filter_map(|at| all[*at].attributes.max).fold(f64::INFINITY, f64::min)
}
