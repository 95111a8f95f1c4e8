//! Joint assemblies: three joints between frame_a and frame_b whose loop is closed analytically.
//!
//! Every assembly takes the motion of frame_a and frame_b and has as many degrees of freedom as
//! these, so it adds no constraint; position, velocity and acceleration of its inner frames follow
//! in closed form. Letters of the equations: a, b the outer frames; ia fixed in rod 1 at frame_a; ib
//! fixed in rod 2 at frame_b; im at the spherical joint, parallel to ib; `q` the vector of rod 2 from
//! ib to im; `L` the length of rod 1; `eR` the unit vector along rod 1.
//!
//! Source: Woernle, Hiller: characteristic pair of joints; Modelica.Mechanics.MultiBody.Joints.Assemblies.

mod branch;
mod clearance;
mod dead_centre_passage;
mod joint;
mod line;
mod loads;
mod prismatic;
mod revolute;
mod singular;
mod spherical_spherical;
mod universal;
mod universal_prismatic_spherical;
mod universal_spherical;

pub use branch::Branch;
pub use clearance::{Clearance, Outlook};
pub use dead_centre_passage::{has_met, has_passed};
pub use joint::{ClosedLoop, DrivenJoint, clearance, close, first_branch};
pub use line::{Line, LinePose, MassOnLine};
pub use loads::{CutLoads, InnerLoads, Rod2Balance, Rod2Lever};
pub use prismatic::Prismatic;
pub use revolute::{Revolute, unwrapped};
pub use singular::Singular;
pub use spherical_spherical::{PointMass, SphericalSpherical, SphericalSphericalPose};
pub use universal::{PARALLEL, Universal, UniversalPose};
pub use universal_prismatic_spherical::{UniversalPrismatic, UniversalPrismaticPose, length_clearance};
pub use universal_spherical::{UniversalSpherical, UniversalSphericalPose};
