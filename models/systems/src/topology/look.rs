//! Animation of a system: the shapes of parts in space, and the frames whose motion a viewer needs.

use fmu_runtime::{Attributes, ElementVisitor, Prefix, RowKind, Scalar, Shape, Size, Variable, Writer, group};
use mechanics::motion::Motion;
use nalgebra::Matrix3;

use crate::parts::Origin;

/// A shape, as keys with values in terms of the system's variables.
pub type Entries = Vec<(&'static str, String)>;

/// Shapes and frames that a viewer draws.
#[derive(Debug, Default)]
pub struct Look {
    /// Shapes with their parameters.
    pub shapes: Vec<Entries>,
    /// Frames that the shapes need, with the places of their variables.
    pub frames: Vec<ViewedFrame>,
}

/// A frame whose motion a viewer needs.
#[derive(Debug)]
pub struct ViewedFrame {
    /// Number of the frame in the mechanism.
    pub frame: usize,
    /// Name of the frame.
    pub name: String,
    /// Index of its first variable among the Reals.
    pub place: usize,
    /// True if its origin is among its variables: that of some frames is a variable of a part.
    pub has_origin: bool,
    /// True if its orientation is among its variables.
    pub has_orientation: bool,
}

group! {
    /// The orientation of a frame.
    struct Orientation<T>(_o: ()) {
        T: Matrix3<T>, ONE, "Rotation matrix from the world frame to this frame", name = "R.T";
    }
}

impl Look {
    /// Returns the shapes.
    pub fn shapes(&self) -> Vec<Shape<'_>> {
        let shapes = self.shapes.iter().map(|entries| entries.iter().map(|(key, value)| (*key, value.as_str())));
        shapes.map(|entries| Shape(entries.collect())).collect()
    }

    /// Passes the rows of the frames to a visitor.
    pub fn declare(&self, visitor: &mut dyn ElementVisitor) {
        for seen in &self.frames {
            let prefix = Prefix::new(&seen.name, &seen.name, None);
            let attributes = Attributes::part(&prefix).with_kind(RowKind::local);
            if seen.has_origin {
                <Origin<f64> as Variable<f64>>::declare(&attributes, None, visitor);
            }
            if seen.has_orientation {
                <Orientation<f64> as Variable<f64>>::declare(&attributes, None, visitor);
            }
        }
    }
}

impl ViewedFrame {
    /// Returns the number of values of the frame's variables.
    pub fn size(&self) -> Size {
        let of = |exists, size| if exists { size } else { Size::NONE };
        let origin = of(self.has_origin, <Origin<f64> as Variable<f64>>::SIZE);
        origin.plus(of(self.has_orientation, <Orientation<f64> as Variable<f64>>::SIZE))
    }

    /// Writes the variables of the frame.
    pub fn set_outputs<T: Scalar>(&self, motion: &Motion<T>, reals: &mut [T]) {
        let mut writer = Writer::new(&mut reals[self.place..], &mut [], &mut []);
        if self.has_origin {
            Origin { r_0: motion.r_0 }.write(&mut writer);
        }
        if self.has_orientation {
            Orientation { T: motion.T }.write(&mut writer);
        }
    }
}
