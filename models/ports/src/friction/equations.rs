//! The equations of a component that consists of friction between two sides.

use fmu_runtime::{
    Context, Curve, Diagnostics, ElementVisitor, Equations, Event, Events, Indicators, Inputs, Memory, ModelError,
    Number, Picture, Reader, Scalar, Size, Source, Steps, Variables, Writer,
};
use mechanics::friction::{
    Coefficient, CoefficientError, Computed, ElementLoad, ElementState, Extrapolation, FrictionElement, FrictionLaw,
    INDICATORS, LawBranch, Mode,
};
use nalgebra::convert;

use super::{Friction, FrictionComponent, FrictionOptions};

/// A relative speed that friction elements do not reach, in rad/s: a coefficient that is extrapolated to 0 beyond it
/// is not worth a warning.
const FASTEST: f64 = 1e3;

/// The equations of a component that consists of friction between two sides.
#[derive(Clone)]
pub struct FrictionEquations<C>(pub(super) C);

/// Successive steps with a change of the mode that count as chatter.
const MAX_CHANGES: i32 = 10;

impl<T: Scalar, C: FrictionComponent<T>> Variables<T> for FrictionEquations<C> {
    type Structure = C::Structure;
    const EQUATIONS: &'static str = C::EQUATIONS;
    const SIZE: Size = C::SIZE;
    const HAS_STATES: bool = C::HAS_STATES;

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

    fn prepare(&self, source: &Source<'_, C::Structure>) -> Result<Coefficient, ModelError> {
        let (friction, _) = self.0.parts();
        friction.prepare(C::options(source.structure), &source.with(&()))
    }

    fn check_initial_point(&self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        let (friction, _) = self.0.parts();
        let [r_o, r_i] = [friction.r_o, friction.r_i].map(|radius| Number(radius.value()));
        if !C::options(cx.structure).surfaces || r_i.0 < r_o.0 {
            return Ok(());
        }
        Err(ModelError::invalid(format!("r_i is {r_i}, but must be less than r_o = {r_o}")))
    }

    fn initialise(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        let mut element = self.element(cx, &|x| x);
        element.initialise(self.0.sides(cx.structure).map(|side| side.start));
        self.keep(&element, &|x| x);
        self.0.parts_mut().0.eventTime = convert(cx.time.value());
        Ok(())
    }

    // Inlined into the step, which saves a tenth of its time.
    #[inline(always)]
    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        let mut element = self.element(cx, &|x| x);
        let computed = element.evaluate();
        let Computed { tau, loss_power, sa, a_rel, .. } = computed;
        let motion = [element.x.phi_rel, element.x.w_rel, a_rel];
        let branch = LawBranch { mode: element.x.mode, breaks: element.x.breaks };
        let (friction, _) = self.0.parts_mut();
        friction.set_outputs(
            C::options(cx.structure),
            motion,
            [tau, loss_power, sa],
            branch,
            cx.data,
            cx.time_derivative(),
        );
        self.0.set_outputs(cx.structure, &computed);
        Ok(())
    }
}

impl<T: Scalar, C: FrictionComponent<T>> Events<T> for FrictionEquations<C> {
    fn event(&mut self, cx: &Context<'_, T, Self>, event: &mut Event) -> Result<(), ModelError> {
        let mut element = self.element(cx, &T::value);
        let settled = element.settle();
        self.keep(&element, &convert);
        if settled.mode {
            self.0.parts_mut().0.eventTime = convert(cx.time.value());
        }
        event.states_changed = settled.states;
        event.again = settled.mode;
        Ok(())
    }
}

impl<T: Scalar, C: FrictionComponent<T>> Indicators<T> for FrictionEquations<C> {
    const COUNT: usize = INDICATORS;

    fn indicators(&self, cx: &Context<'_, T, Self>, indicators: &mut [T]) {
        let mut element = self.element(cx, &T::value);
        let computed = element.evaluate();
        indicators.copy_from_slice(&element.indicators(&computed).map(convert));
    }
}

impl<T: Scalar, C: FrictionComponent<T>> Steps<T> for FrictionEquations<C> {
    fn begin_steps(&mut self, cx: &Context<'_, T, Self>) {
        let mut element = self.element(cx, &|x| x);
        element.begin_steps();
        self.keep(&element, &|x| x);
    }

