//! Assemblies of joints that close loops of a mechanism.

use nalgebra::Vector3;

use super::gravity::Gravity;
use super::pose::Pose;
use crate::Scalar;
use crate::assembly::{
    Branch, Clearance, CutLoads, DrivenJoint, InnerLoads, Line, LinePose, MassOnLine, PointMass, Prismatic, Revolute,
    Singular, SphericalSpherical, SphericalSphericalPose, Universal, UniversalPrismatic, UniversalPrismaticPose,
    UniversalSpherical, UniversalSphericalPose, clearance, length_clearance, unwrapped,
};
use crate::frame::Load;
use crate::motion::{Coordinate, Motion};

/// An assembly of any kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Assembly<T: Scalar> {
    /// JointRRR: the axis of the revolute joint is that of the universal joint at the start.
    Rrr(UniversalSpherical<T, Revolute<T>>),
    /// JointUSR.
    Usr(UniversalSpherical<T, Revolute<T>>),
    /// JointRRP and JointUSP.
    Usp(UniversalSpherical<T, Prismatic<T>>),
    /// JointSSR.
    Ssr(SphericalSpherical<T, Revolute<T>>),
    /// JointSSP.
    Ssp(SphericalSpherical<T, Prismatic<T>>),
    /// JointUPS.
    Ups(UniversalPrismatic<T>),
    /// LineForceWithMass and LineForceWithTwoMasses; its inner frame is frame_b.
    Line(Line<T>),
}

/// Configuration and axis of an assembly chosen at the start and kept, with values remembered of steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AssemblyBranch<T: Scalar> {
    /// The chosen configuration of the loop.
    pub branch: Branch,
    /// The axis of the revolute joint of JointRRR, resolved in frame_b.
    pub n_b: Vector3<T>,
    /// The coordinate at the end of the last step, which a revolute joint continues over more than one turn.
    pub last: T,
    /// The length of JointUPS at the start, in m.
    pub start_length: T,
}

impl<T: Scalar> Default for AssemblyBranch<T> {
    fn default() -> Self {
        Self { branch: Branch::Positive, n_b: Vector3::zeros(), last: T::zero(), start_length: T::one() }
    }
}

/// An assembly in motion.
#[derive(Clone, Copy, Debug)]
pub(super) enum AssemblyPose<T: Scalar> {
    Universal(UniversalSphericalPose<T>),
    Spherical(SphericalSphericalPose<T>),
    Telescope(UniversalPrismaticPose<T>),
    Line(LinePose<T>),
}

/// Factor by which rod 1 is stretched where no length closes the loop at a random point.
const STRETCH: f64 = 1.5;

impl<T: Scalar> Assembly<T> {
    /// Converts the assembly to another scalar type, number by number.
    pub fn map<U: Scalar>(&self, to: impl Fn(T) -> U) -> Assembly<U> {
        let of = |vector: &Vector3<T>| vector.map(&to);
        let universal = |joint: &Universal<T>| Universal {
            n1_a: of(&joint.n1_a),
            eR_ia: of(&joint.eR_ia),
            e2_ia: of(&joint.e2_ia),
            e3_ia: of(&joint.e3_ia),
        };
        let mass = |mass: &PointMass<T>| PointMass { m: to(mass.m), g: of(&mass.g), neglected: mass.neglected };
        let turning = |joint: &Revolute<T>| Revolute { e: of(&joint.e), q: of(&joint.q) };
        let sliding = |joint: &Prismatic<T>| Prismatic { e: of(&joint.e), q: of(&joint.q) };
        let us =
            |UniversalSpherical { universal: joint, length, joint: driven }: &UniversalSpherical<T, Revolute<T>>| {
                UniversalSpherical { universal: universal(joint), length: to(*length), joint: turning(driven) }
            };
        match self {
            Self::Rrr(own) => Assembly::Rrr(us(own)),
            Self::Usr(own) => Assembly::Usr(us(own)),
            Self::Usp(own) => Assembly::Usp(UniversalSpherical {
                universal: universal(&own.universal),
                length: to(own.length),
                joint: sliding(&own.joint),
            }),
            Self::Ssr(own) => Assembly::Ssr(SphericalSpherical {
                length: to(own.length),
                mass: mass(&own.mass),
                joint: turning(&own.joint),
            }),
            Self::Ssp(own) => Assembly::Ssp(SphericalSpherical {
                length: to(own.length),
                mass: mass(&own.mass),
                joint: sliding(&own.joint),
            }),
            Self::Ups(own) => Assembly::Ups(UniversalPrismatic { universal: universal(&own.universal) }),
            Self::Line(own) => Assembly::Line(Line {
                masses: own.masses.map(|MassOnLine { m, h, along }| MassOnLine {
                    m: to(m),
                    h: to(h),
                    along: to(along),
                }),
            }),
        }
    }

