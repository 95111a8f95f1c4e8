//! Capabilities of a component beyond its equations.
//!
//! Its declaration names the traits that it implements: `pub struct Wheel<T>(s: Structure): Events + Memory { … }`.
//! For the others [`model!`](crate::model!) makes implementations that do nothing. So the compiler refuses a
//! trait that is named and not implemented, or implemented and not named.

use fmu_exchange::AcausalModel;

use crate::component::equations::{Context, Diagnostics, Equations, Event, Inputs};
use crate::component::model_error::ModelError;
use crate::rows::scalar::Scalar;

/// Largest number of iterations of events at one point.
const MAX_EVENT_ITERATIONS: usize = 10_000;

/// Repeats an event until no further iteration is needed; returns when the next time event is due, in s.
pub fn settle(mut event: impl FnMut() -> Result<Event, ModelError>) -> Result<Option<f64>, ModelError> {
    for _ in 0..MAX_EVENT_ITERATIONS {
        let event = event()?;
        if !event.again {
            return Ok(event.next_time);
        }
    }
    Err(ModelError::singular(format!("too many events: {MAX_EVENT_ITERATIONS} at one point")))
}

/// A component whose memory and states change at events.
#[diagnostic::on_unimplemented(
    message = "`{Self}` lists `Events` behind its name, but does not implement it",
    label = "add `impl<T: Scalar> Events<T> for {Self}`, or do not list it"
)]
pub trait Events<T: Scalar>: Equations<T> {
    #[doc(hidden)]
    const IMPLEMENTED: bool = true;

    /// Updates memory and states at an event: in event mode, and where [`settle`](Self::settle) asks for it. In
    /// Co-Simulation there is one at the start, where an event indicator changes its sign, where a time event is due, and after
    /// a discrete input or a tunable parameter has changed; with [`Memory`] also at each communication point.
    fn event(&mut self, cx: &Context<'_, T, Self>, event: &mut Event) -> Result<(), ModelError>;

    /// Iterates the event at a point until no further iteration is needed; returns when the next time event is due, in s.
    fn settle(&mut self, cx: &Context<'_, T, Self>) -> Result<Option<f64>, ModelError> {
        settle(|| {
            let mut event = Event::default();
            self.event(cx, &mut event)?;
            Ok(event)
        })
    }
}

/// A component whose events a solver finds by the signs of numbers.
#[diagnostic::on_unimplemented(
    message = "`{Self}` lists `Indicators` behind its name, but does not implement it",
    label = "add `impl<T: Scalar> Indicators<T> for {Self}`, or do not list it"
)]
pub trait Indicators<T: Scalar>: Equations<T> {
    /// Number of event indicators.
    const COUNT: usize;

    /// Returns true if the event indicators exist in this structure.
    fn has_indicators(_structure: &Self::Structure) -> bool {
        true
    }

    /// Computes the event indicators after an evaluation.
    fn indicators(&self, cx: &Context<'_, T, Self>, indicators: &mut [T]);
}

/// A component that moves its states itself (Co-Simulation). Without this trait the runtime integrates them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` lists `Steps` behind its name, but does not implement it",
    label = "add `impl<T: Scalar> Steps<T> for {Self}`, or do not list it"
)]
pub trait Steps<T: Scalar>: Equations<T> {
    #[doc(hidden)]
    const IMPLEMENTED: bool = true;

    /// True if few structures have states or memory to move, so that the others must not pay for it.
    const RARELY_STEPS: bool = false;

    /// Returns true if the component moves its states in this structure. Otherwise it has neither
    /// states nor memory there.
    fn has_steps(_structure: &Self::Structure) -> bool {
        true
    }

    /// Stores values that only steps need, at the end of initialisation. Outputs must not change.
    fn begin_steps(&mut self, _cx: &Context<'_, T, Self>) {}

    /// Moves states and memory from `cx.time` over the step `h`, events at its beginning and inside it
    /// included. `inputs` gives the inputs inside the step.
    fn advance(&mut self, cx: &Context<'_, T, Self>, inputs: &Inputs<'_, Self>, h: f64) -> Result<(), ModelError>;

    /// Moves states and memory up to the first event after the beginning, which is left to [`Events::event`]; returns
    /// how long after the beginning that is, in s, if there is one. A component that has no [`Events`] need not
    /// implement it.
    fn advance_to_event(
        &mut self,
        cx: &Context<'_, T, Self>,
        inputs: &Inputs<'_, Self>,
        h: f64,
    ) -> Result<Option<f64>, ModelError>
    where
        Self: Events<T>,
    {
        const {
            let are_lost = <Self as Steps<T>>::IMPLEMENTED && <Self as Events<T>>::IMPLEMENTED;
            assert!(!are_lost, "a component with Events and Steps needs advance_to_event");
        };
        self.advance(cx, inputs, h).map(|()| None)
    }
}

/// A component whose memory follows the motion.
#[diagnostic::on_unimplemented(
    message = "`{Self}` lists `Memory` behind its name, but does not implement it",
    label = "add `impl<T: Scalar> Memory<T> for {Self}`, or do not list it"
)]
pub trait Memory<T: Scalar>: Equations<T> {
    #[doc(hidden)]
    const IMPLEMENTED: bool = true;

    /// Updates the memory after each evaluation that ends a step. Outputs must not jump.
    fn completed_step(&mut self, cx: &Context<'_, T, Self>, diagnostics: &mut Diagnostics);
}

/// A component that can be a part of the equations of a tool such as a Modelica tool, which has its memory and finds its
/// events.
///
/// The tool solves equations of all components together. So it gets a law without memory: results for a branch, which
/// is an integer, and Reals as arguments. The model around the law says which branch there is and when that changes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` lists `Acausal` behind its name, but does not implement it",
    label = "add `impl<T: Scalar> Acausal<T> for {Self}`, or do not list it"
)]
pub trait Acausal<T: Scalar>: Equations<T> {
    #[doc(hidden)]
    const IMPLEMENTED: bool = true;

