//! Quantities that sensors of frames measure, and the frames in which they are resolved.

use fmu_runtime::structure::Setting;
use fmu_runtime::unit::{M, M_PER_S, M_PER_S2, N, N_M, RAD, RAD_PER_S, RAD_PER_S2, Unit};
use fmu_runtime::{Structure, enumeration};

/// Kinds of sensors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Family {
    /// Of the motion of a frame.
    #[default]
    Absolute,
    /// Of the motion of one frame with respect to another one.
    Relative,
    /// Of the distance of two frames.
    Distance,
    /// Of the load in a rigid connection.
    Cut,
    /// Of the power through a rigid connection.
    Power,
}

/// A vector that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Position.
    Position,
    /// Velocity.
    Velocity,
    /// Acceleration.
    Acceleration,
    /// Angles of rotations.
    Angles,
    /// Angular velocity.
    AngularVelocity,
    /// Angular acceleration.
    AngularAcceleration,
    /// Cut force.
    Force,
    /// Cut torque.
    Torque,
}

/// The names of the elements of a vector.
macro_rules! elements {
    ($name:literal) => {
        [concat!($name, "[1]"), concat!($name, "[2]"), concat!($name, "[3]")]
    };
}

impl Quantity {
    /// All of them, in order.
    pub const ALL: [Self; 8] = [
        Self::Position,
        Self::Velocity,
        Self::Acceleration,
        Self::Angles,
        Self::AngularVelocity,
        Self::AngularAcceleration,
        Self::Force,
        Self::Torque,
    ];

    /// Returns the names of the elements, the text and the unit.
    pub fn row(self, family: Family) -> ([&'static str; 3], &'static str, &'static Unit) {
        let is_relative = family == Family::Relative;
        match self {
            Self::Position if is_relative => (elements!("r_rel"), "Position of frame_b relative to frame_a", M),
            Self::Position => (elements!("r"), "Position of frame_a", M),
            Self::Velocity if is_relative => (elements!("v_rel"), "Velocity of frame_b relative to frame_a", M_PER_S),
            Self::Velocity => (elements!("v"), "Velocity of frame_a", M_PER_S),
            Self::Acceleration if is_relative => {
                (elements!("a_rel"), "Acceleration of frame_b relative to frame_a", M_PER_S2)
            }
            Self::Acceleration => (elements!("a"), "Acceleration of frame_a", M_PER_S2),
            Self::Angles => (elements!("angles"), "Angles of rotations about the axes sequence", RAD),
            Self::AngularVelocity if is_relative => {
                (elements!("w_rel"), "Angular velocity of frame_b relative to frame_a", RAD_PER_S)
            }
            Self::AngularVelocity => (elements!("w"), "Angular velocity of frame_a", RAD_PER_S),
            Self::AngularAcceleration if is_relative => {
                (elements!("z_rel"), "Rate of the angular velocity of frame_b relative to frame_a", RAD_PER_S2)
            }
            Self::AngularAcceleration => (elements!("z"), "Angular acceleration of frame_a", RAD_PER_S2),
            Self::Force => (elements!("force"), "Cut force", N),
            Self::Torque => (elements!("torque"), "Cut torque", N_M),
        }
    }
}

enumeration! {
    /// Where the signals of a sensor of one frame, or of a cut load, are resolved.
    pub enum ResolveInFrameA {
        frame_a = "in frame_a",
        world = "in the world frame",
        frame_resolve = "in the frame at the connector frame_resolve",
    }
}

enumeration! {
    /// Where the signals of a sensor between two frames are resolved.
    pub enum ResolveInFrameAB {
        frame_a = "in frame_a",
        frame_b = "in frame_b",
        world = "in the world frame",
        frame_resolve = "in the frame at the connector frame_resolve",
    }
}

enumeration! {
    /// Where rates of a relative sensor are resolved in the end.
    pub enum ResolveAfter {
        resolveInFrame = "as before",
        frame_a = "in frame_a",
        frame_b = "in frame_b",
        world = "in the world frame",
        frame_resolve = "in the frame at the connector frame_resolve",
    }
}

/// The structure of a sensor of frames.
#[derive(Clone, Copy, Debug, Default)]
pub struct SensorStructure {
    /// Kinds of sensors.
    pub family: Family,
    /// The vectors that it measures.
    measured: [bool; Quantity::ALL.len()],
    /// True if options say which vectors these are.
    chooses: bool,
    at_one: ResolveInFrameA,
    at_two: ResolveInFrameAB,
    after: ResolveAfter,
}

const ABSOLUTE: [&str; 6] = ["get_r", "get_v", "get_a", "get_angles", "get_w", "get_z"];
const RELATIVE: [&str; 6] = ["get_r_rel", "get_v_rel", "get_a_rel", "get_angles", "get_w_rel", "get_z_rel"];

impl Structure for SensorStructure {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
        for (name, measured) in self.choices().into_iter().flatten().zip(&mut self.measured) {
            visit(name, "Whether this is measured", measured);
        }
        let is_of_vectors = self.chooses || self.measured != only(&[Quantity::Angles]);
        let text = "Where the signals are resolved";
        match self.family {
            Family::Absolute | Family::Cut if is_of_vectors => visit("resolveInFrame", text, &mut self.at_one),
            Family::Relative if is_of_vectors => {
                visit("resolveInFrame", text, &mut self.at_two);
                if self.chooses {
                    let text = "Where v_rel, a_rel and z_rel are resolved after they were differentiated in that frame";
                    visit("resolveInFrameAfterDifferentiation", text, &mut self.after);
                }
            }
            _ => {}
        }
    }
}

