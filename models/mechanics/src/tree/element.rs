//! Elements of which a mechanism consists: bodies, joints, rigid connections, assemblies.

use nalgebra::{Matrix3, Vector3};

use super::assembly::Assembly;
use super::gravity::Gravity;
use super::joint::{Closing, Joint};
use super::pose::Pose;
use crate::Scalar;

/// A rigid body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(non_snake_case)]
pub struct Body<T: Scalar> {
    /// Mass, in kg.
    pub m: T,
    /// Center of mass, resolved in the frame of the body, in m.
    pub r_CM: Vector3<T>,
    /// Inertia tensor about the center of mass, resolved in the frame of the body, in kg.m2.
    pub I: Matrix3<T>,
}

/// A rotor, whose angle counts from what carries it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(non_snake_case)]
pub struct Rotor<T: Scalar> {
    /// Moment of inertia about the axis, in kg.m2.
    pub J: T,
    /// Axis of rotation, a unit vector.
    pub e: Vector3<T>,
    /// Number of the rotor's angle among the positions.
    pub position: usize,
}

/// The frames of an assembly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AssemblyFrames {
    /// frame_a and frame_b.
    pub outer: [usize; 2],
    /// frame_ia, where there is one: fixed in rod 1.
    pub ia: Option<usize>,
    /// frame_ib: fixed in rod 2.
    pub ib: usize,
    /// frame_im, where there is one: at the joint between the rods, parallel to frame_ib.
    pub im: Option<usize>,
}

impl AssemblyFrames {
    /// Renumbers the frames.
    fn renumbered(self, number: impl Fn(usize) -> usize) -> Self {
        let Self { outer, ia, ib, im } = self;
        Self { outer: outer.map(&number), ia: ia.map(&number), ib: number(ib), im: im.map(&number) }
    }
}

/// An element of a mechanism between frames, which are given by their numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Element<T: Scalar> {
    /// The world frame, with gravity.
    World {
        /// Number of the world frame.
        frame: usize,
        /// Gravity that acts on the bodies.
        gravity: Gravity<T>,
    },
    /// A frame at rest, with this pose seen from the world frame.
    Fixed {
        /// Number of the frame.
        frame: usize,
        /// Pose of the frame, seen from the world frame.
        pose: Pose<T>,
    },
    /// Two frames that do not move with respect to each other; the pose is that of the second one, seen from the first one.
    Rigid {
        /// Numbers of the two frames.
        frames: [usize; 2],
        /// Pose of the second frame, seen from the first one.
        pose: Pose<T>,
    },
    /// A joint, whose second frame moves with respect to the first one.
    Joint {
        /// Numbers of the two frames.
        frames: [usize; 2],
        /// Kind and axis of the joint.
        joint: Joint<T>,
    },
    /// The closing of a ring of joints between two frames that the tree reaches without it.
    Ring {
        /// Numbers of the two frames.
        frames: [usize; 2],
        /// Conditions between the frames.
        closing: Closing<T>,
    },
    /// A body at a frame.
    Body {
        /// Number of the frame.
        frame: usize,
        /// Mass, center of mass and inertia tensor.
        body: Body<T>,
    },
    /// Joints that close a loop between the outer frames, and move the inner ones.
    Assembly {
        /// Numbers of the outer and inner frames.
        frames: AssemblyFrames,
        /// Type of the assembly, with its lengths and axes.
        assembly: Assembly<T>,
        /// Approximate coordinate at the start, in rad or m, which selects the configuration.
        guess: T,
        /// Number of the assembly's coordinate among the positions, which follows from those of joints.
        position: usize,
    },
    /// A frame at which loads act that neither move it nor move with it.
    Load {
        /// Number of the frame.
        frame: usize,
    },
    /// A rotor in bearings at a frame. What carries it has its mass, and its inertia while it does not turn there.
    Rotor {
        /// Number of the frame.
        frame: usize,
        /// Axis and moment of inertia.
        rotor: Rotor<T>,
    },
}

impl<T: Scalar> Element<T> {
    /// Iterates over the frames of the element.
    pub fn frames(&self) -> impl Iterator<Item = usize> + use<T> {
        let (outer, inner) = match *self {
            Self::World { frame, .. }
            | Self::Fixed { frame, .. }
            | Self::Body { frame, .. }
            | Self::Load { frame }
            | Self::Rotor { frame, .. } => ([Some(frame), None], [None; 3]),
            Self::Rigid { frames, .. } | Self::Joint { frames, .. } | Self::Ring { frames, .. } => {
                (frames.map(Some), [None; 3])
            }
            Self::Assembly { frames: AssemblyFrames { outer, ia, ib, im }, .. } => {
                (outer.map(Some), [ia, Some(ib), im])
            }
        };
        outer.into_iter().chain(inner).flatten()
    }

    /// Returns the element between other frames and with other positions.
    pub fn renumbered(self, number: impl Fn(usize) -> usize, place: impl Fn(usize) -> usize) -> Self {
        match self {
            Self::World { frame, gravity } => Self::World { frame: number(frame), gravity },
            Self::Fixed { frame, pose } => Self::Fixed { frame: number(frame), pose },
            Self::Rigid { frames, pose } => Self::Rigid { frames: frames.map(number), pose },
            Self::Joint { frames, joint } => {
                Self::Joint { frames: frames.map(number), joint: Joint { position: place(joint.position), ..joint } }
            }
            Self::Ring { frames, closing } => {
                let joint = closing.joint.map(|joint| Joint { position: place(joint.position), ..joint });
                Self::Ring { frames: frames.map(number), closing: Closing { joint, ..closing } }
            }
            Self::Body { frame, body } => Self::Body { frame: number(frame), body },
            Self::Assembly { frames, assembly, guess, position } => {
                Self::Assembly { frames: frames.renumbered(number), assembly, guess, position: place(position) }
            }
            Self::Load { frame } => Self::Load { frame: number(frame) },
            Self::Rotor { frame, rotor } => {
                Self::Rotor { frame: number(frame), rotor: Rotor { position: place(rotor.position), ..rotor } }
            }
        }
    }
}
