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

/// Makes the names that follow from those of position and velocity.
macro_rules! names {
    ($($NAMES:ident = $x:literal, $v:literal, $a:literal;)*) => {$(
        const $NAMES: Names = Names {
            x: $x,
            v: $v,
            a: $a,
            x_start: concat!($x, "_start"),
            v_start: concat!($v, "_start"),
            x_options: [concat!($x, ".initial"), concat!($x, ".nominal")],
            v_options: [concat!($v, ".initial"), concat!($v, ".nominal")],
        };
    )*};
}

names! {
    PHI = "phi", "w", "a";
    PHI_A = "phi_a", "w_a", "a_a";
    PHI_B = "phi_b", "w_b", "a_b";
    S = "s", "v", "a";
    S_X = "s_x", "v_x", "a_x";
    S_Y = "s_y", "v_y", "a_y";
    THETA_1 = "theta1", "der_theta1", "der2_theta1";
    THETA_2 = "theta2", "der_theta2", "der2_theta2";
}

/// The angle of a joint that also slides.
const TURN: Names = Names { a: "wd", ..PHI };

/// Options of the start values of a motion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MovementStructure {
    domain: Domain,
    /// The names, if the motion is not the only one of its part.
    names: Option<&'static Names>,
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

    /// Makes the default options of an angle with these names.
    fn turn(names: &'static Names) -> Self {
        Self { names: Some(names), ..Self::default() }
    }

    /// Makes the default options of the two angles of a part.
    pub fn angles() -> [Self; 2] {
        [&PHI_A, &PHI_B].map(Self::turn)
    }

    /// Makes the default options of a joint that slides along an axis and turns about it.
    pub fn cylindrical() -> [Self; 2] {
        [Self::new(Domain::Translational), Self::turn(&TURN)]
    }

    /// Makes the default options of the angles of two wheels.
    pub fn wheels() -> [Self; 2] {
        [&THETA_1, &THETA_2].map(Self::turn)
    }

    /// Makes the default options of a joint that slides in two directions and turns.
    pub fn planar() -> [Self; 3] {
        let slide = |names| Self { names: Some(names), ..Self::new(Domain::Translational) };
        [slide(&S_X), slide(&S_Y), Self::turn(&TURN)]
    }

    const fn names(self) -> &'static Names {
        match self.names {
            Some(names) => names,
            None => self.domain.pick(&PHI, &S),
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

/// Makes the functions of [`Part`](crate::part::Part) for own positions, whose motion a row of the part has: the row, where
/// its options are in the structure, and the number of the first of these positions.
macro_rules! own_motion {
    ($row:ident, $structure:ident $(.$options:ident)?, $first:expr) => {
        fn start(&self, $structure: &Self::Structure, own: usize) -> [T; 2] {
            self.$row.start(&$structure$(.$options)?, own)
        }

        fn initial_conditions(&self, $structure: &Self::Structure, rests: bool) -> Vec<$crate::part::InitialCondition<T>> {
            self.$row.initial_conditions(&$structure$(.$options)?, $first, rests)
        }

        fn own(&self, own: usize) -> [T; 3] {
            self.$row.own(own)
        }

        fn set_own(&mut self, own: usize, motion: [T; 2]) {
            self.$row.set_own(own, motion);
        }

        fn set_velocity(&mut self, own: usize, velocity: T) {
            self.$row.set_velocity(own, velocity);
        }
    };
}
pub(crate) use own_motion;

impl<T: Scalar> Movement<T> {
    /// See [`crate::part::Part::start`].
    pub fn start(&self, structure: &MovementStructure, _own: usize) -> [T; 2] {
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
    pub fn own(&self, _own: usize) -> [T; 3] {
        [self.x, self.v, T::zero()]
    }

    /// See [`crate::part::Part::set_own`].
    pub fn set_own(&mut self, _own: usize, [x, v]: [T; 2]) {
        (self.x, self.v) = (x, v);
    }

    /// See [`crate::part::Part::set_velocity`].
    pub fn set_velocity(&mut self, _own: usize, velocity: T) {
        self.v = velocity;
    }

    /// Sets the motion from that of a position of the part.
    pub fn set_outputs(&mut self, motion: &Kinematics<'_, T>, position: usize) {
        (self.x, self.v, self.a) = (motion.x(position), motion.v(position), motion.a(position));
    }
}
