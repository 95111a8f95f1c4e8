//! Ports of assemblies whose rod 1 has a spherical joint at both ends and a mass in the middle.

use fmu_runtime::{Jacobian, JacobianIndex, ModelError, Scalar, group};
use mechanics::assembly::{
    Branch, DrivenJoint, PointMass, Prismatic, Revolute, SphericalSpherical, SphericalSphericalPose,
};
use mechanics::direction::unit;
use mechanics::frame::Load;
use mechanics::motion::Motion;
use nalgebra::Vector3;

use crate::assembly::branch_memory::{DriveState, SolvedLoop};
use crate::assembly::frames::{OuterFrames, Rod2Frames, power};
use crate::assembly::linear::{Applied, AssemblyIndices, DriveIndices};
use crate::assembly::{Names, PortOptions, check_length, check_rod2};

group! {
    /// All frames, and the outputs at rod 1.
    pub struct SphericalFrames<T>(o: PortOptions) {
        group outer: OuterFrames<T> = o, "Outer frames", name = "";
        group rod2: Rod2Frames<T> = o, "Rod 2", name = "";
        output f_rod: T, N, "Force in rod 1 between frame_a and its mass, positive if it is pressed";
        output totalPower: T, W, "Power that flows in at frames, axis and mass, zero but for rounding", when = o.checkTotalPower;
    }
}

/// The options of rod 1.
#[derive(Clone, Copy, Debug)]
pub struct Rod1Options {
    /// True if rod 1 can have a mass, which needs accelerations.
    pub mass: bool,
    /// True if the gravity that pulls rod 1 is a parameter.
    pub gravity: bool,
}

impl Rod1Options {
    /// Makes the options of a component.
    pub fn new(accelerations: bool) -> Self {
        Self { mass: accelerations, gravity: accelerations }
    }
}

impl Default for Rod1Options {
    /// Makes the options of a part of a system, where gravity is that of the world.
    fn default() -> Self {
        Self { mass: true, gravity: false }
    }
}

group! {
    /// Length, mass and gravity of rod 1.
    pub struct Rod1<T>(o: Rod1Options) {
        rod1Length: T = 1.0, M, "Distance between the origins of the two spherical joints", min = 1e-15;
        rod1Mass: T = 0.0, KG, "Mass of rod 1 (= point mass located in middle of rod connecting the two spherical joints)", min = 0.0, when = o.mass;
        g: Vector3<T> = [0.0, -9.80665, 0.0], M_PER_S2, "Acceleration of gravity, resolved in the world frame",
            when = o.gravity, modelica = "MechanicalFMUs.Internal.uniformGravity(world.gravityType, world.g, world.n, rod1Mass)";
    }
}

group! {
    /// The rods of JointSSR.
    pub struct TurningRods<T>(o: Rod1Options) {
        parameter rod: Rod1<T> = o, "Rod 1", name = "";
        parameter n_b: Vector3<T> = [0.0, 0.0, 1.0], ONE, "Axis of revolute joint fixed and resolved in frame_b";
        parameter rRod2_ib: Vector3<T> = [1.0, 0.0, 0.0], M, "Vector from origin of frame_ib to spherical joint in the middle, resolved in frame_ib";
    }
}

group! {
    /// The rods of JointSSP.
    pub struct SlidingRods<T>(o: Rod1Options) {
        parameter rod: Rod1<T> = o, "Rod 1", name = "";
        parameter n_b: Vector3<T> = [0.0, 0.0, 1.0], ONE, "Axis of prismatic joint fixed and resolved in frame_b";
        parameter rRod2_ib: Vector3<T> = [1.0, 0.0, 0.0], M, "Vector from origin of frame_ib to spherical joint in the middle, resolved in frame_ib";
        parameter mslRodForce: bool = false, "Whether f_rod leaves out the mass of rod 1, as the Modelica Standard Library does: forces are then not balanced", when = o.mass;
    }
}

impl<T: Scalar> Rod1<T> {
    /// Returns the mass of rod 1, with gravity.
    fn mass(&self) -> PointMass<T> {
        PointMass { m: self.rod1Mass, g: self.g, neglected: false }
    }
}

impl<T: Scalar> TurningRods<T> {
    /// Refuses vectors without length, and a rod 2 along the axis.
    pub fn check(&self) -> Result<(), ModelError> {
        check_rod2(("n_b", &self.n_b), ("rRod2_ib", &self.rRod2_ib))
    }

