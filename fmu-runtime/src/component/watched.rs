//! The values that an importer may set between steps, as they were in the last one.

use crate::component::layout::{Layout, Rule};
use crate::rows::values::Values;

/// A change since the last step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// All values are those of the last step.
    None,
    /// Continuous inputs have other values.
    Continuous,
    /// Discrete inputs or tunable parameters have other values.
    Discrete,
}

/// Indices of inputs and tunable parameters, by type.
pub struct Watched {
    continuous: Vec<usize>,
    discrete: Vec<usize>,
    integers: Vec<usize>,
    booleans: Vec<usize>,
}

fn settable(rules: &[Rule], is_one: impl Fn(Rule) -> bool) -> Vec<usize> {
    let rules = rules.iter().enumerate();
    rules.filter(|(_, rule)| rule.has(Rule::SET_DISCRETE) && is_one(**rule)).map(|(index, _)| index).collect()
}

impl Watched {
    pub fn new(layout: &Layout) -> Self {
        Self {
            continuous: settable(&layout.reals, |rule| rule.has(Rule::SET_CONTINUOUS)),
            discrete: settable(&layout.reals, |rule| !rule.has(Rule::SET_CONTINUOUS)),
            integers: settable(&layout.integers, |_| true),
            booleans: settable(&layout.booleans, |_| true),
        }
    }

    /// Returns the number of values.
    pub fn count(&self) -> usize {
        self.continuous.len() + self.discrete.len() + self.integers.len() + self.booleans.len()
    }

    /// Returns the values, as Reals, each with the change that another one is.
    #[inline]
    fn values<'a>(&'a self, values: &'a Values) -> impl Iterator<Item = (f64, Change)> + 'a {
        let reals = |slots: &'a [usize], change| slots.iter().map(move |slot| (values.reals[*slot], change));
        let integers = self.integers.iter().map(|slot| f64::from(values.integers[*slot]));
        let booleans = self.booleans.iter().map(|slot| f64::from(u8::from(values.booleans[*slot])));
        reals(&self.continuous, Change::Continuous)
            .chain(reals(&self.discrete, Change::Discrete))
            .chain(integers.chain(booleans).map(|value| (value, Change::Discrete)))
    }

    /// Returns true if all values are as they were kept.
    #[inline]
    pub fn are(&self, kept: &[f64], values: &Values) -> bool {
        self.values(values).zip(kept).all(|((value, _), kept)| value.to_bits() == kept.to_bits())
    }

    /// Returns the change of the values since they were kept.
    #[inline]
    pub fn change(&self, kept: &[f64], values: &Values) -> Change {
        let differ = self.values(values).zip(kept).filter(|((value, _), kept)| value.to_bits() != kept.to_bits());
        differ.map(|((_, change), _)| change).max().unwrap_or(Change::None)
    }

    /// Keeps the values at these Reals.
    #[inline]
    pub fn keep(&self, place: usize, values: &mut Values) {
        let Values { reals, integers, booleans, .. } = values;
        let (reals, kept) = reals.split_at_mut(place);
        let own = self.continuous.iter().chain(&self.discrete).map(|slot| reals[*slot]);
        let integers = self.integers.iter().map(|slot| f64::from(integers[*slot]));
        let booleans = self.booleans.iter().map(|slot| f64::from(u8::from(booleans[*slot])));
        kept.iter_mut().zip(own.chain(integers).chain(booleans)).for_each(|(kept, value)| *kept = value);
    }
}
