//! Coulomb friction between two sides: what clutch and brake have in common.

use fmu_runtime::{
    Connector, Context, Diagnostics, ElementVisitor, Equations, Event, Inputs, ModelError, Number, Reader, Scalar,
    Size, Source, Table, Variables, Writer, group,
};
use mechanics::friction::{
    Coefficient, CoefficientError, Computed, Element, ElementLoad, ElementState, INDICATORS, Mode,
};
use nalgebra::convert;

use crate::{Coupling, Flange, FlangeMotion, HeatPort};

/// Options of the friction between two sides.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrictionOptions {
    /// Whether both motions are given, so that only a spring can tell the torque while stuck, and the relative
    /// motion is no state.
    pub elastic: bool,
    /// Whether there is the heat port.
    pub heat_port: bool,
    /// Nominal value of the relative angle, in rad.
    pub phi_nominal: f64,
}

group! {
    /// Friction between two sides.
    pub struct Friction<T>(o: FrictionOptions) {
        tunable   peak:   T = 1.0, ONE, "Static friction as a multiple of sliding friction at w_rel = 0", min = 1.0;
        tunable   cgeo:   T = 1.0, ONE, "Geometry constant N (r_o + r_i) / 2: torque by friction coefficient and normal force", min = 0.0;
        tunable   fn_max: T = 1.0, N, "Normal force at f_normalized = 1", min = 0.0;
        parameter w_small:  T = 1.0e10, RAD_PER_S, "Largest overshoot of w_rel through 0 that counts as an arrival at 0 (Model Exchange)", min = 0.0;
        parameter K_locked: T = 0.0, PER_S, "Rate at which a rest of w_rel decays while stuck (Model Exchange)", min = 0.0;
        parameter c_stuck:  T = 1.0e5, NM_PER_RAD, "Stiffness while stuck", min = 0.0, when = o.elastic;
        parameter d_stuck:  T = 10.0, NMS_PER_RAD, "Damping while stuck", min = 0.0, when = o.elastic;
        input     f_normalized: T = 0.0, ONE, "Normal force by fn_max, from 0 to 1";
        group     heatPort: HeatPort<T>, "Heat port", when = o.heat_port, connector = Connector::HeatPort_a;
        output    phi_rel: T, RAD, "Relative angle: flange_b.phi - flange_a.phi of a clutch, flange_a.phi - support.phi of a brake",
            nominal = o.phi_nominal, der = if o.elastic { "" } else { "w_rel" };
        output    w_rel: T, RAD_PER_S, "Relative angular velocity", der = if o.elastic { "" } else { "a_rel" };
        output    a_rel: T, RAD_PER_S2, "Relative angular acceleration";
        output    tau: T, N_M, "Friction torque, positive while w_rel is";
        output    lossPower: T, W, "Power turned into heat";
        output    mode: i32, "-1 Backward, 0 Stuck, 1 Forward, 2 Free", min = -1.0, max = 2.0;
        output    locked: bool, "Whether the two sides are stuck";
        memory    memory: FrictionMemory<T>, "ElementState";
        parameter mue_pos: Table<2> = &[[0.0, 0.5]], "Relative velocity in rad/s, from 0 on, and coefficient of sliding friction", min = 0.0;
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

/// Names and descriptions of the parameters of an inertia; [`inertia!`](crate::inertia!) makes them.
#[allow(non_snake_case, reason = "the parameters' names")]
#[derive(Clone, Copy, Debug, Default)]
pub struct InertiaNames {
    /// Of the moment of inertia.
    pub J: (&'static str, &'static str),
    /// Of the angle at the start.
    pub phi_start: (&'static str, &'static str),
    /// Of the angular velocity at the start.
    pub w_start: (&'static str, &'static str),
}

/// The names of the parameters of the inertia `$side`, which is `$at`, and whose motion is that `$of`.
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
        J: T = 1.0, KG_M2, "moment of inertia", name = o.J.0, text = o.J.1, min = 0.0;
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
    /// A side with one flange.
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

/// A component that is friction between two sides, of which one has flange_a.
///
/// Its equations are those of [`FrictionEquations`].
pub trait FrictionComponent<T: Scalar>: Variables<T> {
    /// Names of the sides' inertias.
    const INERTIAS: [InertiaNames; 2];
    /// The side with flange_a: the angle and angular velocity there are states if both sides have an inertia.
    const FLANGE_A: usize;

    /// What is not of one side, and flange_a.
    fn parts(&self) -> (&Friction<T>, &Flange<T>);
    /// The same.
    fn parts_mut(&mut self) -> (&mut Friction<T>, &mut Flange<T>);
    /// The sides, in the order of phi_rel = phi_2 - phi_1.
    fn sides(&self, structure: &Self::Structure) -> [Side<T>; 2];
    /// Takes motions and torque to the flanges.
    fn put(&mut self, structure: &Self::Structure, computed: &Computed<T>);
}

/// The equations of a component that is friction between two sides.
#[derive(Clone)]
pub struct FrictionEquations<C>(C);

impl<T: Scalar, C: FrictionComponent<T>> Variables<T> for FrictionEquations<C> {
    type Structure = C::Structure;
    const EQUATIONS: &'static str = C::EQUATIONS;
    const SIZE: Size = C::SIZE;

    fn declare(structure: &C::Structure, visitor: &mut dyn ElementVisitor) {
        C::declare(structure, visitor);
    }
    #[inline(always)]
    fn read(reader: Reader<'_, T>) -> Self {
        Self(C::read(reader))
    }
    #[inline(always)]
    fn write(&self, writer: Writer<'_, T>) -> bool {
        self.0.write(writer)
    }
}

impl<T: Scalar, C: FrictionComponent<T>> Equations<T> for FrictionEquations<C> {
    type Data = Coefficient;
    const HAS_DYNAMICS: bool = true;
    const HAS_MEMORY: bool = true;

    fn indicator_count(_: &C::Structure) -> usize {
        INDICATORS
    }

    fn prepare(&self, source: &Source<'_, C::Structure>) -> Result<Coefficient, ModelError> {
        let inertias = self.0.sides(source.structure).map(|side| side.inertia);
        for (inertia, names) in inertias.into_iter().zip(C::INERTIAS) {
            inertia.map_or(Ok(()), |inertia| check_positive(names.J.0, inertia))?;
        }
        let (friction, _) = self.0.parts();
        if inertias == [None, None] {
            check_positive("c_stuck", friction.c_stuck)?;
        }
        let rows = source.table(friction.mue_pos);
        if source.is_dependency_analysis() {
            // One row is a constant, whatever it is.
            return coefficient(&[[0.0, 1.0], [1.0, 0.5]][..rows.len().min(2)]);
        }
        let coefficient = coefficient(rows)?;
        Ok(match source.direction(friction.mue_pos) {
            Some(direction) => coefficient.along(rows, direction),
            None => coefficient,
        })
    }

    fn initialise(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        let mut element = self.element(cx, &|x| x);
        element.initialise(self.0.sides(cx.structure).map(|side| side.start));
        self.keep(&element, &|x| x);
        Ok(())
    }

    fn begin_steps(&mut self, cx: &Context<'_, T, Self>) {
        let mut element = self.element(cx, &|x| x);
        element.begin_steps();
        self.keep(&element, &|x| x);
    }

    // Inlined into the step, where it saves a tenth of the time.
    #[inline(always)]
    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        let mut element = self.element(cx, &|x| x);
        let computed = element.evaluate();
        let (friction, _) = self.0.parts_mut();
        (friction.phi_rel, friction.w_rel, friction.a_rel) = (element.x.phi_rel, element.x.w_rel, computed.a_rel);
        (friction.tau, friction.lossPower) = (computed.tau, computed.loss_power);
        friction.heatPort.Q_flow = -computed.loss_power;
        friction.locked = element.x.mode == Mode::Stuck;
        self.0.put(cx.structure, &computed);
        Ok(())
    }

    fn indicators(&self, cx: &Context<'_, T, Self>, indicators: &mut [T]) {
        let mut element = self.element(cx, &T::value);
        let computed = element.evaluate();
        indicators.copy_from_slice(&element.indicators(&computed).map(convert));
    }

    fn event(&mut self, cx: &Context<'_, T, Self>, event: &mut Event) -> Result<(), ModelError> {
        let mut element = self.element(cx, &T::value);
        let settled = element.settle();
        self.keep(&element, &convert);
        event.states_changed = settled.states;
        event.again = settled.mode;
        Ok(())
    }

    fn advance(&mut self, cx: &Context<'_, T, Self>, inputs: &Inputs<'_, Self>, h: f64) -> Result<(), ModelError> {
        let mut element = self.element(cx, &T::value);
        let load = |power| inputs.coefficients(power).load(cx.structure, &T::value);
        element.advance(inputs.order(), load, h).map_err(|_| too_many_events())?;
        self.keep(&element, &convert);
        Ok(())
    }

    fn completed_step(&mut self, cx: &Context<'_, T, Self>, diagnostics: &mut Diagnostics) {
        if self.0.parts().0.memory.breaks {
            let mut element = self.element(cx, &T::value);
            if element.give_way() {
                diagnostics.ask_for_event();
            }
            self.keep(&element, &convert);
        }
        self.0.parts_mut().0.warn(cx.data, diagnostics);
    }
}

impl<C> FrictionEquations<C> {
    /// The friction element at this point, its numbers made by `to`.
    #[inline(always)]
    fn element<'a, T: Scalar, S: Scalar>(&self, cx: &Context<'a, T, Self>, to: &impl Fn(T) -> S) -> Element<'a, S>
    where
        C: FrictionComponent<T>,
    {
        let (friction, _) = self.0.parts();
        let [a, b] = self.0.sides(cx.structure);
        let inertia = [a.inertia.map(to), b.inertia.map(to)];
        let is_opposite_given = inertia[C::FLANGE_A].is_some() && inertia[1 - C::FLANGE_A].is_none();
        Element {
            coefficient: cx.data,
            peak: to(friction.peak),
            K_locked: to(friction.K_locked),
            w_small: to(friction.w_small),
            c_stuck: to(friction.c_stuck),
            d_stuck: to(friction.d_stuck),
            inertia,
            reference: if is_opposite_given { 1 - C::FLANGE_A } else { C::FLANGE_A },
            given: [a.given.map(to), b.given.map(to)],
            time_derivative: to(cx.time_derivative()),
            load: self.load(cx.structure, to),
            x: self.memory(to),
        }
    }

    /// What acts.
    #[inline(always)]
    fn load<T: Scalar, S: Scalar>(&self, structure: &C::Structure, to: &impl Fn(T) -> S) -> ElementLoad<S>
    where
        C: FrictionComponent<T>,
    {
        let (friction, _) = self.0.parts();
        let n = to(friction.cgeo * friction.fn_max * friction.f_normalized);
        ElementLoad { sides: self.0.sides(structure).map(|side| to(side.load)), n }
    }

    /// States and memory.
    #[inline(always)]
    fn memory<T: Scalar, S: Scalar>(&self, to: &impl Fn(T) -> S) -> ElementState<S>
    where
        C: FrictionComponent<T>,
    {
        let (friction, flange_a) = self.0.parts();
        let memory = &friction.memory;
        ElementState {
            phi_rel: to(friction.phi_rel),
            w_rel: to(friction.w_rel),
            phi: to(flange_a.motion.phi),
            w: to(flange_a.motion.w),
            mode: Mode::from_number(friction.mode),
            anchor: to(memory.anchor),
            opposite: [to(memory.opposite_phi), to(memory.opposite_w)],
            keeps_opposite: memory.keeps_opposite,
            breaks: memory.breaks,
        }
    }

    /// Takes over states and memory of an element.
    #[inline(always)]
    fn keep<T: Scalar, S: Scalar>(&mut self, element: &Element<'_, S>, from: &impl Fn(S) -> T)
    where
        C: FrictionComponent<T>,
    {
        let x = &element.x;
        let (friction, flange_a) = self.0.parts_mut();
        if element.inertia[C::FLANGE_A].is_some() {
            [flange_a.motion.phi, flange_a.motion.w] = [x.phi, x.w].map(from);
        }
        [friction.phi_rel, friction.w_rel] = [x.phi_rel, x.w_rel].map(from);
        friction.mode = x.mode.number();
        friction.memory.anchor = from(x.anchor);
        [friction.memory.opposite_phi, friction.memory.opposite_w] = x.opposite.map(from);
        friction.memory.keeps_opposite = x.keeps_opposite;
        friction.memory.breaks = x.breaks;
    }
}

impl<T: Scalar> Friction<T> {
    /// Warns once of a normal force above the maximum, and once of a speed at which the table's
    /// coefficient would be negative.
    fn warn(&mut self, mue_pos: &Coefficient, diagnostics: &mut Diagnostics) {
        let f = self.f_normalized.value();
        if f > 1.0 && !self.memory.warned_of_force {
            self.memory.warned_of_force = true;
            diagnostics
                .warn(format!("f_normalized is {}: the normal force is above fn_max, which is not limited", Number(f)));
        }
        let w_rel = self.w_rel.value();
        let slides = Mode::from_number(self.mode).direction().is_some();
        let is_beyond = |from: &f64| slides && w_rel.abs() > *from;
        if let Some(from) = mue_pos.clamped_from().filter(is_beyond)
            && !self.memory.warned_of_speed
        {
            self.memory.warned_of_speed = true;
            diagnostics.warn(format!(
                "w_rel is {} rad/s: mue_pos would be negative above {} rad/s and is 0 there",
                Number(w_rel),
                Number(from)
            ));
        }
    }
}

/// The coefficient of friction of the table `mue_pos`.
fn coefficient(rows: &[[f64; 2]]) -> Result<Coefficient, ModelError> {
    Coefficient::new(rows).map_err(|wrong| match wrong {
        CoefficientError::Empty => ModelError::invalid("mue_pos has no rows, but needs one at least"),
        CoefficientError::Element { row, column, value, needed } => {
            ModelError::invalid(format!("mue_pos[{row},{column}] is {}, but {needed}", Number(value)))
        }
    })
}

/// Refuses a parameter that is not positive.
fn check_positive<T: Scalar>(name: &str, value: T) -> Result<(), ModelError> {
    if value.value() > 0.0 {
        return Ok(());
    }
    Err(ModelError::invalid(format!("{name} is {}, but must be positive", Number(value.value()))))
}

/// What happened if a step has more events than can be.
fn too_many_events() -> ModelError {
    ModelError::singular(
        "friction does not come to an end of its events within one step: stiffness or torques are extreme",
    )
}
