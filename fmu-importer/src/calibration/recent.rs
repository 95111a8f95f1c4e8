//! Results that need not be computed again.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use anyhow::Result;

/// The last results, so many of them, with the quantities that they belong to.
pub struct Recent<T, const COUNT: usize>(RefCell<VecDeque<(Vec<f64>, Rc<T>)>>);

impl<T, const COUNT: usize> Default for Recent<T, COUNT> {
    fn default() -> Self {
        Self(RefCell::default())
    }
}

impl<T, const COUNT: usize> Recent<T, COUNT> {
    /// Returns the result for quantities that differ from these by no more than a part of them or of 1, computed if there is
    /// none.
    pub fn near(&self, inner: &[f64], part: f64, compute: impl FnOnce() -> Result<T>) -> Result<Rc<T>> {
        let is_near = |(at, inner): (&f64, &f64)| (at - inner).abs() <= part * inner.abs().max(1.0);
        let known =
            self.0.borrow().iter().find(|(at, _)| at.iter().zip(inner).all(is_near)).map(|(_, one)| one.clone());
        if let Some(known) = known {
            return Ok(known);
        }
        let computed = Rc::new(compute()?);
        let mut all = self.0.borrow_mut();
        all.truncate(COUNT - 1);
        all.push_front((inner.to_vec(), computed.clone()));
        Ok(computed)
    }

    /// Returns the last result, with its quantities.
    pub fn last(&self) -> Option<(Vec<f64>, Rc<T>)> {
        self.0.borrow().front().cloned()
    }

    /// Forgets all results.
    pub fn clear(&self) {
        self.0.borrow_mut().clear();
    }
}

#[cfg(test)]
mod tests {
    use anyhow::bail;

    use super::*;

    #[test]
    fn the_last_results_are_kept() {
        let recent = Recent::<f64, 2>::default();
        let known = |at: f64| recent.near(&[at], 1e-3, || bail!("unknown")).ok().map(|value| *value);
        for at in [1.0, 2.0, 3.0] {
            assert_eq!(*recent.near(&[at], 0.0, || Ok(10.0 * at)).unwrap(), 10.0 * at);
        }
        assert_eq!([1.0, 2.0, 3.002, 3.004].map(known), [None, Some(20.0), Some(30.0), None]);
        assert_eq!(recent.last().map(|(at, value)| (at, *value)), Some((vec![3.0], 30.0)));
        recent.clear();
        assert_eq!((known(3.0), recent.last().is_none()), (None, true));
    }
}
