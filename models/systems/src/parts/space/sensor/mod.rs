//! Sensors of frames in space: signals that follow from the motion of frames, or from what a rigid connection bears.

mod kind;
mod vectors;

use fmu_runtime::unit::{M, W};
use fmu_runtime::{Connector, ModelError, Scalar, Source, group};
use mechanics::constant;
use mechanics::drivetrain::Preference;
use mechanics::euler::Sequence;
use mechanics::frame::Load;
use mechanics::motion::{Motion, RelativePosition};
use mechanics::tree::{Element, Joint, JointKind};
use nalgebra::{Matrix3, Vector3};

use self::kind::{Family, Quantity, SensorStructure, families};
use self::vectors::Vectors;
use super::frame::{frames, loaded};
use crate::part::{AnyPart, Block, EventPoint, Multibody, Part, PartData, PartType, Properties, Space, Typed};
use crate::parts::signals::{Jet, OutputSignal, SignalRow};

/// The sensors of frames, which are one type to the compiler.
pub struct SensorType;

/// Returns all types of sensors.
pub(super) fn types() -> Vec<Box<dyn AnyPart>> {
    let one = |(structure, type_name, text)| {
        let properties = Properties { type_name, text, ..Properties::of::<SensorType>() };
        Box::new(Typed::<SensorType>::of_family(structure, properties)) as Box<dyn AnyPart>
    };
    families().into_iter().map(one).collect()
}

impl PartType for SensorType {
    const NAME: &'static str = "FrameSensor";
    const TEXT: &'static str = "Measures at frames";
    type Structure = SensorStructure;
    type In<T: Scalar> = FrameSensor<T>;

    fn connectors(structure: &SensorStructure) -> Vec<(&'static str, Connector)> {
        let mut connectors = frames();
        if structure.family == Family::Absolute {
            connectors.pop();
        }
        connectors.extend(structure.has_frame_resolve().then_some(("frame_resolve", Connector::Frame_a)));
        connectors
    }

    fn options(structure: &SensorStructure, _: bool) -> SensorStructure {
        *structure
    }

    fn own(structure: &SensorStructure) -> &'static [Preference] {
        if structure.is_rigid() { &[Preference::Given] } else { &[] }
    }

    fn needs_accelerations(structure: &SensorStructure) -> bool {
        structure.is_rigid() || structure.has(Quantity::Acceleration) || structure.has(Quantity::AngularAcceleration)
    }
}

group! {
    /// With the rotation matrices T_a of frame_a, T_F of the frame in which a vector is resolved:
    ///
    /// ```text
    /// r = T_F r_0,   v = T_F r_0',   a = T_F r_0'',   w = T_F T_a^T w_a,   z = T_F T_a^T w_a'     r_0 in the world frame
    /// r_rel = T_F (r_b - r_a),   v_rel = r_rel',   a_rel = v_rel',   w_rel = T_F (T_b^T w_b - T_a^T w_a),   z_rel = w_rel'
    ///         v_rel, a_rel and z_rel as components in F, then resolved in the frame of resolveInFrameAfterDifferentiation;
    ///         RelativeVelocity: F is frame_a
    /// angles  of rotations about the axes sequence, that lead from the world frame (of relative sensors frame_a) to the frame
    /// distance = |r_b - r_a|, below s_small s^2 (3 - s^2) s_small / 2 with s = distance / s_small
    /// force = T_F T_a^T frame_a.f,   torque = T_F T_a^T frame_a.t,   both with the opposite sign if not positiveSign
    /// power = frame_a.f . v + frame_a.t . w
    /// ```
    ///
    /// Source: Modelica.Mechanics.MultiBody.Sensors.
    pub struct FrameSensor<T>(o: SensorStructure) {
        parameter sequence: [i32; 3] = [1, 2, 3], "Axes about which the angles turn, one after the other", min = 1.0, max = 3.0,
            when = o.has(Quantity::Angles);
        parameter guessAngle1: T = 0.0, RAD, "Of the two solutions, that with the first angle nearer to this one",
            when = o.has(Quantity::Angles);
        parameter s_small: T = 1e-10, M, "Distance below which the signal is smoothed, so that it has a derivative",
            min = 1e-100, when = o.family == Family::Distance;
        parameter positiveSign: bool = true, "True for the load on the sensor at frame_a, false for that at frame_b",
            when = o.family == Family::Cut;
        group vectors: Vectors<T> = o, "", name = "";
        group number: OutputSignal<T> = match o.family {
            Family::Distance => SignalRow { text: "Distance of the origins", unit: M, ..SignalRow::output("distance") },
            _ => SignalRow { text: "Power from frame_a to frame_b", unit: W, ..SignalRow::output("power") }
                .when(o.family == Family::Power),
        }, "", name = "";
    }
}

crate::capabilities!(FrameSensor: Block + Multibody);

impl<T: Scalar> Part<T> for FrameSensor<T> {
    type Structure = SensorStructure;

