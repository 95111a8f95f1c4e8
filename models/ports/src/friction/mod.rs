//! Coulomb friction between two sides, shared by clutch, brake and the friction parts of systems.

mod by_temperature;
mod component;
mod outputs;

use fmu_runtime::unit::{self, K, M, M_PER_S, M_PER_S2, N_M, ONE, RAD, RAD_PER_S, RAD_PER_S2};
use fmu_runtime::{Connector, Scalar, Table, enumeration, group, structure};
use mechanics::constant;
use mechanics::friction::{self, LawBranch, LawParameters, Mode};

use crate::{Coupling, Flange, FlangeMotion, HeatPort};
pub use component::{FrictionComponent, LAW};

enumeration! {
    /// How the table of the law continues beyond its rows.
    pub enum Extrapolation {
        linear = "on the line through the nearest two rows, but not below 0",
        hold = "with the coefficient of the nearest row",
    }
}

impl From<Extrapolation> for friction::Extrapolation {
    fn from(extrapolation: Extrapolation) -> Self {
        match extrapolation {
            Extrapolation::linear => Self::Linear,
            Extrapolation::hold => Self::Hold,
        }
    }
}

/// Smallest inertia, stiffness and radius, in SI units: FMI can only express minima that are included.
const MIN_STIFFNESS: f64 = 1e-12;

structure! {
    /// The structure options of friction.
    pub struct FrictionStructure {
        useHeatPort: bool = false, "Adds the heat port";
        useSurfaces: bool = false, "Whether cgeo follows from the friction surfaces N, r_o and r_i";
        extrapolation: Extrapolation = Extrapolation::linear, "How mue_pos continues beyond its rows";
        showLaw: bool = false, "Adds outputs of the friction law: fn, mue, sa, startForward and startBackward";
        showEventTime: bool = false, "Adds the output eventTime, the time of the last change of mode";
    }
}

impl FrictionStructure {
    /// Returns the options of the rows that follow from the structure options.
    #[inline]
    pub fn options(&self) -> FrictionOptions {
        FrictionOptions {
            heat_port: self.useHeatPort,
            surfaces: self.useSurfaces,
            phi_nominal: 1.0,
            extrapolation: self.extrapolation,
            law: self.showLaw,
            event_time: self.showEventTime,
            ..FrictionOptions::default()
        }
    }
}

/// Options of the friction between two sides.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrictionOptions {
    /// True if both motions are given, so that only a spring determines the torque while stuck, and the relative motion
    /// is not a state.
    pub elastic: bool,
    /// True if there is the heat port.
    pub heat_port: bool,
    /// Nominal value of the relative angle, in rad.
    pub phi_nominal: f64,
    /// True if cgeo follows from the friction surfaces.
    pub surfaces: bool,
    /// Extrapolation of mue_pos beyond its rows.
    pub extrapolation: Extrapolation,
    /// True if the motion of one side is an input and the other side has an inertia.
    pub driven: bool,
    /// True if intermediate values of the law are outputs.
    pub law: bool,
    /// True if the time of the last event is an output.
    pub event_time: bool,
    /// True if the friction is a part of a system, which has the states.
    pub is_part: bool,
    /// True if the law is a torque over the speed, as of a bearing; `n` is 1 then.
    pub is_bearing: bool,
    /// True if the friction is that of a rod: a force over a velocity.
    pub is_translational: bool,
    /// True if the law depends on the temperature at the heat port, too.
    pub by_temperature: bool,
    /// True if the law depends on a load, too, which is an input.
    pub by_load: bool,
}

impl FrictionOptions {
    /// True if cgeo is a parameter.
    const fn has_cgeo(self) -> bool {
        !self.surfaces && !self.is_bearing
    }

    const fn pick<V: Copy>(self, bearing: V, other: V) -> V {
        if self.is_bearing { bearing } else { other }
    }

    /// Picks what belongs to a shaft or to a rod.
    pub(crate) const fn of<V: Copy>(self, shaft: V, rod: V) -> V {
        if self.is_translational { rod } else { shaft }
    }

