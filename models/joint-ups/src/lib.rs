//! JointUPS: universal, prismatic and spherical joint.

use fmu_runtime::{
    Connector, Context, DefaultExperiment, Diagnostics, Equations, Indicators, Jacobian, JacobianIndex, Memory,
    ModelError, Scalar, Shape, Source, model, structure,
};
use mechanics::assembly::{UniversalPrismatic, UniversalPrismaticPose, has_met, length_clearance};
use mechanics::frame::Load;
use mechanics::motion::Motion;
use nalgebra::Vector3;
use ports::assembly::branch_memory::BranchMemory;
use ports::assembly::frames::{InnerFrame, OuterFrame};
use ports::assembly::linear::{Applied, AssemblyIndices};
use ports::assembly::look::{TelescopeLook, UniversalLook, shapes};
use ports::assembly::prismatic::{DriveOptions, PrismaticDrive};
use ports::assembly::telescope::{Telescope, TelescopeOffset, TelescopePosition};
use ports::assembly::{AssemblyStructure, Names, Orientation};

model! {
    /// A telescope with a universal joint at frame_a and a spherical joint at frame_b.
    ///
    /// ```text
    /// rho = T_a (r_b - r_a),   axisLength = |rho| = s + s_offset,   eR = rho/axisLength
    /// axis 2 of the universal joint: e2 = n1_a x eR, normalised;   e3 = eR x e2
    /// frame_ia, frame_ib: turned so that eR, e2, e3 have the components of the position in which
    /// frame_a and frame_ia coincide and the telescope lies along nAxis_ia
    /// t: torque of the loads at frame_ia and frame_ib, resolved in frame_a                      [N.m]
    /// F = -axis.f eR - e2 (n1_a.t)/(axisLength n1_a.e3) + e3 (e2.t)/axisLength                  [N]
    /// frame_a.f = -F - frame_ia.f,   frame_a.t = -t - rho x F,   frame_b.f = F - frame_ib.f,   frame_b.t = 0
    /// ```
    ///
    /// Here all are resolved in frame_a. Singular where rho is parallel to n1_a or has no length.
    /// Source: Modelica.Mechanics.MultiBody.Joints.Assemblies.JointUPS.
    pub struct JointUPS<T>(s: Structure): Indicators + Memory {
        parameter telescope: Telescope<T>, "Telescope", name = "";
        parameter slide_offset: TelescopeOffset<T>, "Offset", name = "";
        parameter look: TelescopeLook<T>, "Shapes", name = "", when = s.assembly.animation;
        parameter universal_look: UniversalLook<T>, "Shape of the universal joint", name = "", when = s.assembly.animation && s.showUniversalAxes;

        group frame_a: OuterFrame<T> = s.assembly.ports().computed(), "Outer frame at the universal joint", connector = Connector::Frame_a;
        group frame_b: OuterFrame<T> = s.assembly.ports().at([1.0, 0.0, 0.0]), "Outer frame at the spherical joint", connector = Connector::Frame_b;
        group frame_ia: InnerFrame<T> = s.assembly.ports().computed(), "Inner frame at the origin of frame_a, fixed in the telescope", connector = Connector::Frame_a;
        group frame_ib: InnerFrame<T> = s.assembly.ports().computed(), "Inner frame at the origin of frame_b, parallel to frame_ia", connector = Connector::Frame_b;
        output position: TelescopePosition<T>, "Length", name = "";
        group drive: PrismaticDrive<T> = DriveOptions { accelerations: s.assembly.accelerations, force: "force into the joint, which pushes the frames apart" }, "Flanges", name = "";
        output f: T, N, "Force that drives the telescope, axis.f: positive where it pushes the frames apart";
        output totalPower: T, W, "Power that flows in at frames and axis, zero but for rounding", when = s.assembly.checkTotalPower;
        calculated eAxis_ia: Vector3<T>, ONE, "Unit vector from origin of frame_a to origin of frame_b, resolved in frame_ia", modelica = "Modelica.Math.Vectors.normalize(nAxis_ia)";
        calculated e2_ia: Vector3<T>, ONE, "Unit vector in direction of second rotation axis of universal joint, resolved in frame_ia", modelica = "Modelica.Math.Vectors.normalize(cross(n1_a, nAxis_ia))";
        group track: BranchMemory<T> = (), "Motion of the outer frames";
        memory start_length: T, M, "Distance between frame_a and frame_b at the start";
        calculated e3_ia: Vector3<T>, ONE, "Unit vector perpendicular to eAxis_ia and e2_ia, resolved in frame_ia", modelica = "cross(eAxis_ia, e2_ia)";
    }
}

structure! {
    /// The structure options of JointUPS.
    pub struct Structure {
        assembly: AssemblyStructure;
        showUniversalAxes: bool = true, "Whether the two axes of the universal joint are drawn, too";
    }
}

const NAMES: Names<'static> = Names { assembly: "JointUPS", axis1: "n1_a" };

