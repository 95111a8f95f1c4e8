//! Two wheels on one axle.

use fmu_runtime::{Connector, Scalar, Shape, group};
use mechanics::constant;
use mechanics::drivetrain::{Preference, Relation};
use mechanics::tree::{Element, Joint, JointKind, Pose};
use nalgebra::{Matrix3, Vector3};

use super::super::super::domain::Domain;
use super::super::super::movement::{MovementOptions, MovementStructure};
use super::super::movements::{Movements, MovementsStructure};
use super::{ground, not_positive, wheel};
use crate::part::{InitialCondition, Kinematics, Multibody, Part, PartType, Solution};

/// Two wheels on an axle that stays parallel to the ground.
pub struct RollingWheelSetType;

group! {
    /// ```text
    /// x' = v cos(phi),   y' = v sin(phi),   v = R_wheel (theta1' + theta2') / 2      of frameMiddle, at the height R_wheel
    /// phi' = R_wheel (theta2' - theta1') / track                                     about z
    /// ```
    ///
    /// frameMiddle has its y-axis along the axle and its z-axis up; frame1 and frame2 are at y = track/2 and -track/2 and
    /// turn about y by theta1 and theta2. Neither wheel slips or lifts off. The states are x, y, phi and those of both
    /// angles.
    ///
    /// Source: Modelica.Mechanics.MultiBody.Parts.RollingWheelSet; with masses and moments of inertia 0
    /// Modelica.Mechanics.MultiBody.Joints.RollingWheelSet.
    pub struct RollingWheelSet<T>(o: [MovementOptions; 2]) {
        parameter R_wheel: T = 0.1, M, "Radius of a wheel", min = 0.0;
        parameter m_wheel: T = 0.5, KG, "Mass of a wheel", min = 0.0;
        parameter I_wheelAxis: T = 0.01, KG_M2, "Moment of inertia of a wheel about its axis", min = 0.0;
        parameter I_wheelLong: T = 0.02, KG_M2, "Moment of inertia of a wheel about axes across it", min = 0.0;
        parameter track: T = 0.5, M, "Distance between the wheels", min = 0.0;
        parameter width_wheel: T = 0.01, M, "Width of a wheel that is drawn", min = 0.0;
        calculated diameter: T, M, "Diameter of a wheel";
        parameter x_start: T, M, "x at the start";
        parameter y_start: T, M, "y at the start";
        parameter phi_start: T, RAD, "phi at the start";
        output x: T, M, "Position of frameMiddle along the x-axis of the world", der = "der_x";
        output y: T, M, "Position of frameMiddle along the y-axis of the world", der = "der_y";
        output phi: T, RAD, "Angle of frameMiddle about the z-axis", der = "der_phi";
        output der_x: T, M_PER_S, "Derivative of x";
        output der_y: T, M_PER_S, "Derivative of y";
        output der_phi: T, RAD_PER_S, "Derivative of phi";
        group wheels: Movements<T, 2> = o, "", name = "";
    }
}

/// Numbers of the positions of axis1, axis2 and support, and of the first own one.
const AXES: [usize; 2] = [0, 1];
const SUPPORT: usize = 2;
const OWN: usize = 3;

impl PartType for RollingWheelSetType {
    const NAME: &'static str = "RollingWheelSet";
    const TEXT: &'static str = "Two wheels on an axle that roll on the plane z = 0 of the world";
    const INNER_FRAMES: usize = 3;
    type Structure = MovementsStructure<2>;
    type In<T: Scalar> = RollingWheelSet<T>;

    fn connectors(_: &MovementsStructure<2>) -> Vec<(&'static str, Connector)> {
        let mut connectors =
            vec![("frameMiddle", Connector::Frame_a), ("frame1", Connector::Frame_a), ("frame2", Connector::Frame_b)];
        let flange = Domain::Rotational.flange_a();
        connectors.extend([("axis1", flange), ("axis2", flange), ("support", Domain::Rotational.flange_b())]);
        connectors
    }

    fn structure() -> MovementsStructure<2> {
        MovementsStructure(MovementStructure::wheels())
    }

    fn options(structure: &MovementsStructure<2>, has_states: bool) -> [MovementOptions; 2] {
        structure.rows(has_states, ["Angle of the wheel at frame1", "Angle of the wheel at frame2"])
    }

    fn has_inner_states(_: &MovementsStructure<2>) -> bool {
        true
    }

