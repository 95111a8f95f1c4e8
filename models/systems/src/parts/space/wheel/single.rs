//! A wheel that rolls and may lean.

use fmu_runtime::{Connector, Number, Scalar, Shape, group};
use mechanics::drivetrain::Preference;
use mechanics::frame::Load;
use mechanics::tree::{Element, Joint, JointKind, Pose, wheel_contact};
use nalgebra::{Matrix3, Vector3};

use super::super::free::{FreeOptions, FreeRotation, FreeStructure, W_A, Z_A};
use super::{ground, not_positive, wheel};
use crate::part::{ActsOnFrames, InitialCondition, Kinematics, Multibody, Part, PartType, Solution, Space};

/// A wheel that rolls on the ground.
pub struct RollingWheelType;

group! {
    /// ```text
    /// n = (0, 0, 1),   y: axis of the wheel, the y-axis of frame_a,   c = n.y
    /// delta = radius (c y - n) / sqrt(1 - c^2)         from the center, frame_a, to the contact;   z = -delta.n
    /// v_0 = delta x w_0                                the contact is at rest: it neither slips nor lifts off
    /// Q' = 1/2 Q o (w_a, 0) + 1/2 sqrt(w_a.w_a + (1e-6 1/s)^2) (1 - Q.Q) Q
    /// ```
    ///
    /// The states are x, y, Q and w_a. The contact can pull, which f_n < 0 shows. Where the wheel lies nearly on the ground,
    /// |c| > 0.99, the run ends.
    ///
    /// Source: Modelica.Mechanics.MultiBody.Parts.RollingWheel, whose states are three angles; with m, I_axis and I_long 0
    /// Modelica.Mechanics.MultiBody.Joints.RollingWheel.
    pub struct RollingWheel<T>(o: FreeOptions) {
        parameter radius: T = 0.3, M, "Radius of the wheel", min = 0.0;
        parameter m: T = 2.0, KG, "Mass of the wheel", min = 0.0;
        parameter I_axis: T = 0.06, KG_M2, "Moment of inertia about the axis of the wheel", min = 0.0;
        parameter I_long: T = 0.12, KG_M2, "Moment of inertia about axes across it, through the center", min = 0.0;
        parameter width: T = 0.035, M, "Width of the wheel that is drawn", min = 0.0;
        calculated diameter: T, M, "Diameter of the wheel";
        parameter x_start: T, M, "x at the start";
        parameter y_start: T, M, "y at the start";
        output x: T, M, "Position of the center along the x-axis of the world", der = "der_x";
        output y: T, M, "Position of the center along the y-axis of the world", der = "der_y";
        output der_x: T, M_PER_S, "Derivative of x";
        output der_y: T, M_PER_S, "Derivative of y";
        group rotation: FreeRotation<T> = o, "", name = "";
        output f_wheel_0: Vector3<T>, N, "Force of the ground on the wheel, resolved in the world frame";
        output f_n: T, N, "Its component up from the ground";
        output f_lat: T, N, "Its component along the axis, in the plane of the ground";
        output f_long: T, N, "Its component across the axis, in the plane of the ground";
    }
}

impl PartType for RollingWheelType {
    const NAME: &'static str = "RollingWheel";
    const TEXT: &'static str = "A wheel that rolls on the plane z = 0 of the world, and may lean";
    const INNER_FRAMES: usize = 1;
    type Structure = ();
    type In<T: Scalar> = RollingWheel<T>;

    fn connectors((): &()) -> Vec<(&'static str, Connector)> {
        vec![("frame_a", Connector::Frame_a)]
    }

    fn options((): &(), has_states: bool) -> FreeOptions {
        FreeStructure::of_wheel().rows(has_states)
    }

    fn shapes() -> Vec<Shape<'static>> {
        vec![Shape::axis("wheel", "frame_a", ["[0, 1, 0]", "width", "diameter", "[30, 30, 30]"])]
    }

    fn own((): &()) -> &'static [Preference] {
        &[Preference::Preferred; 3]
    }
}

crate::capabilities!(RollingWheel: Multibody + ActsOnFrames);

impl<T: Scalar> RollingWheel<T> {
    fn axis(&self) -> Vector3<T> {
        Vector3::new(T::zero(), self.radius, T::zero())
    }

    /// Returns the vector from the center to the contact, for an orientation.
    fn contact(&self, rotation: &Matrix3<T>) -> Vector3<T> {
        wheel_contact(&self.axis(), rotation, &self.rotation.w)[0]
    }
}

impl<T: Scalar> Part<T> for RollingWheel<T> {
    type Structure = ();

    fn problem(&self) -> Option<String> {
        not_positive("radius", self.radius).or_else(|| self.rotation.problem())
    }

    fn start(&self, (): &(), own: usize) -> [T; 2] {
        self.rotation.start(own)
    }

    fn initial_conditions(&self, (): &(), rests: bool) -> Vec<InitialCondition<T>> {
        let own = if rests { 0..3 } else { 0..0 };
        own.flat_map(|i| InitialCondition::at_rest(i, [W_A[i], Z_A[i]])).collect()
    }

    fn own(&self, own: usize) -> [T; 3] {
        self.rotation.own(own)
    }

    fn set_own(&mut self, own: usize, motion: [T; 2]) {
        self.rotation.set_own(own, motion);
        (self.x, self.y) = (self.x_start, self.y_start);
    }

    fn set_velocity(&mut self, own: usize, velocity: T) {
        self.rotation.w[own] = velocity;
    }

    fn set_outputs(&mut self, (): &(), motion: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        self.diameter = self.radius + self.radius;
        self.rotation.set_outputs(motion, 0);
        let Some(rotation) = self.rotation.rotation() else { return };
        let v = self.contact(&rotation).cross(&rotation.tr_mul(&self.rotation.w));
        (self.der_x, self.der_y) = (v.x, v.y);
        if let Some(space) = solution.space {
            self.f_wheel_0 = -rotation.tr_mul(&space.cut_loads()[1].f);
            let n = Vector3::z_axis().into_inner();
            let along = n.cross(&rotation.row(1).transpose()).normalize();
            self.f_n = self.f_wheel_0.z;
            self.f_lat = self.f_wheel_0.dot(&along.cross(&n));
            self.f_long = self.f_wheel_0.dot(&along);
        }
    }
}

impl<T: Scalar> Multibody<T> for RollingWheel<T> {
    fn elements(&self, (): &()) -> Vec<Element<T>> {
        let joint = Joint { kind: JointKind::Wheel, e: self.axis(), position: 0 };
        let body = wheel(0, self.m, [self.I_axis, self.I_long]);
        vec![Element::Joint { frames: [1, 0], joint }, ground(1), body]
    }

    fn pose(&self) -> Option<Pose<T>> {
        let rotation = self.rotation.rotation()?;
        let height = -self.contact(&rotation).z;
        Some(Pose { r: Vector3::new(self.x, self.y, height), T: rotation })
    }
}

/// Largest component of the axis of a wheel across the ground.
const MAX_TILT: f64 = 0.99;

impl<T: Scalar> ActsOnFrames<T> for RollingWheel<T> {
    fn cut_loads(&self, (): &(), space: &Space<'_, T>) -> Result<[Load<T>; 2], String> {
        let leaning = space.frame(0).T.row(1)[2].value();
        if leaning.abs() > MAX_TILT {
            let angle = Number((leaning.abs().acos().to_degrees() * 1e3).round() / 1e3);
            return Err(format!(
                "the wheel lies nearly on the ground, {angle} degrees from it, where it has no direction; something must hold it"
            ));
        }
        Ok([Load::none(); 2])
    }
}
