//! Motions that may be states, with start values.

use fmu_runtime::structure::Setting;
use fmu_runtime::unit::{DEG, M, M_PER_S, M_PER_S2, RAD, RAD_PER_S, RAD_PER_S2, RPM};
use fmu_runtime::{InitialValue, Positive, Scalar, group};

use super::domain::Domain;
use crate::part::{InitialCondition, Kinematics};

/// Options of the start value of a position or of its velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StartOptions {
    /// Use of the start value: ignored, guessed or enforced.
    pub initial: InitialValue,
    /// The nominal value.
    pub nominal: Positive,
}

impl Default for StartOptions {
    fn default() -> Self {
        Self { initial: InitialValue::ignore, nominal: Positive(1.0) }
    }
}

impl StartOptions {
    /// Passes the options to a visitor under these names.
    pub fn visit(
        &mut self,
        [initial, nominal]: [&'static str; 2],
        visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting),
    ) {
        visit(initial, "What the start value is for", &mut self.initial);
        visit(nominal, "Nominal value, in SI units", &mut self.nominal);
    }

    /// Returns the arguments of [`InitialCondition::of`].
    pub fn wanted(self) -> (InitialValue, f64) {
        (self.initial, self.nominal.0)
    }

    /// Picks the start value: that of the variable itself, or that of the parameter.
    pub fn pick<V>(self, own: V, parameter: V) -> V {
        if self.initial == InitialValue::ignore { parameter } else { own }
    }
}

/// Passes the option of a start at rest to a visitor.
pub fn visit_steady(steady: &mut bool, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
    visit("steady", "Whether velocity and acceleration are 0 at the start", steady);
}

/// The names of a motion's variables and options.
#[derive(Debug, PartialEq)]
struct Names {
    x: &'static str,
    v: &'static str,
    a: &'static str,
    x_start: &'static str,
    v_start: &'static str,
    x_options: [&'static str; 2],
    v_options: [&'static str; 2],
}

const PHI: Names = Names {
    x: "phi",
    v: "w",
    a: "a",
    x_start: "phi_start",
    v_start: "w_start",
    x_options: ["phi.initial", "phi.nominal"],
    v_options: ["w.initial", "w.nominal"],
};

const PHI_A: Names = Names {
    x: "phi_a",
    v: "w_a",
    a: "a_a",
    x_start: "phi_a_start",
    v_start: "w_a_start",
    x_options: ["phi_a.initial", "phi_a.nominal"],
    v_options: ["w_a.initial", "w_a.nominal"],
};

const PHI_B: Names = Names {
    x: "phi_b",
    v: "w_b",
    a: "a_b",
    x_start: "phi_b_start",
    v_start: "w_b_start",
    x_options: ["phi_b.initial", "phi_b.nominal"],
    v_options: ["w_b.initial", "w_b.nominal"],
};

const S: Names = Names {
    x: "s",
    v: "v",
    a: "a",
    x_start: "s_start",
    v_start: "v_start",
    x_options: ["s.initial", "s.nominal"],
    v_options: ["v.initial", "v.nominal"],
};

/// The angle of a joint that also slides.
const TURN: Names = Names { a: "wd", ..PHI };

const S_X: Names = Names {
    x: "s_x",
    v: "v_x",
    a: "a_x",
    x_start: "s_x_start",
    v_start: "v_x_start",
    x_options: ["s_x.initial", "s_x.nominal"],
    v_options: ["v_x.initial", "v_x.nominal"],
};

const S_Y: Names = Names {
    x: "s_y",
    v: "v_y",
    a: "a_y",
    x_start: "s_y_start",
    v_start: "v_y_start",
    x_options: ["s_y.initial", "s_y.nominal"],
    v_options: ["v_y.initial", "v_y.nominal"],
};

const THETA_1: Names = Names {
    x: "theta1",
    v: "der_theta1",
    a: "der2_theta1",
    x_start: "theta1_start",
    v_start: "der_theta1_start",
    x_options: ["theta1.initial", "theta1.nominal"],
    v_options: ["der_theta1.initial", "der_theta1.nominal"],
};

const THETA_2: Names = Names {
    x: "theta2",
    v: "der_theta2",
    a: "der2_theta2",
    x_start: "theta2_start",
    v_start: "der_theta2_start",
    x_options: ["theta2.initial", "theta2.nominal"],
    v_options: ["der_theta2.initial", "der_theta2.nominal"],
};

/// Selects one of the motions of a part, or its only one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Which {
    #[default]
    Only,
    A,
    B,
    X,
    Y,
    Turn,
    Wheel1,
    Wheel2,
}

/// Options of the start values of a motion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MovementStructure {
    domain: Domain,
    which: Which,
    x: StartOptions,
    v: StartOptions,
    /// True if the motion starts at rest.
    pub steady: bool,
}

impl MovementStructure {
    /// Makes the default options of a motion in this domain.
    pub fn new(domain: Domain) -> Self {
        Self { domain, ..Self::default() }
    }