    /// Returns the name of the table with the law.
    pub const fn table(self) -> &'static str {
        self.pick(self.of("tau_pos", "f_pos"), "mue_pos")
    }

    /// True if the law depends on a temperature or a load.
    const fn by_condition(self) -> bool {
        self.by_temperature || self.by_load
    }

    /// Returns the name of the table with or without temperatures or loads; of the one that does not exist, a name that no other
    /// has.
    const fn name_of_table(self, by_condition: bool) -> &'static str {
        if by_condition == self.by_condition() { self.table() } else { "no_table" }
    }

    /// Returns texts of the table of a bearing or guide with loads, or another value.
    const fn with_load<V: Copy>(self, load: V, other: V) -> V {
        if self.by_load { load } else { other }
    }
}

group! {
    /// Friction between two sides.
    pub struct Friction<T>(o: FrictionOptions) {
        tunable   peak:   T = 1.0, ONE, "Static friction as a multiple of sliding friction at w_rel = 0", min = 1.0;
        tunable   cgeo:   T = 1.0, ONE, "Geometry constant N (r_o + r_i) / 2: friction torque divided by friction coefficient and normal force", min = 0.0, when = o.has_cgeo();
        parameter N:   i32 = 2, "Number of friction surfaces", min = 1.0, when = o.surfaces;
        parameter r_o: T = 0.6, M, "Outer radius of the friction surfaces", min = MIN_STIFFNESS, when = o.surfaces;
        parameter r_i: T = 0.4, M, "Inner radius of the friction surfaces", min = 0.0, when = o.surfaces;
        calculated cgeo_of_surfaces: T, ONE, "Geometry constant N (r_o + r_i) / 2: friction torque divided by friction coefficient and normal force", name = "cgeo", when = o.surfaces;
        tunable   fn_max: T = 1.0, N, "Normal force at f_normalized = 1", min = 0.0, when = !o.is_bearing;
        parameter w_small:  T = 1.0e10, RAD_PER_S, "Largest overshoot of w_rel through 0 that counts as an arrival at 0 (Model Exchange)", min = 0.0, when = !o.is_translational;
        parameter K_locked: T = 0.0, PER_S, "Rate at which a residual w_rel decays while stuck (Model Exchange)", min = 0.0, quantity = "DampingCoefficient",
            text = o.of("Rate at which a residual w_rel decays while stuck (Model Exchange)", "Rate at which a residual v decays while stuck (Model Exchange)");
        parameter c_stuck:  T = 1.0e5, NM_PER_RAD, "Stiffness while stuck", min = MIN_STIFFNESS, when = o.elastic;
        parameter d_stuck:  T = 10.0, NMS_PER_RAD, "Damping while stuck", min = 0.0, when = o.elastic;
        input     f_normalized: T = 0.0, ONE, "Normal force divided by fn_max, from 0 to 1", name = o.with_load("load", "f_normalized"),
            text = o.with_load("Load of the bearing, on which the law depends", "Normal force divided by fn_max, from 0 to 1"),
            unit = o.with_load(unit::N, ONE), when = !o.is_bearing || o.by_load;
        group     heatPort: HeatPort<T>, "Heat port", when = o.heat_port, connector = Connector::HeatPort_a;
        output    phi_rel: T, "Relative angle: flange_b.phi - flange_a.phi of a clutch, flange_a.phi - support.phi of a brake",
            text = o.of("Relative angle: flange_b.phi - flange_a.phi of a clutch, flange_a.phi - support.phi of a brake", "Position with respect to the housing"),
            unit = o.of(RAD, M), name = o.of(o.pick("phi", "phi_rel"), "s"), nominal = o.phi_nominal, der = if o.elastic || o.is_part { "" } else { w_rel };
        output    w_rel: T, "Relative angular velocity", text = o.of("Relative angular velocity", "Velocity with respect to the housing"),
            unit = o.of(RAD_PER_S, M_PER_S), name = o.of(o.pick("w", "w_rel"), "v"), der = if o.elastic || o.is_part { "" } else { a_rel };
        output    a_rel: T, "Relative angular acceleration", text = o.of("Relative angular acceleration", "Acceleration with respect to the housing"),
            unit = o.of(RAD_PER_S2, M_PER_S2), name = o.of(o.pick("a", "a_rel"), "a");
        output    tau: T, "Friction torque, positive while w_rel is", text = o.of("Friction torque, positive while w_rel is", "Friction force, positive while v is"),
            unit = o.of(N_M, unit::N), name = o.of("tau", "f");
        output    lossPower: T, W, "Power turned into heat";
        output    mode: i32, "-1 Backward, 0 Stuck, 1 Forward, 2 Free", min = -1.0, max = 2.0;
        output    locked: bool, "Whether the two sides are stuck";
        output    f_n: T, N, "Normal force fn_max f_normalized", name = "fn", when = o.law && !o.is_bearing;
        output    mue: T, ONE, "Coefficient of sliding friction at w_rel", when = o.law && !o.is_bearing;
        output    sa: T, ONE, "Curve parameter of Modelica's friction law: tau in N.m while stuck, otherwise a_rel in rad/s2 plus the largest torque while stuck, with the sign of w_rel", when = o.law;
        output    startForward: bool, "Whether the sides broke away with w_rel = 0 and will slide forward", when = o.law;
        output    startBackward: bool, "Whether the sides broke away with w_rel = 0 and will slide backward", when = o.law;
        output    eventTime: T, S, "Time of the last change of mode, exact inside a step; before the first change, the start time", discrete = true, when = o.event_time;
        memory    memory: FrictionMemory<T>, "Mode and what belongs to it";
        parameter mue_pos: Table<2> = o.pick(&[[0.0, 1.0]], &[[0.0, 0.5]]), "Relative velocity in rad/s, from 0 on, and coefficient of sliding friction", min = 0.0,
            name = o.name_of_table(false), alias = o.pick("", "mu_pos"), text = o.of(o.pick("Angular velocity in rad/s, from 0 on, and torque of sliding friction",
                "Relative velocity in rad/s, from 0 on, and coefficient of sliding friction"),
                o.pick("Velocity in m/s, from 0 on, and force of sliding friction", "Velocity in m/s, from 0 on, and coefficient of sliding friction")),
            columns = o.of(o.pick(&[RAD_PER_S, N_M], &[RAD_PER_S, ONE]), o.pick(&[M_PER_S, unit::N], &[M_PER_S, ONE])), when = !o.by_condition();
        parameter by_temperature: Table<3> = o.pick(&[[293.15, 0.0, 1.0]], &[[293.15, 0.0, 0.5]]), "Temperature in K, relative velocity in rad/s, from 0 on, and coefficient of sliding friction", min = 0.0,
            name = o.name_of_table(true), alias = o.pick("", "mu_pos"), text = o.with_load(o.of("Load in N, angular velocity in rad/s, from 0 on, and torque of sliding friction",
                "Load in N, velocity in m/s, from 0 on, and force of sliding friction"), o.of(o.pick("Temperature in K, angular velocity in rad/s, from 0 on, and torque of sliding friction",
                "Temperature in K, relative velocity in rad/s, from 0 on, and coefficient of sliding friction"),
                o.pick("Temperature in K, velocity in m/s, from 0 on, and force of sliding friction", "Temperature in K, velocity in m/s, from 0 on, and coefficient of sliding friction"))),
            columns = o.with_load(o.of(&[unit::N, RAD_PER_S, N_M], &[unit::N, M_PER_S, unit::N]),
                o.of(o.pick(&[K, RAD_PER_S, N_M], &[K, RAD_PER_S, ONE]), o.pick(&[K, M_PER_S, unit::N], &[K, M_PER_S, ONE]))), when = o.by_condition();
    }
}

