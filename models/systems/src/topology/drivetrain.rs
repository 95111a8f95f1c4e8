//! The drive train of a system: all relations and inertias of its parts, from the parameters among the values.

use fmu_runtime::{Dual64, Scalar};
use mechanics::drivetrain::{Drivetrain, DrivetrainError, Relation, RelationError};
use mechanics::precompiled::Precompiled;

use crate::part::{AnyPart, Evaluate, View};
use crate::topology::wiring::{NamedPart, Owner, Wiring};

/// A scalar type in which parts can be evaluated.
pub trait PartScalar: Scalar + Precompiled {
    /// Returns the part's equations in this type.
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

/// Builds the drive train of the parts from the parameters among the values. Only if these are the `actual` ones, the
/// lengths of rods that close a loop are checked, and the ratios of gears that do so; otherwise they count as those
/// that agree.
pub fn drivetrain<T: PartScalar>(
    parts: &[NamedPart],
    wiring: &Wiring,
    view: View<'_, T>,
    actual: bool,
) -> Result<Drivetrain<T>, DrivetrainError> {
    let mut relations = Vec::new();
    let mut inertias = vec![T::zero(); wiring.preferences.len()];
    for (i, NamedPart { part, .. }) in parts.iter().enumerate() {
        let (part, offsets, positions) = (T::of(&**part), wiring.offsets[i], &wiring.positions[i]);
        for Relation { terms, constant } in part.relations(view, offsets) {
            let terms = terms.into_iter().map(|(local, c)| (positions[local], c)).collect();
            relations.push(Relation { terms, constant: if actual { constant } else { T::zero() } });
        }
        if let Some(own) =
            positions.iter().find(|position| wiring.owners[**position] == Some(Owner { part: i, own: 0 }))
        {
            inertias[*own] += part.inertia(view, offsets);
        }
    }
    loop {
        let made = T::drivetrain(&wiring.preferences, &relations, inertias.clone(), &wiring.couplings);
        let locked = match &made {
            Ok(train) => train.locked().map(|(relation, _)| relation),
            Err(DrivetrainError::Relation(error)) => held_still(*error, parts, wiring),
            Err(_) => None,
        };
        match (locked, made) {
            (Some(relation), _) if !actual => drop(relations.remove(relation)),
            (Some(_), Ok(train)) => {
                let (relation, position) = train.locked().expect("it is");
                return Err(DrivetrainError::Locked(relation, position));
            }
            (_, made) => return made,
        }
    }
}

/// Returns the number of a relation that holds a given motion still, unless the ratios of a circle agree.
fn held_still(error: RelationError, parts: &[NamedPart], wiring: &Wiring) -> Option<usize> {
    match error {
        RelationError::Overdetermined { relation, given: [one, other], locked } if one == other => {
            let is_other = |owner: Owner| {
                let properties = parts[owner.part].part.properties();
                properties.axis1.is_some() || properties.is_block
            };
            (!wiring.owners[one].is_some_and(is_other)).then_some(locked.unwrap_or(relation))
        }
        _ => None,
    }
}
