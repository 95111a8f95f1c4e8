//! Parameters that the start determines: whether it does.

use fmu_runtime::{ModelError, Number, out_of_bounds};
use mechanics::least_squares::{Condition, constrained_least_squares};
use mechanics::value;

use super::coordinates::NamedCondition;
use crate::equations::System;
use crate::part::Arrays;
use crate::topology::drivetrain::PartScalar;
use crate::topology::mechanism::list;
use crate::topology::wiring::FoundParameter;

/// Parameters with the conditions that determine them, by their numbers among the unknowns.
struct Search<'a> {
    found: &'a [FoundParameter],
    unknowns: usize,
    enforced: Vec<NamedCondition<f64>>,
}

impl<T: PartScalar> System<'_, T> {
    fn search(&self, enforced: &[NamedCondition<T>]) -> Search<'_> {
        let in_values = |NamedCondition { name, start, is_of_rest, condition }: &NamedCondition<T>| {
            let terms = condition.terms.iter().map(|(k, n)| (*k, value(*n))).collect();
            let condition = Condition { terms, change: 0.0, size: condition.size, nominal: condition.nominal };
            NamedCondition { name: name.clone(), start: *start, is_of_rest: *is_of_rest, condition }
        };
        let enforced = enforced.iter().map(in_values).collect();
        Search { found: &self.wiring.found, unknowns: self.unknowns(), enforced }
    }

    /// Checks the parameters that were found with these conditions.
    pub fn check_found(&self, arrays: &Arrays<'_, T>, enforced: &[NamedCondition<T>]) -> Result<(), ModelError> {
        if self.wiring.found.is_empty() {
            return Ok(());
        }
        let values: Vec<_> = self.wiring.found.iter().map(|found| value(arrays.reals[found.place])).collect();
        self.search(enforced).problem(&values).map_or(Ok(()), |problem| Err(ModelError::invalid(problem)))
    }

    /// Makes the error of a search that failed.
    #[cold]
    pub fn not_found(&self, error: ModelError, enforced: &[NamedCondition<T>]) -> ModelError {
        if self.wiring.found.is_empty() { error } else { self.search(enforced).failure(&error) }
    }
}

impl Search<'_> {
    fn numbered(&self) -> impl Iterator<Item = (usize, &FoundParameter)> {
        (self.unknowns - self.found.len()..).zip(self.found)
    }

    /// Describes a parameter that the conditions do not determine, or whose value is out of its bounds.
    fn problem(&self, values: &[f64]) -> Option<String> {
        self.without_influence().or_else(|| {
            self.numbered().zip(values).find_map(|((k, FoundParameter { name, bounds, .. }), found)| {
                if self.is_open(k) {
                    return Some(format!(
                        "{name} is to be found, but {} with any value of it: enforce as many start values of positions as \
                         there are parameters to be found",
                        self.holding()
                    ));
                }
                let right = out_of_bounds(*found, *bounds)?;
                let value = Number(*found);
                Some(format!(
                    "{} only with {name} = {value}, which must be {right}: give other start values",
                    self.holding()
                ))
            })
        })
    }

    fn without_influence(&self) -> Option<String> {
        let acts = |k: usize| self.enforced.iter().any(|named| named.condition.terms.iter().any(|(own, _)| *own == k));
        let (_, FoundParameter { name, .. }) = self.numbered().find(|(k, _)| !acts(*k))?;
        Some(format!(
            "{name} is to be found, but has no influence where {}: give its value, or start where it has",
            self.holding()
        ))
    }

    /// True if the conditions hold with any value of an unknown.
    fn is_open(&self, k: usize) -> bool {
        let moved = Condition { terms: vec![(k, 1.0)], change: 1.0, size: 1.0, nominal: 1.0 };
        let all: Vec<_> = self.enforced.iter().map(|named| named.condition.clone()).chain([moved]).collect();
        constrained_least_squares(self.unknowns, &all, &[]).residual.iter().all(|residual| *residual == 0.0)
    }

    fn failure(&self, error: &ModelError) -> ModelError {
        let names: Vec<_> = self.found.iter().map(|found| found.name.clone()).collect();
        let failed = || format!("no value of {} was found for the start: {error}", list(&names));
        ModelError::invalid(self.without_influence().unwrap_or_else(failed))
    }

    /// Describes the conditions, with a verb.
    fn holding(&self) -> String {
        let all: Vec<_> =
            self.enforced.iter().map(|named| format!("{} = {}", named.name, Number(named.start))).collect();
        format!("{} {}", list(&all), if all.len() == 1 { "holds" } else { "hold" })
    }
}
