//! An assembly as a part: its rods and its driven joint, whose own position follows from that of the mechanism.

use std::marker::PhantomData;

use fmu_runtime::{
    Attributes, Connector, Diagnostics, ElementVisitor, Reader, Scalar, Shape, Size, Variable, Writer, group,
};
use mechanics::assembly::Branch;
use mechanics::constant;
use mechanics::drivetrain::{Preference, Relation};
use mechanics::motion::Motion;
use mechanics::tree::{AssemblyBranch, Element};
use ports::FrameLoad;

use super::super::frame::{Origin, frames};
use super::drive::Drive;
use super::rods::{Rods, connectors};
use crate::part::{Assembly, Kinematics, Memory, Multibody, Part, PartType, Passage, Solution, Space};

/// A kind of assembly.
pub trait AssemblyKind: Send + Sync + 'static {
    /// Name of the type of part.
    const NAME: &'static str;
    /// Description in one line.
    const TEXT: &'static str;
    /// Name of the parameter with axis 1 of its universal joint, empty if it has none.
    const AXIS1: &'static str;
    /// Names of the flanges of the line between both frames and of its bearing, if the assembly is one, without connectors
    /// at its inner frame.
    const LINE: Option<[&'static str; 2]> = None;
    /// Returns the shapes that a viewer draws.
    fn shapes() -> Vec<Shape<'static>>;
    /// Rods of the assembly.
    type Rods<T: Scalar>: Rods<T>;
    /// Driven joint of the assembly.
    type Drive<T: Scalar>: Drive<T>;
}

/// Numbers of the positions of axis and bearing, and of the own one: that of the driven joint.
const AXIS: usize = 0;
const BEARING: usize = 1;
const OWN: usize = 2;

group! {
    /// Loads at the ends, and the configuration that was chosen; the option is true if there are two rods.
    pub struct Ends<T>(has_rods: bool) {
        output f_rod: T, N, "Force in rod 1, positive if it is pressed", when = has_rods;
        output frame_a: FrameLoad<T>, "Load at frame_a";
        output frame_b: FrameLoad<T>, "Load at frame_b";
        output frame_im: Origin<T> = (), "Motion of frame_im", when = has_rods;
        memory positiveBranch: bool, "Whether the loop is in the configuration of the positive root";
        memory start_length: T, M, "Distance between frame_a and frame_b at the start";
        memory passage: Passing<T> = (), "Way through a dead centre";
    }
}

group! {
    /// State of the way through a dead centre.
    pub struct Passing<T>(_o: ()) {
        stage: i32, "0 far from it, 1 on the way through, 2 behind it, which is not logged yet";
        centre: T, S, "Time at the dead centre";
        until: T, S, "Time at which the loop is regular again";
    }
}

/// A kind of assembly as a type of part.
pub struct AssemblyType<K>(PhantomData<K>);

/// An assembly of a kind. Its equations are those of the component; the loads at the inner frames are those of the
/// parts that are connected there.
pub struct AssemblyPart<T: Scalar, K: AssemblyKind> {
    rods: K::Rods<T>,
    drive: K::Drive<T>,
    ends: Ends<T>,
}

impl<T: Scalar, K: AssemblyKind> Variable<T> for AssemblyPart<T, K> {
    type Start = ();
    const SIZE: Size =
        <K::Rods<T> as Variable<T>>::SIZE.plus(<K::Drive<T> as Variable<T>>::SIZE).plus(<Ends<T> as Variable<T>>::SIZE);

    fn declare(attributes: &Attributes<'_>, _: Option<()>, visitor: &mut dyn ElementVisitor) {
        <K::Rods<T> as Variable<T>>::declare(attributes, None, visitor);
        <K::Drive<T> as Variable<T>>::declare(attributes, None, visitor);
        <Ends<T> as Variable<T>>::declare(attributes, Some(K::Rods::<T>::FRAMES.im.is_some()), visitor);
    }

    #[inline(always)]
    fn read(reader: &mut Reader<'_, T>) -> Self {
        Self { rods: K::Rods::read(reader), drive: K::Drive::read(reader), ends: Ends::read(reader) }
    }

    fn write(&self, writer: &mut Writer<'_, T>) {
        self.rods.write(writer);
        self.drive.write(writer);
        self.ends.write(writer);
    }
}

impl<K: AssemblyKind> PartType for AssemblyType<K> {
    const NAME: &'static str = K::NAME;
    const TEXT: &'static str = K::TEXT;
    const INNER_FRAMES: usize = if K::LINE.is_some() { 1 } else { 0 };
    type Structure = ();
    type In<T: Scalar> = AssemblyPart<T, K>;