group! {
    /// Discrete memory of a friction element.
    pub struct FrictionMemory<T>(_o: ()) {
        anchor: T, RAD, "where the spring between two given motions is at rest";
        opposite_phi: T, RAD, "angle of the side opposite to a given motion";
        opposite_w: T, RAD_PER_S, "angular velocity of the side opposite to a given motion";
        keeps_opposite: bool, "whether these two are in use";
        breaks: bool, "whether static friction between two given motions was exceeded, and w_rel does not have that direction yet";
        warned_of_force: bool, "whether a normal force above the maximum was reported";
        warned_of_speed: bool, "whether a coefficient that would be negative was reported";
        reverses: bool, "whether w_rel has changed its sign within a step under a given acceleration";
        warned_of_reversal: bool, "whether that was reported";
        changes: i32, "number of successive steps in which the mode has changed under a given acceleration";
        warned_of_chatter: bool, "whether many of these were reported";
    }
}

impl<T: Scalar> Friction<T> {
    /// Returns the parameters of the friction law, converted by `to`.
    #[allow(non_snake_case, reason = "Modelica's names")]
    #[inline(always)]
    pub fn parameters<S>(&self, to: &impl Fn(T) -> S) -> LawParameters<S> {
        let [peak, K_locked, w_small] = [self.peak, self.K_locked, self.w_small].map(to);
        LawParameters { peak, K_locked, w_small }
    }