impl<T: Scalar> Equations<T> for JointUPS<T> {
    const DESCRIPTION: &'static str = "Universal, prismatic and spherical joint between two frames";
    const ICON: &'static str = include_str!("../icon.svg");
    const EXPERIMENT: DefaultExperiment = ports::assembly::EXPERIMENT;
    const PACKAGES: &'static [(&'static str, &'static str)] = ports::assembly::PACKAGES;
    const HAS_MANY_INPUTS: bool = true;

    fn shapes(s: &Structure) -> Vec<Shape<'static>> {
        s.assembly.drawn([shapes::telescope(s.showUniversalAxes)])
    }

    fn prepare(&self, _: &Source<'_, Structure>) -> Result<(), ModelError> {
        self.telescope.check()
    }

    fn initialise(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        let assembly = self.telescope.assembly();
        self.start_length = self.pose(&assembly, cx.structure.assembly.orientation)?.1.x.x;
        Ok(())
    }

    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        let (orientation, assembly) = (cx.structure.assembly.orientation, self.telescope.assembly());
        let ([a, b], pose) = self.pose(&assembly, orientation)?;
        let rho = a.position_of(&b);
        if let Some(last) = self.track.last() {
            has_met([&last, &rho]).map_err(|singular| NAMES.error(singular))?;
        }
        self.track.set_outputs(&rho, false);
        let universal = &assembly.universal;
        (self.eAxis_ia, self.e2_ia, self.e3_ia) = (universal.eR_ia, universal.e2_ia, universal.e3_ia);
        let (ia, ib, f) = (self.frame_ia.load.load(), self.frame_ib.load.load(), self.drive.axis.f);
        let [load_a, load_b] = assembly.loads([&a, &b], &pose, &ia, &ib, f);

        self.frame_a.load = load_a.into();
        self.frame_b.load = load_b.into();
        self.frame_ia.motion.set_outputs(&pose.universal.ia, orientation);
        self.frame_ib.motion.set_outputs(&pose.ib, orientation);
        self.f = f;
        self.drive.set_outputs(pose.x, self.slide_offset.s_offset);
        self.position.set_outputs(pose.x.x, self.slide_offset.s_offset);
        if cx.structure.assembly.checkTotalPower {
            let outer = a.power(&load_a) + b.power(&load_b);
            self.totalPower = outer + pose.universal.ia.power(&ia) + pose.ib.power(&ib) + f * pose.x.v;
        }
        Ok(())
    }

    fn linear_form(
        &self,
        cx: &Context<'_, T, Self>,
        indices: &Self,
        jacobian: &mut Jacobian<'_>,
    ) -> Result<bool, ModelError> {
        if cx.structure.assembly.checkTotalPower {
            return Ok(false);
        }
        let assembly = self.telescope.assembly();
        let ([a, b], pose) = self.pose(&assembly, cx.structure.assembly.orientation)?;
        jacobian.set(JacobianIndex::of(indices.f), JacobianIndex::of(indices.drive.axis.f), T::one());
        let outer = [indices.frame_a.indices(&a), indices.frame_b.indices(&b)];
        let inner = [indices.frame_ia.indices(&pose.universal.ia), indices.frame_ib.indices(&pose.ib)];
        let indices = AssemblyIndices { outer, inner, arm: None, drive: indices.drive.indices(), f_rod: None };
        let (to_b, none) = (a.rotation_to(&b), Load::none());
        indices.set(jacobian, false, &|applied| {
            let (ia, ib, force) = match applied {
                Applied::AtInner(0, load) => (load, none, T::zero()),
                Applied::AtInner(_, load) => (none, load, T::zero()),
                Applied::Drive(force) => (none, none, force),
            };
            let (at_a, at_b) = assembly.loads_in_a(&pose, &ia, &ib, force);
            [at_a, Load { f: to_b * at_b, t: Vector3::zeros() }].into()
        });
        Ok(true)
    }
}

impl<T: Scalar> Indicators<T> for JointUPS<T> {
    const COUNT: usize = 1;

    fn indicators(&self, _: &Context<'_, T, Self>, indicators: &mut [T]) {
        indicators.fill(length_clearance(&self.track.now(), self.start_length).indicator());
    }
}

impl<T: Scalar> Memory<T> for JointUPS<T> {
    fn completed_step(&mut self, _: &Context<'_, T, Self>, _: &mut Diagnostics) {
        self.track.remember();
    }
}

/// The motion of the outer frames, and the assembly with it.
type Pose<T> = ([Motion<T>; 2], UniversalPrismaticPose<T>);

impl<T: Scalar> JointUPS<T> {
    #[inline(always)]
    fn pose(&self, assembly: &UniversalPrismatic<T>, orientation: Orientation) -> Result<Pose<T>, ModelError> {
        let a = self.frame_a.motion.motion(orientation, "frame_a")?;
        let b = self.frame_b.motion.motion(orientation, "frame_b")?;
        let pose = assembly.pose(&a, &b).map_err(|singular| NAMES.error(singular))?;
        Ok(([a, b], pose))
    }
}
