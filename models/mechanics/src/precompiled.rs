//! Code that runs once is compiled here, for size; the code of steps is compiled for speed where it is used.

use crate::drivetrain::{Drivetrain, DrivetrainError, Preference, Relation};
use crate::least_squares::{Condition, LeastSquares, constrained_least_squares};
use crate::tree::{Element, Tree, TreeError};
use crate::{Dual64, Scalar};

/// A scalar type for which this is compiled.
pub trait Precompiled: Scalar {
    /// See [`Drivetrain::new`].
    #[allow(clippy::missing_errors_doc, reason = "said there")]
    fn train(
        preferences: &[Preference],
        relations: &[Relation<Self>],
        inertias: Vec<Self>,
        couplings: &[Vec<usize>],
    ) -> Result<Drivetrain<Self>, DrivetrainError>;
    /// See [`Drivetrain::merge`].
    fn merge(train: &mut Drivetrain<Self>) -> Vec<usize>;
    /// See [`Tree::new`].
    #[allow(clippy::missing_errors_doc, reason = "said there")]
    fn tree(count: usize, elements: &[Element<Self>]) -> Result<Tree<Self>, TreeError>;
    /// See [`nearest`].
    fn constrained_least_squares(
        count: usize,
        enforced: &[Condition<Self>],
        guessed: &[Condition<Self>],
    ) -> LeastSquares<Self>;
}

macro_rules! once {
    ($($scalar:ty),*) => {$(
        impl Precompiled for $scalar {
            #[inline(never)]
            fn train(
                preferences: &[Preference],
                relations: &[Relation<Self>],
                inertias: Vec<Self>,
                couplings: &[Vec<usize>],
            ) -> Result<Drivetrain<Self>, DrivetrainError> {
                Drivetrain::new(preferences, relations, inertias, couplings)
            }

            #[inline(never)]
            fn tree(count: usize, elements: &[Element<Self>]) -> Result<Tree<Self>, TreeError> {
                Tree::new(count, elements)
            }

            #[inline(never)]
            fn merge(train: &mut Drivetrain<Self>) -> Vec<usize> {
                train.merge()
            }

            #[inline(never)]
            fn constrained_least_squares(count: usize, enforced: &[Condition<Self>], guessed: &[Condition<Self>]) -> LeastSquares<Self> {
                constrained_least_squares(count, enforced, guessed)
            }
        }
    )*};
}

once!(f64, Dual64);
