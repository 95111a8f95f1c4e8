//! Joints that consist of several ones in a row, each with one coordinate.

use std::marker::PhantomData;

use fmu_runtime::{Attributes, Connector, ElementVisitor, Reader, Scalar, Shape, Size, Variable, Writer, group};
use mechanics::drivetrain::Preference;
use mechanics::tree::{Element, Joint};
use ports::FrameLoad;

use super::super::movement::{MovementOptions, MovementStructure, own_motion};
use super::frame::frames;
use super::movements::{Movements, MovementsStructure};
use crate::part::{Kinematics, Multibody, Part, PartType, Solution};

/// A kind of such a joint, of N joints.
pub trait SeveralKind<const N: usize>: Send + Sync + 'static {
    /// Name of the type of part.
    const NAME: &'static str;
    /// Description in one line.
    const TEXT: &'static str;
    /// Descriptions of the positions.
    const POSITIONS: [&'static str; N];
    /// Parameters of the axes.
    type Axes<T: Scalar>: Variable<T>;

    /// Returns the default options of the motions.
    fn movements() -> [MovementStructure; N];

    /// Returns the shapes that a viewer draws.
    fn shapes() -> Vec<Shape<'static>> {
        Vec::new()
    }

    /// See [`Part::problem`].
    fn problem<T: Scalar>(axes: &Self::Axes<T>) -> Option<String>;

    /// Returns the joints from frame_a to frame_b; their positions are 0, 1, ….
    fn joints<T: Scalar>(axes: &Self::Axes<T>) -> [Joint<T>; N];
}

/// A kind of such a joint as a type of part.
pub struct SeveralType<K, const N: usize>(PhantomData<K>);

/// Such a joint as a part.
pub struct SeveralPart<T: Scalar, K: SeveralKind<N>, const N: usize> {
    axes: K::Axes<T>,
    movements: Movements<T, N>,
    cuts: Cuts<T>,
}

group! {
    /// Loads at both frames.
    pub struct Cuts<T>(_o: ()) {
        output frame_a: FrameLoad<T>, "Load at frame_a";
        output frame_b: FrameLoad<T>, "Load at frame_b";
    }
}

impl<T: Scalar, K: SeveralKind<N>, const N: usize> Variable<T> for SeveralPart<T, K, N> {
    type Start = [MovementOptions; N];
    const SIZE: Size = <K::Axes<T> as Variable<T>>::SIZE
        .plus(<Movements<T, N> as Variable<T>>::SIZE)
        .plus(<Cuts<T> as Variable<T>>::SIZE);

    fn declare(attributes: &Attributes<'_>, start: Option<Self::Start>, visitor: &mut dyn ElementVisitor) {
        <K::Axes<T> as Variable<T>>::declare(attributes, None, visitor);
        Movements::<T, N>::declare(attributes, start, visitor);
        Cuts::<T>::declare(attributes, None, visitor);
    }

    fn read(reader: &mut Reader<'_, T>) -> Self {
        Self { axes: K::Axes::read(reader), movements: Movements::read(reader), cuts: Cuts::read(reader) }
    }

    fn write(&self, writer: &mut Writer<'_, T>) {
        self.axes.write(writer);
        self.movements.write(writer);
        self.cuts.write(writer);
    }
}

impl<K: SeveralKind<N>, const N: usize> PartType for SeveralType<K, N> {
    const NAME: &'static str = K::NAME;
    const TEXT: &'static str = K::TEXT;
    const INNER_FRAMES: usize = N - 1;
    type Structure = MovementsStructure<N>;
    type In<T: Scalar> = SeveralPart<T, K, N>;

    fn connectors(_: &MovementsStructure<N>) -> Vec<(&'static str, Connector)> {
        frames()
    }

    fn shapes() -> Vec<Shape<'static>> {
        K::shapes()
    }

    fn structure() -> MovementsStructure<N> {
        MovementsStructure(K::movements())
    }

    fn options(structure: &MovementsStructure<N>, has_states: bool) -> [MovementOptions; N] {
        structure.rows(has_states, K::POSITIONS)
    }

    fn own(_: &MovementsStructure<N>) -> &'static [Preference] {
        &[Preference::Preferred; N]
    }
}

crate::capabilities!([K: SeveralKind<N>, const N: usize] SeveralPart<T, K, N>: Multibody);

impl<T: Scalar, K: SeveralKind<N>, const N: usize> Part<T> for SeveralPart<T, K, N> {
    type Structure = MovementsStructure<N>;

    fn problem(&self) -> Option<String> {
        K::problem(&self.axes)
    }

    own_motion!(movements, structure, 0);

    fn set_outputs(&mut self, _: &MovementsStructure<N>, motion: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        self.movements.set_outputs(motion, 0);
        if let Some(space) = solution.space {
            self.cuts.frame_a = space.cuts_of(0)[0].into();
            self.cuts.frame_b = space.cuts_of(N - 1)[1].into();
        }
    }
}

impl<T: Scalar, K: SeveralKind<N>, const N: usize> Multibody<T> for SeveralPart<T, K, N> {
    fn elements(&self, _: &MovementsStructure<N>) -> Vec<Element<T>> {
        // The inner frames are behind frame_a, 0, and frame_b, 1.
        let end = |i: usize| match i {
            0 => 0,
            i if i == N => 1,
            i => i + 1,
        };
        let joints = K::joints(&self.axes).into_iter().enumerate();
        joints.map(|(i, joint)| Element::Joint { frames: [end(i), end(i + 1)], joint }).collect()
    }
}
