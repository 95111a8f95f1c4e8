//! Derivatives of the motion by parameters, for an importer that integrates them with the states.

use fmu_exchange::Base;

use crate::component::layout::Rule;
use crate::instance::arrays::ArrayType;
use crate::instance::call_error::{CallError, Outcome};
use crate::instance::instance::Instance;
use crate::rows::scalar::Dual64;

impl Instance {
    /// `mechanics_sensitivity`: the derivatives of computed values along a direction of states, inputs and parameters, and
    /// those of the event indicators, with the modes that hold now. What the FMU remembers counts as constant.
    pub fn sensitivity(
        &mut self,
        unknowns: &[u32],
        knowns: &[u32],
        seeds: &[f64],
        indicators: &mut [f64],
    ) -> Outcome<impl Iterator<Item = f64>> {
        self.check_indicators(indicators.len())?;
        let unknowns = self.elements_of(ArrayType::Float64, unknowns, unknowns.len())?;
        let knowns = self.elements_of(ArrayType::Float64, knowns, seeds.len())?;
        for known in knowns.iter() {
            self.check_role(*known, Rule::PARAMETER | Rule::INPUT | Rule::STATE, "a Real parameter, input or state")?;
        }
        for unknown in unknowns.iter() {
            self.check_role(*unknown, Rule::COMPUTED | Rule::OUTPUT | Rule::STATE, "a computed Real or a state")?;
        }
        self.check_seeds(&knowns, seeds)?;
        let directions: Vec<_> = knowns.iter().map(|known| *known as usize).zip(seeds.iter().copied()).collect();
        let (mut duals, mut along) = (Vec::new(), vec![Dual64::from_re(0.0); indicators.len()]);
        self.along_by(&directions, 0.0, &mut duals, |model, duals, values, data, time, _| {
            model.differentiate_by_parameters(duals, values, data, time, &mut along)
        })?;
        for (indicator, dual) in indicators.iter_mut().zip(along) {
            *indicator = dual.eps;
        }
        Ok((0..unknowns.len()).map(move |i| duals[unknowns[i] as usize].eps))
    }

    fn check_role(&self, variable: u32, roles: u16, what: &str) -> Outcome {
        let rule = self.layout.reals.get(variable as usize).copied().unwrap_or(Rule(0));
        if rule.has(Rule::EXISTS) && rule.has(roles) {
            return Ok(());
        }
        let name = self.name(Base::Real, variable);
        Err(CallError::error(format!("\"{name}\" has no place in a sensitivity: it is not {what}")))
    }
}
