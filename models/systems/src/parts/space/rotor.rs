//! Shafts in bearings on what moves in space, and their housings.

use fmu_runtime::{Connector, Scalar, group};
use mechanics::direction::unit;
use mechanics::drivetrain::{Preference, Relation};
use mechanics::tree::{Element, Rotor};
use nalgebra::Vector3;
use ports::FrameLoad;

use super::super::domain::Domain;
use super::super::gear::RATIO_IS_0;
use super::super::inertia::InertiaStructure;
use super::super::movement::{Movement, MovementOptions, own_motion};
use super::super::prescribed_motion::from_housing;
use super::frame::{loaded, no_direction};
use crate::part::{Kinematics, Mount, Multibody, Part, PartType, Solution};

/// A shaft with inertia in bearings.
pub struct Rotor1DType;

group! {
    /// ```text
    /// phi = flange_a.phi = flange_b.phi: angle with respect to frame_a, about n,   w = phi',   a = w'
    /// J a = flange_a.tau + flange_b.tau - J e.z                e = n / |n|,   omega, z: of frame_a
    /// frame_a.f = 0,   frame_a.t = omega x J e w - e J e.z
    /// ```
    ///
    /// Mass and inertia of the rotor, while it does not turn in frame_a, belong to a body at that frame. Source:
    /// Modelica.Mechanics.MultiBody.Parts.Rotor1D, with exact = true.
    pub struct Rotor1D<T>(o: MovementOptions) {
        parameter J: T = 1.0, KG_M2, "Moment of inertia about the axis of rotation", min = 0.0;
        parameter n: Vector3<T> = [1.0, 0.0, 0.0], ONE, "Axis of rotation, resolved in frame_a, of any length";
        group movement: Movement<T> = o, "", name = "";
        output frame_a: FrameLoad<T>, "Load at frame_a";
    }
}

impl PartType for Rotor1DType {
    const NAME: &'static str = "Rotor1D";
    const TEXT: &'static str = "A shaft with inertia in bearings on a body, with its reaction";
    type Structure = InertiaStructure;
    type In<T: Scalar> = Rotor1D<T>;

    fn connectors(_: &InertiaStructure) -> Vec<(&'static str, Connector)> {
        let mut connectors = vec![("frame_a", Connector::Frame_a)];
        connectors.extend(Domain::Rotational.flanges());
        connectors
    }

    fn structure() -> InertiaStructure {
        InertiaStructure::new(Domain::Rotational)
    }

    fn options(structure: &InertiaStructure, has_states: bool) -> MovementOptions {
        structure.movement.rows(has_states, "Angle with respect to frame_a")
    }

    fn own(structure: &InertiaStructure) -> &'static [Preference] {
        structure.own()
    }
}

/// Number of the rotor's own position, behind those of its flanges.
const OWN: usize = 2;

crate::capabilities!(Rotor1D: Multibody);

impl<T: Scalar> Part<T> for Rotor1D<T> {
    type Structure = InertiaStructure;

    fn problem(&self) -> Option<String> {
        no_direction("n", &self.n)
    }

    fn relations(&self, _: &InertiaStructure) -> Vec<Relation<T>> {
        [0, 1].map(|flange| Relation::equal(flange, OWN)).into()
    }

    fn inertia(&self) -> T {
        self.J
    }

    own_motion!(movement, structure.movement, OWN);

    fn set_outputs(&mut self, _: &InertiaStructure, motion: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        self.movement.set_outputs(motion, OWN);
        if let Some(space) = solution.space {
            let (frame, e) = (space.frame(0), unit(&self.n));
            self.frame_a.f = Vector3::zeros();
            self.frame_a.t = frame.w.cross(&(e * (self.J * motion.v(OWN)))) - e * (self.J * e.dot(&frame.z));
        }
    }
}

impl<T: Scalar> Multibody<T> for Rotor1D<T> {
    fn elements(&self, _: &InertiaStructure) -> Vec<Element<T>> {
        vec![Element::Rotor { frame: 0, rotor: Rotor { J: self.J, e: unit(&self.n), position: OWN } }]
    }

    fn mounts(&self, _: &InertiaStructure) -> Vec<Mount<T>> {
        vec![Mount { flange: 0, name: "n", e: unit(&self.n) }]
    }
}

/// A housing on a body.
pub struct Mounting1DType;