    /// True if rod 1 has a frame of its own, frame_ia.
    pub(super) fn has_ia(&self) -> bool {
        !matches!(self, Self::Ssr(_) | Self::Ssp(_) | Self::Line(_))
    }

    /// Returns the pose of frame_im seen from frame_ib; where there is none, the identity.
    pub(super) fn im(&self) -> Pose<T> {
        Pose::translation(match self {
            Self::Rrr(own) | Self::Usr(own) => own.joint.q,
            Self::Usp(own) => own.joint.q,
            Self::Ssr(own) => own.joint.q,
            Self::Ssp(own) => own.joint.q,
            Self::Ups(_) | Self::Line(_) => Vector3::zeros(),
        })
    }

    /// Adopts the axis that was chosen at the start.
    pub(super) fn assume(&mut self, assembly_branch: &AssemblyBranch<T>) {
        if let Self::Rrr(own) = self {
            own.joint.e = assembly_branch.n_b;
        }
    }

    /// Chooses the configuration and the axis at the start, with a coordinate near `guess`.
    pub(super) fn choose(&self, [a, b]: &[Motion<T>; 2], guess: T) -> Result<AssemblyBranch<T>, Singular> {
        let n_b = match self {
            Self::Rrr(own) => a.rotation_to(b) * own.universal.n1_a,
            _ => Vector3::zeros(),
        };
        let p = b.T * (a.r_0 - b.r_0);
        let mut assembly = *self;
        assembly.assume(&AssemblyBranch { n_b, ..AssemblyBranch::default() });
        let candidates = match assembly {
            Self::Rrr(own) | Self::Usr(own) => own.joint.candidates(&p, own.length)?,
            Self::Usp(own) => own.joint.candidates(&p, own.length)?,
            Self::Ssr(own) => own.joint.candidates(&p, own.length)?,
            Self::Ssp(own) => own.joint.candidates(&p, own.length)?,
            Self::Ups(_) | Self::Line(_) => [guess; 2],
        };
        Ok(AssemblyBranch {
            branch: Branch::nearest(candidates, guess),
            n_b,
            start_length: p.norm(),
            ..AssemblyBranch::default()
        })
    }

    /// Returns the distance of the loop from its dead centre.
    pub(super) fn clearance(&self, [a, b]: &[Motion<T>; 2], assembly_branch: &AssemblyBranch<T>) -> Clearance<T> {
        match self {
            Self::Rrr(own) | Self::Usr(own) => clearance(&own.joint, a, b, own.length),
            Self::Usp(own) => clearance(&own.joint, a, b, own.length),
            Self::Ssr(own) => clearance(&own.joint, a, b, own.length),
            Self::Ssp(own) => clearance(&own.joint, a, b, own.length),
            Self::Ups(_) | Self::Line(_) => length_clearance(&a.position_of(b), assembly_branch.start_length),
        }
    }

