//! Derivatives that follow from those of an earlier point and the change of the runs since then.

use std::rc::Rc;

use super::computed::{Computed, add};

/// The values of the runs at a point, and their derivatives by each parameter.
pub struct Linear {
    pub values: Rc<Computed>,
    pub derivatives: Vec<Computed>,
}

impl Linear {
    /// Returns the derivatives of a point, corrected for another one whose runs have these `values` (Broyden's update), if they
    /// leave no more than a part of the change `unexplained`, by its `size`.
    pub fn corrected(
        &self,
        (from, to): (&[f64], &[f64]),
        values: &Computed,
        unexplained: f64,
        size: impl Fn(&Computed) -> f64,
    ) -> Option<Vec<Computed>> {
        let steps: Vec<f64> = to.iter().zip(from).map(|(to, from)| to - from).collect();
        let mut rest = values.clone();
        add(&mut rest, &self.values, -1.0);
        let change = size(&rest);
        self.derivatives.iter().zip(&steps).for_each(|(along, step)| add(&mut rest, along, -step));
        // A number that is not finite explains nothing.
        let is_explained = size(&rest) <= unexplained * change;
        if !is_explained {
            return None;
        }
        let scaled: Vec<f64> = steps.iter().zip(from).map(|(step, from)| step / from.abs().max(1.0).powi(2)).collect();
        let length: f64 = steps.iter().zip(&scaled).map(|(step, scaled)| step * scaled).sum();
        let mut derivatives = self.derivatives.clone();
        derivatives.iter_mut().zip(&scaled).for_each(|(along, scaled)| add(along, &rest, scaled / length));
        Some(derivatives)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::computed::norm;

    fn computed(values: &[f64]) -> Computed {
        vec![vec![values.to_vec()]]
    }

    fn size(values: &Computed) -> f64 {
        norm(values.iter().flatten().flatten().copied())
    }

    /// The change of the runs along a step.
    fn along(derivatives: &[Computed], step: [f64; 2]) -> Vec<f64> {
        (0..3).map(|row| step.iter().zip(derivatives).map(|(step, column)| step * column[0][0][row]).sum()).collect()
    }

    /// By the secant equation, and as they were across the step: both determine Broyden's update.
    #[test]
    fn corrected_derivatives_explain_the_change_and_keep_all_others() {
        let linear = Linear {
            values: Rc::new(computed(&[1.0, 2.0, 3.0])),
            derivatives: vec![computed(&[2.0, 0.0, 1.0]), computed(&[0.0, -1.0, 0.5])],
        };
        let (from, to) = ([0.5, -4.0], [0.6, -4.2]);
        let values = computed(&[1.25, 2.1, 3.05]);
        let corrected = linear.corrected((&from[..], &to[..]), &values, 0.5, size).unwrap();
        let step = [to[0] - from[0], to[1] - from[1]];
        for (row, found) in along(&corrected, step).into_iter().enumerate() {
            let expected = values[0][0][row] - linear.values[0][0][row];
            assert!((found - expected).abs() < 1e-12, "{row}: {found} {expected}");
        }
        // Quantities are measured by their sizes, 1 and 4.
        let across = [step[1] / 16.0, -step[0]];
        for (found, before) in along(&corrected, across).into_iter().zip(along(&linear.derivatives, across)) {
            assert!((found - before).abs() < 1e-12, "{found} {before}");
        }
    }

    #[test]
    fn derivatives_that_explain_too_little_are_not_corrected() {
        let linear = Linear { values: Rc::new(computed(&[0.0])), derivatives: vec![computed(&[1.0])] };
        let corrected = |value| linear.corrected((&[0.0][..], &[1.0][..]), &computed(&[value]), 0.5, size).is_some();
        assert_eq!([0.6, 1.9, 2.1, -1.0, f64::NAN].map(corrected), [false, true, false, false, false]);
    }
}