    /// Returns the assembly of the rods and the revolute joint.
    pub fn assembly(&self) -> SphericalSpherical<T, Revolute<T>> {
        let joint = Revolute { e: unit(&self.n_b), q: self.rRod2_ib };
        SphericalSpherical { length: self.rod.rod1Length, mass: self.rod.mass(), joint }
    }
}

impl<T: Scalar> SlidingRods<T> {
    /// Refuses an axis without length.
    pub fn check(&self) -> Result<(), ModelError> {
        check_length("n_b", &self.n_b)
    }

    /// Returns the assembly of the rods and the prismatic joint.
    pub fn assembly(&self) -> SphericalSpherical<T, Prismatic<T>> {
        let joint = Prismatic { e: unit(&self.n_b), q: self.rRod2_ib };
        let mass = PointMass { neglected: self.mslRodForce, ..self.rod.mass() };
        SphericalSpherical { length: self.rod.rod1Length, mass, joint }
    }
}

impl<T: Scalar> SphericalFrames<T> {
    /// Returns the motion of the outer frames, and the assembly closed between them.
    #[inline(always)]
    fn pose<J: DrivenJoint<T>>(
        &self,
        names: &Names<'_>,
        o: &PortOptions,
        assembly: &SphericalSpherical<T, J>,
        positive: bool,
    ) -> Result<([Motion<T>; 2], SphericalSphericalPose<T>), ModelError> {
        let [a, b] = self.outer.motions(o.orientation)?;
        let pose = assembly.pose(&a, &b, Branch::new(positive)).map_err(|singular| names.error(singular))?;
        Ok(([a, b], pose))
    }

    /// Sets the derivatives of accelerations and loads, with the indices of frames and drive; returns false if there is
    /// the total power, whose derivatives are not among them.
    #[inline(never)]
    pub fn linear_form<J: DrivenJoint<T> + Copy>(
        &self,
        names: &Names<'_>,
        o: &PortOptions,
        (assembly, positive): (&SphericalSpherical<T, J>, bool),
        (indices, drive): (&Self, DriveIndices),
        jacobian: &mut Jacobian<'_>,
    ) -> Result<bool, ModelError> {
        if o.checkTotalPower {
            return Ok(false);
        }
        let ([a, b], pose) = self.pose(names, o, assembly, positive)?;
        let outer = [indices.outer.a.indices(&a), indices.outer.b.indices(&b)];
        let inner = [indices.rod2.ib.indices(&pose.closed.ib), indices.rod2.im.indices(&pose.closed.im)];
        let arm = Some(*assembly.joint.rod2());
        let f_rod = JacobianIndex::of(indices.f_rod);
        let indices = AssemblyIndices { outer, inner, arm, drive, f_rod: Some(f_rod) };
        let (lever, has_mass) = (assembly.lever(&a, &pose), assembly.mass.m != T::zero());
        let moved = indices.set(jacobian, has_mass, &|applied| {
            let (ib, effort) = match applied {
                Applied::AtInner(_, ib) => (ib, T::zero()),
                Applied::Drive(effort) => (Load::none(), effort),
            };
            assembly.loads_of_ib(&lever, &b, &pose, &ib, effort).into()
        });
        if has_mass {
            indices.set_inertia(jacobian, &moved, &|a_0| assembly.inertial_loads([&a, &b], &pose, a_0).into());
        }
        Ok(true)
    }

    /// Closes the loop, and stores loads and motion.
    #[inline(never)]
    pub fn solve<J: DrivenJoint<T>>(
        &mut self,
        names: &Names<'_>,
        o: &PortOptions,
        assembly: &SphericalSpherical<T, J>,
        drive: &DriveState<T>,
    ) -> Result<SolvedLoop<T>, ModelError> {
        let [a, b] = self.outer.motions(o.orientation)?;
        let p = b.position_of(&a);
        let passes = drive.passes(&assembly.joint, assembly.length, &p);
        let branch = Branch::new(drive.positive_branch != passes);
        let pose = assembly.pose(&a, &b, branch).map_err(|singular| names.error(singular))?;
        let (closed, inner) = (&pose.closed, self.rod2.loads(drive.effort));
        let loads = assembly.loads([&a, &b], &pose, &inner);
        if o.checkTotalPower {
            self.totalPower = power([&a, &b], closed, &inner, &loads) + assembly.mass.power(&a, &closed.im);
        }
        self.outer.set_outputs(&loads);
        self.rod2.set_outputs(closed, o.orientation);
        self.f_rod = loads.f_rod;
        Ok(SolvedLoop { x: closed.x, aux: loads.aux, p, passes })
    }
}
