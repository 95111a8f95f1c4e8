//! A component that is friction between two sides: its states, events and steps.

use fmu_runtime::{AcausalModel, Context, Diagnostics, Equations, Event, Inputs, ModelError, Scalar, Source};
use mechanics::friction::{
    Coefficient, Computed, ElementLoad, ElementState, FrictionElement, FrictionLaw, LawBranch, Mode,
};
use nalgebra::convert;

use super::{Friction, FrictionOptions, InertiaNames, Side};
use crate::Flange;

/// Numbers of arguments and results of [`FrictionComponent::friction_law`].
pub const LAW: [usize; 2] = [2, 7];

/// Parameters that only friction between two given motions has.
const ELASTIC: [&str; 2] = ["c_stuck", "d_stuck"];

/// A component that is friction between two sides, of which one has flange_a.
///
/// [`friction_capabilities!`](crate::friction_capabilities!) makes its events and steps of the functions that are given
/// here.
pub trait FrictionComponent<T: Scalar>: Equations<T, Data = Coefficient> {
    /// Names of the sides' inertias.
    const INERTIAS: [InertiaNames; 2];
    /// The side with flange_a: the angle and angular velocity there are states if both sides have an inertia.
    const FLANGE_A: usize;

    /// The flanges of the model in Modelica, with phi_rel, w_rel, a_rel and tau.
    fn flanges(structure: &Self::Structure) -> String;
    /// The options of the friction.
    fn options(structure: &Self::Structure) -> FrictionOptions;
    /// Variables that belong to neither side, and flange_a.
    fn parts(&self) -> (&Friction<T>, &Flange<T>);
    /// Variables that belong to neither side, and flange_a, to be changed.
    fn parts_mut(&mut self) -> (&mut Friction<T>, &mut Flange<T>);
    /// The sides, in the order of phi_rel = phi_2 - phi_1.
    fn sides(&self, structure: &Self::Structure) -> [Side<T>; 2];

    /// Prepares the coefficient of sliding friction from the table.
    ///
    /// # Errors
    ///
    /// A table without rows, or with an invalid element.
    fn prepare_friction(&self, source: &Source<'_, Self::Structure>) -> Result<Coefficient, ModelError> {
        self.parts().0.prepare(Self::options(source.structure), &source.with(&()))
    }

    /// Sets the outputs that belong to neither side; returns the friction torque with the motion of the sides.
    // Inlined into the step, which saves a tenth of its time.
    #[inline(always)]
    fn evaluate_friction(&mut self, cx: &Context<'_, T, Self>) -> Computed<T> {
        let mut element = self.element(cx, &|x| x);
        let computed = element.evaluate();
        let motion = [element.x.phi_rel, element.x.w_rel, computed.a_rel];
        let branch = LawBranch { mode: element.x.mode, breaks: element.x.breaks };
        let loads = [computed.tau, computed.loss_power, computed.sa];
        let (friction, _) = self.parts_mut();
        friction.set_outputs(Self::options(cx.structure), motion, loads, branch, cx.data, cx.time_derivative());
        computed
    }

    /// Sets states and memory from the motion at the start.
    fn initialise_friction(&mut self, cx: &Context<'_, T, Self>) {
        let mut element = self.element(cx, &|x| x);
        element.initialise(self.sides(cx.structure).map(|side| side.start));
        self.keep(&element, &|x| x);
        self.parts_mut().0.eventTime = convert(cx.time.value());
    }

    /// Changes the mode at an event.
    fn friction_event(&mut self, cx: &Context<'_, T, Self>, event: &mut Event) {
        let mut element = self.element(cx, &T::value);
        let settled = element.settle();
        self.keep(&element, &convert);
        if settled.mode {
            self.parts_mut().0.eventTime = convert(cx.time.value());
        }
        event.states_changed = settled.states;
        event.again = settled.mode;
    }

    /// Computes the event indicators.
    fn friction_indicators(&self, cx: &Context<'_, T, Self>, indicators: &mut [T]) {
        let mut element = self.element(cx, &|x| x);
        let computed = element.evaluate();
        if !element.is_elastic() {
            indicators.copy_from_slice(&element.law_indicators(&computed));
            return;
        }
        // The spring between two given motions is one of numbers: there are no states to derive by.
        let mut element = self.element(cx, &T::value);
        let computed = element.evaluate();
        indicators.copy_from_slice(&element.indicators(&computed).map(convert));
    }

