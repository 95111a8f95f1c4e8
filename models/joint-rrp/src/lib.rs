//! JointRRP: two revolute joints and a prismatic joint in a plane, with the loop closed analytically.

use assemblies::look::{BoxLook, PlanarLook, shapes};
use assemblies::prismatic::PrismaticJoint;
use assemblies::universal::UniversalFrames;
use assemblies::{check_length, check_rod1, component, structure};
use fmu_runtime::{Context, Equations, Jacobian, ModelError, Number, Scalar, Shape, Source, model};
use mechanics::assembly::{Prismatic, UniversalSpherical};
use nalgebra::Vector3;

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
    pub struct JointRRP<T>(s: Structure) {
        parameter n_a: Vector3<T> = [0.0, 0.0, 1.0], ONE, "Axes of the two revolute joints resolved in frame_a (both axes are parallel to each other)";
        parameter n_b: Vector3<T> = [-1.0, 0.0, 0.0], ONE, "Axis of prismatic joint fixed and resolved in frame_b (must be orthogonal to revolute joint axes)";
        parameter rRod1_ia: Vector3<T> = [1.0, 0.0, 0.0], M, "Vector from origin of frame_a to revolute joint in the middle, resolved in frame_ia";
        parameter rRod2_ib: Vector3<T> = [-1.0, 0.0, 0.0], M, "Vector from origin of frame_ib to revolute joint in the middle, resolved in frame_ib (frame_ib is parallel to frame_b)";
        group prismatic: PrismaticJoint<T> = s.accelerations, "Prismatic joint", name = "";
        parameter look: PlanarLook<T>, "Shapes", name = "", when = s.animation;
        parameter box_look: BoxLook<T>, "Shape of the prismatic joint", name = "", when = s.animation;

        group frames: UniversalFrames<T> = s.ports().with_frame_b_at([1.8, 0.6, 0.0]), "Frames", name = "";

        calculated e_a:  Vector3<T>, ONE, "Unit vector along axes of rotations, resolved in frame_a", modelica = "Modelica.Math.Vectors.normalize(n_a)";
        calculated e_ia: Vector3<T>, ONE, "Unit vector along axes of rotations, resolved in frame_ia", modelica = "Modelica.Math.Vectors.normalize(n_a)";
        calculated e_im: Vector3<T>, ONE, "Unit vector along axes of rotations at the start, resolved in frame_im", modelica = "Modelica.Mechanics.MultiBody.Frames.resolve2(frame_b.R, Modelica.Mechanics.MultiBody.Frames.resolve1(frame_a.R, Modelica.Math.Vectors.normalize(n_a)))";
        calculated e_b:  Vector3<T>, ONE, "Unit vector along axis of translation of the prismatic joint, resolved in frame_b and frame_ib", modelica = "Modelica.Math.Vectors.normalize(n_b)";
    }
}

structure! {
    /// The structure options of JointRRP.
    pub struct Structure {}
}

component!(
    JointRRP,
    "n_a",
    "Two revolute joints and a prismatic joint in a plane between two frames, with the loop closed analytically"
);

/// Largest deviation of the angle between n_a and n_b from a right one, in rad.
const PERPENDICULAR: f64 = 1e-6;

impl<T: Scalar> Equations<T> for JointRRP<T> {
    type Data = ();

    fn shapes(s: &Structure) -> Vec<Shape<'static>> {
        s.drawn([shapes::planar("e_im"), shapes::slide()])
    }

    fn prepare(&self, _: &Source<'_, Structure>) -> Result<(), ModelError> {
        check_rod1(("n_a", &self.n_a), ("rRod1_ia", &self.rRod1_ia))?;
        check_length("n_b", &self.n_b)
    }

    fn admit(&self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        let tilt = self.axis_in_b(cx.structure)?.dot(&self.n_b.normalize()).value().clamp(-1.0, 1.0).asin();
        if tilt.abs() <= PERPENDICULAR {
            return Ok(());
        }
        let angle = Number(90.0 - tilt.to_degrees());
        Err(ModelError::invalid(format!("n_b must be perpendicular to n_a, but the angle between them is {angle} deg")))
    }

    fn initialise(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        // frame_im is parallel to frame_b.
        self.e_im = self.axis_in_b(cx.structure)?;
        let assembly = self.assembly();
        self.prismatic.begin(&NAMES, &self.frames.outer, cx.structure.orientation, (&assembly.joint, assembly.length))
    }

    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        let assembly = self.assembly();
        let x = self.frames.solve(&NAMES, &cx.structure.ports(), &assembly, self.prismatic.state())?;
        self.prismatic.put(x);
        self.e_a = assembly.universal.n1_a;
        // Where the axes are parallel, rod 1 turns about it.
        self.e_ia = assembly.universal.n1_a;
        self.e_b = assembly.joint.e;
        Ok(())
    }

    fn linear_form(
        &self,
        cx: &Context<'_, T, Self>,
        places: &Self,
        jacobian: &mut Jacobian<'_>,
    ) -> Result<bool, ModelError> {
        let assembly = (&self.assembly(), self.prismatic.positiveBranch);
        let places = (&places.frames, places.prismatic.places());
        self.frames.linear_form(&NAMES, &cx.structure.ports(), assembly, places, jacobian)
    }
}

impl<T: Scalar> JointRRP<T> {
    /// Unit vector along the axes of the revolute joints, resolved in frame_b.
    fn axis_in_b(&self, s: &Structure) -> Result<Vector3<T>, ModelError> {
        let [a, b] = self.frames.outer.motions(s.orientation)?;
        Ok(a.rotation_to(&b) * self.n_a.normalize())
    }

    fn assembly(&self) -> UniversalSpherical<T, Prismatic<T>> {
        let joint = Prismatic { e: self.n_b.normalize(), q: self.rRod2_ib };
        UniversalSpherical::new(&self.n_a, &self.rRod1_ia, joint)
    }
}
