//! Start values of the motion of one frame relative to another one, as MapleSim's Bushing has them.

use fmu_runtime::structure::Setting;
use fmu_runtime::unit::DEG;
use fmu_runtime::{InitialValue, Scalar, Structure, enumeration, group};
use mechanics::euler::Sequence;
use nalgebra::Vector3;

use crate::part::InitialCondition;
use crate::part::relative::{Component, Quantity};

enumeration! {
    /// Meaning of the angular velocity at the start.
    pub enum AngularVelocity {
        Euler = "the derivatives of the Euler angles",
        Inboard = "the angular velocity, resolved in frame_a",
        Outboard = "the angular velocity, resolved in frame_b",
    }
}

/// Options of the start values of a relative motion: ignored, guessed or enforced.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(non_snake_case)]
pub struct RelativeStructure {
    MechTranTree: InitialValue,
    MechRotTree: InitialValue,
    AngVelType: AngularVelocity,
}

impl Structure for RelativeStructure {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
        visit("MechTranTree", "What InitPos and InitVel are for", &mut self.MechTranTree);
        visit("MechRotTree", "What InitAng and InitAngVel are for", &mut self.MechRotTree);
        visit("AngVelType", "What InitAngVel is", &mut self.AngVelType);
    }
}

impl RelativeStructure {
    fn shifts(self) -> bool {
        self.MechTranTree != InitialValue::ignore
    }

    fn turns(self) -> bool {
        self.MechRotTree != InitialValue::ignore
    }
}

group! {
    /// The start values.
    pub struct RelativeStart<T>(o: RelativeStructure) {
        parameter InitPos: Vector3<T>, M, "Position of frame_b relative to frame_a at the start, resolved in frame_a", when = o.shifts();
        parameter InitVel: Vector3<T>, M_PER_S, "Rate of this position at the start", when = o.shifts();
        parameter InitAng: Vector3<T>, RAD, "Euler angles of frame_b relative to frame_a at the start, in the sequence RotSeq",
            display = DEG, when = o.turns();
        parameter InitAngVel: Vector3<T>, RAD_PER_S, "Angular velocity of frame_b relative to frame_a at the start, defined by AngVelType",
            when = o.turns();
    }
}

/// Names of the parameters for messages.
const POS: [&str; 3] = ["InitPos[1]", "InitPos[2]", "InitPos[3]"];
const VEL: [&str; 3] = ["InitVel[1]", "InitVel[2]", "InitVel[3]"];
const ANG: [&str; 3] = ["InitAng[1]", "InitAng[2]", "InitAng[3]"];
const ANG_VEL: [&str; 3] = ["InitAngVel[1]", "InitAngVel[2]", "InitAngVel[3]"];

impl<T: Scalar> RelativeStart<T> {
    /// See [`crate::part::Part::initial_conditions`]; the angles are those of this sequence.
    pub fn initial_conditions(&self, structure: &RelativeStructure, sequence: Sequence) -> Vec<InitialCondition<T>> {
        let turning = match structure.AngVelType {
            AngularVelocity::Euler => Quantity::Rates(sequence),
            AngularVelocity::Inboard => Quantity::Inboard,
            AngularVelocity::Outboard => Quantity::Outboard,
        };
        let all = [
            (structure.MechTranTree, 0, Quantity::Position, POS, self.InitPos),
            (structure.MechTranTree, 1, Quantity::Velocity, VEL, self.InitVel),
            (structure.MechRotTree, 0, Quantity::Orientation(sequence), ANG, self.InitAng),
            (structure.MechRotTree, 1, turning, ANG_VEL, self.InitAngVel),
        ];
        let wanted =
            |(initial, order, of, names, start): (InitialValue, usize, Quantity, [&'static str; 3], Vector3<T>)| {
                [0, 1, 2].map(|i| InitialCondition {
                    relative: Some(Component { of, i, start, angles: self.InitAng }),
                    terms: Vec::new(),
                    ..InitialCondition::of(0, (names[i], order), start[i], (initial, 1.0))
                })
            };
        all.into_iter().filter(|(initial, ..)| *initial != InitialValue::ignore).flat_map(wanted).collect()
    }
}
