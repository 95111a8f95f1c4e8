//! JointUSP: universal, spherical and prismatic joint, with the loop closed analytically.

use assemblies::look::{BoxLook, RodsLook, UniversalLook, shapes};
use assemblies::prismatic::PrismaticJoint;
use assemblies::universal::{Rod1, UniversalFrames};
use assemblies::{check_length, component, structure};
use fmu_runtime::{Context, Equations, Jacobian, ModelError, Scalar, Shape, Source, model};
use mechanics::assembly::{Prismatic, UniversalSpherical};
use nalgebra::Vector3;

model! {
    /// Rod 1 with a universal joint at frame_a and a spherical joint on rod 2, which slides along an
    /// axis of frame_b.
    ///
    /// ```text
    /// u = rRod2_ib - T_b (r_a - r_b),   e = n_b/|n_b|,   L = |rRod1_ia|
    /// |u + e distance| = L  as  distance^2 + B distance + C = 0: two roots, one is followed
    /// B = 2 e.u,   C = u.u - L^2
    /// axis 2 of the universal joint: e2 = n1_a x eR, normalised, with eR along rod 1
    /// f_rod = -(axis.f + e.f)/(e.eR)           f: sum of all loads on rod 2                     [N]
    /// f at frame_a, frame_b: balance of forces and moments                                      [N]
    /// ```
    ///
    /// Velocities and accelerations are the derivatives of the closed form. Singular where rod 1 is
    /// perpendicular to n_b, and where it is parallel to n1_a.
    /// Source: Modelica.Mechanics.MultiBody.Joints.Assemblies.JointUSP; Woernle, Hiller.
    pub struct JointUSP<T>(s: Structure) {
        group rod1: Rod1<T>, "Rod 1", name = "";
        parameter n_b: Vector3<T> = [-1.0, 0.0, 0.0], ONE, "Axis of prismatic joint fixed and resolved in frame_b";
        parameter rRod2_ib: Vector3<T> = [-1.0, 0.0, 0.0], M, "Vector from origin of frame_ib to spherical joint, resolved in frame_ib (frame_ib is parallel to frame_b)";
        group prismatic: PrismaticJoint<T> = s.accelerations, "Prismatic joint", name = "";
        parameter rods_look: RodsLook<T>, "Shapes of the rods", name = "", when = s.animation;
        parameter box_look: BoxLook<T>, "Shape of the prismatic joint", name = "", when = s.animation;
        parameter universal_look: UniversalLook<T>, "Shape of the universal joint", name = "",
            when = s.animation && s.showUniversalAxes;

        group frames: UniversalFrames<T> = s.ports().with_frame_b_at([1.8, 0.6, 0.0]), "Frames", name = "";
    }
}

structure! {
    /// The structure options of JointUSP.
    pub struct Structure {
        showUniversalAxes: bool = true, "Whether the universal joint is drawn by its two axes instead of a sphere";
    }
}

component!(
    JointUSP,
    "n1_a",
    "Universal, spherical and prismatic joint between two frames, with the loop closed analytically"
);

impl<T: Scalar> Equations<T> for JointUSP<T> {
    type Data = ();

    fn shapes(s: &Structure) -> Vec<Shape<'static>> {
        s.drawn([shapes::rods("frame_ia"), shapes::universal(s.showUniversalAxes), shapes::slide()])
    }

    fn prepare(&self, _: &Source<'_, Structure>) -> Result<(), ModelError> {
        self.rod1.check()?;
        check_length("n_b", &self.n_b)
    }

    fn initialise(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        let assembly = self.assembly();
        self.prismatic.begin(&NAMES, &self.frames.outer, cx.structure.orientation, (&assembly.joint, assembly.length))
    }

    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        let assembly = self.assembly();
        let x = self.frames.solve(&NAMES, &cx.structure.ports(), &assembly, self.prismatic.state())?;
        self.prismatic.put(x);
        self.rod1.put(&assembly);
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

impl<T: Scalar> JointUSP<T> {
    fn assembly(&self) -> UniversalSpherical<T, Prismatic<T>> {
        self.rod1.with(Prismatic { e: self.n_b.normalize(), q: self.rRod2_ib })
    }
}