    /// Returns the branch of the friction law.
    #[inline]
    pub fn branch(&self) -> LawBranch {
        LawBranch { mode: Mode::from_number(self.mode), breaks: self.memory.breaks }
    }

    /// Returns the geometry constant, given or of the friction surfaces.
    #[inline(always)]
    pub fn cgeo(&self, options: FrictionOptions) -> T {
        if !options.surfaces {
            return self.cgeo;
        }
        constant::<T>(f64::from(self.N) / 2.0) * (self.r_o + self.r_i)
    }
}

/// Names and descriptions of the parameters of an inertia; [`inertia!`](crate::inertia!) makes them.
#[allow(non_snake_case, reason = "the parameters' names")]
#[derive(Clone, Copy, Debug, Default)]
pub struct InertiaNames {
    /// Name and description of the moment of inertia.
    pub J: (&'static str, &'static str),
    /// Name and description of the angle at the start.
    pub phi_start: (&'static str, &'static str),
    /// Name and description of the angular velocity at the start.
    pub w_start: (&'static str, &'static str),
}

/// Makes the names of the parameters of the inertia `$side`, which is `$at`, and whose motion is that `$of`.
#[macro_export]
macro_rules! inertia {
    ($side:literal, $at:literal, $of:literal) => {
        $crate::friction::InertiaNames {
            J: (concat!("J_", $side), concat!("Inertia ", $at)),
            phi_start: (concat!("phi_", $side, "_start"), concat!("Initial angle ", $of)),
            w_start: (concat!("w_", $side, "_start"), concat!("Initial angular velocity ", $of)),
        }
    };
}

group! {
    /// The inertia of a side, and its motion at the start.
    pub struct Inertia<T>(o: InertiaNames) {
        J: T = 1.0, KG_M2, "moment of inertia", name = o.J.0, text = o.J.1, min = MIN_STIFFNESS;
        phi_start: T = 0.0, RAD, "initial angle", name = o.phi_start.0, text = o.phi_start.1;
        w_start: T = 0.0, RAD_PER_S, "initial angular velocity", name = o.w_start.0, text = o.w_start.1;
    }
}

/// A side of the friction with its inputs.
#[derive(Clone, Copy, Debug)]
pub struct Side<T> {
    /// Moment of inertia, unless the motion is given.
    pub inertia: Option<T>,
    /// Angle and angular velocity of an inertia at the start.
    pub start: [T; 2],
    /// Angle and angular velocity that are given.
    pub given: [T; 2],
    /// The torque on an inertia, or the acceleration that is given.
    pub load: T,
}

impl<T: Scalar> Side<T> {
    /// Makes a side with one flange.
    #[inline(always)]
    pub fn new(coupling: Coupling, inertia: &Inertia<T>, flange: &Flange<T>) -> Self {
        let FlangeMotion { phi, w, a } = flange.motion;
        let (inertia_inside, load) = match coupling {
            Coupling::torque_in => (Some(inertia.J), flange.tau),
            Coupling::motion_in => (None, a),
        };
        Self { inertia: inertia_inside, start: [inertia.phi_start, inertia.w_start], given: [phi, w], load }
    }
}
