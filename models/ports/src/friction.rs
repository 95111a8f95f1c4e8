//! What the clutch and the brake have in common.

use fmu_runtime::{Context, Diagnostics, Equations, Event, Inputs, ModelError, Number, Scalar, Source, Table, group};
use mechanics::friction::{Coefficient, Computed, Element, Load, Memory, Mode, Wrong};
use nalgebra::convert;

use crate::FlangeMotion;

group! {
    /// The law of friction, beside the table.
    pub struct FrictionLaw<T>(_o: ()) {
        peak:   T = 1.0, ONE, "Static friction as a multiple of sliding friction at w_rel = 0", min = 1.0;
        cgeo:   T = 1.0, ONE, "Geometry constant N (r_o + r_i) / 2: torque by friction coefficient and normal force", min = 0.0;
        fn_max: T = 1.0, N, "Normal force at f_normalized = 1", min = 0.0;
    }
}

group! {
    /// How two sides stick; the option is whether both motions are given.
    pub struct FrictionHold<T>(elastic: bool) {
        w_small:  T = 1.0e10, RAD_PER_S, "Largest overshoot of w_rel through 0 that counts as an arrival at 0 (Model Exchange)", min = 0.0;
        K_locked: T = 0.0, PER_S, "Rate at which a rest of w_rel decays while stuck (Model Exchange)", min = 0.0;
        c_stuck:  T = 1.0e5, NM_PER_RAD, "Stiffness while stuck", min = 0.0, when = elastic;
        d_stuck:  T = 10.0, NMS_PER_RAD, "Damping while stuck", min = 0.0, when = elastic;
    }
}

/// Options of what a friction element computes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrictionOptions {
    /// Whether both motions are given, so that none is a state.
    pub elastic: bool,
    /// Nominal value of the relative angle, in rad.
    pub phi_nominal: f64,
}

group! {
    /// The relative motion of two sides and the friction between them.
    pub struct Friction<T>(o: FrictionOptions) {
        phi_rel: T, RAD, "Relative angle: flange_b.phi - flange_a.phi of a clutch, flange_a.phi - support.phi of a brake",
            nominal = o.phi_nominal, der = if o.elastic { "" } else { "w_rel" };
        w_rel: T, RAD_PER_S, "Relative angular velocity", der = if o.elastic { "" } else { "a_rel" };
        a_rel: T, RAD_PER_S2, "Relative angular acceleration";
        tau: T, N_M, "Friction torque, positive while w_rel is";
        lossPower: T, W, "Power turned into heat";
        mode: i32, "-1 Backward, 0 Stuck, 1 Forward, 2 Free", min = -1.0, max = 2.0;
        locked: bool, "Whether the two sides are stuck";
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
    }
}

/// A component that is one friction element.
pub trait CoulombFriction<T: Scalar>: Equations<T, Data = Coefficient> {
    /// The element at this point, its numbers made by `to`.
    fn element<'a, S: Scalar>(&self, cx: &Context<'a, T, Self>, to: &impl Fn(T) -> S) -> Element<'a, S>;
    /// What acts with the inputs that `u` has.
    fn load<S: Scalar>(&self, u: &Self, structure: &Self::Structure, to: &impl Fn(T) -> S) -> Load<S>;
    /// Takes over the states and what the element remembers.
    fn keep<S: Scalar>(&mut self, x: &Memory<S>, from: &impl Fn(S) -> T);
}

/// The end of an initialisation before steps of Co-Simulation.
pub fn begin_steps<T: Scalar, C: CoulombFriction<T>>(component: &mut C, cx: &Context<'_, T, C>) {
    let mut element = component.element(cx, &|x| x);
    element.begin_steps();
    component.keep(&element.x, &|x| x);
}

/// The event indicators.
pub fn indicators<T: Scalar, C: CoulombFriction<T>>(component: &C, cx: &Context<'_, T, C>, indicators: &mut [T]) {
    let mut element = component.element(cx, &T::value);
    let computed = element.evaluate();
    indicators.copy_from_slice(&element.indicators(&computed).map(convert));
}

/// An event.
pub fn event<T: Scalar, C: CoulombFriction<T>>(component: &mut C, cx: &Context<'_, T, C>, event: &mut Event) {
    let mut element = component.element(cx, &T::value);
    let settled = element.settle();
    component.keep(&element.x, &convert);
    event.states_changed = settled.states;
    event.again = settled.mode;
}

/// The end of a step in which a spring between two given motions may give way.
pub fn give_way<T: Scalar, C: CoulombFriction<T>>(
    component: &mut C,
    cx: &Context<'_, T, C>,
    diagnostics: &mut Diagnostics,
) {
    let mut element = component.element(cx, &T::value);
    if element.give_way() {
        diagnostics.ask_for_event();
    }
    component.keep(&element.x, &convert);
}

/// A Co-Simulation step.
pub fn advance<T: Scalar, C: CoulombFriction<T>>(
    component: &mut C,
    cx: &Context<'_, T, C>,
    inputs: &Inputs<'_, C>,
    h: f64,
) -> Result<(), ModelError> {
    let mut element = component.element(cx, &T::value);
    let load = |power| component.load(&inputs.coefficients(power), cx.structure, &T::value);
    element.advance(inputs.order(), load, h).map_err(|_| restless())?;
    component.keep(&element.x, &convert);
    Ok(())
}

