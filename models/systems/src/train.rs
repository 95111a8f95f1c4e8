//! The train of the parts: all relations and inertias, with the parameters among the values.

use fmu_runtime::{Dual64, Scalar};
use mechanics::once::Once;
use mechanics::train::{Relation, Train, TrainError};

use crate::part::{AnyPart, Evaluate, View};
use crate::wiring::{NamedPart, Owner, Wiring};

/// A scalar type in which parts can be evaluated.
pub trait PartScalar: Scalar + Once {
    /// The part's equations in this type.
    fn of(part: &dyn AnyPart) -> &dyn Evaluate<Self>;
}

impl PartScalar for f64 {
    fn of(part: &dyn AnyPart) -> &dyn Evaluate<f64> {
        part
    }
}

impl PartScalar for Dual64 {
    fn of(part: &dyn AnyPart) -> &dyn Evaluate<Dual64> {
        part.in_duals()
    }
}

/// The train of the parts with the parameters among the values. Where rods close a loop, their lengths are checked only
/// `with_lengths`.
pub fn train<T: PartScalar>(
    parts: &[NamedPart],
    wiring: &Wiring,
    view: View<'_, T>,
    with_lengths: bool,
) -> Result<Train<T>, TrainError> {
    let mut relations = Vec::new();
    let mut inertias = vec![T::zero(); wiring.preferences.len()];
    for (i, NamedPart { part, .. }) in parts.iter().enumerate() {
        let (part, offsets, positions) = (T::of(&**part), wiring.offsets[i], &wiring.positions[i]);
        for Relation { terms, constant } in part.relations(view, offsets) {
            let terms = terms.into_iter().map(|(local, c)| (positions[local], c)).collect();
            relations.push(Relation { terms, constant: if with_lengths { constant } else { T::zero() } });
        }
        if let Some(own) =
            positions.iter().find(|position| wiring.owners[**position] == Some(Owner { part: i, own: 0 }))
        {
            inertias[*own] += part.inertia(view, offsets);
        }
    }
    T::train(&wiring.preferences, &relations, inertias, &wiring.couplings)
}
