//! Assemblies of joints that close loops. Parameters and kinematics are those of the components of the same names.

use assemblies::planar::{SlidingRods, TurningRods};
use assemblies::prismatic::PrismaticPlace;
use assemblies::revolute::RevolutePlace;
use fmu_runtime::{Connector, ModelError, Scalar, group};
use mechanics::assembly::Branch;
use mechanics::motion::{Coordinate, Motion as FrameMotion};
use mechanics::train::{Preference, Relation};
use mechanics::tree::{Assembly, AssemblyFrames, Element, Posture};
use nalgebra::Vector3;
use ports::{FlangeMotion, FrameLoad, MotionOptions, TranslationalMotion};

use super::super::domain::Domain;
use super::frame::Origin;
use crate::part::{Found, Motion, Part, PartType, Space};

group! {
    /// The driven prismatic joint.
    pub struct Slide<T>(_o: ()) {
        group place: PrismaticPlace<T> = (), "Displacement", name = "";
        output axis: TranslationalMotion<T> = true, "Flange that drives the prismatic joint";
        output f: T, N, "Force that drives the prismatic joint";
        memory positiveBranch: bool, "Whether the loop is in the configuration of the positive root";
    }
}

group! {
    /// The revolute joint at frame_b.
    pub struct Swing<T>(_o: ()) {
        group place: RevolutePlace<T> = (), "Angle", name = "";
        output axis: FlangeMotion<T> = MotionOptions::accelerations(true), "Revolute joint";
        memory positiveBranch: bool, "Whether the loop is in the configuration of the positive root";
    }
}

group! {
    /// What follows at the rods.
    pub struct Ends<T>(_o: ()) {
        output f_rod: T, N, "Force in rod 1, positive if it is pressed";
        output frame_a: FrameLoad<T>, "Load at frame_a";
        output frame_b: FrameLoad<T>, "Load at frame_b";
        output frame_im: Origin<T> = (), "Motion of frame_im";
    }
}

/// The numbers of the frames among those of the part.
const FRAMES: AssemblyFrames = AssemblyFrames { outer: [0, 1], ia: Some(2), ib: 3, im: Some(4) };

/// The positions of axis and bearing, and the own one: that of the driven joint.
const AXIS: usize = 0;
const BEARING: usize = 1;
const OWN: usize = 2;

/// The frames of an assembly with rods, by their numbers.
fn frames() -> Vec<(&'static str, Connector)> {
    let outer = [("frame_a", Connector::Frame_a), ("frame_b", Connector::Frame_b)];
    let inner = [("frame_ia", Connector::Frame_a), ("frame_ib", Connector::Frame_b), ("frame_im", Connector::Frame_b)];
    outer.into_iter().chain(inner).collect()
}

/// The flanges at a driven prismatic joint.
fn flanges() -> [(&'static str, Connector); 2] {
    [("axis", Domain::Translational.flange_a()), ("bearing", Domain::Translational.flange_b())]
}

/// Where the flanges are; the own position is that of the joint, which is larger by the offset.
fn flanges_of<T: Scalar>(offset: T) -> Vec<Relation<T>> {
    let Relation { terms, .. } = Relation::equal(AXIS, OWN);
    vec![Relation { terms, constant: -offset }, Relation { terms: vec![(BEARING, T::one())], constant: T::zero() }]
}

impl<T: Scalar> Ends<T> {
    /// Sets the loads; returns the coordinate with the denominator of the force in rod 1.
    fn put(&mut self, space: &Space<'_, T>) -> Option<(Coordinate<T>, T)> {
        let (x, f_rod, aux) = space.closed()?;
        self.f_rod = f_rod;
        [self.frame_a, self.frame_b] = space.cuts().map(FrameLoad::from);
        self.frame_im.put(&space.frame(4));
        Some((x, aux))
    }
}

impl<T: Scalar> Slide<T> {
    fn put(&mut self, space: &Space<'_, T>, (x, aux): (Coordinate<T>, T)) {
        self.place.put(x.x, aux);
        self.axis = Coordinate { x: self.place.s, ..x }.into();
        self.f = space.drive();
    }
}

impl<T: Scalar> Swing<T> {
    fn put(&mut self, (x, aux): (Coordinate<T>, T)) {
        self.place.put(x.x, aux);
        self.axis = Coordinate { x: self.place.phi, ..x }.into();
    }
}

/// The message of a refusal.
fn fault(check: Result<(), ModelError>) -> Option<String> {
    check.err().map(|error| error.to_string())
}

/// Two revolute joints and a driven prismatic one.
pub struct JointRrpType;

group! {
    /// ```text
    /// |rRod2_ib + n_b distance - frame_a.r| = |rRod1_ia|      seen from frame_b, n_b of length 1;   s = distance - s_offset
    /// frame_ia turns about n_a at frame_a, frame_ib slides along n_b at frame_b, frame_im is at rRod2_ib in frame_ib
    /// ```
    ///
    /// with frame_a.r the position of frame_a. The equations of the component JointRRP, whose loads at the inner frames are those
    /// of what is connected there. Singular where rod 1 is perpendicular to n_b.
    ///
    /// Source: Modelica.Mechanics.MultiBody.Joints.Assemblies.JointRRP.
    pub struct JointRrp<T>(_o: ()) {
        group rods: SlidingRods<T>, "Rods", name = "";
        group slide: Slide<T> = (), "Prismatic joint", name = "";
        group ends: Ends<T> = (), "Ends", name = "";
    }
}

impl PartType for JointRrpType {
    const NAME: &'static str = "JointRRP";
    const TEXT: &'static str = "Two revolute joints and a prismatic one, which close a loop in a plane";
    const HAS_LOADS: bool = false;
    const IS_IN_SPACE: bool = true;
    const AXIS1: Option<&'static str> = Some("n_a");
    type Structure = ();
    type In<T: Scalar> = JointRrp<T>;

    fn connectors((): &()) -> Vec<(&'static str, Connector)> {
        frames().into_iter().chain(flanges()).collect()
    }

    fn options((): &(), _: bool) {}

    fn own((): &()) -> &'static [Preference] {
        &[Preference::Given]
    }
}

