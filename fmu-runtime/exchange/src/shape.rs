//! Shapes that a viewer draws of a component, by the names of its variables.

use serde::{Deserialize, Serialize};

/// A shape: keys with their values, in the order in which they are written. The keys and the
/// file are described in `fmu-builder/src/description/shapes.rs`.
///
/// It is this simple because the code that passes it on is in every FMU.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape<'a>(#[serde(borrow)] pub Vec<(&'a str, &'a str)>);

// Not inlined into the components, which are compiled for speed.
impl Shape<'static> {
    #[inline(never)]
    fn new(kind: &'static str, name: &'static str, frame: &'static str, [width, color]: [&'static str; 2]) -> Self {
        let specular = ("specularCoefficient", "specularCoefficient");
        Self(vec![("name", name), ("type", kind), ("frame", frame), ("width", width), ("color", color), specular])
    }

    #[inline(never)]
    fn with(mut self, key: &'static str, value: &'static str) -> Self {
        self.0.push((key, value));
        self
    }

    /// Makes a sphere at a frame, with the variables of diameter and colour.
    #[inline(never)]
    pub fn sphere(name: &'static str, frame: &'static str, look: [&'static str; 2]) -> Self {
        Self::new("sphere", name, frame, look)
    }

    /// Makes a cylinder from one frame to another, with the variables of diameter and colour.
    #[inline(never)]
    pub fn rod(name: &'static str, [frame, to]: [&'static str; 2], look: [&'static str; 2]) -> Self {
        Self::new("cylinder", name, frame, look).to(to)
    }

    /// Makes a cylinder about a frame, with the variables of direction, length, diameter and colour.
    #[inline(never)]
    pub fn axis(name: &'static str, frame: &'static str, look: [&'static str; 4]) -> Self {
        let [direction, length, diameter, color] = look;
        Self::new("cylinder", name, frame, [diameter, color]).with("direction", direction).with("length", length)
    }

    /// Makes a box from one frame to another, with the variables of the direction of the width, of width, height and
    /// colour.
    pub fn slide(name: &'static str, [frame, to]: [&'static str; 2], look: [&'static str; 4]) -> Self {
        let [direction, width, height, color] = look;
        let shape = Self::new("box", name, frame, [width, color]).to(to);
        shape.with("widthDirection", direction).with("height", height)
    }

    /// Makes a box about a frame, with the variables of direction and length, direction of the width, width, height and
    /// colour.
    pub fn block(name: &'static str, frame: &'static str, look: [&'static str; 6]) -> Self {
        let [direction, length, across, width, height, color] = look;
        let shape = Self::new("box", name, frame, [width, color]).with("direction", direction).with("length", length);
        shape.with("widthDirection", across).with("height", height)
    }

    /// Makes a cylinder from the origin of a frame to the place `at`, with the variables of diameter and colour.
    pub fn arm(name: &'static str, frame: &'static str, at: &'static str, look: [&'static str; 2]) -> Self {
        Self::new("cylinder", name, frame, look).at(at)
    }

    /// Moves the shape from the origin to a place of its frame, which this variable gives.
    pub fn at(self, place: &'static str) -> Self {
        self.with("at", place)
    }

    /// Draws the shape only while the variable `condition` is positive.
    pub fn only_if(self, condition: &'static str) -> Self {
        self.with("if", condition)
    }

    /// Ends the shape at another frame.
    pub fn to(self, frame: &'static str) -> Self {
        self.with("to", frame)
    }
}
