//! Structure options that every assembly has.

use crate::{AcceleratedFrameOptions, FrameOptions, Orientation};
use fmu_runtime::{Shape, structure};

/// The options of the ports.
#[allow(non_snake_case)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PortOptions {
    /// Representation of the orientation of the frames.
    pub orientation: Orientation,
    /// True if accelerations are variables.
    pub accelerations: bool,
    /// True if there is the output `totalPower`.
    pub checkTotalPower: bool,
    /// Position of frame_b at the start, in m.
    pub frame_b: [f64; 3],
}

impl PortOptions {
    /// Returns the options of a frame with the start position `r_0`.
    pub fn at(&self, r_0: [f64; 3]) -> AcceleratedFrameOptions {
        let frame = FrameOptions { orientation: self.orientation, r_0 };
        AcceleratedFrameOptions { accelerations: self.accelerations, frame }
    }

    /// Returns the options with frame_b at `r_0` at the start.
    pub fn with_frame_b_at(self, r_0: [f64; 3]) -> Self {
        Self { frame_b: r_0, ..self }
    }

    /// Returns the options of a frame that the assembly computes.
    pub fn computed(&self) -> AcceleratedFrameOptions {
        self.at([0.0; 3])
    }
}

structure! {
    /// The structure options that every assembly has.
    pub struct AssemblyStructure {
        orientation: Orientation = Orientation::matrix, "How the orientation of the frames is given";
        accelerations: bool = true, "Whether the accelerations are variables, of the frames and of the axis";
        checkTotalPower: bool = false, "Adds the output totalPower";
        animation: bool = true, "Adds what a viewer needs: parameters of the shapes, and their description";
    }
}

impl AssemblyStructure {
    /// Returns the options of the ports.
    #[inline]
    pub fn ports(&self) -> PortOptions {
        PortOptions {
            orientation: self.orientation,
            accelerations: self.accelerations,
            checkTotalPower: self.checkTotalPower,
            frame_b: [0.0; 3],
        }
    }

    /// Returns the shapes, if they are drawn.
    pub fn drawn<const N: usize>(&self, parts: [Vec<Shape<'static>>; N]) -> Vec<Shape<'static>> {
        if self.animation { parts.concat() } else { Vec::new() }
    }
}
