//! Derivatives of the motion by parameters, for an importer that integrates them with the states.

use std::mem::MaybeUninit;

use fmu_exchange::Base;

use crate::component::layout::Rule;
use crate::instance::arrays::ArrayType;
use crate::instance::call_error::{CallError, Outcome};
use crate::instance::instance::Instance;
use crate::rows::scalar::Dual64;

impl Instance {
    /// `mechanics_sensitivity` and `mechanics3_sensitivity`: the derivatives of computed values along a direction of
    /// states, inputs and parameters, and those of the event indicators, with the modes that hold now. What the FMU
    /// remembers counts as constant. Nothing is written after an error.
    pub fn sensitivity(
        &mut self,
        unknowns: &[u32],
        knowns: &[u32],
        seeds: &[f64],
        derivatives: &mut [MaybeUninit<f64>],
        indicators: &mut [MaybeUninit<f64>],
    ) -> Outcome {
        self.check_indicators(indicators.len())?;
        let unknowns = self.elements_of(ArrayType::Float64, unknowns, derivatives.len())?;
        let knowns = self.elements_of(ArrayType::Float64, knowns, seeds.len())?;
        let known = (&knowns, Rule::PARAMETER | Rule::INPUT | Rule::STATE, "a Real parameter, input or state");
        let unknown = (&unknowns, Rule::COMPUTED | Rule::OUTPUT | Rule::STATE, "a computed Real or a state");
        for (variables, roles, what) in [known, unknown] {
            for variable in variables.iter() {
                let rule = self.layout.reals.get(*variable as usize).copied().unwrap_or(Rule(0));
                if !rule.has(Rule::EXISTS) || !rule.has(roles) {
                    let name = self.name(Base::Real, *variable);
                    return Err(CallError::error(format!(
                        "\"{name}\" has no place in a sensitivity: it is not {what}"
                    )));
                }
            }
        }
        self.check_seeds(&knowns, seeds)?;
        let directions: Vec<_> = knowns.iter().map(|known| *known as usize).zip(seeds.iter().copied()).collect();
        let (mut duals, mut along) = (Vec::new(), vec![Dual64::from_re(0.0); indicators.len()]);
        let is_parameter = |(slot, _): &(usize, f64)| self.layout.reals[*slot].has(Rule::PARAMETER);
        let parameters: Vec<_> = directions.iter().copied().filter(is_parameter).collect();
        let moved = self.set_direction(&directions, &mut duals)?;
        if let Some(data) = moved.as_ref().or(self.data.as_ref()) {
            let (values, time) = (&mut self.values, Dual64::from_re(self.time));
            let result =
                self.model.differentiate_by_parameters(&mut duals, values, data, time, &parameters, &mut along);
            result.map_err(|error| self.call_error(&error))?;
        }
        for (value, unknown) in derivatives.iter_mut().zip(&*unknowns) {
            value.write(duals[*unknown as usize].eps);
        }
        for (value, dual) in indicators.iter_mut().zip(along) {
            value.write(dual.eps);
        }
        Ok(())
    }
}