    fn shapes() -> Vec<Shape<'static>> {
        K::shapes()
    }

    fn connectors((): &()) -> Vec<(&'static str, Connector)> {
        let domain = <K::Drive<f64> as Drive<f64>>::DOMAIN;
        let mut connectors = if K::LINE.is_some() { frames() } else { connectors(K::Rods::<f64>::FRAMES) };
        let [axis, bearing] = K::LINE.unwrap_or(["axis", "bearing"]);
        connectors.extend([(axis, domain.flange_a()), (bearing, domain.flange_b())]);
        connectors
    }

    fn options((): &(), _: bool) {}

    fn own((): &()) -> &'static [Preference] {
        &[Preference::Given]
    }
}

crate::capabilities!([K: AssemblyKind] AssemblyPart<T, K>: Memory + Multibody + Assembly);

impl<T: Scalar, K: AssemblyKind> Part<T> for AssemblyPart<T, K> {
    type Structure = ();

    fn problem(&self) -> Option<String> {
        self.rods.check().err().map(|error| error.to_string())
    }

    fn relations(&self, (): &()) -> Vec<Relation<T>> {
        // The position of the joint is that of the axis plus the offset.
        let Relation { terms, .. } = Relation::equal(AXIS, OWN);
        let axis = Relation { terms, constant: -self.drive.offset() };
        vec![axis, Relation { terms: vec![(BEARING, T::one())], constant: T::zero() }]
    }

    fn set_outputs(&mut self, (): &(), _: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        let Some((space, (x, f_rod, aux))) = solution.space.and_then(|space| Some((space, space.closed()?))) else {
            return;
        };
        self.rods.set_outputs();
        self.drive.set_outputs(x, aux, space.driving_load());
        self.ends.set_outputs(&space, f_rod, K::Rods::<T>::FRAMES.im);
    }
}

impl<T: Scalar, K: AssemblyKind> Memory<T> for AssemblyPart<T, K> {
    const IMPLEMENTED: bool = <K::Drive<T> as Drive<T>>::HAS_MEMORY;

    fn completed_step(&mut self, _: &mut Diagnostics) {
        self.drive.completed_step();
    }
}

impl<T: Scalar, K: AssemblyKind> Multibody<T> for AssemblyPart<T, K> {
    fn elements(&self, (): &()) -> Vec<Element<T>> {
        let assembly = self.rods.assembly();
        vec![Element::Assembly { frames: K::Rods::<T>::FRAMES, assembly, guess: self.drive.guess(), position: OWN }]
    }
}

impl<T: Scalar, K: AssemblyKind> Assembly<T> for AssemblyPart<T, K> {
    const AXIS1: &'static str = K::AXIS1;

    fn assembly_branch(&self) -> AssemblyBranch<T> {
        let branch = Branch::new(self.ends.positiveBranch);
        AssemblyBranch { branch, n_b: self.rods.n_b(), last: self.drive.last(), start_length: self.ends.start_length }
    }

    fn invalid_pose(&self, ends: &[Motion<T>; 2]) -> Option<String> {
        self.rods.check_ends(ends).err().map(|error| error.to_string())
    }

    fn begin(&mut self, assembly_branch: &AssemblyBranch<T>) {
        self.ends.positiveBranch = assembly_branch.branch == Branch::Positive;
        self.ends.start_length = assembly_branch.start_length;
        self.rods.begin(&assembly_branch.n_b);
        self.drive.remember(assembly_branch.last);
    }

    fn passage(&self) -> Passage {
        let Passing { stage, centre, until } = &self.ends.passage;
        let (centre, until) = (centre.value(), until.value());
        // An integer without bounds keeps its start value at the random points of the builder; on the way through, nothing
        // is computed.
        match *stage {
            1 => Passage::Passes { centre, until },
            2 => Passage::Passed { centre },
            _ => Passage::None,
        }
    }

    fn set_passage(&mut self, passage: Passage) {
        let own = &mut self.ends.passage;
        own.stage = 0;
        match passage {
            Passage::None => {}
            Passage::Passes { centre, until } => {
                (own.stage, own.centre, own.until) = (1, constant(centre), constant(until));
            }
            Passage::Passed { centre } => {
                (own.stage, own.centre) = (2, constant(centre));
                self.ends.positiveBranch = !self.ends.positiveBranch;
            }
        }
    }
}

impl<T: Scalar> Ends<T> {
    fn set_outputs(&mut self, space: &Space<'_, T>, f_rod: T, im: Option<usize>) {
        self.f_rod = f_rod;
        [self.frame_a, self.frame_b] = space.cut_loads().map(FrameLoad::from);
        if let Some(im) = im {
            self.frame_im.set_outputs(&space.frame(im));
        }
    }
}
