//! JointRRP: two revolute joints and a prismatic joint in a plane, with the loop closed analytically.

use fmu_runtime::{Context, DefaultExperiment, Equations, Jacobian, ModelError, Scalar, Shape, Source, model};
use nalgebra::Vector3;
use ports::assembly::look::{BoxLook, PlanarLook, shapes};
use ports::assembly::planar::SlidingRods;
use ports::assembly::prismatic::PrismaticJoint;
use ports::assembly::universal::UniversalFrames;
use ports::assembly::{AssemblyStructure as Structure, Names};
use ports::follow_loop;

model! {
    /// Two rods for planar loops, with revolute joints at frame_a and between the rods, and a
    /// prismatic joint at frame_b.
    ///
    /// ```text
    /// JointUSP with n1_a = n_a
    /// u = rRod2_ib - T_b (r_a - r_b),   e = n_b/|n_b|,   L = |rRod1_ia|
    /// |u + e distance| = L  as  distance^2 + B distance + C = 0: two roots, one is followed
    /// f_rod = -(axis.f + e.f)/(e.eR)           f: sum of all loads on rod 2                     [N]
    /// f at frame_a, frame_b: balance of forces and moments                                      [N]
    /// ```
    ///
    /// Meaningful while the rods stay in a plane across the axes of the revolute joints; otherwise
    /// it moves as JointUSP does. Singular where rod 1 is perpendicular to n_b.
    /// Source: Modelica.Mechanics.MultiBody.Joints.Assemblies.JointRRP; Woernle, Hiller.
    pub struct JointRRP<T>(s: Structure): Indicators + Memory {
        group rods: SlidingRods<T>, "Rods", name = "";
        group prismatic: PrismaticJoint<T> = s.accelerations, "Prismatic joint", name = "";
        parameter look: PlanarLook<T>, "Shapes", name = "", when = s.animation;
        parameter box_look: BoxLook<T> = "cylinderColor", "Shape of the prismatic joint", name = "", when = s.animation;

        group frames: UniversalFrames<T> = s.ports().with_frame_b_at([1.8, 0.6, 0.0]), "Frames", name = "";

        calculated e_a:  Vector3<T>, ONE, "Unit vector along axes of rotations, resolved in frame_a", modelica = "Modelica.Math.Vectors.normalize(n_a)";
        calculated e_ia: Vector3<T>, ONE, "Unit vector along axes of rotations, resolved in frame_ia", modelica = "Modelica.Math.Vectors.normalize(n_a)";
        calculated e_im: Vector3<T>, ONE, "Unit vector along axes of rotations at the start, resolved in frame_im", modelica = "Modelica.Mechanics.MultiBody.Frames.resolve2(frame_b.R, Modelica.Mechanics.MultiBody.Frames.resolve1(frame_a.R, Modelica.Math.Vectors.normalize(n_a)))";
        calculated e_b:  Vector3<T>, ONE, "Unit vector along axis of translation of the prismatic joint, resolved in frame_b and frame_ib", modelica = "Modelica.Math.Vectors.normalize(n_b)";
    }
}

const NAMES: Names<'static> = Names { assembly: "JointRRP", axis1: "n_a" };

impl<T: Scalar> Equations<T> for JointRRP<T> {
    const DESCRIPTION: &'static str =
        "Two revolute joints and a prismatic joint in a plane between two frames, with the loop closed analytically";
    const ICON: &'static str = include_str!("../icon.svg");
    const EXPERIMENT: DefaultExperiment = ports::assembly::EXPERIMENT;
    const PACKAGES: &'static [(&'static str, &'static str)] = ports::assembly::PACKAGES;
    const HAS_MANY_INPUTS: bool = true;

    fn shapes(s: &Structure) -> Vec<Shape<'static>> {
        s.drawn([
            shapes::planar("e_a", shapes::pin("shape_rev2", "frame_im", "e_im")),
            shapes::slide(["frame_b", "frame_ib"]),
        ])
    }

    fn prepare(&self, _: &Source<'_, Structure>) -> Result<(), ModelError> {
        self.rods.check()
    }

    fn check_initial_point(&self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        self.rods.check_perpendicular(&self.axis_in_b(cx.structure)?)
    }

    fn initialise(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        // frame_im is parallel to frame_b.
        self.e_im = self.axis_in_b(cx.structure)?;
        let assembly = self.rods.assembly();
        self.prismatic.begin(&NAMES, &self.frames.outer, cx.structure.orientation, (&assembly.joint, assembly.length))
    }

    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        let assembly = self.rods.assembly();
        let solved = self.frames.solve(&NAMES, &cx.structure.ports(), &assembly, &self.prismatic.state())?;
        self.prismatic.set_outputs(&solved);
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
        let assembly = (&self.rods.assembly(), self.prismatic.positiveBranch);
        let indices = (&indices.frames, indices.prismatic.indices());
        self.frames.linear_form(&NAMES, &cx.structure.ports(), assembly, indices, jacobian)
    }
}

follow_loop!(JointRRP, prismatic, |this| this.rods.assembly());

impl<T: Scalar> JointRRP<T> {
    /// Returns the unit vector along the axes of the revolute joints, resolved in frame_b.
    fn axis_in_b(&self, s: &Structure) -> Result<Vector3<T>, ModelError> {
        let [a, b] = self.frames.outer.motions(s.orientation)?;
        Ok(a.rotation_to(&b) * self.rods.axis())
    }
}
