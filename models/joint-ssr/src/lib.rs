//! JointSSR: two spherical joints and a revolute joint, with the loop closed analytically.

use assemblies::look::{RevoluteLook, RodsLook, shapes};
use assemblies::revolute::{RevoluteMemory, RevoluteOutputs, RevoluteParameters};
use assemblies::spherical::{Rod1, SphericalInputs, SphericalOutputs};
use assemblies::{Names, check_rod2, structure};
use fmu_runtime::description::DefaultExperiment;
use fmu_runtime::{Component, Context, Equations, Fault, Info, Notices, Scalar, Shape, Source, model};
use mechanics::assembly::{Revolute, SphericalSpherical};
use nalgebra::Vector3;

model! {
    /// Rod 1 with spherical joints at frame_a and on rod 2, which turns about an axis of frame_b.
    ///
    /// ```text
    /// p = T_b (r_a - r_b),   q = rRod2_ib,   e = n_b/|n_b|,   L = rod1Length
    /// |p - R(e,angle)^T q| = L  as  A cos(angle) + B sin(angle) + C = 0: two roots, one is followed
    /// A = -2 (q.p - (e.q)(e.p)),   B = 2 q.(e x p),   C = p.p + q.q - L^2 - 2 (e.q)(e.p)
    /// force on the mass: rod1Mass ((a_a + a_im)/2 - g), half of its part across the rod at each end
    /// f_rod = -(tau + e.t)/(e.(q x eR))        t: torque of all loads on rod 2 about frame_ib   [N]
    /// f at frame_a, frame_b: balance of forces and moments                                      [N]
    /// ```
    ///
    /// Velocities and accelerations are the derivatives of the closed form. Singular where rod 1 and
    /// rod 2 are in line as seen along the axis.
    /// Source: Modelica.Mechanics.MultiBody.Joints.Assemblies.JointSSR; Woernle, Hiller.
    pub struct JointSSR<T>(s: Structure) {
        parameter rod: Rod1<T> = s.accelerations, "Rod 1", name = "";
        parameter n_b: Vector3<T> = [0.0, 0.0, 1.0], ONE, "Axis of the revolute joint, fixed and resolved in frame_b";
        parameter rRod2_ib: Vector3<T> = [1.0, 0.0, 0.0], M, "Vector from frame_ib to the spherical joint, resolved in frame_ib";
        parameter revolute: RevoluteParameters<T>, "Revolute joint", name = "";
        parameter rods_look: RodsLook<T>, "Shapes of the rods", name = "", when = s.animation;
        parameter revolute_look: RevoluteLook<T>, "Shape of the revolute joint", name = "", when = s.animation;
        parameter massDiameter: T = 0.1, M, "Diameter of the sphere that shows the mass of rod 1", min = 0.0, when = s.animation && s.showMass;
        parameter massColor: [i32; 3] = [0, 128, 255], "Colour of that sphere: red, green, blue", min = 0.0, max = 255.0,
            when = s.animation && s.showMass;

        input u: SphericalInputs<T> = s.ports([-1.0, 1.0, 0.0]), "Frames", name = "";
        input tau: T, N_M, "Flange that drives the revolute joint: torque into the joint, along n_b on rod 2", name = "axis.tau";
        output y: SphericalOutputs<T> = s.ports([0.0; 3]), "Frames", name = "";
        output joint: RevoluteOutputs<T> = s.accelerations, "Revolute joint", name = "";

        memory last: RevoluteMemory<T>, "Configuration";
    }
}

structure! {
    /// The structure options of JointSSR.
    pub struct Structure {
        unwrapAngle: bool = false, "Whether the angle counts turns instead of jumping at 180 deg";
        showMass: bool = true, "Whether the mass of rod 1 is drawn";
    }
}

impl Component for JointSSR<f64> {
    const INFO: Info = Info {
        name: "JointSSR",
        description: "Two spherical joints and a revolute joint between two frames, with the loop closed analytically",
        icon: include_str!("../icon.svg"),
        packages: &[(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")), assemblies::PACKAGE, mechanics::PACKAGE],
        experiment: DefaultExperiment { start_time: 0.0, stop_time: 10.0, step_size: 1e-3, tolerance: 1e-6 },
    };
    type Structure = Structure;
    type Data = ();
    type In<T: Scalar> = JointSSR<T>;
}

const NAMES: Names = Names { assembly: "JointSSR", axis1: "" };

impl<T: Scalar> Equations<T> for JointSSR<T> {
    type Data = ();
    const HAS_MEMORY: bool = true;

    fn shapes(s: &Structure) -> Vec<Shape<'static>> {
        if !s.animation {
            return Vec::new();
        }
        let mass = (s.showMass && s.accelerations).then(shapes::mass);
        let joints = [shapes::ball("sphericalShape_a", "frame_a"), shapes::revolute()];
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
        self.last.begin(self.u.first_branch(&NAMES, &o, &self.assembly(), self.revolute.guess())?);
        Ok(())
    }

    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), Fault> {
        let (s, assembly) = (cx.structure, self.assembly());
        let x = self.u.solve(&NAMES, &s.ports([0.0; 3]), &assembly, self.last.branch(), self.tau, &mut self.y)?;
        self.joint = RevoluteOutputs::of(x, self.tau, &self.revolute, s.unwrapAngle.then_some(&self.last));
        Ok(())
    }

    fn completed_step(&mut self, _: &Context<'_, T, Self>, _: &mut Notices) {
        self.last.angle = self.joint.angle;
    }
}

impl<T: Scalar> JointSSR<T> {
    fn check(&self) -> Result<(), Fault> {
        check_rod2(("n_b", &self.n_b), ("rRod2_ib", &self.rRod2_ib))
    }

    fn assembly(&self) -> SphericalSpherical<T, Revolute<T>> {
        let joint = Revolute { e: self.n_b.normalize(), q: self.rRod2_ib };
        SphericalSpherical { length: self.rod.rod1Length, mass: self.rod.mass(), joint }
    }
}
