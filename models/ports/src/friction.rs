//! What the clutch and the brake have in common.

use fmu_runtime::{Fault, Notices, Number, Scalar, group};
use mechanics::friction::{Coefficient, Memory, Mode, Wrong};

group! {
    /// Discrete memory of a friction element.
    pub struct FrictionMemory<T>(_o: ()) {
        anchor: T, RAD, "where the spring between two given motions is at rest";
        opposite_phi: T, RAD, "angle of the side opposite to a given motion";
        opposite_w: T, RAD_PER_S, "angular velocity of the side opposite to a given motion";
        keeps_opposite: bool, "whether these two are in use";
        warned_of_force: bool, "whether a normal force above the maximum was reported";
        warned_of_speed: bool, "whether a coefficient that would be negative was reported";
    }
}

impl<T: Scalar> FrictionMemory<T> {
    /// The memory of an element with these states.
    pub fn with<S: Scalar>(&self, to: &impl Fn(T) -> S, mode: i32, rel: [T; 2], reference: [T; 2]) -> Memory<S> {
        Memory {
            phi_rel: to(rel[0]),
            w_rel: to(rel[1]),
            phi: to(reference[0]),
            w: to(reference[1]),
            mode: Mode::from_number(mode),
            anchor: to(self.anchor),
            opposite: [to(self.opposite_phi), to(self.opposite_w)],
            keeps_opposite: self.keeps_opposite,
        }
    }

    /// Takes over what an element remembers, its states apart.
    pub fn keep<S: Scalar>(&mut self, x: &Memory<S>, from: &impl Fn(S) -> T) {
        self.anchor = from(x.anchor);
        [self.opposite_phi, self.opposite_w] = x.opposite.map(from);
        self.keeps_opposite = x.keeps_opposite;
    }

    /// Warns once of a normal force above the maximum, and once of a speed at which the table's
    /// coefficient would be negative.
    pub fn check(&mut self, f_normalized: T, mode: i32, w_rel: T, mue_pos: &Coefficient, notices: &mut Notices) {
        let f = f_normalized.value();
        if f > 1.0 && !self.warned_of_force {
            self.warned_of_force = true;
            notices
                .warn(format!("f_normalized is {}: the normal force is above fn_max, which is not limited", Number(f)));
        }
        let slides = Mode::from_number(mode).direction().is_some();
        let is_beyond = |from: &f64| slides && w_rel.value().abs() > *from;
        if let Some(from) = mue_pos.clamped_from().filter(is_beyond)
            && !self.warned_of_speed
        {
            self.warned_of_speed = true;
            notices.warn(format!(
                "w_rel is {} rad/s: mue_pos would be negative above {} rad/s and is 0 there",
                Number(w_rel.value()),
                Number(from)
            ));
        }
    }
}

/// The coefficient of friction of the table `mue_pos`.
pub fn coefficient(rows: &[[f64; 2]]) -> Result<Coefficient, Fault> {
    Coefficient::new(rows).map_err(|wrong| match wrong {
        Wrong::Empty => Fault::invalid("mue_pos has no rows, but needs one at least"),
        Wrong::Element { row, column, value, needed } => {
            Fault::invalid(format!("mue_pos[{row},{column}] is {}, but {needed}", Number(value)))
        }
    })
}

/// Refuses a parameter that is not positive.
pub fn positive<T: Scalar>(name: &str, value: T) -> Result<(), Fault> {
    if value.value() > 0.0 {
        return Ok(());
    }
    Err(Fault::invalid(format!("{name} is {}, but must be positive", Number(value.value()))))
}

/// What happened if a step has more events than can be.
pub fn restless() -> Fault {
    Fault::singular("friction does not come to an end of its events within one step: stiffness or torques are extreme")
}
