//! The law of a component for the equations of a tool.

use fmu_exchange::Number;

use crate::instance::call_error::{CallError, Outcome};
use crate::instance::instance::Instance;
use crate::rows::scalar::Dual64;

impl Instance {
    /// `mechanics_law`: computes the results for a branch and arguments, or their derivatives along a direction of the
    /// arguments.
    pub fn law(
        &mut self,
        branch: i32,
        arguments: &[f64],
        direction: Option<&[f64]>,
        count: usize,
    ) -> Outcome<impl Iterator<Item = f64>> {
        let given = [arguments.len(), count];
        let [needed_arguments, needed_results] = self.model.law_sizes();
        if needed_results == 0 {
            return Err(CallError::error("this component has no law"));
        }
        if given != [needed_arguments, needed_results] {
            return Err(CallError::error(format!(
                "the law has {needed_arguments} arguments and {needed_results} results, not {} and {count}",
                arguments.len()
            )));
        }
        let numbers = arguments.iter().chain(direction.into_iter().flatten());
        if let Some(number) = numbers.copied().find(|number| !number.is_finite()) {
            return Err(CallError::error(format!(
                "an argument of the law is {}; a finite number is needed",
                Number(number)
            )));
        }
        self.prepare_late()?;
        self.prepare()?;
        let data = self.data.as_ref().expect("prepared");
        let seed = |i: usize| direction.map_or(0.0, |direction| direction[i]);
        let arguments: Vec<_> = arguments.iter().enumerate().map(|(i, value)| Dual64::new(*value, seed(i))).collect();
        let mut results = vec![Dual64::from_re(0.0); count];
        let computed = self.model.law(&self.values, data, branch, &arguments, &mut results);
        computed.map_err(|error| self.call_error(&error))?;
        let is_derivative = direction.is_some();
        Ok(results.into_iter().map(move |result| if is_derivative { result.eps } else { result.re }))
    }
}