    fn shapes() -> Vec<Shape<'static>> {
        let tyre = |name, frame| Shape::axis(name, frame, ["[0, 1, 0]", "width_wheel", "diameter", "[30, 30, 30]"]);
        let axle = Shape::rod("axle", ["frame1", "frame2"], ["0.03", "[155, 155, 155]"]);
        vec![tyre("wheel1", "frame1"), tyre("wheel2", "frame2"), axle]
    }

    fn own(_: &MovementsStructure<2>) -> &'static [Preference] {
        &[Preference::Preferred; 2]
    }
}

crate::capabilities!(RollingWheelSet: Multibody);

impl<T: Scalar> RollingWheelSet<T> {
    /// Returns half the radius, and the radius divided by the track: speed and angular velocity by those of wheels.
    fn ratios(&self) -> [T; 2] {
        [self.R_wheel * constant::<T>(0.5), self.R_wheel / self.track]
    }
}

impl<T: Scalar> Part<T> for RollingWheelSet<T> {
    type Structure = MovementsStructure<2>;

    fn problem(&self) -> Option<String> {
        not_positive("R_wheel", self.R_wheel).or_else(|| not_positive("track", self.track))
    }

    fn relations(&self, _: &MovementsStructure<2>) -> Vec<Relation<T>> {
        let mut relations: Vec<_> = (OWN..).zip(AXES).map(|(own, axis)| Relation::equal(axis, own)).collect();
        relations.push(Relation { terms: vec![(SUPPORT, T::one())], constant: T::zero() });
        relations
    }

    fn start(&self, structure: &MovementsStructure<2>, own: usize) -> [T; 2] {
        self.wheels.start(structure, own)
    }

    fn initial_conditions(&self, structure: &MovementsStructure<2>, rests: bool) -> Vec<InitialCondition<T>> {
        self.wheels.initial_conditions(structure, OWN, rests)
    }

    fn own(&self, own: usize) -> [T; 3] {
        self.wheels.own(own)
    }

    fn set_own(&mut self, own: usize, motion: [T; 2]) {
        self.wheels.set_own(own, motion);
        (self.x, self.y, self.phi) = (self.x_start, self.y_start, self.phi_start);
    }

    fn set_velocity(&mut self, own: usize, velocity: T) {
        self.wheels.set_velocity(own, velocity);
    }

    fn set_outputs(&mut self, _: &MovementsStructure<2>, motion: &Kinematics<'_, T>, _: Solution<'_, T>) {
        self.diameter = self.R_wheel + self.R_wheel;
        self.wheels.set_outputs(motion, OWN);
        let ([along, about], [one, two]) = (self.ratios(), [OWN, OWN + 1].map(|own| motion.v(own)));
        let (speed, (sin, cos)) = (along * (one + two), self.phi.sin_cos());
        (self.der_x, self.der_y, self.der_phi) = (speed * cos, speed * sin, about * (two - one));
    }
}

impl<T: Scalar> Multibody<T> for RollingWheelSet<T> {
    fn elements(&self, _: &MovementsStructure<2>) -> Vec<Element<T>> {
        let ([along, about], zero) = (self.ratios(), T::zero());
        let (middle, wheels, inner) = (0, [1, 2], 3);
        let set = Joint { kind: JointKind::WheelSet, e: Vector3::new(along, about, zero), position: OWN };
        let mut elements = vec![Element::Joint { frames: [inner, middle], joint: set }, ground(inner)];
        let half = self.track * constant::<T>(0.5);
        for (i, (frame, y)) in wheels.into_iter().zip([half, -half]).enumerate() {
            let bearing = inner + 1 + i;
            let joint = Joint { kind: JointKind::Revolute, e: Vector3::y_axis().into_inner(), position: OWN + i };
            elements.push(Element::Rigid {
                frames: [middle, bearing],
                pose: Pose::translation(Vector3::new(zero, y, zero)),
            });
            elements.push(Element::Joint { frames: [bearing, frame], joint });
            elements.push(wheel(frame, self.m_wheel, [self.I_wheelAxis, self.I_wheelLong]));
        }
        elements
    }

    fn pose(&self) -> Option<Pose<T>> {
        let ((sin, cos), zero) = (self.phi.sin_cos(), T::zero());
        let rotation = Matrix3::new(cos, sin, zero, -sin, cos, zero, zero, zero, T::one());
        Some(Pose { r: Vector3::new(self.x, self.y, self.R_wheel), T: rotation })
    }
}
