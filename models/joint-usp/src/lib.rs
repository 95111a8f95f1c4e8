//! JointUSP: universal, spherical and prismatic joint, with the loop closed analytically.

use fmu_runtime::{model, structure};
use ports::assembly::look::{BoxLook, RodsLook, UniversalLook, shapes};
use ports::assembly::prismatic::PrismaticJoint;
use ports::assembly::universal::{SlidingRods, UniversalFrames};
use ports::assembly::{AssemblyStructure, Names};
use ports::closed_loop;

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
    pub struct JointUSP<T>(s: Structure): Indicators + Memory {
        group rods: SlidingRods<T>, "Rods", name = "";
        group prismatic: PrismaticJoint<T> = s.assembly.accelerations, "Prismatic joint", name = "";
        parameter rods_look: RodsLook<T>, "Shapes of the rods", name = "", when = s.assembly.animation;
        parameter box_look: BoxLook<T> = "sphereColor", "Shape of the prismatic joint", name = "", when = s.assembly.animation;
        parameter universal_look: UniversalLook<T>, "Shape of the universal joint", name = "",
            when = s.assembly.animation && s.showUniversalAxes;

        group frames: UniversalFrames<T> = s.assembly.ports().with_frame_b_at([1.8, 0.6, 0.0]), "Frames", name = "";
    }
}

structure! {
    /// The structure options of JointUSP.
    pub struct Structure {
        assembly: AssemblyStructure;
        showUniversalAxes: bool = true, "Whether the universal joint is drawn by its two axes instead of a sphere";
    }
}

const NAMES: Names<'static> = Names { assembly: "JointUSP", axis1: "n1_a" };

closed_loop!(
    JointUSP,
    "Universal, spherical and prismatic joint between two frames, with the loop closed analytically",
    prismatic,
    rod1,
    |s| [shapes::rods("frame_ia"), shapes::universal(s.showUniversalAxes), shapes::slide(["frame_b", "frame_ib"]),]
);
