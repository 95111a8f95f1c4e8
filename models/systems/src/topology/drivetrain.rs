//! The drive train of a system: all relations and inertias of its parts, from the parameters among the values.

use fmu_runtime::Dual64;
use mechanics::drivetrain::{Drivetrain, DrivetrainError, NoDisplacement, Relation, RelationError};
use mechanics::precompiled::Precompiled;

use crate::part::{AnyPart, Evaluate, View};
use crate::real::{FromValues, Real};
use crate::topology::known_train::KnownTrain;
use crate::topology::wiring::{NamedPart, Owner, Wiring};

/// A scalar type in which parts can be evaluated.
pub trait PartScalar: FromValues + Precompiled {
    /// Returns the part's equations in this type.
    fn of(part: &dyn AnyPart) -> &dyn Evaluate<Self>;

    /// Returns the drive train of an analysis, for the type in which that makes most of them.
    fn known_train(_wiring: &Wiring) -> Option<&KnownTrain<Self>> {
        None
    }
}

impl PartScalar for Real {
    fn of(part: &dyn AnyPart) -> &dyn Evaluate<Real> {
        part
    }

    fn known_train(wiring: &Wiring) -> Option<&KnownTrain<Real>> {
        Some(&wiring.known_train)
    }
}

#[cfg(not(fmu_duals_only))]
impl PartScalar for Dual64 {
    fn of(part: &dyn AnyPart) -> &dyn Evaluate<Dual64> {
        part.in_duals()
    }
}

/// The values from which a drive train is made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Any, to find what does not depend on them: lengths of rods that close a loop and ratios of gears that do so count as
    /// those that agree.
    Structure,
    /// Random ones, to analyse the equations at many points.
    Analysis,
    /// Those of the parts.
    Motion,
}

/// Builds the drive train of the parts from the parameters among the values.
pub fn drivetrain<T: PartScalar>(
    parts: &[NamedPart],
    wiring: &Wiring,
    view: View<'_, T>,
    purpose: Purpose,
) -> Result<Drivetrain<T>, DrivetrainError> {
    let mut relations = relations(parts, wiring, view).0;
    if purpose == Purpose::Structure {
        relations.iter_mut().for_each(|relation| relation.constant = T::zero());
    }
    let inertias = inertias(parts, wiring, view);
    let known = T::known_train(wiring).filter(|_| purpose == Purpose::Analysis);
    if let Some(made) =
        known.and_then(|known| known.with(&relations, &inertias, &wiring.preferences, &wiring.couplings))
    {
        return made;
    }
    loop {
        let made = T::drivetrain(&wiring.preferences, &relations, inertias.clone(), &wiring.couplings);
        let locked = match &made {
            Ok(train) => train.locked().map(|(relation, _)| relation),
            Err(DrivetrainError::Relation(error)) => held_still(*error, parts, wiring),
            Err(_) => None,
        };
        match (locked, made) {
            (Some(relation), _) if purpose == Purpose::Structure => drop(relations.remove(relation)),
            (Some(_), Ok(train)) => {
                let (relation, position) = train.locked().expect("it is");
                return Err(DrivetrainError::Locked(relation, position));
            }
            (_, made) => {
                if let (Some(known), Ok(train)) = (known, &made) {
                    known.keep(relations, train);
                }
                return made;
            }
        }
    }
}

/// Returns true if the drive train changes along the direction of the parameters.
#[inline(never)]
pub fn is_moved(parts: &[NamedPart], wiring: &Wiring, view: View<'_, Dual64>) -> bool {
    let is_moved = |number: &Dual64| number.eps != 0.0;
    let moves = |relation: &Relation<Dual64>| {
        is_moved(&relation.constant) || relation.terms.iter().any(|(_, factor)| is_moved(factor))
    };
    inertias(parts, wiring, view).iter().any(is_moved) || relations(parts, wiring, view).0.iter().any(moves)
}

/// Returns the inertias of all positions.
#[inline(never)]
fn inertias<T: PartScalar>(parts: &[NamedPart], wiring: &Wiring, view: View<'_, T>) -> Vec<T> {
    let mut inertias = vec![T::zero(); wiring.preferences.len()];
    for (i, NamedPart { part, .. }) in parts.iter().enumerate() {
        let mut positions = wiring.positions[i].iter();
        if let Some(own) = positions.find(|position| wiring.owners[**position] == Some(Owner { part: i, own: 0 })) {
            inertias[*own] += T::of(&**part).inertia(view, wiring.offsets[i]);
        }
    }
    inertias
}

/// Returns the relations of all parts, and for each the number of its part.
#[inline(never)]
fn relations<T: PartScalar>(parts: &[NamedPart], wiring: &Wiring, view: View<'_, T>) -> (Vec<Relation<T>>, Vec<usize>) {
    let (mut relations, mut owners) = (Vec::new(), Vec::new());
    for (i, NamedPart { part, .. }) in parts.iter().enumerate() {
        for Relation { terms, constant } in T::of(&**part).relations(view, wiring.offsets[i]) {
            let terms = terms.into_iter().map(|(local, c)| (wiring.positions[i][local], c)).collect();
            relations.push(Relation { terms, constant });
            owners.push(i);
        }
    }
    (relations, owners)
}

/// Returns, for each gear with losses, a displacement of all positions that moves its two sides apart.
pub fn displacements<T: PartScalar>(
    parts: &[NamedPart],
    wiring: &Wiring,
    view: View<'_, T>,
    gears: &[usize],
) -> Result<Vec<Vec<T>>, DrivetrainError> {
    if gears.is_empty() {
        return Ok(Vec::new());
    }
    let (relations, owners) = relations(parts, wiring, view);
    let mut avoid = vec![false; wiring.preferences.len()];
    wiring.couplings.iter().flatten().for_each(|position| avoid[*position] = true);
    let mut tied = Vec::new();
    let mut found = Vec::new();
    for gear in gears {
        let cut = owners.iter().position(|owner| owner == gear).expect("a gear has a relation");
        match T::displacement(&wiring.preferences, &relations, cut, &avoid) {
            Ok(displacement) => found.push(displacement),
            Err(NoDisplacement::Tied) => tied.push(*gear),
            Err(NoDisplacement::ToAvoid) => return Err(DrivetrainError::GearInSpace(*gear)),
        }
    }
    if tied.is_empty() { Ok(found) } else { Err(DrivetrainError::GearCircle(tied)) }
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