impl<T: Scalar> Part<T> for JointRrp<T> {
    type Structure = ();

    fn fault(&self) -> Option<String> {
        fault(self.rods.check())
    }

    fn relations(&self, (): &()) -> Vec<Relation<T>> {
        flanges_of(self.slide.place.s_offset)
    }

    fn elements(&self, (): &()) -> Vec<Element<T>> {
        let assembly = Assembly::Usp(self.rods.assembly());
        vec![Element::Assembly { frames: FRAMES, assembly, guess: self.slide.place.guess() }]
    }

    fn posture(&self) -> Posture<T> {
        Posture { branch: Branch::new(self.slide.positiveBranch), ..Posture::default() }
    }

    fn begin(&mut self, posture: &Posture<T>, [a, b]: &[FrameMotion<T>; 2]) -> Option<String> {
        self.slide.positiveBranch = posture.branch == Branch::Positive;
        fault(self.rods.check_perpendicular(&(a.rotation_to(b) * self.rods.n_a.normalize())))
    }

    fn put(&mut self, (): &(), _: &Motion<'_, T>, found: Found<'_, T>) {
        if let Some(space) = found.space
            && let Some(x) = self.ends.put(&space)
        {
            self.slide.put(&space, x);
        }
    }
}

/// Three revolute joints.
pub struct JointRrrType;

group! {
    /// ```text
    /// |R(e, angle)^T rRod2_ib - frame_a.r| = |rRod1_ia|       seen from frame_b;   phi = angle - phi_offset
    /// e: n_a at the start, of length 1 and seen from frame_b
    /// frame_ia turns about n_a at frame_a, frame_ib about e at frame_b, frame_im is at rRod2_ib in frame_ib
    /// ```
    ///
    /// with frame_a.r the position of frame_a. The equations of the component JointRRR, whose loads at the inner frames are those
    /// of what is connected there. Singular where the rods are in line.
    ///
    /// Source: Modelica.Mechanics.MultiBody.Joints.Assemblies.JointRRR.
    pub struct JointRrr<T>(_o: ()) {
        group rods: TurningRods<T>, "Rods", name = "";
        group swing: Swing<T> = (), "Revolute joint", name = "";
        group ends: Ends<T> = (), "Ends", name = "";
        memory n_b: Vector3<T>, ONE, "Axes of the revolute joints at the start, of length 1, resolved in frame_b";
    }
}

impl PartType for JointRrrType {
    const NAME: &'static str = "JointRRR";
    const TEXT: &'static str = "Three revolute joints, which close a loop in a plane";
    const HAS_LOADS: bool = false;
    const IS_IN_SPACE: bool = true;
    const AXIS1: Option<&'static str> = Some("n_a");
    type Structure = ();
    type In<T: Scalar> = JointRrr<T>;

    fn connectors((): &()) -> Vec<(&'static str, Connector)> {
        frames()
    }

    fn options((): &(), _: bool) {}
}

impl<T: Scalar> Part<T> for JointRrr<T> {
    type Structure = ();

    fn fault(&self) -> Option<String> {
        fault(self.rods.check())
    }

    fn elements(&self, (): &()) -> Vec<Element<T>> {
        let assembly = Assembly::Rrr(self.rods.assembly(&self.rods.n_a));
        vec![Element::Assembly { frames: FRAMES, assembly, guess: self.swing.place.guess() }]
    }

    fn posture(&self) -> Posture<T> {
        Posture { branch: Branch::new(self.swing.positiveBranch), n_b: self.n_b }
    }

    fn begin(&mut self, posture: &Posture<T>, _: &[FrameMotion<T>; 2]) -> Option<String> {
        self.swing.positiveBranch = posture.branch == Branch::Positive;
        self.n_b = posture.n_b;
        fault(self.rods.check_rod2(&self.n_b))
    }

    fn put(&mut self, (): &(), _: &Motion<'_, T>, found: Found<'_, T>) {
        if let Some(x) = found.space.and_then(|space| self.ends.put(&space)) {
            self.swing.put(x);
        }
    }
}
