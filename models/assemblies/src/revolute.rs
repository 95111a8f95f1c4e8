//! The driven revolute joint: parameters, outputs, memory.

use std::f64::consts::TAU;

use fmu_runtime::{Connector, Scalar, group};
use mechanics::constant;
use mechanics::motion::Coordinate;
use ports::{FlangeMotion, FlangeOptions, RotationalBearing};

group! {
    /// Zero and branch of the angle.
    pub struct RevoluteParameters<T>(_o: ()) {
        phi_offset: T, DEGREE, "Angle of the revolute joint where phi is zero: angle = phi + phi_offset";
        phi_guess:  T, DEGREE, "Of two configurations that one is taken at the start whose phi is nearer to this";
    }
}

group! {
    /// What drives the joint.
    pub struct RevoluteDrive<T>(_o: ()) {
        tau: T, N_M, "Flange that drives the revolute joint: torque into the joint, along its axis on rod 2", name = "axis.tau";
    }
}

group! {
    /// The angle; the option is whether there are accelerations.
    pub struct RevoluteOutputs<T>(accelerations: bool) {
        phi:     T, RAD, "Angle of the drive, angle - phi_offset", display = fmu_runtime::unit::DEG;
        angle:   T, RAD, "Angle of the revolute joint", display = fmu_runtime::unit::DEG;
        axis:    FlangeMotion<T> = FlangeOptions::accelerations(accelerations), "Flange that drives the revolute joint", connector = Connector::Flange_a;
        bearing: RotationalBearing<T>, "Flange of the drive's housing", connector = Connector::Flange_b;
    }
}

group! {
    /// What the joint remembers.
    pub struct RevoluteMemory<T>(_o: ()) {
        positiveBranch: bool, "Whether the loop is in the configuration of the positive root";
        angle: T, RAD, "Angle where the last step ended";
    }
}

impl<T: Scalar> RevoluteParameters<T> {
    /// `phi_offset` in rad.
    fn offset(&self) -> T {
        radians(self.phi_offset)
    }

    /// The angle to which the first one shall be near, in rad.
    pub fn guess(&self) -> T {
        radians(self.phi_offset + self.phi_guess)
    }
}

fn radians<T: Scalar>(degrees: T) -> T {
    degrees * constant(1.0_f64.to_radians())
}

impl<T: Scalar> RevoluteMemory<T> {
    /// Keeps the configuration, with the angle in its first turn.
    pub fn begin(&mut self, positive: bool) {
        self.positiveBranch = positive;
        self.angle = T::zero();
    }

    /// The angle plus the turns that bring it nearest to the remembered one.
    fn unwrap(&self, angle: T) -> T {
        let turns = (self.angle - angle).value() / TAU;
        // Rounded, with halves towards zero: an angle of pi stays one.
        let whole = (turns.abs() - 0.5).ceil().max(0.0).copysign(turns);
        angle + constant(whole * TAU)
    }
}

impl<T: Scalar> RevoluteOutputs<T> {
    /// The outputs, with `x.x` the angle of the joint, which goes on from the remembered one if there
    /// is `last`.
    pub fn of(
        x: Coordinate<T>,
        drive: &RevoluteDrive<T>,
        parameters: &RevoluteParameters<T>,
        last: Option<&RevoluteMemory<T>>,
    ) -> Self {
        let angle = last.map_or(x.x, |last| last.unwrap(x.x));
        let phi = angle - parameters.offset();
        let axis = Coordinate { x: phi, ..x }.into();
        Self { phi, angle, axis, bearing: RotationalBearing::of(drive.tau) }
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    #[test]
    fn an_angle_goes_on_where_the_last_step_ended() {
        let at = |angle: f64| RevoluteMemory { positiveBranch: true, angle };
        assert_eq!(at(0.0).unwrap(PI), PI);
        assert_eq!(at(3.1).unwrap(-3.1), -3.1 + TAU);
        assert_eq!(at(-3.1).unwrap(3.1), 3.1 - TAU);
        assert_eq!(at(40.0).unwrap(2.0), 2.0 + 6.0 * TAU);
    }
}
