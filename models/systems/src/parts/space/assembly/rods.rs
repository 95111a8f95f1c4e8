//! What is between frame_a and the driven joint of an assembly.

use fmu_runtime::{Connector, ModelError, Scalar, Variable};
use mechanics::motion::Motion;
use mechanics::tree::{Assembly, AssemblyFrames};
use nalgebra::Vector3;

/// The numbers of the frames of rods with a universal joint, among those of the part.
pub const UNIVERSAL: AssemblyFrames = AssemblyFrames { outer: [0, 1], ia: Some(2), ib: 3, im: Some(4) };

/// Rods of an assembly, as variables.
pub trait Rods<T: Scalar>: Variable<T> {
    /// The numbers of the frames among those of the part, as [`connectors`] counts them.
    const FRAMES: AssemblyFrames;

    /// Refuses parameters with which they cannot work.
    fn check(&self) -> Result<(), ModelError>;

    /// What they are.
    fn assembly(&self) -> Assembly<T>;

    /// Refuses ends between which they do not fit at the start.
    fn check_ends(&self, _ends: &[Motion<T>; 2]) -> Result<(), ModelError> {
        Ok(())
    }

    /// Takes the axis of the revolute joint at the start, resolved in frame_b, if it is not a parameter.
    fn begin(&mut self, _n_b: &Vector3<T>) {}

    /// This axis.
    fn n_b(&self) -> Vector3<T> {
        Vector3::zeros()
    }

    /// Sets what follows from the parameters.
    fn set_outputs(&mut self) {}
}

/// The connectors of frames with these numbers.
pub fn connectors(frames: AssemblyFrames) -> Vec<(&'static str, Connector)> {
    let mut connectors = vec![("frame_a", Connector::Frame_a), ("frame_b", Connector::Frame_b)];
    connectors.extend(frames.ia.map(|_| ("frame_ia", Connector::Frame_a)));
    connectors.push(("frame_ib", Connector::Frame_b));
    connectors.extend(frames.im.map(|_| ("frame_im", Connector::Frame_b)));
    connectors
}