    fn prepare(&self, source: &Source<'_, SensorStructure>) -> Result<Box<PartData>, ModelError> {
        let structure = source.structure;
        if let Some([first, others @ ..]) = structure.choices()
            && !Quantity::ALL.into_iter().any(|quantity| structure.has(quantity))
        {
            let others = others.join(", ");
            return Err(ModelError::invalid(format!(
                "{first} is false, and so are {others}: with none of them the sensor measures nothing, so set one to true"
            )));
        }
        if !structure.has(Quantity::Angles) {
            return Ok(Box::new(()));
        }
        let sequence = Sequence::new(self.sequence);
        Ok(Box::new(sequence.map_err(|error| ModelError::invalid(format!("sequence is {error}")))?))
    }
}

impl<T: Scalar> Multibody<T> for FrameSensor<T> {
    /// A rigid connection is a joint whose position is given, so that it knows its load.
    fn elements(&self, structure: &SensorStructure) -> Vec<Element<T>> {
        let mut elements = loaded(structure.frame_count());
        if structure.is_rigid() {
            let joint = Joint { kind: JointKind::Prismatic, e: Vector3::x(), position: 0 };
            elements.splice(..2, [Element::Joint { frames: [0, 1], joint }]);
        }
        elements
    }
}

impl<T: Scalar> Block<T> for FrameSensor<T> {
    fn update(&mut self, structure: &SensorStructure, at: &EventPoint<'_, T>) {
        let Some(space) = &at.space else { return };
        let a = space.frame(0);
        match structure.family {
            Family::Absolute => self.absolute(structure, space, &a),
            Family::Relative => self.relative(structure, space, &a),
            Family::Distance => self.distance(space, &a),
            Family::Cut => self.cut(structure, space, &a),
            Family::Power => {
                let [load, _] = space.cut_loads();
                self.number.set(Jet::constant(a.power(&load)));
            }
        }
        if structure.has(Quantity::Angles) {
            let rotation = if structure.family == Family::Relative { a.rotation_to(&space.frame(1)) } else { a.T };
            let sequence = space.data.downcast_ref::<Sequence>().copied().unwrap_or_default();
            self.vectors.set(Quantity::Angles, &sequence.angles_near(&rotation, self.guessAngle1).theta);
        }
    }
}

/// Returns the motion of a frame of a part, or of the world frame.
fn motion<T: Scalar>(space: &Space<'_, T>, frame: Option<usize>) -> Motion<T> {
    frame.map_or_else(|| Motion::at_rest(Vector3::zeros()), |frame| space.frame(frame))
}

impl<T: Scalar> FrameSensor<T> {
    fn absolute(&mut self, structure: &SensorStructure, space: &Space<'_, T>, a: &Motion<T>) {
        let to = motion(space, structure.resolve()).T;
        for (quantity, vector) in [
            (Quantity::Position, a.r_0),
            (Quantity::Velocity, a.v_0),
            (Quantity::Acceleration, a.a_0),
            (Quantity::AngularVelocity, a.T.tr_mul(&a.w)),
            (Quantity::AngularAcceleration, a.T.tr_mul(&a.z)),
        ] {
            self.vectors.set(quantity, &(to * vector));
        }
    }

    fn relative(&mut self, structure: &SensorStructure, space: &Space<'_, T>, a: &Motion<T>) {
        let b = space.frame(1);
        let [from, to] = [structure.resolve_before(), structure.resolve_after()].map(|frame| motion(space, frame));
        let [of_a, of_b] = [a, &b].map(|end| from.position_of(end));
        let RelativePosition { r, v, a: acceleration } =
            RelativePosition { r: of_b.r - of_a.r, v: of_b.v - of_a.v, a: of_b.a - of_a.a };
        let between = |of: fn(&Motion<T>) -> Vector3<T>| from.T * (b.T.tr_mul(&of(&b)) - a.T.tr_mul(&of(a)));
        let w = between(|frame| frame.w);
        let z = between(|frame| frame.z) - from.w.cross(&w);
        let after: Matrix3<T> = to.T * from.T.transpose();
        for (quantity, vector) in [
            (Quantity::Position, r),
            (Quantity::Velocity, after * v),
            (Quantity::Acceleration, after * acceleration),
            (Quantity::AngularVelocity, w),
            (Quantity::AngularAcceleration, after * z),
        ] {
            self.vectors.set(quantity, &vector);
        }
    }

    fn distance(&mut self, space: &Space<'_, T>, a: &Motion<T>) {
        let way = space.frame(1).r_0 - a.r_0;
        let square = way.dot(&way);
        let small = self.s_small;
        let distance = if square > small * small {
            square.sqrt()
        } else {
            let part = square / (small * small);
            small * part * (constant::<T>(3.0) - part) * constant::<T>(0.5)
        };
        self.number.set(Jet::constant(distance));
    }

    fn cut(&mut self, structure: &SensorStructure, space: &Space<'_, T>, a: &Motion<T>) {
        let [Load { f, t }, _] = space.cut_loads();
        let to = motion(space, structure.resolve()).T * a.T.transpose();
        let sign = if self.positiveSign { T::one() } else { -T::one() };
        self.vectors.set(Quantity::Force, &(to * f * sign));
        self.vectors.set(Quantity::Torque, &(to * t * sign));
    }
}
