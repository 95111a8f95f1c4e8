//! The motions of a part with several coordinates, each with start values.

use fmu_runtime::structure::Setting;
use fmu_runtime::{Attributes, ElementVisitor, Reader, Scalar, Size, Structure, Variable, Writer};

use super::super::movement::{Movement, MovementOptions, MovementStructure, visit_steady};
use crate::part::{InitialCondition, Kinematics};

/// The motions of a part, which are its first own positions, in this order.
#[derive(Clone)]
pub struct Movements<T, const N: usize>([Movement<T>; N]);

/// Options of the motions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovementsStructure<const N: usize>(pub [MovementStructure; N]);

impl<const N: usize> Default for MovementsStructure<N> {
    fn default() -> Self {
        Self([MovementStructure::default(); N])
    }
}

impl<const N: usize> Structure for MovementsStructure<N> {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
        let Self(all) = self;
        all.iter_mut().for_each(|one| one.visit_starts(visit));
        let mut steady = all[0].steady;
        visit_steady(&mut steady, visit);
        all.iter_mut().for_each(|one| one.steady = steady);
    }
}

impl<const N: usize> MovementsStructure<N> {
    /// Returns the options of the rows, for positions that the texts describe.
    pub fn rows(self, has_states: bool, texts: [&'static str; N]) -> [MovementOptions; N] {
        std::array::from_fn(|i| self.0[i].rows(has_states, texts[i]))
    }
}

impl<T: Scalar, const N: usize> Variable<T> for Movements<T, N> {
    type Start = [MovementOptions; N];
    const SIZE: Size = {
        let (mut size, mut i) = (Size::NONE, 0);
        while i < N {
            size = size.plus(<Movement<T> as Variable<T>>::SIZE);
            i += 1;
        }
        size
    };

    fn declare(attributes: &Attributes<'_>, start: Option<Self::Start>, visitor: &mut dyn ElementVisitor) {
        let all = start.unwrap_or_else(|| [MovementOptions::default(); N]);
        all.into_iter().for_each(|one| Movement::<T>::declare(attributes, Some(one), visitor));
    }

    fn read(reader: &mut Reader<'_, T>) -> Self {
        Self(std::array::from_fn(|_| Movement::read(reader)))
    }

    fn write(&self, writer: &mut Writer<'_, T>) {
        self.0.iter().for_each(|one| one.write(writer));
    }
}

impl<T: Scalar, const N: usize> Movements<T, N> {
    /// See [`crate::part::Part::start`].
    pub fn start(&self, structure: &MovementsStructure<N>, own: usize) -> [T; 2] {
        self.0[own].start(&structure.0[own], own)
    }

    /// See [`crate::part::Part::initial_conditions`]; the own positions begin with number `first`.
    pub fn initial_conditions(
        &self,
        structure: &MovementsStructure<N>,
        first: usize,
        rests: bool,
    ) -> Vec<InitialCondition<T>> {
        let of = |i: usize| self.0[i].initial_conditions(&structure.0[i], first + i, rests);
        (0..N).flat_map(of).collect()
    }

    /// See [`crate::part::Part::own`].
    pub fn own(&self, own: usize) -> [T; 3] {
        self.0[own].own(own)
    }

    /// See [`crate::part::Part::set_own`].
    pub fn set_own(&mut self, own: usize, motion: [T; 2]) {
        self.0[own].set_own(own, motion);
    }

    /// See [`crate::part::Part::set_velocity`].
    pub fn set_velocity(&mut self, own: usize, velocity: T) {
        self.0[own].set_velocity(own, velocity);
    }

    /// Sets the motions from those of the part's positions from number `first` on.
    pub fn set_outputs(&mut self, motion: &Kinematics<'_, T>, first: usize) {
        (first..).zip(&mut self.0).for_each(|(position, one)| one.set_outputs(motion, position));
    }
}
