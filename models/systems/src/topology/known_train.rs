//! The drive train of one point of an analysis, for the others: most parameters change its inertias only.

use std::sync::OnceLock;

use mechanics::Scalar;
use mechanics::drivetrain::{Drivetrain, DrivetrainError, Preference, Relation};
use mechanics::precompiled::Precompiled;

/// The first drive train that was made at random values, with its relations.
#[derive(Debug)]
pub struct KnownTrain<T: Scalar>(OnceLock<(Vec<Relation<T>>, Drivetrain<T>)>);

impl<T: Scalar> Default for KnownTrain<T> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<T: Precompiled> KnownTrain<T> {
    /// Makes the train with other inertias, if it has these relations.
    pub fn with(
        &self,
        relations: &[Relation<T>],
        inertias: &[T],
        preferences: &[Preference],
        couplings: &[Vec<usize>],
    ) -> Option<Result<Drivetrain<T>, DrivetrainError>> {
        let (known, train) = self.0.get()?;
        (relations.len() == known.len()
            && relations.iter().zip(known).all(is_same)
            && train.has_inertias_as(inertias, preferences))
        .then(|| T::with_inertias(train, inertias.to_vec(), couplings))
    }

    /// Keeps the train, if it is the first one.
    pub fn keep(&self, relations: Vec<Relation<T>>, train: &Drivetrain<T>) {
        self.0.get_or_init(|| (relations, train.clone()));
    }
}

/// True if relations are equal with their derivatives, which dual numbers do not compare.
fn is_same<T: Scalar>((one, other): (&Relation<T>, &Relation<T>)) -> bool {
    let same_tangent = |(one, other): (&(usize, T), &(usize, T))| one.1.tangent() == other.1.tangent();
    one == other
        && one.constant.tangent() == other.constant.tangent()
        && one.terms.iter().zip(&other.terms).all(same_tangent)
}
