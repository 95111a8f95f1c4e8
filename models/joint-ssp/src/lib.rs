//! JointSSP: two spherical joints and a prismatic joint, with the loop closed analytically.

use assemblies::look::{BoxLook, RodsLook, shapes};
use assemblies::prismatic::{PrismaticOutputs, PrismaticParameters};
use assemblies::spherical::{Rod1, SphericalInputs, SphericalOutputs};
use assemblies::{Names, check_length, structure};
use fmu_runtime::description::DefaultExperiment;
use fmu_runtime::{Component, Context, Equations, Fault, Info, Notices, Scalar, Shape, Source, model};
use mechanics::assembly::{Branch, PointMass, Prismatic, SphericalSpherical};
use nalgebra::Vector3;

model! {
    /// Rod 1 with spherical joints at frame_a and on rod 2, which slides along an axis of frame_b.
    ///
    /// ```text
    /// u = rRod2_ib - T_b (r_a - r_b),   e = n_b/|n_b|,   L = rod1Length
    /// |u + e distance| = L  as  distance^2 + B distance + C = 0: two roots, one is followed
    /// B = 2 e.u,   C = u.u - L^2
    /// force on the mass: rod1Mass ((a_a + a_im)/2 - g), half of its part across the rod at each end
    /// f_rod = -(axis.f + e.f)/(e.eR)           f: sum of all loads on rod 2, the mass's share too [N]
    /// f at frame_a, frame_b: balance of forces and moments                                      [N]
    /// ```
    ///
    /// Velocities and accelerations are the derivatives of the closed form. Singular where rod 1 is
    /// perpendicular to n_b.
    /// Source: Modelica.Mechanics.MultiBody.Joints.Assemblies.JointSSP, whose f_rod leaves the mass
    /// out; Woernle, Hiller.
    pub struct JointSSP<T>(s: Structure) {
        parameter rod: Rod1<T> = s.accelerations, "Rod 1", name = "";
        parameter n_b: Vector3<T> = [0.0, 0.0, 1.0], ONE, "Axis of the prismatic joint, fixed and resolved in frame_b";
        parameter rRod2_ib: Vector3<T> = [1.0, 0.0, 0.0], M, "Vector from frame_ib to the spherical joint, resolved in frame_ib";
        parameter prismatic: PrismaticParameters<T>, "Prismatic joint", name = "";
        parameter mslRodForce: bool = false, "Whether f_rod leaves out the mass of rod 1, as the Modelica Standard Library does: forces are then not balanced", when = s.accelerations;
        parameter rods_look: RodsLook<T>, "Shapes of the rods", name = "", when = s.animation;
        parameter box_look: BoxLook<T>, "Shape of the prismatic joint", name = "", when = s.animation;
        parameter massDiameter: T = 0.1, M, "Diameter of the sphere that shows the mass of rod 1", min = 0.0, when = s.animation && s.showMass;
        parameter massColor: [i32; 3] = [0, 128, 255], "Colour of that sphere: red, green, blue", min = 0.0, max = 255.0,
            when = s.animation && s.showMass;

        input u: SphericalInputs<T> = s.ports([-0.4, 0.0, 0.8]), "Frames", name = "";
        input f: T, N, "Flange that drives the prismatic joint: force into the joint, along n_b on rod 2", name = "axis.f";
        output y: SphericalOutputs<T> = s.ports([0.0; 3]), "Frames", name = "";
        output joint: PrismaticOutputs<T> = s.accelerations, "Prismatic joint", name = "";

        memory positiveBranch: bool, "Whether the loop is in the configuration of the positive root";
    }
}

structure! {
    /// The structure options of JointSSP.
    pub struct Structure {
        showMass: bool = true, "Whether the mass of rod 1 is drawn";
    }
}

impl Component for JointSSP<f64> {
    const INFO: Info = Info {
        name: "JointSSP",
        description: "Two spherical joints and a prismatic joint between two frames, with the loop closed analytically",
        icon: include_str!("../icon.svg"),
        packages: &[(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")), assemblies::PACKAGE, mechanics::PACKAGE],
        experiment: DefaultExperiment { start_time: 0.0, stop_time: 10.0, step_size: 1e-3, tolerance: 1e-6 },
    };
    type Structure = Structure;
    type Data = ();
    type In<T: Scalar> = JointSSP<T>;
}

const NAMES: Names = Names { assembly: "JointSSP", axis1: "" };

impl<T: Scalar> Equations<T> for JointSSP<T> {
    type Data = ();

    fn shapes(s: &Structure) -> Vec<Shape<'static>> {
        if !s.animation {
            return Vec::new();
        }
        let mass = (s.showMass && s.accelerations).then(shapes::mass);
        let joints = [shapes::ball("sphericalShape_a", "frame_a"), shapes::slide()];
        shapes::rods("frame_a").into_iter().chain(joints).chain(mass).collect()
    }

    fn review(&self, _: &Structure, _: &mut Notices) -> Result<(), Fault> {
        self.check()
    }

    fn prepare(&self, _: &Source<'_, Structure>) -> Result<(), Fault> {
        self.check()
    }

    fn initialise(&mut self, cx: &Context<'_, T, Self>) -> Result<(), Fault> {
        let o = cx.structure.ports([0.0; 3]);
        self.positiveBranch =
            self.u.first_branch(&NAMES, &o, &self.assembly(), self.prismatic.guess())? == Branch::Positive;
        Ok(())
    }

    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), Fault> {
        let (o, assembly) = (cx.structure.ports([0.0; 3]), self.assembly());
        let x = self.u.solve(&NAMES, &o, &assembly, Branch::new(self.positiveBranch), self.f, &mut self.y)?;
        self.joint = PrismaticOutputs::of(x, self.f, &self.prismatic);
        Ok(())
    }
}

impl<T: Scalar> JointSSP<T> {
    fn check(&self) -> Result<(), Fault> {
        check_length("n_b", &self.n_b)
    }

    fn assembly(&self) -> SphericalSpherical<T, Prismatic<T>> {
        let joint = Prismatic { e: self.n_b.normalize(), q: self.rRod2_ib };
        let mass = PointMass { neglected: self.mslRodForce, ..self.rod.mass() };
        SphericalSpherical { length: self.rod.rod1Length, mass, joint }
    }
}