group! {
    /// ```text
    /// flange_b.phi = phi0,   frame_a.f = 0,   frame_a.t = -e flange_b.tau       e = n / |n|
    /// ```
    ///
    /// Source: Modelica.Mechanics.MultiBody.Parts.Mounting1D, where n need not have the length 1 that is meant.
    pub struct Mounting1D<T>(_o: ()) {
        parameter phi0: T = 0.0, RAD, "Angle of flange_b";
        parameter n: Vector3<T> = [1.0, 0.0, 0.0], ONE, "Axis of rotation, resolved in frame_a, of any length";
        output tau: T, N_M, "Torque on the flange, from the body";
        output frame_a: FrameLoad<T>, "Load at frame_a";
    }
}

impl PartType for Mounting1DType {
    const NAME: &'static str = "Mounting1D";
    const TEXT: &'static str = "A flange that is fixed to a body, and takes torques to it";
    type Structure = ();
    type In<T: Scalar> = Mounting1D<T>;

    fn connectors((): &()) -> Vec<(&'static str, Connector)> {
        vec![("frame_a", Connector::Frame_a), ("flange_b", Domain::Rotational.flange_b())]
    }

    fn options((): &(), _: bool) {}

    fn own((): &()) -> &'static [Preference] {
        &[Preference::Given]
    }
}

crate::capabilities!(Mounting1D: Multibody);

impl<T: Scalar> Part<T> for Mounting1D<T> {
    type Structure = ();

    fn problem(&self) -> Option<String> {
        no_direction("n", &self.n)
    }

    fn relations(&self, (): &()) -> Vec<Relation<T>> {
        from_housing(false)
    }

    fn own(&self, _: usize) -> [T; 3] {
        [self.phi0, T::zero(), T::zero()]
    }

    fn set_outputs(&mut self, (): &(), _: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        self.tau = solution.reaction;
        (self.frame_a.f, self.frame_a.t) = (Vector3::zeros(), unit(&self.n) * self.tau);
    }
}

impl<T: Scalar> Multibody<T> for Mounting1D<T> {
    fn elements(&self, (): &()) -> Vec<Element<T>> {
        loaded(1)
    }

    fn mounts(&self, (): &()) -> Vec<Mount<T>> {
        vec![Mount { flange: 0, name: "n", e: unit(&self.n) }]
    }
}

/// A gear between shafts with different axes.
pub struct BevelGear1DType;

group! {
    /// ```text
    /// flange_a.phi = ratio flange_b.phi,   frame_a.f = 0,   frame_a.t = -flange_a.tau e_a - flange_b.tau e_b
    /// e_a = n_a / |n_a|,   e_b = n_b / |n_b|
    /// ```
    ///
    /// Source: Modelica.Mechanics.MultiBody.Parts.BevelGear1D.
    pub struct BevelGear1D<T>(_o: ()) {
        parameter ratio: T = 1.0, ONE, "Transmission ratio flange_a.phi / flange_b.phi";
        parameter n_a: Vector3<T> = [1.0, 0.0, 0.0], ONE, "Axis of flange_a, resolved in frame_a, of any length";
        parameter n_b: Vector3<T> = [1.0, 0.0, 0.0], ONE, "Axis of flange_b, resolved in frame_a, of any length";
    }
}

impl PartType for BevelGear1DType {
    const NAME: &'static str = "BevelGear1D";
    const TEXT: &'static str = "A gear without inertia between two axes, with its reaction on the body that carries it";
    type Structure = ();
    type In<T: Scalar> = BevelGear1D<T>;

    fn connectors((): &()) -> Vec<(&'static str, Connector)> {
        let mut connectors = vec![("frame_a", Connector::Frame_a)];
        connectors.extend(Domain::Rotational.flanges());
        connectors
    }

    fn options((): &(), _: bool) {}
}

crate::capabilities!(BevelGear1D: Multibody);

impl<T: Scalar> Part<T> for BevelGear1D<T> {
    type Structure = ();

    fn problem(&self) -> Option<String> {
        let ratio = (self.ratio.value() == 0.0).then(|| RATIO_IS_0.to_owned());
        ratio.or_else(|| no_direction("n_a", &self.n_a)).or_else(|| no_direction("n_b", &self.n_b))
    }

    fn relations(&self, (): &()) -> Vec<Relation<T>> {
        vec![Relation { terms: vec![(0, T::one()), (1, -self.ratio)], constant: T::zero() }]
    }
}

impl<T: Scalar> Multibody<T> for BevelGear1D<T> {
    fn elements(&self, (): &()) -> Vec<Element<T>> {
        loaded(1)
    }

    fn mounts(&self, (): &()) -> Vec<Mount<T>> {
        let mount = |flange, name, n: &Vector3<T>| Mount { flange, name, e: unit(n) };
        vec![mount(0, "n_a", &self.n_a), mount(1, "n_b", &self.n_b)]
    }
}
