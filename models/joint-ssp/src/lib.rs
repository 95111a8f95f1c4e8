//! JointSSP: two spherical joints and a prismatic joint, with the loop closed analytically.

use fmu_runtime::{model, structure};
use ports::assembly::look::{BoxLook, MassLook, RodsLook, shapes};
use ports::assembly::prismatic::PrismaticJoint;
use ports::assembly::spherical::{Rod1Options, SlidingRods, SphericalFrames};
use ports::assembly::{AssemblyStructure, Names};
use ports::closed_loop;

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
    pub struct JointSSP<T>(s: Structure): Indicators + Memory {
        group rods: SlidingRods<T> = Rod1Options::new(s.assembly.accelerations), "Rods", name = "";
        group prismatic: PrismaticJoint<T> = s.assembly.accelerations, "Prismatic joint", name = "";
        parameter rods_look: RodsLook<T>, "Shapes of the rods", name = "", when = s.assembly.animation;
        parameter box_look: BoxLook<T>, "Shape of the prismatic joint", name = "", when = s.assembly.animation;
        parameter mass_look: MassLook<T>, "Shape of the mass of rod 1", name = "", when = s.assembly.animation && s.showMass;

        group frames: SphericalFrames<T> = s.assembly.ports().with_frame_b_at([-0.4, 0.0, 0.8]), "Frames", name = "";
    }
}

structure! {
    /// The structure options of JointSSP.
    pub struct Structure {
        assembly: AssemblyStructure;
        showMass: bool = true, "Whether the mass of rod 1 is drawn";
    }
}

const NAMES: Names<'static> = Names { assembly: "JointSSP", axis1: "" };

closed_loop!(
    JointSSP,
    "Two spherical joints and a prismatic joint between two frames, with the loop closed analytically",
    prismatic,
    |s| [
        shapes::rods("frame_a"),
        shapes::spherical(),
        shapes::slide(["frame_b", "frame_ib"]),
        shapes::mass(s.showMass && s.assembly.accelerations),
    ]
);