    fn advance(&mut self, cx: &Context<'_, T, Self>, inputs: &Inputs<'_, Self>, h: f64) -> Result<(), ModelError> {
        let mut element = self.element(cx, &T::value);
        let load = |power| self.load(&inputs.coefficients(power), cx.structure, &T::value);
        let before = element.x.mode;
        let event = element.advance(inputs.order(), load, h).map_err(|_| too_many_events())?;
        self.keep(&element, &convert);
        if C::options(cx.structure).driven {
            let changes = &mut self.0.parts_mut().0.memory.changes;
            *changes = if element.x.mode == before { 0 } else { changes.saturating_add(1) };
        }
        if let Some(s) = event {
            let (friction, _) = self.0.parts_mut();
            friction.eventTime = convert(cx.time.value() + s);
            friction.memory.reverses |= C::options(cx.structure).driven && before.number() * friction.mode == -1;
        }
        Ok(())
    }

    // Not inlined, so that the other one stays fast.
    #[inline(never)]
    fn advance_to_event(
        &mut self,
        cx: &Context<'_, T, Self>,
        inputs: &Inputs<'_, Self>,
        h: f64,
    ) -> Result<Option<f64>, ModelError> {
        let mut element = self.element(cx, &T::value);
        let load = |power| self.load(&inputs.coefficients(power), cx.structure, &T::value);
        let before = element.x.mode;
        let event = element.advance_to_event(inputs.order(), load, h).map_err(|_| too_many_events())?;
        self.keep(&element, &convert);
        if element.x.mode != before {
            self.0.parts_mut().0.eventTime = convert(cx.time.value() + event.unwrap_or(0.0));
        }
        Ok(event)
    }
}

