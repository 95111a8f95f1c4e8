//! Ports of assemblies with a universal joint at frame_a, rod 1, and rod 2 on a driven joint.

use fmu_runtime::{Connector, Jacobian, JacobianIndex, ModelError, Scalar, group};
use mechanics::assembly::{Branch, DrivenJoint, Prismatic, Revolute, UniversalSpherical, UniversalSphericalPose};
use mechanics::direction::unit;
use mechanics::frame::Load;
use mechanics::motion::Motion;
use nalgebra::Vector3;

use crate::assembly::branch_memory::{DriveState, SolvedLoop};
use crate::assembly::frames::{InnerFrame, OuterFrames, Rod2Frames, power};
use crate::assembly::linear::{Applied, AssemblyIndices, DriveIndices};
use crate::assembly::{Names, PortOptions, check_length, check_rod1, check_rod2};

group! {
    /// All frames, and the outputs at rod 1.
    pub struct UniversalFrames<T>(o: PortOptions) {
        group outer: OuterFrames<T> = o, "Outer frames", name = "";
        group frame_ia: InnerFrame<T> = o.computed(), "Inner frame fixed in rod 1, at the origin of frame_a", connector = Connector::Frame_a;
        group rod2: Rod2Frames<T> = o, "Rod 2", name = "";
        output f_rod: T, N, "Constraint force in direction of the rod (positive, if rod is pressed)";
        output totalPower: T, W, "Power that flows in at frames and axis, zero but for rounding", when = o.checkTotalPower;
    }
}

group! {
    /// Axis 1 of the universal joint, rod 1, and the constants that follow from them.
    pub struct Rod1<T>(_o: ()) {
        parameter n1_a: Vector3<T> = [0.0, 0.0, 1.0], ONE, "Axis 1 of universal joint fixed and resolved in frame_a (axis 2 is orthogonal to axis 1 and to rod 1)";
        parameter rRod1_ia: Vector3<T> = [1.0, 0.0, 0.0], M, "Vector from origin of frame_a to spherical joint, resolved in frame_ia";
        calculated rod1Length: T, M, "Length of rod 1 (= distance between universal and spherical joint)", modelica = "Modelica.Math.Vectors.length(rRod1_ia)";
        calculated eRod1_ia: Vector3<T>, ONE, "Unit vector from origin of frame_a to origin of spherical joint, resolved in frame_ia", modelica = "Modelica.Math.Vectors.normalize(rRod1_ia)";
        calculated e2_ia:    Vector3<T>, ONE, "Unit vector in direction of axis 2 of universal joint, resolved in frame_ia", modelica = "Modelica.Math.Vectors.normalize(cross(n1_a, rRod1_ia))";
    }
}

group! {
    /// The rods of JointUSR.
    pub struct TurningRods<T>(_o: ()) {
        group rod1: Rod1<T> = (), "Rod 1", name = "";
        parameter n_b: Vector3<T> = [0.0, 0.0, 1.0], ONE, "Axis of revolute joint fixed and resolved in frame_b";
        parameter rRod2_ib: Vector3<T> = [-1.0, 0.0, 0.0], M, "Vector from origin of frame_ib to spherical joint, resolved in frame_ib";
    }
}

group! {
    /// The rods of JointUSP.
    pub struct SlidingRods<T>(_o: ()) {
        group rod1: Rod1<T> = (), "Rod 1", name = "";
        parameter n_b: Vector3<T> = [-1.0, 0.0, 0.0], ONE, "Axis of prismatic joint fixed and resolved in frame_b";
        parameter rRod2_ib: Vector3<T> = [-1.0, 0.0, 0.0], M, "Vector from origin of frame_ib to spherical joint, resolved in frame_ib (frame_ib is parallel to frame_b)";
    }
}

impl<T: Scalar> TurningRods<T> {
    /// Refuses vectors without length, and rods along the axes.
    pub fn check(&self) -> Result<(), ModelError> {
        self.rod1.check()?;
        check_rod2(("n_b", &self.n_b), ("rRod2_ib", &self.rRod2_ib))
    }

    /// Returns the assembly of the rods and the revolute joint.
    pub fn assembly(&self) -> UniversalSpherical<T, Revolute<T>> {
        self.rod1.with(Revolute { e: unit(&self.n_b), q: self.rRod2_ib })
    }
}

impl<T: Scalar> SlidingRods<T> {
    /// Refuses vectors without length, and a rod 1 along axis 1.
    pub fn check(&self) -> Result<(), ModelError> {
        self.rod1.check()?;
        check_length("n_b", &self.n_b)
    }

    /// Returns the assembly of the rods and the prismatic joint.
    pub fn assembly(&self) -> UniversalSpherical<T, Prismatic<T>> {
        self.rod1.with(Prismatic { e: unit(&self.n_b), q: self.rRod2_ib })
    }
}

