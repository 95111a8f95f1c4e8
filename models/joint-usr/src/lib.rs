//! JointUSR: universal, spherical and revolute joint, with the loop closed analytically.

use fmu_runtime::{model, structure};
use ports::assembly::look::{RevoluteLook, RodsLook, UniversalLook, shapes};
use ports::assembly::revolute::RevoluteJoint;
use ports::assembly::universal::{TurningRods, UniversalFrames};
use ports::assembly::{AssemblyStructure, Names};
use ports::closed_loop;

model! {
    /// Rod 1 with a universal joint at frame_a and a spherical joint on rod 2, which turns about an
    /// axis of frame_b.
    ///
    /// ```text
    /// p = T_b (r_a - r_b),   q = rRod2_ib,   e = n_b/|n_b|,   L = |rRod1_ia|
    /// |p - R(e,angle)^T q| = L  as  A cos(angle) + B sin(angle) + C = 0: two roots, one is followed
    /// A = -2 (q.p - (e.q)(e.p)),   B = 2 q.(e x p),   C = p.p + q.q - L^2 - 2 (e.q)(e.p)
    /// axis 2 of the universal joint: e2 = n1_a x eR, normalised, with eR along rod 1
    /// f_rod = -(tau + e.t)/(e.(q x eR))        t: torque of all loads on rod 2 about frame_ib   [N]
    /// f at frame_a, frame_b: balance of forces and moments                                      [N]
    /// ```
    ///
    /// Velocities and accelerations are the derivatives of the closed form. Singular where rod 1 and
    /// rod 2 are in line as seen along the axis, and where rod 1 is parallel to n1_a.
    /// Source: Modelica.Mechanics.MultiBody.Joints.Assemblies.JointUSR; Woernle, Hiller.
    pub struct JointUSR<T>(s: Structure): Indicators + Memory {
        group rods: TurningRods<T>, "Rods", name = "";
        group revolute: RevoluteJoint<T> = s.assembly.accelerations, "Revolute joint", name = "";
        parameter rods_look: RodsLook<T>, "Shapes of the rods", name = "", when = s.assembly.animation;
        parameter revolute_look: RevoluteLook<T>, "Shape of the revolute joint", name = "", when = s.assembly.animation;
        parameter universal_look: UniversalLook<T>, "Shape of the universal joint", name = "",
            when = s.assembly.animation && s.showUniversalAxes;

        group frames: UniversalFrames<T> = s.assembly.ports().with_frame_b_at([1.0, 1.0, 0.0]), "Frames", name = "";
    }
}

structure! {
    /// The structure options of JointUSR.
    pub struct Structure {
        assembly: AssemblyStructure;
        unwrapAngle: bool = false, "Whether the angle counts turns instead of jumping at 180 deg";
        showUniversalAxes: bool = true, "Whether the universal joint is drawn by its two axes instead of a sphere";
    }
}

const NAMES: Names<'static> = Names { assembly: "JointUSR", axis1: "n1_a" };

closed_loop!(
    JointUSR,
    "Universal, spherical and revolute joint between two frames, with the loop closed analytically",
    revolute(unwrapAngle),
    rod1,
    |s| [shapes::rods("frame_ia"), shapes::universal(s.showUniversalAxes), shapes::revolute(["frame_b", "n_b"]),]
);
