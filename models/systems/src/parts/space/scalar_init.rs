//! Start values of single components of the motion of one frame relative to another one.

use fmu_runtime::structure::Setting;
use fmu_runtime::unit::{self, DEG, Unit};
use fmu_runtime::{Connector, InitialValue, Scalar, Structure, group};
use mechanics::compliance::rates_of_angles;
use mechanics::euler::Sequence;
use mechanics::tree::Element;
use nalgebra::Vector3;

use super::super::movement::StartOptions;
use super::frame::{frames, loaded};
use crate::part::relative::{Component, Quantity};
use crate::part::{InitialCondition, Kinematics, Multibody, Part, PartType, Solution};

/// Start values between two frames that move freely with respect to each other.
pub struct FreeMotionScalarInitType;

/// A quantity with three components, each a variable of its own.
#[derive(Debug, PartialEq)]
struct Kind {
    names: [&'static str; 3],
    texts: [&'static str; 3],
    options: [[&'static str; 2]; 3],
    unit: &'static Unit,
    display: &'static str,
}

macro_rules! quantities {
    ($($NAME:ident: $name:literal, $text:literal, $unit:expr, $display:expr;)*) => { $(
        const $NAME: &Kind = &Kind {
            names: [concat!($name, "_1"), concat!($name, "_2"), concat!($name, "_3")],
            texts: [concat!($text, "[1]"), concat!($text, "[2]"), concat!($text, "[3]")],
            options: [
                [concat!($name, "_1.initial"), concat!($name, "_1.nominal")],
                [concat!($name, "_2.initial"), concat!($name, "_2.nominal")],
                [concat!($name, "_3.initial"), concat!($name, "_3.nominal")],
            ],
            unit: $unit,
            display: $display,
        };
    )* };
}

quantities! {
    R: "r_rel_a", "Position of frame_b relative to frame_a, resolved there: r_rel_a", unit::M, "";
    V: "v_rel_a", "Rate of this position: v_rel_a", unit::M_PER_S, "";
    ANGLE: "angle", "Angles that turn frame_a into frame_b along sequence_start: angle", unit::RAD, DEG;
    ANGLE_D: "angle_d", "Rates of these angles: angle_d", unit::RAD_PER_S, "";
    W: "w_rel_b", "Angular velocity of frame_b relative to frame_a, resolved in frame_b: w_rel_b", unit::RAD_PER_S, "";
}

/// The options of the start values: which quantities there are, and what is wanted of each component.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(clippy::struct_excessive_bools, reason = "they are those of the Modelica Standard Library")]
pub struct ScalarInitStructure {
    use_r: bool,
    use_v: bool,
    use_angle: bool,
    use_angle_d: bool,
    use_w: bool,
    starts: [[StartOptions; 3]; 5],
}

impl Structure for ScalarInitStructure {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
        visit("use_r", "Whether there are r_rel_a_1 to r_rel_a_3", &mut self.use_r);
        visit("use_v", "Whether there are v_rel_a_1 to v_rel_a_3, with use_r", &mut self.use_v);
        visit("use_angle", "Whether there are angle_1 to angle_3", &mut self.use_angle);
        visit("use_angle_d", "Whether there are angle_d_1 to angle_d_3, with use_angle", &mut self.use_angle_d);
        visit("use_w", "Whether there are w_rel_b_1 to w_rel_b_3", &mut self.use_w);
        for ((kind, exists), starts) in self.kinds().into_iter().zip(&mut self.starts) {
            for (options, start) in kind.options.into_iter().zip(starts).filter(|_| exists) {
                start.visit(options, visit);
            }
        }
    }
}

impl ScalarInitStructure {
    /// Returns the quantities, and whether each exists.
    fn kinds(&self) -> [(&'static Kind, bool); 5] {
        [
            (R, self.use_r),
            (V, self.use_r && self.use_v),
            (ANGLE, self.use_angle),
            (ANGLE_D, self.use_angle && self.use_angle_d),
            (W, self.use_w),
        ]
    }

    fn three(self, i: usize) -> ThreeOptions {
        let (kind, exists) = self.kinds()[i];
        ThreeOptions { kind, exists, starts: self.starts[i] }
    }
}

/// Options of three components.
#[derive(Clone, Copy, Debug)]
pub struct ThreeOptions {
    kind: &'static Kind,
    exists: bool,
    starts: [StartOptions; 3],
}

impl Default for ThreeOptions {
    fn default() -> Self {
        ScalarInitStructure::default().three(0)
    }
}

group! {
    /// Three components of a vector, each with a start value.
    pub struct Three<T>(o: ThreeOptions) {
        output x: T, M, "First component", name = o.kind.names[0], text = o.kind.texts[0], unit = o.kind.unit, display = o.kind.display,
            initial = o.starts[0].initial, nominal = o.starts[0].nominal.0, when = o.exists;
        output y: T, M, "Second component", name = o.kind.names[1], text = o.kind.texts[1], unit = o.kind.unit, display = o.kind.display,
            initial = o.starts[1].initial, nominal = o.starts[1].nominal.0, when = o.exists;
        output z: T, M, "Third component", name = o.kind.names[2], text = o.kind.texts[2], unit = o.kind.unit, display = o.kind.display,
            initial = o.starts[2].initial, nominal = o.starts[2].nominal.0, when = o.exists;
    }
}

impl<T: Scalar> Three<T> {
    fn vector(&self) -> Vector3<T> {
        Vector3::new(self.x, self.y, self.z)
    }

    fn set(&mut self, vector: &Vector3<T>) {
        (self.x, self.y, self.z) = (vector.x, vector.y, vector.z);
    }
}

group! {
    /// ```text
    /// r_rel_a = T_a (r_b - r_a),   v_rel_a = r_rel_a'
    /// angle: Euler angles from frame_a to frame_b in the sequence sequence_start,   angle_d = angle'
    /// w_rel_b: angular velocity of frame_b with respect to frame_a, resolved in frame_b
    /// ```
    ///
    /// No load at either frame. Source: Modelica.Mechanics.MultiBody.Joints.FreeMotionScalarInit, without states of its own.
    pub struct FreeMotionScalarInit<T>(o: ScalarInitStructure) {
        parameter sequence_start: [i32; 3] = [1, 2, 3], "Axes of the rotations by angle", min = 1.0, max = 3.0, when = o.use_angle;
        group r: Three<T> = o.three(0), "", name = "";
        group v: Three<T> = o.three(1), "", name = "";
        group angle: Three<T> = o.three(2), "", name = "";
        group angle_d: Three<T> = o.three(3), "", name = "";
        group w: Three<T> = o.three(4), "", name = "";
    }
}

impl PartType for FreeMotionScalarInitType {
    const NAME: &'static str = "FreeMotionScalarInit";
    const TEXT: &'static str = "Start values of single components of the motion between two frames that move freely";
    type Structure = ScalarInitStructure;
    type In<T: Scalar> = FreeMotionScalarInit<T>;

    fn connectors(_: &ScalarInitStructure) -> Vec<(&'static str, Connector)> {
        frames()
    }

    fn options(structure: &ScalarInitStructure, _: bool) -> ScalarInitStructure {
        *structure
    }
}

crate::capabilities!(FreeMotionScalarInit: Multibody);

impl<T: Scalar> FreeMotionScalarInit<T> {
    /// Returns the sequence of the angles; an invalid one is refused as a problem.
    fn sequence(&self) -> Sequence {
        Sequence::new(self.sequence_start).unwrap_or_default()
    }
}

impl<T: Scalar> Part<T> for FreeMotionScalarInit<T> {
    type Structure = ScalarInitStructure;

    fn problem(&self) -> Option<String> {
        Sequence::new(self.sequence_start).err().map(|error| format!("sequence_start is {error}"))
    }

    fn initial_conditions(&self, structure: &ScalarInitStructure, _: bool) -> Vec<InitialCondition<T>> {
        let (sequence, angles) = (self.sequence(), self.angle.vector());
        let of = [
            (Quantity::Position, 0, &self.r),
            (Quantity::Velocity, 1, &self.v),
            (Quantity::Angles(sequence), 0, &self.angle),
            (Quantity::AngleRates(sequence), 1, &self.angle_d),
            (Quantity::Outboard, 1, &self.w),
        ];
        let mut all = Vec::new();
        for (((of, order, three), (kind, exists)), starts) in
            of.into_iter().zip(structure.kinds()).zip(structure.starts)
        {
            let start = three.vector();
            for i in (0..3).filter(|i| exists && starts[*i].initial != InitialValue::ignore) {
                all.push(InitialCondition {
                    relative: Some(Component { of, i, start, angles }),
                    terms: Vec::new(),
                    ..InitialCondition::of(0, (kind.names[i], order), start[i], starts[i].wanted())
                });
            }
        }
        all
    }

    fn set_outputs(&mut self, structure: &ScalarInitStructure, _: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        let Some(space) = solution.space else { return };
        let relative = space.relative();
        self.r.set(&relative.r);
        self.v.set(&relative.v);
        self.w.set(&(relative.T * relative.omega));
        if structure.use_angle {
            let sequence = self.sequence();
            let angles = sequence.angles(&relative.T, T::zero());
            self.angle.set(&angles.theta);
            self.angle_d.set(&rates_of_angles(sequence, &angles, &relative.omega));
        }
    }
}

impl<T: Scalar> Multibody<T> for FreeMotionScalarInit<T> {
    fn elements(&self, _: &ScalarInitStructure) -> Vec<Element<T>> {
        loaded(2)
    }
}
