//! The driven prismatic joint: parameters and outputs.

use fmu_runtime::{Connector, Scalar, group};
use mechanics::motion::Coordinate;
use ports::{TranslationalBearing, TranslationalMotion};

group! {
    /// Zero and branch of the displacement.
    pub struct PrismaticParameters<T>(_o: ()) {
        s_offset: T, M, "Displacement of the prismatic joint where s is zero: distance = s + s_offset";
        s_guess:  T, M, "Of two configurations that one is taken at the start whose s is nearer to this";
    }
}

group! {
    /// What drives the joint.
    pub struct PrismaticDrive<T>(_o: ()) {
        f: T, N, "Flange that drives the prismatic joint: force into the joint, along n_b on rod 2", name = "axis.f";
    }
}

group! {
    /// The displacement; the option is whether there are accelerations.
    pub struct PrismaticOutputs<T>(accelerations: bool) {
        s:        T, M, "Displacement of the drive, distance - s_offset";
        distance: T, M, "Displacement of the prismatic joint along its axis, from frame_b to frame_ib";
        axis:     TranslationalMotion<T> = accelerations, "Flange that drives the prismatic joint", connector = Connector::TranslationalFlange_a;
        bearing:  TranslationalBearing<T>, "Flange of the drive's housing", connector = Connector::TranslationalFlange_b;
    }
}

impl<T: Scalar> PrismaticParameters<T> {
    /// The displacement to which the first one shall be near, in m.
    pub fn guess(&self) -> T {
        self.s_offset + self.s_guess
    }
}

impl<T: Scalar> PrismaticOutputs<T> {
    /// The outputs, with `x.x` the displacement of the joint.
    pub fn of(x: Coordinate<T>, drive: &PrismaticDrive<T>, parameters: &PrismaticParameters<T>) -> Self {
        let s = x.x - parameters.s_offset;
        let axis = Coordinate { x: s, ..x }.into();
        Self { s, distance: x.x, axis, bearing: TranslationalBearing::of(drive.f) }
    }
}
