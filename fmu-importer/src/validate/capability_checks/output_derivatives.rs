//! Test of output derivatives: each lies near the slopes over the steps before and after it.

use anyhow::Result;
use fmu_builder::description::{Causality, Variable};

use super::probe::{Run, step};
use super::steps::references;
use crate::load::{Instance, Loaded};
use crate::simulate::summary::short;
use crate::validate::finding::Finding;

/// Highest order that is tried.
const MAX_ORDER: u32 = 4;
/// Size of the steps as a fraction of the communication step, if the FMU takes steps of any size.
const PART: f64 = 0.125;
/// Relative tolerance of slopes.
const SLOPE: f64 = 0.05;
/// Relative error of values by a coarse solver.
const SOLVER: f64 = 1e-4;

pub fn check(loaded: &Loaded) -> Result<Option<Finding>> {
    let references = references(loaded.model(), |variable: &&Variable| variable.causality == Causality::Output);
    let instance = Instance::new(loaded)?;
    let Some(run) = Run::begin(loaded, &instance)?.filter(|_| !references.is_empty()) else { return Ok(None) };
    let max_order = loaded.output_derivative_order().min(MAX_ORDER) as usize;
    let part = if loaded.flag("canHandleVariableCommunicationStepSize") { PART } else { 1.0 };
    let size = run.time(part) - run.time(0.0);
    // After each step: the values, their first derivatives, and so on.
    let mut after = Vec::new();
    let mut begin = run.time(0.0);
    for count in 0..3 {
        let end = run.time(1.0 + f64::from(count) * part);
        if !step(&instance, (begin, end))? {
            return Ok(None);
        }
        begin = end;
        let mut by_order = vec![instance.get_reals(&references)?];
        for order in 1..=max_order {
            by_order.push(instance.output_derivatives(&references, &vec![order as i32; references.len()])?);
        }
        after.push(by_order);
    }
    for order in 1..=max_order {
        for (at, reference) in references.iter().enumerate() {
            let variable = loaded
                .model()
                .variables
                .iter()
                .find(|variable| variable.is_real() && variable.value_reference == *reference);
            let name = variable.map_or("", |variable| &variable.name);
            let nominal = variable.and_then(|variable| variable.attributes.nominal).unwrap_or(1.0).abs();
            let of = |order: usize| [0, 1, 2].map(|count| after[count][order][at]);
            let which = if order == 1 { String::new() } else { format!(" of order {order}") };
            if let Some(derivative) = of(order).iter().find(|derivative| !derivative.is_finite()) {
                let text = format!("the derivative{which} of `{name}` is {derivative}");
                return Ok(Some(Finding::error(text)));
            }
            let ([before, here, next], [_, derivative, _]) = (of(order - 1), of(order));
            let slopes = [(here - before) / size, (next - here) / size];
            let [low, high] = [slopes[0].min(slopes[1]), slopes[0].max(slopes[1])];
            let noise = SOLVER * here.abs().max(nominal / size.powi(order as i32 - 1)) / size;
            let tolerance = high - low + SLOPE * low.abs().max(high.abs()) + noise;
            if derivative < low - tolerance || derivative > high + tolerance {
                let [derivative, before, next] = [derivative, slopes[0], slopes[1]].map(short);
                let text = format!(
                    "the derivative{which} of `{name}` is {derivative}, but its slope is {before} over the step before \
                     and {next} over the step after"
                );
                return Ok(Some(Finding::warning(text)));
            }
        }
    }
    Ok(None)
}