    /// Returns the length of rod 1 in m, and the ratio of small changes of the coordinate to those of the distance from
    /// the dead centre.
    pub(super) fn sizes(&self) -> [T; 2] {
        match self {
            Self::Usp(own) => [own.length; 2],
            Self::Ssp(own) => [own.length; 2],
            Self::Rrr(own) | Self::Usr(own) => [own.length, T::one()],
            Self::Ssr(own) => [own.length, T::one()],
            Self::Ups(_) | Self::Line(_) => [T::zero(), T::one()],
        }
    }

    /// Returns the reason why the loop cannot be followed in its present position.
    pub(super) fn dead_centre(&self, [a, b]: &[Motion<T>; 2]) -> Singular {
        let p = b.T * (a.r_0 - b.r_0);
        match self {
            Self::Rrr(own) | Self::Usr(own) => own.joint.reach(&p, own.length),
            Self::Usp(own) => own.joint.reach(&p, own.length),
            Self::Ssr(own) => own.joint.reach(&p, own.length),
            Self::Ssp(own) => own.joint.reach(&p, own.length),
            // At its dead centre the ends of a telescope or a line meet.
            Self::Ups(_) | Self::Line(_) => Singular::Coincident { distance: 0.0 },
        }
    }

    /// Returns the assembly with another length of rod 1, which closes the loop.
    pub(super) fn stretched(mut self, singular: &Singular) -> Self {
        let Singular::Reach { length, nearest, farthest } = *singular else { return self };
        let wanted = if farthest.is_finite() { 0.5 * (nearest + farthest) } else { nearest + STRETCH * length };
        let factor = crate::constant::<T>(wanted / length);
        match &mut self {
            Self::Rrr(own) | Self::Usr(own) => own.length *= factor,
            Self::Usp(own) => own.length *= factor,
            Self::Ssr(own) => own.length *= factor,
            Self::Ssp(own) => own.length *= factor,
            Self::Ups(_) | Self::Line(_) => {}
        }
        self
    }

    /// Computes the motion of its coordinate and its inner frames.
    // Written in place, since the pose is large.
    pub(super) fn write_pose(
        &self,
        [a, b]: &[Motion<T>; 2],
        assembly_branch: &AssemblyBranch<T>,
        found: &mut Option<AssemblyPose<T>>,
    ) -> Result<(), Singular> {
        let AssemblyBranch { branch, last, .. } = *assembly_branch;
        *found = Some(match self {
            Self::Rrr(own) | Self::Usr(own) => {
                let mut pose = own.pose(a, b, branch)?;
                pose.closed.x.x = unwrapped(pose.closed.x.x, last);
                AssemblyPose::Universal(pose)
            }
            Self::Usp(own) => AssemblyPose::Universal(own.pose(a, b, branch)?),
            Self::Ssr(own) => {
                let mut pose = own.pose(a, b, branch)?;
                pose.closed.x.x = unwrapped(pose.closed.x.x, last);
                AssemblyPose::Spherical(pose)
            }
            Self::Ssp(own) => AssemblyPose::Spherical(own.pose(a, b, branch)?),
            Self::Ups(own) => AssemblyPose::Telescope(own.pose(a, b)?),
            Self::Line(own) => AssemblyPose::Line(own.pose(a, b)?),
        });
        Ok(())
    }

    /// Returns its point masses, in kg.
    pub(super) fn points(&self) -> Vec<T> {
        match self {
            Self::Ssr(own) => vec![own.mass.m],
            Self::Ssp(own) => vec![own.mass.m],
            Self::Line(own) => own.masses.map(|mass| mass.m).to_vec(),
            Self::Rrr(_) | Self::Usr(_) | Self::Usp(_) | Self::Ups(_) => Vec::new(),
        }
    }

    /// Returns the motion of frame_ib, frame_ia if there is one, or a point mass, by their number in this order; of point masses
    /// place and acceleration only.
    pub(super) fn body(&self, ends: &[Motion<T>; 2], pose: &AssemblyPose<T>, number: usize) -> Motion<T> {
        let [a, b] = ends;
        let inner = pose.inner();
        let Some(point) = number.checked_sub(1 + usize::from(self.has_ia())) else { return *inner[number] };
        let [r_0, a_0] = match (self, pose) {
            (Self::Line(own), AssemblyPose::Line(pose)) => pose.point([a, b], &own.masses[point]),
            (_, AssemblyPose::Spherical(pose)) => middle(a, pose),
            _ => [inner[0].r_0, inner[0].a_0],
        };
        Motion { a_0, ..Motion::at_rest(r_0) }
    }

