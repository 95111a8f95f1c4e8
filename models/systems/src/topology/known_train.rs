//! The drive train of one point of an analysis, for the others: most parameters change its inertias only.

use std::sync::OnceLock;

use mechanics::drivetrain::{Drivetrain, DrivetrainError, Relation};
use mechanics::precompiled::Precompiled;

/// The first drive train that was made at random values, with its relations.
#[derive(Debug, Default)]
pub struct KnownTrain(OnceLock<(Vec<Relation<f64>>, Drivetrain<f64>)>);

impl KnownTrain {
    /// Makes the train with other inertias, if it has these relations.
    pub fn with<T: Precompiled>(
        &self,
        relations: &[Relation<T>],
        inertias: &[T],
        couplings: &[Vec<usize>],
    ) -> Option<Result<Drivetrain<T>, DrivetrainError>> {
        let (known, train) = self.0.get()?;
        let same = |one: T, other: f64| one.value() == other && one.tangent() == 0.0;
        let is_same = |(one, other): (&Relation<T>, &Relation<f64>)| {
            let mut terms = one.terms.iter().zip(&other.terms);
            one.terms.len() == other.terms.len()
                && same(one.constant, other.constant)
                && terms.all(|(one, other)| one.0 == other.0 && same(one.1, other.1))
        };
        let has_relations = relations.len() == known.len() && relations.iter().zip(known).all(is_same);
        (has_relations && train.has_inertias_as(inertias))
            .then(|| T::with_inertias(train, inertias.to_vec(), couplings))
    }

    /// Keeps the train, if it is the first one.
    pub fn keep<T: Precompiled>(&self, relations: &[Relation<T>], train: &Drivetrain<T>) {
        self.0.get_or_init(|| {
            let relation = |relation: &Relation<T>| Relation {
                terms: relation.terms.iter().map(|(position, c)| (*position, c.value())).collect(),
                constant: relation.constant.value(),
            };
            (relations.iter().map(relation).collect(), T::values_of(train))
        });
    }
}
