//! Motions that may be states, with start values.

use fmu_runtime::structure::Setting;
use fmu_runtime::unit::{DEG, M, M_PER_S, M_PER_S2, RAD, RAD_PER_S, RAD_PER_S2, RPM};
use fmu_runtime::{InitialValue, Positive, Scalar, group};

use super::domain::Domain;
use crate::part::{Motion, Wanted};

/// The start value of a position or of its velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
struct StartOptions {
    initial: InitialValue,
    nominal: Positive,
}

impl Default for StartOptions {
    fn default() -> Self {
        Self { initial: InitialValue::ignore, nominal: Positive(1.0) }
    }
}

/// The start values of a motion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MovementStructure {
    domain: Domain,
    x: StartOptions,
    v: StartOptions,
    steady: bool,
}

impl MovementStructure {
    /// Of a motion in this domain.
    pub fn new(domain: Domain) -> Self {
        Self { domain, ..Self::default() }
    }

    /// Passes the options.
    pub fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
        let domain = self.domain;
        let mut start = |[initial, nominal]: [&'static str; 2], options: &mut StartOptions| {
            visit(initial, "What the start value is for", &mut options.initial);
            visit(nominal, "Nominal value, in SI units", &mut options.nominal);
        };
        start(domain.pick(["phi.initial", "phi.nominal"], ["s.initial", "s.nominal"]), &mut self.x);
        start(domain.pick(["w.initial", "w.nominal"], ["v.initial", "v.nominal"]), &mut self.v);
        visit("steady", "Whether velocity and acceleration are 0 at the start", &mut self.steady);
    }

    /// The options of the rows, and what the position is of.
    pub fn rows(self, has_states: bool, text: &'static str) -> MovementOptions {
        MovementOptions { structure: self, has_states, text }
    }
}

/// Options of the rows of a motion.
#[derive(Clone, Copy, Debug, Default)]
pub struct MovementOptions {
    structure: MovementStructure,
    has_states: bool,
    text: &'static str,
}

impl MovementOptions {
    const fn pick<V: Copy>(self, rotational: V, translational: V) -> V {
        self.structure.domain.pick(rotational, translational)
    }

    const fn der(self, name: &'static str) -> &'static str {
        if self.has_states { name } else { "" }
    }

    /// Whether a start value is a parameter.
    fn starts(self, of: StartOptions) -> bool {
        self.has_states && of.initial == InitialValue::ignore
    }
}

group! {
    /// Position, velocity and acceleration, of a shaft or of a rod.
    pub struct Movement<T>(o: MovementOptions) {
        parameter x_start: T = 0.0, "Angle at the start", name = o.pick("phi_start", "s_start"),
            text = o.pick("Angle at the start", "Position at the start"), unit = o.pick(RAD, M), when = o.starts(o.structure.x);
        parameter v_start: T = 0.0, "Angular velocity at the start", name = o.pick("w_start", "v_start"),
            text = o.pick("Angular velocity at the start", "Velocity at the start"), unit = o.pick(RAD_PER_S, M_PER_S),
            when = o.starts(o.structure.v) && !o.structure.steady;
        output x: T, "Angle", name = o.pick("phi", "s"), text = o.text,
            unit = o.pick(RAD, M), display = o.pick(DEG, ""), der = o.der(o.pick("w", "v")),
            initial = o.structure.x.initial, nominal = o.structure.x.nominal.0;
        output v: T, "Angular velocity", name = o.pick("w", "v"), text = o.pick("Angular velocity", "Velocity"),
            unit = o.pick(RAD_PER_S, M_PER_S), display = o.pick(RPM, ""), der = o.der("a"),
            initial = o.structure.v.initial, nominal = o.structure.v.nominal.0;
        output a: T, "Angular acceleration", text = o.pick("Angular acceleration", "Acceleration"),
            unit = o.pick(RAD_PER_S2, M_PER_S2);
    }
}

impl<T: Scalar> Movement<T> {
    /// See [`crate::part::Part::start`].
    pub fn start(&self, structure: &MovementStructure) -> [T; 2] {
        let pick = |of: StartOptions, own, parameter| if of.initial == InitialValue::ignore { parameter } else { own };
        [pick(structure.x, self.x, self.x_start), pick(structure.v, self.v, self.v_start)]
    }

    /// See [`crate::part::Part::wanted`]; the part has the motion of this position of its own.
    pub fn wanted(&self, structure: &MovementStructure, position: usize, rests: bool) -> Vec<Wanted<T>> {
        let wanted = |name, order, start, of: StartOptions| Wanted {
            name,
            terms: vec![(position, T::one())],
            order,
            start,
            initial: of.initial,
            nominal: of.nominal.0,
            is_of_rest: false,
        };
        let [x, v] = structure.domain.pick(["phi", "w"], ["s", "v"]);
        let mut all = vec![wanted(x, 0, self.x, structure.x), wanted(v, 1, self.v, structure.v)];
        if rests || structure.steady {
            all.extend(Wanted::at_rest(position, [v, "a"]));
        }
        all
    }

    /// See [`crate::part::Part::own`].
    pub fn own(&self) -> [T; 3] {
        [self.x, self.v, T::zero()]
    }

    /// See [`crate::part::Part::set_own`].
    pub fn set_own(&mut self, [x, v]: [T; 2]) {
        (self.x, self.v) = (x, v);
    }

    /// The motion of a position of the part.
    pub fn put(&mut self, motion: &Motion<'_, T>, position: usize) {
        (self.x, self.v, self.a) = (motion.x(position), motion.v(position), motion.a(position));
    }
}