    /// Returns the loads at the outer frames, with those at frame_ib and frame_ia; gravity pulls the mass of rod 1, or
    /// those of a line.
    pub(super) fn loads(
        &self,
        ends: &[Motion<T>; 2],
        pose: &AssemblyPose<T>,
        [ib, ia]: [Load<T>; 2],
        drive: T,
        gravity: Option<&Gravity<T>>,
    ) -> CutLoads<T> {
        let inner = InnerLoads { ib, im: Load::none(), drive };
        let [a, b] = ends;
        match (self, pose) {
            (Self::Rrr(own) | Self::Usr(own), AssemblyPose::Universal(pose)) => own.loads([a, b], pose, &ia, &inner),
            (Self::Usp(own), AssemblyPose::Universal(pose)) => own.loads([a, b], pose, &ia, &inner),
            (Self::Ssr(own), AssemblyPose::Spherical(pose)) => {
                own.pulled(pulls(gravity, a, pose)).loads([a, b], pose, &inner)
            }
            (Self::Ssp(own), AssemblyPose::Spherical(pose)) => {
                own.pulled(pulls(gravity, a, pose)).loads([a, b], pose, &inner)
            }
            (Self::Ups(own), AssemblyPose::Telescope(pose)) => {
                let [a, b] = own.loads([a, b], pose, &ia, &ib, drive);
                CutLoads { a, b, f_rod: -drive, aux: T::one() }
            }
            (Self::Line(own), AssemblyPose::Line(pose)) => {
                own.loads([a, b], pose, drive, |r_0| gravity.map_or(Vector3::zeros(), |gravity| gravity.at(r_0)))
            }
            _ => CutLoads { a: Load::none(), b: Load::none(), f_rod: T::zero(), aux: T::one() },
        }
    }
}

/// Returns the acceleration of gravity in the middle of rod 1.
fn pulls<T: Scalar>(gravity: Option<&Gravity<T>>, a: &Motion<T>, pose: &SphericalSphericalPose<T>) -> Vector3<T> {
    let [place, _] = middle(a, pose);
    gravity.map_or(Vector3::zeros(), |gravity| gravity.at(&place))
}

/// Returns place and acceleration of the middle of rod 1.
fn middle<T: Scalar>(a: &Motion<T>, pose: &SphericalSphericalPose<T>) -> [Vector3<T>; 2] {
    let im = &pose.closed.im;
    [a.r_0 + im.r_0, a.a_0 + im.a_0].map(|sum| sum * crate::constant::<T>(0.5))
}

impl<T: Scalar, J: Copy> SphericalSpherical<T, J> {
    fn pulled(&self, g: Vector3<T>) -> Self {
        Self { mass: PointMass { g, ..self.mass }, ..*self }
    }
}

impl<T: Scalar> AssemblyPose<T> {
    /// Returns the coordinate of the driven joint.
    pub fn x(&self) -> Coordinate<T> {
        match self {
            Self::Universal(pose) => pose.closed.x,
            Self::Spherical(pose) => pose.closed.x,
            Self::Telescope(pose) => pose.x,
            Self::Line(pose) => pose.x,
        }
    }

    /// Returns the motion of frame_ib, then of frame_ia.
    pub fn inner(&self) -> [&Motion<T>; 2] {
        match self {
            Self::Universal(pose) => [&pose.closed.ib, &pose.universal.ia],
            Self::Spherical(pose) => [&pose.closed.ib; 2],
            Self::Telescope(pose) => [&pose.ib, &pose.universal.ia],
            Self::Line(pose) => [&pose.b; 2],
        }
    }
}
