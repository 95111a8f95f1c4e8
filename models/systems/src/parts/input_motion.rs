//! Plausibility check of motions that an importer gives: position, velocity and acceleration are separate inputs.

use fmu_runtime::{Diagnostics, Number, Scalar, group};

group! {
    /// The given motion at the end of the last step.
    pub struct InputMotion<T>(_o: ()) {
        x: T, ONE, "position";
        v: T, ONE, "velocity";
        a: T, ONE, "acceleration";
        changes: i32, "in how many steps in a row the velocity has changed without an acceleration";
        begun: bool, "whether there was a step";
        reported: bool, "whether a contradiction was reported";
    }
}

/// Largest number of steps in a row in which a velocity may jump.
const MAX_JUMPS: i32 = 3;

impl<T: Scalar> InputMotion<T> {
    /// Warns once where a position moves without a velocity, or a velocity changes without an acceleration: an importer has
    /// connected only a part of the inputs. The position is left out where it follows from the velocity.
    pub fn follow(&mut self, x: Option<T>, [v, a]: [T; 2], diagnostics: &mut Diagnostics) {
        let x = x.unwrap_or(self.x);
        let before = std::mem::replace(self, Self { x, v, a, begun: true, ..self.clone() });
        if !before.begun || before.reported {
            return;
        }
        let is_zero = |one: T, other: T| one.value() == 0.0 && other.value() == 0.0;
        let without_acceleration = is_zero(before.a, a);
        let advice = "the FMU does not compute them from each other, and without them loads and motions are wrong: connect w (or v) = \
                      the derivative of the position, and a = that of the velocity; where one input of the FMU gives the motion alone, \
                      give its derivatives by fmi2SetRealInputDerivatives, which only Co-Simulation of FMI 2.0 has";
        if x.value() != before.x.value() && is_zero(before.v, v) && without_acceleration {
            self.reported = true;
            diagnostics.warn(format!(
                "the given position has changed from {} to {}, but the given velocity and acceleration are 0: {advice}",
                Number(before.x.value()),
                Number(x.value())
            ));
        }
        self.changes = if v.value() != before.v.value() && without_acceleration { before.changes + 1 } else { 0 };
        if self.changes >= MAX_JUMPS {
            self.reported = true;
            diagnostics.warn(format!(
                "the given velocity has changed in {MAX_JUMPS} steps in a row, at last from {} to {}, but the given acceleration is \
                 0: {advice}",
                Number(before.v.value()),
                Number(v.value())
            ));
        }
    }
}