    /// Prepares the first step.
    fn begin_friction_steps(&mut self, cx: &Context<'_, T, Self>) {
        let mut element = self.element(cx, &|x| x);
        element.begin_steps();
        self.keep(&element, &|x| x);
    }

    /// Moves the states over a step, with the events in it.
    ///
    /// # Errors
    ///
    /// Too many events.
    #[inline(always)]
    fn advance_friction(
        &mut self,
        cx: &Context<'_, T, Self>,
        inputs: &Inputs<'_, Self>,
        h: f64,
    ) -> Result<(), ModelError> {
        let mut element = self.element(cx, &T::value);
        let load = |power| self.load(&inputs.coefficients(power), cx.structure, &T::value);
        let before = element.x.mode;
        let event = element.advance(inputs.order(), load, h).map_err(|_| too_many_events())?;
        self.keep(&element, &convert);
        if Self::options(cx.structure).driven {
            let changes = &mut self.parts_mut().0.memory.changes;
            *changes = if element.x.mode == before { 0 } else { changes.saturating_add(1) };
        }
        if let Some(s) = event {
            let (friction, _) = self.parts_mut();
            friction.eventTime = convert(cx.time.value() + s);
            friction.memory.reverses |= Self::options(cx.structure).driven && before.number() * friction.mode == -1;
        }
        Ok(())
    }

