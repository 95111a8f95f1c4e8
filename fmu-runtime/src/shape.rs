//! Shapes that a viewer draws of a component, by the names of its variables.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// What a shape looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ShapeKind {
    /// A cylinder of the diameter `width`.
    Cylinder,
    /// A sphere of the diameter `width`.
    Sphere,
    /// A box.
    Box,
}

/// A shape. Every text but the name is the name of a variable, or of a frame, which has the variables
/// `r_0[3]` and one of `R.T[3,3]`, `Q[4]`, `phi[3]`.
///
/// It lies along the line from the origin of one frame to that of another, or in the middle of it if
/// it is a sphere; without another frame its middle is at the origin, along `direction`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// Name, unique within the component.
    pub name: Cow<'static, str>,
    /// What it looks like.
    pub kind: ShapeKind,
    /// The frame at which it begins.
    pub frame: Cow<'static, str>,
    /// The frame at which it ends.
    pub to: Option<Cow<'static, str>>,
    /// Vector along it, resolved in the frame where it begins.
    pub direction: Option<Cow<'static, str>>,
    /// Vector along its width, resolved in the frame where it begins.
    pub width_direction: Option<Cow<'static, str>>,
    /// Length, in m.
    pub length: Option<Cow<'static, str>>,
    /// Width or diameter, in m.
    pub width: Cow<'static, str>,
    /// Height of a box, in m.
    pub height: Option<Cow<'static, str>>,
    /// It is drawn where this is positive.
    pub condition: Option<Cow<'static, str>>,
    /// Colour, three Integers from 0 to 255.
    pub color: Cow<'static, str>,
    /// Reflection of ambient light.
    pub specular_coefficient: Cow<'static, str>,
}

impl Shape {
    fn new(kind: ShapeKind, name: &'static str, frame: &'static str, [width, color]: [&'static str; 2]) -> Self {
        Self {
            name: Cow::Borrowed(name),
            kind,
            frame: Cow::Borrowed(frame),
            to: None,
            direction: None,
            width_direction: None,
            length: None,
            width: Cow::Borrowed(width),
            height: None,
            condition: None,
            color: Cow::Borrowed(color),
            specular_coefficient: Cow::Borrowed("specularCoefficient"),
        }
    }

    /// A sphere at a frame, with the variables of diameter and colour.
    pub fn sphere(name: &'static str, frame: &'static str, look: [&'static str; 2]) -> Self {
        Self::new(ShapeKind::Sphere, name, frame, look)
    }

    /// A cylinder from one frame to another, with the variables of diameter and colour.
    pub fn rod(name: &'static str, [frame, to]: [&'static str; 2], look: [&'static str; 2]) -> Self {
        Self::new(ShapeKind::Cylinder, name, frame, look).to(to)
    }

    /// A cylinder about a frame, with the variables of direction, length, diameter and colour.
    pub fn axis(name: &'static str, frame: &'static str, look: [&'static str; 4]) -> Self {
        let [direction, length, diameter, color] = look;
        Self {
            direction: Some(Cow::Borrowed(direction)),
            length: Some(Cow::Borrowed(length)),
            ..Self::new(ShapeKind::Cylinder, name, frame, [diameter, color])
        }
    }

    /// A box from one frame to another, with the variables of the direction of the width, of width,
    /// height and colour.
    pub fn slide(name: &'static str, [frame, to]: [&'static str; 2], look: [&'static str; 4]) -> Self {
        let [direction, width, height, color] = look;
        Self {
            width_direction: Some(Cow::Borrowed(direction)),
            height: Some(Cow::Borrowed(height)),
            ..Self::new(ShapeKind::Box, name, frame, [width, color]).to(to)
        }
    }

    /// The same where the variable `condition` is positive.
    pub fn only_if(self, condition: &'static str) -> Self {
        Self { condition: Some(Cow::Borrowed(condition)), ..self }
    }

    /// The same with an end at another frame.
    pub fn to(self, frame: &'static str) -> Self {
        Self { to: Some(Cow::Borrowed(frame)), ..self }
    }
}
