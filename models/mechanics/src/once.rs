//! Code that runs once is compiled here, for size; the code of steps is compiled for speed where it is used.

use crate::nearest::{Condition, Nearest, nearest};
use crate::train::{Preference, Relation, Train, TrainError};
use crate::tree::{Element, Tree, TreeError};
use crate::{Dual64, Scalar};

/// A scalar type for which this is compiled.
pub trait Once: Scalar {
    /// See [`Train::new`].
    #[allow(clippy::missing_errors_doc, reason = "said there")]
    fn train(
        preferences: &[Preference],
        relations: &[Relation<Self>],
        inertias: Vec<Self>,
        couplings: &[Vec<usize>],
    ) -> Result<Train<Self>, TrainError>;
    /// See [`Train::merge`].
    fn merge(train: &mut Train<Self>) -> Vec<usize>;
    /// See [`Tree::new`].
    #[allow(clippy::missing_errors_doc, reason = "said there")]
    fn tree(count: usize, elements: &[Element<Self>]) -> Result<Tree<Self>, TreeError>;
    /// See [`nearest`].
    fn nearest(count: usize, enforced: &[Condition<Self>], guessed: &[Condition<Self>]) -> Nearest<Self>;
}

macro_rules! once {
    ($($scalar:ty),*) => {$(
        impl Once for $scalar {
            #[inline(never)]
            fn train(
                preferences: &[Preference],
                relations: &[Relation<Self>],
                inertias: Vec<Self>,
                couplings: &[Vec<usize>],
            ) -> Result<Train<Self>, TrainError> {
                Train::new(preferences, relations, inertias, couplings)
            }

            #[inline(never)]
            fn tree(count: usize, elements: &[Element<Self>]) -> Result<Tree<Self>, TreeError> {
                Tree::new(count, elements)
            }

            #[inline(never)]
            fn merge(train: &mut Train<Self>) -> Vec<usize> {
                train.merge()
            }

            #[inline(never)]
            fn nearest(count: usize, enforced: &[Condition<Self>], guessed: &[Condition<Self>]) -> Nearest<Self> {
                nearest(count, enforced, guessed)
            }
        }
    )*};
}

once!(f64, Dual64);