    /// Moves the states to the first event in a step, and returns how long after its beginning that is.
    ///
    /// # Errors
    ///
    /// Too many events.
    // Not inlined, so that the other one stays fast.
    #[inline(never)]
    fn advance_friction_to_event(
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
            self.parts_mut().0.eventTime = convert(cx.time.value() + event.unwrap_or(0.0));
        }
        Ok(event)
    }

    /// Breaks away where that needs no event, and warns, at the end of a step.
    #[inline(always)]
    fn complete_friction_step(&mut self, cx: &Context<'_, T, Self>, diagnostics: &mut Diagnostics) {
        if self.parts().0.memory.breaks {
            let mut element = self.element(cx, &T::value);
            if element.try_break_away() {
                diagnostics.ask_for_event();
            }
            self.keep(&element, &convert);
        }
        self.parts_mut().0.warn(cx.data, diagnostics);
    }

    /// The model in Modelica around the law.
    fn friction_model(structure: &Self::Structure) -> AcausalModel {
        let word = if Self::options(structure).heat_port { "true" } else { "false" };
        let friction = include_str!("friction.mo").replace("{useHeatPort}", word);
        let of_inertias = Self::INERTIAS.iter().flat_map(|names| [names.J.0, names.phi_start.0, names.w_start.0]);
        AcausalModel {
            text: Self::flanges(structure) + &friction,
            without: of_inertias.chain(ELASTIC).map(str::to_owned).collect(),
        }
    }

    /// The law without inertias, in the branch with the number of a [`Mode`]: ca, cb, ta, tb, tau0, tau0_max, and the
    /// normal force times geometry, from w_rel and f_normalized.
    fn friction_law(&self, cx: &Context<'_, T, Self>, branch: i32, arguments: &[T], results: &mut [T]) {
        let (friction, _) = self.parts();
        let law = FrictionLaw { coefficient: cx.data, parameters: friction.parameters(&|x| x) };
        let n = friction.cgeo(Self::options(cx.structure)) * friction.fn_max * arguments[1];
        let line = law.line(Mode::from_number(branch), arguments[0], n, cx.time_derivative());
        results.copy_from_slice(&[line.ca, line.cb, line.ta, line.tb, law.tau0(n), law.tau0_max(n), n]);
    }

    /// The friction element at this point, its numbers made by `to`.
    #[inline(always)]
    fn element<'a, S: Scalar>(&self, cx: &Context<'a, T, Self>, to: &impl Fn(T) -> S) -> FrictionElement<'a, S> {
        let (friction, _) = self.parts();
        let [a, b] = self.sides(cx.structure);
        let inertia = [a.inertia.map(to), b.inertia.map(to)];
        let is_opposite_given = inertia[Self::FLANGE_A].is_some() && inertia[1 - Self::FLANGE_A].is_none();
        FrictionElement {
            law: FrictionLaw { coefficient: cx.data, parameters: friction.parameters(to) },
            c_stuck: to(friction.c_stuck),
            d_stuck: to(friction.d_stuck),
            inertia,
            reference: if is_opposite_given { 1 - Self::FLANGE_A } else { Self::FLANGE_A },
            given: [a.given.map(to), b.given.map(to)],
            time_derivative: to(cx.time_derivative()),
            load: self.load(self, cx.structure, to),
            x: self.memory(to),
        }
    }

    /// The loads with the inputs, or their coefficients, that `u` has.
    #[inline(always)]
    fn load<S: Scalar>(&self, u: &Self, structure: &Self::Structure, to: &impl Fn(T) -> S) -> ElementLoad<S> {
        let (friction, _) = self.parts();
        let n = to(friction.cgeo(Self::options(structure)) * friction.fn_max * u.parts().0.f_normalized);
        ElementLoad { sides: u.sides(structure).map(|side| to(side.load)), n }
    }

    /// States and memory.
    #[inline(always)]
    fn memory<S: Scalar>(&self, to: &impl Fn(T) -> S) -> ElementState<S> {
        let (friction, flange_a) = self.parts();
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
    fn keep<S: Scalar>(&mut self, element: &FrictionElement<'_, S>, from: &impl Fn(S) -> T) {
        let x = &element.x;
        let (friction, flange_a) = self.parts_mut();
        if element.inertia[Self::FLANGE_A].is_some() {
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

/// The error of a step with too many events.
fn too_many_events() -> ModelError {
    ModelError::singular("too many friction events in one step: stiffness or torques are extreme")
}

/// Implements `Events`, `Indicators`, `Steps`, `Memory` and `Acausal` for a
/// [`FrictionComponent`].
#[macro_export]
macro_rules! friction_capabilities {
    ($Name:ident) => {
        const _: () = {
            use ::fmu_runtime::{
                Acausal, AcausalModel, Context, Diagnostics, Event, Events, Indicators, Inputs, Memory, ModelError,
                Scalar, Steps, Variables,
            };
            use $crate::friction::FrictionComponent;

            impl<T: Scalar> Events<T> for $Name<T> {
                fn event(&mut self, cx: &Context<'_, T, Self>, event: &mut Event) -> Result<(), ModelError> {
                    self.friction_event(cx, event);
                    Ok(())
                }
            }

            impl<T: Scalar> Indicators<T> for $Name<T> {
                const COUNT: usize = ::mechanics::friction::INDICATORS;

                fn indicators(&self, cx: &Context<'_, T, Self>, indicators: &mut [T]) {
                    self.friction_indicators(cx, indicators);
                }
            }

            impl<T: Scalar> Steps<T> for $Name<T> {
                fn begin_steps(&mut self, cx: &Context<'_, T, Self>) {
                    self.begin_friction_steps(cx);
                }

                fn advance(
                    &mut self,
                    cx: &Context<'_, T, Self>,
                    inputs: &Inputs<'_, Self>,
                    h: f64,
                ) -> Result<(), ModelError> {
                    self.advance_friction(cx, inputs, h)
                }

                fn advance_to_event(
                    &mut self,
                    cx: &Context<'_, T, Self>,
                    inputs: &Inputs<'_, Self>,
                    h: f64,
                ) -> Result<Option<f64>, ModelError> {
                    self.advance_friction_to_event(cx, inputs, h)
                }
            }

            impl<T: Scalar> Memory<T> for $Name<T> {
                fn completed_step(&mut self, cx: &Context<'_, T, Self>, diagnostics: &mut Diagnostics) {
                    self.complete_friction_step(cx, diagnostics);
                }
            }

            impl<T: Scalar> Acausal<T> for $Name<T> {
                const LAW: [usize; 2] = $crate::friction::LAW;

                fn acausal_model(structure: &<Self as Variables<T>>::Structure) -> AcausalModel {
                    Self::friction_model(structure)
                }

                fn law(
                    &self,
                    cx: &Context<'_, T, Self>,
                    branch: i32,
                    arguments: &[T],
                    results: &mut [T],
                ) -> Result<(), ModelError> {
                    self.friction_law(cx, branch, arguments, results);
                    Ok(())
                }
            }
        };
    };
}
