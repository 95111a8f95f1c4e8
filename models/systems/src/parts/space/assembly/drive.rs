//! Driven joints of assemblies.

use fmu_runtime::{Scalar, Variable, group};
use mechanics::motion::Coordinate;
use ports::assembly::prismatic::PrismaticPosition;
use ports::assembly::revolute::RevolutePosition;
use ports::{FlangeMotion, MotionOptions, TranslationalMotion};

use crate::parts::domain::Domain;

/// The driven joint of an assembly, as variables.
pub trait Drive<T: Scalar>: Variable<T> {
    /// Domain of the joint: rotational or translational.
    const DOMAIN: Domain;
    /// True if the joint remembers its coordinate at the end of the last step. If so, it has functions of its own for
    /// that.
    const HAS_MEMORY: bool;

    /// Returns the approximate coordinate at the start, which selects the configuration.
    fn guess(&self) -> T;

    /// Returns the coordinate where that of the axis is 0.
    fn offset(&self) -> T;

    /// Returns the coordinate at the end of the last step.
    fn last(&self) -> T {
        const { assert!(!Self::HAS_MEMORY) };
        T::zero()
    }

    /// Sets the coordinate at the end of the last step.
    fn remember(&mut self, _last: T) {
        const { assert!(!Self::HAS_MEMORY) };
    }

    /// Stores the present coordinate, at the end of a step.
    fn completed_step(&mut self) {
        const { assert!(!Self::HAS_MEMORY) };
    }

    /// Sets the joint's motion, the denominator of the force in rod 1, and the load that drives the joint.
    fn set_outputs(&mut self, x: Coordinate<T>, aux: T, load: T);
}

group! {
    /// A prismatic joint.
    pub struct PrismaticDrive<T>(_o: ()) {
        group position: PrismaticPosition<T> = (), "Displacement", name = "";
        output axis: TranslationalMotion<T> = true, "Flange that drives the prismatic joint";
        output f: T, N, "Force that drives the prismatic joint";
    }
}

group! {
    /// A revolute joint.
    pub struct RevoluteDrive<T>(_o: ()) {
        group position: RevolutePosition<T> = (), "Angle", name = "";
        output axis: FlangeMotion<T> = MotionOptions::accelerations(true), "Flange that drives the revolute joint";
        output tau: T, N_M, "Torque that drives the revolute joint";
        memory last_angle: T, RAD, "Angle where the last step ended";
    }
}

impl<T: Scalar> Drive<T> for PrismaticDrive<T> {
    const DOMAIN: Domain = Domain::Translational;
    const HAS_MEMORY: bool = false;

    fn guess(&self) -> T {
        self.position.guess()
    }

    fn offset(&self) -> T {
        self.position.s_offset
    }

    fn set_outputs(&mut self, x: Coordinate<T>, aux: T, load: T) {
        self.position.set_outputs(x.x, aux);
        self.axis = Coordinate { x: self.position.s, ..x }.into();
        self.f = load;
    }
}

impl<T: Scalar> Drive<T> for RevoluteDrive<T> {
    const DOMAIN: Domain = Domain::Rotational;
    const HAS_MEMORY: bool = true;

    fn guess(&self) -> T {
        self.position.guess()
    }

    fn offset(&self) -> T {
        self.position.offset()
    }

    fn last(&self) -> T {
        self.last_angle
    }

    fn remember(&mut self, last: T) {
        self.last_angle = last;
    }

    fn completed_step(&mut self) {
        self.last_angle = self.position.angle;
    }

    fn set_outputs(&mut self, x: Coordinate<T>, aux: T, load: T) {
        self.position.set_outputs(x.x, aux);
        self.axis = Coordinate { x: self.position.phi, ..x }.into();
        self.tau = load;
    }
}
