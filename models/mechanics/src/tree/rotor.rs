//! Rotors, which turn in bearings on links.
//!
//! ```text
//! 2 T = ... + J w^2 + 2 J w e.omega        w: of the rotor with respect to its link, which has its inertia at rest there
//! t   = ... + J a e + omega x J w e        what moves the link
//! tau = J a + J e.z                        what moves the rotor; J a is among the inertias of the positions
//! ```

use nalgebra::Vector3;

use super::element::Rotor;
use super::link::{LinkPose, UnitResponse};
use super::masses::between;
use super::{Tree, Workspace};
use crate::Scalar;
use crate::frame::Load;
use crate::motion::Motion;

impl<T: Scalar> Tree<T> {
    /// Returns the link that has a frame, none for the world, and a direction at the frame, resolved in the link.
    pub fn on_link(&self, frame: usize, direction: &Vector3<T>) -> (Option<usize>, Vector3<T>) {
        let (link, pose): &LinkPose<T> = &self.frames[frame];
        (*link, pose.T.tr_mul(direction))
    }

    /// Sets velocities and accelerations of the rotors.
    pub(super) fn turn_rotors(&self, workspace: &mut Workspace<T>, [_, v, a]: [&[T]; 3]) {
        for ((_, Rotor { position, .. }), turn) in self.rotors.iter().zip(&mut workspace.turns) {
            *turn = [v[*position], a[*position]];
        }
    }

    /// Adds to the loads on links what their rotors need, and passes what moves each rotor with its link.
    pub(super) fn load_rotors(
        &self,
        motions: &[Motion<T>],
        turns: &[[T; 2]],
        loads: &mut [Load<T>],
        pass: &mut impl FnMut(usize, T),
    ) {
        for ((link, Rotor { J, e, position }), [w, a]) in self.rotors.iter().zip(turns) {
            let motion = &motions[*link];
            loads[*link].t += e * (*J * *a) + motion.w.cross(&(e * (*J * *w)));
            pass(*position, *J * e.dot(&motion.z));
        }
    }

    /// Passes the entries of M between rotors and the joints on which no assembly depends.
    pub(super) fn open_rotor_masses(&self, workspace: &Workspace<T>, pass: &mut impl FnMut([usize; 2], T)) {
        for (link, Rotor { J, e, position }) in &self.rotors {
            let e = workspace.motions[*link].T.tr_mul(e) * *J;
            let mut next = Some(*link);
            while let Some(axis) = next.and_then(|link| self.open(link)) {
                for i in 0..axis.kind.count() {
                    let [_, z] = &workspace.axes[axis.first + i];
                    let positions = [*position, axis.position + i];
                    pass(positions, between(positions, e.dot(z)));
                }
                next = axis.parent;
            }
        }
    }

    /// Passes the entries of M between rotors and another joint at a position, whose links move as its column of M says.
    pub(super) fn rotor_masses(
        &self,
        units: &[UnitResponse<T>],
        touched: &[std::ops::Range<usize>],
        joint: usize,
        pass: &mut impl FnMut([usize; 2], T),
    ) {
        for (link, Rotor { J, e, position }) in &self.rotors {
            if touched.iter().any(|links| links.contains(link)) {
                pass([*position, joint], between([*position, joint], *J * e.dot(&units[*link].z)));
            }
        }
    }
}
