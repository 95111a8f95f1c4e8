//! JointSSR: two spherical joints and a revolute joint, with the loop closed analytically.

use fmu_runtime::{model, structure};
use ports::assembly::look::{MassLook, RevoluteLook, RodsLook, shapes};
use ports::assembly::revolute::RevoluteJoint;
use ports::assembly::spherical::{Rod1Options, SphericalFrames, TurningRods};
use ports::assembly::{AssemblyStructure, Names};
use ports::closed_loop;

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
    pub struct JointSSR<T>(s: Structure): Indicators + Memory {
        group rods: TurningRods<T> = Rod1Options::new(s.assembly.accelerations), "Rods", name = "";
        group revolute: RevoluteJoint<T> = s.assembly.accelerations, "Revolute joint", name = "";
        parameter rods_look: RodsLook<T>, "Shapes of the rods", name = "", when = s.assembly.animation;
        parameter revolute_look: RevoluteLook<T>, "Shape of the revolute joint", name = "", when = s.assembly.animation;
        parameter mass_look: MassLook<T>, "Shape of the mass of rod 1", name = "", when = s.assembly.animation && s.showMass;

        group frames: SphericalFrames<T> = s.assembly.ports().with_frame_b_at([-1.0, 1.0, 0.0]), "Frames", name = "";
    }
}

structure! {
    /// The structure options of JointSSR.
    pub struct Structure {
        assembly: AssemblyStructure;
        unwrapAngle: bool = false, "Whether the angle counts turns instead of jumping at 180 deg";
        showMass: bool = true, "Whether the mass of rod 1 is drawn";
    }
}

const NAMES: Names<'static> = Names { assembly: "JointSSR", axis1: "" };

closed_loop!(
    JointSSR,
    "Two spherical joints and a revolute joint between two frames, with the loop closed analytically",
    revolute(unwrapAngle),
    |s| [
        shapes::rods("frame_a"),
        shapes::spherical(),
        shapes::revolute(["frame_b", "n_b"]),
        shapes::mass(s.showMass && s.assembly.accelerations),
    ]
);