impl<T: Scalar> FrictionLaw<T> {
    /// Normal force times geometry, in N.m.
    pub fn normal(&self, f_normalized: T) -> T {
        self.cgeo * self.fn_max * f_normalized
    }
}

impl<T: Scalar> Friction<T> {
    /// Takes over what an element has computed.
    pub fn put(&mut self, x: &Memory<T>, computed: &Computed<T>) {
        (self.phi_rel, self.w_rel, self.a_rel) = (x.phi_rel, x.w_rel, computed.a_rel);
        self.tau = computed.tau;
        self.lossPower = computed.loss_power;
        self.locked = x.mode == Mode::Stuck;
    }
}

impl<T: Scalar> FrictionMemory<T> {
    /// States and memory of an element; `reference` is the side whose motion may be a state.
    pub fn with<S: Scalar>(
        &self,
        friction: &Friction<T>,
        reference: &FlangeMotion<T>,
        to: &impl Fn(T) -> S,
    ) -> Memory<S> {
        Memory {
            phi_rel: to(friction.phi_rel),
            w_rel: to(friction.w_rel),
            phi: to(reference.phi),
            w: to(reference.w),
            mode: Mode::from_number(friction.mode),
            anchor: to(self.anchor),
            opposite: [to(self.opposite_phi), to(self.opposite_w)],
            keeps_opposite: self.keeps_opposite,
            breaks: self.breaks,
        }
    }

    /// Takes over states and memory of an element.
    pub fn keep<S: Scalar>(
        &mut self,
        x: &Memory<S>,
        friction: &mut Friction<T>,
        reference: &mut FlangeMotion<T>,
        from: &impl Fn(S) -> T,
    ) {
        [friction.phi_rel, friction.w_rel] = [x.phi_rel, x.w_rel].map(from);
        [reference.phi, reference.w] = [x.phi, x.w].map(from);
        friction.mode = x.mode.number();
        self.anchor = from(x.anchor);
        [self.opposite_phi, self.opposite_w] = x.opposite.map(from);
        self.keeps_opposite = x.keeps_opposite;
        self.breaks = x.breaks;
    }

    /// Warns once of a normal force above the maximum, and once of a speed at which the table's
    /// coefficient would be negative.
    pub fn check(
        &mut self,
        f_normalized: T,
        friction: &Friction<T>,
        mue_pos: &Coefficient,
        diagnostics: &mut Diagnostics,
    ) {
        let f = f_normalized.value();
        if f > 1.0 && !self.warned_of_force {
            self.warned_of_force = true;
            diagnostics
                .warn(format!("f_normalized is {}: the normal force is above fn_max, which is not limited", Number(f)));
        }
        let w_rel = friction.w_rel.value();
        let slides = Mode::from_number(friction.mode).direction().is_some();
        let is_beyond = |from: &f64| slides && w_rel.abs() > *from;
        if let Some(from) = mue_pos.clamped_from().filter(is_beyond)
            && !self.warned_of_speed
        {
            self.warned_of_speed = true;
            diagnostics.warn(format!(
                "w_rel is {} rad/s: mue_pos would be negative above {} rad/s and is 0 there",
                Number(w_rel),
                Number(from)
            ));
        }
    }
}

/// Prepares an element: `needed` names parameters that must be positive, with their values, if they exist.
pub fn prepare<T: Scalar, S, const N: usize>(
    source: &Source<'_, S>,
    mue_pos: Table<2>,
    needed: [(&str, T, bool); N],
) -> Result<Coefficient, ModelError> {
    needed.into_iter().filter(|(.., exists)| *exists).try_for_each(|(name, value, _)| positive(name, value))?;
    let rows = source.table(mue_pos);
    if source.is_dependency_analysis() {
        // One row is a constant, whatever it is.
        return coefficient(&[[0.0, 1.0], [1.0, 0.5]][..rows.len().min(2)]);
    }
    let coefficient = coefficient(rows)?;
    Ok(match source.direction(mue_pos) {
        Some(direction) => coefficient.along(rows, direction),
        None => coefficient,
    })
}

/// The coefficient of friction of the table `mue_pos`.
fn coefficient(rows: &[[f64; 2]]) -> Result<Coefficient, ModelError> {
    Coefficient::new(rows).map_err(|wrong| match wrong {
        Wrong::Empty => ModelError::invalid("mue_pos has no rows, but needs one at least"),
        Wrong::Element { row, column, value, needed } => {
            ModelError::invalid(format!("mue_pos[{row},{column}] is {}, but {needed}", Number(value)))
        }
    })
}

/// Refuses a parameter that is not positive.
fn positive<T: Scalar>(name: &str, value: T) -> Result<(), ModelError> {
    if value.value() > 0.0 {
        return Ok(());
    }
    Err(ModelError::invalid(format!("{name} is {}, but must be positive", Number(value.value()))))
}

/// What happened if a step has more events than can be.
fn restless() -> ModelError {
    ModelError::singular(
        "friction does not come to an end of its events within one step: stiffness or torques are extreme",
    )
}