impl<T: Scalar> UniversalFrames<T> {
    /// Returns the motion of the outer frames, and the assembly closed between them.
    #[inline(always)]
    fn pose<J: DrivenJoint<T>>(
        &self,
        names: &Names<'_>,
        o: &PortOptions,
        assembly: &UniversalSpherical<T, J>,
        positive: bool,
    ) -> Result<([Motion<T>; 2], UniversalSphericalPose<T>), ModelError> {
        let [a, b] = self.outer.motions(o.orientation)?;
        let pose = assembly.pose(&a, &b, Branch::new(positive)).map_err(|singular| names.error(singular))?;
        Ok(([a, b], pose))
    }

    /// Sets the derivatives of accelerations and loads, with the indices of frames and drive; returns false if there is
    /// the total power, whose derivatives are not among them.
    #[inline(never)]
    pub fn linear_form<J: DrivenJoint<T>>(
        &self,
        names: &Names<'_>,
        o: &PortOptions,
        (assembly, positive): (&UniversalSpherical<T, J>, bool),
        (indices, drive): (&Self, DriveIndices),
        jacobian: &mut Jacobian<'_>,
    ) -> Result<bool, ModelError> {
        if o.checkTotalPower {
            return Ok(false);
        }
        let ([a, b], pose) = self.pose(names, o, assembly, positive)?;
        let (closed, ia) = (&pose.closed, &pose.universal.ia);
        let outer = [indices.outer.a.indices(&a), indices.outer.b.indices(&b)];
        let rod2 = &indices.rod2;
        let inner = [indices.frame_ia.indices(ia), rod2.ib.indices(&closed.ib), rod2.im.indices(&closed.im)];
        let arm = Some(*assembly.joint.rod2());
        let f_rod = JacobianIndex::of(indices.f_rod);
        let indices = AssemblyIndices { outer, inner, arm, drive, f_rod: Some(f_rod) };
        let lever = assembly.lever(&a, &pose);
        indices.set(jacobian, false, &|applied| {
            let loads = match applied {
                Applied::AtInner(0, ia) => assembly.loads_of_ia(&lever, &b, &pose, &ia),
                Applied::AtInner(_, ib) => assembly.loads_of_ib(&lever, &b, &pose, &ib, T::zero()),
                Applied::Drive(effort) => assembly.loads_of_ib(&lever, &b, &pose, &Load::none(), effort),
            };
            loads.into()
        });
        Ok(true)
    }

    /// Closes the loop, and stores loads and motion.
    #[inline(never)]
    pub fn solve<J: DrivenJoint<T>>(
        &mut self,
        names: &Names<'_>,
        o: &PortOptions,
        assembly: &UniversalSpherical<T, J>,
        drive: &DriveState<T>,
    ) -> Result<SolvedLoop<T>, ModelError> {
        let [a, b] = self.outer.motions(o.orientation)?;
        let p = b.position_of(&a);
        let passes = drive.passes(&assembly.joint, assembly.length, &p);
        let branch = Branch::new(drive.positive_branch != passes);
        let pose = assembly.pose(&a, &b, branch).map_err(|singular| names.error(singular))?;
        let (closed, ia) = (&pose.closed, &pose.universal.ia);
        let (load_ia, inner) = (self.frame_ia.load.load(), self.rod2.loads(drive.effort));
        let loads = assembly.loads([&a, &b], &pose, &load_ia, &inner);
        if o.checkTotalPower {
            self.totalPower = power([&a, &b], closed, &inner, &loads) + ia.power(&load_ia);
        }
        self.outer.set_outputs(&loads);
        self.frame_ia.motion.set_outputs(ia, o.orientation);
        self.rod2.set_outputs(closed, o.orientation);
        self.f_rod = loads.f_rod;
        Ok(SolvedLoop { x: closed.x, aux: loads.aux, p, passes })
    }
}

impl<T: Scalar> Rod1<T> {
    /// Refuses vectors without length, and a rod along the axis.
    fn check(&self) -> Result<(), ModelError> {
        check_rod1(("n1_a", &self.n1_a), ("rRod1_ia", &self.rRod1_ia))
    }

    /// Returns the assembly with a driven joint.
    fn with<J: DrivenJoint<T>>(&self, joint: J) -> UniversalSpherical<T, J> {
        UniversalSpherical::new(&self.n1_a, &self.rRod1_ia, joint)
    }

    /// Stores the calculated parameters of an assembly.
    pub fn set_outputs<J>(&mut self, assembly: &UniversalSpherical<T, J>) {
        self.rod1Length = assembly.length;
        (self.eRod1_ia, self.e2_ia) = (assembly.universal.eR_ia, assembly.universal.e2_ia);
    }
}
