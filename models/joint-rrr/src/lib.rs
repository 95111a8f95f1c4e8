//! JointRRR: three revolute joints with parallel axes, with the loop closed analytically.

use fmu_runtime::{
    Context, DefaultExperiment, Equations, Jacobian, ModelError, Scalar, Shape, Source, model, structure,
};
use nalgebra::Vector3;
use ports::assembly::look::{PlanarLook, shapes};
use ports::assembly::planar::TurningRods;
use ports::assembly::revolute::RevoluteJoint;
use ports::assembly::universal::UniversalFrames;
use ports::assembly::{AssemblyStructure, Names};
use ports::follow_loop;

model! {
    /// Two rods and three revolute joints for planar loops: at frame_a, between the rods, at frame_b.
    ///
    /// ```text
    /// JointUSR with n1_a = n_a and n_b = T_b T_a^T n_a, taken at the start and kept
    /// p = T_b (r_a - r_b),   q = rRod2_ib,   e = n_b/|n_b|,   L = |rRod1_ia|
    /// |p - R(e,angle)^T q| = L  as  A cos(angle) + B sin(angle) + C = 0: two roots, one is followed
    /// f_rod = -(tau + e.t)/(e.(q x eR))        t: torque of all loads on rod 2 about frame_ib   [N]
    /// f at frame_a, frame_b: balance of forces and moments                                      [N]
    /// ```
    ///
    /// Meaningful while the axes stay parallel and the rods stay in a plane across them; otherwise
    /// it moves as JointUSR does. Singular where rod 1 and rod 2 are in line.
    /// Source: Modelica.Mechanics.MultiBody.Joints.Assemblies.JointRRR; Woernle, Hiller.
    pub struct JointRRR<T>(s: Structure): Indicators + Memory {
        group rods: TurningRods<T>, "Rods", name = "";
        group revolute: RevoluteJoint<T> = s.assembly.accelerations, "Revolute joint", name = "";
        parameter look: PlanarLook<T>, "Shapes", name = "", when = s.assembly.animation;

        group frames: UniversalFrames<T> = s.assembly.ports().with_frame_b_at([1.0, 1.0, 0.0]), "Frames", name = "";

        calculated n_b:  Vector3<T>, ONE, "n_a at the start, resolved in frame_b", modelica = "Modelica.Mechanics.MultiBody.Frames.resolve2(frame_b.R, Modelica.Mechanics.MultiBody.Frames.resolve1(frame_a.R, n_a))";
        calculated e_a:  Vector3<T>, ONE, "Unit vector along axes of rotations, resolved in frame_a", modelica = "Modelica.Math.Vectors.normalize(n_a)";
        calculated e_ia: Vector3<T>, ONE, "Unit vector along axes of rotations, resolved in frame_ia", modelica = "Modelica.Math.Vectors.normalize(n_a)";
        calculated e_b:  Vector3<T>, ONE, "Unit vector along axes of rotations, resolved in frame_b, frame_ib and frame_im", modelica = "Modelica.Mechanics.MultiBody.Frames.resolve2(frame_b.R, Modelica.Mechanics.MultiBody.Frames.resolve1(frame_a.R, Modelica.Math.Vectors.normalize(n_a)))";
    }
}

structure! {
    /// The structure options of JointRRR.
    pub struct Structure {
        assembly: AssemblyStructure;
        unwrapAngle: bool = false, "Whether the angle counts turns instead of jumping at 180 deg";
    }
}

const NAMES: Names<'static> = Names { assembly: "JointRRR", axis1: "n_a" };

impl<T: Scalar> Equations<T> for JointRRR<T> {
    const DESCRIPTION: &'static str =
        "Three revolute joints with parallel axes between two frames, with the loop closed analytically";
    const ICON: &'static str = include_str!("../icon.svg");
    const EXPERIMENT: DefaultExperiment = ports::assembly::EXPERIMENT;
    const PACKAGES: &'static [(&'static str, &'static str)] = ports::assembly::PACKAGES;
    const HAS_MANY_INPUTS: bool = true;

    fn shapes(s: &Structure) -> Vec<Shape<'static>> {
        s.assembly.drawn([shapes::planar("e_a", shapes::pin("shape_rev2", "frame_im", "e_b")), shapes::third("e_b")])
    }

    fn prepare(&self, _: &Source<'_, Structure>) -> Result<(), ModelError> {
        self.rods.check()
    }

    fn initialise(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        let [a, b] = self.frames.outer.motions(cx.structure.assembly.orientation)?;
        self.n_b = a.rotation_to(&b) * self.rods.n_a;
        self.rods.check_rod2(&self.n_b)?;
        let assembly = self.rods.assembly(&self.n_b);
        self.revolute.begin(
            &NAMES,
            &self.frames.outer,
            cx.structure.assembly.orientation,
            (&assembly.joint, assembly.length),
        )
    }

    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        let assembly = self.rods.assembly(&self.n_b);
        let solved = self.frames.solve(&NAMES, &cx.structure.assembly.ports(), &assembly, &self.revolute.state())?;
        self.revolute.set_outputs(&solved, cx.structure.unwrapAngle);
        self.e_a = assembly.universal.n1_a;
        // If the axes are parallel, rod 1 turns about this one.
        self.e_ia = assembly.universal.n1_a;
        self.e_b = assembly.joint.e;
        Ok(())
    }

    fn linear_form(
        &self,
        cx: &Context<'_, T, Self>,
        indices: &Self,
        jacobian: &mut Jacobian<'_>,
    ) -> Result<bool, ModelError> {
        let assembly = (&self.rods.assembly(&self.n_b), self.revolute.positiveBranch);
        let indices = (&indices.frames, indices.revolute.indices());
        self.frames.linear_form(&NAMES, &cx.structure.assembly.ports(), assembly, indices, jacobian)
    }
}

follow_loop!(JointRRR, revolute, |this| this.rods.assembly(&this.n_b));