impl<T: Scalar, C: FrictionComponent<T>> Memory<T> for FrictionEquations<C> {
    fn completed_step(&mut self, cx: &Context<'_, T, Self>, diagnostics: &mut Diagnostics) {
        if self.0.parts().0.memory.breaks {
            let mut element = self.element(cx, &T::value);
            if element.try_break_away() {
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
    fn element<'a, T: Scalar, S: Scalar>(
        &self,
        cx: &Context<'a, T, Self>,
        to: &impl Fn(T) -> S,
    ) -> FrictionElement<'a, S>
    where
        C: FrictionComponent<T>,
    {
        let (friction, _) = self.0.parts();
        let [a, b] = self.0.sides(cx.structure);
        let inertia = [a.inertia.map(to), b.inertia.map(to)];
        let is_opposite_given = inertia[C::FLANGE_A].is_some() && inertia[1 - C::FLANGE_A].is_none();
        FrictionElement {
            law: FrictionLaw { coefficient: cx.data, parameters: friction.parameters(to) },
            c_stuck: to(friction.c_stuck),
            d_stuck: to(friction.d_stuck),
            inertia,
            reference: if is_opposite_given { 1 - C::FLANGE_A } else { C::FLANGE_A },
            given: [a.given.map(to), b.given.map(to)],
            time_derivative: to(cx.time_derivative()),
            load: self.load(self, cx.structure, to),
            x: self.memory(to),
        }
    }

    /// The loads with the inputs, or their coefficients, that `u` has.
    #[inline(always)]
    fn load<T: Scalar, S: Scalar>(&self, u: &Self, structure: &C::Structure, to: &impl Fn(T) -> S) -> ElementLoad<S>
    where
        C: FrictionComponent<T>,
    {
        let (friction, _) = self.0.parts();
        let n = to(friction.cgeo(C::options(structure)) * friction.fn_max * u.0.parts().0.f_normalized);
        ElementLoad { sides: u.0.sides(structure).map(|side| to(side.load)), n }
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

    /// Stores states and memory of an element.
    #[inline(always)]
    fn keep<T: Scalar, S: Scalar>(&mut self, element: &FrictionElement<'_, S>, from: &impl Fn(S) -> T)
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
    /// Prepares the coefficient of sliding friction, or a bearing's torque, from the table, and shows the curve on the
    /// page.
    ///
    /// # Errors
    ///
    /// A table without rows, or with an invalid element.
    pub fn prepare(&self, options: FrictionOptions, source: &Source<'_, ()>) -> Result<Coefficient, ModelError> {
        let (rows, table) = (source.table(self.mue_pos), options.table());
        let coefficient = |rows: &[[f64; 2]], extrapolation| {
            Coefficient::new(rows, extrapolation).map_err(|wrong| match wrong {
                CoefficientError::Empty => ModelError::invalid(format!("{table} has no rows; it needs at least one")),
                CoefficientError::Element { row, column, value, needed } => {
                    ModelError::invalid(format!("{table}[{row},{column}] is {}, but {needed}", Number(value)))
                }
            })
        };
        if source.is_dependency_analysis() {
            // One row is a constant, for any importer.
            return coefficient(&[[0.0, 1.0], [1.0, 0.5]][..rows.len().min(2)], Extrapolation::Linear);
        }
        let coefficient = coefficient(rows, options.extrapolation.into())?;
        let ends_above = rows.last().is_some_and(|[_, mu]| *mu > 0.0);
        let (symbol, value, what) = options.pick(
            ("tau", ["Torque of sliding friction", "N.m"], "friction torque"),
            ("mue", ["Coefficient of sliding friction", "1"], "coefficient, and with it the friction torque,"),
        );
        if let Some(speed) = coefficient.clamped_from().filter(|speed| ends_above && *speed < FASTEST) {
            source.warn(format!(
                "{table} falls at its end: extrapolated, the {what} is 0 from {} rad/s on; give rows up to the highest \
                 speed, or set extrapolation = hold",
                Number(speed)
            ));
        }
        source.show(|| Picture {
            title: table.into(),
            argument: [options.pick("Angular velocity", "Relative velocity").into(), "rad/s".into()],
            value: value.map(Into::into),
            curves: vec![Curve::of(symbol, rows.to_vec(), 0.0, &|speed| coefficient.mu(speed))],
        });
        Ok(match source.direction(self.mue_pos) {
            Some(direction) => coefficient.along(rows, direction),
            None => coefficient,
        })
    }

    /// Sets the outputs from the relative motion, from friction torque, lost power and curve parameter, and from the
    /// branch of the law.
    #[inline(always)]
    pub fn set_outputs(
        &mut self,
        options: FrictionOptions,
        motion: [T; 3],
        [tau, loss_power, sa]: [T; 3],
        branch: LawBranch,
        coefficient: &Coefficient,
        time_derivative: T,
    ) {
        self.cgeo_of_surfaces = self.cgeo(options);
        [self.phi_rel, self.w_rel, self.a_rel] = motion;
        (self.tau, self.lossPower) = (tau, loss_power);
        self.heatPort.Q_flow = -loss_power;
        self.locked = branch.mode == Mode::Stuck;
        if options.law {
            (self.f_n, self.sa) = (self.fn_max * self.f_normalized, sa);
            self.mue = coefficient.mu_directional(self.w_rel.abs(), time_derivative);
            let is_still = branch.breaks && self.w_rel.value() == 0.0;
            let starts = |mode| is_still && branch.mode == mode;
            (self.startForward, self.startBackward) = (starts(Mode::Forward), starts(Mode::Backward));
        }
    }

    /// Warns once of a normal force above the maximum, once of a reversal that is right only if the given motion does not
    /// depend on the friction torque, once if sticking and sliding alternate from step to step, and once of a speed at which the table's coefficient would be negative.
    fn warn(&mut self, mue_pos: &Coefficient, diagnostics: &mut Diagnostics) {
        let f = self.f_normalized.value();
        if f > 1.0 && !self.memory.warned_of_force {
            self.memory.warned_of_force = true;
            diagnostics
                .warn(format!("f_normalized is {}: the normal force exceeds fn_max and is not limited", Number(f)));
        }
        if self.memory.reverses && !self.memory.warned_of_reversal {
            self.memory.warned_of_reversal = true;
            diagnostics.warn(
                "w_rel has changed its sign within a step, under the acceleration that was given for the whole step; if that \
                 depends on the friction torque, let this component contain the inertia (torque_in), or use Model Exchange",
            );
        }
        if self.memory.changes >= MAX_CHANGES && !self.memory.warned_of_chatter {
            self.memory.warned_of_chatter = true;
            diagnostics.warn(format!(
                "mode has changed in each of {MAX_CHANGES} successive steps; if the given acceleration follows from the \
                 friction torque of the step before, this needs an inertia inside that is smaller than the one outside: let \
                 this component contain both inertias (torque_in), or use Model Exchange"
            ));
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

/// The error of a step with too many events.
fn too_many_events() -> ModelError {
    ModelError::singular("too many friction events in one step: stiffness or torques are extreme")
}