    /// Makes the default options of the two angles of a part.
    pub fn angles() -> [Self; 2] {
        [Which::A, Which::B].map(|which| Self { which, ..Self::default() })
    }

    /// Makes the default options of a joint that slides along an axis and turns about it.
    pub fn cylindrical() -> [Self; 2] {
        [Self::new(Domain::Translational), Self { which: Which::Turn, ..Self::default() }]
    }

    /// Makes the default options of the angles of two wheels.
    pub fn wheels() -> [Self; 2] {
        [Which::Wheel1, Which::Wheel2].map(|which| Self { which, ..Self::default() })
    }

    /// Makes the default options of a joint that slides in two directions and turns.
    pub fn planar() -> [Self; 3] {
        let slide = |which| Self { which, ..Self::new(Domain::Translational) };
        [slide(Which::X), slide(Which::Y), Self { which: Which::Turn, ..Self::default() }]
    }

    const fn names(self) -> &'static Names {
        match self.which {
            Which::Only => self.domain.pick(&PHI, &S),
            Which::A => &PHI_A,
            Which::B => &PHI_B,
            Which::X => &S_X,
            Which::Y => &S_Y,
            Which::Turn => &TURN,
            Which::Wheel1 => &THETA_1,
            Which::Wheel2 => &THETA_2,
        }
    }

    /// Passes all options to a visitor.
    pub fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
        self.visit_starts(visit);
        visit_steady(&mut self.steady, visit);
    }

    /// Passes the options of the start values to a visitor.
    pub fn visit_starts(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
        let names = self.names();
        self.x.visit(names.x_options, visit);
        self.v.visit(names.v_options, visit);
    }

    /// Returns the options of the rows, for a position that `text` describes.
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

    const fn names(self) -> &'static Names {
        self.structure.names()
    }

    const fn der(self, name: &'static str) -> &'static str {
        if self.has_states { name } else { "" }
    }

    /// True if a start value is a parameter.
    fn starts(self, of: StartOptions) -> bool {
        self.has_states && of.initial == InitialValue::ignore
    }
}

group! {
    /// Position, velocity and acceleration, of a shaft or of a rod.
    pub struct Movement<T>(o: MovementOptions) {
        parameter x_start: T = 0.0, "Angle at the start", name = o.names().x_start,
            text = o.pick("Angle at the start", "Position at the start"), unit = o.pick(RAD, M), when = o.starts(o.structure.x);
        parameter v_start: T = 0.0, "Angular velocity at the start", name = o.names().v_start,
            text = o.pick("Angular velocity at the start", "Velocity at the start"), unit = o.pick(RAD_PER_S, M_PER_S),
            when = o.starts(o.structure.v) && !o.structure.steady;
        output x: T, "Angle", name = o.names().x, text = o.text,
            unit = o.pick(RAD, M), display = o.pick(DEG, ""), der = o.der(o.names().v),
            initial = o.structure.x.initial, nominal = o.structure.x.nominal.0;
        output v: T, "Angular velocity", name = o.names().v, text = o.pick("Angular velocity", "Velocity"),
            unit = o.pick(RAD_PER_S, M_PER_S), display = o.pick(RPM, ""), der = o.der(o.names().a),
            initial = o.structure.v.initial, nominal = o.structure.v.nominal.0;
        output a: T, "Angular acceleration", name = o.names().a, text = o.pick("Angular acceleration", "Acceleration"),
            unit = o.pick(RAD_PER_S2, M_PER_S2);
    }
}

impl<T: Scalar> Movement<T> {
    /// See [`crate::part::Part::start`].
    pub fn start(&self, structure: &MovementStructure) -> [T; 2] {
        [structure.x.pick(self.x, self.x_start), structure.v.pick(self.v, self.v_start)]
    }

    /// See [`crate::part::Part::initial_conditions`]; the part has the motion of this position of its own.
    pub fn initial_conditions(
        &self,
        structure: &MovementStructure,
        position: usize,
        rests: bool,
    ) -> Vec<InitialCondition<T>> {
        let names = structure.names();
        let starts = [(names.x, self.x, structure.x), (names.v, self.v, structure.v)];
        let wanted = (0..).zip(starts).filter(|(_, (.., options))| options.initial != InitialValue::ignore);
        let condition = |(order, (name, start, options)): (usize, (&'static str, T, StartOptions))| {
            InitialCondition::of(position, (name, order), start, options.wanted())
        };
        let mut all: Vec<_> = wanted.map(condition).collect();
        if rests || structure.steady {
            all.extend(InitialCondition::at_rest(position, [names.v, names.a]));
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

    /// Sets the motion from that of a position of the part.
    pub fn set_outputs(&mut self, motion: &Kinematics<'_, T>, position: usize) {
        (self.x, self.v, self.a) = (motion.x(position), motion.v(position), motion.a(position));
    }
}
