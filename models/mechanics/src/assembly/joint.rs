//! The driven joint at frame_b, and the loop that rod 1 closes with it.

use nalgebra::Vector3;

use crate::Scalar;
use crate::assembly::{Branch, Clearance, Singular};
use crate::frame::Load;
use crate::motion::{Coordinate, Motion, RelativePosition};

/// The driven joint between frame_b and rod 2.
pub trait DrivenJoint<T: Scalar> {
    /// Returns the vector of rod 2 from frame_ib to the spherical joint, resolved in frame_ib, in m.
    fn rod2(&self) -> &Vector3<T>;

    /// Returns the coordinates of the positive and the negative branch, with frame_a at `p` relative to frame_b and rod
    /// 1 of length `length`.
    fn candidates(&self, p: &Vector3<T>, length: T) -> Result<[T; 2], Singular>;

    /// Returns the distances that rod 1 can span with frame_a at `p` relative to frame_b, and its length.
    fn reach(&self, p: &Vector3<T>, length: T) -> Singular;

    /// Returns the square of the distance from the dead centre, with its derivatives, in 1, 1/s and 1/s2: see
    /// [`Clearance`].
    fn clearance_square(&self, p: &RelativePosition<T>, length: T) -> [T; 3];

    /// Solves the loop for the joint's coordinate and the motion of frame_ib.
    fn close(
        &self,
        b: &Motion<T>,
        p: &RelativePosition<T>,
        length: T,
        branch: Branch,
    ) -> Result<(Coordinate<T>, Motion<T>), Singular>;

    /// Returns the component of a load about the origin of frame_ib along the coordinate, in N.m or N.
    fn along(&self, load: &Load<T>) -> T;

    /// Returns the cut load at frame_b that balances a load about the origin of frame_ib, resolved there.
    fn cut_load(&self, b: &Motion<T>, ib: &Motion<T>, x: T, load: &Load<T>) -> Load<T>;
}

/// Motion of a closed loop: its coordinate and its inner frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosedLoop<T: Scalar> {
    /// Coordinate of the driven joint.
    pub x: Coordinate<T>,
    /// Frame fixed in rod 2 at the driven joint.
    pub ib: Motion<T>,
    /// Frame fixed in rod 2 at the spherical joint.
    pub im: Motion<T>,
}

/// Closes the loop with rod 1 of length `length` between frame_a and the spherical joint.
#[inline(always)]
pub fn close<T: Scalar>(
    joint: &impl DrivenJoint<T>,
    a: &Motion<T>,
    b: &Motion<T>,
    length: T,
    branch: Branch,
) -> Result<ClosedLoop<T>, Singular> {
    let (x, ib) = joint.close(b, &b.position_of(a), length, branch)?;
    Ok(ClosedLoop { x, im: ib.translated(joint.rod2()), ib })
}

/// Returns the distance of a loop from its dead centre, with rod 1 of length `length`.
pub fn clearance<T: Scalar>(joint: &impl DrivenJoint<T>, a: &Motion<T>, b: &Motion<T>, length: T) -> Clearance<T> {
    Clearance::from_square(joint.clearance_square(&b.position_of(a), length))
}

/// Selects the branch whose coordinate is nearer to `guess`.
pub fn first_branch<T: Scalar>(
    joint: &impl DrivenJoint<T>,
    a: &Motion<T>,
    b: &Motion<T>,
    length: T,
    guess: T,
) -> Result<Branch, Singular> {
    let p = b.T * (a.r_0 - b.r_0);
    Ok(Branch::nearest(joint.candidates(&p, length)?, guess))
}