impl SensorStructure {
    /// Returns true if the sensor measures a vector.
    pub fn has(&self, quantity: Quantity) -> bool {
        self.measured[quantity as usize]
    }

    /// Returns the names of the options that say what is measured.
    pub fn choices(&self) -> Option<[&'static str; 6]> {
        self.chooses.then_some(if self.family == Family::Relative { RELATIVE } else { ABSOLUTE })
    }

    /// Returns true if the sensor connects its frames rigidly.
    pub fn is_rigid(&self) -> bool {
        matches!(self.family, Family::Cut | Family::Power)
    }

    /// Returns the number of its frames.
    pub fn frame_count(&self) -> usize {
        self.resolving() + usize::from(self.has_frame_resolve())
    }

    /// Returns the number of the frame frame_resolve.
    fn resolving(&self) -> usize {
        if self.family == Family::Absolute { 1 } else { 2 }
    }

    /// Returns true if there is the connector frame_resolve.
    pub fn has_frame_resolve(&self) -> bool {
        match self.family {
            Family::Relative => {
                self.at_two == ResolveInFrameAB::frame_resolve || self.after == ResolveAfter::frame_resolve
            }
            _ => self.at_one == ResolveInFrameA::frame_resolve,
        }
    }

    /// Returns the frame in which signals of one frame are resolved, none for the world frame.
    pub fn resolve(&self) -> Option<usize> {
        match self.at_one {
            ResolveInFrameA::frame_a => Some(0),
            ResolveInFrameA::world => None,
            ResolveInFrameA::frame_resolve => Some(self.resolving()),
        }
    }

    /// Returns the frame in which relative motions are differentiated.
    pub fn resolve_before(&self) -> Option<usize> {
        // RelativeVelocity has the rate of the components in frame_a, wherever it is resolved in the end.
        let is_velocity = !self.chooses && self.has(Quantity::Velocity);
        if is_velocity { Some(0) } else { self.resolve_two() }
    }

    /// Returns the frame in which relative motions are resolved in the end.
    pub fn resolve_after(&self) -> Option<usize> {
        match self.after {
            ResolveAfter::resolveInFrame => self.resolve_two(),
            ResolveAfter::frame_a => Some(0),
            ResolveAfter::frame_b => Some(1),
            ResolveAfter::world => None,
            ResolveAfter::frame_resolve => Some(self.resolving()),
        }
    }

    fn resolve_two(&self) -> Option<usize> {
        match self.at_two {
            ResolveInFrameAB::frame_a => Some(0),
            ResolveInFrameAB::frame_b => Some(1),
            ResolveInFrameAB::world => None,
            ResolveInFrameAB::frame_resolve => Some(self.resolving()),
        }
    }
}

/// Returns the choice of some vectors.
fn only(quantities: &[Quantity]) -> [bool; Quantity::ALL.len()] {
    Quantity::ALL.map(|quantity| quantities.contains(&quantity))
}

/// Returns all types: structure, name and text.
pub fn families() -> Vec<(SensorStructure, &'static str, &'static str)> {
    use Family::{Absolute, Cut, Distance, Power, Relative};
    use Quantity::{Angles, AngularVelocity, Force, Position, Torque, Velocity};
    let rows: [(Family, &[Quantity], &str, &str); 15] = [
        (Absolute, &[Position], "AbsolutePosition", "Measures the position of a frame"),
        (Absolute, &[Velocity], "AbsoluteVelocity", "Measures the velocity of a frame"),
        (Absolute, &[Angles], "AbsoluteAngles", "Measures the angles by which a frame is turned"),
        (Absolute, &[AngularVelocity], "AbsoluteAngularVelocity", "Measures the angular velocity of a frame"),
        (Absolute, &[], "AbsoluteSensor", "Measures the motion of a frame"),
        (Relative, &[Position], "RelativePosition", "Measures the position of a frame relative to another one"),
        (Relative, &[Velocity], "RelativeVelocity", "Measures the velocity of a frame relative to another one"),
        (Relative, &[Angles], "RelativeAngles", "Measures the angles by which a frame is turned against another one"),
        (
            Relative,
            &[AngularVelocity],
            "RelativeAngularVelocity",
            "Measures the angular velocity of a frame relative to another one",
        ),
        (Relative, &[], "RelativeSensor", "Measures the motion of a frame relative to another one"),
        (Distance, &[], "Distance", "Measures the distance of two frames"),
        (Cut, &[Force], "CutForce", "Measures the force between two frames"),
        (Cut, &[Torque], "CutTorque", "Measures the torque between two frames"),
        (Cut, &[Force, Torque], "CutForceAndTorque", "Measures force and torque between two frames"),
        (Power, &[], "MultiBody.Power", "Measures the power from one frame to another"),
    ];
    let one = |(family, quantities, name, text): (Family, &[Quantity], _, _)| {
        let chooses = quantities.is_empty() && matches!(family, Absolute | Relative);
        (SensorStructure { family, measured: only(quantities), chooses, ..SensorStructure::default() }, name, text)
    };
    rows.into_iter().map(one).collect()
}