    /// Numbers of arguments and results of the law.
    const LAW: [usize; 2];

    /// Returns the model around the law in a structure.
    fn acausal_model(structure: &Self::Structure) -> AcausalModel;

    /// Computes the results of the law, which follow from parameters, branch and arguments only.
    fn law(&self, cx: &Context<'_, T, Self>, branch: i32, arguments: &[T], results: &mut [T])
    -> Result<(), ModelError>;
}

/// Implements a trait that the declaration does not name; a part of [`model!`](crate::model!).
#[doc(hidden)]
#[macro_export]
macro_rules! without {
    // All names.
    (Events) => {};
    (Indicators) => {};
    (Steps) => {};
    (Memory) => {};
    (Acausal) => {};
    ($other:ident) => {
        compile_error!(concat!(
            "`",
            stringify!($other),
            "` is not a capability; there are `Events`, `Indicators`, `Steps`, `Memory` and `Acausal`"
        ));
    };
    (Events, [Events $(, $rest:ident)*], $Name:ident $T:ident) => {};
    (Indicators, [Indicators $(, $rest:ident)*], $Name:ident $T:ident) => {};
    (Steps, [Steps $(, $rest:ident)*], $Name:ident $T:ident) => {};
    (Memory, [Memory $(, $rest:ident)*], $Name:ident $T:ident) => {};
    (Acausal, [Acausal $(, $rest:ident)*], $Name:ident $T:ident) => {};
    ($capability:ident, [$other:ident $(, $rest:ident)*], $Name:ident $T:ident) => {
        $crate::without!($capability, [$($rest),*], $Name $T);
    };
    (Events, [], $Name:ident $T:ident) => {
        impl<$T: $crate::Scalar> $crate::Events<$T> for $Name<$T>
        where
            Self: $crate::Equations<$T>,
        {
            const IMPLEMENTED: bool = false;
            fn event(
                &mut self,
                _: &$crate::Context<'_, $T, Self>,
                _: &mut $crate::Event,
            ) -> Result<(), $crate::ModelError> {
                Ok(())
            }
        }
    };
    (Indicators, [], $Name:ident $T:ident) => {
        impl<$T: $crate::Scalar> $crate::Indicators<$T> for $Name<$T>
        where
            Self: $crate::Equations<$T>,
        {
            const COUNT: usize = 0;
            fn indicators(&self, _: &$crate::Context<'_, $T, Self>, _: &mut [$T]) {}
        }
    };
    (Steps, [], $Name:ident $T:ident) => {
        impl<$T: $crate::Scalar> $crate::Steps<$T> for $Name<$T>
        where
            Self: $crate::Equations<$T>,
        {
            const IMPLEMENTED: bool = false;
            fn advance(
                &mut self,
                _: &$crate::Context<'_, $T, Self>,
                _: &$crate::Inputs<'_, Self>,
                _: f64,
            ) -> Result<(), $crate::ModelError> {
                Ok(())
            }
        }
    };
    (Memory, [], $Name:ident $T:ident) => {
        impl<$T: $crate::Scalar> $crate::Memory<$T> for $Name<$T>
        where
            Self: $crate::Equations<$T>,
        {
            const IMPLEMENTED: bool = false;
            fn completed_step(&mut self, _: &$crate::Context<'_, $T, Self>, _: &mut $crate::Diagnostics) {}
        }
    };
    (Acausal, [], $Name:ident $T:ident) => {
        impl<$T: $crate::Scalar> $crate::Acausal<$T> for $Name<$T>
        where
            Self: $crate::Equations<$T>,
        {
            const IMPLEMENTED: bool = false;
            const LAW: [usize; 2] = [0, 0];
            fn acausal_model(_: &Self::Structure) -> $crate::AcausalModel {
                $crate::AcausalModel::default()
            }
            fn law(
                &self,
                _: &$crate::Context<'_, $T, Self>,
                _: i32,
                _: &[$T],
                _: &mut [$T],
            ) -> Result<(), $crate::ModelError> {
                Ok(())
            }
        }
    };
}

/// Components that do not compile, since a capability is forgotten on one side, and those that do.
#[cfg(doctest)]
macro_rules! examples {
    ($($name:ident: $kind:literal, $named:tt, $implemented:tt;)*) => {$(
        #[doc = concat!("```", $kind)]
        #[doc = "include!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/tests/capability/mod.rs\"));"]
        #[doc = concat!("component!(", stringify!($named), ", ", stringify!($implemented), ");")]
        #[doc = "fn main() { let _ = fmu_runtime::component_model::<Wire<f64>>(); }\n```"]
        mod $name {}
    )*};
}

#[cfg(doctest)]
examples! {
    no_capability: "", [], [];
    all_capabilities: "", [Events Indicators Steps Memory Acausal], [Events Indicators Steps Memory Acausal];
    steps_that_report_no_event: "compile_fail", [Events Steps], [Events Silent];
    only_named_events: "compile_fail", [Events], [];
    only_named_indicators: "compile_fail", [Indicators], [];
    only_named_steps: "compile_fail", [Steps], [];
    only_named_acausal: "compile_fail", [Acausal], [];
    only_named_memory: "compile_fail", [Memory], [];
    only_implemented_events: "compile_fail", [], [Events];
    only_implemented_indicators: "compile_fail", [], [Indicators];
    only_implemented_steps: "compile_fail", [], [Steps];
    only_implemented_memory: "compile_fail", [], [Memory];
    only_implemented_acausal: "compile_fail", [], [Acausal];
}
